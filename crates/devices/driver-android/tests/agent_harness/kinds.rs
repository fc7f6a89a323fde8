//! Each kind of widget, as the driver sees and drives it.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, NodeAct};
use driver_android::AgentForm;
use uitree::{NodeId, Point, Query, Rect, Size, State, TextView, UiTree};

use crate::harness::{Harness, Process};

/// The most swipes that lead to a row further down.
const MAX_SWIPES: usize = 60;

pub(crate) async fn all(process: &mut Process) {
    println!("kinds of widgets");
    fields_of_every_type(process).await;
    lists_of_a_thousand_rows(process).await;
    menus_and_virtual_nodes(process).await;
    right_to_left(process).await;
    large_text(process).await;
    restless(process).await;
    forms_and_pickers(process).await;
    rare_properties(process).await;
}

/// The rows of a long list.
const ROWS: u32 = 1000;

/// The bounds of a node that is seen.
fn bounds(tree: &UiTree, node: NodeId) -> Rect {
    tree.visible_bounds(node).unwrap()
}

/// Drags what is under the middle of an area up by most of its height.
async fn swipe_up(harness: &mut Harness, area: Rect) {
    let middle = area.center().x;
    let swipe = Gesture::Swipe {
        from: Point::new(middle, area.bottom - 50),
        to: Point::new(middle, area.top + 50),
        duration: Duration::from_millis(300),
        rest: Duration::from_millis(100),
    };
    let cx = harness.cx.clone();
    harness.driver.touch(&cx, &swipe).await.unwrap();
    harness.rest().await;
}

/// Text that a field of this type keeps as it is.
fn sample(kind: &str) -> &'static str {
    match kind {
        _ if kind.contains("NUMBER") || kind.contains("PHONE") => "42",
        _ if kind.contains("DATETIME") => "12",
        _ => "Ünï 漢字",
    }
}

async fn fields_of_every_type(process: &mut Process) {
    let mut harness = process.show("screen inputs").await;
    let cx = harness.cx.clone();
    let mut written: Vec<String> = Vec::new();
    for _ in 0..MAX_SWIPES {
        let seen = harness.observe().await;
        let fields = seen.tree.ids().filter(|id| {
            let node = seen.tree.node(*id);
            node.is(State::EDITABLE) && seen.tree.visible_bounds(*id).is_some()
        });
        let next = fields
            .map(|id| (id, seen.tree.node(id).label.to_string()))
            .find(|(_, kind)| !written.contains(kind));
        let Some((id, kind)) = next else {
            let before = written.len();
            let screen = seen.tree.screen().to_rect();
            swipe_up(&mut harness, screen).await;
            let after = harness.observe().await;
            if after.tree == seen.tree {
                assert!(before > 30, "{written:?}");
                return;
            }
            continue;
        };
        let act = NodeAct::SetText(sample(&kind).to_owned());
        harness
            .driver
            .act(&cx, seen.node_ref(id), &act)
            .await
            .unwrap();
        let query = Query::new().label(&*kind);
        let seen = harness.observe().await;
        let field = seen.tree.node(seen.tree.find(&query).unwrap());
        if field.is(State::PASSWORD) {
            assert!(kind.contains("PASSWORD"), "{kind}");
            assert!(!field.text.contains(sample(&kind)), "{kind}: {field:?}");
        } else {
            assert_eq!(&*field.text, sample(&kind), "{kind}");
        }
        written.push(kind);
    }
    panic!("the screen has no end: {written:?}");
}

/// Rows that left the screen give their views to others, and a node of one is not that of another.
async fn lists_of_a_thousand_rows(process: &mut Process) {
    for (screen, row) in process.long_lists() {
        let mut harness = process.show(&format!("screen {screen}")).await;
        let cx = harness.cx.clone();
        let (first, old) = harness.text(&format!("{row} 0")).await;
        let list = first
            .tree
            .ids()
            .find(|id| first.tree.node(*id).is(State::SCROLLABLE));
        let area = bounds(&first.tree, list.unwrap());
        let nodes = first.tree.len();
        for _ in 0..3 {
            swipe_up(&mut harness, area).await;
        }
        let seen = harness.observe().await;
        let rows = seen.tree.ids().filter_map(|id| {
            let text = seen.tree.node(id).text.to_string();
            let number = text.strip_prefix(&format!("{row} "))?.parse::<u32>().ok()?;
            seen.tree.visible_bounds(id).map(|bounds| (number, bounds))
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.len() > 3 && rows[0].0 > 10, "{screen}: {rows:?}");
        for pair in rows.windows(2) {
            assert_eq!(pair[1].0, pair[0].0 + 1, "{screen}: {rows:?}");
            assert!(pair[1].1.top >= pair[0].1.bottom, "{screen}: {rows:?}");
        }
        assert!(seen.tree.len() < nodes + 10, "rows that left stay");
        let (above, last) = (rows[0].0, rows[rows.len() - 1].0);
        // A ListView of later versions does not report its size.
        let counted = match (*screen, process.sdk) {
            ("list", 24..) => format!("({above} rows above)"),
            _ => format!("({above} rows above, {} below)", ROWS - 1 - last),
        };
        let view = seen.tree.to_compact();
        assert!(view.contains(&counted), "{screen}: {counted}\n{view}");
        let stale = harness.driver.act(&cx, old, &NodeAct::Click).await;
        assert_eq!(stale, Err(DriverError::Stale), "{screen}");
    }
}

async fn menus_and_virtual_nodes(process: &mut Process) {
    let mut harness = process.show("screen controls").await;
    // A menu is a window, and is gone when something of it is chosen.
    harness.act("Menu", NodeAct::Click).await;
    let (seen, _) = harness.text("Move").await;
    assert_eq!(seen.windows.len(), 2, "{:?}", seen.windows);
    harness.act("Move", NodeAct::Click).await;
    let (seen, _) = harness.text("chose Move").await;
    let only = |tree: &UiTree| {
        tree.windows().len() == 1 && tree.find(&Query::new().text("Move")).is_none()
    };
    let seen = match only(&seen.tree) {
        true => seen,
        false => harness.until("screen without the menu", only).await,
    };
    assert_eq!(seen.windows.len(), 1, "{:?}", seen.windows);
    // What a view only draws has nodes with bounds of their own.
    let (seen, second) = harness.text("Day 2").await;
    let (_, third) = harness.text("Day 3").await;
    let (second, third) = (seen.tree.node(second.node), seen.tree.node(third.node));
    assert_eq!(&*second.class, "harness.Day");
    assert!(second.is(State::CLICKABLE));
    assert_eq!(second.bounds.unwrap().right, third.bounds.unwrap().left);
}

async fn right_to_left(process: &mut Process) {
    let mut harness = process.show("screen rtl").await;
    let (seen, greeting) = harness.text("مرحبا بالعالم").await;
    let width = seen.tree.screen().width;
    // A button begins at the right.
    let (_, tap) = harness.text("Tap").await;
    assert_eq!(bounds(&seen.tree, tap.node).right, width);
    assert_eq!(bounds(&seen.tree, greeting.node).right, width);
    let text = "שלום, عالم 12";
    let (_, name) = harness.id("edit").await;
    let act = NodeAct::SetText(text.to_owned());
    let cx = harness.cx.clone();
    harness.driver.act(&cx, name, &act).await.unwrap();
    harness.text(text).await;
    harness.act("Tap", NodeAct::Click).await;
    harness.text("tapped 1").await;
}

async fn large_text(process: &mut Process) {
    let mut harness = process.show("screen large").await;
    let (seen, button) = harness.text("Large").await;
    let long = "Large text that needs more than one line on a phone of this width";
    let (_, text) = harness.text(long).await;
    let (_, usual) = harness.text("large").await;
    let height = |node| bounds(&seen.tree, node).height();
    // With the older frameworks the process measures no glyphs: all text has the same height.
    if process.sdk >= 26 {
        assert!(height(text.node) > 2 * height(usual.node));
    }
    harness.click(button).await;
}

/// A screen that never rests is read, photographed, and each change of it reported.
async fn restless(process: &mut Process) {
    let mut harness = process.show("screen restless").await;
    let cx = harness.cx.clone();
    let mut last = harness.observe().await;
    for _ in 0..5 {
        harness.driver.changed(&cx, last.revision).await.unwrap();
        last = harness.observe().await;
    }
    let taken = harness.driver.screenshot(&cx).await;
    // The process has no graphics memory, in which an accessibility service gets pictures.
    if process.form == AgentForm::Agent && process.sdk >= 28 {
        assert_eq!(taken.unwrap().size, Size::new(1080, 2340));
        let part = harness
            .driver
            .pixels(&cx, Rect::new(0, 0, 10, 20))
            .await
            .unwrap();
        assert_eq!(part.size(), Size::new(10, 20));
    }
}

/// What the text view says of forms, pickers and tables.
async fn forms_and_pickers(process: &mut Process) {
    let view = |tree: &UiTree| tree.text_view(TextView::default()).text;
    let mut harness = process.show("screen form").await;
    let form = view(&harness.observe().await.tree);
    assert!(
        form.contains("invalid error=\"Enter a valid email\""),
        "{form}"
    );
    drop(harness);

    let mut harness = process.show("screen table").await;
    let table = view(&harness.observe().await.tree);
    for row in ["\"Item\" \"Qty\" \"Price\"\n", "\"Milk\" \"2\" \"$3\"\n"] {
        assert!(table.contains(row), "{row} is not in\n{table}");
    }
    drop(harness);

    let mut harness = process.show("screen choices").await;
    let choices = view(&harness.observe().await.tree);
    for row in [
        "radio \"Tea\"",
        "radio \"Coffee\" checked",
        "checkbox \"Sugar\"",
    ] {
        assert!(choices.contains(row), "{row} is not in\n{choices}");
    }
    drop(harness);

    let mut harness = process.show("screen pickers").await;
    let seen = harness.observe().await;
    let pickers = view(&seen.tree);
    if process.sdk >= 30 {
        assert!(pickers.contains("progress 40 of 100"), "{pickers}");
    }
    // A slider offers the same actions as a scroll container.
    let is_rating = |id: &NodeId| seen.tree.node(*id).class.ends_with("RatingBar");
    let rating = seen.tree.ids().find(is_rating).unwrap();
    assert!(seen.tree.node(rating).can_scroll.is_empty());
}

/// Properties that few widgets have, and extras, each from its API level on.
async fn rare_properties(process: &mut Process) {
    let mut harness = process.show("screen properties").await;
    let seen = harness.observe().await;
    let expected = [
        ("-1", "error", "Enter a positive amount", 23),
        ("-1", "content-invalid", "true", 23),
        ("Sync", "state-description", "paused", 30),
        ("Basket", "pane-title", "Your basket", 28),
        ("Send", "tooltip-text", "Sends the order", 28),
        ("Send", "test-tag", "send", 26),
        ("Send", "harness.kind", "order", 23),
        ("Send", "harness.items", "3", 23),
    ];
    for (text, name, value, level) in expected {
        let node = seen.tree.find(&Query::new().text(text)).unwrap();
        let found = seen.tree.node(node).attribute(name);
        assert_eq!(found, (process.sdk >= level).then_some(value), "{name}");
    }
}

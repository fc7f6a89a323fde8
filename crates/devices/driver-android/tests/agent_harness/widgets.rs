//! What the driver sees of real widgets and does to them.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key, NodeAct, Orientation};
use driver_android::AgentForm;
use uitree::{Point, Query, Role, Size, State, UiTree, WindowKind};

use crate::harness::{Harness, Process};

/// The text of a field and what it shows; an empty field shows its hint.
async fn content(harness: &mut Harness, id: &str) -> String {
    let (seen, node) = harness.id(id).await;
    let field = seen.tree.node(node.node);
    match field.is(State::SHOWING_HINT) {
        true => String::new(),
        false => field.text.to_string(),
    }
}

/// Turns the screen and back.
async fn turn(harness: &mut Harness) {
    let cx = harness.cx.clone();
    for orientation in [Orientation::Landscape, Orientation::Portrait] {
        harness
            .driver
            .set_orientation(&cx, orientation)
            .await
            .unwrap();
        let is_wide = |screen: Size| screen.width > screen.height;
        let is_landscape = orientation == Orientation::Landscape;
        assert_eq!(is_wide(harness.observe().await.tree.screen()), is_landscape);
    }
}

pub(crate) async fn controls(process: &mut Process) {
    println!("controls");
    let (form, sdk) = (process.form, process.sdk);
    let mut harness = process.show("screen controls").await;
    let cx = harness.cx.clone();

    // What does not change is the same, and silence is known.
    let seen = harness.observe().await;
    assert_eq!(harness.observe().await.revision, seen.revision);
    assert!(seen.foreground.is_some());
    assert_eq!(
        seen.windows.iter().filter(|window| window.active).count(),
        1
    );
    harness.rest().await;

    // A long click and a click, each once. The other way round, the press that Android draws after a tap could end the long click.
    harness.act("Tap", NodeAct::LongClick).await;
    harness.text("held 1").await;
    let (_, tap) = harness.text("Tap").await;
    let clicked = harness.click(tap).await;
    assert!(clicked.is_none_or(|clicked| clicked.touched.is_some()));
    let (_, node) = harness.text("tapped 1").await;
    let old = harness.driver.act(&cx, tap, &NodeAct::Click).await;
    assert_eq!(old, Err(DriverError::Stale), "{node:?}");

    // Text of every script.
    for text in ["Müller 😀 مرحبا", "漢字", "it's 100%s; $HOME", ""] {
        let (_, name) = harness.id("edit").await;
        let act = NodeAct::SetText(text.to_owned());
        harness.driver.act(&cx, name, &act).await.unwrap();
        if sdk >= 26 || !text.is_empty() {
            assert_eq!(content(&mut harness, "edit").await, text);
        }
    }
    let (_, name) = harness.id("edit").await;
    let act = NodeAct::SetText("left".to_owned());
    harness.driver.act(&cx, name, &act).await.unwrap();
    let (_, name) = harness.id("edit").await;
    let act = NodeAct::AppendText(" und größer".to_owned());
    harness.driver.act(&cx, name, &act).await.unwrap();
    assert_eq!(content(&mut harness, "edit").await, "left und größer");
    let (seen, name) = harness.id("edit").await;
    assert_eq!(seen.tree.node(name.node).role, Role::TextField);
    harness
        .driver
        .act(&cx, name, &NodeAct::Submit)
        .await
        .unwrap();
    harness.text("submitted left und größer").await;

    // The clipboard, which apps may not read from Android 10 on.
    harness
        .driver
        .set_clipboard(&cx, "geteilt 😀")
        .await
        .unwrap();
    let copied = harness.driver.clipboard(&cx).await;
    if form == AgentForm::App && sdk >= 29 {
        assert!(
            matches!(copied, Err(DriverError::Unsupported(_))),
            "{copied:?}"
        );
    } else {
        assert_eq!(copied.unwrap(), "geteilt 😀");
    }

    // An accessibility service cannot turn it, and the harness has no settings.
    if form == AgentForm::Agent {
        turn(&mut harness).await;
    }

    // A password is not reported.
    let (_, secret) = harness.id("input").await;
    let act = NodeAct::SetText("hunter2".to_owned());
    harness.driver.act(&cx, secret, &act).await.unwrap();
    let (seen, secret) = harness.id("input").await;
    assert!(seen.tree.node(secret.node).is(State::PASSWORD));
    assert!(!seen.tree.to_notation().contains("hunter2"));

    // A switch, and what its state is.
    let (seen, wifi) = harness.switch().await;
    assert!(
        seen.tree
            .node(wifi.node)
            .is(State::CHECKABLE | State::CHECKED)
    );
    harness.click(wifi).await;
    harness.text("wi-fi false").await;
    let (seen, wifi) = harness.switch().await;
    assert!(!seen.tree.node(wifi.node).is(State::CHECKED));
    if sdk >= 26 {
        let (seen, bar) = harness.id("progress").await;
        assert_eq!(seen.tree.node(bar.node).attribute("range-value"), Some("3"));
        // A slider, whose app takes no value beyond its ends.
        for (requested, set) in [("7", 7.0), ("0", 0.0), ("99", 10.0)] {
            let (_, bar) = harness.id("progress").await;
            let act = NodeAct::SetText(requested.to_owned());
            harness.driver.act(&cx, bar, &act).await.unwrap();
            let (seen, bar) = harness.id("progress").await;
            let node = seen.tree.node(bar.node);
            assert_eq!(node.range().unwrap().value, set, "{requested}");
        }
        let (_, bar) = harness.id("progress").await;
        let act = NodeAct::SetText("loud".to_owned());
        let refused = harness.driver.act(&cx, bar, &act).await;
        assert!(refused.is_err(), "{refused:?}");
    } else {
        let (_, bar) = harness.id("progress").await;
        let act = NodeAct::SetText("7".to_owned());
        let refused = harness.driver.act(&cx, bar, &act).await;
        assert!(
            matches!(refused, Err(DriverError::Refused(_))),
            "{refused:?}"
        );
    }

    // A dialog is a window of its own, and its nodes are gone with it.
    harness.act("Open", NodeAct::Click).await;
    // Older themes leave the case of its buttons as it is.
    let word = if sdk >= 26 { "NO" } else { "No" };
    let (seen, no) = harness.text(word).await;
    assert!(seen.windows.len() > 1, "{:?}", seen.windows);
    assert!(
        seen.windows
            .iter()
            .all(|window| window.kind == WindowKind::Application)
    );
    harness.click(no).await;
    harness.text("no").await;
    let gone = harness.driver.act(&cx, no, &NodeAct::Click).await;
    assert_eq!(gone, Err(DriverError::Stale));

    // A finger arrives where it is put.
    let query = Query::new().label("Pad");
    let seen = harness
        .until("Pad", |tree| tree.find(&query).is_some())
        .await;
    let pad = seen
        .tree
        .visible_bounds(seen.tree.find(&query).unwrap())
        .unwrap();
    let at = Point::new(pad.left + 30, pad.top + 40);
    harness
        .driver
        .touch(&cx, &Gesture::Tap { at })
        .await
        .unwrap();
    harness.text("pad 1 fingers, up at 30,40").await;

    // A deadline ends a gesture and lifts the finger; those of a service go on to their end.
    if form == AgentForm::Agent {
        let swipe = Gesture::Swipe {
            from: at,
            to: Point::new(pad.right - 30, pad.top + 40),
            duration: Duration::from_secs(60),
            rest: Duration::ZERO,
        };
        let short = cx.within(Duration::from_millis(300));
        let ended = harness.driver.touch(&short, &swipe).await;
        assert_eq!(ended, Err(DriverError::Deadline));
        harness.text("pad cancelled").await;
    }

    // Back leads to the first screen, and a button of it on.
    harness.driver.key(&cx, Key::Back).await.unwrap();
    harness.act("list", NodeAct::Click).await;
    let (_, list) = harness.id("list").await;
    let (seen, _) = harness.text("Row 0").await;
    let bounds = seen.tree.visible_bounds(list.node).unwrap();
    let middle = bounds.center();
    let swipe = Gesture::Swipe {
        from: Point::new(middle.x, bounds.bottom - 100),
        to: Point::new(middle.x, bounds.top + 100),
        duration: Duration::from_millis(300),
        rest: Duration::ZERO,
    };
    harness.driver.touch(&cx, &swipe).await.unwrap();
    let first = Query::new().text("Row 0");
    let gone = |tree: &UiTree| !tree.find(&first).is_some_and(|row| tree.is_on_screen(row));
    harness.until("scrolled list", gone).await;
}

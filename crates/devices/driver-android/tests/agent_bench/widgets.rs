//! What the driver sees of real widgets and does to them.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key, NodeAct, Orientation};
use driver_android::AgentForm;
use uitree::{Point, Query, Role, Size, State, UiTree, WindowKind};

use crate::bench::{Bench, Process};

/// The text of a field and what it shows; an empty field shows its hint.
async fn content(bench: &mut Bench, id: &str) -> String {
    let (seen, node) = bench.id(id).await;
    let field = seen.tree.node(node.node);
    match field.is(State::SHOWING_HINT) {
        true => String::new(),
        false => field.text.to_string(),
    }
}

/// Turns the screen and back.
async fn turn(bench: &mut Bench) {
    let cx = bench.cx.clone();
    for orientation in [Orientation::Landscape, Orientation::Portrait] {
        bench
            .driver
            .set_orientation(&cx, orientation)
            .await
            .unwrap();
        let is_wide = |screen: Size| screen.width > screen.height;
        let wanted = orientation == Orientation::Landscape;
        assert_eq!(is_wide(bench.look().await.tree.screen()), wanted);
    }
}

pub(crate) async fn controls(process: &mut Process) {
    println!("controls");
    let (form, sdk) = (process.form, process.sdk);
    let mut bench = process.show("screen controls").await;
    let cx = bench.cx.clone();

    // What does not change is the same, and silence is known.
    let seen = bench.look().await;
    assert_eq!(bench.look().await.revision, seen.revision);
    assert!(seen.foreground.is_some());
    assert_eq!(
        seen.windows.iter().filter(|window| window.active).count(),
        1
    );
    bench.rest().await;

    // A long click and a click, each once. The other way round, the press that Android draws after a tap could end the long click.
    bench.act("Tap", NodeAct::LongClick).await;
    bench.text("held 1").await;
    let (_, tap) = bench.text("Tap").await;
    bench.driver.act(&cx, tap, &NodeAct::Click).await.unwrap();
    assert!(bench.driver.last_touch().is_some());
    let (_, told) = bench.text("tapped 1").await;
    let old = bench.driver.act(&cx, tap, &NodeAct::Click).await;
    assert_eq!(old, Err(DriverError::Stale), "{told:?}");

    // Text of every script.
    for text in ["Müller 😀 مرحبا", "漢字", "it's 100%s; $HOME", ""] {
        let (_, name) = bench.id("edit").await;
        let act = NodeAct::SetText(text.to_owned());
        bench.driver.act(&cx, name, &act).await.unwrap();
        if sdk >= 26 || !text.is_empty() {
            assert_eq!(content(&mut bench, "edit").await, text);
        }
    }
    let (_, name) = bench.id("edit").await;
    let act = NodeAct::SetText("left".to_owned());
    bench.driver.act(&cx, name, &act).await.unwrap();
    let (_, name) = bench.id("edit").await;
    let act = NodeAct::AppendText(" und größer".to_owned());
    bench.driver.act(&cx, name, &act).await.unwrap();
    assert_eq!(content(&mut bench, "edit").await, "left und größer");
    let (seen, name) = bench.id("edit").await;
    assert_eq!(seen.tree.node(name.node).role, Role::TextField);
    bench.driver.act(&cx, name, &NodeAct::Submit).await.unwrap();
    bench.text("submitted left und größer").await;

    // The clipboard, which apps may not read from Android 10 on.
    bench.driver.set_clipboard(&cx, "geteilt 😀").await.unwrap();
    let copied = bench.driver.clipboard(&cx).await;
    if form == AgentForm::App && sdk >= 29 {
        assert!(
            matches!(copied, Err(DriverError::Unsupported(_))),
            "{copied:?}"
        );
    } else {
        assert_eq!(copied.unwrap(), "geteilt 😀");
    }

    // An accessibility service cannot turn it, and the bench has no settings.
    if form == AgentForm::Agent {
        turn(&mut bench).await;
    }

    // A password is not told.
    let (_, secret) = bench.id("input").await;
    let act = NodeAct::SetText("hunter2".to_owned());
    bench.driver.act(&cx, secret, &act).await.unwrap();
    let (seen, secret) = bench.id("input").await;
    assert!(seen.tree.node(secret.node).is(State::PASSWORD));
    assert!(!seen.tree.to_notation().contains("hunter2"));

    // A switch, and what its state is.
    let (seen, wifi) = bench.switch().await;
    assert!(
        seen.tree
            .node(wifi.node)
            .is(State::CHECKABLE | State::CHECKED)
    );
    bench.driver.act(&cx, wifi, &NodeAct::Click).await.unwrap();
    bench.text("wi-fi false").await;
    let (seen, wifi) = bench.switch().await;
    assert!(!seen.tree.node(wifi.node).is(State::CHECKED));
    if sdk >= 26 {
        let (seen, bar) = bench.id("progress").await;
        assert_eq!(seen.tree.node(bar.node).attribute("range-value"), Some("3"));
    }

    // A dialog is a window of its own, and its nodes are gone with it.
    bench.act("Open", NodeAct::Click).await;
    // Older themes leave the case of its buttons as it is.
    let word = if sdk >= 26 { "NO" } else { "No" };
    let (seen, no) = bench.text(word).await;
    assert!(seen.windows.len() > 1, "{:?}", seen.windows);
    assert!(
        seen.windows
            .iter()
            .all(|window| window.kind == WindowKind::Application)
    );
    bench.driver.act(&cx, no, &NodeAct::Click).await.unwrap();
    bench.text("no").await;
    let gone = bench.driver.act(&cx, no, &NodeAct::Click).await;
    assert_eq!(gone, Err(DriverError::Stale));

    // A finger arrives where it is put.
    let query = Query::new().label("Pad");
    let seen = bench.until("Pad", |tree| tree.find(&query).is_some()).await;
    let pad = seen
        .tree
        .visible_bounds(seen.tree.find(&query).unwrap())
        .unwrap();
    let at = Point::new(pad.left + 30, pad.top + 40);
    bench.driver.touch(&cx, &Gesture::Tap { at }).await.unwrap();
    bench.text("pad 1 fingers, up at 30,40").await;

    // A deadline ends a gesture and lifts the finger; those of a service go on to their end.
    if form == AgentForm::Agent {
        let swipe = Gesture::Swipe {
            from: at,
            to: Point::new(pad.right - 30, pad.top + 40),
            duration: Duration::from_secs(60),
            rest: Duration::ZERO,
        };
        let short = cx.within(Duration::from_millis(300));
        let ended = bench.driver.touch(&short, &swipe).await;
        assert_eq!(ended, Err(DriverError::Deadline));
        bench.text("pad cancelled").await;
    }

    // Back leads to the first screen, and a button of it on.
    bench.driver.key(&cx, Key::Back).await.unwrap();
    bench.act("list", NodeAct::Click).await;
    let (_, list) = bench.id("list").await;
    let (seen, _) = bench.text("Row 0").await;
    let bounds = seen.tree.visible_bounds(list.node).unwrap();
    let middle = bounds.center();
    let swipe = Gesture::Swipe {
        from: Point::new(middle.x, bounds.bottom - 100),
        to: Point::new(middle.x, bounds.top + 100),
        duration: Duration::from_millis(300),
        rest: Duration::ZERO,
    };
    bench.driver.touch(&cx, &swipe).await.unwrap();
    let first = Query::new().text("Row 0");
    let gone = |tree: &UiTree| !tree.find(&first).is_some_and(|row| tree.is_on_screen(row));
    bench.until("scrolled list", gone).await;
}

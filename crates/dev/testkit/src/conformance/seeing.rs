//! Observations: device data, trees, screenshots, changes.

use std::path::Path;
use std::time::Duration;

use driver::{DriverError, NodeAct, Platform};
use uitree::{Size, State};

use super::{Subject, essence, shown, widgets};

pub(super) async fn it_says_what_it_is(subject: &mut Subject) {
    let info = subject.driver().info().clone();
    assert_eq!(info.platform, subject.device.abilities().platform);
    assert_eq!(info.screen, Size::new(1080, 2340));
    assert!(!info.id.is_empty() && !info.model.is_empty(), "{info:?}");
    let seen = subject.look().await;
    assert_eq!(seen.tree.screen(), info.screen);
}

pub(super) async fn the_tree_is_the_screen(subject: &mut Subject) {
    let seen = subject.look().await;
    let names = subject.device.names();
    let app = Some(&*names.app);
    assert_eq!(seen.foreground.as_deref(), app);
    let cx = subject.cx.clone();
    let front = subject.driver().foreground(&cx).await.unwrap_or_default();
    assert_eq!(front.app.as_deref(), app);
    let active: Vec<_> = seen.windows.iter().filter(|window| window.active).collect();
    assert_eq!(active.len(), 1, "{:?}", seen.windows);
    assert_eq!(active[0].package.as_deref(), app);
    // All drivers report the same screen: on phones the same nodes, elsewhere the same widgets.
    assert_written("widgets.txt", &widgets(&seen.tree, &names.ids));
    match subject.device.abilities().platform {
        Platform::Android => assert_written("start.txt", &essence(&seen.tree)),
        // The containers of widgets differ between pages.
        Platform::Web => {}
    }
}

/// Compares the result with a file beside the app.
#[track_caller]
fn assert_written(file: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance");
    let path = folder.join(file);
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let expected = expected.replace("\r\n", "\n");
    if *found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        assert!(std::fs::write(&path, found).is_ok(), "{}", path.display());
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 writes it anew");
}

pub(super) async fn what_does_not_change_is_the_same(subject: &mut Subject) {
    let first = subject.look().await;
    let again = subject.look().await;
    assert_eq!(again.revision, first.revision);
    assert_eq!(again.tree, first.tree);
    let cx = subject.cx.clone();
    let add = subject.node(&again, "add");
    let done = subject.driver().act(&cx, add, &NodeAct::Click).await;
    assert_eq!(done, Ok(()));
    let after = subject.look().await;
    assert!(after.revision > first.revision);
    assert_ne!(after.tree, first.tree);
}

pub(super) async fn a_password_is_not_told(subject: &mut Subject) {
    let (seen, secret) = subject.find("secret").await;
    assert!(seen.tree.node(secret.node).is(State::PASSWORD));
    let cx = subject.cx.clone();
    let act = NodeAct::SetText("hunter2".to_owned());
    assert_eq!(subject.driver().act(&cx, secret, &act).await, Ok(()));
    let seen = subject.look().await;
    assert!(!seen.tree.to_notation().contains("hunter2"));
    let shown = shown(seen.tree.node(subject.node(&seen, "secret").node));
    assert_eq!(shown.chars().count(), 7, "{shown:?}");
    assert!(subject.times("text", "secret").await > 0);
}

pub(super) async fn pictures_are_of_the_screen(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let size = subject.driver().info().screen;
    let mut taken = Vec::new();
    for _ in 0..2 {
        match subject.driver().screenshot(&cx).await {
            Ok(picture) => {
                assert_eq!(picture.size, size);
                assert!(picture.png.starts_with(b"\x89PNG\r\n\x1a\n"));
                assert!(picture.png.ends_with(b"IEND\xaeB`\x82"));
                taken.push(picture.png);
            }
            Err(error) => panic!("{error}"),
        }
        subject.leave().await;
    }
    assert_ne!(taken[0], taken[1], "another screen is another picture");
}

pub(super) async fn a_change_is_not_waited_for_twice(subject: &mut Subject) {
    let seen = subject.look().await;
    let cx = subject.cx.clone();
    // Shorter than the poll interval of drivers.
    let short = cx.within(Duration::from_millis(250));
    let events = subject.driver().info().capabilities.events;
    let told = subject.driver().changed(&short, seen.revision).await;
    if events {
        // Nothing has changed, and this driver knows it.
        assert_eq!(told, Err(DriverError::Deadline));
    } else {
        assert_eq!(told, Ok(()));
    }
    let add = subject.node(&seen, "add");
    assert_eq!(
        subject.driver().act(&cx, add, &NodeAct::Click).await,
        Ok(())
    );
    let told = subject.driver().changed(&cx, seen.revision).await;
    assert_eq!(told, Ok(()));
}

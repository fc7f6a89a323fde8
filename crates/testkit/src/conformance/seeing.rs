//! What a driver sees: itself, the tree, pictures, changes.

use std::path::Path;
use std::time::Duration;

use driver::{DriverError, Key, NodeAct, Platform};
use uitree::{Size, State};

use super::{PACKAGE, Subject, essence, node};

pub(super) async fn it_says_what_it_is(subject: &mut Subject) {
    let info = subject.driver().info().clone();
    assert_eq!(info.platform, Platform::Android);
    assert_eq!(info.screen, Size::new(1080, 2340));
    assert!(!info.id.is_empty() && !info.model.is_empty(), "{info:?}");
    let seen = subject.look().await;
    assert_eq!(seen.tree.screen(), info.screen);
}

pub(super) async fn the_tree_is_the_screen(subject: &mut Subject) {
    let seen = subject.look().await;
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    let cx = subject.cx.clone();
    let front = subject.driver().foreground(&cx).await.unwrap_or_default();
    assert_eq!(front.app.as_deref(), Some(PACKAGE));
    let active: Vec<_> = seen.windows.iter().filter(|window| window.active).collect();
    assert_eq!(active.len(), 1, "{:?}", seen.windows);
    assert_eq!(active[0].package.as_deref(), Some(PACKAGE));
    // The same screen is the same, whichever driver looks.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance/start.txt");
    let found = essence(&seen.tree);
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if found != expected.replace("\r\n", "\n") && std::env::var_os("UPDATE_EXPECT").is_some() {
        assert!(std::fs::write(&path, found).is_ok(), "{}", path.display());
        return;
    }
    assert_eq!(
        found,
        expected.replace("\r\n", "\n"),
        "UPDATE_EXPECT=1 writes it anew"
    );
}

pub(super) async fn what_does_not_change_is_the_same(subject: &mut Subject) {
    let first = subject.look().await;
    let again = subject.look().await;
    assert_eq!(again.revision, first.revision);
    assert_eq!(again.tree, first.tree);
    let cx = subject.cx.clone();
    let add = node(&again, "add");
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
    let shown = &seen.tree.node(node(&seen, "secret").node).text;
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
        assert_eq!(subject.driver().key(&cx, Key::Home).await, Ok(()));
    }
    assert_ne!(taken[0], taken[1], "another screen is another picture");
}

pub(super) async fn a_change_is_not_waited_for_twice(subject: &mut Subject) {
    let seen = subject.look().await;
    let cx = subject.cx.clone();
    let short = cx.within(Duration::from_secs(1));
    let events = subject.driver().info().capabilities.events;
    let told = subject.driver().changed(&short, seen.revision).await;
    if events {
        // Nothing has changed, and this one knows it.
        assert_eq!(told, Err(DriverError::Deadline));
    } else {
        assert_eq!(told, Ok(()));
    }
    let add = node(&seen, "add");
    assert_eq!(
        subject.driver().act(&cx, add, &NodeAct::Click).await,
        Ok(())
    );
    let told = subject.driver().changed(&cx, seen.revision).await;
    assert_eq!(told, Ok(()));
}

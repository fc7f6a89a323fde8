//! Observations: device data, trees, screenshots, changes.

use std::path::Path;
use std::time::Duration;

use driver::{DriverError, Image, ImageFormat, ImageRequest, NodeAct};
use uitree::{Size, State};

use super::{Containers, Pictures, Subject, describe_nodes, describe_widgets, visible_text};

pub(super) async fn info_describes_device(subject: &mut Subject) {
    let info = subject.driver().info().clone();
    assert_eq!(info.platform, subject.device.abilities().platform);
    assert_eq!(info.screen, Size::new(1080, 2340));
    assert!(!info.id.is_empty() && !info.model.is_empty(), "{info:?}");
    let observation = subject.observe().await;
    assert_eq!(observation.tree.screen(), info.screen);
}

pub(super) async fn tree_matches_screen(subject: &mut Subject) {
    let observation = subject.observe().await;
    let names = subject.device.names();
    let app = Some(&*names.app);
    assert_eq!(observation.foreground.as_deref(), app);
    let cx = subject.cx.clone();
    let front = subject.driver().foreground(&cx).await.unwrap_or_default();
    assert_eq!(front.app.as_deref(), app);
    let active: Vec<_> = observation
        .windows
        .iter()
        .filter(|window| window.active)
        .collect();
    assert_eq!(active.len(), 1, "{:?}", observation.windows);
    assert_eq!(active[0].package.as_deref(), app);
    // All drivers report the same widgets, and on simulated phones the same nodes.
    assert_snapshot(
        "widgets.txt",
        &describe_widgets(&observation.tree, &names.ids),
    );
    match subject.device.abilities().containers {
        Containers::Simulated => assert_snapshot("start.txt", &describe_nodes(&observation.tree)),
        Containers::Native => {}
    }
}

/// Compares the result with a file beside the app.
#[track_caller]
fn assert_snapshot(file: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance");
    let path = folder.join(file);
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let expected = expected.replace("\r\n", "\n");
    if *found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        assert!(std::fs::write(&path, found).is_ok(), "{}", path.display());
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 rewrites it");
}

pub(super) async fn unchanged_screen_keeps_revision(subject: &mut Subject) {
    let first = subject.observe().await;
    let again = subject.observe().await;
    assert_eq!(again.revision, first.revision);
    assert_eq!(again.tree, first.tree);
    let add = subject.node(&again, "add");
    let done = subject.act(add, &NodeAct::Click).await;
    assert_eq!(done, Ok(()));
    let after = subject.observe().await;
    assert!(after.revision > first.revision);
    assert_ne!(after.tree, first.tree);
}

pub(super) async fn password_is_masked(subject: &mut Subject) {
    let (observation, secret) = subject.find("secret").await;
    assert!(observation.tree.node(secret.node).is(State::PASSWORD));
    let act = NodeAct::SetText("hunter2".to_owned());
    assert_eq!(subject.act(secret, &act).await, Ok(()));
    let observation = subject.observe().await;
    assert!(!observation.tree.to_notation().contains("hunter2"));
    let visible_text = visible_text(
        observation
            .tree
            .node(subject.node(&observation, "secret").node),
    );
    assert_eq!(visible_text.chars().count(), 7, "{visible_text:?}");
    assert!(subject.count_events("text", "secret").await > 0);
}

pub(super) async fn screenshot_shows_screen(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let size = subject.driver().info().screen;
    if subject.device.abilities().pictures == Pictures::Refused {
        let refused = subject.driver().screenshot(&cx).await;
        assert!(
            matches!(refused, Err(DriverError::Refused(_))),
            "{refused:?}"
        );
        return;
    }
    let mut taken = Vec::new();
    for _ in 0..2 {
        match subject.driver().screenshot(&cx).await {
            Ok(picture) => {
                assert_eq!(picture.size, size);
                assert_eq!(
                    Image::of_file(picture.bytes.clone()),
                    Ok(Some(picture.clone()))
                );
                assert_eq!(picture.format, ImageFormat::Png);
                taken.push(picture.bytes);
            }
            Err(error) => panic!("{error}"),
        }
        subject.open_other_app().await;
    }
    // A device that does not scale or encode gives the PNG.
    let wanted = ImageRequest {
        format: ImageFormat::Jpeg,
        max_side: Some(585),
    };
    let picture = match subject.driver().screenshot_as(&cx, wanted).await {
        Ok(picture) => picture,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(
        Image::of_file(picture.bytes.clone()),
        Ok(Some(picture.clone()))
    );
    let small = (ImageFormat::Jpeg, Size::new(270, 585));
    assert!(
        [small, (ImageFormat::Png, size)].contains(&(picture.format, picture.size)),
        "{:?} of {:?}",
        picture.format,
        picture.size
    );
    assert_ne!(
        taken[0], taken[1],
        "screenshots of different screens are equal"
    );
}

pub(super) async fn changed_returns_after_earlier_change(subject: &mut Subject) {
    let observation = subject.observe().await;
    let cx = subject.cx.clone();
    // Shorter than the poll interval of drivers.
    let short = cx.within(Duration::from_millis(250));
    let events = subject.driver().info().capabilities.events;
    let result = subject.driver().changed(&short, observation.revision).await;
    if events {
        // Nothing has changed, and this driver knows it.
        assert_eq!(result, Err(DriverError::Deadline));
    } else {
        assert_eq!(result, Ok(()));
    }
    let add = subject.node(&observation, "add");
    assert_eq!(subject.act(add, &NodeAct::Click).await, Ok(()));
    let result = subject.driver().changed(&cx, observation.revision).await;
    assert_eq!(result, Ok(()));
}

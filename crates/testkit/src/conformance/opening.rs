//! Apps and uris that come to the front and go, recordings.

use driver::{DriverError, RecordingError, Target};

use super::{OTHER, PACKAGE, Subject};

fn app(name: &str) -> Target {
    Target::App(name.to_owned())
}

fn uri(text: &str) -> Target {
    Target::Uri(text.to_owned())
}

pub(super) async fn an_app_comes_to_the_front(subject: &mut Subject) {
    let cx = subject.cx.clone();
    assert_eq!(subject.driver().open(&cx, &app(OTHER)).await, Ok(()));
    assert_eq!(subject.look().await.foreground.as_deref(), Some(OTHER));
    let front = subject.driver().foreground(&cx).await.unwrap_or_default();
    assert_eq!(front.app.as_deref(), Some(OTHER));
    assert_eq!(subject.driver().open(&cx, &app(PACKAGE)).await, Ok(()));
    assert_eq!(subject.count().await, "count 0, held 0, sent 0");
    for word in ["tea", "a%20b", "it's", "$(reboot)", "x&y=z;id", "`id`"] {
        let target = uri(&format!("conform://page/{word}"));
        assert_eq!(subject.driver().open(&cx, &target).await, Ok(()), "{word}");
        let opened = subject.happened("uri").await;
        let last = opened.last().and_then(|entry| entry["uri"].as_str());
        assert_eq!(last, Some(format!("conform://page/{word}").as_str()));
    }
}

pub(super) async fn what_is_not_there_is_not_opened(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let before = subject.inputs().await;
    let nobody = "com.nobody.here";
    let done = subject.driver().open(&cx, &app(nobody)).await;
    assert_eq!(done, Err(DriverError::NotInstalled(nobody.to_owned())));
    let done = subject.driver().close(&cx, nobody).await;
    assert_eq!(done, Err(DriverError::NotInstalled(nobody.to_owned())));
    let nothing = "nothing-takes-this://x";
    let done = subject.driver().open(&cx, &uri(nothing)).await;
    assert_eq!(done, Err(DriverError::NotHandled(nothing.to_owned())));
    assert_eq!(subject.inputs().await, before);
    assert_eq!(subject.look().await.foreground.as_deref(), Some(PACKAGE));
}

pub(super) async fn hostile_names_do_nothing(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let before = subject.inputs().await;
    for name in [
        "a; reboot",
        "$(reboot)",
        "`input tap 100 380`",
        "com.x'; input tap 100 380; '",
        "com.x\ninput tap 100 380",
        "com.x && input keyevent 3",
        "-f",
        "--user",
        "",
        "com.android.settings ",
        "com.android.settings\0",
    ] {
        let done = subject.driver().open(&cx, &app(name)).await;
        assert_eq!(done, Err(DriverError::NotInstalled(name.to_owned())));
        let done = subject.driver().close(&cx, name).await;
        assert_eq!(done, Err(DriverError::NotInstalled(name.to_owned())));
    }
    for hostile in [
        "x'; reboot; '://",
        "no-such://$(input tap 100 380)",
        "no-such://`id`\nreboot",
    ] {
        let done = subject.driver().open(&cx, &uri(hostile)).await;
        assert_eq!(done, Err(DriverError::NotHandled(hostile.to_owned())));
    }
    assert_eq!(subject.inputs().await, before);
    assert_eq!(subject.look().await.foreground.as_deref(), Some(PACKAGE));
}

pub(super) async fn an_app_is_ended(subject: &mut Subject) {
    let cx = subject.cx.clone();
    assert_eq!(subject.driver().close(&cx, PACKAGE).await, Ok(()));
    let stopped = subject.happened("stop").await;
    assert_eq!(stopped.len(), 1);
    assert_eq!(stopped[0]["app"], PACKAGE);
    assert_ne!(subject.look().await.foreground.as_deref(), Some(PACKAGE));
    // Ending what does not run is no error.
    assert_eq!(subject.driver().close(&cx, PACKAGE).await, Ok(()));
    assert_eq!(subject.driver().open(&cx, &app(PACKAGE)).await, Ok(()));
    assert_eq!(subject.count().await, "count 0, held 0, sent 0");
}

pub(super) async fn recordings_are_made_or_refused(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let can = subject.driver().info().capabilities.recording;
    let started = subject.driver().start_recording(&cx, Some("conform")).await;
    if !can {
        assert!(
            matches!(started, Err(DriverError::Unsupported(_))),
            "{started:?}"
        );
        let stopped = subject.driver().stop_recording(&cx, None).await;
        assert!(
            matches!(stopped, Err(DriverError::Unsupported(_))),
            "{stopped:?}"
        );
        return;
    }
    let session = started.map(|recording| recording.session);
    assert_eq!(session, Ok("conform".to_owned()));
    let again = subject.driver().start_recording(&cx, None).await;
    assert!(
        matches!(
            again,
            Err(DriverError::Recording(RecordingError::AlreadyInProgress(_)))
        ),
        "{again:?}"
    );
    assert_eq!(subject.driver().open(&cx, &app(OTHER)).await, Ok(()));
    let stopped = subject.driver().stop_recording(&cx, None).await;
    assert!(
        stopped.as_ref().is_ok_and(|recording| recording.events > 0),
        "{stopped:?}"
    );
    let none = subject.driver().stop_recording(&cx, None).await;
    assert_eq!(
        none,
        Err(DriverError::Recording(RecordingError::NotInProgress))
    );
}

//! Opening and closing apps and URIs; recordings.

use driver::{DriverError, RecordingError, Target};

use super::{Apps, Subject};

fn app(name: &str) -> Target {
    Target::App(name.to_owned())
}

fn uri(text: &str) -> Target {
    Target::Uri(text.to_owned())
}

pub(super) async fn open_brings_app_to_front(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let names = subject.device.names();
    subject.open_other_app().await;
    let other = Some(&*names.other);
    assert_eq!(subject.observe().await.foreground.as_deref(), other);
    let front = subject.driver().foreground(&cx).await.unwrap_or_default();
    assert_eq!(front.app.as_deref(), other);
    subject.open_app().await;
    assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
    for word in ["tea", "a%20b", "it's", "$(reboot)", "x&y=z;id", "`id`"] {
        let link = format!("{}{word}", names.link);
        let done = subject.driver().open(&cx, &uri(&link)).await.map(drop);
        assert_eq!(done, Ok(()), "{word}");
        let opened = subject.journal_entries("uri").await;
        let last = opened.last().and_then(|entry| entry["uri"].as_str());
        assert_eq!(last, Some(&*subject.device.as_opened(&link)));
    }
}

pub(super) async fn open_refuses_missing_app(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let (abilities, names) = (subject.device.abilities(), subject.device.names());
    let inputs_before = subject.count_inputs().await;
    let missing = "com.nobody.here";
    let done = subject.driver().open(&cx, &app(missing)).await;
    assert_eq!(done, Err(abilities.missing(missing)));
    let done = subject.driver().close(&cx, missing).await;
    assert_eq!(done, Err(abilities.missing(missing)));
    let nothing = "nothing-takes-this://x";
    let done = subject.driver().open(&cx, &uri(nothing)).await;
    assert_eq!(done, Err(DriverError::NotHandled(nothing.to_owned())));
    assert_eq!(subject.count_inputs().await, inputs_before);
    let front = subject.observe().await.foreground;
    assert_eq!(front.as_deref(), Some(&*names.app));
}

pub(super) async fn hostile_names_have_no_effect(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let (abilities, names) = (subject.device.abilities(), subject.device.names());
    let inputs_before = subject.count_inputs().await;
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
        assert_eq!(done, Err(abilities.missing(name)));
        let done = subject.driver().close(&cx, name).await;
        assert_eq!(done, Err(abilities.missing(name)));
    }
    for hostile in [
        "x'; reboot; '://",
        "no-such://$(input tap 100 380)",
        "no-such://`id`\nreboot",
    ] {
        let done = subject.driver().open(&cx, &uri(hostile)).await;
        assert_eq!(done, Err(DriverError::NotHandled(hostile.to_owned())));
    }
    for hostile in subject.device.hostile_uris() {
        let done = subject.driver().open(&cx, &uri(hostile)).await;
        // The message may give the reason.
        assert!(
            matches!(&done, Err(DriverError::NotHandled(what)) if what.starts_with(hostile)),
            "{done:?}"
        );
    }
    assert_eq!(subject.count_inputs().await, inputs_before);
    let front = subject.observe().await.foreground;
    assert_eq!(front.as_deref(), Some(&*names.app));
}

pub(super) async fn close_stops_app(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let package = subject.device.names().app;
    assert_eq!(subject.driver().close(&cx, &package).await, Ok(()));
    let stopped = subject.journal_entries("stop").await;
    assert_eq!(stopped.len(), 1);
    assert_eq!(stopped[0]["app"], *package);
    assert_ne!(subject.observe().await.foreground, Some(package.clone()));
    let again = subject.driver().close(&cx, &package).await;
    match subject.device.abilities().apps {
        Apps::Installed => {
            // Closing an app that does not run is not an error.
            assert_eq!(again, Ok(()));
            subject.open_app().await;
            assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
        }
        Apps::Tabs => {
            // A closed tab no longer exists.
            let missing = Err(subject.device.abilities().missing(&package));
            assert_eq!(again, missing);
            let opened = subject.driver().open(&cx, &app(&package)).await.map(drop);
            assert_eq!(opened, missing);
            assert_eq!(subject.journal_entries("stop").await.len(), 1);
        }
    }
}

pub(super) async fn recording_works_or_is_refused(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let can = subject.driver().info().capabilities.recording;
    let inputs_before = subject.count_inputs().await;
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
        assert_eq!(subject.count_inputs().await, inputs_before);
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
    subject.open_other_app().await;
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

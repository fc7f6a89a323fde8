//! Recordings: session files, start and stop.

use std::path::PathBuf;
use std::time::Duration;

use driver::{DriverError, Key, RecordingError};
use driver_sim::journal::Passwords;
use driver_sim::{SimOptions, Start};
use serde_json::Value;

use crate::fixture::{Fixture, SHOP, with_file, with_id};

/// The folder of a test, empty at the start.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("recordings-{name}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
    folder
}

fn fixture(name: &str) -> Fixture {
    Fixture::with(SimOptions {
        recordings: folder(name),
        start: Start::App(SHOP.to_owned()),
        ..SimOptions::default()
    })
}

fn keys(line: &Value) -> String {
    let keys = line.as_object().expect("a line is an object").keys();
    keys.map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[tokio::test(start_paused = true)]
async fn session_file_holds_the_events() {
    let mut fixture = fixture("events");
    let started = fixture.record(Some("my-session_1")).await.unwrap();
    assert_eq!(
        (started.session.as_str(), started.events),
        ("my-session_1", 0)
    );
    tokio::time::sleep(Duration::from_millis(1500)).await;
    fixture.tap("Password").await;
    fixture.set_text("Password", "geheim").await;
    fixture.key(Key::Back).await;
    fixture.launch("com.android.settings").await;
    fixture.swipe((540, 2000), (540, 900)).await;
    let stopped = fixture.end_recording(Some("my-session_1")).await.unwrap();
    let text = std::fs::read_to_string(&stopped.path).unwrap();
    assert!(!text.contains("geheim"), "a typed password is masked");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        keys(&lines[0]),
        "type schemaVersion sessionId startedAt operatorPackage"
    );
    assert_eq!(lines[0]["startedAt"], 1_767_258_000_000_u64);
    let types: Vec<&str> = lines[1..]
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        &types[..4],
        ["click", "text_change", "press_key", "window_change"]
    );
    assert!(
        types[4..].iter().all(|each| *each == "scroll") && types.len() > 5,
        "{types:?}"
    );
    for (place, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["seq"], place);
    }
    assert_eq!(stopped.events as usize, types.len());
    let click = &lines[1];
    assert_eq!(
        keys(click),
        "ts seq snapshot packageName resourceId text contentDesc bounds type"
    );
    assert_eq!(click["ts"], 1_767_258_001_500_u64);
    assert_eq!(click["packageName"], SHOP);
    assert!(click["snapshot"].as_str().unwrap().starts_with("<?xml"));
    assert!(click["resourceId"].is_null());
    assert_eq!(lines[2]["text"], "••••••");
    assert_eq!(lines[3]["key"], "back");
    assert_eq!(
        lines[4]["className"],
        "com.android.settings.homepage.SettingsHomepageActivity"
    );
    assert_eq!(
        keys(&lines[5]),
        "ts seq snapshot packageName resourceId scrollX scrollY maxScrollX maxScrollY type"
    );
    let latest = std::fs::read_to_string(folder_of(&stopped.path).join("latest")).unwrap();
    assert_eq!(latest, "my-session_1");
}

fn folder_of(path: &str) -> PathBuf {
    PathBuf::from(path)
        .parent()
        .expect("a file is in a folder")
        .to_owned()
}

#[tokio::test(start_paused = true)]
async fn session_is_never_overwritten() {
    let mut fixture = fixture("overwrite");
    fixture.record(Some("one")).await.unwrap();
    let again = fixture.record(Some("two")).await;
    assert!(matches!(
        again,
        Err(DriverError::Recording(RecordingError::AlreadyInProgress(running))) if running.session == "one"
    ));
    let first = fixture.end_recording(None).await.unwrap();
    let before = std::fs::read(&first.path).unwrap();
    let again = fixture.record(Some("one")).await;
    assert!(
        matches!(
            again,
            Err(DriverError::Recording(RecordingError::StartFailed(_)))
        ),
        "{again:?}"
    );
    assert_eq!(std::fs::read(&first.path).unwrap(), before);
    let made = fixture.record(None).await.unwrap();
    fixture.end_recording(None).await.unwrap();
    let other = fixture.record(None).await.unwrap();
    assert_ne!(made.session, other.session, "generated ids differ");
}

#[tokio::test(start_paused = true)]
async fn only_the_right_session_is_stopped() {
    let mut fixture = fixture("stop");
    let none = fixture.end_recording(None).await;
    assert_eq!(
        none,
        Err(DriverError::Recording(RecordingError::NotInProgress))
    );
    fixture.record(Some("right")).await.unwrap();
    let wrong = fixture.end_recording(Some("wrong")).await;
    assert!(matches!(
        wrong,
        Err(DriverError::Recording(RecordingError::OtherSession { running, asked }))
            if running.session == "right" && asked == "wrong"
    ));
    fixture.end_recording(Some("right")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn session_ids_cannot_leave_the_folder() {
    let mut fixture = fixture("ids");
    for id in ["", "a b", "../up", "a/b", "ä", "a.b"] {
        let refused = fixture.record(Some(id)).await;
        assert!(
            matches!(
                refused,
                Err(DriverError::Recording(RecordingError::StartFailed(_)))
            ),
            "{id:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn folder_that_cannot_be_created_is_storage_unavailable() {
    let place = folder("blocked");
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join("file");
    std::fs::write(&file, "in the way").unwrap();
    let mut fixture = Fixture::with(SimOptions {
        recordings: file.join("below"),
        ..SimOptions::default()
    });
    let refused = fixture.record(Some("x")).await;
    assert!(matches!(
        refused,
        Err(DriverError::Recording(RecordingError::StorageUnavailable(
            _
        )))
    ));
}

/// An app with an initial password, and icons that reveal it.
const VAULT: &str = "app: com.test.vault
label: Vault
icon: star
start: main
state: { old: hunter2, new: \"\", pin: \"12\" }
screens:
  main:
    title: Vault
    body:
      - field: { id: old, label: Old, bind: old, password: true, end_icon: eye }
      - field: { id: pin, label: PIN, bind: pin, password: true, end_icon: eye }
      - field: { id: new, label: New, bind: new, password: true }
      - button: { text: \"{old}\", id: echo }
      - text: \"12 tries\"
";

#[tokio::test(start_paused = true)]
async fn shown_password_is_not_recorded() {
    let mut fixture = Fixture::with(SimOptions {
        recordings: folder("shown"),
        ..with_file(VAULT)
    });
    fixture.record(Some("shown")).await.unwrap();
    fixture.set_text("New", "geheim").await;
    let eyes = with_id(&fixture.see().await, "text_input_end_icon");
    assert_eq!(eyes.len(), 2);
    for eye in eyes {
        fixture.touch(eye.bounds.unwrap().center()).await;
    }
    assert!(fixture.shows("hunter2").await && fixture.shows("12").await);
    // Everything is clicked, and text changed, while the passwords are visible.
    fixture.tap("hunter2").await;
    fixture.set_text("hunter2", "hunter2more").await;
    fixture.tap("hunter2more").await;
    let echo = with_id(&fixture.see().await, "echo");
    fixture.touch(echo[0].bounds.unwrap().center()).await;
    fixture.launch("com.android.settings").await;
    let stopped = fixture.end_recording(None).await.unwrap();
    let recorded = std::fs::read_to_string(&stopped.path).unwrap();
    let journal = fixture.driver.phone().log().to_json(Passwords::Masked);
    for secret in ["hunter2", "more", "geheim"] {
        assert!(!recorded.contains(secret), "{secret} in {recorded}");
        assert!(!journal.contains(secret), "{secret} in {journal}");
    }
    let last = recorded
        .lines()
        .rfind(|line| line.contains("12 tries"))
        .unwrap();
    assert!(!last.contains("text=\\\"12\\\""), "{last}");
    assert!(recorded.contains("•••••••"), "{recorded}");
}

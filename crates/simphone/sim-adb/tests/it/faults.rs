//! Transport faults and their effects on a client.

use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::key::Key;
use adb::{ErrorKind, Progress};
use sim_adb::{Access, CommandStage, Direction, Options, WireFault};

use crate::fixture::*;

fn short_timeouts() -> Timeouts {
    Timeouts {
        answer: Duration::from_millis(300),
        person: Duration::from_millis(300),
    }
}

#[tokio::test]
async fn offline_phone_is_silent_and_unauthorized_phone_refuses_keys() {
    let fixture = Fixture::with(quick()).await;
    let offline = fixture.adb_phone.faults().add(WireFault::Offline);
    let no_key = || -> adb::Result<Key> { panic!("an offline phone asks for no key") };
    let error = DirectLink::connect(&fixture.address, no_key, short_timeouts())
        .await
        .unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Silent(_)), "{error}");
    // An existing connection opens no more streams.
    let waited =
        tokio::time::timeout(Duration::from_millis(200), fixture.phone.shell("echo")).await;
    assert!(waited.is_err());
    assert!(fixture.adb_phone.faults().times_fired(offline) >= 2);
    fixture.adb_phone.faults().clear();
    fixture.out(":").await;

    fixture.adb_phone.faults().add(WireFault::Unauthorized);
    let folder = std::env::temp_dir().join(format!("sim-adb-key-{}", std::process::id()));
    let key = Key::at(&folder.join("adbkey")).unwrap();
    let error = DirectLink::connect(&fixture.address, || Ok(key.clone()), short_timeouts())
        .await
        .unwrap_err();
    assert!(error.to_string().ends_with("is unauthorized"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn only_known_keys_connect() {
    let folder = std::env::temp_dir().join(format!("sim-adb-known-{}", std::process::id()));
    let key = Key::at(&folder.join("adbkey")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let with = |known: Vec<String>| Options {
        access: Access::Keys { known },
        ..quick()
    };
    let (_knows, address) = serve(with(vec![key.public()])).await;
    DirectLink::connect(&address, || Ok(key.clone()), short_timeouts())
        .await
        .unwrap();
    let (_ignores, address) = serve(with(Vec::new())).await;
    assert!(
        DirectLink::connect(&address, || Ok(key.clone()), short_timeouts())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn connection_is_cut_before_or_after_a_command() {
    let fixture = Fixture::app(FORMS).await;
    let at = fixture.place("text=\"Text fields\"").await;
    let before = WireFault::CutIn {
        command: "input tap".to_owned(),
        stage: CommandStage::Before,
    };
    let clicks = async || {
        fixture
            .adb_phone
            .driver()
            .await
            .phone()
            .log()
            .clicks(0)
            .count()
    };
    fixture.adb_phone.faults().add_times(before, 1);
    let error = fixture
        .phone
        .shell(&format!("input tap {at}"))
        .await
        .unwrap_err();
    assert!(error.reach >= Progress::Unknown, "{error:?}");
    assert_eq!(clicks().await, 0);
    // The command is done and its answer lost: only the journal has it.
    let phone = connect(&fixture.address).await.unwrap();
    fixture
        .adb_phone
        .faults()
        .add_times("cut_done=input tap".parse().unwrap(), 1);
    let error = phone.shell(&format!("input tap {at}")).await.unwrap_err();
    assert!(error.reach >= Progress::Unknown, "{error:?}");
    assert_eq!(clicks().await, 1);
    // After a number of bytes in either direction.
    for direction in [Direction::In, Direction::Out] {
        fixture.adb_phone.faults().add_times(
            WireFault::CutAfter {
                bytes: 400,
                direction,
            },
            1,
        );
        let phone = connect(&fixture.address).await.unwrap();
        let command = format!("echo {}", "x".repeat(1000));
        assert!(phone.shell(&command).await.is_err(), "{direction:?}");
    }
    let phone = connect(&fixture.address).await.unwrap();
    assert_eq!(phone.shell("echo back").await.unwrap().text(), "back\n");
}

#[tokio::test]
async fn dump_is_truncated() {
    let fixture = Fixture::with(quick()).await;
    let faults = fixture.adb_phone.faults();
    faults.add_times(WireFault::TruncatedDump, 1);
    let bytes = fixture
        .phone
        .exec("uiautomator dump /dev/tty")
        .await
        .unwrap();
    assert!(!String::from_utf8(bytes).unwrap().contains("</hierarchy>"));
    assert!(fixture.dump().await.contains("</hierarchy>"));
}

#[tokio::test]
async fn dump_of_a_busy_screen_reports_no_idle_state() {
    let yaml = "app: com.test.busy\nlabel: Busy\nicon: star\nstart: main\nstate: { n: 0 }\nscreens:\n  main:\n    \
                timers:\n      - { every: 20ms, do: { set: { n: \"= n + 1\" } } }\n    body:\n      - text: \"{n}\"\n";
    let mut options = quick();
    options.sim.apps.push(driver_sim::AppSource::Text {
        name: "busy.yaml".to_owned(),
        yaml: yaml.to_owned(),
    });
    options.sim.start = driver_sim::Start::App("com.test.busy".to_owned());
    options.idle = Duration::from_millis(200);
    options.idle_limit = Duration::from_millis(500);
    let fixture = Fixture::with(options).await;
    assert_eq!(
        fixture.run("uiautomator dump").await.error_text(),
        "ERROR: could not get idle state."
    );
    fixture.out("input keyevent HOME").await;
    assert!(fixture.dump().await.contains("launcher"));
}

#[tokio::test]
async fn disk_is_full_log_has_garbage_shell_refuses() {
    let fixture = Fixture::with(quick()).await;
    let faults = fixture.adb_phone.faults();
    let full = faults.add(WireFault::FullDisk);
    let error = fixture
        .phone
        .push(&mut b"text".as_slice(), "/sdcard/f", 0o644)
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("No space left on device"),
        "{error}"
    );
    faults.remove(full);
    fixture
        .phone
        .push(&mut b"text".as_slice(), "/sdcard/f", 0o644)
        .await
        .unwrap();

    faults.add(WireFault::LogGarbage);
    fixture.out("log -t Mine word").await;
    let output = fixture.run("logcat -d -v raw -s Mine").await;
    assert!(String::from_utf8(output.stdout.clone()).is_err());
    assert!(output.text().contains("word\n"));
    faults.clear();

    faults.add_times(WireFault::NoShell, 1);
    let error = fixture.phone.shell("echo").await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Refused(_)), "{error}");
    let slow = faults.add(WireFault::Slow {
        delay: Duration::from_millis(20),
    });
    fixture.out("echo").await;
    assert!(faults.times_fired(slow) > 1);
}

#[tokio::test]
async fn older_phone_has_no_shell_packets() {
    let mut options = quick();
    options.features = vec!["cmd".to_owned()];
    let fixture = Fixture::with(options).await;
    let output = fixture.run("echo out; echo err >&2; (exit 3)").await;
    assert_eq!((output.text().as_str(), output.status), ("out\nerr\n", 3));
    assert_eq!(
        fixture.phone.stat("/sdcard").await.unwrap().unwrap().mode & 0o170_000,
        0o120_000
    );
    assert_eq!(fixture.phone.stat("/none").await.unwrap(), None);
}

#[tokio::test]
async fn faults_of_the_phone_fire_over_adb() {
    let mut options = in_app(FORMS);
    options.sim.faults = vec!["lose_gesture x1".parse().unwrap()];
    let fixture = Fixture::with(options).await;
    let at = fixture.place("text=\"Text fields\"").await;
    fixture.out(&format!("input tap {at}")).await;
    let driver = fixture.adb_phone.driver().await;
    assert_eq!(driver.phone().log().clicks(0).count(), 0);
    assert_eq!(
        driver.phone().log().faults(0).collect::<Vec<_>>(),
        ["lose_gesture"]
    );
}

#[tokio::test]
async fn second_display_is_in_dumps_and_screencap_warns() {
    let fixture = Fixture::app(FORMS).await;
    let windows = "uiautomator dump --windows /dev/tty";
    let one = String::from_utf8(fixture.phone.exec(windows).await.unwrap()).unwrap();
    assert_eq!(one.matches("<display ").count(), 1);
    fixture.adb_phone.faults().add(WireFault::TwoDisplays);
    let two = String::from_utf8(fixture.phone.exec(windows).await.unwrap()).unwrap();
    let (first, second) = two.split_once("<display id=\"2\">").unwrap();
    assert!(first.contains(FORMS) && !second.contains(FORMS));
    assert!(second.contains("text=\"Pay\"") && !first.contains("Pay"));
    // `exec` mixes the warning into the picture.
    let mixed = fixture.phone.exec("screencap -p").await.unwrap();
    assert!(mixed.starts_with(b"[Warning] Multiple displays"));
    let apart = fixture.run("screencap -p").await;
    assert!(apart.stdout.starts_with(b"\x89PNG"));
    assert!(apart.error_text().starts_with("[Warning]"));
    let named = fixture.run("screencap -p -d 4619827259835644672").await;
    assert!(named.stdout.starts_with(b"\x89PNG") && named.stderr.is_empty());
    let focus = fixture.out("dumpsys window | grep mCurrentFocus").await;
    assert_eq!(focus.lines().count(), 2, "{focus}");
}

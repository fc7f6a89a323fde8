//! Faults that happen to the phone, and how faults are set.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key, NodeAct, Target};
use driver_sim::fault::{Fault, MOST};
use driver_sim::{Phone, SimOptions};
use tokio::time::Instant;
use uitree::{Point, Size};

use crate::world::SETTINGS;

use super::{APP, notes, yaml};

#[tokio::test(start_paused = true)]
async fn an_app_that_crashes_starts_anew() {
    let mut world = notes(&["crash @2"]);
    world.tap("Add").await;
    world.see().await;
    world.key(Key::VolumeUp).await;
    assert_eq!(world.count(&format!("stop {APP}")), 1);
    assert_eq!(world.struck(), ["crash"]);
    let app = Target::App(APP.to_owned());
    world.driver.open(&world.cx, &app).await.unwrap();
    assert_eq!(world.count(&format!("start {APP}")), 2);
}

#[tokio::test(start_paused = true)]
async fn a_frozen_screen_keeps_or_loses_its_input() {
    for (fault, clicks) in [
        ("freeze @500ms for 3s", 2),
        ("freeze lost @500ms for 3s", 0),
    ] {
        let mut world = notes(&[fault]);
        world.see().await;
        world.wait(1_000).await;
        let frozen = world.see().await;
        world.tap("Add").await;
        world.act("Add", NodeAct::Click).await;
        world.wait(2_000).await;
        let still = world.see().await;
        assert_eq!(still.revision, frozen.revision, "{fault}");
        assert_eq!(world.count("click by"), 0, "{fault}");
        world.wait(600).await;
        world.see().await;
        assert_eq!(world.count("click by"), clicks, "{fault}");
        assert!(!world.shows("Count 0").await, "time goes on");
    }
}

#[tokio::test(start_paused = true)]
async fn a_frozen_screen_wakes_who_listens() {
    let mut world = notes(&["freeze @500ms for 3s"]);
    world.wait(600).await;
    let seen = world.see().await;
    let start = Instant::now();
    world
        .driver
        .changed(&world.cx, seen.revision)
        .await
        .unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(2_900));
}

#[tokio::test(start_paused = true)]
async fn memory_runs_short() {
    let mut world = notes(&["low_memory @2s"]);
    world.tap("Add").await;
    world.key(Key::Home).await;
    world.wait(2_100).await;
    world.see().await;
    assert_eq!(world.count(&format!("stop {APP}")), 1);
    let app = Target::App(APP.to_owned());
    world.driver.open(&world.cx, &app).await.unwrap();
    assert!(world.shows("Count 0").await, "it starts anew");
}

#[tokio::test(start_paused = true)]
async fn other_things_come_to_the_front() {
    let mut world = notes(&["interrupt app=com.android.settings @1s"]);
    world.wait(1_000).await;
    assert_eq!(world.front().await, SETTINGS);

    let mut world = notes(&["screen_off @1s"]);
    world.wait(1_000).await;
    let error = world.driver.observe(&world.cx).await.unwrap_err();
    assert_eq!(error, DriverError::ScreenOff);
    let uri = Target::Uri("https://example.com".to_owned());
    for target in [uri, Target::App(APP.to_owned())] {
        let error = world.driver.open(&world.cx, &target).await.unwrap_err();
        assert_eq!(error, DriverError::ScreenOff, "{target:?}");
    }
    let error = world.driver.key(&world.cx, Key::Home).await.unwrap_err();
    assert_eq!(error, DriverError::ScreenOff);
    world.driver.wake(&world.cx).await.unwrap();
    world.see().await;
}

#[tokio::test(start_paused = true)]
async fn the_clock_jumps_and_waits_do_not() {
    let mut world = notes(&["clock_jump by=-90m @1s"]);
    let before = world.driver.screenshot(&world.cx).await.unwrap();
    world.wait(1_000).await;
    let after = world.driver.screenshot(&world.cx).await.unwrap();
    assert_ne!(before.png, after.png);
    assert!(world.shows("Count 1").await, "the timer was not moved");
}

#[tokio::test(start_paused = true)]
async fn a_fault_is_about_its_app() {
    let mut world = notes(&["lose_gesture in com.android.settings"]);
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 1);
    let settings = Target::App(SETTINGS.to_owned());
    world.driver.open(&world.cx, &settings).await.unwrap();
    world.wait(1_000).await;
    world.touch(Point::new(540, 800)).await;
    assert_eq!(world.count("click by"), 1);
}

#[tokio::test(start_paused = true)]
async fn faults_come_and_go_while_the_phone_runs() {
    let mut world = notes(&[]);
    let phone = world.driver.phone_mut();
    let fault = phone.add_fault("lose_gesture".parse().unwrap()).unwrap();
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 0);
    assert_eq!(world.driver.phone().faults().strikes(fault), 1);
    assert!(world.driver.phone_mut().remove_fault(fault));
    assert!(!world.driver.phone_mut().remove_fault(fault));
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 1);
}

#[tokio::test(start_paused = true)]
async fn number_of_faults_is_limited() {
    let message = "a phone has 200 faults at most, this would be 201";
    let refuse: Fault = "refuse submit".parse().unwrap();
    let Err(error) = Phone::start(&SimOptions {
        faults: vec![refuse.clone(); MOST + 1],
        ..SimOptions::default()
    }) else {
        panic!("it started");
    };
    assert!(error.to_string().contains(message), "{error}");
    let mut world = notes(&[]);
    let phone = world.driver.phone_mut();
    phone.add_fault("lose_gesture x1".parse().unwrap()).unwrap();
    for _ in 1..MOST {
        phone.add_fault(refuse.clone()).unwrap();
    }
    let error = phone.add_fault(refuse.clone()).unwrap_err();
    assert_eq!(error.to_string(), message);
    // What has struck for the last time makes room.
    world.tap("Add").await;
    let phone = world.driver.phone_mut();
    phone.add_fault(refuse.clone()).unwrap();
    assert!(phone.add_fault(refuse).is_err());
}

#[tokio::test(start_paused = true)]
async fn an_app_brings_its_own_faults() {
    let app = "
app: com.test.app
label: Test
start: main
faults:
  - lose_gesture tap x1
  - { fault: latency, on: observe, time: 300ms, at: 2, times: 1 }
screens:
  main:
    title: Test
    body:
      - button: { text: Add, on_click: { toast: Added } }
      - button: { text: Break, on_click: { fault: crash } }
      - button: { text: Stop, on_click: { fault: { fault: freeze, for: 2s, input: lost } } }
";
    let mut world = yaml(app, &[]);
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 0);
    world.tap("Stop").await;
    world.tap("Add").await;
    assert_eq!(world.count("click by"), 1, "the screen is frozen");
    world.wait(2_100).await;
    world.tap("Break").await;
    assert_eq!(world.count(&format!("stop {APP}")), 1);
    assert_eq!(
        world.struck(),
        ["lose_gesture", "latency", "freeze", "crash"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_touch_beside_the_screen_is_refused_whatever_strikes() {
    let mut world = notes(&["lose_gesture"]);
    let at = Point::new(-5, 10);
    let done = world.driver.touch(&world.cx, &Gesture::Tap { at }).await;
    assert_eq!(done, Err(DriverError::OffScreen(at)));
}

#[test]
fn the_guide_lists_every_fault() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/faults.md");
    let guide = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    let (begin, end) = ("<!-- faults -->\n", "<!-- /faults -->");
    let (head, rest) = guide.split_once(begin).unwrap();
    let (found, tail) = rest.split_once(end).unwrap();
    let expected = driver_sim::fault::reference();
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 writes it anew");
    for (word, _) in driver_sim::fault::Calls::WORDS {
        assert!(
            guide.contains(&format!("`{word}`")) || *word == "record",
            "{word}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_system_puts_its_windows_above_the_app() {
    for (fault, words) in [
        ("crash @1", "Notes has stopped"),
        ("anr @1", "Notes isn't responding"),
        ("permission camera @1", "take pictures and record video"),
        ("update @1", "Update"),
        ("banner title=Ada text=Hello @1", "Ada"),
    ] {
        let mut world = notes(&[fault]);
        world.key(Key::VolumeUp).await;
        let tree = world.see().await.tree.to_compact().replace('\u{2019}', "'");
        assert!(tree.contains(words), "{fault}: {tree}");
        assert_eq!(world.struck().len(), 1, "{fault}");
    }
    let mut world = notes(&["rotate @1s"]);
    let before = world.see().await;
    world.wait(1_000).await;
    let after = world.see().await;
    assert_eq!(after.tree.rotation(), 1);
    assert_eq!(after.tree.screen().width, before.tree.screen().height);
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_is_unfolded_has_another_screen() {
    let mut world = notes(&["fold @2"]);
    assert_eq!(world.see().await.tree.screen(), Size::new(1080, 2340));
    world.tap("Add").await;
    world.key(Key::VolumeUp).await;
    assert_eq!(world.see().await.tree.screen(), Size::new(1800, 2208));
    assert_eq!(world.struck(), ["fold"]);
}

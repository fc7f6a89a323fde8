//! Every fault by itself: what a driver is told, and what the journal knows.

use std::time::Duration;

use driver::{Dispatch, Driver, DriverError, Gesture, Key, NodeAct, RecordingError, Target};
use driver_sim::{AppSource, Fault, SimOptions, Start};
use tokio::time::Instant;
use uitree::{Point, Size};

use crate::world::{LAUNCHER, SETTINGS, World, run};

const APP: &str = "com.test.app";

const NOTES: &str = "
app: com.test.app
label: Notes
start: main
state: { count: 0, name: \"\" }
lists: { notes: [title] }
screens:
  main:
    title: Notes
    on_open:
      - append: { notes: { title: Bread } }
      - append: { notes: { title: Milk } }
      - append: { notes: { title: Salt } }
    timers: [ { every: 1s, do: { set: { count: \"= count + 1\" } } } ]
    body:
      - text: \"Count {count}\"
      - field: { id: name, bind: name }
      - button: { text: Add, id: add, on_click: { set: { count: \"= count + 100\" } } }
      - list: { id: list, items: notes, row: [ { item: { title: \"{title}\", on_click: { toast: \"{title}\" } } } ] }
";

/// A phone with the notes in front and these faults.
fn notes(faults: &[&str]) -> World {
    yaml(NOTES, faults)
}

fn yaml(app: &str, faults: &[&str]) -> World {
    World::with(SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "test.yaml".to_owned(),
                yaml: app.to_owned(),
            },
        ],
        start: Start::App(APP.to_owned()),
        faults: faults
            .iter()
            .flat_map(|spec| Fault::parse_all(spec).unwrap_or_else(|error| panic!("{error}")))
            .collect(),
        ..SimOptions::default()
    })
}

impl World {
    fn count(&self, what: &str) -> usize {
        self.journal()
            .iter()
            .filter(|line| line.contains(what))
            .count()
    }

    fn struck(&self) -> Vec<&'static str> {
        self.driver.phone().log().faults(0).collect()
    }

    async fn wait(&self, millis: u64) {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
}

#[test]
fn latency_takes_time_and_nothing_else() {
    run(async {
        let mut world = notes(&["latency observe 200ms..800ms"]);
        let mut times = Vec::new();
        for _ in 0..5 {
            let start = Instant::now();
            world.see().await;
            times.push(start.elapsed().as_millis());
        }
        assert!(
            times.iter().all(|time| (200..=800).contains(time)),
            "{times:?}"
        );
        times.dedup();
        assert!(times.len() > 1, "{times:?}");
        let start = Instant::now();
        world.key(Key::Home).await;
        assert_eq!(start.elapsed(), Duration::ZERO, "only looks are late");
    });
}

#[test]
fn a_lost_gesture_is_reported_as_done() {
    run(async {
        let mut world = notes(&["lose_gesture @2"]);
        world.tap("Add").await;
        assert_eq!(world.act("Add", NodeAct::Click).await, Ok(()));
        world.act("Add", NodeAct::Click).await.unwrap();
        assert_eq!(world.count("click by"), 2);
        assert_eq!(world.struck(), ["lose_gesture"]);
    });
}

#[test]
fn a_doubled_gesture_arrives_twice() {
    run(async {
        let mut world = notes(&["double_gesture tap x1"]);
        world.tap("Add").await;
        assert_eq!(world.count("click by touch"), 2);
        world.tap("Add").await;
        assert_eq!(world.count("click by touch"), 3);
    });
}

#[test]
fn text_loses_what_the_fault_says() {
    run(async {
        for (fault, left) in [
            ("drop_text", ""),
            ("drop_text every=3", "paswrd"),
            ("drop_text last=2", "passwo"),
        ] {
            let mut world = notes(&[fault]);
            let node = world.see().await;
            let field = node
                .tree
                .ids()
                .find(|id| node.tree.node(*id).id.ends_with(":id/name"))
                .unwrap();
            let text = NodeAct::SetText("password".to_owned());
            world.driver_act(node.node_ref(field), text).await.unwrap();
            let log = world.driver.phone().log();
            let held = log.texts(0, "com.test.app:id/name").last().unwrap_or("");
            assert_eq!(held, left, "{fault}");
        }
    });
}

#[test]
fn a_refusal_is_honest_or_not() {
    run(async {
        let refused = Err(DriverError::Refused("it is busy".to_owned()));
        let mut world = notes(&["refuse click @1"]);
        assert_eq!(world.act("Add", NodeAct::Click).await, refused);
        assert_eq!(world.count("click by"), 0);
        assert_eq!(world.act("Add", NodeAct::Click).await, Ok(()));

        let mut world = notes(&["false_refusal click @1"]);
        assert_eq!(world.act("Add", NodeAct::Click).await, refused);
        assert_eq!(world.count("click by"), 1);
    });
}

#[test]
fn an_answer_that_never_comes_ends_with_the_time() {
    run(async {
        let mut world = notes(&["unanswered click"]);
        world.cx = world.cx.within(Duration::from_secs(5));
        let start = Instant::now();
        let done = world.act("Add", NodeAct::Click).await;
        assert_eq!(done, Err(DriverError::Deadline));
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        assert_eq!(world.count("click by"), 1, "it was done");
    });
}

#[test]
fn a_connection_breaks_for_a_while_or_for_good() {
    run(async {
        let lost = |dispatch| DriverError::Lost {
            message: "the connection broke".to_owned(),
            dispatch,
        };
        let mut world = notes(&["disconnect @2 for 3s"]);
        world.see().await;
        let gone = world.driver.observe(&world.cx).await.unwrap_err();
        assert_eq!(gone, lost(Dispatch::NotSent));
        world.wait(2_999).await;
        assert!(world.driver.key(&world.cx, Key::Home).await.is_err());
        world.wait(1).await;
        world.see().await;

        let mut world = notes(&["disconnect input answer_lost @1"]);
        let gone = world.act("Add", NodeAct::Click).await.unwrap_err();
        assert_eq!(gone, lost(Dispatch::Unknown));
        assert_eq!(world.count("click by"), 1, "it had arrived");
        world.wait(3_600_000 - 1).await;
        assert!(world.driver.key(&world.cx, Key::Home).await.is_err());
    });
}

#[test]
fn a_swipe_stops_short() {
    run(async {
        let list = "
app: com.test.app
label: Long
start: main
data: { numbers: { repeat: 60, item: { n: \"= n\" } } }
screens:
  main:
    title: Long
    body: [ { list: { id: list, items: numbers, row: [ { item: \"Row {n}\" } ] } } ]
";
        let mut moved = Vec::new();
        for faults in [&[][..], &["short_scroll part=25%"][..]] {
            let mut world = yaml(list, faults);
            let swipe = Gesture::Swipe {
                from: Point::new(500, 2000),
                to: Point::new(500, 1000),
                duration: Duration::from_millis(1000),
            };
            world.driver.touch(&world.cx, &swipe).await.unwrap();
            let scrolled: i32 = world
                .driver
                .phone()
                .journal()
                .iter()
                .map(|entry| match &entry.what {
                    driver_sim::journal::Happening::Scrolled { dy, .. } => *dy,
                    _ => 0,
                })
                .sum();
            moved.push(scrolled);
        }
        assert!(moved[1] > 0 && moved[1] * 3 < moved[0], "{moved:?}");
    });
}

#[test]
fn a_list_that_reorders_under_the_finger_makes_its_rows_stale() {
    run(async {
        let mut world = notes(&["reorder @1"]);
        let (row, _) = world.find("Milk").await.unwrap();
        let seen = world.see().await;
        let target = seen
            .tree
            .ancestors(row.node)
            .find(|id| seen.tree.node(*id).is(uitree::State::CLICKABLE))
            .unwrap_or(row.node);
        let done = world
            .driver_act(seen.node_ref(target), NodeAct::Click)
            .await;
        assert_eq!(done, Err(DriverError::Stale), "another entry stands there");
        assert_eq!(world.count("click by"), 0);
        // A finger knows no nodes: it meets what is there.
        let at = seen.tree.node(row.node).bounds.unwrap().center();
        world.touch(at).await.unwrap();
        let log = world.driver.phone().log();
        let names: Vec<&str> = log.clicks(0).map(|widget| &*widget.name).collect();
        assert_eq!(names.len(), 1);
        assert_ne!(names, ["Milk"]);
    });
}

#[test]
fn half_a_tree_is_an_error_and_a_missing_part_is_none() {
    run(async {
        let mut world = notes(&["half_tree @1", "missing_subtree @3"]);
        let error = world.driver.observe(&world.cx).await.unwrap_err();
        assert!(matches!(error, DriverError::Incomplete(_)), "{error}");
        let whole = world.see().await;
        let part = world.see().await;
        assert!(part.tree.len() < whole.tree.len());
        assert_eq!(part.revision, whole.revision);
        // What is left can be acted on, and is what it says.
        let add = part
            .tree
            .ids()
            .find(|id| &*part.tree.node(*id).text == "Add");
        if let Some(add) = add {
            world
                .driver_act(part.node_ref(add), NodeAct::Click)
                .await
                .unwrap();
            let log = world.driver.phone().log();
            assert_eq!(
                log.clicks(0).map(|widget| &*widget.name).last(),
                Some("Add")
            );
        }
        assert_eq!(world.see().await.tree.len(), whole.tree.len());
    });
}

#[test]
fn every_node_of_a_part_of_a_tree_is_the_one_that_it_says() {
    run(async {
        for seed in 0..30 {
            let mut world = World::with(SimOptions {
                start: Start::App(SETTINGS.to_owned()),
                faults: vec!["missing_subtree".parse().unwrap()],
                seed,
                ..SimOptions::default()
            });
            let seen = world.see().await;
            let named = |node: &uitree::Node| {
                node.is(uitree::State::CLICKABLE | uitree::State::VISIBLE) && !node.text.is_empty()
            };
            let Some(id) = seen
                .tree
                .ids()
                .filter(|id| named(seen.tree.node(*id)))
                .last()
            else {
                continue;
            };
            let text = seen.tree.node(id).text.to_string();
            world
                .driver_act(seen.node_ref(id), NodeAct::Click)
                .await
                .unwrap();
            let log = world.driver.phone().log();
            let clicked = log.clicks(0).next().unwrap();
            assert_eq!(&*clicked.name, text, "seed {seed}");
        }
    });
}

#[test]
fn a_tree_of_some_time_ago_shows_what_was_there() {
    run(async {
        let mut world = notes(&["stale_tree 2s @3 for 1s"]);
        assert!(world.shows("Count 0").await);
        world.wait(3_000).await;
        let now = world.see().await;
        let old = world.see().await;
        assert!(crate::world::named(&old, "Count 0").is_some());
        assert_eq!(
            old.revision, now.revision,
            "it passes for the screen of now"
        );
        world.wait(1_000).await;
        assert!(world.shows("Count 4").await);

        let mut world = notes(&["stale_tree old 2s @3"]);
        let first = world.see().await;
        world.wait(3_000).await;
        world.see().await;
        assert_eq!(world.see().await.revision, first.revision);
    });
}

#[test]
fn windows_that_cannot_be_read_or_are_others() {
    run(async {
        let mut world = notes(&["no_window @2 for 1s"]);
        world.see().await;
        let error = world.driver.observe(&world.cx).await.unwrap_err();
        assert_eq!(error, DriverError::NoWindow);
        assert_eq!(
            world.driver.screenshot(&world.cx).await.unwrap_err(),
            DriverError::NoWindow
        );
        world.wait(1_000).await;
        world.see().await;

        let mut world = notes(&["no_window empty"]);
        assert_eq!(world.see().await.tree.len(), 0);

        let mut world = notes(&["wrong_window @1"]);
        let seen = world.see().await;
        assert_eq!(seen.foreground.as_deref(), Some(LAUNCHER));
        let icon = crate::world::named(&seen, "Settings").unwrap();
        let done = world.driver_act(seen.node_ref(icon), NodeAct::Click).await;
        assert_eq!(done, Err(DriverError::Stale), "it is not there");
        assert_eq!(world.front().await, APP);
    });
}

#[test]
fn changes_can_go_unreported() {
    run(async {
        let mut world = notes(&["lost_events @1"]);
        let seen = world.see().await;
        world.cx = world.cx.within(Duration::from_secs(4));
        let end = world.driver.changed(&world.cx, seen.revision).await;
        assert_eq!(end, Err(DriverError::Deadline));
    });
}

#[test]
fn pictures_fail_or_are_black() {
    run(async {
        let mut world = notes(&["screenshot_fails @1", "black_screenshot @2"]);
        let error = world.driver.screenshot(&world.cx).await.unwrap_err();
        assert!(matches!(error, DriverError::Refused(_)), "{error}");
        let black = world.driver.screenshot(&world.cx).await.unwrap();
        let shown = world.driver.screenshot(&world.cx).await.unwrap();
        assert_eq!(black.size, Size::new(1080, 2340));
        let pixels = |png: &[u8]| {
            let mut reader = png::Decoder::new(std::io::Cursor::new(png))
                .read_info()
                .unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels
        };
        assert!(pixels(&black.png).iter().all(|part| *part == 0));
        assert!(pixels(&shown.png).iter().any(|part| *part != 0));
    });
}

#[test]
fn recordings_fail_in_each_of_their_ways() {
    run(async {
        let mut world = notes(&["recording_fails start @1", "recording_fails storage @2"]);
        for storage in [false, true] {
            let error = world
                .driver
                .start_recording(&world.cx, Some("one"))
                .await
                .unwrap_err();
            match error {
                DriverError::Recording(RecordingError::StorageUnavailable(_)) => assert!(storage),
                DriverError::Recording(RecordingError::StartFailed(_)) => assert!(!storage),
                other => panic!("{other}"),
            }
        }
    });
}

#[test]
fn apps_start_late_or_not_at_all() {
    run(async {
        let mut world = World::with(SimOptions {
            faults: vec![
                "slow_start 4s in com.android.settings".parse().unwrap(),
                "launch_fails in com.example.shop".parse().unwrap(),
            ],
            ..SimOptions::default()
        });
        let shop = Target::App("com.example.shop".to_owned());
        let error = world.driver.open(&world.cx, &shop).await.unwrap_err();
        assert_eq!(
            error,
            DriverError::LaunchFailed("com.example.shop".to_owned())
        );
        let settings = Target::App(SETTINGS.to_owned());
        world.driver.open(&world.cx, &settings).await.unwrap();
        assert!(!world.shows("Settings").await);
        world.wait(3_999).await;
        assert!(!world.shows("Settings").await);
        world.wait(400).await;
        assert!(world.shows("Settings").await);
    });
}

#[test]
fn a_field_without_its_keyboard() {
    run(async {
        let mut world = notes(&["no_keyboard x1"]);
        let seen = world.see().await;
        let field = crate::world::with_id(&seen, "name")[0]
            .bounds
            .unwrap()
            .center();
        world.touch(field).await.unwrap();
        assert_eq!(world.count("keyboard shown"), 0);
        world.key(Key::Back).await;
        assert_eq!(
            world.front().await,
            LAUNCHER,
            "there was no keyboard to hide"
        );
    });
}

#[test]
fn an_app_that_crashes_starts_anew() {
    run(async {
        let mut world = notes(&["crash @2"]);
        world.tap("Add").await;
        world.see().await;
        world.key(Key::VolumeUp).await;
        assert_eq!(world.count(&format!("stop {APP}")), 1);
        assert_eq!(world.struck(), ["crash"]);
        let app = Target::App(APP.to_owned());
        world.driver.open(&world.cx, &app).await.unwrap();
        assert_eq!(world.count(&format!("start {APP}")), 2);
    });
}

#[test]
fn a_frozen_screen_keeps_or_loses_its_input() {
    run(async {
        for (fault, clicks) in [
            ("freeze @500ms for 3s", 2),
            ("freeze lost @500ms for 3s", 0),
        ] {
            let mut world = notes(&[fault]);
            world.see().await;
            world.wait(1_000).await;
            let frozen = world.see().await;
            world.tap("Add").await;
            world.act("Add", NodeAct::Click).await.unwrap();
            world.wait(2_000).await;
            let still = world.see().await;
            assert_eq!(still.revision, frozen.revision, "{fault}");
            assert_eq!(world.count("click by"), 0, "{fault}");
            world.wait(600).await;
            world.see().await;
            assert_eq!(world.count("click by"), clicks, "{fault}");
            assert!(!world.shows("Count 0").await, "time goes on");
        }
    });
}

#[test]
fn a_frozen_screen_wakes_who_listens() {
    run(async {
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
    });
}

#[test]
fn memory_runs_short() {
    run(async {
        let mut world = notes(&["low_memory @2s"]);
        world.tap("Add").await;
        world.key(Key::Home).await;
        world.wait(2_100).await;
        world.see().await;
        assert_eq!(world.count(&format!("stop {APP}")), 1);
        let app = Target::App(APP.to_owned());
        world.driver.open(&world.cx, &app).await.unwrap();
        assert!(world.shows("Count 0").await, "it starts anew");
    });
}

#[test]
fn other_things_come_to_the_front() {
    run(async {
        let mut world = notes(&["interrupt app=com.android.settings @1s"]);
        world.wait(1_000).await;
        assert_eq!(world.front().await, SETTINGS);

        let mut world = notes(&["screen_off @1s"]);
        world.wait(1_000).await;
        let error = world.driver.observe(&world.cx).await.unwrap_err();
        assert_eq!(error, DriverError::NoWindow);
        world.key(Key::Power).await;
        world.see().await;
    });
}

#[test]
fn the_clock_jumps_and_waits_do_not() {
    run(async {
        let mut world = notes(&["clock_jump by=-90m @1s"]);
        let before = world.driver.screenshot(&world.cx).await.unwrap();
        world.wait(1_000).await;
        let after = world.driver.screenshot(&world.cx).await.unwrap();
        assert_ne!(before.png, after.png);
        assert!(world.shows("Count 1").await, "the timer was not moved");
    });
}

#[test]
fn a_fault_is_about_its_app() {
    run(async {
        let mut world = notes(&["lose_gesture in com.android.settings"]);
        world.tap("Add").await;
        assert_eq!(world.count("click by"), 1);
        let settings = Target::App(SETTINGS.to_owned());
        world.driver.open(&world.cx, &settings).await.unwrap();
        world.wait(1_000).await;
        world.touch(Point::new(540, 800)).await.unwrap();
        assert_eq!(world.count("click by"), 1);
    });
}

#[test]
fn faults_come_and_go_while_the_phone_runs() {
    run(async {
        let mut world = notes(&[]);
        let phone = world.driver.phone_mut();
        let fault = phone.add_fault("lose_gesture".parse().unwrap());
        world.tap("Add").await;
        assert_eq!(world.count("click by"), 0);
        assert_eq!(world.driver.phone().faults().strikes(fault), 1);
        assert!(world.driver.phone_mut().remove_fault(fault));
        assert!(!world.driver.phone_mut().remove_fault(fault));
        world.tap("Add").await;
        assert_eq!(world.count("click by"), 1);
    });
}

#[test]
fn an_app_brings_its_own_faults() {
    run(async {
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
    });
}

#[test]
fn a_wrong_fault_in_an_app_file_has_its_place() {
    let app = "
app: com.test.app
label: Test
start: main
faults:
  - lose_gestur 10%
  - { fault: latency, tme: 3s }
screens:
  main:
    title: Test
    body: [ { text: x, on_click: { fault: crsh } } ]
";
    let error = driver_sim::SimDriver::new(SimOptions {
        apps: vec![AppSource::Text {
            name: "test.yaml".to_owned(),
            yaml: app.to_owned(),
        }],
        ..SimOptions::default()
    });
    let text = run(async { error.map(|_| ()) }).unwrap_err().to_string();
    for line in [
        "test.yaml:6:5: faults.0: `lose_gestur` is no fault; did you mean `lose_gesture`?",
        "test.yaml:7:5: faults.1: latency has no `tme`; did you mean `time`?",
        "`crsh` is no fault; did you mean `crash`?",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_touch_beside_the_screen_is_refused_whatever_strikes() {
    run(async {
        let mut world = notes(&["lose_gesture"]);
        let at = Point::new(-5, 10);
        let done = world.driver.touch(&world.cx, &Gesture::Tap { at }).await;
        assert_eq!(done, Err(DriverError::OffScreen(at)));
    });
}

#[test]
fn the_guide_lists_every_fault() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/faults.md");
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

#[test]
fn the_system_puts_its_windows_above_the_app() {
    run(async {
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
    });
}

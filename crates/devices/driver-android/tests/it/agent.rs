//! The driver that uses our agent.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adb::client::direct::DirectLink;
use adb::client::{Link, Pipe};
use agent_protocol::STATE_FILE;
use async_trait::async_trait;
use driver::{
    Dispatch, Driver, DriverError, Gesture, ImageFormat, ImageRequest, Key, NodeAct, NodeRef,
    Observation, Revision, Target,
};
use driver_android::{
    AgentDriver, AgentSource, AgentUnavailable, Profile, QuitOutcome, Shell, StockDriver,
    quit_if_running,
};
use sim_adb::{AgentFault, CommandStage, WireFault};
use testkit::conformance::PACKAGE;
use tokio::time::Instant;
use uitree::{Point, Query, Rect, Size, State};

use crate::agent_fixture::{AgentFixture, OTHER, PROGRAM, attach, connect, phone, phone_with_app};
use crate::sim_phone;

/// The node with this id of the app.
#[track_caller]
pub(crate) fn node(seen: &Observation, id: &str) -> NodeRef {
    let query = Query::new().id(format!("{PACKAGE}:id/{id}"));
    match seen.tree.find(&query) {
        Some(id) => seen.node_ref(id),
        None => panic!("{id} in\n{}", seen.tree.to_notation()),
    }
}

fn arm(fixture: &AgentFixture, fault: AgentFault) {
    fixture
        .adb_phone
        .faults()
        .add_times(WireFault::Agent(fault), 1);
}

/// The process of the agent that runs.
pub(crate) async fn pid(fixture: &AgentFixture) -> String {
    let line = fixture.run(&format!("cat {STATE_FILE}")).await;
    line.split(' ').nth(5).unwrap_or_default().to_owned()
}

pub(crate) async fn click(driver: &mut AgentDriver, fixture: &AgentFixture) -> driver::Result<()> {
    let seen = driver.observe(&fixture.cx).await.unwrap();
    driver
        .act(&fixture.cx, node(&seen, "add"), &NodeAct::Click)
        .await
        .map(drop)
}

#[tokio::test]
async fn profile_is_that_of_the_phones_tools() {
    let fixture = phone().await;
    let told = Profile::query(&Shell::new(fixture.phone.clone()), &fixture.cx).await;
    let told = told.unwrap();
    assert_eq!(fixture.attach().await.profile(), &told);
    fixture
        .run("settings put system accelerometer_rotation 0; settings put system user_rotation 1")
        .await;
    let rotated = fixture.attach().await;
    assert_eq!(rotated.hello().rotation, 1);
    assert_eq!(rotated.profile(), &told);
}

#[tokio::test]
async fn leftovers_of_an_interrupted_write_are_removed() {
    let fixture = phone().await;
    fixture.run("mkdir -p /data/local/tmp/clawperator").await;
    let left = format!("{}.3a804e0b", agent_protocol::dex_path(&PROGRAM.sha256));
    let files = fixture.adb_phone.files();
    files.write(&left, vec![1, 2, 3], 0o444, 0).unwrap();
    drop(fixture.attach().await);
    assert!(files.meta(&left).is_err());
}

#[tokio::test]
async fn agent_of_an_earlier_version_quits_first() {
    let fixture = phone().await;
    drop(fixture.attach().await);
    let first = pid(&fixture).await;
    fixture
        .adb_phone
        .faults()
        .add_times(WireFault::Agent(AgentFault::OldVersion), 1);
    let mut driver = fixture.attach().await;
    driver.observe(&fixture.cx).await.unwrap();
    assert_ne!(pid(&fixture).await, first);
}

#[tokio::test]
async fn attach_failures_have_a_reason() {
    let fixture = phone().await;
    let open = async |program| match attach(&fixture.phone, &fixture.cx, program).await {
        Ok(_) => panic!("it attached"),
        Err(why) => (why.reason(), why.to_string()),
    };
    arm(&fixture, AgentFault::SlotTaken);
    let (reason, why) = open(PROGRAM).await;
    assert_eq!(reason, "ui_automation_taken");
    assert!(
        why.contains("io.appium.uiautomator2.server (pid 4242)"),
        "{why}"
    );
    let driver = fixture.attach().await;
    let (reason, _) = open(PROGRAM).await;
    assert_eq!(reason, "agent_busy");
    drop(driver);
    fixture.run("echo").await;
    arm(&fixture, AgentFault::Version);
    let (reason, why) = open(PROGRAM).await;
    assert_eq!(reason, "agent_version");
    let later = agent_protocol::VERSION + 1;
    assert!(why.contains(&format!("{later}-{later}")), "{why}");
    fixture
        .adb_phone
        .faults()
        .add_times(WireFault::FullDisk, 20);
    let (reason, why) = open(OTHER).await;
    assert_eq!(reason, "agent_not_written", "{why}");
    assert!(matches!(
        attach(&fixture.phone, &fixture.cx.within(Duration::ZERO), PROGRAM).await,
        Err(AgentUnavailable::Phone(DriverError::Deadline))
    ));
}

#[tokio::test]
async fn dump_of_the_stock_driver_ends_the_agent_first() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    driver.observe(&fixture.cx).await.unwrap();
    let mut stock = StockDriver::open("phone", fixture.phone.clone(), &fixture.cx)
        .await
        .unwrap();
    let taken = stock.observe(&fixture.cx).await;
    assert!(
        matches!(&taken, Err(DriverError::Refused(why)) if why.contains("another clawperator")),
        "{taken:?}"
    );
    drop(driver);
    let seen = loop {
        // The agent takes a moment to find that its client has left.
        match stock.observe(&fixture.cx).await {
            Err(DriverError::Refused(_)) => fixture.cx.check().unwrap(),
            seen => break seen.unwrap(),
        }
    };
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    let quit = quit_if_running(&Shell::new(fixture.phone.clone()), &fixture.cx).await;
    assert_eq!(quit, Ok(QuitOutcome::NoneRan));
}

#[tokio::test]
async fn killed_agent_is_reported_and_no_tap_repeated() {
    for (stage, done) in [(CommandStage::Before, 0), (CommandStage::Done, 1)] {
        let fixture = phone().await;
        let mut driver = fixture.attach().await;
        driver.observe(&fixture.cx).await.unwrap();
        arm(&fixture, AgentFault::Killed(stage));
        match click(&mut driver, &fixture).await {
            Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
            other => panic!("{other:?}"),
        }
        assert_eq!(fixture.clicks().await, done, "{stage:?}");
        // The next observation starts another agent.
        click(&mut driver, &fixture).await.unwrap();
        assert_eq!(fixture.clicks().await, done + 1, "{stage:?}");
    }
}

#[tokio::test]
async fn node_of_an_agent_that_is_gone_is_stale() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let seen = driver.observe(&fixture.cx).await.unwrap();
    fixture
        .run(&format!("kill -9 {}", pid(&fixture).await))
        .await;
    // Keys need no observation.
    while let Err(error) = driver.key(&fixture.cx, Key::VolumeUp).await {
        assert!(matches!(error, DriverError::Lost { .. }), "{error:?}");
        fixture.cx.check().unwrap();
    }
    let add = node(&seen, "add");
    let done = driver.act(&fixture.cx, add, &NodeAct::Click).await;
    assert_eq!(done, Err(DriverError::Stale));
    assert_eq!(fixture.clicks().await, 0);
    let again = driver.observe(&fixture.cx).await.unwrap();
    // The screen is the same.
    assert_eq!((again.revision, &again.tree), (seen.revision, &seen.tree));
    driver
        .act(&fixture.cx, node(&again, "add"), &NodeAct::Click)
        .await
        .unwrap();
    assert_eq!(fixture.clicks().await, 1);
}

#[tokio::test]
async fn cut_answer_is_asked_for_again() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    arm(&fixture, AgentFault::CutFrames);
    let seen = driver.observe(&fixture.cx).await.unwrap();
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    arm(&fixture, AgentFault::CutFrames);
    let picture = driver.screenshot(&fixture.cx).await.unwrap();
    assert_eq!(picture.size, Size::new(1080, 2340));
    driver.observe(&fixture.cx).await.unwrap();
    arm(&fixture, AgentFault::CutFrames);
    let touched = driver
        .touch(
            &fixture.cx,
            &Gesture::Tap {
                at: Point::new(9, 900),
            },
        )
        .await;
    match touched {
        Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn part_of_a_screen_is_incomplete() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    for fault in [AgentFault::HalfTree, AgentFault::NoRoot] {
        arm(&fixture, fault);
        let seen = driver.observe(&fixture.cx).await;
        assert!(matches!(seen, Err(DriverError::Incomplete(_))), "{seen:?}");
        driver.observe(&fixture.cx).await.unwrap();
    }
}

#[tokio::test]
async fn next_observation_replaces_a_stale_cache() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let before = driver.observe(&fixture.cx).await.unwrap();
    driver
        .act(&fixture.cx, node(&before, "add"), &NodeAct::Click)
        .await
        .unwrap();
    arm(&fixture, AgentFault::StaleCache);
    let stale = driver.observe(&fixture.cx).await.unwrap();
    assert_eq!(stale.tree, before.tree);
    let now = driver.observe(&fixture.cx).await.unwrap();
    assert_ne!(now.tree, before.tree);
    assert!(now.revision > before.revision);
}

#[tokio::test]
async fn change_ends_a_wait() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let at = seen
        .tree
        .visible_bounds(node(&seen, "add").node)
        .unwrap()
        .center();
    let adb_phone = fixture.adb_phone.clone();
    let other = connect(&fixture.address).await;
    let tapped = tokio::spawn(async move {
        let tap = format!("input tap {} {}", at.x, at.y);
        other.shell(&tap).await.unwrap();
        drop(adb_phone);
        Instant::now()
    });
    driver.changed(&fixture.cx, seen.revision).await.unwrap();
    let reported_at = Instant::now();
    let tapped = tapped.await.unwrap();
    // The message may arrive before the tap's own answer.
    let late = reported_at.saturating_duration_since(tapped);
    assert!(late < Duration::from_millis(500), "{late:?}");
    let after = driver.observe(&fixture.cx).await.unwrap();
    assert!(after.revision > seen.revision);
    assert_eq!(driver.changed(&fixture.cx, seen.revision).await, Ok(()));
    assert_eq!(driver.changed(&fixture.cx, Revision(0)).await, Ok(()));
    let short = fixture.cx.within(Duration::from_millis(50));
    let still = driver.changed(&short, after.revision).await;
    assert_eq!(still, Err(DriverError::Deadline));
}

#[tokio::test]
async fn field_that_refuses_its_text_gets_keys() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    for (act, expected) in [
        (NodeAct::SetText("it's 100%s".to_owned()), "it's 100%s"),
        (NodeAct::SetText("left".to_owned()), "left"),
        (NodeAct::AppendText(" right".to_owned()), "left right"),
    ] {
        arm(&fixture, AgentFault::TextRefused);
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let field = node(&seen, "name");
        driver.act(&fixture.cx, field, &act).await.unwrap();
        let seen = driver.observe(&fixture.cx).await.unwrap();
        assert_eq!(&*seen.tree.node(node(&seen, "name").node).text, expected);
    }
    arm(&fixture, AgentFault::TextRefused);
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let act = NodeAct::SetText("größer".to_owned());
    let refused = driver.act(&fixture.cx, node(&seen, "name"), &act).await;
    assert!(
        matches!(&refused, Err(DriverError::Unwritable(why)) if why.contains("U+00F6")),
        "{refused:?}"
    );
    let after = driver.observe(&fixture.cx).await.unwrap();
    assert_eq!(after.tree, seen.tree);
}

#[tokio::test]
async fn slider_is_set_to_a_number() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let pickers = Target::Uri("forms://pickers".to_owned());
    driver.open(&fixture.cx, &pickers).await.unwrap();
    let volume = |seen: &Observation| {
        let id = Query::new().id("com.example.forms:id/volume");
        seen.node_ref(seen.tree.find(&id).unwrap())
    };
    for (requested, set) in [("73", 73.0), ("0", 0.0), ("250", 100.0)] {
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let act = NodeAct::SetText(requested.to_owned());
        driver.act(&fixture.cx, volume(&seen), &act).await.unwrap();
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let range = seen.tree.node(volume(&seen).node).range().unwrap();
        assert_eq!(
            (range.lowest, range.highest, range.value),
            (0.0, 100.0, set)
        );
    }
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let act = NodeAct::SetText("loud".to_owned());
    let refused = driver.act(&fixture.cx, volume(&seen), &act).await;
    assert!(
        matches!(refused, Err(DriverError::Refused(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn text_is_set_and_appended_in_every_script() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    for (act, text) in [
        (NodeAct::SetText("größe".to_owned()), "größe"),
        (NodeAct::AppendText(" 漢字 😀".to_owned()), "größe 漢字 😀"),
        (NodeAct::SetText("עברית".to_owned()), "עברית"),
        (NodeAct::SetText(String::new()), ""),
        (NodeAct::AppendText("new".to_owned()), "new"),
    ] {
        let seen = driver.observe(&fixture.cx).await.unwrap();
        driver
            .act(&fixture.cx, node(&seen, "name"), &act)
            .await
            .unwrap();
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let field = seen.tree.node(node(&seen, "name").node);
        let shown = match field.is(State::SHOWING_HINT) {
            true => "",
            false => &*field.text,
        };
        assert_eq!(shown, text);
    }
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let secret = node(&seen, "secret");
    driver
        .act(&fixture.cx, secret, &NodeAct::SetText("hunter2".to_owned()))
        .await
        .unwrap();
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let secret = node(&seen, "secret");
    driver
        .act(&fixture.cx, secret, &NodeAct::AppendText("!x".to_owned()))
        .await
        .unwrap();
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let text = &seen.tree.node(node(&seen, "secret").node).text;
    assert_eq!(text.chars().count(), 9, "{text:?}");
}

#[tokio::test]
async fn screen_that_is_off_is_reported() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let seen = driver.observe(&fixture.cx).await.unwrap();
    driver.key(&fixture.cx, Key::Power).await.unwrap();
    let off = Err(DriverError::ScreenOff);
    assert_eq!(driver.key(&fixture.cx, Key::Home).await.map(drop), off);
    let tap = Gesture::Tap {
        at: Point::new(500, 500),
    };
    assert_eq!(driver.touch(&fixture.cx, &tap).await, off);
    assert_eq!(driver.observe(&fixture.cx).await.map(|_| ()), off);
    assert_eq!(driver.screenshot(&fixture.cx).await.map(|_| ()), off);
    let done = driver
        .act(&fixture.cx, node(&seen, "add"), &NodeAct::Click)
        .await;
    assert_eq!(done, Err(DriverError::Stale));
    driver.wake(&fixture.cx).await.unwrap();
    click(&mut driver, &fixture).await.unwrap();
    assert_eq!(fixture.clicks().await, 1);
}

#[tokio::test]
async fn agent_scales_and_encodes_pictures() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    for (format, max_side, size) in [
        (ImageFormat::Jpeg, None, Size::new(1080, 2340)),
        (ImageFormat::Jpeg, Some(1000), Size::new(462, 1000)),
        (ImageFormat::Png, Some(585), Size::new(270, 585)),
        (ImageFormat::Png, Some(4096), Size::new(1080, 2340)),
    ] {
        let wanted = ImageRequest { format, max_side };
        let picture = driver.screenshot_as(&fixture.cx, wanted).await.unwrap();
        assert_eq!((picture.format, picture.size), (format, size));
    }
}

#[tokio::test]
async fn pixels_of_an_area_are_read() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    let drawn = fixture.adb_phone.driver().await.phone_mut().draw();
    let part = driver
        .pixels(&fixture.cx, Rect::new(100, 2300, 1300, 9000))
        .await
        .unwrap();
    assert_eq!(part.size(), Size::new(980, 40));
    let depth = part.depth();
    let rows = drawn.rgba.chunks_exact(1080 * 4).skip(2300);
    let rows = rows.map(|row| {
        let pixels = row[100 * 4..].chunks_exact(4);
        pixels
            .flat_map(|pixel| pixel[..depth].to_vec())
            .collect::<Vec<u8>>()
    });
    assert!(part.rows().eq(rows));
}

#[tokio::test]
async fn other_displays_are_listed() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    fixture.adb_phone.faults().add(WireFault::TwoDisplays);
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let ids: Vec<u32> = seen
        .other_displays
        .iter()
        .map(|display| display.id)
        .collect();
    assert_eq!(ids, [2]);
}

/// A connection that notes which services it opens.
#[derive(Debug)]
struct NotingLink {
    way: DirectLink,
    opened: Mutex<Vec<String>>,
}

#[async_trait]
impl Link for NotingLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        self.opened.lock().unwrap().push(service.to_owned());
        self.way.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.way.features().await
    }
}

#[tokio::test]
async fn drag_is_one_touch_of_the_agent() {
    let fixture = phone_with_app().await;
    for (source, held) in [(AgentSource::Dex(PROGRAM), 1), (AgentSource::App, 2)] {
        let link = Arc::new(NotingLink {
            way: sim_phone::connect(&fixture.address).await,
            opened: Mutex::default(),
        });
        let phone = adb::Phone::new(link.clone());
        let mut driver = attach(&phone, &fixture.cx, source).await.unwrap();
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let add = node(&seen, "add").node;
        let from = seen.tree.node(add).bounds.unwrap().center();
        let drag = Gesture::Drag {
            from,
            to: Point::new(from.x, from.y + 200),
            duration: Duration::from_millis(100),
        };
        driver.touch(&fixture.cx, &drag).await.unwrap();
        let entries = sim_phone::journal(&fixture.adb_phone).await;
        let long_clicks = entries.iter().filter(|entry| entry["kind"] == "long_click");
        assert_eq!(long_clicks.count(), held);
        assert_eq!(fixture.clicks().await, 0);
        let opened = link.opened.lock().unwrap().join("\n");
        assert!(!opened.contains("input "), "{opened}");
    }
}

#[tokio::test]
async fn denied_input_is_reported() {
    let fixture = phone().await;
    let mut driver = fixture.attach().await;
    fixture.adb_phone.faults().add(WireFault::DenyInput);
    let denied = click(&mut driver, &fixture).await;
    assert!(
        matches!(denied, Err(DriverError::InputDenied(_))),
        "{denied:?}"
    );
}

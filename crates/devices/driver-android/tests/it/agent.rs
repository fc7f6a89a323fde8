//! The driver that uses our agent.

use std::time::Duration;

use agent_protocol::STATE_FILE;
use driver::{
    Dispatch, Driver, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Revision,
};
use driver_android::{
    AgentDriver, AgentUnavailable, QuitOutcome, Shell, StockDriver, quit_if_running,
};
use sim_adb::{AgentFault, Stage, WireFault};
use testkit::conformance::PACKAGE;
use tokio::time::Instant;
use uitree::{Point, Query, Rect, Size, State};

use crate::agent_world::{AgentWorld, OTHER, PROGRAM, attach, connect, phone};

/// The node with this id of the app.
#[track_caller]
pub(crate) fn node(seen: &Observation, id: &str) -> NodeRef {
    let query = Query::new().id(format!("{PACKAGE}:id/{id}"));
    match seen.tree.find(&query) {
        Some(id) => seen.node_ref(id),
        None => panic!("{id} in\n{}", seen.tree.to_notation()),
    }
}

fn arm(world: &AgentWorld, fault: AgentFault) {
    world
        .adb_phone
        .faults()
        .add_times(WireFault::Agent(fault), 1);
}

/// The process of the agent that runs.
pub(crate) async fn pid(world: &AgentWorld) -> String {
    let line = world.run(&format!("cat {STATE_FILE}")).await;
    line.split(' ').nth(5).unwrap_or_default().to_owned()
}

pub(crate) async fn click(driver: &mut AgentDriver, world: &AgentWorld) -> driver::Result<()> {
    let seen = driver.observe(&world.cx).await.unwrap();
    driver
        .act(&world.cx, node(&seen, "add"), &NodeAct::Click)
        .await
}

#[tokio::test]
async fn agent_is_written_started_and_found_again() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let seen = driver.observe(&world.cx).await.unwrap();
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    assert_eq!(seen.tree.screen(), Size::new(1080, 2340));
    // The bars are windows, but not part of the tree.
    assert!(
        seen.windows.len() > seen.tree.windows().len(),
        "{:?}",
        seen.windows
    );
    let first = pid(&world).await;
    assert!(!first.is_empty());
    drop(driver);
    let mut driver = world.attach().await;
    driver.observe(&world.cx).await.unwrap();
    assert_eq!(pid(&world).await, first);
    let files = world.adb_phone.files();
    let folder = "/data/local/tmp/clawperator";
    let mode = |name: &str| files.meta(&format!("{folder}/{name}")).unwrap().mode & 0o777;
    for name in files.list(folder).unwrap() {
        let expected = if name == "agent.state" { 0o600 } else { 0o444 };
        assert_eq!(mode(&name), expected, "{name}");
    }
}

#[tokio::test]
async fn other_program_quits_first() {
    let world = phone().await;
    drop(world.attach().await);
    let first = pid(&world).await;
    let mut driver = attach(&world.phone, &world.cx, OTHER).await.unwrap();
    driver.observe(&world.cx).await.unwrap();
    assert_ne!(pid(&world).await, first);
    assert_eq!(
        world
            .adb_phone
            .files()
            .list("/data/local/tmp/clawperator")
            .unwrap()
            .len(),
        2,
        "the state file and the program in use"
    );
}

#[tokio::test]
async fn damaged_program_is_written_again() {
    let world = phone().await;
    drop(world.attach().await);
    let first = pid(&world).await;
    world.run(&format!("kill {first}")).await;
    let files = world.adb_phone.files();
    let path = agent_protocol::dex_path(&PROGRAM.sha256);
    let meta = files.meta(&path).unwrap();
    let zeros = vec![0; PROGRAM.dex.len()];
    files
        .write(&path, zeros, meta.mode & 0o777, meta.modified)
        .unwrap();
    let mut driver = world.attach().await;
    driver.observe(&world.cx).await.unwrap();
    assert_eq!(files.read(&path).unwrap().as_slice(), PROGRAM.dex);
}

#[tokio::test]
async fn files_of_a_writing_that_broke_off_are_removed() {
    let world = phone().await;
    world.run("mkdir -p /data/local/tmp/clawperator").await;
    let left = format!("{}.3a804e0b", agent_protocol::dex_path(&PROGRAM.sha256));
    let files = world.adb_phone.files();
    files.write(&left, vec![1, 2, 3], 0o444, 0).unwrap();
    drop(world.attach().await);
    assert!(files.meta(&left).is_err());
}

#[tokio::test]
async fn agent_of_an_earlier_version_quits_first() {
    let world = phone().await;
    drop(world.attach().await);
    let first = pid(&world).await;
    world
        .adb_phone
        .faults()
        .add_times(WireFault::Agent(AgentFault::OldVersion), 1);
    let mut driver = world.attach().await;
    driver.observe(&world.cx).await.unwrap();
    assert_ne!(pid(&world).await, first);
}

#[tokio::test]
async fn reasons_are_told() {
    let world = phone().await;
    let open = async |program| match attach(&world.phone, &world.cx, program).await {
        Ok(_) => panic!("it attached"),
        Err(why) => (why.reason(), why.to_string()),
    };
    arm(&world, AgentFault::SlotTaken);
    let (reason, why) = open(PROGRAM).await;
    assert_eq!(reason, "ui_automation_taken");
    assert!(
        why.contains("io.appium.uiautomator2.server (pid 4242)"),
        "{why}"
    );
    let driver = world.attach().await;
    let (reason, _) = open(PROGRAM).await;
    assert_eq!(reason, "agent_busy");
    drop(driver);
    world.run("echo").await;
    arm(&world, AgentFault::Version);
    let (reason, why) = open(PROGRAM).await;
    assert_eq!(reason, "agent_version");
    assert!(why.contains("6-6"), "{why}");
    world.adb_phone.faults().add_times(WireFault::FullDisk, 20);
    let (reason, why) = open(OTHER).await;
    assert_eq!(reason, "agent_not_written", "{why}");
    assert!(matches!(
        attach(&world.phone, &world.cx.within(Duration::ZERO), PROGRAM).await,
        Err(AgentUnavailable::Phone(DriverError::Deadline))
    ));
}

#[tokio::test]
async fn state_of_a_dead_agent_is_no_hindrance() {
    let world = phone().await;
    for state in [
        "",
        "x\n",
        "clawperator-agent ready 1 clawperator-'; reboot;' 00 1 00\n",
    ] {
        world
            .adb_phone
            .files()
            .make_folders("/data/local/tmp/clawperator", 0)
            .unwrap();
        let bytes = state.as_bytes().to_vec();
        world
            .adb_phone
            .files()
            .write(STATE_FILE, bytes, 0o600, 0)
            .unwrap();
        let mut driver = world.attach().await;
        driver.observe(&world.cx).await.unwrap();
        // The file stays when the process is killed.
        let pid = pid(&world).await;
        world.run(&format!("kill -9 {pid}")).await;
        assert!(world.run(&format!("cat {STATE_FILE}")).await.contains(&pid));
        let mut driver = world.attach().await;
        driver.observe(&world.cx).await.unwrap();
        drop(driver);
        let quit = quit_if_running(&Shell::new(world.phone.clone()), &world.cx).await;
        assert_eq!(quit, Ok(QuitOutcome::Ended));
    }
}

#[tokio::test]
async fn dump_of_the_stock_driver_ends_the_agent_first() {
    let world = phone().await;
    let mut driver = world.attach().await;
    driver.observe(&world.cx).await.unwrap();
    let mut stock = StockDriver::open("phone", world.phone.clone(), &world.cx)
        .await
        .unwrap();
    let taken = stock.observe(&world.cx).await;
    assert!(
        matches!(&taken, Err(DriverError::Refused(why)) if why.contains("another clawperator")),
        "{taken:?}"
    );
    drop(driver);
    let seen = loop {
        // The agent takes a moment to find that its client has left.
        match stock.observe(&world.cx).await {
            Err(DriverError::Refused(_)) => world.cx.check().unwrap(),
            seen => break seen.unwrap(),
        }
    };
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    let quit = quit_if_running(&Shell::new(world.phone.clone()), &world.cx).await;
    assert_eq!(quit, Ok(QuitOutcome::NoneRan));
}

#[tokio::test]
async fn killed_agent_is_reported_and_no_tap_repeated() {
    for (stage, done) in [(Stage::Before, 0), (Stage::Done, 1)] {
        let world = phone().await;
        let mut driver = world.attach().await;
        driver.observe(&world.cx).await.unwrap();
        arm(&world, AgentFault::Killed(stage));
        match click(&mut driver, &world).await {
            Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
            other => panic!("{other:?}"),
        }
        assert_eq!(world.clicks().await, done, "{stage:?}");
        // The next look starts another agent.
        click(&mut driver, &world).await.unwrap();
        assert_eq!(world.clicks().await, done + 1, "{stage:?}");
    }
}

#[tokio::test]
async fn node_of_an_agent_that_is_gone_is_stale() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let seen = driver.observe(&world.cx).await.unwrap();
    world.run(&format!("kill -9 {}", pid(&world).await)).await;
    // Keys need no observation.
    while let Err(error) = driver.key(&world.cx, Key::VolumeUp).await {
        assert!(matches!(error, DriverError::Lost { .. }), "{error:?}");
        world.cx.check().unwrap();
    }
    let add = node(&seen, "add");
    let done = driver.act(&world.cx, add, &NodeAct::Click).await;
    assert_eq!(done, Err(DriverError::Stale));
    assert_eq!(world.clicks().await, 0);
    let again = driver.observe(&world.cx).await.unwrap();
    // The screen is the same.
    assert_eq!((again.revision, &again.tree), (seen.revision, &seen.tree));
    driver
        .act(&world.cx, node(&again, "add"), &NodeAct::Click)
        .await
        .unwrap();
    assert_eq!(world.clicks().await, 1);
}

#[tokio::test]
async fn cut_answer_is_asked_for_again() {
    let world = phone().await;
    let mut driver = world.attach().await;
    arm(&world, AgentFault::CutFrames);
    let seen = driver.observe(&world.cx).await.unwrap();
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    arm(&world, AgentFault::CutFrames);
    let picture = driver.screenshot(&world.cx).await.unwrap();
    assert_eq!(picture.size, Size::new(1080, 2340));
    driver.observe(&world.cx).await.unwrap();
    arm(&world, AgentFault::CutFrames);
    let touched = driver
        .touch(
            &world.cx,
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
    let world = phone().await;
    let mut driver = world.attach().await;
    for fault in [AgentFault::HalfTree, AgentFault::NoRoot] {
        arm(&world, fault);
        let seen = driver.observe(&world.cx).await;
        assert!(matches!(seen, Err(DriverError::Incomplete(_))), "{seen:?}");
        driver.observe(&world.cx).await.unwrap();
    }
}

#[tokio::test]
async fn stale_cache_is_left_behind_by_the_next_look() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let before = driver.observe(&world.cx).await.unwrap();
    driver
        .act(&world.cx, node(&before, "add"), &NodeAct::Click)
        .await
        .unwrap();
    arm(&world, AgentFault::StaleCache);
    let stale = driver.observe(&world.cx).await.unwrap();
    assert_eq!(stale.tree, before.tree);
    let now = driver.observe(&world.cx).await.unwrap();
    assert_ne!(now.tree, before.tree);
    assert!(now.revision > before.revision);
}

#[tokio::test]
async fn waits_listen() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let seen = driver.observe(&world.cx).await.unwrap();
    let at = seen
        .tree
        .visible_bounds(node(&seen, "add").node)
        .unwrap()
        .center();
    let adb_phone = world.adb_phone.clone();
    let other = connect(&world.address).await;
    let tapped = tokio::spawn(async move {
        let tap = format!("input tap {} {}", at.x, at.y);
        other.shell(&tap).await.unwrap();
        drop(adb_phone);
        Instant::now()
    });
    driver.changed(&world.cx, seen.revision).await.unwrap();
    let told = Instant::now();
    let tapped = tapped.await.unwrap();
    // The message may arrive before the tap's own answer.
    let late = told.saturating_duration_since(tapped);
    assert!(late < Duration::from_millis(500), "{late:?}");
    let after = driver.observe(&world.cx).await.unwrap();
    assert!(after.revision > seen.revision);
    assert_eq!(driver.changed(&world.cx, seen.revision).await, Ok(()));
    assert_eq!(driver.changed(&world.cx, Revision(0)).await, Ok(()));
    let short = world.cx.within(Duration::from_millis(50));
    let still = driver.changed(&short, after.revision).await;
    assert_eq!(still, Err(DriverError::Deadline));
}

#[tokio::test]
async fn field_that_refuses_its_text_gets_keys() {
    let world = phone().await;
    let mut driver = world.attach().await;
    for (act, expected) in [
        (NodeAct::SetText("it's 100%s".to_owned()), "it's 100%s"),
        (NodeAct::SetText("left".to_owned()), "left"),
        (NodeAct::AppendText(" right".to_owned()), "left right"),
    ] {
        arm(&world, AgentFault::TextRefused);
        let seen = driver.observe(&world.cx).await.unwrap();
        let field = node(&seen, "name");
        driver.act(&world.cx, field, &act).await.unwrap();
        let seen = driver.observe(&world.cx).await.unwrap();
        assert_eq!(&*seen.tree.node(node(&seen, "name").node).text, expected);
    }
    arm(&world, AgentFault::TextRefused);
    let seen = driver.observe(&world.cx).await.unwrap();
    let act = NodeAct::SetText("größer".to_owned());
    let refused = driver.act(&world.cx, node(&seen, "name"), &act).await;
    assert!(
        matches!(&refused, Err(DriverError::Unwritable(why)) if why.contains("U+00F6")),
        "{refused:?}"
    );
    let after = driver.observe(&world.cx).await.unwrap();
    assert_eq!(after.tree, seen.tree);
}

#[tokio::test]
async fn text_is_set_and_appended_in_every_script() {
    let world = phone().await;
    let mut driver = world.attach().await;
    for (act, text) in [
        (NodeAct::SetText("größe".to_owned()), "größe"),
        (NodeAct::AppendText(" 漢字 😀".to_owned()), "größe 漢字 😀"),
        (NodeAct::SetText("עברית".to_owned()), "עברית"),
        (NodeAct::SetText(String::new()), ""),
        (NodeAct::AppendText("new".to_owned()), "new"),
    ] {
        let seen = driver.observe(&world.cx).await.unwrap();
        driver
            .act(&world.cx, node(&seen, "name"), &act)
            .await
            .unwrap();
        let seen = driver.observe(&world.cx).await.unwrap();
        let field = seen.tree.node(node(&seen, "name").node);
        let shown = match field.is(State::SHOWING_HINT) {
            true => "",
            false => &*field.text,
        };
        assert_eq!(shown, text);
    }
    let seen = driver.observe(&world.cx).await.unwrap();
    let secret = node(&seen, "secret");
    driver
        .act(&world.cx, secret, &NodeAct::SetText("hunter2".to_owned()))
        .await
        .unwrap();
    let seen = driver.observe(&world.cx).await.unwrap();
    let secret = node(&seen, "secret");
    driver
        .act(&world.cx, secret, &NodeAct::AppendText("!x".to_owned()))
        .await
        .unwrap();
    let seen = driver.observe(&world.cx).await.unwrap();
    let text = &seen.tree.node(node(&seen, "secret").node).text;
    assert_eq!(text.chars().count(), 9, "{text:?}");
}

#[tokio::test]
async fn screen_that_is_off_is_reported() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let seen = driver.observe(&world.cx).await.unwrap();
    driver.key(&world.cx, Key::Power).await.unwrap();
    let off = Err(DriverError::ScreenOff);
    assert_eq!(driver.key(&world.cx, Key::Home).await, off);
    let tap = Gesture::Tap {
        at: Point::new(500, 500),
    };
    assert_eq!(driver.touch(&world.cx, &tap).await, off);
    assert_eq!(driver.observe(&world.cx).await.map(|_| ()), off);
    assert_eq!(driver.screenshot(&world.cx).await.map(|_| ()), off);
    let done = driver
        .act(&world.cx, node(&seen, "add"), &NodeAct::Click)
        .await;
    assert_eq!(done, Err(DriverError::Stale));
    driver.wake(&world.cx).await.unwrap();
    click(&mut driver, &world).await.unwrap();
    assert_eq!(world.clicks().await, 1);
}

#[tokio::test]
async fn pixels_of_an_area_are_read() {
    let world = phone().await;
    let mut driver = world.attach().await;
    let drawn = world.adb_phone.driver().await.phone_mut().draw();
    let part = driver
        .pixels(&world.cx, Rect::new(100, 2300, 1300, 9000))
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
    let world = phone().await;
    let mut driver = world.attach().await;
    world.adb_phone.faults().add(WireFault::TwoDisplays);
    let seen = driver.observe(&world.cx).await.unwrap();
    let ids: Vec<u32> = seen
        .other_displays
        .iter()
        .map(|display| display.id)
        .collect();
    assert_eq!(ids, [2]);
}

#[tokio::test]
async fn denied_input_is_reported() {
    let world = phone().await;
    let mut driver = world.attach().await;
    world.adb_phone.faults().add(WireFault::DenyInput);
    let denied = click(&mut driver, &world).await;
    assert!(
        matches!(denied, Err(DriverError::InputDenied(_))),
        "{denied:?}"
    );
}

//! The agent over adb's shell, files and sockets: on the simulated phone, or with Android's own daemon (see `test_phone`).

use std::time::Duration;

use adb::ErrorKind;
use agent_protocol::{
    FOLDER, MAIN_CLASS, READY_PREFIX, STATE_FILE, VERSION, dex_path, end_start_command, hex,
    start_command,
};
use driver::{Dispatch, Driver, DriverError, Gesture, NodeAct};
use driver_android::{
    AgentBinary, AgentDriver, AgentUnavailable, QuitOutcome, Shell, quit_if_running,
};
use testkit::conformance::PACKAGE;
use tokio::io::AsyncReadExt;
use uitree::{Point, Size, State};

use crate::agent::node;
use crate::test_phone::{TestPhone, other_agent};

/// Text that a shell would change if it were not quoted.
const HOSTILE: [&str; 9] = [
    "it's",
    "'; echo > /data/local/tmp/hostile; '",
    "$(echo > /data/local/tmp/hostile)$HOME ${x}",
    "`echo > /data/local/tmp/hostile`",
    r"a\b\\c\n\",
    "\"double\" 100%s %d &|<>*?[]{}~#!",
    "two\nlines",
    " größe 漢字 😀 ",
    "-n",
];

async fn click(driver: &mut AgentDriver, on: &TestPhone) -> driver::Result<()> {
    let seen = driver.observe(&on.cx).await?;
    let add = node(&seen, "add");
    driver.act(&on.cx, add, &NodeAct::Click).await.map(drop)
}

/// Waits until the agent has found that its client is gone, or that it has to end.
async fn within<T>(on: &TestPhone, mut found: impl AsyncFnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = found().await {
            return found;
        }
        on.cx.sleep(Duration::from_millis(20)).await.unwrap();
    }
}

#[tokio::test]
async fn agent_is_written_started_and_attached_to() {
    let on = TestPhone::start().await;
    let mut driver = on.attach().await;
    let seen = driver.observe(&on.cx).await.unwrap();
    assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
    assert_eq!(seen.tree.screen(), Size::new(1080, 2340));
    // The bars are windows, but not part of the tree.
    assert!(
        seen.windows.len() > seen.tree.windows().len(),
        "{:?}",
        seen.windows
    );
    click(&mut driver, &on).await.unwrap();
    assert_eq!(on.clicks().await, 1);
    let dex = dex_path(&AgentBinary::embedded().sha256);
    for (path, mode) in [(dex.as_str(), 0o100_444), (STATE_FILE, 0o100_600)] {
        let stat = on.phone.stat(path).await.unwrap().unwrap();
        assert_eq!(stat.mode, mode, "{path}: {:o}", stat.mode);
    }
    if on.is_real() {
        let owners = on
            .run(&format!("stat -c '%a %U' {FOLDER} {dex} {STATE_FILE}"))
            .await;
        assert_eq!(owners, "700 shell\n444 shell\n600 shell\n");
    }
    let ready = on.state().await.unwrap();
    // A second client waits a moment for the first one to leave.
    let busy = on.attach_as(AgentBinary::embedded()).await;
    assert_eq!(busy.map(drop), Err(AgentUnavailable::Busy));
    click(&mut driver, &on).await.unwrap();
    drop(driver);
    let mut again = on.attach().await;
    click(&mut again, &on).await.unwrap();
    assert_eq!(on.clicks().await, 3);
    assert_eq!(on.state().await, Some(ready));
    drop(again);
    // Another program replaces it.
    drop(on.attach_as(other_agent()).await.unwrap());
    let names = on.run(&format!("ls -1 {FOLDER}")).await;
    let other = dex_path(&other_agent().sha256);
    let other = other.rsplit_once('/').unwrap().1;
    assert_eq!(names, format!("{other}\nagent.state\n"));
    let shell = Shell::new(on.phone.clone());
    let quit = within(&on, async || {
        match quit_if_running(&shell, &on.cx).await.unwrap() {
            QuitOutcome::InUse => None,
            outcome => Some(outcome),
        }
    });
    assert_eq!(quit.await, QuitOutcome::Ended);
    assert_eq!(
        on.run(&format!("ls -1 {FOLDER}")).await,
        format!("{other}\n")
    );
}

#[tokio::test]
async fn hostile_text_reaches_fields_and_paths_unchanged() {
    let on = TestPhone::start().await;
    let mut driver = on.attach().await;
    for text in HOSTILE {
        let seen = driver.observe(&on.cx).await.unwrap();
        let act = NodeAct::SetText(text.to_owned());
        let name = node(&seen, "name");
        driver.act(&on.cx, name, &act).await.unwrap();
        let seen = driver.observe(&on.cx).await.unwrap();
        let field = seen.tree.node(node(&seen, "name").node);
        assert!(!field.is(State::SHOWING_HINT));
        // A field of one line takes no newline.
        assert_eq!(&*field.text, text.replace('\n', " "));
        let path = format!("/data/local/tmp/{text}");
        if !text.contains('/') {
            on.write(&path, text.as_bytes(), 0o600).await;
            let path = adb::quote(&path);
            assert_eq!(on.run(&format!("cat {path}")).await, text);
            on.run(&format!("rm -f {path}")).await;
        }
    }
    let hostile = on.phone.stat("/data/local/tmp/hostile").await.unwrap();
    assert!(hostile.is_none(), "{hostile:?}");
}

#[tokio::test]
async fn killed_agent_is_started_again() {
    let on = TestPhone::start().await;
    let mut driver = on.attach().await;
    for round in 0..10 {
        click(&mut driver, &on).await.unwrap();
        let ready = on.state().await.unwrap();
        on.run(&format!("kill -9 {}", ready.pid)).await;
        // Its state stays, and its socket is refused.
        assert_eq!(on.state().await, Some(ready.clone()));
        within(&on, async || {
            let socket = format!("localabstract:{}", ready.socket);
            match on.phone.open(&socket).await.map(drop) {
                Err(refused) => {
                    assert!(matches!(refused.kind, ErrorKind::Refused(_)), "{refused:?}");
                    Some(())
                }
                Ok(()) => None,
            }
        })
        .await;
        if round % 2 == 0 {
            drop(driver);
            driver = on.attach().await;
        }
        let seen = driver.observe(&on.cx).await.unwrap();
        assert_eq!(seen.foreground.as_deref(), Some(PACKAGE));
        assert_ne!(on.state().await, Some(ready));
    }
    assert_eq!(on.clicks().await, 10);
}

#[tokio::test]
async fn agent_that_is_killed_during_a_touch_leaves_its_outcome_unknown() {
    let on = TestPhone::start().await;
    let mut driver = on.attach().await;
    for _ in 0..3 {
        let seen = driver.observe(&on.cx).await.unwrap();
        let clicks = on.clicks().await;
        let at = seen.tree.node(node(&seen, "add").node).bounds.unwrap();
        let long = Gesture::Swipe {
            from: at.center(),
            to: Point::new(at.center().x, at.center().y + 1),
            duration: Duration::from_secs(30),
            rest: Duration::ZERO,
        };
        let pid = on.state().await.unwrap().pid;
        let kill = async {
            on.cx.sleep(Duration::from_millis(200)).await.unwrap();
            on.run(&format!("kill -9 {pid}")).await
        };
        let (touched, _) = tokio::join!(driver.touch(&on.cx, &long), kill);
        match touched {
            Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
            other => panic!("{other:?}"),
        }
        click(&mut driver, &on).await.unwrap();
        assert_eq!(on.clicks().await, clicks + 1);
    }
}

#[tokio::test]
async fn damaged_program_is_written_again() {
    let on = TestPhone::start().await;
    let binary = AgentBinary::embedded();
    let path = dex_path(&binary.sha256);
    let mut other = binary.dex.to_vec();
    *other.last_mut().unwrap() ^= 1;
    let zeros = vec![0; other.len()];
    let half = other[..other.len() / 2].to_vec();
    for (damaged, mode) in [
        (zeros, 0o444),
        (other, 0o444),
        (half, 0o444),
        // Undamaged, and refused by a newer Android.
        (binary.dex.to_vec(), 0o666),
    ] {
        drop(on.attach().await);
        let pid = on.state().await.unwrap().pid;
        on.run(&format!("kill -9 {pid}; rm -f {path}")).await;
        on.write(&path, &damaged, mode).await;
        let mut driver = on.attach().await;
        driver.observe(&on.cx).await.unwrap();
        let stat = on.phone.stat(&path).await.unwrap().unwrap();
        assert_eq!(stat.mode, 0o100_444);
        let sum = on.run(&format!("sha256sum {path}")).await;
        assert_eq!(sum, format!("{}  {path}\n", hex(&binary.sha256)));
        assert_eq!(on.state().await.unwrap().sha256, binary.sha256);
        assert_eq!(on.run(&format!("ls -1 {FOLDER}")).await.lines().count(), 2);
    }
}

#[tokio::test]
async fn hostile_state_file_is_replaced() {
    let on = TestPhone::start().await;
    let ready = |socket: &str, pid: &str| {
        let (token, sha256) = ("ab".repeat(32), hex(&AgentBinary::embedded().sha256));
        format!("{READY_PREFIX}ready {VERSION} {socket} {token} {pid} {sha256}\n").into_bytes()
    };
    let name = "clawperator-0123456789abcdef";
    for state in [
        Vec::new(),
        b"x\n".to_vec(),
        b"\xff\0\xfe".to_vec(),
        b"'; echo > /data/local/tmp/hostile;'\n".to_vec(),
        b"$(echo > /data/local/tmp/hostile)\n".to_vec(),
        vec![b'x'; 1_000_000],
        ready("clawperator-'; echo > /data/local/tmp/hostile;'", "1"),
        ready("clawperator-$(reboot)", "1"),
        ready(name, "1; echo > /data/local/tmp/hostile"),
        ready(name, "-1"),
        ready(name, "0"),
        ready(name, "1"),
        ready(name, "4294967295"),
    ] {
        let shown = String::from_utf8_lossy(&state[..state.len().min(200)]).into_owned();
        on.write(STATE_FILE, &state, 0o600).await;
        let mut driver = on.attach().await;
        click(&mut driver, &on).await.unwrap();
        let pid = on.state().await.expect(&shown).pid;
        on.run(&format!("kill -9 {pid}")).await;
        let hostile = on.phone.stat("/data/local/tmp/hostile").await.unwrap();
        assert!(hostile.is_none(), "{shown}");
    }
}

#[tokio::test]
async fn second_start_is_refused() {
    let on = TestPhone::start().await;
    let driver = on.attach().await;
    let pid = on.state().await.unwrap().pid;
    on.run(&format!("rm -f {STATE_FILE}")).await;
    let holder = format!("held by {MAIN_CLASS} (pid {pid})");
    let taken = on.attach_as(AgentBinary::embedded()).await.map(drop);
    assert_eq!(taken, Err(AgentUnavailable::SlotTaken(holder)));
    drop(driver);
    on.run(&format!("kill -9 {pid}")).await;
    drop(on.attach().await);
}

#[tokio::test]
async fn agent_outlives_its_shell_and_ends_when_idle() {
    let on = TestPhone::start().await;
    drop(on.attach().await);
    let pid = on.state().await.unwrap().pid;
    on.run(&format!("kill -9 {pid}; rm -f {STATE_FILE}")).await;
    let start = start_command(&AgentBinary::embedded().sha256, 2, 7);
    let mut pipe = on.phone.open(&format!("exec:{start}")).await.unwrap();
    let mut line = Vec::new();
    // The shell ends with the line.
    while !line.ends_with(b"\n") {
        assert_ne!(pipe.read_buf(&mut line).await.unwrap(), 0);
    }
    drop(pipe);
    let ready = on.state().await.unwrap();
    assert_eq!(String::from_utf8(line).unwrap(), format!("{ready}\n"));
    let mut driver = on.attach().await;
    for _ in 0..4 {
        on.cx.sleep(Duration::from_secs(1)).await.unwrap();
        click(&mut driver, &on).await.unwrap();
    }
    assert_eq!(on.state().await, Some(ready));
    drop(driver);
    within(&on, async || on.state().await.is_none().then_some(())).await;
}

#[tokio::test]
async fn start_that_hangs_is_ended_by_its_mark() {
    let on = TestPhone::start().await;
    if !on.is_real() {
        // The simulated phone has no processes besides the agent.
        return;
    }
    let start = |mark: u64| format!("exec:CLAWPERATOR_START={mark:016x} exec setsid sleep 60");
    let started = async |mark: u64| {
        let find = format!("grep -ls CLAWPERATOR_START={mark:016x} /proc/[0-9]*/environ");
        on.run(&find).await.lines().count()
    };
    let (hangs, other) = (0x1f, 0x2f);
    let open = [
        on.phone.open(&start(hangs)).await.unwrap(),
        on.phone.open(&start(other)).await.unwrap(),
    ];
    for mark in [hangs, other] {
        within(&on, async || (started(mark).await == 1).then_some(())).await;
    }
    on.run(&end_start_command(hangs)).await;
    assert_eq!((started(hangs).await, started(other).await), (0, 1));
    // Nor does the end of its stream end it.
    drop(open);
    assert_eq!(started(other).await, 1);
    on.run(&end_start_command(other)).await;
    assert_eq!(started(other).await, 0);
}

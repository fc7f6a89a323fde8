//! The agent's own Java classes on real Android widgets: the process of `agent/harness-serve`.
//!
//! The process has no phone's speed: the framework runs through Robolectric. It notes the time from the agent's first call to the
//! last node that it sends, and that in which it dispatches touches; what is left is ours.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use adb::client::{Link, Pipe};
use async_trait::async_trait;
use contract::Execution;
use driver::{Driver, NodeAct};
use driver_android::{AgentDriver, Profile};
use engine::Artifacts;
use serde_json::json;
use std::sync::Arc;
use testkit::{Widgets, connect_agent};
use tokio::io::AsyncWriteExt;
use uitree::{Query, Size};

use crate::table::{OtherTransports, TIMES, cx, show, show_part};

const SDK: u32 = 34;
/// How long a finger is held for a tap.
const HELD: Duration = Duration::from_millis(20);
/// How often what takes long is measured.
const FEWER: usize = 31;
/// How often it is observed before anything is measured.
const WARM_UP: usize = 600;
/// The same for what takes long.
const FEWER_WARM_UP: usize = 60;
/// Android sends the changes of views at least this far apart.
const BETWEEN_EVENTS: Duration = Duration::from_millis(100);

/// A phone whose screen is on, and that has nothing but that.
#[derive(Debug)]
struct AwakePhone;

#[async_trait]
impl Link for AwakePhone {
    async fn open(&self, _: &str) -> adb::Result<Pipe> {
        use adb::wire::shell::{Kind, packet};
        let (near, mut far) = tokio::io::duplex(1024);
        far.write_all(&packet(Kind::Stdout, b"  mWakefulness=Awake\n"))
            .await?;
        far.write_all(&packet(Kind::Exit, &[0])).await?;
        Ok(Box::new(near))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(vec!["shell_v2".to_owned()])
    }
}

/// Plans keep nothing.
struct NoFiles;

impl Artifacts for NoFiles {
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        Err(path.to_owned())
    }

    fn keep_screenshot(&mut self, path: Option<&str>, _: &[u8]) -> Result<String, String> {
        Err(path.unwrap_or_default().to_owned())
    }
}

/// A driver of the widgets, and how long its attachment took. The agent lets it in when the one before has left.
async fn attach(widgets: &Widgets) -> (AgentDriver, Duration) {
    let (width, height) = Widgets::SCREEN;
    let profile = Profile {
        model: "widgets".to_owned(),
        release: "14".to_owned(),
        sdk: SDK,
        screen: Size::new(width, height),
        density: 480,
    };
    loop {
        let begun = Instant::now();
        let stream = connect_agent(widgets.port()).await;
        let phone = adb::Phone::new(Arc::new(AwakePhone));
        let driver = AgentDriver::over("widgets", phone, profile.clone(), stream, widgets.token());
        match driver.await {
            Ok(driver) => return (driver, begun.elapsed()),
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

/// What the framework of the process took of the last observation or tap.
async fn framework_time(widgets: &mut Widgets, kind: &str) -> Duration {
    let nanos = widgets.order(&format!("framework {kind}")).await;
    Duration::from_nanos(nanos.parse().unwrap())
}

/// Changes so many texts; when the event of it was sent.
async fn change(widgets: &mut Widgets, changes: u32) -> SystemTime {
    let micros = widgets.order(&format!("change {changes}")).await;
    UNIX_EPOCH + Duration::from_micros(micros.parse().unwrap())
}

/// Times, and what the framework took of each.
#[derive(Default)]
struct Pairs(Vec<(Duration, Duration)>);

impl Pairs {
    /// What is ours: the median, and what the fastest tenth is below. Other programs on the computer delay the rest.
    fn ours(&self) -> (Duration, Duration) {
        let mut ours: Vec<_> = self
            .0
            .iter()
            .map(|(took, own)| took.saturating_sub(*own))
            .collect();
        ours.sort_unstable();
        (ours[ours.len() / 2], ours[ours.len() / 10])
    }

    /// The median of what is the framework's.
    fn framework(&self) -> Duration {
        let mut own: Vec<_> = self.0.iter().map(|(_, own)| *own).collect();
        own.sort_unstable();
        own[own.len() / 2]
    }
}

/// How long observations take, before each of which so many texts change.
async fn observations(
    widgets: &mut Widgets,
    agent: &mut AgentDriver,
    (times, changes): (usize, u32),
) -> Pairs {
    let mut seen = agent.observe(&cx()).await.unwrap();
    let mut pairs = Pairs::default();
    for _ in 0..times {
        if changes > 0 {
            change(widgets, changes).await;
        }
        let begun = Instant::now();
        let now = agent.observe(&cx()).await.unwrap();
        let took = begun.elapsed();
        assert_eq!(now.revision == seen.revision, changes == 0);
        seen = now;
        pairs
            .0
            .push((took, framework_time(widgets, "observe").await));
    }
    pairs
}

/// How long `wait_for_node` lasts after the event of the change that it waits for.
async fn waits_for_node(widgets: &mut Widgets, agent: &mut AgentDriver, times: usize) -> Pairs {
    let seen = agent.observe(&cx()).await.unwrap();
    let number = seen.tree.ids().find_map(|id| {
        let text = &seen.tree.node(id).text;
        text.strip_prefix("counter 0 is ")?.parse::<u32>().ok()
    });
    let mut number = number.unwrap();
    let mut pairs = Pairs::default();
    for _ in 0..times {
        number += 1;
        let text = format!("counter 0 is {number}");
        let wait = json!([{ "id": "wait", "type": "wait_for_node", "params": {
            "matcher": { "textEquals": text }, "timeoutMs": 20_000 } }]);
        let plan = Execution::from_value(&testkit::plan("bench", wait)).unwrap();
        let waited = async {
            let cx = cx();
            let report = engine::run(agent, &plan.execution, &mut NoFiles, &cx, &mut |_| {}).await;
            let ended = SystemTime::now();
            assert_eq!(report.outcome.unwrap().error_code, None);
            ended
        };
        let changed = async {
            tokio::time::sleep(BETWEEN_EVENTS * 2).await;
            change(widgets, 1).await
        };
        let (ended, changed) = tokio::join!(waited, changed);
        let took = ended.duration_since(changed).unwrap_or_default();
        pairs
            .0
            .push((took, framework_time(widgets, "observe").await));
    }
    pairs
}

/// How long taps on a button take.
async fn clicks(widgets: &mut Widgets, agent: &mut AgentDriver, times: usize) -> Pairs {
    let mut pairs = Pairs::default();
    for _ in 0..times {
        let seen = agent.observe(&cx()).await.unwrap();
        let button = seen.tree.find(&Query::new().text("Tap")).unwrap();
        let begun = Instant::now();
        agent
            .act(&cx(), seen.node_ref(button), &NodeAct::Click)
            .await
            .unwrap();
        let took = begun.elapsed().saturating_sub(HELD);
        pairs.0.push((took, framework_time(widgets, "tap").await));
    }
    pairs
}

/// Measures on real widgets, with what the other ways take on the simulated phone, which has no Java.
pub(crate) async fn measure(looks: OtherTransports, taps: OtherTransports, waits: OtherTransports) {
    if let Some(missing) = Widgets::missing() {
        println!("real widgets are left out: {missing}");
        return;
    }
    let mut widgets = Widgets::start_optimizing("agent", SDK).await;
    widgets.order("screen counters").await;
    let (mut agent, _) = attach(&widgets).await;
    let nodes = agent.observe(&cx()).await.unwrap().tree.len();
    println!(
        "real widgets of Android 14, {nodes} nodes; stock and operator on the simulated phone"
    );
    // The first runs are slow: Java compiles what runs often.
    observations(&mut widgets, &mut agent, (WARM_UP, 0)).await;
    observations(&mut widgets, &mut agent, (FEWER_WARM_UP, 5)).await;
    let unchanged = observations(&mut widgets, &mut agent, (TIMES, 0)).await;
    let five = observations(&mut widgets, &mut agent, (FEWER, 5)).await;
    drop(agent);
    let (mut whole, mut attached) = (Pairs::default(), Pairs::default());
    for time in 0..FEWER_WARM_UP + FEWER {
        let (mut fresh, took) = attach(&widgets).await;
        if time < FEWER_WARM_UP {
            fresh.observe(&cx()).await.unwrap();
            continue;
        }
        attached.0.push((took, Duration::ZERO));
        let begun = Instant::now();
        fresh.observe(&cx()).await.unwrap();
        let took = begun.elapsed();
        let own = framework_time(&mut widgets, "observe").await;
        whole.0.push((took, own));
    }
    let (mut agent, _) = attach(&widgets).await;
    waits_for_node(&mut widgets, &mut agent, FEWER_WARM_UP).await;
    let waited = waits_for_node(&mut widgets, &mut agent, FEWER).await;
    drop(agent);
    widgets.order("screen controls").await;
    let (mut agent, _) = attach(&widgets).await;
    clicks(&mut widgets, &mut agent, FEWER_WARM_UP).await;
    let tapped = clicks(&mut widgets, &mut agent, FEWER).await;

    let none = OtherTransports::default();
    let rows = [
        ("observation, unchanged", &unchanged, 1.0, looks),
        ("observation, five nodes changed", &five, 1.5, looks),
        ("observation of the whole screen", &whole, 4.0, looks),
        (
            "attach to a running agent, without adb",
            &attached,
            20.0,
            none,
        ),
        ("wait_for_node, after the event", &waited, 5.0, waits),
        ("tap, without the finger's 20 ms", &tapped, 1.5, taps),
    ];
    for (what, pairs, target, others) in rows {
        let (median, fast) = pairs.ours();
        show(&format!("  {what}"), median, target, others);
        show_part("    fastest tenth", fast);
        show_part("    of the framework, not included", pairs.framework());
    }
}

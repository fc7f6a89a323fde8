//! The agent's own Java classes on real Android widgets: the process of `agent/harness-serve`.

use std::time::{Duration, Instant};

use adb::client::{Link, Pipe};
use async_trait::async_trait;
use driver::{Driver, NodeAct};
use driver_android::{AgentDriver, Profile};
use std::sync::Arc;
use testkit::{Widgets, connect_agent};
use tokio::io::AsyncWriteExt;
use uitree::{Query, Size};

use crate::table::{OtherTransports, TIMES, cx, median, show};

const SDK: u32 = 34;
/// How long a finger is held for a tap.
const HELD: Duration = Duration::from_millis(20);

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

/// A driver of the widgets; the agent lets it in when the one before has left.
async fn attach(widgets: &Widgets) -> AgentDriver {
    let (width, height) = Widgets::SCREEN;
    let profile = Profile {
        model: "widgets".to_owned(),
        release: "14".to_owned(),
        sdk: SDK,
        screen: Size::new(width, height),
        density: 480,
    };
    loop {
        let stream = connect_agent(widgets.port()).await;
        let phone = adb::Phone::new(Arc::new(AwakePhone));
        let driver = AgentDriver::over("widgets", phone, profile.clone(), stream, widgets.token());
        match driver.await {
            Ok(driver) => return driver,
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

/// Measures on real widgets, with what the other ways take on the simulated phone, which has no Java.
pub(crate) async fn measure(looks: OtherTransports, taps: OtherTransports) {
    if let Some(missing) = Widgets::missing() {
        println!("real widgets are left out: {missing}");
        return;
    }
    let mut widgets = Widgets::start("agent", SDK).await;
    for screen in ["list", "inputs"] {
        widgets.order(&format!("screen {screen}")).await;
        let mut agent = attach(&widgets).await;
        let nodes = agent.observe(&cx()).await.unwrap().tree.len();
        println!(
            "real widgets of Android 14, {nodes} nodes; stock and operator on the simulated phone"
        );
        let unchanged = median(TIMES, async || {
            let begun = Instant::now();
            agent.observe(&cx()).await.unwrap();
            begun.elapsed()
        });
        show("  observation, unchanged", unchanged.await, 1.0, looks);
        drop(agent);
        let whole = median(21, async || {
            let mut fresh = attach(&widgets).await;
            let begun = Instant::now();
            fresh.observe(&cx()).await.unwrap();
            begun.elapsed()
        });
        show("  observation of the whole screen", whole.await, 4.0, looks);
    }
    widgets.order("screen controls").await;
    let mut agent = attach(&widgets).await;
    let tap = median(21, async || {
        let seen = agent.observe(&cx()).await.unwrap();
        let button = seen.tree.find(&Query::new().text("Tap")).unwrap();
        let begun = Instant::now();
        agent
            .act(&cx(), seen.node_ref(button), &NodeAct::Click)
            .await
            .unwrap();
        begun.elapsed()
    });
    show(
        "  tap, over the finger's own 20 ms",
        tap.await.saturating_sub(HELD),
        1.5,
        taps,
    );
}

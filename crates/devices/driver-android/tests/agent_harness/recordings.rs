//! Recordings of real widgets.

use std::sync::Arc;
use std::time::Duration;

use driver::{Driver, Key, NodeAct};
use driver_android::{AgentSource, Limits, RecordingEvent, Session, record};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uitree::{Query, UiTree};

use crate::harness::Process;

/// What is done is recorded with the screen before it, which shows its node.
pub(crate) async fn all(process: &mut Process) {
    println!("recordings");
    let mut harness = process.show("screen controls").await;
    let (lines_tx, mut lines) = watch::channel(Vec::<Value>::new());
    let (screen_tx, mut screen) = watch::channel(Arc::<str>::from(""));
    let stop = CancellationToken::new();
    let (phone, token) = (harness.phone().clone(), stop.clone());
    let task = tokio::spawn(async move {
        let session = Session {
            id: "s".to_owned(),
            serial: "harness".to_owned(),
            epoch_ms: 1_000_000,
            limits: Limits::default(),
        };
        let mut write = |line: &str| {
            let line = serde_json::from_str(line).unwrap();
            lines_tx.send_modify(|lines| lines.push(line));
            Ok(())
        };
        let mut tell = |event| {
            if let RecordingEvent::Observed(screen) = event {
                screen_tx.send_replace(screen);
            }
        };
        let source = AgentSource::App;
        record(phone, source, &session, token, &mut write, &mut tell).await
    });
    within(screen.wait_for(|screen| screen.contains("\"Tap\""))).await;
    harness.act("Tap", NodeAct::Click).await;
    harness.text("tapped 1").await;
    within(screen.wait_for(|screen| screen.contains("tapped 1"))).await;
    let (_, name) = harness.id("edit").await;
    let cx = harness.cx.clone();
    let act = NodeAct::SetText("Ada".to_owned());
    harness.driver.act(&cx, name, &act).await.unwrap();
    within(screen.wait_for(|screen| screen.contains("\"Ada\""))).await;
    harness.driver.key(&cx, Key::Back).await.unwrap();
    let has_key = |lines: &Vec<Value>| lines.iter().any(|line| line["key"] == "back");
    within(lines.wait_for(has_key)).await;
    stop.cancel();
    task.await.unwrap().unwrap();
    let lines = lines.borrow().clone();
    let click = lines.iter().find(|line| line["type"] == "click");
    let click = click.unwrap_or_else(|| panic!("{lines:#?}"));
    let xml = click["snapshot"].as_str();
    let xml = xml.unwrap_or_else(|| panic!("{lines:#?}"));
    let tree = UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
    let tap = tree.find(&Query::new().text("Tap")).unwrap();
    let bounds = tree.node(tap).bounds.unwrap();
    assert_eq!(
        (&click["bounds"]["left"], &click["bounds"]["bottom"]),
        (&bounds.left.into(), &bounds.bottom.into()),
        "{click:#}"
    );
    assert_eq!(tree.find(&Query::new().text("tapped 1")), None);
}

/// Waits until what is watched fits.
async fn within<T, E: std::fmt::Debug>(waiting: impl Future<Output = Result<T, E>>) {
    let waiting = tokio::time::timeout(Duration::from_secs(30), waiting);
    drop(waiting.await.unwrap().unwrap());
}

//! Crashing pages and killed browsers: reported effects happened, and nothing happened twice.

use std::time::Duration;

use driver::{Dispatch, Driver, DriverError, NodeAct};
use testkit::web::Web;
use uitree::Query;

use super::{DrivenTab, NOTE, Running, cx};

const COUNTS: &str =
    "<button id=count onclick=\"note('click ' + performance.timeOrigin)\">Count</button>";

/// Pseudo-random numbers, the same on every run.
fn rng(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

#[tokio::test]
async fn killed_browser_gives_no_false_report() {
    let web = Web::start();
    web.page("/", &format!("{NOTE}{COUNTS}"));
    let (mut known, mut unknown) = (0, 0);
    for round in 0..12 {
        let running = Running::start().await;
        let mut driver = running.driver().await;
        let target = driver::Target::Uri(web.url("/"));
        driver.open(&cx(), &target).await.unwrap();
        let before = web.posted("/note").len();
        // Some clicks succeed; then it is killed at a different moment each round, within about two clicks.
        let (good, wait) = (round % 4, Duration::from_micros(rng(round) % 40_000));
        let pid = running.started.child.id().unwrap().to_string();
        let mut killing = None;
        let (mut claimed, mut unclear) = (0, 0);
        let lost = loop {
            if claimed as u64 == good && killing.is_none() {
                let pid = pid.clone();
                killing = Some(std::thread::spawn(move || {
                    std::thread::sleep(wait);
                    let kill = std::process::Command::new("kill")
                        .args(["-9", &pid])
                        .status();
                    assert!(kill.unwrap().success());
                }));
            }
            let seen = match driver.observe(&cx()).await {
                Ok(seen) => seen,
                Err(error) => break error,
            };
            let Some(node) = seen.tree.find(&Query::new().id("count")) else {
                continue;
            };
            match driver
                .act(&cx(), seen.node_ref(node), &NodeAct::Click)
                .await
            {
                Ok(_) => claimed += 1,
                Err(DriverError::Stale) => {}
                Err(error) => {
                    let DriverError::Lost { dispatch, .. } = &error else {
                        panic!("{error:?}");
                    };
                    match dispatch {
                        Dispatch::NotSent => {}
                        Dispatch::Sent => claimed += 1,
                        Dispatch::Unknown => unclear += 1,
                    }
                    break error;
                }
            }
        };
        assert!(matches!(lost, DriverError::Lost { .. }), "{lost:?}");
        killing.unwrap().join().unwrap();
        // Every later call returns the same error immediately.
        let again = driver.observe(&cx()).await;
        assert!(
            matches!(
                again,
                Err(DriverError::Lost {
                    dispatch: Dispatch::NotSent,
                    ..
                })
            ),
            "{again:?}"
        );
        drop(running);
        let happened = web.posted("/note").len() - before;
        assert!(
            happened >= claimed && happened <= claimed + unclear,
            "round {round}: {happened} clicks, {claimed} claimed, {unclear} not known"
        );
        known += claimed;
        unknown += unclear;
    }
    println!("{known} clicks were claimed, {unknown} not known");
    assert!(known > 0);
}

#[tokio::test]
async fn crashed_page_is_reported_once_and_reloaded() {
    let mut driven = DrivenTab::show(COUNTS).await;
    driven.find(Query::new().id("count")).await;
    let session = driven.driver.tab().unwrap().session().clone();
    drop(session.call_raw("Page.crash", &serde_json::json!({})));
    let mut crashed = driven.driver.tab().unwrap().watch();
    let dead = |state: &driver_chrome::browser::TabState| {
        state.status == driver_chrome::browser::TabStatus::Crashed
    };
    drop(crashed.wait_for(dead).await.unwrap());
    let result = driven.driver.observe(&cx()).await;
    assert!(
        matches!(&result, Err(DriverError::Lost { dispatch: Dispatch::NotSent, message }) if message.contains("died")),
        "{result:?}"
    );
    assert_eq!(driven.click("count").await, Ok(()));
    assert_eq!(driven.noted().len(), 1);
    // Another driver sees its current state.
    drop(session.call_raw("Page.crash", &serde_json::json!({})));
    let mut crashed = driven.driver.tab().unwrap().watch();
    drop(crashed.wait_for(dead).await.unwrap());
    driven.driver = driven.running.driver().await;
    assert_eq!(driven.click("count").await, Ok(()));
    assert_eq!(driven.noted().len(), 2);
}

#[tokio::test]
async fn nothing_is_done_after_the_deadline() {
    let mut driven = DrivenTab::show(COUNTS).await;
    let (seen, node) = driven.find(Query::new().id("count")).await;
    let over = driver::Cx::new(Duration::ZERO, tokio_util::sync::CancellationToken::new());
    let node = seen.node_ref(node);
    for act in [
        NodeAct::Click,
        NodeAct::LongClick,
        NodeAct::Focus,
        NodeAct::Submit,
    ] {
        let done = driven.driver.act(&over, node, &act).await;
        assert_eq!(done, Err(DriverError::Deadline), "{act:?}");
    }
    assert_eq!(
        driven.driver.observe(&over).await.map(|_| ()),
        Err(DriverError::Deadline)
    );
    assert_eq!(driven.noted(), [""; 0]);
}

#[tokio::test]
async fn abandoned_press_is_released() {
    let mut driven = DrivenTab::show(
        "<button id=held onpointerdown=note('down') onpointerup=note('up')>Hold</button>",
    )
    .await;
    let (seen, node) = driven.find(Query::new().id("held")).await;
    let node = seen.node_ref(node);
    let noted = |word: &'static str| {
        move |requests: &[testkit::web::Request]| requests.iter().any(|each| each.body == word)
    };
    let whole = cx();
    tokio::select! {
        done = driven.driver.act(&whole, node, &NodeAct::LongClick) => panic!("{done:?}"),
        () = driven.web.until(noted("down")) => {}
    }
    driven.web.until(noted("up")).await;
    assert_eq!(driven.click("held").await, Ok(()));
    assert_eq!(driven.noted(), ["down", "up", "down", "up"]);
}

//! Faults of single calls: the driver's answer and their effect on the phone.

use driver::{Driver, DriverError, NodeAct};
use driver_sim::{SimOptions, Start};

use uitree::Size;

use crate::fixture::{Fixture, LAUNCHER, SETTINGS};

use super::{APP, notes};

#[tokio::test(start_paused = true)]
async fn reordered_rows_become_stale() {
    let mut fixture = notes(&["reorder @1"]);
    let (row, _) = fixture.find("Milk").await.unwrap();
    let seen = fixture.see().await;
    let target = seen
        .tree
        .ancestors(row.node)
        .find(|id| seen.tree.node(*id).is(uitree::State::CLICKABLE))
        .unwrap_or(row.node);
    let done = fixture
        .driver_act(seen.node_ref(target), NodeAct::Click)
        .await;
    assert_eq!(done, Err(DriverError::Stale), "the row shows another entry");
    assert_eq!(fixture.count("click by"), 0);
    // A touch has no node: it hits what is there.
    let at = seen.tree.node(row.node).bounds.unwrap().center();
    fixture.touch(at).await;
    let log = fixture.driver.phone().log();
    let names: Vec<&str> = log.clicks(0).map(|widget| &*widget.name).collect();
    assert_eq!(names.len(), 1);
    assert_ne!(names, ["Milk"]);
}

#[tokio::test(start_paused = true)]
async fn missing_subtree_is_left_out_of_one_observation() {
    let mut fixture = notes(&["missing_subtree @2"]);
    let whole = fixture.see().await;
    let part = fixture.see().await;
    assert!(part.tree.len() < whole.tree.len());
    assert_eq!(part.revision, whole.revision);
    // The remaining nodes can be acted on and refer to their widgets.
    let add = part
        .tree
        .ids()
        .find(|id| &*part.tree.node(*id).text == "Add");
    if let Some(add) = add {
        fixture
            .driver_act(part.node_ref(add), NodeAct::Click)
            .await
            .unwrap();
        let log = fixture.driver.phone().log();
        assert_eq!(
            log.clicks(0).map(|widget| &*widget.name).last(),
            Some("Add")
        );
    }
    assert_eq!(fixture.see().await.tree.len(), whole.tree.len());
}

#[tokio::test(start_paused = true)]
async fn nodes_of_a_partial_tree_keep_their_identity() {
    for seed in 0..30 {
        let mut fixture = Fixture::with(SimOptions {
            start: Start::App(SETTINGS.to_owned()),
            faults: vec!["missing_subtree".parse().unwrap()],
            seed,
            ..SimOptions::default()
        });
        let seen = fixture.see().await;
        let named = |node: &uitree::Node| {
            node.is(uitree::State::CLICKABLE | uitree::State::VISIBLE) && !node.text.is_empty()
        };
        let Some(id) = seen.tree.ids().rfind(|id| named(seen.tree.node(*id))) else {
            continue;
        };
        let text = seen.tree.node(id).text.to_string();
        fixture
            .driver_act(seen.node_ref(id), NodeAct::Click)
            .await
            .unwrap();
        let log = fixture.driver.phone().log();
        let clicked = log.clicks(0).next().unwrap();
        assert_eq!(&*clicked.name, text, "seed {seed}");
    }
}

#[tokio::test(start_paused = true)]
async fn stale_tree_shows_the_earlier_screen() {
    let mut fixture = notes(&["stale_tree 2s @3 for 1s"]);
    assert!(fixture.shows("Count 0").await);
    fixture.wait(3_000).await;
    let now = fixture.see().await;
    let old = fixture.see().await;
    assert!(crate::fixture::named(&old, "Count 0").is_some());
    assert_eq!(old.revision, now.revision, "it has the current revision");
    fixture.wait(1_000).await;
    assert!(fixture.shows("Count 4").await);
}

#[tokio::test(start_paused = true)]
async fn window_faults_report_no_nodes_or_the_launcher() {
    let mut fixture = notes(&["no_window empty"]);
    assert_eq!(fixture.see().await.tree.len(), 0);

    let mut fixture = notes(&["wrong_window @1"]);
    let seen = fixture.see().await;
    assert_eq!(seen.foreground.as_deref(), Some(LAUNCHER));
    let icon = crate::fixture::named(&seen, "Settings").unwrap();
    let done = fixture
        .driver_act(seen.node_ref(icon), NodeAct::Click)
        .await;
    assert_eq!(done, Err(DriverError::Stale), "it is not on the screen");
    assert_eq!(fixture.front().await, APP);
}

#[tokio::test(start_paused = true)]
async fn black_screenshot_fault_blackens_one_screenshot() {
    let mut fixture = notes(&["black_screenshot @1"]);
    let black = fixture.driver.screenshot(&fixture.cx).await.unwrap();
    let shown = fixture.driver.screenshot(&fixture.cx).await.unwrap();
    assert_eq!(black.size, Size::new(1080, 2340));
    let pixels = |png: &[u8]| {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    assert!(pixels(&black.bytes).iter().all(|part| *part == 0));
    assert!(pixels(&shown.bytes).iter().any(|part| *part != 0));
}

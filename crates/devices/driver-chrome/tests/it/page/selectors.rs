//! Matches of selectors in documents, shadow trees and frames, and invalid selectors.

use std::sync::Arc;

use driver::DriverError;
use driver_chrome::page::NodeTarget;

use super::observer::{PageServer, cx};

const SHADOW: &str = include_str!("../../../testdata/pages/shadow.html");
const FRAMES: &str = include_str!("../../../testdata/pages/frames.html");

#[tokio::test]
async fn selectors_match_like_browser_through_hosts_and_frames() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/shadow.html", SHADOW).await;
    let cases: Vec<(&str, &[&str])> = vec![
        ("x-button", &["x-button"]),
        ("button", &[]),
        ("#open >>> button", &["button"]),
        ("#closed >>> h2 > slot", &["slot"]),
        ("x-outer >>> x-inner >>> nav > button", &["button"]),
        ("x-outer >>> a", &["a"]),
        ("#plain >>> div >>> span", &["span"]),
        ("b, i, p", &["b", "p", "i"]),
        ("head > title", &["title"]),
    ];
    let css: Vec<Arc<str>> = cases.iter().map(|(css, _)| Arc::from(*css)).collect();
    let seen = observed_page.observer.observe(&cx(), &css).await.unwrap();
    for (at, (css, tags)) in cases.iter().enumerate() {
        let elements = seen.elements[at]
            .iter()
            .map(|id| &*seen.dom.element(*id).tag);
        assert_eq!(elements.collect::<Vec<_>>(), *tags, "{css}");
        // Every match has a node, even if it is invisible.
        let nodes: Vec<_> = seen.elements[at]
            .iter()
            .filter_map(|id| seen.node_of(*id))
            .collect();
        assert_eq!(nodes.len(), tags.len(), "{css}");
        for (id, node) in seen.elements[at].iter().zip(&nodes) {
            assert_eq!(
                seen.target_of(*node),
                Some(NodeTarget::Element(*id)),
                "{css}"
            );
            assert_eq!(
                seen.observation.tree.node(*node).class,
                seen.dom.element(*id).tag
            );
        }
        let mark = &seen.observation.tree.marks()[at];
        assert_eq!((&*mark.selector, &mark.nodes), (*css, &seen.hits[at]));
        let again = observed_page.observer.select(&cx(), css).await.unwrap();
        assert_eq!(
            (again.elements, again.unknown),
            (seen.elements[at].clone(), 0),
            "{css}"
        );
    }
    let title = seen.hits[cases.len() - 1][0];
    assert!(!seen.observation.tree.is_on_screen(title));
    let mut observed_page = room.show("/frames.html", FRAMES).await;
    observed_page.observe().await;
    let deep = observed_page
        .observer
        .select(&cx(), "iframe[title=Outer] >>> iframe >>> button")
        .await
        .unwrap();
    assert_eq!(deep.elements.len(), 1);
    let all = observed_page
        .observer
        .select(&cx(), "iframe >>> button")
        .await
        .unwrap();
    assert_eq!(all.elements.len(), 6);
}

#[tokio::test]
async fn invalid_selector_is_refused_with_browser_reason() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show("/plain.html", "<!doctype html><title>Plain</title><p>One")
        .await;
    observed_page.observe().await;
    for wrong in [
        "p:::",
        "p >>> ",
        ">>> p",
        "p:has-text(a)",
        "p >>> :::",
        "none >>> [",
    ] {
        let refused = observed_page
            .observer
            .observe(&cx(), &[Arc::from(wrong)])
            .await
            .unwrap_err();
        match refused {
            DriverError::CssInvalid { selector, reason } => {
                assert_eq!(selector, wrong);
                assert!(!reason.is_empty(), "{wrong}");
            }
            other => panic!("{wrong}: {other}"),
        }
    }
    // A script in a selector makes it invalid and does not run.
    let script = "p'); document.title = 'broken'; ('";
    observed_page
        .observer
        .select(&cx(), script)
        .await
        .unwrap_err();
    assert_eq!(observed_page.run("document.title").await, "Plain");
}

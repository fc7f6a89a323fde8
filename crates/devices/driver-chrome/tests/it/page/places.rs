//! Positions: through frames, scrolling, clipping, transforms, zoom and pixel ratios.

use cdp::protocol::emulation::SetDeviceMetricsOverride;
use uitree::Rect;

use super::observer::{ObservedPage, PageServer, cx, named};

const PLACES: &str = include_str!("../../../testdata/pages/places.html");
const FRAMES: &str = include_str!("../../../testdata/pages/frames.html");
const RTL: &str = include_str!("../../../testdata/pages/rtl.html");

/// The bounds of the named node, and its visible part.
async fn bounds_of(observed_page: &mut ObservedPage, name: &str) -> (Rect, Option<Rect>) {
    let seen = observed_page.observe().await;
    let (id, _) = named(&seen, name);
    let tree = &seen.observation.tree;
    let node = seen
        .node_of(id)
        .unwrap_or_else(|| panic!("{name} has no node: {tree:?}"));
    let bounds = tree.node(node).bounds.unwrap();
    (bounds, tree.visible_bounds(node))
}

/// Asserts that the named node is fully visible at these edges.
async fn assert_bounds(observed_page: &mut ObservedPage, name: &str, edges: [i32; 4]) {
    let [left, top, right, bottom] = edges;
    let bounds = Rect::new(left, top, right, bottom);
    assert_eq!(
        bounds_of(observed_page, name).await,
        (bounds, Some(bounds)),
        "{name}"
    );
}

#[tokio::test]
async fn bounds_match_painted_positions() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/places.html", PLACES).await;
    assert_bounds(&mut observed_page, "Seen", [10, 30, 60, 50]).await;
    assert_bounds(&mut observed_page, "Sticks", [110, 10, 160, 30]).await;
    assert_bounds(&mut observed_page, "Fixed", [300, 200, 350, 220]).await;
    assert_bounds(&mut observed_page, "Let out", [130, 130, 180, 150]).await;
    assert_bounds(&mut observed_page, "Doubled", [410, 30, 510, 70]).await;
    assert_bounds(&mut observed_page, "Zoomed", [800, 200, 900, 240]).await;
    assert_bounds(&mut observed_page, "Turned", [480, 100, 500, 150]).await;
    assert_bounds(&mut observed_page, "Flown out", [660, 10, 710, 30]).await;
    // Permanently clipped content is gone; scrolled-out content keeps its position.
    assert_bounds(&mut observed_page, "Half cut", [90, 250, 110, 270]).await;
    let below = bounds_of(&mut observed_page, "Below").await;
    assert_eq!(below, (Rect::new(10, 410, 60, 430), None));
    let further = bounds_of(&mut observed_page, "Further down").await;
    assert_eq!(further, (Rect::new(10, 2500, 60, 2520), None));
    let seen = observed_page.observe().await;
    let (cut, element) = named(&seen, "All cut");
    assert!(!element.is(dom::Facts::VISIBLE));
    assert_eq!(seen.node_of(cut), None);
    // The inner one is in both scroll containers.
    let (inner, _) = named(&seen, "In both");
    let node = seen.node_of(inner).unwrap();
    let holders = seen.observation.tree.ancestors(node);
    let ids: Vec<&str> = holders
        .map(|at| &*seen.observation.tree.node(at).id)
        .collect();
    assert_eq!(ids, ["inner", "scrolls", ""]);
    // Scrolling moves only the content of the container.
    observed_page
        .run("document.querySelector('#scrolls').scrollTop = 100; scrollTo(0, 5)")
        .await;
    assert_bounds(&mut observed_page, "Fixed", [300, 200, 350, 220]).await;
    let sticky = bounds_of(&mut observed_page, "Sticks").await;
    assert_eq!(sticky.0, Rect::new(110, 5, 160, 25));
    let gone = bounds_of(&mut observed_page, "Seen").await;
    assert_eq!(gone, (Rect::new(10, -75, 60, -55), None));
}

#[tokio::test]
async fn frames_offset_their_content() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/frames.html", FRAMES).await;
    for (name, edges) in [
        ("Plain", [30, 30, 80, 60]),
        ("Padded", [252, 22, 302, 52]),
        ("Half", [30, 160, 60, 180]),
        ("Turned", [250, 170, 290, 230]),
        ("Deep", [385, 36, 435, 66]),
    ] {
        let seen = observed_page.observe().await;
        let (_, button) = named_in_frame(&seen, name);
        let [left, top, right, bottom] = edges;
        assert_eq!(
            button.bounds,
            Some(Rect::new(left, top, right, bottom)),
            "{name}"
        );
        let located = observed_page
            .observer
            .locate(&cx(), button.handle)
            .await
            .unwrap();
        assert_eq!(Some(located.bounds), button.bounds, "{name}");
        assert_eq!(located.visible, button.bounds, "{name}");
    }
    let seen = observed_page.observe().await;
    assert!(
        !seen
            .observation
            .tree
            .to_notation()
            .contains("Nobody sees this")
    );
    // Content below the edge of its frame exists, but not on the screen.
    let below = seen
        .dom
        .ids()
        .find(|id| &*seen.dom.element(*id).text == "below")
        .unwrap();
    assert!(
        !seen
            .observation
            .tree
            .is_on_screen(seen.node_of(below).unwrap())
    );
}

fn named_in_frame<'s>(
    seen: &'s driver_chrome::page::PageObservation,
    name: &str,
) -> (dom::ElementId, &'s dom::Element) {
    let found = seen.dom.ids().map(|id| (id, seen.dom.element(id)));
    found
        .filter(|(_, element)| &*element.tag == "button")
        .find(|(_, element)| &*element.name == name)
        .unwrap_or_else(|| panic!("no button {name}"))
}

#[tokio::test]
async fn out_of_process_frames_are_part_of_the_page() {
    let room = PageServer::open(&["--site-per-process"]).await;
    room.web.page(
        "/inner.html",
        "<!doctype html><title>Inner</title><body style='margin: 0; height: 900px'>
        <button style='position: absolute; left: 10px; top: 20px; width: 50px; height: 30px'>Far</button>
        <iframe src='{{own}}/leaf.html' style='position: absolute; left: 40px; top: 60px; width: 100px; height: 50px; border: 0'></iframe>",
    );
    room.web.page(
        "/leaf.html",
        "<!doctype html><title>Leaf</title><body style='margin: 0'>
        <button style='position: absolute; left: 5px; top: 5px; width: 50px; height: 30px'>Leaf</button>",
    );
    let mut observed_page = room
        .show(
            "/outer.html",
            "<!doctype html><title>Outer</title><body style='margin: 0'>
            <iframe src='{{other}}/inner.html' style='position: absolute; left: 100px; top: 50px; width: 300px; height: 200px; border: 0; transform: scale(2); transform-origin: 0 0'></iframe>",
        )
        .await;
    let seen = observed_page
        .until(|seen| {
            seen.dom
                .elements()
                .iter()
                .any(|element| &*element.name == "Leaf")
        })
        .await;
    let (_, far) = named_in_frame(&seen, "Far");
    assert_eq!(far.bounds, Some(Rect::new(120, 90, 220, 150)));
    assert_ne!(far.handle.session, 0);
    let (leaf_id, leaf) = named_in_frame(&seen, "Leaf");
    assert_eq!(leaf.bounds, Some(Rect::new(190, 180, 290, 240)));
    assert_eq!(seen.dom.chain(leaf_id).len(), 2);
    let located = observed_page
        .observer
        .locate(&cx(), leaf.handle)
        .await
        .unwrap();
    assert_eq!(Some(located.bounds), leaf.bounds);
    let node = seen.node_of(leaf_id).unwrap();
    let owner = seen.observation.tree.node(node).owner.clone();
    assert_eq!(*owner, *format!("one.localhost:{}", room.web.port()));
    let (far_id, _) = named_in_frame(&seen, "Far");
    let owner = &seen
        .observation
        .tree
        .node(seen.node_of(far_id).unwrap())
        .owner;
    assert_eq!(**owner, *format!("two.localhost:{}", room.web.port()));
    // A scrolled frame moves its content, including nested frames.
    let (session, object) = observed_page
        .observer
        .resolve(&cx(), far.handle)
        .await
        .unwrap();
    let scroll = cdp::protocol::runtime::CallFunctionOn {
        function_declaration: "function () { this.ownerDocument.defaultView.scrollTo(0, 10) }",
        object_id: Some(object),
        ..Default::default()
    };
    session.call(&scroll).await.unwrap();
    let moved = Some(Rect::new(190, 160, 290, 220));
    observed_page
        .until(|seen| named_in_frame(seen, "Leaf").1.bounds == moved)
        .await;
    // A selector can lead through both frames.
    let css = "iframe >>> iframe >>> button";
    let found = observed_page.observer.select(&cx(), css).await.unwrap();
    assert_eq!((found.elements.len(), found.unknown), (1, 0));
}

#[tokio::test]
async fn bounds_are_device_pixels() {
    let room = PageServer::open(&["--force-device-scale-factor=3"]).await;
    let mut observed_page = room.show("/places.html", PLACES).await;
    let seen = observed_page.observe().await;
    assert_eq!(seen.dom.viewport().scale, 3.0);
    assert_bounds(&mut observed_page, "Seen", [30, 90, 180, 150]).await;
    observed_page.load(&room.web.url("/places.html")).await;
    let mut frames = room.show("/frames.html", FRAMES).await;
    let seen = frames.observe().await;
    let (_, half) = named_in_frame(&seen, "Half");
    assert_eq!(half.bounds, Some(Rect::new(90, 480, 180, 540)));
    let located = frames.observer.locate(&cx(), half.handle).await.unwrap();
    assert_eq!(Some(located.bounds), half.bounds);
}

#[tokio::test]
async fn emulated_screen_and_pinch_zoom_are_handled() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/places.html", PLACES).await;
    let metrics = SetDeviceMetricsOverride {
        width: 800,
        height: 600,
        device_scale_factor: 2.0,
        mobile: false,
    };
    observed_page.tab.session().call(&metrics).await.unwrap();
    let seen = observed_page
        .until(|seen| seen.dom.viewport().width == 1600)
        .await;
    assert_eq!(seen.dom.viewport().height, 1200);
    assert_eq!(seen.dom.viewport().scale, 2.0);
    assert_bounds(&mut observed_page, "Seen", [20, 60, 120, 100]).await;
    let factor = serde_json::json!({ "pageScaleFactor": 2 });
    let session = observed_page.tab.session();
    session
        .call_raw("Emulation.setPageScaleFactor", &factor)
        .await
        .unwrap();
    let seen = observed_page
        .until(|seen| seen.dom.viewport().scale == 4.0)
        .await;
    assert_eq!(seen.dom.viewport().width, 1600);
    let (_, element) = named(&seen, "Seen");
    assert_eq!(element.bounds, Some(Rect::new(40, 120, 240, 200)));
}

#[tokio::test]
async fn right_to_left_pages_scroll_to_the_left() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/rtl.html", RTL).await;
    let seen = observed_page.observe().await;
    let right = seen.dom.viewport().width - 10;
    let (_, save) = named(&seen, "שמור");
    assert_eq!(save.bounds, Some(Rect::new(right - 50, 10, right, 30)));
    let (left, element) = named(&seen, "To be scrolled to");
    assert!(element.is(dom::Facts::VISIBLE));
    assert!(
        !seen
            .observation
            .tree
            .is_on_screen(seen.node_of(left).unwrap())
    );
    let (_, beyond) = named(&seen, "Beyond the beginning");
    assert!(!beyond.is(dom::Facts::VISIBLE));
}

//! Elements that a click has to scroll to: under sticky headers, outside of clips.

use driver::{Driver, DriverError, NodeAct};

use testkit::web::Web;

use super::DrivenTab;

#[tokio::test]
async fn element_under_sticky_header_is_scrolled_out() {
    let rows: String = (1..=40)
        .map(|n| format!("<button class=row id=row{n} onclick=note('row{n}')>Row {n}</button>"))
        .collect();
    let mut driven = DrivenTab::show(&format!(
        "<style>body {{ margin: 0 }} header, footer {{ position: sticky; height: 150px; background: teal; z-index: 1 }}
           header {{ top: 0 }} footer {{ bottom: 0 }} .row {{ display: block; height: 60px; width: 300px }}
           #box {{ height: 300px; overflow: auto }} #box header {{ height: 80px }}</style>
         <header onclick=note('header')>Header</header>{rows}
         <div id=box><header onclick=note('inner')>Inner</header>{}</div>
         <footer onclick=note('footer')>Footer</footer>",
        rows.replace("row", "line").replace("class=line", "class=row"),
    ))
    .await;
    // Scrolls down to the footer, up to the header, and inside of scroll containers.
    for id in [
        "row1", "row12", "row40", "row20", "row1", "line3", "line40", "line1", "row2",
    ] {
        let node = driven.hit(&format!("#{id}")).await;
        let done = driven.driver_act(node, &NodeAct::Click).await;
        assert_eq!(done, Ok(()), "{id}");
        assert_eq!(driven.noted().last().map(String::as_str), Some(id));
    }
    assert_eq!(driven.noted().len(), 9);
}

#[tokio::test]
async fn permanently_clipped_element_is_not_clicked() {
    let mut driven = DrivenTab::show(
        "<style>.cut { width: 200px; height: 60px; position: relative } .cut button { position: absolute; left: 300px; top: 0 }
           .behind { position: absolute; left: 300px; width: 200px; height: 60px }</style>
         <div class=cut style='overflow:clip'><button id=clip onclick=note('clip')>Clipped</button></div>
         <div class=cut style='clip-path:inset(0)'><button id=path onclick=note('path')>Cut out</button></div>
         <div class=cut style='contain:paint'><button id=paint onclick=note('paint')>Contained</button></div>
         <div class=cut style='overflow:hidden'><button id=far style='left:-500px' onclick=note('far')>Before the start</button></div>
         <button class=behind style='top:8px' onclick=note('behind')>Behind</button>
         <button style='position:absolute;left:-900px;top:300px' id=off onclick=note('off')>Off the page</button>",
    )
    .await;
    for id in ["clip", "path", "far", "off"] {
        let node = driven.hit(&format!("#{id}")).await;
        let done = driven.driver_act(node, &NodeAct::Click).await;
        assert!(
            matches!(done, Err(DriverError::Unreachable(_))),
            "{id}: {done:?}"
        );
        assert_eq!(driven.noted(), [""; 0], "{id}");
    }
    // Only what the browser itself can scroll into view is clicked.
    let node = driven.hit("#paint").await;
    let done = driven.driver_act(node, &NodeAct::Click).await;
    let noted = driven.noted();
    match done {
        Ok(()) => assert_eq!(noted, ["paint"]),
        Err(error) => {
            assert!(matches!(error, DriverError::Unreachable(_)), "{error:?}");
            assert_eq!(noted, [""; 0]);
        }
    }
}

#[tokio::test]
async fn long_click_holds_the_mouse() {
    let mut driven = DrivenTab::show(
        "<button id=hold onpointerdown=\"timer = setTimeout(() => note('long'), 450)\" onpointerup=clearTimeout(timer)
           onclick=note('click') oncontextmenu=note('menu')>Hold</button>",
    )
    .await;
    let node = driven.hit("#hold").await;
    assert_eq!(driven.driver_act(node, &NodeAct::LongClick).await, Ok(()));
    assert_eq!(driven.noted(), ["long", "click"]);
}

#[tokio::test]
async fn reveal_scrolls_without_pressing() {
    let mut driven = DrivenTab::show(
        "<style>.tall { height: 3000px } .box { height: 200px; overflow: auto }</style><div class=tall>Above</div>
         <div class=box><div class=tall>Inside</div><button id=far onclick=note('far')>Far</button></div><div class=tall>Below</div>
         <script>for (const kind of ['pointerdown', 'mousemove', 'wheel']) addEventListener(kind, () => note(kind), true)</script>",
    )
    .await;
    let far = driven.hit("#far").await;
    let seen = driven.observe().await;
    assert!(!seen.tree.is_on_screen(far.node));
    let far = seen.node_ref(far.node);
    assert_eq!(driven.driver.reveal(&super::cx(), far).await, Ok(()));
    let (seen, node) = driven.find(uitree::Query::new().id("far")).await;
    assert!(seen.tree.is_on_screen(node));
    assert_eq!(driven.noted(), [""; 0]);
}

#[tokio::test]
async fn frame_of_another_origin_in_the_same_process_takes_input() {
    // Another port is another origin of the same site.
    let other = Web::start();
    other.page(
        "/inner",
        "<!doctype html><body style='margin:0'><div style='height:900px'></div>
         <button id=inside onclick=\"parent.postMessage('inside', '*')\">Inside</button>
         <input id=field oninput='parent.postMessage(this.value, `*`)'>
         <iframe srcdoc='<button id=deep onclick=\"top.postMessage(`deep`, `*`)\">Deep</button>'></iframe>",
    );
    let mut driven = DrivenTab::show(&format!(
        "<div style='height:2000px'></div>
         <iframe style='width:300px;height:200px;border:7px solid' src='{}'></iframe>
         <iframe sandbox=allow-scripts srcdoc='<button id=apart onclick=\"parent.postMessage(`apart`, `*`)\">Apart</button>'></iframe>
         <script>onmessage = (event) => note(event.data)</script>",
        other.url("/inner"),
    ))
    .await;
    for (css, noted) in [
        ("iframe >>> #inside", "inside"),
        ("iframe >>> iframe >>> #deep", "deep"),
        ("iframe >>> #apart", "apart"),
    ] {
        let node = driven.hit(css).await;
        let done = driven.driver_act(node, &NodeAct::Click).await;
        assert_eq!(done, Ok(()), "{css}");
        driven.until_noted(noted).await;
    }
    let node = driven.hit("iframe >>> #field").await;
    let text = NodeAct::SetText("Ada".into());
    assert_eq!(driven.driver_act(node, &text).await, Ok(()));
    driven.until_noted("Ada").await;
}

//! Clicks: targets, refusals, scrolling.

use cdp::protocol::page::BringToFront;
use driver::{DriverError, ScrollOutcome};
use expect_test::expect;

use super::{CssPoint, PressLength, TestPage};

#[tokio::test]
async fn visible_element_is_clicked_once() {
    let mut page = TestPage::open(
        "<button id=plain onclick=note('plain')>Plain</button>
         <div style='width:150px'>Some <a id=lines href='#x' onclick=\"note('link')\">words of a link over two lines</a> here</div>
         <button id=turned style='transform:rotate(45deg) scale(.5);margin:40px' onclick=note('turned')>Turned button</button>
         <div style='zoom:1.5'><button id=zoomed onclick=note('zoomed')>Zoomed</button></div>
         <div id=none style='height:0;margin-bottom:40px' onclick=note('empty')><span style='display:inline-block'>Shown outside of nothing</span></div>
         <div id=contents style='display:contents' onclick=note('contents')><b>No box</b></div>
         <svg width=100 height=50><g id=shape onclick=note('svg')><circle cx=20 cy=20 r=15 /></g></svg>
         <button id=through onclick=note('button')><span id=inner style='pointer-events:none'>Lets through</span></button>
         <label id=label><input id=box type=checkbox style='opacity:0;position:absolute;left:-5000px' onchange=note('checked')> Tick</label>
         <input id=far type=checkbox style='display:none' onchange=note('far')><label for=far style='display:block'>For it</label>
         <img usemap='#m' width=200 height=100 style='background:#eee'><map name=m><area id=area shape=rect coords='100,0,200,100' href='#a' onclick=\"note('area')\"></map>
         <svg width=100 height=100><circle id=ring cx=50 cy=50 r=40 fill=none stroke=red stroke-width=3 onclick=note('ring') /></svg>
         <button id=clip style='clip-path:circle(10px at 10px 50%);width:200px' onclick=note('clip')>Clipped</button>
         <div id=card onclick=note('card') style='width:300px;height:80px;position:relative'>Card <button onclick=\"note('nested');event.stopPropagation()\" style='position:absolute;left:100px;top:20px;width:100px;height:40px'>In the middle</button></div>",
    )
    .await;
    let mut result = String::new();
    for id in [
        "plain", "lines", "turned", "zoomed", "none", "contents", "shape", "inner", "label", "box",
        "far", "area", "ring", "clip", "card",
    ] {
        let clicked = page
            .click_log(&format!("document.getElementById('{id}')"))
            .await;
        result.push_str(&format!("{id}: {clicked}\n"));
    }
    expect![[r#"
        plain: plain
        lines: link
        turned: turned
        zoomed: zoomed
        none: empty
        contents: contents
        shape: svg
        inner: button
        label: checked
        box: checked
        far: far
        area: area
        ring: ring
        clip: clip
        card: card
    "#]]
    .assert_eq(&result);
}

#[tokio::test]
async fn click_refuses_covered_disabled_or_gone_element() {
    let mut page = TestPage::open(
        "<div style='position:relative'><button id=under onclick=note('under')>Under</button>
           <div id=veil style='position:absolute;inset:-5px;background:#0003' onclick=note('veil')>We use cookies</div></div>
         <button id=off disabled onclick=note('off')>Off</button>
         <fieldset disabled><button id=infield onclick=note('infield')>In</button></fieldset>
         <button id=dead inert onclick=note('dead')>Inert</button>
         <button id=hidden style='visibility:hidden' onclick=note('hidden')>Hidden</button>
         <button id=gone style='display:none' onclick=note('gone')>None</button>
         <div style='overflow:hidden;height:20px;position:relative'><button id=cut style='position:absolute;top:100px' onclick=note('cut')>Cut off</button></div>
         <span id=glass style='pointer-events:none'>Glass</span>
         <div style='position:relative;width:200px'><button id=half style='width:200px' onclick=note('half')>Half</button>
           <div style='position:absolute;left:0;top:0;width:120px;height:100%;background:red' onclick=note('cover')></div></div>",
    )
    .await;
    let mut result = String::new();
    for id in [
        "under", "off", "infield", "dead", "hidden", "gone", "cut", "glass", "half",
    ] {
        let clicked = page
            .click_log(&format!("document.getElementById('{id}')"))
            .await;
        result.push_str(&format!("{id}: {clicked}\n"));
    }
    expect![[r#"
        under: refused: the device refused: covered by div#veil "We use cookies"
        off: refused: the device refused: it is disabled
        infield: refused: the device refused: it is disabled
        dead: refused: the device refused: it is inert
        hidden: refused: the device refused: it is hidden
        gone: refused: the device refused: it has no place on the page
        cut: cut
        glass: refused: the device refused: it lets the mouse through (pointer-events: none)
        half: half
    "#]]
    .assert_eq(&result);
    let target = page.target("under").await;
    page.evaluate("under.remove()").await;
    let session = page.tab.session().clone();
    let done = page
        .input()
        .click(&session, &target, PressLength::Short)
        .await;
    assert_eq!(done, Err(DriverError::Stale));
}

#[tokio::test]
async fn click_scrolls_to_element() {
    let mut page = TestPage::open(
        "<style>header,footer{position:fixed;left:0;right:0;height:200px;background:#fffc}header{top:0}footer{bottom:0}html{scroll-behavior:smooth}</style>
         <header onclick=note('header')>Header</header><footer onclick=note('footer')>Footer</footer>
         <div style='height:3000px'></div><button id=low onclick=note('low')>Low</button>
         <div style='height:600px;overflow:auto;scroll-behavior:smooth'><div style='height:2000px'></div>
           <div style='width:300px;overflow:auto'><div style='width:2000px;height:100px'><button id=nested style='margin-left:1500px' onclick=note('nested')>Nested</button></div></div>
           <div style='height:2000px'></div></div>
         <button id=last style='height:30px' onclick=note('last')>Last</button><div style='height:190px'></div>",
    )
    .await;
    let mut result = String::new();
    for id in ["low", "nested", "last", "low"] {
        let clicked = page
            .click_log(&format!("document.getElementById('{id}')"))
            .await;
        result.push_str(&format!("{id}: {clicked}\n"));
    }
    expect![[r#"
        low: low
        nested: nested
        last: last
        low: low
    "#]]
    .assert_eq(&result);
}

#[tokio::test]
async fn click_refuses_moving_element() {
    let mut page = TestPage::open(
        "<style>@keyframes run{from{left:0}to{left:900px}}@keyframes pulse{from{transform:scale(1)}to{transform:scale(1.1)}}@keyframes glow{from{opacity:.5}to{opacity:1}}
         button{position:absolute}</style>
         <button id=runs style='top:0;animation:run 2s linear infinite alternate' onclick=note('runs')>Runs</button>
         <button id=pulses style='top:100px;animation:pulse 1s infinite alternate' onclick=note('pulses')>Pulses</button>
         <button id=glows style='top:200px;animation:glow 1s infinite alternate' onclick=note('glows')>Glows</button>
         <button id=script style='top:300px;left:0' onclick=note('script')>By script</button>
         <script>let at = 0; const step = () => { at = (at + 8) % 900; script.style.left = at + 'px'; if (!window.halt) requestAnimationFrame(step) }; const script = document.getElementById('script'); step()</script>",
    )
    .await;
    assert_eq!(
        page.click_log("runs").await,
        "refused: the device refused: it is moving"
    );
    assert_eq!(page.click_log("pulses").await, "pulses");
    assert_eq!(page.click_log("glows").await, "glows");
    let mut target = page.target("document.getElementById('script')").await;
    target.last_center = Some(CssPoint { x: -50.0, y: 310.0 });
    let session = page.tab.session().clone();
    let done = page
        .input()
        .click(&session, &target, PressLength::Short)
        .await;
    assert_eq!(done, Err(DriverError::Refused("it is moving".to_owned())));
    page.evaluate("window.halt = true").await;
    let done = page
        .input()
        .click(&session, &target, PressLength::Short)
        .await;
    assert!(matches!(done, Ok(Some(_))), "{done:?}");
    assert_eq!(page.log().await, "script");
}

#[tokio::test]
async fn click_reaches_shadow_trees_and_frames() {
    let mut page = TestPage::open(
        "<x-closed id=host></x-closed><x-slots id=slots><span id=light>Light</span></x-slots>
         <script>customElements.define('x-closed', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<button>Closed</button>'; window.closed_button = root.firstChild; root.firstChild.onclick = () => note('closed') } });
         customElements.define('x-slots', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<button><slot></slot></button>'; window.slot_button = root.firstChild; root.firstChild.onclick = () => note('slotted') } })</script>
         <div style='height:2000px'></div>
         <iframe id=frame style='width:300px;height:200px;border:7px solid;padding:11px;transform:scale(.8)' srcdoc=\"<body style='margin:0'><div style='height:900px'></div><button onclick='parent.note(&quot;framed&quot;)'>Framed</button><div style='height:900px'></div>\"></iframe>
         <div style='height:2000px'></div>",
    )
    .await;
    assert_eq!(page.click_log("closed_button").await, "closed");
    assert_eq!(page.click_log("slot_button").await, "slotted");
    assert_eq!(page.click_log("light").await, "slotted");
    assert_eq!(page.click_log("host").await, "closed");
    assert_eq!(
        page.click_log("frame.contentDocument.querySelector('button')")
            .await,
        "framed"
    );
    page.evaluate("const veil = document.createElement('div'); veil.id = 'veil'; veil.style = 'position:fixed;inset:0'; document.body.append(veil)").await;
    for covered in [
        "closed_button",
        "slot_button",
        "light",
        "frame.contentDocument.querySelector('button')",
    ] {
        assert_eq!(
            page.click_log(covered).await,
            "refused: the device refused: covered by div#veil",
            "{covered}"
        );
    }
}

#[tokio::test]
async fn option_is_selected_and_long_press_is_held() {
    let mut page = TestPage::open(
        "<select id=list onchange=\"note('changed:' + this.value + ':' + event.isTrusted)\" oninput=note('input')>
           <option>One<option disabled>Two<option hidden>Three<option value=4>Four<optgroup label=More><option>Five</optgroup></select>
         <select id=many multiple onchange=\"note([...this.selectedOptions].map(o=>o.text).join('+'))\"><option>A<option>B<option>C</select>
         <button id=held>Hold</button>
         <script>let timer; held.onpointerdown = () => timer = setTimeout(() => note('held'), 500); held.onpointerup = () => clearTimeout(timer); held.onclick = () => note('click')</script>",
    )
    .await;
    assert_eq!(
        page.click_log("list.options[3]").await,
        "input changed:4:true"
    );
    assert_eq!(
        page.click_log("list.options[4]").await,
        "input changed:Five:true"
    );
    assert_eq!(
        page.click_log("list.options[0]").await,
        "input changed:One:true"
    );
    assert_eq!(page.click_log("list.options[0]").await, "");
    assert_eq!(
        page.click_log("list.options[1]").await,
        "refused: the device refused: it is disabled"
    );
    assert_eq!(
        page.click_log("list.options[2]").await,
        "refused: the device refused: the list does not show it"
    );
    assert_eq!(page.click_log("many.options[1]").await, "B");
    let target = page.target("held").await;
    let session = page.tab.session().clone();
    let done = page
        .input()
        .click(&session, &target, PressLength::Long)
        .await;
    assert!(matches!(done, Ok(Some(_))), "{done:?}");
    assert_eq!(page.log().await, "held click");
}

#[tokio::test]
async fn scroll_moves_only_its_container_without_input() {
    let mut page = TestPage::open(
        "<style>body { margin: 0 } .box { height: 300px; width: 300px } .tall { height: 3000px; width: 900px }</style>
         <div id=list class=box style='overflow:auto'><div id=inner class=box style='overflow:auto'><div class=tall>Long</div></div>
           <div class=tall>Long</div></div>
         <div id=lines class=box style='overflow-x:hidden;overflow-y:auto'><div class=tall>Long</div></div>
         <div id=turned class=box style='overflow:auto;display:flex;flex-direction:column-reverse'><div class=tall style='flex:none'>Long</div></div>
         <div id=rtl class=box dir=rtl style='overflow:auto'><div class=tall>Long</div></div>
         <div id=snaps class=box style='overflow:auto;scroll-snap-type:x mandatory;display:flex'>
           <div style='scroll-snap-align:start;flex:0 0 300px'>1</div><div style='scroll-snap-align:start;flex:0 0 300px'>2</div></div>
         <input id=count type=number value=5><input id=slide type=range value=50>
         <script>const kinds = 'pointerdown pointerup pointermove mousedown click wheel keydown touchstart dragstart input change';
           for (const kind of kinds.split(' ')) window.addEventListener(kind, () => note(kind), true)</script>",
    )
    .await;
    let session = page.tab.session().clone();
    for (element, by, outcome, now) in [
        ("list", (0.0, 200.0), ScrollOutcome::Moved, (0, 200)),
        ("inner", (0.0, 200.0), ScrollOutcome::Moved, (0, 200)),
        ("inner", (200.0, 0.0), ScrollOutcome::Moved, (200, 200)),
        ("list", (0.0, -900.0), ScrollOutcome::Moved, (0, 0)),
        ("list", (0.0, -200.0), ScrollOutcome::AtEdge, (0, 0)),
        ("lines", (200.0, 0.0), ScrollOutcome::AtEdge, (0, 0)),
        ("turned", (0.0, 200.0), ScrollOutcome::AtEdge, (0, 0)),
        ("turned", (0.0, -200.0), ScrollOutcome::Moved, (0, -200)),
        ("rtl", (200.0, 0.0), ScrollOutcome::AtEdge, (0, 0)),
        ("rtl", (-200.0, 0.0), ScrollOutcome::Moved, (-200, 0)),
        ("snaps", (168.0, 0.0), ScrollOutcome::Moved, (300, 0)),
        ("slide", (0.0, 200.0), ScrollOutcome::AtEdge, (0, 0)),
        (
            "document.documentElement",
            (0.0, 200.0),
            ScrollOutcome::Moved,
            (0, 200),
        ),
        (
            "document.documentElement",
            (0.0, -900.0),
            ScrollOutcome::Moved,
            (0, 0),
        ),
        (
            "document.documentElement",
            (0.0, -1.5),
            ScrollOutcome::AtEdge,
            (0, 0),
        ),
    ] {
        let container = page.target(element).await.element;
        let by = CssPoint { x: by.0, y: by.1 };
        let scrolled = page.input().scroll(&session, &container, by).await;
        assert_eq!(scrolled, Ok(outcome), "{element} by {by:?}");
        let at = page
            .evaluate(&format!("[{element}.scrollLeft, {element}.scrollTop]"))
            .await;
        assert_eq!(at, serde_json::json!([now.0, now.1]), "{element} by {by:?}");
    }
    page.evaluate("document.body.style.overflow = 'hidden'")
        .await;
    let root = page.target("document.documentElement").await.element;
    let by = CssPoint { x: 0.0, y: 200.0 };
    let locked = page.input().scroll(&session, &root, by).await;
    assert_eq!(locked, Ok(ScrollOutcome::AtEdge));
    assert_eq!(page.log().await, "");
    assert_eq!(
        page.evaluate("[count.value, slide.value].join()").await,
        "5,50"
    );
}

#[tokio::test]
async fn background_tab_receives_scroll_event() {
    let mut page = TestPage::open(
        "<body style='margin:0'><div id=list style='height:400px;overflow:auto' onscroll=\"note('scroll')\"><div style='height:9000px'>Long</div></div>",
    )
    .await;
    let session = page.tab.session().clone();
    let by = CssPoint { x: 0.0, y: 200.0 };
    for scrolls in 1..=12 {
        // Another tab comes to the front each time, as if opened by another client.
        let opened = page.browser.open_tab("data:text/html,Other").await.unwrap();
        let other = page.browser.attach(&opened).await.unwrap();
        other.session().call(&BringToFront {}).await.unwrap();
        let list = page.target("list").await.element;
        let scrolled = page.input().scroll(&session, &list, by).await;
        assert_eq!(scrolled, Ok(ScrollOutcome::Moved));
        assert_eq!(page.evaluate("list.scrollTop").await, 200 * scrolls);
        assert_eq!(page.log().await, "scroll");
        page.browser.close_tab(&opened).await.unwrap();
    }
}

#[tokio::test]
async fn clicked_element_object_is_kept_while_in_document() {
    // More than are kept at a time.
    let buttons: String = (0..12)
        .map(|place| format!("<button id=b{place} onclick=note('b{place}')>{place}</button>"))
        .collect();
    let mut page = TestPage::open(&buttons).await;
    for _ in 0..2 {
        for place in 0..12 {
            let id = format!("b{place}");
            assert_eq!(page.click_log(&id).await, id);
            assert_eq!(page.click_log(&id).await, id);
        }
    }
    let session = page.tab.session().clone();
    let (gone, before) = (page.target("b10").await, page.target("b11").await);
    page.evaluate("b10.replaceWith(b10.cloneNode(true))").await;
    let clicked = page
        .input()
        .click(&session, &gone, PressLength::Short)
        .await;
    assert_eq!(clicked, Err(DriverError::Stale));
    assert_eq!(page.click_log("b10").await, "b10");
    page.load(&buttons).await;
    let clicked = page
        .input()
        .click(&session, &before, PressLength::Short)
        .await;
    assert_eq!(clicked, Err(DriverError::Stale));
    assert_eq!(page.log().await, "");
    assert_eq!(page.click_log("b11").await, "b11");
}

#[tokio::test]
async fn click_that_opens_dialog_succeeds_and_next_is_refused() {
    let mut page = TestPage::open(
        "<button id=ask onclick=\"note('asked'); note(confirm('Sure?'))\">Ask</button>",
    )
    .await;
    assert_eq!(page.click("ask").await, Ok(()));
    let state = page.tab.state();
    assert_eq!(state.dialog.unwrap().message, "Sure?");
    let session = page.tab.session().clone();
    let done = page
        .input()
        .press(&session, &[crate::input::keys::ENTER])
        .await;
    assert_eq!(done, Ok(()));
    let answer = cdp::protocol::page::HandleJavaScriptDialog {
        accept: true,
        prompt_text: None,
    };
    session.call(&answer).await.unwrap();
    assert_eq!(page.log().await, "asked true");
}

//! Clicks by CSS selector without an observation: made only where an observation and a click would have the
//! same result.

use driver::{ActOutcome, Browser as _, Driver, DriverError, NodeAct};
use uitree::Query;

use super::{DrivenTab, Running, cx};

impl DrivenTab {
    /// What a click on the match of a selector did; `None` if nothing was done.
    async fn press_css(&mut self, css: &str) -> Option<ActOutcome> {
        let clicked = self.driver.click_css(&cx(), css).await;
        clicked.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    async fn click_css(&mut self, css: &str) -> bool {
        self.press_css(css).await.is_some()
    }
}

#[tokio::test]
async fn only_match_is_scrolled_to_and_clicked() {
    let mut driven = DrivenTab::show(
        "<button id=top class=b onclick=note('top')><b>Top</b></button><label>Box <input type=checkbox id=box onclick=note('box')></label>
         <div style='height:3000px'></div><div class=b id=deep onclick=note('deep')>Deep</div>",
    )
    .await;
    for css in ["#top", "button.b > b", "div.b", "#box"] {
        let clicked = driven.press_css(css).await;
        assert!(
            clicked.is_some_and(|clicked| clicked.touched.is_some()),
            "{css}"
        );
    }
    assert_eq!(driven.noted(), ["top", "top", "deep", "box"]);
}

#[tokio::test]
async fn uncertain_cases_need_an_observation() {
    let mut driven = DrivenTab::show(
        "<button class=two onclick=note('two')>1</button><button class=two onclick=note('two')>2</button>
         <button id=off disabled onclick=note('off')>Off</button>
         <button id=aria aria-disabled=true onclick=note('aria')>Off</button>
         <div aria-disabled=true><button id=around onclick=note('around')>Off</button></div>
         <fieldset disabled><button id=set onclick=note('set')>Off</button></fieldset>
         <div inert><button id=inert onclick=note('inert')>Off</button></div>
         <button id=none style='display:none'>None</button>
         <div style='position:relative;width:200px'><button id=under onclick=note('under') style='width:200px'>Under</button>
           <div style='position:absolute;inset:0' onclick=note('over')></div></div>
         <x-own id=own style='display:block' onclick=note('own')>Own</x-own>
         <select><option id=option>Option</select><iframe id=frame src='{{own}}/frame'></iframe>",
    )
    .await;
    driven.page("/frame", "<button id=in onclick=note('in')>In</button>");
    for css in [
        ".two",
        "#missing",
        "#off",
        "#aria",
        "#around",
        "#set",
        "#inert",
        "#none",
        "#under",
        "#own",
        "#option",
        "#in",
        "#frame >>> #in",
        "button[",
    ] {
        assert!(!driven.click_css(css).await, "{css}");
        assert_eq!(driven.noted(), [""; 0], "{css}");
    }
}

#[tokio::test]
async fn nothing_is_clicked_behind_a_dialog() {
    let mut driven = DrivenTab::show(
        "<button id=ask onclick=\"note('ask');confirm('Sure?');note('answered')\">Ask</button><button id=other onclick=note('other')>Other</button>",
    )
    .await;
    assert!(driven.click_css("#ask").await);
    assert!(!driven.click_css("#other").await);
    assert_eq!(driven.noted(), ["ask"]);
}

#[tokio::test]
async fn press_that_would_hit_another_element_is_blocked() {
    // Something covers the element when the mouse arrives: after aiming, before the press.
    let mut driven = DrivenTab::show(COVERED_ON_HOVER).await;
    assert!(!driven.click_css("#wanted").await);
    assert_eq!(driven.noted(), [""; 0]);
    // The handler that blocked the press is gone afterwards: the next press arrives.
    let over = driven.hit("#over").await;
    assert_eq!(driven.driver_act(over, &NodeAct::Click).await, Ok(()));
    assert_eq!(driven.noted(), ["down", "over"]);
}

#[tokio::test]
async fn moving_target_is_hit_or_left_alone() {
    let mut driven = DrivenTab::show(
        "<style>button{position:absolute;top:100px;width:60px;height:30px}</style><div id=lane></div>
         <script>for (let at = 0; at < 20; at += 1) { const button = document.createElement('button');
           button.textContent = at; button.id = 'b' + at; button.onclick = () => note('b' + at); lane.append(button); }
         const began = performance.now(); const run = (now) => { [...lane.children].forEach((button, at) => {
           button.style.left = ((at * 60 + (now - began) * 2) % 1200) + 'px' }); requestAnimationFrame(run) };
         requestAnimationFrame(run)</script>",
    )
    .await;
    let mut clicks = 0;
    for turn in 0..40 {
        let css = format!("#b{}", turn % 2 * 7);
        match driven.driver.click_css(&cx(), &css).await {
            // Pressed, but covered or moved before the release: not a click, and not reported as one.
            Ok(clicked) => clicks += usize::from(clicked.is_some_and(|clicked| !clicked.missed)),
            Err(DriverError::Partial(_)) => {}
            Err(error) => panic!("{css}: {error}"),
        }
    }
    let noted = driven.noted();
    assert_eq!(noted.len(), clicks, "{noted:?}");
    assert!(noted.iter().all(|id| id == "b0" || id == "b7"), "{noted:?}");
}

#[tokio::test]
async fn touch_point_is_in_device_pixels() {
    let running = Running::with(&["--force-device-scale-factor=3"]).await;
    let mut driven = DrivenTab::on(
        running,
        "<style>body{margin:0}</style><button id=b style='width:100px;height:40px' onclick=note('b')>B</button>",
    )
    .await;
    let clicked = driven.press_css("#b").await.unwrap();
    assert_eq!(clicked.touched, Some(uitree::Point::new(150, 60)));
    assert_eq!(driven.noted(), ["b"]);
}

#[tokio::test]
async fn left_page_is_not_clicked_again() {
    let mut driven = DrivenTab::show(
        "<form action='{{own}}/second'><button id=go onclick=note('first')>Go</button></form>",
    )
    .await;
    let second = "<button id=go type=button onclick=note('second')>Go</button>";
    driven.page("/second", second);
    for round in 0..10 {
        driven.open("/").await.unwrap();
        let before = driven.noted().len();
        assert!(driven.click_css("#go").await, "round {round}");
        // Whether the second page is loaded or an observation has to wait for it: the first page is not
        // clicked twice.
        let again = driven.click_css("#go").await;
        let noted = driven.noted().split_off(before);
        let expected: &[&str] = if again {
            &["first", "second"]
        } else {
            &["first"]
        };
        assert_eq!(noted, expected, "round {round}");
        driven.find(Query::new().id("go")).await;
    }
}

#[tokio::test]
async fn page_cannot_detect_the_watcher() {
    let mut driven = DrivenTab::show(
        "<button id=b>B</button><script>
         const kept = Object.getOwnPropertyNames(window).length;
         new MutationObserver(() => note('mutation')).observe(document, {subtree: true, childList: true, attributes: true});
         b.onclick = (event) => note([event.isTrusted, event.defaultPrevented, Object.getOwnPropertyNames(window).length - kept,
           Object.getOwnPropertySymbols(window).map(String).filter((name) => name.includes('press'))].join(' '));
         </script>",
    )
    .await;
    assert!(driven.click_css("#b").await);
    assert_eq!(driven.noted(), ["true false 0 "]);
}

#[tokio::test]
async fn element_acting_on_mouse_down_was_clicked() {
    let mut driven = DrivenTab::show(
        "<div id=goes onmousedown=\"note('goes');this.remove()\">Goes</div><p style='height:50px'></p>
         <div style='position:relative'><button id=opens style='width:100px' onmousedown=\"note('opens');list.hidden=false\">Opens</button>
         <div id=list hidden style='position:absolute;inset:0;background:#eee'>List</div></div>",
    )
    .await;
    assert!(!driven.press_css("#goes").await.unwrap().missed);
    assert!(driven.press_css("#opens").await.unwrap().missed);
    assert_eq!(driven.noted(), ["goes", "opens"]);
}

#[tokio::test]
async fn covered_during_press_is_no_click() {
    let overlay = |more: &str| {
        format!(
            "<div style='position:relative;width:200px'><button id=b style='width:200px;height:40px'
             onpointerdown=\"note('down');over.hidden=false\" onclick=note('click')>B</button>
             <div id=over hidden style='position:absolute;inset:0;background:#eee;{more}' onclick=note('over')>Over</div></div>
             <button id=c onclick=note('c')>C</button>"
        )
    };
    let mut driven = DrivenTab::show("").await;
    for (more, clicked, events) in [
        ("", false, vec!["down"]),
        ("pointer-events:none", true, vec!["down", "click"]),
    ] {
        for with_observation in [false, true] {
            driven.page("/case", &overlay(more));
            driven.open("/case").await.unwrap();
            let before = driven.noted().len();
            let outcome = match with_observation {
                true => {
                    let node = driven.hit("#b").await;
                    driven.driver.act(&cx(), node, &NodeAct::Click).await.ok()
                }
                false => driven.press_css("#b").await,
            };
            assert_eq!(
                outcome.map(|outcome| !outcome.missed),
                Some(clicked),
                "{more} {with_observation}"
            );
            assert_eq!(
                driven.noted().split_off(before),
                events,
                "{more} {with_observation}"
            );
            assert!(!driven.press_css("#c").await.unwrap().missed);
        }
    }
}

#[tokio::test]
async fn release_beside_moved_target_is_no_click() {
    let mut driven = DrivenTab::show(
        "<body onclick=note('body')><button id=b style='position:relative;left:0' onmousedown=\"note('down');this.style.left='400px'\"
         onclick=note('click')>B</button>",
    )
    .await;
    assert!(driven.press_css("#b").await.unwrap().missed);
    assert_eq!(driven.noted(), ["down"]);
}

#[tokio::test]
async fn next_press_is_not_blocked_by_old_watcher() {
    let mut driven = DrivenTab::show(&format!(
        "{COVERED_ON_HOVER}<button id=b onclick=note('b')>B</button><button id=c onclick=note('c')>C</button>"
    ))
    .await;
    assert!(!driven.click_css("#wanted").await);
    // Touches are not watched, not even by leftovers of the earlier press.
    let (seen, over) = driven.find(Query::new().id("over")).await;
    let at = seen.tree.visible_bounds(over).unwrap().center();
    let tap = driver::Gesture::Tap { at };
    assert_eq!(driven.driver.touch(&cx(), &tap).await, Ok(()));
    for css in ["#b", "#b", "#c", "#b"] {
        assert!(driven.click_css(css).await, "{css}");
    }
    assert_eq!(driven.noted(), ["down", "over", "b", "b", "c", "b"]);
}

/// A button that is covered as soon as the mouse arrives.
const COVERED_ON_HOVER: &str = "<div style='position:relative;width:200px'><button id=wanted onclick=note('wanted') style='width:200px;height:40px'>Wanted</button>
    <div id=over style='position:absolute;inset:0;display:none;background:#eee' onclick=note('over') onmousedown=note('down')>Over</div></div>
    <script>addEventListener('mousemove', () => { over.style.display = 'block' })</script>";

#[tokio::test]
async fn press_after_observation_is_also_blocked() {
    for act in [NodeAct::Click, NodeAct::LongClick] {
        let mut driven = DrivenTab::show(COVERED_ON_HOVER).await;
        let held = driven.act(Query::new().id("wanted"), &act).await;
        assert!(matches!(held, Err(DriverError::Refused(_))), "{held:?}");
        assert_eq!(driven.noted(), [""; 0]);
    }
}

/// The outcome of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PressOutcome {
    Done,
    Half,
    Held,
}

impl DrivenTab {
    /// Presses the same element on a fresh page in every way, and compares the reports and the page's events
    /// with the expected ones.
    async fn press_each(&mut self, cases: &[(&str, &str, PressOutcome, &[&str])]) {
        for (html, css, expected, events) in cases {
            let acts = [None, Some(NodeAct::Click), Some(NodeAct::LongClick)];
            for act in acts {
                let alone = act.is_none();
                // A plain selector reaches no other document and no closed shadow tree.
                if alone && css.contains(">>>") {
                    continue;
                }
                self.page("/case", html);
                self.open("/case").await.unwrap();
                let before = self.noted().len();
                let outcome = match &act {
                    None => self.driver.click_css(&cx(), css).await,
                    Some(act) => {
                        let node = self.hit(css).await;
                        self.driver.act(&cx(), node, act).await.map(Some)
                    }
                };
                let result = match &outcome {
                    Ok(Some(pressed)) if pressed.missed => PressOutcome::Half,
                    Ok(Some(_)) => PressOutcome::Done,
                    Ok(None) | Err(DriverError::Refused(_) | DriverError::Unreachable(_)) => {
                        PressOutcome::Held
                    }
                    Err(error) => panic!("{css} in {html}: {error}"),
                };
                let noted = self.noted().split_off(before);
                // A long press is complete when it is released.
                let expected = match (expected, &act) {
                    (PressOutcome::Half, Some(NodeAct::LongClick)) => PressOutcome::Done,
                    (expected, _) => *expected,
                };
                assert_eq!(
                    (result, noted.as_slice()),
                    (
                        expected,
                        events
                            .iter()
                            .map(ToString::to_string)
                            .collect::<Vec<_>>()
                            .as_slice()
                    ),
                    "{act:?} of {css} in {html}: {outcome:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn equal_replacement_under_the_mouse_is_pressed() {
    let mut driven = DrivenTab::show("").await;
    driven
        .press_each(&[
            // A framework re-renders the same button on hover: it counts as the target.
            (
                "<div id=w><button id=b onclick=note('b')>Go</button></div><script>w.onmousemove = () => {
                 w.innerHTML = `<button id=b class=hover onclick=note('b')>Go</button>` }</script>",
                "#b",
                PressOutcome::Done,
                &["b"],
            ),
            // The same with the whole list: only the button of the same row is the target.
            (
                "<ul id=w></ul><script>const rows = ['A', 'B', 'C']; const draw = () => { w.innerHTML = rows.map((row) =>
                 `<li>${row} <button class=${row} onclick=note('${row}')>Delete</button>`).join('') };
                 draw(); w.onmousemove = draw</script>",
                ".B",
                PressOutcome::Done,
                &["B"],
            ),
            (
                "<ul id=w></ul><script>const rows = ['A', 'B', 'C']; const draw = () => { w.innerHTML = rows.map((row) =>
                 `<li>${row} <button data-row=${row} onclick=note('${row}')>Delete</button>`).join('') };
                 draw(); w.onmousemove = () => { if (rows.length === 3) { rows.shift(); draw() } }</script>",
                "[data-row=A]",
                PressOutcome::Held,
                &[],
            ),
            // The same number of rows, but another one first.
            (
                "<ul id=w></ul><script>let rows = ['A', 'B']; const draw = () => { w.innerHTML = rows.map((row) =>
                 `<li>${row} <button data-row=${row} onclick=note('${row}')>Delete</button>`).join('') };
                 draw(); w.onmousemove = () => { rows = ['B', 'A']; draw() }</script>",
                "[data-row=A]",
                PressOutcome::Held,
                &[],
            ),
            // Re-rendered on every mouse event, it is removed during the press, which then has no effect.
            (
                "<div id=w></div><script>const draw = () => { w.innerHTML =
                 `<button id=b onmouseenter=draw() onclick=note('b')>Go</button>` }; draw()</script>",
                "#b",
                PressOutcome::Held,
                &[],
            ),
            // The icon of a button changes on hover; the button is the same.
            (
                "<style>.y, #b:hover .x { display: none } #b:hover .y { display: inline }</style>
                 <button id=b onclick=note('b')><i class=x>XX</i><i class=y>YY</i></button>",
                ".x",
                PressOutcome::Done,
                &["b"],
            ),
        ])
        .await;
}

#[tokio::test]
async fn other_element_under_the_mouse_is_not_pressed() {
    let mut driven = DrivenTab::show("").await;
    let inner = "<body style='margin:0'><button id=in style='width:200px;height:80px' onclick=note('in')>In</button>
        <script>addEventListener('mousemove', () => { parent.over.style.display = 'block' })</script>";
    driven.page("/inner", inner);
    driven
        .press_each(&[
            // A nested control with its own action.
            (
                "<style>#d { display: none; position: absolute; inset: 20px 80px } #card:hover #d { display: block }</style>
                 <div id=card style='position:relative;width:200px;height:80px' onclick=note('card')>Card<button id=d
                 onclick=\"event.stopPropagation();note('delete')\">Delete</button></div>",
                "#card",
                PressOutcome::Held,
                &[],
            ),
            // A page that stops the propagation of one kind of event.
            (
                "<script>addEventListener('pointerdown', (event) => event.stopImmediatePropagation(), true);
                 addEventListener('mousemove', () => { over.style.display = 'block' })</script>
                 <div style='position:relative;width:200px'><button id=b onclick=note('b') style='width:200px'>B</button>
                 <div id=over style='position:absolute;inset:0;display:none' onmousedown=note('down') onclick=note('over')></div></div>",
                "#b",
                PressOutcome::Held,
                &[],
            ),
            // Nothing covers it, but it becomes disabled.
            (
                "<div id=w onclick=note('w')><button id=b onclick=note('b')>B</button></div>
                 <script>w.onmousemove = () => { b.disabled = true }</script>",
                "#b",
                PressOutcome::Held,
                &[],
            ),
            // Over the frame that contains it.
            (
                "<div style='position:relative;width:300px'><iframe id=f src='{{own}}/inner'></iframe>
                 <div id=over style='position:absolute;inset:0;display:none' onmousedown=note('down') onclick=note('over')></div></div>",
                "#f >>> #in",
                PressOutcome::Held,
                &[],
            ),
        ])
        .await;
}

#[tokio::test]
async fn cover_over_out_of_process_frame_is_not_pressed() {
    let mut driven = DrivenTab::show("").await;
    driven.page(
        "/inner",
        "<button id=in style='width:200px;height:80px' onclick=note('in')>In</button>",
    );
    driven.page(
        "/case",
        "<div style='position:relative;width:300px'><iframe id=f src='{{other}}/inner'></iframe>
         <div id=over style='position:absolute;inset:0;display:none;background:#eee' onclick=note('over')></div></div>
         <script>const flip = () => { over.style.display = over.style.display ? '' : 'none'; requestAnimationFrame(flip) }; flip()</script>",
    );
    for round in 0..12 {
        driven.open("/case").await.unwrap();
        let before = driven.noted().len();
        let node = driven.hit("#f >>> #in").await;
        let outcome = driven.driver_act(node, &NodeAct::Click).await;
        let noted = driven.noted().split_off(before);
        // Which process receives the press is unknown; it hits the button or nothing.
        assert!(
            noted.iter().all(|word| word == "in"),
            "round {round}: {noted:?}"
        );
        match outcome {
            Ok(()) => {}
            Err(DriverError::Refused(_) | DriverError::Unreachable(_)) => {
                assert_eq!(noted, [""; 0], "round {round}")
            }
            Err(error) => panic!("round {round}: {error}"),
        }
    }
}

#[tokio::test]
async fn press_without_a_click_is_no_click_if_the_target_is_moved_or_replaced() {
    let mut driven = DrivenTab::show("").await;
    driven
        .press_each(&[
            // A list that acts on mouse down closes in one of two ways.
            (
                "<style>.off { visibility: hidden; transform: translateY(-60px) }</style><div id=list
                 style='margin-top:80px;width:100px' onmousedown=\"note('down');this.className='off'\"><div id=o>One</div></div>",
                "#o",
                PressOutcome::Done,
                &["down"],
            ),
            (
                "<div style='position:absolute;left:50px;top:80px' onmousedown=\"note('down');this.style.left='-9999px'\">
                 <div id=o>One</div></div>",
                "#o",
                PressOutcome::Done,
                &["down"],
            ),
            (
                "<div style='position:absolute;left:50px;top:80px' onmousedown=\"note('down');this.style.opacity=0;this.style.top='9px'\">
                 <div id=o>One</div></div>",
                "#o",
                PressOutcome::Done,
                &["down"],
            ),
            // The icon of a pressed button.
            (
                "<style>#b { width: 200px; text-align: left } #b:active i { position: relative; left: 90px }</style>
                 <button id=b onclick=note('b')><i>x</i></button>",
                "#b > i",
                PressOutcome::Done,
                &["b"],
            ),
            // An action started by a press ends on release, wherever that is.
            (
                "<body onclick=note('body') onmouseup=note('up')><button id=b style='position:relative'
                 onmousedown=\"note('down');this.style.left='300px'\">B</button>",
                "#b",
                PressOutcome::Half,
                &["down", "up"],
            ),
            // Without the compatibility mouse events.
            (
                "<body onclick=note('body')><button id=b style='position:relative'
                 onpointerdown=\"event.preventDefault();note('down');this.style.left='300px'\">B</button>",
                "#b",
                PressOutcome::Half,
                &["down"],
            ),
            // Something new is in its place, with the same or other words.
            (
                "<body onclick=note('body')><div id=w><button id=b onmousedown=\"note('down');w.innerHTML = `<button onclick=note('new')>Danger</button>`\">Swap</button></div>",
                "#b",
                PressOutcome::Half,
                &["down"],
            ),
            (
                "<div id=w><button id=b onmousedown=\"note('down');w.innerHTML = `<button id=b onclick=note('new')>Order</button>`\">Order</button></div>",
                "#b",
                PressOutcome::Half,
                &["down"],
            ),
            // Only the icon of the button is replaced: the browser sends no click either.
            (
                "<button id=b onmousedown=\"note('down');b.innerHTML = '<i>x</i>'\" onclick=note('b')><i id=i>x</i></button>",
                "#i",
                PressOutcome::Half,
                &["down"],
            ),
            // An option that acts on mouse down closes its list, and the next row moves up.
            (
                "<ul style='margin:0;padding:0'><li id=o onmousedown=\"note('down');this.remove()\">One<li>Two</ul>",
                "#o",
                PressOutcome::Done,
                &["down"],
            ),
            // Another element captures the pointer, and gets the click.
            (
                "<div id=lane style='width:300px'><div id=h style='width:20px;height:20px'></div></div><script>
                 h.onpointerdown = (event) => { lane.setPointerCapture(event.pointerId); note('down') };
                 lane.onpointerup = () => note('up')</script>",
                "#h",
                PressOutcome::Half,
                &["down", "up"],
            ),
        ])
        .await;
}

#[tokio::test]
async fn field_may_shadow_form_properties() {
    let mut driven = DrivenTab::show(
        "<form onsubmit='return false'><input name=children value=2><input name=matches><input name=inert><button id=go onclick=note('go')>Go</button></form>",
    )
    .await;
    assert!(driven.click_css("#go").await);
    assert_eq!(driven.click("go").await, Ok(()));
    assert_eq!(driven.noted(), ["go", "go"]);
}

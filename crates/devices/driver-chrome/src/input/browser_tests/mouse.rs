//! The mouse beyond clicks: double and right clicks, moves, drags.

use std::time::Duration;

use driver::{Cx, DriverError};
use testkit::web::Request;
use tokio_util::sync::CancellationToken;

use super::{ClickOutcome, CssPoint, MouseEnd, PageInput, TestPage};

/// How long the move of a drag takes here.
const MOVE: Duration = Duration::from_millis(200);

/// Notes the mouse events of the element with this id.
const NOTES: &str = "<script>window.watch = (id, ...kinds) => { for (const kind of kinds) document.getElementById(id).addEventListener(kind, (event) => note(`${id}.${kind}.${event.button}${event.detail ? '.' + event.detail : ''}${event.isTrusted ? '' : '?'}`)) }</script>";

impl TestPage {
    /// The place of the mouse on the element of an expression.
    async fn end(&self, id: &str) -> MouseEnd {
        let target = self
            .target(&format!("document.getElementById('{id}')"))
            .await;
        MouseEnd::Element(Box::new(target))
    }

    /// Drags from one element to another, and returns the events or the error.
    async fn dragged(&mut self, from: &str, to: &str) -> String {
        let (from, to) = (self.end(from).await, self.end(to).await);
        let session = self.tab.session().clone();
        match self.input().drag(&session, &from, &to, MOVE).await {
            Ok(_) => self.log().await,
            Err(error) => format!("{} {error}", self.log().await),
        }
    }
}

#[tokio::test]
async fn double_click_is_two_clicks_and_a_double_click() {
    let mut page = TestPage::open(&format!(
        "{NOTES}<button id=button>Twice</button><p><span id=words>words</span></p>
         <div style='position:relative'><button id=under>Under</button><div id=veil style='position:absolute;inset:-5px'>Veil</div></div>
         <button id=gone onclick=\"note('gone');this.remove()\">Gone</button>
         <script>watch('button', 'mousedown', 'mouseup', 'click', 'dblclick'); watch('under', 'click'); watch('veil', 'click', 'dblclick')</script>"
    ))
    .await;
    let session = page.tab.session().clone();
    let button = page.end("button").await;
    let clicked = page.input().double_click(&session, &button).await.unwrap();
    assert_eq!(clicked.unwrap().1, ClickOutcome::Clicked);
    assert_eq!(
        page.log().await,
        "button.mousedown.0.1 button.mouseup.0.1 button.click.0.1 button.mousedown.0.2 button.mouseup.0.2 button.click.0.2 button.dblclick.0.2"
    );
    let words = page.end("words").await;
    page.input().double_click(&session, &words).await.unwrap();
    assert_eq!(
        page.evaluate("getSelection().toString().trim()").await,
        "words"
    );
    let at = page
        .evaluate("(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.getElementById('button').getBoundingClientRect())")
        .await;
    let point = MouseEnd::Point(CssPoint {
        x: at[0].as_f64().unwrap(),
        y: at[1].as_f64().unwrap(),
    });
    page.input().double_click(&session, &point).await.unwrap();
    assert!(page.log().await.ends_with("button.dblclick.0.2"));
    let under = page.end("under").await;
    let covered = page.input().double_click(&session, &under).await;
    assert!(
        matches!(covered, Err(DriverError::Unreachable(_))),
        "{covered:?}"
    );
    let gone = page.end("gone").await;
    let once = page.input().double_click(&session, &gone).await;
    assert!(matches!(once, Err(DriverError::Partial(_))), "{once:?}");
    assert_eq!(page.log().await, "gone");
}

#[tokio::test]
async fn right_click_opens_the_menu_of_the_page() {
    let mut page = TestPage::open(&format!(
        "{NOTES}<button id=own oncontextmenu=\"event.preventDefault()\">Own menu</button><button id=browser>Menu of the browser</button>
         <div style='position:relative'><button id=under>Under</button><div id=veil style='position:absolute;inset:-5px'>Veil</div></div>
         <button id=next>Next</button>
         <script>for (const id of ['own', 'browser', 'veil', 'next']) watch(id, 'mousedown', 'contextmenu', 'mouseup', 'auxclick', 'click')</script>"
    ))
    .await;
    let session = page.tab.session().clone();
    for (id, events) in [
        (
            "own",
            "own.mousedown.2.1 own.contextmenu.2 own.mouseup.2.1 own.auxclick.2.1",
        ),
        (
            "browser",
            "browser.mousedown.2.1 browser.contextmenu.2 browser.mouseup.2.1 browser.auxclick.2.1",
        ),
    ] {
        let target = page.end(id).await;
        let (_, outcome) = page.input().right_click(&session, &target).await.unwrap();
        assert_eq!(outcome, ClickOutcome::Clicked);
        assert_eq!(page.log().await, events);
    }
    let under = page.end("under").await;
    let covered = page.input().right_click(&session, &under).await;
    assert!(
        matches!(covered, Err(DriverError::Unreachable(_))),
        "{covered:?}"
    );
    assert_eq!(page.log().await, "");
    // No menu of the browser takes the next click.
    page.click("document.getElementById('next')").await.unwrap();
    assert_eq!(
        page.log().await,
        "next.mousedown.0.1 next.mouseup.0.1 next.click.0.1"
    );
}

#[tokio::test]
async fn hover_shows_what_appears_under_the_mouse() {
    let mut page = TestPage::open(
        "<style>#menu { display: none } #bar:hover #menu { display: block }</style>
         <div style='height:2000px'></div><div id=bar style='width:200px'>Products<button id=menu onclick=note('item')>Item</button></div>
         <button id=next style='position:fixed;left:0;top:0' onclick=note('next')>Next</button>",
    )
    .await;
    let session = page.tab.session().clone();
    let bar = page.end("bar").await;
    page.input().hover(&session, &bar).await.unwrap();
    assert_eq!(
        page.evaluate("getComputedStyle(document.getElementById('menu')).display")
            .await,
        "block"
    );
    assert_eq!(page.log().await, "", "nothing was pressed");
    page.click("document.getElementById('menu')").await.unwrap();
    assert_eq!(page.log().await, "item");
    // A press elsewhere right after a move is not blocked.
    page.input().hover(&session, &bar).await.unwrap();
    let at = page
        .evaluate(
            "(({x, y}) => [x + 5, y + 5])(document.getElementById('next').getBoundingClientRect())",
        )
        .await;
    let at = CssPoint {
        x: at[0].as_f64().unwrap(),
        y: at[1].as_f64().unwrap(),
    };
    page.input().click_at(&session, at).await.unwrap();
    assert_eq!(page.log().await, "next");
}

#[tokio::test]
async fn drag_moves_with_the_button_down() {
    let mut page = TestPage::open(&format!(
        "{NOTES}<div id=card style='position:absolute;left:50px;top:50px;width:80px;height:40px;background:#ddd'>Card</div>
         <div id=bin style='position:absolute;left:400px;top:300px;width:200px;height:200px;border:1px solid'>Bin</div>
         <div id=veil style='position:absolute;left:40px;top:140px;width:200px;height:60px;z-index:2' onmousedown=\"note('veil')\">Veil</div>
         <div id=under style='position:absolute;left:50px;top:150px;width:80px;height:40px' onmousedown=\"note('under')\">Under</div>
         <script>
           let held = false, moves = 0
           card.onpointerdown = () => {{ held = true; note('down') }}
           onpointermove = (event) => {{ if (held) {{ moves += 1; card.style.left = event.clientX - 40 + 'px'; card.style.top = event.clientY - 20 + 'px' }} }}
           onpointerup = (event) => {{ if (held) note(`up.${{moves > 4}}.${{document.elementsFromPoint(event.clientX, event.clientY).includes(bin)}}`); held = false }}
         </script>"
    ))
    .await;
    assert_eq!(page.dragged("card", "bin").await, "down up.true.true");
    let refused = page.dragged("under", "bin").await;
    assert!(refused.contains("covered by div#veil"), "{refused}");
    assert!(!refused.contains("down"), "{refused}");
}

#[tokio::test]
async fn drag_drops_what_a_page_makes_draggable() {
    let mut page = TestPage::open(
        "<div id=card draggable=true style='width:80px;height:40px;background:#ddd'>Card</div>
         <div id=bin style='margin-top:100px;width:200px;height:200px;border:1px solid'>Bin</div><button id=next onclick=note('next')>Next</button>
         <script>
           card.ondragstart = (event) => { event.dataTransfer.setData('text/plain', 'the card'); note('start') }
           bin.ondragenter = (event) => { event.preventDefault(); note('enter') }
           bin.ondragover = (event) => event.preventDefault()
           bin.ondrop = (event) => { event.preventDefault(); note('drop:' + event.dataTransfer.getData('text/plain')) }
           card.ondragend = () => note('end')
         </script>",
    )
    .await;
    assert_eq!(
        page.dragged("card", "bin").await,
        "start enter drop:the card end"
    );
    page.click("document.getElementById('next')").await.unwrap();
    assert_eq!(page.log().await, "next");
}

#[tokio::test]
async fn drag_needs_both_ends_in_view() {
    // Scrolling to the one scrolls the other out of view or below the footer; something else is where it was.
    let mut page = TestPage::open(
        "<style>body{margin:0;height:5000px} header,footer{position:fixed;left:0;right:0;height:120px;z-index:5;background:#eee}
         div{position:absolute;width:200px;height:60px}</style><header style='top:0'></header><footer style='bottom:0'></footer>
         <div id=card style='top:1520px;left:20px'>Card</div><div id=trash style='top:1400px;left:400px;height:300px'>Trash</div>
         <div id=archive style='left:400px'>Archive</div>
         <script>archive.style.top = 1500 + innerHeight - 90 + 'px'; scrollTo(0, 1500);
           for (const kind of ['mousedown', 'mouseup']) addEventListener(kind, (event) => note(kind + ':' + event.target.id))</script>",
    )
    .await;
    let refused = page.dragged("card", "archive").await;
    assert!(
        refused.contains("cannot be seen at the same time"),
        "{refused}"
    );
    assert!(!refused.contains("mouse"), "{refused}");
    page.evaluate("archive.style.top = '1750px'").await;
    assert_eq!(
        page.dragged("card", "archive").await,
        "mousedown:card mouseup:archive"
    );
}

#[tokio::test]
async fn drag_that_is_cut_off_is_no_click() {
    let mut page = TestPage::open(
        "<body onclick=\"note('click:' + event.target.id)\" onmouseup=note('up')><button id=card style='width:200px;height:60px'
         onmousedown=note('down')>Delete</button><div style='height:300px'></div><div id=bin>Bin</div><button id=next>Next</button>
         <script>addEventListener('mousemove', (event) => { if (event.buttons && !window.held) { held = true; const request = new XMLHttpRequest();
           request.open('POST', '{{own}}/moved', false); request.send() } })</script>",
    )
    .await;
    let (from, to) = (page.end("card").await, page.end("bin").await);
    let session = page.tab.session().clone();
    let cancellation = CancellationToken::new();
    let cx = Cx::new(Duration::from_secs(20), cancellation.clone());
    let mut input = PageInput::new(&cx, &page.tab, &mut page.worlds);
    let (cut, ()) = tokio::join!(
        input.drag(&session, &from, &to, Duration::from_secs(15)),
        async {
            let is_moved = |requests: &[Request]| requests.iter().any(|each| each.path == "/moved");
            page.web.until(is_moved).await;
            cancellation.cancel();
        }
    );
    assert_eq!(cut, Err(DriverError::Cancelled));
    page.click("next").await.unwrap();
    let log = page.log().await;
    assert!(log.starts_with("down up "), "{log}");
    assert!(log.ends_with("up click:next"), "{log}");
    assert!(!log.contains("click:card"), "{log}");
}

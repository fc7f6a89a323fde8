//! What is reported when a page interferes with an input: done, unknown, or nothing done. Only the last may be done again.

use driver::{Browser as _, Cx, Dispatch, Driver, DriverError, Key, NodeAct, Target};
use testkit::web::Reply;
use tokio_util::sync::CancellationToken;
use uitree::Query;

use super::{DrivenTab, cx};

impl DrivenTab {
    /// Selects an option of the list that a selector matches.
    async fn select(&mut self, css: &str, option: &str) -> driver::Result<Vec<String>> {
        let list = self.hit(css).await;
        self.driver
            .select_options(&cx(), list, &[option.to_owned()])
            .await
    }

    /// Replaces the text of the field that a selector matches.
    async fn set(&mut self, css: &str, text: &str) -> driver::Result<()> {
        let field = self.hit(css).await;
        self.driver_act(field, &NodeAct::SetText(text.to_owned()))
            .await
    }
}

/// A list of several options with this handler of its changes.
fn list(onchange: &str) -> String {
    format!("<select id=s multiple onchange=\"{onchange}\"><option>one<option>two</select>")
}

#[tokio::test]
async fn change_that_opens_a_dialog_was_made() {
    let mut driven = DrivenTab::show(&format!(
        "{}<input id=d type=date onchange=\"note('booked');alert('Booked')\">",
        list("note('changed');alert('Saved')")
    ))
    .await;
    assert_eq!(driven.select("#s", "two").await, Ok(vec!["two".to_owned()]));
    assert_eq!(driven.key(Key::Enter).await, Ok(()));
    assert_eq!(driven.set("#d", "2026-12-24").await, Ok(()));
    assert_eq!(driven.noted(), ["changed", "booked"]);
}

#[tokio::test]
async fn change_that_replaces_its_document_was_made() {
    let mut driven = DrivenTab::show(
        "<div id=holder></div><script>
         const build = () => { holder.innerHTML = `<iframe src='{{own}}/list'></iframe>` };
         window.changed = () => { note('changed'); holder.innerHTML = ''; setTimeout(build) }; build()</script>",
    )
    .await;
    driven.page("/list", &list("parent.changed()"));
    driven.page(
        "/leaves",
        &list("note('left');location.href='{{own}}/next'"),
    );
    driven.page("/next", "<p id=next>Next");
    driven.open("/").await.unwrap();
    let selected = driven.select("iframe >>> #s", "two").await;
    assert_eq!(selected, Ok(vec!["two".to_owned()]));
    driven.open("/leaves").await.unwrap();
    assert_eq!(driven.select("#s", "two").await, Ok(vec!["two".to_owned()]));
    driven.find(Query::new().id("next")).await;
    assert_eq!(driven.noted(), ["changed", "left"]);
}

/// A button over which a frame of this origin, with a button of its own, comes when the mouse moves there.
fn show_frame_over_button(driven: &DrivenTab, origin: &str) {
    driven.page(
        "/inner",
        "<body style='margin:0'><button style='width:220px;height:80px' onmousedown=note('down') onclick=note('bought')>Buy now</button>",
    );
    let case = format!(
        "<body style='margin:0'><button id=save style='position:absolute;left:100px;top:100px;width:200px;height:60px'
         onmousemove=\"over.style.display='block'\" onclick=note('saved')>Save draft</button>
         <iframe id=over style='display:none;position:absolute;left:90px;top:90px;width:220px;height:80px' src='{origin}/inner'></iframe>"
    );
    driven.page("/case", &case);
}

#[tokio::test]
async fn frame_that_comes_over_the_target_on_hover_is_not_pressed() {
    let mut driven = DrivenTab::show("").await;
    show_frame_over_button(&driven, "{{own}}");
    driven.open("/case").await.unwrap();
    assert_eq!(driven.driver.click_css(&cx(), "#save").await, Ok(None));
    driven.open("/case").await.unwrap();
    let done = driven.click("save").await;
    assert!(matches!(done, Err(DriverError::Refused(_))), "{done:?}");
    assert_eq!(driven.noted(), [""; 0]);
    // The frame itself may be clicked.
    let frame = driven.hit("#over").await;
    assert_eq!(driven.driver_act(frame, &NodeAct::Click).await, Ok(()));
    assert_eq!(driven.noted(), ["down", "bought"]);
}

#[tokio::test]
async fn press_that_another_document_receives_is_no_success() {
    let mut driven = DrivenTab::show("").await;
    // Nobody can block the press in a document of another origin.
    show_frame_over_button(&driven, "{{other}}");
    driven.open("/case").await.unwrap();
    driven.hit("iframe >>> button").await;
    let done = driven.click("save").await;
    match driven.noted().as_slice() {
        // The browser may still have sent the press to the document that was there before.
        [word] if word == "saved" => assert_eq!(done, Ok(())),
        _ => assert!(
            matches!(done, Err(DriverError::Partial(_) | DriverError::Refused(_))),
            "{done:?}"
        ),
    }
    // A frame of another origin may be clicked.
    let frame = driven.hit("#over").await;
    assert_eq!(driven.driver_act(frame, &NodeAct::Click).await, Ok(()));
}

#[tokio::test]
async fn unanswered_question_about_a_press_is_no_click() {
    let mut driven = DrivenTab::show("").await;
    driven.web.reply("/held", Reply::Held(Box::default()));
    driven.page(
        "/case",
        "<div style='position:relative;width:200px'><button id=b style='width:200px' onclick=note('b')>B</button>
         <div id=over style='position:absolute;inset:0;display:none'></div></div>
         <script>b.onmousemove = () => { over.style.display = 'block' };
         addEventListener('pointermove', () => setTimeout(() => { const request = new XMLHttpRequest();
           request.open('POST', '{{own}}/held', false); request.send() }), { once: true })</script>",
    );
    driven.open("/case").await.unwrap();
    let button = driven.hit("#b").await;
    let cancellation = CancellationToken::new();
    let cut = Cx::new(std::time::Duration::from_secs(20), cancellation.clone());
    let done = tokio::join!(driven.driver.act(&cut, button, &NodeAct::Click), async {
        let is_held = |requests: &[testkit::web::Request]| {
            requests.iter().any(|request| request.path == "/held")
        };
        driven.web.until(is_held).await;
        cancellation.cancel();
    });
    // The page may have answered before it was busy: nothing was pressed.
    assert!(
        matches!(
            done.0,
            Err(DriverError::Cancelled | DriverError::Refused(_))
        ),
        "{done:?}"
    );
    driven.web.release("/held");
    assert_eq!(driven.noted(), [""; 0]);
}

#[tokio::test]
async fn press_behind_a_dialog_is_no_click() {
    let mut driven = DrivenTab::show("").await;
    driven.page(
        "/moves",
        "<button id=b onmousemove=\"note('hover');alert('Session expires')\" onclick=note('click')>B</button>",
    );
    driven.page(
        "/presses",
        "<button id=b onmousedown=\"note('down');alert('Held')\">B</button>",
    );
    for observed in [true, false] {
        for (path, note, dialog) in [
            ("/moves", "hover", "Session expires"),
            ("/presses", "down", "Held"),
        ] {
            driven.open(path).await.unwrap();
            let before = driven.noted().len();
            let done = match observed {
                true => driven.click("b").await,
                false => driven.driver.click_css(&cx(), "#b").await.map(|_| ()),
            };
            // Whether the press or something before it opened the dialog is unknown.
            assert!(
                matches!(&done, Err(DriverError::Partial(why)) if why.contains(dialog)),
                "{path}: {done:?}"
            );
            assert_eq!(driven.noted().split_off(before), [note]);
            assert_eq!(driven.key(Key::Enter).await, Ok(()));
        }
    }
}

#[tokio::test]
async fn text_is_not_typed_after_the_focus_was_moved() {
    let mut driven = DrivenTab::show("").await;
    for moves in [
        "Promise.resolve().then(to)",
        "setTimeout(to)",
        "setTimeout(to, 1)",
        "requestAnimationFrame(to)",
    ] {
        let page = format!(
            "<input id=password type=password><input id=public value=kept oninput=note(this.value)>
             <script>const to = () => {{ const other = document.getElementById('public'); other.focus(); other.select() }};
             password.onfocus = () => {moves}</script>"
        );
        driven.page("/case", &page);
        driven.open("/case").await.unwrap();
        let done = driven.set("#password", "s3cret").await;
        assert!(
            matches!(done, Err(DriverError::Refused(_))),
            "{moves}: {done:?}"
        );
        assert_eq!(driven.noted(), [""; 0], "{moves}");
    }
    // A page that moves the focus after a character got it.
    driven.page(
        "/digits",
        "<input id=first maxlength=1 oninput=second.focus()><input id=second>",
    );
    driven.open("/digits").await.unwrap();
    assert_eq!(driven.set("#first", "7").await, Ok(()));
    // A page that moves the focus when keys come, so that the text goes elsewhere.
    driven.page(
        "/late",
        "<input id=first onbeforeinput=\"event.preventDefault();second.focus()\"><input id=second>",
    );
    driven.open("/late").await.unwrap();
    let done = driven.set("#first", "7").await;
    assert!(matches!(done, Err(DriverError::Partial(_))), "{done:?}");
}

#[tokio::test]
async fn upload_that_fails_after_its_click_is_partial() {
    let mut driven = DrivenTab::show(
        "<button id=attach>Attach</button><input id=file type=file hidden><script>
         attach.onclick = () => { note('clicked'); file.click(); file.type = 'text' }</script>",
    )
    .await;
    let folder = testkit::browser_profile("upload");
    let file = folder.join("a.txt");
    std::fs::write(&file, b"a").unwrap();
    let node = driven.hit("#attach").await;
    let done = driven.driver.upload(&cx(), node, &[file]).await;
    assert!(matches!(done, Err(DriverError::Partial(_))), "{done:?}");
    assert_eq!(driven.noted(), ["clicked"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn redirected_request_was_sent() {
    let mut driven = DrivenTab::show("").await;
    let closed = format!("http://127.0.0.1:{}/", testkit::closed_port());
    driven.web.reply("/away", Reply::Redirect(closed.clone()));
    let dispatch = |done: driver::Result<()>| match done {
        Err(DriverError::NotLoaded { dispatch, .. }) => dispatch,
        other => panic!("{other:?}"),
    };
    assert_eq!(dispatch(driven.open("/away").await), Dispatch::Sent);
    let direct = driven.driver.open(&cx(), &Target::Uri(closed)).await;
    assert_eq!(dispatch(direct.map(drop)), Dispatch::NotSent);
}

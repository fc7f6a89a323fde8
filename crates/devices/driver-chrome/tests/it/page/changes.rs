//! Change events of a page, and dialogs.

use std::time::Duration;

use cdp::protocol::page::HandleJavaScriptDialog;
use cdp::protocol::runtime::Evaluate;
use driver::DriverError;
use driver_chrome::page::{DialogKind, DialogPart, NodeTarget, PageObserver};
use tokio_util::sync::CancellationToken;

use super::observer::{ObservedPage, PageServer, cx, named};

/// Runs a script in the page, and waits for the change event.
async fn change_after(observed_page: &mut ObservedPage, script: &str) {
    let since = observed_page.observe().await.observation.revision;
    observed_page.run(script).await;
    let patience = cx();
    while !observed_page
        .observer
        .changed(&patience, since)
        .await
        .unwrap_or_else(|why| panic!("{script}: {why}"))
    {}
    let after = observed_page.observe().await.observation.revision;
    assert!(after > since, "{script} changes nothing");
}

#[tokio::test]
async fn every_change_is_reported_without_trace() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show(
            "/changes.html",
            "<!doctype html><title>Changes</title><body style='height: 3000px'>
            <p id=p>One</p><input id=i><div id=eye></div><form name=querySelectorAll></form>
            <div id=s style='height: 50px; overflow: auto'><div style='height: 500px'>Tall</div></div>
            <div id=open></div><div id=closed></div>
            <iframe srcdoc='<p>Inside</p>'></iframe>
            <script>
              const own = Object.getOwnPropertyNames(window).length;
              const html = document.documentElement.outerHTML;
              open_root = document.querySelector('#open').attachShadow({ mode: 'open' });
              open_root.innerHTML = '<b>open</b>';
              closed_root = document.querySelector('#closed').attachShadow({ mode: 'closed' });
              closed_root.innerHTML = '<b>closed</b>';
              traces = () => [Object.getOwnPropertyNames(window).length - own, document.documentElement.outerHTML.length - html.length];
            </script>",
        )
        .await;
    observed_page.observe().await;
    let before = observed_page.run("traces().join()").await;
    for script in [
        "document.querySelector('#p').textContent = 'Two'",
        "document.querySelector('#p').firstChild.data = 'Three'",
        "document.querySelector('#p').style.marginTop = '30px'",
        "document.querySelector('#s').scrollTop = 40",
        "scrollTo(0, 100)",
        "document.querySelector('#i').focus()",
        "open_root.querySelector('b').textContent = 'still open'",
        "closed_root.querySelector('b').textContent = 'still closed'",
        "frames[0].document.querySelector('p').textContent = 'Still inside'",
        "history.pushState({}, '', '/elsewhere'); document.title = 'Elsewhere'",
    ] {
        change_after(&mut observed_page, script).await;
    }
    observed_page.run("history.replaceState({}, '', '/changes.html'); document.querySelector('#p').removeAttribute('style')").await;
    let page = "document.querySelector('#p').textContent = 'One'; open_root.querySelector('b').textContent = 'open'; traces().join()";
    let after = observed_page.run(page).await;
    let names = |value: &serde_json::Value| {
        let change_after = value.as_str().unwrap().to_owned();
        change_after.split(',').next().unwrap().to_owned()
    };
    assert_eq!(names(&after), names(&before), "names of the page's world");
    let attributes = observed_page
        .run("[...Document.prototype.querySelectorAll.call(document, '*')].flatMap((e) => e.getAttributeNames()).sort().join()")
        .await;
    let expected = "id,id,id,id,id,id,name,srcdoc,style,style,style";
    assert_eq!(attributes.as_str().unwrap(), expected);
    let worlds = "typeof clawperator + typeof globalThis[Symbol.for('watch')]";
    assert_eq!(observed_page.run(worlds).await, "undefinedundefined");
}

#[tokio::test]
async fn static_page_reports_no_change() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show("/still.html", "<!doctype html><title>Still</title><p>Still")
        .await;
    let first = observed_page.observe().await;
    let second = observed_page.observe().await;
    assert_eq!(first.observation.revision, second.observation.revision);
    // Identical data is not rebuilt.
    assert!(std::sync::Arc::ptr_eq(&first.dom, &second.dom));
    let short = driver::Cx::new(Duration::from_millis(300), CancellationToken::new());
    let waited = observed_page
        .observer
        .changed(&short, first.observation.revision)
        .await;
    assert_eq!(waited, Err(DriverError::Deadline));
    // A page without events is due for another observation after a while.
    let change_after = observed_page
        .observer
        .changed(&cx(), first.observation.revision)
        .await;
    assert_eq!(change_after, Ok(false));
    // An observation older than the last one may be outdated.
    let older = driver::Revision(0);
    observed_page
        .observer
        .changed(&short, older)
        .await
        .unwrap_err();
    observed_page.observer.changed(&cx(), older).await.unwrap();
}

#[tokio::test]
async fn new_document_is_reported_and_observed_completely() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show("/first.html", "<!doctype html><title>First</title><p>First")
        .await;
    let first = observed_page.observe().await;
    room.web.page(
        "/second.html",
        "<!doctype html><title>Second</title><p>Second",
    );
    observed_page.run("location.href = '/second.html'").await;
    let second = observed_page
        .until(|seen| {
            seen.observation
                .tree
                .windows()
                .iter()
                .any(|window| &*window.title == "Second")
        })
        .await;
    assert!(second.observation.revision > first.observation.revision);
    named(&second, "Second");
    // Its changes are reported like those of the first document.
    observed_page
        .until(|seen| {
            seen.dom
                .elements()
                .iter()
                .any(|element| &*element.text == "Second")
        })
        .await;
    change_after(
        &mut observed_page,
        "document.querySelector('p').textContent = 'Third'",
    )
    .await;
}

/// Opens a dialog without waiting for its answer, and observes it.
async fn dialog(
    observed_page: &mut ObservedPage,
    script: &str,
) -> std::sync::Arc<driver_chrome::page::PageObservation> {
    let evaluate = Evaluate {
        expression: script.to_owned(),
        ..Evaluate::default()
    };
    drop(observed_page.tab.session().call(&evaluate));
    observed_page
        .until(|seen| {
            seen.observation
                .tree
                .windows()
                .iter()
                .any(|window| window.layer == 1)
        })
        .await
}

async fn answer(observed_page: &ObservedPage, accept: bool) {
    let answer = HandleJavaScriptDialog {
        accept,
        prompt_text: None,
    };
    let session = observed_page.observer.dialog_session().unwrap();
    session.call(&answer).await.unwrap();
}

#[tokio::test]
async fn dialog_is_a_window_and_hides_the_page() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show(
            "/dialog.html",
            "<!doctype html><title>Dialog</title><p>Behind",
        )
        .await;
    let page = observed_page.observe().await;
    let seen = dialog(
        &mut observed_page,
        "document.title = String(confirm('Really?'))",
    )
    .await;
    let tree = &seen.observation.tree;
    let words: Vec<&str> = tree.nodes().iter().map(|node| &*node.text).collect();
    assert_eq!(words, ["", "Really?", "OK", "Cancel"]);
    assert_eq!(
        seen.target_of(tree.get(2).unwrap()),
        Some(NodeTarget::Dialog(DialogPart::Accept))
    );
    assert!(seen.observation.revision > page.observation.revision);
    assert_eq!(seen.observation.windows.len(), 2);
    assert_eq!(
        observed_page.observer.dialog().unwrap().kind,
        DialogKind::Confirm
    );
    // Another observation neither hangs nor changes anything.
    assert_eq!(
        observed_page.observe().await.observation.revision,
        seen.observation.revision
    );
    answer(&observed_page, true).await;
    observed_page
        .until(|seen| {
            seen.observation
                .tree
                .windows()
                .iter()
                .any(|window| &*window.title == "true")
        })
        .await;
    assert!(observed_page.observer.dialog().is_none());
    let seen = dialog(&mut observed_page, "prompt('Your name?', 'Nobody')").await;
    observed_page.observer.set_prompt("Somebody");
    let field = seen.observation.tree.get(2).unwrap();
    assert_eq!(&*seen.observation.tree.node(field).text, "Nobody");
    let seen = observed_page.observe().await;
    assert_eq!(&*seen.observation.tree.node(field).text, "Somebody");
    // An event that leaves the dialog as it was is not reported again after the next observation.
    observed_page.observer.set_prompt("Somebody");
    let revision = observed_page.observe().await.observation.revision;
    assert_eq!(revision, seen.observation.revision);
    let cx = driver::Cx::new(Duration::from_secs(20), CancellationToken::new());
    assert!(!observed_page.observer.changed(&cx, revision).await.unwrap());
    answer(&observed_page, false).await;
    // A dialog that opens during an observation ends it.
    observed_page
        .run("setTimeout(() => alert('Late'), 0)")
        .await;
    observed_page
        .until(|seen| {
            seen.observation
                .tree
                .windows()
                .iter()
                .any(|window| window.layer == 1)
        })
        .await;
    answer(&observed_page, true).await;
    observed_page
        .until(|seen| {
            seen.observation
                .tree
                .windows()
                .iter()
                .all(|window| window.layer == 0)
        })
        .await;
}

#[tokio::test]
async fn empty_document_is_waited_for_then_incomplete() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show("/begins.html", "<button id=b>Begun</button>")
        .await;
    observed_page
        .run(
            "const all = document.documentElement;
        setTimeout(() => document.append(all), 100);
        all.remove()",
        )
        .await;
    let seen = observed_page.observe().await;
    named(&seen, "Begun");
    observed_page.run("document.documentElement.remove()").await;
    let error = observed_page
        .observer
        .observe(&cx(), &[])
        .await
        .unwrap_err();
    let DriverError::Incomplete(why) = error else {
        panic!("{error}");
    };
    assert_eq!(
        why,
        "the document has no element and its loading has ended: open_uri loads a page again"
    );
}

/// Changes that the browser reports late or not at all, each by a script of the page.
const SILENT_CHANGES: &[&str] = &[
    "field.value = 'typed'",
    "hidden_field.value = 'typed'",
    "hidden_box.checked = true",
    "hidden_list.selectedIndex = 1",
    "box.checked = true",
    "box.indeterminate = true",
    "radio.checked = true",
    "slider.value = 80",
    "list.value = 'b'",
    "several.options[1].selected = true",
    "area.value = 'typed'",
    "button.setAttribute('aria-label', 'Labelled')",
    "button.addEventListener('click', () => {})",
    "plain.onclick = () => {}",
    "document.styleSheets[0].insertRule('#plain { cursor: pointer }')",
    "scroller.scrollTop = 30",
    "scrollTo(0, 50)",
    "plain.attachShadow({ mode: 'closed' }).innerHTML = '<b>Closed</b>'",
    "host.shadowRoot.firstChild.setAttribute('aria-label', 'Inside')",
    "progress.value = 5",
    "popover_box.showPopover()",
    "field.focus()",
    "field.blur()",
    "area.setCustomValidity('wrong')",
    "history.replaceState(0, '', '#elsewhere')",
    "document.title = 'Renamed'",
    "frame.contentDocument.body.firstChild.setAttribute('aria-label', 'In a frame')",
    "frame.contentWindow.scrollTo(0, 20)",
    "frame.contentDocument.body.lastChild.checked = true",
    "internals.role = 'button'",
    "internals.ariaChecked = 'true'",
];

/// Waits for two frames.
const FRAMES: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

#[tokio::test]
async fn unchanged_pages_are_not_captured_again_and_silent_changes_are_seen() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room
        .show(
            "/silent.html",
            "<!doctype html><title>Silent</title><style>p { margin: 0 }</style>
            <input id=field><input id=box type=checkbox><input id=radio type=radio name=r><input id=slider type=range>
            <select id=list><option>a<option>b</select><select id=several multiple><option>a<option>b</select>
            <textarea id=area></textarea><button id=button>Button</button><div id=plain>Plain</div>
            <div id=scroller style='height: 50px; overflow: auto'><div style='height: 500px'>Tall</div></div>
            <div id=host></div><progress id=progress max=10></progress><div id=popover_box popover>Popover</div>
            <div style='display: none'><input id=hidden_field><label><input id=hidden_box type=checkbox></label>
              <select id=hidden_list><option>a<option>b</select></div>
            <iframe id=frame srcdoc=\"<p style='height: 900px'>Inside</p><input type=checkbox>\"></iframe>
            <div style='height: 3000px'>Tall</div>
            <script>
              host.attachShadow({ mode: 'open' }).innerHTML = '<button>Shadow</button>';
              customElements.define('x-toggle', class extends HTMLElement {
                constructor() { super(); window.internals = this.attachInternals(); window.internals.role = 'switch'; }
              });
              document.body.append(document.createElement('x-toggle'));
              document.body.lastChild.textContent = 'Toggle';
            </script>",
        )
        .await;
    for script in SILENT_CHANGES {
        observed_page.run(script).await;
        // Scrolling is reported with the next frame.
        observed_page.run_and_wait(FRAMES).await;
        let seen = observed_page.observe().await;
        let mut fresh = PageObserver::open(&cx(), observed_page.tab.session())
            .await
            .unwrap();
        let expected = fresh.observe(&cx(), &[]).await.unwrap();
        assert_eq!(seen.dom, expected.dom, "{script}");
        assert_eq!(seen.observation.tree, expected.observation.tree, "{script}");
        let mut settles = 0;
        loop {
            let before = observed_page.observer.snapshots();
            observed_page.observe().await;
            if observed_page.observer.snapshots() == before {
                break;
            }
            settles += 1;
            assert!(settles < 20, "the page is captured again after {script}");
        }
    }
}

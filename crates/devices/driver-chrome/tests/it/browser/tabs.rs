//! The state of a tab: document, dialogs, new tabs, downloads, crashes, exit.

use std::time::Duration;

use cdp::protocol::page::{CaptureScreenshot, HandleJavaScriptDialog, Navigate};
use cdp::protocol::runtime::Evaluate;
use cdp::{Dispatch, Error, GoneReason};
use driver_chrome::browser::{Browser, Downloads, LoadState, Tab, TabState, TabStatus};
use testkit::web::{Reply, Web};

use super::test_browser::TestBrowser;

/// Timeout of browser events.
const PATIENCE: Duration = Duration::from_secs(20);

/// The only tab of a browser, over its own connection.
async fn only_tab(chrome: &TestBrowser) -> Tab {
    let browser = Browser::connect(chrome.endpoint()).await.unwrap();
    let tabs = browser.tabs().await.unwrap();
    assert_eq!(tabs.len(), 1, "{tabs:?}");
    browser.attach(&tabs[0].id).await.unwrap()
}

async fn until(tab: &Tab, what: impl FnMut(&TabState) -> bool) -> TabState {
    let mut watch = tab.watch();
    let waited = tokio::time::timeout(PATIENCE, watch.wait_for(what)).await;
    match waited {
        Ok(state) => state.unwrap().clone(),
        Err(_) => panic!("timeout; state: {:?}", tab.state()),
    }
}

fn script(text: &str) -> Evaluate {
    Evaluate {
        expression: text.to_owned(),
        ..Evaluate::default()
    }
}

/// Loads a URL and waits until everything is loaded.
async fn load(tab: &Tab, url: &str) -> TabState {
    let navigate = Navigate {
        url: url.to_owned(),
        frame_id: None,
    };
    let navigated = tab.session().call(&navigate).await.unwrap();
    assert_eq!(navigated.error_text, None);
    until(tab, |state| {
        state.document.as_ref().is_some_and(|document| {
            Some(&document.loader) == navigated.loader_id.as_ref()
                && document.loading == LoadState::Complete
        })
    })
    .await
}

#[tokio::test]
async fn tab_reports_document_and_load_state() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<title>One</title><img src=/slow.png>");
    web.reply("/slow.png", Reply::Held(Box::new(Reply::Nothing)));
    let tab = only_tab(&chrome).await;
    assert_eq!(tab.ready().await.document.unwrap().url, "about:blank");
    let url = web.url("/#top");
    let navigate = Navigate {
        url: url.clone(),
        frame_id: None,
    };
    tab.session().call(&navigate).await.unwrap();
    let parsed = until(&tab, |state| {
        let document = state.document.as_ref().unwrap();
        document.url == url && document.loading == LoadState::Parsed
    })
    .await;
    assert!(parsed.busy);
    // A later client gets the earlier state.
    let late = chrome.browser.attach(tab.id()).await.unwrap();
    until(&late, |state| {
        state
            .document
            .as_ref()
            .is_some_and(|document| document.url == url && document.loading == LoadState::Parsed)
    })
    .await;
    web.release("/slow.png");
    let done = until(&late, |state| {
        state.document.as_ref().unwrap().loading == LoadState::Complete
    })
    .await;
    let document = done.document.unwrap();
    assert_eq!(document.mime_type, "text/html");
    assert_eq!(document.unreachable, None);
    tab.session()
        .call(&script("location.hash = 'here'"))
        .await
        .unwrap();
    let moved = until(&tab, |state| {
        state.document.as_ref().unwrap().url.ends_with("#here")
    })
    .await;
    assert_eq!(moved.document.unwrap().loader, document.loader);
}

#[tokio::test]
async fn unreachable_url_is_recorded() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.reply("/", Reply::HangUp);
    let tab = only_tab(&chrome).await;
    let url = web.url("/");
    let navigate = Navigate {
        url: url.clone(),
        frame_id: None,
    };
    let navigated = tab.session().call(&navigate).await.unwrap();
    assert_eq!(
        navigated.error_text.as_deref(),
        Some("net::ERR_EMPTY_RESPONSE")
    );
    let state = until(&tab, |state| {
        state
            .document
            .as_ref()
            .is_some_and(|document| document.unreachable.is_some())
    })
    .await;
    assert_eq!(state.document.unwrap().unreachable, Some(url));
}

#[tokio::test]
async fn dialog_is_recorded_and_dismissed_on_detach() {
    let chrome = TestBrowser::start().await;
    let tab = only_tab(&chrome).await;
    tab.ready().await;
    let asking = tab
        .session()
        .call(&script("document.title = confirm('Delete?')"));
    let state = until(&tab, |state| state.dialog.is_some()).await;
    let dialog = state.dialog.unwrap();
    assert_eq!((&*dialog.kind, &*dialog.message), ("confirm", "Delete?"));
    let accept = HandleJavaScriptDialog {
        accept: true,
        prompt_text: None,
    };
    tab.session().call(&accept).await.unwrap();
    asking.await.unwrap();
    assert_eq!(tab.state().dialog, None);
    let asking = tab
        .session()
        .call(&script("document.title = confirm('Again?')"));
    until(&tab, |state| state.dialog.is_some()).await;
    assert_eq!(tab.dismiss().await.unwrap().message, "Again?");
    drop(asking);
    let next = only_tab(&chrome).await;
    next.ready().await;
    let title = next
        .session()
        .call(&script("document.title"))
        .await
        .unwrap();
    assert_eq!(title.result.value, "false");
    assert_eq!(next.dismiss().await, None);
}

#[tokio::test]
async fn blocked_page_can_be_navigated() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<title>Fresh</title>");
    // A busy script blocks its whole process, which pages of the same site share.
    let ways = [
        ("alert('nobody will answer')", web.url("/")),
        ("for (;;);", web.other("/")),
    ];
    for (still, url) in ways {
        let tab = only_tab(&chrome).await;
        tab.ready().await;
        let asking = tab.session().call(&script(still));
        if still.starts_with("alert") {
            until(&tab, |state| state.dialog.is_some()).await;
        }
        // As when the process is killed: without a message.
        drop(tab);
        drop(asking);
        let next = only_tab(&chrome).await;
        let state = load(&next, &url).await;
        assert_eq!(state.status, TabStatus::Open);
        let title = next
            .session()
            .call(&script("document.title"))
            .await
            .unwrap();
        assert_eq!(title.result.value, "Fresh");
    }
}

#[tokio::test]
async fn opened_tabs_and_downloads_are_recorded() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<a id=file href=/report download>Report</a>");
    let folder = testkit::browser_profile("downloads");
    web.page("/new", "<title>New</title>");
    web.reply(
        "/report",
        Reply::Download("report.txt".to_owned(), b"all well".to_vec()),
    );
    let tab = only_tab(&chrome).await;
    let downloads = Downloads::Into(folder.clone());
    let _held = tab.browser().set_downloads(&downloads);
    load(&tab, &web.url("/")).await;
    let mut open = script("window.open('/new'); 1");
    // Browsers block popups without a user gesture.
    open.user_gesture = Some(true);
    tab.session().call(&open).await.unwrap();
    let state = until(&tab, |state| {
        state.opened.iter().any(|opened| !opened.url.is_empty())
    })
    .await;
    assert_eq!(state.opened.len(), 1);
    assert_eq!(state.opened[0].url, web.url("/new"));
    let listed = chrome.browser.tabs().await.unwrap();
    assert_eq!(listed.len(), 2);
    chrome.browser.close_tab(&state.opened[0].id).await.unwrap();
    until(&tab, |state| state.opened.is_empty()).await;
    open.expression = "document.getElementById('file').click()".to_owned();
    tab.session().call(&open).await.unwrap();
    let state = until(&tab, |state| {
        state
            .downloads
            .iter()
            .any(|download| download.done.is_some())
    })
    .await;
    assert_eq!(state.downloads.len(), 1);
    let download = &state.downloads[0];
    assert_eq!(download.url, web.url("/report"));
    assert_eq!(download.name, "report.txt");
    assert_eq!(download.done, Some(true));
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn crash_fails_calls_and_page_can_be_reloaded() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<title>Back</title>");
    let tab = only_tab(&chrome).await;
    tab.ready().await;
    let mut forever = script("new Promise(() => {})");
    forever.await_promise = Some(true);
    let pending = tab.session().call(&forever);
    drop(tab.session().call_raw("Page.crash", &serde_json::json!({})));
    assert_eq!(
        pending.await.unwrap_err(),
        Error::Gone {
            method: "Runtime.evaluate",
            reason: GoneReason::Crashed,
            dispatch: Dispatch::Unknown
        }
    );
    assert_eq!(tab.ready().await.status, TabStatus::Crashed);
    // A client that attaches after the crash sees it, too.
    let late = only_tab(&chrome).await;
    assert_eq!(late.ready().await.status, TabStatus::Crashed);
    let state = load(&late, &web.url("/")).await;
    assert_eq!(state.status, TabStatus::Open);
    until(&tab, |state| state.status == TabStatus::Open).await;
}

#[tokio::test]
async fn closed_tab_and_dead_browser_end_waits() {
    let mut chrome = TestBrowser::start().await;
    let first = only_tab(&chrome).await;
    let other = chrome.browser.open_tab("about:blank").await.unwrap();
    let other = chrome.browser.attach(&other).await.unwrap();
    other.ready().await;
    let mut forever = script("new Promise(() => {})");
    forever.await_promise = Some(true);
    let pending = other.session().call(&forever);
    chrome.browser.close_tab(other.id()).await.unwrap();
    let error = pending.await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Gone {
                reason: GoneReason::Detached,
                ..
            }
        ),
        "{error:?}"
    );
    until(&other, |state| state.status == TabStatus::Closed).await;
    let error = chrome.browser.attach(other.id()).await.unwrap_err();
    assert!(
        error.to_string().contains("No target with given id"),
        "{error}"
    );
    let pending = first.session().call(&CaptureScreenshot::default());
    drop(pending);
    let pending = first.session().call(&forever);
    chrome.kill().await;
    let error = pending.await.unwrap_err();
    assert!(matches!(error, Error::Lost { .. }), "{error:?}");
    let state = until(&first, |state| matches!(state.status, TabStatus::Lost(_))).await;
    assert_eq!(state.dialog, None);
    let error = Browser::connect(chrome.endpoint()).await.unwrap_err();
    assert_eq!(error.dispatch(), Dispatch::NotSent);
}

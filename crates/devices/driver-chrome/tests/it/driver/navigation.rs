//! Navigation: pages that load, load slowly, or fail; back; keys.

use std::time::Duration;

use driver::{
    Browser as _, Cx, DownloadState, Driver, DriverError, ImageRequest, Key, NodeAct, Observation,
    ScrollOutcome, SideEffect, Target,
};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Downloads, LoadState, TabState};
use testkit::web::{Reply, Request, Web};
use tokio_util::sync::CancellationToken;
use uitree::Query;

use super::{DrivenTab, cx};

fn reason(done: driver::Result<()>) -> String {
    match done {
        Err(DriverError::NotLoaded { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn failed_page_loads_are_reported() {
    let mut driven = DrivenTab::show("<p id=first>First").await;
    driven.web.reply("/gone", Reply::HangUp);
    driven.web.reply("/nothing", Reply::Nothing);
    driven.web.reply(
        "/file",
        Reply::Download("report.bin".to_owned(), vec![0; 10]),
    );
    let folder = testkit::browser_profile("downloads");
    driven.driver = driven
        .driver
        .with_downloads(Downloads::Into(folder.clone()));
    assert_eq!(
        reason(driven.open("/nothing").await),
        "the server has no page to show for it (net::ERR_ABORTED)"
    );
    let reason_text = reason(driven.open("/file").await);
    let effects = driven.driver.side_effects();
    let [SideEffect::Downloaded(file)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let path = file.path.clone().unwrap();
    assert_eq!(
        reason_text,
        format!("it is not a page but a file of 10 bytes, now {path:?}")
    );
    assert_eq!((&*file.name, file.bytes), ("report.bin", 10));
    assert_eq!(file.state, DownloadState::Completed);
    assert!(std::path::Path::new(&path).starts_with(&folder), "{path}");
    assert_eq!(std::fs::read(&path).unwrap(), [0; 10]);
    assert_eq!(driven.driver.side_effects(), []);
    driven.find(Query::new().id("first")).await;
    assert_eq!(
        reason(driven.open("/gone").await),
        "net::ERR_EMPTY_RESPONSE"
    );
    let closed = Target::Uri("http://127.0.0.1:9/".to_owned());
    let refused = reason(driven.driver.open(&cx(), &closed).await.map(drop));
    assert!(refused.starts_with("net::ERR_"), "{refused}");
    for bad in [
        "javascript:note('script')",
        "file:///etc/passwd",
        "chrome://version",
        "view-source:http://x.test/",
    ] {
        let done = driven
            .driver
            .open(&cx(), &Target::Uri(bad.to_owned()))
            .await;
        assert!(
            matches!(done, Err(DriverError::NotHandled(_))),
            "{bad}: {done:?}"
        );
    }
    // An error page is still a page.
    assert_eq!(driven.open("/nowhere").await, Ok(()));
    driven.find(Query::new().text("Not found")).await;
    assert_eq!(driven.noted(), [""; 0]);
}

#[tokio::test]
async fn downloads_need_a_folder_and_replace_nothing() {
    let mut driven =
        DrivenTab::show("<a id=link href=/file download>File</a><button id=next>Next</button>")
            .await;
    driven.driver = driven.driver.with_downloads(Downloads::Denied);
    let file = |byte| Reply::Download("report.bin".to_owned(), vec![byte; 10]);
    driven.web.reply("/file", file(1));
    let reason_text = reason(driven.open("/file").await);
    assert_eq!(
        reason_text,
        "it is not a page but the file \"report.bin\", which was denied: no download folder is set"
    );
    let denied = |effects: Vec<SideEffect>| match effects.as_slice() {
        [SideEffect::Downloaded(file)] => {
            assert_eq!((file.state, &file.path), (DownloadState::Denied, &None));
        }
        other => panic!("{other:?}"),
    };
    denied(driven.driver.side_effects());
    assert_eq!(driven.click("link").await, Ok(()));
    let mut state = driven.driver.tab().unwrap().watch();
    let given = |state: &TabState| state.downloads.len() == 2 && state.downloads[1].done.is_some();
    let state = state.wait_for(given).await.unwrap().clone();
    assert_eq!(state.downloads[1].done, Some(false));
    denied(driven.driver.side_effects());
    // A page cannot replace a file of the folder.
    let folder = testkit::browser_profile("downloads");
    std::fs::write(folder.join("report.bin"), b"own").unwrap();
    driven.driver = driven
        .driver
        .with_downloads(Downloads::Into(folder.clone()));
    let mut paths = std::collections::BTreeSet::new();
    for byte in [2, 3] {
        driven.web.reply("/file", file(byte));
        let reason_text = reason(driven.open("/file").await);
        let effects = driven.driver.side_effects();
        let [SideEffect::Downloaded(file)] = effects.as_slice() else {
            panic!("{effects:?}");
        };
        let path = file.path.clone().unwrap();
        assert!(reason_text.contains(&path), "{reason_text}");
        assert_eq!(std::fs::read(&path).unwrap(), [byte; 10]);
        assert_eq!(file.name, "report.bin");
        paths.insert(path);
    }
    assert_eq!(paths.len(), 2, "{paths:?}");
    assert_eq!(std::fs::read(folder.join("report.bin")).unwrap(), b"own");
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn browser_throttles_page_that_floods_its_history() {
    let mut driven = DrivenTab::show(
        "<button id=flood onclick=\"for (let at = 0; at < 3000; at++) history.pushState(null, '', '#' + at);
            note(location.hash)\">Flood</button><button id=next onclick=\"note('next')\">Next</button>",
    )
    .await;
    assert_eq!(driven.click("flood").await, Ok(()));
    assert_eq!(driven.click("next").await, Ok(()));
    let has_next = |requests: &[Request]| requests.iter().any(|each| each.body == "next");
    driven.web.until(has_next).await;
    let noted = driven.noted();
    assert_ne!(noted[0], "#2999", "the browser took every one of them");
}

impl DrivenTab {
    /// Opens a URI; returns the status of the response.
    async fn status(&mut self, uri: &str) -> driver::Result<Option<u16>> {
        let target = Target::Uri(uri.to_owned());
        let opened = self.driver.open(&cx(), &target).await?;
        Ok(opened.http_status)
    }

    async fn status_of(&mut self, path: &str) -> driver::Result<Option<u16>> {
        let uri = self.web.url(path);
        self.status(&uri).await
    }
}

#[tokio::test]
async fn http_status_is_reported() {
    let mut driven = DrivenTab::show("<p id=first>First").await;
    assert_eq!(driven.status_of("/").await, Ok(Some(200)));
    let sorry = |status: &str, body: &str| {
        let kind = ("content-type".to_owned(), "text/html".to_owned());
        Reply::Full(status.to_owned(), vec![kind], body.into())
    };
    let web = &driven.web;
    web.reply("/500", sorry("500 Oh dear", "<p id=sorry>Sorry"));
    web.reply("/bare", sorry("503 Busy", ""));
    web.reply("/from", Reply::Redirect("/500".to_owned()));
    web.reply("/there", Reply::Redirect(web.other("/nowhere")));
    web.page(
        "/stuck",
        "<p id=stuck>Stuck<script>setTimeout(() => { for (;;); })</script>",
    );
    web.page("/leaves", "<script>location.replace('/500')</script>");
    // A redirect by the page is another load.
    assert_eq!(driven.status_of("/leaves").await, Ok(Some(200)));
    driven.find(Query::new().id("sorry")).await;
    for (path, status) in [
        ("/500", Some(500)),
        ("/nowhere", Some(404)),
        ("/from", Some(500)),
        ("/there", Some(404)),
        ("/", Some(200)),
    ] {
        assert_eq!(driven.status_of(path).await, Ok(status), "{path}");
    }
    // Within a page nothing is requested; a page that is still loading is loaded again.
    let mut state = driven.driver.tab().unwrap().watch();
    let complete = state.wait_for(|state| {
        let document = state.document.as_ref();
        !state.busy && document.is_some_and(|document| document.loading == LoadState::Complete)
    });
    cx().run(complete).await.unwrap().unwrap();
    assert_eq!(driven.status_of("/#part").await, Ok(None));
    // A blocked page does not prevent the next one.
    let stuck = driven.web.other("/stuck");
    assert_eq!(driven.status(&stuck).await, Ok(Some(200)));
    assert_eq!(driven.status_of("/500").await, Ok(Some(500)));
    let data = "data:text/html,<p id=data>Data";
    assert_eq!(driven.status(data).await, Ok(None));
    // A browser shows its own page for an empty response.
    assert_eq!(
        reason(driven.open("/bare").await),
        "the server answered 503 without a page (net::ERR_HTTP_RESPONSE_CODE_FAILURE)"
    );
}

#[tokio::test]
async fn full_page_screenshot_waits_for_complete_document() {
    let mut driven = DrivenTab::show("<p id=first>First").await;
    driven.web.reply(
        "/halves",
        Reply::Halves(
            "<!doctype html><style>* { margin: 0 }</style><p style='height: 500px'>Begun"
                .to_owned(),
            "<p style='height: 2500px'>Rest".to_owned(),
        ),
    );
    assert_eq!(driven.open("/halves").await, Ok(()));
    let web = &driven.web;
    let cx = cx();
    // The rest is sent during the screenshot.
    let (picture, ()) = tokio::join!(
        driven
            .driver
            .full_page_screenshot(&cx, ImageRequest::default()),
        async {
            web.release("/halves");
        }
    );
    assert_eq!(picture.unwrap().size.height, 3000);
}

#[tokio::test]
async fn open_returns_when_page_has_started() {
    let mut driven = DrivenTab::show("<p id=first>First").await;
    driven.web.reply(
        "/halves",
        Reply::Halves(
            "<!doctype html><p id=begun>Begun".to_owned(),
            "<p id=rest>Rest".to_owned(),
        ),
    );
    driven.page("/pictures", "<p id=text>Text<img src='/never'>");
    driven
        .web
        .reply("/never", Reply::Held(Box::new(Reply::Nothing)));
    assert_eq!(driven.open("/pictures").await, Ok(()));
    driven.find(Query::new().id("text")).await;
    assert_eq!(driven.open("/halves").await, Ok(()));
    driven.find(Query::new().id("begun")).await;
    driven.web.release("/halves");
    driven.find(Query::new().id("rest")).await;
    // If the load does not start in time, it is unknown whether it opened.
    driven.web.reply(
        "/slow",
        Reply::Held(Box::new(Reply::Page("<p id=slow>Slow".to_owned()))),
    );
    let short = Cx::new(Duration::from_millis(300), CancellationToken::new());
    let slow = Target::Uri(driven.web.url("/slow"));
    assert_eq!(
        driven.driver.open(&short, &slow).await,
        Err(DriverError::Deadline)
    );
    let blind = driven.driver.observe(&cx()).await;
    assert!(
        matches!(blind, Err(DriverError::Incomplete(_))),
        "{blind:?}"
    );
    driven.web.release("/slow");
    driven.find(Query::new().id("slow")).await;
}

#[tokio::test]
async fn open_waits_for_first_bytes() {
    let mut driven = DrivenTab::show("<a id=go href='/late'>Go</a>").await;
    let late = "<!doctype html><p id=late>Late".to_owned();
    driven
        .web
        .reply("/late", Reply::Halves(String::new(), late));
    // Longer than a silent page is given.
    let begins = async |web: &Web| {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        web.release("/late");
    };
    assert_eq!(driven.click("go").await, Ok(()));
    let context = cx();
    let is_late = |seen: &Observation| seen.tree.find(&Query::new().id("late")).is_some();
    let looks = async {
        loop {
            // The previous page may still be there; an empty one is never observed.
            let seen = match driven.driver.observe(&context).await {
                Ok(seen) => seen,
                // On a loaded machine the response headers may take longer.
                Err(DriverError::Incomplete(why))
                    if why.starts_with("the tab waits for another page") =>
                {
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            if is_late(&seen) {
                return;
            }
            let changed = driven.driver.changed(&context, seen.revision).await;
            assert_eq!(changed, Ok(()));
        }
    };
    tokio::join!(looks, begins(&driven.web));

    assert_eq!(driven.open("/").await, Ok(()));
    let late = Target::Uri(driven.web.url("/late"));
    let open = driven.driver.open(&context, &late);
    let (opened, ()) = tokio::join!(open, begins(&driven.web));
    assert_eq!(opened.map(drop), Ok(()));
    let seen = driven.driver.observe(&context).await.unwrap();
    assert!(is_late(&seen), "{:?}", seen.tree);
}

#[tokio::test]
async fn page_without_first_bytes_is_not_loaded() {
    let mut driven = DrivenTab::show("<a id=go href='/cut'>Go</a>").await;
    driven.web.reply("/cut", Reply::Cut);
    driven.page("/whole", "<p id=whole>Whole");
    let opened = driven.open("/cut").await;
    let Err(DriverError::NotLoaded { uri, reason, .. }) = opened else {
        let state = driven.driver.tab().map(|tab| tab.state());
        panic!("the document is reported as loaded: {state:?}");
    };
    assert_eq!(uri, driven.web.url("/cut"));
    // A loaded browser may not report the reason.
    let why = reason.strip_prefix("its loading ended before the first bytes of the page");
    assert!(
        matches!(why, Some("" | " (net::ERR_CONTENT_LENGTH_MISMATCH)")),
        "{reason}"
    );
    // A failed load is not waited for.
    let seen = driven.driver.observe(&cx()).await;
    assert_eq!(
        seen.unwrap_err().to_string(),
        "the screen could not be read completely: the document has no element and its loading has ended: open_uri loads a page again"
    );
    assert_eq!(driven.open("/whole").await, Ok(()));
    driven.find(Query::new().id("whole")).await;
}

#[tokio::test]
async fn single_pages_redirects_and_back() {
    let mut driven = DrivenTab::show(
        "<p id=where>start</p><button id=go onclick=\"history.pushState({}, '', '/app/inside'); where.textContent = 'inside'\">Go</button>
         <script>onpopstate = () => where.textContent = 'back'</script><a id=away href='/from'>Away</a>",
    )
    .await;
    driven.web.reply("/from", Reply::Redirect("/to".to_owned()));
    driven.page("/to", "<p id=to>There");
    assert_eq!(driven.click("go").await, Ok(()));
    driven.find(Query::new().text("inside")).await;
    assert_eq!(driven.key(Key::Back).await, Ok(()));
    driven.find(Query::new().text("back")).await;
    assert_eq!(driven.click("away").await, Ok(()));
    driven.find(Query::new().id("to")).await;
    assert_eq!(driven.key(Key::Back).await, Ok(()));
    driven.find(Query::new().id("away")).await;
    for _ in 0..3 {
        let done = driven.driver.key(&cx(), Key::Back).await;
        if let Err(DriverError::Refused(why)) = done {
            assert!(why.contains("no page before"), "{why}");
            return;
        }
        driven.observe().await;
    }
    panic!("the history has no beginning");
}

#[tokio::test]
async fn key_does_not_stop_loading() {
    let mut driven = DrivenTab::show("<p>Behind").await;
    driven.web.reply(
        "/slow",
        Reply::Halves(String::new(), "<!doctype html><p id=slow>Slow".to_owned()),
    );
    let browser = driven.driver.tab().unwrap().browser().clone();
    let front = browser.open_tab("about:blank").await.unwrap();
    let front = browser.attach(&front).await.unwrap();
    let mut front = ChromeDriver::open(front, &cx()).await.unwrap();
    let slow = Target::Uri(driven.web.url("/slow"));
    let context = cx();
    let escape = async {
        driven.web.until(|all| all.len() > 1).await;
        // Some of these appear before the front page has started, and some while it is still empty.
        for _ in 0..10 {
            assert_eq!(driven.key(Key::Escape).await, Ok(()));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        driven.web.release("/slow");
    };
    let (opened, ()) = tokio::join!(front.open(&context, &slow), escape);
    assert_eq!(opened.map(drop), Ok(()));
    let seen = front.observe(&context).await.unwrap();
    let slow = seen.tree.find(&Query::new().id("slow"));
    assert!(slow.is_some(), "{:?}", seen.tree);
}

#[tokio::test]
async fn escape_leaves_full_screen_first() {
    let mut driven = DrivenTab::show(
        "<img name=fullscreenElement><button id=full onclick=document.documentElement.requestFullscreen()>Full</button><script>
         document.onfullscreenchange = () => note(!!Object.getOwnPropertyDescriptor(Document.prototype, 'fullscreenElement').get.call(document));
         onkeydown = (event) => note(event.key)</script>",
    )
    .await;
    assert_eq!(driven.click("full").await, Ok(()));
    let posts = |all: &[Request]| all.iter().filter(|one| one.method == "POST").count();
    driven.web.until(move |all| posts(all) == 1).await;
    for _ in 0..2 {
        assert_eq!(driven.key(Key::Escape).await, Ok(()));
    }
    driven.web.until(move |all| posts(all) == 3).await;
    assert_eq!(driven.noted(), ["true", "false", "Escape"]);
}

#[tokio::test]
async fn keys_go_to_the_focus() {
    let mut driven = DrivenTab::show(
        "<form onsubmit=\"note('sent ' + one.value);return false\"><input id=one><input id=two onfocus=note('two')><button>Send</button></form>
         <script>onkeydown = (event) => { if (event.key === 'Escape') note('escape') }</script>",
    )
    .await;
    let text = NodeAct::SetText("ab".to_owned());
    assert_eq!(driven.act(Query::new().id("one"), &text).await, Ok(()));
    for key in [Key::Delete, Key::Escape, Key::Enter, Key::Tab] {
        assert_eq!(driven.key(key).await, Ok(()), "{key:?}");
    }
    assert_eq!(driven.noted(), ["escape", "sent a", "two"]);
    for key in [
        Key::Home,
        Key::Recents,
        Key::VolumeUp,
        Key::VolumeDown,
        Key::Power,
        Key::Menu,
        Key::Search,
    ] {
        let done = driven.driver.key(&cx(), key).await;
        assert!(
            matches!(done, Err(DriverError::Unsupported(_))),
            "{key:?}: {done:?}"
        );
    }
}

#[tokio::test]
async fn page_of_another_process_scrolls_after_a_page_that_was_scrolled() {
    const PAGE: &str = "<div id=list style='height:100px;overflow:auto'><p id=top>Top<p style='height:4000px'></div>";
    let mut driven = DrivenTab::show(PAGE).await;
    driven.page("/other", PAGE);
    let port = driven.web.port();
    for host in ["127.0.0.1", "localhost", "127.0.0.1"] {
        let other = Target::Uri(format!("http://{host}:{port}/other"));
        assert_eq!(driven.driver.open(&cx(), &other).await.map(drop), Ok(()));
        // The second call of a function makes an object of it.
        for _ in 0..3 {
            let (seen, list) = driven.find(Query::new().id("list")).await;
            let scrolled = driven
                .driver
                .scroll(&cx(), seen.node_ref(list), (0, 50))
                .await;
            assert_eq!(scrolled, Ok(ScrollOutcome::Moved), "{host}");
        }
    }
}

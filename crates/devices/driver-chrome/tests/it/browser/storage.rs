//! Cookies and local storage: read in one browser, set in another, without a request to any server.

use cdp::protocol::runtime::Evaluate;
use cdp::protocol::storage::Cookie;
use driver_chrome::browser::{Browser, LoadState, LocalStorage, Origin, StoredItem};
use serde_json::Value;
use testkit::web::{Reply, Web};

use super::test_browser::TestBrowser;

fn origin(url: &str) -> Origin {
    Origin::from_url(url).unwrap()
}

fn item(name: &str, value: &str) -> StoredItem {
    StoredItem {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

/// Opens a page in a new tab and returns what a script of it evaluates to.
async fn evaluate(browser: &Browser, url: &str, script: &str) -> Value {
    let id = browser.open_tab(url).await.unwrap();
    let tab = browser.attach(&id).await.unwrap();
    let mut watch = tab.watch();
    let is_loaded = watch.wait_for(|state| {
        state
            .document
            .as_ref()
            .is_some_and(|document| document.url == url && document.loading == LoadState::Complete)
    });
    testkit::within("the page", is_loaded).await.unwrap();
    let evaluate = Evaluate {
        expression: script.to_owned(),
        await_promise: Some(true),
        return_by_value: Some(true),
        ..Evaluate::default()
    };
    let evaluated = tab.session().call(&evaluate).await.unwrap();
    assert!(
        evaluated.exception_details.is_none(),
        "{:?}",
        evaluated.exception_details
    );
    browser.close_tab(&id).await.unwrap();
    evaluated.result.value
}

fn sorted(mut cookies: Vec<Cookie>) -> Vec<Cookie> {
    cookies.sort_by(|one, other| (&one.domain, &one.name).cmp(&(&other.domain, &other.name)));
    cookies
}

#[tokio::test]
async fn cookies_of_every_kind_are_the_same_in_another_browser() {
    let (one, other) = (TestBrowser::start().await, TestBrowser::start().await);
    let web = Web::start();
    let set = |cookie: &str| ("Set-Cookie".to_owned(), cookie.to_owned());
    let headers = vec![
        set("session=a; HttpOnly; SameSite=Lax"),
        set("kept=b; Max-Age=86400; Path=/in"),
        set("all=c; Domain=one.localhost; SameSite=Strict"),
        set("safe=d; Secure; SameSite=None"),
        set("apart=e; Secure; SameSite=None; Partitioned"),
        set("__Host-own=f; Secure; Path=/"),
        set("plain=\"g h\""),
    ];
    let page = Reply::Full("200 OK".to_owned(), headers, b"<p>Hello".to_vec());
    web.reply("/", page);
    evaluate(&one.browser, &web.url("/"), "1").await;
    let cookies = sorted(one.browser.cookies().await.unwrap());
    assert_eq!(cookies.len(), 7, "{cookies:?}");
    other.browser.set_cookies(cookies.clone()).await.unwrap();
    let copied = sorted(other.browser.cookies().await.unwrap());
    for (cookie, copy) in cookies.iter().zip(&copied) {
        assert!(cookie == copy, "{cookie:?} {copy:?}");
    }
    assert_eq!(copied.len(), 7, "{copied:?}");
    // The values are no part of messages.
    assert!(!format!("{cookies:?}").contains("g h"));
}

#[tokio::test]
async fn local_storage_is_read_and_set_without_a_request() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/page", "<p>Page");
    let own = origin(&web.url("/"));
    let mut storage = LocalStorage::open(&chrome.browser).await.unwrap();
    let items = [item("length", "1"), item("token", "ä\u{1f600}\"\n")];
    // Neither an origin without a server nor one of another scheme is asked for.
    let origins = [
        own.clone(),
        origin(&web.other("/")),
        origin("https://shop.example"),
        origin("http://shop.example"),
        origin("https://shop.example:8443"),
    ];
    for each in &origins {
        assert_eq!(storage.write(each, &items).await, Ok(0), "{each}");
    }
    for each in &origins {
        let mut read = storage
            .read(each)
            .await
            .unwrap_or_else(|why| panic!("{each}: {why}"));
        read.items.sort_by(|one, other| one.name.cmp(&other.name));
        assert!(read.items == items && read.invalid == 0, "{each}");
    }
    let empty = storage.read(&origin("https://other.example")).await;
    assert!(empty.unwrap().items.is_empty());
    storage.close().await.unwrap();
    assert_eq!(chrome.browser.tabs().await.unwrap().len(), 1);
    assert_eq!(web.requests(), []);
    let seen = evaluate(
        &chrome.browser,
        &web.url("/page"),
        "localStorage.getItem('token')",
    )
    .await;
    assert_eq!(seen, "ä\u{1f600}\"\n");
}

#[tokio::test]
async fn text_that_is_not_unicode_is_counted_and_large_items_are_rejected() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<p>Page");
    let script = "localStorage.setItem('half', '\\ud800'); localStorage.setItem('whole', 'a')";
    evaluate(&chrome.browser, &web.url("/"), script).await;
    let own = origin(&web.url("/"));
    let mut storage = LocalStorage::open(&chrome.browser).await.unwrap();
    let read = storage.read(&own).await.unwrap();
    assert!(read.items == [item("whole", "a")]);
    assert_eq!(read.invalid, 1);
    // A page may keep 10 MB, two bytes for each character.
    let items = [item("large", &"x".repeat(5_300_000)), item("small", "b")];
    assert_eq!(storage.write(&own, &items).await, Ok(1));
    let read = storage.read(&own).await.unwrap();
    assert!(read.items.contains(&item("small", "b")));
    storage.close().await.unwrap();
}

#[tokio::test]
async fn service_worker_is_bypassed() {
    let chrome = TestBrowser::start().await;
    let web = Web::start();
    web.page("/", "<p>Page");
    let script = b"onfetch = (event) => event.respondWith(fetch('/network'))".to_vec();
    let kind = ("Content-Type".to_owned(), "text/javascript".to_owned());
    web.reply(
        "/worker.js",
        Reply::Full("200 OK".to_owned(), vec![kind], script),
    );
    let register = "navigator.serviceWorker.register('/worker.js')
        .then(() => navigator.serviceWorker.ready)
        .then(() => { localStorage.setItem('a', 'b'); return 'ready' })";
    assert_eq!(
        evaluate(&chrome.browser, &web.url("/"), register).await,
        "ready"
    );
    web.forget();
    let mut storage = LocalStorage::open(&chrome.browser).await.unwrap();
    let read = storage.read(&origin(&web.url("/"))).await.unwrap();
    assert!(read.items == [item("a", "b")]);
    storage.close().await.unwrap();
    let requests = web.requests();
    let has_page_request = requests.iter().any(|request| request.path != "/worker.js");
    assert!(!has_page_request, "{requests:?}");
}

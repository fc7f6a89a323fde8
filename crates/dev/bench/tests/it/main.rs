//! Right answers on test pages in a browser.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gold;
mod questions;
mod tasks;
mod web;

use bench::browser::Chrome;
use bench::tab::Tab;
use cdp::Connection;

/// A browser, and a tab that shows `html`.
struct TestPage {
    chrome: Chrome,
    _connection: Connection,
    _web: testkit::web::Web,
    tab: Tab,
}

impl TestPage {
    async fn open(name: &str, html: &str) -> Self {
        let chrome = Chrome::start(name).await.unwrap();
        let connection = chrome.connect().await.unwrap();
        let web = testkit::web::Web::start();
        web.page("/", html);
        let mut tab = Tab::open(&connection).await.unwrap();
        tab.load(&web.url("/")).await.unwrap();
        Self {
            chrome,
            _connection: connection,
            _web: web,
            tab,
        }
    }

    async fn end(self) {
        self.chrome.close().await.unwrap();
    }
}

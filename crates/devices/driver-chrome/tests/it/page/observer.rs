//! A page observed by a test.

use std::sync::Arc;
use std::time::Duration;

use cdp::protocol::page::Navigate;
use cdp::protocol::runtime::Evaluate;
use dom::{Element, ElementId};
use driver::Cx;
use driver_chrome::browser::{Browser, LoadState, Tab};
use driver_chrome::page::{PageObservation, PageObserver};
use testkit::web::Web;
use tokio_util::sync::CancellationToken;

use crate::browser::test_browser::TestBrowser;

/// Timeout of expected changes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn cx() -> Cx {
    Cx::new(PATIENCE, CancellationToken::new())
}

/// A tab and the observer of its page.
pub(crate) struct ObservedPage {
    pub(crate) tab: Tab,
    pub(crate) observer: PageObserver,
}

/// A browser with a server for its pages.
pub(crate) struct PageServer {
    pub(crate) web: Web,
    pub(crate) browser: Browser,
    _chrome: TestBrowser,
}

impl PageServer {
    pub(crate) async fn open(flags: &[&str]) -> Self {
        let chrome = TestBrowser::start_with(flags).await;
        let browser = Browser::connect(chrome.endpoint()).await.unwrap();
        Self {
            web: Web::start(),
            browser,
            _chrome: chrome,
        }
    }

    /// A new tab that shows a page of the server.
    pub(crate) async fn show(&self, path: &str, html: &str) -> ObservedPage {
        self.web.page(path, html);
        let target = self.browser.open_tab("about:blank").await.unwrap();
        let tab = self.browser.attach(&target).await.unwrap();
        let observer = PageObserver::open(&cx(), tab.session()).await.unwrap();
        let observed_page = ObservedPage { tab, observer };
        observed_page.load(&self.web.url(path)).await;
        observed_page
    }
}

impl ObservedPage {
    /// Loads a URL and waits until everything is loaded.
    pub(crate) async fn load(&self, url: &str) {
        let navigate = Navigate {
            url: url.to_owned(),
            frame_id: None,
        };
        let navigated = self.tab.session().call(&navigate).await.unwrap();
        assert_eq!(navigated.error_text, None, "{url}");
        let mut state = self.tab.watch();
        let complete = state.wait_for(|state| {
            state.document.as_ref().is_some_and(|document| {
                Some(&document.loader) == navigated.loader_id.as_ref()
                    && document.loading == LoadState::Complete
            })
        });
        let Ok(state) = tokio::time::timeout(PATIENCE, complete).await else {
            panic!("{url} does not load: {navigated:?}, {:?}", self.tab.state());
        };
        state.unwrap();
    }

    pub(crate) async fn observe(&mut self) -> Arc<PageObservation> {
        self.observer.observe(&cx(), &[]).await.unwrap()
    }

    /// Observes repeatedly until `wanted` holds.
    pub(crate) async fn until(
        &mut self,
        is_expected: impl Fn(&PageObservation) -> bool,
    ) -> Arc<PageObservation> {
        let cx = cx();
        loop {
            let seen = self.observer.observe(&cx, &[]).await.unwrap();
            if is_expected(&seen) {
                return seen;
            }
            let since = seen.observation.revision;
            let changed = self.observer.changed(&cx, since).await;
            changed.unwrap_or_else(|why| panic!("{why}: {:?}", seen.observation.tree));
        }
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str) -> serde_json::Value {
        self.evaluate(script, false).await
    }

    /// Runs a script, and waits for its promise.
    pub(crate) async fn run_and_wait(&self, script: &str) -> serde_json::Value {
        self.evaluate(script, true).await
    }

    async fn evaluate(&self, script: &str, waits: bool) -> serde_json::Value {
        let evaluate = Evaluate {
            expression: script.to_owned(),
            return_by_value: Some(true),
            await_promise: Some(waits),
            ..Evaluate::default()
        };
        let answer = self.tab.session().call(&evaluate).await.unwrap();
        assert!(answer.exception_details.is_none(), "{answer:?}");
        answer.result.value
    }
}

/// The only element with this accessible name or text.
pub(crate) fn named<'s>(seen: &'s PageObservation, name: &str) -> (ElementId, &'s Element) {
    let mut found = seen
        .dom
        .ids()
        .map(|id| (id, seen.dom.element(id)))
        .filter(|(_, element)| {
            &*element.name == name || (element.name.is_empty() && &*element.text == name)
        });
    let first = found
        .next()
        .unwrap_or_else(|| panic!("nothing is called {name}"));
    let second = found.next();
    assert!(
        second.is_none(),
        "{first:?} and {second:?} are called {name}"
    );
    first
}

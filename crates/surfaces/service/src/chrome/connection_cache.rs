//! Connections to browsers and attached tabs that a long-lived process keeps between runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cdp::TargetId;
use driver_chrome::browser::{Browser, TabStatus, device_of};
use driver_chrome::{ChromeDriver, DialogTab, LeftoverDialog};

use crate::background::REPLY_TIMEOUT;

/// How long an unused tab stays attached. After that, attaching again costs little in comparison.
const IDLE_LIMIT: Duration = Duration::from_mins(10);

/// How long an open dialog may wait for an answer.
const DIALOG_LIMIT: Duration = Duration::from_mins(10);

/// The maximal number of attached tabs; each also holds its last snapshot.
const MAX_TABS: usize = 16;

/// The maximal number of dismissed dialogs that wait to be reported, the last ones.
const MAX_GIVEN_UP: usize = 16;

/// Keeps connections and tabs, or nothing, for a command that ends after one run. Clones share the cache.
#[derive(Clone, Debug)]
pub struct ConnectionCache {
    entries: Option<Arc<Mutex<CacheEntries>>>,
    /// How long an open dialog may wait for an answer.
    dialog_open: Duration,
}

impl Default for ConnectionCache {
    fn default() -> Self {
        Self {
            entries: None,
            dialog_open: DIALOG_LIMIT,
        }
    }
}

#[derive(Debug, Default)]
struct CacheEntries {
    /// By the endpoint of the request.
    browsers: HashMap<String, Browser>,
    /// Parked tabs, and since when; the last one was used last.
    tabs: Vec<(ChromeDriver, Instant)>,
    /// Dialogs that were dismissed between runs, by the URL of their browser, until the next run on it reports them.
    given_up: Vec<(String, LeftoverDialog)>,
}

impl ConnectionCache {
    /// A cache that exists as long as a clone of it.
    pub fn between_runs() -> Self {
        Self {
            entries: Some(Arc::default()),
            ..Self::default()
        }
    }

    /// How long an open dialog may wait for an answer.
    pub(crate) const fn dialog_open(&self) -> Duration {
        self.dialog_open
    }

    fn entries(&self) -> Option<MutexGuard<'_, CacheEntries>> {
        let entries = self.entries.as_ref()?;
        Some(entries.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The connection to the browser at an endpoint, if it is cached and open.
    pub(super) fn browser(&self, endpoint: &str) -> Option<Browser> {
        let entries = self.entries()?;
        let browser = entries.browsers.get(endpoint)?;
        browser
            .connection()
            .lost()
            .is_none()
            .then(|| browser.clone())
    }

    /// Caches a connection.
    pub(super) fn keep(&self, endpoint: &str, browser: &Browser) {
        if let Some(mut entries) = self.entries() {
            let connections = &mut entries.browsers;
            connections.retain(|_, kept| kept.connection().lost().is_none());
            connections.insert(endpoint.to_owned(), browser.clone());
        }
    }

    /// Removes closed connections; whether there was one.
    pub(super) fn forget_ended(&self) -> bool {
        let Some(mut entries) = self.entries() else {
            return false;
        };
        let before = entries.browsers.len();
        entries
            .browsers
            .retain(|_, kept| kept.connection().lost().is_none());
        entries.browsers.len() < before
    }

    /// Takes a parked tab to resume it.
    pub(crate) fn take(&self, browser: &Browser, id: &TargetId) -> Option<ChromeDriver> {
        let mut entries = self.entries()?;
        let tabs = &mut entries.tabs;
        if let Some(at) = tabs.iter().position(|(page, _)| is(page, browser, id)) {
            return Some(tabs.remove(at).0);
        }
        // The last driver to use a tab may have left it for another one.
        let mut drivers = tabs.iter_mut().map(|(page, _)| page);
        let left = drivers.find(|page| is_of(page, browser) && page.is_attached_to(id))?;
        left.split(id)
    }

    /// Parks what a driver whose front tab cannot be resumed has left.
    pub(crate) fn keep_others(&self, mut page: ChromeDriver) {
        if page.forget_front()
            && let Some(mut entries) = self.entries()
        {
            entries.tabs.push((page, Instant::now()));
        }
    }

    /// The tab that is in front instead of this parked one, if it was closed and its driver had left another one.
    pub(super) fn front_after(&self, browser: &Browser, closed: &TargetId) -> Option<TargetId> {
        let mut entries = self.entries()?;
        let mut drivers = entries.tabs.iter_mut().map(|(page, _)| page);
        let page = drivers.find(|page| is(page, browser, closed) && !is_open(page))?;
        page.leave_closed_tabs();
        let front = page.tab().map(|tab| tab.id().clone());
        front.filter(|front| front != closed)
    }

    /// Whether a tab is parked.
    pub(super) fn has(&self, browser: &Browser, id: &TargetId) -> bool {
        let Some(entries) = self.entries() else {
            return false;
        };
        let mut tabs = entries.tabs.iter();
        tabs.any(|(page, _)| is_open(page) && is_of(page, browser) && page.is_attached_to(id))
    }

    /// Detaches from the tabs of a driver, or parks them until the next run.
    pub(super) async fn leave(&self, mut page: ChromeDriver) -> LeftoverDialogs {
        let mut left = LeftoverDialogs::default();
        if self.entries.is_none() {
            left.dismissed = page.detach().await;
            return left;
        }
        let front = page
            .tab()
            .map(|tab| (tab.browser().url().to_owned(), tab.id().clone()));
        left.kept = page.pause();
        let now = Instant::now();
        if !left.kept.is_empty() {
            self.dismiss_later(now);
        }
        let mut gone = Vec::new();
        if let Some(mut entries) = self.entries()
            && is_open(&page)
        {
            let all = std::mem::take(&mut entries.tabs).into_iter();
            let (kept, old): (Vec<_>, Vec<_>) =
                all.partition(|(page, since)| is_open(page) && since.elapsed() < IDLE_LIMIT);
            entries.tabs = kept;
            gone.extend(old);
            if entries.tabs.len() == MAX_TABS {
                gone.push(entries.tabs.remove(0));
            }
            entries.tabs.push((page, now));
        }
        for (page, _) in gone {
            self.give_up(page).await;
        }
        if let Some((browser, front)) = front {
            left.given_up = self.take_given_up(&browser, &front);
        }
        left
    }

    /// Detaches from a parked tab, and keeps what the next run reports.
    async fn give_up(&self, page: ChromeDriver) {
        let Some(tab) = page.tab() else {
            return;
        };
        let (browser, device) = (tab.browser().url().to_owned(), device_of(tab.id()));
        let dismissed = page.detach().await.into_iter().map(|mut dialog| {
            if dialog.tab == DialogTab::Front {
                dialog.tab = DialogTab::Other(device.clone());
            }
            (browser.clone(), dialog)
        });
        if let Some(mut entries) = self.entries() {
            let given_up = &mut entries.given_up;
            given_up.extend(dismissed);
            let surplus = given_up.len().saturating_sub(MAX_GIVEN_UP);
            given_up.drain(..surplus);
        }
    }

    /// The dialogs of a browser that were dismissed since the last run, as a run on the tab `front` names their tabs.
    fn take_given_up(&self, browser: &str, front: &TargetId) -> Vec<LeftoverDialog> {
        let Some(mut entries) = self.entries() else {
            return Vec::new();
        };
        let all = std::mem::take(&mut entries.given_up).into_iter();
        let (own, others): (Vec<_>, Vec<_>) = all.partition(|(url, _)| url == browser);
        entries.given_up = others;
        let front = DialogTab::Other(device_of(front));
        let own = own.into_iter().map(|(_, mut dialog)| {
            if dialog.tab == front {
                dialog.tab = DialogTab::Front;
            }
            dialog
        });
        own.collect()
    }

    /// Detaches from a parked tab when its dialog was open for too long, unless it was used in the meantime.
    fn dismiss_later(&self, rests_since: Instant) {
        let Some(entries) = self.entries.as_ref().map(Arc::downgrade) else {
            return;
        };
        let dialog_open = self.dialog_open;
        tokio::spawn(async move {
            tokio::time::sleep(dialog_open).await;
            let cache = Self {
                entries: entries.upgrade(),
                dialog_open,
            };
            let resting = cache.entries().and_then(|mut entries| {
                let mut tabs = entries.tabs.iter();
                let at = tabs.position(|(_, since)| *since == rests_since)?;
                Some(entries.tabs.remove(at).0)
            });
            if let Some(page) = resting {
                cache.give_up(page).await;
            }
        });
    }

    /// Detaches from all parked tabs: no other client can answer the dialogs that are open there.
    pub(crate) async fn end(&self) {
        let tabs = match self.entries() {
            Some(mut entries) => std::mem::take(&mut entries.tabs),
            None => return,
        };
        for (page, _) in tabs {
            // A browser that does not answer needs no detaching.
            let _ = tokio::time::timeout(REPLY_TIMEOUT, page.detach()).await;
        }
    }
}

/// The dialogs that were open when a driver was left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftoverDialogs {
    /// Those that stay open.
    pub(crate) kept: Vec<LeftoverDialog>,
    /// Those that were dismissed, because no later command could answer them.
    pub(crate) dismissed: Vec<LeftoverDialog>,
    /// Those that were dismissed since the last run, because their tabs were not used for long.
    pub(crate) given_up: Vec<LeftoverDialog>,
}

/// Whether a page is this tab of this browser.
fn is(page: &ChromeDriver, browser: &Browser, id: &TargetId) -> bool {
    is_of(page, browser) && page.tab().is_some_and(|tab| tab.id() == id)
}

/// Whether a page is a tab of this browser.
fn is_of(page: &ChromeDriver, browser: &Browser) -> bool {
    page.tab()
        .is_some_and(|tab| tab.browser().url() == browser.url())
}

fn is_open(page: &ChromeDriver) -> bool {
    page.tab()
        .is_some_and(|tab| tab.state().status == TabStatus::Open && tab.session().is_open())
}

/// Two caches are equal if they share their state.
impl PartialEq for ConnectionCache {
    fn eq(&self, other: &Self) -> bool {
        match (&self.entries, &other.entries) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for ConnectionCache {}

#[cfg(test)]
mod browser_tests {
    use std::sync::Arc;

    use driver::{Cx, Driver, Target};
    use driver_chrome::browser::{Launch, ProgramSearch, Sandbox, Window};
    use testkit::Watch;
    use testkit::web::Web;
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn unanswered_dialog_is_dismissed_after_a_time_limit() {
        let profile = testkit::browser_profile("kept");
        let launch = Launch {
            program: ProgramSearch::from_env().find().unwrap(),
            profile: profile.clone(),
            window: Window::Headless,
            sandbox: Sandbox::WherePossible,
            port: None,
            size: (800, 600),
            flags: Vec::new(),
        };
        let started = launch.start().await.unwrap();
        let _watch = started.child.id().map(|pid| Watch::over(pid, profile));
        let browser = Browser::connect(&started.endpoint).await.unwrap();
        let web = Web::start();
        web.page(
            "/",
            "<script>onload = () => setTimeout(() => { alert('Hi'); fetch('/answered') })</script>",
        );
        let id = browser.tabs().await.unwrap().remove(0).id;
        let tab = browser.attach(&id).await.unwrap();
        let mut state = tab.watch();
        let cx = Cx::new(Duration::from_secs(30), CancellationToken::new());
        let mut page = ChromeDriver::open(tab, &cx).await.unwrap();
        page.open(&cx, &Target::Uri(web.url("/"))).await.unwrap();
        testkit::within("the dialog", state.wait_for(|state| state.dialog.is_some()))
            .await
            .unwrap();
        let kept = ConnectionCache {
            entries: Some(Arc::default()),
            dialog_open: Duration::from_millis(300),
        };
        // Using the tab again restarts the time limit.
        let mut started_at = Instant::now();
        for _ in 0..2 {
            started_at = Instant::now();
            let left = kept.leave(page).await.kept;
            let messages: Vec<&str> = left.iter().map(|each| &*each.message).collect();
            assert_eq!(messages, ["Hi"]);
            page = kept.take(&browser, &id).unwrap();
            assert!(state.borrow().dialog.is_some());
        }
        kept.leave(page).await;
        web.until(|requests| requests.iter().any(|each| each.path == "/answered"))
            .await;
        assert!(started_at.elapsed() >= kept.dialog_open);
        assert!(!kept.has(&browser, &id));
        // The next run reports it once.
        for expected in [&["Hi"][..], &[]] {
            let tab = browser.attach(&id).await.unwrap();
            let page = ChromeDriver::open(tab, &cx).await.unwrap();
            let given_up = kept.leave(page).await.given_up;
            let messages: Vec<&str> = given_up.iter().map(|each| &*each.message).collect();
            assert_eq!(messages, expected);
            assert!(given_up.iter().all(|each| each.tab == DialogTab::Front));
            drop(kept.take(&browser, &id));
        }
    }
}

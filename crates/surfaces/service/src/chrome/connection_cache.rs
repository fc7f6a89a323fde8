//! What a process that stays keeps of browsers between its runs: connections to them, and tabs that it is still attached to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cdp::TargetId;
use driver_chrome::browser::{Browser, TabStatus};
use driver_chrome::{ChromeDriver, DialogPolicy, LeftoverDialog};

use crate::background::REPLY_TIMEOUT;

/// How long a tab is kept that nobody drives: what it costs to attach to it anew is nothing to whoever comes later than this.
const KEPT: Duration = Duration::from_mins(10);

/// How long a dialog stays open that nobody answers.
const DIALOG_OPEN: Duration = Duration::from_mins(10);

/// How many tabs are kept: of each what was seen last is held, too.
const MOST: usize = 16;

/// Keeps connections and tabs, or nothing: a command that ends has no use for them. Clones keep the same.
#[derive(Clone, Debug)]
pub struct ConnectionCache {
    things: Option<Arc<Mutex<CacheEntries>>>,
    dialogs: DialogPolicy,
    /// How long a dialog stays open that nobody answers.
    dialog_open: Duration,
}

impl Default for ConnectionCache {
    fn default() -> Self {
        Self {
            things: None,
            dialogs: DialogPolicy::default(),
            dialog_open: DIALOG_OPEN,
        }
    }
}

#[derive(Debug, Default)]
struct CacheEntries {
    /// By the endpoint that they were asked for with.
    browsers: HashMap<String, Browser>,
    /// The tabs that rest, and since when; that which was driven last is last.
    tabs: Vec<(ChromeDriver, Instant)>,
}

impl ConnectionCache {
    /// Keeps them for as long as a clone of it is there.
    #[must_use]
    pub fn between_runs(dialogs: DialogPolicy) -> Self {
        Self {
            things: Some(Arc::default()),
            dialogs,
            ..Self::default()
        }
    }

    /// How long a dialog stays open that nobody answers.
    pub(crate) const fn dialog_open(&self) -> Duration {
        self.dialog_open
    }

    fn things(&self) -> Option<MutexGuard<'_, CacheEntries>> {
        let things = self.things.as_ref()?;
        Some(things.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The connection to the browser at an endpoint, if it is kept and has not ended.
    pub(super) fn browser(&self, endpoint: &str) -> Option<Browser> {
        let things = self.things()?;
        let browser = things.browsers.get(endpoint)?;
        browser
            .connection()
            .lost()
            .is_none()
            .then(|| browser.clone())
    }

    /// Keeps a connection.
    pub(super) fn keep(&self, endpoint: &str, browser: &Browser) {
        if let Some(mut things) = self.things() {
            let connections = &mut things.browsers;
            connections.retain(|_, kept| kept.connection().lost().is_none());
            connections.insert(endpoint.to_owned(), browser.clone());
        }
    }

    /// Forgets connections that have ended; whether there was one.
    pub(super) fn forget_ended(&self) -> bool {
        let Some(mut things) = self.things() else {
            return false;
        };
        let before = things.browsers.len();
        things
            .browsers
            .retain(|_, kept| kept.connection().lost().is_none());
        things.browsers.len() < before
    }

    /// A tab that rests, to be resumed.
    pub(crate) fn take(&self, browser: &Browser, id: &TargetId) -> Option<ChromeDriver> {
        let mut things = self.things()?;
        let tabs = &mut things.tabs;
        let at = tabs.iter().position(|(page, _)| is(page, browser, id))?;
        Some(tabs.remove(at).0)
    }

    /// Whether a tab rests, to be resumed.
    pub(super) fn has(&self, browser: &Browser, id: &TargetId) -> bool {
        let Some(things) = self.things() else {
            return false;
        };
        let mut tabs = things.tabs.iter();
        tabs.any(|(page, _)| is_there(page) && is(page, browser, id))
    }

    /// Leaves a tab, or has it rest until it is driven again; gives the dialog that was open.
    pub(super) async fn leave(&self, mut page: ChromeDriver) -> Option<LeftoverDialog> {
        if self.things.is_none() {
            return page.detach().await;
        }
        let left = page.pause(self.dialogs).await;
        let stays = left
            .as_ref()
            .is_some_and(|left| left.handled == DialogPolicy::Keep);
        let now = Instant::now();
        if stays {
            self.dismiss_later(now);
        }
        let mut gone = Vec::new();
        if let Some(mut things) = self.things()
            && is_there(&page)
        {
            let all = std::mem::take(&mut things.tabs).into_iter();
            let (kept, old): (Vec<_>, Vec<_>) =
                all.partition(|(page, since)| is_there(page) && since.elapsed() < KEPT);
            things.tabs = kept;
            gone.extend(old);
            if things.tabs.len() == MOST {
                gone.push(things.tabs.remove(0));
            }
            things.tabs.push((page, now));
        }
        for (page, _) in gone {
            page.detach().await;
        }
        left
    }

    /// Leaves the tab that rests since then when its dialog was open for long enough, unless it was driven again by then.
    fn dismiss_later(&self, rests_since: Instant) {
        let Some(things) = self.things.as_ref().map(Arc::downgrade) else {
            return;
        };
        let dialog_open = self.dialog_open;
        tokio::spawn(async move {
            tokio::time::sleep(dialog_open).await;
            let Some(things) = things.upgrade() else {
                return;
            };
            let resting = {
                let mut things = things.lock().unwrap_or_else(PoisonError::into_inner);
                let mut tabs = things.tabs.iter();
                let at = tabs.position(|(_, since)| *since == rests_since);
                at.map(|at| things.tabs.remove(at).0)
            };
            if let Some(page) = resting {
                page.detach().await;
            }
        });
    }

    /// Leaves every tab that rests: nobody else can answer the dialogs that are open there.
    pub(crate) async fn end(&self) {
        let tabs = match self.things() {
            Some(mut things) => std::mem::take(&mut things.tabs),
            None => return,
        };
        for (page, _) in tabs {
            // A browser that does not answer has nothing to be left.
            let _ = tokio::time::timeout(REPLY_TIMEOUT, page.detach()).await;
        }
    }
}

/// Whether it is this tab of this browser.
fn is(page: &ChromeDriver, browser: &Browser, id: &TargetId) -> bool {
    page.tab()
        .is_some_and(|tab| tab.id() == id && tab.browser().url() == browser.url())
}

fn is_there(page: &ChromeDriver) -> bool {
    page.tab()
        .is_some_and(|tab| tab.state().status == TabStatus::Open && tab.session().is_open())
}

/// Two are the same when they keep the same things.
impl PartialEq for ConnectionCache {
    fn eq(&self, other: &Self) -> bool {
        match (&self.things, &other.things) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for ConnectionCache {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use driver::{Cx, Driver, Target};
    use driver_chrome::browser::{Launch, ProgramSearch, Sandbox, Window};
    use testkit::Watch;
    use testkit::web::Web;
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn dialog_that_nobody_answers_is_dismissed_after_its_time() {
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
            things: Some(Arc::default()),
            dialogs: DialogPolicy::Keep,
            dialog_open: Duration::from_millis(300),
        };
        // Driven again in the meantime, it has all of its time once more.
        let mut begun = Instant::now();
        for _ in 0..2 {
            begun = Instant::now();
            let left = kept.leave(page).await.unwrap();
            assert_eq!(
                (left.message.as_str(), left.handled),
                ("Hi", DialogPolicy::Keep)
            );
            page = kept.take(&browser, &id).unwrap();
            assert!(state.borrow().dialog.is_some());
        }
        kept.leave(page).await.unwrap();
        web.until(|asked| asked.iter().any(|each| each.path == "/answered"))
            .await;
        assert!(begun.elapsed() >= kept.dialog_open);
        assert!(!kept.has(&browser, &id));
    }
}

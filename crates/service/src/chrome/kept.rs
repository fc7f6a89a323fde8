//! What a process that stays keeps of browsers between its runs: connections to them, and tabs that it is still attached to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cdp::TargetId;
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, Standing};

/// How long a tab is kept that nobody drives: what it costs to attach to it anew is nothing to whoever comes later than this.
const KEPT: Duration = Duration::from_mins(10);

/// How many tabs are kept: of each what was seen last is held, too.
const MOST: usize = 16;

/// Keeps connections and tabs, or nothing: a command that ends has no use for them. Clones keep the same.
#[derive(Clone, Debug, Default)]
pub struct Kept(Option<Arc<Mutex<Things>>>);

#[derive(Debug, Default)]
struct Things {
    /// By the endpoint that they were asked for with.
    browsers: HashMap<String, Browser>,
    /// The tabs that rest, and since when; that which was driven last is last.
    tabs: Vec<(ChromeDriver, Instant)>,
}

impl Kept {
    /// Keeps them for as long as a clone of it is there.
    #[must_use]
    pub fn between_runs() -> Self {
        Self(Some(Arc::default()))
    }

    fn things(&self) -> Option<MutexGuard<'_, Things>> {
        let things = self.0.as_ref()?;
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

    /// Leaves a tab, or has it rest until it is driven again; the words of a dialog that was dismissed for that.
    pub(super) async fn leave(&self, mut page: ChromeDriver) -> Option<String> {
        if self.0.is_none() {
            return page.leave().await;
        }
        let words = page.rest().await;
        if let Some(mut things) = self.things()
            && is_there(&page)
        {
            let tabs = &mut things.tabs;
            tabs.retain(|(page, since)| is_there(page) && since.elapsed() < KEPT);
            if tabs.len() == MOST {
                tabs.remove(0);
            }
            tabs.push((page, Instant::now()));
        }
        words
    }
}

/// Whether it is this tab of this browser.
fn is(page: &ChromeDriver, browser: &Browser, id: &TargetId) -> bool {
    page.tab()
        .is_some_and(|tab| tab.id() == id && tab.browser().url() == browser.url())
}

fn is_there(page: &ChromeDriver) -> bool {
    page.tab()
        .is_some_and(|tab| tab.state().standing == Standing::Open && tab.session().is_open())
}

/// Two are the same when they keep the same things.
impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Kept {}

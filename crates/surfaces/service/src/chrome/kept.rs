//! What a process that stays keeps of browsers between its runs: connections to them, and tabs that it is still attached to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cdp::TargetId;
use driver_chrome::browser::{Browser, Standing};
use driver_chrome::{ChromeDriver, LeftDialog, OpenDialog};

use super::record::ANSWER;

/// How long a tab is kept that nobody drives: what it costs to attach to it anew is nothing to whoever comes later than this.
const KEPT: Duration = Duration::from_mins(10);

/// How long a dialog stays open that nobody answers.
pub(crate) const DIALOG_OPEN: Duration = Duration::from_mins(10);

/// How many tabs are kept: of each what was seen last is held, too.
const MOST: usize = 16;

/// Keeps connections and tabs, or nothing: a command that ends has no use for them. Clones keep the same.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    things: Option<Arc<Mutex<Things>>>,
    dialogs: OpenDialog,
}

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
    pub fn between_runs(dialogs: OpenDialog) -> Self {
        Self {
            things: Some(Arc::default()),
            dialogs,
        }
    }

    fn things(&self) -> Option<MutexGuard<'_, Things>> {
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
    pub(super) async fn leave(&self, mut page: ChromeDriver) -> Option<LeftDialog> {
        if self.things.is_none() {
            return page.leave().await;
        }
        let left = page.rest(self.dialogs).await;
        let stays = left
            .as_ref()
            .is_some_and(|left| left.became == OpenDialog::Keep);
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
            page.leave().await;
        }
        left
    }

    /// Leaves the tab that rests since then when its dialog was open for long enough, unless it was driven again by then.
    fn dismiss_later(&self, rests_since: Instant) {
        let Some(things) = self.things.as_ref().map(Arc::downgrade) else {
            return;
        };
        tokio::spawn(async move {
            tokio::time::sleep(DIALOG_OPEN).await;
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
                page.leave().await;
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
            let _ = tokio::time::timeout(ANSWER, page.leave()).await;
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
        .is_some_and(|tab| tab.state().standing == Standing::Open && tab.session().is_open())
}

/// Two are the same when they keep the same things.
impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        match (&self.things, &other.things) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Kept {}

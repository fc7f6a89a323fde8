//! Detaches a driver after a run, or pauses it between runs while its tabs stay attached.

use std::collections::BTreeSet;

use cdp::TargetId;
use cdp::protocol::page::GetLayoutMetrics;
use driver::{BackgroundEvent, Cx, Dispatch, Driver, DriverError, Result, SideEffect};

use crate::browser::{TabStatus, device_of};
use crate::driver::ChromeDriver;
use crate::input::{Interruption, act_error, interruption, tab_error};
use crate::page::Dialog;
use crate::tab_view::{TabView, screen_of};

/// Maximum number of tabs without a dialog that stay attached, in addition to the front tab.
const MAX_BACKGROUND_TABS: usize = 15;

/// A dialog that was open at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftoverDialog {
    /// Its text.
    pub message: String,
    /// Its buttons.
    pub buttons: &'static [&'static str],
    /// Its tab.
    pub tab: DialogTab,
}

/// The tab of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogTab {
    /// The front tab.
    Front,
    /// Another tab, by its `--device` name.
    Other(String),
}

impl ChromeDriver {
    /// Detaches from the browser. Open dialogs are dismissed and returned, since a browser reports them only to clients that
    /// were attached when they opened.
    pub async fn detach(self) -> Vec<LeftoverDialog> {
        let open = self.open_dialogs();
        for view in self.views.values() {
            view.tab.dismiss().await;
        }
        open
    }

    /// Stops observing the pages but stays attached: attaching again makes the browser redraw the page, and the browser
    /// reports dialogs only to attached clients. Returns the open dialogs, which stay open, that of the front tab first. Call
    /// [`resume`](Self::resume) before anything else.
    pub fn pause(&mut self) -> Vec<LeftoverDialog> {
        self.downloads.release();
        self.leave_closed_tabs();
        let others = self.views.iter().filter(|(id, _)| **id != self.front);
        let quiet = others.filter(|(_, view)| view.tab.state().dialog.is_none());
        let dropped: Vec<TargetId> = quiet
            .skip(MAX_BACKGROUND_TABS)
            .map(|(id, _)| id.clone())
            .collect();
        self.views.retain(|id, _| !dropped.contains(id));
        for view in self.views.values() {
            view.release_focus();
        }
        let ids = self.views.keys();
        self.left = ids.filter(|id| **id != self.front).cloned().collect();
        self.open_dialogs()
    }

    /// Forgets closed tabs. If the front tab was closed, another one comes to the front: its opener, if that is known.
    pub fn leave_closed_tabs(&mut self) {
        let front = self.front.clone();
        if self
            .tab()
            .is_some_and(|tab| tab.state().status == TabStatus::Closed)
        {
            self.note_closed(&front);
        }
        self.views
            .retain(|_, view| view.tab.state().status != TabStatus::Closed);
        if self.views.contains_key(&front) {
            return;
        }
        while let Some(opener) = self.openers.pop() {
            if self.views.contains_key(&opener) {
                self.front = opener;
                return;
            }
        }
        if let Some(other) = self.views.keys().next() {
            self.front = other.clone();
        }
    }

    /// Forgets the front tab; returns whether another one is in front then.
    pub fn forget_front(&mut self) -> bool {
        self.views.remove(&self.front);
        self.leave_closed_tabs();
        self.views.contains_key(&self.front)
    }

    /// Whether it is attached to this tab, in front or not.
    pub fn is_attached_to(&self, id: &TargetId) -> bool {
        self.views.contains_key(id)
    }

    /// A separate driver for a tab that is not in front.
    pub fn split(&mut self, id: &TargetId) -> Option<Self> {
        if self.front == *id {
            return None;
        }
        let view = self.views.remove(id)?;
        self.left.remove(id);
        self.openers.retain(|opener| opener != id);
        let mut info = self.info.clone();
        info.id = device_of(id);
        let mut driver = Self::of_view(self.browser.clone(), info, view);
        driver.file_access = self.file_access;
        Some(driver)
    }

    /// Resumes a paused tab, once its page answers or is known to be blocked by a dialog.
    ///
    /// # Errors
    /// If the tab is gone, or its page crashed: attaching anew gives details. If `cx` ends first.
    pub async fn resume(&mut self, cx: &Cx) -> Result<()> {
        let view = self.view()?;
        drop(view.resume());
        let metrics = view.session().call(&GetLayoutMetrics {});
        let screen = tokio::select! {
            biased;
            metrics = cx.run(metrics) => Some(screen_of(&metrics?.map_err(act_error)?)),
            stopped = interruption(view.tab.watch()) => match stopped {
                Interruption::Dialog(_) => None,
                Interruption::Unreachable(status) => {
                    return Err(tab_error(&status, Dispatch::NotSent).unwrap_or(DriverError::NoWindow));
                }
            },
        };
        if let Some(screen) = screen {
            self.info.screen = screen;
        }
        // Tabs opened meanwhile are reported, but not followed.
        self.note_news(cx).await?;
        let opened: BTreeSet<TargetId> = self
            .views
            .values()
            .flat_map(|view| view.tab.state().opened)
            .map(|tab| tab.id)
            .collect();
        self.followed.extend(opened);
        self.css.clear();
        self.continue_revisions();
        Ok(())
    }

    /// Records the events since the last run.
    async fn note_news(&mut self, cx: &Cx) -> Result<()> {
        let effects = self.side_effects();
        let is_opened = |effect: &SideEffect| matches!(effect, SideEffect::TabOpened(_));
        // Events of a tab without an attached session do not contain its title.
        let tabs = match effects.iter().any(is_opened) {
            true => cx.run(self.browser.tabs()).await?.map_err(act_error)?,
            false => Vec::new(),
        };
        for effect in effects {
            match effect {
                SideEffect::TabOpened(device) => {
                    if let Some(tab) = tabs.iter().find(|tab| device_of(&tab.id) == device) {
                        let (title, url) = (tab.title.clone(), tab.url.clone());
                        self.background_events.push(BackgroundEvent::TabOpened {
                            device,
                            title,
                            url,
                        });
                    }
                }
                SideEffect::Downloaded(file) => self
                    .background_events
                    .push(BackgroundEvent::Downloaded(file)),
                SideEffect::TabClosed(_) | SideEffect::Noticed(_) => {}
            }
        }
        self.just_opened.clear();
        Ok(())
    }

    /// Records that the front tab was closed, so that another page is shown.
    pub(crate) fn note_closed(&mut self, id: &TargetId) {
        let document = self
            .views
            .get(id)
            .and_then(|view| view.tab.state().document);
        let url = document.map(|document| document.url).unwrap_or_default();
        self.background_events.push(BackgroundEvent::TabClosed {
            device: device_of(id),
            url,
        });
    }

    /// The dialogs of its tabs, that of the front tab first.
    fn open_dialogs(&self) -> Vec<LeftoverDialog> {
        let front = self.views.get_key_value(&self.front);
        let others = self.views.iter().filter(|(id, _)| **id != self.front);
        let open = |(id, view): (&TargetId, &TabView)| {
            let dialog = Dialog::new(view.tab.state().dialog?);
            Some(LeftoverDialog {
                buttons: dialog.kind.buttons(),
                message: dialog.message,
                tab: match *id == self.front {
                    true => DialogTab::Front,
                    false => DialogTab::Other(device_of(id)),
                },
            })
        };
        front.into_iter().chain(others).filter_map(open).collect()
    }
}

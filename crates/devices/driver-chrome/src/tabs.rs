//! The tabs of the browser: listing, opening, choosing and closing them.

use driver::{Cx, Dispatch, DriverError, OpenOutcome, Result, TabEntry};

use crate::browser::{TabInfo, device_of};
use crate::driver::ChromeDriver;
use crate::input::act_error;
use crate::navigate::check_uri;

impl ChromeDriver {
    /// The tabs, in the order of [`Browser::tabs`](crate::browser::Browser::tabs).
    pub(crate) async fn list_tabs(&mut self, cx: &Cx) -> Result<Vec<TabEntry>> {
        self.ensure_front(cx).await?;
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        self.note_opened();
        let shown = self.view()?.tab.state().document;
        let entry = |tab: TabInfo| {
            let current = tab.id == self.front;
            let opened = self.opened.iter().position(|id| *id == tab.id);
            TabEntry {
                device: device_of(&tab.id),
                title: tab.title,
                // A navigating tab is listed with its destination.
                url: match &shown {
                    Some(document) if current => document.url.clone(),
                    _ => tab.url,
                },
                current,
                opened: opened.map(|position| position + 1),
            }
        };
        Ok(tabs.into_iter().map(entry).collect())
    }

    /// Records the tabs that other tabs have opened.
    fn note_opened(&mut self) {
        for view in self.views.values() {
            for tab in view.tab.state().opened {
                if !self.opened.contains(&tab.id) {
                    self.opened.push(tab.id);
                }
            }
        }
    }

    /// Loads a URI in a new tab, which comes to the front.
    pub(crate) async fn load_in_new_tab(&mut self, cx: &Cx, uri: &str) -> Result<OpenOutcome> {
        check_uri(uri, self.file_access)?;
        self.ensure_front(cx).await?;
        self.note_opened();
        let opener = self.front.clone();
        let created = cx.run(self.browser.open_tab("about:blank")).await?;
        let id = created.map_err(act_error)?;
        self.opened.push(id.clone());
        let attached = self.bring_to_front(cx, &id).await;
        attached.map_err(|error| in_new_tab(uri, error))?;
        self.openers.push(opener);
        let loaded = self.open_uri(cx, uri).await;
        loaded.map_err(|error| in_new_tab(uri, error))
    }

    /// Brings a tab to the front.
    pub(crate) async fn show_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let tab = self.open_tab_of(cx, device).await?;
        self.bring_to_front(cx, &tab.id).await
    }

    /// Closes a tab; its opener comes to the front if it was in front.
    pub(crate) async fn remove_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let tab = self.open_tab_of(cx, device).await?;
        self.close_tabs(cx, &[tab]).await
    }

    /// The open tab of a device.
    async fn open_tab_of(&mut self, cx: &Cx, device: &str) -> Result<TabInfo> {
        self.ensure_front(cx).await?;
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        let mut tabs = tabs.into_iter();
        tabs.find(|tab| device_of(&tab.id) == device)
            .ok_or_else(|| DriverError::Refused(format!("the tab {device} was closed meanwhile")))
    }
}

/// The error of a page in a new tab: the tab was opened, so it must not be opened again.
fn in_new_tab(uri: &str, error: DriverError) -> DriverError {
    match error {
        DriverError::NotLoaded { reason, .. } => DriverError::NotLoaded {
            uri: uri.to_owned(),
            reason: format!("{reason}; its new tab stays open"),
            dispatch: Dispatch::Sent,
        },
        DriverError::Refused(reason) | DriverError::NotHandled(reason) => {
            DriverError::Partial(format!("a tab was opened: {reason}"))
        }
        other => other,
    }
}

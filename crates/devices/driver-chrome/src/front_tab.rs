//! Decides which tab is in front: a tab that the front tab opened, or the opener of a closed tab.

use cdp::TargetId;
use driver::{Cx, Dispatch, DriverError, Result};

use crate::ChromeDriver;
use crate::browser::TabStatus;
use crate::input::{act_error, tab_error};
use crate::tab_view::TabView;

impl ChromeDriver {
    /// Ensures that the front tab can be used: follows a tab that it opened, returns to the previous one if it
    /// was closed, and reloads a crashed page.
    pub(crate) async fn ensure_front(&mut self, cx: &Cx) -> Result<()> {
        cx.check()?;
        loop {
            let state = self.view()?.tab.state();
            match state.status {
                TabStatus::Lost(_) => {
                    return Err(tab_error(&state.status, Dispatch::NotSent)
                        .unwrap_or(DriverError::NoWindow));
                }
                TabStatus::Closed => {
                    let closed = self.front.clone();
                    self.note_closed(&closed);
                    self.views.remove(&self.front);
                    self.return_to_opener(cx).await?;
                }
                TabStatus::Crashed => {
                    let view = self.view()?;
                    // The state of the page is lost with its process, which is reported before reloading.
                    if !std::mem::replace(&mut view.crash_reported, true) {
                        return Err(tab_error(&TabStatus::Crashed, Dispatch::NotSent)
                            .unwrap_or(DriverError::NoWindow));
                    }
                    view.recover(cx).await?;
                    self.continue_revisions();
                }
                TabStatus::Open => {
                    let mut opened = state.opened.iter().rev();
                    let Some(tab) = opened.find(|tab| !self.followed.contains(&tab.id)) else {
                        return Ok(());
                    };
                    let (opened, opener) = (tab.id.clone(), self.front.clone());
                    match self.bring_to_front(cx, &opened).await {
                        Ok(()) => self.openers.push(opener),
                        // It was closed before it could be observed.
                        Err(DriverError::Lost { .. } | DriverError::Refused(_))
                            if self.is_connected() => {}
                        Err(error) => return Err(error),
                    }
                    self.followed.insert(opened);
                }
            }
        }
    }

    /// Whether the front tab was closed, while the browser still runs.
    pub(crate) fn has_closed(&self) -> bool {
        let closed = |view: &TabView| view.tab.state().status == TabStatus::Closed;
        self.is_connected() && self.views.get(&self.front).is_none_or(closed)
    }

    fn is_connected(&self) -> bool {
        self.browser.connection().lost().is_none()
    }

    /// Brings a tab to the front.
    pub(crate) async fn bring_to_front(&mut self, cx: &Cx, id: &TargetId) -> Result<()> {
        if self.front != *id {
            match self.views.get(id) {
                Some(view) => {
                    cx.run(view.resume()).await?.map_err(act_error)?;
                }
                None => {
                    let view = TabView::attach(cx, &self.browser, id).await?;
                    self.views.insert(id.clone(), view);
                }
            }
            self.front = id.clone();
            self.left.remove(id);
            self.continue_revisions();
        }
        Ok(())
    }

    /// Brings the opener of a closed tab to the front, else any other tab.
    pub(crate) async fn return_to_opener(&mut self, cx: &Cx) -> Result<()> {
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        while let Some(opener) = self.openers.pop() {
            if tabs.iter().any(|tab| tab.id == opener) {
                return self.bring_to_front(cx, &opener).await;
            }
        }
        let id = match tabs.first() {
            Some(tab) => tab.id.clone(),
            None => cx
                .run(self.browser.open_tab("about:blank"))
                .await?
                .map_err(act_error)?,
        };
        self.bring_to_front(cx, &id).await
    }
}

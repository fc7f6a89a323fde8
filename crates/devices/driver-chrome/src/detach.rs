//! Between runs: a tab is detached, or paused while staying attached.

use cdp::protocol::page::GetLayoutMetrics;
use driver::{Cx, Dispatch, Driver, DriverError, Result};

use crate::driver::ChromeDriver;
use crate::input::{Interruption, act_error, interruption, tab_error};
use crate::page::Dialog;
use crate::view::screen_of;

/// What to do with the front tab's dialog when it is paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    /// Dismiss it.
    #[default]
    Dismiss,
    /// Keep it open for the next run.
    Keep,
}

/// A dialog that was open at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftoverDialog {
    /// Its text.
    pub message: String,
    /// Its buttons.
    pub buttons: &'static [&'static str],
    /// What was done with it.
    pub handled: DialogPolicy,
}

impl ChromeDriver {
    /// Detaches from the browser. An open dialog is dismissed, since a browser reports it only to clients that
    /// were attached when it opened.
    pub async fn detach(mut self) -> Option<LeftoverDialog> {
        self.close_dialogs(DialogPolicy::Dismiss).await
    }

    /// Stops observing the page but stays attached: attaching again makes the browser redraw the page, and the browser
    /// reports dialogs only to attached clients. Call [`resume`](Self::resume) before anything else.
    pub async fn pause(&mut self, dialog: DialogPolicy) -> Option<LeftoverDialog> {
        let left = self.close_dialogs(dialog).await;
        // The next run starts with the front tab and without its history.
        self.views.retain(|id, _| *id == self.front);
        self.openers.clear();
        if let Ok(view) = self.view() {
            view.release_focus();
        }
        left
    }

    /// Resumes a paused tab, once its page answers or is known to be blocked by a dialog.
    ///
    /// # Errors
    /// If the tab is gone, or its page crashed: attaching anew gives details. If `cx` ends first.
    pub async fn resume(&mut self, cx: &Cx) -> Result<()> {
        let view = self.view()?;
        view.resume();
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
        let known = view.tab.state();
        if let Some(screen) = screen {
            self.info.screen = screen;
        }
        // Tabs and files opened meanwhile are not ours, and are neither followed nor reported.
        self.side_effects();
        self.followed
            .extend(known.opened.into_iter().map(|tab| tab.id));
        self.last_touch = None;
        self.last_text = None;
        self.http_status = None;
        self.css.clear();
        self.continue_revisions();
        Ok(())
    }

    /// Dismisses the dialogs of all its tabs, except the front one if it is to stay; returns the latter, else
    /// one of the others.
    async fn close_dialogs(&mut self, front: DialogPolicy) -> Option<LeftoverDialog> {
        self.downloads.release();
        let mut left = None;
        for (id, view) in &self.views {
            let is_front = *id == self.front;
            let opening = match front {
                DialogPolicy::Keep if is_front => view.tab.state().dialog,
                DialogPolicy::Keep | DialogPolicy::Dismiss => view.tab.dismiss().await,
            };
            let Some(dialog) = opening.map(Dialog::new) else {
                continue;
            };
            if is_front || left.is_none() {
                left = Some(LeftoverDialog {
                    buttons: dialog.kind.buttons(),
                    message: dialog.message,
                    handled: if is_front {
                        front
                    } else {
                        DialogPolicy::Dismiss
                    },
                });
            }
        }
        left
    }
}

//! Between runs: a tab is left, or rests attached until it is driven again.

use cdp::protocol::page::GetLayoutMetrics;
use driver::{Cx, Dispatch, Driver, DriverError, Result};

use crate::driver::ChromeDriver;
use crate::input::{Interruption, act_error, interruption, tab_error};
use crate::page::Dialog;
use crate::view::screen_of;

/// What becomes of the dialog in front when its tab rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    /// It is dismissed.
    #[default]
    Dismiss,
    /// It stays open, to be answered by the next run.
    Keep,
}

/// A dialog that was open at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftoverDialog {
    /// What it says.
    pub message: String,
    /// Its buttons.
    pub buttons: &'static [&'static str],
    /// What became of it.
    pub handled: DialogPolicy,
}

impl ChromeDriver {
    /// Leaves the browser. A dialog that is open is dismissed, for a browser tells of it only those who were there when it
    /// opened.
    pub async fn detach(mut self) -> Option<LeftoverDialog> {
        self.close_dialogs(DialogPolicy::Dismiss).await
    }

    /// Stops observing the page but stays attached: attaching again makes the browser redraw the page, and the browser
    /// reports dialogs only to attached clients. Call [`resume`](Self::resume) before anything else.
    pub async fn pause(&mut self, dialog: DialogPolicy) -> Option<LeftoverDialog> {
        let left = self.close_dialogs(dialog).await;
        // The next run finds the tab in front, and nothing of how it came there.
        self.views.retain(|id, _| *id == self.front);
        self.openers.clear();
        if let Ok(view) = self.view() {
            view.release_focus();
        }
        left
    }

    /// Drives the tab again that it rested on, once its page answers or a dialog is known to keep it from that.
    ///
    /// # Errors
    /// When the tab is gone, or the process of its page died: whoever attaches anew is told more. When `cx` ends first.
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
        // Tabs that came meanwhile are others', and are neither followed nor told, nor are files.
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

    /// Dismisses the dialogs of all its tabs, but for that in front where it is to stay; gives the latter, or else one of
    /// the former.
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

//! Between runs: a tab is left, or rests attached until it is driven again.

use cdp::protocol::page::GetLayoutMetrics;
use driver::{Cx, Dispatch, Driver, DriverError, Result};

use crate::driver::ChromeDriver;
use crate::input::{Instead, of_act, of_standing, stopped};
use crate::page::Dialog;
use crate::view::screen_of;

/// What becomes of the dialog in front when its tab rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenDialog {
    /// It is dismissed.
    #[default]
    Dismiss,
    /// It stays open, to be answered by the next run.
    Keep,
}

/// A dialog that was open at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftDialog {
    /// What it says.
    pub message: String,
    /// Its buttons.
    pub buttons: &'static [&'static str],
    /// What became of it.
    pub became: OpenDialog,
}

impl ChromeDriver {
    /// Leaves the browser. A dialog that is open is dismissed, for a browser tells of it only those who were there when it
    /// opened.
    pub async fn leave(mut self) -> Option<LeftDialog> {
        self.part(OpenDialog::Dismiss).await
    }

    /// Stops observing the page but stays attached: attaching again makes the browser redraw the page, and the browser
    /// reports dialogs only to attached clients. Call [`resume`](Self::resume) before anything else.
    pub async fn rest(&mut self, dialog: OpenDialog) -> Option<LeftDialog> {
        let left = self.part(dialog).await;
        // The next run finds the tab in front, and nothing of how it came there.
        self.views.retain(|id, _| *id == self.front);
        self.openers.clear();
        if let Ok(view) = self.view() {
            view.rest();
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
            metrics = cx.run(metrics) => Some(screen_of(&metrics?.map_err(of_act)?)),
            stopped = stopped(view.tab.watch()) => match stopped {
                Instead::Dialog(_) => None,
                Instead::Gone(standing) => {
                    return Err(of_standing(&standing, Dispatch::NotSent).unwrap_or(DriverError::NoWindow));
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
        self.touched = None;
        self.written = None;
        self.http_status = None;
        self.css.clear();
        self.count_on();
        Ok(())
    }

    /// Dismisses the dialogs of all its tabs, but for that in front where it is to stay; gives the latter, or else one of
    /// the former.
    async fn part(&mut self, front: OpenDialog) -> Option<LeftDialog> {
        let mut left = None;
        for (id, view) in &self.views {
            let is_front = *id == self.front;
            let opening = match front {
                OpenDialog::Keep if is_front => view.tab.state().dialog,
                OpenDialog::Keep | OpenDialog::Dismiss => view.tab.dismiss().await,
            };
            let Some(dialog) = opening.map(Dialog::new) else {
                continue;
            };
            if is_front || left.is_none() {
                left = Some(LeftDialog {
                    buttons: dialog.kind.buttons(),
                    message: dialog.message,
                    became: if is_front { front } else { OpenDialog::Dismiss },
                });
            }
        }
        left
    }
}

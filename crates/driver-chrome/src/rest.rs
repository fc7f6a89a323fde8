//! Between runs: a tab is left, or rests attached until it is driven again.

use cdp::protocol::page::GetLayoutMetrics;
use driver::{Cx, Dispatch, DriverError, Result};

use crate::driver::ChromeDriver;
use crate::input::{Instead, of_act, of_standing, stopped};
use crate::view::screen_of;

impl ChromeDriver {
    /// Leaves the browser. A dialog that is open is dismissed, for nobody who comes later could see or answer it; its words
    /// are given.
    pub async fn leave(mut self) -> Option<String> {
        self.dismiss().await
    }

    /// Lets the page be as if nobody were there, but stays attached to it: to attach anew costs it a picture of all it
    /// shows, and a dialog that opens meanwhile is told only to those who are there. A dialog that is open is dismissed as
    /// when it is [left](Self::leave). [`resume`](Self::resume) comes before anything else.
    pub async fn rest(&mut self) -> Option<String> {
        let words = self.dismiss().await;
        // Whoever comes later finds the tab in front, and nothing of how it came there.
        self.views.retain(|id, _| *id == self.front);
        self.openers.clear();
        if let Ok(view) = self.view() {
            view.rest();
        }
        words
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
        // Tabs that came meanwhile are others', and are not followed.
        self.followed
            .extend(known.opened.into_iter().map(|tab| tab.id));
        self.touched = None;
        self.written = None;
        self.http_status = None;
        self.css.clear();
        self.count_on();
        Ok(())
    }

    /// Dismisses the dialogs of all its tabs; gives the words of that in front.
    async fn dismiss(&mut self) -> Option<String> {
        let mut words = None;
        for (id, view) in &self.views {
            let dismissed = view.tab.dismiss().await.map(|dialog| dialog.message);
            if *id == self.front {
                words = dismissed;
            }
        }
        words
    }
}

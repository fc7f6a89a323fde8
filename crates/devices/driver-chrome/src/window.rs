//! Resizes the window so that its page gets a given size.

use std::time::Duration;

use cdp::protocol::browser::{Bounds, GetWindowForTarget, SetWindowBounds, WindowState};
use cdp::protocol::runtime::Evaluate;
use cdp::{FrameId, Method};
use driver::{Cx, DriverError, Result};
use serde_json::Value;
use tokio::time::Instant;
use uitree::Size;

use crate::input::{act_error, blocked_by_dialog};
use crate::page::create_world;
use crate::tab_view::TabView;

/// Maximum number of attempts to set a size: the bars around a page may change with it.
const MAX_ATTEMPTS: u32 = 4;

/// Maximum time to wait for a page to get its size.
const PAGE_TIMEOUT: Duration = Duration::from_millis(700);

/// Interval at which the size of the page is read.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl TabView {
    /// Resizes the window so that the page has this size. The size belongs to the window, not to this session. If the browser
    /// gives the page another size, the window gets its former size back.
    pub(crate) async fn resize(&mut self, cx: &Cx, page: Size) -> Result<()> {
        if let Some(dialog) = self.observer.dialog() {
            return Err(blocked_by_dialog(&dialog.message));
        }
        // A page in a background tab of its window does not get the size.
        drop(self.resume());
        let (window, before) = self.window(cx).await?;
        if before.window_state != Some(WindowState::Normal) {
            let normal = Bounds {
                window_state: Some(WindowState::Normal),
                ..Bounds::default()
            };
            self.set_bounds(cx, window, normal).await?;
        }
        let mut now = self.page_size(cx).await?;
        for _ in 0..MAX_ATTEMPTS {
            if now == page {
                return self.next_frame(cx).await;
            }
            let (_, outer) = self.window(cx).await?;
            let new_side =
                |outer: Option<i32>, page: i32, now: i32| Some((outer? + page - now).max(1));
            let bounds = Bounds {
                width: new_side(outer.width, page.width, now.width),
                height: new_side(outer.height, page.height, now.height),
                window_state: None,
            };
            self.set_bounds(cx, window, bounds).await?;
            now = self.page_size_after(cx, page).await?;
        }
        if now == page {
            return self.next_frame(cx).await;
        }
        let before = Bounds {
            window_state: None,
            ..before
        };
        self.set_bounds(cx, window, before).await?;
        Err(DriverError::Refused(format!(
            "the browser gives the page the size {}x{} instead of {}x{}, so the window was left as it was",
            now.width, now.height, page.width, page.height
        )))
    }

    /// The window of the tab and its size.
    async fn window(&self, cx: &Cx) -> Result<(i64, Bounds)> {
        let get_window = GetWindowForTarget {
            target_id: self.tab.id().clone(),
        };
        let window = self.call_browser(cx, &get_window).await?;
        Ok((window.window_id, window.bounds))
    }

    async fn set_bounds(&self, cx: &Cx, window_id: i64, bounds: Bounds) -> Result<()> {
        let set = SetWindowBounds { window_id, bounds };
        self.call_browser(cx, &set).await.map(drop)
    }

    async fn call_browser<M: Method>(&self, cx: &Cx, call: &M) -> Result<M::Answer> {
        let root = self.tab.browser().connection().browser();
        cx.run(root.call(call)).await?.map_err(act_error)
    }

    /// Waits until the page has the `requested` size, at most [`PAGE_TIMEOUT`]; returns its size.
    async fn page_size_after(&self, cx: &Cx, requested: Size) -> Result<Size> {
        let until = Instant::now() + PAGE_TIMEOUT;
        loop {
            let now = self.page_size(cx).await?;
            if now == requested || Instant::now() >= until {
                return Ok(now);
            }
            cx.sleep(POLL_INTERVAL).await?;
        }
    }

    /// Waits for the next frame of the page, before which it receives the event of its new size.
    async fn next_frame(&self, cx: &Cx) -> Result<()> {
        let frame = self.evaluate(cx, "new Promise(requestAnimationFrame).then(() => 0)");
        match tokio::time::timeout(PAGE_TIMEOUT, frame).await {
            Ok(frame) => frame.map(drop),
            // The page draws no frames now.
            Err(_) => Ok(()),
        }
    }

    async fn evaluate(&self, cx: &Cx, expression: &str) -> Result<Value> {
        let session = self.session();
        let frame = FrameId::from(self.tab.id().as_str());
        let world = cx.run(session.call(&create_world(&frame))).await?;
        let evaluate = Evaluate {
            expression: expression.to_owned(),
            context_id: Some(world.map_err(act_error)?.execution_context_id),
            return_by_value: Some(true),
            await_promise: Some(true),
            ..Evaluate::default()
        };
        let evaluated = cx.run(session.call(&evaluate)).await?;
        Ok(evaluated.map_err(act_error)?.result.value)
    }

    /// The size of the page with its scroll bars, in CSS pixels.
    async fn page_size(&self, cx: &Cx) -> Result<Size> {
        let read = self.evaluate(cx, "[innerWidth, innerHeight]").await?;
        let new_side = |at: usize| read.get(at)?.as_f64();
        match (new_side(0), new_side(1)) {
            (Some(width), Some(height)) => Ok(Size::new(width as i32, height as i32)),
            _ => Err(DriverError::Refused(
                "cannot read the size of the page".to_owned(),
            )),
        }
    }
}

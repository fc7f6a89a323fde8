//! What a device can do: the one seam between the engine and everything that has a screen.
//!
//! A driver sees and acts; it does not wait, retry or match, and it knows no action of the contract.

mod cx;
mod device;
mod error;
mod input;
mod observation;
mod recording;

use async_trait::async_trait;
use uitree::{Point, Rect};

pub use cx::Cx;
pub use device::{Capabilities, DeviceInfo, Platform};
pub use error::{Dispatch, DriverError, Result};
pub use input::{Gesture, Key, NodeAct, ScrollOutcome, Target};
pub use observation::{
    Download, DownloadState, Foreground, Image, NodeRef, Observation, OtherDisplay, Pixels,
    Revision, SideEffect, WindowInfo,
};
pub use recording::{Polling, Recording, RecordingError};

/// How often a device without events of its own is looked at again.
pub const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(200);

/// One device, driven by one owner at a time.
///
/// Every method returns at the latest when `cx` ends, with [`DriverError::Deadline`] or [`DriverError::Cancelled`].
/// A method that was dropped half-way leaves the device in a state that the next `observe` tells truthfully.
#[async_trait]
pub trait Driver: Send {
    /// What this device is and which of the methods below it really has.
    fn info(&self) -> &DeviceInfo;

    /// Has the trees of the observations from now on say which nodes each of these CSS selectors hits (see
    /// [`uitree::UiTree::marks`]), and forgets those of before. The engine says so at the beginning of each step; the device
    /// is not touched.
    ///
    /// A selector that no browser takes is [`DriverError::CssInvalid`], here or at the next `observe`.
    ///
    /// Provided: [`DriverError::Unsupported`] unless there are none.
    fn look_for(&mut self, css: &[&str]) -> Result<()> {
        if css.is_empty() {
            Ok(())
        } else {
            Err(DriverError::Unsupported("CSS selectors"))
        }
    }

    /// The screen as it is now, whole or not at all: half a tree is [`DriverError::Incomplete`], no window
    /// [`DriverError::NoWindow`].
    async fn observe(&mut self, cx: &Cx) -> Result<Observation>;

    /// A picture of the whole screen.
    async fn screenshot(&mut self, cx: &Cx) -> Result<Image>;

    /// A picture of all that the page in front holds, what lies outside the screen included.
    ///
    /// Provided: [`DriverError::Unsupported`], for screens that show no page.
    async fn picture_of_the_page(&mut self, cx: &Cx) -> Result<Image> {
        let _ = cx;
        Err(DriverError::Unsupported("pictures of whole pages"))
    }

    /// What a part of the screen shows, `area` in pixels of the screen as it is turned now, cut where it leaves the screen.
    /// Asked only where the tree cannot tell whether something moved; see [`Capabilities::events`].
    ///
    /// Provided: [`DriverError::Unsupported`].
    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let _ = (cx, area);
        Err(DriverError::Unsupported("pixels"))
    }

    /// Does `act` to one node of the last observation; [`DriverError::Stale`] when that node is gone.
    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<()>;

    /// Scrolls a node of the last observation into view, in everything that scrolls around it, and presses nothing.
    ///
    /// Provided: [`DriverError::Unsupported`], for devices on which only a finger scrolls.
    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        let _ = (cx, node);
        Err(DriverError::Unsupported("scrolling to a node"))
    }

    /// Clicks the only element that a CSS selector hits, where nothing but that element has to be looked at to know what
    /// [`observe`](Self::observe) and [`act`](Self::act) would come to, and says so. A press that would meet something else by
    /// the time it comes is held back. `false`: nothing was done, and only a look can tell what is to be done.
    ///
    /// Provided: `false`, for devices that have to look in any case.
    async fn click_css(&mut self, cx: &Cx, css: &str) -> Result<bool> {
        let _ = (cx, css);
        Ok(false)
    }

    /// Where the last `act` or `click_css` touched the screen, on a device that reaches its nodes by touching them.
    ///
    /// Provided: `None`, for devices that act on nodes whatever lies on top of them.
    fn touched(&self) -> Option<Point> {
        None
    }

    /// Whether the last `act` or `click_css` that clicked has clicked its node; `false` where something came to lie over it
    /// between the press and its end, which the platform does not take for a click.
    ///
    /// Provided: `true`.
    fn clicked(&self) -> bool {
        true
    }

    /// What stands in a field after the last `act`, where that is not the text it was given but means the same: the words of
    /// an option that was chosen by its value.
    ///
    /// Provided: `None`, the text itself.
    fn written(&self) -> Option<&str> {
        None
    }

    /// The status of the HTTP response that brought the page of the last `open`; redirects are followed before.
    ///
    /// Provided: `None`, for what did not come over HTTP, and for devices that are not told.
    fn http_status(&self) -> Option<u16> {
        None
    }

    /// What was done besides what was asked for since this was asked last.
    ///
    /// Provided: nothing.
    fn side_effects(&mut self) -> Vec<SideEffect> {
        Vec::new()
    }

    /// Scrolls a container of the last observation by so many pixels, to show what lies further right and down where they
    /// are positive, without touching or pressing anything.
    ///
    /// Provided: `None`, nothing was done: this device scrolls with a swipe.
    async fn scroll(
        &mut self,
        cx: &Cx,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>> {
        let _ = (cx, container, by);
        Ok(None)
    }

    /// Touches the screen; whatever lies on top at that moment takes it.
    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()>;

    /// Presses and releases a key; the focused window takes it.
    async fn key(&mut self, cx: &Cx, key: Key) -> Result<()>;

    /// Asks the device to bring an app or a uri to the front; it may still be on its way when this returns.
    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<()>;

    /// Ends an app and everything it has on the screen.
    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()>;

    /// The names of the installed apps, to name those that come near one that is not installed.
    ///
    /// Provided: none.
    async fn apps(&mut self, cx: &Cx) -> Result<Vec<String>> {
        cx.check()?;
        Ok(Vec::new())
    }

    /// Switches the screen on where it is off, and puts a lock screen away that needs no secret.
    ///
    /// Provided: nothing, for devices whose screen is always on.
    async fn wake(&mut self, cx: &Cx) -> Result<()> {
        let _ = cx;
        Ok(())
    }

    /// Which app is in front.
    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        let seen = self.observe(cx).await?;
        Ok(Foreground {
            app: seen.foreground,
        })
    }

    /// Returns when the screen may have changed since `since`. Dropping the future is safe at any time.
    ///
    /// Provided: waits [`POLL_INTERVAL`] and says that it may have.
    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        let _ = since;
        cx.sleep(POLL_INTERVAL).await
    }

    /// Starts to record what happens on the device, into a session of its own.
    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let _ = (cx, session);
        Err(DriverError::Unsupported("recording"))
    }

    /// Ends the recording that runs and tells where it lies.
    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let _ = (cx, session);
        Err(DriverError::Unsupported("recording"))
    }
}

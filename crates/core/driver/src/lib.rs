//! The interface between the engine and everything that has a screen.
//!
//! A driver observes and acts. It matches nothing, never repeats input, and knows no action of the contract.
#![warn(missing_docs)]

mod browser;
mod context;
mod device;
mod error;
mod image;
mod input;
mod keyboard;
mod loading;
mod observation;
mod page_errors;
mod recording;
mod tab;

use std::time::Duration;

use async_trait::async_trait;
use uitree::Rect;

pub use browser::{Browser, NoBrowser};
pub use context::Cx;
pub use device::{Capabilities, DeviceInfo, Orientation, Platform};
pub use error::{Dispatch, DriverError, Result};
pub use image::{Image, ImageFormat, ImageRequest};
pub use input::{
    ActOutcome, Gesture, Key, MouseAct, MouseTarget, NO_FLING_REST, NodeAct, OpenOutcome,
    ScrollOutcome, Target,
};
pub use keyboard::{KeyChord, KeyboardKey, Modifier, UsKey};
pub use loading::Loading;
pub use observation::{
    BackgroundEvent, Download, DownloadState, Foreground, FormRefusal, NodeRef, Notice, NoticeKind,
    Observation, OtherDisplay, Pixels, Revision, SideEffect, WindowInfo,
};
pub use page_errors::{CountedError, NewPageErrors, PageError, PageErrors};
pub use recording::{RecorderReport, Recording, RecordingError};
pub use tab::TabEntry;

/// Interval at which a device that reports no events is observed again.
pub const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// One device, driven by one owner at a time.
///
/// Every method returns when `cx` ends at the latest, with [`DriverError::Deadline`] or
/// [`DriverError::Cancelled`]. If a method's future is dropped, the next `observe` still reports the device's
/// state correctly. What a call has done is in its result; no method
/// reads what another one left behind. What a device cannot do is [`DriverError::Unsupported`], the default of most methods.
#[async_trait]
pub trait Driver: Send {
    /// What this device is, and which of the optional methods below it implements.
    fn info(&self) -> &DeviceInfo;

    /// What only a browser can do.
    ///
    /// Default: `None`, for devices that show no web page.
    fn browser(&mut self) -> Option<&mut dyn Browser> {
        None
    }

    /// The current screen, complete or not at all: a partial tree is [`DriverError::Incomplete`], no window
    /// [`DriverError::NoWindow`].
    async fn observe(&mut self, cx: &Cx) -> Result<Observation>;

    /// Takes a screenshot of the whole screen, as PNG and in full size.
    async fn screenshot(&mut self, cx: &Cx) -> Result<Image>;

    /// As [`screenshot`](Self::screenshot), in the requested format and size if the device encodes it itself; otherwise a
    /// full-size PNG, which is the default.
    async fn screenshot_as(&mut self, cx: &Cx, request: ImageRequest) -> Result<Image> {
        let _ = request;
        self.screenshot(cx).await
    }

    /// The pixels of `area`, which is in pixels of the screen as currently rotated and is clipped to the screen.
    /// Called only where the tree cannot tell whether something moved; see [`Capabilities::events`].
    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let _ = (cx, area);
        Err(DriverError::Unsupported("pixels"))
    }

    /// Performs `act` on a node of the last observation; [`DriverError::Stale`] when the node is gone.
    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome>;

    /// Scrolls a node of the last observation into view, in all of its scroll containers, without pressing anything.
    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        let _ = (cx, node);
        Err(DriverError::Unsupported("scrolling to a node"))
    }

    /// The side effects since the last call, whatever caused them.
    ///
    /// Default: none, for devices that do not report them.
    fn side_effects(&mut self) -> Vec<SideEffect> {
        Vec::new()
    }

    /// Touches the screen; whatever is on top receives the touch.
    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()>;

    /// Presses and releases a key; the focused window receives it.
    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome>;

    /// Presses and releases a key of a keyboard while its modifiers are held; the focused element receives it.
    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        let _ = (cx, chord);
        Err(DriverError::Unsupported("keys of a keyboard"))
    }

    /// The text in the clipboard; empty if there is none.
    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        let _ = cx;
        Err(DriverError::Unsupported("the clipboard"))
    }

    /// Puts a text into the clipboard.
    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        let _ = (cx, text);
        Err(DriverError::Unsupported("the clipboard"))
    }

    /// Turns the screen, for later commands as well. It may still be turning when this returns, and stays as it is when the app
    /// in front is made for one orientation alone.
    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        let _ = (cx, orientation);
        Err(DriverError::Unsupported("an orientation"))
    }

    /// Asks the device to open an app or a URI. It may still be loading when this returns.
    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome>;

    /// Stops an app and closes its windows.
    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()>;

    /// The installed apps, for suggestions when an app is not installed.
    async fn apps(&mut self, cx: &Cx) -> Result<Vec<String>> {
        let _ = cx;
        Err(DriverError::Unsupported("a list of apps"))
    }

    /// Switches the screen on and dismisses a lock screen that needs no secret.
    async fn wake(&mut self, cx: &Cx) -> Result<()> {
        let _ = cx;
        Err(DriverError::Unsupported("waking its screen"))
    }

    /// The app in front.
    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        let seen = self.observe(cx).await?;
        Ok(Foreground {
            app: seen.foreground,
        })
    }

    /// Returns when the screen may have changed since `since`. Dropping the future is safe at any time.
    ///
    /// Default: returns after [`POLL_INTERVAL`].
    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        let _ = since;
        cx.sleep(POLL_INTERVAL).await
    }

    /// Starts a recording session.
    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let _ = (cx, session);
        Err(DriverError::Unsupported("recording"))
    }

    /// Stops the running recording and returns the location of its file.
    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let _ = (cx, session);
        Err(DriverError::Unsupported("recording"))
    }
}

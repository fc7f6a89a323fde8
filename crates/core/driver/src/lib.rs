//! The interface between the engine and everything that has a screen.
//!
//! A driver observes and acts. It matches nothing, never repeats input, and knows no action of the contract.

mod context;
mod device;
mod error;
mod input;
mod keyboard;
mod loading;
mod observation;
mod page_errors;
mod recording;
mod tab;

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use uitree::{Point, Rect, Size};

pub use context::Cx;
pub use device::{Capabilities, DeviceInfo, Orientation, Platform};
pub use error::{Dispatch, DriverError, Result};
pub use input::{
    Gesture, Key, MouseAct, MouseTarget, NO_FLING_REST, NodeAct, ScrollOutcome, Target,
};
pub use keyboard::{KeyChord, KeyboardKey, Modifier, UsKey};
pub use loading::Loading;
pub use observation::{
    Download, DownloadState, Foreground, FormRefusal, Image, News, NodeRef, Notice, NoticeKind,
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
/// state correctly.
#[async_trait]
pub trait Driver: Send {
    /// What this device is, and which of the optional methods below it implements.
    fn info(&self) -> &DeviceInfo;

    /// Sets the CSS selectors whose matches later observations mark (see [`uitree::UiTree::marks`]), replacing earlier ones.
    /// The engine calls it at the beginning of each step. It does not touch the device.
    ///
    /// An invalid selector is [`DriverError::CssInvalid`], here or at the next `observe`.
    ///
    /// Default: [`DriverError::Unsupported`] unless `css` is empty.
    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        if css.is_empty() {
            Ok(())
        } else {
            Err(DriverError::Unsupported("CSS selectors"))
        }
    }

    /// The current screen, complete or not at all: a partial tree is [`DriverError::Incomplete`], no window
    /// [`DriverError::NoWindow`].
    async fn observe(&mut self, cx: &Cx) -> Result<Observation>;

    /// Takes a screenshot of the whole screen.
    async fn screenshot(&mut self, cx: &Cx) -> Result<Image>;

    /// Takes a screenshot of the whole page in front, including the parts outside the viewport.
    ///
    /// Default: [`DriverError::Unsupported`], for devices that show no page.
    async fn full_page_screenshot(&mut self, cx: &Cx) -> Result<Image> {
        let _ = cx;
        Err(DriverError::Unsupported("full-page screenshots"))
    }

    /// The last console errors and failed requests of the page.
    ///
    /// Default: [`DriverError::Unsupported`], for devices that show no page.
    async fn page_errors(&mut self, _: &Cx) -> Result<PageErrors> {
        Err(DriverError::Unsupported("a console"))
    }

    /// The console errors and failed requests since the last call of this method or of [`page_errors`](Self::page_errors), also
    /// from between runs. An error that a page repeats is returned once.
    ///
    /// Default: none.
    async fn new_page_errors(&mut self, _: &Cx) -> NewPageErrors {
        NewPageErrors::default()
    }

    /// The pixels of `area`, which is in pixels of the screen as currently rotated and is clipped to the screen.
    /// Called only where the tree cannot tell whether something moved; see [`Capabilities::events`].
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let _ = (cx, area);
        Err(DriverError::Unsupported("pixels"))
    }

    /// What the page in front has started to load within this time.
    ///
    /// Default: nothing, for devices that do not know it.
    fn loading(&mut self, within: Duration) -> Loading {
        let _ = within;
        Loading::default()
    }

    /// Performs `act` on a node of the last observation; [`DriverError::Stale`] when the node is gone.
    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<()>;

    /// Scrolls a node of the last observation into view, in all of its scroll containers, without pressing anything.
    ///
    /// Default: [`DriverError::Unsupported`], for devices that scroll only by touch.
    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        let _ = (cx, node);
        Err(DriverError::Unsupported("scrolling to a node"))
    }

    /// Clicks the only match of a CSS selector without a full observation, if the result is guaranteed to
    /// equal that of [`observe`](Self::observe) and [`act`](Self::act). A press that would hit another element
    /// is not sent. `false`: nothing was done, and the caller must observe first.
    ///
    /// Default: `false`, for devices that always need an observation.
    async fn click_css(&mut self, cx: &Cx, css: &str) -> Result<bool> {
        let _ = (cx, css);
        Ok(false)
    }

    /// Where the last `act` or `click_css` touched the screen, on devices that act on nodes by touch.
    ///
    /// Default: `None`, for devices that act on nodes directly, even covered ones.
    fn last_touch(&self) -> Option<Point> {
        None
    }

    /// Whether the last click of `act` or `click_css` reached its node; `false` when the node was covered, moved or replaced
    /// between press and release, which the platform does not count as a click although the press may have acted.
    ///
    /// Default: `true`.
    fn last_click_landed(&self) -> bool {
        true
    }

    /// Why the form of the last `act` or `click_css` was not submitted, if the device checked its fields and refused it.
    ///
    /// Default: `None`.
    fn refused_form(&self) -> Option<&FormRefusal> {
        None
    }

    /// The text of the field after the last `act`, if it differs from the requested text but is equivalent:
    /// the label of an option that was selected by its value.
    ///
    /// Default: `None`, the requested text.
    fn last_text(&self) -> Option<&str> {
        None
    }

    /// The HTTP status of the page of the last `open`, after redirects.
    ///
    /// Default: `None`, for pages that did not come over HTTP, and for devices that do not know it.
    fn http_status(&self) -> Option<u16> {
        None
    }

    /// The URL of the page of the last observation.
    ///
    /// Default: `None`, for devices that show no page.
    fn url(&self) -> Option<String> {
        None
    }

    /// What happened since the last call without an action of the run.
    ///
    /// Default: nothing.
    fn news(&mut self) -> Vec<News> {
        Vec::new()
    }

    /// The side effects since the last call.
    ///
    /// Default: none.
    fn side_effects(&mut self) -> Vec<SideEffect> {
        Vec::new()
    }

    /// Scrolls a container of the last observation by `by` pixels, without touching or pressing anything. Positive values
    /// scroll right and down.
    ///
    /// Default: `None`: nothing was done, and the engine swipes.
    async fn scroll(
        &mut self,
        cx: &Cx,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>> {
        let _ = (cx, container, by);
        Ok(None)
    }

    /// Touches the screen; whatever is on top receives the touch.
    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()>;

    /// Presses and releases a key; the focused window receives it.
    async fn key(&mut self, cx: &Cx, key: Key) -> Result<()>;

    /// Presses and releases a key of a keyboard while its modifiers are held; the focused element receives it.
    ///
    /// Default: [`DriverError::Unsupported`], for devices without a keyboard.
    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        let _ = (cx, chord);
        Err(DriverError::Unsupported("keys of a keyboard"))
    }

    /// Uses the mouse on a node of the last observation or at a point. A press that would hit another element than the
    /// node is not sent.
    ///
    /// Default: [`DriverError::Unsupported`], for devices without a mouse.
    async fn mouse(&mut self, cx: &Cx, at: MouseTarget, act: MouseAct) -> Result<()> {
        let _ = (cx, at, act);
        Err(DriverError::Unsupported("a mouse"))
    }

    /// Selects exactly these options of a list of a page, each given by its text, label or value; returns the labels of those
    /// that are selected now. [`DriverError::Unwritable`] when the list lacks one; nothing was changed then.
    ///
    /// Default: [`DriverError::Unsupported`], for devices that show no page.
    async fn select_options(
        &mut self,
        cx: &Cx,
        list: NodeRef,
        options: &[String],
    ) -> Result<Vec<String>> {
        let _ = (cx, list, options);
        Err(DriverError::Unsupported("lists of a page"))
    }

    /// Gives files of this computer, by absolute paths, to a file input of a page, or to the file chooser that a click on the
    /// node opens. [`DriverError::Unwritable`] when the input does not take them; nothing was done then.
    ///
    /// Default: [`DriverError::Unsupported`], for devices that show no page.
    async fn upload(&mut self, cx: &Cx, node: NodeRef, files: &[PathBuf]) -> Result<()> {
        let _ = (cx, node, files);
        Err(DriverError::Unsupported("file inputs"))
    }

    /// The text in the clipboard; empty if there is none.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        let _ = cx;
        Err(DriverError::Unsupported("the clipboard"))
    }

    /// Puts a text into the clipboard.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        let _ = (cx, text);
        Err(DriverError::Unsupported("the clipboard"))
    }

    /// Turns the screen, for later commands as well. It may still be turning when this returns, and stays as it is when the app
    /// in front is made for one orientation alone.
    ///
    /// Default: [`DriverError::Unsupported`], for devices whose screens do not turn.
    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        let _ = (cx, orientation);
        Err(DriverError::Unsupported("an orientation"))
    }

    /// Asks the device to open an app or a URI. It may still be loading when this returns.
    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<()>;

    /// Stops an app and closes its windows.
    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()>;

    /// The installed apps, for suggestions when an app is not installed.
    ///
    /// Default: none.
    async fn apps(&mut self, cx: &Cx) -> Result<Vec<String>> {
        cx.check()?;
        Ok(Vec::new())
    }

    /// Switches the screen on and dismisses a lock screen that needs no secret.
    ///
    /// Default: does nothing, for devices whose screen is always on.
    async fn wake(&mut self, cx: &Cx) -> Result<()> {
        let _ = cx;
        Ok(())
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

    /// The tabs of the browser.
    ///
    /// Default: [`DriverError::Unsupported`], for devices without tabs.
    async fn tabs(&mut self, cx: &Cx) -> Result<Vec<TabEntry>> {
        let _ = cx;
        Err(DriverError::Unsupported("tabs"))
    }

    /// Loads a URI in a new tab, which comes to the front. Once the tab is open, errors do not say that nothing was sent.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn open_tab(&mut self, cx: &Cx, uri: &str) -> Result<()> {
        let _ = (cx, uri);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Brings a tab to the front, by its device.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn choose_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let _ = (cx, device);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Closes a tab, by its device; another one comes to the front if it was in front. The caller does not close the last one.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn close_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let _ = (cx, device);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Resizes the window of the tab in front, so that its page has this size in CSS pixels, for later commands as well;
    /// [`DriverError::Refused`] when the browser gives it another size.
    ///
    /// Default: [`DriverError::Unsupported`].
    async fn resize_window(&mut self, cx: &Cx, page: Size) -> Result<()> {
        let _ = (cx, page);
        Err(DriverError::Unsupported("windows"))
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

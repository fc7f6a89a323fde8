//! What only a browser can do.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use uitree::Size;

use crate::{
    ActOutcome, BackgroundEvent, Cx, DriverError, Image, ImageRequest, Loading, MouseAct,
    MouseTarget, NewPageErrors, NodeRef, OpenOutcome, PageErrors, Result, ScrollOutcome, TabEntry,
};

/// A browser, of which one page is in front: [`Driver`](crate::Driver) acts on that page. What a browser does not do is
/// [`DriverError::Unsupported`], the default; in place of `scroll` the engine swipes then.
#[async_trait]
pub trait Browser: Send {
    /// Sets the CSS selectors whose matches later observations mark (see [`uitree::UiTree::marks`]), replacing earlier ones.
    /// The engine calls it at the beginning of each step. It does not touch the device.
    ///
    /// An invalid selector is [`DriverError::CssInvalid`], here or at the next observation.
    fn watch_selectors(&mut self, css: &[&str]) -> Result<()>;

    /// What the page in front has started to load within this time.
    fn loading(&mut self, within: Duration) -> Loading;

    /// The events since the last call that no action of the run caused.
    fn background_events(&mut self) -> Vec<BackgroundEvent>;

    /// Clicks the only match of a CSS selector without a full observation, if the result is guaranteed to
    /// equal that of an observation and [`act`](crate::Driver::act). A press that would hit another element
    /// is not sent. `None`: nothing was done, and the caller must observe first.
    async fn click_css(&mut self, cx: &Cx, css: &str) -> Result<Option<ActOutcome>>;

    /// The last console errors and failed requests of the page.
    async fn page_errors(&mut self, cx: &Cx) -> Result<PageErrors>;

    /// The console errors and failed requests since the last call of this method or of [`page_errors`](Self::page_errors), also
    /// from between runs. An error that a page repeats is returned once.
    async fn new_page_errors(&mut self, cx: &Cx) -> NewPageErrors;

    /// Scrolls a container of the last observation by `by` pixels, without touching or pressing anything. Positive values
    /// scroll right and down.
    async fn scroll(
        &mut self,
        cx: &Cx,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<ScrollOutcome> {
        let _ = (cx, container, by);
        Err(DriverError::Unsupported("scrolling by pixels"))
    }

    /// Takes a screenshot of the whole page in front, including the parts outside the viewport; like
    /// [`Driver::screenshot_as`](crate::Driver::screenshot_as).
    async fn full_page_screenshot(&mut self, cx: &Cx, request: ImageRequest) -> Result<Image> {
        let _ = (cx, request);
        Err(DriverError::Unsupported("full-page screenshots"))
    }

    /// Uses the mouse on a node of the last observation or at a point. A press that would hit another element than the
    /// node is not sent.
    async fn mouse(&mut self, cx: &Cx, at: MouseTarget, act: MouseAct) -> Result<ActOutcome> {
        let _ = (cx, at, act);
        Err(DriverError::Unsupported("a mouse"))
    }

    /// Selects exactly these options of a list of the page, each given by its text, label or value; returns the labels of those
    /// that are selected now. [`DriverError::Unwritable`] when the list lacks one; nothing was changed then.
    async fn select_options(
        &mut self,
        cx: &Cx,
        list: NodeRef,
        options: &[String],
    ) -> Result<Vec<String>> {
        let _ = (cx, list, options);
        Err(DriverError::Unsupported("lists of a page"))
    }

    /// Gives files of this computer, by absolute paths, to a file input of the page, or to the file chooser that a click on the
    /// node opens. [`DriverError::Unwritable`] when the input does not take them; nothing was done then.
    async fn upload(&mut self, cx: &Cx, node: NodeRef, files: &[PathBuf]) -> Result<()> {
        let _ = (cx, node, files);
        Err(DriverError::Unsupported("file inputs"))
    }

    /// The tabs of the browser.
    async fn tabs(&mut self, cx: &Cx) -> Result<Vec<TabEntry>> {
        let _ = cx;
        Err(DriverError::Unsupported("tabs"))
    }

    /// Loads a URI in a new tab, which comes to the front. Once the tab is open, errors do not say that nothing was sent.
    async fn open_tab(&mut self, cx: &Cx, uri: &str) -> Result<OpenOutcome> {
        let _ = (cx, uri);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Brings a tab to the front, by its device.
    async fn choose_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let _ = (cx, device);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Closes a tab, by its device; another one comes to the front if it was in front. The caller does not close the last one.
    async fn close_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let _ = (cx, device);
        Err(DriverError::Unsupported("tabs"))
    }

    /// Resizes the window of the tab in front, so that its page has this size in CSS pixels, for later commands as well;
    /// [`DriverError::Refused`] when the browser gives it another size.
    async fn resize_window(&mut self, cx: &Cx, page: Size) -> Result<()> {
        let _ = (cx, page);
        Err(DriverError::Unsupported("windows"))
    }
}

/// Stands in for the browser of a device that shows no page: nothing loads in it, and it supports nothing.
#[derive(Debug)]
pub struct NoBrowser;

#[async_trait]
impl Browser for NoBrowser {
    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        match css {
            [] => Ok(()),
            _ => Err(DriverError::Unsupported("CSS selectors")),
        }
    }

    fn loading(&mut self, _: Duration) -> Loading {
        Loading::default()
    }

    fn background_events(&mut self) -> Vec<BackgroundEvent> {
        Vec::new()
    }

    async fn click_css(&mut self, _: &Cx, _: &str) -> Result<Option<ActOutcome>> {
        Ok(None)
    }

    async fn page_errors(&mut self, _: &Cx) -> Result<PageErrors> {
        Err(DriverError::Unsupported("a console"))
    }

    async fn new_page_errors(&mut self, _: &Cx) -> NewPageErrors {
        NewPageErrors::default()
    }
}

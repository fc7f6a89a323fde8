//! A browser that shows one page, and our own session to it.

use cdp::Connection;
use cdp::protocol::emulation::SetDeviceMetricsOverride;
use cdp::protocol::page::GetLayoutMetrics;
use cdp::protocol::target::{AttachToTarget, GetTargets};

use super::raw;
use super::table::Tool;
use crate::browser::Chrome;
use crate::tab::{Tab, VIEWPORT};

/// A browser with a page for a peer, and our own session to that page.
pub(super) struct BrowserPage {
    pub(super) chrome: Chrome,
    pub(super) page: Page,
}

impl BrowserPage {
    /// A browser that shows `url` in its only tab.
    pub(super) async fn open(name: &str, url: &str) -> Result<Self, String> {
        let chrome = Chrome::start(name).await?;
        let page = Page::open(chrome.connect().await?, url).await?;
        Ok(Self { chrome, page })
    }
}

/// Our own session to the only tab of a browser.
pub(super) struct Page {
    connection: Connection,
}

impl Page {
    /// Makes the only tab of a browser show `url`.
    pub(super) async fn open(connection: Connection, url: &str) -> Result<Self, String> {
        let page = Self { connection };
        page.load(url).await?;
        Ok(page)
    }

    /// Our own session to the only tab.
    pub(super) async fn session(&self) -> Result<cdp::Session, String> {
        let describe = |error: cdp::Error| error.to_string();
        let browser = self.connection.browser();
        let targets = browser.call(&GetTargets {}).await.map_err(describe)?;
        let page = targets.target_infos.iter().find(|info| info.kind == "page");
        let page = page.ok_or("the browser has no page")?;
        let attached = browser.call(&AttachToTarget::to(&page.target_id));
        let attached = attached.await.map_err(describe)?;
        Ok(self.connection.session(&attached.session_id))
    }

    async fn load(&self, url: &str) -> Result<(), String> {
        Tab::attach(self.session().await?)
            .await
            .map_err(|error| error.to_string())?
            .load(url)
            .await
    }

    /// Makes the screen as high as the page, so that everything is visible.
    pub(super) async fn fit_viewport(&self) -> Result<(), String> {
        let session = self.session().await?;
        let metrics = session.call(&GetLayoutMetrics {}).await;
        let content = metrics.map_err(|error| error.to_string())?.css_content_size;
        let screen = SetDeviceMetricsOverride {
            width: VIEWPORT.0,
            height: content.height.ceil() as u32,
            device_scale_factor: 1.0,
            mobile: false,
        };
        let set = session.call(&screen).await;
        set.map(|_| ()).map_err(|error| error.to_string())
    }

    /// Compares the click counter of the page with the number of clicks made.
    pub(super) async fn check_click_count(&self, tool: Tool, clicks: usize) -> Result<(), String> {
        let count = raw::text(&self.session().await?, "#plus").await?;
        if count == clicks.to_string() {
            return Ok(());
        }
        Err(format!(
            "{}: {clicks} clicks were made, the page counted {count}",
            tool.as_str()
        ))
    }
}

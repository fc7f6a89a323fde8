//! A connected browser and its tabs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cdp::protocol::browser::GetVersion;
use cdp::protocol::target::{CloseTarget, CreateTarget, GetTargets, TargetInfo};
use cdp::{Connection, Endpoint, Result, TargetId};

use super::Tab;
use super::download_folder::DownloadNames;

/// A connected browser. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Browser {
    connection: Connection,
    url: Arc<str>,
    downloads: Arc<Mutex<DownloadNames>>,
}

/// A tab of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabInfo {
    /// Its id, stable until it is closed.
    pub id: TargetId,
    /// The title of its page; may be missing for a new tab.
    pub title: String,
    /// The URL of its page.
    pub url: String,
}

/// The name of a tab for `--device`.
pub fn device_of(id: &TargetId) -> String {
    format!("chrome:{id}")
}

impl Browser {
    /// Connects to the browser at an endpoint, and returns once it answers.
    pub async fn connect(endpoint: &Endpoint) -> Result<Self> {
        let url = endpoint.connection_url().await?;
        let browser = Self {
            connection: Connection::open(&url).await?,
            url: url.into(),
            downloads: Arc::default(),
        };
        // A socket is served by the broker, not by the browser itself.
        if endpoint.is_socket() {
            browser.product().await?;
        }
        Ok(browser)
    }

    pub(super) fn download_names(&self) -> MutexGuard<'_, DownloadNames> {
        let names = self.downloads.lock();
        names.unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection.
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The URL of its WebSocket or socket. It ends in an id that is unique per start of a browser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its name and version, such as `Chrome/140.0.0.0`.
    pub async fn product(&self) -> Result<String> {
        let version = self.connection.browser().call(&GetVersion {}).await?;
        Ok(version.product)
    }

    /// Its tabs, ordered by URL, title and id, without those of developer tools.
    pub async fn tabs(&self) -> Result<Vec<TabInfo>> {
        let targets = self.connection.browser().call(&GetTargets {}).await?;
        let mut tabs: Vec<TabInfo> = targets
            .target_infos
            .into_iter()
            .filter(|target| target.kind == "page" && !target.url.starts_with("devtools://"))
            .map(TabInfo::from)
            .collect();
        tabs.sort_by(|one, other| {
            (&one.url, &one.title, &one.id).cmp(&(&other.url, &other.title, &other.id))
        });
        Ok(tabs)
    }

    /// Opens a tab and returns its id. Its page may still be loading.
    pub async fn open_tab(&self, url: &str) -> Result<TargetId> {
        let create = CreateTarget {
            url: url.to_owned(),
            ..CreateTarget::default()
        };
        let created = self.connection.browser().call(&create).await?;
        Ok(created.target_id)
    }

    /// Closes a tab without running its `beforeunload` handlers.
    pub async fn close_tab(&self, id: &TargetId) -> Result<()> {
        let close = CloseTarget {
            target_id: id.clone(),
        };
        self.connection.browser().call(&close).await?;
        Ok(())
    }

    /// Attaches to a tab.
    pub async fn attach(&self, id: &TargetId) -> Result<Tab> {
        Tab::attach(self.clone(), id).await
    }
}

impl From<TargetInfo> for TabInfo {
    fn from(target: TargetInfo) -> Self {
        Self {
            id: target.target_id,
            title: target.title,
            url: target.url,
        }
    }
}

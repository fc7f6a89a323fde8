//! The cookies of a browser, and the origins of the pages that it has shown.

use std::collections::BTreeSet;

use cdp::protocol::page::GetNavigationHistory;
use cdp::protocol::storage::{Cookie, GetCookies, SetCookies};
use cdp::protocol::target::{AttachToTarget, DetachFromTarget};
use cdp::{Result, TargetId};

use super::{Browser, Origin};

impl Browser {
    /// The cookies of all sites.
    pub async fn cookies(&self) -> Result<Vec<Cookie>> {
        let found = self.connection().browser().call(&GetCookies {}).await?;
        let cookies = found.cookies.into_iter().map(|mut cookie| {
            cookie.expires = cookie.expires.filter(|expires| *expires >= 0.0);
            cookie
        });
        Ok(cookies.collect())
    }

    /// Sets cookies. The browser rejects all of them if one is malformed, and may leave out others without an error.
    pub async fn set_cookies(&self, cookies: Vec<Cookie>) -> Result<()> {
        let set = SetCookies { cookies };
        self.connection().browser().call(&set).await?;
        Ok(())
    }

    /// The origins of the pages in the open tabs and in the history of these tabs.
    pub async fn shown_origins(&self) -> Result<BTreeSet<Origin>> {
        let mut origins = BTreeSet::new();
        for tab in self.tabs().await? {
            origins.extend(Origin::from_url(&tab.url));
            // A tab that closes in the meantime has no history.
            let history = self.history(&tab.id).await.unwrap_or_default();
            origins.extend(history.iter().filter_map(|url| Origin::from_url(url)));
        }
        Ok(origins)
    }

    /// The URLs in the history of a tab.
    async fn history(&self, id: &TargetId) -> Result<Vec<String>> {
        let root = self.connection().browser();
        let attached = root.call(&AttachToTarget::to(id)).await?;
        let session = self.connection().session(&attached.session_id);
        let history = session.call(&GetNavigationHistory {}).await;
        drop(root.call(&DetachFromTarget {
            session_id: attached.session_id,
        }));
        let entries = history?.entries.into_iter();
        Ok(entries.map(|entry| entry.url).collect())
    }
}

/// The origin that set a cookie, as far as the cookie records it.
pub fn cookie_origin(cookie: &Cookie) -> Option<Origin> {
    let scheme = match cookie.source_scheme.as_deref() {
        Some("NonSecure") => "http",
        _ => "https",
    };
    let port = cookie.source_port.and_then(|port| u16::try_from(port).ok());
    let host = cookie.domain.trim_start_matches('.');
    Origin::new(scheme, host, port.filter(|port| *port != 0))
}

/// Whether pages of a host get a cookie.
pub fn is_cookie_of(cookie: &Cookie, host: &str) -> bool {
    let domain = cookie.domain.to_ascii_lowercase();
    match domain.strip_prefix('.') {
        Some(parent) => host == parent || host.ends_with(&domain),
        None => host == domain,
    }
}

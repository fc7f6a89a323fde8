//! Saving what a browser stores for its pages (cookies and local storage) to a file, and loading it into a browser.

use std::collections::BTreeSet;
use std::path::Path;

use cdp::protocol::storage::Cookie;
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::{Browser, LocalStorage, Origin, cookie_origin, is_cookie_of};
use serde::Serialize;

use super::state_file::{self, BrowserState, OriginState};
use super::tabs::{MissingBrowser, browser_of};
use super::{ChromeSetup, ExistingFile, unreachable};

/// What was saved or loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateReport {
    pub file: String,
    /// The number of cookies.
    pub cookies: usize,
    /// The origins whose local storage is not empty.
    pub origins: Vec<OriginReport>,
    /// What was left out.
    pub refused: Vec<SkippedItem>,
}

/// The local storage of an origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OriginReport {
    pub origin: String,
    /// The number of items.
    pub items: usize,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedItem {
    /// The origin, or the domain of the cookie.
    pub of: String,
    /// The name of the cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cookie: Option<String>,
    pub reason: String,
}

impl SkippedItem {
    fn origin(origin: &str, reason: impl Into<String>) -> Self {
        Self {
            of: origin.to_owned(),
            cookie: None,
            reason: reason.into(),
        }
    }

    fn cookie(cookie: &Cookie, reason: impl Into<String>) -> Self {
        Self {
            of: cookie.domain.clone(),
            cookie: Some(cookie.name.clone()),
            reason: reason.into(),
        }
    }
}

/// Which part of the state is saved or loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StateScope {
    /// Everything.
    #[default]
    All,
    /// The cookies that one origin gets, and its local storage.
    Origin(Origin),
}

impl StateScope {
    /// The scope of the origin with this text.
    ///
    /// # Errors
    /// `USAGE` for anything else, such as a URL with a path.
    pub fn of_origin(text: &str) -> Result<Self, ErrorBody> {
        Origin::parse(text).map(Self::Origin).ok_or_else(|| {
            let shown = contract::truncate_input(text);
            let message = format!("{shown:?} is not an origin");
            ErrorBody::new(ErrorCode::Usage, message)
                .with_hint("An origin is scheme, host and port, such as https://example.com")
        })
    }

    fn has_cookie(&self, cookie: &Cookie) -> bool {
        match self {
            Self::All => true,
            Self::Origin(origin) => is_cookie_of(cookie, origin.host()),
        }
    }

    fn has_origin(&self, origin: &str) -> bool {
        match self {
            Self::All => true,
            Self::Origin(only) => only.as_str() == origin,
        }
    }
}

/// Saves the state of the browser of a device.
///
/// # Errors
/// Those of finding the browser; `CHROME_UNREACHABLE`, `BROWSER_STATE_NOT_WRITTEN`.
pub async fn save_state(
    setup: &ChromeSetup,
    device: Option<&str>,
    file: &Path,
    scope: &StateScope,
    existing: ExistingFile,
) -> Result<StateReport, ErrorBody> {
    state_file::check_target(file, existing)?;
    let browser = browser_of(device, setup, MissingBrowser::Fail).await?;
    let (state, refused) = collect(&browser, scope)
        .await
        .map_err(|error| unreachable(&error))?;
    state_file::write(file, &state, existing)?;
    let origins = state.origins.iter().map(|origin| OriginReport {
        origin: origin.origin.clone(),
        items: origin.local_storage.len(),
    });
    Ok(StateReport {
        file: file.display().to_string(),
        cookies: state.cookies.len(),
        origins: origins.collect(),
        refused,
    })
}

async fn collect(
    browser: &Browser,
    scope: &StateScope,
) -> cdp::Result<(BrowserState, Vec<SkippedItem>)> {
    let mut cookies = browser.cookies().await?;
    let origins = match scope {
        StateScope::Origin(origin) => BTreeSet::from([origin.clone()]),
        StateScope::All => {
            let mut origins = browser.shown_origins().await?;
            origins.extend(cookies.iter().filter_map(cookie_origin));
            origins
        }
    };
    cookies.retain(|cookie| scope.has_cookie(cookie));
    let mut state = BrowserState {
        cookies,
        origins: Vec::new(),
    };
    let mut refused = Vec::new();
    let mut storage = LocalStorage::open(browser).await?;
    for origin in origins {
        let name = origin.as_str();
        let read = match storage.read(&origin).await {
            Ok(read) => read,
            Err(reason) => {
                refused.push(SkippedItem::origin(name, reason));
                continue;
            }
        };
        if read.invalid > 0 {
            let reason = format!("{} items have text that is not valid Unicode", read.invalid);
            refused.push(SkippedItem::origin(name, reason));
        }
        if !read.items.is_empty() {
            state.origins.push(OriginState {
                origin: name.to_owned(),
                local_storage: read.items,
            });
        }
    }
    storage.close().await?;
    Ok((state, refused))
}

/// Loads a saved state into the browser of a device, which is started if none runs.
///
/// # Errors
/// `BROWSER_STATE_INVALID`, `BROWSER_STATE_VERSION_UNSUPPORTED`, those of finding the browser, `CHROME_UNREACHABLE`.
pub async fn load_state(
    setup: &ChromeSetup,
    device: Option<&str>,
    file: &Path,
    scope: &StateScope,
) -> Result<StateReport, ErrorBody> {
    let mut state = state_file::read(file)?;
    state.cookies.retain(|cookie| scope.has_cookie(cookie));
    state
        .origins
        .retain(|origin| scope.has_origin(&origin.origin));
    let browser = browser_of(device, setup, MissingBrowser::Start).await?;
    let mut report = StateReport {
        file: file.display().to_string(),
        ..StateReport::default()
    };
    let loaded = async {
        report.cookies = load_cookies(&browser, state.cookies, &mut report.refused).await?;
        load_origins(&browser, &state.origins, &mut report).await
    };
    loaded.await.map_err(|error| unreachable(&error))?;
    Ok(report)
}

/// Sets cookies and returns the number of those that the browser has afterwards.
async fn load_cookies(
    browser: &Browser,
    cookies: Vec<Cookie>,
    refused: &mut Vec<SkippedItem>,
) -> cdp::Result<usize> {
    if browser.set_cookies(cookies.clone()).await.is_err() {
        // One that is malformed keeps all others from being set. If the browser is gone, the next call says so.
        for cookie in &cookies {
            let alone = browser.set_cookies(vec![cookie.clone()]).await;
            if let Err(cdp::Error::Protocol { message, .. }) = alone {
                refused.push(SkippedItem::cookie(cookie, message));
            }
        }
    }
    let present = browser.cookies().await?;
    let key = |cookie: &Cookie| {
        let Cookie {
            name,
            domain,
            path,
            partition_key,
            ..
        } = cookie;
        (
            name.clone(),
            domain.clone(),
            path.clone(),
            partition_key.clone(),
        )
    };
    let mut loaded = 0;
    for cookie in &cookies {
        let is_present = |other: &Cookie| key(other) == key(cookie) && other.value == cookie.value;
        let is_refused = |other: &SkippedItem| {
            other.of == cookie.domain && other.cookie.as_ref() == Some(&cookie.name)
        };
        if present.iter().any(is_present) {
            loaded += 1;
        } else if !refused.iter().any(is_refused) {
            refused.push(SkippedItem::cookie(
                cookie,
                "expired, or rejected by the browser",
            ));
        }
    }
    Ok(loaded)
}

async fn load_origins(
    browser: &Browser,
    origins: &[OriginState],
    report: &mut StateReport,
) -> cdp::Result<()> {
    if origins.is_empty() {
        return Ok(());
    }
    let mut storage = LocalStorage::open(browser).await?;
    for OriginState {
        origin: name,
        local_storage: items,
    } in origins
    {
        let Some(origin) = Origin::parse(name) else {
            report
                .refused
                .push(SkippedItem::origin(name, "it is not an origin"));
            continue;
        };
        match storage.write(&origin, items).await {
            Ok(rejected) => {
                if rejected > 0 {
                    let reason =
                        format!("the browser rejected {rejected} items: its limit is reached");
                    report.refused.push(SkippedItem::origin(name, reason));
                }
                report.origins.push(OriginReport {
                    origin: name.clone(),
                    items: items.len() - rejected.min(items.len()),
                });
            }
            Err(reason) => report.refused.push(SkippedItem::origin(name, reason)),
        }
    }
    storage.close().await
}

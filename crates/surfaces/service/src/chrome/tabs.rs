//! Resolving the name of a device to a tab.

use std::time::Duration;

use cdp::{Endpoint, TargetId};
use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Dispatch, DriverError};
use driver_chrome::ChromeDriver;
use driver_chrome::browser::{Browser, Tab, TabInfo};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::browser_record::{RunningRecord, last_tab, running_browsers, write_last_tab};
use super::{CHROME, CHROME_TAB, ChromeSetup, OpenTab, PAGE, leave_tab, persistent, unreachable};
use crate::Device;

/// How long a browser may take to answer.
const BROWSER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long attaching to a tab may take before commands use the daemon.
const PARK_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximal number of tabs in an error.
const MAX_LISTED: usize = 20;

#[derive(Clone, Debug)]
pub(crate) struct ResolvedTab {
    pub(crate) browser: Browser,
    pub(crate) tab: TargetId,
    /// Whether the browser was started for this command.
    pub(crate) started: bool,
}

impl ResolvedTab {
    /// The name of the tab, the same for every name that resolves to it.
    pub(crate) fn device(&self) -> String {
        format!("{CHROME_TAB}{}", self.tab)
    }

    /// Attaches to the tab.
    ///
    /// # Errors
    /// `Lost` if the tab or its browser is gone.
    pub(crate) async fn attach(&self, cx: &Cx) -> Result<Tab, DriverError> {
        let attached = cx.run(self.browser.attach(&self.tab)).await?;
        attached.map_err(|error| DriverError::Lost {
            message: error.to_string(),
            dispatch: Dispatch::NotSent,
        })
    }

    /// The error of a tab that was closed after it was resolved, if so.
    pub(crate) async fn closed_error(&self) -> Option<ErrorBody> {
        let tabs = tabs_of(&self.browser).await.ok()?;
        if tabs.iter().any(|tab| tab.id == self.tab) {
            return None;
        }
        let message = format!(
            "{} was closed before it could be attached to",
            self.device()
        );
        let error = ErrorBody::new(ErrorCode::TabNotFound, message).with_default_hint();
        Some(error.with_detail("tabs", listed(&tabs)))
    }
}

/// Attaches to the tab that a command without a tab's name drives, and parks it: a browser reports dialogs only to attached
/// clients.
pub(super) async fn park_last_tab(setup: &ChromeSetup, browser: &Browser) {
    // Whatever fails here is reported by the next command, which attaches itself.
    let Ok(last) = last_driven(vec![browser.clone()], setup, false).await else {
        return;
    };
    let cx = Cx::new(PARK_TIMEOUT, CancellationToken::new());
    let Ok(tab) = last.attach(&cx).await else {
        return;
    };
    if let Ok(page) = ChromeDriver::open(tab, &cx).await {
        leave_tab(page, &setup.connections).await;
    }
}

/// Whether a name is that of a tab.
pub fn is_chrome(device: &str) -> bool {
    device == CHROME || device.starts_with(CHROME_TAB)
}

/// The device that all tabs are for a client: a step may bring another tab to the front.
pub(crate) fn without_tab(device: &str) -> &str {
    if is_chrome(device) { CHROME } else { device }
}

/// Resolves the name of a tab.
///
/// # Errors
/// `TAB_NOT_FOUND`, `TAB_AMBIGUOUS`, `CHROME_UNREACHABLE`, and those of starting a browser.
pub(crate) async fn resolve(device: &str, setup: &ChromeSetup) -> Result<ResolvedTab, ErrorBody> {
    match choose(device, setup).await {
        // A cached connection may have broken unnoticed; a new one has not.
        Err(error)
            if error.code == ErrorCode::ChromeUnreachable && setup.connections.forget_ended() =>
        {
            choose(device, setup).await
        }
        chosen => chosen,
    }
}

async fn choose(device: &str, setup: &ChromeSetup) -> Result<ResolvedTab, ErrorBody> {
    let named = device.strip_prefix(CHROME_TAB).map(str::trim);
    let (browsers, started) = match (&setup.endpoint, named) {
        (Some(endpoint), _) => (vec![at(endpoint, setup).await?], false),
        (None, None) => persistent::find_or_start(setup).await?,
        (None, Some(_)) => (running(setup).await?, false),
    };
    if let [browser] = &*browsers {
        // An attached tab is open and need not be looked up.
        let kept = &setup.connections;
        let known = match named {
            Some(named) => Some(TargetId::from(named)),
            None => last_tab(setup, browser.url())
                .map(|last| kept.front_after(browser, &last).unwrap_or(last)),
        };
        if let Some(tab) = known.filter(|tab| kept.has(browser, tab)) {
            return Ok(ResolvedTab {
                browser: browser.clone(),
                tab,
                started,
            });
        }
    }
    match named {
        Some(named) => find_by_name(named, &browsers).await,
        None => last_driven(browsers, setup, started).await,
    }
}

async fn at(named: &str, setup: &ChromeSetup) -> Result<Browser, ErrorBody> {
    if let Some(browser) = setup.connections.browser(named) {
        return Ok(browser);
    }
    let endpoint = Endpoint::parse(named).map_err(|error| {
        ErrorBody::new(ErrorCode::Usage, error.to_string())
            .with_hint("--cdp takes http://host:port, the browser's ws:// url, or an endpoint of `clawperator chrome list`")
    })?;
    match tokio::time::timeout(BROWSER_TIMEOUT, Browser::connect(&endpoint)).await {
        Ok(connected) => {
            let browser = connected.map_err(|error| unreachable(&error))?;
            setup.connections.keep(named, &browser);
            Ok(browser)
        }
        Err(_) => {
            let message = format!("{} does not respond", endpoint.url());
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message).with_default_hint())
        }
    }
}

async fn running(setup: &ChromeSetup) -> Result<Vec<Browser>, ErrorBody> {
    let found = running_browsers(setup).await?.into_iter();
    let answering = found.filter_map(|found| match found {
        RunningRecord::Answers(_, browser) => Some(browser),
        RunningRecord::Silent(_) => None,
    });
    Ok(answering.collect())
}

async fn tabs_of(browser: &Browser) -> Result<Vec<TabInfo>, ErrorBody> {
    match tokio::time::timeout(BROWSER_TIMEOUT, browser.tabs()).await {
        Ok(tabs) => tabs.map_err(|error| unreachable(&error)),
        Err(_) => {
            let message = format!(
                "{} does not respond",
                persistent::endpoint_of(browser.url())
            );
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message).with_default_hint())
        }
    }
}

/// What to do if no browser runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingBrowser {
    Fail,
    Start,
}

/// The browser of a tab, or the only one.
///
/// # Errors
/// `USAGE` for a device that is no tab, and those of [`resolve`].
pub(super) async fn browser_of(
    device: Option<&str>,
    setup: &ChromeSetup,
    if_none: MissingBrowser,
) -> Result<Browser, ErrorBody> {
    let device = device.unwrap_or(CHROME);
    if !is_chrome(device) {
        let message = format!(
            "{:?} is not a browser tab",
            contract::truncate_input(device)
        );
        return Err(ErrorBody::new(ErrorCode::Usage, message)
            .with_hint("Use `chrome` or `chrome:<tab>`, or omit --device"));
    }
    let named = device.strip_prefix(CHROME_TAB).map(str::trim);
    let browsers = match (&setup.endpoint, named, if_none) {
        (Some(endpoint), _, _) => vec![at(endpoint, setup).await?],
        (None, None, MissingBrowser::Start) => persistent::find_or_start(setup).await?.0,
        (None, Some(_), _) | (None, None, MissingBrowser::Fail) => running(setup).await?,
    };
    match named {
        Some(named) => Ok(find_by_name(named, &browsers).await?.browser),
        None => only(browsers),
    }
}

fn only(mut browsers: Vec<Browser>) -> Result<Browser, ErrorBody> {
    if browsers.len() > 1 {
        let endpoints: Vec<String> = browsers
            .iter()
            .map(|browser| persistent::endpoint_of(browser.url()))
            .collect();
        return Err(ErrorBody::new(
            ErrorCode::MultipleDevices,
            "several browsers are running, and none was selected",
        )
        .with_hint("Select one of them with --cdp, or a tab with --device chrome:<tab>")
        .with_detail("browsers", json!(endpoints)));
    }
    browsers.pop().ok_or_else(|| {
        ErrorBody::new(ErrorCode::ChromeUnreachable, "no browser is running").with_default_hint()
    })
}

/// The tab that was driven last, or the only one.
async fn last_driven(
    browsers: Vec<Browser>,
    setup: &ChromeSetup,
    started: bool,
) -> Result<ResolvedTab, ErrorBody> {
    let browser = only(browsers)?;
    let tabs = tabs_of(&browser).await?;
    let last = last_tab(setup, browser.url());
    let known = last.filter(|last| tabs.iter().any(|tab| tab.id == *last));
    let tab = match (known, &*tabs) {
        (Some(tab), _) => tab,
        (None, [only]) => only.id.clone(),
        (None, []) => browser
            .open_tab("about:blank")
            .await
            .map_err(|error| unreachable(&error))?,
        (None, several) => {
            return Err(ErrorBody::new(
                ErrorCode::TabAmbiguous,
                "several tabs are open, and none was selected",
            )
            .with_default_hint()
            .with_detail("tabs", listed(several)));
        }
    };
    Ok(ResolvedTab {
        browser,
        tab,
        started,
    })
}

/// The tab with this id or title, or the only one whose url or title contains the name.
async fn find_by_name(named: &str, browsers: &[Browser]) -> Result<ResolvedTab, ErrorBody> {
    let mut all: Vec<(&Browser, TabInfo)> = Vec::new();
    for browser in browsers {
        let tabs = tabs_of(browser).await?;
        all.extend(tabs.into_iter().map(|tab| (browser, tab)));
    }
    let lowercase_name = named.to_lowercase();
    let kinds: [&dyn Fn(&TabInfo) -> bool; 3] = [
        &|tab| tab.id.as_str().eq_ignore_ascii_case(named),
        &|tab| tab.title == named || tab.url == named,
        &|tab| {
            tab.url.to_lowercase().contains(&lowercase_name)
                || tab.title.to_lowercase().contains(&lowercase_name)
        },
    ];
    if !lowercase_name.is_empty() {
        for fits in kinds {
            let mut hits = all.iter().filter(|(_, tab)| fits(tab));
            let Some((browser, tab)) = hits.next() else {
                continue;
            };
            let others: Vec<TabInfo> = hits.map(|(_, tab)| tab.clone()).collect();
            if others.is_empty() {
                return Ok(ResolvedTab {
                    browser: (*browser).clone(),
                    tab: tab.id.clone(),
                    started: false,
                });
            }
            let mut several = vec![tab.clone()];
            several.extend(others);
            let message = format!(
                "{} tabs match {:?}",
                several.len(),
                contract::truncate_input(named)
            );
            return Err(ErrorBody::new(ErrorCode::TabAmbiguous, message)
                .with_default_hint()
                .with_detail("tabs", listed(&several)));
        }
    }
    let tabs: Vec<TabInfo> = all.into_iter().map(|(_, tab)| tab).collect();
    let error = if browsers.is_empty() {
        ErrorBody::new(
            ErrorCode::TabNotFound,
            format!("no tab {:?}: no browser is running", contract::truncate_input(named)),
        )
        .with_hint("`--device chrome` starts one; `clawperator open <url> --device chrome` opens a page in it")
    } else {
        let message = format!(
            "no tab matches {:?} by id, title or url",
            contract::truncate_input(named)
        );
        ErrorBody::new(ErrorCode::TabNotFound, message).with_default_hint()
    };
    Err(error.with_detail("tabs", listed(&tabs)))
}

fn listed(tabs: &[TabInfo]) -> serde_json::Value {
    let shown: Vec<OpenTab> = tabs.iter().take(MAX_LISTED).map(OpenTab::from).collect();
    json!(shown)
}

impl From<&TabInfo> for OpenTab {
    fn from(tab: &TabInfo) -> Self {
        let short = |text: &str| text.chars().take(200).collect();
        Self {
            device: format!("{CHROME_TAB}{}", tab.id),
            title: short(&tab.title),
            url: short(&tab.url),
        }
    }
}

/// The tabs of a browser, as devices.
pub(super) async fn open_tabs(browser: &Browser) -> cdp::Result<Vec<OpenTab>> {
    Ok(browser.tabs().await?.iter().map(OpenTab::from).collect())
}

/// The tabs of browsers that run, as devices.
#[derive(Debug, Default)]
pub(crate) struct TabList {
    pub(crate) tabs: Vec<Device>,
    /// Whether every browser listed its tabs.
    pub(crate) is_complete: bool,
}

/// The tabs of the browsers that run; starts no browser.
///
/// # Errors
/// `CHROME_UNREACHABLE` when the named browser does not answer, `RUNTIME_FOLDER_UNSAFE`.
pub(crate) async fn devices(setup: &ChromeSetup) -> Result<TabList, ErrorBody> {
    let browsers = match &setup.endpoint {
        Some(endpoint) => vec![at(endpoint, setup).await?],
        None => running(setup).await?,
    };
    let mut list = TabList {
        tabs: Vec::new(),
        is_complete: true,
    };
    for browser in &browsers {
        match open_tabs(browser).await {
            Ok(tabs) => list.tabs.extend(tabs.into_iter().map(|tab| Device {
                serial: tab.device,
                state: PAGE.to_owned(),
                title: Some(tab.title),
                url: Some(tab.url),
            })),
            Err(_) => list.is_complete = false,
        }
    }
    Ok(list)
}

/// Records which tab was driven last.
pub(crate) fn note_last_tab(setup: &ChromeSetup, browser: &Browser, tab: &TargetId) {
    write_last_tab(setup, browser.url(), tab);
}

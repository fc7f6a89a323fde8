//! Browsers that run between commands: started once, found by every command, ended on request.

use std::fs::File;
use std::path::PathBuf;

use cdp::Endpoint;
use cdp::protocol::browser::Close;
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::{Browser, Sandbox, Window};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::broker::start as start_browser;
use super::browser_record::{BrowserRecord, RunningRecord, make_folder, records, running_browsers};
use super::tabs::open_tabs;
use super::{ChromeSetup, RunningBrowser, browser_start_record, daemon, process, unreachable};
use crate::background::REPLY_TIMEOUT;

/// The options of a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartOptions {
    /// The port of 127.0.0.1 to listen on, which every user of this computer can connect to; 0 for any free port.
    pub port: Option<u16>,
    /// Whether it shows its windows.
    pub window: Window,
    pub sandbox: Sandbox,
    /// The folder of its profile, which is kept; by default it gets one that is removed with it.
    pub profile: Option<PathBuf>,
    /// The size of its windows in CSS pixels.
    pub size: Option<(u32, u32)>,
    /// What to do if a browser already runs.
    #[serde(skip)]
    pub existing: ExistingBrowser,
}

/// What to do if a browser already runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingBrowser {
    /// Use it.
    #[default]
    Reuse,
    StartAnother,
}

/// The browsers to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopTarget {
    All,
    Only,
    /// The one with this endpoint.
    One(String),
}

/// Finds a running browser or starts one; whether it was started.
///
/// # Errors
/// `CHROME_NOT_FOUND`, `CHROME_START_FAILED`, `USAGE` when one runs and the options ask for another, `RUNTIME_FOLDER_UNSAFE`
/// and `INTERNAL_ERROR` when its record cannot be written.
pub async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<(RunningBrowser, bool), ErrorBody> {
    let _lock = lock(setup).await?;
    if starting.existing == ExistingBrowser::Reuse {
        let mut running = running_browsers(setup).await?.into_iter();
        let first = running.find(|found| matches!(found, RunningRecord::Answers(..)));
        if let Some(found) = first {
            let running = describe(found).await;
            if *starting != StartOptions::default() {
                let message = format!("{} already runs", running.endpoint);
                return Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("`clawperator chrome stop` ends it; --another starts another one")
                    .with_detail("running", json!(running)));
            }
            return Ok((running, false));
        }
    }
    let (record, browser) = launch(setup, starting).await?;
    Ok((
        describe(RunningRecord::Answers(record, browser)).await,
        true,
    ))
}

/// The recorded browsers that run.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when their records cannot be read.
pub async fn list(setup: &ChromeSetup) -> Result<Vec<RunningBrowser>, ErrorBody> {
    let mut running = Vec::new();
    for found in running_browsers(setup).await? {
        running.push(describe(found).await);
    }
    Ok(running)
}

/// The browsers that answer, or a new one if none runs; whether it was started.
pub(super) async fn find_or_start(setup: &ChromeSetup) -> Result<(Vec<Browser>, bool), ErrorBody> {
    let found = answering(running_browsers(setup).await?)?;
    if !found.is_empty() {
        return Ok((found, false));
    }
    let _lock = lock(setup).await?;
    // Another command may have started one in the meantime.
    let found = answering(running_browsers(setup).await?)?;
    if !found.is_empty() {
        return Ok((found, false));
    }
    let (_, browser) = launch(setup, &StartOptions::default()).await?;
    Ok((vec![browser], true))
}

/// The browsers that answer. If the only one that runs does not answer, that is an error: a new browser would not have its
/// pages.
fn answering(found: Vec<RunningRecord>) -> Result<Vec<Browser>, ErrorBody> {
    let silent = found.iter().find_map(|found| match found {
        RunningRecord::Silent(record) => Some(record.endpoint()),
        RunningRecord::Answers(..) => None,
    });
    let browsers: Vec<Browser> = found
        .into_iter()
        .filter_map(|found| match found {
            RunningRecord::Answers(_, browser) => Some(browser),
            RunningRecord::Silent(_) => None,
        })
        .collect();
    match silent {
        Some(endpoint) if browsers.is_empty() => {
            let message = format!("the browser at {endpoint} does not respond");
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message)
                .with_hint("`clawperator chrome stop` ends it, by force if necessary"))
        }
        _ => Ok(browsers),
    }
}

async fn launch(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<(BrowserRecord, Browser), ErrorBody> {
    let record = start_browser(setup, starting).await?;
    let browser = connect(&record.url).await?;
    tracing::info!(
        name: "chrome.started",
        target: crate::log::TARGET,
        pid = record.pid,
        endpoint = record.endpoint(),
        "a browser was started"
    );
    daemon::ensure(setup, &record.url).await;
    Ok((record, browser))
}

async fn connect(url: &str) -> Result<Browser, ErrorBody> {
    let endpoint = Endpoint::parse(url).map_err(|error| unreachable(&error))?;
    match tokio::time::timeout(REPLY_TIMEOUT, Browser::connect(&endpoint)).await {
        Ok(connected) => connected.map_err(|error| unreachable(&error)),
        Err(_) => {
            let message = format!("the browser at {url} was started and does not respond");
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message).with_default_hint())
        }
    }
}

/// The endpoint for `--cdp`: the `http` form of a WebSocket's url, or the url of a socket.
pub(super) fn endpoint_of(url: &str) -> String {
    let Some(authority) = url.strip_prefix("ws://") else {
        return url.to_owned();
    };
    let authority = authority.split('/').next().unwrap_or(authority);
    format!("http://{authority}")
}

/// Whether a url, an endpoint or `host:port` names the browser of this url.
pub(super) fn is_at(url: &str, named: &str) -> bool {
    let endpoint = endpoint_of(url);
    let named = named.trim_end_matches('/');
    named == url || named == endpoint || endpoint.ends_with(&format!("/{named}"))
}

async fn describe(found: RunningRecord) -> RunningBrowser {
    let (record, browser) = match found {
        RunningRecord::Answers(record, browser) => (record, Some(browser)),
        RunningRecord::Silent(record) => (record, None),
    };
    let tabs = match &browser {
        Some(browser) => tokio::time::timeout(REPLY_TIMEOUT, open_tabs(browser)).await,
        None => Ok(Ok(Vec::new())),
    };
    let tabs = tabs.ok().and_then(Result::ok);
    RunningBrowser {
        endpoint: record.endpoint(),
        port: record.open_port(),
        pid: record.pid,
        browser: record.product,
        headless: record.headless,
        profile: record.profile.display().to_string(),
        answers: browser.is_some() && tabs.is_some(),
        tabs: tabs.unwrap_or_default(),
    }
}

/// Ends browsers that clawperator started, and returns them.
///
/// # Errors
/// `DEVICE_NOT_FOUND` when none has the endpoint or none runs, `MULTIPLE_DEVICES_DEVICE_ID_REQUIRED` when several run and
/// none was named, `INTERNAL_ERROR` when one does not end.
pub async fn stop(
    setup: &ChromeSetup,
    target: &StopTarget,
) -> Result<Vec<RunningBrowser>, ErrorBody> {
    let _lock = lock(setup).await?;
    let records = make_folder(setup)?;
    let running = running_browsers(setup).await?;
    let endpoints: Vec<String> = running
        .iter()
        .map(|found| found.record().endpoint())
        .collect();
    let is_target = |found: &RunningRecord| match target {
        StopTarget::All | StopTarget::Only => true,
        StopTarget::One(named) => found.record().is_at(named),
    };
    match target {
        StopTarget::Only if running.len() > 1 => {
            return Err(ErrorBody::new(
                ErrorCode::MultipleDevices,
                "several browsers are running, and none was selected",
            )
            .with_hint("Pass one of details.running, or use --all")
            .with_detail("running", json!(endpoints)));
        }
        StopTarget::One(named) if !running.iter().any(is_target) => {
            let shown = contract::truncate_input(named);
            let message = format!("no browser {shown:?} that `chrome start` started is running");
            return Err(ErrorBody::new(ErrorCode::DeviceNotFound, message)
                .with_hint("`clawperator chrome list` shows those that do")
                .with_detail("running", json!(endpoints)));
        }
        StopTarget::All | StopTarget::Only | StopTarget::One(_) => {}
    }
    let mut ended = Vec::new();
    for found in running.into_iter().filter(is_target) {
        let record = found.record().clone();
        let browser = match &found {
            RunningRecord::Answers(_, browser) => Some(browser.clone()),
            RunningRecord::Silent(_) => None,
        };
        let running = describe(found).await;
        if let Err(why) = end(&record, browser).await {
            let message = format!("{} did not end: {why}", running.endpoint);
            return Err(ErrorBody::new(ErrorCode::InternalError, message)
                .with_hint(format!("Its process is {}", record.pid))
                .with_detail("stopped", json!(ended)));
        }
        record.remove_files(&records).await;
        ended.push(running);
    }
    Ok(ended)
}

/// Closes a browser as its user would, or kills it if that fails.
async fn end(record: &BrowserRecord, browser: Option<Browser>) -> std::io::Result<()> {
    if let Some(browser) = browser {
        // The browser often ends before it answers.
        let closed = async {
            drop(browser.connection().browser().call(&Close {}).await);
            record.ended().await;
        };
        if tokio::time::timeout(REPLY_TIMEOUT, closed).await.is_ok() {
            return Ok(());
        }
    }
    if process::runs(record.pid, &record.profile) {
        process::kill(record.pid)?;
        if tokio::time::timeout(REPLY_TIMEOUT, record.ended())
            .await
            .is_err()
        {
            return Err(std::io::Error::other("its process does not end"));
        }
    }
    Ok(())
}

/// Locks starting and stopping browsers until the file is dropped.
async fn lock(setup: &ChromeSetup) -> Result<File, ErrorBody> {
    let folder = make_folder(setup)?;
    let locked = tokio::task::spawn_blocking(move || {
        let file = folder
            .lock_file("start.lock")
            .map_err(|error| folder.failed(error))?;
        file.lock().map_err(|error| folder.failed(error))?;
        Ok::<_, ErrorBody>((folder, file))
    });
    let (folder, file) = locked.await.map_err(|error| {
        ErrorBody::new(ErrorCode::InternalError, format!("start.lock: {error}"))
    })??;
    browser_start_record::kill_abandoned(&folder, &records(&folder)?).await?;
    Ok(file)
}

//! Browsers that stay between commands: started once, found again by every command, ended when they are told to.

use std::fs::File;
use std::path::PathBuf;

use cdp::Endpoint;
use cdp::protocol::browser::Close;
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::{Browser, Sandbox, Window};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[cfg(unix)]
use super::broker::start as start_browser;
#[cfg(not(unix))]
use super::port_browser::start as start_browser;
use super::record::{Found, Record, make_folder, records, running_browsers};
use super::tabs::open_tabs;
use super::{ChromeSetup, RunningBrowser, daemon, process, start_record, unreachable};
use crate::background::REPLY_TIMEOUT;

/// What a browser that is started is to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartOptions {
    /// The port of 127.0.0.1 to listen on, which every user of this computer can connect to; 0 for any that is free.
    pub port: Option<u16>,
    /// Whether it shows its windows.
    pub window: Window,
    /// Whether it has its sandbox.
    pub sandbox: Sandbox,
    /// The folder of its profile, which stays; without it one is made that goes with the browser.
    pub profile: Option<PathBuf>,
    /// The size of its windows in CSS pixels.
    pub size: Option<(u32, u32)>,
    /// What to do when a browser already runs.
    #[serde(skip)]
    pub existing: ExistingBrowser,
}

/// What to do when a browser already runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingBrowser {
    /// Use the one that runs.
    #[default]
    Reuse,
    /// Start another beside it.
    StartAnother,
}

/// Which browsers are to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopTarget {
    /// All of them.
    All,
    /// The only one that runs.
    Only,
    /// The one with this endpoint.
    One(String),
}

/// Finds the browser that stays, or starts one; and whether it was started.
///
/// # Errors
/// `CHROME_NOT_FOUND`, `CHROME_START_FAILED`, `USAGE` when one runs and flags ask for another, `RUNTIME_FOLDER_UNSAFE` and
/// `INTERNAL_ERROR` when its record cannot be written.
pub async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<(RunningBrowser, bool), ErrorBody> {
    let _alone = alone(setup).await?;
    if starting.existing == ExistingBrowser::Reuse {
        let mut running = running_browsers(setup).await?.into_iter();
        let first = running.find(|found| matches!(found, Found::Answers(..)));
        if let Some(found) = first {
            let running = shown(found).await;
            if *starting != StartOptions::default() {
                let message = format!("{} runs already", running.endpoint);
                return Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint(
                        "`clawperator chrome stop` ends it; --another starts one more beside it",
                    )
                    .with_detail("running", json!(running)));
            }
            return Ok((running, false));
        }
    }
    let (record, browser) = launch(setup, starting).await?;
    Ok((shown(Found::Answers(record, browser)).await, true))
}

/// The browsers that stay and run.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when their records cannot be read.
pub async fn list(setup: &ChromeSetup) -> Result<Vec<RunningBrowser>, ErrorBody> {
    let mut running = Vec::new();
    for found in running_browsers(setup).await? {
        running.push(shown(found).await);
    }
    Ok(running)
}

/// The browsers that answer; one is started where none runs. Whether one was started.
pub(super) async fn find_or_start(setup: &ChromeSetup) -> Result<(Vec<Browser>, bool), ErrorBody> {
    let found = answering(running_browsers(setup).await?)?;
    if !found.is_empty() {
        return Ok((found, false));
    }
    let _alone = alone(setup).await?;
    // Somebody else may have started one while this one waited.
    let found = answering(running_browsers(setup).await?)?;
    if !found.is_empty() {
        return Ok((found, false));
    }
    let (_, browser) = launch(setup, &StartOptions::default()).await?;
    Ok((vec![browser], true))
}

/// The browsers that answer. One that runs and does not is an error where it is the only one: a second beside it would
/// not have its pages.
fn answering(found: Vec<Found>) -> Result<Vec<Browser>, ErrorBody> {
    let silent = found.iter().find_map(|found| match found {
        Found::Silent(record) => Some(record.endpoint()),
        Found::Answers(..) => None,
    });
    let browsers: Vec<Browser> = found
        .into_iter()
        .filter_map(|found| match found {
            Found::Answers(_, browser) => Some(browser),
            Found::Silent(_) => None,
        })
        .collect();
    match silent {
        Some(endpoint) if browsers.is_empty() => {
            let message = format!("the browser at {endpoint} runs and does not answer");
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message)
                .with_hint("`clawperator chrome stop` ends it, by force where it has to"))
        }
        _ => Ok(browsers),
    }
}

async fn launch(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<(Record, Browser), ErrorBody> {
    let record = start_browser(setup, starting).await?;
    let browser = connect(&record.url).await?;
    crate::log::event(
        crate::log::Level::Info,
        "chrome.started",
        "a browser was started, which stays",
        &[
            ("pid", record.pid.into()),
            ("endpoint", record.endpoint().into()),
        ],
    );
    daemon::ensure(setup, &record.url).await;
    Ok((record, browser))
}

async fn connect(url: &str) -> Result<Browser, ErrorBody> {
    let endpoint = Endpoint::parse(url).map_err(|error| unreachable(&error))?;
    match tokio::time::timeout(REPLY_TIMEOUT, Browser::connect(&endpoint)).await {
        Ok(connected) => connected.map_err(|error| unreachable(&error)),
        Err(_) => {
            let message = format!("the browser at {url} was started and does not answer");
            Err(ErrorBody::new(ErrorCode::ChromeUnreachable, message).with_default_hint())
        }
    }
}

/// What `--cdp` takes: a WebSocket's url without its path, or the url of a socket.
pub(super) fn endpoint_of(url: &str) -> String {
    let Some(authority) = url.strip_prefix("ws://") else {
        return url.to_owned();
    };
    let authority = authority.split('/').next().unwrap_or(authority);
    format!("http://{authority}")
}

/// Whether the browser of this url is the one that is named: by its url, by what `--cdp` takes, or by host and port.
pub(super) fn is_at(url: &str, named: &str) -> bool {
    let endpoint = endpoint_of(url);
    let named = named.trim_end_matches('/');
    named == url || named == endpoint || endpoint.ends_with(&format!("/{named}"))
}

async fn shown(found: Found) -> RunningBrowser {
    let (record, browser) = match found {
        Found::Answers(record, browser) => (record, Some(browser)),
        Found::Silent(record) => (record, None),
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

/// Ends browsers; gives those that have ended. None is ended that was not started from here.
///
/// # Errors
/// `DEVICE_NOT_FOUND` when none has the endpoint or none runs, `MULTIPLE_DEVICES_DEVICE_ID_REQUIRED` when it is not said
/// which, `INTERNAL_ERROR` when one does not end.
pub async fn stop(
    setup: &ChromeSetup,
    which: &StopTarget,
) -> Result<Vec<RunningBrowser>, ErrorBody> {
    let _alone = alone(setup).await?;
    let records = make_folder(setup)?;
    let running = running_browsers(setup).await?;
    let endpoints: Vec<String> = running
        .iter()
        .map(|found| found.record().endpoint())
        .collect();
    let wanted = |found: &Found| match which {
        StopTarget::All | StopTarget::Only => true,
        StopTarget::One(named) => found.record().is_at(named),
    };
    match which {
        StopTarget::Only if running.len() > 1 => {
            return Err(ErrorBody::new(
                ErrorCode::MultipleDevices,
                "several browsers run, and none was named",
            )
            .with_hint("Name one of details.running, or use --all")
            .with_detail("running", json!(endpoints)));
        }
        StopTarget::One(named) if !running.iter().any(wanted) => {
            let shown: String = named.chars().take(80).collect();
            let message = format!("no browser {shown:?} runs that `chrome start` has started");
            return Err(ErrorBody::new(ErrorCode::DeviceNotFound, message)
                .with_hint("`clawperator chrome list` shows those that do")
                .with_detail("running", json!(endpoints)));
        }
        StopTarget::All | StopTarget::Only | StopTarget::One(_) => {}
    }
    let mut ended = Vec::new();
    for found in running.into_iter().filter(wanted) {
        let record = found.record().clone();
        let browser = match &found {
            Found::Answers(_, browser) => Some(browser.clone()),
            Found::Silent(_) => None,
        };
        let running = shown(found).await;
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

/// Ends a browser as a user would, or by force when it does not.
async fn end(record: &Record, browser: Option<Browser>) -> std::io::Result<()> {
    if let Some(browser) = browser {
        // Its answer is often cut off by its end.
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

/// Keeps other commands of this user from starting or ending browsers until the file is dropped.
async fn alone(setup: &ChromeSetup) -> Result<File, ErrorBody> {
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
    start_record::kill_abandoned(&folder, &records(&folder)?).await?;
    Ok(file)
}

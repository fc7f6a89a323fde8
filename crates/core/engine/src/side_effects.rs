//! Side effects: tabs, downloads, notices. Those of a step are added to its data; others become warnings.

use contract::{StepData, StepResult, Warning, WarningCode};
use driver::{BackgroundEvent, Download, DownloadState, SideEffect};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::describe::quoted;

/// Warnings about events that no action of the run caused.
pub(crate) fn background_warnings(events: Vec<BackgroundEvent>) -> Vec<Warning> {
    let warning = |event| match event {
        BackgroundEvent::TabOpened { device, title, url } => {
            let (title, page) = (quoted(&title), quoted_page(&url));
            let message = format!(
                "the tab {device} {title} {page} was opened after the last command and is not in front; the action tab brings it there"
            );
            Warning::new(WarningCode::TabOpened, message)
        }
        BackgroundEvent::TabClosed { device, url } => {
            let page = quoted_page(&url);
            let message = format!(
                "the tab {device} {page}, which was in front, was closed; another one is now"
            );
            Warning::new(WarningCode::TabClosed, message)
        }
        BackgroundEvent::Downloaded(file) => late_download(&file),
    };
    events.into_iter().map(warning).collect()
}

/// A URL without its query, which may hold a secret.
fn quoted_page(url: &str) -> String {
    quoted(url.split(['?', '#']).next().unwrap_or_default())
}

/// Warnings about denied downloads.
pub(crate) fn denied_downloads(effects: &[(usize, SideEffect)]) -> Vec<Warning> {
    let denied = effects.iter().filter_map(|(step, effect)| match effect {
        SideEffect::Downloaded(file) if file.state == DownloadState::Denied => Some((step, file)),
        SideEffect::Downloaded(_)
        | SideEffect::TabOpened(_)
        | SideEffect::TabClosed(_)
        | SideEffect::Noticed(_) => None,
    });
    let warnings = denied.map(|(step, file)| {
        let name = quoted(&file.name);
        let message = format!(
            "the page offered the file {name}, which was denied: set a download folder with --downloads or CLAWPERATOR_CHROME_DOWNLOADS"
        );
        Warning::new(WarningCode::DownloadDenied, message).at(format!("actions.{step}"))
    });
    warnings.collect()
}

/// Adds the side effects of a run that began at `started` to the data of their steps.
pub(crate) fn add(
    results: &mut [StepResult],
    effects: Vec<(usize, SideEffect)>,
    started: Instant,
    warnings: &mut Vec<Warning>,
) {
    for (step, effect) in effects {
        let effect = match effect {
            SideEffect::TabClosed(device) => {
                let mut steps = results.iter_mut().map(|result| &mut result.data);
                if let Some(data) = steps.find(|data| data.get("opened_tab") == Some(&device)) {
                    data.remove("opened_tab");
                    // A tab that only downloaded a file was never usable.
                    if data.get("downloads").is_none() {
                        data.push("opened_and_closed_tab", device);
                    }
                }
                continue;
            }
            SideEffect::Downloaded(file) if file.was_reported => {
                let mut steps = results.iter_mut().map(|result| &mut result.data);
                if !steps.any(|data| end_download(data, &file)) {
                    warnings.push(late_download(&file));
                }
                continue;
            }
            effect => effect,
        };
        if let Some(result) = results.get_mut(step) {
            add_one(&mut result.data, effect, started);
        }
    }
}

/// Updates the entry of a download in progress in step data; returns whether there is one.
fn end_download(data: &mut StepData, ended: &Download) -> bool {
    let listed = data.get("downloads").map(serde_json::from_str);
    let Some(Ok(Value::Array(mut list))) = listed else {
        return false;
    };
    let in_progress = DownloadState::InProgress.as_str();
    let mut files = list.iter_mut();
    let Some(entry) = files.find(|file| file["name"] == ended.name && file["state"] == in_progress)
    else {
        return false;
    };
    *entry = download_entry(ended);
    data.remove("downloads");
    data.push("downloads", json!(list).to_string());
    true
}

/// A download in step data.
fn download_entry(file: &Download) -> Value {
    json!({
        "name": file.name,
        "path": file.path,
        "bytes": file.bytes,
        "state": file.state.as_str(),
    })
}

/// A warning about a download that began or ended without an action of the run.
fn late_download(file: &Download) -> Warning {
    let name = quoted(&file.name);
    let bytes = file.bytes;
    let message = match (file.state, &file.path) {
        (DownloadState::Completed, Some(path)) => {
            format!("the file {name} is downloaded, {bytes} bytes: {path}")
        }
        (DownloadState::Completed, None) => {
            format!("the file {name} is downloaded, {bytes} bytes")
        }
        (DownloadState::InProgress, _) => format!("the file {name} is being downloaded"),
        (DownloadState::Canceled, _) => format!("the download of the file {name} was canceled"),
        (DownloadState::Denied, _) => {
            format!("the page offered the file {name}, which was denied: no download folder is set")
        }
    };
    Warning::new(WarningCode::LateDownload, message)
}

/// Adds a side effect of a run that began at `started` to step data.
fn add_one(data: &mut StepData, effect: SideEffect, started: Instant) {
    match effect {
        SideEffect::TabOpened(device) => data.push("opened_tab", device),
        SideEffect::TabClosed(_) => {}
        SideEffect::Downloaded(file) => add_to_list(data, "downloads", download_entry(&file)),
        SideEffect::Noticed(notice) => {
            let at = notice.at.saturating_duration_since(started);
            let notice = json!({
                "kind": notice.kind.as_str(),
                "app": notice.app,
                "text": notice.text,
                "at_ms": at.as_millis() as u64,
            });
            add_to_list(data, "notices", notice);
        }
    }
}

fn add_to_list(data: &mut StepData, key: &'static str, entry: Value) {
    let listed = data.get(key);
    let listed = listed.and_then(|listed| serde_json::from_str(listed).ok());
    let mut list: Vec<Value> = listed.unwrap_or_default();
    list.push(entry);
    data.push(key, json!(list).to_string());
}

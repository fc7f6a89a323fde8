//! Tabs of browsers.

use std::time::Duration;

use async_trait::async_trait;
use contract::{DeviceAnswer, ErrorBody, ErrorCode, ParsedExecution, Warning, WarningCode};
use driver::{Cx, Driver, DriverError, Platform};
use driver_chrome::page::PageObserver;
use driver_chrome::{ChromeDriver, DialogTab, LeftoverDialog, RESPONSE_TIMEOUT};
use tokio_util::sync::CancellationToken;

use super::{DeviceConnection, DeviceKind, EventSink, OpenDevice, Purpose, ResolvedDevice};
use crate::chrome::daemon::{self, Reply, Task};
use crate::chrome::{self, CHROME, LeftoverDialogs, ResolvedTab};
use crate::inspect::{InspectOutput, Target};
use crate::phone::OPEN_WITHIN;
use crate::{Device, Options};

/// Web pages: `chrome`, `chrome:<tab>`.
pub(super) struct ChromeKind;

#[async_trait]
impl DeviceKind for ChromeKind {
    fn owns(&self, device: &str) -> bool {
        chrome::is_chrome(device)
    }

    fn is_default(&self, options: &Options) -> bool {
        // `--cdp` without `--device` selects the browser's page.
        options.chrome.named_by_flag
    }

    fn platform(&self) -> Platform {
        Platform::Web
    }

    fn noun(&self) -> &'static str {
        "a web page"
    }

    fn transport(&self) -> &'static str {
        "browser"
    }

    fn size_key(&self) -> &'static str {
        "viewport"
    }

    async fn list(&self, options: &Options) -> Result<Vec<Device>, ErrorBody> {
        Ok(chrome::devices(&options.chrome).await?.tabs)
    }

    async fn resolve(
        &self,
        device: Option<&str>,
        options: &Options,
    ) -> Result<ResolvedDevice, ErrorBody> {
        let tab = chrome::resolve(device.unwrap_or(CHROME), &options.chrome).await?;
        let mut resolved = ResolvedDevice::named(tab.device());
        if tab.started {
            let message =
                "no browser was running, so one was started; `clawperator chrome stop` ends it";
            let warning = Warning::new(WarningCode::BrowserStarted, message);
            resolved.warnings.push(warning);
        }
        resolved.tab = Some(tab);
        Ok(resolved)
    }

    async fn open(
        &self,
        resolved: &ResolvedDevice,
        _reached: DeviceConnection,
        options: &Options,
        purpose: Purpose,
        cx: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody> {
        let tab = match &resolved.tab {
            Some(tab) => tab.clone(),
            None => chrome::resolve(&resolved.name, &options.chrome).await?,
        };
        let page = attach(&resolved.name, &tab, options, purpose, cx).await?;
        Ok(Box::new(OpenPage { page, tab }))
    }

    async fn delegate_run(
        &self,
        device: Option<&str>,
        options: &Options,
        parsed: &ParsedExecution,
        cancel: &CancellationToken,
        on_event: EventSink<'_>,
    ) -> Option<Result<DeviceAnswer, ErrorBody>> {
        let setup = &options.chrome;
        let reply = daemon::run(setup, device, parsed, Task::Run, cancel, on_event).await?;
        Some(match reply {
            Ok(Reply::Answer(answer)) => Ok(*answer),
            Ok(Reply::Failed(error)) => Err(*error),
            Ok(other) => {
                let message = format!("unexpected reply from the daemon: {other:?}");
                Err(ErrorBody::new(ErrorCode::InternalError, message))
            }
            Err(error) => Err(error),
        })
    }

    async fn delegate_find(
        &self,
        device: Option<&str>,
        options: &Options,
        plan: &ParsedExecution,
        target: &Target,
        cancel: &CancellationToken,
        on_event: EventSink<'_>,
    ) -> Option<Result<InspectOutput, ErrorBody>> {
        let task = Task::Find(target.clone());
        match daemon::run(&options.chrome, device, plan, task, cancel, on_event).await? {
            Ok(Reply::Found(found)) => Some(Ok(*found)),
            Ok(Reply::Failed(error)) => Some(Err(*error)),
            // A search changes nothing and can be repeated.
            Ok(_) | Err(_) => None,
        }
    }
}

/// An attached tab.
struct OpenPage {
    page: ChromeDriver,
    tab: ResolvedTab,
}

#[async_trait]
impl OpenDevice for OpenPage {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.page
    }

    fn page(&mut self) -> Option<Result<&mut PageObserver, DriverError>> {
        Some(self.page.observer())
    }

    fn is_released(&self) -> bool {
        true
    }

    async fn release(self: Box<Self>, options: &Options) -> Vec<Warning> {
        let setup = &options.chrome;
        let Self { mut page, tab } = *self;
        page.leave_closed_tabs();
        if let Some(shown) = page.tab() {
            chrome::note_last_tab(setup, &tab.browser, shown.id());
        }
        let left = chrome::leave_tab(page, &setup.connections).await;
        // The next command finds the daemon running.
        daemon::ensure(setup, tab.browser.url()).await;
        about_dialogs(&left, setup.connections.dialog_open())
    }
}

/// Warnings about the dialogs that were open at the end.
fn about_dialogs(left: &LeftoverDialogs, limit: Duration) -> Vec<Warning> {
    let minutes = limit.as_secs() / 60;
    let kept = left.kept.iter().map(|dialog| {
        let (shown, answer) = (shown(dialog), answer(dialog));
        let message = format!(
            "{shown} and waits for an answer: {answer}; it is dismissed after {minutes} minutes"
        );
        Warning::new(WarningCode::DialogOpen, message)
    });
    let dismissed = left.dismissed.iter().map(|dialog| {
        let (shown, answer) = (shown(dialog), answer(dialog));
        let message = format!(
            "{shown}, which was dismissed, because this process ends and later commands cannot answer it; answer it in the same plan: {answer}"
        );
        Warning::new(WarningCode::DialogDismissed, message)
    });
    let given_up = left.given_up.iter().map(|dialog| {
        let place = match &dialog.tab {
            DialogTab::Front => "the page",
            DialogTab::Other(device) => &format!("the tab {device}"),
        };
        let text = &dialog.message;
        let message = format!(
            "{place} showed the dialog {text:?}, which was dismissed, because nothing answered it for {minutes} minutes or too many other tabs were used"
        );
        Warning::new(WarningCode::DialogDismissed, message)
    });
    kept.chain(dismissed).chain(given_up).collect()
}

/// Which dialog a tab shows.
fn shown(dialog: &LeftoverDialog) -> String {
    let text = &dialog.message;
    match &dialog.tab {
        DialogTab::Front => format!("the page shows the dialog {text:?}"),
        DialogTab::Other(device) => {
            format!("the tab {device}, which is not in front, shows the dialog {text:?}")
        }
    }
}

/// How to answer a dialog.
fn answer(dialog: &LeftoverDialog) -> String {
    let buttons = dialog.buttons.join(" or ");
    match &dialog.tab {
        DialogTab::Front => format!("click {buttons}"),
        DialogTab::Other(_) => {
            format!("choose the tab by its `device` with the action `tab`, then click {buttons}")
        }
    }
}

/// Attaches to a tab, or resumes a parked one.
async fn attach(
    device: &str,
    chosen: &ResolvedTab,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<ChromeDriver, ErrorBody> {
    let downloads = options.chrome.downloads(&chosen.browser)?;
    let within = OPEN_WITHIN.min(cx.remaining());
    let cx = cx.within(within);
    let failed = |error| chrome::not_attached(device, &error, within);
    let mut kept = options
        .chrome
        .connections
        .take(&chosen.browser, &chosen.tab);
    if let Some(page) = &mut kept {
        let resumed = match purpose {
            Purpose::Any => page.resume(&cx).await,
            Purpose::Load => page.resume(&cx.within(RESPONSE_TIMEOUT)).await,
        };
        match resumed {
            Ok(()) => {}
            Err(error @ DriverError::Cancelled) => return Err(failed(error)),
            Err(error @ DriverError::Deadline) if purpose == Purpose::Any => {
                return Err(failed(error));
            }
            // Attaching either works or reports the error.
            Err(_) => {
                if let Some(page) = kept.take() {
                    options.chrome.connections.keep_others(page);
                }
            }
        }
    }
    let page = match kept {
        Some(page) => page,
        None => match attach_new(chosen, purpose, &cx).await {
            Ok(page) => page,
            Err(error @ (DriverError::Cancelled | DriverError::Deadline)) => {
                return Err(failed(error));
            }
            // It may have been closed since it was resolved.
            Err(error) => return Err(chosen.closed_error().await.unwrap_or_else(|| failed(error))),
        },
    };
    Ok(page
        .named(device)
        .with_file_access(options.chrome.files)
        .with_downloads(downloads))
}

/// Attaches to a tab that is not parked.
async fn attach_new(
    chosen: &ResolvedTab,
    purpose: Purpose,
    cx: &Cx,
) -> Result<ChromeDriver, DriverError> {
    let tab = chosen.attach(cx).await?;
    match purpose {
        Purpose::Any => ChromeDriver::open(tab, cx).await,
        Purpose::Load => ChromeDriver::open_to_load(tab, cx).await,
    }
}

//! Browsers on systems without Unix sockets: they listen on a loopback port.

use contract::ErrorBody;
use driver_chrome::browser::{Browser, LaunchedBrowser, Window};

use super::launch::{Prepared, discard, not_recorded, prepare};
use super::record::{Record, make_folder};
use super::{ChromeSetup, StartOptions, not_started, start_record, unreachable};

/// Starts a browser that outlives this process.
///
/// # Errors
/// Those of the browser's start.
pub(super) async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<Record, ErrorBody> {
    let folder = make_folder(setup)?;
    let Prepared {
        launch,
        own_profile,
    } = prepare(setup, starting)?;
    let mut recorded = None;
    let mut on_process = |pid| {
        recorded = Some(start_record::write(
            &folder,
            pid,
            &launch.profile,
            own_profile,
        ));
    };
    let started = launch.start_with(&mut on_process).await;
    let written = async {
        let mut started = started.map_err(|error| not_started(&error))?;
        let record = record_of(&started, starting, &launch.profile, own_profile).await;
        let written = record.and_then(|record| {
            if let Some(Err(error)) = &recorded {
                return Err(not_recorded(error));
            }
            record
                .write(&folder)
                .map_err(|error| not_recorded(&error))?;
            Ok(record)
        });
        if written.is_err() {
            // Without a record it could not be found again.
            let _ = started.child.kill().await;
        }
        written
    };
    let written = written.await;
    if written.is_err() && own_profile {
        discard(&launch.profile).await;
    }
    written
}

async fn record_of(
    started: &LaunchedBrowser,
    starting: &StartOptions,
    profile: &std::path::Path,
    own_profile: bool,
) -> Result<Record, ErrorBody> {
    let browser = Browser::connect(&started.endpoint).await;
    let browser = browser.map_err(|error| unreachable(&error))?;
    let product = browser.product().await;
    Ok(Record {
        url: browser.url().to_owned(),
        port: Some(browser.url().to_owned()),
        pid: started.child.id().unwrap_or_default(),
        headless: starting.window == Window::Headless,
        product: product.map_err(|error| unreachable(&error))?,
        profile: profile.to_owned(),
        own_profile,
    })
}

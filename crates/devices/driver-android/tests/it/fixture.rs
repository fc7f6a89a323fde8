//! A simulated phone over adb, and the driver connected to it.

use std::sync::Arc;
use std::time::Duration;

use adb::client::direct::DirectLink;
use driver::Cx;
use driver_android::StockDriver;
use driver_sim::{SimOptions, Start};
use sim_adb::{AdbPhone, Daemon, Options};
use tokio_util::sync::CancellationToken;

use crate::sim_phone;

/// A phone and its driver.
pub(crate) struct Fixture {
    pub(crate) driver: StockDriver,
    pub(crate) phone: adb::Phone,
    pub(crate) adb_phone: AdbPhone,
    pub(crate) cx: Cx,
    /// The connection to it.
    pub(crate) link: Arc<DirectLink>,
}

/// A phone with an app in front.
pub(crate) async fn app(package: &str) -> Fixture {
    fixture(Options {
        sim: SimOptions {
            start: Start::App(package.to_owned()),
            ..SimOptions::default()
        },
        ..Options::default()
    })
    .await
}

/// A phone with these options.
pub(crate) async fn fixture(options: Options) -> Fixture {
    let daemon = Daemon::bind(options).await.unwrap();
    let adb_phone = daemon.adb_phone();
    let address = daemon.address().to_string();
    tokio::spawn(daemon.run());
    let cx = Cx::new(Duration::from_secs(30), CancellationToken::new());
    let link = Arc::new(sim_phone::connect(&address).await);
    let phone = adb::Phone::new(link.clone());
    let driver = StockDriver::open(&address, phone.clone(), &cx)
        .await
        .unwrap();
    Fixture {
        driver,
        phone,
        adb_phone,
        cx,
        link,
    }
}

//! What all tests of this crate do with a simulated phone.

use adb::client::direct::{DirectLink, Timeouts};
use driver_sim::journal::Passwords;
use driver_sim::{AppSource, SimOptions, Start};
use serde_json::Value;
use sim_adb::AdbPhone;
use testkit::conformance::{APP, PACKAGE};

/// A setup with the app of the conformance suite in front.
pub(crate) fn with_conformance_app() -> SimOptions {
    SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "conform.yaml".to_owned(),
                yaml: APP.to_owned(),
            },
        ],
        start: Start::App(PACKAGE.to_owned()),
        ..SimOptions::default()
    }
}

/// A connection to the phone at an address that lets everybody in.
pub(crate) async fn connect(address: &str) -> DirectLink {
    let no_key = || unreachable!("an open phone asks for no key");
    let link = DirectLink::connect(address, no_key, Timeouts::default());
    link.await.unwrap()
}

/// What happened on the phone, oldest first.
pub(crate) async fn journal(adb_phone: &AdbPhone) -> Vec<Value> {
    let driver = adb_phone.driver().await;
    let lines = driver.phone().log().to_json(Passwords::Masked);
    let lines = lines.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

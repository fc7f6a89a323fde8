//! Tests of `doctor` on healthy and broken phones.

mod broken;
mod fixed;
mod host;
mod operator;
mod trial;

use contract::ErrorCode;
use serde_json::Value;
use service::doctor::{Check, DoctorRequest, Outcome, Report};
use service::{AdbSetup, Options, Service};
use sim_adb::{AdbPhone, Daemon};

use crate::scripted::locks;

/// A simulated phone that is reached without adb.
pub(crate) struct Fixture {
    pub(crate) service: Service,
    pub(crate) adb_phone: AdbPhone,
    pub(crate) serial: String,
    pub(crate) adb: AdbSetup,
}

impl Fixture {
    pub(crate) async fn with(options: sim_adb::Options) -> Self {
        let options = sim_adb::Options {
            idle: std::time::Duration::ZERO,
            ..options
        };
        let daemon = Daemon::bind(options).await.unwrap();
        let (adb_phone, address) = (daemon.adb_phone(), daemon.address());
        tokio::spawn(daemon.run());
        let port = address.port();
        let adb = crate::adb_at(crate::no_server(), locks(port));
        Self {
            service: Service::new(Options {
                adb: adb.clone(),
                ..Options::default()
            }),
            adb_phone,
            serial: address.to_string(),
            adb,
        }
    }

    pub(crate) async fn healthy() -> Self {
        Self::with(sim_adb::Options::default()).await
    }

    /// A request for this phone.
    pub(crate) fn request(&self) -> DoctorRequest {
        DoctorRequest {
            device: Some(self.serial.clone()),
            ..DoctorRequest::default()
        }
    }

    pub(crate) async fn run_doctor(&self) -> Report {
        self.service.doctor(&self.request()).await
    }
}

#[track_caller]
pub(crate) fn check<'a>(report: &'a Report, id: &str) -> &'a Check {
    let found = report.checks.iter().find(|check| check.id == id);
    found.unwrap_or_else(|| panic!("no {id} in {report:#?}"))
}

/// The result of a check.
#[track_caller]
pub(crate) fn outcome(report: &Report, id: &str) -> (Outcome, Option<ErrorCode>) {
    let check = check(report, id);
    (check.status, check.code)
}

/// The evidence of a check.
#[track_caller]
pub(crate) fn evidence<'a>(report: &'a Report, id: &str, key: &str) -> &'a Value {
    let evidence = check(report, id).evidence.as_ref();
    &evidence.unwrap_or_else(|| panic!("{id} found nothing"))[key]
}

//! The driver with the real agent behind it, which drives real Android widgets: `agent/harness-serve` serves them
//! without a phone. Left out where its jars were not fetched (`xtask/run-tests`).
//!
//! A process takes seconds to start, so that everything of one form and level runs in one of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod harness;
mod kinds;
mod plans;
mod recordings;
mod relay;
mod scenarios;
#[path = "../it/sim_phone.rs"]
mod sim_phone;
mod system;
mod widgets;

use driver_android::AgentForm;
use testkit::conformance::conforms;

use crate::harness::Process;
use crate::scenarios::Extent;

#[tokio::test]
async fn android_14() {
    let mut process = Process::start(AgentForm::Agent, 34).await;
    conforms(&mut process).await;
    widgets::controls(&mut process).await;
    kinds::all(&mut process).await;
    plans::controls(&mut process).await;
    plans::long_lists(&mut process).await;
    plans::touches(&mut process).await;
    recordings::all(&mut process).await;
    scenarios::run(&mut process, Extent::from_env()).await;
}

/// Without plans in lists: on a busy computer the clock of the harness lags behind the resting finger of a service, and they fling.
#[tokio::test]
async fn android_14_through_the_app() {
    let mut process = Process::start(AgentForm::App, 34).await;
    conforms(&mut process).await;
    widgets::controls(&mut process).await;
    kinds::all(&mut process).await;
    plans::controls(&mut process).await;
    recordings::all(&mut process).await;
}

/// Texts have no size there, so nothing is longer than its scroll view but lists.
#[tokio::test]
async fn android_6() {
    let mut process = Process::start(AgentForm::Agent, 23).await;
    widgets::controls(&mut process).await;
    kinds::all(&mut process).await;
    plans::controls(&mut process).await;
    plans::long_lists(&mut process).await;
    recordings::all(&mut process).await;
}

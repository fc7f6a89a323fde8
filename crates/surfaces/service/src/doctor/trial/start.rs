//! Starting the agent, or connecting to the app.

use driver::Cx;
use driver_android::{
    AgentBinary, AgentDriver, AgentForm, AgentSource, AgentUnavailable, AttachTarget, QuitOutcome,
    hex, quit_if_running,
};
use serde_json::json;
use tokio::time::Instant;

use super::TrialPhone;
use super::report::{Verdict, millis};

/// Starts the form and attaches to it a second time.
pub(super) async fn start(
    phone: &TrialPhone<'_>,
    form: AgentForm,
    cx: &Cx,
) -> (Verdict, Option<AgentDriver>) {
    let source = match form {
        AgentForm::Agent => AgentSource::Dex(AgentBinary::embedded()),
        AgentForm::App => AgentSource::App,
    };
    if form == AgentForm::Agent {
        match quit_if_running(phone.shell, cx).await {
            Ok(QuitOutcome::NoneRan | QuitOutcome::Ended) => {}
            Ok(QuitOutcome::InUse) => {
                return (
                    Verdict::not_tried("another clawperator uses the agent"),
                    None,
                );
            }
            Err(error) => return (Verdict::fail(error.to_string()), None),
        }
    }
    let open = async || {
        let started_at = Instant::now();
        let adb_phone = phone.shell.phone().clone();
        let target = AttachTarget::query(phone.shell, cx).await?;
        let opened = AgentDriver::open(phone.serial, adb_phone, target, source, cx).await;
        opened.map(|driver| (driver, started_at.elapsed()))
    };
    let first = match open().await {
        Ok((driver, first)) => {
            // It accepts one client.
            drop(driver);
            first
        }
        Err(error) => return (refused(&error), None),
    };
    let (driver, second) = match open().await {
        Ok(opened) => opened,
        Err(error) => return (refused(&error), None),
    };
    let hello = driver.hello();
    let verb = match form {
        AgentForm::Agent => "started",
        AgentForm::App => "answered",
    };
    let (first, second) = (millis(first), millis(second));
    let verdict = Verdict::pass(format!(
        "{verb} after {first} ms, attached again after {second} ms, API {}",
        hello.sdk
    ))
    .with(json!({
        "firstMs": first,
        "attachMs": second,
        "sdk": hello.sdk,
        "features": hello.features.iter_names().map(|(name, _)| name).collect::<Vec<_>>(),
        "program": hello.sha256.map(|hash| hex(&hash)),
    }));
    (verdict, Some(driver))
}

fn refused(error: &AgentUnavailable) -> Verdict {
    Verdict::fail(error.to_string()).with(json!({ "reason": error.reason() }))
}

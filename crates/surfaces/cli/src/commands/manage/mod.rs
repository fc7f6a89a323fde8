//! The commands around a device: whether it can be driven, what is installed on it, how the Operator app comes to it.

pub(crate) mod doctor;
pub(crate) mod grants;
pub(crate) mod operator;
pub(crate) mod packages;
mod text;

use std::time::Duration;

use contract::ErrorBody;
use service::{OperatorPackage, Options, Service};

use super::Job;
use crate::fault;
use crate::output::Answer;
use crate::parse::{Arguments, Globals};
use crate::plan;
use crate::run::runtime;

/// What is to be done.
pub(crate) enum Task {
    /// List the devices with what they are.
    Survey,
    /// Look whether a device can be driven.
    Doctor(doctor::Task),
    /// Install the Operator app.
    Setup(operator::Task),
    /// Grant it what it needs.
    Grants(Duration),
    /// List the packages of a device.
    Packages(packages::Task),
    /// Ask whether the Operator app can be spoken to.
    Compatibility(Duration),
}

impl Task {
    /// As a job.
    pub(crate) fn job(self) -> Job {
        Job::Manage(Box::new(self))
    }

    /// Does it.
    pub(crate) fn perform(self, globals: &Globals) -> Result<Answer, ErrorBody> {
        let options = Options {
            sim: globals.sim.clone(),
            transport: globals.transport(),
            chrome: globals.chrome(),
            ..Options::default()
        };
        let runtime = runtime(&options, globals)?;
        let service = Service::new(options);
        let device = globals.device.as_deref();
        let package = Options::operator_package(globals.operator_package.as_deref());
        runtime.block_on(async {
            match self {
                Self::Survey => survey(&service, &package).await,
                Self::Doctor(task) => Ok(task.perform(&service, globals, package).await?),
                Self::Setup(task) => task.perform(&service, device, &package).await,
                Self::Grants(within) => {
                    let answer = service.grant_permissions(device, &package, within).await?;
                    judged(serde_json::to_value(&answer), answer.code.is_none())
                }
                Self::Packages(task) => task.perform(&service, device).await,
                Self::Compatibility(within) => {
                    let answer = service.compatibility(device, &package, within).await?;
                    judged(serde_json::to_value(&answer), answer.compatible)
                }
            }
        })
    }
}

/// How long one device is asked what it is.
const SURVEY: Duration = Duration::from_secs(5);

async fn survey(service: &Service, package: &OperatorPackage) -> Result<Answer, ErrorBody> {
    let devices = service.survey(package, SURVEY).await?;
    let devices = serde_json::to_value(devices).map_err(fault::internal)?;
    Ok(Answer::Success(devices))
}

/// An answer that says itself whether all went well.
fn judged(
    document: serde_json::Result<serde_json::Value>,
    good: bool,
) -> Result<Answer, ErrorBody> {
    let document = document.map_err(fault::internal)?;
    Ok(if good {
        Answer::Success(document)
    } else {
        Answer::Failure(document)
    })
}

/// `--timeout`, or the time that the command takes without it.
pub(crate) fn within(arguments: &Arguments, usual: Duration) -> Result<Duration, ErrorBody> {
    let given = plan::whole_timeout(arguments)?;
    Ok(given.map_or(usual, |millis| Duration::from_secs_f64(millis / 1000.0)))
}

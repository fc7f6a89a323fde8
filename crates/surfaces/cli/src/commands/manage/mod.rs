//! The commands around a device: whether it can be driven, what is installed on it, how the Operator app comes to it.

pub(crate) mod doctor;
pub(crate) mod grants;
pub(crate) mod operator;
pub(crate) mod packages;
mod text;

use std::time::Duration;

use contract::ErrorBody;
use service::{OperatorPackage, Options, Service};

use crate::fault;
use crate::output::Answer;
use crate::plan;
use crate::run::runtime;
use crate::table::{Arguments, Globals, Task};

/// What a task about a device works with.
pub(super) struct Session<'a> {
    /// The service.
    pub(super) service: Service,
    /// The global flags.
    pub(super) globals: &'a Globals,
    /// The package of the Operator app.
    pub(super) package: OperatorPackage,
}

impl Session<'_> {
    /// The device that was named.
    pub(super) fn device(&self) -> Option<&str> {
        self.globals.device.as_deref()
    }
}

/// A task that deals with a device itself rather than with its screen.
pub(super) fn task<F>(work: F) -> Box<dyn Task>
where
    F: AsyncFnOnce(Session<'_>) -> Result<Answer, ErrorBody> + 'static,
{
    Box::new(move |globals: &Globals| {
        let options = Options {
            sim: globals.sim.clone(),
            transport: globals.transport(),
            chrome: globals.chrome(),
            ..Options::default()
        };
        runtime(&options, globals)?.block_on(work(Session {
            service: Service::new(options),
            globals,
            package: Options::operator_package(globals.operator_package.as_deref()),
        }))
    })
}

/// An answer that says itself whether all went well.
pub(super) fn judged(
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

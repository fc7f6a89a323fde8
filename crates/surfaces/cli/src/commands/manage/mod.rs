//! Commands for device management: health, packages, the Operator app.

pub(crate) mod doctor;
pub(crate) mod grants;
pub(crate) mod operator;
pub(crate) mod packages;
mod text;

use std::time::Duration;

use contract::ErrorBody;
use service::{OperatorPackage, Options, Service};

use crate::internal_error;
use crate::output::Answer;
use crate::plan;
use crate::run::runtime;
use crate::table::{Arguments, Globals, Task};

/// The context of a device management task.
pub(super) struct Session<'a> {
    pub(super) service: Service,
    /// The global flags.
    pub(super) globals: &'a Globals,
    /// The package of the Operator app.
    pub(super) package: OperatorPackage,
}

impl Session<'_> {
    /// The value of `--device`.
    pub(super) fn device(&self) -> Option<&str> {
        self.globals.device.as_deref()
    }
}

/// A device management task.
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

/// An answer that contains its own outcome.
pub(super) fn judged(
    document: serde_json::Result<serde_json::Value>,
    good: bool,
) -> Result<Answer, ErrorBody> {
    let document = document.map_err(internal_error::internal)?;
    Ok(if good {
        Answer::Success(document)
    } else {
        Answer::Failure(document)
    })
}

/// `--timeout`, or the command's default.
pub(crate) fn within(arguments: &Arguments, usual: Duration) -> Result<Duration, ErrorBody> {
    let given = plan::whole_timeout(arguments)?;
    Ok(given.map_or(usual, |millis| Duration::from_secs_f64(millis / 1000.0)))
}

//! Doing what a command wants: printing, checking, or running on a device.

use std::time::Instant;

use contract::{DeviceAnswer, ErrorBody, Parsed, Planned, Validated};
use serde_json::Value;
use service::log::{Level, LogSetup};
use service::{Clock, Options, Replace, Service};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::commands::{How, Job};
use crate::fault;
use crate::hints;
use crate::output::{self, Answer};
use crate::parse::{Arguments, Globals};

/// Does the job, and logs that it was done.
pub(crate) fn perform(job: Job, arguments: &Arguments) -> Answer {
    let Some(named) = Named::of(&job) else {
        return done(job, &arguments.globals);
    };
    service::log::begin(
        LogSetup::from_env(arguments.globals.log_level),
        output::warn,
    );
    let begun = Instant::now();
    let command = arguments.command.name;
    let fields = |more: Vec<(&'static str, Value)>| {
        let mut fields = vec![
            ("commandId", named.command_id.as_deref().into()),
            ("taskId", named.task_id.as_deref().into()),
            ("command", command.into()),
        ];
        fields.extend(more);
        fields
    };
    let pid = fields(vec![("pid", std::process::id().into())]);
    service::log::event(Level::Info, "command.started", "a command begins", &pid);
    let answer = done(job, &arguments.globals);
    let (level, message, status, code) = match &answer {
        Answer::Text(_)
        | Answer::Success(_)
        | Answer::Said
        | Answer::Finding { good: true, .. } => (Level::Info, "a command has ended", 0, None),
        Answer::Failure(document)
        | Answer::Finding {
            document,
            good: false,
            ..
        } => {
            let code = document
                .get("code")
                .or_else(|| document.pointer("/envelope/errorCode"));
            (Level::Error, "a command has failed", 1, code.cloned())
        }
    };
    let elapsed = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let facts = fields(vec![
        ("exitCode", status.into()),
        ("code", code.unwrap_or_default()),
        ("durationMs", elapsed.into()),
    ]);
    service::log::event(level, "command.ended", message, &facts);
    answer
}

/// What the log calls a job; nothing for those that only print.
struct Named {
    command_id: Option<String>,
    task_id: Option<String>,
}

impl Named {
    fn of(job: &Job) -> Option<Self> {
        let nobody = Some(Self {
            command_id: None,
            task_id: None,
        });
        match job {
            Job::Text(_) | Job::Document(_) | Job::Logs(_) => None,
            Job::Execute {
                how: How::ValidateOnly | How::DryRun,
                ..
            } => None,
            Job::Devices
            | Job::Watch(_)
            | Job::Manage(_)
            | Job::Sim(_)
            | Job::Chrome(_)
            | Job::Mcp(_)
            | Job::Serve(_)
            | Job::Recording(_) => nobody,
            Job::Inspect(task) => Some(Self::run(task.look())),
            Job::Execute { parsed, .. } => Some(Self::run(parsed)),
        }
    }

    fn run(parsed: &Parsed) -> Self {
        Self {
            command_id: Some(parsed.execution.command_id().to_owned()),
            task_id: Some(parsed.execution.task_id().to_owned()),
        }
    }
}

fn done(job: Job, globals: &Globals) -> Answer {
    let outcome = match job {
        Job::Text(text) => return Answer::Text(text),
        Job::Document(document) => return Answer::Success(document),
        Job::Devices => devices(globals),
        Job::Manage(task) => task.perform(globals),
        Job::Watch(task) => task.perform(),
        Job::Sim(task) => task.perform(globals),
        Job::Chrome(task) => task.perform(globals),
        Job::Serve(task) => task.perform(globals),
        Job::Logs(task) => task.perform(globals.log_level),
        Job::Recording(task) => task.perform(globals),
        Job::Inspect(task) => task.perform(globals),
        Job::Mcp(folders) => crate::commands::mcp::perform(&folders, globals),
        Job::Execute { parsed, how } => match how {
            How::Run(replace) => run(*parsed, replace, globals),
            How::ValidateOnly => checked(serde_json::to_value(Validated::from(*parsed))),
            How::DryRun => checked(serde_json::to_value(Planned::from(*parsed))),
        },
    };
    outcome.unwrap_or_else(Answer::from)
}

fn devices(globals: &Globals) -> Result<Answer, ErrorBody> {
    let options = Options {
        chrome: globals.chrome(),
        ..Options::default()
    };
    let devices = runtime(&options, globals)?.block_on(Service::new(options).devices())?;
    let devices = serde_json::to_value(devices).map_err(fault::internal)?;
    Ok(Answer::Success(devices))
}

fn run(parsed: Parsed, replace: Replace, globals: &Globals) -> Result<Answer, ErrorBody> {
    let options = match replace {
        Replace::Pictures => passing(globals),
        // The process beside a browser replaces only pictures, so the command does this itself.
        Replace::Any => Options {
            replace,
            ..options(globals)
        },
    };
    let runtime = runtime(&options, globals)?;
    let service = Service::new(options);
    let mut account = Account::open(globals);
    let answer = runtime.block_on(async {
        let cancel = CancellationToken::new();
        tokio::spawn(interrupts(cancel.clone()));
        let mut tell = |event: &service::Event<'_>| {
            if let Some(account) = &mut account {
                account.tell(event);
            }
        };
        service
            .execute(globals.device.as_deref(), parsed, cancel, &mut tell)
            .await
    });
    if let (true, Some(account), Some(gone)) =
        (globals.verbose, &mut account, service.route_taken())
    {
        account.remark(Ok(&format!("via {}: {}", gone.way, gone.reason)));
    }
    let mut answer = answer?;
    hints::explain(&mut answer);
    let succeeded = succeeded(&answer);
    let document = serde_json::to_value(&answer).map_err(fault::internal)?;
    Ok(if succeeded {
        Answer::Success(document)
    } else {
        Answer::Failure(document)
    })
}

/// How devices are set up and reached, as the global flags say.
pub(crate) fn options(globals: &Globals) -> Options {
    Options {
        sim: globals.sim.clone(),
        transport: globals.transport(),
        wake: globals.wake,
        chrome: globals.chrome(),
        ..crate::commands::recording::options()
    }
}

/// The same for a command that does one thing and goes: what stays beside a browser does it for it. A log that is to say
/// more or less than usual is written by the command itself, and so are downloads into a folder of its own.
pub(crate) fn passing(globals: &Globals) -> Options {
    let mut options = options(globals);
    if globals.log_level.is_none() && globals.downloads.is_none() {
        options.chrome.daemon = crate::commands::chrome::resident::by_this_program();
    }
    options
}

/// The answer to a plan that was only looked at.
fn checked(document: serde_json::Result<Value>) -> Result<Answer, ErrorBody> {
    document.map(Answer::Success).map_err(fault::internal)
}

/// Whether the run did everything it was asked to.
fn succeeded(answer: &DeviceAnswer) -> bool {
    let envelope = &answer.envelope;
    envelope.is_success() && envelope.step_results.iter().all(|step| step.success)
}

/// A runtime in the time that the device lives in.
pub(crate) fn runtime(options: &Options, globals: &Globals) -> Result<Runtime, ErrorBody> {
    let virtual_time = options.clock_of(globals.device.as_deref()) == Clock::Virtual;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(virtual_time)
        .build()
        .map_err(fault::internal)
}

/// Calls the run off when the user interrupts the command; a second interruption ends it at once.
pub(crate) async fn interrupts(cancel: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        cancel.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(INTERRUPTED);
        }
    }
}

/// The exit status of a command that an interruption ended, as shells know it.
const INTERRUPTED: i32 = 130;

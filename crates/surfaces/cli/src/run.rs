//! Running tasks: printing, validating, or running on a device.

use std::time::Instant;

use contract::{
    DeviceAnswer, DryRunResult, ErrorBody, Execution, Observe, Params, ParsedExecution, ScreenView,
    ValidationResult, Warning,
};
use serde_json::Value;
use service::log::{LogSetup, TARGET, millis};
use service::{Clock, Options, Replace, Service};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::background;
use crate::device_hints;
use crate::internal_error;
use crate::output::{self, Answer, Format};
use crate::progress::Progress;
use crate::table::{Globals, LogIds, Task};

/// Runs a task and logs it.
pub(crate) fn perform(task: Box<dyn Task>, command: &str, globals: &Globals) -> Answer {
    let Some(ids) = task.log_ids() else {
        return task.run(globals).unwrap_or_else(Answer::from);
    };
    service::log::begin(LogSetup::from_env(globals.log_level), output::warn);
    let started_at = Instant::now();
    let (command_id, task_id) = (ids.command_id.as_deref(), ids.task_id.as_deref());
    tracing::info!(
        name: "command.started",
        target: TARGET,
        commandId = command_id,
        taskId = task_id,
        command,
        pid = std::process::id(),
        "a command begins"
    );
    let answer = task.run(globals).unwrap_or_else(Answer::from);
    let elapsed = millis(started_at.elapsed());
    match &answer {
        Answer::Text(_)
        | Answer::Success(_)
        | Answer::Done
        | Answer::Finding { good: true, .. } => tracing::info!(
            name: "command.ended",
            target: TARGET,
            commandId = command_id,
            taskId = task_id,
            command,
            exitCode = 0,
            durationMs = elapsed,
            "a command has ended"
        ),
        Answer::Failure(document)
        | Answer::Finding {
            document,
            good: false,
            ..
        } => {
            let code = document
                .get("code")
                .or_else(|| document.pointer("/envelope/errorCode"));
            tracing::error!(
                name: "command.ended",
                target: TARGET,
                commandId = command_id,
                taskId = task_id,
                command,
                exitCode = 1,
                code = code.and_then(|code| code.as_str()),
                durationMs = elapsed,
                "a command has failed"
            );
        }
    }
    answer
}

/// What to do with an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunMode {
    /// Run it on a device.
    Run(Replace),
    /// Print it as it would be sent.
    ValidateOnly,
    /// Print its outline.
    DryRun,
}

/// Runs or prints an execution.
pub(crate) struct Execute {
    /// The execution, with warnings from parsing.
    pub(crate) parsed: ParsedExecution,
    /// What to do with it.
    pub(crate) mode: RunMode,
}

impl Task for Execute {
    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        let mut parsed = self.parsed;
        if let Some(observe) = globals.observe {
            parsed.execution = parsed.execution.observing(observe);
        }
        match self.mode {
            RunMode::Run(replace) => run(parsed, replace, globals),
            RunMode::ValidateOnly => checked(serde_json::to_value(ValidationResult::from(parsed))),
            RunMode::DryRun => checked(serde_json::to_value(DryRunResult::from(parsed))),
        }
    }

    fn log_ids(&self) -> Option<LogIds> {
        matches!(self.mode, RunMode::Run(_)).then(|| log_ids(&self.parsed))
    }
}

pub(crate) fn log_ids(parsed: &ParsedExecution) -> LogIds {
    LogIds {
        command_id: Some(parsed.execution.command_id().to_owned()),
        task_id: Some(parsed.execution.task_id().to_owned()),
    }
}

fn run(parsed: ParsedExecution, replace: Replace, globals: &Globals) -> Result<Answer, ErrorBody> {
    let options = match replace {
        Replace::Pictures => passing(globals),
        // The browser daemon overwrites only PNG and JPEG images, so the command runs the plan itself.
        Replace::Any => Options {
            replace,
            ..options(globals)
        },
    };
    let runtime = runtime(&options, globals)?;
    let service = Service::new(options);
    let mut progress = Progress::open(globals);
    let mut parsed = parsed;
    let mut prints_screen = true;
    if globals.style.format == Format::Line && parsed.execution.observe().is_none() {
        // A line says what the step did, which needs a look before and after it.
        parsed.execution = parsed.execution.observing(Observe::Diff);
        prints_screen = false;
    }
    let execution = parsed.execution.clone();
    let answer = runtime.block_on(async {
        let cancel = CancellationToken::new();
        tokio::spawn(interrupts(cancel.clone()));
        let mut print_notice = |event: &service::Event<'_>| progress.step(event);
        service
            .execute(globals.device.as_deref(), parsed, cancel, &mut print_notice)
            .await
    });
    if globals.verbose
        && let Some(used) = service.transport_used()
    {
        progress.done(&format!("via {}: {}", used.transport, used.reason));
    }
    let mut answer = answer?;
    device_hints::explain(&mut answer);
    if !prints_screen {
        answer.envelope.changes = None;
        answer.envelope.screen = None;
    }
    let succeeded = succeeded(&answer);
    let screen = screen(&execution, &answer);
    let document = serde_json::to_value(&answer).map_err(internal_error::internal)?;
    if globals.style.format == Format::Line && screen.is_none() {
        return Ok(Answer::Finding {
            text: lines(&execution, &answer),
            document,
            default: Format::Line,
            good: succeeded,
        });
    }
    Ok(match screen {
        Some((text, default)) if succeeded => Answer::Finding {
            text,
            document,
            default,
            good: true,
        },
        _ if succeeded => Answer::Success(document),
        _ => Answer::Failure(document),
    })
}

/// The answer in one line for each step, the warnings, and what was requested of the screen.
fn lines(execution: &Execution, answer: &DeviceAnswer) -> String {
    let envelope = &answer.envelope;
    let steps = contract::lines(execution.actions(), envelope)
        .into_iter()
        .zip(&envelope.step_results);
    let mut lines = Vec::new();
    for (line, step) in steps {
        lines.push(line);
        lines.extend(service::snapshot_text(step).map(|screen| screen.trim_end().to_owned()));
        lines.extend(observed(step.changes(), step.screen()));
    }
    lines.extend(answer.warnings.iter().map(Warning::line));
    lines.extend(answer.fallback_line());
    lines.extend(observed(
        envelope.changes.as_deref(),
        envelope.screen.as_deref(),
    ));
    lines.join("\n")
}

/// What was requested of a screen.
fn observed(changes: Option<&str>, screen: Option<&str>) -> Option<String> {
    match changes.or(screen)?.trim_end() {
        "" => Some("no line of the screen changed".to_owned()),
        text => Some(text.to_owned()),
    }
}

/// The screen of a plan that only takes a snapshot, as text with the warnings below it, and whether text was requested by its `view`.
fn screen(execution: &Execution, answer: &DeviceAnswer) -> Option<(String, Format)> {
    let ([action], [step]) = (execution.actions(), &*answer.envelope.step_results) else {
        return None;
    };
    let Params::SnapshotUi(params) = action.params() else {
        return None;
    };
    let text = step.data.get("text").filter(|_| step.success)?;
    let (screen, format) = match params.view() {
        ScreenView::HierarchyXml => (service::compact(text)?, Format::Compact),
        ScreenView::Text | ScreenView::Actionable => (text.to_owned(), Format::Pretty),
    };
    let lines = std::iter::once(screen.trim_end().to_owned())
        .chain(answer.warnings.iter().map(Warning::line))
        .chain(answer.fallback_line());
    Some((lines.collect::<Vec<_>>().join("\n"), format))
}

/// The options for recording, with this program as the recorder.
pub(crate) fn recording_options() -> Options {
    Options {
        recorder: background::launcher(background::RECORDER),
        ..Options::default()
    }
}

/// The options for devices from the global flags.
pub(crate) fn options(globals: &Globals) -> Options {
    Options {
        sim: globals.sim.clone(),
        transport: globals.transport(),
        wake: globals.wake,
        chrome: globals.chrome(),
        ..recording_options()
    }
}

/// The same, but plans on web pages run in the browser daemon, unless the command sets its own log level or download
/// directory.
pub(crate) fn passing(globals: &Globals) -> Options {
    let mut options = options(globals);
    if globals.log_level.is_none() && globals.downloads.is_none() {
        options.chrome.daemon = background::daemon();
    }
    options
}

/// The answer to a validated plan.
fn checked(document: serde_json::Result<Value>) -> Result<Answer, ErrorBody> {
    document
        .map(Answer::Success)
        .map_err(internal_error::internal)
}

/// Whether all steps succeeded.
fn succeeded(answer: &DeviceAnswer) -> bool {
    let envelope = &answer.envelope;
    envelope.is_success() && envelope.step_results.iter().all(|step| step.success)
}

/// A runtime with the device's clock.
pub(crate) fn runtime(options: &Options, globals: &Globals) -> Result<Runtime, ErrorBody> {
    let virtual_time = options.clock_of(globals.device.as_deref()) == Clock::Virtual;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(virtual_time)
        .build()
        .map_err(internal_error::internal)
}

/// Runs a future in real time.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, ErrorBody> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    Ok(runtime.map_err(internal_error::internal)?.block_on(work))
}

/// Waits for SIGINT or SIGTERM.
pub(crate) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    if let Ok(mut term) = signal(SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = term.recv() => {}
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Cancels the run on the first SIGINT or SIGTERM and exits on the second.
pub(crate) async fn interrupts(cancel: CancellationToken) {
    interrupted().await;
    cancel.cancel();
    interrupted().await;
    std::process::exit(INTERRUPTED);
}

/// The exit status after SIGINT, as in shells.
const INTERRUPTED: i32 = 130;

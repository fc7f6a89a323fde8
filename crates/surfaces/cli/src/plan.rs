//! Executions of one action: ids, source, time limit, and the validation flags.

use contract::keys::ParamKey;
use contract::{ActionKind, ErrorBody, Execution, Invalid, OnMissing, ParsedExecution, limits};
use serde_json::{Map, Value, json};
use service::{Replace, random};

use crate::number;
use crate::run::{Execute, RunMode};
use crate::table::{Arguments, Build, Command, Group, Scope, Task, flags};

/// The default time limit of an execution.
pub(crate) const DEFAULT_TIMEOUT_MS: f64 = 30_000.0;
/// The help of `--timeout` for commands with the default time limit.
pub(crate) const TIMEOUT_HELP: &str =
    "Time limit of the command in milliseconds, 1000 to 120000 [default: 30000]";
/// Added to a wait, so that the execution does not time out first.
const SPARE_MS: f64 = 5_000.0;

/// How a command's ids are made.
#[derive(Clone, Copy)]
pub(crate) enum Ids {
    /// `<prefix>-<time>-<random>` for the command and the task.
    Random(&'static str),
    /// `<prefix>-<time>-<random>` for the command, a fixed task.
    RandomWithTask(&'static str, &'static str),
    /// `<prefix>_<time>` for the command, a fixed task.
    Timed(&'static str, &'static str),
}

/// Properties common to all executions of a command.
pub(crate) struct Origin {
    /// How ids are made.
    pub(crate) ids: Ids,
    /// Who asks.
    pub(crate) source: &'static str,
    /// The id of the one action.
    pub(crate) step: &'static str,
    /// The execution's mode, where it has one.
    pub(crate) mode: Option<&'static str>,
}

impl Origin {
    const fn new(source: &'static str, ids: Ids, step: &'static str) -> Self {
        Self {
            ids,
            source,
            step,
            mode: None,
        }
    }

    /// The origin of a command that changes a device.
    pub(crate) const fn cli(ids: Ids, step: &'static str) -> Self {
        Self::new("clawperator-cli", ids, step)
    }

    /// The origin of a command that reads a device.
    pub(crate) const fn observe(ids: Ids, step: &'static str) -> Self {
        Self::new("clawperator-observe", ids, step)
    }

    /// The origin of a command that runs one action on the screen and is named after it.
    pub(crate) const fn action(name: &'static str) -> Self {
        Self {
            mode: Some("direct"),
            ..Self::new("clawperator-action", Ids::Random(name), name)
        }
    }
}

impl Command {
    /// A command that acts on a device.
    pub(crate) const fn action(build: Build) -> Self {
        Self {
            group: Group::Interaction,
            scopes: Scope::ACTION,
            timeout: Some(TIMEOUT_HELP),
            ..Self::new(build)
        }
    }
}

/// The plan of one action.
pub(crate) struct Plan {
    /// The properties of its command.
    pub(crate) origin: &'static Origin,
    pub(crate) kind: ActionKind,
    /// Its parameters; `None` leaves the key out.
    pub(crate) params: Option<Map<String, Value>>,
    /// The execution's time in milliseconds.
    pub(crate) timeout: f64,
}

impl Plan {
    /// A plan with the time limit of `--timeout`, or the default one.
    pub(crate) fn new(
        origin: &'static Origin,
        kind: ActionKind,
        params: Map<String, Value>,
        arguments: &Arguments,
    ) -> Self {
        Self::within(origin, kind, params, timeout(arguments))
    }

    /// A plan with this time limit.
    pub(crate) const fn within(
        origin: &'static Origin,
        kind: ActionKind,
        params: Map<String, Value>,
        timeout: f64,
    ) -> Self {
        Self {
            origin,
            kind,
            params: Some(params),
            timeout,
        }
    }

    /// The task that runs or prints the plan.
    pub(crate) fn task(self, arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
        Ok(execute(self.parsed(arguments)?, arguments))
    }

    /// As `task`, with `--timeout` applied to the finished execution.
    pub(crate) fn task_with_override(
        self,
        arguments: &Arguments,
    ) -> Result<Box<dyn Task>, ErrorBody> {
        let mut parsed = self.parsed(arguments)?;
        if let Some(timeout) = finite_timeout(arguments)? {
            parsed.execution = parsed.execution.with_timeout(timeout)?;
        }
        Ok(execute(parsed, arguments))
    }

    /// The plan as an execution.
    pub(crate) fn parsed(self, arguments: &Arguments) -> Result<ParsedExecution, ErrorBody> {
        if !self.timeout.is_finite() {
            return Err(invalid_timeout(arguments, &usual_range()));
        }
        let (command_id, task_id) = match self.origin.ids {
            Ids::Random(prefix) => {
                let id = random::id(prefix);
                (id.clone(), id)
            }
            Ids::RandomWithTask(prefix, task) => (random::id(prefix), task.to_owned()),
            Ids::Timed(prefix, task) => {
                (format!("{prefix}_{}", random::clock_ms()), task.to_owned())
            }
        };
        let mut action = json!({ "id": self.origin.step, "type": self.kind.as_str() });
        if let (Some(mut params), Some(action)) = (self.params, action.as_object_mut()) {
            if arguments.has(&flags::IF_PRESENT) {
                let skip = OnMissing::Skip.as_str();
                params.insert(ParamKey::OnMissing.as_str().to_owned(), skip.into());
            }
            action.insert("params".to_owned(), params.into());
        }
        let mut execution = json!({
            "commandId": command_id,
            "taskId": task_id,
            "source": self.origin.source,
            "expectedFormat": "android-ui-automator",
            "timeoutMs": number::json(self.timeout),
            "actions": [action],
        });
        if let (Some(mode), Some(execution)) = (self.origin.mode, execution.as_object_mut()) {
            execution.insert("mode".to_owned(), mode.into());
        }
        Execution::from_value(&execution).map_err(ErrorBody::from)
    }
}

/// The task that runs or prints an execution.
pub(crate) fn execute(parsed: ParsedExecution, arguments: &Arguments) -> Box<dyn Task> {
    // `--dry-run` takes precedence over `--validate-only`.
    let mode = if arguments.has(&flags::DRY_RUN) {
        RunMode::DryRun
    } else if arguments.has(&flags::VALIDATE_ONLY) {
        RunMode::ValidateOnly
    } else if arguments.has(&flags::FORCE) {
        RunMode::Run(Replace::Any)
    } else {
        RunMode::Run(Replace::Pictures)
    };
    Box::new(Execute { parsed, mode })
}

/// `--timeout`, or the default time limit.
pub(crate) fn timeout(arguments: &Arguments) -> f64 {
    arguments.globals.timeout.unwrap_or(DEFAULT_TIMEOUT_MS)
}

/// `--timeout`, validated as the time limit of an execution.
pub(crate) fn whole_timeout(arguments: &Arguments) -> Result<Option<f64>, ErrorBody> {
    let range =
        f64::from(limits::MIN_EXECUTION_TIMEOUT_MS)..=f64::from(limits::MAX_EXECUTION_TIMEOUT_MS);
    match arguments.globals.timeout {
        Some(timeout) if !range.contains(&timeout) => {
            Err(invalid_timeout(arguments, &usual_range()))
        }
        timeout => Ok(timeout),
    }
}

/// `--timeout`, validated as a number.
pub(crate) fn finite_timeout(arguments: &Arguments) -> Result<Option<f64>, ErrorBody> {
    match arguments.globals.timeout {
        Some(timeout) if !timeout.is_finite() => Err(invalid_timeout(arguments, &usual_range())),
        timeout => Ok(timeout),
    }
}

fn usual_range() -> String {
    format!(
        "between {} and {}",
        limits::MIN_EXECUTION_TIMEOUT_MS,
        limits::MAX_EXECUTION_TIMEOUT_MS
    )
}

/// Error of a `--timeout` out of range, worded as in the contract.
pub(crate) fn invalid_timeout(arguments: &Arguments, range: &str) -> ErrorBody {
    let globals = &arguments.globals;
    let given = match globals.timeout {
        Some(timeout) if timeout.is_finite() => number::json(timeout).to_string(),
        Some(_) | None => format!("{:?}", globals.timeout_text),
    };
    Invalid::at("timeoutMs", format_args!("must be {range}, not {given}")).into()
}

/// The time limit for an execution with this wait, with a margin up to the maximum.
///
/// A wait beyond the maximum is kept, so that the contract rejects it.
pub(crate) fn budget(wait: f64) -> f64 {
    let limit = f64::from(limits::MAX_EXECUTION_TIMEOUT_MS);
    (wait + SPARE_MS)
        .min(limit)
        .max(wait)
        .max(DEFAULT_TIMEOUT_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_adds_margin_up_to_limit() {
        assert_eq!(budget(5_000.0), 30_000.0);
        assert_eq!(budget(28_000.0), 33_000.0);
        assert_eq!(budget(118_000.0), 120_000.0);
        assert_eq!(budget(120_000.0), 120_000.0);
        assert_eq!(budget(120_001.0), 120_001.0);
    }
}

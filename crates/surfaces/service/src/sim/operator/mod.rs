//! The Operator app on a simulated phone: takes commands as broadcasts, runs them with the engine, and answers in the phone's
//! log, with the messages and limits of the real app.

mod app_driver;
mod command;

use std::time::Duration;

use async_trait::async_trait;
use contract::{
    ActionKind, ClickTarget, Effect, ErrorCode, Execution, NodeMatcher, Params, StepResult,
};
use driver::Cx;
use engine::Artifacts;
use serde_json::{Value, json};
use sim_adb::{AdbPhone, Log, OperatorApp, Priority, report, report_screen};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use app_driver::AppDriver;
use command::{Command, Operation, Step, describe_matcher};

/// The package of releases.
pub const OPERATOR_PACKAGE: &str = "com.clawperator.operator";
/// The timeout of an action, longer than any execution.
const ACTION_TIMEOUT: Duration = Duration::from_secs(600);
/// The minimal duration of a step.
const MIN_STEP: Duration = Duration::from_millis(1);
/// Its message without a screen.
const NO_TREE: &str = "UI tree not available";
/// Its message for a click that the system rejected.
const CLICK_FAILED: &str = "Click on matching UI node failed";
/// Its message for commands while the service is disabled.
const NO_SERVICE: &str = "Accessibility service is not available";

/// The Operator app of a simulated phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSetup {
    pub package: String,
    pub version: String,
    pub answers: Answers,
}

impl Default for OperatorSetup {
    fn default() -> Self {
        Self {
            package: OPERATOR_PACKAGE.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            answers: Answers::All,
        }
    }
}

/// Whether the app answers commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// It does.
    #[default]
    All,
    /// It accepts every command and never answers.
    None,
}

/// An installable file of the simulated Operator app: a zip with a manifest as text. A real phone does not accept it.
pub fn operator_apk(package: &str, version: &str) -> Vec<u8> {
    sim_adb::Apk::operator(package, version)
}

/// The app that installing its file puts on a phone.
pub(crate) fn installable() -> sim_adb::Installable {
    sim_adb::Installable(std::sync::Arc::new(|apk| {
        let setup = OperatorSetup {
            package: apk.package.clone(),
            version: apk.version.clone(),
            answers: Answers::All,
        };
        setup.into_operator()
    }))
}

impl OperatorSetup {
    /// The app of a phone.
    pub fn into_operator(self) -> sim_adb::Operator {
        let app = App {
            package: self.package.clone(),
            answers: self.answers,
            turn: tokio::sync::Mutex::new(()),
        };
        sim_adb::Operator {
            package: self.package,
            version: self.version,
            app: std::sync::Arc::new(app),
        }
    }
}

struct App {
    package: String,
    answers: Answers,
    /// Runs one command at a time, in order.
    turn: tokio::sync::Mutex<()>,
}

/// Messages in the phone's log.
struct AppLog<'a> {
    log: &'a Log,
    pid: u32,
}

impl AppLog<'_> {
    fn write(&self, priority: Priority, tag: &str, message: &str) {
        self.log.write_long(self.pid, priority, tag, message);
    }

    fn refuses(&self, why: &str) {
        let message = format!("[Operator-Receiver] {why}");
        self.write(Priority::Error, "OperatorCommandReceiver", &message);
    }

    fn command(&self, priority: Priority, message: &str) {
        let message = format!("[Clawperator-Command] {message}");
        self.write(priority, "AgentCommandExecutor", &message);
    }

    fn engine(&self, message: &str) {
        let message = format!("[UiActionEngine] {message}");
        self.write(Priority::Debug, "UiActionEngine", &message);
    }
}

enum ActionOutcome {
    /// A result; even a failed one does not end the command.
    Step(Value),
    /// The end of the command with this error; the results before it are lost.
    Abort(String),
}

#[async_trait]
impl OperatorApp for App {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let Some(pid) = phone.operator_pid() else {
            return;
        };
        let app_log = AppLog { log, pid };
        if self.answers == Answers::None {
            return;
        }
        let command = match Command::read(payload) {
            Ok(command) => command,
            // An invalid command is only logged.
            Err(why) => return app_log.refuses(&format!("Failed to parse command: {why}")),
        };
        if !phone.operator_serves() {
            let code = ErrorCode::ServiceUnavailable.as_str();
            return report(log, pid, &command.failure(NO_SERVICE, Some(code)));
        }
        let of = format!("commandId={} taskId={}", command.id, command.task);
        if self.turn.try_lock().is_err() {
            let message = format!("queued {of} waiting_for_active_command=true");
            app_log.command(Priority::Info, &message);
        }
        let arrived = Instant::now();
        let time = Duration::from_millis(command.timeout_ms);
        let too_late = format!("Agent command timed out after {}ms", command.timeout_ms);
        let Ok(_turn) = tokio::time::timeout(time, self.turn.lock()).await else {
            return report(log, pid, &command.failure(&too_late, None));
        };
        let message = format!(
            "start {of} source={} timeoutMs={} actionCount={}",
            command.source,
            command.timeout_ms,
            command.steps.len()
        );
        app_log.command(Priority::Info, &message);
        let answer = match self.run_steps(&command, phone, &app_log).await {
            // It was not interrupted, and its result is too late.
            _ if arrived.elapsed() > time => command.failure(&too_late, None),
            Ok(steps) => {
                let message = format!("success {of} stepCount={}", steps.len());
                app_log.command(Priority::Info, &message);
                command.answer(&steps)
            }
            Err(why) => {
                app_log.command(Priority::Error, &format!("failure {of} reason={why}"));
                command.failure(&format!("Task execution failed: {why}"), None)
            }
        };
        // A service that was stopped meanwhile does not answer.
        if phone.operator_pid() == Some(pid) {
            report(log, pid, &answer);
        }
    }
}

impl App {
    /// Runs the steps in order; the reason if one of them ends the command.
    async fn run_steps(
        &self,
        command: &Command,
        phone: &AdbPhone,
        app_log: &AppLog<'_>,
    ) -> Result<Vec<Value>, String> {
        let mut driver = AppDriver::start(phone, &self.package).await;
        let mut steps = Vec::with_capacity(command.steps.len());
        for step in &command.steps {
            let (id, kind) = (&step.id, &step.kind);
            app_log.engine(&format!("step_start id={id} type={kind}"));
            // Keep the minimal duration, so that clients can read the log before it is full.
            tokio::time::sleep(MIN_STEP).await;
            match run_step(step, &mut driver, phone, app_log).await {
                ActionOutcome::Step(result) => {
                    let data = result.get("data").unwrap_or(&Value::Null);
                    app_log.engine(&format!("step_success id={id} type={kind} data={data}"));
                    steps.push(result);
                }
                ActionOutcome::Abort(why) => return Err(why),
            }
        }
        Ok(steps)
    }
}

async fn run_step(
    step: &Step,
    driver: &mut AppDriver,
    phone: &AdbPhone,
    app_log: &AppLog<'_>,
) -> ActionOutcome {
    let answered = |success: bool, data: Value| {
        ActionOutcome::Step(
            json!({"id": step.id, "actionType": step.kind, "success": success, "data": data}),
        )
    };
    let execution = match &step.what {
        Operation::Run(execution) => execution,
        Operation::Ping => {
            let is_on = |key: &str| {
                let value = phone.setting("global", key);
                Value::from((value.as_deref() == Some("1")).to_string())
            };
            let data = json!({
                "developer_options_enabled": is_on("development_settings_enabled"),
                "usb_debugging_enabled": is_on("adb_enabled"),
            });
            return answered(true, data);
        }
    };
    match params(execution) {
        Some(Params::CloseApp(params)) => answered(
            false,
            json!({
                "application_id": params.application_id,
                "error": "UNSUPPORTED_RUNTIME_CLOSE",
                "message": "Android runtime cannot reliably close apps; let the host do it with `am force-stop`",
            }),
        ),
        Some(params) if presses_keys(params) && !phone.operator_serves() => {
            let kind = &step.kind;
            let why =
                format!("OperatorAccessibilityService is not running - cannot execute {kind}");
            ActionOutcome::Abort(why)
        }
        Some(Params::TakeScreenshot(_)) => answered(
            false,
            json!({
                "error": "UNSUPPORTED_RUNTIME_SCREENSHOT",
                "message": "Android runtime takes no screenshots; let the host do it with `screencap`",
            }),
        ),
        _ => {
            let cx = Cx::new(ACTION_TIMEOUT, CancellationToken::new());
            let (mut files, mut nobody) = (NoFiles, |_: &engine::Event<'_>| {});
            // Boxed, because the future is large.
            let run = engine::run(driver, execution, &mut files, &cx, &mut nobody);
            let report = Box::pin(run).await;
            match report.outcome {
                Ok(envelope) => match envelope.step_results.into_iter().next() {
                    Some(result) => convert(execution, result, app_log),
                    None => ActionOutcome::Abort("the action gave no result".to_owned()),
                },
                Err(error) => ActionOutcome::Abort(error.message),
            }
        }
    }
}

/// Whether an action presses a key, which the app does through its accessibility service.
fn presses_keys(params: &Params) -> bool {
    matches!(params.facts().effects.first(), Some(Effect::Key(_)))
}

fn params(execution: &Execution) -> Option<&Params> {
    execution.actions().first().map(contract::Action::params)
}

/// Converts the engine's result: screens go to the log, and some failures end the command.
fn convert(execution: &Execution, mut result: StepResult, app_log: &AppLog<'_>) -> ActionOutcome {
    if !result.success
        && let Some(why) = params(execution).and_then(|params| abort(params, &result))
    {
        return ActionOutcome::Abort(why);
    }
    if result.action_type == ActionKind::SnapshotUi
        && let Some(xml) = result.data.remove("text")
    {
        report_screen(app_log.log, app_log.pid, &xml);
    }
    if result.action_type == ActionKind::ScrollUntil
        && result.data.get("error") == Some(ErrorCode::NodeNotFound.as_str())
    {
        result.data.push("error", "TARGET_NOT_FOUND");
    }
    match serde_json::to_value(&result) {
        Ok(step) => ActionOutcome::Step(step),
        Err(error) => ActionOutcome::Abort(error.to_string()),
    }
}

/// The error of a failed step that ends the whole command; `None` if the next action runs.
fn abort(params: &Params, result: &StepResult) -> Option<String> {
    let code = result.error_code();
    let message = result.data.get("message").unwrap_or_default().to_owned();
    // The app does not report the cause of an error.
    let failed = |otherwise: &str| match code {
        Some(ErrorCode::ScreenUnavailable | ErrorCode::DeviceScreenOff) => NO_TREE.to_owned(),
        _ => otherwise.to_owned(),
    };
    let found = |matcher: &NodeMatcher, otherwise: &str| match code {
        Some(ErrorCode::NodeNotFound) => {
            format!(
                "No UI node found matching criteria: {}",
                describe_matcher(matcher)
            )
        }
        _ => failed(otherwise),
    };
    match params {
        Params::OpenApp(params) if code == Some(ErrorCode::AppNotFound) => Some(format!(
            "No app found with applicationId={}",
            params.application_id
        )),
        Params::OpenUri(params) => Some(format!(
            "URI_NOT_HANDLED: No application found to handle uri={}",
            params.uri
        )),
        Params::OpenApp(_) => Some(message),
        Params::WaitForNode(params) => Some(found(&params.matcher, &message)),
        // The text was entered; only what should follow failed.
        Params::EnterText(_) if code == Some(ErrorCode::GlobalActionFailed) => Some(message),
        Params::EnterText(params) => Some(match params.target.matcher() {
            Some(matcher) => found(matcher, "Failed to set text on matching UI node"),
            None => message,
        }),
        Params::ScrollAndClick(params) => Some(match code {
            Some(ErrorCode::NodeNotFound) => format!(
                "Target node not found after scrolling: {}",
                describe_matcher(&params.matcher)
            ),
            Some(ErrorCode::ContainerNotScrollable) => format!(
                "Scrollable container not found for {}",
                params.container.as_ref().map_or_else(String::new, describe_matcher)
            ),
            Some(ErrorCode::ContainerNotFound) => match &params.container {
                Some(container) => format!("Container not found for {}", describe_matcher(container)),
                None => "No scrollable container visible".to_owned(),
            },
            _ => failed(CLICK_FAILED),
        }),
        Params::Click(params) => Some(match &params.target {
            ClickTarget::Node(matcher) => found(matcher, CLICK_FAILED),
            ClickTarget::Point(at) => {
                format!("Click at coordinate ({},{}) failed", at.x, at.y)
            }
        }),
        Params::ReadText(params) => match code {
            Some(ErrorCode::ValidatorMismatch | ErrorCode::ContainerNotFound) => None,
            Some(ErrorCode::NodeNotFound) if params.container.is_some() => None,
            Some(ErrorCode::NodeHasNoText) => {
                Some("Matching UI node has no text content".to_owned())
            }
            _ => Some(found(&params.matcher, &message)),
        },
        Params::ReadKeyValuePair(_) => match code {
            Some(ErrorCode::NodeNotFound | ErrorCode::ValueNodeNotFound) => None,
            _ => Some(failed(&message)),
        },
        Params::SnapshotUi(_) => Some(
            "SNAPSHOT_HIERARCHY_UNAVAILABLE: UI hierarchy dump not available; accessibility service may not be ready"
                .to_owned(),
        ),
        // Any other failure is a failure of the step only.
        _ => None,
    }
}

/// The app writes no files, so it takes no screenshots.
struct NoFiles;

impl Artifacts for NoFiles {
    fn keep_screenshot(&mut self, _path: Option<&str>, _file: &[u8]) -> Result<String, String> {
        Err("the app takes no screenshots".to_owned())
    }
}

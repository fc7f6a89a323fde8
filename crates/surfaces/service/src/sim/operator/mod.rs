//! The Operator app on a simulated phone: it takes commands as broadcasts, runs them with the engine and answers in the
//! log, in the words and with the limits of the app on real phones.

mod command;
mod hand;

use std::time::Duration;

use async_trait::async_trait;
use contract::{ActionKind, ClickTarget, ErrorCode, Execution, NodeMatcher, Params, StepResult};
use driver::Cx;
use engine::Artifacts;
use serde_json::{Value, json};
use sim_adb::{AdbPhone, Log, OperatorApp, Priority, report, report_screen};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use command::{Command, Step, What, shown};
use hand::Hand;

/// The package of the app as it is released.
pub const OPERATOR_PACKAGE: &str = "com.clawperator.operator";
/// The longest that one action takes, longer than any execution.
const LONGEST: Duration = Duration::from_secs(600);
/// The shortest that a step takes.
const SHORTEST_STEP: Duration = Duration::from_millis(1);
/// What it says where there is no screen to look at.
const NO_TREE: &str = "UI tree not available";
/// What it says where the system did not click.
const CLICK_FAILED: &str = "Click on matching UI node failed";
/// What keeps every command while the service is switched off.
const NO_SERVICE: &str = "Accessibility service is not available";

/// The Operator app that a simulated phone is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSetup {
    /// Its package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Whether it says what came of a command.
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

/// Whether the app says what came of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// It does.
    #[default]
    All,
    /// It takes every command and is never heard of.
    None,
}

/// A file of the Operator app that a simulated phone installs: a zip with a manifest as text. On a real phone it is no app.
pub fn operator_apk(package: &str, version: &str) -> Vec<u8> {
    sim_adb::Apk::operator(package, version)
}

/// The app that a phone gets when its file is installed there.
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
    /// The app for a phone.
    #[must_use]
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
    /// One command at a time, in the order in which they came.
    turn: tokio::sync::Mutex<()>,
}

/// What the app writes into the log.
struct Voice<'a> {
    log: &'a Log,
    pid: u32,
}

impl Voice<'_> {
    fn says(&self, priority: Priority, tag: &str, message: &str) {
        self.log.write_long(self.pid, priority, tag, message);
    }

    fn refuses(&self, why: &str) {
        let message = format!("[Operator-Receiver] {why}");
        self.says(Priority::Error, "OperatorCommandReceiver", &message);
    }

    fn command(&self, priority: Priority, message: &str) {
        let message = format!("[Clawperator-Command] {message}");
        self.says(priority, "AgentCommandExecutor", &message);
    }

    fn engine(&self, message: &str) {
        let message = format!("[UiActionEngine] {message}");
        self.says(Priority::Debug, "UiActionEngine", &message);
    }
}

/// What came of an action.
enum Done {
    /// A step of the answer; one that failed does not keep the next action from running.
    Step(Value),
    /// The end of the command, with what is said of it; the steps before it are lost.
    Abort(String),
}

#[async_trait]
impl OperatorApp for App {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let Some(pid) = phone.operator_pid() else {
            return;
        };
        let voice = Voice { log, pid };
        if self.answers == Answers::None {
            return;
        }
        let command = match Command::read(payload) {
            Ok(command) => command,
            // Nobody is answered; only the log says why.
            Err(why) => return voice.refuses(&format!("Failed to parse command: {why}")),
        };
        if !phone.operator_serves() {
            let code = ErrorCode::ServiceUnavailable.as_str();
            return report(log, pid, &command.failure(NO_SERVICE, Some(code)));
        }
        let of = format!("commandId={} taskId={}", command.id, command.task);
        if self.turn.try_lock().is_err() {
            let message = format!("queued {of} waiting_for_active_command=true");
            voice.command(Priority::Info, &message);
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
        voice.command(Priority::Info, &message);
        let answer = match self.perform(&command, phone, &voice).await {
            // It was not interrupted, and all the same it is too late.
            _ if arrived.elapsed() > time => command.failure(&too_late, None),
            Ok(steps) => {
                let message = format!("success {of} stepCount={}", steps.len());
                voice.command(Priority::Info, &message);
                command.answer(&steps)
            }
            Err(why) => {
                voice.command(Priority::Error, &format!("failure {of} reason={why}"));
                command.failure(&format!("Task execution failed: {why}"), None)
            }
        };
        // A process that has ended meanwhile says nothing more.
        if phone.operator_pid() == Some(pid) {
            report(log, pid, &answer);
        }
    }
}

impl App {
    /// Every step in its order; the reason when one of them ends the command.
    async fn perform(
        &self,
        command: &Command,
        phone: &AdbPhone,
        voice: &Voice<'_>,
    ) -> Result<Vec<Value>, String> {
        let mut hand = Hand::of(phone, &self.package).await;
        let mut steps = Vec::with_capacity(command.steps.len());
        for step in &command.steps {
            let (id, kind) = (&step.id, &step.kind);
            voice.engine(&format!("step_start id={id} type={kind}"));
            // No step of the app takes less; whoever reads the log gets a turn before it is full.
            tokio::time::sleep(SHORTEST_STEP).await;
            match done(step, &mut hand, phone, voice).await {
                Done::Step(result) => {
                    let data = result.get("data").unwrap_or(&Value::Null);
                    voice.engine(&format!("step_success id={id} type={kind} data={data}"));
                    steps.push(result);
                }
                Done::Abort(why) => return Err(why),
            }
        }
        Ok(steps)
    }
}

async fn done(step: &Step, hand: &mut Hand, phone: &AdbPhone, voice: &Voice<'_>) -> Done {
    let answered = |success: bool, data: Value| {
        Done::Step(
            json!({"id": step.id, "actionType": step.kind, "success": success, "data": data}),
        )
    };
    let execution = match &step.what {
        What::Run(execution) => execution,
        What::Ping => {
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
        Some(Params::TakeScreenshot(_)) => answered(
            false,
            json!({
                "error": "UNSUPPORTED_RUNTIME_SCREENSHOT",
                "message": "Android runtime takes no screenshots; let the host do it with `screencap`",
            }),
        ),
        _ => {
            let cx = Cx::new(LONGEST, CancellationToken::new());
            let (mut files, mut nobody) = (NoFiles, |_: &engine::Event<'_>| {});
            // On the heap: what a run keeps while it waits is large.
            let run = engine::run(hand, execution, &mut files, &cx, &mut nobody);
            let report = Box::pin(run).await;
            match report.outcome {
                Ok(envelope) => match envelope.step_results.into_iter().next() {
                    Some(result) => told(execution, result, voice),
                    None => Done::Abort("the action gave no result".to_owned()),
                },
                Err(error) => Done::Abort(error.message),
            }
        }
    }
}

fn params(execution: &Execution) -> Option<&Params> {
    execution.actions().first().map(contract::Action::params)
}

/// What the app makes of the engine's result: screens go to the log, and some failures end the command.
fn told(execution: &Execution, mut result: StepResult, voice: &Voice<'_>) -> Done {
    if !result.success
        && let Some(why) = params(execution).and_then(|params| abort(params, &result))
    {
        return Done::Abort(why);
    }
    if result.action_type == ActionKind::SnapshotUi
        && let Some(xml) = result.data.remove("text")
    {
        report_screen(voice.log, voice.pid, &xml);
    }
    if result.action_type == ActionKind::ScrollUntil
        && result.data.get("error") == Some(ErrorCode::NodeNotFound.as_str())
    {
        result.data.push("error", "TARGET_NOT_FOUND");
    }
    match serde_json::to_value(&result) {
        Ok(step) => Done::Step(step),
        Err(error) => Done::Abort(error.to_string()),
    }
}

/// The reason that a failed step gives to end the whole command; `None` when the next action runs all the same.
fn abort(params: &Params, result: &StepResult) -> Option<String> {
    let code = result.error_code();
    let said = result.data.get("message").unwrap_or_default().to_owned();
    // Why something could not be done the app does not say.
    let failed = |otherwise: &str| match code {
        Some(ErrorCode::ScreenUnavailable | ErrorCode::DeviceScreenOff) => NO_TREE.to_owned(),
        _ => otherwise.to_owned(),
    };
    let found = |matcher: &NodeMatcher, otherwise: &str| match code {
        Some(ErrorCode::NodeNotFound) => {
            format!("No UI node found matching criteria: {}", shown(matcher))
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
        Params::OpenApp(_) => Some(said),
        Params::WaitForNode(params) => Some(found(&params.matcher, &said)),
        // The text is there then, and only what was to follow it failed.
        Params::EnterText(_) if code == Some(ErrorCode::GlobalActionFailed) => Some(said),
        Params::EnterText(params) => Some(found(
            &params.matcher,
            "Failed to set text on matching UI node",
        )),
        Params::ScrollAndClick(params) => Some(match code {
            Some(ErrorCode::NodeNotFound) => format!(
                "Target node not found after scrolling: {}",
                shown(&params.matcher)
            ),
            Some(ErrorCode::ContainerNotScrollable) => format!(
                "Scrollable container not found for {}",
                params.container.as_ref().map_or_else(String::new, shown)
            ),
            Some(ErrorCode::ContainerNotFound) => match &params.container {
                Some(container) => format!("Container not found for {}", shown(container)),
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
            _ => Some(found(&params.matcher, &said)),
        },
        Params::ReadKeyValuePair(_) => match code {
            Some(ErrorCode::NodeNotFound | ErrorCode::ValueNodeNotFound) => None,
            _ => Some(failed(&said)),
        },
        Params::SnapshotUi(_) => Some(
            "SNAPSHOT_HIERARCHY_UNAVAILABLE: UI hierarchy dump not available; accessibility service may not be ready"
                .to_owned(),
        ),
        // Every other failure is that of its step alone.
        _ => None,
    }
}

/// The app keeps no files: it takes no pictures.
struct NoFiles;

impl Artifacts for NoFiles {
    fn keep_screenshot(&mut self, _path: Option<&str>, _png: &[u8]) -> Result<String, String> {
        Err("the app takes no pictures".to_owned())
    }
}

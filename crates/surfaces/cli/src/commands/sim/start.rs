//! `sim start`: starts a simulated phone for adb that keeps running.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command as Process, Stdio};

use contract::{ErrorBody, ErrorCode};
use serde_json::Value;
use service::sim::{Answers, OperatorSetup, RunningPhone, StartOptions};
use service::{AdbSetup, Clock};

use crate::errors::usage;
use crate::internal_error;
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::{block_on, interrupted};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    PORT = "--port", FlagValue::Text("<n>"),
        "The port on 127.0.0.1 for adb [default: any free port]";
    APP = "--app", FlagValue::Path("<file or dir>"),
        "Your own app, or a directory of apps; repeatable. With a single app, the phone starts in it";
    OPERATOR = "--operator", FlagValue::Switch,
        "Install the Operator app, with its accessibility service switched on";
    OPERATOR_VERSION = "--operator-version", FlagValue::Text("<version>"),
        "Version of the Operator app [default: the version that matches clawperator]";
    OPERATOR_SILENT = "--operator-silent", FlagValue::Switch,
        "The Operator app accepts commands and never answers";
    RUNTIME_APP = "--runtime-app", FlagValue::Switch,
        "Install the runtime app, with its accessibility service switched on; `--via app` drives the phone through it";
    FAULT = "--fault", FlagValue::Text("<spec>"),
        "Inject a fault into the phone (`lose_gesture 10%`) or its adb connection (`cut_done input tap x1`, `slow 20ms`); \
        repeatable. `sim faults` lists them";
    RECORD = "--record", FlagValue::Path("<file>"),
        "Write the phone's input and its journal to this file continuously, one JSON object per line, passwords masked";
    FOREGROUND = "--foreground", FlagValue::Switch,
        "Run in the foreground until stopped or interrupted";
}

pub(crate) static COMMAND: Command = Command {
    name: "sim start",
    group: Group::Simulation,
    usage: &[
        "sim start [--port <n>] [--app <file or dir>]… [--operator] [--runtime-app] [--fault <spec>]… [--record <file>] [--sim-…]",
    ],
    summary: "Start a simulated phone for adb on 127.0.0.1 and leave it running",
    notes: &[
        "Its serial is 127.0.0.1:<port>. It is added to a running adb server, and to one that clawperator starts \
        later, so that `adb devices` and `clawperator devices` list it",
        "It runs in real time, keeps its state between commands, and ends with `sim stop`",
        "With --operator it has the Operator app, with the package from --operator-package. As on a real phone, `adb \
        shell settings delete secure enabled_accessibility_services` switches its service off",
        "The --sim- flags apply as with `--device sim`. The --sim-journal file is written at exit; the --record file \
        is written continuously, and is readable even if the phone is killed",
    ],
    flags: &[FlagSet::new(
        "Options",
        &[
            &PORT,
            &APP,
            &OPERATOR,
            &OPERATOR_VERSION,
            &OPERATOR_SILENT,
            &RUNTIME_APP,
            &FAULT,
            &RECORD,
            &FOREGROUND,
        ],
    )],
    scopes: &[Scope::Operator, Scope::Simulator],
    examples: &[
        "sim start",
        "sim start --port 5601 --app hello.yaml --sim-theme dark",
        "sim start --operator --operator-package com.clawperator.operator.dev",
        "sim start --fault 'latency 300ms' --fault 'cut_done input tap @2' --record phone.ndjson",
    ],
    ..Command::new(build)
};

/// The hint for faults.
const LISTED: &str = "`clawperator sim faults` lists the faults and their syntax";

/// The settings of the phone to start.
struct Start {
    port: u16,
    apps: Vec<String>,
    operator: Option<OperatorSetup>,
    runtime_app: bool,
    faults: Vec<String>,
    record: Option<String>,
    foreground: bool,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let port = arguments.parsed(&PORT, "a number from 1 to 65535", |text| {
        text.parse().ok().filter(|port| *port > 0)
    })?;
    let mut apps = Vec::new();
    for given in arguments.all(&APP) {
        match given.value().filter(|path| !path.trim().is_empty()) {
            Some(path) => apps.push(path.to_owned()),
            None => return Err(usage("--app requires a file or a directory")),
        }
    }
    let mut faults = Vec::new();
    for given in arguments.all(&FAULT) {
        let spec = given.value().filter(|spec| !spec.trim().is_empty());
        let spec = spec.ok_or_else(|| usage("--fault requires a fault").with_hint(LISTED))?;
        // Validated before anything is started.
        let read = service::SimSetup::default().fault(spec);
        read.map_err(|why| {
            usage(format!("--fault {:?}: {why}", escape::truncate_input(spec))).with_hint(LISTED)
        })?;
        faults.push(spec.to_owned());
    }
    let record = arguments.strict(&RECORD)?.map(str::to_owned);
    if record.as_deref() == Some("-") {
        return Err(usage(
            "--record -: standard output is reserved for the result; name a file",
        ));
    }
    let globals = &arguments.globals;
    if globals.spelling("--sim-time").is_some() && globals.sim.time == Clock::Virtual {
        return Err(usage(
            "--sim-time virtual is not supported: a phone for adb runs in real time",
        )
        .with_hint("Omit --sim-time; `--device sim` runs in virtual time"));
    }
    Ok(Box::new(Start {
        port: port.unwrap_or(0),
        apps,
        operator: operator(arguments)?,
        runtime_app: arguments.has(&RUNTIME_APP),
        faults,
        record,
        foreground: arguments.has(&FOREGROUND),
    }))
}

/// The Operator app of the phone.
fn operator(arguments: &Arguments) -> Result<Option<OperatorSetup>, ErrorBody> {
    let package = arguments.globals.operator_package.clone();
    let version = arguments.strict(&OPERATOR_VERSION)?;
    let silent = arguments.has(&OPERATOR_SILENT);
    if !arguments.has(&OPERATOR) {
        if package.is_some() || version.is_some() || silent {
            return Err(usage(
                "--operator-package, --operator-version and --operator-silent require --operator",
            ));
        }
        return Ok(None);
    }
    let mut setup = OperatorSetup::default();
    if let Some(package) = package {
        setup.package = package;
    }
    if let Some(version) = version {
        if version.trim().is_empty() || version.chars().any(char::is_control) {
            return Err(usage("--operator-version requires a version such as 0.5.3"));
        }
        setup.version = version.to_owned();
    }
    if silent {
        setup.answers = Answers::None;
    }
    Ok(Some(setup))
}

impl Task for Start {
    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        let mut progress = Progress::open(globals);
        if self.foreground {
            return self.stay(globals, &mut progress);
        }
        let started = in_background()?;
        if let Some(serial) = started.get("serial").and_then(Value::as_str) {
            progress.done(&format!(
                "{serial} is running; `clawperator sim stop {serial}` stops it"
            ));
            return Ok(Answer::Success(started));
        }
        Ok(Answer::Failure(started))
    }
}

impl Start {
    /// Runs the phone in this process.
    fn stay(self, globals: &Globals, progress: &mut Progress) -> Result<Answer, ErrorBody> {
        let mut setup = globals.sim.clone();
        setup.time = Clock::Real;
        for spec in &self.faults {
            setup.fault(spec).map_err(usage)?;
        }
        setup.record = self.record.map(Into::into);
        let starting = StartOptions {
            port: self.port,
            apps: self.apps,
            operator: self.operator,
            runtime_app: self.runtime_app,
            setup,
        };
        let mut phone = None;
        let ready = |running: &RunningPhone| {
            announce(running);
            phone = Some(running.clone());
        };
        block_on(service::sim::run(
            starting,
            &AdbSetup::default(),
            ready,
            interrupted(),
        ))??;
        if let Some(phone) = phone {
            progress.done(&format!("{} stopped", phone.serial));
        }
        Ok(Answer::Done)
    }
}

/// Reports that the phone is ready. A closed pipe does not stop the phone.
fn announce(phone: &RunningPhone) {
    if let Ok(line) = serde_json::to_string(phone) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// Starts this program again as the phone, and returns its first message: its address, or an error.
fn in_background() -> Result<Value, ErrorBody> {
    let program = std::env::current_exe().map_err(internal_error::internal)?;
    let mut command = Process::new(program);
    // The child reports itself in the same format.
    command
        .args(std::env::args_os().skip(1))
        .args([FOREGROUND.name, "--json"]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(internal_error::internal)?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out)
            .read_line(&mut line)
            .map_err(internal_error::internal)?;
    }
    if let Ok(child_message) = serde_json::from_str(&line) {
        return Ok(child_message);
    }
    let mut child_message = String::new();
    if let Some(err) = child.stderr.take() {
        // The process has ended; only its last message matters.
        err.take(4096)
            .read_to_string(&mut child_message)
            .map_err(internal_error::internal)?;
    }
    let message = format!("the phone did not start: {}", child_message.trim());
    Err(ErrorBody::new(ErrorCode::InternalError, message)
        .with_hint("Run `clawperator sim start --foreground` to see its messages"))
}

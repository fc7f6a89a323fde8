//! `sim start`: a simulated phone that lives on its own, for adb and for later commands.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command as Process, Stdio};

use contract::{ErrorBody, ErrorCode};
use serde_json::Value;
use service::sim::{Answers, OperatorSetup, RunningPhone, StartOptions};
use service::{AdbSetup, Clock};

use crate::errors::usage;
use crate::fault;
use crate::output::Answer;
use crate::progress::Progress;
use crate::run::{block_on, interrupted};
use crate::table::{Arguments, Command, Flag, FlagSet, Globals, Group, Scope, Takes, Task};

static PORT: Flag = Flag::new(
    "--port",
    Takes::One("<n>"),
    "The port of 127.0.0.1 on which adb finds it; any that is free without it",
);
static APP: Flag = Flag::new(
    "--app",
    Takes::Path("<file or folder>"),
    "An app of your own, or a folder of them; may be given several times. With one it starts in it",
);
static OPERATOR: Flag = Flag::new(
    "--operator",
    Takes::Nothing,
    "The phone has the Clawperator Operator app, with its accessibility service switched on",
);
static OPERATOR_VERSION: Flag = Flag::new(
    "--operator-version",
    Takes::One("<version>"),
    "The version of that app; without it the one that fits this program",
);
static OPERATOR_SILENT: Flag = Flag::new(
    "--operator-silent",
    Takes::Nothing,
    "That app takes every command and never answers",
);
static FAULT: Flag = Flag::new(
    "--fault",
    Takes::One("<spec>"),
    "Something that goes wrong, on the phone (`lose_gesture 10%`) or on its wire (`cut_done input tap x1`, `slow 20ms`); may be given several times. `sim faults` lists both",
);
static RECORD: Flag = Flag::new(
    "--record",
    Takes::Path("<file>"),
    "Write what the phone sees and what really happens on it to this file as it happens, one JSON object a line, passwords masked",
);
static FOREGROUND: Flag = Flag::new(
    "--foreground",
    Takes::Nothing,
    "Stay until it is told to end or interrupted, instead of leaving it in the background",
);

pub(crate) static COMMAND: Command = Command {
    name: "sim start",
    group: Group::Simulation,
    usage: &[
        "sim start [--port <n>] [--app <file or folder>]… [--operator] [--fault <spec>]… [--record <file>] [--sim-…]",
    ],
    summary: "Start a simulated phone that adb can talk to, on loopback, and leave it running",
    notes: &[
        "Its serial is 127.0.0.1:<port>. An adb server that runs is told of it, so that `adb devices` and `clawperator devices` list it, and so is one that a command of this program starts later",
        "It lives in real time, keeps what is done to it from command to command, and ends with `sim stop`",
        "With --operator it plays a phone with the Operator app, under the name that --operator-package says. What switches its service off on a phone does here, too: `adb shell settings delete secure enabled_accessibility_services`",
        "The --sim- flags set it up as they do `--device sim`; its journal is written when it ends, --record as it happens, so that a phone that is killed leaves it readable",
    ],
    flags: &[FlagSet {
        heading: "Options",
        flags: &[
            &PORT,
            &APP,
            &OPERATOR,
            &OPERATOR_VERSION,
            &OPERATOR_SILENT,
            &FAULT,
            &RECORD,
            &FOREGROUND,
        ],
    }],
    scopes: &[Scope::Operator, Scope::Simulator],
    examples: &[
        "sim start",
        "sim start --port 5601 --app hello.yaml --sim-theme dark",
        "sim start --operator --operator-package com.clawperator.operator.dev",
        "sim start --fault 'latency 300ms' --fault 'cut_done input tap @2' --record phone.ndjson",
    ],
    ..Command::new(build)
};

/// Where to read what can go wrong.
const LISTED: &str = "`clawperator sim faults` lists what can go wrong and how it is written";

/// What is to be started, and how.
struct Start {
    port: u16,
    apps: Vec<String>,
    operator: Option<OperatorSetup>,
    faults: Vec<String>,
    record: Option<String>,
    foreground: bool,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let port = match arguments.strict(&PORT)? {
        None => 0,
        Some(text) => text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
            usage(format!(
                "--port takes a number from 1 to 65535, not {text:?}"
            ))
        })?,
    };
    let mut apps = Vec::new();
    for given in arguments.all(&APP) {
        match given.value().filter(|path| !path.trim().is_empty()) {
            Some(path) => apps.push(path.to_owned()),
            None => return Err(usage("--app requires a file or a folder")),
        }
    }
    let mut faults = Vec::new();
    for given in arguments.all(&FAULT) {
        let spec = given.value().filter(|spec| !spec.trim().is_empty());
        let spec = spec.ok_or_else(|| usage("--fault requires a fault").with_hint(LISTED))?;
        // What is wrong with it is said before anything is started.
        let read = service::SimSetup::default().fault(spec);
        read.map_err(|why| {
            usage(format!("--fault {:?}: {why}", crate::truncate::cut(spec))).with_hint(LISTED)
        })?;
        faults.push(spec.to_owned());
    }
    let record = arguments.strict(&RECORD)?.map(str::to_owned);
    if record.as_deref() == Some("-") {
        return Err(usage(
            "--record -: standard output is for the answer; name a file",
        ));
    }
    let globals = &arguments.globals;
    if globals.spelling("--sim-time").is_some() && globals.sim.time == Clock::Virtual {
        return Err(
            usage("--sim-time virtual: a phone that adb talks to lives in real time")
                .with_hint("Leave --sim-time out; `--device sim` lives in virtual time"),
        );
    }
    Ok(Box::new(Start {
        port,
        apps,
        operator: operator(arguments)?,
        faults,
        record,
        foreground: arguments.has(&FOREGROUND),
    }))
}

/// The Operator app that the phone is to have.
fn operator(arguments: &Arguments) -> Result<Option<OperatorSetup>, ErrorBody> {
    let package = arguments.globals.operator_package.clone();
    let version = arguments.strict(&OPERATOR_VERSION)?;
    let silent = arguments.has(&OPERATOR_SILENT);
    if !arguments.has(&OPERATOR) {
        if package.is_some() || version.is_some() || silent {
            return Err(usage(
                "--operator-package, --operator-version and --operator-silent say what the app of --operator is like; add --operator",
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
                "{serial} runs; `clawperator sim stop {serial}` ends it"
            ));
            return Ok(Answer::Success(started));
        }
        Ok(Answer::Failure(started))
    }
}

impl Start {
    /// Is the phone until it ends.
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
            progress.done(&format!("{} has ended", phone.serial));
        }
        Ok(Answer::Said)
    }
}

/// Tells whoever waits that the phone is there. One that reads no more does not keep it from running.
fn announce(phone: &RunningPhone) {
    if let Ok(line) = serde_json::to_string(phone) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// Starts this program again as the phone, and gives what it says first: itself, or its error.
fn in_background() -> Result<Value, ErrorBody> {
    let program = std::env::current_exe().map_err(fault::internal)?;
    let mut command = Process::new(program);
    // The second one says what it is in the same words, for nobody else to read.
    command
        .args(std::env::args_os().skip(1))
        .args([FOREGROUND.name, "--json"]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(fault::internal)?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out)
            .read_line(&mut line)
            .map_err(fault::internal)?;
    }
    if let Ok(said) = serde_json::from_str(&line) {
        return Ok(said);
    }
    let mut said = String::new();
    if let Some(err) = child.stderr.take() {
        // Only what it said last matters, and it has ended.
        err.take(4096)
            .read_to_string(&mut said)
            .map_err(fault::internal)?;
    }
    let message = format!("the phone did not start: {}", said.trim());
    Err(ErrorBody::new(ErrorCode::InternalError, message)
        .with_hint("`clawperator sim start --foreground` shows what it says"))
}

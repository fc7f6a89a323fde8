//! `app_process`, `setsid` and `kill`, which start and end Clawperator's agent.

use std::time::Duration;

use agent_protocol::{AgentErrorCode, AgentForm, MAIN_CLASS, STATE_FILE, StartLine};
use sha2::{Digest, Sha256};

use super::Call;
use crate::adb_phone::new_ready_line;
use crate::fault::{AgentFault, WireFault};
use crate::shell::io::CommandResult;

const IDLE: Duration = Duration::from_secs(600);
/// The first process, which belongs to root.
const INIT: i32 = 1;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.name() {
        "setsid" => setsid(call).await,
        "kill" => kill(call).await,
        _ => app_process(call).await,
    }
}

/// `app_process /system/bin CLASS --idle SECONDS`; only the agent's class exists.
async fn app_process(call: Call<'_>) -> CommandResult {
    let adb_phone = call.adb_phone();
    let class = call.arg(2).unwrap_or_default();
    let dex = call.shell.names.get("CLASSPATH").map_or("", String::as_str);
    let program = adb_phone.files().read(&call.path(dex));
    let Some(program) = program.ok().filter(|_| class == MAIN_CLASS) else {
        let why = format!(
            "java.lang.ClassNotFoundException: Didn't find class \"{class}\" on path: {dex}"
        );
        return call.fail(why, 1).await;
    };
    let taken = |holder: &str| StartLine::Failed {
        code: AgentErrorCode::SlotTaken,
        message: holder.to_owned(),
    };
    if adb_phone
        .faults()
        .has(&WireFault::Agent(AgentFault::SlotTaken))
    {
        call.print_line(taken("held by io.appium.uiautomator2.server (pid 4242)").to_string())
            .await?;
        return Ok(1);
    }
    let idle = match (call.arg(3), call.arg(4)) {
        (Some("--idle"), Some(seconds)) => seconds.parse().map_or(IDLE, Duration::from_secs),
        _ => IDLE,
    };
    let ready = new_ready_line(adb_phone, Sha256::digest(program.as_slice()).into());
    let line = ready.to_string();
    if let Err(other) = adb_phone.agents().start(ready, idle, AgentForm::Agent) {
        let holder = format!("held by {MAIN_CLASS} (pid {})", other.ready.pid);
        call.print_line(taken(&holder).to_string()).await?;
        return Ok(1);
    }
    let now = adb_phone.clock().now().stamp();
    let written = adb_phone
        .files()
        .write(STATE_FILE, format!("{line}\n").into_bytes(), 0o600, now);
    if let Err(errno) = written {
        adb_phone.agents().kill();
        let failed = StartLine::Failed {
            code: AgentErrorCode::Failed,
            message: format!("{STATE_FILE}: {errno}"),
        };
        call.print_line(failed.to_string()).await?;
        return Ok(1);
    }
    call.done(line).await
}

/// `setsid COMMAND`, which runs the command as a process of its own and succeeds.
async fn setsid(call: Call<'_>) -> CommandResult {
    if call.args.len() < 2 {
        let line = "setsid: Needs 1 argument (see \"setsid --help\")";
        return call.fail(line, 1).await;
    }
    super::run(call.shell, call.from(1), call.io).await?;
    Ok(0)
}

/// `kill [-SIGNAL] PID`, built into the shell; only the agent's process can be killed.
async fn kill(call: Call<'_>) -> CommandResult {
    let words = call.from(1);
    let is_signal = |word: &&String| word.starts_with('-');
    let (signal, pids) = match words.split_first().filter(|(first, _)| is_signal(first)) {
        Some((signal, pids)) => (signal.as_str(), pids),
        None => ("-TERM", words),
    };
    let [pid] = pids else {
        let usage = "usage:\tkill [-s signame | -signum | -signame] { job | pid | pgrp } ...\n\tkill -l [exit_status ...]";
        return call.fail(usage, 1).await;
    };
    let agents = call.adb_phone().agents();
    let is_agent = agents
        .running()
        .is_some_and(|agent| agent.ready.pid.to_string() == *pid);
    if is_agent {
        if signal != "-0" {
            agents.kill();
        }
        return Ok(0);
    }
    let why = match pid.parse::<i32>() {
        Err(_) => "arguments must be jobs or process IDs",
        Ok(INIT) => "Operation not permitted",
        Ok(_) => "No such process",
    };
    call.fail(format!("/system/bin/sh: kill: {pid}: {why}"), 1)
        .await
}

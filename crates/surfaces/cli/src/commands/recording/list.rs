//! `recording list`: lists recordings made by this computer.

use contract::ErrorBody;
use service::recording::{State, StoredRecording};

use crate::output::Answer;
use crate::progress::Progress;
use crate::run::{block_on, recording_options};
use crate::table::{Command, Globals, Group, Scope};

pub(crate) static COMMAND: Command = Command {
    name: "recording list",
    synonyms: &["record list"],
    group: Group::Recording,
    usage: &["recording list [--device <id>]"],
    summary: "List the recordings made by this computer, newest first",
    notes: &[
        "`state` is recording, ended or killed; `endedEarly` says why a recording stopped early, until `recording stop` reports it",
        "Recordings of the Operator app are on the phone and not listed; `recording pull` fetches them",
    ],
    scopes: &[Scope::Device],
    examples: &["recording list", "recording list --device emulator-5554"],
    ..Command::new(|_| Ok(Box::new(list)))
};

fn list(globals: &Globals) -> Result<Answer, ErrorBody> {
    let device = globals.device.as_deref();
    let kept = block_on(service::recording::list(device, &recording_options()))??;
    let mut progress = Progress::open(globals);
    for recording in &kept {
        print_notice(&mut progress, recording);
    }
    Answer::document("recordings", kept)
}

fn print_notice(progress: &mut Progress, kept: &StoredRecording) {
    let StoredRecording {
        session_id,
        device_id,
        bytes,
        ..
    } = kept;
    let line = format!("{session_id} of {device_id}, {} KB", bytes.div_ceil(1024));
    match (kept.state, &kept.ended_early) {
        (State::Recording, _) => progress.done(&format!("{line}, recording")),
        (State::Ended, None) => progress.done(&line),
        (State::Ended, Some(why)) => progress.warn(&format!("{line}, stopped early: {why}")),
        (State::Killed, _) => progress.failed(&format!("{line}, recorder killed")),
    }
}

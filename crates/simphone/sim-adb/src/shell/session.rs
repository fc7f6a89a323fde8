//! A shell without a command: it reads lines, from a program or from a person at a terminal.

use std::collections::VecDeque;

use super::Shell;
use super::io::{Broken, CommandResult, In, Io};
use super::parse::{self, Wrong};

/// Who writes the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A program: lines are taken as they come.
    Lines,
    /// A person: there is a prompt, and what is typed is shown.
    Terminal,
}

/// Reads and runs lines until `exit` or the end.
pub(crate) async fn run(shell: &mut Shell, io: &Io, mode: Mode) -> CommandResult {
    let mut open = String::new();
    // What a person typed and the shell has not yet looked at.
    let mut waiting = VecDeque::new();
    loop {
        if mode == Mode::Terminal {
            let prompt = if open.is_empty() {
                prompt(shell)
            } else {
                "> ".to_owned()
            };
            io.out.bytes(prompt).await?;
        }
        let line = match mode {
            Mode::Lines => {
                let line = io.input.line().await;
                line.map(|line| String::from_utf8_lossy(&line).into_owned())
            }
            Mode::Terminal => typed_line(&mut waiting, io).await?,
        };
        let Some(line) = line else {
            if !open.is_empty() {
                shell.script(&open, io).await?;
            }
            return Ok(shell.status);
        };
        open.push_str(&line);
        if !open.ends_with('\n') {
            open.push('\n');
        }
        if parse::parse(&open) == Err(Wrong::Open) {
            continue;
        }
        let text = std::mem::take(&mut open);
        match mode {
            Mode::Lines => {
                shell.script(&text, io).await?;
            }
            Mode::Terminal => interruptible(shell, &text, io, &mut waiting).await?,
        }
        if shell.left {
            return Ok(shell.status);
        }
    }
}

fn prompt(shell: &Shell) -> String {
    let status = if shell.status == 0 {
        String::new()
    } else {
        format!("{}|", shell.status)
    };
    format!("{status}{}:/ $ ", shell.handset.options().device)
}

/// Ctrl-C.
const INTERRUPT: u8 = 3;
/// Ctrl-D.
const END: u8 = 4;

/// Runs a line that Ctrl-C can end. The command has no input: what is typed meanwhile is the next line.
async fn interruptible(
    shell: &mut Shell,
    text: &str,
    io: &Io,
    waiting: &mut VecDeque<u8>,
) -> Result<(), Broken> {
    let own = Io {
        input: In::of(b""),
        ..io.clone()
    };
    let mut copy = shell.clone();
    let done = tokio::select! {
        biased;
        done = copy.script(text, &own) => Some(done?),
        () = interrupt(waiting, io) => None,
    };
    match done {
        Some(_) => *shell = copy,
        None => {
            io.out.bytes("^C\n").await?;
            shell.status = 130;
        }
    }
    Ok(())
}

/// Waits for Ctrl-C.
async fn interrupt(waiting: &mut VecDeque<u8>, io: &Io) {
    loop {
        let more = io.input.some().await;
        if more.is_empty() {
            return std::future::pending().await;
        }
        if more.contains(&INTERRUPT) {
            return;
        }
        waiting.extend(&more);
    }
}

/// The next line that a person types, shown while it is typed; `None` at the end.
async fn typed_line(waiting: &mut VecDeque<u8>, io: &Io) -> Result<Option<String>, Broken> {
    let mut line: Vec<u8> = Vec::new();
    let text = |line: Vec<u8>| String::from_utf8_lossy(&line).into_owned();
    loop {
        let Some(key) = waiting.pop_front() else {
            waiting.extend(&io.input.some().await);
            if waiting.is_empty() {
                return Ok((!line.is_empty()).then(|| text(line)));
            }
            continue;
        };
        match key {
            b'\r' | b'\n' => {
                io.out.bytes("\n").await?;
                return Ok(Some(text(line)));
            }
            END if line.is_empty() => return Ok(None),
            0..=31 => {}
            letter => {
                line.push(letter);
                io.out.bytes([letter]).await?;
            }
        }
    }
}

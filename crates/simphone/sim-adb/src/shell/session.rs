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
    let mut keyboard = Keyboard::default();
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
                line.map(|line| Typed::Line(String::from_utf8_lossy(&line).into_owned()))
            }
            Mode::Terminal => keyboard.line(io).await?,
        };
        match line {
            None => {
                if !open.is_empty() {
                    shell.script(&open, io).await?;
                }
                return Ok(shell.status);
            }
            Some(Typed::Interrupt) => {
                open.clear();
                shell.status = 130;
                continue;
            }
            Some(Typed::Line(line)) => {
                open.push_str(&line);
                if !open.ends_with('\n') {
                    open.push('\n');
                }
            }
        }
        if parse::parse(&open) == Err(Wrong::Open) {
            continue;
        }
        let text = std::mem::take(&mut open);
        match mode {
            Mode::Lines => {
                shell.script(&text, io).await?;
            }
            Mode::Terminal => interruptible(shell, &text, io, &mut keyboard).await?,
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

/// Runs a line that Ctrl-C can end. The command has no input.
async fn interruptible(
    shell: &mut Shell,
    text: &str,
    io: &Io,
    keyboard: &mut Keyboard,
) -> Result<(), Broken> {
    let own = Io {
        input: In::of(b""),
        ..io.clone()
    };
    let mut copy = shell.clone();
    let done = tokio::select! {
        biased;
        done = copy.script(text, &own) => Some(done?),
        () = keyboard.interrupt(io) => None,
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

/// Ctrl-C.
const INTERRUPT: u8 = 3;
/// Ctrl-D.
const END: u8 = 4;

/// What came of a line.
enum Typed {
    Line(String),
    /// Ctrl-C: it is given up.
    Interrupt,
}

/// The keys of a person, of which the last letter can be taken back.
#[derive(Debug, Default)]
struct Keyboard {
    /// What was typed and not yet looked at.
    waiting: VecDeque<u8>,
}

impl Keyboard {
    /// Waits for more keys; false at the end.
    async fn more(&mut self, io: &Io) -> bool {
        let more = io.input.some().await;
        self.waiting.extend(&more);
        !more.is_empty()
    }

    /// Waits for Ctrl-C.
    async fn interrupt(&mut self, io: &Io) {
        loop {
            if let Some(place) = self.waiting.iter().position(|byte| *byte == INTERRUPT) {
                self.waiting.drain(..=place);
                return;
            }
            if !self.more(io).await {
                return std::future::pending().await;
            }
        }
    }

    /// The next line, shown while it is typed; `None` at the end.
    async fn line(&mut self, io: &Io) -> Result<Option<Typed>, Broken> {
        let mut line: Vec<u8> = Vec::new();
        let typed = |line: Vec<u8>| Typed::Line(String::from_utf8_lossy(&line).into_owned());
        loop {
            let Some(key) = self.waiting.pop_front() else {
                if self.more(io).await {
                    continue;
                }
                return Ok((!line.is_empty()).then(|| typed(line)));
            };
            match key {
                b'\r' | b'\n' => {
                    io.out.bytes("\n").await?;
                    return Ok(Some(typed(line)));
                }
                INTERRUPT => {
                    io.out.bytes("^C\n").await?;
                    return Ok(Some(Typed::Interrupt));
                }
                END if line.is_empty() => return Ok(None),
                8 | 127 => {
                    let continues = |byte: u8| byte & 0xc0 == 0x80;
                    if !line.is_empty() {
                        while line.pop().is_some_and(continues) {}
                        io.out.bytes("\u{8} \u{8}").await?;
                    }
                }
                0..=31 => {}
                letter => {
                    line.push(letter);
                    io.out.bytes([letter]).await?;
                }
            }
        }
    }
}

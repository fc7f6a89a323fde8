//! A shell without a command: it reads lines, from a program or from a person at a terminal.

use super::Shell;
use super::io::{Broken, Done, In, Io};
use super::parse::{self, Wrong};

/// Who writes the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A program: lines are taken as they come.
    Lines,
    /// A person: there is a prompt, what is typed is shown and can be corrected.
    Terminal,
}

/// Reads and runs lines until `exit` or the end.
pub(crate) async fn run(shell: &mut Shell, io: &Io, mode: Mode) -> Done {
    let mut open = String::new();
    let mut editor = Editor::default();
    loop {
        if mode == Mode::Terminal {
            let prompt = if open.is_empty() {
                prompt(shell)
            } else {
                "> ".to_owned()
            };
            io.tty.bytes(prompt).await?;
        }
        let line = match mode {
            Mode::Lines => {
                let line = io.input.line().await;
                line.map(|line| Typed::Line(String::from_utf8_lossy(&line).into_owned()))
            }
            Mode::Terminal => editor.line(io).await?,
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
            Mode::Terminal => interruptible(shell, &text, io, &mut editor.waiting).await?,
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
    format!(
        "{status}{}:{} $ ",
        shell.handset.options().device,
        shell.folder
    )
}

/// Runs a line that Ctrl-C can end. What is typed meanwhile is the input of the command; `waiting` is what was typed
/// before, and afterwards what the command has not read.
async fn interruptible(
    shell: &mut Shell,
    text: &str,
    io: &Io,
    waiting: &mut Vec<u8>,
) -> Result<(), Broken> {
    let (typed, input) = tokio::sync::mpsc::channel(16);
    let own = Io {
        input: In::from(input),
        ..io.clone()
    };
    let left = own.input.clone();
    let mut copy = shell.clone();
    let running = async {
        let done = copy.script(text, &own).await;
        drop(own);
        done
    };
    let watching = async {
        let mut typed = Some(typed);
        loop {
            if waiting.is_empty() || typed.is_none() {
                let more = io.input.some().await;
                if more.is_empty() {
                    // The terminal is gone: what runs finds the end of its input.
                    drop(typed.take());
                    std::future::pending::<()>().await;
                }
                waiting.extend(more);
            }
            if let Some(place) = waiting.iter().position(|byte| *byte == INTERRUPT) {
                waiting.drain(..=place);
                return;
            }
            let Some(to) = &typed else { continue };
            let end = waiting.iter().position(|byte| *byte == END);
            let given: Vec<u8> = waiting.drain(..end.unwrap_or(waiting.len())).collect();
            let given: Vec<u8> = given
                .into_iter()
                .map(|byte| if byte == b'\r' { b'\n' } else { byte })
                .collect();
            let gone = io.tty.bytes(given.clone()).await.is_err();
            if to.send(given).await.is_err() || gone || end.is_some() {
                waiting.drain(..usize::from(end.is_some()));
                typed = None;
            }
        }
    };
    let done = tokio::select! {
        biased;
        done = running => Some(done?),
        () = watching => None,
    };
    match done {
        Some(_) => *shell = copy,
        None => {
            io.tty.bytes("^C\n").await?;
            shell.status = 130;
        }
    }
    let unread = left.left().await;
    waiting.splice(0..0, unread);
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

/// Lines as people type them.
#[derive(Debug, Default)]
struct Editor {
    /// What was typed and not yet looked at.
    waiting: Vec<u8>,
    history: Vec<String>,
}

impl Editor {
    /// The next line, shown while it is typed; `None` at the end.
    async fn line(&mut self, io: &Io) -> Result<Option<Typed>, Broken> {
        let mut line: Vec<char> = Vec::new();
        let mut at = self.history.len();
        loop {
            if self.waiting.is_empty() {
                self.waiting = io.input.some().await;
                if self.waiting.is_empty() {
                    let rest: String = line.into_iter().collect();
                    return Ok((!rest.is_empty()).then_some(Typed::Line(rest)));
                }
            }
            let (used, key) = key(&self.waiting);
            self.waiting.drain(..used.min(self.waiting.len()));
            match key {
                Key::Letter(letter) => {
                    line.push(letter);
                    io.tty.bytes(letter.to_string()).await?;
                }
                Key::Enter => {
                    io.tty.bytes("\n").await?;
                    let line: String = line.into_iter().collect();
                    if !line.trim().is_empty() && self.history.last() != Some(&line) {
                        self.history.push(line.clone());
                    }
                    return Ok(Some(Typed::Line(line)));
                }
                Key::Erase => {
                    if line.pop().is_some() {
                        io.tty.bytes("\u{8} \u{8}").await?;
                    }
                }
                Key::EraseWord => {
                    let mut count = 0;
                    while line.pop_if(|letter| *letter == ' ').is_some() {
                        count += 1;
                    }
                    while line.pop_if(|letter| *letter != ' ').is_some() {
                        count += 1;
                    }
                    io.tty.bytes("\u{8} \u{8}".repeat(count)).await?;
                }
                Key::EraseAll => {
                    io.tty.bytes("\u{8} \u{8}".repeat(line.len())).await?;
                    line.clear();
                }
                Key::Older | Key::Newer => {
                    let to = if key == Key::Older {
                        at.saturating_sub(1)
                    } else {
                        at + 1
                    };
                    let text = self.history.get(to).cloned();
                    if text.is_some() || to == self.history.len() {
                        io.tty.bytes("\u{8} \u{8}".repeat(line.len())).await?;
                        at = to;
                        line = text.unwrap_or_default().chars().collect();
                        io.tty.bytes(line.iter().collect::<String>()).await?;
                    }
                }
                Key::Interrupt => {
                    io.tty.bytes("^C\n").await?;
                    return Ok(Some(Typed::Interrupt));
                }
                Key::End if line.is_empty() => return Ok(None),
                Key::End | Key::Nothing => {}
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Letter(char),
    Enter,
    Erase,
    EraseWord,
    EraseAll,
    Older,
    Newer,
    Interrupt,
    End,
    Nothing,
}

/// The key that these bytes begin with, and how many of them it takes.
fn key(bytes: &[u8]) -> (usize, Key) {
    match bytes {
        [b'\r', b'\n', ..] => (2, Key::Enter),
        [b'\r' | b'\n', ..] => (1, Key::Enter),
        [INTERRUPT, ..] => (1, Key::Interrupt),
        [END, ..] => (1, Key::End),
        [8 | 127, ..] => (1, Key::Erase),
        [21, ..] => (1, Key::EraseAll),
        [23, ..] => (1, Key::EraseWord),
        [27, b'[', b'A', ..] => (3, Key::Older),
        [27, b'[', b'B', ..] => (3, Key::Newer),
        [27, b'[', ..] => (3, Key::Nothing),
        [0..=31, ..] => (1, Key::Nothing),
        _ => {
            let text = bytes.utf8_chunks().next();
            match text.and_then(|chunk| chunk.valid().chars().next()) {
                Some(letter) => (letter.len_utf8(), Key::Letter(letter)),
                None => (1, Key::Nothing),
            }
        }
    }
}

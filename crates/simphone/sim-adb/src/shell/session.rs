//! A shell without a command: it reads lines, from a program or from a person at a terminal.

use std::sync::Arc;

use tokio::sync::Notify;

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
            io.out.bytes(prompt).await?;
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
    let wanted = Arc::new(Notify::new());
    let own = Io {
        input: In::on_demand(input, Arc::clone(&wanted)),
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
        // What was typed before the command began ends it only when it is the next thing that was typed.
        let first = waiting
            .iter()
            .position(|byte| [END, INTERRUPT, b'\r', b'\n'].contains(byte));
        if let Some(place) = first.filter(|place| waiting.get(*place) == Some(&INTERRUPT)) {
            waiting.drain(..=place);
            return;
        }
        let mut wants = false;
        loop {
            // A terminal gives whole lines.
            let line = waiting
                .iter()
                .position(|byte| [END, b'\r', b'\n'].contains(byte));
            if let (true, Some(place), Some(to)) = (wants, line, &typed) {
                wants = false;
                let mut given: Vec<u8> = waiting.drain(..=place).collect();
                let last = given.pop();
                if last != Some(END) {
                    given.push(b'\n');
                }
                let gone = io.out.bytes(given.clone()).await.is_err();
                if to.send(given).await.is_err() || gone || last == Some(END) {
                    typed = None;
                }
            }
            let more = tokio::select! {
                () = wanted.notified() => {
                    wants = true;
                    continue;
                }
                more = io.input.some() => more,
            };
            if more.is_empty() {
                // The terminal is gone: what runs finds the end of its input.
                typed = None;
                std::future::pending::<()>().await;
            }
            let stop = more
                .iter()
                .position(|byte| *byte == INTERRUPT || *byte == END);
            if let Some(place) = stop.filter(|place| more.get(*place) == Some(&INTERRUPT)) {
                waiting.extend(more.into_iter().skip(place + 1));
                return;
            }
            waiting.extend(more);
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
            io.out.bytes("^C\n").await?;
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
        // What is to be shown, as far as there are keys to look at.
        let mut shown = String::new();
        loop {
            let Some((used, key)) = key(&self.waiting) else {
                io.out.bytes(std::mem::take(&mut shown)).await?;
                let more = io.input.some().await;
                if more.is_empty() {
                    let rest: String = line.into_iter().collect();
                    return Ok((!rest.is_empty()).then_some(Typed::Line(rest)));
                }
                self.waiting.extend(more);
                continue;
            };
            self.waiting.drain(..used.min(self.waiting.len()));
            let mut erased = 0;
            match key {
                Key::Letter(letter) => {
                    line.push(letter);
                    shown.push(letter);
                }
                Key::Enter => {
                    io.out.bytes(shown + "\n").await?;
                    let line: String = line.into_iter().collect();
                    if !line.trim().is_empty() && self.history.last() != Some(&line) {
                        self.history.push(line.clone());
                    }
                    return Ok(Some(Typed::Line(line)));
                }
                Key::Erase => erased = usize::from(line.pop().is_some()),
                Key::EraseWord => {
                    let before = line.len();
                    while line.pop_if(|letter| *letter == ' ').is_some() {}
                    while line.pop_if(|letter| *letter != ' ').is_some() {}
                    erased = before - line.len();
                }
                Key::EraseAll => {
                    erased = line.len();
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
                        shown.push_str(&ERASE.repeat(line.len()));
                        at = to;
                        line = text.unwrap_or_default().chars().collect();
                        shown.extend(&line);
                    }
                }
                Key::Interrupt => {
                    io.out.bytes(shown + "^C\n").await?;
                    return Ok(Some(Typed::Interrupt));
                }
                Key::End if line.is_empty() => return Ok(None),
                Key::End | Key::Nothing => {}
            }
            shown.push_str(&ERASE.repeat(erased));
        }
    }
}

/// Takes the last letter from the screen.
const ERASE: &str = "\u{8} \u{8}";

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

/// The key that these bytes begin with, and how many of them it takes; `None` when they are not all of it.
fn key(bytes: &[u8]) -> Option<(usize, Key)> {
    Some(match bytes {
        [] | [27] | [27, b'['] => return None,
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
        [first, ..] => {
            let length = match first {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            let letter = std::str::from_utf8(bytes.get(..length)?);
            match letter.ok().and_then(|letter| letter.chars().next()) {
                Some(letter) => (length, Key::Letter(letter)),
                None => (1, Key::Nothing),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_come_in_pieces_are_waited_for() {
        for part in ["", "\x1b", "\x1b["] {
            assert_eq!(key(part.as_bytes()), None);
        }
        assert_eq!(key(b"\x1b[Ax"), Some((3, Key::Older)));
        let letter = "ü".as_bytes();
        assert_eq!(key(&letter[..1]), None);
        assert_eq!(key(letter), Some((2, Key::Letter('ü'))));
        assert_eq!(key(b"\xffx"), None);
        assert_eq!(key(b"\xffxyz"), Some((1, Key::Nothing)));
    }
}

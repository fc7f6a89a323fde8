//! Runs parsed scripts: expansion, pipes and redirections.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use tokio::sync::mpsc;

use super::command;
use super::io::{CommandResult, InputStream, Io, OutputStream, OutputTarget};
use super::parse::{
    self, Expansion, Fd, Join, List, Node, ParseError, Piece, Pipeline, Redirect, Target, Word,
};
use crate::adb_phone::AdbPhone;
use crate::fault::WireFault;
use crate::files;

const MAX_WORD: usize = 1 << 20;
const MAX_ARGS: usize = 2 << 20;
/// The most bytes that the values of all variables of a shell hold.
const MAX_VALUES: usize = 16 << 20;
const PIPE: usize = 16;

#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(crate) adb_phone: AdbPhone,
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) status: u8,
    /// `$$`, unique to this shell.
    pid: u32,
    /// Whether the shell ends: after `exit`, or because a limit was reached.
    pub(crate) exited: bool,
}

type Running<'a, T = CommandResult> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl Shell {
    pub(crate) fn new(adb_phone: &AdbPhone) -> Self {
        let names = [
            ("HOME", "/"),
            (
                "PATH",
                "/product/bin:/apex/com.android.runtime/bin:/system/bin:/vendor/bin",
            ),
            ("USER", "shell"),
            ("LOGNAME", "shell"),
            ("SHELL", "/bin/sh"),
            ("HOSTNAME", &adb_phone.options().device),
            ("EXTERNAL_STORAGE", "/sdcard"),
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("TMPDIR", "/data/local/tmp"),
        ];
        Self {
            names: names
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            adb_phone: adb_phone.clone(),
            status: 0,
            pid: adb_phone.new_pid(),
            exited: false,
        }
    }

    pub(crate) async fn script(&mut self, text: &str, io: &Io) -> CommandResult {
        let why = match parse::parse(text) {
            Ok(list) => return self.list(&list, io).await,
            Err(ParseError::Open) => "syntax error: unexpected end of file".to_owned(),
            Err(ParseError::Bad(why)) => why,
        };
        self.status = print_error(io, &why, 1).await?;
        Ok(1)
    }

    pub(crate) fn list<'a>(&'a mut self, list: &'a List, io: &'a Io) -> Running<'a> {
        Box::pin(async move {
            for (join, pipeline) in list {
                let runs = match join {
                    Join::Always => true,
                    Join::And => self.status == 0,
                    Join::Or => self.status != 0,
                };
                if runs {
                    self.status = self.pipeline(pipeline, io).await?;
                }
                if self.exited {
                    break;
                }
            }
            Ok(self.status)
        })
    }

    async fn pipeline(&mut self, pipeline: &Pipeline, io: &Io) -> CommandResult {
        let [parts @ .., last] = pipeline.as_slice() else {
            return Ok(0);
        };
        if parts.is_empty() {
            return self.node(last, io).await;
        }
        let mut input = io.input.clone();
        let mut running: Vec<Running<'_, ()>> = Vec::new();
        for part in parts {
            let (to, from) = mpsc::channel(PIPE);
            let mut own = io.clone();
            (own.input, own.out) = (input, OutputTarget::Pipe(to));
            input = InputStream::from(from);
            let mut shell = self.clone();
            running.push(Box::pin(async move {
                // A closed reader ends the writer.
                let _ = shell.node(part, &own).await;
            }));
        }
        let mut own = io.clone();
        own.input = input;
        let mut shell = self.clone();
        let last = async move {
            let done = shell.node(last, &own).await;
            drop(own);
            done
        };
        let (done, ()) = tokio::join!(last, run_all(running));
        done
    }

    fn node<'a>(&'a mut self, node: &'a Node, io: &'a Io) -> Running<'a> {
        Box::pin(async move {
            match node {
                Node::Simple {
                    assigns,
                    words,
                    redirects,
                } => self.simple(assigns, words, redirects, io).await,
                Node::Block {
                    list,
                    redirects,
                    is_subshell,
                } => match self.redirect(redirects, io).await? {
                    Ok(io) if *is_subshell => self.clone().list(list, &io).await,
                    Ok(io) => self.list(list, &io).await,
                    Err(status) => Ok(status),
                },
                Node::If {
                    test,
                    body,
                    otherwise,
                } => {
                    let passed = self.list(test, io).await? == 0;
                    if self.exited {
                        return Ok(self.status);
                    }
                    self.status = 0;
                    let chosen = if passed { body } else { otherwise };
                    self.list(chosen, io).await
                }
            }
        })
    }

    async fn simple(
        &mut self,
        assigns: &[(String, Word)],
        words: &[Word],
        redirects: &[Redirect],
        io: &Io,
    ) -> CommandResult {
        if self.names.values().map(String::len).sum::<usize>() > MAX_VALUES {
            let why = format!("the variables hold more than {MAX_VALUES} bytes");
            self.give_up(io, &why).await?;
            return Ok(self.status);
        }
        let args = self.words(words, io).await?;
        let mut values = Vec::new();
        for (name, word) in assigns {
            let value = self.text(word, io).await?;
            values.push((name.clone(), value));
        }
        // A word whose expansion failed is not used.
        if self.exited {
            return Ok(self.status);
        }
        let io = match self.redirect(redirects, io).await? {
            Ok(io) => io,
            Err(status) => return Ok(status),
        };
        let Some(name) = args.first() else {
            self.names.extend(values);
            return Ok(if words.is_empty() { 0 } else { self.status });
        };
        let name = name.clone();
        self.adb_phone.record().command(&args);
        if name == "exec" {
            // The program that replaces the shell has them in its environment.
            self.names.extend(values.clone());
        }
        if let Some(done) = self.builtin(&name, &args, &io).await {
            return done;
        }
        let mut shell = self.clone();
        shell.names.extend(values);
        command::run(&shell, &args, &io).await
    }

    async fn give_up(&mut self, io: &Io, why: &str) -> Result<(), super::io::PipeClosed> {
        self.exited = true;
        self.status = print_error(io, why, 1).await?;
        Ok(())
    }

    /// Appends to a word; ends the shell if it becomes too long.
    async fn extend(
        &mut self,
        word: &mut String,
        by: &str,
        io: &Io,
    ) -> Result<(), super::io::PipeClosed> {
        if word.len() + by.len() <= MAX_WORD {
            word.push_str(by);
        } else if !self.exited {
            let why = format!("a word has more than {MAX_WORD} bytes");
            self.give_up(io, &why).await?;
        }
        Ok(())
    }

    /// The streams of a command after its redirections; a status if one of them fails.
    async fn redirect(
        &mut self,
        redirects: &[Redirect],
        io: &Io,
    ) -> Result<Result<Io, u8>, super::io::PipeClosed> {
        let mut io = io.clone();
        for (fd, to) in redirects {
            let (word, verb) = match to {
                Target::Same(same) => {
                    let same = match same {
                        Fd::Error => io.error.clone(),
                        Fd::Out | Fd::In => io.out.clone(),
                    };
                    io.redirect(*fd, same);
                    continue;
                }
                Target::Read(word) => (word, "open"),
                Target::Write(word) | Target::Append(word) => (word, "create"),
            };
            let name = self.text(word, &io).await?;
            if self.exited {
                return Ok(Err(self.status));
            }
            let done = match to {
                Target::Read(_) => self.input(&name, &io).map(|input| io.input = input),
                _ => self
                    .open(&name, matches!(to, Target::Append(_)), &io)
                    .map(|out| io.redirect(*fd, out)),
            };
            if let Err(errno) = done {
                let why = format!("can't {verb} {name}: {errno}");
                return Ok(Err(print_error(&io, &why, 1).await?));
            }
        }
        Ok(Ok(io))
    }

    fn input(&self, name: &str, io: &Io) -> files::Result<InputStream> {
        match files::normal("/", name).as_str() {
            "/dev/tty" => io.terminal().map(|_| io.input.clone()),
            path => Ok(InputStream::from_bytes(&self.adb_phone.files().read(path)?)),
        }
    }

    /// Opens a file for output; truncates it unless it is kept.
    fn open(&self, name: &str, keep: bool, io: &Io) -> files::Result<OutputTarget> {
        let path = files::normal("/", name);
        match path.as_str() {
            "/dev/null" => return Ok(OutputTarget::Null),
            "/dev/tty" => return io.terminal().cloned(),
            "/dev/stdout" => return Ok(io.out.clone()),
            "/dev/stderr" => return Ok(io.error.clone()),
            _ => {}
        }
        let now = self.adb_phone.clock().now().stamp();
        let files = self.adb_phone.files();
        if !keep || files.meta(&path).is_err() {
            if self.adb_phone.faults().has(&WireFault::FullDisk) {
                return Err(files::Errno::NoSpace);
            }
            files.write(&path, Vec::new(), 0o660, now)?;
        }
        Ok(OutputTarget::File(self.adb_phone.clone(), path))
    }

    async fn text(&mut self, word: &Word, io: &Io) -> Result<String, super::io::PipeClosed> {
        let mut text = String::new();
        for piece in word {
            let more = self.piece(piece, io).await?;
            self.extend(&mut text, &more, io).await?;
        }
        Ok(text)
    }

    fn piece<'a>(
        &'a mut self,
        piece: &'a Piece,
        io: &'a Io,
    ) -> Running<'a, Result<String, super::io::PipeClosed>> {
        Box::pin(async move {
            let what = match piece {
                Piece::Text(text) => return Ok(text.clone()),
                Piece::Expansion { what, .. } => what,
            };
            Ok(match what {
                Expansion::Name(name) => match name.as_str() {
                    "?" => self.status.to_string(),
                    "$" => self.pid.to_string(),
                    name => self.names.get(name).cloned().unwrap_or_default(),
                },
                Expansion::Output(script) => self.output(script, io).await,
                Expansion::Sum(text) => {
                    let text = self.text(text, io).await?;
                    self.sum(&text).to_string()
                }
            })
        })
    }

    /// Runs a script and returns what it prints.
    async fn output(&mut self, script: &List, io: &Io) -> String {
        let (to, mut from) = mpsc::channel(PIPE);
        let inner = Io {
            out: OutputTarget::Wire(to, OutputStream::Out),
            ..io.clone()
        };
        let mut shell = self.clone();
        let run = async move {
            let done = shell.list(script, &inner).await;
            drop(inner);
            done
        };
        let read = async {
            let mut all = Vec::new();
            // Output beyond the limit is not read, which ends the command that writes it.
            while all.len() <= MAX_WORD
                && let Some((_, bytes)) = from.recv().await
            {
                all.extend(bytes);
            }
            drop(from);
            all
        };
        let (done, bytes) = tokio::join!(run, read);
        // A command that was ended early has status 1.
        self.status = done.unwrap_or(1);
        let text = String::from_utf8_lossy(&bytes);
        text.trim_end_matches('\n').to_owned()
    }

    /// The value of `a + b - c`; a word that is neither a number nor the name of one counts as 0.
    fn sum(&self, text: &str) -> i64 {
        let (mut total, mut sign) = (0_i64, 1);
        for word in text.split_whitespace() {
            match word {
                "+" => sign = 1,
                "-" => sign = -1,
                word => {
                    let number = |text: &str| text.parse::<i64>().ok();
                    let named = || number(self.names.get(word)?);
                    let value = number(word).or_else(named).unwrap_or(0);
                    total = total.wrapping_add(value.wrapping_mul(sign));
                }
            }
        }
        total
    }

    /// Expands words to arguments: unquoted expansions are split at blanks.
    async fn words(
        &mut self,
        words: &[Word],
        io: &Io,
    ) -> Result<Vec<String>, super::io::PipeClosed> {
        let mut args: Vec<String> = Vec::new();
        for word in words {
            if args.iter().map(String::len).sum::<usize>() > MAX_ARGS && !self.exited {
                self.give_up(io, "Argument list too long").await?;
            }
            if self.exited {
                break;
            }
            // The current argument.
            let mut now: Option<String> = None;
            for piece in word {
                let text = self.piece(piece, io).await?;
                if !matches!(piece, Piece::Expansion { quoted: false, .. }) {
                    let now = now.get_or_insert_default();
                    self.extend(now, &text, io).await?;
                    continue;
                }
                if text.starts_with(char::is_whitespace) {
                    args.extend(now.take());
                }
                for (place, part) in text.split_whitespace().enumerate() {
                    if place > 0 {
                        args.extend(now.take());
                    }
                    let now = now.get_or_insert_default();
                    self.extend(now, part, io).await?;
                }
                if text.ends_with(char::is_whitespace) {
                    args.extend(now.take());
                }
            }
            args.extend(now);
        }
        Ok(args)
    }
}

/// Runs futures concurrently until all have ended.
async fn run_all(mut running: Vec<Running<'_, ()>>) {
    std::future::poll_fn(|context| {
        running.retain_mut(|each| each.as_mut().poll(context).is_pending());
        if running.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}

pub(super) async fn print_error(io: &Io, why: &str, status: u8) -> CommandResult {
    io.error.line(format!("/system/bin/sh: {why}")).await?;
    Ok(status)
}

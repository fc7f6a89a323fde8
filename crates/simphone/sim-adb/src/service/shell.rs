//! Streams of commands: with packets or without, with a terminal or without.

use adb::wire::mux::MuxStream;
use adb::wire::shell::{self as packets, Kind};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::Connection;
use crate::fault::{Stage, WireFault};
use crate::shell::io::{In, Io, Out, OutputStream};
use crate::shell::{Shell, session};

/// How many chunks may wait on their way.
const WAITING: usize = 16;
/// The end of text that is typed: Ctrl-D.
const END: u8 = 4;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellRequest {
    /// Packets, which separate the streams and the status.
    packets: bool,
    terminal: Terminal,
    command: String,
}

/// The terminal of a command. adbd gives each command one that has no packets: its end tells the command that the other
/// side is gone. Only with packets there is none; `/dev/tty` cannot be opened then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Terminal {
    None,
    /// It passes every byte as it is.
    Raw,
    /// It edits lines and ends those of the output with a return.
    Cooked,
}

impl ShellRequest {
    /// `old` are phones whose daemon knows no packets: they gave every command a terminal.
    pub(super) fn new(kind: &str, flags: &str, command: &str, old: LegacyDaemon) -> Self {
        let has = |flag: &str| flags.split(',').any(|each| each == flag);
        let default = command.is_empty() || old == LegacyDaemon::Yes;
        let terminal = if kind == "shell" && (has("pty") || (default && !has("raw"))) {
            Terminal::Cooked
        } else if has("v2") || old == LegacyDaemon::Yes {
            Terminal::None
        } else {
            Terminal::Raw
        };
        Self {
            packets: has("v2"),
            terminal,
            command: command.to_owned(),
        }
    }
}

/// Whether the daemon is one of before Android 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegacyDaemon {
    Yes,
    No,
}

/// What goes out: bytes of a stream, or the status at the end.
type Outgoing = (OutputStream, Vec<u8>);

pub(super) async fn serve(stream: MuxStream, asked: ShellRequest, connection: &Connection) {
    let adb_phone = &connection.adb_phone;
    let cut = |wanted: Stage| {
        let strikes = |fault: &WireFault| match fault {
            WireFault::CutIn { command, stage }
                if *stage == wanted && asked.command.contains(command) =>
            {
                Some(())
            }
            _ => None,
        };
        adb_phone.faults().strike(strikes).is_some()
    };
    if cut(Stage::Before) {
        return connection.break_off().await;
    }
    let late = cut(Stage::Done);
    let (reader, mut writer) = tokio::io::split(stream);
    let (typed, input) = mpsc::channel(WAITING);
    let (out, mut outgoing) = mpsc::channel::<Outgoing>(WAITING);
    let io = Io {
        input: In::from(input),
        out: Out::Wire(out.clone(), OutputStream::Out),
        error: Out::Wire(
            out.clone(),
            if asked.packets && asked.terminal == Terminal::None {
                OutputStream::Error
            } else {
                OutputStream::Out
            },
        ),
        tty: (asked.terminal != Terminal::None).then(|| Out::Wire(out.clone(), OutputStream::Out)),
    };
    drop(out);
    let mut shell = Shell::new(adb_phone);
    let command = asked.command.clone();
    let (cooked, with_packets) = (asked.terminal == Terminal::Cooked, asked.packets);
    let running = async move {
        let done = if command.is_empty() {
            session::run(&mut shell, &io).await
        } else {
            shell.script(&command, &io).await
        };
        // Nothing is written any more.
        drop(io);
        done
    };
    let writing = async move {
        while let Some((side, bytes)) = outgoing.recv().await {
            if late {
                continue;
            }
            let bytes = if cooked { with_returns(&bytes) } else { bytes };
            let bytes = match (with_packets, side) {
                (false, _) => bytes,
                (true, OutputStream::Out) => packets::packet(Kind::Stdout, &bytes),
                (true, OutputStream::Error) => packets::packet(Kind::Stderr, &bytes),
            };
            writer.write_all(&bytes).await?;
        }
        Ok::<_, std::io::Error>(writer)
    };
    let both = async {
        // The program ends when its output is not read.
        let (done, written) = tokio::join!(running, writing);
        Some((done.ok()?, written.ok()?))
    };
    let reading = read(reader, typed, with_packets, asked.terminal);
    tokio::pin!(both);
    let ended = tokio::select! {
        ended = &mut both => ended,
        // The client is gone: the command is ended.
        () = reading => None,
    };
    if late {
        return connection.break_off().await;
    }
    if let Some((status, mut writer)) = ended {
        if with_packets {
            // Nobody may be there to read it.
            let _ = writer
                .write_all(&packets::packet(Kind::Exit, &[status]))
                .await;
        }
        let _ = writer.shutdown().await;
    }
}

/// Bytes as a terminal sends them on: lines end with a return too.
fn with_returns(bytes: &[u8]) -> Vec<u8> {
    let mut changed = Vec::with_capacity(bytes.len() + 8);
    for byte in bytes {
        if *byte == b'\n' {
            changed.push(b'\r');
        }
        changed.push(*byte);
    }
    changed
}

/// Takes what comes to the command's standard input; returns when the stream has ended. On a terminal that edits lines
/// returns end lines and Ctrl-D ends all.
async fn read(
    mut reader: impl AsyncRead + Unpin,
    typed: mpsc::Sender<Vec<u8>>,
    with_packets: bool,
    terminal: Terminal,
) {
    let mut typed = Some(typed);
    let cooked = terminal == Terminal::Cooked;
    let mut take = async |bytes: Option<Vec<u8>>| {
        let Some(bytes) = bytes else {
            typed = None;
            return;
        };
        let end = bytes
            .iter()
            .position(|byte| *byte == END)
            .filter(|_| cooked);
        if let Some(to) = &typed {
            let bytes = match end {
                Some(end) => bytes.get(..end).unwrap_or_default().to_vec(),
                None if cooked => bytes
                    .iter()
                    .map(|byte| if *byte == b'\r' { b'\n' } else { *byte })
                    .collect(),
                None => bytes,
            };
            if to.send(bytes).await.is_err() || end.is_some() {
                typed = None;
            }
        }
    };
    if with_packets {
        while let Ok(Some((kind, data))) = packets::read(&mut reader).await {
            match kind {
                Kind::Stdin => take(Some(data)).await,
                // A terminal has no half of an end.
                Kind::CloseStdin if !cooked => take(None).await,
                Kind::CloseStdin | Kind::Stdout | Kind::Stderr | Kind::Exit | Kind::WindowSize => {}
            }
        }
        return;
    }
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = reader.read(&mut buffer).await {
        take(Some(buffer.get(..count).unwrap_or_default().to_vec())).await;
    }
}

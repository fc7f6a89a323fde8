//! Streams of commands: with packets or without, with a terminal or without.

use adb::wire::mux::MuxStream;
use adb::wire::shell::{self as packets, Kind};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::Connection;
use crate::fault::{CommandStage, WireFault};
use crate::shell::io::{InputStream, Io, OutputStream, OutputTarget};
use crate::shell::{Shell, session};

const CHANNEL_SIZE: usize = 16;
/// The end of typed text: Ctrl-D.
const END: u8 = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellRequest {
    /// Whether output comes in packets that separate the streams and the status.
    packets: bool,
    terminal: Terminal,
    command: String,
}

/// The terminal of a command. adbd gives one to each command without packets; its end tells the command that the client is
/// gone. With packets there is none, and `/dev/tty` cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Terminal {
    None,
    /// It passes every byte unchanged.
    Raw,
    /// It edits input lines and ends output lines with a carriage return.
    Cooked,
}

impl ShellRequest {
    /// A legacy daemon has no packets and gives every command of `shell:` a terminal.
    pub(super) fn new(kind: &str, flags: &str, command: &str, daemon: DaemonAge) -> Self {
        let has = |flag: &str| flags.split(',').any(|each| each == flag);
        let default = command.is_empty() || daemon == DaemonAge::Legacy;
        let terminal = if kind == "shell" && (has("pty") || (default && !has("raw"))) {
            Terminal::Cooked
        } else if has("v2") || daemon == DaemonAge::Legacy {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DaemonAge {
    Current,
    /// Before Android 7.
    Legacy,
}

type Outgoing = (OutputStream, Vec<u8>);

pub(super) async fn serve(stream: MuxStream, request: ShellRequest, connection: &Connection) {
    let adb_phone = &connection.adb_phone;
    let cut = |cut_stage: CommandStage| {
        let is_wanted = |fault: &WireFault| match fault {
            WireFault::CutIn { command, stage }
                if *stage == cut_stage && request.command.contains(command) =>
            {
                Some(())
            }
            _ => None,
        };
        adb_phone.faults().fire(is_wanted).is_some()
    };
    if cut(CommandStage::Before) {
        return connection.break_off().await;
    }
    let withholds_output = cut(CommandStage::Done);
    let (reader, mut writer) = tokio::io::split(stream);
    let (typed, input) = mpsc::channel(CHANNEL_SIZE);
    let (out, mut outgoing) = mpsc::channel::<Outgoing>(CHANNEL_SIZE);
    let has_terminal = request.terminal != Terminal::None;
    let error = match request.packets && !has_terminal {
        true => OutputStream::Error,
        false => OutputStream::Out,
    };
    let io = Io {
        input: InputStream::from(input),
        error: OutputTarget::Wire(out.clone(), error),
        tty: has_terminal.then(|| OutputTarget::Wire(out.clone(), OutputStream::Out)),
        out: OutputTarget::Wire(out, OutputStream::Out),
    };
    let mut shell = Shell::new(adb_phone);
    let command = request.command.clone();
    let (cooked, with_packets) = (request.terminal == Terminal::Cooked, request.packets);
    let running = async move {
        let done = if command.is_empty() {
            session::run(&mut shell, &io).await
        } else {
            shell.script(&command, &io).await
        };
        // Ends the writer.
        drop(io);
        done
    };
    let writing = async move {
        while let Some((side, bytes)) = outgoing.recv().await {
            if withholds_output {
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
        // A command ends when its output is no longer read.
        let (done, written) = tokio::join!(running, writing);
        Some((done.ok()?, written.ok()?))
    };
    let reading = read(reader, typed, with_packets, request.terminal);
    tokio::pin!(both);
    let ended = tokio::select! {
        ended = &mut both => ended,
        // The client is gone: the command is ended.
        () = reading => None,
    };
    if withholds_output {
        return connection.break_off().await;
    }
    if let Some((status, mut writer)) = ended {
        if with_packets {
            // The client may be gone.
            let exit = packets::packet(Kind::Exit, &[status]);
            let _ = writer.write_all(&exit).await;
        }
        let _ = writer.shutdown().await;
    }
}

/// Inserts the carriage return that a terminal writes before each newline.
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

/// Forwards the client's bytes to the command's standard input; returns when the stream ends. On a terminal that edits lines
/// a carriage return ends a line and Ctrl-D ends the input.
async fn read(
    mut reader: impl AsyncRead + Unpin,
    typed: mpsc::Sender<Vec<u8>>,
    with_packets: bool,
    terminal: Terminal,
) {
    let mut typed = Some(typed);
    let cooked = terminal == Terminal::Cooked;
    let mut forward = async |bytes: Option<Vec<u8>>| {
        let Some(bytes) = bytes else {
            typed = None;
            return;
        };
        let end = bytes.iter().position(|byte| *byte == END && cooked);
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
                Kind::Stdin => forward(Some(data)).await,
                // Closing its input does not end a terminal.
                Kind::CloseStdin if !cooked => forward(None).await,
                Kind::CloseStdin | Kind::Stdout | Kind::Stderr | Kind::Exit | Kind::WindowSize => {}
            }
        }
        return;
    }
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = reader.read(&mut buffer).await {
        forward(Some(buffer.get(..count).unwrap_or_default().to_vec())).await;
    }
}

//! Standard streams of commands: the client's stream, pipes and files.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

use crate::adb_phone::AdbPhone;
use crate::files::{self, Errno};

/// The reader is gone: the command ends, as with SIGPIPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PipeClosed;

/// The exit status of a command, or [`PipeClosed`].
pub(crate) type CommandResult = Result<u8, PipeClosed>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputStream {
    Out,
    Error,
}

#[derive(Clone, Debug)]
pub(crate) enum OutputTarget {
    /// To the client that sent the command.
    Wire(mpsc::Sender<(OutputStream, Vec<u8>)>, OutputStream),
    Pipe(mpsc::Sender<Vec<u8>>),
    File(AdbPhone, String),
    Null,
}

impl OutputTarget {
    pub(crate) async fn bytes(&self, bytes: impl Into<Vec<u8>>) -> Result<(), PipeClosed> {
        let bytes = bytes.into();
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            OutputTarget::Wire(to, side) => to.send((*side, bytes)).await.map_err(|_| PipeClosed),
            OutputTarget::Pipe(to) => to.send(bytes).await.map_err(|_| PipeClosed),
            OutputTarget::File(adb_phone, path) => {
                let full = adb_phone.faults().has(&crate::fault::WireFault::FullDisk);
                let now = adb_phone.clock().now().stamp();
                if full || adb_phone.files().append(path, &bytes, now).is_err() {
                    return Err(PipeClosed);
                }
                Ok(())
            }
            OutputTarget::Null => Ok(()),
        }
    }

    pub(crate) async fn line(&self, line: impl AsRef<str>) -> Result<(), PipeClosed> {
        self.bytes(format!("{}\n", line.as_ref())).await
    }
}

#[derive(Debug)]
struct Source {
    from: Option<mpsc::Receiver<Vec<u8>>>,
    read: VecDeque<u8>,
}

/// A command's input. Clones share the unread rest.
#[derive(Clone, Debug)]
pub(crate) struct InputStream(Arc<Mutex<Source>>);

impl InputStream {
    /// Reads from a channel until its sender is dropped.
    pub(crate) fn from(channel: mpsc::Receiver<Vec<u8>>) -> Self {
        Self(Arc::new(Mutex::new(Source {
            from: Some(channel),
            read: VecDeque::new(),
        })))
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self(Arc::new(Mutex::new(Source {
            from: None,
            read: bytes.iter().copied().collect(),
        })))
    }

    /// Reads the available bytes; waits for the first; empty at the end.
    pub(crate) async fn some(&self) -> Vec<u8> {
        let mut source = self.0.lock().await;
        source.fill().await;
        source.read.drain(..).collect()
    }

    /// Reads the next line with its newline, which the last line may lack; `None` at the end.
    pub(crate) async fn line(&self) -> Option<Vec<u8>> {
        let mut source = self.0.lock().await;
        let mut searched = 0;
        loop {
            if let Some(end) = source
                .read
                .iter()
                .skip(searched)
                .position(|byte| *byte == b'\n')
            {
                return Some(source.read.drain(..=searched + end).collect());
            }
            searched = source.read.len();
            if !source.more().await {
                return (searched > 0).then(|| source.read.drain(..).collect());
            }
        }
    }

    /// Reads `count` bytes, fewer at the end.
    pub(crate) async fn exactly(&self, count: usize) -> Vec<u8> {
        let mut source = self.0.lock().await;
        while source.read.len() < count && source.more().await {}
        let count = count.min(source.read.len());
        source.read.drain(..count).collect()
    }
}

impl Source {
    /// Waits for bytes if the buffer is empty.
    async fn fill(&mut self) {
        while self.read.is_empty() && self.more().await {}
    }

    /// Waits for more bytes; returns whether any arrived.
    async fn more(&mut self) -> bool {
        let Some(from) = &mut self.from else {
            return false;
        };
        match from.recv().await {
            Some(bytes) => {
                self.read.extend(bytes);
                true
            }
            None => {
                self.from = None;
                false
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Io {
    pub(crate) input: InputStream,
    pub(crate) out: OutputTarget,
    pub(crate) error: OutputTarget,
    /// `/dev/tty`; `None` if the command has no terminal.
    pub(crate) tty: Option<OutputTarget>,
}

impl Io {
    pub(super) fn redirect(&mut self, fd: super::parse::Fd, to: OutputTarget) {
        match fd {
            super::parse::Fd::Error => self.error = to,
            super::parse::Fd::Out | super::parse::Fd::In => self.out = to,
        }
    }
    pub(crate) fn terminal(&self) -> files::Result<&OutputTarget> {
        self.tty.as_ref().ok_or(Errno::NoDevice)
    }
}

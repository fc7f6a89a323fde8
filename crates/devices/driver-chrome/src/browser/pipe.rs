//! The pipe of `--remote-debugging-pipe`: a browser reads calls from file descriptor 3 and writes to 4, each
//! message followed by NUL. No other process can connect to it.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Command;

use cdp::protocol::browser::Version;
use command_fds::{CommandFdExt, FdMapping};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};

/// Requests the version. No other call has its id.
const VERSION_REQUEST: &[u8] = b"{\"id\":0,\"method\":\"Browser.getVersion\"}\0";

/// The pipe to a browser, which exits when this is dropped.
#[derive(Debug)]
pub struct Pipe {
    /// Messages from the browser.
    pub from_browser: BufReader<Receiver>,
    /// Messages to the browser.
    pub to_browser: Sender,
}

impl Pipe {
    /// Creates a pipe and passes its other ends to the process of `command`.
    pub(super) fn to(command: &mut Command) -> io::Result<Self> {
        let (read, browser_writes) = io::pipe()?;
        let (browser_reads, write) = io::pipe()?;
        let mapping = |parent_fd: OwnedFd, child_fd| FdMapping {
            parent_fd,
            child_fd,
        };
        command
            .fd_mappings(vec![
                mapping(browser_reads.into(), 3),
                mapping(browser_writes.into(), 4),
            ])
            .map_err(io::Error::other)?;
        Ok(Self {
            from_browser: BufReader::new(Receiver::from_owned_fd(read.into())?),
            to_browser: Sender::from_owned_fd(write.into())?,
        })
    }

    /// Waits for the browser's version; `None` if it closes the pipe instead.
    pub(super) async fn wait_for_version(&mut self) -> Option<String> {
        #[derive(Deserialize)]
        struct Answer {
            result: Version,
        }
        self.to_browser.write_all(VERSION_REQUEST).await.ok()?;
        let mut answer = Vec::new();
        let read = self.from_browser.read_until(0, &mut answer).await;
        let answer = answer.strip_suffix(&[0]).filter(|_| read.is_ok())?;
        let answer: Answer = serde_json::from_slice(answer).ok()?;
        Some(answer.result.product)
    }
}

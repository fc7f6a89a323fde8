//! The single stream of a command: first the output of the broadcast, then the phone's log.

use std::time::Duration;

use adb::client::Pipe;
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use crate::operator::collect::Collector;
use crate::profile::PART_SEPARATOR;

/// The maximum size of the output before the log, in bytes.
const MAX_HEAD: usize = 256 * 1024;

/// How long to wait for the rest of an incomplete answer.
const REST_TIMEOUT: Duration = Duration::from_secs(2);

/// The stream.
pub(super) struct Stream {
    pipe: Pipe,
    /// Received data that was not processed yet.
    rest: Vec<u8>,
    /// The lines of the head so far.
    lines: Vec<String>,
}

/// The result of the broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The process of the app; `None` if it is not running yet.
    pub(super) pid: Option<u32>,
    /// Whether the log contains the mark of this command.
    pub(super) marked: MarkResult,
    /// The exit status of `am`.
    pub(super) status: u32,
    /// The output of `am`.
    pub(super) output: String,
}

/// Whether the log contains the mark of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkResult {
    /// It does.
    Yes,
    /// The phone lacks the program that writes it.
    No,
}

/// The outcome of listening.
pub(super) enum ListenOutcome {
    /// The answer is complete.
    Answered,
    /// The answer remained incomplete: the log lost a part of it.
    Broken,
    /// The log ended first; the reason.
    LogEnded(String),
}

impl Stream {
    pub(super) const fn new(pipe: Pipe) -> Self {
        Self {
            pipe,
            rest: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The phone's time at the start, in seconds since 1970, once known.
    pub(super) fn since(&self) -> Option<u64> {
        self.lines.first()?.trim().parse().ok()
    }

    /// Reads more data; the error is the reason why there is none.
    async fn read_more(&mut self) -> Result<(), String> {
        let mut bytes = [0; 16 * 1024];
        let read = self.pipe.read(&mut bytes).await;
        match read.map_err(|error| error.to_string())? {
            0 => Err("the phone's log ended".to_owned()),
            read => {
                self.rest
                    .extend_from_slice(bytes.get(..read).unwrap_or_default());
                Ok(())
            }
        }
    }

    /// Takes the complete lines; a multi-byte character may arrive in two parts.
    fn whole_lines(&mut self) -> String {
        let end = self.rest.iter().rposition(|byte| *byte == b'\n');
        let lines: Vec<u8> = end.map_or_else(Vec::new, |end| self.rest.drain(..=end).collect());
        String::from_utf8_lossy(&lines).into_owned()
    }

    /// Takes the next complete line.
    fn next_line(&mut self) -> Option<String> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.rest.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    /// Reads until the log begins.
    pub(super) async fn head(&mut self) -> Result<Head, String> {
        loop {
            while let Some(line) = self.next_line() {
                self.lines.push(line);
                if let Some(head) = read_head(&self.lines) {
                    return Ok(head);
                }
            }
            if self.rest.len() + self.lines.iter().map(String::len).sum::<usize>() > MAX_HEAD {
                return Err(
                    "the phone's shell printed more than was expected before the log".to_owned(),
                );
            }
            self.read_more().await?;
        }
    }

    /// Reads the log until the answer is complete.
    pub(super) async fn listen(&mut self, collector: &mut Collector) -> ListenOutcome {
        let mut unfinished = None;
        let mut since = Instant::now();
        loop {
            for line in self.whole_lines().lines() {
                if collector.take(line) {
                    return ListenOutcome::Answered;
                }
            }
            if collector.unfinished() != unfinished {
                unfinished = collector.unfinished();
                since = Instant::now();
            }
            let read = if unfinished.is_some() {
                // The parts of an answer are written together.
                match tokio::time::timeout_at(since + REST_TIMEOUT, self.read_more()).await {
                    Ok(read) => read,
                    Err(_) => return ListenOutcome::Broken,
                }
            } else {
                self.read_more().await
            };
            if let Err(why) = read {
                return ListenOutcome::LogEnded(why);
            }
        }
    }
}

/// Parses the lines before the log, once they are complete.
fn read_head(lines: &[String]) -> Option<Head> {
    let last = lines.last()?.trim();
    let status = last.strip_prefix(PART_SEPARATOR)?.trim();
    if status.is_empty() {
        return None;
    }
    let text = lines.concat();
    let mut parts = text.split(PART_SEPARATOR);
    let (marked, pid, output) = (parts.next()?, parts.next()?, parts.next()?);
    Some(Head {
        pid: pid
            .split_whitespace()
            .next()
            .and_then(|pid| pid.parse().ok()),
        marked: if marked.contains("no-mark") {
            MarkResult::No
        } else {
            MarkResult::Yes
        },
        status: status.parse().unwrap_or(u32::MAX),
        output: output.trim().to_owned(),
    })
}

impl Head {
    /// Whether `am` was killed by a signal; it may have sent the broadcast before. Java tools exit with 255 on
    /// exceptions.
    pub(super) fn was_killed(&self) -> bool {
        (129..=192).contains(&self.status)
    }

    /// The message of `am` if it did not send the broadcast.
    pub(super) fn refusal(&self) -> Option<String> {
        if self.status == 0 && self.output.contains("Broadcast completed") {
            return None;
        }
        let mut lines = self
            .output
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let error_line = lines
            .clone()
            .find(|line| line.contains("Exception") || line.contains("Error"));
        let line = error_line.or_else(|| lines.next_back());
        Some(match line {
            Some(line) => line.chars().take(300).collect(),
            None => format!("am ended with status {}", self.status),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split_inclusive('\n').map(str::to_owned).collect()
    }

    #[test]
    fn head_has_process_and_status() {
        let whole = "1767258000\r\n--clawperator--\n2477\n--clawperator--\nBroadcasting: Intent { }\n\
                     Broadcast completed: result=0\n--clawperator-- 0\n";
        let head = read_head(&lines(whole)).unwrap();
        assert_eq!((head.pid, head.status), (Some(2477), 0));
        assert_eq!((head.marked, head.refusal()), (MarkResult::Yes, None));
        let part = lines(whole);
        for end in 1..part.len() {
            assert_eq!(read_head(&part[..end]), None, "{end}");
        }
        let failed = "1767258000\nno-mark\n--clawperator--\n\n--clawperator--\nBroadcasting: Intent { }\n\n\
                      java.lang.SecurityException: Permission Denial\n\tat android.os.Parcel\n--clawperator-- 255\n";
        let head = read_head(&lines(failed)).unwrap();
        assert_eq!((head.pid, head.marked), (None, MarkResult::No));
        assert_eq!(
            head.refusal().unwrap(),
            "java.lang.SecurityException: Permission Denial"
        );
    }
}

//! The services of a phone over any connection.

use std::path::Path;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::OnceCell;

use crate::client::{Link, Pipe};
use crate::error::{Error, ErrorKind, Progress, Result};
use crate::wire::{shell, sync};

/// The maximum size of an answer in bytes: more than any screen, screenshot or log.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

#[derive(Clone, Debug)]
pub struct Phone {
    link: Arc<dyn Link>,
    features: Arc<OnceCell<Vec<String>>>,
}

/// The output of a shell command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error; empty on phones before Android 7, where it is part of standard output.
    pub stderr: Vec<u8>,
    /// The exit status.
    pub status: u8,
}

impl Output {
    /// Standard output as text; invalid UTF-8 becomes U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, or standard output if it is empty.
    pub fn error_text(&self) -> String {
        let stderr_text = String::from_utf8_lossy(&self.stderr);
        let stderr_text = stderr_text.trim();
        if stderr_text.is_empty() {
            self.text().trim().to_owned()
        } else {
            stderr_text.to_owned()
        }
    }
}

/// The status of a path on the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Type and permissions, as `st_mode`.
    pub mode: u32,
    /// Size in bytes.
    pub size: u64,
    /// Modification time in seconds since 1970.
    pub modified: u64,
}

/// Linux error numbers in the second version of stat.
const NO_ENTRY: u32 = 2;
const PERMISSION_DENIED: u32 = 13;
const NOT_A_DIRECTORY: u32 = 20;

/// Marks the exit status at the end of the output, for shells without protocol v2.
const STATUS_MARK: &str = "clawperator-status:";

impl Phone {
    /// The phone of a link.
    pub fn new(link: Arc<dyn Link>) -> Self {
        Self {
            link,
            features: Arc::default(),
        }
    }

    /// Whether a later request may reach the phone after it was lost.
    pub fn comes_back(&self) -> bool {
        self.link.comes_back()
    }

    /// The features of the phone; requested once.
    pub async fn features(&self) -> Result<&[String]> {
        let answered = self
            .features
            .get_or_try_init(|| self.link.features())
            .await?;
        Ok(answered)
    }

    /// Whether to try shell protocol v2. A phone before Android 7 refuses it and is then asked for its
    /// features.
    fn may_use_shell_v2(&self) -> bool {
        let known = self.features.get();
        known.is_none_or(|features| features.iter().any(|feature| feature == "shell_v2"))
    }

    async fn has(&self, feature: &str) -> Result<bool> {
        Ok(self.features().await?.iter().any(|known| known == feature))
    }

    /// Runs a command line in the phone's shell and waits for its end. Quote untrusted text
    /// ([`crate::quote`]).
    ///
    /// # Errors
    /// Errors of the link; with [`Progress::Started`](crate::Progress::Started) if the connection broke while
    /// the command ran. A failed command is not an error: see its status.
    pub async fn shell(&self, command: &str) -> Result<Output> {
        if let Some(output) = self.shell_v2(command).await? {
            return Ok(output);
        }
        // In a subshell, so that a command that exits still has a status.
        let script = format!("( {command}\n) 2>&1; echo {STATUS_MARK}$?");
        let mut pipe = self.link.open(&format!("shell:{script}")).await?;
        let bytes = read_all(&mut pipe)
            .await
            .map_err(|error| error.after(Progress::Started))?;
        read_marked(&bytes).map_err(|error| error.after(Progress::Started))
    }

    /// Runs a command with shell protocol v2, which separates standard error and changes no byte; `None`, with
    /// nothing started, if the phone lacks it.
    async fn shell_v2(&self, command: &str) -> Result<Option<Output>> {
        check_command(command)?;
        if !self.may_use_shell_v2() {
            return Ok(None);
        }
        match self.link.open(&format!("shell,v2,raw:{command}")).await {
            Ok(mut pipe) => read_shell_v2(&mut pipe)
                .await
                .map(Some)
                .map_err(|error| error.after(Progress::Started)),
            // If the service is unknown, nothing started; otherwise the phone may have been lost meanwhile.
            Err(refused) if matches!(refused.kind, ErrorKind::Refused(_)) => {
                if self.has("shell_v2").await.unwrap_or(true) {
                    return Err(refused);
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Runs a command with binary output, such as a screenshot, and waits for its end. Phones before Android 7
    /// report neither status nor standard error; there the caller has to detect truncated output.
    pub async fn raw(&self, command: &str) -> Result<Output> {
        if let Some(output) = self.shell_v2(command).await? {
            return Ok(output);
        }
        Ok(Output {
            stdout: self.exec(command).await?,
            ..Output::default()
        })
    }

    /// Runs a command on a raw terminal, with standard output and standard error combined.
    ///
    /// # Errors
    /// Errors of the link. Neither a status nor truncation is reported: the caller has to detect it in the
    /// output.
    pub async fn exec(&self, command: &str) -> Result<Vec<u8>> {
        check_command(command)?;
        let mut pipe = self.link.open(&format!("exec:{command}")).await?;
        read_all(&mut pipe)
            .await
            .map_err(|error| error.after(Progress::Started))
    }

    /// Opens a stream to an endless service, such as a log.
    pub async fn open(&self, service: &str) -> Result<Pipe> {
        self.link.open(service).await
    }

    /// Writes a file to the phone. `mode` is its permissions.
    ///
    /// # Errors
    /// `Refused` with the phone's message, for example if its storage is full; errors of the link.
    pub async fn push(
        &self,
        from: &mut (dyn AsyncRead + Send + Unpin),
        to: &str,
        mode: u32,
    ) -> Result<u64> {
        let mut pipe = self.sync(to).await?;
        let path = format!("{to},{}", 0o100_000 | (mode & 0o777));
        send_part(&mut pipe, &sync::message(sync::SEND, path.as_bytes())).await?;
        let mut piece = vec![0; sync::MAX_DATA];
        let mut total = 0_u64;
        loop {
            let read = from.read(&mut piece).await?;
            let Some(data) = piece.get(..read).filter(|data| !data.is_empty()) else {
                break;
            };
            send_part(&mut pipe, &sync::message(sync::DATA, data)).await?;
            total += read as u64;
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seconds = now.map_or(0, |now| u32::try_from(now.as_secs()).unwrap_or(u32::MAX));
        send_part(&mut pipe, &sync::head(sync::DONE, seconds)).await?;
        answer(&mut pipe).await?;
        quit(pipe).await;
        Ok(total)
    }

    /// Reads a file of the phone.
    ///
    /// # Errors
    /// `Refused` with the phone's message, `TooLarge` beyond `limit` bytes, errors of the link.
    pub async fn pull(&self, from: &str, limit: usize) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        self.pull_to(from, &mut file, limit).await?;
        Ok(file)
    }

    /// Reads a file of the phone in pieces; returns its size in bytes.
    ///
    /// # Errors
    /// As [`Phone::pull`]; `Io` if a piece cannot be written.
    pub async fn pull_to(
        &self,
        from: &str,
        to: &mut (dyn std::io::Write + Send),
        limit: usize,
    ) -> Result<usize> {
        let mut pipe = self.sync(from).await?;
        pipe.write_all(&sync::message(sync::RECV, from.as_bytes()))
            .await?;
        let (mut total, mut piece) = (0, Vec::new());
        loop {
            let (id, number) = sync::read_head(&mut pipe).await?;
            match id {
                sync::DATA => {
                    let length = number as usize;
                    if length > sync::MAX_DATA || total + length > limit {
                        return Err(ErrorKind::TooLarge { limit }.into());
                    }
                    piece.resize(length, 0);
                    pipe.read_exact(&mut piece).await?;
                    to.write_all(&piece)?;
                    total += length;
                }
                sync::DONE => break,
                other => return Err(sync_error(&mut pipe, other, number).await),
            }
        }
        quit(pipe).await;
        Ok(total)
    }

    /// The status of a path; `None` if it does not exist. Phones before Android 8 do not distinguish a missing path from one that
    /// may not be read.
    ///
    /// # Errors
    /// `Refused` if the path may not be read; errors of the link.
    pub async fn stat(&self, path: &str) -> Result<Option<Stat>> {
        let has_stat_v2 = self.has("stat_v2").await?;
        let mut pipe = self.sync(path).await?;
        let id = if has_stat_v2 { sync::STAT2 } else { sync::STAT };
        pipe.write_all(&sync::message(id, path.as_bytes())).await?;
        let mut reply_id = [0; 4];
        pipe.read_exact(&mut reply_id).await?;
        if reply_id != id {
            let number = pipe.read_u32_le().await?;
            return Err(sync_error(&mut pipe, reply_id, number).await);
        }
        let stat = if has_stat_v2 {
            // error, dev (8), ino (8), mode, nlink, uid, gid, size (8), atime (8), mtime (8), ctime (8)
            let error = pipe.read_u32_le().await?;
            let mut skip = [0; 16];
            pipe.read_exact(&mut skip).await?;
            let mode = pipe.read_u32_le().await?;
            let mut skip = [0; 12];
            pipe.read_exact(&mut skip).await?;
            let size = pipe.read_u64_le().await?;
            let _accessed = pipe.read_u64_le().await?;
            let modified = pipe.read_u64_le().await?;
            let _changed = pipe.read_u64_le().await?;
            match error {
                0 => Some(Stat {
                    mode,
                    size,
                    modified,
                }),
                NO_ENTRY | NOT_A_DIRECTORY => None,
                PERMISSION_DENIED => {
                    let message = format!("{path}: permission denied");
                    return Err(ErrorKind::Refused(message).into());
                }
                other => {
                    let message = format!("{path}: error {other} of the phone's file system");
                    return Err(ErrorKind::Refused(message).into());
                }
            }
        } else {
            let mode = pipe.read_u32_le().await?;
            let size = u64::from(pipe.read_u32_le().await?);
            let modified = u64::from(pipe.read_u32_le().await?);
            (mode != 0).then_some(Stat {
                mode,
                size,
                modified,
            })
        };
        quit(pipe).await;
        Ok(stat)
    }

    async fn sync(&self, path: &str) -> Result<Pipe> {
        if path.len() > sync::MAX_PATH {
            let message = format!(
                "a path of {} bytes; the limit is {}",
                path.len(),
                sync::MAX_PATH
            );
            return Err(ErrorKind::Refused(message).into());
        }
        self.link.open("sync:").await
    }

    /// Writes a local file to the phone.
    ///
    /// # Errors
    /// As [`Phone::push`]; `Io` if the file cannot be read.
    pub async fn push_file(&self, from: &Path, to: &str, mode: u32) -> Result<u64> {
        // Reads in pieces: an app file may have gigabytes.
        let bytes = std::fs::File::open(from)?;
        let mut reader = FileReader(bytes);
        self.push(&mut reader, to, mode).await
    }
}

/// A file with blocking reads; they are short compared to the transfer.
struct FileReader(std::fs::File);

impl AsyncRead for FileReader {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        use std::io::Read;
        let read = self.get_mut().0.read(buffer.initialize_unfilled())?;
        buffer.advance(read);
        std::task::Poll::Ready(Ok(()))
    }
}

/// Refuses a command with NUL, where the phone would cut it.
fn check_command(command: &str) -> Result<()> {
    if command.contains('\0') {
        let why = "a command that contains NUL, where phones would cut it";
        return Err(ErrorKind::Refused(why.to_owned()).into());
    }
    Ok(())
}

async fn read_all(pipe: &mut Pipe) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut limited = pipe.take(MAX_ANSWER_BYTES as u64 + 1);
    limited.read_to_end(&mut bytes).await?;
    if bytes.len() > MAX_ANSWER_BYTES {
        return Err(ErrorKind::TooLarge {
            limit: MAX_ANSWER_BYTES,
        }
        .into());
    }
    Ok(bytes)
}

async fn read_shell_v2(pipe: &mut Pipe) -> Result<Output> {
    // A packet is read in three parts, which usually arrive together.
    let mut pipe = BufReader::new(pipe);
    let mut output = Output::default();
    while let Some((kind, data)) = shell::read(&mut pipe).await? {
        let into = match kind {
            shell::Kind::Stdout => &mut output.stdout,
            shell::Kind::Stderr => &mut output.stderr,
            shell::Kind::Exit => {
                output.status = data.first().copied().unwrap_or(u8::MAX);
                return Ok(output);
            }
            shell::Kind::Stdin | shell::Kind::CloseStdin | shell::Kind::WindowSize => continue,
        };
        if into.len() + data.len() > MAX_ANSWER_BYTES {
            return Err(ErrorKind::TooLarge {
                limit: MAX_ANSWER_BYTES,
            }
            .into());
        }
        into.extend_from_slice(&data);
    }
    // Without a status the output is incomplete.
    Err(ErrorKind::Closed.into())
}

/// Splits the status off the output of a shell without protocol v2, whose terminal ends lines with CRLF.
fn read_marked(bytes: &[u8]) -> Result<Output> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let (stdout, status) = text.rsplit_once(STATUS_MARK).ok_or(ErrorKind::Closed)?;
    let status = status
        .trim()
        .parse()
        .map_err(|_| Error::from(ErrorKind::Closed))?;
    Ok(Output {
        stdout: stdout.as_bytes().to_vec(),
        stderr: Vec::new(),
        status,
    })
}

/// Writes a part of a file. A phone that fails sends the reason and stops reading, so a failed write is followed by a read.
async fn send_part(pipe: &mut Pipe, bytes: &[u8]) -> Result<()> {
    let Err(error) = pipe.write_all(bytes).await else {
        return Ok(());
    };
    Err(match answer(pipe).await {
        Err(
            refused @ Error {
                kind: ErrorKind::Refused(_),
                ..
            },
        ) => refused,
        _ => Error::from(error),
    })
}

/// Reads OKAY, or FAIL with the reason.
async fn answer(pipe: &mut Pipe) -> Result<()> {
    let (id, number) = sync::read_head(pipe).await?;
    if id == sync::OKAY {
        return Ok(());
    }
    Err(sync_error(pipe, id, number).await)
}

/// The error for an unexpected message.
async fn sync_error(pipe: &mut Pipe, id: sync::Id, number: u32) -> Error {
    if id != sync::FAIL {
        let shown = String::from_utf8_lossy(&id).escape_debug().to_string();
        return Error::protocol(format!(
            "the phone's file service sent the unexpected message {shown:?}"
        ));
    }
    let mut reason = vec![0; (number as usize).min(sync::MAX_DATA)];
    match pipe.read_exact(&mut reason).await {
        Ok(_) => ErrorKind::refused(String::from_utf8_lossy(&reason).into_owned()).into(),
        Err(error) => error.into(),
    }
}

/// Ends the session; errors no longer matter.
async fn quit(mut pipe: Pipe) {
    let _ = pipe.write_all(&sync::head(sync::QUIT, 0)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_shell_status_is_parsed_from_mark() {
        let output = read_marked(b"one\r\ntwo\r\nclawperator-status:3\r\n").unwrap();
        assert_eq!((output.text().as_str(), output.status), ("one\ntwo\n", 3));
        assert!(read_marked(b"one\r\n").is_err());
        assert!(read_marked(b"clawperator-status:").is_err());
    }

    #[tokio::test]
    async fn command_with_nul_is_refused() {
        #[derive(Debug)]
        struct UnreachableLink;
        #[async_trait::async_trait]
        impl Link for UnreachableLink {
            async fn open(&self, service: &str) -> Result<Pipe> {
                panic!("{service} was sent");
            }
            async fn features(&self) -> Result<Vec<String>> {
                Ok(Vec::new())
            }
        }
        let phone = Phone::new(Arc::new(UnreachableLink));
        let error = phone.shell("rm 'a\0b'").await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Refused(_)));
        assert_eq!(error.reach, Progress::NotStarted);
        assert!(phone.exec("cat \0").await.is_err());
    }

    /// A phone that answers with two bytes and a warning; before Android 7 it lacks shell protocol v2.
    #[derive(Debug)]
    struct ScreencapLink(&'static [&'static str]);
    #[async_trait::async_trait]
    impl Link for ScreencapLink {
        async fn open(&self, service: &str) -> Result<Pipe> {
            let answer = match service {
                "shell,v2,raw:screencap" if self.0.contains(&"shell_v2") => [
                    shell::packet(shell::Kind::Stderr, b"warning"),
                    shell::packet(shell::Kind::Stdout, b"\r\n"),
                    shell::packet(shell::Kind::Exit, &[0]),
                ]
                .concat(),
                "exec:screencap" => b"\r\n".to_vec(),
                _ => return Err(ErrorKind::Refused("unknown service".to_owned()).into()),
            };
            Ok(Box::new(std::io::Cursor::new(answer)))
        }
        async fn features(&self) -> Result<Vec<String>> {
            Ok(self.0.iter().map(|feature| (*feature).to_owned()).collect())
        }
    }

    #[tokio::test]
    async fn raw_output_keeps_bytes_and_separates_standard_error() {
        for (features, stderr_text) in [(&["shell_v2"][..], "warning"), (&[], "")] {
            let phone = Phone::new(Arc::new(ScreencapLink(features)));
            let output = phone.raw("screencap").await.unwrap();
            assert_eq!(output.stdout, b"\r\n");
            assert_eq!(output.stderr, stderr_text.as_bytes());
        }
    }

    /// A phone whose file service is played by the test.
    #[derive(Debug)]
    struct SyncLink(std::sync::Mutex<Option<tokio::io::DuplexStream>>);
    #[async_trait::async_trait]
    impl Link for SyncLink {
        async fn open(&self, service: &str) -> Result<Pipe> {
            assert_eq!(service, "sync:");
            Ok(Box::new(self.0.lock().unwrap().take().unwrap()))
        }
        async fn features(&self) -> Result<Vec<String>> {
            Ok(vec!["stat_v2".to_owned()])
        }
    }

    fn sync_phone() -> (Phone, tokio::io::DuplexStream) {
        let (near, far) = tokio::io::duplex(1 << 20);
        let link = SyncLink(std::sync::Mutex::new(Some(near)));
        (Phone::new(Arc::new(link)), far)
    }

    #[tokio::test]
    async fn refusal_of_a_phone_that_closes_is_read_at_each_part_of_a_push() {
        let path = "/data/x";
        let send = sync::message(sync::SEND, format!("{path},33188").as_bytes()).len();
        let data = sync::message(sync::DATA, b"content").len();
        for read in [0, send, send + data] {
            let (phone, mut far) = sync_phone();
            let pushing = tokio::spawn(async move {
                let mut content = &b"content"[..];
                phone.push(&mut content, path, 0o644).await
            });
            far.read_exact(&mut vec![0; read]).await.unwrap();
            let refusal = sync::message(sync::FAIL, b"No space left on device");
            far.write_all(&refusal).await.unwrap();
            drop(far);
            let error = pushing.await.unwrap().unwrap_err();
            let is_refused =
                matches!(&error.kind, ErrorKind::Refused(why) if why.contains("No space"));
            assert!(is_refused, "after {read} bytes: {error:?}");
        }
    }

    #[tokio::test]
    async fn path_that_may_not_be_read_is_not_missing() {
        for (number, expected) in [(2_u32, Ok(true)), (20, Ok(true)), (13, Err("permission"))] {
            let (phone, mut far) = sync_phone();
            let mut reply = sync::head(sync::STAT2, number);
            reply.resize(72, 0);
            far.write_all(&reply).await.unwrap();
            let stat = phone.stat("/data/x").await;
            match expected {
                Ok(is_missing) => assert_eq!(stat.unwrap().is_none(), is_missing),
                Err(why) => assert!(stat.unwrap_err().to_string().contains(why)),
            }
        }
    }

    #[tokio::test]
    async fn output_without_status_is_truncated() {
        let whole = [
            shell::packet(shell::Kind::Stdout, b"a"),
            shell::packet(shell::Kind::Stderr, b"b"),
            shell::packet(shell::Kind::Exit, &[1]),
        ]
        .concat();
        for cut in 0..whole.len() {
            let (mut far, near) = tokio::io::duplex(256);
            far.write_all(&whole[..cut]).await.unwrap();
            drop(far);
            let mut pipe: Pipe = Box::new(near);
            assert!(read_shell_v2(&mut pipe).await.is_err(), "cut at {cut}");
        }
        let (mut far, near) = tokio::io::duplex(256);
        far.write_all(&whole).await.unwrap();
        let mut pipe: Pipe = Box::new(near);
        let output = read_shell_v2(&mut pipe).await.unwrap();
        assert_eq!(
            (output.text().as_str(), output.error_text().as_str()),
            ("a", "b")
        );
        assert_eq!(output.status, 1);
    }
}

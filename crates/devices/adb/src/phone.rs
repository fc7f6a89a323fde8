//! What can be asked of a phone, whichever way leads to it.

use std::path::Path;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::OnceCell;

use crate::client::{Link, Pipe};
use crate::error::{Error, ErrorKind, Progress, Result};
use crate::wire::{shell, sync};

/// The most that one answer may have, in bytes: more than any screen, picture or log that is asked for.
pub const LARGEST_ANSWER: usize = 64 * 1024 * 1024;

/// A phone.
#[derive(Clone, Debug)]
pub struct Phone {
    link: Arc<dyn Link>,
    features: Arc<OnceCell<Vec<String>>>,
}

/// What a command of the phone's shell said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error; empty on phones before Android 7, which put it into standard output.
    pub stderr: Vec<u8>,
    /// The exit status.
    pub status: u8,
}

impl Output {
    /// Standard output as text; bytes that are no UTF-8 become U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, or standard output where there is none.
    pub fn error_text(&self) -> String {
        let said = String::from_utf8_lossy(&self.stderr);
        let said = said.trim();
        if said.is_empty() {
            self.text().trim().to_owned()
        } else {
            said.to_owned()
        }
    }
}

/// What a path of the phone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Kind and permissions, as `st_mode`.
    pub mode: u32,
    /// Bytes.
    pub size: u64,
    /// Seconds since 1970.
    pub modified: u64,
}

/// Ends the output of a command on a phone whose shell has no packets, before the exit status.
const STATUS_MARK: &str = "clawperator-status:";

impl Phone {
    /// The phone at the end of a link.
    pub fn new(link: Arc<dyn Link>) -> Self {
        Self {
            link,
            features: Arc::default(),
        }
    }

    /// What its end of the wire can do; asked once.
    ///
    /// # Errors
    /// Those of the link.
    pub async fn features(&self) -> Result<&[String]> {
        let asked = self
            .features
            .get_or_try_init(|| self.link.features())
            .await?;
        Ok(asked)
    }

    /// Whether the shell may speak in packets. A phone of before Android 7 refuses that and is asked what it can do then.
    fn may_use_shell_v2(&self) -> bool {
        let known = self.features.get();
        known.is_none_or(|features| features.iter().any(|its| its == "shell_v2"))
    }

    async fn has(&self, feature: &str) -> Result<bool> {
        Ok(self.features().await?.iter().any(|its| its == feature))
    }

    /// Runs a command line in the phone's shell and waits for its end. Quote what is not yours ([`crate::quote`]).
    ///
    /// # Errors
    /// Those of the link; with [`Reach::Begun`] when the connection broke while the command ran. A command that fails is
    /// no error, its status says so.
    pub async fn shell(&self, command: &str) -> Result<Output> {
        if let Some(output) = self.shell_v2(command).await? {
            return Ok(output);
        }
        // In a shell of its own, so that a command that ends its shell still has a status.
        let script = format!("( {command}\n) 2>&1; echo {STATUS_MARK}$?");
        let mut pipe = self.link.open(&format!("shell:{script}")).await?;
        let bytes = read_all(&mut pipe)
            .await
            .map_err(|error| error.after(Progress::Started))?;
        read_marked(&bytes).map_err(|error| error.after(Progress::Started))
    }

    /// Runs a command in a shell that speaks in packets, which keep standard error apart and change no byte; `None`, with
    /// nothing begun, where the phone has none.
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
            // Who does not know the service has begun nothing; who does may have been lost on the way.
            Err(refused) if matches!(refused.kind, ErrorKind::Refused(_)) => {
                if self.has("shell_v2").await.unwrap_or(true) {
                    return Err(refused);
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Runs a command whose output is not text, such as a picture, and waits for its end. Phones before Android 7 say
    /// neither status nor standard error; there the caller has to detect truncated output.
    ///
    /// # Errors
    /// As [`Phone::shell`].
    pub async fn raw(&self, command: &str) -> Result<Output> {
        if let Some(output) = self.shell_v2(command).await? {
            return Ok(output);
        }
        Ok(Output {
            stdout: self.exec(command).await?,
            ..Output::default()
        })
    }

    /// Runs a command on a terminal that changes no byte, with standard output and standard error in one.
    ///
    /// # Errors
    /// Those of the link. Neither status nor a cut is seen: whoever reads has to see it in the bytes.
    pub async fn exec(&self, command: &str) -> Result<Vec<u8>> {
        check_command(command)?;
        let mut pipe = self.link.open(&format!("exec:{command}")).await?;
        read_all(&mut pipe)
            .await
            .map_err(|error| error.after(Progress::Started))
    }

    /// Opens a stream to a service, for what has no end, such as a log.
    ///
    /// # Errors
    /// Those of the link.
    pub async fn open(&self, service: &str) -> Result<Pipe> {
        self.link.open(service).await
    }

    /// Writes a file of the phone.
    ///
    /// # Errors
    /// `Refused` with the phone's words, for example when its disk is full; those of the link. `mode` is its permissions.
    pub async fn push(
        &self,
        from: &mut (dyn AsyncRead + Send + Unpin),
        to: &str,
        mode: u32,
    ) -> Result<u64> {
        let mut pipe = self.sync(to).await?;
        let path = format!("{to},{}", 0o100_000 | (mode & 0o777));
        pipe.write_all(&sync::message(sync::SEND, path.as_bytes()))
            .await?;
        let mut piece = vec![0; sync::PIECE];
        let mut total = 0_u64;
        loop {
            let read = from.read(&mut piece).await?;
            let Some(data) = piece.get(..read).filter(|data| !data.is_empty()) else {
                break;
            };
            // A phone that cannot go on says why, and then reads no further.
            if let Err(error) = pipe.write_all(&sync::message(sync::DATA, data)).await {
                return Err(match answer(&mut pipe).await {
                    Err(
                        refused @ Error {
                            kind: ErrorKind::Refused(_),
                            ..
                        },
                    ) => refused,
                    _ => Error::from(error),
                });
            }
            total += read as u64;
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seconds = now.map_or(0, |now| u32::try_from(now.as_secs()).unwrap_or(u32::MAX));
        pipe.write_all(&sync::head(sync::DONE, seconds)).await?;
        answer(&mut pipe).await?;
        quit(pipe).await;
        Ok(total)
    }

    /// Reads a file of the phone.
    ///
    /// # Errors
    /// `Refused` with the phone's words, `TooLarge` beyond `limit` bytes, those of the link.
    pub async fn pull(&self, from: &str, limit: usize) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        self.pull_to(from, &mut file, limit).await?;
        Ok(file)
    }

    /// Reads a file of the phone piece by piece; gives how many bytes it has.
    ///
    /// # Errors
    /// As [`Phone::pull`]; `Io` when a piece cannot be written.
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
                    if length > sync::PIECE || total + length > limit {
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

    /// What a path is; `None` when there is nothing.
    ///
    /// # Errors
    /// Those of the link.
    pub async fn stat(&self, path: &str) -> Result<Option<Stat>> {
        let second = self.has("stat_v2").await?;
        let mut pipe = self.sync(path).await?;
        let id = if second { sync::STAT2 } else { sync::STAT };
        pipe.write_all(&sync::message(id, path.as_bytes())).await?;
        let mut back = [0; 4];
        pipe.read_exact(&mut back).await?;
        if back != id {
            let number = pipe.read_u32_le().await?;
            return Err(sync_error(&mut pipe, back, number).await);
        }
        let stat = if second {
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
            (error == 0).then_some(Stat {
                mode,
                size,
                modified,
            })
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
        if path.len() > sync::LONGEST_PATH {
            let message = format!(
                "a path of {} bytes; phones take {}",
                path.len(),
                sync::LONGEST_PATH
            );
            return Err(ErrorKind::Refused(message).into());
        }
        self.link.open("sync:").await
    }

    /// Writes a file of this machine to the phone.
    ///
    /// # Errors
    /// As [`Phone::push`]; `Io` when the file cannot be read.
    pub async fn push_file(&self, from: &Path, to: &str, mode: u32) -> Result<u64> {
        // Files of this size are read at once by whoever has them in memory anyway; an app may have gigabytes.
        let bytes = std::fs::File::open(from)?;
        let mut reader = FileReader(bytes);
        self.push(&mut reader, to, mode).await
    }
}

/// A file whose reads block; they are short, and the disk of this machine is not what a phone waits for.
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

/// Refuses a command that a phone would take for a shorter one: on its side a NUL is the end.
fn check_command(command: &str) -> Result<()> {
    if command.contains('\0') {
        let why = "a command with a NUL in it, behind which a phone reads nothing";
        return Err(ErrorKind::Refused(why.to_owned()).into());
    }
    Ok(())
}

async fn read_all(pipe: &mut Pipe) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut limited = pipe.take(LARGEST_ANSWER as u64 + 1);
    limited.read_to_end(&mut bytes).await?;
    if bytes.len() > LARGEST_ANSWER {
        return Err(ErrorKind::TooLarge {
            limit: LARGEST_ANSWER,
        }
        .into());
    }
    Ok(bytes)
}

async fn read_shell_v2(pipe: &mut Pipe) -> Result<Output> {
    // A packet is read in three pieces, most of which come together.
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
        if into.len() + data.len() > LARGEST_ANSWER {
            return Err(ErrorKind::TooLarge {
                limit: LARGEST_ANSWER,
            }
            .into());
        }
        into.extend_from_slice(&data);
    }
    // No status: whatever came is not all.
    Err(ErrorKind::Closed.into())
}

/// Takes the status off the output of a shell without packets, whose terminal ends lines as Windows does.
fn read_marked(bytes: &[u8]) -> Result<Output> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let (said, status) = text.rsplit_once(STATUS_MARK).ok_or(ErrorKind::Closed)?;
    let status = status
        .trim()
        .parse()
        .map_err(|_| Error::from(ErrorKind::Closed))?;
    Ok(Output {
        stdout: said.as_bytes().to_vec(),
        stderr: Vec::new(),
        status,
    })
}

/// Reads OKAY, or FAIL and why.
async fn answer(pipe: &mut Pipe) -> Result<()> {
    let (id, number) = sync::read_head(pipe).await?;
    if id == sync::OKAY {
        return Ok(());
    }
    Err(sync_error(pipe, id, number).await)
}

/// What a message says that is not the one that was waited for.
async fn sync_error(pipe: &mut Pipe, id: sync::Id, number: u32) -> Error {
    if id != sync::FAIL {
        let shown = String::from_utf8_lossy(&id).escape_debug().to_string();
        return Error::protocol(format!("the phone's file service said {shown:?}"));
    }
    let mut reason = vec![0; (number as usize).min(sync::PIECE)];
    match pipe.read_exact(&mut reason).await {
        Ok(_) => ErrorKind::refused(String::from_utf8_lossy(&reason).into_owned()).into(),
        Err(error) => error.into(),
    }
}

/// Ends the conversation; all that mattered has been said.
async fn quit(mut pipe: Pipe) {
    let _ = pipe.write_all(&sync::head(sync::QUIT, 0)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_shells_end_with_a_mark() {
        let output = read_marked(b"one\r\ntwo\r\nclawperator-status:3\r\n").unwrap();
        assert_eq!((output.text().as_str(), output.status), ("one\ntwo\n", 3));
        assert!(read_marked(b"one\r\n").is_err());
        assert!(read_marked(b"clawperator-status:").is_err());
    }

    #[tokio::test]
    async fn a_command_with_a_nul_in_it_is_not_sent() {
        #[derive(Debug)]
        struct Nobody;
        #[async_trait::async_trait]
        impl Link for Nobody {
            async fn open(&self, service: &str) -> Result<Pipe> {
                panic!("{service} was sent");
            }
            async fn features(&self) -> Result<Vec<String>> {
                Ok(Vec::new())
            }
        }
        let phone = Phone::new(Arc::new(Nobody));
        let error = phone.shell("rm 'a\0b'").await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Refused(_)));
        assert_eq!(error.reach, Progress::NotStarted);
        assert!(phone.exec("cat \0").await.is_err());
    }

    /// A phone that answers two bytes and a warning; one of before Android 7 has no packets.
    #[derive(Debug)]
    struct Camera(&'static [&'static str]);
    #[async_trait::async_trait]
    impl Link for Camera {
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
            Ok(self.0.iter().map(|its| (*its).to_owned()).collect())
        }
    }

    #[tokio::test]
    async fn raw_output_keeps_every_byte_and_standard_error_apart() {
        for (features, said) in [(&["shell_v2"][..], "warning"), (&[], "")] {
            let phone = Phone::new(Arc::new(Camera(features)));
            let output = phone.raw("screencap").await.unwrap();
            assert_eq!(output.stdout, b"\r\n");
            assert_eq!(output.stderr, said.as_bytes());
        }
    }

    #[tokio::test]
    async fn output_without_a_status_is_a_cut() {
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

//! How the agent is started, and the line that it prints.

use std::fmt;

use crate::agent_error::AgentErrorCode;

/// The folder of the agent on a phone.
pub const FOLDER: &str = "/data/local/tmp/clawperator";
/// The file with the ready line of the agent that runs.
pub const STATE_FILE: &str = "/data/local/tmp/clawperator/agent.state";
pub const MAIN_CLASS: &str = "clawperator.agent.Main";
/// The beginning of its lines.
pub const READY_PREFIX: &str = "clawperator-agent ";

/// The beginning of the names of its sockets.
const SOCKET_PREFIX: &str = "clawperator-";
/// The hex digits that follow it.
const SOCKET_DIGITS: usize = 16;
/// The hex digits of a hash in the name of a dex.
const NAME_DIGITS: usize = 16;
/// The longest message of a failed start that is kept, in characters.
const MAX_MESSAGE: usize = 500;

/// The path of the dex with this hash on a phone.
pub fn dex_path(sha256: &[u8; 32]) -> String {
    let mut digits = hex(sha256);
    digits.truncate(NAME_DIGITS);
    format!("{FOLDER}/agent-{digits}.dex")
}

/// The variable that distinguishes the processes of one start from all others.
const START_VARIABLE: &str = "CLAWPERATOR_START";

/// The command that starts the agent; `mark` is a random number. It contains nothing that a shell reads as anything but words.
pub fn start_command(sha256: &[u8; 32], idle_seconds: u32, mark: u64) -> String {
    let dex = dex_path(sha256);
    format!(
        "{START_VARIABLE}={mark:016x} CLASSPATH={dex} exec setsid app_process /system/bin {MAIN_CLASS} --idle {idle_seconds} \
         </dev/null 2>&1"
    )
}

/// The command that ends what the start with this mark left behind, and nothing else. An agent that has written its state
/// meanwhile can be attached to, and stays.
pub fn end_start_command(mark: u64) -> String {
    format!(
        "for at in $(grep -ls {START_VARIABLE}={mark:016x} /proc/[0-9]*/environ); do pid=${{at#/proc/}}; pid=${{pid%/environ}}; \
         grep -qs \" $pid \" {STATE_FILE} || kill -9 $pid; done"
    )
}

/// The package of the agent's app form.
pub const APP_PACKAGE: &str = "app.clawperator.runtime";
/// Its accessibility service.
pub const APP_SERVICE: &str = "app.clawperator.runtime/clawperator.agent.RuntimeService";
/// The command that asks the app for its line.
pub const APP_QUERY: &str = "content query --uri content://app.clawperator.runtime.status";
/// What precedes the line in the output of [`APP_QUERY`].
const ROW_PREFIX: &str = "Row: 0 line=";

/// What a running agent says of itself.
#[derive(Clone, PartialEq, Eq)]
pub struct ReadyLine {
    /// The version of the protocol that it speaks.
    pub version: u32,
    /// The name of its abstract socket.
    pub socket: String,
    /// The secret of this start.
    pub token: [u8; 32],
    /// Its process.
    pub pid: u32,
    /// The hash of its dex.
    pub sha256: [u8; 32],
}

/// The token is left out.
impl fmt::Debug for ReadyLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ReadyLine");
        shown.field("version", &self.version);
        shown.field("socket", &self.socket);
        shown.field("pid", &self.pid);
        shown.field("sha256", &hex(&self.sha256));
        shown.finish_non_exhaustive()
    }
}

/// A line that the agent prints when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartLine {
    /// It listens.
    Ready(ReadyLine),
    /// It ended.
    Failed {
        /// Why.
        code: AgentErrorCode,
        /// The details.
        message: String,
    },
}

/// A line that is none of the agent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is not as the agent writes it: {0}")]
pub struct NotAStartLine(&'static str);

impl fmt::Display for ReadyLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            version,
            socket,
            token,
            pid,
            sha256,
        } = self;
        let (token, sha256) = (hex(token), hex(sha256));
        write!(
            f,
            "{READY_PREFIX}ready {version} {socket} {token} {pid} {sha256}"
        )
    }
}

impl fmt::Display for StartLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(ready) => ready.fmt(f),
            Self::Failed { code, message } => {
                write!(f, "{READY_PREFIX}failed {code} {message}")
            }
        }
    }
}

impl StartLine {
    /// Reads a line. Nothing of it needs quoting afterwards.
    pub fn parse(line: &str) -> Result<Self, NotAStartLine> {
        let line = line.trim_end_matches(['\r', '\n']);
        let rest = line
            .strip_prefix(READY_PREFIX)
            .ok_or(NotAStartLine("it begins otherwise"))?;
        match rest.split_once(' ') {
            Some(("ready", words)) => ReadyLine::of_words(words).map(Self::Ready),
            Some(("failed", reason)) => {
                let (code, message) = reason.split_once(' ').unwrap_or((reason, ""));
                let code =
                    AgentErrorCode::of_name(code).ok_or(NotAStartLine("its code is unknown"))?;
                Ok(Self::Failed {
                    code,
                    message: message.chars().take(MAX_MESSAGE).collect(),
                })
            }
            _ => Err(NotAStartLine("it says neither ready nor failed")),
        }
    }
}

impl StartLine {
    /// The line in the output of [`APP_QUERY`].
    pub fn of_query(output: &str) -> Option<Self> {
        let mut lines = output.lines();
        lines.find_map(|line| Self::parse(line.strip_prefix(ROW_PREFIX)?).ok())
    }

    /// The output of [`APP_QUERY`] with this line.
    pub fn to_query_output(&self) -> String {
        format!("{ROW_PREFIX}{self}\n")
    }
}

impl ReadyLine {
    fn of_words(words: &str) -> Result<Self, NotAStartLine> {
        let mut words = words.split(' ');
        let mut next = || words.next().ok_or(NotAStartLine("a word is missing"));
        let version = next()?;
        let socket = next()?;
        let token = next()?;
        let pid = next()?;
        let sha256 = next()?;
        if words.next().is_some() {
            return Err(NotAStartLine("it has more words"));
        }
        let number = |word: &str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| word.parse().ok()).flatten()
        };
        let is_socket = socket.strip_prefix(SOCKET_PREFIX).is_some_and(|digits| {
            digits.len() == SOCKET_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        if !is_socket {
            return Err(NotAStartLine("its socket has another name"));
        }
        Ok(Self {
            version: number(version).ok_or(NotAStartLine("its version is no number"))?,
            socket: socket.to_owned(),
            token: of_hex(token).ok_or(NotAStartLine("its token is not 32 bytes in hex"))?,
            pid: number(pid).ok_or(NotAStartLine("its process id is no number"))?,
            sha256: of_hex(sha256).ok_or(NotAStartLine("its hash is not 32 bytes in hex"))?,
        })
    }
}

/// Bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    nibbles
        .filter_map(|nibble| char::from_digit(nibble.into(), 16))
        .collect()
}

fn of_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
        *byte = u8::try_from(digit(0)? << 4 | digit(1)?).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready() -> ReadyLine {
        ReadyLine {
            version: 1,
            socket: "clawperator-0123456789abcdef".to_owned(),
            token: [0xab; 32],
            pid: 4711,
            sha256: [0x5c; 32],
        }
    }

    #[test]
    fn lines_round_trip() {
        for line in [
            StartLine::Ready(ready()),
            StartLine::Failed {
                code: AgentErrorCode::SlotTaken,
                message: "held by com.x (pid 7)".to_owned(),
            },
        ] {
            assert_eq!(StartLine::parse(&format!("{line}\r\n")), Ok(line));
        }
        assert!(!format!("{:?}", ready()).contains("abab"));
    }

    #[test]
    fn line_of_the_app_is_found_in_a_row() {
        let line = StartLine::Ready(ready());
        let output = format!("WARNING: linker: x\n{}", line.to_query_output());
        assert_eq!(StartLine::of_query(&output), Some(line.clone()));
        let off = "Row: 0 line=clawperator-agent failed SERVICE_OFF the accessibility service is switched off\n";
        assert_eq!(
            StartLine::of_query(off),
            Some(StartLine::Failed {
                code: AgentErrorCode::ServiceOff,
                message: "the accessibility service is switched off".to_owned()
            })
        );
        for wrong in [
            "",
            "No result found.\n",
            &line.to_string(),
            "Row: 0 line=NULL\n",
        ] {
            assert_eq!(StartLine::of_query(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn other_lines_are_refused() {
        let line = ready().to_string();
        for wrong in [
            "",
            "clawperator-agent",
            "clawperator-agent ready 1",
            "clawperator-agent failed NO_SUCH_CODE x",
            "clawperator-agent failed 5 x",
            &line.replace("clawperator-0", "clawperator-'; id;'"),
            &line.replace("clawperator-0", "other-0"),
            &line.replace("4711", "-1"),
            &line.replace("ab ", "a "),
            &format!("{line} more"),
            &format!("x{line}"),
        ] {
            assert!(StartLine::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn start_command_is_plain() {
        assert_eq!(
            start_command(&[0x0f; 32], 600, 0x1f),
            "CLAWPERATOR_START=000000000000001f CLASSPATH=/data/local/tmp/clawperator/agent-0f0f0f0f0f0f0f0f.dex exec setsid app_process /system/bin \
             clawperator.agent.Main --idle 600 </dev/null 2>&1"
        );
    }
}

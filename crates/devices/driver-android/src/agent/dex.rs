//! The agent's dex, and its file on a phone.

use std::sync::LazyLock;

use adb::{ErrorKind, quote};
use agent_protocol::{FOLDER, dex_path, hex};
use driver::{Cx, DriverError};
use sha2::{Digest, Sha256};

use crate::agent::unavailable::{AgentUnavailable, AttachResult, lost};
use crate::shell::Shell;

/// Prefix of the file names; files of earlier programs and of interrupted writes are removed.
const PREFIX: &str = "agent-";

/// The dex that `agent/build` makes.
static DEX: &[u8] = include_bytes!("../../../../../agent/agent.dex");

/// The agent's program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AgentBinary {
    /// The dex file.
    pub dex: &'static [u8],
    /// Its hash.
    pub sha256: [u8; 32],
}

impl AgentBinary {
    /// The embedded agent.
    pub fn embedded() -> Self {
        static SHA256: LazyLock<[u8; 32]> = LazyLock::new(|| Sha256::digest(DEX).into());
        Self {
            dex: DEX,
            sha256: *SHA256,
        }
    }
}

impl std::fmt::Debug for AgentBinary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = dex_path(&self.sha256);
        write!(f, "AgentBinary({} bytes, {path})", self.dex.len())
    }
}

/// Whether a file was on the phone already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DexState {
    /// It was there, with the right length.
    Before,
    /// It was written now.
    Now,
}

/// Writes the dex unless the phone has it. It appears whole under its name, or not at all.
pub(super) async fn push(shell: &Shell, cx: &Cx, binary: &AgentBinary) -> AttachResult<DexState> {
    if is_there(shell, cx, binary).await? {
        return Ok(DexState::Before);
    }
    match push_new(shell, cx, binary).await {
        // Another computer that writes at the same time removes unfinished files, also this one.
        Err(AgentUnavailable::NotWritten(_)) if !is_there(shell, cx, binary).await? => {
            push_new(shell, cx, binary).await?;
        }
        Err(AgentUnavailable::NotWritten(_)) => {}
        written => written?,
    }
    Ok(DexState::Now)
}

async fn is_there(shell: &Shell, cx: &Cx, binary: &AgentBinary) -> AttachResult<bool> {
    let path = dex_path(&binary.sha256);
    let found = cx.run(shell.phone().stat(&path)).await?.map_err(lost)?;
    let length = binary.dex.len() as u64;
    Ok(found.is_some_and(|stat| stat.size == length && stat.mode & 0o777 == 0o444))
}

async fn push_new(shell: &Shell, cx: &Cx, binary: &AgentBinary) -> AttachResult<()> {
    let made = format!("mkdir -p {FOLDER} && chmod 700 {FOLDER} && ls -1 {FOLDER}");
    let names = run_or(shell, cx, &made).await?;
    let old: String = names
        .lines()
        .filter(|name| name.starts_with(PREFIX))
        .map(|name| format!(" {}", quote(&format!("{FOLDER}/{name}"))))
        .collect();
    if !old.is_empty() {
        run_or(shell, cx, &format!("rm -f{old}")).await?;
    }
    let path = dex_path(&binary.sha256);
    let part = format!("{path}.{:016x}", random()?);
    let mut bytes = binary.dex;
    let pushed = match cx.run(shell.phone().push(&mut bytes, &part, 0o444)).await {
        Err(DriverError::Deadline) => {
            let bytes = binary.dex.len();
            return Err(AgentUnavailable::TooSlow { bytes });
        }
        pushed => pushed?,
    };
    match pushed {
        Ok(_) => {}
        Err(error) if matches!(error.kind, ErrorKind::Refused(_)) && !error.is_closed() => {
            return Err(AgentUnavailable::NotWritten(error.to_string()));
        }
        Err(error) => return Err(lost(error).into()),
    }
    // A newer Android refuses to load a dex that can be written.
    let named = format!("chmod 444 {part} && mv -f {part} {path} || {{ rm -f {part}; exit 1; }}");
    run_or(shell, cx, &named).await.map(|_| ())
}

/// Removes the file if it is not what was written, as after a loss of power. Whether it was removed.
pub(super) async fn remove_damaged(
    shell: &Shell,
    cx: &Cx,
    binary: &AgentBinary,
) -> AttachResult<bool> {
    let path = dex_path(&binary.sha256);
    let output = shell.query(cx, &format!("sha256sum {path}")).await?;
    // A phone without the program says nothing about the file.
    if output.status != 0 || output.text().starts_with(&hex(&binary.sha256)) {
        return Ok(false);
    }
    run_or(shell, cx, &format!("rm -f {path}")).await?;
    Ok(true)
}

/// Runs a command that must succeed; returns its output.
async fn run_or(shell: &Shell, cx: &Cx, command: &str) -> AttachResult<String> {
    let output = shell.query(cx, command).await?;
    if output.status == 0 {
        return Ok(output.text());
    }
    let message: String = output.error_text().chars().take(200).collect();
    Err(AgentUnavailable::NotWritten(message))
}

pub(super) fn random() -> AttachResult<u64> {
    getrandom::u64().map_err(|error| AgentUnavailable::NotWritten(error.to_string()))
}

//! An interactive shell: reads and runs lines.

use super::Shell;
use super::io::{CommandResult, Io};
use super::parse::{self, ParseError};

/// Runs lines until `exit` or the end of the input.
pub(crate) async fn run(shell: &mut Shell, io: &Io) -> CommandResult {
    let mut open = String::new();
    while let Some(line) = io.input.line().await {
        open.push_str(&String::from_utf8_lossy(&line));
        if !open.ends_with('\n') {
            open.push('\n');
        }
        if parse::parse(&open) == Err(ParseError::Open) {
            continue;
        }
        shell.script(&std::mem::take(&mut open), io).await?;
        if shell.exited {
            return Ok(shell.status);
        }
    }
    if !open.is_empty() {
        shell.script(&open, io).await?;
    }
    Ok(shell.status)
}

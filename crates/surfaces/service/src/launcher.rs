//! How this program starts itself again as a process that stays.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The program and its first arguments; what it is to do follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its first arguments.
    pub arguments: Vec<String>,
}

impl Launcher {
    /// The command, without standard streams, in a process group of its own: an interruption in the terminal does not end it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

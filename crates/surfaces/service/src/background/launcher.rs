//! Starting this program again as a background process.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The program to start and its leading arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    pub program: PathBuf,
    /// The arguments that select the process; its own arguments follow.
    pub arguments: Vec<String>,
}

impl Launcher {
    /// The command, without standard streams and in a new process group, so that Ctrl-C in the terminal does not end it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

/// Waits for a child on a thread, so that it leaves no zombie when it ends before this process.
pub(crate) fn reap(mut child: Child) {
    std::thread::spawn(move || child.wait());
}

//! Background processes of this program.

use service::Launcher;
use service::chrome::DaemonMode;

/// The process that holds the pipe to a browser.
pub(crate) const BROKER: &str = "broker";
/// The process that stays attached to a browser.
pub(crate) const DAEMON: &str = "daemon";
/// The process that records a phone.
pub(crate) const RECORDER: &str = "recorder";

/// The command that starts this program as a background process.
pub(crate) fn launcher(command: &str) -> Option<Launcher> {
    let program = std::env::current_exe().ok()?;
    Some(Launcher {
        program,
        arguments: vec![command.to_owned(), "--json".to_owned()],
    })
}

/// The command that starts the process attached to a browser.
pub(crate) fn daemon() -> DaemonMode {
    launcher(DAEMON).map_or(DaemonMode::Off, DaemonMode::StartedBy)
}

//! The commands that this program starts by itself, as processes in the background.

use service::Launcher;
use service::chrome::DaemonMode;

/// The process that holds the pipe to a browser.
pub(crate) const BROKER: &str = "broker";
/// The process that stays attached to a browser.
pub(crate) const RESIDENT: &str = "resident";
/// The process that records a phone.
pub(crate) const RECORDER: &str = "recorder";

/// This program as one of these processes.
pub(crate) fn launcher(command: &str) -> Option<Launcher> {
    let program = std::env::current_exe().ok()?;
    Some(Launcher {
        program,
        arguments: vec![command.to_owned(), "--json".to_owned()],
    })
}

/// This program as the process that stays attached to a browser.
pub(crate) fn daemon() -> DaemonMode {
    launcher(RESIDENT).map_or(DaemonMode::Off, DaemonMode::StartedBy)
}

//! Recordings: parses the lines of a session file strictly, and derives steps from them.
//!
//! A session file is NDJSON: a header, then one event per line. It is read line by line ([`Reader`]), so that
//! the file need not be held in memory: an event does not keep its snapshot, only whether it has one.

mod event;
mod reader;
mod steps;

pub use event::{Event, EventKind, EventNode, Header, Place};
pub use reader::{Reader, snapshot_of};
pub use steps::{Step, StepKind, StepWarning, Steps, is_home_screen, steps};

/// The supported version of the format.
pub const SCHEMA_VERSION: u64 = 1;
/// The maximum length of a line, in bytes: more than any screen needs.
pub const MAX_LINE: usize = 64 * 1024 * 1024;

/// Whether this is a valid session id, which is also the file name: letters, digits, `_` and `-`, at most
/// [`crate::limits::MAX_ID_LENGTH`] of them.
pub fn is_session_id(id: &str) -> bool {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    !id.is_empty() && id.len() <= crate::limits::MAX_ID_LENGTH && id.chars().all(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_id_cannot_leave_the_folder() {
        for good in ["a", "record-1767258000000-00000000", "My_session-1"] {
            assert!(is_session_id(good), "{good}");
        }
        for bad in [
            "",
            "..",
            "a/b",
            "a b",
            "a.b",
            "é",
            "a;reboot",
            &"x".repeat(300),
        ] {
            assert!(!is_session_id(bad), "{bad}");
        }
    }
}

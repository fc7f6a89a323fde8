//! Lines of a phone's log, and messages put together again from the pieces in which they were logged.
//!
//! The app logs with Android's Timber: a message of 4,000 UTF-16 units or more is split at its line breaks, and lines of
//! more than 4,000 into pieces of so many, each an entry of its own without a mark of continuation.

/// The units at which a line is cut.
const PIECE: usize = 4000;

/// One line of `logcat -v threadtime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The process that logged it.
    pub(super) pid: u32,
    /// The thread that logged it.
    pub(super) tid: u32,
    /// Under which name.
    pub(super) tag: &'a str,
    /// What.
    pub(super) message: &'a str,
}

impl<'a> Line<'a> {
    /// Reads `MM-DD hh:mm:ss.mmm  pid  tid L tag: message`; `None` for anything else, such as the heads of buffers.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let (date, rest) = word(line)?;
        let (time, rest) = word(rest)?;
        let (pid, rest) = word(rest)?;
        let (tid, rest) = word(rest)?;
        let (level, rest) = word(rest)?;
        if !date.contains('-') || !time.contains(':') || level.len() != 1 {
            return None;
        }
        // A tag may hold a colon, but not one before a blank; its blanks are those that fill its column.
        let (tag, message) = match rest.split_once(": ") {
            Some((tag, message)) => (tag, message),
            None => (rest.strip_suffix(':')?, ""),
        };
        Some(Self {
            pid: pid.parse().ok()?,
            tid: tid.parse().ok()?,
            tag: tag.trim(),
            message,
        })
    }
}

/// The first word, and what stands behind the blanks after it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    let end = text.find(' ')?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// A message that is being put together: lines of one thread and tag, as they come.
#[derive(Debug)]
pub(super) struct JoinedMessage {
    pid: u32,
    tid: u32,
    tag: String,
    text: String,
    /// Whether the last line was as long as a piece is, so that the next may be the rest of it.
    cut: bool,
}

impl JoinedMessage {
    /// Begins with what stands on this line behind a marker.
    pub(super) fn begin(line: &Line<'_>, behind: &str) -> Self {
        Self {
            pid: line.pid,
            tid: line.tid,
            tag: line.tag.to_owned(),
            text: behind.to_owned(),
            cut: is_cut(line.message),
        }
    }

    /// Whether the line may belong to the same message.
    pub(super) fn takes(&self, line: &Line<'_>) -> bool {
        self.pid == line.pid && self.tid == line.tid && self.tag == line.tag
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: &Line<'_>) {
        if !self.cut && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line.message);
        self.cut = is_cut(line.message);
    }

    /// What has come so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

fn is_cut(message: &str) -> bool {
    message.encode_utf16().count() == PIECE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_others_are_not() {
        let line = Line::read(
            "03-28 10:11:12.345  1234  5678 I TaskScopeDefault: [Clawperator-Result] {}\r\n",
        );
        let line = line.unwrap();
        assert_eq!(
            (line.pid, line.tid, line.tag),
            (1234, 5678, "TaskScopeDefault")
        );
        assert_eq!(line.message, "[Clawperator-Result] {}");
        let padded = Line::read("03-28 10:11:12.345   999   999 D a       : b: c").unwrap();
        assert_eq!((padded.tag, padded.message), ("a", "b: c"));
        assert_eq!(
            Line::read("03-28 10:11:12.345   999   999 D a       : ")
                .unwrap()
                .message,
            ""
        );
        assert_eq!(
            Line::read("03-28 10:11:12.345   999   999 D a:")
                .unwrap()
                .message,
            ""
        );
        for noise in [
            "--------- beginning of main",
            "",
            "[Clawperator-Result] {}",
            "a b c d e f",
            "read: unexpected EOF!",
        ] {
            assert_eq!(Line::read(noise), None, "{noise}");
        }
    }

    #[test]
    fn pieces_are_joined_without_a_break_and_lines_with_one() {
        let long = "x".repeat(PIECE);
        let line = |message| Line {
            pid: 1,
            tid: 2,
            tag: "T",
            message,
        };
        let mut joined = JoinedMessage::begin(&line(&long), &long);
        joined.add(&line("yz"));
        joined.add(&line("next"));
        assert_eq!(joined.text(), format!("{long}yz\nnext"));
        assert!(!joined.takes(&Line { tid: 3, ..line("") }));
        assert!(!joined.takes(&Line {
            tag: "U",
            ..line("")
        }));
    }
}

//! Parses lines of a phone's log, and joins messages that were logged in parts.
//!
//! The app logs with Android's Timber: a message of 4,000 UTF-16 units or more is split at line breaks, and
//! longer lines into parts of 4,000, each a separate entry without a continuation mark.

/// The number of UTF-16 units at which a line is split.
const MAX_LINE_UNITS: usize = 4000;

/// One line of `logcat -v threadtime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The process id.
    pub(super) pid: u32,
    /// The thread id.
    pub(super) tid: u32,
    /// The tag.
    pub(super) tag: &'a str,
    /// The message.
    pub(super) message: &'a str,
}

impl<'a> Line<'a> {
    /// Parses `MM-DD hh:mm:ss.mmm  pid  tid L tag: message`; `None` for other lines, such as buffer headings.
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
        // A tag may contain a colon, but not before a space; trailing spaces pad its column.
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

/// The first word, and the rest after the spaces.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    let end = text.find(' ')?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// A message being joined: lines of one thread and tag.
#[derive(Debug)]
pub(super) struct JoinedMessage {
    pid: u32,
    tid: u32,
    tag: String,
    text: String,
    /// Whether the last line had the maximum length, so that the next may continue it.
    cut: bool,
}

impl JoinedMessage {
    /// Starts with the text after a prefix on this line.
    pub(super) fn begin(line: &Line<'_>, first_text: &str) -> Self {
        Self {
            pid: line.pid,
            tid: line.tid,
            tag: line.tag.to_owned(),
            text: first_text.to_owned(),
            cut: is_cut(line.message),
        }
    }

    /// Whether the line may belong to the same message.
    pub(super) fn takes(&self, line: &Line<'_>) -> bool {
        self.pid == line.pid && self.tid == line.tid && self.tag == line.tag
    }

    /// Whether the line is the rest of one that was split, whatever it begins with.
    pub(super) fn goes_on_with(&self, line: &Line<'_>) -> bool {
        self.cut && self.takes(line)
    }

    /// Appends a line.
    pub(super) fn add(&mut self, line: &Line<'_>) {
        if !self.cut && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line.message);
        self.cut = is_cut(line.message);
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

fn is_cut(message: &str) -> bool {
    message.encode_utf16().count() == MAX_LINE_UNITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_are_parsed_and_others_skipped() {
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
    fn parts_are_joined_directly_and_lines_with_line_breaks() {
        let long = "x".repeat(MAX_LINE_UNITS);
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

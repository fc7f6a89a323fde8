//! Detects messages of tools and shells instead of documents.

use super::XmlErrorKind;

/// A known line, its meaning, and whether it counts before a document.
///
/// A document after a failure message is stale.
struct KnownMessage {
    words: &'static str,
    kind: XmlErrorKind,
    spoils_document: bool,
    meaning: &'static str,
}

const KNOWN_MESSAGES: [KnownMessage; 4] = [
    KnownMessage {
        words: "null root node",
        kind: XmlErrorKind::NullRootNode,
        spoils_document: true,
        meaning: "the dump tool found no active window: the screen may be off, locked or changing",
    },
    KnownMessage {
        words: "could not get idle state",
        kind: XmlErrorKind::NotIdle,
        spoils_document: true,
        meaning: "the dump tool gave up waiting: something on the screen never stops moving",
    },
    KnownMessage {
        words: "no such file",
        kind: XmlErrorKind::NoSuchFile,
        spoils_document: false,
        meaning: "there was no dump to read: the shell did not find the file",
    },
    KnownMessage {
        words: "killed",
        kind: XmlErrorKind::Killed,
        spoils_document: false,
        meaning: "the dump tool was killed before it wrote anything",
    },
];

/// Byte position, kind and message of a line before the document that makes it stale.
pub(super) fn spoiled(before: &str) -> Option<(usize, XmlErrorKind, &'static str)> {
    find(before, |known| known.spoils_document)
}

/// Error for a text without document.
pub(super) fn instead(text: &str) -> (usize, XmlErrorKind, String) {
    if text.trim().is_empty() {
        let message = "the document is empty";
        return (0, XmlErrorKind::Empty, message.into());
    }
    if let Some((at, kind, meaning)) = find(text, |_| true) {
        return (at, kind, meaning.into());
    }
    let at = text.len() - text.trim_start().len();
    let line = text[at..].lines().next().unwrap_or_default().trim_end();
    let shown = escape::truncate(line, 80);
    let shown = escape::Quoted(&shown);
    (
        at,
        XmlErrorKind::NotXml,
        format!("this is not an XML document: it begins with {shown}"),
    )
}

fn find(
    text: &str,
    counts: impl Fn(&KnownMessage) -> bool,
) -> Option<(usize, XmlErrorKind, &'static str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let lower = line.to_ascii_lowercase();
        for known in KNOWN_MESSAGES.iter().filter(|known| counts(known)) {
            // "Killed" is a common word; the message of the shell is only that word.
            let matches = match known.kind {
                XmlErrorKind::Killed => lower.trim() == known.words,
                _ => lower.contains(known.words),
            };
            if matches {
                let indent = line.len() - line.trim_start().len();
                return Some((at + indent, known.kind, known.meaning));
            }
        }
        at += line.len();
    }
    None
}

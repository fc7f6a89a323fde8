//! What tools and shells leave behind instead of a document, told by their words.

use super::XmlErrorKind;

/// A line that tools are known to leave, what it means, and whether it also counts in front of a document.
///
/// After the tool has said that it failed, a document that follows is an older one that was lying about.
struct Known {
    words: &'static str,
    kind: XmlErrorKind,
    spoils_document: bool,
    meaning: &'static str,
}

const KNOWN: [Known; 4] = [
    Known {
        words: "null root node",
        kind: XmlErrorKind::NullRootNode,
        spoils_document: true,
        meaning: "the dump tool found no active window: the screen may be off, locked or changing",
    },
    Known {
        words: "could not get idle state",
        kind: XmlErrorKind::NotIdle,
        spoils_document: true,
        meaning: "the dump tool gave up waiting: something on the screen never stops moving",
    },
    Known {
        words: "no such file",
        kind: XmlErrorKind::NoSuchFile,
        spoils_document: false,
        meaning: "there was no dump to read: the shell did not find the file",
    },
    Known {
        words: "killed",
        kind: XmlErrorKind::Killed,
        spoils_document: false,
        meaning: "the dump tool was killed before it wrote anything",
    },
];

/// What the lines in front of a document say that makes the document worthless: byte, kind and meaning.
pub(super) fn spoiled(before: &str) -> Option<(usize, XmlErrorKind, &'static str)> {
    find(before, |known| known.spoils_document)
}

/// What a text without any document is.
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
    let shown: String = line.chars().take(80).collect();
    let shown = escape::Quoted(&shown);
    (
        at,
        XmlErrorKind::NotXml,
        format!("this is no XML document: it begins with {shown}"),
    )
}

fn find(
    text: &str,
    counts: impl Fn(&Known) -> bool,
) -> Option<(usize, XmlErrorKind, &'static str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let lower = line.to_ascii_lowercase();
        for known in KNOWN.iter().filter(|known| counts(known)) {
            // Killed is a word of many sentences; the shell's remark is that word alone.
            let said = match known.kind {
                XmlErrorKind::Killed => lower.trim() == known.words,
                _ => lower.contains(known.words),
            };
            if said {
                let indent = line.len() - line.trim_start().len();
                return Some((at + indent, known.kind, known.meaning));
            }
        }
        at += line.len();
    }
    None
}

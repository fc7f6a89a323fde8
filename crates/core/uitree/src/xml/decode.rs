//! Decodes documents.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Text of `bytes`, without a byte order mark.
///
/// A mark overrides the declaration: shell redirects write UTF-16 and keep the declaration. Without one the text is
/// UTF-8 if valid, else as declared. Invalid bytes become U+FFFD, so that one broken word does not lose the screen.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding
            .decode_without_bom_handling(bytes.get(mark..).unwrap_or_default())
            .0;
    }
    match bytes {
        [b'<', 0, ..] => return UTF_16LE.decode_without_bom_handling(bytes).0,
        [0, b'<', ..] => return UTF_16BE.decode_without_bom_handling(bytes).0,
        _ => {}
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let encoding = declared(bytes).unwrap_or(UTF_8);
            encoding.decode_without_bom_handling(bytes).0
        }
    }
}

/// The declared encoding, if it is compatible with ASCII.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    const LOOKED_AT: usize = 4096;
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let start = memchr::memmem::find(head, b"<?xml")?;
    let head = head.get(start..)?;
    let declaration = head.get(..memchr::memmem::find(head, b"?>")?)?;
    let name = declaration.get(memchr::memmem::find(declaration, b"encoding")? + 8..)?;
    let quote = name.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let mark = *name.get(quote)?;
    let label = name.get(quote + 1..)?;
    let label = label.get(..label.iter().position(|byte| *byte == mark)?)?;
    Encoding::for_label(label).filter(|encoding| encoding.is_ascii_compatible())
}

//! How a string is written between quotes, in the notation and wherever a person or an agent reads one.

use std::fmt::{self, Write};

/// Writes a string between double quotes on one line. Quotes and backslashes are escaped with a backslash, line
/// breaks and tabs are `\n`, `\r` and `\t`, and what cannot be seen is `\u{…}`.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if is_unseen(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Whether a reader could not tell that `c` is there, or would take it for something else: control characters, spaces
/// that are not the ordinary one, zero-width and direction marks. Joiners stay: emoji and scripts are made with them.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{a0}' | '\u{ad}' | '\u{1680}' | '\u{2000}'..='\u{200b}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{feff}')
}

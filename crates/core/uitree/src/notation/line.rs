//! Splits a line of the notation into words.

/// A line, read from left to right.
pub(super) struct Line<'a> {
    text: &'a str,
    at: usize,
}

/// Byte position and message.
pub(super) type Problem = (usize, String);

/// A word of a line.
pub(super) struct Word<'a> {
    /// Start in bytes.
    pub(super) at: usize,
    /// The part before a quoted string, or all of it.
    pub(super) head: &'a str,
    /// The quoted string, unescaped.
    pub(super) quoted: Option<String>,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// The next word; `None` at the end.
    pub(super) fn word(&mut self) -> Result<Option<Word<'a>>, Problem> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let begin = self.at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '"')
            .unwrap_or(rest.len());
        let head = &rest[..end];
        self.at = begin + end;
        let quoted = match rest[end..].starts_with('"') {
            true => Some(self.string()?),
            false => None,
        };
        Ok(Some(Word {
            at: begin,
            head,
            quoted,
        }))
    }

    /// Reads a quoted string up to a space or the end.
    fn string(&mut self) -> Result<String, Problem> {
        let begin = self.at;
        let mut value = String::new();
        let rest = self.text.get(begin + 1..).unwrap_or_default();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            let at = begin + 1 + at;
            match c {
                '"' => {
                    self.at = at + 1;
                    let next = self.text[self.at..].chars().next();
                    if next.is_some_and(|c| !c.is_whitespace()) {
                        return Err((self.at, "a space is missing after the closing quote".into()));
                    }
                    return Ok(value);
                }
                '\\' => value.push(escaped(&mut chars).ok_or_else(|| {
                    (
                        at,
                        "after a backslash comes one of \\ \" n r t or u{…}".to_owned(),
                    )
                })?),
                c => value.push(c),
            }
        }
        Err((begin, "the closing quote is missing".into()))
    }
}

/// The character of an escape, after the backslash.
fn escaped(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    match chars.next()?.1 {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        c @ ('"' | '\\') => Some(c),
        'u' => {
            let rest = chars.as_str().strip_prefix('{')?;
            let digits = &rest[..rest.find('}')?];
            if digits.is_empty()
                || digits.len() > 6
                || !digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            {
                return None;
            }
            // Skips the braces and digits.
            chars.nth(digits.len() + 1)?;
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        _ => None,
    }
}

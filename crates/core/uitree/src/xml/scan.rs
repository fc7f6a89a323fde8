//! Scans tags and attributes in one pass.

use super::{XmlError, XmlErrorKind};
use memchr::{memchr, memchr2, memmem};
use std::borrow::Cow;

/// Scanner over the text of a document.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

pub(super) enum Tag<'a> {
    /// Start of an element, before its attributes.
    Open(&'a str),
    /// End of an element.
    Close(&'a str),
    /// End of the document.
    End,
}

/// A token inside a start tag.
pub(super) enum TagToken<'a> {
    /// Name, value and position of an attribute.
    Attribute(&'a str, Cow<'a, str>, usize),
    /// `>`: content follows.
    Content,
    /// `/>`: the element ends.
    Empty,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Position of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn error(
        &self,
        at: usize,
        kind: XmlErrorKind,
        message: impl Into<String>,
    ) -> XmlError {
        XmlError::at(self.text, at, kind, message.into())
    }

    fn malformed<T>(&self, at: usize, message: impl Into<String>) -> Result<T, XmlError> {
        Err(self.error(at, XmlErrorKind::Malformed, message))
    }

    fn truncated(&self, missing: &str) -> XmlError {
        let message = format!("the document ends where {missing} should follow");
        self.error(self.text.len(), XmlErrorKind::Truncated, message)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips up to and including `mark`.
    fn skip_past(&mut self, mark: &str) -> Result<(), XmlError> {
        match memmem::find(self.rest().as_bytes(), mark.as_bytes()) {
            Some(found) => {
                self.at += found + mark.len();
                Ok(())
            }
            None => Err(self.truncated(&format!("`{mark}`"))),
        }
    }

    fn skip_space(&mut self) -> bool {
        let begin = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at > begin
    }

    /// The name at the position; empty if there is none.
    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .bytes()
            .position(|byte| {
                byte.is_ascii_whitespace()
                    || matches!(byte, b'=' | b'/' | b'>' | b'<' | b'"' | b'\'' | b'&')
            })
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The next tag. Text, comments and instructions are skipped.
    pub(super) fn tag(&mut self) -> Result<Tag<'a>, XmlError> {
        loop {
            let Some(found) = memchr(b'<', self.rest().as_bytes()) else {
                self.at = self.text.len();
                return Ok(Tag::End);
            };
            let begin = self.at + found;
            self.at = begin + 1;
            match self.peek() {
                None => return Err(self.truncated("a tag")),
                Some(b'?') => self.skip_past("?>")?,
                Some(b'!') if self.rest().starts_with("!--") => {
                    self.at += 3;
                    self.skip_past("-->")?;
                }
                Some(b'!') if self.rest().starts_with("![CDATA[") => self.skip_past("]]>")?,
                Some(b'!') => self.skip_past(">")?,
                Some(b'/') => {
                    self.at += 1;
                    let name = self.name();
                    self.skip_space();
                    return match self.peek() {
                        Some(b'>') => {
                            self.at += 1;
                            Ok(Tag::Close(name))
                        }
                        Some(_) => {
                            self.malformed(self.at, "`>` is expected at the end of a closing tag")
                        }
                        None => Err(self.truncated("`>`")),
                    };
                }
                Some(_) => {
                    let name = self.name();
                    if self.at >= self.text.len() {
                        return Err(self.truncated("the rest of a tag"));
                    }
                    if name.is_empty() {
                        return self
                            .malformed(begin, "`<` is not followed by the name of an element");
                    }
                    return Ok(Tag::Open(name));
                }
            }
        }
    }

    /// The next token inside the tag that [`tag`](Self::tag) opened.
    pub(super) fn inside(&mut self) -> Result<TagToken<'a>, XmlError> {
        let spaced = self.skip_space();
        match self.peek() {
            None => Err(self.truncated("the rest of a tag")),
            Some(b'>') => {
                self.at += 1;
                Ok(TagToken::Content)
            }
            Some(b'/') => match self.text.as_bytes().get(self.at + 1) {
                Some(b'>') => {
                    self.at += 2;
                    Ok(TagToken::Empty)
                }
                Some(_) => self.malformed(self.at, "`/` inside a tag is not followed by `>`"),
                None => Err(self.truncated("`>`")),
            },
            Some(b'<') => self.malformed(self.at, "a tag begins inside another tag"),
            Some(_) if !spaced => {
                self.malformed(self.at, "a space is missing between two attributes")
            }
            Some(_) => self.attribute(),
        }
    }

    fn attribute(&mut self) -> Result<TagToken<'a>, XmlError> {
        let begin = self.at;
        let name = self.name();
        if name.is_empty() {
            return self.malformed(begin, "the name of an attribute is expected");
        }
        self.skip_space();
        match self.peek() {
            Some(b'=') => self.at += 1,
            Some(_) => {
                return self.malformed(begin, format!("the attribute `{name}` has no value"));
            }
            None => return Err(self.truncated("the value of an attribute")),
        }
        self.skip_space();
        let quote = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => quote,
            Some(_) => {
                return self.malformed(self.at, format!("the value of `{name}` is not in quotes"));
            }
            None => return Err(self.truncated("the value of an attribute")),
        };
        self.at += 1;
        let begin = self.at;
        let rest = self.rest();
        match memchr2(quote, b'<', rest.as_bytes()) {
            None => Err(self.truncated("the end of a value")),
            Some(end) if rest.as_bytes().get(end) == Some(&b'<') => self.malformed(
                begin + end,
                format!("`<` inside the value of `{name}`: its end, or a piece of the document, is missing"),
            ),
            Some(end) => {
                self.at += end + 1;
                let value = self.value(begin, &rest[..end])?;
                Ok(TagToken::Attribute(name, value, begin))
            }
        }
    }

    /// `raw` with resolved references and normalized line breaks.
    fn value(&self, begin: usize, raw: &'a str) -> Result<Cow<'a, str>, XmlError> {
        let Some(first) = memchr2(b'&', b'\r', raw.as_bytes()) else {
            return Ok(Cow::Borrowed(raw));
        };
        let mut value = String::with_capacity(raw.len());
        let mut next = first;
        let mut copied = 0;
        loop {
            value.push_str(&raw[copied..next]);
            if raw.as_bytes()[next] == b'\r' {
                // Shells may double the CR before LF.
                copied = raw[next..]
                    .find(|c| c != '\r')
                    .map_or(raw.len(), |end| next + end);
                if raw.as_bytes().get(copied) != Some(&b'\n') {
                    value.extend(std::iter::repeat_n('\n', copied - next));
                }
            } else {
                let (c, end) = self.reference(begin, raw, next)?;
                value.push(c);
                copied = end;
            }
            match memchr2(b'&', b'\r', &raw.as_bytes()[copied..]) {
                Some(found) => next = copied + found,
                None => break,
            }
        }
        value.push_str(&raw[copied..]);
        Ok(Cow::Owned(value))
    }

    /// The character of the reference at `at` in `raw`, and its end.
    fn reference(&self, begin: usize, raw: &str, at: usize) -> Result<(char, usize), XmlError> {
        const MAX: usize = 12;
        let end = raw.as_bytes()[at..]
            .iter()
            .take(MAX)
            .position(|byte| *byte == b';');
        let Some(end) = end.map(|end| at + end) else {
            return self.malformed(begin + at, "`&` begins no reference that ends in `;`");
        };
        let name = &raw[at + 1..end];
        let c = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let Some(code) = number(name) else {
                    return self.malformed(begin + at, format!("`&{name};` is not known"));
                };
                return match code {
                    0xD800..0xDC00 => Ok(surrogates(code, raw, end + 1)),
                    0xDC00..0xE000 => Ok(('\u{fffd}', end + 1)),
                    code => match char::from_u32(code) {
                        Some(c) => Ok((c, end + 1)),
                        None => self.malformed(begin + at, format!("`&{name};` is no character")),
                    },
                };
            }
        };
        Ok((c, end + 1))
    }
}

/// The number of a numeric reference, without `&` and `;`.
fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('#')?;
    match digits.strip_prefix(['x', 'X']) {
        Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u32::from_str_radix(hex, 16).ok()
        }
        Some(_) => None,
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        None => None,
    }
}

/// Some writers give a supplementary character as two references to surrogates.
fn surrogates(high: u32, raw: &str, at: usize) -> (char, usize) {
    let low = raw.get(at..).and_then(|rest| {
        let name = rest.strip_prefix('&')?;
        let name = &name[..name.find(';')?];
        Some((number(name)?, at + name.len() + 2))
    });
    match low {
        Some((low @ 0xDC00..0xE000, end)) => {
            let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(code).unwrap_or('\u{fffd}'), end)
        }
        _ => ('\u{fffd}', at),
    }
}

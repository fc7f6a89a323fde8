//! Elements as text views print them, so that what is printed can be pasted back.

use escape::is_unseen;

/// What was read from a printed element: `e12 button "Save" #save`, or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrintedElement {
    /// Its reference.
    pub reference: Option<String>,
    /// Its role.
    pub role: Option<String>,
    /// Its texts and names.
    pub names: Vec<PrintedName>,
    /// The text after `of`, which distinguishes it from equal elements.
    pub owner: Option<PrintedName>,
    /// Its id, after `#`.
    pub id: Option<String>,
}

/// A printed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedName {
    /// The text.
    pub text: String,
    /// Its kind.
    pub kind: NameKind,
    /// Whether only its start is printed.
    pub is_cut: bool,
}

/// What a printed text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// The visible text.
    Text,
    /// `label=`, the content description.
    Label,
    /// `hint=` or `code=`.
    Other,
}

/// Why a text is not a printed element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotPrinted {
    /// It has no reference, quoted text or id, or something before them that is not printed.
    Unknown,
    /// It has several references, or several elements and none.
    Several,
}

impl PrintedElement {
    /// Reads a printed element. States and positions are ignored: the element may have others now.
    pub(crate) fn read(text: &str) -> Result<Self, NotPrinted> {
        let mut element = Self::default();
        let mut rest = Rest(text.trim());
        let mut is_owner = false;
        let mut has_words = false;
        // A word directly before the first text is its role: `row button "Save"`.
        let mut word_before = None;
        // Texts come before states, so a text behind one is that of another element.
        let (mut has_ended, mut has_next) = (false, false);
        while !rest.skip_spaces().is_empty() {
            // What is in parentheses or follows `·` explains the element.
            if has_words && rest.0.starts_with('(') && rest.skip_group() {
                continue;
            }
            if has_words && rest.0.starts_with(['(', '·']) {
                break;
            }
            let (word, name) = rest.take()?;
            let before = word_before.take();
            match (word, name) {
                ("" | "label=" | "hint=" | "code=", Some(text)) => {
                    let kind = match word {
                        "" => NameKind::Text,
                        "label=" => NameKind::Label,
                        _ => NameKind::Other,
                    };
                    let name = PrintedName { kind, ..text };
                    match std::mem::take(&mut is_owner) {
                        true => element.owner = Some(name),
                        false => {
                            if let Some(role) = before.filter(|_| element.names.is_empty()) {
                                element.role = Some(role);
                            }
                            has_next |= has_ended && !element.names.is_empty();
                            element.names.push(name);
                        }
                    }
                }
                ("#", Some(id)) => element.id = Some(id.text),
                // Other values in quotes are states, such as `error="…"`.
                (_, Some(_)) => {}
                (word, None) => {
                    if let Some(id) = word.strip_prefix('#').filter(|id| !id.is_empty()) {
                        element.id = Some(id.to_owned());
                    } else if is_reference(word) {
                        if element.reference.replace(word.to_owned()).is_some() {
                            return Err(NotPrinted::Several);
                        }
                    } else if is_several(word) {
                        return Err(NotPrinted::Several);
                    } else if word == "of" {
                        is_owner = rest.skip_spaces().starts_with('"');
                    } else if !has_words && element.names.is_empty() {
                        // Messages print `the button "Save"`, differences `+ button "Save"`.
                        if matches!(word, "the" | "+") {
                            continue;
                        }
                        if !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
                            return Err(NotPrinted::Unknown);
                        }
                        element.role = Some(word.to_owned());
                    } else {
                        has_ended |= !element.names.is_empty() && word != "…";
                        if word.bytes().all(|letter| letter.is_ascii_lowercase()) {
                            word_before = Some(word.to_owned());
                        }
                    }
                }
            }
            has_words |= element.role.is_some() || element.is_named();
        }
        match element.is_named() {
            _ if element.reference.is_some() => Ok(element),
            true if has_next => Err(NotPrinted::Several),
            true => Ok(element),
            false => Err(NotPrinted::Unknown),
        }
    }

    fn is_named(&self) -> bool {
        !self.names.is_empty() || self.owner.is_some() || self.id.is_some()
    }
}

/// Whether a text has the form of a reference.
pub(crate) fn is_reference(text: &str) -> bool {
    let number = text.strip_prefix('e').unwrap_or_default();
    !number.starts_with('0')
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word stands for several elements: `e4-e7`, `×3`, `same:`.
fn is_several(word: &str) -> bool {
    let range = word.split_once('-');
    let count = word
        .strip_prefix('×')
        .and_then(|count| count.chars().next());
    word == "same:"
        || range.is_some_and(|(first, last)| is_reference(first) && is_reference(last))
        || count.is_some_and(|digit| digit.is_ascii_digit())
}

/// A text with the spaces and invisible characters that are printed as `\u{202f}`.
pub(crate) fn with_unseen(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        read.push_str(before);
        match code_point(after).filter(|(c, _)| is_unseen(*c)) {
            Some((c, after)) => {
                read.push(c);
                rest = after;
            }
            None => {
                read.push_str("\\u{");
                rest = after;
            }
        }
    }
    read.push_str(rest);
    read
}

/// The character of `202f}…`, and what follows it.
fn code_point(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.split_once('}')?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code)?, after))
}

/// What is not read yet.
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    fn skip_spaces(&mut self) -> &'t str {
        self.0 = self.0.trim_start();
        self.0
    }

    /// Skips what is in parentheses; `false` if they are not closed.
    fn skip_group(&mut self) -> bool {
        let (mut is_quoted, mut before) = (false, ' ');
        let end = self.0.find(|c| {
            is_quoted ^= c == '"' && before != '\\';
            before = c;
            c == ')' && !is_quoted
        });
        let after = end.and_then(|end| self.0.get(end + 1..));
        self.0 = after.unwrap_or(self.0);
        after.is_some()
    }

    /// The next word; one that ends at a quote comes with the quoted text.
    fn take(&mut self) -> Result<(&'t str, Option<PrintedName>), NotPrinted> {
        let is_end = |c: char| c.is_whitespace() || c == '"';
        let end = self.0.find(is_end).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        let name = match rest.strip_prefix('"') {
            Some(inside) => Some(self.take_quoted(inside).ok_or(NotPrinted::Unknown)?),
            None => None,
        };
        Ok((word, name))
    }

    /// The text up to the closing quote, and `…` or `…(+1,240)` after it.
    fn take_quoted(&mut self, inside: &'t str) -> Option<PrintedName> {
        let mut text = String::new();
        let mut rest = inside.chars();
        loop {
            match rest.next()? {
                '"' => break,
                '\\' => match rest.next()? {
                    'n' => text.push('\n'),
                    'r' => text.push('\r'),
                    't' => text.push('\t'),
                    'u' => {
                        let (c, after) = code_point(rest.as_str().strip_prefix('{')?)?;
                        text.push(c);
                        rest = after.chars();
                    }
                    other => text.push(other),
                },
                c => text.push(c),
            }
        }
        let after = rest.as_str();
        let cut = after.strip_prefix('…');
        let is_count = |c: char| c.is_ascii_digit() || matches!(c, '(' | '+' | ',' | ')');
        self.0 = cut.map_or(after, |cut| cut.trim_start_matches(is_count));
        Some(PrintedName {
            text,
            kind: NameKind::Text,
            is_cut: cut.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read, as one line.
    fn read(text: &str) -> String {
        let element = match PrintedElement::read(text) {
            Ok(element) => element,
            Err(why) => return format!("{why:?}"),
        };
        let name = |name: PrintedName| {
            let cut = if name.is_cut { "…" } else { "" };
            format!("{:?}={:?}{cut}", name.kind, name.text)
        };
        let parts = [
            element.reference,
            element.role,
            element.id.map(|id| format!("#{id}")),
        ];
        let parts = parts.into_iter().flatten();
        let names = element.names.into_iter().map(name);
        let owner = element.owner.map(|owner| format!("of {}", name(owner)));
        let all: Vec<String> = parts.chain(names).chain(owner).collect();
        all.join(" ")
    }

    #[test]
    fn printed_elements_are_read() {
        for (printed, expected) in [
            ("e12", "e12"),
            (r#"button "Save""#, r#"button Text="Save""#),
            (r#"e12 button "Save""#, r#"e12 button Text="Save""#),
            (
                r#"  button "Save" disabled e12"#,
                r#"e12 button Text="Save""#,
            ),
            (r#"+ button "Save" e12"#, r#"e12 button Text="Save""#),
            (r#"the button "Save""#, r#"button Text="Save""#),
            (r#""Total""#, r#"Text="Total""#),
            (r#"row button label="Close""#, r#"button Label="Close""#),
            ("#save", "#save"),
            (r#"#"an id""#, "#an id"),
            (
                r#"textfield label="Name" hint="Your name" #name focused"#,
                r#"textfield #name Label="Name" Other="Your name""#,
            ),
            (
                r#"button "Edit" of "Ann""#,
                r#"button Text="Edit" of Text="Ann""#,
            ),
            (
                r#"slider label="Level" 30 of 100"#,
                r#"slider Label="Level""#,
            ),
            (
                r#"textfield "a@" invalid error="No address""#,
                r#"textfield Text="a@""#,
            ),
            (
                r#"listitem "A long"…(+1,240) "b"… clickable"#,
                r#"listitem Text="A long"… Text="b"…"#,
            ),
            (
                r#""7\u{202f}PM" "a\"b\\c\n""#,
                "Text=\"7\u{202f}PM\" Text=\"a\\\"b\\\\c\\n\"",
            ),
            (
                r#"e3 button "Send" (role is button, not link)"#,
                r#"e3 button Text="Send""#,
            ),
            (
                r#"webview scrollable (9 elements below with ":)") e1"#,
                "e1 webview",
            ),
            ("#chips scrollable (2 right) e7", "e7 #chips"),
            (r#"button "Send" (text is "Send…"#, r#"button Text="Send""#),
            (r#"webview /cart "Cart""#, r#"webview Text="Cart""#),
        ] {
            // `{:?}` escapes unseen characters as the printer does.
            let expected = expected.replace('\u{202f}', "\\u{202f}");
            assert_eq!(read(printed), expected, "{printed}");
        }
    }

    #[test]
    fn other_texts_are_not_printed_elements() {
        for text in ["", "Save", "button", "Say \"hi\"", "button \"Save", "#"] {
            assert_eq!(read(text), "Unknown", "{text}");
        }
        assert_eq!(
            read(r#""Row" button "Edit" e3"#),
            r#"e3 Text="Row" Text="Edit""#
        );
        for text in [
            "\"Row\" button \"Edit\"",
            "tab \"Mail\" e11 \"Chat\" e12",
            "button \"Edit\" ×3 e4-e6",
            "listitem \"Bob\" same: e6 e7",
        ] {
            assert_eq!(read(text), "Several", "{text}");
        }
    }

    #[test]
    fn printed_spaces_are_read_in_texts() {
        assert_eq!(with_unseen(r"7\u{202f}PM"), "7\u{202f}PM");
        // These are not how the characters are printed.
        assert_eq!(
            with_unseen(r"C:\new \u{41} \u{x} \u{"),
            r"C:\new \u{41} \u{x} \u{"
        );
    }
}

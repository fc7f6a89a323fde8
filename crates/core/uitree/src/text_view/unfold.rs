//! The elements of the lines of a written screen, each as it would be on a line of its own.

use std::borrow::Cow;
use std::collections::HashSet;

use super::words::{CODE, LABEL};
use crate::Role;

/// A line of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row<'s> {
    pub(super) line: &'s str,
    /// What is on it, one element at least.
    pub(super) elements: Vec<Element>,
    /// The line whose controls it says to be its own.
    pub(super) above: Option<usize>,
}

/// An element of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    /// As it is written, with its role.
    pub(super) whole: String,
    /// Without what lines that look alike leave out: a name behind the first one, an id, what the code calls it, and whether the
    /// name can be seen.
    pub(super) short: String,
}

/// What of a row stands for the controls of the row above.
pub(super) const SAME: &str = "same:";

/// Takes the lines of a screen apart.
pub(super) fn rows(screen: &str) -> Vec<Row<'_>> {
    let roles: HashSet<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    let mut rows: Vec<Row<'_>> = Vec::new();
    // The last row with controls behind its text, and which elements these are.
    let mut above: Option<(usize, usize)> = None;
    for (at, line) in screen.lines().enumerate() {
        let (own, rest) = parts(line, &roles);
        let mut row = Row {
            line,
            elements: own.iter().map(|part| Element::of(part)).collect(),
            above: None,
        };
        if let (Some(rest), Some((model, first))) = (rest, above) {
            row.above = Some(model);
            let models = rows[model].elements[first..].iter();
            let as_above = rest
                .split_inclusive(|token| is_reference(token))
                .zip(models)
                .map(|(tokens, model)| model.with(tokens));
            row.elements.extend(as_above);
        } else {
            let is_text = |part: &Vec<&str>| part.first() == Some(&Role::Text.as_str());
            let first = own.iter().rposition(is_text).map(|text| text + 1);
            above = first
                .filter(|first| own.len() > *first)
                .map(|first| (at, first))
                .or(above);
        }
        rows.push(row);
    }
    rows
}

/// The words of each element of a line, its role first, and those that stand for elements of the row above.
fn parts<'s>(line: &'s str, roles: &HashSet<&str>) -> (Vec<Vec<&'s str>>, Option<Vec<&'s str>>) {
    let tokens = tokens(line.trim_start());
    let first = tokens.first().copied().unwrap_or_default();
    let role = match first.starts_with('"') {
        true => Role::Text.as_str(),
        false => first,
    };
    // The cells of a table have their places, and equal elements their number.
    let is_whole = !roles.contains(role)
        || role == Role::Row.as_str()
        || line.contains("scrollable")
        || tokens.iter().any(|token| token.starts_with('×'));
    if is_whole {
        return (vec![vec![line.trim_start()]], None);
    }
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut part: Vec<&str> = Vec::new();
    let mut role = role;
    for (at, token) in tokens.iter().enumerate() {
        if *token == SAME {
            parts.extend((!part.is_empty()).then_some(part));
            return (parts, Some(tokens[at + 1..].to_vec()));
        }
        if roles.contains(token) {
            parts.extend((!part.is_empty()).then(|| std::mem::take(&mut part)));
            role = token;
        } else if part.is_empty() {
            part.push(role);
        }
        part.push(token);
        if is_reference(token) {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.extend((!part.is_empty()).then_some(part));
    (parts, None)
}

impl Element {
    /// The element with these words.
    fn of(words: &[&str]) -> Self {
        let mut is_named = false;
        let has_ref = words.last().is_some_and(|last| is_reference(last));
        let is_short = |word: &&&str| {
            let is_other = word.starts_with(LABEL) && is_named
                || word.starts_with('#')
                || word.starts_with(CODE) && has_ref;
            is_named |= word.contains('"');
            !is_other
        };
        let short = words.iter().filter(is_short).copied();
        let short: Vec<&str> = short
            .map(|word| match has_ref {
                true => word.strip_prefix(LABEL).unwrap_or(word),
                false => word,
            })
            .collect();
        Self {
            whole: words.join(" "),
            short: match words {
                [line] => (*line).to_owned(),
                _ => short.join(" "),
            },
        }
    }

    pub(super) fn without_focus(&self) -> Self {
        let [whole, short] = [&self.whole, &self.short].map(|own| without_focus(own).into_owned());
        Self { whole, short }
    }

    pub(super) fn is_among(&self, elements: &HashSet<String>) -> bool {
        elements.contains(&self.whole) || elements.contains(&self.short)
    }

    /// The element that these words make of the one above.
    fn with(&self, words: &[&str]) -> Self {
        let own = tokens(&self.short);
        let words = match words {
            [reference] => own
                .iter()
                .filter(|word| !is_reference(word))
                .chain([reference])
                .copied()
                .collect(),
            words => own.iter().take(1).chain(words).copied().collect::<Vec<_>>(),
        };
        Self::of(&words)
    }
}

/// The reference of an element.
pub(super) fn reference(element: &str) -> Option<&str> {
    let last = element.rsplit(' ').next();
    last.filter(|word| is_reference(word))
}

/// A line, or a control of one, without the focus of its last element.
pub(super) fn without_focus(line: &str) -> Cow<'_, str> {
    without_state(line, " focused")
}

/// A line, or a control of one, without a state of its last element.
pub(super) fn without_state<'l>(line: &'l str, state: &str) -> Cow<'l, str> {
    let states = line.rfind('"').map_or(0, |end| end + 1);
    match line[states..].find(state) {
        Some(at) => {
            let (start, rest) = line.split_at(states + at);
            Cow::Owned(format!("{start}{}", &rest[state.len()..]))
        }
        None => Cow::Borrowed(line),
    }
}

/// A line without its references.
pub(super) fn without_references(line: &str) -> String {
    let tokens = tokens(line.trim_start());
    let rest: Vec<&str> = tokens
        .into_iter()
        .filter(|token| !is_reference(token))
        .collect();
    rest.join(" ")
}

pub(super) fn is_reference(token: &str) -> bool {
    token.strip_prefix('e').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The quoted texts of a line, in their quotes.
pub(super) fn strings(line: &str) -> impl Iterator<Item = &str> {
    let strings = tokens(line)
        .into_iter()
        .filter(|word| word.starts_with('"'));
    strings.map(|word| word.trim_end_matches([',', ')']))
}

/// The words of a line; a quoted text is part of one.
fn tokens(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let words = line.split(move |c: char| {
        let ends = c == ' ' && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements of the lines of a screen, whole and short.
    fn elements(screen: &str) -> Vec<Vec<[String; 2]>> {
        let elements = |row: Row<'_>| {
            let elements = row.elements.into_iter();
            elements.map(|own| [own.whole, own.short]).collect()
        };
        rows(screen).into_iter().map(elements).collect()
    }

    fn same(text: &str) -> [String; 2] {
        [text.to_owned(), text.to_owned()]
    }

    #[test]
    fn elements_of_a_line_are_those_of_single_lines() {
        assert_eq!(
            elements(
                " button \"☆\" label=\"Star\" selected e4 \"a \\\" e1 b\" #b e5 text \"c\" \"d\""
            ),
            [[
                [
                    "button \"☆\" label=\"Star\" selected e4".to_owned(),
                    "button \"☆\" selected e4".to_owned()
                ],
                [
                    "button \"a \\\" e1 b\" #b e5".to_owned(),
                    "button \"a \\\" e1 b\" e5".to_owned()
                ],
                same("text \"c\" \"d\"")
            ]]
        );
        for whole in [
            "row \"A\" e1 \"B\" button e2",
            "icon ×2 e1 e2",
            "list scrollable (2 rows below) e1",
            "+ 3 lines",
        ] {
            assert_eq!(elements(whole), [[same(whole)]]);
        }
    }

    #[test]
    fn controls_of_the_row_above_are_those_of_a_row() {
        let screen = "text \"A\" e1 button \"☆\" e2 \"✓\" e3\nheading \"B\"\ntext \"C\" same: e4 \"✗\" disabled e5";
        let rows = rows(screen);
        assert_eq!(rows[2].above, Some(0));
        assert_eq!(
            elements(screen)[2],
            [
                same("text \"C\""),
                same("button \"☆\" e4"),
                same("button \"✗\" disabled e5")
            ]
        );
    }

    #[test]
    fn references_are_left_out() {
        assert_eq!(
            without_references("  button \"e7 is\" e4 \"b\" e55 each"),
            "button \"e7 is\" \"b\" each"
        );
    }
}

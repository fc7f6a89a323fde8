//! The elements of the lines of a written screen, each as it would be on a line of its own.

use std::collections::{HashMap, HashSet};

use super::words::LABEL;
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
    pub(super) written: String,
    /// What it says: for a text each of its strings, for others the role, the names, also those that lines that look alike
    /// leave out, the states, and the reference. Ids beside names, the focus and what is beyond its edges do not count.
    pub(super) keys: Vec<String>,
    pub(super) reference: Option<String>,
    pub(super) is_focused: bool,
    pub(super) is_scrollable: bool,
    /// The names of what is beyond its edges.
    pub(super) beyond: Vec<String>,
}

/// What of a row stands for the controls of the row above.
pub(super) const SAME: &str = "same:";

/// How the line that counts what a dialog covers begins.
const BEHIND_DIALOG: &str = "behind the dialog:";

const FOCUSED: &str = "focused";
const SCROLLABLE: &str = "scrollable";

/// States whose change is none: an element has the focus no more, or fits into its container now.
const NO_CHANGE: [&str; 2] = [FOCUSED, SCROLLABLE];

/// The labels of an element that follow its first name are written once for the lines below each other with the same roles:
/// here they are, by these roles and the place on the line.
type NamesAbove<'s> = HashMap<(Vec<&'s str>, usize), Vec<&'s str>>;

/// Takes the lines of a screen apart.
pub(super) fn rows(screen: &str) -> Vec<Row<'_>> {
    let roles: HashSet<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    let mut rows: Vec<Row<'_>> = Vec::new();
    // The last row with controls behind its text, and what these say.
    let mut above: (usize, Vec<Vec<&str>>) = (0, Vec::new());
    let mut names_above = NamesAbove::new();
    for (at, line) in screen.lines().enumerate() {
        let (mut own, rest) = parts(line, &roles);
        let mut model = None;
        let behind = own.len();
        if let Some(rest) = rest {
            model = Some(above.0);
            let references = rest.into_iter().filter(|token| is_reference(token));
            own.extend(above.1.iter().zip(references).map(|(control, reference)| {
                let words = control.iter().filter(|word| !is_reference(word)).copied();
                words.chain([reference]).collect()
            }));
        } else if let Some(text) = own.iter().rposition(|part| is_text(part)) {
            let controls = &own[text + 1..];
            if !controls.is_empty() {
                above = (at, controls.to_vec());
            }
        }
        let roles_here: Vec<&str> = own
            .iter()
            .filter_map(|part| part.first().copied())
            .collect();
        let elements = own.iter().enumerate().map(|(at, part)| {
            let names = part
                .iter()
                .copied()
                .take_while(|word| !word.starts_with('('));
            let names: Vec<&str> = names.filter(|word| is_name(word)).collect();
            let has_ref = part.last().is_some_and(|word| is_reference(word));
            if !has_ref || at >= behind {
                return Element::of(part, None);
            }
            let known = names_above.entry((roles_here.clone(), at)).or_default();
            if names != left_by_known(known) {
                *known = names;
            }
            Element::of(part, Some(known))
        });
        rows.push(Row {
            line,
            elements: elements.collect(),
            above: model,
        });
    }
    rows
}

/// What a line says of the names that the one above says, too.
fn left_by_known<'s>(names: &[&'s str]) -> Vec<&'s str> {
    let left = names.iter().enumerate();
    left.filter(|(at, name)| *at == 0 || !name.starts_with(LABEL))
        .map(|(_, name)| *name)
        .collect()
}

fn is_name(word: &str) -> bool {
    word.contains('"')
}

fn is_text(part: &[&str]) -> bool {
    part.first() == Some(&Role::Text.as_str())
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
        || tokens.contains(&SCROLLABLE)
        || tokens.iter().any(|token| token.starts_with('×'));
    if is_whole {
        return (vec![tokens], None);
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
    /// The element with these words, its role first, and with these names, if they are others than those among the words.
    fn of<'w>(words: &[&'w str], names: Option<&[&'w str]>) -> Self {
        let reference = words.last().filter(|last| is_reference(last));
        let counts = words.iter().position(|word| word.starts_with('('));
        let (said, counts) = match counts {
            Some(at) if words[..at].ends_with(&[SCROLLABLE]) => words.split_at(at),
            _ => (words, &[][..]),
        };
        let beyond = counts.iter().filter(|word| is_name(word));
        let beyond = beyond.map(|word| word.trim_end_matches([',', ')']).to_owned());
        let role = words.first().copied().unwrap_or_default();
        let own_names: Vec<&str> = said.iter().copied().filter(|word| is_name(word)).collect();
        let names = names.unwrap_or(&own_names);
        // Whether a name can be seen is written only with the first of several.
        let name = |name: &&'w str| match reference {
            Some(_) => name.strip_prefix(LABEL).unwrap_or(name),
            None => *name,
        };
        let is_id = |word: &str| word.starts_with('#') && !names.is_empty();
        let is_state = |word: &&str| {
            !(is_name(word) || is_reference(word) || is_id(word) || NO_CHANGE.contains(word))
        };
        let unfocused = words.iter().copied().filter(|word| *word != FOCUSED);
        let keys = if words.join(" ").starts_with(BEHIND_DIALOG) {
            vec![BEHIND_DIALOG.to_owned()]
        } else if role == Role::Text.as_str() && reference.is_none() {
            unfocused.skip(1).map(str::to_owned).collect()
        } else if role == Role::Row.as_str() || words.iter().any(|word| word.starts_with('×')) {
            // One key for the whole line: cells differ by their place, and equal elements share a line of references.
            vec![unfocused.collect::<Vec<_>>().join(" ")]
        } else {
            let role = Some(role).filter(|role| !is_name(role) && is_state(role));
            let states = said.iter().skip(1).copied().filter(is_state);
            let said = role.into_iter().chain(names.iter().map(name)).chain(states);
            let said: Vec<&str> = said.chain(reference.copied()).collect();
            vec![said.join(" ")]
        };
        Self {
            written: words.join(" "),
            keys,
            reference: reference.map(|reference| (*reference).to_owned()),
            is_focused: words.contains(&FOCUSED),
            is_scrollable: said.contains(&SCROLLABLE),
            beyond: beyond.collect(),
        }
    }

    /// The words of what it says.
    pub(super) fn words(&self) -> Vec<&str> {
        self.keys.iter().flat_map(|key| tokens(key)).collect()
    }

    pub(super) fn role(&self) -> &str {
        self.written.split(' ').next().unwrap_or_default()
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

    /// What the elements of the lines of a screen say.
    fn keys(screen: &str) -> Vec<Vec<Vec<String>>> {
        let keys = |row: Row<'_>| row.elements.into_iter().map(|own| own.keys).collect();
        rows(screen).into_iter().map(keys).collect()
    }

    #[test]
    fn elements_of_a_line_are_those_of_single_lines() {
        assert_eq!(
            keys(
                " button \"☆\" label=\"Star\" selected e4 \"a \\\" e1 b\" #b focused e5 text \"c\" \"d\""
            ),
            [[
                vec!["button \"☆\" \"Star\" selected e4"],
                vec!["button \"a \\\" e1 b\" e5"],
                vec!["\"c\"", "\"d\""]
            ]]
        );
        for (line, key) in [
            (
                "row \"A\" e1 \"B\" focused button e2",
                "row \"A\" e1 \"B\" button e2",
            ),
            ("icon ×2 e1 e2", "icon ×2 e1 e2"),
            (
                "list #l scrollable (2 rows below with \"B\") e1",
                "list #l e1",
            ),
            ("behind the dialog: 3 elements", "behind the dialog:"),
        ] {
            assert_eq!(keys(line), [[[key]]]);
        }
    }

    #[test]
    fn controls_of_the_row_above_are_those_of_a_row() {
        let screen =
            "text \"A\" e1 button \"☆\" e2 \"✓\" e3\nheading \"B\"\ntext \"C\" same: e4 e5";
        assert_eq!(rows(screen)[2].above, Some(0));
        let same = [["\"C\""], ["button \"☆\" e4"], ["button \"✓\" e5"]];
        assert_eq!(keys(screen)[2], same);
    }

    #[test]
    fn names_that_the_line_above_says_are_those_of_a_line() {
        let screen = "button \"1\" label=\"One\" e1 \"☆\" e2\nbutton \"1\" e3 \"☆\" e4";
        assert_eq!(
            keys(screen)[1],
            [["button \"1\" \"One\" e3"], ["button \"☆\" e4"]]
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

//! The elements of the lines of a written screen, each as it would be on a line of its own.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::line::{is_reference, references};
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

/// What the lines above say, which those below leave out.
#[derive(Default)]
struct PrecedingLines<'s> {
    /// The words that are roles.
    roles: HashSet<&'static str>,
    /// The names of each element of the last line with these roles: labels that follow the first one are left out.
    names: HashMap<(Vec<&'s str>, usize), Vec<&'s str>>,
    /// The controls of the last line with controls of these roles, and where it is: what the code calls one is left out.
    controls: HashMap<Vec<&'s str>, (usize, Vec<Words<'s>>)>,
    /// The last controls behind a text that are written, and where.
    behind: (usize, Vec<Words<'s>>),
    /// The elements of the line right above.
    row: Vec<Words<'s>>,
}

/// The words of an element, its role first.
type Words<'s> = Vec<&'s str>;

/// Takes the lines of a screen apart.
pub(super) fn rows(screen: &str) -> Vec<Row<'_>> {
    let whole: Vec<Cow<'_, str>> = screen.lines().map(with_references).collect();
    let mut above = PrecedingLines {
        roles: Role::ALL.iter().map(|role| role.as_str()).collect(),
        ..PrecedingLines::default()
    };
    let lines = screen.lines().zip(&whole).enumerate();
    lines
        .map(|(at, (line, whole))| above.row(at, line, whole))
        .collect()
}

/// A line with each reference of its ranges.
fn with_references(line: &str) -> Cow<'_, str> {
    if !line.contains(SAME) && !line.contains('×') {
        return Cow::Borrowed(line);
    }
    let words = tokens(line).into_iter().map(|word| match references(word) {
        Some(references) => Cow::Owned(references),
        None => Cow::Borrowed(word),
    });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

impl<'s> PrecedingLines<'s> {
    fn row<'l>(&mut self, at: usize, line: &'l str, whole: &'s str) -> Row<'l> {
        let Parts {
            mut own,
            rest,
            is_whole,
        } = Parts::of(whole, &self.roles);
        let mut above = None;
        let mut all = self.with_labels(&own);
        if let Some(rest) = &rest {
            let like_above = match own.is_empty() {
                true => self.row_above(rest),
                false => self.controls_above(rest),
            };
            above = match own.is_empty() {
                true => at.checked_sub(1),
                false => Some(self.behind.0),
            };
            own.extend(like_above.clone());
            all.extend(like_above);
        }
        if !is_whole {
            let code_above = self.note_controls(at, &mut own, &mut all);
            above = above.or(code_above);
            let behind = all.iter().rposition(|part| is_text(part));
            let controls = &all[behind.map_or(0, |text| text + 1)..];
            let has_ref = |part: &Words<'_>| reference_of(part).is_some();
            if rest.is_none() && behind.is_some() && controls.iter().all(has_ref) {
                self.behind = (at, controls.to_vec());
            }
        }
        let elements = own.iter().zip(&all);
        let elements = elements.map(|(own, all)| Element::of(own, all)).collect();
        self.row = all;
        Row {
            line,
            elements,
            above,
        }
    }

    /// Notes the controls of a line, with what the code calls them if a line above says it: the last one with controls of these
    /// roles, which is returned.
    fn note_controls(
        &mut self,
        at: usize,
        own: &mut [Words<'s>],
        all: &mut [Words<'s>],
    ) -> Option<usize> {
        let controls: Vec<usize> = (0..all.len()).filter(|at| !is_text(&all[*at])).collect();
        if controls.iter().any(|at| reference_of(&all[*at]).is_none()) {
            return None;
        }
        let roles: Vec<&str> = controls.iter().map(|at| role_of(&all[*at])).collect();
        let mut above = None;
        if let Some((row, known)) = self.controls.get(&roles) {
            for (known, at) in known.iter().zip(&controls) {
                let code = known.iter().find(|word| word.starts_with(CODE));
                if let Some(code) = code.filter(|_| !all[*at].iter().any(|word| says_what(word))) {
                    own[*at].insert(1, code);
                    all[*at].insert(1, code);
                    above = Some(*row);
                }
            }
        }
        let noted = controls.iter().map(|at| all[*at].clone()).collect();
        self.controls.insert(roles, (at, noted));
        above
    }

    /// The elements of a line with the labels that it leaves out.
    fn with_labels(&mut self, own: &[Words<'s>]) -> Vec<Words<'s>> {
        let roles: Vec<&str> = own.iter().map(|part| role_of(part)).collect();
        let elements = own.iter().enumerate().map(|(at, part)| {
            let said = part.iter().take_while(|word| !word.starts_with('('));
            let names: Words<'s> = said.copied().filter(|word| is_name(word)).collect();
            if names.is_empty() || reference_of(part).is_none() {
                return part.clone();
            }
            let known = self.names.entry((roles.clone(), at)).or_default();
            if names != left_by_known(known) {
                *known = names;
                return part.clone();
            }
            let begin = part.iter().position(|word| is_name(word)).unwrap_or(1);
            [&part[..begin], known, &part[begin + names.len()..]].concat()
        });
        elements.collect()
    }

    /// The controls behind the text of a row, which are those of the row above, with their references.
    fn controls_above(&self, references: &[&'s str]) -> Vec<Words<'s>> {
        let references = references.iter().filter(|word| is_reference(word));
        let controls = self.behind.1.iter().zip(references);
        controls
            .map(|(control, reference)| like(control, reference))
            .collect()
    }

    /// The elements of a row, which are those of the row above but for the references and what the text says.
    fn row_above(&self, said: &[&'s str]) -> Vec<Words<'s>> {
        let (references, text): (Words<'s>, Words<'s>) =
            said.iter().partition(|word| is_reference(word));
        let parts = self.row.iter().zip(references);
        parts
            .map(|(part, reference)| match is_text(part) {
                true => [&part[..1], &text, &[reference]].concat(),
                false => like(part, reference),
            })
            .collect()
    }
}

/// The words of an element that is like another one, with its own reference.
fn like<'s>(part: &[&'s str], reference: &'s str) -> Words<'s> {
    let words = part.iter().copied().filter(|word| !is_reference(word));
    words.chain([reference]).collect()
}

fn reference_of<'s>(part: &[&'s str]) -> Option<&'s str> {
    part.last().copied().filter(|word| is_reference(word))
}

/// Whether a word is a name or an id.
fn says_what(word: &str) -> bool {
    is_name(word) || word.starts_with('#')
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

fn role_of<'s>(part: &[&'s str]) -> &'s str {
    part.first().copied().unwrap_or_default()
}

fn is_text(part: &[&str]) -> bool {
    role_of(part) == Role::Text.as_str()
}

/// The elements of a line.
struct Parts<'s> {
    own: Vec<Words<'s>>,
    /// What stands for elements of the row above.
    rest: Option<Words<'s>>,
    /// Whether it is one element, whatever it says.
    is_whole: bool,
}

impl<'s> Parts<'s> {
    fn of(line: &'s str, roles: &HashSet<&str>) -> Self {
        let is_role = |word: &str| roles.contains(word);
        let tokens = tokens(line.trim_start());
        let first = tokens.first().copied().unwrap_or_default();
        let mut role = match first.starts_with('"') {
            true => Role::Text.as_str(),
            false => first,
        };
        // The cells of a table have their places, and equal elements their number.
        let is_whole = !(is_role(role) || role == SAME)
            || role == Role::Row.as_str()
            || tokens.contains(&SCROLLABLE)
            || tokens.iter().any(|token| token.starts_with('×'));
        let mut parts = Self {
            own: Vec::new(),
            rest: None,
            is_whole,
        };
        if is_whole {
            parts.own.push(tokens);
            return parts;
        }
        let mut part: Words<'s> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if *token == SAME {
                parts.rest = Some(tokens[at + 1..].to_vec());
                break;
            }
            if is_role(token) {
                parts
                    .own
                    .extend((!part.is_empty()).then(|| std::mem::take(&mut part)));
                role = token;
            } else if part.is_empty() {
                part.push(role);
            }
            part.push(token);
            if is_reference(token) {
                parts.own.push(std::mem::take(&mut part));
            }
        }
        parts.own.extend((!part.is_empty()).then_some(part));
        parts
    }
}

impl Element {
    /// The element that is written as `own`, and says `words`, its role first.
    fn of(own: &[&str], words: &[&str]) -> Self {
        let reference = words.last().filter(|last| is_reference(last));
        let counts = words.iter().position(|word| word.starts_with('('));
        let (said, counts) = match counts {
            Some(at) if words[..at].ends_with(&[SCROLLABLE]) => words.split_at(at),
            _ => (words, &[][..]),
        };
        let beyond = counts.iter().filter(|word| is_name(word));
        let beyond = beyond.map(|word| word.trim_end_matches([',', ')']).to_owned());
        let role = role_of(words);
        let names: Vec<&str> = said.iter().copied().filter(|word| is_name(word)).collect();
        // Whether a name can be seen is written only with the first of several.
        let name = |name: &&str| match reference {
            Some(_) => name.strip_prefix(LABEL).unwrap_or(name).to_owned(),
            None => (*name).to_owned(),
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
            let names = names.iter().map(name);
            let said = role.map(str::to_owned).into_iter().chain(names);
            let said = said.chain(states.chain(reference.copied()).map(str::to_owned));
            vec![said.collect::<Vec<_>>().join(" ")]
        };
        Self {
            written: own.join(" "),
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
    fn row_like_the_one_above_has_its_elements() {
        let screen = " checkbox e1 text \"A\" read e2 button \"☆\" label=\"Star\" e3\n same: e14-e16 \"B\" unread\n same: e24-e26 \"C\"";
        let row = |at: u32, text: &str| {
            let (star, box_) = (
                format!("button \"☆\" \"Star\" e{}", at + 2),
                format!("checkbox e{at}"),
            );
            [[box_], [format!("text {text} e{}", at + 1)], [star]].map(Vec::from)
        };
        let rows_found = keys(screen);
        assert_eq!(rows_found[1], row(14, "\"B\" unread"));
        assert_eq!(rows_found[2], row(24, "\"C\""));
        assert_eq!(rows(screen)[2].above, Some(1));
    }

    #[test]
    fn name_in_the_code_that_a_line_above_says_is_that_of_a_control() {
        let screen = "\"A\" button code=\"save\" e1\nbutton \"1\" e2 code=\"like\" e3\n\"B\" button e4\nbutton \"2\" e5 e6";
        let found = rows(screen);
        let written = |row: usize, at: usize| &*found[row].elements[at].written;
        assert_eq!(written(2, 1), "button code=\"save\" e4");
        assert_eq!(written(3, 1), "button code=\"like\" e6");
        assert_eq!([found[2].above, found[3].above], [Some(0), Some(1)]);
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

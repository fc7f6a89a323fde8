//! Parses a written view into its elements, each as it would be on a line of its own.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::Role;
use crate::text_view::line::references::{SAME, expand_range, is_reference};
use crate::text_view::line::text::{CODE, LABEL};

/// A line of a written view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedLine<'s> {
    pub(crate) text: &'s str,
    /// Its elements, at least one.
    pub(crate) elements: Vec<Element>,
    /// The index of the line that its `same:` marker or omitted name refers to.
    pub(crate) refers_to: Option<usize>,
}

/// An element of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    /// Its text, with its role.
    pub(crate) written: String,
    /// What comparisons use: the strings of a text; else role, names (omitted ones too), states and reference in one string, without
    /// ids beside names, [ignored states](IGNORED_STATES) and off-screen elements.
    pub(crate) keys: Vec<String>,
    pub(crate) reference: Option<String>,
    pub(crate) is_focused: bool,
    pub(crate) is_scrollable: bool,
    /// The names of its off-screen elements.
    pub(crate) off_screen_names: Vec<String>,
}

/// Start of the line with the number of covered elements.
const BEHIND_DIALOG: &str = "behind the dialog:";

const FOCUSED: &str = "focused";
const SCROLLABLE: &str = "scrollable";

/// States that are ignored in comparisons.
const IGNORED_STATES: [&str; 2] = [FOCUSED, SCROLLABLE];

/// Content of earlier lines that later lines omit.
#[derive(Default)]
struct PrecedingLines<'s> {
    /// The names of all roles.
    roles: HashSet<&'static str>,
    /// The names of each element of the last line with these roles; labels after the first name are omitted.
    names: HashMap<(Vec<&'s str>, usize), Vec<&'s str>>,
    /// The controls of the last line with controls of these roles, and its index; code names are omitted.
    controls: HashMap<Vec<&'s str>, (usize, Vec<Words<'s>>)>,
    /// The last written controls after a text, and the index of their line.
    after_text: (usize, Vec<Words<'s>>),
    /// The elements of the line directly above.
    previous: Vec<Words<'s>>,
}

/// The words of an element, its role first.
type Words<'s> = Vec<&'s str>;

/// Parses the lines of a screen.
pub(crate) fn parse(screen: &str) -> Vec<ParsedLine<'_>> {
    let expanded: Vec<Cow<'_, str>> = screen.lines().map(expand_ranges).collect();
    let mut above = PrecedingLines {
        roles: Role::ALL.iter().map(|role| role.as_str()).collect(),
        ..PrecedingLines::default()
    };
    let lines = screen.lines().zip(&expanded).enumerate();
    lines
        .map(|(at, (line, expanded))| above.parse_line(at, line, expanded))
        .collect()
}

/// The line with every reference of its ranges.
fn expand_ranges(line: &str) -> Cow<'_, str> {
    if !line.contains(SAME) && !line.contains('×') {
        return Cow::Borrowed(line);
    }
    let words = tokens(line)
        .into_iter()
        .map(|word| match expand_range(word) {
            Some(references) => Cow::Owned(references),
            None => Cow::Borrowed(word),
        });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

impl<'s> PrecedingLines<'s> {
    fn parse_line<'l>(&mut self, at: usize, text: &'l str, expanded: &'s str) -> ParsedLine<'l> {
        let TokenizedLine {
            mut own,
            rest,
            is_whole,
        } = TokenizedLine::of(expanded, &self.roles);
        let mut refers_to = None;
        let mut all = self.with_labels(&own);
        if let Some(rest) = &rest {
            let as_above = match own.is_empty() {
                true => self.row_above(rest),
                false => self.controls_above(rest),
            };
            refers_to = match own.is_empty() {
                true => at.checked_sub(1),
                false => Some(self.after_text.0),
            };
            own.extend(as_above.clone());
            all.extend(as_above);
        }
        if !is_whole {
            let named_by = self.note_controls(at, &mut own, &mut all);
            refers_to = refers_to.or(named_by);
            let last_text = all.iter().rposition(|part| is_text(part));
            let controls = &all[last_text.map_or(0, |text| text + 1)..];
            let has_ref = |part: &Words<'_>| reference_of(part).is_some();
            if rest.is_none() && last_text.is_some() && controls.iter().all(has_ref) {
                self.after_text = (at, controls.to_vec());
            }
        }
        let elements = own.iter().zip(&all);
        let elements = elements.map(|(own, all)| Element::of(own, all)).collect();
        self.previous = all;
        ParsedLine {
            text,
            elements,
            refers_to,
        }
    }

    /// Records the controls of a line with their omitted code names. Returns the index of the line that has these.
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
        let mut named_by = None;
        if let Some((row, known)) = self.controls.get(&roles) {
            for (known, at) in known.iter().zip(&controls) {
                let code = known.iter().find(|word| word.starts_with(CODE));
                if let Some(code) =
                    code.filter(|_| !all[*at].iter().any(|word| is_name_or_id(word)))
                {
                    own[*at].insert(1, code);
                    all[*at].insert(1, code);
                    named_by = Some(*row);
                }
            }
        }
        let noted = controls.iter().map(|at| all[*at].clone()).collect();
        self.controls.insert(roles, (at, noted));
        named_by
    }

    /// The elements of a line with their omitted labels.
    fn with_labels(&mut self, own: &[Words<'s>]) -> Vec<Words<'s>> {
        let roles: Vec<&str> = own.iter().map(|part| role_of(part)).collect();
        let elements = own.iter().enumerate().map(|(at, part)| {
            let words = part.iter().take_while(|word| !word.starts_with('('));
            let names: Words<'s> = words.copied().filter(|word| is_name(word)).collect();
            if names.is_empty() || reference_of(part).is_none() {
                return part.clone();
            }
            let known = self.names.entry((roles.clone(), at)).or_default();
            if names != names_without_labels(known) {
                *known = names;
                return part.clone();
            }
            let begin = part.iter().position(|word| is_name(word)).unwrap_or(1);
            [&part[..begin], known, &part[begin + names.len()..]].concat()
        });
        elements.collect()
    }

    /// The controls after the text of the row above, with other references.
    fn controls_above(&self, references: &[&'s str]) -> Vec<Words<'s>> {
        let references = references.iter().filter(|word| is_reference(word));
        let controls = self.after_text.1.iter().zip(references);
        controls
            .map(|(control, reference)| with_reference(control, reference))
            .collect()
    }

    /// The elements of the row above, with other references and another text.
    fn row_above(&self, words: &[&'s str]) -> Vec<Words<'s>> {
        let (references, text): (Words<'s>, Words<'s>) =
            words.iter().partition(|word| is_reference(word));
        let parts = self.previous.iter().zip(references);
        parts
            .map(|(part, reference)| match is_text(part) {
                true => [&part[..1], &text, &[reference]].concat(),
                false => with_reference(part, reference),
            })
            .collect()
    }
}

/// The words of an element with another reference.
fn with_reference<'s>(part: &[&'s str], reference: &'s str) -> Words<'s> {
    let words = part.iter().copied().filter(|word| !is_reference(word));
    words.chain([reference]).collect()
}

fn reference_of<'s>(part: &[&'s str]) -> Option<&'s str> {
    part.last().copied().filter(|word| is_reference(word))
}

/// Whether a word is a name or an id.
fn is_name_or_id(word: &str) -> bool {
    is_name(word) || word.starts_with('#')
}

/// The names that a line writes if the line above has the same names.
fn names_without_labels<'s>(names: &[&'s str]) -> Vec<&'s str> {
    let names = names.iter().enumerate();
    names
        .filter(|(at, name)| *at == 0 || !name.starts_with(LABEL))
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

/// The words of a line, by element.
struct TokenizedLine<'s> {
    own: Vec<Words<'s>>,
    /// The words after `same:`.
    rest: Option<Words<'s>>,
    /// Whether the whole line is one element.
    is_whole: bool,
}

impl<'s> TokenizedLine<'s> {
    fn of(line: &'s str, roles: &HashSet<&str>) -> Self {
        let is_role = |word: &str| roles.contains(word);
        let tokens = tokens(line.trim_start());
        let first = tokens.first().copied().unwrap_or_default();
        let mut role = match first.starts_with('"') {
            true => Role::Text.as_str(),
            false => first,
        };
        // The cells of a table have positions, and equal elements a number.
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
    /// The element that is written as `own`; `words` also has the omitted names.
    fn of(own: &[&str], words: &[&str]) -> Self {
        let reference = words.last().filter(|last| is_reference(last));
        let counts = words.iter().position(|word| word.starts_with('('));
        let (content, counts) = match counts {
            Some(at) if words[..at].ends_with(&[SCROLLABLE]) => words.split_at(at),
            _ => (words, &[][..]),
        };
        let off_screen_names = counts.iter().filter(|word| is_name(word));
        let off_screen_names =
            off_screen_names.map(|word| word.trim_end_matches([',', ')']).to_owned());
        let role = role_of(words);
        let names: Vec<&str> = content
            .iter()
            .copied()
            .filter(|word| is_name(word))
            .collect();
        // `label=` is written only before the first of several names.
        let name = |name: &&str| match reference {
            Some(_) => name.strip_prefix(LABEL).unwrap_or(name).to_owned(),
            None => (*name).to_owned(),
        };
        let is_id = |word: &str| word.starts_with('#') && !names.is_empty();
        let is_state = |word: &&str| {
            !(is_name(word) || is_reference(word) || is_id(word) || IGNORED_STATES.contains(word))
        };
        let unfocused = words.iter().copied().filter(|word| *word != FOCUSED);
        let keys = if words.join(" ").starts_with(BEHIND_DIALOG) {
            vec![BEHIND_DIALOG.to_owned()]
        } else if role == Role::Text.as_str() && reference.is_none() {
            unfocused.skip(1).map(str::to_owned).collect()
        } else if role == Role::Row.as_str() || words.iter().any(|word| word.starts_with('×')) {
            // One key for the whole line: cells differ by position, and equal elements share their references.
            vec![unfocused.collect::<Vec<_>>().join(" ")]
        } else {
            let role = Some(role).filter(|role| !is_name(role) && is_state(role));
            let states = content.iter().skip(1).copied().filter(is_state);
            let names = names.iter().map(name);
            let key = role.map(str::to_owned).into_iter().chain(names);
            let key = key.chain(states.chain(reference.copied()).map(str::to_owned));
            vec![key.collect::<Vec<_>>().join(" ")]
        };
        Self {
            written: own.join(" "),
            keys,
            reference: reference.map(|reference| (*reference).to_owned()),
            is_focused: words.contains(&FOCUSED),
            is_scrollable: content.contains(&SCROLLABLE),
            off_screen_names: off_screen_names.collect(),
        }
    }

    /// The words of its keys.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.keys.iter().flat_map(|key| tokens(key)).collect()
    }

    pub(crate) fn role(&self) -> &str {
        self.written.split(' ').next().unwrap_or_default()
    }
}

/// The line without references.
pub(crate) fn without_references(line: &str) -> String {
    let tokens = tokens(line.trim_start());
    let rest: Vec<&str> = tokens
        .into_iter()
        .filter(|token| !is_reference(token))
        .collect();
    rest.join(" ")
}

/// The quoted texts of a line, in their quotes.
pub(crate) fn strings(line: &str) -> impl Iterator<Item = &str> {
    let strings = tokens(line)
        .into_iter()
        .filter(|word| word.starts_with('"'));
    strings.map(|word| word.trim_end_matches([',', ')']))
}

/// The words of a line; a quoted string is within one word.
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

    /// The keys of the elements of each line.
    fn keys(screen: &str) -> Vec<Vec<Vec<String>>> {
        let keys = |row: ParsedLine<'_>| row.elements.into_iter().map(|own| own.keys).collect();
        parse(screen).into_iter().map(keys).collect()
    }

    #[test]
    fn elements_of_a_line_equal_those_of_single_lines() {
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
    fn same_marker_refers_to_the_controls_of_the_row_above() {
        let screen =
            "text \"A\" e1 button \"☆\" e2 \"✓\" e3\nheading \"B\"\ntext \"C\" same: e4 e5";
        assert_eq!(parse(screen)[2].refers_to, Some(0));
        let same = [["\"C\""], ["button \"☆\" e4"], ["button \"✓\" e5"]];
        assert_eq!(keys(screen)[2], same);
    }

    #[test]
    fn same_marker_refers_to_the_row_above() {
        let screen = " checkbox e1 text \"A\" read e2 button \"☆\" label=\"Star\" e3\n same: e14-e16 \"B\" unread\n same: e24-e26 \"C\"";
        let row = |at: u32, text: &str| {
            let (star, box_) = (
                format!("button \"☆\" \"Star\" e{}", at + 2),
                format!("checkbox e{at}"),
            );
            [[box_], [format!("text {text} e{}", at + 1)], [star]].map(Vec::from)
        };
        let found = keys(screen);
        assert_eq!(found[1], row(14, "\"B\" unread"));
        assert_eq!(found[2], row(24, "\"C\""));
        assert_eq!(parse(screen)[2].refers_to, Some(1));
    }

    #[test]
    fn omitted_code_name_is_that_of_a_line_above() {
        let screen = "\"A\" button code=\"save\" e1\nbutton \"1\" e2 code=\"with_reference\" e3\n\"B\" button e4\nbutton \"2\" e5 e6";
        let found = parse(screen);
        let written = |row: usize, at: usize| &*found[row].elements[at].written;
        assert_eq!(written(2, 1), "button code=\"save\" e4");
        assert_eq!(written(3, 1), "button code=\"with_reference\" e6");
        assert_eq!([found[2].refers_to, found[3].refers_to], [Some(0), Some(1)]);
    }

    #[test]
    fn omitted_labels_are_those_of_the_line_above() {
        let screen = "button \"1\" label=\"One\" e1 \"☆\" e2\nbutton \"1\" e3 \"☆\" e4";
        assert_eq!(
            keys(screen)[1],
            [["button \"1\" \"One\" e3"], ["button \"☆\" e4"]]
        );
    }

    #[test]
    fn references_are_removed() {
        assert_eq!(
            without_references("  button \"e7 is\" e4 \"b\" e55 each"),
            "button \"e7 is\" \"b\" each"
        );
    }
}

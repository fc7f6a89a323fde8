//! Controls of one kind that follow each other are written on one line: those with one short name each, and the others, such
//! as the buttons of each row, when they are repeated. Only elements with references share a line: the reference ends what is
//! said of one.

use std::collections::HashMap;

use super::line::{Line, Part, Rank};
use super::words::{HINT, LABEL};
use crate::{Role, ScreenRefs};

/// The most characters of the name of an element that shares its line with others, and of all names on the line.
const MAX_NAME: usize = 32;
const MAX_NAMES: usize = 120;

/// Leaves out of lines what a reference replaces: that the element can be clicked, where it is, and an id beside a name that
/// no other element has.
pub(super) fn leave_out_implied(lines: &mut [Line], refs: &ScreenRefs) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in lines.iter() {
        *counts.entry(name_of(line)).or_default() += 1;
    }
    for line in lines.iter_mut() {
        join_name(line, refs);
        let name = name_of(line);
        let is_only = !name.is_empty() && counts.get(&name) == Some(&1);
        for part in line.parts.iter_mut().filter(|part| has_ref(part, refs)) {
            if is_only {
                part.resource = None;
            }
            let says_what =
                !(part.role.is_empty() && part.words.is_empty()) || part.resource.is_some();
            if says_what {
                part.leave_out_clickable();
            }
            part.place = None;
        }
    }
}

/// Makes the text beside a nameless checkbox or radio button its name: the reference presses it.
fn join_name(line: &mut Line, refs: &ScreenRefs) {
    let [choice, text] = line.parts.as_mut_slice() else {
        return;
    };
    let is_text = text.role == Role::Text.as_str() && text.states.is_empty();
    let [_] = text.words.as_slice() else { return };
    if is_text && choice.words.is_empty() && has_ref(choice, refs) && !has_ref(text, refs) {
        choice.words = std::mem::take(&mut text.words);
        line.parts.truncate(1);
    }
}

/// The names of all elements of a line, without what a field holds.
fn name_of(line: &Line) -> String {
    let words = line.parts.iter().flat_map(|part| {
        let is_field = part.role == Role::TextField.as_str();
        let words = part.words.iter();
        words.filter(move |word| !is_field || !word.key.is_empty())
    });
    let names: Vec<&str> = words.map(|word| &*word.text).collect();
    names.join(" ")
}

fn has_ref(part: &Part, refs: &ScreenRefs) -> bool {
    part.id.is_some_and(|id| refs.has(id))
}

/// Writes controls that were written before, in this order, on one line.
pub(super) fn share(lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let runs = runs(&lines, refs);
    if runs.len() == lines.len() {
        return lines;
    }
    let mut rest = lines.into_iter();
    let shared = runs.into_iter().filter_map(|run| {
        let mut line = rest.next()?;
        if run.length > 1 {
            let others = rest.by_ref().take(run.length - 1);
            line.parts.extend(others.flat_map(|line| line.parts));
            if run.is_repeated {
                line.parts = line.parts.into_iter().map(shortened).collect();
            }
            for part in line.parts.iter_mut().skip(1) {
                part.role.clear();
            }
        }
        Some(line)
    });
    shared.collect()
}

/// The lines that a line of the result is made of.
struct Run {
    length: usize,
    /// Whether they were written before.
    is_repeated: bool,
}

fn runs(lines: &[Line], refs: &ScreenRefs) -> Vec<Run> {
    let controls: Vec<bool> = (0..lines.len())
        .map(|at| is_control(lines, at, refs))
        .collect();
    let is_kind_of_next = |at: usize| {
        let role = |at: usize| lines[at].parts.first().map(|part| &part.role);
        at + 1 < lines.len()
            && controls[at]
            && controls[at + 1]
            && lines[at].depth == lines[at + 1].depth
            && role(at) == role(at + 1)
    };
    let unnamed = ScreenRefs::default();
    let words: Vec<Option<String>> = (0..lines.len())
        .map(|at| {
            let has_neighbor = is_kind_of_next(at) || at > 0 && is_kind_of_next(at - 1);
            has_neighbor.then(|| lines[at].render(&unnamed))
        })
        .collect();
    // Equal lines are counted.
    let goes_on = |at: usize| is_kind_of_next(at) && words[at] != words[at + 1];
    let is_short = |at: usize| is_short(&lines[at]);
    let mut first: HashMap<[Option<&String>; 2], usize> = HashMap::new();
    let mut runs = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let (mut length, mut is_repeated) = (1, false);
        if goes_on(at) {
            let pair = [words[at].as_ref(), words[at + 1].as_ref()];
            let before = *first.entry(pair).or_insert(at);
            while before + length < at
                && goes_on(before + length - 1)
                && goes_on(at + length - 1)
                && words[before + length] == words[at + length]
            {
                length += 1;
            }
            is_repeated = length > 1;
            let mut names = lines[at].length();
            if !is_repeated && is_short(at) {
                while goes_on(at + length - 1) && is_short(at + length) {
                    names += lines[at + length].length();
                    if names > MAX_NAMES {
                        break;
                    }
                    length += 1;
                }
            }
        }
        runs.push(Run {
            length,
            is_repeated,
        });
        at += length;
    }
    runs
}

/// Whether a line is one control with a reference, and nothing is in it.
fn is_control(lines: &[Line], at: usize, refs: &ScreenRefs) -> bool {
    let line = &lines[at];
    let next = lines.get(at + 1);
    matches!(line.parts.as_slice(), [part] if has_ref(part, refs))
        && matches!(line.rank, Rank::Control | Rank::NamelessControl)
        && next.is_none_or(|next| next.depth <= line.depth)
}

/// Whether an element has a short name, and nothing else that makes its line long.
fn is_short(line: &Line) -> bool {
    let [part] = line.parts.as_slice() else {
        return false;
    };
    let (Some(first), more) = (part.words.first(), part.words.iter().skip(1)) else {
        return false;
    };
    first.key != HINT
        && more.len() <= 1
        && more.into_iter().all(|word| word.key == LABEL)
        && line.length() <= MAX_NAME
        && part.resource.is_none()
        && part.role != Role::TextField.as_str()
}

/// A part with its first name only.
fn shortened(part: Part) -> Part {
    let mut words = part.words;
    words.truncate(1);
    let resource = part.resource.filter(|_| words.is_empty());
    Part {
        words,
        resource,
        ..part
    }
}

#[cfg(test)]
mod tests {
    use crate::{RefTable, TextView, UiTree};

    const INBOX: &str = "
        screen 100x100
        window application active owner=com.mail
          column [0,0][100,100]
            checkbox clickable checkable [0,0][5,10]
            text \"Ada\" clickable [10,0][50,20]
            button \"☆\" label=\"Star\" clickable [50,0][60,20]
            button \"✓\" label=\"Mark done\" clickable [60,0][70,20]
            button \"⏰\" label=\"Remind me\" clickable [70,0][80,20]
            checkbox clickable checkable [0,20][5,30]
            text \"Bob\" clickable [10,20][50,40]
            button \"☆\" label=\"Star\" clickable [50,20][60,40]
            button \"✓\" label=\"Mark done\" clickable [60,20][70,40]
            button \"⏰\" label=\"Remind me\" clickable [70,20][80,40]
            text \"Cyd\" clickable [10,40][50,60]
            button \"★\" label=\"Unstar\" clickable selected [50,40][60,60]
            button \"✓\" label=\"Mark done\" clickable [60,40][70,60]
            button \"⏰\" label=\"Remind me\" clickable [70,40][80,60]
            icon clickable [0,90][50,100]
            icon clickable [50,90][100,100]
            column clickable [0,80][20,90]
            column clickable [20,80][40,90]
    ";

    #[test]
    fn controls_of_a_row_are_on_one_line_when_they_are_repeated() {
        let tree = UiTree::parse_notation(INBOX).unwrap();
        let refs = RefTable::default().assign(&tree);
        let view = tree.text_view_with(TextView::default(), &refs).text;
        expect_test::expect![[r#"
            application com.mail
             checkbox unchecked e1
             text "Ada" e2
             button "☆" label="Star" e3 "✓" label="Mark done" e4 "⏰" label="Remind me" e5
             checkbox unchecked e6
             text "Bob" e7
             button "☆" e8 "✓" e9 "⏰" e10
             text "Cyd" e11
             button "★" label="Unstar" selected e12 "✓" label="Mark done" e13 "⏰" label="Remind me" e14
             icon ×2 e15 e16
             column ×2 e17 e18
        "#]]
        .assert_eq(&view);
        // A line without references is one element.
        assert!(!tree.to_compact().contains("\"☆\" \"✓\""));
    }
}

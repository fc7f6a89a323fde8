//! Controls of one kind that follow each other, with one short name each, are written on one line. Only elements with
//! references share a line: the reference ends what is said of one.

use std::collections::HashMap;

use super::groups::Groups;
use super::line::{Line, Part, Rank};
use super::words::{CLICKABLE, CODE, HINT, LABEL, id_tells_more};
use crate::{Role, ScreenRefs, UiTree};

/// The most characters of the name of an element that shares its line with others, and of all names on the line.
const MAX_NAME: usize = 32;
const MAX_NAMES: usize = 240;

/// Leaves out of lines what a reference replaces: that the element can be clicked, where it is, and an id beside a name that
/// no other element has, or one that only says what kind of container it is: `#contentWrapper`.
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
            let tells_more = |id: &String| id_tells_more(id, "");
            let is_idle = name.is_empty() && !part.states.is_empty();
            if is_only || is_idle && !part.resource.as_ref().is_some_and(tells_more) {
                part.resource = None;
            }
            let says_what =
                !(part.role.is_empty() && part.words.is_empty()) || part.resource.is_some();
            if says_what {
                part.leave_out_state(CLICKABLE);
            }
            part.leave_out_unchecked();
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

/// Writes controls of one kind with short names on one line.
pub(super) fn share(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let is_control: Vec<bool> = (0..lines.len())
        .map(|at| is_control(&lines, at, refs) && is_short(&lines[at]))
        .collect();
    let unnamed = ScreenRefs::default();
    let groups = Groups::of(&lines, tree);
    // A text beside the control makes it that of a row.
    let pairs = lines
        .iter()
        .zip(lines.iter().skip(1).map(Some).chain([None]));
    let is_before_text = pairs.map(|(line, next)| {
        next.is_some_and(|next| next.rank == Rank::Text && groups.are_level(line, next))
    });
    let is_before_text: Vec<bool> = is_before_text.collect();
    let mut shared: Vec<Line> = Vec::with_capacity(lines.len());
    // Whether the last line can take another one.
    let mut is_open = false;
    let kinds = is_control.into_iter().zip(is_before_text);
    for (mut line, (is_control, is_before_text)) in lines.into_iter().zip(kinds) {
        let role = |line: &Line| line.parts.first().map(|part| part.role.clone());
        match shared.last_mut() {
            Some(last)
                if is_open
                    && is_control
                    && last.depth == line.depth
                    && role(last) == role(&line)
                    && last.length() + line.length() <= MAX_NAMES
                    && !groups.parts(last, &line)
                    && (!is_before_text || groups.are_level(last, &line))
                    // Equal lines are counted.
                    && last.render(&unnamed) != line.render(&unnamed) =>
            {
                line.parts.iter_mut().for_each(|part| part.role.clear());
                last.parts.extend(line.parts);
            }
            _ => shared.push(line),
        }
        is_open = is_control;
    }
    shared
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
    ![HINT, CODE].contains(&first.key)
        && more.len() <= 1
        && more.into_iter().all(|word| word.key == LABEL)
        && line.length() <= MAX_NAME
        && part.resource.is_none()
        && part.role != Role::TextField.as_str()
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

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
        expect_test::expect![[r#"
            application com.mail
             checkbox e1 text "Ada" e2 button "☆" label="Star" e3 "✓" label="Mark done" e4 "⏰" label="Remind me" e5
             same: e6-e10 "Bob"
             "Cyd" e11 button "★" label="Unstar" selected e12 "✓" label="Mark done" e13 "⏰" label="Remind me" e14
             icon ×2 e15 e16
             column ×2 e17 e18
        "#]]
        .assert_eq(&crate::text_view::view(INBOX));
        // A line without references is one element.
        let tree = UiTree::parse_notation(INBOX).unwrap();
        assert!(!tree.to_compact().contains("\"☆\" \"✓\""));
    }
}

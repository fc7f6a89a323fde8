//! Joins consecutive controls of one role with short names. Only controls with references are joined, since a reference
//! terminates an element on a line.

use super::groups::Groups;
use crate::text_view::line::text::{CODE, HINT, LABEL};
use crate::text_view::line::{Line, Rank};
use crate::{Role, ScreenRefs, UiTree};

/// Maximum number of characters of the names of one control, and of a line.
const MAX_NAME: usize = 32;
const MAX_NAMES: usize = 240;

/// Joins controls.
pub(crate) fn join(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let is_control: Vec<bool> = (0..lines.len())
        .map(|at| is_control(&lines, at, refs) && is_short(&lines[at]))
        .collect();
    let unnamed = ScreenRefs::default();
    let groups = Groups::of(&lines, tree);
    // A control before a text at its height belongs to a row.
    let pairs = lines
        .iter()
        .zip(lines.iter().skip(1).map(Some).chain([None]));
    let is_before_text = pairs.map(|(line, next)| {
        next.is_some_and(|next| next.rank == Rank::Text && groups.are_level(line, next))
    });
    let is_before_text: Vec<bool> = is_before_text.collect();
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    // Whether another line can join the last one.
    let mut is_open = false;
    let kinds = is_control.into_iter().zip(is_before_text);
    for (mut line, (is_control, is_before_text)) in lines.into_iter().zip(kinds) {
        let role = |line: &Line| line.parts.first().map(|part| part.role.clone());
        match joined.last_mut() {
            Some(last)
                if is_open
                    && is_control
                    && last.depth == line.depth
                    && role(last) == role(&line)
                    && last.length() + line.length() <= MAX_NAMES
                    && !groups.separates(last, &line)
                    && (!is_before_text || groups.are_level(last, &line))
                    // Equal lines are counted.
                    && last.render(&unnamed) != line.render(&unnamed) =>
            {
                line.parts.iter_mut().for_each(|part| part.role.clear());
                last.parts.extend(line.parts);
            }
            _ => joined.push(line),
        }
        is_open = is_control;
    }
    joined
}

/// Whether a line is one control with a reference and without lines inside it.
fn is_control(lines: &[Line], at: usize, refs: &ScreenRefs) -> bool {
    let line = &lines[at];
    let next = lines.get(at + 1);
    matches!(line.parts.as_slice(), [part] if part.has_ref(refs))
        && matches!(line.rank, Rank::Control | Rank::NamelessControl)
        && next.is_none_or(|next| next.depth <= line.depth)
}

/// Whether an element has a short name and neither a placeholder nor an id.
fn is_short(line: &Line) -> bool {
    let [part] = line.parts.as_slice() else {
        return false;
    };
    let (Some(first), more) = (part.texts.first(), part.texts.iter().skip(1)) else {
        return false;
    };
    ![HINT, CODE].contains(&first.prefix)
        && more.len() <= 1
        && more.into_iter().all(|text| text.prefix == LABEL)
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
    fn repeated_controls_of_a_row_are_on_one_line() {
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

//! Elements beside each other, such as the text and the controls of a row, are on one line, and what rows have in common is
//! written once. Only controls with references share a line: the reference ends what is said of one.

use std::collections::HashMap;

use super::cards;
use super::groups::Groups;
use super::line::{Line, Part, Rank, ranged};
use super::share::says_same;
use super::unfold::SAME;
use super::words::{CODE, LABEL, Word};
use crate::{Rect, Role, ScreenRefs, State, UiTree};

/// The most characters of the names on a line.
const MAX: usize = 320;

/// The least height that elements beside each other have in common, in percent of the lower one.
const MIN_COMMON: i64 = 50;

/// The shortest name of the only control of a row that refers to that of the row above, in characters.
const SHORTEST: usize = 6;

/// The fewest elements of a row of which only the references are written, if they are those of the row above.
const FEWEST: usize = 3;

/// Puts the elements of rows on one line each.
pub(super) fn join(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let groups = Groups::of(&lines, tree);
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    // Whether the last line can take another one.
    let mut is_open = false;
    while let Some(line) = rest.next() {
        let has_children = rest.peek().is_some_and(|next| next.depth > line.depth);
        let is_simple = !has_children && is_simple(&line, tree, refs);
        let line = with_roles(line);
        match joined.last_mut() {
            Some(last)
                if is_open
                    && is_simple
                    && (takes(last, &line, tree) && !groups.parts(last, &line)
                        || takes_of_card(last, &line, tree)) =>
            {
                last.rank = last.rank.min(line.rank);
                last.parts.extend(line.parts);
            }
            _ => joined.push(line),
        }
        is_open = is_simple;
    }
    leave_out_known_names(&mut joined, refs);
    for line in &mut joined {
        leave_out_roles(line, refs);
    }
    joined
}

/// A line on which each element has its role.
fn with_roles(mut line: Line) -> Line {
    let Some((first, others)) = line.parts.split_first_mut() else {
        return line;
    };
    // The cells of a table have roles of their own.
    if first.role != Role::Row.as_str() {
        let unsaid = |part: &&mut Part| part.role.is_empty() && part.id.is_some();
        for part in others.iter_mut().filter(unsaid) {
            part.role.clone_from(&first.role);
        }
    }
    line
}

/// Whether a line is a text, a picture or controls with references, other than fields.
fn is_simple(line: &Line, tree: &UiTree, refs: &ScreenRefs) -> bool {
    let is_simple = |part: &Part| {
        part.id.is_some_and(|id| {
            let node = tree.node(id);
            let is_kind = matches!(
                node.role,
                Role::Text
                    | Role::Label
                    | Role::Image
                    | Role::Icon
                    | Role::Link
                    | Role::Button
                    | Role::Chip
                    | Role::Dropdown
                    | Role::Container
                    | Role::CheckBox
                    | Role::Radio
                    | Role::Switch
                    | Role::Toggle
            );
            is_kind && !node.is(State::SCROLLABLE) && (refs.has(id) || !node.can_act())
        })
    };
    !matches!(line.rank, Rank::Heading | Rank::Scrollable) && line.parts.iter().all(is_simple)
}

/// Whether the next line is beside this one.
fn takes(line: &Line, next: &Line, tree: &UiTree) -> bool {
    let seen = |line: &Line| -> Vec<Rect> {
        let ids = line.parts.iter().filter_map(|part| part.id);
        ids.filter_map(|id| tree.visible_bounds(id)).collect()
    };
    let (own, others) = (seen(line), seen(next));
    let (Some(top), Some(bottom)) = (
        own.iter().map(|rect| rect.top).min(),
        own.iter().map(|rect| rect.bottom).max(),
    ) else {
        return false;
    };
    let is_at_height = |rect: &Rect| {
        // Wide enough for any bounds.
        let [top, bottom, above, below] = [top, bottom, rect.top, rect.bottom].map(i64::from);
        let common = bottom.min(below) - top.max(above);
        common > 0 && common * 100 >= (bottom - top).min(below - above) * MIN_COMMON
    };
    let is_apart = |rect: &Rect| own.iter().all(|other| rect.intersect(other).is_none());
    let has_controls = |line: &Line| !matches!(line.rank, Rank::Text);
    // A text right below one that can be clicked explains it.
    let explains = |rect: &Rect| match (&*line.parts, &*own) {
        ([part], [own]) if part.role == Role::Text.as_str() && next.rank == Rank::Text => {
            let height = i64::from(rect.height().min(own.height()));
            let gap = i64::from(rect.top) - i64::from(own.bottom);
            rect.left == own.left && (0..=height * MIN_COMMON / 100).contains(&gap)
        }
        _ => false,
    };
    // A text that begins above a control is beside what is above the control.
    let begins_above = |rect: &Rect| {
        let last = own
            .last()
            .filter(|_| has_controls(line) && next.rank == Rank::Text);
        last.is_some_and(|last| {
            let [above, top, bottom] = [rect.top, last.top, last.bottom].map(i64::from);
            (top - above) * 100 > (bottom - top) * MIN_COMMON
        })
    };
    line.depth == next.depth
        && !others.is_empty()
        && !others.iter().any(begins_above)
        && !are_equal(line, next)
        && (has_controls(line) || has_controls(next))
        && line.length() + next.length() <= MAX
        && others
            .iter()
            .all(|rect| (is_at_height(rect) || explains(rect)) && is_apart(rect))
}

/// Whether the next line is of the same small card.
fn takes_of_card(line: &Line, next: &Line, tree: &UiTree) -> bool {
    line.depth == next.depth
        && cards::are_of_one_card(line, next, tree)
        && !are_equal(line, next)
        && line.length() + next.length() <= MAX
}

/// Whether lines are equal, and will be counted.
fn are_equal(line: &Line, next: &Line) -> bool {
    matches!((&*line.parts, &*next.parts), ([one], [other]) if one.words == other.words
        && one.role == other.role && one.states == other.states && one.resource == other.resource)
}

/// What the lines above say.
#[derive(Default)]
struct RowsAbove {
    /// The names of each element of the last line with these roles.
    names: HashMap<(Vec<String>, usize), Vec<String>>,
    /// The controls of the last line with controls of these roles.
    controls: HashMap<Vec<String>, Vec<Part>>,
    /// The last controls behind a text that were written, and where the last line with such ones is.
    behind: Vec<Part>,
    at: Option<usize>,
    /// The line right above, with all that its elements say.
    line: Option<Line>,
}

/// Leaves out what the lines above say: that a row has the elements of the row above; that the controls behind its text are those
/// of the row above; the name that the code has for a control, if the last line with the same kinds of controls says it; and labels that a row of the same kinds of elements has at the same place, unless they come first.
fn leave_out_known_names(lines: &mut [Line], refs: &ScreenRefs) {
    let has_ref = |part: &Part| part.id.is_some_and(|id| refs.has(id));
    let mut above = RowsAbove::default();
    for (at, line) in lines.iter_mut().enumerate() {
        let model = above.line.replace(line.clone());
        if let Some(row) = model.and_then(|model| as_above(&model, line, refs)) {
            line.parts = vec![row];
            above.at = Some(at);
            continue;
        }
        let roles = roles_of(&line.parts);
        // The cells of a table have their places.
        if roles.first().is_none_or(|role| role != Role::Row.as_str()) {
            let text = roles.iter().rposition(|role| role == Role::Text.as_str());
            let last = above.note_controls(&line.parts, has_ref);
            let behind = text.map_or(0, |text| text + 1);
            let controls = &line.parts[behind..];
            let are_of_row = text.is_some() && !controls.is_empty() && controls.iter().all(has_ref);
            if are_of_row && above.says_same(controls, at) {
                let inside = controls.iter().filter_map(|part| part.id).collect();
                line.parts.truncate(behind);
                line.parts[behind - 1].inside = inside;
            } else if are_of_row {
                above.behind = controls.to_vec();
            }
            above.at = Some(at).filter(|_| are_of_row).or(above.at);
            leave_out_codes(&last, line);
        }
        above.leave_out_labels(line, roles, has_ref);
    }
}

fn roles_of(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.role.clone()).collect()
}

fn is_text(part: &Part) -> bool {
    part.role == Role::Text.as_str()
}

/// The row with the references of its elements only, and what its text says, if the rest of it is that of the row above, and the
/// references follow each other.
fn as_above(above: &Line, line: &Line, refs: &ScreenRefs) -> Option<Part> {
    let (model, row) = (&above.parts, &line.parts);
    let is_alike = |(model, own): (&Part, &Part)| {
        model.role == own.role && (is_text(own) || says_same((model, own)))
    };
    let mut texts = row.iter().filter(|part| is_text(part));
    let text = texts.next().filter(|text| !text.words.is_empty())?;
    let references: Option<Vec<String>> = row.iter().map(|part| refs.get(part.id?)).collect();
    let range = ranged(references?.into_iter());
    // A budget leaves out lower lines first, and those of a lower rank.
    let is_short = row.len() >= FEWEST && !range.contains(' ') && above.rank == line.rank;
    let is_like_model = model.len() == row.len() && model.iter().zip(row).all(is_alike);
    (is_short && is_like_model && texts.next().is_none()).then(|| Part {
        role: format!("{SAME} {range}"),
        id: None,
        ..text.clone()
    })
}

impl RowsAbove {
    /// Notes the controls of a line; returns those of the last line with such ones.
    fn note_controls(&mut self, line: &[Part], has_ref: impl Fn(&Part) -> bool) -> Vec<Part> {
        let controls: Vec<Part> = line.iter().filter(|part| !is_text(part)).cloned().collect();
        match controls.iter().all(has_ref) {
            true => self
                .controls
                .insert(roles_of(&controls), controls)
                .unwrap_or_default(),
            false => Vec::new(),
        }
    }

    /// Whether the controls behind the text of a row are those of the row above, and it is shorter to say so.
    fn says_same(&self, controls: &[Part], at: usize) -> bool {
        let is_shorter = match controls {
            [control] => self.at.is_some_and(|last| last + 1 == at) && is_long(control),
            _ => true,
        };
        // A row that differs is written as a whole, so that the row above is always the one that is meant.
        is_shorter
            && roles_of(controls) == roles_of(&self.behind)
            && self.behind.iter().zip(controls).all(says_same)
    }

    /// Leaves out labels, unless they come first. Only what the last line with these roles says is known: others may have other names.
    fn leave_out_labels(
        &mut self,
        line: &mut Line,
        roles: Vec<String>,
        has_ref: impl Fn(&Part) -> bool,
    ) {
        for (at, part) in line.parts.iter_mut().enumerate() {
            if part.words.is_empty() || !has_ref(part) {
                continue;
            }
            let names: Vec<String> = part.words.iter().map(ToString::to_string).collect();
            let above = self.names.insert((roles.clone(), at), names.clone());
            if above.as_ref() == Some(&names) {
                let mut is_first = true;
                part.words.retain(|word| {
                    let is_left = word.key != LABEL || is_first;
                    is_first = false;
                    is_left
                });
            }
        }
    }
}

/// Leaves out what the code calls the controls of a line, if those of the line `above` are called so, too. A line of such controls
/// only has all their names, and a control with other states its own.
fn leave_out_codes(above: &[Part], line: &mut Line) {
    let is_code = |part: &Part| matches!(&*part.words, [word] if word.key == CODE);
    let has_others = line.parts.iter().any(|part| !is_code(part));
    let controls = line.parts.iter_mut().filter(|part| !is_text(part));
    for (above, part) in above.iter().zip(controls) {
        if is_code(part) && has_others && says_same((above, part)) {
            part.words.clear();
        } else if part.words.is_empty() && part.resource.is_none() && is_code(above) {
            // It is not called as the one above.
            part.words.push(Word::code(""));
        }
    }
}

/// Whether the name of a control is longer than what stands for it.
fn is_long(control: &Part) -> bool {
    control.words.iter().map(Word::length).sum::<usize>() >= SHORTEST
}

/// Leaves out the role of an element behind another one of its role, if both have references.
fn leave_out_roles(line: &mut Line, refs: &ScreenRefs) {
    let has_ref = |part: &Part| part.id.is_some_and(|id| refs.has(id));
    // The cells of a table have roles of their own.
    if line
        .parts
        .first()
        .is_some_and(|part| part.role == Role::Row.as_str())
    {
        return;
    }
    let mut last: Option<String> = None;
    for part in &mut line.parts {
        let role = std::mem::take(&mut part.role);
        // A text behind a reference ends with the next role.
        if last.as_ref() != Some(&role) || !(has_ref(part) || role == Role::Text.as_str()) {
            part.role.clone_from(&role);
        }
        last = Some(role).filter(|_| has_ref(part) && part.inside.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::view;

    #[test]
    fn what_is_beside_each_other_is_one_line() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                heading \"Keys\" [0,0][50,10]
                button \"Add\" clickable [60,0][90,10]
                text \"Pipeline\" [0,20][50,30]
                text \"7f3a, used today\" [0,30][50,38]
                button \"Revoke\" clickable [60,24][90,34]
                text \"Bot\" clickable [0,50][50,60]
                text \"never used\" [0,60][50,68]
                button \"Revoke\" clickable [60,54][90,64]
                text \"Google\" [0,80][50,90]
                button @code-name=\"like\" clickable [60,80][70,90]
                button @code-name=\"save\" clickable [70,80][80,90]
                text \"Stripe\" [0,100][50,110]
                button \"3\" clickable [60,100][70,110]
                button @code-name=\"save\" clickable selected [70,100][80,110]
                button @code-name=\"like\" clickable [0,120][10,130]
                button @code-name=\"save\" clickable [10,120][20,130]
                button @code-name=\"like\" clickable [0,140][10,150]
                button @code-name=\"save\" clickable [10,140][20,150]
                text \"Below\" [0,160][50,170]
                button \"Own\" clickable [60,180][70,190]
        ";
        expect_test::expect![[r#"
            application
            webview
            heading "Keys"
            button "Add" e1
            "Pipeline" "7f3a, used today" button "Revoke" e2
            "Bot" e3 "never used" same: e4
            "Google" button code="like" e5 code="save" e6
            "Stripe" button "3" e7 code="save" selected e8
            button code="like" e9 code="save" e10
            button code="like" e11 code="save" e12
            "Below"
            button "Own" e13
        "#]]
        .assert_eq(&view(screen));
    }

    #[test]
    fn rows_of_the_same_elements_have_only_their_references_and_texts() {
        let rows = ["Ada", "Bob", "Cyd", "Dan"].iter().enumerate();
        let rows: String = rows
            .map(|(at, name)| {
                let (top, bottom) = (at * 20, at * 20 + 10);
                let state = if at == 2 { "selected" } else { "" };
                let unread = if at == 1 { "@unread=\"true\"" } else { "" };
                format!(
                    "    checkbox clickable checkable [0,{top}][10,{bottom}]\n    text \"{name}\" clickable {unread} [12,{top}][50,{bottom}]\n    button \"☆\" clickable {state} [60,{top}][70,{bottom}]\n"
                )
            })
            .collect();
        let screen =
            format!("screen 200x200\nwindow application active\n  column [0,0][200,200]\n{rows}");
        expect_test::expect![[r#"
            application
             checkbox e1 text "Ada" e2 button "☆" e3
             same: e4-e6 "Bob" unread
             checkbox e7 text "Cyd" e8 button "☆" selected e9
             checkbox e10 text "Dan" e11 button "☆" e12
        "#]]
        .assert_eq(&view(&screen));
    }

    #[test]
    fn name_in_the_code_is_left_out_where_the_line_above_has_it() {
        let row = |top: usize, controls: &[(&str, &str)]| {
            let bottom = top + 10;
            let controls = controls.iter().enumerate().map(|(at, (words, more))| {
                let (left, right) = (60 + at * 20, 70 + at * 20);
                format!("    button {words} clickable {more} [{left},{top}][{right},{bottom}]\n")
            });
            format!(
                "    text \"Row {top}\" [0,{top}][50,{bottom}]\n{}",
                controls.collect::<String>()
            )
        };
        let (like, save) = (("", "@code-name=\"like\""), ("", "@code-name=\"save\""));
        let saved = ("", "@code-name=\"unsave\"");
        let rows = [
            row(0, &[("\"1\"", ""), like]),
            row(20, &[save]),
            row(40, &[("\"2\"", ""), like]),
            row(60, &[saved]),
            // The last row that ends with one button has another one.
            row(80, &[save]),
            row(100, &[("\"3\"", ""), ("", "@code-name=\"like\" selected")]),
            row(120, &[("\"4\"", ""), like]),
            row(140, &[("", "")]),
        ];
        let screen = format!(
            "screen 200x200\nwindow application active\n  column [0,0][200,200]\n{}",
            rows.concat()
        );
        expect_test::expect![[r#"
            application
             "Row 0" button "1" e1 code="like" e2
             "Row 20" button code="save" e3
             "Row 40" button "2" e4 e5
             "Row 60" button code="unsave" e6
             "Row 80" button code="save" e7
             "Row 100" button "3" e8 code="like" selected e9
             "Row 120" button "4" e10 code="like" e11
             "Row 140" button code="" e12
        "#]]
        .assert_eq(&view(&screen));
    }

    #[test]
    fn elements_over_each_other_and_fields_are_on_lines_of_their_own() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                text \"Row\" [0,0][100,10]
                button \"Undo\" clickable [50,0][90,10]
                text \"Name\" [0,20][50,30]
                textfield label=\"Name of it\" editable clickable [60,20][90,30]
                icon clickable [0,40][10,50]
                icon clickable [20,40][30,50]
        ";
        expect_test::expect![[r#"
            application
            webview
            "Row"
            button "Undo" e1
            "Name"
            textfield label="Name of it" e2
            icon ×2 e3 e4
        "#]]
        .assert_eq(&view(screen));
    }
}

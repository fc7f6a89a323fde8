//! Joins adjacent elements, such as the text and the controls of a row. Only controls with references are joined, since a
//! reference terminates an element on a line.

use super::cards;
use super::groups::Groups;
use crate::text_view::line::{Line, Part, Rank};
use crate::{Rect, Role, ScreenRefs, State, UiTree};

/// Maximum number of characters of the texts on a line.
const MAX_LENGTH: usize = 320;

/// Minimum common height of elements in a row, in percent of the lower one.
const MIN_COMMON_HEIGHT: i64 = 50;

/// Joins the elements of each row.
pub(crate) fn join(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let groups = Groups::of(&lines, tree);
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    // Whether another line can join the last one.
    let mut is_open = false;
    while let Some(line) = rest.next() {
        let has_children = rest.peek().is_some_and(|next| next.depth > line.depth);
        let is_simple = !has_children && is_simple(&line, tree, refs);
        let line = with_roles(line);
        match joined.last_mut() {
            Some(last)
                if is_open
                    && is_simple
                    && (can_join(last, &line, tree) && !groups.separates(last, &line)
                        || can_join_in_card(last, &line, tree)) =>
            {
                last.rank = last.rank.min(line.rank);
                last.parts.extend(line.parts);
            }
            _ => joined.push(line),
        }
        is_open = is_simple;
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
        let has_no_role = |part: &&mut Part| part.role.is_empty() && part.id.is_some();
        for part in others.iter_mut().filter(has_no_role) {
            part.role.clone_from(&first.role);
        }
    }
    line
}

/// Whether a line only has texts, images and controls with references, other than fields.
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

/// Whether the next line is in the same row.
fn can_join(line: &Line, next: &Line, tree: &UiTree) -> bool {
    let visible = |line: &Line| -> Vec<Rect> {
        let ids = line.parts.iter().filter_map(|part| part.id);
        ids.filter_map(|id| tree.visible_bounds(id)).collect()
    };
    let (own, others) = (visible(line), visible(next));
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
        common > 0 && common * 100 >= (bottom - top).min(below - above) * MIN_COMMON_HEIGHT
    };
    let is_apart = |rect: &Rect| own.iter().all(|other| rect.intersect(other).is_none());
    let has_controls = |line: &Line| !matches!(line.rank, Rank::Text);
    // A text directly below one that can be clicked is its subtitle.
    let is_subtitle = |rect: &Rect| match (&*line.parts, &*own) {
        ([part], [own]) if part.is_text() && next.rank == Rank::Text => {
            let height = i64::from(rect.height().min(own.height()));
            let gap = i64::from(rect.top) - i64::from(own.bottom);
            rect.left == own.left && (0..=height * MIN_COMMON_HEIGHT / 100).contains(&gap)
        }
        _ => false,
    };
    // A text that begins above a control belongs to the row above it.
    let begins_above = |rect: &Rect| {
        let last = own
            .last()
            .filter(|_| has_controls(line) && next.rank == Rank::Text);
        last.is_some_and(|last| {
            let [above, top, bottom] = [rect.top, last.top, last.bottom].map(i64::from);
            (top - above) * 100 > (bottom - top) * MIN_COMMON_HEIGHT
        })
    };
    line.depth == next.depth
        && !others.is_empty()
        && !others.iter().any(begins_above)
        && !are_equal(line, next)
        && (has_controls(line) || has_controls(next))
        && line.length() + next.length() <= MAX_LENGTH
        && others
            .iter()
            .all(|rect| (is_at_height(rect) || is_subtitle(rect)) && is_apart(rect))
}

/// Whether the next line is of the same card.
fn can_join_in_card(line: &Line, next: &Line, tree: &UiTree) -> bool {
    line.depth == next.depth
        && cards::are_of_one_card(line, next, tree)
        && !are_equal(line, next)
        && line.length() + next.length() <= MAX_LENGTH
}

/// Whether lines are equal, so that they are counted.
fn are_equal(line: &Line, next: &Line) -> bool {
    matches!((&*line.parts, &*next.parts), ([one], [other]) if one.texts == other.texts
        && one.role == other.role && one.states == other.states && one.resource == other.resource)
}

#[cfg(test)]
mod tests {
    use crate::text_view::view;

    #[test]
    fn adjacent_elements_share_a_line() {
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
    fn overlapping_elements_and_fields_are_on_lines_of_their_own() {
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

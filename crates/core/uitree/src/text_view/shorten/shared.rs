//! Joins what lines of the view of controls share: the role of consecutive controls, and the controls of a row that equal those of
//! the row above. Only elements with references are joined, since a reference terminates an element on a line.

use crate::text_view::line::text::{CLICKABLE, LabeledText};
use crate::text_view::line::{Line, Part, Rank};
use crate::{NodeId, ScreenRefs};

/// Maximum number of characters of the texts on a shared line.
const MAX_LENGTH: usize = 240;

/// Joins rows and roles.
pub(crate) fn share(mut lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let parts = lines.iter_mut().flat_map(|line| &mut line.parts);
    parts
        .filter(|part| part.has_ref(refs))
        .for_each(omit_implied);
    let lines = share_rows(lines, refs);
    share_roles(lines, refs)
}

/// Omits what a reference implies: an id of an element with a name, and that it can be clicked.
fn omit_implied(part: &mut Part) {
    if !part.texts.is_empty() {
        part.resource = None;
    }
    part.omit_state(CLICKABLE);
    part.omit_unchecked();
}

/// Replaces the controls of a row by references if they equal those of the row above.
fn share_rows(lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let end_of = |row: usize| {
        let rest = lines.iter().skip(row + 1);
        let inside = rest.take_while(|line| line.depth > lines[row].depth);
        row + 1 + inside.count()
    };
    let mut shared = Vec::with_capacity(lines.len());
    // The rows that contain the next one, or are above it at each depth, and were written with their content.
    let mut written: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let end = end_of(at);
        written.retain(|row| lines[*row].depth <= line.depth);
        let above = written
            .last()
            .filter(|row| lines[**row].depth == line.depth);
        let inside = above.and_then(|row| {
            let (above, own) = (&lines[*row..end_of(*row)], &lines[at..end]);
            content_as_above(above, own).filter(|inside| inside.iter().all(|id| refs.has(*id)))
        });
        let mut line = line.clone();
        match (inside, line.parts.first_mut()) {
            (Some(inside), Some(part)) => {
                part.same_as_above = inside;
                at = end;
            }
            _ => {
                written.retain(|row| lines[*row].depth < line.depth);
                written.push(at);
                at += 1;
            }
        }
        shared.push(line);
    }
    shared
}

/// The elements inside a row; `None` if there are none, or they differ from those of the row above.
fn content_as_above(above: &[Line], row: &[Line]) -> Option<Vec<NodeId>> {
    let (first_above, first) = (above.first()?, row.first()?);
    let kind = |lines: &[Line], depth: usize| -> Vec<(usize, Vec<String>)> {
        let roles = |line: &Line| line.parts.iter().map(|part| part.role.clone()).collect();
        let below = |line: &Line| (line.depth - depth, roles(line));
        lines.iter().skip(1).map(below).collect()
    };
    let is_alike = first.parts.len() == 1
        && row.len() > 1
        && first_above.parts.first().map(|part| &part.role)
            == first.parts.first().map(|part| &part.role)
        && kind(above, first_above.depth) == kind(row, first.depth);
    let parts = |lines: &[Line]| -> Vec<Part> {
        let inside = lines.iter().skip(1);
        inside.flat_map(|line| line.parts.clone()).collect()
    };
    let parts_of_row = parts(row);
    let is_same = || {
        parts(above)
            .iter()
            .zip(&parts_of_row)
            .all(|(one, other)| one.has_equal_content(other))
    };
    let ids = || parts_of_row.iter().map(|part| part.id).collect();
    (is_alike && is_same()).then(ids).flatten()
}

/// Joins consecutive controls of one role.
fn share_roles(lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let unnamed = ScreenRefs::default();
    let mut shared: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    // Whether another line can join the last one.
    let mut is_open = false;
    while let Some(line) = rest.next() {
        let next = rest.peek();
        let has_children = next.is_some_and(|next| next.depth > line.depth);
        let is_equal = |other: &Line| other.render(&unnamed) == line.render(&unnamed);
        // Equal lines are counted instead.
        let is_repeated = next.is_some_and(is_equal) || shared.last().is_some_and(is_equal);
        let can_share = line.parts.iter().all(|part| part.has_ref(refs))
            && matches!(line.parts.as_slice(), [part] if part.same_as_above.is_empty())
            && line.rank != Rank::Focus
            && !has_children
            && !is_repeated;
        match shared.last_mut() {
            Some(last) if can_share && is_open && can_share_role(last, &line) => append(last, line),
            _ => shared.push(line),
        }
        is_open = can_share;
    }
    shared
}

/// Appends the elements of a line to another one.
fn append(line: &mut Line, next: Line) {
    for part in next.parts {
        let part = match line.parts.first() {
            Some(first) => without_shared(first, part),
            None => part,
        };
        line.parts.push(part);
    }
}

/// Whether an element can join the line of another one: of the same role, and with the same kinds of names.
fn can_share_role(line: &Line, next: &Line) -> bool {
    let (Some(first), [part]) = (line.parts.first(), next.parts.as_slice()) else {
        return false;
    };
    let is_text = first.texts.iter().all(|text| text.prefix.is_empty());
    let is_clear = has_prefixes_of(first, part) || is_text || part.texts.is_empty();
    line.depth == next.depth
        && (line.rank == next.rank || next.rank == Rank::NamelessControl)
        && first.role == part.role
        && is_clear
        && line.length() + next.length() <= MAX_LENGTH
}

/// Whether both have the same kinds of names.
fn has_prefixes_of(first: &Part, part: &Part) -> bool {
    let prefixes =
        |part: &Part| -> Vec<&str> { part.texts.iter().map(|text| text.prefix).collect() };
    prefixes(first) == prefixes(part)
}

/// An element without the role, and the prefixes that it shares with the first element of the line.
fn without_shared(first: &Part, part: Part) -> Part {
    let is_same = has_prefixes_of(first, &part);
    let texts = part.texts.into_iter().map(|text| LabeledText {
        prefix: if is_same { "" } else { text.prefix },
        ..text
    });
    Part {
        role: String::new(),
        texts: texts.collect(),
        ..part
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::actionable_view;
    use crate::{RefTable, TextView, UiTree};

    const INBOX: &str = "
        screen 100x100
        window application active owner=com.mail
          column [0,0][100,100]
            list scrollable [0,0][100,80]
              listitem clickable [0,0][100,20]
                text \"Ada\" [0,0][50,20]
                button label=\"Star\" clickable [50,0][70,20]
                button label=\"Archive\" clickable [70,0][100,20]
              listitem clickable [0,20][100,40]
                text \"Bob\" [0,20][50,40]
                button label=\"Star\" clickable [50,20][70,40]
                button label=\"Archive\" clickable [70,20][100,40]
              listitem clickable [0,40][100,60]
                text \"Cyd\" [0,40][50,60]
                button label=\"Unstar\" clickable [50,40][70,60]
                button label=\"Archive\" clickable [70,40][100,60]
            tab \"Mail\" #com.mail:id/one clickable selected [0,80][30,90]
            tab \"Chat\" #com.mail:id/two clickable [30,80][60,90]
            tab label=\"Meet\" clickable [60,80][100,90]
            icon clickable [0,90][50,100]
            icon clickable [50,90][100,100]
    ";

    #[test]
    fn roles_of_neighbors_and_controls_of_rows_are_written_once() {
        expect_test::expect![[r#"
            application com.mail
             list scrollable e1
              listitem "Ada" e2
               button label="Star" e3 "Archive" e4
              listitem "Bob" e5 same: e6 e7
              listitem "Cyd" e8
               button label="Unstar" e9 "Archive" e10
             tab "Mail" selected e11 "Chat" e12 label="Meet" e13
             icon @25,95 e14 @75,95 e15
        "#]]
        .assert_eq(&actionable_view(INBOX));
    }

    #[test]
    fn every_reference_of_the_full_view_is_in_the_actionable_view() {
        let tree = UiTree::parse_notation(INBOX).unwrap();
        let refs = RefTable::default().assign(&tree);
        let given = tree.ids().filter_map(|id| refs.get(id));
        let view = actionable_view(INBOX);
        let words: Vec<&str> = view.split_whitespace().collect();
        for reference in given {
            assert!(
                words.contains(&&*reference),
                "{reference} is not in\n{view}"
            );
        }
    }

    #[test]
    fn lines_without_references_stay_apart() {
        let tree = UiTree::parse_notation(INBOX).unwrap();
        let view = TextView {
            only_actionable: true,
            ..TextView::default()
        };
        let text = tree.text_view(view).text;
        assert!(
            text.contains(" tab \"Mail\" #one selected\n tab \"Chat\" #two\n"),
            "{text}"
        );
    }
}

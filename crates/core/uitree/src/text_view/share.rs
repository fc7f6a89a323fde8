//! What lines of the actionable view have in common is written once: the role of controls of one kind beside each other, and
//! the controls that each row of a list has. Only elements with references share a line: the reference ends what is said of one.

use super::line::{Line, Part, Rank};
use super::words::{CLICKABLE, Word};
use crate::{NodeId, ScreenRefs};

/// The most characters of names on a shared line.
const MAX: usize = 240;

/// Shares what can be shared.
pub(super) fn share(mut lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let with_ref = |part: &Part| part.id.is_some_and(|id| refs.has(id));
    for part in lines.iter_mut().flat_map(|line| &mut line.parts) {
        if with_ref(part) {
            leave_out_implied(part);
        }
    }
    let lines = share_rows(lines, refs);
    share_roles(lines, with_ref)
}

/// Leaves out what a reference replaces: an id beside a name, and that the element can be clicked.
fn leave_out_implied(part: &mut Part) {
    if !part.words.is_empty() {
        part.resource = None;
    }
    part.leave_out_state(CLICKABLE);
    part.leave_out_unchecked();
}

/// Writes the controls of a row behind it if they are of the kinds of those of the row above.
fn share_rows(lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let end_of = |row: usize| {
        let rest = lines.iter().skip(row + 1);
        let inside = rest.take_while(|line| line.depth > lines[row].depth);
        row + 1 + inside.count()
    };
    let mut shared = Vec::with_capacity(lines.len());
    // The rows around the next one, and above it at each depth, that were written with what is inside of them.
    let mut written: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let end = end_of(at);
        written.retain(|row| lines[*row].depth <= line.depth);
        let above = written
            .last()
            .filter(|row| lines[**row].depth == line.depth);
        let inside = above.and_then(|row| {
            let (model, own) = (&lines[*row..end_of(*row)], &lines[at..end]);
            inside_as_above(model, own).filter(|inside| inside.iter().all(|id| refs.has(*id)))
        });
        let mut line = line.clone();
        match (inside, line.parts.first_mut()) {
            (Some(inside), Some(part)) => {
                part.inside = inside;
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

/// What is inside of a row; `None` if that is not the same as in the row above, or if there is nothing.
fn inside_as_above(above: &[Line], row: &[Line]) -> Option<Vec<NodeId>> {
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
    let is_same = || parts(above).iter().zip(&parts_of_row).all(says_same);
    let ids = || parts_of_row.iter().map(|part| part.id).collect();
    (is_alike && is_same()).then(ids).flatten()
}

/// Whether two parts are written the same, except for their roles and references.
pub(super) fn says_same((one, other): (&Part, &Part)) -> bool {
    let words = |part: &Part| -> Vec<String> { part.words.iter().map(Word::to_string).collect() };
    words(one) == words(other)
        && one.resource == other.resource
        && one.states == other.states
        && one.has_more == other.has_more
}

/// Writes controls of one kind beside each other as one line.
fn share_roles(lines: Vec<Line>, with_ref: impl Fn(&Part) -> bool) -> Vec<Line> {
    let unnamed = ScreenRefs::default();
    let mut shared: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    // Whether the last line can take another one.
    let mut is_open = false;
    while let Some(line) = rest.next() {
        let next = rest.peek();
        let has_children = next.is_some_and(|next| next.depth > line.depth);
        let is_equal = |other: &Line| other.render(&unnamed) == line.render(&unnamed);
        // Equal lines are counted instead.
        let is_repeated = next.is_some_and(is_equal) || shared.last().is_some_and(is_equal);
        let can_share = line.parts.iter().all(&with_ref)
            && matches!(line.parts.as_slice(), [part] if part.inside.is_empty())
            && line.rank != Rank::Focus
            && !has_children
            && !is_repeated;
        match shared.last_mut() {
            Some(last) if can_share && is_open && is_alike(last, &line) => add_to(last, line),
            _ => shared.push(line),
        }
        is_open = can_share;
    }
    shared
}

/// Puts the elements of a line on another one.
fn add_to(line: &mut Line, next: Line) {
    for part in next.parts {
        let part = match line.parts.first() {
            Some(first) => without_shared(first, part),
            None => part,
        };
        line.parts.push(part);
    }
}

/// Whether an element can be on the line of another one: of the same role, and told apart by what is written of it.
fn is_alike(line: &Line, next: &Line) -> bool {
    let (Some(first), [part]) = (line.parts.first(), next.parts.as_slice()) else {
        return false;
    };
    let is_text = first.words.iter().all(|word| word.key.is_empty());
    let is_known_kind = has_keys_of(first, part) || is_text || part.words.is_empty();
    line.depth == next.depth
        && (line.rank == next.rank || next.rank == Rank::NamelessControl)
        && first.role == part.role
        && is_known_kind
        && line.length() + next.length() <= MAX
}

/// Whether both have the same kinds of names.
fn has_keys_of(first: &Part, part: &Part) -> bool {
    let keys = |part: &Part| -> Vec<&str> { part.words.iter().map(|word| word.key).collect() };
    keys(first) == keys(part)
}

/// A part without what the first one of its line says for all.
fn without_shared(first: &Part, part: Part) -> Part {
    let is_same = has_keys_of(first, &part);
    let key = |word: &Word| if is_same { "" } else { word.key };
    let words = part.words.into_iter();
    Part {
        role: String::new(),
        words: words
            .map(|word| Word {
                key: key(&word),
                ..word
            })
            .collect(),
        ..part
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::actionable::tests::actionable;
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
        .assert_eq(&actionable(INBOX));
    }

    #[test]
    fn every_reference_of_the_full_view_is_in_the_actionable_view() {
        let tree = UiTree::parse_notation(INBOX).unwrap();
        let refs = RefTable::default().assign(&tree);
        let given = tree.ids().filter_map(|id| refs.get(id));
        let view = actionable(INBOX);
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

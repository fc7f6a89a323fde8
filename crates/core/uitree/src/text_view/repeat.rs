//! Controls of one kind that follow each other again and again, such as the buttons of each row, are written on one line when
//! they are repeated. Only elements with references share a line: the reference ends what is said of one.

use std::collections::HashMap;

use super::line::{Line, Part, Rank};
use crate::ScreenRefs;

/// Leaves out of lines what a reference replaces: that the element can be clicked, and where it is.
pub(super) fn leave_out_implied(lines: &mut [Line], refs: &ScreenRefs) {
    for part in lines.iter_mut().flat_map(|line| &mut line.parts) {
        if has_ref(part, refs) {
            let says_what =
                !(part.role.is_empty() && part.words.is_empty()) || part.resource.is_some();
            if says_what {
                part.leave_out_clickable();
            }
            part.place = None;
        }
    }
}

fn has_ref(part: &Part, refs: &ScreenRefs) -> bool {
    part.id.is_some_and(|id| refs.get(id).is_some())
}

/// Writes controls that were written before, in this order, on one line.
pub(super) fn share(lines: Vec<Line>, refs: &ScreenRefs) -> Vec<Line> {
    let unnamed = ScreenRefs::default();
    let words: Vec<Option<String>> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let has_children = lines
                .get(at + 1)
                .is_some_and(|next| next.depth > line.depth);
            let is_control = matches!(line.parts.as_slice(), [part] if has_ref(part, refs))
                && matches!(line.rank, Rank::Control | Rank::NamelessControl)
                && !has_children;
            is_control.then(|| line.render(&unnamed))
        })
        .collect();
    // Whether the line behind this one is another control of the same kind.
    let goes_on = |at: usize| {
        let (Some(line), Some(next)) = (lines.get(at), lines.get(at + 1)) else {
            return false;
        };
        let role = |line: &Line| line.parts.first().map(|part| part.role.clone());
        // Equal lines are counted.
        let differ = words[at] != words[at + 1];
        let are_controls = words[at].is_some() && words[at + 1].is_some();
        are_controls && differ && line.depth == next.depth && role(line) == role(next)
    };
    let mut first: HashMap<[Option<&String>; 2], usize> = HashMap::new();
    let mut shared: Vec<Line> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let mut count = 1;
        if goes_on(at) {
            let before = *first
                .entry([words[at].as_ref(), words[at + 1].as_ref()])
                .or_insert(at);
            while before + count < at
                && goes_on(before + count - 1)
                && goes_on(at + count - 1)
                && words[before + count] == words[at + count]
            {
                count += 1;
            }
        }
        shared.push(on_one_line(&lines[at..at + count]));
        at += count;
    }
    shared
}

/// The line of one element, or of several with their first name each.
fn on_one_line(lines: &[Line]) -> Line {
    let mut line = lines[0].clone();
    if lines.len() > 1 {
        let parts = lines.iter().flat_map(|line| line.parts.clone());
        line.parts = parts.map(shortened).collect();
        for part in line.parts.iter_mut().skip(1) {
            part.role.clear();
        }
    }
    line
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
             button "☆" label="Star" e3
             button "✓" label="Mark done" e4
             button "⏰" label="Remind me" e5
             checkbox unchecked e6
             text "Bob" e7
             button "☆" e8 "✓" e9 "⏰" e10
             text "Cyd" e11
             button "★" label="Unstar" selected e12
             button "✓" e13 "⏰" e14
             icon ×2 e15 e16
             column ×2 e17 e18
        "#]]
        .assert_eq(&view);
        // A line without references is one element.
        assert!(!tree.to_compact().contains("\"☆\" \"✓\""));
    }
}

//! Counts what a container that scrolls does not show.

use super::words::is_row;
use crate::{NodeId, Rect, State, UiTree};

/// What is beyond the edges of a container that scrolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Beyond {
    above: usize,
    below: usize,
    left: usize,
    right: usize,
}

impl UiTree {
    /// What a container that scrolls has beyond its edges, in words: `3 rows above, 35 below`. `None` if the tree has nothing
    /// there.
    pub(super) fn beyond(&self, container: NodeId) -> Option<String> {
        let shown = self.visible_bounds(container)?;
        let (mut rows, mut others) = (Beyond::default(), Beyond::default());
        let last = self.node(container).end.0;
        let mut place = container.0 + 1;
        while place < last {
            let id = NodeId(place);
            let node = self.node(id);
            place += 1;
            let (Some(bounds), true) = (node.bounds, node.is(State::VISIBLE)) else {
                continue;
            };
            let is_shown = self.is_on_screen(id) || bounds.is_empty();
            if node.is(State::SCROLLABLE) {
                // What is inside of it is counted there.
                place = node.end.0;
            }
            if is_shown {
                continue;
            }
            let is_row = is_row(node.role);
            let says = !node.text.is_empty() || !node.label.is_empty();
            if !(is_row || node.can_act() || says) {
                continue;
            }
            let count = if is_row { &mut rows } else { &mut others };
            if count.add(bounds, shown) {
                place = node.end.0;
            }
        }
        match rows.total() {
            0 => others.words("elements"),
            _ => rows.words("rows"),
        }
    }
}

impl Beyond {
    /// Counts a node; whether it is wholly on one side of the container.
    const fn add(&mut self, bounds: Rect, shown: Rect) -> bool {
        let side = if bounds.top >= shown.bottom {
            &mut self.below
        } else if bounds.bottom <= shown.top {
            &mut self.above
        } else if bounds.left >= shown.right {
            &mut self.right
        } else if bounds.right <= shown.left {
            &mut self.left
        } else {
            return false;
        };
        *side += 1;
        true
    }

    const fn total(self) -> usize {
        self.above + self.below + self.left + self.right
    }

    fn words(self, what: &str) -> Option<String> {
        let sides = [
            (self.above, "above"),
            (self.below, "below"),
            (self.left, "on the left"),
            (self.right, "on the right"),
        ];
        let mut words = String::new();
        for (count, side) in sides.into_iter().filter(|(count, _)| *count > 0) {
            words.push_str(match words.is_empty() {
                true => "",
                false => ", ",
            });
            let plural = match (words.is_empty(), count) {
                (false, _) => String::new(),
                (true, 1) => format!(" {}", what.trim_end_matches('s')),
                (true, _) => format!(" {what}"),
            };
            words.push_str(&format!("{count}{plural} {side}"));
        }
        (!words.is_empty()).then(|| format!("({words})"))
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn rows_and_elements_beyond_the_edges_are_counted() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview scrollable [0,0][100,100]
                button \"Top\" clickable [0,-40][100,-20]
                list scrollable [0,0][100,50]
                  listitem clickable [0,-20][100,0]
                    text \"One\" [0,-20][50,0]
                  listitem \"Two\" clickable [0,0][100,20]
                  listitem \"Three\" clickable [0,60][100,80]
                  listitem \"Four\" clickable [0,80][100,100]
                button \"Save\" clickable [0,120][100,140]
                  text \"Save\" [0,120][100,140]
            ",
        )
        .unwrap();
        expect_test::expect![[r#"
            application
             webview scrollable (1 element above, 1 below)
              list scrollable (1 row above, 2 below)
               listitem "Two"
        "#]]
        .assert_eq(&tree.to_compact());
    }
}

//! Removes windows from a screen.

use crate::{Mark, NodeSpec, TreeBuilder, UiTree, Window};

impl UiTree {
    /// The screen with only the windows for which `keeps` is true. Roles and marks stay.
    pub fn with_windows(&self, keeps: impl Fn(&Window) -> bool) -> UiTree {
        let mut builder = TreeBuilder::new(self.screen, self.rotation);
        let mut marks: Vec<Mark> = self.marks.clone();
        marks.iter_mut().for_each(|mark| mark.nodes.clear());
        for window in self.windows.iter().filter(|window| keeps(window)) {
            builder.window(window.kind, window.layer, window.active, &window.title);
            builder.window_bounds(window.bounds.unwrap_or_default());
            for id in self.subtree(window.root) {
                let node = self.node(id);
                let level = (node.depth) as usize;
                while builder.depth() > level {
                    builder.close();
                }
                let kept = builder.open(NodeSpec::from(node));
                for (mark, old) in marks.iter_mut().zip(&self.marks) {
                    if old.nodes.binary_search(&id).is_ok() {
                        mark.nodes.push(kept);
                    }
                }
            }
        }
        builder.finish().with_marks(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WindowKind;

    #[test]
    fn retained_windows_are_unchanged() {
        let whole = "window application layer=1 active\n  column\n    button \"Go\" #go\n    row\n      text \"a\"\n    text \"b\"\n";
        let bars = "window system layer=9\n  row #bar\n    text \"12:00\"\n";
        let tree = UiTree::parse_notation(&format!("{whole}{bars}")).unwrap();
        let kept = tree.with_windows(|window| window.kind != WindowKind::System);
        assert_eq!(kept, UiTree::parse_notation(whole).unwrap());
        assert_eq!(tree.with_windows(|_| true), tree);
        assert!(tree.with_windows(|_| false).is_empty());
    }
}

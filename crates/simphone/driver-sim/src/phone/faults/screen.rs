//! Trees that faults report instead of the screen, and the widgets of their nodes.

use std::sync::Arc;

use driver::{Observation, Revision};
use uitree::{NodeSpec, TreeBuilder, UiTree};

use crate::phone::{Phone, View};
use crate::seeded_rng::SeededRng;
use sim_format::LAUNCHER;
use sim_format::widget::Key;

/// The tree of the last observation, if it is not that of the screen.
#[derive(Debug)]
pub(crate) struct FalseTree {
    pub(crate) revision: u64,
    pub(crate) view: Arc<View>,
    /// The widget of each of its nodes.
    pub(crate) keys: Vec<(u64, Key)>,
}

impl Phone {
    fn report(
        &mut self,
        view: &Arc<View>,
        revision: u64,
        foreground: Option<String>,
    ) -> Observation {
        self.faults.false_tree = Some(FalseTree {
            revision,
            view: Arc::clone(view),
            keys: view.keys.clone(),
        });
        Observation {
            tree: Arc::clone(&view.tree),
            revision: Revision(revision),
            foreground,
            url: None,
            windows: view.infos.clone(),
            other_displays: Vec::new(),
        }
    }

    /// Reports an outdated tree as the current one.
    pub(super) fn report_old(&mut self, view: &Arc<View>) -> Observation {
        let foreground = self.foreground();
        self.report(view, self.frames.revision(), foreground)
    }

    /// Reports the home screen, whichever app is in the foreground.
    pub(super) fn report_launcher(&mut self) -> Observation {
        let launcher: Arc<str> = Arc::from(LAUNCHER);
        let front = self.tasks.set_front(Arc::clone(&launcher));
        let keyboard = self.editor.keyboard.take();
        let view = Arc::new(self.make_view());
        self.tasks.set_front(front);
        self.editor.keyboard = keyboard;
        self.report(&view, self.frames.revision(), Some(launcher.to_string()))
    }

    /// Reports the screen without one subtree.
    pub(super) fn report_part(&mut self, of: &str, rng: &mut SeededRng) -> Observation {
        let view = self.view();
        let foreground = self.foreground();
        let mut seen = self.report(&view, view.revision, foreground);
        let roots: Vec<_> = view
            .tree
            .windows()
            .iter()
            .map(|window| window.root)
            .collect();
        let removable = |id: &uitree::NodeId| {
            let own = view
                .tree
                .node(*id)
                .id
                .rsplit('/')
                .next()
                .unwrap_or_default();
            !roots.contains(id) && (of.is_empty() || own == of)
        };
        let parts: Vec<_> = view.tree.ids().filter(removable).collect();
        let place = usize::try_from(rng.below(parts.len() as u64)).unwrap_or(0);
        let Some(gone) = parts.get(place).copied() else {
            return seen;
        };
        let (tree, keys) = without(&view, |id| view.tree.contains(gone, id));
        seen.tree = Arc::new(tree);
        if let Some(tree) = &mut self.faults.false_tree {
            tree.keys = keys;
        }
        seen
    }

    /// Reports a tree without nodes.
    pub(super) fn report_empty(&mut self) -> Observation {
        let view = self.view();
        let mut seen = self.report(&view, view.revision, None);
        seen.tree = Arc::new(without(&view, |_| true).0);
        seen.windows.clear();
        if let Some(tree) = &mut self.faults.false_tree {
            tree.keys.clear();
        }
        seen
    }
}

/// The tree of a view without the nodes for which `gone` holds, which must be whole subtrees.
fn without(view: &View, gone: impl Fn(uitree::NodeId) -> bool) -> (UiTree, Vec<(u64, Key)>) {
    let tree = &view.tree;
    let mut builder = TreeBuilder::new(tree.screen(), tree.rotation());
    let mut keys = Vec::new();
    for (id, key) in tree.ids().zip(&view.keys) {
        if gone(id) {
            continue;
        }
        let node = tree.node(id);
        while builder.depth() > node.depth as usize {
            builder.close();
        }
        if let Some(window) = tree.windows().iter().find(|window| window.root == id) {
            builder.window(window.kind, window.layer, window.active, &window.title);
        }
        builder.open(NodeSpec::from(node));
        keys.push(*key);
    }
    while builder.depth() > 0 {
        builder.close();
    }
    (builder.finish(), keys)
}

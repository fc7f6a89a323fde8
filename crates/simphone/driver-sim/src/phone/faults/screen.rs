//! Trees that an observation returns instead of the screen, and the widgets behind their nodes.

use std::sync::Arc;

use driver::{Observation, Revision};
use uitree::{NodeSpec, TreeBuilder, UiTree};

use crate::phone::{Phone, View};
use crate::seed::Dice;
use sim_format::LAUNCHER;
use sim_format::widget::Key;

/// The tree that the last look was given, where that is not the tree of the screen.
#[derive(Debug)]
pub(crate) struct Mask {
    pub(crate) revision: u64,
    /// The view that the tree was made of.
    pub(crate) view: Arc<View>,
    /// The widget behind each of its nodes.
    pub(crate) keys: Vec<(u64, Key)>,
}

impl Phone {
    /// What an observation of `view` says, under a revision of its own.
    fn report(
        &mut self,
        view: &Arc<View>,
        revision: u64,
        foreground: Option<String>,
    ) -> Observation {
        self.faults.mask = Some(Mask {
            revision,
            view: Arc::clone(view),
            keys: view.keys.clone(),
        });
        Observation {
            tree: Arc::clone(&view.tree),
            revision: Revision(revision),
            foreground,
            windows: view.infos.clone(),
            other_displays: Vec::new(),
        }
    }

    /// The tree of some time ago that passes for the one of now.
    pub(super) fn report_old(&mut self, view: &Arc<View>) -> Observation {
        let foreground = self.foreground();
        self.report(view, self.frames.revision(), foreground)
    }

    /// The home screen, whatever is in front.
    pub(super) fn report_launcher(&mut self) -> Observation {
        let launcher: Arc<str> = Arc::from(LAUNCHER);
        let front = self.tasks.set_front(Arc::clone(&launcher));
        let keyboard = self.editor.keyboard.take();
        let view = Arc::new(self.make_view());
        self.tasks.set_front(front);
        self.editor.keyboard = keyboard;
        self.report(&view, self.frames.revision(), Some(launcher.to_string()))
    }

    /// The screen without one of its parts.
    pub(super) fn report_part(&mut self, of: &str, dice: &mut Dice) -> Observation {
        let view = self.view();
        let foreground = self.foreground();
        let mut seen = self.report(&view, view.revision, foreground);
        let roots: Vec<_> = view
            .tree
            .windows()
            .iter()
            .map(|window| window.root)
            .collect();
        let meant = |id: &uitree::NodeId| {
            let own = view
                .tree
                .node(*id)
                .id
                .rsplit('/')
                .next()
                .unwrap_or_default();
            !roots.contains(id) && (of.is_empty() || own == of)
        };
        let parts: Vec<_> = view.tree.ids().filter(meant).collect();
        let place = usize::try_from(dice.below(parts.len() as u64)).unwrap_or(0);
        let Some(gone) = parts.get(place).copied() else {
            return seen;
        };
        let (tree, keys) = without(&view, |id| view.tree.contains(gone, id));
        seen.tree = Arc::new(tree);
        if let Some(mask) = &mut self.faults.mask {
            mask.keys = keys;
        }
        seen
    }

    /// No node at all.
    pub(super) fn report_nothing(&mut self) -> Observation {
        let view = self.view();
        let mut seen = self.report(&view, view.revision, None);
        seen.tree = Arc::new(without(&view, |_| true).0);
        seen.windows.clear();
        if let Some(mask) = &mut self.faults.mask {
            mask.keys.clear();
        }
        seen
    }
}

/// The tree of a view without the nodes for which `gone` holds, which must be whole parts.
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

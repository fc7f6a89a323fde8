//! The references that the runs of a case gave, and the widgets that they stand for.

use std::collections::{BTreeMap, HashMap};

use driver_sim::{OpenScreen, WidgetIdentity};
use uitree::{Mark, NodeId, Refs, ScreenRefs, UiTree};

/// The table of a case, and the widget of each of its references according to the phone.
#[derive(Debug, Default)]
pub(crate) struct KnownRefs {
    pub(crate) table: Refs,
    widgets: BTreeMap<String, WidgetIdentity>,
    /// The screens of windows, also of closed ones.
    screens: HashMap<u64, OpenScreen>,
}

impl KnownRefs {
    /// Completes the widgets of windows that have closed since.
    pub(crate) fn complete(&mut self, widgets: &mut [WidgetIdentity]) {
        for widget in widgets {
            match &widget.screen {
                Some(screen) => {
                    let known = self.screens.entry(widget.window);
                    known.or_insert_with(|| screen.clone());
                }
                None => widget.screen = self.screens.get(&widget.window).cloned(),
            }
        }
    }

    /// Learns the references that were given on a screen. Also returns those that were given before for another widget.
    pub(crate) fn learn(
        &mut self,
        tree: &UiTree,
        widgets: &[WidgetIdentity],
    ) -> (ScreenRefs, Vec<String>) {
        let refs = self.table.lock().assign(tree);
        let given = tree.ids().zip(widgets);
        let given = given.filter(|(_, widget)| widget.screen.is_some());
        let given = given.filter_map(|(id, widget)| Some((id, refs.get(id)?, widget)));
        let mut moved = Vec::new();
        for (id, reference, widget) in given {
            let known = self.widgets.entry(reference.clone());
            let known = known.or_insert_with(|| widget.clone());
            if !nodes_of_widget(known, tree, widgets).contains(&id) {
                moved.push(format!(
                    "{reference} was {known:?} and is now {}, {widget:?}",
                    tree.describe(id)
                ));
            }
        }
        (refs, moved)
    }

    /// The number of the last reference that was given.
    pub(crate) fn last(&self) -> u32 {
        self.table.lock().last().unwrap_or(0)
    }

    /// Marks the widgets of references on a screen.
    pub(crate) fn marks<'a>(
        &'a self,
        references: &'a [String],
        tree: &'a UiTree,
        widgets: &'a [WidgetIdentity],
    ) -> impl Iterator<Item = Mark> + 'a {
        references.iter().filter_map(move |reference| {
            let widget = self.widgets.get(reference)?;
            Some(Mark {
                selector: mark(reference).into(),
                nodes: nodes_of_widget(widget, tree, widgets),
            })
        })
    }

    /// The references of the elements on a screen, with their nodes.
    pub(crate) fn on_screen(
        &self,
        tree: &UiTree,
        widgets: &[WidgetIdentity],
    ) -> Vec<(String, NodeId)> {
        let find = |(reference, widget): (&String, &WidgetIdentity)| {
            let id = *nodes_of_widget(widget, tree, widgets).first()?;
            tree.is_on_screen(id).then(|| (reference.clone(), id))
        };
        self.widgets.iter().filter_map(find).collect()
    }
}

/// The nodes that show a widget on a screen, or else the only control that replaces it.
fn nodes_of_widget(
    widget: &WidgetIdentity,
    tree: &UiTree,
    widgets: &[WidgetIdentity],
) -> Vec<NodeId> {
    let nodes = |is_it: &dyn Fn(&WidgetIdentity) -> bool| -> Vec<NodeId> {
        let nodes = tree.ids().zip(widgets);
        nodes
            .filter_map(|(id, other)| is_it(other).then_some(id))
            .collect()
    };
    let same = nodes(&|other| other.is_same(widget));
    if !same.is_empty() {
        return same;
    }
    let others = nodes(&|other| other.replaces(widget)).into_iter();
    let mut others: Vec<NodeId> = others.filter_map(|id| tree.ref_target(id)).collect();
    others.dedup();
    if others.len() > 1 {
        others.clear();
    }
    others
}

/// The selector under which the judge finds the widget of a reference; the engine has another one.
fn mark(reference: &str) -> String {
    format!("widget of {reference}")
}

/// The nodes of a recorded screen that show the widget of a reference.
pub(crate) fn nodes_of<'a>(tree: &'a UiTree, reference: &str) -> &'a [NodeId] {
    let selector = mark(reference);
    let found = tree.marks().iter().find(|mark| *mark.selector == *selector);
    found.map_or(&[], |mark| &mark.nodes)
}

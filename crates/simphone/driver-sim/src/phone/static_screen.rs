//! Screens that show a tree as it is: their widgets, their places, their nodes, and what a press switches.

use std::sync::Arc;

use driver::WindowInfo;
use uitree::{NodeSpec, Size, State, TreeBuilder};

use crate::app::{Names, Scope, Still};
use crate::layout::{Area, Env, Fragment, Scene};
use crate::widget::{Element, Key, Kind, Look, Switches};
use crate::window::Shown;

use super::Phone;

impl Still {
    /// The key of the node at `place`.
    fn key(&self, place: usize) -> Option<Key> {
        let spec = self.specs.get(place)?;
        Some(Key::of(Key(0), spec.slot))
    }

    /// Its nodes as widgets, each where the tree says.
    pub(crate) fn lay_out(&self, env: &Env<'_>, scope: &Arc<Scope>) -> Fragment {
        let names = Names {
            vars: env.vars,
            scope,
        };
        let mut elements = Vec::with_capacity(self.specs.len());
        let mut areas = Vec::with_capacity(self.specs.len());
        for (place, (spec, node)) in self.specs.iter().zip(self.tree.nodes()).enumerate() {
            let key = Key::of(Key(0), spec.slot);
            let mut state = node.state;
            let look = match (&spec.kind, spec.resolve(&names, key, None, env).0) {
                (
                    Kind::Field(field),
                    Look::Field {
                        hint,
                        placeholder,
                        beside,
                        wrong,
                        ..
                    },
                ) if field.bind.is_none() && !env.local.texts.contains_key(&key) => {
                    let text: Arc<str> = Arc::from(self.written(place));
                    Look::Field {
                        shown: Arc::clone(&text),
                        text,
                        hint,
                        placeholder,
                        beside,
                        wrong,
                    }
                }
                (_, Look::Node { text, .. }) => {
                    let switched = env.local.switched.get(&key).copied();
                    let on = switched.unwrap_or(node.is(State::CHECKED));
                    state.set(State::CHECKED, on);
                    Look::Node { text, on }
                }
                (_, look) => look,
            };
            elements.push(Element {
                key,
                spec: Arc::clone(spec),
                scope: Arc::clone(scope),
                look,
                label: Arc::clone(&node.label),
                state,
                owner: None,
                lit: false,
                spot: None,
                scenery: None,
                zoom: None,
                // What was seen once stays where it was seen.
                flow: draw::Flow::LeftToRight,
                end: self.ends.get(place).copied().unwrap_or(place + 1),
            });
            let bounds = node.bounds.unwrap_or_default();
            areas.push(Area {
                x: bounds.left as f32,
                y: bounds.top as f32,
                width: bounds.width() as f32,
                height: bounds.height() as f32,
            });
        }
        Fragment::fixed(elements, areas)
    }

    /// Puts its nodes onto the screen and gives the room that they take: all of it.
    pub(crate) fn place(
        &self,
        scene: &mut Scene,
        fragment: &Arc<Fragment>,
        screen: Size,
    ) -> uitree::Rect {
        scene.put_as_they_are(fragment, |place| self.seen(place));
        screen.to_rect()
    }

    /// Writes its windows and nodes as the tree has them, with what was written and switched since.
    pub(crate) fn write(
        &self,
        builder: &mut TreeBuilder,
        shown: &Shown,
        keys: &mut Vec<(u64, Key)>,
    ) {
        let mut windows = self.tree.windows().iter().peekable();
        for (place, node) in self.tree.nodes().iter().enumerate() {
            while builder.depth() > node.depth as usize {
                builder.close();
            }
            if let Some(window) = windows.next_if(|window| window.root.index() == place) {
                builder.window(window.kind, window.layer, window.active, &window.title);
            }
            let mut spec = NodeSpec {
                role: Some(node.role),
                index: Some(node.index),
                text: node.text.clone(),
                label: node.label.clone(),
                hint: node.hint.clone(),
                id: node.id.clone(),
                class: node.class.clone(),
                owner: node.owner.clone(),
                bounds: node.bounds,
                state: node.state,
                attributes: node.attributes.clone(),
            };
            let element = shown.scene.items.get(place).map(|item| item.element());
            if let Some(element) = element {
                let focused = match shown.focus {
                    Some(focus) => focus == element.key,
                    None => node.is(State::FOCUSED),
                };
                let now = element.node(&shown.package, focused);
                spec.state.set(State::FOCUSED, focused);
                spec.state
                    .set(State::CHECKED, now.state.contains(State::CHECKED));
                if self.is_written(place, element) {
                    spec.text = now.text;
                    let hint = now.state.contains(State::SHOWING_HINT);
                    spec.state.set(State::SHOWING_HINT, hint);
                }
            }
            builder.open(spec);
            keys.push((shown.id, self.key(place).unwrap_or_default()));
        }
        while builder.depth() > 0 {
            builder.close();
        }
    }

    /// Whether a field holds something else than the tree says.
    fn is_written(&self, place: usize, element: &Element) -> bool {
        match &element.look {
            Look::Field { text, .. } => **text != *self.written(place),
            _ => false,
        }
    }
}

impl Shown {
    /// Whether what the item at `index` shows can be seen in the picture of the tree.
    pub(crate) fn is_in_picture(&self, index: usize) -> bool {
        let Some(still) = &self.still else {
            return false;
        };
        let (Some(node), Some(item)) = (still.node(index), self.scene.items.get(index)) else {
            return false;
        };
        let element = item.element();
        let on = element.state.contains(State::CHECKED);
        on == node.is(State::CHECKED) && !still.is_written(index, element)
    }
}

/// Size and rotation of the screen that the windows are on, when the first of them shows a tree as it is. Dialogs and
/// the keyboard above it belong to the phone's own screen, which is at least as large.
pub(super) fn screen(windows: &[Shown]) -> Option<(Size, u8)> {
    let still = windows.first()?.still.as_ref()?;
    let mut size = still.tree.screen();
    for window in windows.iter().skip(1) {
        size.width = size.width.max(window.area.right);
        size.height = size.height.max(window.area.bottom);
    }
    Some((size, still.tree.rotation()))
}

/// What is known of a window, the topmost first where it is several.
pub(super) fn infos(shown: &Shown) -> Vec<WindowInfo> {
    let Some(still) = &shown.still else {
        return vec![WindowInfo {
            kind: shown.kind,
            package: Some(shown.package.to_string()),
            active: shown.active,
        }];
    };
    let mut windows: Vec<_> = still.tree.windows().iter().collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    windows
        .into_iter()
        .map(|window| WindowInfo {
            kind: window.kind,
            package: Some(still.tree.node(window.root).owner.to_string()),
            active: window.active,
        })
        .collect()
}

impl Phone {
    /// Whether the active window shows a tree as it is: then nothing of the phone's own lies around it.
    pub(crate) fn shows_still(&self) -> bool {
        self.active().is_some_and(|open| open.page.still.is_some())
    }

    /// A press switches a node of a tree that is shown as it is.
    pub(crate) fn switch(&mut self, window: u64, switches: Switches) {
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let Some(still) = open.page.still.clone() else {
            return;
        };
        let Switches { place, one_of_many } = switches;
        let (Some(key), Some(node)) = (still.key(place), still.node(place)) else {
            return;
        };
        let before = open.local.switched.get(&key).copied();
        let on = one_of_many || !before.unwrap_or(node.is(State::CHECKED));
        open.local.switched.insert(key, on);
        if one_of_many {
            for rival in still.rivals(place) {
                if let Some(rival) = still.key(rival) {
                    open.local.switched.insert(rival, false);
                }
            }
        }
        self.bump();
    }
}

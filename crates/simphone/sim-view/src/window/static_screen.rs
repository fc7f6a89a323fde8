//! Lays out static screens and writes their nodes.

use std::sync::Arc;

use sim_format::app::StaticScreen;
use sim_format::expr::{Names, Scope};
use sim_format::widget::{Key, Kind};
use uitree::{NodeSpec, Size, State, TreeBuilder};

use super::ScreenWindow;
use crate::env::Env;
use crate::layout::{Area, Fragment, Scene};
use crate::widget::{Content, Element, resolve};

/// Creates an element for each node, at the bounds of the tree.
pub fn lay_out_static(screen_tree: &StaticScreen, env: &Env<'_>, scope: &Arc<Scope>) -> Fragment {
    let names = Names {
        vars: env.vars,
        scope,
    };
    let mut elements = Vec::with_capacity(screen_tree.specs.len());
    let mut areas = Vec::with_capacity(screen_tree.specs.len());
    let nodes = screen_tree.specs.iter().zip(screen_tree.tree.nodes());
    for (place, (spec, node)) in nodes.enumerate() {
        let key = Key::new(Key(0), spec.slot);
        let mut state = node.state;
        let content = match (&spec.kind, resolve(spec, &names, key, None, env).0) {
            (
                Kind::Field(field),
                Content::Field {
                    hint,
                    placeholder,
                    wrong,
                    ..
                },
            ) if field.bind.is_none() && !env.local.texts.contains_key(&key) => {
                let text: Arc<str> = Arc::from(screen_tree.written(place));
                Content::Field {
                    shown: Arc::clone(&text),
                    text,
                    hint,
                    placeholder,
                    wrong,
                }
            }
            (_, Content::Node { text, .. }) => {
                let switched = env.local.switched.get(&key).copied();
                let on = switched.unwrap_or(node.is(State::CHECKED));
                state.set(State::CHECKED, on);
                Content::Node { text, on }
            }
            (_, content) => content,
        };
        elements.push(Element {
            key,
            spec: Arc::clone(spec),
            scope: Arc::clone(scope),
            content,
            label: Arc::clone(&node.label),
            state,
            owner: None,
            lit: false,
            spot: None,
            // A static screen is never mirrored.
            flow: draw::Flow::LeftToRight,
            end: screen_tree.ends.get(place).copied().unwrap_or(place + 1),
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

/// Adds the nodes to a scene and returns the area that they cover: the whole screen.
pub fn place_static(
    screen_tree: &StaticScreen,
    scene: &mut Scene,
    fragment: &Arc<Fragment>,
    screen: Size,
) -> uitree::Rect {
    scene.put_with_bounds(fragment, |place| screen_tree.visible_bounds(place));
    screen.to_rect()
}

/// Writes the windows and nodes of the tree, with later changes of texts and switches.
pub fn write_static(
    screen_tree: &StaticScreen,
    builder: &mut TreeBuilder,
    shown: &ScreenWindow,
    keys: &mut Vec<(u64, Key)>,
) {
    let mut windows = screen_tree.tree.windows().iter().peekable();
    for (place, node) in screen_tree.tree.nodes().iter().enumerate() {
        while builder.depth() > node.depth as usize {
            builder.close();
        }
        if let Some(window) = windows.next_if(|window| window.root.index() == place) {
            builder.window(window.kind, window.layer, window.active, &window.title);
        }
        let mut spec = NodeSpec::from(node);
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
            if is_edited(screen_tree, place, element) {
                spec.text = now.text;
                let hint = now.state.contains(State::SHOWING_HINT);
                spec.state.set(State::SHOWING_HINT, hint);
            }
        }
        builder.open(spec);
        keys.push((shown.id, screen_tree.key(place).unwrap_or_default()));
    }
    while builder.depth() > 0 {
        builder.close();
    }
}

/// Whether the text of a field differs from the tree.
fn is_edited(screen_tree: &StaticScreen, place: usize, element: &Element) -> bool {
    match &element.content {
        Content::Field { text, .. } => **text != *screen_tree.written(place),
        _ => false,
    }
}

impl ScreenWindow {
    /// Whether the picture shows the current content of the item at `index`.
    pub fn is_in_picture(&self, index: usize) -> bool {
        let Some(screen_tree) = &self.static_screen else {
            return false;
        };
        let (Some(node), Some(item)) = (screen_tree.node(index), self.scene.items.get(index))
        else {
            return false;
        };
        let element = item.element();
        let on = element.state.contains(State::CHECKED);
        on == node.is(State::CHECKED) && !is_edited(screen_tree, index, element)
    }
}

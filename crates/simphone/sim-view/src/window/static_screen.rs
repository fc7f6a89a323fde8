//! Screens that show a tree as it is: their widgets, their places and their nodes.

use std::sync::Arc;

use sim_format::app::StaticScreen;
use sim_format::expr::{Names, Scope};
use sim_format::widget::{Key, Kind};
use uitree::{NodeSpec, Size, State, TreeBuilder};

use super::ScreenWindow;
use crate::env::Env;
use crate::layout::{Area, Fragment, Scene};
use crate::widget::{Content, Element, resolve};

/// Its nodes as widgets, each where the tree says.
pub fn lay_out_static(still: &StaticScreen, env: &Env<'_>, scope: &Arc<Scope>) -> Fragment {
    let names = Names {
        vars: env.vars,
        scope,
    };
    let mut elements = Vec::with_capacity(still.specs.len());
    let mut areas = Vec::with_capacity(still.specs.len());
    for (place, (spec, node)) in still.specs.iter().zip(still.tree.nodes()).enumerate() {
        let key = Key::of(Key(0), spec.slot);
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
                let text: Arc<str> = Arc::from(still.written(place));
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
            // What was seen once stays where it was seen.
            flow: draw::Flow::LeftToRight,
            end: still.ends.get(place).copied().unwrap_or(place + 1),
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
pub fn place_static(
    still: &StaticScreen,
    scene: &mut Scene,
    fragment: &Arc<Fragment>,
    screen: Size,
) -> uitree::Rect {
    scene.put_as_they_are(fragment, |place| still.seen(place));
    screen.to_rect()
}

/// Writes its windows and nodes as the tree has them, with what was written and switched since.
pub fn write_static(
    still: &StaticScreen,
    builder: &mut TreeBuilder,
    shown: &ScreenWindow,
    keys: &mut Vec<(u64, Key)>,
) {
    let mut windows = still.tree.windows().iter().peekable();
    for (place, node) in still.tree.nodes().iter().enumerate() {
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
            if is_written(still, place, element) {
                spec.text = now.text;
                let hint = now.state.contains(State::SHOWING_HINT);
                spec.state.set(State::SHOWING_HINT, hint);
            }
        }
        builder.open(spec);
        keys.push((shown.id, still.key(place).unwrap_or_default()));
    }
    while builder.depth() > 0 {
        builder.close();
    }
}

/// Whether a field holds something else than the tree says.
fn is_written(still: &StaticScreen, place: usize, element: &Element) -> bool {
    match &element.content {
        Content::Field { text, .. } => **text != *still.written(place),
        _ => false,
    }
}

impl ScreenWindow {
    /// Whether what the item at `index` shows can be seen in the picture of the tree.
    pub fn is_in_picture(&self, index: usize) -> bool {
        let Some(still) = &self.static_screen else {
            return false;
        };
        let (Some(node), Some(item)) = (still.node(index), self.scene.items.get(index)) else {
            return false;
        };
        let element = item.element();
        let on = element.state.contains(State::CHECKED);
        on == node.is(State::CHECKED) && !is_written(still, index, element)
    }
}

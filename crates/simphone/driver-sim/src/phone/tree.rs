//! Builds the node tree of an observation from the windows on the screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use uitree::{NodeSpec, Rect, ScrollDirections, State, TreeBuilder, UiTree, WindowKind};

use crate::SeededRng;
use sim_format::Toolkit;
use sim_format::widget::{Axis, Key};
use sim_view::layout::ScrollBox;
use sim_view::widget::Element;
use sim_view::window::{Bars, Drafts, ScreenWindow, write_static};

use super::{Phone, static_screen};

/// The suffix of a widget id that is generated anew at each start of its app.
const GENERATED: &str = ":id/?";

impl Phone {
    /// The id of a widget, generated for this start of the app if its id requests that.
    pub(crate) fn id_of(&self, window: u64, package: &str, element: &Element) -> Arc<str> {
        let id = &element.spec.id;
        if !id.ends_with(GENERATED) {
            return Arc::clone(id);
        }
        let task = self.tasks.of_window(window);
        let start = task.map_or(0, |task| task.start);
        let mut rng = SeededRng::new(
            self.randomness.seed(),
            &format!("ids {start} {}", element.key.0),
        );
        Arc::from(format!("{package}:id/v{:06x}", rng.below(1 << 24)))
    }

    pub(crate) fn tag_of(&self, window: u64, element: &Element) -> Option<Arc<str>> {
        let tag = element.spec.tag.as_ref()?;
        match tag.is_fixed() {
            Some(tag) => Some(Arc::clone(tag)),
            None => self.text(&self.context(window, &element.scope), tag),
        }
    }

    /// The bounds of the root node of a window that takes touches only in a part of them, as keyboards and
    /// notifications do.
    fn root_bounds(&self, window: &ScreenWindow) -> Option<Rect> {
        let screen = self.display.size().to_rect();
        match window.kind {
            WindowKind::InputMethod => Some(Rect {
                top: Bars::new(&self.theme).status,
                ..screen
            }),
            WindowKind::System if self.banners().contains(&window.id) => Some(screen),
            _ => None,
        }
    }

    /// The node tree of these windows, and the widget of each node.
    pub(super) fn tree(&self, windows: &[ScreenWindow]) -> (UiTree, Vec<(u64, Key)>) {
        let (screen, turns) = static_screen::screen(windows)
            .unwrap_or((self.display.size(), self.display.rotation().quarter_turns()));
        let mut builder = TreeBuilder::new(screen, turns);
        let max_nodes = windows.iter().map(|window| window.scene.items.len()).sum();
        builder.reserve(max_nodes);
        let mut keys = Vec::with_capacity(max_nodes);
        for window in windows {
            let mut done = 0;
            if let Some(static_screen) = &window.static_screen {
                write_static(static_screen, &mut builder, window, &mut keys);
                done = static_screen.tree.len();
                if window.scene.items.len() == done {
                    continue;
                }
            }
            // A plain activity has no title: dumps without a title mean this window.
            let plain =
                window.kind == WindowKind::Application && window.layer == 0 && window.active;
            let title = if plain { "" } else { &*window.title };
            builder.window(window.kind, window.layer, window.active, title);
            let root = self.root_bounds(window);
            if root.is_some() {
                let touched = window.scene.items.first().map(|item| item.bounds);
                builder.window_bounds(touched.unwrap_or(window.area));
            }
            if window.scene.items.is_empty() {
                builder.open(NodeSpec {
                    class: (&*window.class).into(),
                    owner: (&*window.package).into(),
                    bounds: Some(window.area),
                    state: State::ENABLED | State::VISIBLE,
                    ..NodeSpec::default()
                });
                builder.close();
                keys.push((window.id, Key(u64::MAX)));
                continue;
            }
            let scrolls = window.scene.scrolls.iter();
            let scrolls: BTreeMap<usize, ScrollDirections> = scrolls
                .filter(|scroll| !window.is_field(scroll.item))
                .map(|scroll| (scroll.item, directions(scroll)))
                .collect();
            // Views are written directly; other toolkits need the whole window first.
            let views = window.toolkit == Toolkit::Views;
            let mut drafts = Drafts::default();
            let mut open: Vec<usize> = Vec::new();
            for (index, item) in window.scene.items.iter().enumerate().skip(done) {
                while open.last().is_some_and(|end| *end <= index) {
                    open.pop();
                    if views {
                        builder.close();
                    } else {
                        drafts.close();
                    }
                }
                let element = item.element();
                if !element.is_node() {
                    continue;
                }
                let mut node = element.node(&window.package, window.focus == Some(element.key));
                if element.spec.id.ends_with(GENERATED) {
                    node.id = self.id_of(window.id, &window.package, element);
                }
                node.bounds = Some(root.filter(|_| open.is_empty()).unwrap_or(item.bounds));
                node.state.set(State::VISIBLE, item.is_visible());
                node.can_scroll = scrolls.get(&index).copied().unwrap_or_default();
                node.state |= match node.can_scroll.is_empty() {
                    true => State::empty(),
                    false => State::SCROLLABLE,
                };
                open.push(item.end);
                if views {
                    builder.open(node);
                    keys.push((window.id, element.key));
                } else {
                    drafts.open(node, element.key, self.tag_of(window.id, element));
                }
            }
            for _ in open {
                if views {
                    builder.close();
                } else {
                    drafts.close();
                }
            }
            drafts.write(window.toolkit, &mut builder, &mut |key| {
                keys.push((window.id, key));
            });
        }
        (builder.finish(), keys)
    }
}

/// Where the content of a scroller can still move to.
fn directions(scroll: &ScrollBox) -> ScrollDirections {
    let [back, on] = match scroll.axis {
        Axis::Vertical => [ScrollDirections::UP, ScrollDirections::DOWN],
        Axis::Horizontal => [ScrollDirections::LEFT, ScrollDirections::RIGHT],
        Axis::Depth => return ScrollDirections::empty(),
    };
    let mut directions = ScrollDirections::empty();
    directions.set(back, scroll.offset > 0.0);
    directions.set(on, scroll.offset < scroll.reach);
    directions
}

//! Converts the phone's tree to an observation of the agent.

use std::sync::Arc;

use agent_protocol::{
    Bounds, NodeActions, NodeFlags, NodeRecord, OtherScreen, Range, ScreenCapture, WindowFlags,
    WindowRecord, window_type,
};
use uitree::{NodeId, Rect, ScrollDirections, State, UiTree, Window, WindowKind};

pub(super) struct Scene<'a> {
    pub(super) tree: &'a UiTree,
    /// The trees of the system bars, lowest first.
    pub(super) bars: &'a [UiTree],
    pub(super) density: u32,
    pub(super) other_displays: Vec<OtherScreen>,
}

impl Scene<'_> {
    /// The observation, and the node at each index; nodes of bars have none.
    pub(super) fn capture(self) -> (ScreenCapture, Vec<Option<NodeId>>) {
        let Self { tree, bars, .. } = self;
        let mut windows: Vec<&Window> = tree.windows().iter().collect();
        windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        let top = windows.first().map_or(0, |window| window.layer);
        let mut records = Vec::new();
        let mut nodes = Vec::new();
        let layers: Vec<(&UiTree, i32)> = bars.iter().zip(1..).collect();
        for (bar, above) in layers.into_iter().rev() {
            for window in bar.windows() {
                let record = record(bar, window, top + above);
                nodes.extend(record.nodes.iter().map(|_| None));
                records.push(record);
            }
        }
        for window in windows {
            nodes.extend(tree.subtree(window.root).map(Some));
            records.push(record(tree, window, window.layer));
        }
        for (record, id) in records.iter_mut().zip(1..) {
            record.id = id;
        }
        let pixels = |length: i32| u32::try_from(length).unwrap_or(0);
        let screen = tree.screen();
        let capture = ScreenCapture {
            took_ms: 0,
            width: pixels(screen.width),
            height: pixels(screen.height),
            rotation: tree.rotation(),
            density: self.density,
            expected_windows: u32::try_from(records.len()).unwrap_or(u32::MAX),
            windows: records,
            other_displays: self.other_displays,
        };
        (capture, nodes)
    }
}

fn bounds(rect: Rect) -> Bounds {
    Bounds {
        left: rect.left,
        top: rect.top,
        width: rect.width(),
        height: rect.height(),
    }
}

fn record(tree: &UiTree, window: &Window, layer: i32) -> WindowRecord {
    let whole = tree.node(window.root).bounds.unwrap_or_default();
    let touchable = window.bounds.map(bounds);
    WindowRecord {
        id: 0,
        kind: match window.kind {
            WindowKind::Application => window_type::APPLICATION,
            WindowKind::InputMethod => window_type::INPUT_METHOD,
            WindowKind::System => window_type::SYSTEM,
            WindowKind::AccessibilityOverlay => window_type::ACCESSIBILITY_OVERLAY,
        },
        layer,
        flags: match window.active {
            true => WindowFlags::ACTIVE | WindowFlags::FOCUSED,
            false => WindowFlags::empty(),
        },
        title: text(&window.title),
        bounds: bounds(window.bounds.unwrap_or(whole)),
        touchable: touchable.into_iter().collect(),
        unreadable: 0,
        nodes: tree.subtree(window.root).map(|id| node(tree, id)).collect(),
    }
}

fn text(text: &Arc<str>) -> Option<Arc<str>> {
    (!text.is_empty()).then(|| Arc::clone(text))
}

fn node(tree: &UiTree, id: NodeId) -> NodeRecord {
    let node = tree.node(id);
    let own = node.bounds.unwrap_or_default();
    let parent = node.parent.and_then(|parent| tree.node(parent).bounds);
    let parent = parent.unwrap_or_default();
    NodeRecord {
        children: u32::try_from(tree.children(id).count()).unwrap_or(u32::MAX),
        flags: flags(node.state),
        left: own.left - parent.left,
        top: own.top - parent.top,
        width: own.width(),
        height: own.height(),
        class: text(&node.class),
        package: text(&node.owner),
        resource_id: text(&node.id),
        text: text(&node.text),
        hint: text(&node.hint),
        description: text(&node.label),
        range: node.range().map(|range| Range {
            kind: 0,
            lowest: range.lowest as f32,
            highest: range.highest as f32,
            current: range.value as f32,
        }),
        actions: scroll_actions(node.can_scroll),
        ..NodeRecord::default()
    }
}

/// The scroll actions of a node, if it has any.
fn scroll_actions(directions: ScrollDirections) -> Option<NodeActions> {
    let pairs = [
        (
            ScrollDirections::UP,
            NodeActions::SCROLL_BACKWARD | NodeActions::SCROLL_UP,
        ),
        (
            ScrollDirections::DOWN,
            NodeActions::SCROLL_FORWARD | NodeActions::SCROLL_DOWN,
        ),
        (
            ScrollDirections::LEFT,
            NodeActions::SCROLL_BACKWARD | NodeActions::SCROLL_LEFT,
        ),
        (
            ScrollDirections::RIGHT,
            NodeActions::SCROLL_FORWARD | NodeActions::SCROLL_RIGHT,
        ),
    ];
    let actions: NodeActions = pairs
        .iter()
        .filter(|(direction, _)| directions.contains(*direction))
        .map(|(_, actions)| *actions)
        .collect();
    (!actions.is_empty()).then_some(actions)
}

fn flags(state: State) -> NodeFlags {
    let pairs = [
        (State::ENABLED, NodeFlags::ENABLED),
        (State::VISIBLE, NodeFlags::VISIBLE),
        (State::CLICKABLE, NodeFlags::CLICKABLE),
        (State::LONG_CLICKABLE, NodeFlags::LONG_CLICKABLE),
        (State::FOCUSABLE, NodeFlags::FOCUSABLE),
        (State::FOCUSED, NodeFlags::FOCUSED),
        (State::CHECKABLE, NodeFlags::CHECKABLE),
        (State::CHECKED, NodeFlags::CHECKED),
        (State::SELECTED, NodeFlags::SELECTED),
        (State::SCROLLABLE, NodeFlags::SCROLLABLE),
        (State::PASSWORD, NodeFlags::PASSWORD),
        (State::EDITABLE, NodeFlags::EDITABLE),
        (State::HEADING, NodeFlags::HEADING),
        (State::SHOWING_HINT, NodeFlags::SHOWING_HINT),
    ];
    let mut flags = NodeFlags::empty();
    for (bit, flag) in pairs {
        flags.set(flag, state.contains(bit));
    }
    flags
}

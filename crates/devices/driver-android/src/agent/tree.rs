//! An observation of the agent as a screen, as the dumps of the phone's own tools are read.

use std::sync::Arc;

use agent_protocol::{
    Bounds, NodeActions, NodeFlags, NodeRecord, ScreenCapture, WindowFlags, WindowRecord,
    window_type,
};
use driver::{DriverError, OtherDisplay, Result};
use uitree::{
    Attributes, Drawing, NodeId, NodeSpec, Rect, Role, ScrollDirections, Size, State, TreeBuilder,
    ValueRange, WindowKind,
};

use crate::phone::windows::Screen;

/// The longest text of fields that do not limit it.
const USUAL_MAX: u32 = 5000;
/// The selection mode of a list of which one item can be chosen.
const CHOOSES_ONE: u32 = 1;
/// The key under which Compose puts a test tag.
const TEST_TAG: &str = "androidx.compose.ui.semantics.testTag";

/// The windows of the driven display, with the place of each node in the observation.
#[derive(Debug)]
pub(super) struct AgentScreen {
    pub(super) screen: Screen,
    /// The place of each node; `None` for a window that only covers others.
    places: Vec<Option<u32>>,
}

impl AgentScreen {
    /// The places of these nodes, in their order.
    pub(super) fn places_of(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<Option<u32>> {
        let place = |id: NodeId| self.places.get(id.index()).copied().flatten();
        nodes.map(place).collect()
    }
}

/// Converts an observation to a screen without the mapping back to the agent's nodes.
pub(crate) fn read_capture(capture: &ScreenCapture) -> Result<Screen> {
    Ok(read(capture)?.screen)
}

/// Reads an observation.
///
/// # Errors
/// `Incomplete` if an app's window, or a part of a window, is missing; `NoWindow` if there is none.
pub(super) fn read(capture: &ScreenCapture) -> Result<AgentScreen> {
    if let Some(gap) = capture.gap() {
        return Err(DriverError::Incomplete(gap));
    }
    let size = Size::new(pixels(capture.width), pixels(capture.height));
    let mut builder = TreeBuilder::new(size, capture.rotation);
    builder.reserve(capture.node_count());
    let mut places = Vec::with_capacity(capture.node_count());
    let mut first = 0_u32;
    for window in &capture.windows {
        let read = read_window(window, &mut builder)?;
        let nodes = u32::try_from(window.nodes.len()).unwrap_or(u32::MAX);
        match read {
            WindowRead::Tree => places.extend((first..first + nodes).map(Some)),
            WindowRead::Cover => places.push(None),
            WindowRead::Nothing => {}
        }
        first += nodes;
    }
    let tree = builder.finish();
    if tree.is_empty() {
        return Err(DriverError::NoWindow);
    }
    let undriven = capture.other_displays.iter().map(|display| OtherDisplay {
        id: display.id,
        // The agent reports only that they have windows.
        tree: Arc::new(TreeBuilder::new(Size::default(), 0).finish()),
    });
    let screen = Screen {
        undriven: undriven.collect(),
        tree,
    };
    Ok(AgentScreen { screen, places })
}

/// The result of adding a window.
enum WindowRead {
    /// Its nodes were added.
    Tree,
    /// One node stands for it: it only covers others.
    Cover,
    Nothing,
}

fn read_window(window: &WindowRecord, builder: &mut TreeBuilder) -> Result<WindowRead> {
    let kind = kind(window.kind);
    let title = window.title.as_deref().unwrap_or_default();
    let in_use = window
        .flags
        .intersects(WindowFlags::ACTIVE | WindowFlags::FOCUSED);
    let rootless = window.nodes.is_empty() || window.flags.contains(WindowFlags::UNREADABLE_ROOT);
    if rootless && (kind == WindowKind::Application || in_use) {
        return Err(DriverError::Incomplete(format!(
            "the window {title:?} came without its nodes"
        )));
    }
    if window.unreadable > 0 && (kind != WindowKind::System || in_use) {
        return Err(DriverError::Incomplete(format!(
            "{} parts of the window {title:?} could not be read",
            window.unreadable
        )));
    }
    let bounds = touched_bounds(kind, window);
    if rootless && bounds.is_empty() {
        return Ok(WindowRead::Nothing);
    }
    let active = window.flags.contains(WindowFlags::ACTIVE);
    builder.window(kind, window.layer, active, title);
    let root = window.nodes.first().map(|root| rect(root, (0, 0)));
    if root != Some(bounds) {
        builder.window_bounds(bounds);
    }
    if rootless {
        builder.open(NodeSpec {
            bounds: Some(bounds),
            state: State::ENABLED | State::VISIBLE,
            ..NodeSpec::default()
        });
        builder.close();
        return Ok(WindowRead::Cover);
    }
    add_nodes(&window.nodes, builder);
    Ok(WindowRead::Tree)
}

const fn kind(platform: u32) -> WindowKind {
    match platform {
        window_type::APPLICATION => WindowKind::Application,
        window_type::INPUT_METHOD => WindowKind::InputMethod,
        window_type::ACCESSIBILITY_OVERLAY => WindowKind::AccessibilityOverlay,
        // Dividers, magnifiers and what later versions add belong to the system.
        _ => WindowKind::System,
    }
}

/// Where a window takes touches. The root of a keyboard or of a heads-up notification may be the whole screen;
/// touches outside of these bounds reach the app below.
fn touched_bounds(kind: WindowKind, window: &WindowRecord) -> Rect {
    let whole = edges(window.bounds);
    if kind == WindowKind::Application {
        return whole;
    }
    let parts = window.touchable.iter().map(|part| edges(*part));
    let parts = parts.filter(|part| !part.is_empty());
    let union = parts.reduce(|all, part| {
        Rect::new(
            all.left.min(part.left),
            all.top.min(part.top),
            all.right.max(part.right),
            all.bottom.max(part.bottom),
        )
    });
    union.unwrap_or(whole)
}

fn edges(bounds: Bounds) -> Rect {
    Rect::new(
        bounds.left,
        bounds.top,
        bounds.left.saturating_add(bounds.width),
        bounds.top.saturating_add(bounds.height),
    )
}

/// The rectangle of a node whose parent begins at `origin`.
const fn rect(node: &NodeRecord, origin: (i32, i32)) -> Rect {
    let left = origin.0.saturating_add(node.left);
    let top = origin.1.saturating_add(node.top);
    Rect::new(
        left,
        top,
        left.saturating_add(node.width),
        top.saturating_add(node.height),
    )
}

fn pixels(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A node whose children follow.
struct OpenNode {
    /// The children that it still expects.
    expected: u32,
    /// Where it begins.
    origin: (i32, i32),
    /// Whether one item of the list that it is or is in can be chosen.
    chooses_one: bool,
}

fn add_nodes(nodes: &[NodeRecord], builder: &mut TreeBuilder) {
    let mut open: Vec<OpenNode> = Vec::new();
    for node in nodes {
        while open.last().is_some_and(|parent| parent.expected == 0) {
            open.pop();
            builder.close();
        }
        let (origin, parent_chooses_one) = match open.last_mut() {
            Some(parent) => {
                parent.expected -= 1;
                (parent.origin, parent.chooses_one)
            }
            None => ((0, 0), false),
        };
        let bounds = rect(node, origin);
        let mut spec = spec(node, bounds);
        if parent_chooses_one && spec.class.ends_with("CheckedTextView") {
            spec.role = Some(Role::Radio);
        }
        builder.open(spec);
        open.push(OpenNode {
            expected: node.children,
            origin: (bounds.left, bounds.top),
            chooses_one: node.collection.map_or(parent_chooses_one, |list| {
                list.selection_mode == CHOOSES_ONE
            }),
        });
    }
}

fn spec(node: &NodeRecord, bounds: Rect) -> NodeSpec {
    let text = |text: &Option<Arc<str>>| text.clone().unwrap_or_default();
    NodeSpec {
        role: None,
        index: None,
        text: shown_text(node),
        label: text(&node.description),
        hint: text(&node.hint),
        id: text(&node.resource_id),
        class: text(&node.class),
        owner: text(&node.package),
        bounds: Some(bounds),
        state: state(node),
        can_scroll: match node.flags.contains(NodeFlags::SCROLLABLE) {
            true => node.actions.map(can_scroll).unwrap_or_default(),
            // Sliders offer the same actions.
            false => ScrollDirections::empty(),
        },
        drawing: Drawing::default(),
        attributes: attributes(node),
    }
}

/// The text that is seen: an empty field shows its hint. The agent sends the hint apart from the text.
fn shown_text(node: &NodeRecord) -> Arc<str> {
    let text = node.text.clone().unwrap_or_default();
    if text.is_empty() && node.flags.contains(NodeFlags::SHOWING_HINT) {
        return node.hint.clone().unwrap_or_default();
    }
    text
}

fn state(node: &NodeRecord) -> State {
    let flags = node.flags;
    let pairs = [
        (NodeFlags::ENABLED, State::ENABLED),
        (NodeFlags::VISIBLE, State::VISIBLE),
        (NodeFlags::CLICKABLE, State::CLICKABLE),
        (NodeFlags::LONG_CLICKABLE, State::LONG_CLICKABLE),
        (NodeFlags::FOCUSABLE, State::FOCUSABLE),
        (NodeFlags::FOCUSED, State::FOCUSED),
        (NodeFlags::CHECKABLE, State::CHECKABLE),
        (NodeFlags::CHECKED, State::CHECKED),
        (NodeFlags::SELECTED, State::SELECTED),
        (NodeFlags::SCROLLABLE, State::SCROLLABLE),
        (NodeFlags::PASSWORD, State::PASSWORD),
        (NodeFlags::EDITABLE, State::EDITABLE),
        (NodeFlags::HEADING, State::HEADING),
        (NodeFlags::SHOWING_HINT, State::SHOWING_HINT),
    ];
    let mut state = State::empty();
    for (flag, bit) in pairs {
        state.set(bit, flags.contains(flag));
    }
    // Views that draw their parts themselves, such as clocks and calendars, name only the action.
    if node
        .actions
        .is_some_and(|actions| actions.contains(NodeActions::CLICK))
    {
        state |= State::CLICKABLE;
    }
    state
}

/// The platform names the directions of its own widgets. Others have only forward and backward, on either axis.
fn can_scroll(actions: NodeActions) -> ScrollDirections {
    let [up_left, down_right] = [
        ScrollDirections::UP | ScrollDirections::LEFT,
        ScrollDirections::DOWN | ScrollDirections::RIGHT,
    ];
    let named = [
        (NodeActions::SCROLL_UP, ScrollDirections::UP),
        (NodeActions::SCROLL_DOWN, ScrollDirections::DOWN),
        (NodeActions::SCROLL_LEFT, ScrollDirections::LEFT),
        (NodeActions::SCROLL_RIGHT, ScrollDirections::RIGHT),
    ];
    let either_axis = [
        (NodeActions::SCROLL_BACKWARD, up_left),
        (NodeActions::SCROLL_FORWARD, down_right),
    ];
    let of = |pairs: &[(NodeActions, ScrollDirections)]| {
        let can = pairs.iter().filter(|(action, _)| actions.contains(*action));
        can.map(|(_, directions)| *directions)
            .collect::<ScrollDirections>()
    };
    let directions = of(&named);
    if directions.is_empty() {
        return of(&either_axis);
    }
    directions
}

/// What a node has beyond the fields of every screen.
fn attributes(node: &NodeRecord) -> Attributes {
    let mut attributes = Attributes::new();
    let mut add = |name: &str, value: Arc<str>| {
        if !value.is_empty() {
            attributes.push((name.into(), value));
        }
    };
    let texts = [
        ("state-description", &node.state_description),
        ("error", &node.error),
        ("pane-title", &node.pane_title),
        ("tooltip-text", &node.tooltip),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            add(name, Arc::clone(text));
        }
    }
    let flags = [
        ("content-invalid", NodeFlags::CONTENT_INVALID),
        ("partially-checked", NodeFlags::PARTIALLY_CHECKED),
    ];
    for (name, flag) in flags {
        if node.flags.contains(flag) {
            add(name, "true".into());
        }
    }
    if let Some(range) = &node.range {
        for (name, value) in ValueRange::attributes(range.lowest, range.highest, range.current) {
            add(&name, value);
        }
    }
    if let Some(max_length) = node
        .longest_text
        .filter(|max_length| *max_length != USUAL_MAX)
    {
        add("max-text-length", max_length.to_string().into());
    }
    if let Some(collection) = &node.collection {
        add("collection-rows", collection.rows.to_string().into());
        add("collection-columns", collection.columns.to_string().into());
    }
    if let Some(item) = &node.item {
        add("collection-row", item.row.to_string().into());
        add("collection-column", item.column.to_string().into());
    }
    for (key, value) in &node.extras {
        let name = if **key == *TEST_TAG { "test-tag" } else { key };
        add(name, Arc::clone(value));
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::touch_point::free_point;
    use driver::Revision;
    use uitree::{Point, Query};

    fn node(class: &str, package: &str, place: (i32, i32, i32, i32)) -> NodeRecord {
        NodeRecord {
            flags: NodeFlags::ENABLED | NodeFlags::VISIBLE,
            left: place.0,
            top: place.1,
            width: place.2,
            height: place.3,
            class: Some(class.into()),
            package: Some(package.into()),
            ..NodeRecord::default()
        }
    }

    fn bounds(left: i32, top: i32, width: i32, height: i32) -> Bounds {
        Bounds {
            left,
            top,
            width,
            height,
        }
    }

    #[test]
    fn actions_say_what_is_pressed_and_where_a_container_scrolls() {
        let with = |flags: NodeFlags, actions: NodeActions| {
            let record = NodeRecord {
                flags,
                actions: Some(actions),
                ..node("android.view.View", "com.x", (0, 0, 100, 100))
            };
            spec(&record, Rect::new(0, 0, 100, 100))
        };
        let digit = with(NodeFlags::VISIBLE, NodeActions::CLICK);
        assert!(digit.state.contains(State::CLICKABLE));
        let slider = with(NodeFlags::VISIBLE, NodeActions::SCROLL_FORWARD);
        assert!(slider.can_scroll.is_empty());
        let list = with(NodeFlags::SCROLLABLE, NodeActions::SCROLL_FORWARD);
        let on = ScrollDirections::DOWN | ScrollDirections::RIGHT;
        assert_eq!(list.can_scroll, on);
        let named = NodeActions::SCROLL_FORWARD | NodeActions::SCROLL_DOWN;
        let scroller = with(NodeFlags::SCROLLABLE, named);
        assert_eq!(scroller.can_scroll, ScrollDirections::DOWN);
    }

    fn app() -> WindowRecord {
        let root = NodeRecord {
            children: 1,
            ..node("android.widget.FrameLayout", "com.x", (0, 0, 1080, 2340))
        };
        let send = NodeRecord {
            flags: NodeFlags::ENABLED | NodeFlags::VISIBLE | NodeFlags::CLICKABLE,
            resource_id: Some("com.x:id/send".into()),
            text: Some("Send".into()),
            state_description: Some("ready".into()),
            extras: vec![(TEST_TAG.into(), "send".into())],
            ..node("android.widget.Button", "com.x", (0, 400, 1080, 100))
        };
        WindowRecord {
            kind: window_type::APPLICATION,
            layer: 2,
            flags: WindowFlags::ACTIVE | WindowFlags::FOCUSED,
            title: Some("App".into()),
            bounds: bounds(0, 0, 1080, 2340),
            nodes: vec![root, send],
            ..WindowRecord::default()
        }
    }

    fn status_bar() -> WindowRecord {
        WindowRecord {
            kind: window_type::SYSTEM,
            layer: 9,
            bounds: bounds(0, 0, 1080, 80),
            nodes: vec![node(
                "android.widget.FrameLayout",
                "com.android.systemui",
                (0, 0, 1080, 80),
            )],
            ..WindowRecord::default()
        }
    }

    /// A window whose root is the whole screen, and that takes touches only in a part of it.
    fn over(kind: u32, root_top: i32, touchable: Bounds) -> WindowRecord {
        WindowRecord {
            kind,
            layer: 6,
            bounds: touchable,
            touchable: vec![touchable],
            nodes: vec![node(
                "android.widget.FrameLayout",
                "com.keys",
                (0, root_top, 1080, 2340 - root_top),
            )],
            ..WindowRecord::default()
        }
    }

    fn capture(windows: Vec<WindowRecord>) -> ScreenCapture {
        ScreenCapture {
            took_ms: 1,
            width: 1080,
            height: 2340,
            rotation: 0,
            density: 420,
            expected_windows: u32::try_from(windows.len()).unwrap(),
            windows,
            other_displays: Vec::new(),
        }
    }

    #[test]
    fn windows_cover_only_where_they_take_touches() {
        let keys = over(window_type::INPUT_METHOD, 80, bounds(0, 1517, 1080, 823));
        let notification = over(window_type::SYSTEM, 0, bounds(0, 0, 1080, 300));
        for above in [keys, notification] {
            let seen = read(&capture(vec![status_bar(), above, app()])).unwrap();
            let places = seen.places_of(seen.screen.nodes_without_bars());
            assert_eq!(places, [Some(1), Some(2), Some(3)]);
            let (bars, screen) = seen.screen.split_bars().unwrap();
            let send = screen.tree.find(&Query::new().id("com.x:id/send")).unwrap();
            assert_eq!(
                free_point(&screen.tree, send, &bars),
                Some(Point::new(540, 450))
            );
            let seen = screen.describe(Revision(1));
            assert_eq!(seen.foreground.as_deref(), Some("com.x"));
        }
    }

    #[test]
    fn fields_become_those_of_every_screen() {
        let seen = read(&capture(vec![app()])).unwrap();
        let tree = seen.screen.tree;
        let send = tree.node(tree.find(&Query::new().id("com.x:id/send")).unwrap());
        assert_eq!(
            (&*send.text, &*send.class),
            ("Send", "android.widget.Button")
        );
        assert_eq!(send.bounds, Some(Rect::new(0, 400, 1080, 500)));
        assert_eq!(send.role, uitree::Role::Button);
        assert_eq!(send.attribute("state-description"), Some("ready"));
        assert_eq!(send.attribute("test-tag"), Some("send"));
        assert_eq!(&*tree.windows()[0].title, "App");
    }

    #[test]
    fn empty_field_shows_its_hint() {
        let mut window = app();
        let field = &mut window.nodes[1];
        field.flags |= NodeFlags::EDITABLE | NodeFlags::SHOWING_HINT;
        (field.text, field.hint) = (None, Some("Name".into()));
        let tree = read(&capture(vec![window])).unwrap().screen.tree;
        let field = tree.node(tree.find(&Query::new().text("Name")).unwrap());
        assert!(field.is(State::SHOWING_HINT | State::EDITABLE));
        assert_eq!((&*field.text, &*field.hint), ("Name", "Name"));
    }

    #[test]
    fn part_of_a_screen_is_none() {
        let why = |windows: Vec<WindowRecord>, expected: u32| {
            let capture = ScreenCapture {
                expected_windows: expected,
                ..capture(windows)
            };
            match read(&capture) {
                Err(DriverError::Incomplete(why)) => why,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(why(vec![app()], 2), "1 of 2 windows could be read");
        let rootless = WindowRecord {
            flags: WindowFlags::UNREADABLE_ROOT,
            nodes: Vec::new(),
            ..app()
        };
        assert!(why(vec![rootless.clone()], 1).contains("\"App\" came without its nodes"));
        let halved = WindowRecord {
            unreadable: 3,
            ..app()
        };
        assert!(why(vec![halved], 1).starts_with("3 parts of the window \"App\""));
        // A window of the system that cannot be read only covers others.
        let cover = WindowRecord {
            kind: window_type::SYSTEM,
            layer: 8,
            bounds: bounds(100, 400, 500, 50),
            ..rootless
        };
        let seen = read(&capture(vec![cover, app()])).unwrap();
        let places = seen.places_of(seen.screen.nodes_without_bars());
        assert_eq!(places, [None, Some(0), Some(1)]);
        assert!(matches!(
            read(&capture(Vec::new())),
            Err(DriverError::NoWindow)
        ));
    }
}

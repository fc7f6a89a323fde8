//! Formats screens as UI Automator dumps: XML on one line with seventeen attributes per node.

use std::fmt::Write;

use uitree::{Node, NodeId, NodeSpec, Rect, Size, State, TreeBuilder, UiTree, Window, WindowKind};

const SECOND_SIZE: Size = Size::new(1920, 1080);

/// Endings of classes that never have the attribute `NAF`. Source: `AccessibilityNodeInfoDumper`.
const FRIENDLY: [&str; 4] = ["GridView", "GridLayout", "ListView", "TableLayout"];

pub(crate) fn document(tree: &UiTree, root: NodeId) -> String {
    let mut xml = String::with_capacity(tree.len() * 420 + 128);
    xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    hierarchy(&mut xml, tree, root);
    xml
}

fn hierarchy(xml: &mut String, tree: &UiTree, root: NodeId) {
    // Writing to a string cannot fail.
    let _ = write!(xml, "<hierarchy rotation=\"{}\">", tree.rotation());
    write_node(xml, tree, root, 0);
    xml.push_str("</hierarchy>");
}

pub(crate) const NAVIGATION: &str = "NavigationBar0";

/// A system bar: a window that is not in the phone's tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    pub(crate) title: &'static str,
    pub(crate) bounds: Rect,
}

impl Bar {
    fn buttons(&self) -> Vec<(&'static str, &'static str, Rect)> {
        let bounds = self.bounds;
        let Rect { left, top, .. } = bounds;
        let (across, down) = (bounds.width() / 3, bounds.height() / 3);
        let buttons = [
            ("back", "Back"),
            ("home", "Home"),
            ("recent_apps", "Overview"),
        ];
        let is_navigation = self.title == NAVIGATION;
        let placed = buttons.into_iter().zip(0..).filter(|_| is_navigation);
        let placed = placed.map(|((id, label), place)| {
            let bounds = if bounds.width() > bounds.height() {
                let left = left + across * place;
                Rect::new(left, top, left + across, bounds.bottom)
            } else {
                let top = top + down * (2 - place);
                Rect::new(left, top, bounds.right, top + down)
            };
            (id, label, bounds)
        });
        placed.collect()
    }

    /// The tree of its window, which contains only buttons.
    pub(crate) fn tree(&self, screen: &UiTree) -> UiTree {
        let mut builder = TreeBuilder::new(screen.screen(), screen.rotation());
        builder.window(WindowKind::System, 0, false, self.title);
        builder.open(NodeSpec {
            class: "android.widget.FrameLayout".into(),
            owner: "com.android.systemui".into(),
            bounds: Some(self.bounds),
            state: State::ENABLED | State::VISIBLE,
            ..NodeSpec::default()
        });
        for (id, label, bounds) in self.buttons() {
            builder.open(NodeSpec {
                class: "android.widget.ImageView".into(),
                owner: "com.android.systemui".into(),
                id: format!("com.android.systemui:id/{id}").into(),
                label: label.into(),
                bounds: Some(bounds),
                state: State::ENABLED
                    | State::VISIBLE
                    | State::CLICKABLE
                    | State::LONG_CLICKABLE
                    | State::FOCUSABLE,
                ..NodeSpec::default()
            });
            builder.close();
        }
        builder.close();
        builder.finish()
    }
}

/// A display in `dump --windows`.
pub(crate) struct Display<'a> {
    pub(crate) id: u32,
    pub(crate) tree: &'a UiTree,
    pub(crate) bars: &'a [Bar],
}

pub(crate) const SECOND: &str = "com.example.second";

/// The tree of a second display: an app with a button.
pub(crate) fn second_display() -> UiTree {
    let mut builder = TreeBuilder::new(SECOND_SIZE, 0);
    builder.window(WindowKind::Application, 0, true, "Second");
    let node = |class: &str, bounds: Rect| NodeSpec {
        class: class.into(),
        owner: SECOND.into(),
        bounds: Some(bounds),
        state: State::ENABLED | State::VISIBLE,
        ..NodeSpec::default()
    };
    builder.open(node("android.widget.FrameLayout", SECOND_SIZE.to_rect()));
    builder.open(NodeSpec {
        id: format!("{SECOND}:id/pay").into(),
        text: "Pay".into(),
        state: State::ENABLED | State::VISIBLE | State::CLICKABLE,
        ..node("android.widget.Button", Rect::new(100, 200, 300, 300))
    });
    builder.close();
    builder.close();
    builder.finish()
}

pub(crate) fn displays(displays: &[Display<'_>]) -> String {
    let nodes: usize = displays.iter().map(|display| display.tree.len()).sum();
    let mut xml = String::with_capacity(nodes * 420 + 2048);
    xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><displays>");
    for display in displays {
        write_display(&mut xml, display);
    }
    xml.push_str("</displays>");
    xml
}

/// Writes the windows of a display, topmost first.
fn write_display(xml: &mut String, display: &Display<'_>) {
    let Display { id, tree, bars } = *display;
    // Writing to a string cannot fail.
    let _ = write!(xml, "<display id=\"{id}\">");
    let mut windows: Vec<&Window> = tree.windows().iter().collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    let mut layer = windows.first().map_or(0, |window| window.layer);
    let bars: Vec<(UiTree, i32)> = bars
        .iter()
        .map(|bar| {
            layer += 1;
            (bar.tree(tree), layer)
        })
        .collect();
    let of_bars = bars.iter().rev().flat_map(|(tree, layer)| {
        let own = tree.windows().iter();
        own.map(move |window| (tree, window, *layer))
    });
    let of_tree = windows.iter().map(|window| (tree, *window, window.layer));
    for (index, (tree, window, layer)) in of_bars.chain(of_tree).enumerate() {
        open_window(xml, index, tree, window, layer);
        hierarchy(xml, tree, window.root);
        xml.push_str("</window>");
    }
    xml.push_str("</display>");
}

fn open_window(xml: &mut String, index: usize, tree: &UiTree, window: &Window, layer: i32) {
    let kind = match window.kind {
        WindowKind::Application => "TYPE_APPLICATION",
        WindowKind::InputMethod => "TYPE_INPUT_METHOD",
        WindowKind::System => "TYPE_SYSTEM",
        WindowKind::AccessibilityOverlay => "TYPE_ACCESSIBILITY_OVERLAY",
    };
    let bounds = window.bounds.or(tree.node(window.root).bounds);
    let bounds = bounds.unwrap_or_default();
    let active = if window.active { "true" } else { "false" };
    xml.push_str("<window");
    for (name, value) in [
        ("index", index.to_string().as_str()),
        ("title", &window.title),
        ("bounds", &bounds.to_string()),
        ("active", active),
        ("type", kind),
        ("layer", &layer.to_string()),
        ("token", "null"),
        ("focused", active),
        ("accessibility-focused", "false"),
    ] {
        attribute(xml, name, value);
    }
    xml.push('>');
}

fn write_node(xml: &mut String, tree: &UiTree, id: NodeId, index: usize) {
    let node = tree.node(id);
    xml.push_str("<node");
    if is_unfriendly(tree, id) {
        xml.push_str(" NAF=\"true\"");
    }
    attribute(xml, "index", &index.to_string());
    attribute(xml, "text", &node.text);
    attribute(xml, "resource-id", &node.id);
    attribute(xml, "class", &node.class);
    attribute(xml, "package", &node.owner);
    attribute(xml, "content-desc", &node.label);
    for (name, state) in [
        ("checkable", State::CHECKABLE),
        ("checked", State::CHECKED),
        ("clickable", State::CLICKABLE),
        ("enabled", State::ENABLED),
        ("focusable", State::FOCUSABLE),
        ("focused", State::FOCUSED),
        ("scrollable", State::SCROLLABLE),
        ("long-clickable", State::LONG_CLICKABLE),
        ("password", State::PASSWORD),
        ("selected", State::SELECTED),
    ] {
        attribute(xml, name, if node.is(state) { "true" } else { "false" });
    }
    // The bounds of a root are clipped to the screen, not to the touchable region of its window.
    let bounds = match node.parent {
        Some(_) => tree.visible_bounds(id).or(node.bounds),
        None => node
            .bounds
            .map(|root| root.intersect(&tree.screen().to_rect()).unwrap_or(root)),
    };
    let bounds = bounds.unwrap_or_default();
    attribute(xml, "bounds", &bounds.to_string());
    let mut children = tree
        .children(id)
        .enumerate()
        .filter(|(_, child)| tree.node(*child).is(State::VISIBLE))
        .peekable();
    if children.peek().is_none() {
        xml.push_str(" />");
        return;
    }
    xml.push('>');
    for (index, child) in children {
        write_node(xml, tree, child, index);
    }
    xml.push_str("</node>");
}

/// Whether a node is clickable and neither it nor its subtree has a name.
fn is_unfriendly(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let nameless = |node: &Node| node.text.is_empty() && node.label.is_empty();
    node.is(State::CLICKABLE | State::ENABLED)
        && nameless(node)
        && !FRIENDLY.iter().any(|class| node.class.ends_with(class))
        && !tree
            .subtree(id)
            .skip(1)
            .any(|inner| !nameless(tree.node(inner)))
}

fn attribute(xml: &mut String, name: &str, value: &str) {
    xml.push(' ');
    xml.push_str(name);
    xml.push_str("=\"");
    for letter in value.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            '\n' | '\r' | '\t' => {
                // Writing to a string cannot fail.
                let _ = write!(xml, "&#{};", u32::from(letter));
            }
            // Characters that XML cannot contain become dots.
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                xml.push('.')
            }
            letter => xml.push(letter),
        }
    }
    xml.push('"');
}

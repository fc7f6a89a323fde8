//! Writes documents.

use super::defaults;
use crate::shape::Shapes;
use crate::{Node, Size, State, UiTree, Window};
use std::fmt::Write;

/// Deepest indentation, so that the size stays linear.
const DEEPEST_INDENT: u32 = 200;

impl UiTree {
    /// Writes a `hierarchy_xml` document that reads back as an equal tree.
    ///
    /// The format is that of platform dumps: declaration, `<hierarchy rotation="…">`, one `<node>` per line, two
    /// spaces per level, always the same seventeen attributes in order, then `hint`, special attributes and other
    /// platform attributes. Line breaks and tabs in values are numeric references, so that any XML reader keeps them.
    /// The same tree gives the same bytes.
    ///
    /// Special attributes are `visible-to-user="false"`, `editable`, `heading`, `showing-hint`, `can-scroll`, `role`,
    /// `window-kind`, `window-layer`, `window-active`, `window-title` and `window-bounds`, each written only if it
    /// differs from the default. So is `screen` on the root, the size of the screen.
    pub fn to_hierarchy_xml(&self) -> String {
        const USUAL_NODE: usize = 400;
        let mut xml = String::with_capacity(self.len() * USUAL_NODE + 128);
        // Writing to a string cannot fail.
        let _ = self.write_xml(&mut xml);
        xml
    }

    fn write_xml(&self, xml: &mut String) -> std::fmt::Result {
        xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n");
        let roots = || {
            self.windows
                .iter()
                .filter_map(|window| self.nodes.get(window.root.index()))
        };
        write!(xml, "<hierarchy rotation=\"{}\"", self.rotation)?;
        if defaults::screen(roots()) != self.screen {
            let Size { width, height } = self.screen;
            write!(xml, " screen=\"{width}x{height}\"")?;
        }
        xml.push_str(">\n");
        let mut windows = self.windows.iter().zip(defaults::windows(roots()));
        let shapes = Shapes::of(&self.nodes);
        let mut open: Vec<&Node> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            while let Some(done) = open.pop_if(|last| last.end.index() <= place) {
                close(xml, done);
            }
            indent(xml, node.depth);
            write_node(xml, node)?;
            if shapes.infer(&self.nodes, place) != node.role {
                write!(xml, " role=\"{}\"", node.role.as_str())?;
            }
            if node.parent.is_none()
                && let Some((window, default)) = windows.next()
            {
                write_window(xml, window, &default)?;
            }
            for (name, value) in &node.attributes {
                attribute(xml, name, value);
            }
            if node.end.index() == place + 1 {
                xml.push_str(" />\n");
            } else {
                xml.push_str(">\n");
                open.push(node);
            }
        }
        while let Some(done) = open.pop() {
            close(xml, done);
        }
        xml.push_str("</hierarchy>\n");
        Ok(())
    }
}

fn indent(xml: &mut String, depth: u32) {
    for _ in 0..=depth.min(DEEPEST_INDENT) {
        xml.push_str("  ");
    }
}

fn close(xml: &mut String, node: &Node) {
    indent(xml, node.depth);
    xml.push_str("</node>\n");
}

fn write_node(xml: &mut String, node: &Node) -> std::fmt::Result {
    write!(xml, "<node index=\"{}\"", node.index)?;
    attribute(xml, "text", &node.text);
    attribute(xml, "resource-id", &node.id);
    attribute(xml, "class", &node.class);
    attribute(xml, "package", &node.owner);
    attribute(xml, "content-desc", &node.label);
    for (name, bit) in defaults::FLAGS {
        flag(xml, name, node.is(bit));
    }
    match node.bounds {
        Some(bounds) => write!(xml, " bounds=\"{bounds}\"")?,
        None => xml.push_str(" bounds=\"\""),
    }
    if !node.hint.is_empty() {
        attribute(xml, "hint", &node.hint);
    }
    if node.is(State::VISIBLE)
        == (node
            .attribute("displayed")
            .is_some_and(|value| !defaults::is_true(value)))
    {
        flag(xml, "visible-to-user", node.is(State::VISIBLE));
    }
    if node.is(State::EDITABLE) != defaults::is_editable_class(&node.class) {
        flag(xml, "editable", node.is(State::EDITABLE));
    }
    for (name, bit) in [
        ("heading", State::HEADING),
        ("showing-hint", State::SHOWING_HINT),
    ] {
        if node.is(bit) {
            flag(xml, name, true);
        }
    }
    if !node.can_scroll.is_empty() {
        write!(xml, " can-scroll=\"{}\"", node.can_scroll)?;
    }
    Ok(())
}

fn write_window(
    xml: &mut String,
    window: &Window,
    default: &defaults::WindowDefault,
) -> std::fmt::Result {
    if window.kind != default.kind {
        attribute(xml, "window-kind", window.kind.as_str());
    }
    if window.layer != 0 {
        write!(xml, " window-layer=\"{}\"", window.layer)?;
    }
    if window.active != default.active {
        flag(xml, "window-active", window.active);
    }
    if !window.title.is_empty() {
        attribute(xml, "window-title", &window.title);
    }
    if let Some(bounds) = window.bounds {
        write!(xml, " window-bounds=\"{bounds}\"")?;
    }
    Ok(())
}

fn flag(xml: &mut String, name: &str, value: bool) {
    attribute(xml, name, if value { "true" } else { "false" });
}

fn attribute(xml: &mut String, name: &str, value: &str) {
    xml.push(' ');
    xml.push_str(name);
    xml.push_str("=\"");
    escape(xml, value);
    xml.push('"');
}

/// Appends `value` with references for special characters.
fn escape(xml: &mut String, value: &str) {
    let mut copied = 0;
    for (at, byte) in value.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'"' => "&quot;",
            b'\'' => "&apos;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'\n' => "&#10;",
            b'\r' => "&#13;",
            b'\t' => "&#9;",
            _ => continue,
        };
        xml.push_str(&value[copied..at]);
        xml.push_str(reference);
        copied = at + 1;
    }
    xml.push_str(&value[copied..]);
}

//! The descriptions of elements: what is said of them beside their names.

use super::name::{From, Read, simplify};
use super::{Role, View};

impl View<'_> {
    /// The description of an element whose name comes from `from`.
    pub(super) fn description(&self, node: usize, from: From) -> String {
        simplify(&self.written_description(node, from).unwrap_or_default())
    }

    fn written_description(&self, node: usize, from: From) -> Option<String> {
        let document = self.document;
        let tag = document.tag(node);
        let referred = document.named(node, "aria-describedby");
        if let Some(text) = self.of_elements(&referred, true, &mut Read::new()) {
            return Some(text);
        }
        if let Some(text) = document.attribute(node, "aria-description") {
            return Some(text.to_owned());
        }
        if document.is_svg(node)
            && let Some(text) = self.drawing_description(node, from)
        {
            return Some(text);
        }
        if tag == "input"
            && from != From::Value
            && matches!(document.input_type(node), "submit" | "reset" | "button")
            && document.has(node, "value")
        {
            return Some(document.value(node).to_owned());
        }
        if self.role(node) == Role::Ruby
            && let Some(text) = self.child(node, "rt")
        {
            return Some(self.of_other(text, Some(node), &mut Read::new()).0);
        }
        if tag == "table"
            && from != From::Caption
            && let Some(caption) = self.child(node, "caption")
        {
            return Some(self.of_other(caption, None, &mut Read::new()).0);
        }
        if tag == "summary" && from != From::Contents {
            let text = self.inside(node, None, &mut Read::new());
            if !text.is_empty() {
                return Some(text);
            }
        }
        if from != From::Title {
            return self.tooltip(node);
        }
        None
    }

    fn drawing_description(&self, node: usize, from: From) -> Option<String> {
        let document = self.document;
        let read = |tag: &str| {
            let child = self.child(node, tag)?;
            let text = document.written(child);
            (!text.trim().is_empty()).then_some(text)
        };
        if let Some(text) = read("desc") {
            return Some(text);
        }
        if self.is_named_by_aria(node)
            && let Some(text) = read("title")
        {
            return Some(text);
        }
        let title = document
            .attribute(node, "xlink:title")
            .filter(|title| !title.is_empty());
        title
            .filter(|_| document.tag(node) == "a" && from != From::Attribute)
            .map(str::to_owned)
    }
}

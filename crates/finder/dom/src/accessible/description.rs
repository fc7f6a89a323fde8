//! The accessible descriptions of elements.

use super::name::{NameSource, VisitedNodes, simplify};
use super::{Computation, Role};

impl Computation<'_> {
    /// The description of an element whose name has the source `from`.
    pub(super) fn description(&self, node: usize, from: NameSource) -> String {
        simplify(&self.written_description(node, from).unwrap_or_default())
    }

    fn written_description(&self, node: usize, from: NameSource) -> Option<String> {
        let document = self.document;
        let tag = document.tag(node);
        let referred = document.named(node, "aria-describedby");
        if let Some(text) = self.of_elements(&referred, true, &mut VisitedNodes::new()) {
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
            && from != NameSource::Value
            && matches!(document.input_type(node), "submit" | "reset" | "button")
            && document.has(node, "value")
        {
            return Some(document.value(node).to_owned());
        }
        if self.role(node) == Role::Ruby
            && let Some(text) = self.child(node, "rt")
        {
            return Some(self.of_other(text, Some(node), &mut VisitedNodes::new()).0);
        }
        if tag == "table"
            && from != NameSource::Caption
            && let Some(caption) = self.child(node, "caption")
        {
            return Some(self.of_other(caption, None, &mut VisitedNodes::new()).0);
        }
        if tag == "summary" && from != NameSource::Contents {
            let text = self.inside(node, None, &mut VisitedNodes::new());
            if !text.is_empty() {
                return Some(text);
            }
        }
        if from != NameSource::Title {
            return self.tooltip(node);
        }
        None
    }

    fn drawing_description(&self, node: usize, from: NameSource) -> Option<String> {
        let document = self.document;
        let read = |tag: &str| {
            let child = self.child(node, tag)?;
            let text = document.text_content(child);
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
            .filter(|_| document.tag(node) == "a" && from != NameSource::Attribute)
            .map(str::to_owned)
    }
}

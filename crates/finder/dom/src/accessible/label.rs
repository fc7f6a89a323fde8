//! Names from markup: labels, captions, legends, alternative texts, placeholders, and the values of buttons.

use super::document::Kind;
use super::name::{NameSource, VisitedNodes};
use super::{Computation, Role};

impl Computation<'_> {
    /// The name from the document's markup; `None` if there is none. After an empty one the search continues.
    pub(super) fn by_markup(
        &self,
        node: usize,
        read: &mut VisitedNodes,
    ) -> (Option<String>, NameSource) {
        let document = self.document;
        let tag = document.tag(node);
        if tag == "option" && self.has_one_text(node) {
            let label = document
                .attribute(node, "label")
                .filter(|label| !label.is_empty());
            let text = label.map_or_else(|| document.text_content(node), str::to_owned);
            if !text.trim().is_empty() {
                return (Some(text), NameSource::Contents);
            }
        }
        if tag == "optgroup" {
            let label = document.attribute(node, "label");
            if let Some(label) = label.filter(|label| !label.is_empty()) {
                return (Some(label.to_owned()), NameSource::Attribute);
            }
        }
        if document.is_labelable(node) {
            let labels = document.labels(node).to_vec();
            if let Some(text) = self.of_elements(&labels, false, read) {
                return (Some(text.trim().to_owned()), NameSource::Related);
            }
        }
        if tag == "input"
            && let Some(found) = self.input_name(node)
        {
            return found;
        }
        if self.is_atomic_text_field(node) || (tag == "input" && self.is_dated(node)) {
            if let Some(title) = self.tooltip(node) {
                return (Some(title), NameSource::Title);
            }
            let hint = document.attribute(node, "placeholder");
            if let Some(hint) = hint.filter(|hint| !hint.is_empty() && !self.is_dated(node)) {
                return (Some(hint.to_owned()), NameSource::Placeholder);
            }
        }
        if self.is_text_field(node) {
            let hint = document.attribute(node, "aria-placeholder");
            let hint = hint.filter(|hint| !hint.is_empty()).map(str::to_owned);
            return (hint, NameSource::Placeholder);
        }
        if document.is_svg(node) {
            return self.drawing_name(node);
        }
        match tag {
            "img" | "area" => match document.attribute(node, "alt") {
                Some("") => (None, NameSource::Empty),
                alt => (alt.map(str::to_owned), NameSource::Attribute),
            },
            "table" => {
                let caption = self.child(node, "caption");
                if let Some(caption) = caption {
                    let text = self.of_other(caption, None, read).0;
                    return (Some(text), NameSource::Caption);
                }
                let summary = document.attribute(node, "summary");
                (summary.map(str::to_owned), NameSource::Attribute)
            }
            "fieldset" => match self.child(node, "legend") {
                Some(legend) if !read.contains(&legend) => (
                    Some(self.of_other(legend, None, read).0),
                    NameSource::Related,
                ),
                Some(_) | None => (None, NameSource::Nothing),
            },
            _ => (None, NameSource::Nothing),
        }
    }

    /// The first child with a tag.
    pub(super) fn child(&self, node: usize, tag: &str) -> Option<usize> {
        let mut elements = self.document.elements(node);
        elements.find(|child| self.document.tag(*child) == tag)
    }

    fn is_dated(&self, node: usize) -> bool {
        matches!(
            self.document.input_type(node),
            "date" | "datetime-local" | "month" | "time" | "week"
        )
    }

    /// The name of an input that is a button.
    fn input_name(&self, node: usize) -> Option<(Option<String>, NameSource)> {
        let document = self.document;
        let value = document
            .has(node, "value")
            .then(|| document.value(node).to_owned());
        match document.input_type(node) {
            kind @ ("submit" | "reset" | "button") => {
                if value.is_some() {
                    return Some((value, NameSource::Value));
                }
                let own = match kind {
                    "submit" => "Submit",
                    "reset" => "Reset",
                    _ => "",
                };
                Some((Some(own.to_owned()), NameSource::Contents))
            }
            "image" => {
                let alt = document.attribute(node, "alt");
                if let Some(alt) = alt.filter(|alt| !alt.is_empty()) {
                    return Some((Some(alt.to_owned()), NameSource::Attribute));
                }
                let value = document.attribute(node, "value");
                if value.is_some() {
                    return Some((value.map(str::to_owned), NameSource::Attribute));
                }
                let title = self
                    .tooltip(node)
                    .map(|title| (Some(title), NameSource::Title));
                Some(title.unwrap_or_else(|| (Some("Submit".to_owned()), NameSource::Value)))
            }
            "file" => {
                let own = if document.has(node, "multiple") {
                    "Choose Files"
                } else {
                    "Choose File"
                };
                Some((Some(own.to_owned()), NameSource::Contents))
            }
            _ => None,
        }
    }

    fn drawing_name(&self, node: usize) -> (Option<String>, NameSource) {
        let document = self.document;
        // A `<use>` clone takes the title of its original.
        let used = document
            .attribute(node, "href")
            .or_else(|| document.attribute(node, "xlink:href"))
            .filter(|_| document.tag(node) == "use")
            .and_then(|link| document.by_id(node, link.strip_prefix('#')?))
            .and_then(|used| self.child(used, "title"));
        if let Some(title) = self.child(node, "title").or(used) {
            let text = document.text_content(title);
            if !text.trim().is_empty() {
                return (Some(text), NameSource::Related);
            }
        }
        let title = document
            .attribute(node, "xlink:title")
            .filter(|title| document.tag(node) == "a" && !title.is_empty());
        (title.map(str::to_owned), NameSource::Attribute)
    }

    /// The value of a control as part of other names; `None` if it has none.
    pub(super) fn value_for_name(&self, node: usize, read: &mut VisitedNodes) -> Option<String> {
        let document = self.document;
        if self.is_text_field(node) {
            return if self.is_atomic_text_field(node) {
                let value = document.value(node);
                (!value.is_empty()).then(|| {
                    if document.tag(node) == "input" && document.input_type(node) == "password" {
                        "•".repeat(value.chars().count())
                    } else {
                        value.to_owned()
                    }
                })
            } else {
                Some(self.inner_text(node))
            };
        }
        let role = self.role(node);
        if role.is_range() {
            if let Some(text) = document.attribute(node, "aria-valuetext") {
                return Some(text.to_owned());
            }
            if let Some(value) = self.range_value(node) {
                return Some(value);
            }
        }
        match role {
            Role::ComboSelect | Role::ListBox | Role::ComboGroup | Role::ComboButton => {
                let chosen = self.chosen(node);
                if chosen.is_empty() {
                    return match role {
                        Role::ComboButton => Some(self.inside(node, None, read)),
                        Role::ComboSelect => Some(String::new()),
                        _ => None,
                    };
                }
                let mut all = String::new();
                for option in chosen {
                    if read.insert(option) {
                        if !all.is_empty() {
                            all.push(' ');
                        }
                        all.push_str(&self.name(option).0);
                    }
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// The selected options of a list.
    fn chosen(&self, node: usize) -> Vec<usize> {
        let document = self.document;
        let holder = if matches!(self.role(node), Role::ComboGroup | Role::ComboButton) {
            let mut inside = document.descendants(node);
            match inside.find(|at| document.is_element(*at) && self.role(*at) == Role::ListBox) {
                Some(list) => list,
                None => return Vec::new(),
            }
        } else {
            node
        };
        let inside = document.descendants(holder);
        inside
            .filter(|at| document.kind(*at) == Kind::Element && self.is_chosen(*at))
            .collect()
    }
}

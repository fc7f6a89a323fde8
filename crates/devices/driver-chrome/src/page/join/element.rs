//! Builds the elements of a document.

use std::sync::Arc;

use dom::{Attributes, ElementId, ElementSpec, Facts};

use super::collapse_whitespace;
use super::document::{DocumentWalk, InheritedFlags, get, has};
use super::facts::{self, Markup};

const BULLET: &str = "•";

impl DocumentWalk<'_> {
    /// The spec of the element at `node`. Call it in document order.
    pub(super) fn element_spec(
        &mut self,
        node: usize,
        tag: Arc<str>,
        ids: &[Option<ElementId>],
    ) -> ElementSpec {
        let around = self
            .parent(node)
            .and_then(|parent| self.inherited.get(parent).copied())
            .unwrap_or_default();
        let nodes = &self.document.nodes;
        let accessible = self.accessible(node);
        let attribute = |name: &str| self.attribute(node, name);
        let markup = Markup {
            tag: &tag,
            attribute: &attribute,
            clickable: has(&nodes.is_clickable, node),
            checked: has(&nodes.input_checked, node),
            chosen: has(&nodes.option_selected, node),
            disabled_around: around.disabled,
            inert_around: around.inert,
            edited_around: around.edited,
        };
        let mut all = facts::facts(&markup, accessible);
        let input = markup.input_type();
        let value = self.value(node, &tag, input.as_deref(), all);
        let inherited = InheritedFlags {
            disabled: self.disables(node, &tag, around.disabled),
            inert: markup.is_inert() && !self.is_open_dialog(node, &tag),
            edited: around.edited || markup.is_editing_host(),
        };
        if let Some(slot) = self.inherited.get_mut(node) {
            *slot = inherited;
        }
        let visible = self.place(node).is_some_and(|place| place.visible);
        let ax = self.accessibility.get_mut(node).and_then(Option::take);
        let mut ax = ax.unwrap_or_default();
        let texts = self.texts.get_mut(node);
        let mut placeholder = None;
        let (text, runs) = texts.map_or_else(Default::default, |texts| {
            placeholder = texts.placeholder.take();
            for addition in std::mem::take(&mut texts.unseen_additions) {
                remove_addition(&mut ax.name, &addition);
            }
            let runs = texts.take_runs(visible);
            (std::mem::take(&mut texts.all), runs)
        });
        let place = self.place(node);
        if let Some(place) = place {
            all.set(
                Facts::VISIBLE,
                place.visible && self.seen && !self.transparent,
            );
            all.set(
                Facts::TRANSPARENT,
                self.seen && (place.transparent || (place.visible && self.transparent)),
            );
            all.set(Facts::INLINE, place.inline);
            all.set(Facts::POINTER, place.pointer);
            all.set(Facts::SCROLLS, place.scrolls);
            all.set(Facts::DETACHED_FROM_SCROLL, place.detached_from_scroll);
            all.set(Facts::BACKDROP, place.is_backdrop);
        }
        let to_rect = |area| self.to_device.area(&area).to_rect();
        let scroller = place.and_then(|place| place.scroller);
        let mut attributes = self.attributes(node, all);
        attributes.extend(placeholder.map(|words| ("aria-placeholder".into(), words)));
        ElementSpec {
            attributes,
            text: text.into(),
            runs,
            value,
            role: ax.role.into(),
            name: ax.name.into(),
            description: ax.description.into(),
            bounds: place.and_then(|place| place.area).map(to_rect),
            cut: place.and_then(|place| place.cut).map(to_rect),
            scroller: scroller.and_then(|scroller| ids.get(scroller).copied().flatten()),
            paint: place.map_or(0, |place| place.paint),
            fill: place.and_then(|place| place.fill),
            facts: all,
            handle: self.handle(node),
            tag,
        }
    }

    /// Whether the content of an element is inert.
    pub(super) fn is_inert(&self, node: usize) -> bool {
        self.inherited
            .get(node)
            .is_some_and(|inherited| inherited.inert)
    }

    /// Whether the content of the element is disabled by it or by an ancestor.
    fn disables(&self, node: usize, tag: &str, around: bool) -> bool {
        let own = matches!(tag, "fieldset" | "select" | "optgroup")
            && self.attribute(node, "disabled").is_some();
        if own {
            return true;
        }
        // The first legend of a disabled fieldset is enabled, unless an outer fieldset is disabled.
        let fieldset = self
            .parent(node)
            .filter(|parent| self.text(self.name(*parent)) == "FIELDSET");
        if let (true, "legend", Some(fieldset)) = (around, tag, fieldset) {
            let earlier = (fieldset + 1..node).any(|other| {
                self.parent(other) == Some(fieldset) && self.text(self.name(other)) == "LEGEND"
            });
            let further = self
                .parent(fieldset)
                .and_then(|outer| self.inherited.get(outer));
            if !earlier {
                return further.is_some_and(|outer| outer.disabled);
            }
        }
        around
    }

    fn is_open_dialog(&self, node: usize, tag: &str) -> bool {
        tag == "dialog"
            && self.attribute(node, "open").is_some()
            && self
                .accessible(node)
                .is_some_and(|ax| !ax.facts.contains(Facts::IGNORED))
    }

    /// The current value of a control. Of a password only its length is used.
    fn value(&self, node: usize, tag: &str, input: Option<&str>, facts: Facts) -> Arc<str> {
        let nodes = &self.document.nodes;
        let nothing = || Arc::from("");
        if facts.contains(Facts::PASSWORD) {
            let length =
                get(&nodes.input_value, node).map_or(0, |value| self.text(value).chars().count());
            return BULLET.repeat(length).into();
        }
        match (tag, input) {
            ("input", Some("file")) => self
                .accessible(node)
                .map_or_else(nothing, |ax| ax.value.as_str().into()),
            ("input", Some(kind)) if !facts::shows_value(kind) => nothing(),
            ("input", _) => {
                get(&nodes.input_value, node).map_or_else(nothing, |value| self.shared(value))
            }
            ("textarea", _) => {
                get(&nodes.text_value, node).map_or_else(nothing, |value| self.shared(value))
            }
            ("select", _) => self
                .texts
                .get(node)
                .map_or_else(nothing, |texts| texts.chosen.as_str().into()),
            _ if facts.contains(Facts::EDITABLE) => nothing(),
            _ if self.attribute(node, "aria-valuetext").is_some() => {
                collapse_whitespace(self.attribute(node, "aria-valuetext").unwrap_or_default())
                    .into()
            }
            _ => self
                .accessible(node)
                .filter(|ax| !ax.facts.contains(Facts::IGNORED) && holds_a_value(&ax.role))
                .map_or_else(nothing, |ax| ax.value.as_str().into()),
        }
    }

    /// The attributes as in the document; the initial value of a password field is masked.
    fn attributes(&self, node: usize, facts: Facts) -> Attributes {
        let Some(attributes) = self.document.nodes.attributes.get(node) else {
            return Attributes::new();
        };
        let mut all: Attributes = attributes
            .chunks_exact(2)
            .filter_map(|pair| match pair {
                [key, value] => Some((self.shared(*key), self.shared(*value))),
                _ => None,
            })
            .collect();
        if facts.contains(Facts::PASSWORD) {
            for (key, value) in &mut all {
                if &**key == "value" {
                    *value = BULLET.repeat(value.chars().count()).into();
                }
            }
        }
        all
    }
}

/// Removes a text that a style adds, and that is not visible, from a name that has other words, too: a tooltip that is not shown
/// yet, or the name of an icon.
fn remove_addition(name: &mut String, addition: &str) {
    let Some((before, after)) = name.rsplit_once(addition) else {
        return;
    };
    let rest = collapse_whitespace(&format!("{before} {after}"));
    if rest.chars().any(char::is_alphanumeric) {
        *name = rest;
    }
}

/// Whether elements with this role have a value that their text does not show.
fn holds_a_value(role: &str) -> bool {
    matches!(
        role,
        "slider"
            | "progressbar"
            | "meter"
            | "spinbutton"
            | "scrollbar"
            | "combobox"
            | "textbox"
            | "searchbox"
    )
}

//! Determines for each element whether it is visible, whether it is interactive, and whether it becomes a
//! node.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use uitree::{Rect, Role};

use super::roles::{self, NodeKind};
use super::{class_state, overlay};
use crate::{Dom, Element, ElementId, Facts};

/// Minimum side of an image for users, in pixels.
const MIN_PICTURE_SIDE: i32 = 8;

/// Maximum share of the viewport, in percent, of a click listener with controls inside: a larger one only delegates.
const MAX_LISTENER_PERCENT: i64 = 40;

/// The facts of one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementFacts {
    pub(super) role: Role,
    pub(super) kind: NodeKind,
    /// It takes clicks itself.
    pub(super) clickable: bool,
    /// It always becomes a node: it was requested, or has an authored id.
    pub(super) pinned: bool,
    /// It becomes a node by its role or state.
    pub(super) becomes_node: bool,
    /// The hidden checkbox or file field that this label represents.
    pub(super) represented_control: Option<ElementId>,
    /// Whether a switch that only its classes declare is on.
    pub(super) styled_on: Option<bool>,
    /// Its classes declare it the selected one of its siblings.
    pub(super) chosen: bool,
    /// It is a modal dialog, because a shade is below it.
    pub(super) modal: bool,
}

/// Facts of a page, computed before any node is made.
pub(super) struct VisibilityIndex<'d> {
    dom: &'d Dom,
    keep: BTreeSet<ElementId>,
    /// Whether the element or a descendant is visible or requested.
    relevant: Vec<bool>,
    /// Whether a descendant takes clicks by its role.
    contains_control: Vec<bool>,
    /// The control of each label.
    controls: HashMap<ElementId, ElementId>,
    /// The parts of tables that browsers classify as layout although they have rows and columns.
    tables: HashMap<ElementId, (Role, NodeKind)>,
    /// The dialog that covers the page without being marked as one.
    overlay: Option<ElementId>,
}

impl<'d> VisibilityIndex<'d> {
    pub(super) fn new(dom: &'d Dom, keep: &[ElementId]) -> Self {
        let count = dom.elements().len();
        let keep: BTreeSet<ElementId> = keep.iter().copied().collect();
        let mut relevant = vec![false; count];
        let mut contains_control = vec![false; count];
        for (index, element) in dom.elements().iter().enumerate().rev() {
            let id = ElementId(index as u32);
            let (_, kind) = roles::role(element);
            let has_text = element.runs.as_ref().is_some_and(|runs| !runs.is_empty());
            let is_visible = is_seen(element) || has_text || keep.contains(&id);
            let is_control = is_visible && matches!(kind, NodeKind::Control | NodeKind::Field);
            let (was_relevant, had_control) = (relevant.get(index), contains_control.get(index));
            // Slotted elements come after the shadow tree in the document, so they were visited already.
            let shows_slotted = || {
                let host = (&*element.tag == "slot")
                    .then(|| dom.scope(element.scope).host)
                    .flatten()?;
                let words = !dom.element(host).text.is_empty();
                Some(words || relevant.get(host.index()).copied().unwrap_or_default())
            };
            let is_relevant = is_visible
                || was_relevant.copied().unwrap_or_default()
                || shows_slotted().unwrap_or_default();
            let has_control_inside = had_control.copied().unwrap_or_default();
            if let Some(slot) = relevant.get_mut(index) {
                *slot = is_relevant;
            }
            let Some(parent) = element.parent else {
                continue;
            };
            if is_relevant && let Some(slot) = relevant.get_mut(parent.index()) {
                *slot = true;
            }
            if (is_control || has_control_inside)
                && let Some(slot) = contains_control.get_mut(parent.index())
            {
                *slot = true;
            }
        }
        let mut visibility = Self {
            dom,
            keep,
            relevant,
            contains_control,
            controls: HashMap::new(),
            tables: layout_tables(dom),
            overlay: overlay::find(dom),
        };
        visibility.controls = visibility.label_controls();
        visibility
    }

    /// Whether the element or a descendant is visible or requested.
    pub(super) fn is_relevant(&self, id: ElementId) -> bool {
        self.relevant.get(id.index()).copied().unwrap_or_default()
    }

    /// Whether the element is only a line break. A requested one is an ordinary element.
    pub(super) fn is_break(&self, id: ElementId) -> bool {
        matches!(&*self.dom.element(id).tag, "br" | "wbr") && !self.keep.contains(&id)
    }

    /// Whether a click on this label goes to a control.
    pub(super) fn labels_a_control(&self, id: ElementId) -> bool {
        self.controls.contains_key(&id)
    }

    /// The control of each label: that of its `for`, else the first inside it.
    fn label_controls(&self) -> HashMap<ElementId, ElementId> {
        let elements = self.dom.elements();
        let mut labels = Vec::new();
        let mut by_id = HashMap::new();
        for id in self.dom.ids() {
            let element = self.dom.element(id);
            if &*element.tag == "label" {
                labels.push(id);
            } else if is_labelable(element) && !element.id().is_empty() {
                by_id.entry((element.scope, element.id())).or_insert(id);
            }
        }
        labels
            .into_iter()
            .filter_map(|id| {
                let label = elements.get(id.index())?;
                let control = match label.attribute("for") {
                    Some(name) => by_id.get(&(label.scope, name)).copied(),
                    None => self.dom.subtree(id).skip(1).find(|inner| {
                        let inner = self.dom.element(*inner);
                        is_labelable(inner) && !inner.tag.contains('-')
                    }),
                };
                Some((id, control?))
            })
            .collect()
    }

    /// The facts of an element; `in_control` if it is inside a button, a link or another control.
    pub(super) fn facts(&self, id: ElementId, in_control: bool) -> ElementFacts {
        let element = self.dom.element(id);
        let table_part = self.tables.get(&id).copied();
        let (mut role, mut kind) = table_part.unwrap_or_else(|| roles::role(element));
        let pinned = self.keep.contains(&id) || !element.id().is_empty();
        let is_root = element.parent.is_none();
        let mut represented_control = None;
        if &*element.tag == "label" {
            role = Role::Label;
            kind = NodeKind::Generic;
            represented_control = self.controls.get(&id).copied().filter(|control| {
                let control = self.dom.element(*control);
                let is_hidden = !is_seen(control);
                is_hidden
                    && (control.is(Facts::CHECKABLE) || control.attribute("type") == Some("file"))
            });
            if let Some(control) = represented_control {
                (role, kind) = roles::role(self.dom.element(control));
            }
        }
        if is_root {
            (role, kind) = (Role::WebView, NodeKind::Document);
        }
        let modal = self.overlay == Some(id);
        if modal && kind != NodeKind::Structure {
            (role, kind) = (Role::Dialog, NodeKind::Structure);
        }
        let mut styled_on = None;
        if (role, kind) == (Role::Container, NodeKind::Generic)
            && !in_control
            && !self.is_beside_checkable(id)
            && let Some(toggle) = class_state::toggle(self.dom, id)
        {
            (role, kind) = (toggle.role, NodeKind::Field);
            styled_on = Some(toggle.is_on);
        }
        let clickable = !is_root && self.takes_clicks(id, kind, in_control);
        let becomes_node = is_root
            || clickable
            || match kind {
                NodeKind::Control
                | NodeKind::Field
                | NodeKind::Structure
                | NodeKind::Landmark
                | NodeKind::Document
                | NodeKind::Cell => true,
                NodeKind::Text => role != Role::Container,
                NodeKind::Image => shows_picture(element),
                NodeKind::Group => !element.name.is_empty(),
                NodeKind::Generic => {
                    (!element.name.is_empty() || self.is_titled(id)) && &*element.tag != "label"
                }
            }
            || element
                .facts
                .intersects(Facts::FOCUSABLE | Facts::SCROLLS | Facts::CHECKABLE | Facts::EDITABLE);
        // The root of a frame's document is represented by the frame.
        let becomes_node = becomes_node && (is_root || &*element.tag != "html");
        ElementFacts {
            role,
            kind,
            clickable,
            pinned,
            becomes_node: becomes_node || represented_control.is_some(),
            represented_control,
            styled_on,
            chosen: clickable && kind != NodeKind::Field && class_state::is_chosen(self.dom, id),
            modal,
        }
    }

    /// Whether the parent of an element has a checkbox or switch that the page describes as one.
    fn is_beside_checkable(&self, id: ElementId) -> bool {
        let Some(parent) = self.dom.element(id).parent else {
            return false;
        };
        let mut inside = self.dom.subtree(parent);
        inside.any(|id| self.dom.element(id).is(Facts::CHECKABLE))
    }

    /// Whether the element takes clicks itself.
    fn takes_clicks(&self, id: ElementId, kind: NodeKind, in_control: bool) -> bool {
        let element = self.dom.element(id);
        match kind {
            NodeKind::Control => return true,
            NodeKind::Field => return !matches!(&*element.role, "progressbar" | "meter"),
            NodeKind::Document => return false,
            _ => {}
        }
        if &*element.tag == "label" {
            return self
                .controls
                .get(&id)
                .is_some_and(|control| !is_seen(self.dom.element(*control)));
        }
        if matches!(&*element.tag, "html" | "body") || !is_seen(element) {
            return false;
        }
        let contains_control = self
            .contains_control
            .get(id.index())
            .copied()
            .unwrap_or_default();
        let starts_pointer = element.is(Facts::POINTER)
            && element
                .parent
                .is_none_or(|parent| !self.dom.element(parent).is(Facts::POINTER));
        if element.is(Facts::LISTENS) {
            return starts_pointer || !contains_control || !self.is_wide(element);
        }
        !contains_control && !in_control && (starts_pointer || self.takes_clicks_of_row(id))
    }

    /// Whether the element is what a user clicks of a row with controls: the row has the hand cursor, and the element the most
    /// text of its parts without controls.
    fn takes_clicks_of_row(&self, id: ElementId) -> bool {
        let element = self.dom.element(id);
        let Some(row) = element.parent.filter(|_| element.is(Facts::POINTER)) else {
            return false;
        };
        let row_element = self.dom.element(row);
        let starts_pointer = row_element.is(Facts::POINTER)
            && row_element
                .parent
                .is_some_and(|outer| !self.dom.element(outer).is(Facts::POINTER));
        let contains_control = |id: ElementId| self.contains_control.get(id.index()) == Some(&true);
        // A press on a label is a press on its control, which is an element of its own.
        let is_label = self.controls.contains_key(&row);
        if !starts_pointer
            || is_label
            || !contains_control(row)
            || row_element.is(Facts::LISTENS)
            || self.is_wide(row_element)
        {
            return false;
        }
        let length = |id: ElementId| self.dom.text(id).trim().len();
        let parts = self.dom.children(row).filter(|part| {
            let is_control = matches!(
                roles::role(self.dom.element(*part)).1,
                NodeKind::Control | NodeKind::Field
            );
            !is_control && !contains_control(*part) && is_seen(self.dom.element(*part))
        });
        // The first of the longest.
        let longest_part = parts.max_by_key(|part| (length(*part), Reverse(part.index())));
        longest_part == Some(id) && length(id) > 0
    }

    /// Whether a title names the element, which is more than a piece of a line.
    fn is_titled(&self, id: ElementId) -> bool {
        let element = self.dom.element(id);
        let has_text = || {
            let mut inside = self.dom.subtree(id);
            inside.any(|id| {
                let element = self.dom.element(id);
                !element.text.trim().is_empty() || element.runs.is_some()
            })
        };
        !element.title().is_empty()
            && is_seen(element)
            && (!element.is(Facts::INLINE) || !has_text())
    }

    fn is_wide(&self, element: &Element) -> bool {
        let area = |rect: Rect| i64::from(rect.width()) * i64::from(rect.height());
        let viewport = self.dom.viewport();
        let screen = i64::from(viewport.width) * i64::from(viewport.height);
        element.bounds.map_or(0, area) * 100 >= screen * MAX_LISTENER_PERCENT
    }
}

/// Whether the element has no native semantics.
fn is_plain(element: &Element) -> bool {
    roles::role(element) == (Role::Container, NodeKind::Generic)
}

/// The parts of tables without headers and borders, which browsers take for layout tables without row and cell
/// roles. A table of at least two rows with two cells, without a nested table, counts as a data table, unless
/// its author overrides it.
fn layout_tables(dom: &Dom) -> HashMap<ElementId, (Role, NodeKind)> {
    let mut parts = HashMap::new();
    let inside = |id: ElementId, tags: &'static [&str]| {
        dom.children(id)
            .filter(move |child| tags.contains(&&*dom.element(*child).tag))
    };
    for table in dom.ids() {
        let element = dom.element(table);
        if &*element.tag != "table" || element.attribute("role").is_some() || !is_plain(element) {
            continue;
        }
        let sections = inside(table, &["tbody", "thead", "tfoot"]);
        let sections = std::iter::once(table).chain(sections);
        let rows = sections.flat_map(|section| inside(section, &["tr"]));
        let rows: Vec<(ElementId, Vec<ElementId>)> = rows
            .map(|row| (row, inside(row, &["td", "th"]).collect()))
            .collect();
        let has_columns = rows.iter().filter(|(_, cells)| cells.len() > 1).count() > 1;
        let contains_table = || {
            let mut inner = dom.subtree(table).skip(1);
            inner.any(|id| &*dom.element(id).tag == "table")
        };
        if !has_columns || contains_table() {
            continue;
        }
        parts.insert(table, (Role::Grid, NodeKind::Structure));
        for (row, cells) in rows {
            parts.insert(row, (Role::Row, NodeKind::Structure));
            let plain_cells = cells
                .into_iter()
                .filter(|cell| is_plain(dom.element(*cell)));
            parts.extend(plain_cells.map(|cell| (cell, (Role::Container, NodeKind::Cell))));
        }
    }
    parts
}

/// Whether users can see the element, or click it although it is transparent.
pub(super) fn is_seen(element: &Element) -> bool {
    let is_clickable_although_transparent = element.is(Facts::TRANSPARENT)
        && matches!(&*element.tag, "input" | "select" | "textarea" | "button");
    element.is(Facts::VISIBLE) || is_clickable_although_transparent
}

fn is_labelable(element: &Element) -> bool {
    match &*element.tag {
        "input" => element.attribute("type") != Some("hidden"),
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        tag => tag.contains('-'),
    }
}

/// Whether an image is meant for users: it has a name, or it is a file or drawing of sufficient size.
fn shows_picture(element: &Element) -> bool {
    if !element.name.is_empty() {
        return true;
    }
    let size = element.bounds.unwrap_or_default();
    let is_large = size.width() >= MIN_PICTURE_SIDE && size.height() >= MIN_PICTURE_SIDE;
    is_large
        && matches!(
            &*element.tag,
            "img" | "canvas" | "video" | "object" | "embed"
        )
}

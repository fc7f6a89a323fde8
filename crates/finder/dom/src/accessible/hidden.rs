//! Visibility, exposure to assistive technology, and focus.

use super::document::{Document, Kind, Marks};
use super::{Computation, Role};

/// Inherited states that hide or disable a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HiddenBy {
    /// Hidden by style, or without layout.
    pub(super) by_style: bool,
    /// Hidden by `aria-hidden`.
    pub(super) by_aria: bool,
    /// Inert, or outside of an open modal dialog.
    pub(super) inert: bool,
    /// In a disabled container.
    pub(super) disabled_around: bool,
    /// In editable content, or editable itself.
    pub(super) editable: bool,
    /// In a list that opens on request.
    pub(super) in_menu: bool,
    /// In the fallback content of a canvas.
    pub(super) in_canvas: bool,
}

/// The inherited states of each node.
pub(super) fn hidden(document: &Document<'_>) -> Vec<HiddenBy> {
    let mut all: Vec<HiddenBy> = Vec::with_capacity(document.len());
    let modal = modal(document);
    for node in 0..document.len() {
        let parent = document.parent(node);
        let around = parent
            .and_then(|parent| all.get(parent).copied())
            .unwrap_or_default();
        let own = if document.is_element(node) {
            element(document, node, parent, &around, modal)
        } else {
            HiddenBy {
                by_style: match document.kind(node) {
                    Kind::Document => false,
                    Kind::Text => around.by_style,
                    Kind::Element | Kind::Generated | Kind::Other => {
                        document.drawn(node).is_none_or(|drawn| !drawn.visible)
                    }
                },
                ..around
            }
        };
        all.push(own);
    }
    all
}

/// The open modal dialog; of several the topmost, usually the last in the document.
fn modal(document: &Document<'_>) -> Option<usize> {
    (0..document.len()).rfind(|node| document.is(*node, Marks::MODAL))
}

fn element(
    document: &Document<'_>,
    node: usize,
    parent: Option<usize>,
    around: &HiddenBy,
    modal: Option<usize>,
) -> HiddenBy {
    let tag = document.tag(node);
    let in_canvas =
        around.in_canvas || parent.is_some_and(|parent| document.tag(parent) == "canvas");
    let by_style = match document.drawn(node) {
        Some(drawn) => !drawn.visible,
        // A node with only visible descendants has no box, nor has the fallback content of a canvas.
        None if document.is_drawn_inside(node) || in_canvas => false,
        None => true,
    };
    let hides = is_true(document.attribute(node, "aria-hidden"))
        && !matches!(tag, "html" | "body" | "option");
    let inert = if Some(node) == modal {
        false
    } else if modal.is_some_and(|modal| !contains(document, modal, node)) {
        true
    } else {
        document.inert && parent.is_none_or(|parent| document.kind(parent) == Kind::Document)
            || around.inert
            || document.has(node, "inert")
    };
    let disabled_around = match document.attribute(node, "aria-disabled") {
        Some(value) if value.eq_ignore_ascii_case("true") => true,
        Some(value) if value.eq_ignore_ascii_case("false") => false,
        _ => {
            around.disabled_around
                || parent.is_some_and(|parent| {
                    document.tag(parent) != "fieldset" && is_disabled_control(document, parent)
                        || is_true(document.attribute(parent, "aria-disabled"))
                })
        }
    };
    let editable = match document.attribute(node, "contenteditable") {
        Some(value) if value.eq_ignore_ascii_case("false") => false,
        Some(_) if is_editing_host(document, node) => true,
        _ => around.editable,
    };
    HiddenBy {
        by_style,
        by_aria: around.by_aria || hides,
        inert,
        disabled_around,
        editable,
        in_menu: around.in_menu || parent.is_some_and(|parent| is_menu_list(document, parent)),
        in_canvas,
    }
}

/// Whether `node` is `holder` or a descendant.
pub(super) fn contains(document: &Document<'_>, holder: usize, node: usize) -> bool {
    node == holder || document.ancestors(node).any(|at| at == holder)
}

/// Whether a select shows one option, and the others on request.
pub(super) fn is_menu_list(document: &Document<'_>, node: usize) -> bool {
    document.tag(node) == "select"
        && !document.has(node, "multiple")
        && document
            .attribute(node, "size")
            .and_then(|size| size.trim().parse::<u32>().ok())
            .is_none_or(|size| size <= 1)
}

/// Whether an ARIA attribute is true: neither empty nor `false`.
pub(super) fn is_true(value: Option<&str>) -> bool {
    boolean(value) == Some(true)
}

/// The value of a boolean ARIA attribute.
pub(super) fn boolean(value: Option<&str>) -> Option<bool> {
    let value = value?.trim();
    if value.is_empty() || value.eq_ignore_ascii_case("undefined") {
        return None;
    }
    Some(!value.eq_ignore_ascii_case("false"))
}

/// Whether the element is an editing host (`contenteditable`).
pub(super) fn is_editing_host(document: &Document<'_>, node: usize) -> bool {
    document
        .attribute(node, "contenteditable")
        .is_some_and(|value| {
            ["", "true", "plaintext-only"]
                .iter()
                .any(|yes| value.eq_ignore_ascii_case(yes))
        })
}

/// Whether the element is a disabled form control, or in a disabled fieldset.
pub(super) fn is_disabled_control(document: &Document<'_>, node: usize) -> bool {
    match document.tag(node) {
        "button" | "input" | "select" | "textarea" | "fieldset" | "output" | "object" => {
            document.has(node, "disabled") || in_disabled_fieldset(document, node)
        }
        "option" => {
            document.has(node, "disabled")
                || document.parent(node).is_some_and(|group| {
                    document.tag(group) == "optgroup" && document.has(group, "disabled")
                })
        }
        "optgroup" => document.has(node, "disabled"),
        _ => false,
    }
}

fn in_disabled_fieldset(document: &Document<'_>, node: usize) -> bool {
    let mut below = node;
    for holder in document.ancestors(node) {
        if document.tag(holder) == "fieldset" && document.has(holder, "disabled") {
            // The first legend of a disabled fieldset is not disabled.
            let mut elements = document.elements(holder);
            let legend = elements.find(|child| document.tag(*child) == "legend");
            if legend != Some(below) {
                return true;
            }
        }
        below = holder;
    }
    false
}

impl Computation<'_> {
    /// Whether the element's markup makes it focusable if it is visible.
    pub(super) fn supports_focus(&self, node: usize) -> bool {
        let document = self.document;
        if is_disabled_control(document, node) {
            return false;
        }
        let tabindex = document.attribute(node, "tabindex");
        if tabindex.is_some_and(is_number) {
            return true;
        }
        match document.tag(node) {
            "button" | "select" | "textarea" | "dialog" => true,
            "input" => document.input_type(node) != "hidden",
            "a" => document.has(node, "href") || document.has(node, "xlink:href"),
            "area" => document.has(node, "href"),
            "audio" | "video" => document.has(node, "controls"),
            "summary" => self.is_summary_of_details(node),
            _ => is_editing_host(document, node) && !self.hidden_around_editable(node),
        }
    }

    fn hidden_around_editable(&self, node: usize) -> bool {
        let parent = self.document.parent(node);
        parent.is_some_and(|parent| self.hidden(parent).editable)
    }

    /// Whether the element is the first summary of its details.
    pub(super) fn is_summary_of_details(&self, node: usize) -> bool {
        let Some(details) = self.document.parent(node) else {
            return false;
        };
        let mut summaries = self.document.elements(details);
        self.document.tag(details) == "details"
            && summaries.find(|child| self.document.tag(*child) == "summary") == Some(node)
    }

    /// Whether the element is focusable now.
    pub(super) fn is_focusable(&self, node: usize) -> bool {
        let document = self.document;
        let hidden = self.hidden(node);
        if hidden.inert
            || matches!(self.native_role(node), Role::Iframe | Role::Embedded)
            || is_disabled_control(document, node)
        {
            return false;
        }
        if document.tag(node) == "option" {
            return document.around(node, "datalist").is_none();
        }
        if document.tag(node) == "area" {
            return document.has(node, "href") && self.image_of(node).is_some();
        }
        !hidden.by_style
            && (document.drawn(node).is_some() || hidden.in_canvas)
            && self.supports_focus(node)
    }

    /// The image with the map of an area.
    pub(super) fn image_of(&self, area: usize) -> Option<usize> {
        let document = self.document;
        let map = document.around(area, "map")?;
        let name = document.attribute(map, "name")?;
        (0..document.len()).find(|node| {
            document.tag(*node) == "img"
                && document
                    .attribute(*node, "usemap")
                    .and_then(|map_name| map_name.strip_prefix('#'))
                    == Some(name)
        })
    }
}

fn is_number(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

//! Decides which nodes the accessibility tree omits.

use super::document::{Kind, Marks};
use super::hidden::{is_editing_host, is_menu_list};
use super::{Computation, Role};

/// The decision about a node before its layout is considered.
enum Inclusion {
    Exposed,
    Excluded,
    Undecided,
}

impl Computation<'_> {
    /// Whether a node is omitted. Its ancestors have been decided.
    pub(super) fn is_excluded(&self, node: usize) -> bool {
        let hidden = self.hidden(node);
        match self.document.kind(node) {
            Kind::Document => false,
            Kind::Other => true,
            Kind::Text => {
                hidden.by_aria
                    || hidden.inert
                    || hidden.by_style
                    || self.document.drawn(node).is_none()
                    || self.is_blank(node)
                    || self.is_in_silent_label(node)
                    || self
                        .document
                        .parent(node)
                        .is_some_and(|parent| self.role(parent) == Role::RubyText)
            }
            Kind::Generated => {
                hidden.by_aria || hidden.inert || hidden.by_style || self.is_blank(node)
            }
            Kind::Element => self.is_element_excluded(node),
        }
    }

    fn is_blank(&self, node: usize) -> bool {
        let drawn = self.document.drawn(node);
        drawn.is_none_or(|drawn| drawn.text.trim().is_empty())
    }

    /// Whether text is in a label that is announced with its control.
    fn is_in_silent_label(&self, node: usize) -> bool {
        let mut ancestors = self.document.ancestors(node);
        ancestors
            .by_ref()
            .take_while(|at| self.is_ignored(*at))
            .any(|at| self.role(at) == Role::Label)
    }

    fn is_element_excluded(&self, node: usize) -> bool {
        let document = self.document;
        let hidden = self.hidden(node);
        if hidden.by_aria || hidden.inert || hidden.by_style {
            if hidden.by_aria {
                return true;
            }
            if hidden.in_menu {
                let mut around = document.ancestors(node);
                let select = around.find(|at| is_menu_list(document, *at));
                let known = matches!(document.tag(node), "option" | "optgroup");
                return !known || select.is_none_or(|select| self.is_ignored(select));
            }
            if document.tag(node) == "area" {
                return self
                    .image_of(node)
                    .is_none_or(|image| self.is_ignored(image));
            }
            if hidden.inert || !hidden.in_canvas {
                return true;
            }
        }
        match self.by_semantics(node) {
            Inclusion::Exposed => false,
            Inclusion::Excluded => true,
            Inclusion::Undecided => self.is_empty_by_layout(node),
        }
    }

    fn by_semantics(&self, node: usize) -> Inclusion {
        use Inclusion::{Excluded, Exposed, Undecided};
        let document = self.document;
        let tag = document.tag(node);
        let role = self.role(node);
        if role.is_presentational() || role == Role::RubyText {
            return Excluded;
        }
        if document.is_svg(node) {
            if tag == "symbol" || document.around(node, "symbol").is_some() {
                return Excluded;
            }
            if role == Role::SvgRoot && document.elements(node).next().is_some() {
                return Exposed;
            }
            let mut children = document.elements(node);
            if children.any(|child| matches!(document.tag(child), "title" | "desc")) {
                return Exposed;
            }
        }
        if role.is_table() || role.is_row() || role.is_cell() || matches!(tag, "thead" | "tfoot") {
            return Exposed;
        }
        if tag == "html" {
            return Excluded;
        }
        if tag != "body" && self.is_focusable(node)
            || role.is_link()
            || self.handles_clicks(node)
            || role == Role::Heading
            || matches!(tag, "header" | "footer" | "optgroup")
            || self.is_control(node)
            || self.authored(node).is_some()
            || self.is_editable_root(node)
        {
            return Exposed;
        }
        if tag == "legend" {
            return Exposed;
        }
        if role.is_always_exposed() || tag == "hgroup" {
            return Exposed;
        }
        let mut attributes = document.attributes(node).iter();
        if attributes.any(|(name, _)| name.starts_with("aria-")) {
            return Exposed;
        }
        if document
            .attribute(node, "title")
            .is_some_and(|title| !title.is_empty())
        {
            return Exposed;
        }
        if role.is_image() && !document.is_svg(node) {
            let empty = document.attribute(node, "alt").is_some_and(str::is_empty);
            return if empty { Excluded } else { Exposed };
        }
        if self.is_link_target(node) {
            return Exposed;
        }
        if self.is_inline_glyph(node) {
            return Exposed;
        }
        match tag {
            "option" if document.drawn(node).is_some() => Exposed,
            "span" => Excluded,
            "label" if self.is_redundant_label(node) => Excluded,
            "label" => Exposed,
            "foreignobject" => Excluded,
            _ => Undecided,
        }
    }

    /// Whether the element handles clicks.
    fn handles_clicks(&self, node: usize) -> bool {
        let document = self.document;
        if self.is_disabled(node) {
            return false;
        }
        (document.is(node, Marks::LISTENS) && !self.hidden(node).editable)
            || is_editing_host(document, node)
            || self.native_role(node).is_control()
            || matches!(self.native_role(node), Role::Option | Role::Link)
    }

    /// Whether the element is a form control, native or by its authored role.
    pub(super) fn is_control(&self, node: usize) -> bool {
        matches!(
            self.document.tag(node),
            "button" | "fieldset" | "input" | "output" | "select" | "textarea"
        ) || self.authored(node).is_some_and(Role::is_control)
    }

    fn is_editable_root(&self, node: usize) -> bool {
        !self.is_atomic_text_field(node) && is_editing_host(self.document, node)
    }

    /// Whether the element may be the target of a link.
    fn is_link_target(&self, node: usize) -> bool {
        let document = self.document;
        if document.is_svg(node) || document.scope(node) != 0 {
            return false;
        }
        let filled = |name: &str| {
            document
                .attribute(node, name)
                .is_some_and(|value| !value.is_empty())
        };
        filled("id") || (document.tag(node) == "a" && filled("name"))
    }

    /// Whether a label has no content beyond the name of its checkbox.
    fn is_redundant_label(&self, node: usize) -> bool {
        let document = self.document;
        let control = document.control_of(node);
        let Some(control) = control.filter(|control| {
            document.tag(*control) == "input"
                && matches!(document.input_type(*control), "checkbox" | "radio")
                && document.drawn(*control).is_some_and(|drawn| drawn.visible)
                && !self.is_named_by_aria(*control)
        }) else {
            return false;
        };
        let mut elements = document.elements(node);
        match elements.next() {
            None => true,
            Some(first) => first == control && elements.next().is_none(),
        }
    }

    /// Whether an element has a box of its own within a line.
    fn is_inline_glyph(&self, node: usize) -> bool {
        let document = self.document;
        let atomic = document.drawn(node).is_some_and(|drawn| {
            matches!(
                drawn.display,
                "inline-block" | "inline-flex" | "inline-grid" | "inline-table"
            )
        });
        let exempt = matches!(
            self.native_role(node),
            Role::SvgRoot | Role::Canvas | Role::Embedded
        );
        let parent = document.parent(node);
        atomic && !exempt && parent.is_some_and(|parent| document.elements(parent).nth(1).is_some())
    }

    /// Whether the layout of a generic element makes it redundant.
    fn is_empty_by_layout(&self, node: usize) -> bool {
        let document = self.document;
        let Some(drawn) = document.drawn(node) else {
            return !self.hidden(node).in_canvas || document.is_drawn_inside(node);
        };
        if matches!(
            document.tag(node),
            "iframe" | "frame" | "object" | "embed" | "br"
        ) {
            return false;
        }
        if document.tag(node) == "canvas" {
            if !document.children(node).is_empty() {
                return false;
            }
            if drawn.size.0 <= 1.0 || drawn.size.1 <= 1.0 {
                return true;
            }
        }
        let positioned = !matches!(drawn.position, "" | "static");
        if drawn.scrolls || positioned {
            return false;
        }
        let flows = is_block_flow(drawn.display)
            && (!document.is_svg(node) || document.tag(node) == "text");
        !(flows && self.holds_lines(node))
    }

    /// Whether the element's children are inline, and there are any.
    fn holds_lines(&self, node: usize) -> bool {
        let mut any = false;
        let mut next: Vec<usize> = self.document.children(node).to_vec();
        while let Some(child) = next.pop() {
            let Some(drawn) = self.document.drawn(child) else {
                if self.document.is_element(child) && self.document.is_drawn_inside(child) {
                    next.extend(self.document.children(child));
                }
                continue;
            };
            any = true;
            let text = self.document.kind(child) == Kind::Text;
            let out = matches!(drawn.position, "absolute" | "fixed") || drawn.floats;
            if !(text || out || is_in_line(drawn.display)) {
                return false;
            }
        }
        any
    }

    /// Whether names that contain the node use its own name, instead of its children.
    pub(super) fn is_named_as_whole(&self, node: usize) -> bool {
        let document = self.document;
        if !self.is_ignored(node) {
            return true;
        }
        match document.kind(node) {
            Kind::Document => true,
            Kind::Other => false,
            Kind::Text => true,
            Kind::Generated => true,
            Kind::Element => {
                let hidden = self.hidden(node);
                if hidden.by_aria || hidden.by_style || hidden.inert {
                    return true;
                }
                let tag = document.tag(node);
                let parent = document.parent(node);
                if parent.is_some_and(|parent| document.tag(parent) == "label") && tag != "span" {
                    return true;
                }
                let mut children = document.children(node).iter();
                if children.any(|child| document.kind(*child) == Kind::Generated) {
                    return true;
                }
                matches!(
                    tag,
                    "label" | "html" | "rt" | "table" | "tbody" | "tr" | "td" | "th" | "br" | "use"
                ) || document.has(node, "lang")
                    || parent.is_some_and(|parent| document.scope(parent) != document.scope(node))
                    || self.role(node) == Role::Menu
                    || (!self.role(node).is_presentational()
                        && document
                            .drawn(node)
                            .is_none_or(|drawn| drawn.display != "inline"))
            }
        }
    }
}

/// Whether this `display` is a block flow.
fn is_block_flow(display: &str) -> bool {
    matches!(
        display,
        "block" | "inline-block" | "list-item" | "flow-root" | "table-cell" | "table-caption"
    )
}

/// Whether this `display` is inline.
pub(super) fn is_in_line(display: &str) -> bool {
    display.starts_with("inline") || display.starts_with("ruby") || display == "contents"
}

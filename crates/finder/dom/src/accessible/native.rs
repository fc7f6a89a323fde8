//! The native roles of elements.

use super::document::Marks;
use super::hidden::is_menu_list;
use super::{Computation, Role};

impl Computation<'_> {
    /// The role of an element without its `role` attribute.
    pub(super) fn native(&self, node: usize) -> Role {
        let document = self.document;
        let tag = document.tag(node);
        if document.is_svg(node) {
            return self.drawing(node, tag);
        }
        match tag {
            "a" if document.has(node, "href") || document.is(node, Marks::LISTENS) => Role::Link,
            "a" => Role::Generic,
            "abbr" => Role::Abbr,
            "address" | "fieldset" | "hgroup" | "optgroup" => Role::Group,
            "area" if document.has(node, "href") => Role::Link,
            "article" => Role::Article,
            "aside" => Role::Complementary,
            "audio" => Role::Audio,
            "blockquote" => Role::Plain("blockquote"),
            "br" => Role::LineBreak,
            "button" => self.button(node),
            "canvas" => Role::Canvas,
            "caption" => Role::Caption,
            "code" => Role::Code,
            "dd" => Role::Definition,
            "del" | "s" => Role::Deletion,
            "details" => Role::Details,
            "dfn" | "dt" => Role::Term,
            "dialog" => Role::Dialog,
            "dir" | "menu" | "ol" | "ul" => Role::List,
            "dl" => Role::DescriptionList,
            "em" => Role::Emphasis,
            "embed" | "object" => Role::Embedded,
            "figcaption" => Role::Figcaption,
            "figure" => Role::Plain("figure"),
            "footer" => Role::Footer,
            "form" => Role::Form,
            "frame" | "iframe" | "fencedframe" => Role::Iframe,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
            "header" => Role::Header,
            "hr" => Role::Splitter,
            "img" => Role::Image,
            "input" => self.input(node),
            "ins" => Role::Insertion,
            "label" => Role::Label,
            "legend" => Role::Legend,
            "li" if self.is_in_silent_list(node) => Role::None,
            "li" => Role::ListItem,
            "main" => Role::Main,
            "mark" => Role::Mark,
            "math" => Role::MathRoot,
            "meter" => Role::Meter,
            "nav" => Role::Navigation,
            "option" => {
                let select = document.around(node, "select");
                if select.is_some_and(|select| is_menu_list(document, select)) {
                    Role::MenuOption
                } else {
                    Role::Option
                }
            }
            "output" => Role::Plain("status"),
            "p" => Role::Paragraph,
            "progress" => Role::Progress,
            "rp" | "rt" => Role::RubyText,
            "ruby" => Role::Ruby,
            "search" => Role::Plain("search"),
            "section" => Role::Section,
            "select" if is_menu_list(document, node) => Role::ComboSelect,
            "select" => Role::ListBox,
            "strong" => Role::Strong,
            "sub" => Role::Subscript,
            "summary" if self.is_in_details(node) => Role::Disclosure,
            "sup" => Role::Superscript,
            "table" => self.table(node),
            "tbody" | "tfoot" | "thead" => self.table_section(node),
            "td" | "th" => self.table_cell(node),
            "textarea" => Role::TextField,
            "time" => Role::Time,
            "tr" => self.table_row(node),
            "video" => Role::Video,
            _ if is_math(tag) && document.around(node, "math").is_some() => Role::MathPart,
            _ => self.by_layout(node),
        }
    }

    /// Whether the list of an item has another, authored role.
    fn is_in_silent_list(&self, node: usize) -> bool {
        let parent = self.document.parent(node);
        parent.is_some_and(|parent| {
            matches!(self.document.tag(parent), "ul" | "ol" | "menu")
                && self
                    .document
                    .attribute(parent, "role")
                    .is_some_and(|role| !role.is_empty() && !role.eq_ignore_ascii_case("list"))
        })
    }

    fn is_in_details(&self, node: usize) -> bool {
        let parent = self.document.parent(node);
        parent.is_some_and(|parent| self.document.tag(parent) == "details")
    }

    /// The role of a generic element, by its layout.
    fn by_layout(&self, node: usize) -> Role {
        let document = self.document;
        if let Some(drawn) = document.drawn(node) {
            match drawn.display {
                "list-item" if document.tag(node) != "summary" => return Role::ListItem,
                "table" | "inline-table" => return Role::LayoutTable,
                "table-row-group" | "table-header-group" | "table-footer-group" => {
                    return self.table_section(node);
                }
                "table-row" => return self.table_row(node),
                "table-cell" => return self.table_cell(node),
                _ => {}
            }
        }
        let least = document.has(node, "popover")
            || document.has(node, "autofocus")
            || document.has(node, "draggable");
        if least && document.drawn(node).is_some() && !document.has(node, "role") {
            return Role::Group;
        }
        Role::Generic
    }

    fn input(&self, node: usize) -> Role {
        let kind = self.document.input_type(node);
        let takes_a_list = !matches!(
            kind,
            "hidden"
                | "password"
                | "checkbox"
                | "radio"
                | "file"
                | "submit"
                | "image"
                | "reset"
                | "button"
        );
        let list = self
            .document
            .attribute(node, "list")
            .and_then(|list| self.document.by_id(node, list))
            .filter(|list| self.document.tag(*list) == "datalist");
        if takes_a_list && list.is_some() && kind != "color" {
            return Role::TextFieldCombo;
        }
        match kind {
            "button" | "reset" | "submit" => self.button(node),
            "checkbox" => Role::CheckBox,
            "color" => Role::ColorWell,
            "date" | "datetime-local" | "month" | "time" | "week" => Role::Date,
            "file" | "image" => Role::Button,
            "number" => Role::SpinButton,
            "radio" => Role::Radio,
            "range" => Role::Slider,
            "search" => Role::SearchBox,
            _ => Role::TextField,
        }
    }

    /// The role of an SVG element.
    fn drawing(&self, node: usize, tag: &str) -> Role {
        let document = self.document;
        let drawn = document.drawn(node).is_some();
        match tag {
            "a" if document.has(node, "href")
                || document.has(node, "xlink:href")
                || document.is(node, Marks::LISTENS) =>
            {
                Role::Link
            }
            "a" if document.around(node, "text").is_some() => Role::Generic,
            "a" | "g" => Role::Group,
            "svg" if !drawn => Role::Generic,
            "svg"
                if document
                    .parent(node)
                    .is_some_and(|parent| document.is_svg(parent)) =>
            {
                Role::Group
            }
            "svg" => Role::SvgRoot,
            "image" if drawn => Role::Image,
            "path" | "rect" | "circle" | "ellipse" | "line" | "polygon" | "polyline" if drawn => {
                Role::GraphicsSymbol
            }
            "foreignobject" if drawn => Role::Group,
            "use" if drawn => Role::Plain("graphics-object"),
            _ => Role::Generic,
        }
    }

    /// The exposed role, which may depend on more than the role used during the computation.
    pub(super) fn final_role(&self, node: usize) -> Role {
        let role = self.role(node);
        match role {
            Role::SvgRoot if !self.has_exposed_content(node) => Role::Image,
            Role::Header if self.is_in_section(node, true) => Role::SectionHeader,
            Role::Footer if self.is_in_section(node, true) => Role::SectionFooter,
            Role::Header => Role::Plain("banner"),
            Role::Footer => Role::Plain("contentinfo"),
            Role::Complementary
                if self.authored(node) != Some(Role::Complementary)
                    && self.is_in_section(node, false)
                    && !self.is_named_by_author(node) =>
            {
                Role::Generic
            }
            Role::Section if self.is_named_by_author(node) => Role::Region,
            Role::Cell => {
                let mut around = self.exposed_ancestors(node).map(|at| self.role(at));
                match around.find(|role| role.is_table()) {
                    Some(Role::Grid | Role::TreeGrid) => Role::GridCell,
                    _ => Role::Cell,
                }
            }
            role => role,
        }
    }

    /// Whether an element is in a section with a header and footer of its own.
    fn is_in_section(&self, node: usize, or_main: bool) -> bool {
        self.exposed_ancestors(node).any(|at| {
            matches!(
                self.role(at),
                Role::Article | Role::Complementary | Role::Navigation | Role::Section
            ) || (or_main && self.role(at) == Role::Main)
        })
    }

    fn has_exposed_content(&self, node: usize) -> bool {
        let mut inside = self.document.descendants(node);
        inside.any(|inside| !self.is_ignored(inside))
    }
}

/// Whether MathML elements with this tag are exposed.
fn is_math(tag: &str) -> bool {
    const TAGS: &str = "annotation annotation-xml maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom \
        mprescripts mroot mrow ms msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none \
        semantics";
    TAGS.split(' ').any(|known| known == tag)
}

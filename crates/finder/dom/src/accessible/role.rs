//! The roles that the name computation distinguishes, and their exposed names.

/// A role. There are more than in ARIA: roles with the same exposed name may have different rules for names
/// and exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An ARIA role with the common rules: exposed, named by its author, and without content that names
    /// others.
    Plain(&'static str),
    Abbr,
    Application,
    Article,
    Audio,
    Button,
    Canvas,
    Caption,
    Cell,
    CheckBox,
    Code,
    ColorWell,
    ColumnHeader,
    ComboGroup,
    ComboButton,
    ComboSelect,
    Complementary,
    Date,
    Definition,
    Deletion,
    DescriptionList,
    Details,
    Dialog,
    Disclosure,
    Document,
    Embedded,
    Emphasis,
    Figcaption,
    Footer,
    Form,
    Generic,
    GraphicsSymbol,
    Grid,
    GridCell,
    Group,
    Header,
    Heading,
    Iframe,
    IframeNone,
    Image,
    Insertion,
    Label,
    LayoutCell,
    LayoutRow,
    LayoutTable,
    Legend,
    LineBreak,
    Link,
    List,
    ListBox,
    ListItem,
    Main,
    Mark,
    Math,
    MathRoot,
    MathPart,
    Menu,
    MenuItem,
    MenuItemCheck,
    MenuItemRadio,
    MenuOption,
    Meter,
    Navigation,
    None,
    Option,
    Paragraph,
    PopUpButton,
    Progress,
    Radio,
    Region,
    Row,
    RowGroup,
    RowHeader,
    Ruby,
    RubyText,
    ScrollBar,
    SearchBox,
    Section,
    SectionFooter,
    SectionHeader,
    Slider,
    SpinButton,
    Splitter,
    StaticText,
    Strong,
    Subscript,
    Superscript,
    SvgRoot,
    Switch,
    Tab,
    Table,
    Term,
    TextField,
    TextFieldCombo,
    Time,
    ToggleButton,
    Tooltip,
    Tree,
    TreeGrid,
    TreeItem,
    Video,
}

/// Whether a role is named by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentNaming {
    /// It is named by its content.
    Always,
    /// It has no name from content, but contributes its content to other names.
    ForOthers,
    Never,
}

impl Role {
    /// The exposed name of the role.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Plain(name) => name,
            Self::Abbr
            | Self::Footer
            | Self::Generic
            | Self::Header
            | Self::LayoutCell
            | Self::LayoutRow
            | Self::LayoutTable
            | Self::LineBreak
            | Self::MathPart
            | Self::Ruby
            | Self::RubyText
            | Self::Section
            | Self::StaticText => "generic",
            Self::Application => "application",
            Self::Article => "article",
            Self::Audio | Self::Details | Self::Group | Self::Video => "group",
            Self::Button
            | Self::ColorWell
            | Self::Disclosure
            | Self::PopUpButton
            | Self::ToggleButton => "button",
            Self::Canvas | Self::Image | Self::SvgRoot => "image",
            Self::Caption | Self::Figcaption | Self::Legend => "caption",
            Self::Cell => "cell",
            Self::CheckBox => "checkbox",
            Self::Code => "code",
            Self::ColumnHeader => "columnheader",
            Self::ComboGroup | Self::ComboButton | Self::ComboSelect | Self::TextFieldCombo => {
                "combobox"
            }
            Self::Complementary => "complementary",
            Self::Date | Self::TextField => "textbox",
            Self::Definition => "definition",
            Self::Deletion => "deletion",
            Self::DescriptionList | Self::List => "list",
            Self::Dialog => "dialog",
            Self::Document | Self::Embedded | Self::Iframe | Self::IframeNone => "document",
            Self::Emphasis => "emphasis",
            Self::Form => "form",
            Self::GraphicsSymbol => "graphics-symbol",
            Self::Grid => "grid",
            Self::GridCell => "gridcell",
            Self::Heading => "heading",
            Self::Insertion => "insertion",
            Self::Label => "label",
            Self::Link => "link",
            Self::ListBox => "listbox",
            Self::ListItem => "listitem",
            Self::Main => "main",
            Self::Mark => "mark",
            Self::Math | Self::MathRoot => "math",
            Self::Menu => "menu",
            Self::MenuItem => "menuitem",
            Self::MenuItemCheck => "menuitemcheckbox",
            Self::MenuItemRadio => "menuitemradio",
            Self::MenuOption | Self::Option => "option",
            Self::Meter => "meter",
            Self::Navigation => "navigation",
            Self::None => "none",
            Self::Paragraph => "paragraph",
            Self::Progress => "progressbar",
            Self::Radio => "radio",
            Self::Region => "region",
            Self::Row => "row",
            Self::RowGroup => "rowgroup",
            Self::RowHeader => "rowheader",
            Self::ScrollBar => "scrollbar",
            Self::SearchBox => "searchbox",
            Self::SectionFooter => "sectionfooter",
            Self::SectionHeader => "sectionheader",
            Self::Slider => "slider",
            Self::SpinButton => "spinbutton",
            Self::Splitter => "separator",
            Self::Strong => "strong",
            Self::Subscript => "subscript",
            Self::Superscript => "superscript",
            Self::Switch => "switch",
            Self::Tab => "tab",
            Self::Table => "table",
            Self::Term => "term",
            Self::Time => "time",
            Self::Tooltip => "tooltip",
            Self::Tree => "tree",
            Self::TreeGrid => "treegrid",
            Self::TreeItem => "treeitem",
        }
    }

    /// Whether its content names it, or contributes to other names.
    pub(super) fn named_by_contents(self) -> ContentNaming {
        use ContentNaming::{Always, ForOthers, Never};
        match self {
            Self::Button
            | Self::Cell
            | Self::CheckBox
            | Self::ColumnHeader
            | Self::Disclosure
            | Self::GridCell
            | Self::Heading
            | Self::LayoutCell
            | Self::LineBreak
            | Self::Link
            | Self::Math
            | Self::MenuItem
            | Self::MenuItemCheck
            | Self::MenuItemRadio
            | Self::MenuOption
            | Self::Option
            | Self::PopUpButton
            | Self::Radio
            | Self::RowHeader
            | Self::StaticText
            | Self::Switch
            | Self::Tab
            | Self::Term
            | Self::ToggleButton
            | Self::Tooltip
            | Self::TreeItem => Always,
            Self::Abbr
            | Self::Canvas
            | Self::Caption
            | Self::Code
            | Self::Definition
            | Self::Deletion
            | Self::DescriptionList
            | Self::Details
            | Self::Emphasis
            | Self::Figcaption
            | Self::Footer
            | Self::Generic
            | Self::Insertion
            | Self::Label
            | Self::LayoutRow
            | Self::LayoutTable
            | Self::Legend
            | Self::List
            | Self::ListItem
            | Self::Mark
            | Self::None
            | Self::Paragraph
            | Self::Region
            | Self::Ruby
            | Self::Section
            | Self::Strong
            | Self::Subscript
            | Self::Superscript
            | Self::SvgRoot
            | Self::Time => ForOthers,
            Self::Plain(name) => match name {
                "doc-backlink" | "doc-biblioref" | "doc-glossref" | "doc-noteref" => Always,
                _ => Never,
            },
            Self::Application
            | Self::Article
            | Self::Audio
            | Self::ColorWell
            | Self::ComboGroup
            | Self::ComboButton
            | Self::ComboSelect
            | Self::Complementary
            | Self::Date
            | Self::Dialog
            | Self::Document
            | Self::Embedded
            | Self::Form
            | Self::GraphicsSymbol
            | Self::Grid
            | Self::Group
            | Self::Header
            | Self::Iframe
            | Self::IframeNone
            | Self::Image
            | Self::ListBox
            | Self::Main
            | Self::MathRoot
            | Self::MathPart
            | Self::Menu
            | Self::Meter
            | Self::Navigation
            | Self::Progress
            | Self::Row
            | Self::RowGroup
            | Self::RubyText
            | Self::ScrollBar
            | Self::SearchBox
            | Self::SectionFooter
            | Self::SectionHeader
            | Self::Slider
            | Self::SpinButton
            | Self::Splitter
            | Self::Table
            | Self::TextField
            | Self::TextFieldCombo
            | Self::Tree
            | Self::TreeGrid
            | Self::Video => Never,
        }
    }

    pub(super) const fn is_presentational(self) -> bool {
        matches!(self, Self::None)
    }

    pub(super) const fn is_table(self) -> bool {
        matches!(
            self,
            Self::Table | Self::LayoutTable | Self::Grid | Self::TreeGrid
        )
    }

    pub(super) const fn is_row(self) -> bool {
        matches!(self, Self::Row | Self::LayoutRow)
    }

    pub(super) const fn is_cell(self) -> bool {
        matches!(
            self,
            Self::Cell | Self::GridCell | Self::ColumnHeader | Self::RowHeader | Self::LayoutCell
        )
    }

    pub(super) fn is_link(self) -> bool {
        matches!(
            self,
            Self::Link
                | Self::Plain("doc-backlink" | "doc-biblioref" | "doc-glossref" | "doc-noteref")
        )
    }

    pub(super) const fn is_image(self) -> bool {
        matches!(self, Self::Image | Self::SvgRoot | Self::GraphicsSymbol)
    }

    /// Whether it is a form control, native or authored.
    pub(super) fn is_control(self) -> bool {
        match self {
            Self::Button
            | Self::CheckBox
            | Self::ColorWell
            | Self::ComboGroup
            | Self::ComboButton
            | Self::ComboSelect
            | Self::Disclosure
            | Self::ListBox
            | Self::Menu
            | Self::MenuItem
            | Self::MenuItemCheck
            | Self::MenuItemRadio
            | Self::MenuOption
            | Self::PopUpButton
            | Self::Radio
            | Self::ScrollBar
            | Self::SearchBox
            | Self::Slider
            | Self::SpinButton
            | Self::Switch
            | Self::Tab
            | Self::TextField
            | Self::TextFieldCombo
            | Self::ToggleButton
            | Self::Tree => true,
            Self::Plain(name) => matches!(name, "menubar"),
            _ => false,
        }
    }

    /// Whether it has a numeric value within a range.
    pub(super) const fn is_range(self) -> bool {
        matches!(
            self,
            Self::Meter | Self::Progress | Self::ScrollBar | Self::Slider | Self::SpinButton
        )
    }

    /// Whether it is a text field.
    pub(super) const fn is_text_field(self) -> bool {
        matches!(
            self,
            Self::TextField | Self::SearchBox | Self::TextFieldCombo
        )
    }

    /// Whether authors must not name it.
    pub(super) const fn is_name_prohibited(self) -> bool {
        matches!(
            self,
            Self::Caption
                | Self::Code
                | Self::Definition
                | Self::Deletion
                | Self::Emphasis
                | Self::Generic
                | Self::Insertion
                | Self::Mark
                | Self::None
                | Self::Paragraph
                | Self::Strong
                | Self::Subscript
                | Self::Superscript
                | Self::Time
        )
    }
}

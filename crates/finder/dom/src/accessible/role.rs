//! The roles that the name computation distinguishes, and their exposed names.

/// Whether a role is named by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentNaming {
    /// It is named by its content.
    Always,
    /// It has no name from content, but contributes its content to other names.
    ForOthers,
    Never,
}

#[derive(PartialEq, Eq)]
enum Property {
    /// Is a form control, native or authored.
    Control,
    /// Authors must not name it.
    Unnamed,
    /// Can be expanded.
    Opens,
    /// Is always exposed.
    Exposed,
}

/// Declares the roles. A row has the variant, its exposed name, its naming by content, properties, and the names by which
/// authors give it.
macro_rules! roles {
    ($($variant:ident $name:literal $naming:ident [$($property:ident)*] [$($authored:literal)*];)+) => {
        /// A role. There are more than in ARIA: roles with the same exposed name may have different rules for names
        /// and exposure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Role {
            /// An ARIA role with the common rules: exposed, named by its author, and without content that names
            /// others.
            Plain(&'static str),
            $($variant,)+
        }

        impl Role {
            /// The exposed name of the role.
            pub(super) const fn as_str(self) -> &'static str {
                match self {
                    Self::Plain(name) => name,
                    $(Self::$variant => $name,)+
                }
            }

            /// Whether its content names it, or contributes to other names.
            pub(super) fn named_by_contents(self) -> ContentNaming {
                match self {
                    Self::Plain(_) if self.is_link() => ContentNaming::Always,
                    Self::Plain(_) => ContentNaming::Never,
                    $(Self::$variant => ContentNaming::$naming,)+
                }
            }

            const fn properties(self) -> &'static [Property] {
                match self {
                    Self::Plain(_) => &[],
                    $(Self::$variant => &[$(Property::$property),*],)+
                }
            }

            /// The role with special rules that has this name in ARIA.
            pub(super) fn authored(name: &str) -> Option<Self> {
                match name {
                    $($($authored => Some(Self::$variant),)*)+
                    _ => None,
                }
            }
        }
    };
}

roles! {
    Abbr "generic" ForOthers [Exposed] [];
    Application "application" Never [Opens Exposed] ["application"];
    Article "article" Never [Exposed] ["article"];
    Audio "group" Never [Exposed] [];
    Button "button" Always [Control Opens] ["button"];
    Canvas "image" ForOthers [] [];
    Caption "caption" ForOthers [Unnamed] ["caption"];
    Cell "cell" Always [] ["cell"];
    CheckBox "checkbox" Always [Control Opens] ["checkbox"];
    Code "code" ForOthers [Unnamed Exposed] ["code"];
    ColorWell "button" Never [Control] [];
    ColumnHeader "columnheader" Always [Opens] ["columnheader"];
    ComboGroup "combobox" Never [Control Opens] ["combobox"];
    ComboButton "combobox" Never [Control Opens] [];
    ComboSelect "combobox" Never [Control Opens] [];
    Complementary "complementary" Never [Exposed] ["complementary"];
    Date "textbox" Never [] [];
    Definition "definition" ForOthers [Unnamed Exposed] ["definition"];
    Deletion "deletion" ForOthers [Unnamed Exposed] ["deletion"];
    DescriptionList "list" ForOthers [Exposed] [];
    Details "group" ForOthers [Exposed] [];
    Dialog "dialog" Never [Exposed] ["dialog"];
    Disclosure "button" Always [Control Opens] [];
    Document "document" Never [] [];
    Embedded "document" Never [] [];
    Emphasis "emphasis" ForOthers [Unnamed Exposed] ["emphasis"];
    Figcaption "caption" ForOthers [Exposed] [];
    Footer "generic" ForOthers [Exposed] [];
    Form "form" Never [Exposed] ["form"];
    Generic "generic" ForOthers [Unnamed] ["generic"];
    GraphicsSymbol "graphics-symbol" Never [] ["graphics-symbol"];
    Grid "grid" Never [] ["grid"];
    GridCell "gridcell" Always [Opens] ["gridcell"];
    Group "group" Never [] ["group"];
    Header "generic" Never [Exposed] [];
    Heading "heading" Always [] ["heading"];
    Iframe "document" Never [] [];
    IframeNone "document" Never [] [];
    Image "image" Never [] ["image" "img"];
    Insertion "insertion" ForOthers [Unnamed Exposed] ["insertion"];
    Label "label" ForOthers [] [];
    LayoutCell "generic" Always [] [];
    LayoutRow "generic" ForOthers [] [];
    LayoutTable "generic" ForOthers [] [];
    Legend "caption" ForOthers [] [];
    LineBreak "generic" Always [] [];
    Link "link" Always [Opens] ["link"];
    List "list" ForOthers [Exposed] ["directory" "list"];
    ListBox "listbox" Never [Control Opens] ["listbox"];
    ListItem "listitem" ForOthers [Opens Exposed] ["listitem"];
    Main "main" Never [Exposed] ["main"];
    Mark "mark" ForOthers [Unnamed Exposed] ["mark"];
    Math "math" Always [Exposed] ["math"];
    MathRoot "math" Never [Exposed] [];
    MathPart "generic" Never [Exposed] [];
    Menu "menu" Never [Control] ["menu"];
    MenuItem "menuitem" Always [Control Opens Exposed] ["menuitem"];
    MenuItemCheck "menuitemcheckbox" Always [Control Opens Exposed] ["menuitemcheckbox"];
    MenuItemRadio "menuitemradio" Always [Control Opens Exposed] ["menuitemradio"];
    MenuOption "option" Always [Control Exposed] [];
    Meter "meter" Never [Exposed] ["meter"];
    Navigation "navigation" Never [Exposed] ["navigation"];
    None "none" ForOthers [Unnamed] ["none" "presentation"];
    Option "option" Always [] ["option"];
    Paragraph "paragraph" ForOthers [Unnamed] ["paragraph"];
    PopUpButton "button" Always [Control Opens] [];
    Progress "progressbar" Never [Exposed] ["progressbar"];
    Radio "radio" Always [Control] ["radio"];
    Region "region" ForOthers [Exposed] ["region"];
    Row "row" Never [Opens] ["row"];
    RowGroup "rowgroup" Never [] ["rowgroup"];
    RowHeader "rowheader" Always [Opens] ["rowheader"];
    Ruby "generic" ForOthers [Exposed] [];
    RubyText "generic" Never [] [];
    ScrollBar "scrollbar" Never [Control] ["scrollbar"];
    SearchBox "searchbox" Never [Control] ["searchbox"];
    Section "generic" ForOthers [Exposed] [];
    SectionFooter "sectionfooter" Never [] ["sectionfooter"];
    SectionHeader "sectionheader" Never [] ["sectionheader"];
    Slider "slider" Never [Control] ["slider"];
    SpinButton "spinbutton" Never [Control] ["spinbutton"];
    Splitter "separator" Never [Exposed] ["separator"];
    StaticText "generic" Always [] [];
    Strong "strong" ForOthers [Unnamed Exposed] ["strong"];
    Subscript "subscript" ForOthers [Unnamed Exposed] ["subscript"];
    Superscript "superscript" ForOthers [Unnamed Exposed] ["superscript"];
    SvgRoot "image" ForOthers [] [];
    Switch "switch" Always [Control Opens] ["switch"];
    Tab "tab" Always [Control Opens] ["tab"];
    Table "table" Never [] ["table"];
    Term "term" Always [Exposed] ["term"];
    TextField "textbox" Never [Control] ["textbox"];
    TextFieldCombo "combobox" Never [Control Opens] [];
    Time "time" ForOthers [Unnamed Exposed] ["time"];
    ToggleButton "button" Always [Control Opens] [];
    Tooltip "tooltip" Always [] ["tooltip"];
    Tree "tree" Never [Control] ["tree"];
    TreeGrid "treegrid" Never [] ["treegrid"];
    TreeItem "treeitem" Always [Opens] ["treeitem"];
    Video "group" Never [Exposed] [];
}

impl Role {
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
        self == Self::Plain("menubar") || self.properties().contains(&Property::Control)
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
    pub(super) fn is_name_prohibited(self) -> bool {
        self.properties().contains(&Property::Unnamed)
    }

    /// Whether it can be expanded.
    pub(super) fn can_open(self) -> bool {
        self.properties().contains(&Property::Opens)
    }

    /// Whether it is always exposed.
    pub(super) fn is_always_exposed(self) -> bool {
        const EXPOSED: [&str; 6] = [
            "banner",
            "blockquote",
            "contentinfo",
            "figure",
            "menubar",
            "search",
        ];
        match self {
            Self::Plain(name) => name.starts_with("doc-") || EXPOSED.contains(&name),
            _ => self.properties().contains(&Property::Exposed),
        }
    }
}

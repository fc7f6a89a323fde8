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
    Abbr "generic" ForOthers [] [];
    Application "application" Never [] ["application"];
    Article "article" Never [] ["article"];
    Audio "group" Never [] [];
    Button "button" Always [Control] ["button"];
    Canvas "image" ForOthers [] [];
    Caption "caption" ForOthers [Unnamed] ["caption"];
    Cell "cell" Always [] ["cell"];
    CheckBox "checkbox" Always [Control] ["checkbox"];
    Code "code" ForOthers [Unnamed] ["code"];
    ColorWell "button" Never [Control] [];
    ColumnHeader "columnheader" Always [] ["columnheader"];
    ComboGroup "combobox" Never [Control] ["combobox"];
    ComboButton "combobox" Never [Control] [];
    ComboSelect "combobox" Never [Control] [];
    Complementary "complementary" Never [] ["complementary"];
    Date "textbox" Never [] [];
    Definition "definition" ForOthers [Unnamed] ["definition"];
    Deletion "deletion" ForOthers [Unnamed] ["deletion"];
    DescriptionList "list" ForOthers [] [];
    Details "group" ForOthers [] [];
    Dialog "dialog" Never [] ["dialog"];
    Disclosure "button" Always [Control] [];
    Document "document" Never [] [];
    Embedded "document" Never [] [];
    Emphasis "emphasis" ForOthers [Unnamed] ["emphasis"];
    Figcaption "caption" ForOthers [] [];
    Footer "generic" ForOthers [] [];
    Form "form" Never [] ["form"];
    Generic "generic" ForOthers [Unnamed] ["generic"];
    GraphicsSymbol "graphics-symbol" Never [] ["graphics-symbol"];
    Grid "grid" Never [] ["grid"];
    GridCell "gridcell" Always [] ["gridcell"];
    Group "group" Never [] ["group"];
    Header "generic" Never [] [];
    Heading "heading" Always [] ["heading"];
    Iframe "document" Never [] [];
    IframeNone "document" Never [] [];
    Image "image" Never [] ["image" "img"];
    Insertion "insertion" ForOthers [Unnamed] ["insertion"];
    Label "label" ForOthers [] [];
    LayoutCell "generic" Always [] [];
    LayoutRow "generic" ForOthers [] [];
    LayoutTable "generic" ForOthers [] [];
    Legend "caption" ForOthers [] [];
    LineBreak "generic" Always [] [];
    Link "link" Always [] ["link"];
    List "list" ForOthers [] ["directory" "list"];
    ListBox "listbox" Never [Control] ["listbox"];
    ListItem "listitem" ForOthers [] ["listitem"];
    Main "main" Never [] ["main"];
    Mark "mark" ForOthers [Unnamed] ["mark"];
    Math "math" Always [] ["math"];
    MathRoot "math" Never [] [];
    MathPart "generic" Never [] [];
    Menu "menu" Never [Control] ["menu"];
    MenuItem "menuitem" Always [Control] ["menuitem"];
    MenuItemCheck "menuitemcheckbox" Always [Control] ["menuitemcheckbox"];
    MenuItemRadio "menuitemradio" Always [Control] ["menuitemradio"];
    MenuOption "option" Always [Control] [];
    Meter "meter" Never [] ["meter"];
    Navigation "navigation" Never [] ["navigation"];
    None "none" ForOthers [Unnamed] ["none" "presentation"];
    Option "option" Always [] ["option"];
    Paragraph "paragraph" ForOthers [Unnamed] ["paragraph"];
    PopUpButton "button" Always [Control] [];
    Progress "progressbar" Never [] ["progressbar"];
    Radio "radio" Always [Control] ["radio"];
    Region "region" ForOthers [] ["region"];
    Row "row" Never [] ["row"];
    RowGroup "rowgroup" Never [] ["rowgroup"];
    RowHeader "rowheader" Always [] ["rowheader"];
    Ruby "generic" ForOthers [] [];
    RubyText "generic" Never [] [];
    ScrollBar "scrollbar" Never [Control] ["scrollbar"];
    SearchBox "searchbox" Never [Control] ["searchbox"];
    Section "generic" ForOthers [] [];
    SectionFooter "sectionfooter" Never [] ["sectionfooter"];
    SectionHeader "sectionheader" Never [] ["sectionheader"];
    Slider "slider" Never [Control] ["slider"];
    SpinButton "spinbutton" Never [Control] ["spinbutton"];
    Splitter "separator" Never [] ["separator"];
    StaticText "generic" Always [] [];
    Strong "strong" ForOthers [Unnamed] ["strong"];
    Subscript "subscript" ForOthers [Unnamed] ["subscript"];
    Superscript "superscript" ForOthers [Unnamed] ["superscript"];
    SvgRoot "image" ForOthers [] [];
    Switch "switch" Always [Control] ["switch"];
    Tab "tab" Always [Control] ["tab"];
    Table "table" Never [] ["table"];
    Term "term" Always [] ["term"];
    TextField "textbox" Never [Control] ["textbox"];
    TextFieldCombo "combobox" Never [Control] [];
    Time "time" ForOthers [Unnamed] ["time"];
    ToggleButton "button" Always [Control] [];
    Tooltip "tooltip" Always [] ["tooltip"];
    Tree "tree" Never [Control] ["tree"];
    TreeGrid "treegrid" Never [] ["treegrid"];
    TreeItem "treeitem" Always [] ["treeitem"];
    Video "group" Never [] [];
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
}

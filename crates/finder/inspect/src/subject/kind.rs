//! Kinds of elements, shared by pages and phones.

use crate::data;

macro_rules! define_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// Kind of an element on every platform.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $($(#[$doc])* $variant,)+ }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)+];

            /// Name in output.
            pub const fn as_str(self) -> &'static str {
                match self { $(Kind::$variant => $name,)+ }
            }

            /// The kind with this name.
            pub(crate) fn named(name: &str) -> Option<Kind> {
                match name {
                    $($name => Some(Kind::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// A set of kinds.
macro_rules! kinds {
    ($($kind:ident),+) => {
        $crate::subject::Kinds::new(&[$($crate::subject::Kind::$kind),+])
    };
}

define_kinds! {
    /// Acts when clicked.
    Button = "button",
    /// Navigates.
    Link = "link",
    /// Takes text.
    TextField = "textfield",
    /// Is checked or not.
    CheckBox = "checkbox",
    /// One of a group.
    Radio = "radio",
    /// On or off.
    Switch = "switch",
    /// Opens a list of options.
    Dropdown = "dropdown",
    /// Option of a list.
    Option = "option",
    /// Selects a panel.
    Tab = "tab",
    /// Entry of a menu.
    MenuItem = "menuitem",
    /// Sets a value by dragging.
    Slider = "slider",
    /// Takes a file.
    File = "file",
    /// Takes clicks; nothing more is known.
    Clickable = "clickable",
    /// Image.
    Image = "image",
    /// Video or audio.
    Media = "media",
    /// Heading.
    Heading = "heading",
    /// Names another element.
    Label = "label",
    /// Text.
    Text = "text",
    /// Progress or result of an operation.
    Status = "status",
    /// Cell of a table.
    Cell = "cell",
    /// Row of a table.
    Row = "row",
    /// Entry of a list.
    ListItem = "listitem",
    /// Table or grid.
    Table = "table",
    /// List.
    List = "list",
    /// Holds tabs.
    TabBar = "tabbar",
    /// Holds menu entries.
    Menu = "menu",
    /// Window that needs an answer.
    Dialog = "dialog",
    /// Controls that are submitted together.
    Form = "form",
    /// Header, navigation, main, aside or footer.
    Landmark = "landmark",
    /// Embeds another page.
    Frame = "frame",
    /// Anything else.
    #[default]
    Other = "other",
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u64);

impl Kinds {
    /// The empty set.
    pub const NONE: Kinds = Kinds(0);

    /// Interactive kinds.
    pub const CONTROLS: Kinds = kinds![
        Button, Link, TextField, CheckBox, Radio, Slider, Tab, Dropdown, MenuItem
    ];

    /// Kinds that hold named elements.
    pub(crate) const HOLDERS: Kinds =
        kinds![Table, List, TabBar, Menu, Dialog, Form, Landmark, Frame];

    /// Makes a set.
    pub const fn new(kinds: &[Kind]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u64;
            at += 1;
        }
        Self(bits)
    }

    /// The kinds with these names, separated by commas.
    pub(crate) fn named(names: &'static str) -> Self {
        let kinds = data::words(names).filter_map(Kind::named);
        kinds.fold(Self::NONE, |all, kind| all.union(kind.into()))
    }

    /// Whether `kind` is in the set.
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }

    /// Whether the sets intersect.
    pub const fn intersects(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Union of the sets.
    #[must_use]
    pub const fn union(self, other: Kinds) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<Kind> for Kinds {
    fn from(kind: Kind) -> Self {
        Self::new(&[kind])
    }
}

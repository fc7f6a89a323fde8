//! What an element is, in words that hold on pages and on phones.

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// What an element is, on every platform alike.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $($(#[$doc])* $variant,)+ }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)+];

            /// The kind in one word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Kind::$variant => $name,)+ }
            }
        }
    };
}

kinds! {
    /// Does something when clicked.
    Button = "button",
    /// Leads somewhere else.
    Link = "link",
    /// Takes text.
    TextField = "textfield",
    /// Is checked or not.
    CheckBox = "checkbox",
    /// Is the chosen one of a group or not.
    Radio = "radio",
    /// Is on or off.
    Switch = "switch",
    /// Opens a list to choose one entry from.
    Dropdown = "dropdown",
    /// One entry of such a list.
    Option = "option",
    /// Chooses a page.
    Tab = "tab",
    /// One entry of a menu.
    MenuItem = "menuitem",
    /// Sets a value by dragging.
    Slider = "slider",
    /// Takes a file.
    File = "file",
    /// Takes clicks, and nothing more is known of it.
    Clickable = "clickable",
    /// A picture.
    Image = "image",
    /// A film or a sound.
    Media = "media",
    /// A heading.
    Heading = "heading",
    /// Names another element.
    Label = "label",
    /// Written words.
    Text = "text",
    /// Shows how far something has come, or says how something went.
    Status = "status",
    /// One cell of a table.
    Cell = "cell",
    /// One row of a table.
    Row = "row",
    /// One entry of a list.
    ListItem = "listitem",
    /// A table or a grid.
    Table = "table",
    /// A list.
    List = "list",
    /// Holds tabs.
    TabBar = "tabbar",
    /// Holds menu entries.
    Menu = "menu",
    /// A window that asks for an answer.
    Dialog = "dialog",
    /// Controls that are sent together.
    Form = "form",
    /// A part of the page: header, navigation, main, aside, footer.
    Landmark = "landmark",
    /// Shows another page.
    Frame = "frame",
    /// Anything else.
    #[default]
    Other = "other",
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u64);

impl Kinds {
    /// No kind at all.
    pub const NONE: Kinds = Kinds(0);

    /// What is used, as opposed to what is only looked at.
    pub const CONTROLS: Kinds = Kinds::of(&[
        Kind::Button,
        Kind::Link,
        Kind::TextField,
        Kind::CheckBox,
        Kind::Radio,
        Kind::Slider,
        Kind::Tab,
        Kind::Dropdown,
        Kind::MenuItem,
    ]);

    /// The set of these kinds.
    pub const fn of(kinds: &[Kind]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u64;
            at += 1;
        }
        Self(bits)
    }

    /// Whether `kind` is in the set.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }

    /// Whether the sets share a kind.
    pub const fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no kind in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with the kinds of `other` added.
    #[must_use]
    pub const fn with(self, other: Kinds) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<Kind> for Kinds {
    fn from(kind: Kind) -> Self {
        Self::of(&[kind])
    }
}

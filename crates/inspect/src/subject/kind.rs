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

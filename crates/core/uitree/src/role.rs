//! What an element is, in words that hold on every platform.

use crate::State;

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// What an element is. The names are those that a matcher's `role` takes.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role { $($(#[$doc])* $variant,)+ }

        impl Role {
            /// Every role, in the order of the reference page.
            pub const ALL: &'static [Role] = &[$(Role::$variant,)+];

            /// The name that a matcher's `role` takes.
            pub const fn as_str(self) -> &'static str {
                match self { $(Role::$variant => $name,)+ }
            }
        }
    };
}

roles! {
    /// Holds other elements and shows nothing of its own.
    Container = "container",
    /// Lays its children out from left to right.
    Row = "row",
    /// Lays its children out from top to bottom.
    Column = "column",
    /// The bar at the top with the title and the screen's main actions.
    Toolbar = "toolbar",
    /// Holds tabs.
    TabBar = "tabbar",
    /// Holds entries in one line.
    List = "list",
    /// Holds entries in rows and columns.
    Grid = "grid",
    /// One entry of a list or grid.
    ListItem = "listitem",
    /// Shows one of several pages and lets the user swipe between them.
    Pager = "pager",
    /// Chooses a page.
    Tab = "tab",
    /// A framed group of elements.
    Card = "card",
    /// Does something when tapped.
    Button = "button",
    /// Takes text.
    TextField = "textfield",
    /// Is on or off.
    Switch = "switch",
    /// Is checked or not.
    CheckBox = "checkbox",
    /// Is the chosen one of a group or not.
    Radio = "radio",
    /// A button that stays down.
    Toggle = "toggle",
    /// A picture that can be tapped.
    Icon = "icon",
    /// A picture.
    Image = "image",
    /// A small rounded label that can be chosen or removed.
    Chip = "chip",
    /// Holds menu entries.
    Menu = "menu",
    /// One entry of a menu.
    MenuItem = "menuitem",
    /// Written words.
    Text = "text",
    /// Words that name another element.
    Label = "label",
    /// The title of a screen or of a part of it.
    Title = "title",
    /// Leads somewhere else.
    Link = "link",
    /// Sets a value by dragging.
    Slider = "slider",
    /// Shows how far something has come.
    Progress = "progress",
    /// Opens a list to choose one entry from.
    Dropdown = "dropdown",
    /// A window that asks for an answer.
    Dialog = "dialog",
    /// Shows a web page.
    WebView = "webview",
    /// The heading of a section, where the platform marks it as one.
    Heading = "heading",
    /// Nothing is known about it.
    #[default]
    Unknown = "unknown",
}

impl Role {
    /// The role of this name, whatever its letter case.
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL
            .iter()
            .copied()
            .find(|role| role.as_str().eq_ignore_ascii_case(name))
    }
}

/// What a platform knows of an element and from which its role is inferred.
///
/// The default is an element of which nothing is known; a driver fills in what it has.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoleHints<'a> {
    /// The element's class.
    pub class: &'a str,
    /// The element's resource id.
    pub id: &'a str,
    /// The element's visible text.
    pub text: &'a str,
    /// The element's content description.
    pub label: &'a str,
    /// The element's own flags.
    pub state: State,
    /// Whether one of the three nearest ancestors takes taps.
    pub inside_clickable: bool,
    /// Whether a screen reader stops at it although it takes no taps.
    pub screen_reader_focusable: bool,
    /// How many elements it holds directly.
    pub children: u32,
    /// How many elements with words or pictures of their own lie inside it; as large as can be when there are many or
    /// when something else in it takes taps.
    pub content: u32,
    /// How its children lie.
    pub arrangement: Arrangement,
    /// Whether its children are a row from which exactly one is chosen.
    pub choice: bool,
    /// The class of the element that holds it.
    pub parent_class: &'a str,
    /// The resource id of the element that holds it.
    pub parent_id: &'a str,
    /// The role of the element that holds it.
    pub parent_role: Role,
    /// Whether it and its neighbours are a row from which exactly one is chosen.
    pub one_of_a_choice: bool,
}

/// How the children of an element lie to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Fewer than two children can be seen, or they lie in no clear order.
    #[default]
    Loose,
    /// Side by side, none below another.
    Row,
    /// One below the other.
    Column,
    /// In several rows, at least one of which holds several.
    Grid,
}

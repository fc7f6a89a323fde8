//! Roles of elements, the same on every platform.

use crate::State;

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// The role of an element. The names are the values of a matcher's `role`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role { $($(#[$doc])* $variant,)+ }

        impl Role {
            /// Every role, in the order of the reference page.
            pub const ALL: &'static [Role] = &[$(Role::$variant,)+];

            /// The name, as used in a matcher's `role`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Role::$variant => $name,)+ }
            }
        }
    };
}

roles! {
    /// Groups other elements and has no content of its own.
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
    /// On or off.
    Switch = "switch",
    /// Checked or unchecked.
    CheckBox = "checkbox",
    /// Selected or not within its group.
    Radio = "radio",
    /// A button that stays pressed.
    Toggle = "toggle",
    /// A clickable image.
    Icon = "icon",
    /// An image.
    Image = "image",
    /// A small rounded label that can be selected or removed.
    Chip = "chip",
    /// Holds menu entries.
    Menu = "menu",
    /// One entry of a menu.
    MenuItem = "menuitem",
    /// Text.
    Text = "text",
    /// Text that names another element.
    Label = "label",
    /// The title of a screen or of a part of it.
    Title = "title",
    /// Navigates elsewhere.
    Link = "link",
    /// Sets a value by dragging.
    Slider = "slider",
    /// Shows progress.
    Progress = "progress",
    /// Opens a list to choose one entry from.
    Dropdown = "dropdown",
    /// A window that asks for a response.
    Dialog = "dialog",
    /// Shows a web page.
    WebView = "webview",
    /// The heading of a section, where the platform marks it as one.
    Heading = "heading",
    /// No role could be inferred.
    #[default]
    Unknown = "unknown",
}

impl Role {
    /// The role with this name, ignoring case.
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL
            .iter()
            .copied()
            .find(|role| role.as_str().eq_ignore_ascii_case(name))
    }
}

/// Platform data of an element from which its role is inferred.
///
/// The default means that nothing is known; a driver sets what it has.
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
    /// The element's state flags.
    pub state: State,
    /// Whether one of the three nearest ancestors is clickable.
    pub inside_clickable: bool,
    /// Whether a screen reader stops at it although it is not clickable.
    pub screen_reader_focusable: bool,
    /// The number of its children.
    pub children: u32,
    /// The number of elements inside it with text or images; `u32::MAX` when there are many or another one is
    /// clickable.
    pub content: u32,
    /// The arrangement of its children.
    pub arrangement: Arrangement,
    /// Whether its children are a row with exactly one selected.
    pub choice: bool,
    /// The class of its parent.
    pub parent_class: &'a str,
    /// The resource id of its parent.
    pub parent_id: &'a str,
    /// The role of its parent.
    pub parent_role: Role,
    /// Whether it and its siblings are a row with exactly one selected.
    pub one_of_a_choice: bool,
}

/// The arrangement of an element's children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Fewer than two visible children, or in no clear order.
    #[default]
    Loose,
    /// Side by side, none below another.
    Row,
    /// One below the other.
    Column,
    /// In several rows, at least one of which has several.
    Grid,
}

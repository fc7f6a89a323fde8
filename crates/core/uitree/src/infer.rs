//! Infers roles from platform data.
//!
//! Classes of widgets decide. For layouts, bare views and obfuscated classes the flags, text, surroundings and
//! arrangement of the children decide.

use crate::{Arrangement, Role, RoleHints, State};

/// The role that a class name implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A widget with a certain role.
    Widget(Role),
    /// A list or a grid.
    Collection,
    /// A push button, a common base class.
    Button,
    /// An image.
    Picture,
    /// Text.
    Words,
    /// A layout in one line.
    Line,
    /// Another layout.
    Layout,
    /// A bare view, or an unknown class.
    Bare,
}

/// Parts of class names with their kind; the first match counts. Names are compared in lower case, without package.
const WIDGETS: &[(&str, Kind)] = &[
    ("webview", Kind::Widget(Role::WebView)),
    ("viewpager", Kind::Widget(Role::Pager)),
    ("edittext", Kind::Widget(Role::TextField)),
    ("autocomplete", Kind::Widget(Role::TextField)),
    ("autofillfield", Kind::Widget(Role::TextField)),
    ("textfield", Kind::Widget(Role::TextField)),
    ("seekbar", Kind::Widget(Role::Slider)),
    ("ratingbar", Kind::Widget(Role::Slider)),
    ("slider", Kind::Widget(Role::Slider)),
    ("progressbar", Kind::Widget(Role::Progress)),
    ("progressindicator", Kind::Widget(Role::Progress)),
    ("progressspinner", Kind::Widget(Role::Progress)),
    ("spinner", Kind::Widget(Role::Dropdown)),
    ("radiogroup", Kind::Line),
    ("radiobutton", Kind::Widget(Role::Radio)),
    ("togglebutton", Kind::Widget(Role::Toggle)),
    ("compoundbutton", Kind::Widget(Role::Toggle)),
    ("checkbox", Kind::Widget(Role::CheckBox)),
    ("checkedtextview", Kind::Widget(Role::CheckBox)),
    // Switchers show one of several children and are not switches.
    ("textswitcher", Kind::Layout),
    ("imageswitcher", Kind::Layout),
    ("viewswitcher", Kind::Layout),
    ("switcher", Kind::Layout),
    ("switch", Kind::Widget(Role::Switch)),
    ("actionbar$tab", Kind::Widget(Role::Tab)),
    ("tabview", Kind::Widget(Role::Tab)),
    ("navigationitemview", Kind::Widget(Role::Tab)),
    ("navigationbaritemview", Kind::Widget(Role::Tab)),
    ("tablayout", Kind::Widget(Role::TabBar)),
    ("tabwidget", Kind::Widget(Role::TabBar)),
    ("tabbar", Kind::Widget(Role::TabBar)),
    ("bottomnavigation", Kind::Widget(Role::TabBar)),
    ("navigationbarview", Kind::Widget(Role::TabBar)),
    ("navigationrail", Kind::Widget(Role::TabBar)),
    ("menuitem", Kind::Widget(Role::MenuItem)),
    ("menuview", Kind::Widget(Role::Menu)),
    ("menudropdown", Kind::Widget(Role::Menu)),
    ("chipgroup", Kind::Layout),
    ("chip", Kind::Widget(Role::Chip)),
    ("recyclerview", Kind::Collection),
    ("listview", Kind::Collection),
    ("gridview", Kind::Widget(Role::Grid)),
    ("buttonbar", Kind::Line),
    ("buttongroup", Kind::Line),
    ("button", Kind::Button),
    ("toolbarlayout", Kind::Layout),
    ("toolbar", Kind::Widget(Role::Toolbar)),
    ("appbarlayout", Kind::Layout),
    ("cardview", Kind::Widget(Role::Card)),
    ("dialogtitle", Kind::Widget(Role::Title)),
    ("dialog", Kind::Widget(Role::Dialog)),
    ("imageview", Kind::Picture),
    ("svgview", Kind::Picture),
    ("textview", Kind::Words),
    ("textclock", Kind::Words),
    ("chronometer", Kind::Words),
    ("linearlayout", Kind::Line),
    ("tablerow", Kind::Line),
    ("layout", Kind::Layout),
    ("viewgroup", Kind::Layout),
    ("scrollview", Kind::Layout),
    ("composeview", Kind::Layout),
    ("viewflipper", Kind::Layout),
    ("viewfactoryholder", Kind::Layout),
    ("viewholder", Kind::Layout),
];

impl Kind {
    /// Kind of `class`, by the first match in [`WIDGETS`].
    pub(crate) fn of(class: &str) -> Self {
        let name = class.rsplit('.').next().unwrap_or(class);
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            // An image on a web page, and the bare view.
            "image" => return Self::Picture,
            "view" | "" => return Self::Bare,
            _ => {}
        }
        // An obfuscated pager is still in its package.
        if class.contains(".viewpager.") {
            return Self::Widget(Role::Pager);
        }
        WIDGETS
            .iter()
            .find(|(word, _)| name.contains(word))
            .map_or(Self::Bare, |(_, kind)| *kind)
    }

    /// Whether the class leaves the role open.
    const fn is_open(self) -> bool {
        matches!(self, Self::Line | Self::Layout | Self::Bare)
    }
}

impl Role {
    /// Infers the role.
    pub fn infer(hints: &RoleHints<'_>) -> Role {
        let in_tabs = is_tab_bar_id(hints.parent_id);
        infer(
            Kind::of(hints.class),
            Kind::of(hints.parent_class),
            in_tabs,
            hints,
        )
    }
}

/// As [`Role::infer`], with class names and parent id already parsed.
pub(crate) fn infer(kind: Kind, parent: Kind, in_tabs: bool, hints: &RoleHints<'_>) -> Role {
    let state = hints.state;
    if state.contains(State::EDITABLE) {
        return Role::TextField;
    }
    if let Some(role) = tab(kind, parent, in_tabs, hints) {
        return role;
    }
    match kind {
        Kind::Widget(role) => role,
        Kind::Button => Role::Button,
        Kind::Collection => collection(hints.arrangement),
        Kind::Picture if state.contains(State::CLICKABLE) || hints.inside_clickable => Role::Icon,
        Kind::Picture => Role::Image,
        Kind::Words | Kind::Line | Kind::Layout | Kind::Bare => by_flags(kind, parent, hints),
    }
}

/// A selected item of a row, or an entry of a tab bar.
fn tab(kind: Kind, parent: Kind, in_tabs: bool, hints: &RoleHints<'_>) -> Option<Role> {
    let can_be = kind.is_open() || matches!(kind, Kind::Words | Kind::Button | Kind::Picture);
    if !can_be {
        return None;
    }
    let state = hints.state;
    let chosen = state.contains(State::SELECTED) && state.contains(State::FOCUSABLE);
    if hints.one_of_a_choice && (state.contains(State::CLICKABLE) || chosen) {
        return Some(Role::Tab);
    }
    let in_tabs = in_tabs
        || parent == Kind::Widget(Role::TabBar)
        || (hints.parent_role == Role::TabBar && kind != Kind::Button);
    // A selected bar passes the flag to all descendants, so the flag alone is not enough.
    let takes_taps = state.contains(State::CLICKABLE) || chosen;
    let words = !hints.text.is_empty() && !hints.inside_clickable;
    let by_id = takes_taps && !hints.id.is_empty() && is_tab_id(hints.id);
    (by_id || (in_tabs && (takes_taps || words))).then_some(Role::Tab)
}

const fn collection(arrangement: Arrangement) -> Role {
    match arrangement {
        Arrangement::Grid => Role::Grid,
        Arrangement::Loose | Arrangement::Row | Arrangement::Column => Role::List,
    }
}

/// Role if the class leaves it open.
fn by_flags(kind: Kind, parent: Kind, hints: &RoleHints<'_>) -> Role {
    let state = hints.state;
    let clickable = state.contains(State::CLICKABLE);
    let words = !hints.text.is_empty() || !hints.label.is_empty();
    let local = local_id(hints.id);
    if state.contains(State::HEADING) && words {
        return Role::Heading;
    }
    match local {
        "action_bar_title" | "toolbar_title" | "alertTitle" if words => return Role::Title,
        "toolbar" | "action_bar" | "top_app_bar" | "topAppBar" if hints.children > 0 => {
            return Role::Toolbar;
        }
        "parentPanel" if kind.is_open() => return Role::Dialog,
        _ => {}
    }
    if kind.is_open() {
        if state.contains(State::CHECKABLE) {
            // Compose switches have no class. A checkable node with text is a toggle button.
            return if hints.children == 0 {
                Role::Switch
            } else {
                Role::Toggle
            };
        }
        let row = hints.arrangement == Arrangement::Row && !clickable;
        if hints.choice || (row && is_tab_bar_id(hints.id)) {
            return Role::TabBar;
        }
        if kind == Kind::Bare && state.contains(State::SCROLLABLE) && hints.children > 0 {
            return collection(hints.arrangement);
        }
    }
    if hints.parent_role == Role::Menu && (clickable || words) {
        return Role::MenuItem;
    }
    let in_collection = matches!(hints.parent_role, Role::List | Role::Grid);
    let real_collection = matches!(parent, Kind::Collection | Kind::Widget(Role::Grid));
    if in_collection && (clickable || (real_collection && hints.children > 0)) {
        // A scrollable container without list class may be a form.
        if real_collection || hints.children > 0 {
            return Role::ListItem;
        }
    }
    if clickable {
        return takes_taps(kind, words, hints);
    }
    if words && (hints.children == 0 || !hints.text.is_empty()) {
        let in_toolbar = hints.parent_role == Role::Toolbar;
        return match hints.screen_reader_focusable {
            _ if in_toolbar => Role::Title,
            true => Role::Label,
            false => Role::Text,
        };
    }
    match (kind, hints.arrangement) {
        (Kind::Words, _) => Role::Text,
        (Kind::Line, Arrangement::Row) => Role::Row,
        (Kind::Line, Arrangement::Column) => Role::Column,
        (Kind::Bare, _) if hints.children == 0 => Role::Unknown,
        _ => Role::Container,
    }
}

/// Role of a clickable node.
fn takes_taps(kind: Kind, words: bool, hints: &RoleHints<'_>) -> Role {
    const BUTTON_CONTENT: u32 = 4;
    if words || kind == Kind::Words {
        return Role::Button;
    }
    // Without text of its own it is a button if it contains little more than text.
    match hints.children {
        0 => Role::Button,
        _ if (1..=BUTTON_CONTENT).contains(&hints.content) => Role::Button,
        _ => Role::Container,
    }
}

/// A resource id without its package.
fn local_id(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// Whether `id` contains the words for a tab bar. `table`, `bottom_sheet` and `home_tab` do not.
pub(crate) fn is_tab_bar_id(id: &str) -> bool {
    const BARS: [&str; 9] = [
        "tabs",
        "tabbar",
        "tablayout",
        "tabstrip",
        "tabhost",
        "tabwidget",
        "navbar",
        "bottomnav",
        "bottombar",
    ];
    const TAB_HOLDERS: [&str; 10] = [
        "bar",
        "rail",
        "layout",
        "strip",
        "host",
        "widget",
        "group",
        "container",
        "row",
        "list",
    ];
    // Ids of entries may contain the name of the bar.
    const PARTS: [&str; 9] = [
        "item",
        "icon",
        "label",
        "labels",
        "text",
        "title",
        "badge",
        "indicator",
        "content",
    ];
    let local = local_id(id);
    let has = |options: &[&str]| {
        words(local).any(|word| {
            options
                .iter()
                .any(|option| word.eq_ignore_ascii_case(option))
        })
    };
    // Fast path: every name of a bar has one of these letters.
    if !local
        .bytes()
        .any(|byte| matches!(byte, b't' | b'T' | b'n' | b'N'))
    {
        return false;
    }
    let navigation = has(&["nav", "navigation"]);
    let line = has(&["bar", "rail"]);
    let names = has(&BARS)
        || (has(&["tab"]) && has(&TAB_HOLDERS))
        || (has(&["bottom"]) && (navigation || line))
        || (navigation && line);
    names && !has(&PARTS)
}

/// Whether `id` is the id of a tab.
fn is_tab_id(id: &str) -> bool {
    let local = local_id(id);
    words(local)
        .last()
        .is_some_and(|word| word.eq_ignore_ascii_case("tab"))
}

/// Words of an id, split at non-letters and capitals.
fn words(id: &str) -> impl Iterator<Item = &str> {
    id.split(|c: char| !c.is_alphabetic()).flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let cut = rest
                .char_indices()
                .zip(rest.chars().skip(1))
                .find(|((_, a), b)| a.is_lowercase() && b.is_uppercase())
                .map_or(rest.len(), |((at, a), _)| at + a.len_utf8());
            let (word, tail) = rest.split_at(cut);
            rest = tail;
            Some(word)
        })
    })
}

//! What a document leaves unsaid, so that reading and writing agree on it.

use crate::{Node, Rect, Size, State, WindowKind};

/// The part of a root's own attributes that are settled by what the document says anyway.
pub(super) struct WindowDefault {
    pub(super) kind: WindowKind,
    pub(super) active: bool,
}

/// What the windows with these roots are when nothing more is said: those of the system's own interface are the
/// system's, all others an app's; the first window of an app is the active one, or else the first.
pub(super) fn windows<'a>(roots: impl Iterator<Item = &'a Node>) -> Vec<WindowDefault> {
    let mut windows: Vec<WindowDefault> = roots
        .map(|root| WindowDefault {
            kind: match &*root.owner {
                "com.android.systemui" => WindowKind::System,
                _ => WindowKind::Application,
            },
            active: false,
        })
        .collect();
    let first_of_app = windows
        .iter()
        .position(|window| window.kind == WindowKind::Application);
    if let Some(active) = windows.get_mut(first_of_app.unwrap_or(0)) {
        active.active = true;
    }
    windows
}

/// The screen that holds all of `roots`.
pub(super) fn screen<'a>(roots: impl Iterator<Item = &'a Node>) -> Size {
    roots
        .filter_map(|root| root.bounds)
        .filter(|bounds| !bounds.is_empty())
        .fold(Size::default(), |screen, Rect { right, bottom, .. }| {
            Size::new(screen.width.max(right), screen.height.max(bottom))
        })
}

/// Whether text can be entered into elements of this class as far as the class tells.
pub(super) fn is_editable_class(class: &str) -> bool {
    ["EditText", "AutoCompleteTextView", "AutoComplete"]
        .iter()
        .any(|end| class.ends_with(end))
}

/// The bits of a state that have an attribute of their own in every document, in the order in which they are written.
pub(super) const FLAGS: [(&str, State); 10] = [
    ("checkable", State::CHECKABLE),
    ("checked", State::CHECKED),
    ("clickable", State::CLICKABLE),
    ("enabled", State::ENABLED),
    ("focusable", State::FOCUSABLE),
    ("focused", State::FOCUSED),
    ("scrollable", State::SCROLLABLE),
    ("long-clickable", State::LONG_CLICKABLE),
    ("password", State::PASSWORD),
    ("selected", State::SELECTED),
];

/// Whether an attribute says yes; everything but `true` is a no.
pub(super) fn is_true(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("true")
}

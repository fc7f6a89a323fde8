//! Defaults of documents, for reading and writing.

use crate::{Node, Rect, Size, State, WindowKind};

/// Attributes of a root with defaults.
pub(super) struct WindowDefault {
    pub(super) kind: WindowKind,
    pub(super) active: bool,
}

/// Defaults of the windows with these roots: those of the system UI are system windows, all others application
/// windows. The first application window is active, else the first.
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

/// Screen that contains all of `roots`.
pub(super) fn screen<'a>(roots: impl Iterator<Item = &'a Node>) -> Size {
    roots
        .filter_map(|root| root.bounds)
        .filter(|bounds| !bounds.is_empty())
        .fold(Size::default(), |screen, Rect { right, bottom, .. }| {
            Size::new(screen.width.max(right), screen.height.max(bottom))
        })
}

/// Whether elements of this class take text.
pub(super) fn is_editable_class(class: &str) -> bool {
    ["EditText", "AutoCompleteTextView", "AutoComplete"]
        .iter()
        .any(|end| class.ends_with(end))
}

/// States with an attribute in every document, in order.
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

/// Whether an attribute is `true`.
pub(super) fn is_true(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("true")
}

//! What an answer says about a screen: its text view, or the difference to an earlier one.

use uitree::{Refs, TextView, UiTree};

/// A screen in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObservedScreen {
    /// What changed, as lines of the text view; empty if nothing did.
    Changes(String),
    /// The whole screen, as text view.
    Screen(String),
}

impl ObservedScreen {
    /// The difference of a screen to the one before it; the whole screen if there is none, or it is shorter.
    pub fn since(before: Option<&UiTree>, screen: &UiTree, refs: Option<&Refs>) -> Self {
        let before = before.map(|before| text(before, refs));
        let screen = text(screen, refs);
        match before.and_then(|before| uitree::difference(&before, &screen)) {
            Some(changes) => Self::Changes(changes),
            None => Self::Screen(screen),
        }
    }
}

/// The text view of a screen.
fn text(tree: &UiTree, refs: Option<&Refs>) -> String {
    let given = refs
        .map(|refs| refs.lock().assign(tree))
        .unwrap_or_default();
    tree.text_view_with(TextView::default(), &given).text
}

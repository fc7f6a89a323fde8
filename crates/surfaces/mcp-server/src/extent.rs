//! How much of a screen a client gets.

use contract::{Action, Params, ScreenView};
use service::{KnownScreens, ScreenUpdate};

/// What a snapshot as text shows, to which changes can refer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The whole screen.
    Screen,
    /// Also offscreen elements of containers.
    WithOffscreen,
}

impl Extent {
    /// What a snapshot shows; `None` for a part of the screen.
    pub(crate) fn of(action: &Action) -> Option<Self> {
        let Params::SnapshotUi(snapshot) = action.params() else {
            return None;
        };
        let is_part = snapshot.view() != ScreenView::Text
            || snapshot.budget.is_some()
            || snapshot.matcher.is_some();
        (!is_part).then(|| match snapshot.all() {
            true => Self::WithOffscreen,
            false => Self::Screen,
        })
    }

    /// The update for the screen that the client gets now.
    pub(crate) fn update(self, known: &KnownScreens, device: &str, screen: &str) -> ScreenUpdate {
        match self {
            Self::Screen => known.update(device, screen),
            Self::WithOffscreen => known.screen_with_offscreen(device, screen),
        }
    }
}

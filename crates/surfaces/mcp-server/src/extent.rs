//! How much of a screen a client gets.

use contract::{Action, Params, ScreenView};
use service::{KnownScreens, ScreenNews};

/// What a snapshot as text shows, to which changes can refer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The whole screen.
    Screen,
    /// Also what is beyond the edges of containers.
    WithBeyond,
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
            true => Self::WithBeyond,
            false => Self::Screen,
        })
    }

    /// What is new on a screen that the client gets now.
    pub(crate) fn news(self, known: &KnownScreens, device: &str, screen: &str) -> ScreenNews {
        match self {
            Self::Screen => known.news(device, screen),
            Self::WithBeyond => known.screen_with_beyond(device, screen),
        }
    }
}

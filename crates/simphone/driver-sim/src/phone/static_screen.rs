//! Screens that show a tree as it is: their windows, and what a press switches.

use driver::WindowInfo;
use sim_format::widget::Switches;
use sim_view::window::ScreenWindow;
use uitree::{Size, State};

use super::Phone;

/// Size and rotation of the screen that the windows are on, when the first of them shows a tree as it is. Dialogs and
/// the keyboard above it belong to the phone's own screen, which is at least as large.
pub(super) fn screen(windows: &[ScreenWindow]) -> Option<(Size, u8)> {
    let still = windows.first()?.static_screen.as_ref()?;
    let mut size = still.tree.screen();
    for window in windows.iter().skip(1) {
        size.width = size.width.max(window.area.right);
        size.height = size.height.max(window.area.bottom);
    }
    Some((size, still.tree.rotation()))
}

/// What is known of a window, the topmost first where it is several.
pub(super) fn infos(shown: &ScreenWindow) -> Vec<WindowInfo> {
    let Some(still) = &shown.static_screen else {
        return vec![WindowInfo {
            kind: shown.kind,
            package: Some(shown.package.to_string()),
            active: shown.active,
        }];
    };
    let mut windows: Vec<_> = still.tree.windows().iter().collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    windows
        .into_iter()
        .map(|window| WindowInfo {
            kind: window.kind,
            package: Some(still.tree.node(window.root).owner.to_string()),
            active: window.active,
        })
        .collect()
}

impl Phone {
    /// Whether the active window shows a tree as it is: then nothing of the phone's own is around it.
    pub(crate) fn shows_still(&self) -> bool {
        self.active()
            .is_some_and(|open| open.page.static_screen.is_some())
    }

    /// A press switches a node of a tree that is shown as it is.
    pub(crate) fn switch(&mut self, window: u64, switches: Switches) {
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let Some(still) = open.page.static_screen.clone() else {
            return;
        };
        let Switches { place, one_of_many } = switches;
        let (Some(key), Some(node)) = (still.key(place), still.node(place)) else {
            return;
        };
        let before = open.local.switched.get(&key).copied();
        let on = one_of_many || !before.unwrap_or(node.is(State::CHECKED));
        open.local.switched.insert(key, on);
        if one_of_many {
            for rival in still.other_radio_buttons(place) {
                if let Some(rival) = still.key(rival) {
                    open.local.switched.insert(rival, false);
                }
            }
        }
        self.bump();
    }
}

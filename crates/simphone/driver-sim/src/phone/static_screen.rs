//! Static screens, which show an imported tree: their windows, and the nodes that a press switches.

use driver::WindowInfo;
use sim_format::widget::Switches;
use sim_view::window::ScreenWindow;
use uitree::{Size, State};

use super::Phone;

/// Size and rotation of the screen if the first window is a static screen. Dialogs and the keyboard above it are placed
/// on the phone's own screen, which is at least as large.
pub(super) fn screen(windows: &[ScreenWindow]) -> Option<(Size, u8)> {
    let static_screen = windows.first()?.static_screen.as_ref()?;
    let mut size = static_screen.tree.screen();
    for window in windows.iter().skip(1) {
        size.width = size.width.max(window.area.right);
        size.height = size.height.max(window.area.bottom);
    }
    Some((size, static_screen.tree.rotation()))
}

/// The windows of an app window; a static screen may have several, the topmost first.
pub(super) fn infos(shown: &ScreenWindow) -> Vec<WindowInfo> {
    let Some(static_screen) = &shown.static_screen else {
        return vec![WindowInfo {
            kind: shown.kind,
            package: Some(shown.package.to_string()),
            active: shown.active,
        }];
    };
    let mut windows: Vec<_> = static_screen.tree.windows().iter().collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    windows
        .into_iter()
        .map(|window| WindowInfo {
            kind: window.kind,
            package: Some(static_screen.tree.node(window.root).owner.to_string()),
            active: window.active,
        })
        .collect()
}

impl Phone {
    /// Whether the active window is a static screen, which covers the system bars.
    pub(crate) fn shows_static_screen(&self) -> bool {
        self.active()
            .is_some_and(|open| open.page.static_screen.is_some())
    }

    pub(crate) fn switch(&mut self, window: u64, switches: Switches) {
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let Some(static_screen) = open.page.static_screen.clone() else {
            return;
        };
        let Switches { place, one_of_many } = switches;
        let (Some(key), Some(node)) = (static_screen.key(place), static_screen.node(place)) else {
            return;
        };
        let before = open.local.switched.get(&key).copied();
        let on = one_of_many || !before.unwrap_or(node.is(State::CHECKED));
        open.local.switched.insert(key, on);
        if one_of_many {
            for rival in static_screen.other_radio_buttons(place) {
                if let Some(rival) = static_screen.key(rival) {
                    open.local.switched.insert(rival, false);
                }
            }
        }
        self.bump();
    }
}

//! Keys of the device that apps and the volume answer.

use std::sync::Arc;

use driver::Key;
use uitree::State;

use crate::app::Effects;
use crate::journal::{By, Happening};
use crate::phone::{Context, Phone};
use crate::widget::Kind;

use super::press::find;

/// The steps of the volume, and where it stands at the start.
pub(crate) const VOLUMES: u8 = 15;
pub(crate) const VOLUME: u8 = 5;

impl Phone {
    /// How loud the phone is, from 0 to 15.
    pub const fn volume(&self) -> u8 {
        self.volume
    }

    /// One step louder or quieter.
    pub(crate) fn turn_volume(&mut self, key: Key) {
        let to = match key {
            Key::VolumeUp => (self.volume + 1).min(VOLUMES),
            _ => self.volume.saturating_sub(1),
        };
        if to != self.volume {
            self.volume = to;
            self.note(Happening::Volume(to));
        }
    }

    /// Gives a key to the screen in front, which may have effects for it.
    pub(crate) fn key_to_page(&mut self, key: Key) {
        let Some(open) = self.active() else { return };
        let effects: Effects = match key {
            Key::Menu => Arc::clone(&open.page.on_menu),
            _ => Arc::clone(&open.page.on_search),
        };
        let context = Context {
            app: Arc::clone(&self.front),
            scope: Arc::clone(&open.scope),
        };
        if !effects.is_empty() {
            self.run(&context, &effects);
        }
    }

    /// Enter on what has the focus, where that is no text field: a press. Whether there was something.
    pub(crate) fn press_focused(&mut self) -> bool {
        let Some(window) = self.active_id() else {
            return false;
        };
        let Some(key) = self.active().and_then(|open| open.local.focus) else {
            return false;
        };
        let view = self.view();
        let takes = State::CLICKABLE | State::ENABLED;
        let focused = find(&view, window, key).filter(|element| {
            element.state.contains(takes) && !matches!(element.spec.kind, Kind::Field(_))
        });
        let Some(element) = focused.cloned() else {
            return false;
        };
        self.click(window, &element, By::Key);
        true
    }
}

//! The volume panel: the system's window that the volume keys bring up for a while.

use std::sync::Arc;
use std::time::Duration;

use uitree::{Point, Rect};

use crate::app::Value;
use crate::clock::Due;
use crate::journal::Happening;
use crate::window::SYSTEM_UI;

use super::Phone;
use super::system::HELD;

/// The page of the system's app file that shows it, and the variable that its slider moves.
const PANEL: &str = "volume";

/// How long it stays after the last key or touch.
const STAYS: Duration = Duration::from_secs(3);

/// Its width, its distance from the right edge and from the upper one, in density-independent pixels.
const WIDTH: f32 = 304.0;
const EDGE: f32 = 8.0;
const TOP: f32 = 120.0;

impl Phone {
    /// Shows the panel, or lets it stay longer.
    pub(crate) fn show_volume(&mut self) {
        self.start_system();
        self.tell_volume();
        let window = match self.volume_panel {
            Some(window) => window,
            None => {
                let Some(window) = self.open_system_page(PANEL, Arc::default()) else {
                    return;
                };
                let insets = self.insets_of(self.screen.to_rect());
                let right = self.screen.width - insets.right as i32 - self.theme.dp(EDGE);
                let top = self.theme.dp(TOP);
                let anchor = Rect::new(right - self.theme.dp(WIDTH), top, right, top);
                if let Some(open) = self.open_mut(window) {
                    open.anchor = Some(anchor);
                }
                self.volume_panel = Some(window);
                window
            }
        };
        self.volume_stays(window, STAYS);
        self.bump();
    }

    fn volume_stays(&mut self, window: u64, time: Duration) {
        self.agenda
            .keep(|due| !matches!(due, Due::VolumeEnds(each) if *each == window));
        self.agenda.add(self.now + time, Due::VolumeEnds(window));
    }

    /// The time of the panel is over; under a finger it stays until the finger has left.
    pub(super) fn volume_ends(&mut self, window: u64) {
        if self.finger_on(window).is_some() {
            self.volume_stays(window, HELD);
        } else {
            self.hide_volume();
        }
    }

    /// Takes the panel away.
    pub(crate) fn hide_volume(&mut self) {
        if let Some(window) = self.volume_panel.take() {
            self.agenda.keep(|due| !matches!(due, Due::VolumeEnds(_)));
            self.end_system_page(window);
        }
    }

    /// A finger comes down: beside the panel it takes the panel away, and goes on to what lies there.
    pub(crate) fn touch_outside_volume(&mut self, at: Point) {
        let Some(window) = self.volume_panel else {
            return;
        };
        let view = self.view();
        let mut panel = view.windows.iter().filter(|shown| shown.id == window);
        if panel.any(|shown| shown.area.contains(at)) {
            self.volume_stays(window, STAYS);
        } else {
            self.hide_volume();
        }
    }

    /// The slider of the panel says how loud the phone is.
    pub(super) fn hear_volume(&mut self) {
        if self.volume_panel.is_none() {
            return;
        }
        let Some(said) = self.variable(SYSTEM_UI, PANEL) else {
            return;
        };
        let to = said.number().round() as u8;
        if to != self.volume {
            self.volume = to;
            self.note(Happening::Volume(to));
        }
    }

    fn tell_volume(&mut self) {
        let value = Value::Number(f64::from(self.volume));
        if let Some(system) = self.task_mut(SYSTEM_UI) {
            system.vars.set(PANEL, value);
        }
    }
}

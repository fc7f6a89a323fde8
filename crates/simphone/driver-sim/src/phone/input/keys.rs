//! Keys of a hardware keyboard, and Enter on a focused widget.

use uitree::State;

use crate::journal::{ClickSource, Event};
use crate::keycode::Keycode;
use crate::phone::Phone;
use sim_format::widget::Kind;

use super::edit::Step;
use super::press::find;

impl Phone {
    /// Presses and releases a key of a hardware keyboard, which goes to the focused field.
    pub fn press_keycode(&mut self, key: Keycode) {
        if !self.awake {
            return;
        }
        self.note(Event::HardwareKey(key));
        match key {
            Keycode::MoveHome => {
                self.move_cursor(Step::LeftEdge);
            }
            Keycode::MoveEnd => {
                self.move_cursor(Step::RightEdge);
            }
            Keycode::PageUp => self.turn_page(Step::Up),
            Keycode::PageDown => self.turn_page(Step::Down),
            Keycode::ForwardDel => self.delete_forward(),
            Keycode::Paste => self.paste(),
            Keycode::Up => {
                self.move_cursor(Step::Up);
            }
            Keycode::Down => {
                self.move_cursor(Step::Down);
            }
            Keycode::Left => {
                self.move_cursor(Step::Left);
            }
            Keycode::Right => {
                self.move_cursor(Step::Right);
            }
            Keycode::SelectAll => self.select_all(),
        }
        self.settle();
    }

    /// Moves the cursor by the visible lines of its field.
    fn turn_page(&mut self, step: Step) {
        /// The most lines of a text.
        const ALL: u32 = 10_000;
        let Some((_, element)) = self.current_field() else {
            return;
        };
        let lines = match &element.spec.kind {
            Kind::Field(field) if field.multiline => field.max_lines.unwrap_or(ALL),
            _ => 1,
        };
        for _ in 0..lines {
            if !self.move_cursor(step) {
                return;
            }
        }
    }

    /// Clicks the focused widget, unless it is a text field; returns whether there is one.
    pub(crate) fn press_focused(&mut self) -> bool {
        let Some(window) = self.active_id() else {
            return false;
        };
        let Some(key) = self.active().and_then(|open| open.local.focus) else {
            return false;
        };
        let view = self.view();
        let required_state = State::CLICKABLE | State::ENABLED;
        let focused = find(&view, window, key).filter(|element| {
            element.state.contains(required_state) && !matches!(element.spec.kind, Kind::Field(_))
        });
        let Some(element) = focused.cloned() else {
            return false;
        };
        self.click(window, &element, ClickSource::Key);
        true
    }
}

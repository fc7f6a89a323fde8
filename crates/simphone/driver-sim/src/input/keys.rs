//! Keys of the device that apps and the volume answer.

use std::sync::Arc;

use driver::Key;
use uitree::State;

use crate::app::Effects;
use crate::journal::{ClickSource, Event};
use crate::phone::{Context, Phone};
use crate::widget::Kind;

use super::edit::{EditKey, Step};
use super::focus::{Direction, Sequence};
use super::press::find;

/// The steps of the volume, and where it stands at the start.
pub(crate) const VOLUMES: u8 = 15;
pub(crate) const VOLUME: u8 = 5;

/// A key of a hardware keyboard or a remote control, by the name that Android gives its code. Keys that every driver has
/// are [`driver::Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keycode {
    /// The cursor to the left; from the edge of a text, the focus.
    DpadLeft,
    /// The cursor or the focus to the right.
    DpadRight,
    /// The cursor or the focus up.
    DpadUp,
    /// The cursor or the focus down.
    DpadDown,
    /// Presses what has the focus.
    DpadCenter,
    /// The cursor to the left edge of its line, as it is wrapped.
    MoveHome,
    /// The cursor to the right edge of its line, as it is wrapped.
    MoveEnd,
    /// The cursor up by as many lines as its field shows; at the beginning of a text it stays.
    PageUp,
    /// The cursor down by as many lines as its field shows; at the end of a text it stays.
    PageDown,
    /// Deletes the character behind the cursor.
    ForwardDel,
    /// Tab with the shift key: the focus to the widget before.
    ShiftTab,
    /// Selects the whole text of the field with the focus, as Ctrl and A do.
    SelectAll,
    /// Copies what is selected.
    Copy,
    /// Cuts what is selected out.
    Cut,
    /// Writes what was copied.
    Paste,
}

impl Keycode {
    /// Its name in the journal.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keycode::DpadLeft => "dpad_left",
            Keycode::DpadRight => "dpad_right",
            Keycode::DpadUp => "dpad_up",
            Keycode::DpadDown => "dpad_down",
            Keycode::DpadCenter => "dpad_center",
            Keycode::MoveHome => "move_home",
            Keycode::MoveEnd => "move_end",
            Keycode::PageUp => "page_up",
            Keycode::PageDown => "page_down",
            Keycode::ForwardDel => "forward_del",
            Keycode::ShiftTab => "shift_tab",
            Keycode::SelectAll => "select_all",
            Keycode::Copy => "copy",
            Keycode::Cut => "cut",
            Keycode::Paste => "paste",
        }
    }
}

impl Phone {
    /// Presses and releases a key that not every driver has. It goes to the window with the input focus: to the field
    /// that is written first, then it moves the focus.
    pub fn press_keycode(&mut self, key: Keycode) {
        if !self.awake {
            return;
        }
        self.note(Event::HardwareKey(key));
        match key {
            Keycode::DpadLeft => self.step_or_focus(Step::Left, Direction::Left),
            Keycode::DpadRight => self.step_or_focus(Step::Right, Direction::Right),
            Keycode::DpadUp => self.step_or_focus(Step::Up, Direction::Up),
            Keycode::DpadDown => self.step_or_focus(Step::Down, Direction::Down),
            Keycode::DpadCenter => {
                if !self.press_focused() {
                    self.open_focused_field();
                }
            }
            Keycode::MoveHome => {
                self.move_cursor(Step::LeftEdge);
            }
            Keycode::MoveEnd => {
                self.move_cursor(Step::RightEdge);
            }
            Keycode::PageUp => self.turn_page(Step::Up),
            Keycode::PageDown => self.turn_page(Step::Down),
            Keycode::ForwardDel => self.delete_forward(),
            Keycode::ShiftTab => self.focus_along(Sequence::Backward),
            Keycode::SelectAll => self.act_on_focused(EditKey::SelectAll),
            Keycode::Copy => self.act_on_focused(EditKey::Copy),
            Keycode::Cut => self.act_on_focused(EditKey::Cut),
            Keycode::Paste => self.act_on_focused(EditKey::Paste),
        }
        self.settle();
    }

    fn step_or_focus(&mut self, step: Step, direction: Direction) {
        if !self.move_cursor(step) {
            // Without a widget in that direction the focus stays.
            self.focus_towards(direction);
        }
    }

    /// Moves the cursor by as many lines as its field shows.
    fn turn_page(&mut self, step: Step) {
        /// More than a text has.
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

    /// Brings the keyboard up for the field with the focus.
    fn open_focused_field(&mut self) {
        if let Some((window, element)) = self.current_field() {
            self.focus(window, &element);
        }
    }

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
            self.note(Event::Volume(to));
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
            app: Arc::clone(self.tasks.front()),
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
        self.click(window, &element, ClickSource::Key);
        true
    }
}

//! Raw touch events and typed text, below gestures and nodes.

use driver::{Cx, Result};
use uitree::Point;

use crate::driver::SimDriver;
use crate::keycode::Keycode;
use crate::phone::faults::QueuedInput;
use sim_format::fault::Calls;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finger {
    Down(Point),
    Move(Point),
    /// It is lifted, and presses its target.
    Up(Point),
    /// The touch ends without a press.
    Cancel,
}

impl SimDriver {
    /// Advances the phone's time to the runtime's; no fault fires on this.
    pub fn catch_up(&mut self) {
        self.advance();
    }

    /// Handles one event of a finger, which stays on the screen between calls. A touch outside the screen, or while the
    /// screen is off, has no effect.
    pub fn finger(&mut self, event: Finger) {
        self.advance();
        match event {
            Finger::Down(at) if self.on_screen(at).is_ok() => {
                self.held = true;
                self.phone.touch_down(at);
            }
            Finger::Down(_) => {}
            Finger::Move(at) => self.phone.touch_move(at),
            Finger::Up(at) => {
                self.held = false;
                self.phone.touch_up(at);
            }
            Finger::Cancel => {
                self.held = false;
                self.phone.touch_cancel();
            }
        }
        self.drain();
    }

    /// Types into the focused field, as a keyboard does; without one the text is dropped, as on a device.
    pub async fn type_text(&mut self, cx: &Cx, text: &str) -> Result<()> {
        let fired = self.begin_call(cx, Calls::TEXT).await?;
        fired.call_error()?;
        self.awake()?;
        let text = fired.alter_text(text);
        let input = QueuedInput::Text(text.clone());
        for _ in 0..self.phone.repetitions(&fired, input) {
            self.phone.type_text(&text);
        }
        self.finish_input(cx, &fired, Ok(())).await
    }

    /// Presses and releases a key of a hardware keyboard.
    pub async fn keycode(&mut self, cx: &Cx, code: Keycode) -> Result<()> {
        let fired = self.begin_call(cx, Calls::KEY).await?;
        fired.call_error()?;
        self.awake()?;
        for _ in 0..self.phone.repetitions(&fired, QueuedInput::Code(code)) {
            self.phone.press_keycode(code);
        }
        self.finish_input(cx, &fired, Ok(())).await
    }
}

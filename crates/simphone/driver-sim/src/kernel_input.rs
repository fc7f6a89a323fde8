//! The phone as its own input system reaches it: single touches and typed text, past gestures and nodes.

use driver::{Cx, NodeAct, Result};
use uitree::Point;

use crate::driver::SimDriver;
use crate::keycode::Keycode;
use crate::phone::faults::QueuedInput;
use sim_format::fault::Calls;

/// One event of a finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finger {
    /// It comes down.
    Down(Point),
    /// It moves.
    Move(Point),
    /// It leaves, and presses what it came down on.
    Up(Point),
    /// It is taken away without a press.
    Cancel,
}

impl SimDriver {
    /// Lets the phone's time catch up with the runtime's, and leaves everything else as it is: faults strike none of
    /// this.
    pub fn catch_up(&mut self) {
        self.advance();
    }

    /// One event of a finger, which stays on the screen between calls until it leaves. A place outside the screen meets
    /// nothing, and neither does a screen that is off.
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

    /// Types into the field that has the focus, as a keyboard does; without one the text goes nowhere, as on a device.
    ///
    /// # Errors
    /// Those that a fault makes, and `Refused` while the screen is off.
    pub async fn type_text(&mut self, cx: &Cx, text: &str) -> Result<()> {
        let struck = self.meet(cx, Calls::TEXT).await?;
        struck.refusal()?;
        self.awake()?;
        let written = NodeAct::AppendText(text.to_owned());
        if let NodeAct::AppendText(left) = struck.text_left(&written)
            && !self
                .phone
                .swallows(&struck, QueuedInput::Text(left.clone()))
        {
            for _ in 0..struck.times().unwrap_or(0) {
                self.phone.type_text(&left);
            }
        }
        self.answer(cx, &struck, Ok(())).await
    }

    /// Presses and releases a key that not every driver has.
    ///
    /// # Errors
    /// Those that a fault makes, and `Refused` while the screen is off.
    pub async fn keycode(&mut self, cx: &Cx, code: Keycode) -> Result<()> {
        let struck = self.meet(cx, Calls::KEY).await?;
        struck.refusal()?;
        self.awake()?;
        if !self.phone.swallows(&struck, QueuedInput::Code(code)) {
            for _ in 0..struck.times().unwrap_or(0) {
                self.phone.press_keycode(code);
            }
        }
        self.answer(cx, &struck, Ok(())).await
    }
}

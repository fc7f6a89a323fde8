//! The keys of the on-screen keyboard.

use uitree::State;

#[derive(Clone, Debug)]
pub struct KeyCap {
    pub cap: String,
    pub icon: Option<&'static str>,
    pub code: KeyCode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCode {
    Type(char),
    Shift,
    Delete,
    Symbols,
    Letters,
    Action,
}

impl KeyCap {
    pub const fn state() -> State {
        State::CLICKABLE
    }
}

//! Keys of a keyboard, and the effect of phone keys on a page.

use cdp::protocol::input::{DispatchKeyEvent, KeyEventType};
use driver::Key;

/// A key press with its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPress {
    name: &'static str,
    number: i32,
    /// The text that it types.
    text: &'static str,
    modifiers: u8,
}

/// The modifier bit of Alt.
const ALT: u8 = 1;
/// The modifier bit of Control.
const CONTROL: u8 = 2;

const fn plain(name: &'static str, number: i32) -> KeyPress {
    KeyPress {
        name,
        number,
        text: "",
        modifiers: 0,
    }
}

pub(crate) const ENTER: KeyPress = KeyPress {
    text: "\r",
    ..plain("Enter", 13)
};
pub(crate) const TAB: KeyPress = plain("Tab", 9);
pub(crate) const ESCAPE: KeyPress = plain("Escape", 27);
pub(crate) const BACKSPACE: KeyPress = plain("Backspace", 8);
pub(crate) const HOME: KeyPress = plain("Home", 36);
pub(crate) const DOWN: KeyPress = plain("ArrowDown", 40);
/// Opens a list.
pub(crate) const OPEN: KeyPress = KeyPress {
    modifiers: ALT,
    ..DOWN
};
/// Moves to the end of the text.
pub(crate) const END: KeyPress = KeyPress {
    modifiers: CONTROL,
    ..plain("End", 35)
};

impl KeyPress {
    /// Its two events. They have no native key code: otherwise the browser handles keys that the page ignores,
    /// and Escape stops loading in whatever tab is in front.
    pub(crate) fn events(self) -> [DispatchKeyEvent; 2] {
        let event = |kind| DispatchKeyEvent {
            key: Some(self.name.to_owned()),
            code: Some(self.name.to_owned()),
            windows_virtual_key_code: Some(self.number),
            modifiers: (self.modifiers != 0).then_some(self.modifiers),
            ..DispatchKeyEvent::of(kind)
        };
        if self.text.is_empty() {
            return [event(KeyEventType::RawKeyDown), event(KeyEventType::KeyUp)];
        }
        let text = Some(self.text.to_owned());
        let down = DispatchKeyEvent {
            text: text.clone(),
            unmodified_text: text,
            ..event(KeyEventType::KeyDown)
        };
        [down, event(KeyEventType::KeyUp)]
    }
}

/// The effect of a key on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyEffect {
    /// A key of the keyboard.
    Press(KeyPress),
    /// One step back in the history of the tab.
    Back,
    /// Not supported by pages.
    Nothing(&'static str),
}

/// The effect of a key.
pub(crate) const fn key_effect(key: Key) -> KeyEffect {
    match key {
        Key::Enter => KeyEffect::Press(ENTER),
        Key::Delete => KeyEffect::Press(BACKSPACE),
        Key::Tab => KeyEffect::Press(TAB),
        Key::Escape => KeyEffect::Press(ESCAPE),
        Key::Back => KeyEffect::Back,
        Key::Home => KeyEffect::Nothing(
            "the key home: a browser has no home screen; use open_uri to open a page",
        ),
        Key::Recents => {
            KeyEffect::Nothing("the key recents: use open_app to switch to the tab of a host")
        }
        Key::VolumeUp | Key::VolumeDown => KeyEffect::Nothing("the volume keys: a page has none"),
        Key::Power => KeyEffect::Nothing("the key power: a browser has none"),
        Key::Menu => KeyEffect::Nothing("the key menu: a page has none"),
        Key::Search => KeyEffect::Nothing("the key search: click the page's own search"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_key_has_text() {
        let [down, up] = ENTER.events();
        assert_eq!(down.text.as_deref(), Some("\r"));
        assert_eq!(down.kind, KeyEventType::KeyDown);
        assert_eq!(up.text, None);
        let [down, _] = OPEN.events();
        assert_eq!(down.kind, KeyEventType::RawKeyDown);
        assert_eq!(
            (down.modifiers, down.key.as_deref()),
            (Some(1), Some("ArrowDown"))
        );
    }
}

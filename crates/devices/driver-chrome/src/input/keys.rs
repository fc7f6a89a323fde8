//! Keys of a keyboard, and the effect of phone keys on a page.

use cdp::protocol::input::{DispatchKeyEvent, KeyEventType};
use driver::{Key, KeyChord, KeyboardKey, Modifier, UsKey};

/// A key press with its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPress {
    key: PressedKey,
    /// The bits of the held modifiers.
    modifiers: u8,
}

/// A key as the browser describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PressedKey {
    /// A key with a name, which is also its code.
    Named {
        name: &'static str,
        number: i32,
        /// The text that it types.
        text: &'static str,
    },
    /// A function key.
    Function(u8),
    /// The key of a character on a US keyboard.
    Char {
        /// What it types, with Shift if that is held.
        typed: char,
        /// Its key.
        on: UsKey,
    },
}

/// The modifier bit of Alt.
const ALT: u8 = 1;
/// The modifier bit of Control.
const CONTROL: u8 = 2;
/// The modifier bit of Meta.
const META: u8 = 4;
/// The modifier bit of Shift.
const SHIFT: u8 = 8;

/// The code and the virtual key code of Windows of the keys that are neither letters nor digits.
const SYMBOLS: &[(char, &str, i32)] = &[
    (';', "Semicolon", 186),
    ('=', "Equal", 187),
    (',', "Comma", 188),
    ('-', "Minus", 189),
    ('.', "Period", 190),
    ('/', "Slash", 191),
    ('`', "Backquote", 192),
    ('[', "BracketLeft", 219),
    ('\\', "Backslash", 220),
    (']', "BracketRight", 221),
    ('\'', "Quote", 222),
];

const fn named_key(name: &'static str, number: i32) -> KeyPress {
    KeyPress {
        key: PressedKey::Named {
            name,
            number,
            text: "",
        },
        modifiers: 0,
    }
}

pub(crate) const ENTER: KeyPress = KeyPress {
    key: PressedKey::Named {
        name: "Enter",
        number: 13,
        text: "\r",
    },
    modifiers: 0,
};
pub(crate) const TAB: KeyPress = named_key("Tab", 9);
pub(crate) const ESCAPE: KeyPress = named_key("Escape", 27);
pub(crate) const BACKSPACE: KeyPress = named_key("Backspace", 8);
/// The key that the keyboard of a phone reports for text.
pub(crate) const UNNAMED: KeyPress = named_key("Unidentified", 229);
pub(crate) const HOME: KeyPress = named_key("Home", 36);
pub(crate) const DOWN: KeyPress = named_key("ArrowDown", 40);
/// Opens a list.
pub(crate) const OPEN: KeyPress = KeyPress {
    modifiers: ALT,
    ..DOWN
};
/// Moves to the end of the text.
pub(crate) const END: KeyPress = KeyPress {
    modifiers: CONTROL,
    ..named_key("End", 35)
};

impl KeyPress {
    /// Its two events. They have no native key code: otherwise the browser handles keys that the page ignores,
    /// and Escape stops loading in whatever tab is in front.
    pub(crate) fn events(self) -> [DispatchKeyEvent; 2] {
        let (key, code, number) = self.key.describe();
        let event = |kind| DispatchKeyEvent {
            key: Some(key.clone()),
            code: Some(code.clone()),
            windows_virtual_key_code: Some(number),
            modifiers: (self.modifiers != 0).then_some(self.modifiers),
            ..DispatchKeyEvent::of(kind)
        };
        // With these modifiers a key is a command and types nothing.
        let types_text = self.modifiers & (ALT | CONTROL | META) == 0;
        let Some(text) = self.key.text().filter(|_| types_text) else {
            return [event(KeyEventType::RawKeyDown), event(KeyEventType::KeyUp)];
        };
        let down = DispatchKeyEvent {
            text: Some(text.clone()),
            unmodified_text: Some(text),
            ..event(KeyEventType::KeyDown)
        };
        [down, event(KeyEventType::KeyUp)]
    }
}

impl PressedKey {
    /// Its `key`, its `code`, and its virtual key code.
    fn describe(self) -> (String, String, i32) {
        match self {
            Self::Named {
                name: " ", number, ..
            } => (" ".to_owned(), "Space".to_owned(), number),
            Self::Named {
                name: name @ "Unidentified",
                number,
                ..
            } => (name.to_owned(), String::new(), number),
            Self::Named { name, number, .. } => (name.to_owned(), name.to_owned(), number),
            Self::Function(number) => {
                let name = format!("F{number}");
                (name.clone(), name, 111 + i32::from(number))
            }
            Self::Char { typed, on } => {
                let (code, number) = match on.plain {
                    'a'..='z' => (format!("Key{}", on.shifted), on.shifted as i32),
                    '0'..='9' => (format!("Digit{}", on.plain), on.plain as i32),
                    plain => {
                        let symbol = SYMBOLS.iter().find(|symbol| symbol.0 == plain);
                        symbol.map_or_else(
                            || (String::new(), 0),
                            |symbol| (symbol.1.to_owned(), symbol.2),
                        )
                    }
                };
                (typed.to_string(), code, number)
            }
        }
    }

    /// The text that it types.
    fn text(self) -> Option<String> {
        match self {
            Self::Named { text: "", .. } | Self::Function(_) => None,
            Self::Named { text, .. } => Some(text.to_owned()),
            Self::Char { typed, .. } => Some(typed.to_string()),
        }
    }
}

/// The events of a chord: its modifiers go down one after the other, and up in reverse order after the key.
pub(crate) fn chord_events(chord: &KeyChord) -> Vec<DispatchKeyEvent> {
    let mut press = key_press(chord.key);
    let mut modifiers = Vec::new();
    for modifier in &chord.modifiers {
        let (name, number, bit) = match modifier {
            Modifier::Ctrl => ("Control", 17, CONTROL),
            Modifier::Alt => ("Alt", 18, ALT),
            Modifier::Shift => ("Shift", 16, SHIFT),
            Modifier::Meta => ("Meta", 91, META),
        };
        press.modifiers |= bit;
        if *modifier == Modifier::Shift
            && let PressedKey::Char { typed, on } = &mut press.key
        {
            *typed = on.shifted;
        }
        modifiers.push((name, number, press.modifiers, bit));
    }
    let modifier_event = |kind, name: &str, number, modifiers: u8| DispatchKeyEvent {
        key: Some(name.to_owned()),
        code: Some(format!("{name}Left")),
        windows_virtual_key_code: Some(number),
        modifiers: (modifiers != 0).then_some(modifiers),
        location: Some(1),
        ..DispatchKeyEvent::of(kind)
    };
    let down = modifiers.iter().map(|(name, number, held, _)| {
        modifier_event(KeyEventType::RawKeyDown, name, *number, *held)
    });
    let up = modifiers.iter().rev().map(|(name, number, held, bit)| {
        modifier_event(KeyEventType::KeyUp, name, *number, held & !bit)
    });
    down.chain(press.events()).chain(up).collect()
}

/// The press of a key without further modifiers.
fn key_press(key: KeyboardKey) -> KeyPress {
    match key {
        KeyboardKey::Char(typed) => {
            let on = UsKey::that_types(typed).unwrap_or(UsKey {
                plain: typed,
                shifted: typed,
            });
            KeyPress {
                key: PressedKey::Char { typed, on },
                modifiers: if on.plain == typed { 0 } else { SHIFT },
            }
        }
        KeyboardKey::Enter => ENTER,
        KeyboardKey::Backspace => BACKSPACE,
        KeyboardKey::ForwardDelete => named_key("Delete", 46),
        KeyboardKey::Tab => TAB,
        KeyboardKey::Escape => ESCAPE,
        KeyboardKey::Space => KeyPress {
            key: PressedKey::Named {
                name: " ",
                number: 32,
                text: " ",
            },
            modifiers: 0,
        },
        KeyboardKey::Insert => named_key("Insert", 45),
        KeyboardKey::Up => named_key("ArrowUp", 38),
        KeyboardKey::Down => DOWN,
        KeyboardKey::Left => named_key("ArrowLeft", 37),
        KeyboardKey::Right => named_key("ArrowRight", 39),
        KeyboardKey::PageUp => named_key("PageUp", 33),
        KeyboardKey::PageDown => named_key("PageDown", 34),
        KeyboardKey::MoveHome => HOME,
        KeyboardKey::MoveEnd => named_key("End", 35),
        KeyboardKey::Function(number) => KeyPress {
            key: PressedKey::Function(number),
            modifiers: 0,
        },
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
            "the key home: a browser has no home screen; use open_uri, or the key move_home",
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

    /// The events of a chord, each as kind, key, code, number, modifiers and text.
    fn events(modifiers: &[Modifier], key: KeyboardKey) -> String {
        let chord = KeyChord {
            modifiers: modifiers.to_vec(),
            key,
        };
        let describe_event = |event: &DispatchKeyEvent| {
            format!(
                "{:?} {} {} {} {} {:?}",
                event.kind,
                event.key.as_deref().unwrap_or_default(),
                event.code.as_deref().unwrap_or_default(),
                event.windows_virtual_key_code.unwrap_or_default(),
                event.modifiers.unwrap_or_default(),
                event.text.as_deref().unwrap_or_default()
            )
        };
        let events: Vec<String> = chord_events(&chord).iter().map(describe_event).collect();
        events.join("\n")
    }

    #[test]
    fn chord_presses_and_releases_its_modifiers() {
        expect_test::expect![[r#"
            RawKeyDown Control ControlLeft 17 2 ""
            RawKeyDown Shift ShiftLeft 16 10 ""
            RawKeyDown Z KeyZ 90 10 ""
            KeyUp Z KeyZ 90 10 ""
            KeyUp Shift ShiftLeft 16 2 ""
            KeyUp Control ControlLeft 17 0 """#]]
        .assert_eq(&events(
            &[Modifier::Ctrl, Modifier::Shift],
            KeyboardKey::Char('z'),
        ));
    }

    #[test]
    fn characters_have_the_key_of_a_us_keyboard() {
        let keys = ['a', '1', '?', '~', '{']
            .map(|typed| events(&[], KeyboardKey::Char(typed)))
            .join("\n");
        expect_test::expect![[r#"
            KeyDown a KeyA 65 0 "a"
            KeyUp a KeyA 65 0 ""
            KeyDown 1 Digit1 49 0 "1"
            KeyUp 1 Digit1 49 0 ""
            KeyDown ? Slash 191 8 "?"
            KeyUp ? Slash 191 8 ""
            KeyDown ~ Backquote 192 8 "~"
            KeyUp ~ Backquote 192 8 ""
            KeyDown { BracketLeft 219 8 "{"
            KeyUp { BracketLeft 219 8 """#]]
        .assert_eq(&keys);
        assert_eq!(
            events(&[Modifier::Shift], KeyboardKey::Char('1'))
                .lines()
                .nth(1),
            Some("KeyDown ! Digit1 49 8 \"!\"")
        );
    }
}

//! Key codes of Android and what they are on the phone.

use driver::{Key, UsKey};
use driver_sim::Keycode;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// It is a key of the phone.
    Key(Key),
    /// It is a key of a keyboard.
    Code(Keycode),
    /// It types.
    Types(char),
    /// It switches the screen on, or off.
    Screen { on: bool },
    /// Nothing that the phone knows of.
    Nothing,
}

/// Keys by number and name, without `KEYCODE_`. Source: `android.view.KeyEvent`.
const KEYS: &[(u16, &str, Does)] = &[
    (3, "HOME", Does::Key(Key::Home)),
    (4, "BACK", Does::Key(Key::Back)),
    (17, "STAR", Does::Types('*')),
    (18, "POUND", Does::Types('#')),
    (19, "DPAD_UP", Does::Code(Keycode::Up)),
    (20, "DPAD_DOWN", Does::Code(Keycode::Down)),
    (21, "DPAD_LEFT", Does::Code(Keycode::Left)),
    (22, "DPAD_RIGHT", Does::Code(Keycode::Right)),
    (24, "VOLUME_UP", Does::Key(Key::VolumeUp)),
    (25, "VOLUME_DOWN", Does::Key(Key::VolumeDown)),
    (26, "POWER", Does::Key(Key::Power)),
    (55, "COMMA", Does::Types(',')),
    (56, "PERIOD", Does::Types('.')),
    (61, "TAB", Does::Key(Key::Tab)),
    (62, "SPACE", Does::Types(' ')),
    (66, "ENTER", Does::Key(Key::Enter)),
    (67, "DEL", Does::Key(Key::Delete)),
    (68, "GRAVE", Does::Types('`')),
    (69, "MINUS", Does::Types('-')),
    (70, "EQUALS", Does::Types('=')),
    (71, "LEFT_BRACKET", Does::Types('[')),
    (72, "RIGHT_BRACKET", Does::Types(']')),
    (73, "BACKSLASH", Does::Types('\\')),
    (74, "SEMICOLON", Does::Types(';')),
    (75, "APOSTROPHE", Does::Types('\'')),
    (76, "SLASH", Does::Types('/')),
    (77, "AT", Does::Types('@')),
    (81, "PLUS", Does::Types('+')),
    (82, "MENU", Does::Key(Key::Menu)),
    (84, "SEARCH", Does::Key(Key::Search)),
    (92, "PAGE_UP", Does::Code(Keycode::PageUp)),
    (93, "PAGE_DOWN", Does::Code(Keycode::PageDown)),
    (111, "ESCAPE", Does::Key(Key::Escape)),
    (112, "FORWARD_DEL", Does::Code(Keycode::ForwardDel)),
    (122, "MOVE_HOME", Does::Code(Keycode::MoveHome)),
    (123, "MOVE_END", Does::Code(Keycode::MoveEnd)),
    (160, "NUMPAD_ENTER", Does::Key(Key::Enter)),
    (187, "APP_SWITCH", Does::Key(Key::Recents)),
    (223, "SLEEP", Does::Screen { on: false }),
    (224, "WAKEUP", Does::Screen { on: true }),
    (279, "PASTE", Does::Code(Keycode::Paste)),
];

/// `KEYCODE_A`.
const A: u16 = 29;
/// `KEYCODE_V`.
const V: u16 = 50;
/// `KEYCODE_CTRL_LEFT`.
const CTRL_LEFT: u16 = 113;
/// `META_CTRL_ON`.
const CTRL_ON: u32 = 0x1000;
/// `META_SHIFT_ON`.
const SHIFT_ON: u32 = 1;

/// What a key does while these meta keys are held.
pub(super) fn with_meta(code: u16, meta: u32) -> Does {
    match (code, meta & (CTRL_ON | SHIFT_ON)) {
        (A, CTRL_ON) => Does::Code(Keycode::SelectAll),
        (V, CTRL_ON) => Does::Code(Keycode::Paste),
        (_, 0) => key(&code.to_string()),
        (_, SHIFT_ON) => match key(&code.to_string()) {
            Does::Types(letter) => {
                Does::Types(UsKey::that_types(letter).map_or(letter, |key| key.shifted))
            }
            _ => Does::Nothing,
        },
        _ => Does::Nothing,
    }
}

/// What keys do that are pressed together.
pub(super) fn together(codes: &[u16]) -> Does {
    match *codes {
        [CTRL_LEFT, code] => with_meta(code, CTRL_ON),
        _ => Does::Nothing,
    }
}

/// What the key of this number or name does; names with and without `KEYCODE_`.
pub(super) fn key(name: &str) -> Does {
    if let Ok(number) = name.parse::<u16>() {
        return match number {
            7..=16 => typed(u32::from('0') + u32::from(number) - 7),
            29..=54 => typed(u32::from('a') + u32::from(number) - 29),
            _ => by(|each| each.0 == number),
        };
    }
    let name = name.to_ascii_uppercase();
    let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
    if let [letter] = name.as_bytes()
        && letter.is_ascii_alphanumeric()
    {
        return Does::Types(char::from(letter.to_ascii_lowercase()));
    }
    by(|each| each.1 == name)
}

fn typed(letter: u32) -> Does {
    char::from_u32(letter).map_or(Does::Nothing, Does::Types)
}

fn by(wanted: impl Fn(&(u16, &str, Does)) -> bool) -> Does {
    let found = KEYS.iter().find(|each| wanted(each));
    found.map_or(Does::Nothing, |each| each.2)
}

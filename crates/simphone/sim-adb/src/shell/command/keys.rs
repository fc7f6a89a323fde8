//! The key codes of Android and their effects.

use driver::{Key, UsKey};
use driver_sim::Keycode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyFunction {
    Key(Key),
    Code(Keycode),
    Types(char),
    Screen { on: bool },
    Nothing,
}

/// Keys by code and by name without `KEYCODE_`. Source: `android.view.KeyEvent`.
const KEYS: &[(u16, &str, KeyFunction)] = &[
    (3, "HOME", KeyFunction::Key(Key::Home)),
    (4, "BACK", KeyFunction::Key(Key::Back)),
    (17, "STAR", KeyFunction::Types('*')),
    (18, "POUND", KeyFunction::Types('#')),
    (19, "DPAD_UP", KeyFunction::Code(Keycode::Up)),
    (20, "DPAD_DOWN", KeyFunction::Code(Keycode::Down)),
    (21, "DPAD_LEFT", KeyFunction::Code(Keycode::Left)),
    (22, "DPAD_RIGHT", KeyFunction::Code(Keycode::Right)),
    (24, "VOLUME_UP", KeyFunction::Key(Key::VolumeUp)),
    (25, "VOLUME_DOWN", KeyFunction::Key(Key::VolumeDown)),
    (26, "POWER", KeyFunction::Key(Key::Power)),
    (55, "COMMA", KeyFunction::Types(',')),
    (56, "PERIOD", KeyFunction::Types('.')),
    (61, "TAB", KeyFunction::Key(Key::Tab)),
    (62, "SPACE", KeyFunction::Types(' ')),
    (66, "ENTER", KeyFunction::Key(Key::Enter)),
    (67, "DEL", KeyFunction::Key(Key::Delete)),
    (68, "GRAVE", KeyFunction::Types('`')),
    (69, "MINUS", KeyFunction::Types('-')),
    (70, "EQUALS", KeyFunction::Types('=')),
    (71, "LEFT_BRACKET", KeyFunction::Types('[')),
    (72, "RIGHT_BRACKET", KeyFunction::Types(']')),
    (73, "BACKSLASH", KeyFunction::Types('\\')),
    (74, "SEMICOLON", KeyFunction::Types(';')),
    (75, "APOSTROPHE", KeyFunction::Types('\'')),
    (76, "SLASH", KeyFunction::Types('/')),
    (77, "AT", KeyFunction::Types('@')),
    (81, "PLUS", KeyFunction::Types('+')),
    (82, "MENU", KeyFunction::Key(Key::Menu)),
    (84, "SEARCH", KeyFunction::Key(Key::Search)),
    (92, "PAGE_UP", KeyFunction::Code(Keycode::PageUp)),
    (93, "PAGE_DOWN", KeyFunction::Code(Keycode::PageDown)),
    (111, "ESCAPE", KeyFunction::Key(Key::Escape)),
    (112, "FORWARD_DEL", KeyFunction::Code(Keycode::ForwardDel)),
    (122, "MOVE_HOME", KeyFunction::Code(Keycode::MoveHome)),
    (123, "MOVE_END", KeyFunction::Code(Keycode::MoveEnd)),
    (160, "NUMPAD_ENTER", KeyFunction::Key(Key::Enter)),
    (187, "APP_SWITCH", KeyFunction::Key(Key::Recents)),
    (223, "SLEEP", KeyFunction::Screen { on: false }),
    (224, "WAKEUP", KeyFunction::Screen { on: true }),
    (279, "PASTE", KeyFunction::Code(Keycode::Paste)),
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

pub(super) fn with_meta(code: u16, meta: u32) -> KeyFunction {
    match (code, meta & (CTRL_ON | SHIFT_ON)) {
        (A, CTRL_ON) => KeyFunction::Code(Keycode::SelectAll),
        (V, CTRL_ON) => KeyFunction::Code(Keycode::Paste),
        (_, 0) => key(&code.to_string()),
        (_, SHIFT_ON) => match key(&code.to_string()) {
            KeyFunction::Types(letter) => {
                KeyFunction::Types(UsKey::that_types(letter).map_or(letter, |key| key.shifted))
            }
            _ => KeyFunction::Nothing,
        },
        _ => KeyFunction::Nothing,
    }
}

pub(super) fn together(codes: &[u16]) -> KeyFunction {
    match *codes {
        [CTRL_LEFT, code] => with_meta(code, CTRL_ON),
        _ => KeyFunction::Nothing,
    }
}

/// The effect of the key with this code or name, with or without `KEYCODE_`.
pub(super) fn key(name: &str) -> KeyFunction {
    if let Ok(number) = name.parse::<u16>() {
        return match number {
            7..=16 => typed(u32::from('0') + u32::from(number) - 7),
            29..=54 => typed(u32::from('a') + u32::from(number) - 29),
            _ => find(|each| each.0 == number),
        };
    }
    let name = name.to_ascii_uppercase();
    let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
    if let [letter] = name.as_bytes()
        && letter.is_ascii_alphanumeric()
    {
        return KeyFunction::Types(char::from(letter.to_ascii_lowercase()));
    }
    find(|each| each.1 == name)
}

fn typed(letter: u32) -> KeyFunction {
    char::from_u32(letter).map_or(KeyFunction::Nothing, KeyFunction::Types)
}

fn find(matches: impl Fn(&(u16, &str, KeyFunction)) -> bool) -> KeyFunction {
    let found = KEYS.iter().find(|each| matches(each));
    found.map_or(KeyFunction::Nothing, |each| each.2)
}

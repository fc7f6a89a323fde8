//! Key codes. Source: `android.view.KeyEvent`.

use std::time::Duration;

use driver::{DriverError, Key, KeyChord, KeyboardKey, Modifier, Result, UsKey};
use uitree::Point;

/// The API level that introduced `input motionevent`.
pub(crate) const MOTION_EVENTS_SINCE: u32 = 29;

/// The API level that introduced `input keycombination`.
const COMBINATIONS_SINCE: u32 = 31;

/// The API level that introduced `input draganddrop`.
const DRAGS_SINCE: u32 = 26;

/// To the left edge of a line.
pub(crate) const MOVE_HOME: u32 = 122;
/// To the right edge of a line.
pub(crate) const MOVE_END: u32 = 123;
/// Down by one page; unlike an arrow key it keeps the focus.
pub(crate) const PAGE_DOWN: u32 = 93;
/// Deletes the character before the cursor.
pub(crate) const DELETE: u32 = 67;
/// Deletes the character after the cursor.
pub(crate) const FORWARD_DELETE: u32 = 112;
/// Starts a new line.
pub(crate) const ENTER: u32 = 66;

/// The code of a key.
pub(crate) const fn code(key: Key) -> u32 {
    match key {
        Key::Back => 4,
        Key::Home => 3,
        Key::Recents => 187,
        Key::Enter => ENTER,
        Key::Delete => DELETE,
        Key::Tab => 61,
        Key::Escape => 111,
        Key::VolumeUp => 24,
        Key::VolumeDown => 25,
        Key::Power => 26,
        Key::Menu => 82,
        Key::Search => 84,
    }
}

/// The key with this code; `None` if plans cannot press it.
pub(crate) fn of_code(pressed: u32) -> Option<Key> {
    let keys = [
        Key::Back,
        Key::Home,
        Key::Recents,
        Key::Enter,
        Key::Delete,
        Key::Tab,
        Key::Escape,
        Key::VolumeUp,
        Key::VolumeDown,
        Key::Power,
        Key::Menu,
        Key::Search,
    ];
    keys.into_iter().find(|key| code(*key) == pressed)
}

/// The command that presses a key.
pub(crate) fn event(key: Key) -> String {
    format!("input keyevent {}", code(key))
}

/// The command that presses a key of a keyboard with its modifiers.
///
/// # Errors
/// `Unsupported` for modifiers on a phone that cannot press keys together.
pub(crate) fn chord(chord: &KeyChord, sdk: u32) -> Result<String> {
    if let Some(letter) = chord.types().filter(|letter| *letter != ' ') {
        return Ok(adb::command(["input", "text", &letter.to_string()]));
    }
    if chord.modifiers.is_empty() {
        return Ok(format!("input keyevent {}", keyboard_code(chord.key)));
    }
    if sdk < COMBINATIONS_SINCE {
        return Err(DriverError::Unsupported(
            "keys with modifiers: `input keycombination` came with Android 12 (API level 31)",
        ));
    }
    let mut codes: Vec<String> = Vec::new();
    for modifier in &chord.modifiers {
        codes.push(modifier_code(*modifier).to_string());
    }
    if needs_shift(chord) {
        codes.push(modifier_code(Modifier::Shift).to_string());
    }
    codes.push(keyboard_code(chord.key).to_string());
    Ok(format!("input keycombination {}", codes.join(" ")))
}

/// The key code and the meta state of a chord.
pub(crate) fn code_with_meta(chord: &KeyChord) -> (u32, u32) {
    let shift = needs_shift(chord).then_some(Modifier::Shift);
    let held = chord.modifiers.iter().copied().chain(shift);
    let meta = held.fold(0, |meta, modifier| meta | meta_state(modifier));
    (keyboard_code(chord.key), meta)
}

/// Whether the character of a chord needs Shift, which the chord does not name.
fn needs_shift(chord: &KeyChord) -> bool {
    match chord.key {
        KeyboardKey::Char(typed) if !chord.modifiers.contains(&Modifier::Shift) => {
            UsKey::that_types(typed).is_some_and(|key| key.plain != typed)
        }
        _ => false,
    }
}

const fn modifier_code(modifier: Modifier) -> u32 {
    match modifier {
        Modifier::Ctrl => 113,
        Modifier::Alt => 57,
        Modifier::Shift => 59,
        Modifier::Meta => 117,
    }
}

/// The meta state while the left key of a modifier is held.
const fn meta_state(modifier: Modifier) -> u32 {
    match modifier {
        Modifier::Ctrl => 0x1000 | 0x2000,
        Modifier::Alt => 0x02 | 0x10,
        Modifier::Shift => 0x01 | 0x40,
        Modifier::Meta => 0x1_0000 | 0x2_0000,
    }
}

/// The code of a key of a keyboard.
fn keyboard_code(key: KeyboardKey) -> u32 {
    match key {
        KeyboardKey::Char(typed) => {
            character_code(UsKey::that_types(typed).map_or(typed, |key| key.plain))
        }
        KeyboardKey::Enter => ENTER,
        KeyboardKey::Backspace => DELETE,
        KeyboardKey::ForwardDelete => FORWARD_DELETE,
        KeyboardKey::Tab => 61,
        KeyboardKey::Escape => 111,
        KeyboardKey::Space => 62,
        KeyboardKey::Insert => 124,
        KeyboardKey::Up => 19,
        KeyboardKey::Down => 20,
        KeyboardKey::Left => 21,
        KeyboardKey::Right => 22,
        KeyboardKey::PageUp => 92,
        KeyboardKey::PageDown => PAGE_DOWN,
        KeyboardKey::MoveHome => MOVE_HOME,
        KeyboardKey::MoveEnd => MOVE_END,
        KeyboardKey::Function(number) => 130 + u32::from(number),
    }
}

/// The code of the key that types a character without Shift.
const fn character_code(plain: char) -> u32 {
    match plain {
        'a'..='z' => 29 + (plain as u32 - 'a' as u32),
        '0'..='9' => 7 + (plain as u32 - '0' as u32),
        ',' => 55,
        '.' => 56,
        '`' => 68,
        '-' => 69,
        '=' => 70,
        '[' => 71,
        ']' => 72,
        '\\' => 73,
        ';' => 74,
        '\'' => 75,
        '/' => 76,
        // KEYCODE_UNKNOWN.
        _ => 0,
    }
}

/// The command that drags from one point to another.
///
/// # Errors
/// `Unsupported` on a phone that lacks the command.
pub(crate) fn drag(from: Point, to: Point, duration: Duration, sdk: u32) -> Result<String> {
    if sdk < DRAGS_SINCE {
        return Err(DriverError::Unsupported(
            "drags: `input draganddrop` came with Android 8 (API level 26)",
        ));
    }
    let millis = duration.as_millis();
    Ok(format!(
        "input draganddrop {} {} {} {} {millis}",
        from.x, from.y, to.x, to.y
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(modifiers: &[Modifier], key: KeyboardKey, sdk: u32) -> String {
        let keys = KeyChord {
            modifiers: modifiers.to_vec(),
            key,
        };
        chord(&keys, sdk).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn chord_is_one_command() {
        for (modifiers, key, is) in [
            (&[][..], KeyboardKey::Up, "input keyevent 19"),
            (&[], KeyboardKey::Function(12), "input keyevent 142"),
            (&[], KeyboardKey::Space, "input keyevent 62"),
            (&[], KeyboardKey::Char('a'), "input text a"),
            (&[], KeyboardKey::Char('?'), "input text '?'"),
            (&[Modifier::Shift], KeyboardKey::Char('a'), "input text A"),
            (
                &[Modifier::Ctrl],
                KeyboardKey::Char('a'),
                "input keycombination 113 29",
            ),
            (
                &[Modifier::Ctrl, Modifier::Shift],
                KeyboardKey::Char('z'),
                "input keycombination 113 59 54",
            ),
            (
                &[Modifier::Ctrl],
                KeyboardKey::Char('+'),
                "input keycombination 113 59 70",
            ),
        ] {
            assert_eq!(command(modifiers, key, 31), is);
        }
    }

    #[test]
    fn old_phone_presses_no_keys_together() {
        let refused = command(&[Modifier::Shift], KeyboardKey::Tab, 30);
        assert!(refused.contains("API level 31"), "{refused}");
        assert_eq!(command(&[], KeyboardKey::Up, 24), "input keyevent 19");
        let at = Point::new(1, 2);
        let drag = |sdk| drag(at, Point::new(3, 4), Duration::from_millis(500), sdk);
        assert!(drag(25).is_err());
        assert_eq!(drag(26).unwrap(), "input draganddrop 1 2 3 4 500");
    }

    #[test]
    fn agent_gets_the_meta_state() {
        let keys = KeyChord {
            modifiers: vec![Modifier::Ctrl],
            key: KeyboardKey::Char('a'),
        };
        assert_eq!(code_with_meta(&keys), (29, 0x3000));
    }
}

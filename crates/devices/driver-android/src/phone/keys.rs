//! Key codes. Source: `android.view.KeyEvent`.

use driver::Key;

/// The API level that introduced `input motionevent`.
pub(crate) const MOTION_EVENTS_SINCE: u32 = 29;

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

/// The command that presses a key.
pub(crate) fn event(key: Key) -> String {
    format!("input keyevent {}", code(key))
}

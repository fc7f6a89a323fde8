//! The keys that `press_key` presses: keys of the device, and keys of a keyboard with modifiers, such as `ctrl+a`.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::{
    suggest,
    words::{Key, Word, choice, words},
};

words! {
    /// A key that is held while another is pressed.
    pub enum Modifier {
        /// Control.
        Ctrl = "ctrl" | "control",
        /// Alt, or Option.
        Alt = "alt" | "option",
        /// Shift.
        Shift = "shift",
        /// Command, or the Windows key.
        Meta = "meta" | "cmd" | "command" | "win",
    }
}

words! {
    /// A key of a keyboard that types no visible character.
    pub enum KeyboardKey {
        /// Enter.
        Enter = "enter" | "return",
        /// Deletes the character before the cursor.
        Backspace = "backspace",
        /// Deletes the character after the cursor.
        ForwardDelete = "forward_delete" | "forwarddelete",
        /// Tab.
        Tab = "tab",
        /// Escape.
        Escape = "escape" | "esc",
        /// The space bar.
        Space = "space",
        /// Insert.
        Insert = "insert",
        /// Arrow up.
        Up = "up" | "arrow_up" | "arrowup" | "dpad_up",
        /// Arrow down.
        Down = "down" | "arrow_down" | "arrowdown" | "dpad_down",
        /// Arrow left.
        Left = "left" | "arrow_left" | "arrowleft" | "dpad_left",
        /// Arrow right.
        Right = "right" | "arrow_right" | "arrowright" | "dpad_right",
        /// Page up.
        PageUp = "page_up" | "pageup",
        /// Page down.
        PageDown = "page_down" | "pagedown",
        /// To the start of a line or document; `home` is the home screen.
        MoveHome = "move_home" | "movehome",
        /// To the end of a line or document.
        MoveEnd = "move_end" | "moveend" | "end",
        /// F1.
        F1 = "f1",
        /// F2.
        F2 = "f2",
        /// F3.
        F3 = "f3",
        /// F4.
        F4 = "f4",
        /// F5.
        F5 = "f5",
        /// F6.
        F6 = "f6",
        /// F7.
        F7 = "f7",
        /// F8.
        F8 = "f8",
        /// F9.
        F9 = "f9",
        /// F10.
        F10 = "f10",
        /// F11.
        F11 = "f11",
        /// F12.
        F12 = "f12",
    }
}

/// The last key of a chord.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChordKey {
    /// A key with a name.
    Named(KeyboardKey),
    /// The key of a visible ASCII character; letters are lower case.
    Char(char),
}

/// A set of modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers(u8);

impl Modifiers {
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is held.
    pub const fn has(self, modifier: Modifier) -> bool {
        self.0 & bit(modifier) != 0
    }

    /// The held modifiers, in canonical order.
    pub fn iter(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL
            .iter()
            .copied()
            .filter(move |modifier| self.has(*modifier))
    }

    const fn with(self, modifier: Modifier) -> Self {
        Self(self.0 | bit(modifier))
    }
}

const fn bit(modifier: Modifier) -> u8 {
    match modifier {
        Modifier::Ctrl => 1,
        Modifier::Alt => 2,
        Modifier::Shift => 4,
        Modifier::Meta => 8,
    }
}

/// The keys of one `press_key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPress {
    /// A key that every device has a meaning for.
    Device(Key),
    /// A key of a keyboard, with modifiers.
    Keyboard(Modifiers, ChordKey),
}

/// Why a text names no keys.
#[derive(Debug, PartialEq, Eq)]
pub struct NoKey {
    /// What is wrong with it.
    pub what: String,
    /// The text that was likely intended.
    pub suggestion: Option<String>,
}

impl NoKey {
    fn new(what: impl Into<String>, suggestion: Option<String>) -> Self {
        let what = what.into();
        Self { what, suggestion }
    }
}

impl KeyPress {
    /// The keys with this spelling, ignoring case and surrounding white space.
    pub fn parse(text: &str) -> Result<Self, NoKey> {
        let trimmed = text.trim();
        if let Some(key) = Key::parse(trimmed) {
            return Ok(Self::Device(key));
        }
        let (held, last) = split(trimmed);
        let mut modifiers = Modifiers::default();
        for (place, word) in held.iter().enumerate() {
            let Some(modifier) = Modifier::parse(word) else {
                let meant = suggest::nearest(word, spellings::<Modifier>()).map(|near| {
                    let mut words: Vec<&str> = held.iter().copied().chain([last]).collect();
                    words[place] = near;
                    words.join("+")
                });
                let what = format!(
                    "has the unknown modifier `{}`; the modifiers are {}",
                    escape::truncate_input(word),
                    list::<Modifier>()
                );
                return Err(NoKey::new(what, meant));
            };
            if modifiers.has(modifier) {
                return Err(NoKey::new(format!("has `{modifier}` twice"), None));
            }
            modifiers = modifiers.with(modifier);
        }
        let key = match single(last) {
            Some(letter) if letter.is_ascii_graphic() => {
                if letter.is_ascii_uppercase() && modifiers.is_empty() {
                    modifiers = modifiers.with(Modifier::Shift);
                }
                ChordKey::Char(letter.to_ascii_lowercase())
            }
            Some(letter) if !letter.is_ascii() => {
                let what = format!("has no key for `{letter}`; enter_text types any character");
                return Err(NoKey::new(what, None));
            }
            _ => ChordKey::Named(named(last, &held)?),
        };
        Ok(Self::new(modifiers, key))
    }

    /// These keys; those that every device has are one of its own.
    fn new(modifiers: Modifiers, key: ChordKey) -> Self {
        let own = match key {
            ChordKey::Named(KeyboardKey::Enter) => Some(Key::Enter),
            ChordKey::Named(KeyboardKey::Backspace) => Some(Key::Delete),
            ChordKey::Named(KeyboardKey::Tab) => Some(Key::Tab),
            ChordKey::Named(KeyboardKey::Escape) => Some(Key::Escape),
            ChordKey::Named(_) | ChordKey::Char(_) => None,
        };
        match own {
            Some(own) if modifiers.is_empty() => Self::Device(own),
            _ => Self::Keyboard(modifiers, key),
        }
    }

    /// The allowed values, for messages.
    pub(crate) fn choice() -> String {
        format!(
            "{}, or a key of a keyboard such as page_down, f5, a or ctrl+a",
            choice::<Key>()
        )
    }
}

/// The parts of a chord: its modifiers, and its key, which may be `+` itself.
fn split(text: &str) -> (Vec<&str>, &str) {
    if let Some(before) = text.strip_suffix("++") {
        return (before.split('+').map(str::trim).collect(), "+");
    }
    if text == "+" {
        return (Vec::new(), text);
    }
    let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
    let last = parts.pop().unwrap_or_default();
    (parts, last)
}

/// The only character of a text.
fn single(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let first = letters.next()?;
    letters.next().is_none().then_some(first)
}

/// The key with this name, after these modifiers.
fn named(word: &str, held: &[&str]) -> Result<KeyboardKey, NoKey> {
    if let Some(key) = KeyboardKey::parse(word) {
        return Ok(key);
    }
    let chord = |key: &str| {
        let words: Vec<&str> = held.iter().copied().chain([key]).collect();
        words.join("+")
    };
    if word.is_empty() && !held.is_empty() || Modifier::parse(word).is_some() {
        let what = "names no key after its modifiers, as `ctrl+a` does";
        return Err(NoKey::new(what, None));
    }
    match Key::parse(word) {
        Some(Key::Home) => Err(NoKey::new(
            "has the key of the home screen after a modifier; move_home is the key of a keyboard",
            Some(chord(KeyboardKey::MoveHome.as_str())),
        )),
        Some(Key::Delete) => {
            let what = "must name the key `backspace`, before the cursor, or `forward_delete`, after it, not `delete`";
            Err(NoKey::new(what, None))
        }
        Some(key) => Err(NoKey::new(
            format!("has modifiers before `{key}`, which takes none"),
            Some(key.as_str().to_owned()),
        )),
        None => {
            let known = spellings::<KeyboardKey>();
            let device = held.is_empty().then(spellings::<Key>).into_iter().flatten();
            let meant = suggest::nearest(word, known.chain(device)).map(chord);
            Err(match held.is_empty() {
                true => NoKey::new(String::new(), meant),
                false => {
                    let what = format!("has the unknown key `{}`", escape::truncate_input(word));
                    NoKey::new(what, meant)
                }
            })
        }
    }
}

fn spellings<W: Word>() -> impl Iterator<Item = &'static str> {
    W::ALL
        .iter()
        .flat_map(|value| std::iter::once(value.word()).chain(value.other_words().iter().copied()))
}

fn list<W: Word>() -> String {
    let words: Vec<&str> = W::ALL.iter().map(|value| value.word()).collect();
    words.join(", ")
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(key) => key.fmt(f),
            Self::Keyboard(modifiers, key) => {
                for modifier in modifiers.iter() {
                    write!(f, "{modifier}+")?;
                }
                match key {
                    ChordKey::Named(key) => key.fmt(f),
                    ChordKey::Char(letter) => write!(f, "{letter}"),
                }
            }
        }
    }
}

impl Serialize for KeyPress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for KeyPress {
    fn schema_name() -> Cow<'static, str> {
        "KeyPress".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let device: Vec<&str> = Key::ALL.iter().map(|key| key.as_str()).collect();
        let held: String = Modifier::ALL
            .iter()
            .map(|modifier| format!("({modifier}\\+)?"))
            .collect();
        let named: Vec<&str> = KeyboardKey::ALL.iter().map(|key| key.as_str()).collect();
        json_schema!({
            "type": "string",
            "anyOf": [
                { "enum": device },
                { "pattern": format!("^{held}({}|[!-~])$", named.join("|")) },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The canonical spelling, or the error with its suggestion.
    fn spelled(text: &str) -> String {
        match KeyPress::parse(text) {
            Ok(keys) => keys.to_string(),
            Err(error) => format!("{} -> {:?}", error.what, error.suggestion),
        }
    }

    #[test]
    fn spellings_are_canonical() {
        for (given, canonical) in [
            ("back", "back"),
            ("Home", "home"),
            ("backspace", "delete"),
            ("delete", "delete"),
            ("ESC", "escape"),
            ("return", "enter"),
            ("ArrowUp", "up"),
            ("dpad_left", "left"),
            ("PageDown", "page_down"),
            ("end", "move_end"),
            ("F12", "f12"),
            ("a", "a"),
            ("G", "shift+g"),
            ("?", "?"),
            ("+", "+"),
            ("ctrl++", "ctrl++"),
            ("Ctrl+A", "ctrl+a"),
            ("shift+control+Z", "ctrl+shift+z"),
            ("option+left", "alt+left"),
            ("cmd + enter", "meta+enter"),
            ("shift+tab", "shift+tab"),
        ] {
            assert_eq!(spelled(given), canonical, "{given}");
            assert_eq!(spelled(canonical), canonical);
        }
    }

    #[test]
    fn other_texts_are_explained() {
        for (given, error) in [
            ("ctrl", "names no key after its modifiers"),
            ("ctrl+", "names no key after its modifiers"),
            ("ctrl+ctrl+a", "has `ctrl` twice"),
            ("ctlr+a", "Some(\"ctrl+a\")"),
            ("ctrl+entr", "Some(\"ctrl+enter\")"),
            ("ctrl+home", "Some(\"ctrl+move_home\")"),
            ("ctrl+delete", "forward_delete"),
            ("shift+volume_up", "Some(\"volume_up\")"),
            ("pagedwn", "Some(\"page_down\")"),
            ("bakc", "Some(\"back\")"),
            ("é", "enter_text types any character"),
            ("f13", "Some"),
            ("", "-> None"),
        ] {
            assert!(
                spelled(given).contains(error),
                "{given}: {}",
                spelled(given)
            );
        }
    }
}

//! Keys of a keyboard, with modifiers.

/// A key of a keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyboardKey {
    /// The key that types this ASCII character; letters are lower case.
    Char(char),
    /// Enter.
    Enter,
    /// Deletes the character before the cursor.
    Backspace,
    /// Deletes the character after the cursor.
    ForwardDelete,
    /// Tab.
    Tab,
    /// Escape.
    Escape,
    /// The space bar.
    Space,
    /// Insert.
    Insert,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// To the start of a line or document.
    MoveHome,
    /// To the end of a line or document.
    MoveEnd,
    /// A function key, from 1 to 12.
    Function(u8),
}

/// A key that is held while another is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Control.
    Ctrl,
    /// Alt, or Option.
    Alt,
    /// Shift.
    Shift,
    /// Meta: Command, or the Windows key.
    Meta,
}

/// A key of a keyboard with the modifiers that are held, each once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyChord {
    /// The held modifiers, in the order in which they are pressed.
    pub modifiers: Vec<Modifier>,
    /// The key.
    pub key: KeyboardKey,
}

/// A key of a US keyboard that types characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UsKey {
    /// What it types.
    pub plain: char,
    /// What it types with Shift.
    pub shifted: char,
}

impl UsKey {
    /// The keys that are no letters, each with what it types with Shift.
    const SYMBOLS: [(char, char); 21] = [
        ('0', ')'),
        ('1', '!'),
        ('2', '@'),
        ('3', '#'),
        ('4', '$'),
        ('5', '%'),
        ('6', '^'),
        ('7', '&'),
        ('8', '*'),
        ('9', '('),
        (';', ':'),
        ('=', '+'),
        (',', '<'),
        ('-', '_'),
        ('.', '>'),
        ('/', '?'),
        ('`', '~'),
        ('[', '{'),
        ('\\', '|'),
        (']', '}'),
        ('\'', '"'),
    ];

    /// The key that types this character, with or without Shift; `None` for characters that a US keyboard lacks.
    pub fn that_types(typed: char) -> Option<Self> {
        if typed.is_ascii_alphabetic() {
            return Some(Self {
                plain: typed.to_ascii_lowercase(),
                shifted: typed.to_ascii_uppercase(),
            });
        }
        let mut keys = Self::SYMBOLS.into_iter();
        keys.find(|(plain, shifted)| [*plain, *shifted].contains(&typed))
            .map(|(plain, shifted)| Self { plain, shifted })
    }
}

impl KeyChord {
    /// The character that the chord types: that of a key without modifiers other than Shift.
    pub fn types(&self) -> Option<char> {
        let shift = self.modifiers.contains(&Modifier::Shift);
        if self.modifiers.len() > usize::from(shift) {
            return None;
        }
        match self.key {
            KeyboardKey::Char(typed) if shift => UsKey::that_types(typed).map(|key| key.shifted),
            KeyboardKey::Char(typed) => Some(typed),
            KeyboardKey::Space => Some(' '),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_types_the_upper_character_of_a_key() {
        let types = |modifiers: &[Modifier], key| {
            let modifiers = modifiers.to_vec();
            KeyChord { modifiers, key }.types()
        };
        let shift = [Modifier::Shift];
        assert_eq!(types(&[], KeyboardKey::Char('a')), Some('a'));
        assert_eq!(types(&shift, KeyboardKey::Char('a')), Some('A'));
        assert_eq!(types(&shift, KeyboardKey::Char('1')), Some('!'));
        assert_eq!(types(&[], KeyboardKey::Char('?')), Some('?'));
        assert_eq!(types(&shift, KeyboardKey::Space), Some(' '));
        assert_eq!(types(&[Modifier::Ctrl], KeyboardKey::Char('a')), None);
        assert_eq!(types(&[], KeyboardKey::Up), None);
    }
}

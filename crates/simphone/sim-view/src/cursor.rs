//! The cursor of a field, counted in characters.

/// Where the cursor of the field with the focus is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    /// Behind the text, also when the text grows.
    #[default]
    End,
    /// Before this character.
    Before(usize),
    /// All of the text is selected: what is typed replaces it.
    All,
}

impl Cursor {
    /// The cursor before this character of a text of so many characters.
    pub const fn before(place: usize, length: usize) -> Self {
        if place < length {
            Self::Before(place)
        } else {
            Self::End
        }
    }

    /// The character before which it is in a text of so many characters.
    pub fn place(self, length: usize) -> usize {
        match self {
            Self::Before(place) => place.min(length),
            Self::End | Self::All => length,
        }
    }
}

/// The byte at which the character with this number begins.
pub fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

/// How many characters are before this byte.
pub fn character_at(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

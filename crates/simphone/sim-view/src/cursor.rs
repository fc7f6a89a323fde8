//! The cursor of a text field, in characters.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    /// At the end of the text, also when the text grows.
    #[default]
    End,
    Before(usize),
    /// All of the text is selected and will be replaced.
    All,
}

impl Cursor {
    /// Returns the cursor before character `place` of a text of `length` characters.
    pub const fn before(place: usize, length: usize) -> Self {
        if place < length {
            Self::Before(place)
        } else {
            Self::End
        }
    }

    /// Returns the character position of the cursor in a text of `length` characters.
    pub fn place(self, length: usize) -> usize {
        match self {
            Self::Before(place) => place.min(length),
            Self::End | Self::All => length,
        }
    }
}

pub fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

pub fn character_at(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

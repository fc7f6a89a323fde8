//! What is selected in a field, counted in characters.

/// What is selected in a field, counted in characters: the cursor alone where both ends are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caret {
    pub from: usize,
    pub to: usize,
}

impl Caret {
    /// The cursor before this character.
    pub const fn at(place: usize) -> Self {
        Self {
            from: place,
            to: place,
        }
    }

    /// As far as a text of so many characters goes.
    pub fn within(self, length: usize) -> Self {
        Self {
            from: self.from.min(length),
            to: self.to.min(length),
        }
    }

    pub const fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// What of a field that has the focus is not in the field itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// `None`: the cursor is behind the text.
    pub caret: Option<Caret>,
}

impl Edit {
    /// What is selected of a text of so many characters.
    pub fn caret(self, length: usize) -> Caret {
        self.caret
            .map_or_else(|| Caret::at(length), |caret| caret.within(length))
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

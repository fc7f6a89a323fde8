//! The grounds of groups that are one thing to the eye: a chip, a tab, a floating button.

/// What the ground of a group looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skin {
    /// As its frame says.
    #[default]
    None,
    /// Outlined while it is off, filled while it is on.
    Chip,
    /// A line below while it is the chosen one.
    Tab,
    /// A pill behind the icon of the chosen one.
    Pill,
    /// A square with a shadow.
    Fab,
    /// A small round ground for a number.
    Badge,
}

impl Skin {
    /// Whether what has it keeps its width where others are stretched.
    pub const fn is_compact(self) -> bool {
        matches!(self, Skin::Chip | Skin::Fab | Skin::Badge | Skin::Pill)
    }
}

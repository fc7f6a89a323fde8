//! Backgrounds of composite widgets such as chips, tabs and floating buttons.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skin {
    #[default]
    None,
    /// Outlined while off, filled while on.
    Chip,
    /// Underlined while selected.
    Tab,
    /// A pill behind the icon while selected.
    Pill,
    Fab,
    /// A small round background for a number.
    Badge,
}

impl Skin {
    /// Whether the group keeps its width where others are stretched.
    pub const fn is_compact(self) -> bool {
        matches!(self, Skin::Chip | Skin::Fab | Skin::Badge | Skin::Pill)
    }
}

//! Text styles: size, weight, colour, alignment.

use super::Color;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    #[default]
    Regular,
    /// Buttons, tabs and small titles.
    Medium,
    Bold,
}

/// The side on which lines and rows start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    #[default]
    LeftToRight,
    RightToLeft,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    #[default]
    Start,
    Center,
    End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vertical {
    Top,
    #[default]
    Center,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    pub size: f32,
    pub weight: Weight,
    pub color: Color,
    pub align: Align,
    /// Maximum number of lines; longer text ends in an ellipsis. Zero counts as one.
    pub max_lines: Option<u32>,
    /// Line height in pixels; the font's by default.
    pub line_height: Option<f32>,
    /// The side on which lines start; the script determines the direction of the text.
    pub flow: Flow,
}

impl TextStyle {
    /// Creates a regular style, aligned to the start, without a line limit.
    pub const fn new(size: f32, color: Color) -> Self {
        Self {
            size,
            weight: Weight::Regular,
            color,
            align: Align::Start,
            max_lines: None,
            line_height: None,
            flow: Flow::LeftToRight,
        }
    }

    pub const fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    pub const fn color(self, color: Color) -> Self {
        Self { color, ..self }
    }

    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub const fn max_lines(self, lines: u32) -> Self {
        Self {
            max_lines: Some(lines),
            ..self
        }
    }
}

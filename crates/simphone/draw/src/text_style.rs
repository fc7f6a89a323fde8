//! Text styles: size, weight, colour, alignment.

use super::Color;

/// Font weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Body text.
    #[default]
    Regular,
    /// Buttons, tabs and small titles.
    Medium,
    /// Emphasis.
    Bold,
}

/// The side on which lines and rows start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Left, as in English.
    #[default]
    LeftToRight,
    /// Right, as in Arabic and Hebrew.
    RightToLeft,
}

/// Horizontal alignment of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    /// At the edge where lines start.
    #[default]
    Start,
    /// Centred.
    Center,
    /// At the opposite edge.
    End,
}

/// Vertical alignment of a block of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vertical {
    /// At the top edge.
    Top,
    /// Centred.
    #[default]
    Center,
    /// At the bottom edge.
    Bottom,
}

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Font size in pixels.
    pub size: f32,
    /// Font weight.
    pub weight: Weight,
    /// Text colour.
    pub color: Color,
    /// Horizontal alignment of each line.
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

    /// Returns the style with another weight.
    pub const fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// Returns the style with another colour.
    pub const fn color(self, color: Color) -> Self {
        Self { color, ..self }
    }

    /// Returns the style with another alignment.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// Returns the style with a limit of lines.
    pub const fn max_lines(self, lines: u32) -> Self {
        Self {
            max_lines: Some(lines),
            ..self
        }
    }
}

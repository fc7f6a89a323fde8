//! How a text looks: its size, weight, colour and place.

use super::Color;

/// How heavy the letters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Running text.
    #[default]
    Regular,
    /// Buttons, tabs and small titles.
    Medium,
    /// Emphasis.
    Bold,
}

/// The side on which lines and rows begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// On the left, as in English.
    #[default]
    LeftToRight,
    /// On the right, as in Arabic and Hebrew.
    RightToLeft,
}

/// Where a line of text sits between the left and the right edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    /// At the edge where lines begin.
    #[default]
    Start,
    /// In the middle.
    Center,
    /// At the other edge.
    End,
}

/// Where a block of text sits between the top and the bottom edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vertical {
    /// At the top edge.
    Top,
    /// In the middle.
    #[default]
    Center,
    /// At the bottom edge.
    Bottom,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Letter size in pixels.
    pub size: f32,
    /// Heaviness.
    pub weight: Weight,
    /// Colour of the letters.
    pub color: Color,
    /// Horizontal place of each line.
    pub align: Align,
    /// Lines shown at most; what does not fit ends in an ellipsis. Zero counts as one.
    pub max_lines: Option<u32>,
    /// Distance from line to line in pixels; without it the font's own.
    pub line_height: Option<f32>,
    /// The side on which lines begin; text itself runs as its script does.
    pub flow: Flow,
}

impl TextStyle {
    /// Regular text at the left edge, with as many lines as it takes.
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

    /// The same style in another weight.
    pub const fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The same style in another colour.
    pub const fn color(self, color: Color) -> Self {
        Self { color, ..self }
    }

    /// The same style at another place of the line.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// The same style with at most `lines` lines.
    pub const fn max_lines(self, lines: u32) -> Self {
        Self {
            max_lines: Some(lines),
            ..self
        }
    }
}

//! Lengths, frames and colours of app files.

use crate::words::words;
use draw::{Color, Flow, Palette};

/// The allowed side lengths of a screen, in pixels.
pub const SIDES: std::ops::RangeInclusive<i32> = 200..=8000;

const REFERENCE: f32 = 2.625;

/// A length; a plain number is in dp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Dim {
    #[default]
    Auto,
    Dp(f32),
    /// Device pixels of the reference screen, which has [`REFERENCE`] of them per density-independent pixel.
    Px(f32),
    /// Percent of the parent.
    Percent(f32),
}

impl Dim {
    /// Converts to device pixels; relative lengths count as 0.
    pub fn px(self, density: f32) -> f32 {
        match self {
            Dim::Dp(dp) => (dp * density).round(),
            Dim::Px(px) => (px * density / REFERENCE).round(),
            Dim::Auto | Dim::Percent(_) => 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    pub top: Dim,
    pub right: Dim,
    pub bottom: Dim,
    pub left: Dim,
}

impl Sides {
    pub const fn all(dim: Dim) -> Self {
        Self {
            top: dim,
            right: dim,
            bottom: dim,
            left: dim,
        }
    }

    /// Creates lengths in dp, clockwise from the top.
    pub const fn dp(top: f32, right: f32, bottom: f32, left: f32) -> Self {
        Self {
            top: Dim::Dp(top),
            right: Dim::Dp(right),
            bottom: Dim::Dp(bottom),
            left: Dim::Dp(left),
        }
    }

    pub const fn axes(vertical: Dim, horizontal: Dim) -> Self {
        Self {
            top: vertical,
            right: horizontal,
            bottom: vertical,
            left: horizontal,
        }
    }
}

words! {
    pub enum Alignment {
        Start = "start",
        Center = "center",
        End = "end",
        Stretch = "stretch",
        Between = "between",
    }
}

macro_rules! color_roles {
    ($($role:ident = $word:literal => $color:ident),+ $(,)?) => {
        /// A colour of the theme, or a fixed colour.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum ColorRole {
            $($role),+,
            Clear,
            /// The overlay that dims the rest of a screen.
            Scrim,
            Fixed(Color),
        }

        pub(crate) const COLOR_ROLES: &[(&str, ColorRole)] =
            &[$(($word, ColorRole::$role)),+, ("clear", ColorRole::Clear)];

        impl ColorRole {
            pub const fn color(self, palette: &Palette) -> Color {
                match self {
                    $(ColorRole::$role => palette.$color),+,
                    ColorRole::Clear => Color::TRANSPARENT,
                    ColorRole::Scrim => palette.scrim,
                    ColorRole::Fixed(color) => color,
                }
            }
        }
    };
}

color_roles! {
    Background = "background" => background,
    Surface = "surface" => surface,
    SurfaceContainer = "surface_container" => surface_container,
    SurfaceVariant = "surface_variant" => surface_variant,
    Primary = "primary" => primary,
    OnPrimary = "on_primary" => on_primary,
    PrimaryContainer = "primary_container" => primary_container,
    Secondary = "secondary" => secondary_container,
    Text = "text" => text,
    Muted = "muted" => text_secondary,
    Outline = "outline" => outline,
    Error = "error" => error,
    Success = "success" => success,
    Accent = "accent" => accent,
    Inverse = "inverse" => inverse_surface,
    OnInverse = "on_inverse" => on_inverse_surface,
    Keyboard = "keyboard" => keyboard,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    pub width: Dim,
    pub height: Dim,
    pub min_height: Dim,
    pub max_height: Dim,
    pub grow: Option<f32>,
    pub padding: Option<Sides>,
    pub margin: Option<Sides>,
    pub gap: Dim,
    /// Alignment of the children across the container's axis.
    pub align: Option<Alignment>,
    /// Alignment of the children along the container's axis.
    pub justify: Option<Alignment>,
    pub background: Option<ColorRole>,
    pub radius: Option<Dim>,
    pub elevation: Option<f32>,
    pub corners: Option<Corners>,
    /// The direction of the content, if it overrides that of the phone's language.
    pub direction: Option<Flow>,
}

words! {
    #[derive(Default)]
    pub enum Corners {
        #[default]
        All = "all",
        Top = "top",
        Bottom = "bottom",
        None = "none",
    }
}

impl Frame {
    /// Returns this frame with missing properties taken from `under`.
    pub fn over(self, under: Frame) -> Frame {
        let dim = |over: Dim, under: Dim| if over == Dim::Auto { under } else { over };
        Frame {
            width: dim(self.width, under.width),
            height: dim(self.height, under.height),
            min_height: dim(self.min_height, under.min_height),
            max_height: dim(self.max_height, under.max_height),
            grow: self.grow.or(under.grow),
            padding: self.padding.or(under.padding),
            margin: self.margin.or(under.margin),
            gap: dim(self.gap, under.gap),
            align: self.align.or(under.align),
            justify: self.justify.or(under.justify),
            background: self.background.or(under.background),
            radius: self.radius.or(under.radius),
            elevation: self.elevation.or(under.elevation),
            corners: self.corners.or(under.corners),
            direction: self.direction.or(under.direction),
        }
    }
}

//! Sizes, distances and colours as app files write them.

use draw::{Color, Flow};

use super::read::{Fields, Located, Reader};
use super::schema::ValueKind;
use super::yaml::Yaml;

/// The density of the reference screen.
const REFERENCE: f32 = 2.625;

/// A length: a plain number counts in density-independent pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Dim {
    /// As large as the content asks.
    #[default]
    Auto,
    /// Density-independent pixels.
    Dp(f32),
    /// Device pixels of the reference screen, which has [`REFERENCE`] of them per density-independent pixel.
    Px(f32),
    /// Hundredths of what holds it.
    Percent(f32),
}

impl Dim {
    /// Device pixels; what depends on the surroundings counts as 0.
    pub(crate) fn px(self, density: f32) -> f32 {
        match self {
            Dim::Dp(dp) => (dp * density).round(),
            Dim::Px(px) => (px * density / REFERENCE).round(),
            Dim::Auto | Dim::Percent(_) => 0.0,
        }
    }
}

/// Lengths at the four edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sides {
    pub(crate) top: Dim,
    pub(crate) right: Dim,
    pub(crate) bottom: Dim,
    pub(crate) left: Dim,
}

impl Sides {
    pub(crate) const fn all(dim: Dim) -> Self {
        Self {
            top: dim,
            right: dim,
            bottom: dim,
            left: dim,
        }
    }

    pub(crate) const fn axes(vertical: Dim, horizontal: Dim) -> Self {
        Self {
            top: vertical,
            right: horizontal,
            bottom: vertical,
            left: horizontal,
        }
    }
}

/// Where something sits in the room that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Start,
    Center,
    End,
    Stretch,
    Between,
}

/// A colour by its part in the theme, or as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ink {
    Background,
    Surface,
    SurfaceContainer,
    SurfaceVariant,
    Primary,
    OnPrimary,
    PrimaryContainer,
    Secondary,
    Text,
    Muted,
    Outline,
    Error,
    Success,
    Accent,
    Inverse,
    OnInverse,
    Keyboard,
    Clear,
    /// What darkens the rest of a screen.
    Scrim,
    Fixed(Color),
}

const INKS: [(&str, Ink); 18] = [
    ("background", Ink::Background),
    ("surface", Ink::Surface),
    ("surface_container", Ink::SurfaceContainer),
    ("surface_variant", Ink::SurfaceVariant),
    ("primary", Ink::Primary),
    ("on_primary", Ink::OnPrimary),
    ("primary_container", Ink::PrimaryContainer),
    ("secondary", Ink::Secondary),
    ("text", Ink::Text),
    ("muted", Ink::Muted),
    ("outline", Ink::Outline),
    ("error", Ink::Error),
    ("success", Ink::Success),
    ("accent", Ink::Accent),
    ("inverse", Ink::Inverse),
    ("on_inverse", Ink::OnInverse),
    ("keyboard", Ink::Keyboard),
    ("clear", Ink::Clear),
];

/// The names that a colour can have.
pub(super) fn ink_names() -> impl Iterator<Item = &'static str> {
    INKS.iter().map(|(name, _)| *name)
}

/// The box of a widget: its size, the room around and inside it, and its ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frame {
    pub(crate) width: Dim,
    pub(crate) height: Dim,
    pub(crate) min_height: Dim,
    pub(crate) max_height: Dim,
    pub(crate) grow: Option<f32>,
    pub(crate) padding: Option<Sides>,
    pub(crate) margin: Option<Sides>,
    pub(crate) gap: Dim,
    /// Where the children sit across the direction of the container.
    pub(crate) align: Option<Stand>,
    /// Where the children sit along it.
    pub(crate) justify: Option<Stand>,
    pub(crate) background: Option<Ink>,
    pub(crate) radius: Option<Dim>,
    pub(crate) elevation: Option<f32>,
    /// Which corners are round.
    pub(crate) corners: Option<Corners>,
    /// On which side what is inside begins, whatever the language of the phone says.
    pub(crate) direction: Option<Flow>,
}

/// Which corners of a ground are round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Corners {
    #[default]
    All,
    Top,
    Bottom,
    None,
}

const CORNERS: [(&str, Corners); 4] = [
    ("all", Corners::All),
    ("top", Corners::Top),
    ("bottom", Corners::Bottom),
    ("none", Corners::None),
];

const DIRECTIONS: [(&str, Flow); 2] = [("ltr", Flow::LeftToRight), ("rtl", Flow::RightToLeft)];

const PLACES: [(&str, Stand); 5] = [
    ("start", Stand::Start),
    ("center", Stand::Center),
    ("end", Stand::End),
    ("stretch", Stand::Stretch),
    ("between", Stand::Between),
];

impl Frame {
    /// Takes the keys of the frame out of a widget's keys.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> Self {
        let mut dim = |key| {
            let at = fields.take(key);
            at.and_then(|at| read_dim(reader, &at)).unwrap_or_default()
        };
        let (width, height) = (dim("width"), dim("height"));
        let (min_height, max_height) = (dim("min_height"), dim("max_height"));
        let gap = dim("gap");
        Self {
            width,
            height,
            min_height,
            max_height,
            grow: fields.number(reader, "grow"),
            padding: fields
                .take("padding")
                .and_then(|at| read_sides(reader, &at)),
            margin: fields.take("margin").and_then(|at| read_sides(reader, &at)),
            gap,
            align: fields.word(reader, "align", &PLACES),
            justify: fields.word(reader, "justify", &PLACES),
            background: fields
                .take("background")
                .and_then(|at| Ink::read(reader, &at)),
            radius: fields.take("radius").and_then(|at| read_dim(reader, &at)),
            elevation: fields.number(reader, "elevation"),
            corners: fields.word(reader, "corners", &CORNERS),
            direction: fields.word(reader, "direction", &DIRECTIONS),
        }
    }
}

impl Frame {
    /// This frame, with what it does not say taken from `under`.
    pub(crate) fn over(self, under: Frame) -> Frame {
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

impl Ink {
    /// A name of the theme, or `#rrggbb`.
    pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        reader.note(at, ValueKind::Color);
        if let Yaml::Text(text) = &at.node.value
            && let Some(color) = Color::from_hex(text)
        {
            return Some(Ink::Fixed(color));
        }
        reader.word(at, &INKS)
    }
}

pub(super) fn read_dim(reader: &mut Reader, at: &Located<'_>) -> Option<Dim> {
    reader.note(at, ValueKind::Length);
    dim_of(reader, at)
}

fn dim_of(reader: &mut Reader, at: &Located<'_>) -> Option<Dim> {
    let parsed = match &at.node.value {
        Yaml::Number(number) => Some(Dim::Dp(*number as f32)),
        Yaml::Text(text) => {
            let number = |unit| {
                text.strip_suffix(unit)
                    .and_then(|n: &str| n.trim().parse().ok())
            };
            number("px")
                .map(Dim::Px)
                .or_else(|| number("%").map(Dim::Percent))
                .or_else(|| number("dp").map(Dim::Dp))
        }
        _ => None,
    };
    let limited = parsed.filter(|dim| match dim {
        Dim::Auto => true,
        Dim::Dp(n) | Dim::Px(n) | Dim::Percent(n) => n.is_finite() && n.abs() <= 100_000.0,
    });
    if limited.is_none() {
        reader.problem(at, "expected a length such as 16, \"30px\" or \"50%\"");
    }
    limited
}

/// A way: how far right and how far down.
pub(crate) fn read_way(reader: &mut Reader, at: &Located<'_>) -> Option<(Dim, Dim)> {
    reader.note(at, ValueKind::Way);
    let entries = at.entries();
    let dims: Vec<Dim> = entries
        .iter()
        .filter_map(|entry| dim_of(reader, entry))
        .collect();
    match *dims.as_slice() {
        [right, down] => Some((right, down)),
        _ if dims.len() < entries.len() => None,
        _ => {
            reader.problem(
                at,
                "expected how far it goes, right and down, as in [0, 40]",
            );
            None
        }
    }
}

fn read_sides(reader: &mut Reader, at: &Located<'_>) -> Option<Sides> {
    reader.note(at, ValueKind::Sides);
    let entries = at.entries();
    let dims: Vec<Dim> = entries
        .iter()
        .filter_map(|entry| dim_of(reader, entry))
        .collect();
    match *dims.as_slice() {
        [all] => Some(Sides::all(all)),
        [vertical, horizontal] => Some(Sides::axes(vertical, horizontal)),
        [top, right, bottom, left] => Some(Sides {
            top,
            right,
            bottom,
            left,
        }),
        _ if dims.len() < entries.len() => None,
        _ => {
            reader.problem(at, "expected one length, two (vertical, horizontal) or four (top, right, bottom, left)");
            None
        }
    }
}

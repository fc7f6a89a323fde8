//! Reads frames, lengths and colours.

use draw::{Color, Flow};

use super::{Fields, Located, Reader};
use crate::style::{Alignment, COLOR_ROLES, ColorRole, Corners, Dim, Frame, Sides};
use crate::words::Words;
use crate::yaml::Yaml;

const DIRECTIONS: [(&str, Flow); 2] = [("ltr", Flow::LeftToRight), ("rtl", Flow::RightToLeft)];

impl Frame {
    /// Reads the keys of the frame from a widget's keys.
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
            padding: fields.read(reader, "padding", read_sides),
            margin: fields.read(reader, "margin", read_sides),
            gap,
            align: fields.word(reader, "align", Alignment::TABLE),
            justify: fields.word(reader, "justify", Alignment::TABLE),
            background: fields.read(reader, "background", ColorRole::read),
            radius: fields.read(reader, "radius", read_dim),
            elevation: fields.number(reader, "elevation"),
            corners: fields.word(reader, "corners", Corners::TABLE),
            direction: fields.word(reader, "direction", &DIRECTIONS),
        }
    }
}

impl ColorRole {
    pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        if let Yaml::Text(text) = &at.node.value
            && let Some(color) = Color::from_hex(text)
        {
            return Some(ColorRole::Fixed(color));
        }
        reader.word(at, COLOR_ROLES)
    }
}

pub(crate) fn read_dim(reader: &mut Reader, at: &Located<'_>) -> Option<Dim> {
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

/// Reads an offset: right and down.
pub(crate) fn read_offset(reader: &mut Reader, at: &Located<'_>) -> Option<(Dim, Dim)> {
    let entries = at.entries();
    let dims: Vec<Dim> = entries
        .iter()
        .filter_map(|entry| read_dim(reader, entry))
        .collect();
    match *dims.as_slice() {
        [right, down] => Some((right, down)),
        _ if dims.len() < entries.len() => None,
        _ => reader.refuse(
            at,
            "expected how far it goes, right and down, as in [0, 40]",
        ),
    }
}

fn read_sides(reader: &mut Reader, at: &Located<'_>) -> Option<Sides> {
    let entries = at.entries();
    let dims: Vec<Dim> = entries
        .iter()
        .filter_map(|entry| read_dim(reader, entry))
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
        _ => reader.refuse(
            at,
            "expected one length, two (vertical, horizontal) or four (top, right, bottom, left)",
        ),
    }
}

//! The icons, drawn in a box of 24 by 24 units.

mod shape;

use std::sync::LazyLock;

use tiny_skia::{Pixmap, Rect};

use super::font;
use super::path::round_rect;
use super::text_style::Weight;
use crate::Color;
use shape::{IconCanvas, Step};

const BOX: f32 = 24.0;

/// An icon: its name and drawing steps.
type Icon = (&'static str, Vec<Step>);

const ALIASES: &[(&str, &str)] = &[
    ("account", "person"),
    ("alarm", "clock"),
    ("back", "arrow_back"),
    ("basket", "bag"),
    ("bell", "notifications"),
    ("clear", "close"),
    ("contacts", "people"),
    ("delivery", "truck"),
    ("event", "calendar"),
    ("favorite", "heart"),
    ("favorite_border", "heart_outline"),
    ("forward", "arrow_forward"),
    ("gear", "settings"),
    ("grid", "apps"),
    ("language", "globe"),
    ("location", "place"),
    ("location_pin", "place"),
    ("message", "chat"),
    ("messages", "chat"),
    ("minus", "remove"),
    ("music", "sound"),
    ("notification", "notifications"),
    ("photo", "image"),
    ("plus", "add"),
    ("schedule", "clock"),
    ("shield", "security"),
    ("star_border", "star_outline"),
    ("time", "clock"),
    ("trash", "delete"),
    ("update", "refresh"),
    ("user", "person"),
    ("visibility", "eye"),
    ("visibility_off", "eye_off"),
];

const MIRRORED: &[(&str, &str)] = &[
    ("arrow_back", "arrow_forward"),
    ("back", "arrow_forward"),
    ("forward", "arrow_back"),
    ("arrow_forward", "arrow_back"),
    ("chevron_left", "chevron_right"),
    ("chevron_right", "chevron_left"),
];

/// Returns the counterpart of a directional icon for right-to-left layouts.
pub(super) fn mirrored(name: &str) -> Option<&'static str> {
    MIRRORED
        .iter()
        .find(|(from, _)| *from == name)
        .map(|(_, to)| *to)
}

fn icons() -> &'static [Icon] {
    static ICONS: LazyLock<Vec<Icon>> = LazyLock::new(|| read(include_str!("icons.txt")));
    &ICONS
}

/// Reads the table; a test asserts that every line is an icon or a step.
fn read(text: &'static str) -> Vec<Icon> {
    let mut icons: Vec<Icon> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            None => icons.push((line, Vec::new())),
            Some(step) => {
                if let Some((_, steps)) = icons.last_mut() {
                    steps.extend(Step::read(step));
                }
            }
        }
    }
    icons
}

pub fn icon_names() -> Vec<&'static str> {
    let mut names: Vec<_> = icons().iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

/// Draws an icon of `side` pixels; an unknown name gives a tile with its first letter. `None` if `side` is 0.
pub(super) fn draw(name: &str, side: u32, color: Color) -> Option<Pixmap> {
    let name = (ALIASES.iter())
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, real)| *real);
    let mut canvas = IconCanvas::new(side, side as f32 / BOX, color)?;
    match icons().iter().find(|(known, _)| *known == name) {
        Some((_, steps)) => steps.iter().for_each(|step| canvas.draw(step)),
        None => letter_tile(&mut canvas, name),
    }
    Some(canvas.into_pixmap())
}

fn letter_tile(canvas: &mut IconCanvas, name: &str) {
    let tile = Rect::from_ltrb(3.0, 3.0, 21.0, 21.0).and_then(|tile| round_rect(tile, 4.0));
    if let Some(tile) = tile {
        canvas.draw(&Step::solid(tile));
    }
    let letter = (name.chars().find(|character| character.is_alphanumeric()))
        .and_then(|character| character.to_uppercase().next());
    if let Some(letter) = letter {
        let glyph = font::glyph(letter, Weight::Bold);
        let size = 14.0;
        let left = (BOX - font::advance(glyph) * size) / 2.0;
        // Capital letters are 0.71 of the font size high.
        let baseline = (BOX + 0.711 * size) / 2.0;
        if let Some(outline) = font::outline(glyph, size) {
            canvas.cut(&outline, (left, baseline));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_icon_or_a_step() {
        let lines = include_str!("icons.txt").lines();
        let steps = lines.filter(|line| line.starts_with("  ")).count();
        let read: usize = icons().iter().map(|(_, steps)| steps.len()).sum();
        assert_eq!(read, steps);
        assert!(icons().iter().all(|(name, steps)| {
            !steps.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        }));
    }

    fn coverage(name: &str, side: u32) -> Vec<u8> {
        let icon = draw(name, side, Color::BLACK).unwrap();
        icon.pixels().iter().map(|pixel| pixel.alpha()).collect()
    }

    #[test]
    fn icon_names_are_unique_and_aliases_resolve() {
        let names = icon_names();
        assert!(names.len() >= 60, "{}", names.len());
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        for (alias, real) in ALIASES {
            assert!(names.contains(real), "{alias} has no target");
            assert!(!names.contains(alias), "{alias} is an icon itself");
        }
        assert_eq!(coverage("back", 48), coverage("arrow_back", 48));
    }

    #[test]
    fn every_icon_is_visible_and_distinct() {
        let drawn: Vec<_> = icon_names()
            .into_iter()
            .map(|name| (name, coverage(name, 48)))
            .collect();
        for (at, (name, mask)) in drawn.iter().enumerate() {
            let ink: usize = mask.iter().map(|c| usize::from(*c)).sum::<usize>() / 255;
            assert!(
                (60..48 * 48 * 9 / 10).contains(&ink),
                "{name} has {ink} pixels"
            );
            let solid = mask.contains(&255);
            assert!(solid, "{name} has no opaque pixel");
            let edge = |c: &u8| *c > 0;
            let (first, last) = (&mask[..48], &mask[47 * 48..]);
            assert!(
                !first.iter().any(edge) && !last.iter().any(edge),
                "{name} leaves its box"
            );
            for (other, other_mask) in &drawn[..at] {
                assert_ne!(mask, other_mask, "{name} looks like {other}");
            }
        }
    }

    #[test]
    fn unknown_icon_shows_its_first_letter() {
        assert_ne!(coverage("zebra", 48), coverage("quagga", 48));
        assert_eq!(coverage("zebra", 48), coverage("--Zoo", 48));
        assert_ne!(coverage("", 48), coverage("zebra", 48));
        assert_eq!(coverage("", 48)[24 * 48 + 24], 255);
        assert_eq!(coverage("漢", 48).len(), 48 * 48);
    }
}

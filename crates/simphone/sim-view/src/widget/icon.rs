//! Measures and paints icons and images.

use draw::{Color, Paint, Theme};
use sim_format::widget::{Icon, IconLook};
use uitree::Point;

use super::Painter;

pub(super) fn measure(icon: &Icon, theme: &Theme) -> (f32, f32) {
    let side = icon.size.px(theme.density);
    match icon.look {
        IconLook::Plain | IconLook::Picture | IconLook::Avatar => (side, side),
        IconLook::Button => {
            let room = side + theme.px(24.0).round();
            (room, room)
        }
    }
}

pub(super) fn paint(icon: &Icon, name: &str, to: &mut Painter<'_>) {
    if icon.look == IconLook::Picture {
        return photo(background(hash(name)), to);
    }
    let side = (icon.size.px(to.theme.density) as i32)
        .min(to.inner.width())
        .min(to.inner.height());
    let middle = to.inner.center();
    let square = uitree::Rect::new(
        middle.x - side / 2,
        middle.y - side / 2,
        middle.x - side / 2 + side,
        middle.y - side / 2 + side,
    );
    if icon.look == IconLook::Avatar {
        to.fill(square, side as f32 / 2.0, tile_color(name));
        let mut style = to
            .theme
            .text(draw::TextRole::TitleMedium)
            .color(Color::WHITE)
            .align(draw::Align::Center)
            .max_lines(1);
        style.size = side as f32 * 0.4;
        style.line_height = None;
        to.text(&initials(name), square, style, draw::Vertical::Center);
    } else if icon.tile {
        let ground = tile_color(name);
        to.fill(square, side as f32 / 2.0, ground);
        let inset = side / 4;
        let inner = uitree::Rect::new(
            square.left + inset,
            square.top + inset,
            square.right - inset,
            square.bottom - inset,
        );
        to.icon(name, inner, Color::WHITE);
    } else {
        let palette = to.theme.palette;
        let lit = icon.lit.filter(|_| to.lit);
        let color = match to.enabled {
            true => lit.unwrap_or(icon.color).color(&palette),
            false => palette.text_disabled,
        };
        to.icon(name, square, color);
    }
}

/// Paints a placeholder photo: a sun above a hill, in a colour that depends on the name.
fn photo(color: Color, to: &mut Painter<'_>) {
    let (rect, radius) = (to.rect, to.radius.unwrap_or(0.0));
    let (width, height) = (rect.width(), rect.height());
    let place = |x: i32, y: i32| Point::new(rect.left + x, rect.top + y);
    to.push(Paint::PushClip { rect, radius });
    to.push(Paint::Gradient {
        rect,
        radius: 0.0,
        from: color.mix(Color::WHITE, 0.4),
        to: color.mix(Color::WHITE, 0.8),
    });
    let sun = place(width * 3 / 4, height / 4);
    let hill = place(width / 3, height + width / 4);
    for (center, radius, color) in [
        (sun, height as f32 / 8.0, Color::WHITE),
        (hill, width as f32 / 2.0, color),
    ] {
        to.push(Paint::Circle {
            center,
            radius,
            color,
        });
    }
    to.push(Paint::PopClip);
}

/// Returns the initials of the first and the last word.
fn initials(name: &str) -> String {
    let mut words = name
        .split_whitespace()
        .filter_map(|word| word.chars().next());
    let ends = [words.next(), words.next_back()];
    ends.into_iter()
        .flatten()
        .flat_map(char::to_uppercase)
        .collect()
}

/// Returns a hash of a text, the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the background colour of an app icon.
fn tile_color(name: &str) -> Color {
    // These bits give the built-in apps different colours.
    background(hash(name) >> 17)
}

fn background(number: u64) -> Color {
    const COLORS: [Color; 8] = [
        Color::rgb(0x7b, 0x3f, 0xc4),
        Color::rgb(0xe3, 0x74, 0x00),
        Color::rgb(0x5f, 0x63, 0x68),
        Color::rgb(0x1a, 0x73, 0xe8),
        Color::rgb(0xd9, 0x3a, 0x2b),
        Color::rgb(0x00, 0x83, 0x8f),
        Color::rgb(0x18, 0x80, 0x38),
        Color::rgb(0xc2, 0x18, 0x5b),
    ];
    let index = number % COLORS.len() as u64;
    COLORS.get(index as usize).copied().unwrap_or(Color::BLACK)
}

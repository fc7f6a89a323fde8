//! Things one buys, on a plain ground.

use super::scene::{Scene, hue};
use crate::Color;
use crate::outline::Spot;

/// A plain bright ground and the shadow a thing throws on it; gives the thing's colour wheel
/// place.
fn table(scene: &mut Scene<'_>, shadow: (f32, f32)) -> f32 {
    let tint = scene.between(0.0, 1.0);
    let wall = tint + scene.between(0.35, 0.65);
    scene.ground(hue(wall, 0.32, 0.95), hue(wall, 0.3, 0.87));
    scene.square();
    let (width, y) = shadow;
    for ring in 0..6 {
        let grow = 1.0 + ring as f32 * 0.05;
        scene.oval(
            (0.5, y),
            (width * grow, 0.035 * grow),
            Color::rgba(20, 20, 40, 14),
        );
    }
    tint
}

/// A colour and the same in shade, for things lit from the left.
fn lit(tint: f32, strength: f32, lightness: f32) -> (Color, Color) {
    (
        hue(tint, strength, lightness + 0.06),
        hue(tint, strength, lightness - 0.1),
    )
}

pub(super) fn mug(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.3, 0.81));
    let (light, dark) = lit(tint, 0.55, 0.52);
    let (outer, inner): (Spot, Spot) = ((0.15, 0.16), (0.095, 0.1));
    let paper = hue(tint + 0.5, 0.3, 0.91);
    scene.oval((0.68, 0.52), outer, dark);
    scene.oval((0.68, 0.52), inner, paper);
    scene.round_block((0.24, 0.3), (0.69, 0.81), 0.09, (light, dark));
    scene.oval((0.465, 0.315), (0.225, 0.05), light.mix(Color::WHITE, 0.35));
    scene.oval((0.465, 0.325), (0.19, 0.036), Color::rgb(86, 54, 38));
    scene.block(
        (0.3, 0.42),
        (0.325, 0.7),
        0.02,
        Color::rgba(255, 255, 255, 90),
    );
}

pub(super) fn bottle(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.2, 0.9));
    let colors = lit(tint, 0.5, 0.46);
    scene.round_block((0.44, 0.1), (0.56, 0.36), 0.02, colors);
    scene.round_block((0.34, 0.3), (0.66, 0.9), 0.11, colors);
    scene.block(
        (0.425, 0.06),
        (0.575, 0.14),
        0.02,
        hue(tint + 0.1, 0.3, 0.24),
    );
    scene.block((0.34, 0.5), (0.66, 0.74), 0.0, Color::rgb(250, 248, 242));
    scene.block((0.4, 0.56), (0.6, 0.585), 0.01, colors.1);
    scene.block((0.44, 0.62), (0.56, 0.638), 0.01, Color::rgb(150, 150, 155));
    scene.block((0.44, 0.66), (0.56, 0.678), 0.01, Color::rgb(150, 150, 155));
    scene.block(
        (0.375, 0.38),
        (0.395, 0.86),
        0.01,
        Color::rgba(255, 255, 255, 80),
    );
}

pub(super) fn plant(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.24, 0.9));
    let green = scene.between(0.28, 0.4);
    for (index, (x, y)) in [
        (0.2, 0.34),
        (0.8, 0.3),
        (0.34, 0.14),
        (0.66, 0.12),
        (0.5, 0.06),
    ]
    .into_iter()
    .enumerate()
    {
        let leaf = hue(green, 0.45, 0.3 + index as f32 * 0.05);
        let side = (x - 0.5) * 0.5;
        scene.curves(
            &[
                (0.5, 0.66),
                (0.38 + side, 0.5),
                (x - 0.12, y + 0.16),
                (x, y),
                (x + 0.12, y + 0.16),
                (0.62 + side, 0.5),
                (0.5, 0.66),
            ],
            leaf,
        );
    }
    let (light, dark) = lit(tint, 0.5, 0.56);
    scene.shape(
        &[(0.31, 0.64), (0.69, 0.64), (0.63, 0.9), (0.37, 0.9)],
        light.mix(dark, 0.5),
    );
    scene.round_block((0.28, 0.6), (0.72, 0.69), 0.02, (light, dark));
}

pub(super) fn lamp(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.22, 0.9));
    let (light, dark) = lit(tint, 0.5, 0.55);
    scene.disc((0.5, 0.42), 0.36, Color::rgba(255, 240, 190, 70));
    scene.disc((0.5, 0.42), 0.26, Color::rgba(255, 240, 190, 70));
    scene.round_block(
        (0.485, 0.44),
        (0.515, 0.88),
        0.0,
        (Color::rgb(120, 96, 72), Color::rgb(80, 62, 46)),
    );
    scene.round_block(
        (0.34, 0.86),
        (0.66, 0.91),
        0.025,
        (Color::rgb(120, 96, 72), Color::rgb(80, 62, 46)),
    );
    scene.shape(
        &[(0.37, 0.14), (0.63, 0.14), (0.76, 0.5), (0.24, 0.5)],
        light,
    );
    scene.shape(
        &[(0.55, 0.14), (0.63, 0.14), (0.76, 0.5), (0.6, 0.5)],
        dark.with_alpha(120),
    );
    scene.oval((0.5, 0.5), (0.26, 0.03), Color::rgb(255, 244, 210));
}

pub(super) fn shirt(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.26, 0.92));
    let (light, dark) = lit(tint, 0.45, 0.55);
    scene.curves(
        &[
            (0.36, 0.14),
            (0.28, 0.16),
            (0.22, 0.18),
            (0.16, 0.24),
            (0.11, 0.32),
            (0.08, 0.4),
            (0.05, 0.46),
            (0.1, 0.5),
            (0.16, 0.53),
            (0.22, 0.55),
            (0.24, 0.5),
            (0.26, 0.46),
            (0.28, 0.44),
            (0.28, 0.6),
            (0.28, 0.76),
            (0.27, 0.9),
            (0.42, 0.93),
            (0.58, 0.93),
            (0.73, 0.9),
            (0.72, 0.76),
            (0.72, 0.6),
            (0.72, 0.44),
            (0.74, 0.46),
            (0.76, 0.5),
            (0.78, 0.55),
            (0.84, 0.53),
            (0.9, 0.5),
            (0.95, 0.46),
            (0.92, 0.4),
            (0.89, 0.32),
            (0.84, 0.24),
            (0.78, 0.18),
            (0.72, 0.16),
            (0.64, 0.14),
            (0.6, 0.24),
            (0.4, 0.24),
            (0.36, 0.14),
        ],
        light,
    );
    scene.curves(
        &[
            (0.36, 0.14),
            (0.4, 0.24),
            (0.6, 0.24),
            (0.64, 0.14),
            (0.62, 0.29),
            (0.38, 0.29),
            (0.36, 0.14),
        ],
        dark,
    );
    let mark = hue(tint + 0.45, 0.6, 0.7);
    match scene.whole(3) {
        0 => scene.disc((0.5, 0.52), 0.1, mark),
        1 => {
            for row in 0..3 {
                let top = 0.44 + row as f32 * 0.1;
                scene.block((0.285, top), (0.715, top + 0.05), 0.0, mark);
            }
        }
        _ => scene.shape(&[(0.5, 0.4), (0.62, 0.6), (0.38, 0.6)], mark),
    }
}

pub(super) fn headphones(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.3, 0.9));
    let (light, dark) = lit(tint, 0.4, 0.38);
    scene.curves(
        &[
            (0.16, 0.62),
            (0.1, 0.0),
            (0.9, 0.0),
            (0.84, 0.62),
            (0.82, 0.62),
            (0.79, 0.62),
            (0.77, 0.62),
            (0.8, 0.12),
            (0.2, 0.12),
            (0.23, 0.62),
            (0.21, 0.62),
            (0.18, 0.62),
            (0.16, 0.62),
        ],
        dark,
    );
    for (left, right, colors) in [(0.12, 0.3, (light, dark)), (0.7, 0.88, (dark, light))] {
        scene.round_block((left, 0.5), (right, 0.84), 0.07, colors);
    }
    let pad = Color::rgb(44, 44, 50);
    scene.block((0.27, 0.53), (0.34, 0.81), 0.035, pad);
    scene.block((0.66, 0.53), (0.73, 0.81), 0.035, pad);
    scene.block(
        (0.15, 0.56),
        (0.165, 0.76),
        0.01,
        Color::rgba(255, 255, 255, 90),
    );
}

pub(super) fn orange(scene: &mut Scene<'_>) {
    table(scene, (0.3, 0.86));
    let (tint, leaf) = (scene.between(-0.03, 0.12), scene.between(0.27, 0.36));
    let body = hue(tint, 0.85, 0.5);
    scene.disc((0.5, 0.54), 0.33, body);
    scene.disc((0.47, 0.5), 0.26, hue(tint + 0.01, 0.88, 0.55));
    scene.disc((0.42, 0.43), 0.13, Color::rgba(255, 255, 255, 50));
    scene.disc((0.39, 0.4), 0.06, Color::rgba(255, 255, 255, 70));
    scene.block((0.488, 0.14), (0.512, 0.24), 0.01, Color::rgb(96, 70, 44));
    scene.curves(
        &[
            (0.5, 0.22),
            (0.52, 0.08),
            (0.68, 0.06),
            (0.78, 0.12),
            (0.72, 0.24),
            (0.58, 0.26),
            (0.5, 0.22),
        ],
        hue(leaf, 0.5, 0.38),
    );
}

pub(super) fn books(scene: &mut Scene<'_>) {
    let tint = table(scene, (0.36, 0.88));
    let mut bottom = 0.88;
    for book in 0..4 {
        let height = scene.between(0.11, 0.16);
        let (left, right) = (scene.between(0.12, 0.22), scene.between(0.78, 0.88));
        let top = bottom - height;
        let (light, dark) = lit(tint + book as f32 * 0.17, 0.45, 0.48);
        scene.block(
            (left + 0.02, top + 0.02),
            (right, bottom - 0.02),
            0.0,
            Color::rgb(246, 241, 228),
        );
        scene.block((left, top), (right + 0.01, top + 0.022), 0.008, light);
        scene.block((left, bottom - 0.022), (right + 0.01, bottom), 0.008, dark);
        scene.round_block(
            (left - 0.01, top),
            (left + 0.07, bottom),
            0.02,
            (light, dark),
        );
        scene.block(
            (left + 0.16, top + height * 0.48),
            (right - 0.04, top + height * 0.5),
            0.0,
            Color::rgb(216, 208, 190),
        );
        bottom = top;
    }
}

//! Landscapes, a city, a portrait, and plain shapes.

use super::scene::{Scene, hue};
use crate::Color;

pub(super) fn mountains(scene: &mut Scene<'_>) {
    let tint = scene.between(0.52, 0.64);
    scene.ground(hue(tint, 0.65, 0.66), hue(tint + 0.03, 0.6, 0.92));
    let sun = scene.between(0.2, 0.8);
    scene.disc((sun, 0.24), 0.09, Color::rgba(255, 250, 225, 235));
    for layer in 0..3 {
        let depth = layer as f32 / 2.0;
        let base = 0.5 + depth * 0.14;
        let mut peaks = vec![(0.0, 1.0)];
        let count = 3 + layer;
        for peak in 0..=count {
            let x = peak as f32 / count as f32;
            let top = base - scene.between(0.05, 0.26) * (1.0 - depth * 0.5);
            let shift = scene.between(-0.04, 0.04);
            peaks.push((x + shift, top));
            peaks.push((x + 0.5 / count as f32, base + scene.between(-0.02, 0.06)));
        }
        peaks.extend([(1.2, base), (1.2, 1.0)]);
        scene.shape(
            &peaks,
            hue(tint + 0.02, 0.34 + depth * 0.08, 0.62 - depth * 0.28),
        );
    }
    let meadow = scene.between(0.26, 0.34);
    scene.hills(&[0.84, 0.78, 0.83, 0.76], hue(meadow, 0.42, 0.36));
    scene.hills(&[0.88, 0.93, 0.86, 0.92], hue(meadow, 0.45, 0.28));
}

pub(super) fn sunset(scene: &mut Scene<'_>) {
    let tint = scene.between(0.9, 1.06);
    scene.ground(hue(tint - 0.14, 0.5, 0.42), hue(tint + 0.06, 0.92, 0.68));
    let (x, y) = (scene.between(0.3, 0.7), scene.between(0.46, 0.54));
    scene.disc((x, y), 0.2, Color::rgba(255, 236, 190, 70));
    scene.disc((x, y), 0.14, Color::rgb(255, 240, 205));
    scene.block((0.0, 0.6), (1.0, 1.0), 0.0, hue(tint - 0.22, 0.4, 0.32));
    for wave in 0..9 {
        let depth = wave as f32 / 9.0;
        let half = (0.05 + scene.between(0.02, 0.1)) * (1.0 - depth * 0.4);
        let row = 0.63 + depth * 0.34;
        let shift = scene.between(-0.03, 0.03);
        let glow = Color::rgba(255, 226, 180, (150.0 - depth * 90.0) as u8);
        scene.block(
            (x + shift - half, row),
            (x + shift + half, row + 0.014),
            0.01,
            glow,
        );
    }
    let shore = scene.between(0.68, 0.8);
    scene.hills(&[shore, 0.86, 1.0, 1.1], hue(tint - 0.26, 0.35, 0.15));
}

pub(super) fn city(scene: &mut Scene<'_>) {
    let tint = scene.between(0.58, 0.74);
    scene.ground(hue(tint, 0.5, 0.3), hue(tint + 0.22, 0.55, 0.72));
    let moon = scene.between(0.15, 0.85);
    scene.disc((moon, 0.2), 0.07, Color::rgb(250, 244, 224));
    for layer in 0..2 {
        let near = layer as f32;
        let wall = hue(tint, 0.3, 0.3 - near * 0.16);
        let mut x = -0.02;
        while x < 1.0 {
            let width = scene.between(0.08, 0.15);
            let top = scene.between(0.34, 0.62) + near * 0.12;
            scene.block((x, top), (x + width, 1.0), 0.0, wall);
            if layer == 1 {
                windows(scene, (x, top), width);
            }
            x += width + scene.between(0.0, 0.02);
        }
    }
}

fn windows(scene: &mut Scene<'_>, (x, top): (f32, f32), width: f32) {
    let step = width / 4.0;
    let mut row = top + 0.03;
    while row < 0.97 {
        for column in 0..3 {
            if scene.whole(3) > 0 {
                let left = x + step * (column as f32 + 0.7);
                let light = Color::rgba(255, 222, 140, 150 + scene.whole(100) as u8);
                scene.block((left, row), (left + step * 0.6, row + 0.022), 0.0, light);
            }
        }
        row += 0.05;
    }
}

pub(super) fn dunes(scene: &mut Scene<'_>) {
    let tint = scene.between(0.05, 0.12);
    scene.ground(hue(tint + 0.46, 0.5, 0.72), hue(tint, 0.7, 0.9));
    let sun = scene.between(0.2, 0.8);
    scene.disc((sun, 0.28), 0.1, Color::rgb(255, 248, 228));
    for layer in 0..5 {
        let depth = layer as f32 / 4.0;
        let base = 0.5 + depth * 0.36;
        let heights = [0; 5].map(|_| base + scene.between(-0.08, 0.08));
        scene.hills(
            &heights,
            hue(tint - depth * 0.03, 0.58, 0.72 - depth * 0.34),
        );
    }
}

pub(super) fn portrait(scene: &mut Scene<'_>) {
    let tint = scene.between(0.0, 1.0);
    scene.ground(hue(tint, 0.45, 0.78), hue(tint + 0.05, 0.45, 0.62));
    scene.square();
    let skin = hue(scene.between(0.05, 0.08), 0.5, scene.between(0.42, 0.76));
    let hair = hue(scene.between(0.02, 0.1), 0.4, scene.between(0.1, 0.4));
    let cloth = hue(tint + scene.between(0.3, 0.7), 0.5, 0.45);
    scene.disc((0.5, 0.4), 0.24, hair);
    if scene.whole(2) == 0 {
        scene.block((0.27, 0.38), (0.73, 0.72), 0.16, hair);
    }
    scene.curves(
        &[
            (0.1, 1.1),
            (0.1, 0.84),
            (0.24, 0.72),
            (0.5, 0.72),
            (0.76, 0.72),
            (0.9, 0.84),
            (0.9, 1.1),
            (0.7, 1.1),
            (0.3, 1.1),
            (0.1, 1.1),
        ],
        cloth,
    );
    scene.block(
        (0.42, 0.56),
        (0.58, 0.78),
        0.08,
        skin.mix(Color::BLACK, 0.14),
    );
    scene.oval((0.5, 0.44), (0.17, 0.2), skin);
    scene.curves(
        &[
            (0.3, 0.42),
            (0.32, 0.2),
            (0.68, 0.2),
            (0.7, 0.42),
            (0.62, 0.36),
            (0.52, 0.33),
            (0.44, 0.31),
            (0.4, 0.35),
            (0.34, 0.38),
            (0.3, 0.42),
        ],
        hair,
    );
    for eye in [0.43, 0.57] {
        scene.disc((eye, 0.45), 0.016, Color::rgb(40, 32, 30));
    }
    scene.curves(
        &[
            (0.45, 0.54),
            (0.48, 0.575),
            (0.52, 0.575),
            (0.55, 0.54),
            (0.52, 0.555),
            (0.48, 0.555),
            (0.45, 0.54),
        ],
        skin.mix(Color::rgb(150, 30, 40), 0.6),
    );
}

pub(super) fn shapes(scene: &mut Scene<'_>) {
    let tint = scene.between(0.0, 1.0);
    scene.ground(hue(tint, 0.6, 0.6), hue(tint + 0.14, 0.6, 0.48));
    for blob in 0..6 {
        let at = (scene.between(0.0, 1.0), scene.between(0.0, 1.0));
        let radius = scene.between(0.12, 0.4);
        let color = hue(
            tint + scene.between(-0.1, 0.25),
            0.65,
            scene.between(0.5, 0.8),
        );
        scene.disc(at, radius, color.with_alpha(110 + blob * 15));
    }
}

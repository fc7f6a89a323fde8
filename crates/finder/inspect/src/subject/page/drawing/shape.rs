//! The shape of a drawing as a few numbers: its lowest frequencies.

use std::f32::consts::PI;
use std::sync::LazyLock;

use super::raster::{Raster, SIDE};

/// Highest sum of the frequencies on both axes.
const ORDER: usize = 10;
/// Numbers of a shape: all pairs of frequencies but the lowest, which is the mean.
const NUMBERS: usize = (ORDER + 1) * (ORDER + 2) / 2 - 1;
/// Steps of a written number on each side of zero.
const STEPS: f32 = 31.0;
/// The character that stands for the lowest written number.
const LOWEST: u8 = b'0';

/// The amplitude of each frequency, normalized to length 1.
#[derive(Clone, Debug)]
pub struct Shape([f32; NUMBERS]);

impl Shape {
    /// The shape of a raster; `None` if it is even.
    pub(super) fn from_raster(raster: &Raster) -> Option<Self> {
        let mut across = [[0.0; ORDER + 1]; SIDE];
        for (row, sums) in raster.rows().zip(&mut across) {
            for (sum, wave) in sums.iter_mut().zip(WAVES.iter()) {
                *sum = row.iter().zip(wave).map(|(cell, wave)| cell * wave).sum();
            }
        }
        let amplitude = |(x, y): (usize, usize)| {
            let wave = WAVES.get(y).into_iter().flatten();
            let column = across.iter().filter_map(|sums| sums.get(x));
            column.zip(wave).map(|(sum, wave)| sum * wave).sum()
        };
        let mut numbers = [0.0; NUMBERS];
        for (number, pair) in numbers.iter_mut().zip(frequencies()) {
            *number = amplitude(pair);
        }
        Self::normalized(numbers)
    }

    fn normalized(mut numbers: [f32; NUMBERS]) -> Option<Self> {
        let length = numbers.iter().map(|by| by * by).sum::<f32>().sqrt();
        if length <= f32::EPSILON {
            return None;
        }
        for number in &mut numbers {
            *number /= length;
        }
        Some(Self(numbers))
    }

    /// Similarity of two shapes, at most 1.
    pub fn similarity(&self, other: &Self) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }

    /// The shape rotated by 180 degrees.
    pub(super) fn rotated(mut self) -> Self {
        for (number, (x, y)) in self.0.iter_mut().zip(frequencies()) {
            if (x + y) % 2 == 1 {
                *number = -*number;
            }
        }
        self
    }

    /// The mirror image.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        for (number, (x, _)) in self.0.iter_mut().zip(frequencies()) {
            if x % 2 == 1 {
                *number = -*number;
            }
        }
        self
    }

    /// The shape in a character for each number.
    pub fn written(&self) -> String {
        let most = self.0.iter().fold(0.0_f32, |most, by| most.max(by.abs()));
        let step =
            |number: &f32| char::from(LOWEST + (number / most * STEPS + STEPS).round() as u8);
        self.0.iter().map(step).collect()
    }

    /// Reads a written shape.
    pub(super) fn read(written: &str) -> Option<Self> {
        let mut numbers = [0.0; NUMBERS];
        if written.len() != NUMBERS {
            return None;
        }
        for (number, character) in numbers.iter_mut().zip(written.bytes()) {
            *number = f32::from(character.checked_sub(LOWEST)?) - STEPS;
        }
        Self::normalized(numbers)
    }
}

/// The frequencies across and down.
fn frequencies() -> impl Iterator<Item = (usize, usize)> {
    (0..=ORDER)
        .flat_map(|y| (0..=ORDER - y).map(move |x| (x, y)))
        .skip(1)
}

/// The cosine waves of each frequency.
static WAVES: LazyLock<[[f32; SIDE]; ORDER + 1]> = LazyLock::new(|| {
    let mut waves = [[0.0; SIDE]; ORDER + 1];
    for (frequency, wave) in waves.iter_mut().enumerate() {
        let amplitude = if frequency == 0 { 1.0 } else { 2.0_f32.sqrt() };
        for (at, value) in wave.iter_mut().enumerate() {
            let angle = PI * (at as f32 + 0.5) * frequency as f32 / SIDE as f32;
            *value = amplitude * angle.cos();
        }
    }
    waves
});

#[cfg(test)]
mod tests {
    use super::super::raster::FillRule;
    use super::*;

    fn filled(path: &str) -> Shape {
        Shape::from_raster(&Raster::from_fill(path, FillRule::NonZero).unwrap()).unwrap()
    }

    #[test]
    fn written_shape_is_read_again() {
        let shape = filled("M4 4h12l4 9-9 7z");
        let read = Shape::read(&shape.written()).unwrap();
        assert!(shape.similarity(&read) > 0.99, "{}", shape.written());
        assert!(Shape::read("0123").is_none());
    }

    #[test]
    fn rotated_shape_is_that_of_the_rotated_drawing() {
        let (up, down) = (filled("M12 4L22 20H2z"), filled("M12 20L2 4H22z"));
        assert!(up.similarity(&down) < 0.6, "{}", up.similarity(&down));
        assert!(up.rotated().similarity(&down) > 0.99);
    }
}

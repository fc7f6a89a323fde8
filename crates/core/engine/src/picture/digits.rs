//! The letters of labels: `e` and the digits, as dots.

use uitree::Rect;

use super::canvas::{Canvas, Color};

/// The dots of a letter: width and height.
pub(super) const WIDTH: i32 = 5;
pub(super) const HEIGHT: i32 = 7;
/// The dots from one letter to the next.
pub(super) const ADVANCE: i32 = WIDTH + 1;

/// The rows of a letter, five bits each; a blank for any other letter.
fn rows(letter: char) -> [u8; 7] {
    match letter {
        'e' => [
            0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110,
        ],
        '0' => [
            0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110,
        ],
        '1' => [
            0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110,
        ],
        '2' => [
            0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111,
        ],
        '3' => [
            0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110,
        ],
        '4' => [
            0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010,
        ],
        '5' => [
            0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110,
        ],
        '6' => [
            0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110,
        ],
        '7' => [
            0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000,
        ],
        '8' => [
            0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110,
        ],
        '9' => [
            0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100,
        ],
        _ => [0; 7],
    }
}

/// Writes a text whose first letter begins at this pixel; a dot has `dot` pixels in each direction.
pub(super) fn write(canvas: &mut Canvas, text: &str, at: (i32, i32), dot: i32, color: Color) {
    let mut left = at.0;
    for letter in text.chars() {
        let mut top = at.1;
        for row in rows(letter) {
            for column in 0..WIDTH {
                if row >> (WIDTH - 1 - column) & 1 == 1 {
                    let x = left + column * dot;
                    canvas.fill(Rect::new(x, top, x + dot, top + dot), color);
                }
            }
            top += dot;
        }
        left += ADVANCE * dot;
    }
}

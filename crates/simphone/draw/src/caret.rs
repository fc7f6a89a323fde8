//! Places inside of a text: where the cursor is before a character, and which character a finger meets.

use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation;

use super::items::{Item, Items};
use super::layout::{Broken, broken};
use super::text_style::TextStyle;

/// A text in a box, with the places of its characters. Lengths are pixels from the upper left corner of the box.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    lines: Vec<LinePlaces>,
    line_height: f32,
}

/// A line of it.
#[derive(Clone, Debug, PartialEq)]
struct LinePlaces {
    /// The bytes that it shows.
    from: usize,
    to: usize,
    /// Whether a line feed ends it: the cursor can then be behind its last character.
    closed: bool,
    /// Whether its paragraph is read from right to left.
    reversed: bool,
    /// Each character: its first byte, one past its last byte, its left and its right edge, and whether it is read from right
    /// to left.
    marks: Vec<Mark>,
    /// Where the cursor is behind its last character.
    end: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    from: usize,
    to: usize,
    left: f32,
    right: f32,
    reversed: bool,
}

impl Mark {
    const fn near(&self) -> f32 {
        if self.reversed { self.right } else { self.left }
    }

    const fn far(&self) -> f32 {
        if self.reversed { self.left } else { self.right }
    }
}

/// The places of the characters of `text` when it is drawn in a box of this width; `wrap` is the width at which its lines
/// break, if they do. The style's line limit does not count.
pub fn places(text: &str, style: &TextStyle, width: f32, wrap: Option<f32>) -> Places {
    let (paragraphs, line_height) = broken(text, style, wrap);
    let mut lines = Vec::new();
    let mut at = 0;
    for (paragraph, Broken { made, lines: rows }) in text.split('\n').zip(paragraphs) {
        let ends = ends(paragraph, made.items.len());
        let mut first = 0;
        let last = rows.len().saturating_sub(1);
        for (number, count) in rows.into_iter().enumerate() {
            let items = made.items.get(first..first + count).unwrap_or_default();
            let begin = |index: usize| match index {
                0 => 0,
                index => ends.get(index - 1).copied().unwrap_or(paragraph.len()),
            };
            let edges = edges(&made, items, style, width);
            let marks = edges.marks.into_iter().enumerate();
            let marks = marks.map(|(index, (left, right, reversed))| Mark {
                from: at + begin(first + index),
                to: at + begin(first + index + 1),
                left,
                right,
                reversed,
            });
            lines.push(LinePlaces {
                from: at + begin(first),
                to: if number == last {
                    at + paragraph.len()
                } else {
                    at + begin(first + count)
                },
                closed: number == last,
                reversed: made.base % 2 == 1,
                marks: marks.collect(),
                end: edges.end,
            });
            first += count;
        }
        at += paragraph.len() + 1;
    }
    Places { lines, line_height }
}

impl Places {
    /// The distance from line to line.
    pub const fn line_height(&self) -> f32 {
        self.line_height
    }

    /// The height of all lines.
    pub fn height(&self) -> f32 {
        self.lines.len() as f32 * self.line_height
    }

    /// The width of the widest line, with the blanks at its end.
    pub fn width(&self) -> f32 {
        let wide = |line: &LinePlaces| {
            let left = line.marks.iter().map(|mark| mark.left).reduce(f32::min);
            let right = line.marks.iter().map(|mark| mark.right).reduce(f32::max);
            right.zip(left).map_or(0.0, |(right, left)| right - left)
        };
        self.lines.iter().map(wide).fold(0.0, f32::max)
    }

    /// The line in which the cursor is before this byte.
    pub fn line_of(&self, byte: usize) -> usize {
        let inside = |line: &LinePlaces| byte < line.to || (line.closed && byte == line.to);
        self.lines
            .iter()
            .position(inside)
            .unwrap_or(self.lines.len().saturating_sub(1))
    }

    /// Where the cursor is before this byte: its distance from the left edge, and the top of its line.
    pub fn cursor(&self, byte: usize) -> (f32, f32) {
        let line = self.line_of(byte);
        let top = line as f32 * self.line_height;
        let Some(places) = self.lines.get(line) else {
            return (0.0, top);
        };
        let x = match places.marks.iter().find(|mark| mark.from >= byte) {
            Some(mark) => mark.near(),
            None => places.end,
        };
        (x, top)
    }

    /// The byte before which the cursor is after a finger has met this place.
    pub fn byte_at(&self, x: f32, y: f32) -> usize {
        let line = (y / self.line_height).floor().max(0.0) as usize;
        self.byte_in(line.min(self.lines.len().saturating_sub(1)), x)
    }

    /// The byte of a line that is nearest to this distance from the left edge; `None` where there is no such line.
    pub fn byte_in_line(&self, line: usize, x: f32) -> Option<usize> {
        (line < self.lines.len()).then(|| self.byte_in(line, x))
    }

    /// The bytes before which the cursor is at the left and at the right edge of the line of this byte.
    pub fn line_edges(&self, byte: usize) -> (usize, usize) {
        let Some(line) = self.lines.get(self.line_of(byte)) else {
            return (0, 0);
        };
        match line.reversed {
            true => (line.last(), line.from),
            false => (line.from, line.last()),
        }
    }

    fn byte_in(&self, line: usize, x: f32) -> usize {
        let Some(places) = self.lines.get(line) else {
            return 0;
        };
        let mut best = (f32::INFINITY, places.from);
        let end = places.last();
        for mark in &places.marks {
            for (byte, edge) in [(mark.from, mark.near()), (mark.to, mark.far())] {
                let far = (edge - x).abs();
                if far < best.0 && byte <= end {
                    best = (far, byte);
                }
            }
        }
        best.1
    }
}

impl LinePlaces {
    /// The last byte before which the cursor is in this line.
    fn last(&self) -> usize {
        if self.closed {
            self.to
        } else {
            self.marks.last().map_or(self.from, |mark| mark.from)
        }
    }
}

/// One past the last byte of each item: an item is a character of a plain script, else a grapheme.
fn ends(paragraph: &str, items: usize) -> Vec<usize> {
    let shown = paragraph.strip_suffix('\r').unwrap_or(paragraph);
    if shown.chars().count() == items {
        let ends = shown.char_indices();
        return ends.map(|(at, c)| at + c.len_utf8()).collect();
    }
    let ends = shown.grapheme_indices(true);
    ends.map(|(at, text)| at + text.len()).collect()
}

struct Edges {
    marks: Vec<(f32, f32, bool)>,
    end: f32,
}

/// The left and right edge of each item of a line, in the order in which it is read.
fn edges(made: &Items, items: &[Item], style: &TextStyle, width: f32) -> Edges {
    let reversed = made.base % 2 == 1;
    let (inked, levels) = made.line_levels(items);
    let mut marks = vec![(0.0, 0.0, false); items.len()];
    let (mut x, mut ink) = (0.0_f32, 0.0_f32);
    // Blanks at the end of a line that is read from right to left hang over its left edge.
    let hanging: f32 = if reversed {
        items.iter().skip(inked).map(|item| item.advance).sum()
    } else {
        0.0
    };
    x -= hanging;
    let mut before = None;
    for at in BidiInfo::reorder_visual(&levels) {
        let (Some(item), Some(mark)) = (items.get(at), marks.get_mut(at)) else {
            continue;
        };
        if at > 0 && before == Some(at - 1) {
            x += item.kern;
        }
        let odd = levels.get(at).is_some_and(Level::is_rtl);
        *mark = (x, x + item.advance, odd);
        x += item.advance;
        if !item.blank {
            ink = x;
        }
        before = Some(at);
    }
    let left = super::layout::start_of(ink, style, width);
    for mark in &mut marks {
        mark.0 += left;
        mark.1 += left;
    }
    let ends = marks
        .iter()
        .map(|mark| if reversed { mark.0 } else { mark.1 });
    let end = ends.reduce(if reversed { f32::min } else { f32::max });
    Edges {
        end: end.unwrap_or(left),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, measure};

    fn style() -> TextStyle {
        TextStyle::new(40.0, Color::BLACK)
    }

    #[test]
    fn a_finger_meets_the_edge_it_is_next_to() {
        let text = "nnnn";
        let found = places(text, &style(), 500.0, None);
        let wide = measure("n", &style(), None).0;
        for (x, byte) in [(0.0, 0), (0.4, 0), (0.6, 1), (1.4, 1), (3.6, 4), (9.0, 4)] {
            assert_eq!(found.byte_at(x * wide, 10.0), byte, "{x}");
        }
        for byte in 0..=4 {
            let (x, top) = found.cursor(byte);
            assert!((x - byte as f32 * wide).abs() < 1.0 && top == 0.0, "{byte}");
        }
    }

    #[test]
    fn lines_break_where_they_are_drawn() {
        let text = "one two three\n\nfour";
        let found = places(text, &style(), 150.0, Some(150.0));
        let lines: Vec<usize> = [0, 7, 8, 13, 14, 15, 19]
            .map(|byte| found.line_of(byte))
            .to_vec();
        assert_eq!(lines, [0, 0, 1, 1, 2, 3, 3]);
        assert_eq!(
            found.line_edges(2),
            (0, 7),
            "the blank at its end belongs to the next line's cursor"
        );
        assert_eq!(found.line_edges(9), (8, 13));
        assert_eq!(found.height(), 4.0 * found.line_height());
        assert_eq!(found.byte_at(10_000.0, 0.0), 7);
        assert_eq!(found.byte_at(0.0, 10_000.0), 15);
    }
}

//! Caret positions in a text, and hit tests: from a byte to a position and back.

use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation;

use super::items::{Item, Items};
use super::layout::{BrokenParagraph, broken};
use super::text_style::TextStyle;

/// The positions of a text's characters, in pixels from the upper left corner of its box.
#[derive(Clone, Debug, PartialEq)]
pub struct CaretPositions {
    lines: Vec<LinePositions>,
    line_height: f32,
}

#[derive(Clone, Debug, PartialEq)]
struct LinePositions {
    /// The byte range of the line.
    from: usize,
    to: usize,
    /// Whether the line is the last of its paragraph: the caret can then be after its last character.
    closed: bool,
    /// Whether the paragraph runs from right to left.
    reversed: bool,
    spans: Vec<Span>,
    /// The caret position after the last character.
    end: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
/// The bytes and the edges of a character.
struct Span {
    from: usize,
    to: usize,
    left: f32,
    right: f32,
    reversed: bool,
}

impl Span {
    const fn near(&self) -> f32 {
        if self.reversed { self.right } else { self.left }
    }

    const fn far(&self) -> f32 {
        if self.reversed { self.left } else { self.right }
    }
}

/// Computes the caret positions of `text` in a box of this width; lines wrap at `wrap` if given. The style's line limit
/// is ignored.
pub fn caret_positions(
    text: &str,
    style: &TextStyle,
    width: f32,
    wrap: Option<f32>,
) -> CaretPositions {
    let (paragraphs, line_height) = broken(text, style, wrap);
    let mut lines = Vec::new();
    let mut at = 0;
    for (paragraph, BrokenParagraph { made, lines: rows }) in text.split('\n').zip(paragraphs) {
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
            let spans = edges.spans.into_iter().enumerate();
            let spans = spans.map(|(index, (left, right, reversed))| Span {
                from: at + begin(first + index),
                to: at + begin(first + index + 1),
                left,
                right,
                reversed,
            });
            lines.push(LinePositions {
                from: at + begin(first),
                to: if number == last {
                    at + paragraph.len()
                } else {
                    at + begin(first + count)
                },
                closed: number == last,
                reversed: made.base % 2 == 1,
                spans: spans.collect(),
                end: edges.end,
            });
            first += count;
        }
        at += paragraph.len() + 1;
    }
    CaretPositions { lines, line_height }
}

impl CaretPositions {
    pub const fn line_height(&self) -> f32 {
        self.line_height
    }

    pub fn height(&self) -> f32 {
        self.lines.len() as f32 * self.line_height
    }

    /// Returns the width of the widest line, including trailing blanks.
    pub fn width(&self) -> f32 {
        let wide = |line: &LinePositions| {
            let left = line.spans.iter().map(|span| span.left).reduce(f32::min);
            let right = line.spans.iter().map(|span| span.right).reduce(f32::max);
            right.zip(left).map_or(0.0, |(right, left)| right - left)
        };
        self.lines.iter().map(wide).fold(0.0, f32::max)
    }

    /// Returns the line of the caret before this byte.
    pub fn line_of(&self, byte: usize) -> usize {
        let inside = |line: &LinePositions| byte < line.to || (line.closed && byte == line.to);
        self.lines
            .iter()
            .position(inside)
            .unwrap_or(self.lines.len().saturating_sub(1))
    }

    /// Returns the caret position before this byte: distance from the left edge, and top of the line.
    pub fn cursor(&self, byte: usize) -> (f32, f32) {
        let line = self.line_of(byte);
        let top = line as f32 * self.line_height;
        let Some(places) = self.lines.get(line) else {
            return (0.0, top);
        };
        let x = match places.spans.iter().find(|span| span.from >= byte) {
            Some(span) => span.near(),
            None => places.end,
        };
        (x, top)
    }

    /// Returns the byte of the caret position that is nearest to a point.
    pub fn byte_at(&self, x: f32, y: f32) -> usize {
        let line = (y / self.line_height).floor().max(0.0) as usize;
        self.byte_in(line.min(self.lines.len().saturating_sub(1)), x)
    }

    /// Returns the byte of the caret position in `line` that is nearest to `x`; `None` if there is no such line.
    pub fn byte_in_line(&self, line: usize, x: f32) -> Option<usize> {
        (line < self.lines.len()).then(|| self.byte_in(line, x))
    }

    /// Returns the bytes of the caret positions at the left and right edge of this byte's line.
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
        for span in &places.spans {
            for (byte, edge) in [(span.from, span.near()), (span.to, span.far())] {
                let far = (edge - x).abs();
                if far < best.0 && byte <= end {
                    best = (far, byte);
                }
            }
        }
        best.1
    }
}

impl LinePositions {
    /// Returns the last byte whose caret position is in this line.
    fn last(&self) -> usize {
        if self.closed {
            self.to
        } else {
            self.spans.last().map_or(self.from, |span| span.from)
        }
    }
}

/// Returns the end byte of each item: an item is a character of a plain script, else a grapheme.
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
    spans: Vec<(f32, f32, bool)>,
    end: f32,
}

/// Computes the left and right edge of each item of a line, in logical order.
fn edges(made: &Items, items: &[Item], style: &TextStyle, width: f32) -> Edges {
    let reversed = made.base % 2 == 1;
    let (inked, levels) = made.line_levels(items);
    let mut spans = vec![(0.0, 0.0, false); items.len()];
    let (mut x, mut ink) = (0.0_f32, 0.0_f32);
    // Trailing blanks of a right-to-left line hang over its left edge.
    let hanging: f32 = if reversed {
        items.iter().skip(inked).map(|item| item.advance).sum()
    } else {
        0.0
    };
    x -= hanging;
    let mut before = None;
    for at in BidiInfo::reorder_visual(&levels) {
        let (Some(item), Some(span)) = (items.get(at), spans.get_mut(at)) else {
            continue;
        };
        if at > 0 && before == Some(at - 1) {
            x += item.kern;
        }
        let odd = levels.get(at).is_some_and(Level::is_rtl);
        *span = (x, x + item.advance, odd);
        x += item.advance;
        if !item.blank {
            ink = x;
        }
        before = Some(at);
    }
    let left = super::layout::start_of(ink, style, width);
    for span in &mut spans {
        span.0 += left;
        span.1 += left;
    }
    let ends = spans
        .iter()
        .map(|span| if reversed { span.0 } else { span.1 });
    let end = ends.reduce(if reversed { f32::min } else { f32::max });
    Edges {
        end: end.unwrap_or(left),
        spans,
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
    fn hit_test_returns_the_nearest_caret_position() {
        let text = "nnnn";
        let found = caret_positions(text, &style(), 500.0, None);
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
    fn caret_lines_match_the_layout() {
        let text = "one two three\n\nfour";
        let found = caret_positions(text, &style(), 150.0, Some(150.0));
        let lines: Vec<usize> = [0, 7, 8, 13, 14, 15, 19]
            .map(|byte| found.line_of(byte))
            .to_vec();
        assert_eq!(lines, [0, 0, 1, 1, 2, 3, 3]);
        assert_eq!(
            found.line_edges(2),
            (0, 7),
            "the caret after a trailing blank is on the next line"
        );
        assert_eq!(found.line_edges(9), (8, 13));
        assert_eq!(found.height(), 4.0 * found.line_height());
        assert_eq!(found.byte_at(10_000.0, 0.0), 7);
        assert_eq!(found.byte_at(0.0, 10_000.0), 15);
    }
}

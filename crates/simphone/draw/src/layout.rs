//! Text layout: glyph positions, wrapping, ellipsis.

use unicode_bidi::BidiInfo;

use super::font::{ASCENT, DESCENT, Glyph};
use super::items::{Item, Items, Letters};
use super::path::within;
use super::text_style::{Align, Flow, TextStyle};

/// Font sizes are clamped to this range, which limits the memory of a glyph.
const SIZES: (f32, f32) = (1.0, 1000.0);

/// How far a line may exceed the available width: text must not wrap at its own measured width, rounded to pixels.
const TOLERANCE: f32 = 0.75;

/// A glyph and its offset from the left end of the line on the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedGlyph {
    pub(super) glyph: Glyph,
    pub(super) x: f32,
    pub(super) y: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) glyphs: Vec<PlacedGlyph>,
    /// Width without trailing blanks.
    pub(super) width: f32,
    /// Width with trailing blanks: where the next glyph would start.
    end: f32,
    /// Whether the line runs from right to left.
    reversed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) lines: Vec<Line>,
    pub(super) size: f32,
    pub(super) line_height: f32,
}

impl Layout {
    /// Returns the width of the widest line.
    pub(super) fn width(&self) -> f32 {
        self.lines
            .iter()
            .fold(0.0, |width, line| width.max(line.width))
    }

    pub(super) fn height(&self) -> f32 {
        self.lines.len() as f32 * self.line_height
    }

    /// Returns the distance from the top of a line to its baseline.
    pub(super) fn baseline(&self) -> f32 {
        (self.line_height - (ASCENT + DESCENT) * self.size) / 2.0 + ASCENT * self.size
    }
}

/// Measures the width and height of `text` in pixels, wrapped at `max_width` pixels; without `max_width` only line
/// feeds start new lines. An empty text is one line high.
pub fn measure(text: &str, style: &TextStyle, max_width: Option<f32>) -> (f32, f32) {
    let layout = lay_out(text, style, max_width);
    (layout.width(), layout.height())
}

/// Returns the left end of a line in a box of this width.
pub(super) fn start(line: &Line, style: &TextStyle, width: f32) -> f32 {
    start_of(line.width, style, width)
}

/// Returns the left end of a line of width `line` in a box of this width.
pub(super) fn start_of(line: f32, style: &TextStyle, width: f32) -> f32 {
    let spare = width - line;
    match (style.align, style.flow) {
        (Align::Start, Flow::LeftToRight) | (Align::End, Flow::RightToLeft) => 0.0,
        (Align::Center, _) => spare / 2.0,
        (Align::End, Flow::LeftToRight) | (Align::Start, Flow::RightToLeft) => spare,
    }
}

/// Lays out a text in lines of positioned glyphs.
pub(super) fn lay_out(text: &str, style: &TextStyle, max_width: Option<f32>) -> Layout {
    let size = within(style.size, SIZES.0, SIZES.1);
    let line_height = match style.line_height {
        Some(height) if height.is_finite() => height.clamp(1.0, SIZES.1 * 4.0),
        _ => (size * (ASCENT + DESCENT)).round(),
    };
    let letters = Letters { style, size };
    let mut lines = Lines {
        limit: max_width.map_or(f32::INFINITY, |width| {
            within(width, 0.0, f32::INFINITY) + TOLERANCE
        }),
        most: style
            .max_lines
            .map_or(usize::MAX, |lines| lines.max(1) as usize),
        letters,
        done: Vec::new(),
    };
    let mut paragraphs = text.split('\n').peekable();
    while let Some(paragraph) = paragraphs.next() {
        let made = letters.items(paragraph.strip_suffix('\r').unwrap_or(paragraph));
        lines.wrap(&made, paragraphs.peek().is_some());
        if lines.done.len() >= lines.most {
            break;
        }
    }
    Layout {
        lines: lines.done,
        size,
        line_height,
    }
}

/// A paragraph and the number of items on each of its lines.
pub(super) struct BrokenParagraph {
    pub(super) made: Items,
    pub(super) lines: Vec<usize>,
}

/// Breaks the paragraphs of a text as [`lay_out`] does, without a line limit; also returns the line height.
pub(super) fn broken(
    text: &str,
    style: &TextStyle,
    max_width: Option<f32>,
) -> (Vec<BrokenParagraph>, f32) {
    let unlimited = TextStyle {
        max_lines: None,
        ..*style
    };
    let layout = lay_out("", &unlimited, None);
    let letters = Letters {
        style: &unlimited,
        size: layout.size,
    };
    let lines = Lines {
        limit: max_width.map_or(f32::INFINITY, |width| {
            within(width, 0.0, f32::INFINITY) + TOLERANCE
        }),
        most: usize::MAX,
        letters,
        done: Vec::new(),
    };
    let paragraphs = text.split('\n').map(|paragraph| {
        let made = letters.items(paragraph.strip_suffix('\r').unwrap_or(paragraph));
        let mut counts = Vec::new();
        let mut rest = made.items.as_slice();
        loop {
            let count = lines.fitting(rest);
            counts.push(count);
            rest = rest.get(count..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
        }
        BrokenParagraph {
            made,
            lines: counts,
        }
    });
    (paragraphs.collect(), layout.line_height)
}

struct Lines<'a> {
    limit: f32,
    most: usize,
    letters: Letters<'a>,
    done: Vec<Line>,
}

impl Lines<'_> {
    /// Adds the lines of one paragraph; `more` is true if another paragraph follows.
    fn wrap(&mut self, made: &Items, more: bool) {
        let mut rest = made.items.as_slice();
        loop {
            if self.done.len() + 1 >= self.most {
                self.done.push(self.last_line(made, rest, more));
                return;
            }
            let (line, following) = rest.split_at(self.fitting(rest));
            self.done.push(place(made, line));
            if following.is_empty() {
                return;
            }
            rest = following;
        }
    }

    /// Returns the number of items on the next line: at least one, unless there are none.
    fn fitting(&self, items: &[Item]) -> usize {
        let mut width = 0.0;
        let mut last_break = 0;
        for (at, item) in items.iter().enumerate() {
            width += item.advance + if at > 0 { item.kern } else { 0.0 };
            // An item of zero width stays with the item before it.
            if width > self.limit && !item.blank && at > 0 && item.advance > 0.0 {
                return if last_break > 0 { last_break } else { at };
            }
            if item.break_after {
                last_break = at + 1;
            }
        }
        items.len()
    }

    /// Returns the last permitted line, with an ellipsis if anything is left out.
    fn last_line(&self, made: &Items, items: &[Item], more: bool) -> Line {
        if !more {
            let whole = place(made, items);
            if whole.width <= self.limit {
                return whole;
            }
        }
        let ellipsis = Item {
            level: made.base,
            ..self.letters.item('…', None, None)
        };
        let mut shown: Vec<Item> = Vec::new();
        let mut width = ellipsis.advance;
        for item in items {
            width += item.advance + item.kern;
            if width > self.limit {
                break;
            }
            shown.push(*item);
        }
        while shown.last().is_some_and(|item| item.blank) {
            shown.pop();
        }
        shown.push(ellipsis);
        place(made, &shown)
    }
}

fn place(made: &Items, items: &[Item]) -> Line {
    let mut line = Line {
        glyphs: Vec::with_capacity(items.len()),
        width: 0.0,
        end: 0.0,
        reversed: made.base % 2 == 1,
    };
    let mut x = 0.0;
    if made.base == 0 && items.iter().all(|item| item.level == 0) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                x += item.kern;
            }
            x = put(&mut line, made, item, x);
        }
        line.end = x;
        return line;
    }
    let (inked, levels) = made.line_levels(items);
    let mut before = None;
    for at in BidiInfo::reorder_visual(&levels) {
        let Some(item) = items.get(at) else { continue };
        if line.reversed && at >= inked {
            // Trailing blanks are invisible, and the line's left end is where its ink begins.
            line.end += item.advance;
            continue;
        }
        if at > 0 && before == Some(at - 1) {
            x += item.kern;
        }
        x = put(&mut line, made, item, x);
        before = Some(at);
    }
    line.end += x;
    line
}

/// Adds an item's glyphs at `x` and returns where the next item starts.
fn put(line: &mut Line, made: &Items, item: &Item, x: f32) -> f32 {
    if item.glyph != Glyph::Nothing {
        line.glyphs.push(PlacedGlyph {
            glyph: item.glyph,
            x,
            y: 0.0,
        });
    }
    let (first, count) = (item.pieces.0 as usize, item.pieces.1 as usize);
    for piece in made.pieces.iter().skip(first).take(count) {
        line.glyphs.push(PlacedGlyph {
            glyph: piece.glyph,
            x: x + piece.x,
            y: piece.y,
        });
    }
    let end = x + item.advance;
    if !item.blank {
        line.width = end;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::font;
    use super::super::text_style::Weight;
    use super::*;
    use crate::Color;

    fn style() -> TextStyle {
        TextStyle::new(40.0, Color::BLACK)
    }

    /// Returns the text of each line, from its glyphs.
    fn shown(text: &str, style: &TextStyle, width: Option<f32>) -> Vec<String> {
        let layout = lay_out(text, style, width);
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -…/";
        let name = |placed: &PlacedGlyph| {
            letters
                .chars()
                .find(|letter| font::glyph(*letter, style.weight) == placed.glyph)
                .unwrap_or('□')
        };
        (layout.lines.iter())
            .map(|line| line.glyphs.iter().map(name).collect())
            .collect()
    }

    #[test]
    fn text_wraps_at_its_width() {
        for (text, width, expected) in [
            ("one two three", 150.0, vec!["one two ", "three"]),
            ("one two three", 10_000.0, vec!["one two three"]),
            (
                "one\ntwo\r\n\nthree",
                10_000.0,
                vec!["one", "two", "", "three"],
            ),
            ("abcdefghijkl", 100.0, vec!["abcd", "efghij", "kl"]),
            ("a abcdefghijkl", 100.0, vec!["a ", "abcd", "efghij", "kl"]),
            ("well-known", 120.0, vec!["well-", "known"]),
            ("2024-05", 90.0, vec!["2024", "-05"]),
            ("abc      ", 70.0, vec!["abc      "]),
            ("漢字漢字", 90.0, vec!["□□", "□□"]),
            ("漢字，字", 90.0, vec!["漢", "字，", "字"]),
            ("", 100.0, vec![""]),
            ("\n", 100.0, vec!["", ""]),
            ("abc", 0.0, vec!["a", "b", "c"]),
            ("abc", -5.0, vec!["a", "b", "c"]),
            ("ab", f32::NAN, vec!["a", "b"]),
        ] {
            let expected: Vec<String> = (expected.iter())
                .map(|line| {
                    line.chars()
                        .map(|c| if font::is_wide(c) { '□' } else { c })
                        .collect()
                })
                .collect();
            assert_eq!(
                shown(text, &style(), Some(width)),
                expected,
                "{text:?} at {width}"
            );
        }
    }

    #[test]
    fn line_limit_ends_in_an_ellipsis() {
        for (text, width, lines, expected) in [
            ("one two three", 150.0, 1, vec!["one tw…"]),
            ("one two three", 150.0, 2, vec!["one two ", "three"]),
            ("one two three four", 150.0, 2, vec!["one two ", "three f…"]),
            ("one\ntwo", 500.0, 1, vec!["one…"]),
            ("one two three", 110.0, 1, vec!["one…"]),
            ("one two", 500.0, 0, vec!["one two"]),
            ("one two", 1.0, 1, vec!["…"]),
            ("abc   ", 70.0, 1, vec!["abc   "]),
        ] {
            let style = style().max_lines(lines);
            assert_eq!(
                shown(text, &style, Some(width)),
                expected,
                "{text:?} at {width}"
            );
        }
    }

    #[test]
    fn text_does_not_wrap_at_its_measured_width() {
        for text in ["Settings", "AVAVA To Ye", "漢字 and more", "ёлка, Ωμέγα"] {
            let (width, height) = measure(text, &style(), None);
            for given in [width, width.round(), width.ceil()] {
                assert_eq!(
                    measure(text, &style(), Some(given)),
                    (width, height),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn measured_sizes_follow_the_style() {
        let (width, height) = measure("nnnnnnnnnn", &style(), None);
        assert!((200.0..240.0).contains(&width), "{width}");
        assert_eq!(height, 47.0);
        let tall = TextStyle {
            line_height: Some(60.0),
            ..style()
        };
        assert_eq!(measure("a\nb", &tall, None).1, 120.0);
        assert_eq!(measure("", &style(), None), (0.0, 47.0));
        assert!(
            measure("VA", &style(), None).0
                < measure("V", &style(), None).0 + measure("A", &style(), None).0
        );
        assert!(measure("WWW", &style().weight(Weight::Bold), None).0 > 80.0);
    }

    #[test]
    fn invalid_styles_give_finite_sizes() {
        for size in [f32::NAN, f32::INFINITY, -1.0, 0.0, f32::MIN_POSITIVE] {
            for line_height in [None, Some(f32::NAN), Some(-3.0), Some(f32::INFINITY)] {
                let style = TextStyle {
                    size,
                    line_height,
                    ..style()
                };
                let (width, height) = measure("text and more text", &style, Some(100.0));
                assert!(width.is_finite() && height.is_finite() && height >= 1.0);
            }
        }
    }
}

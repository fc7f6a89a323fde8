//! The text of a field: layout, cursor, hit test and paint.

use uitree::{Point, Rect};

use draw::{CaretPositions, Flow, Paint, TextStyle, Theme, Vertical, caret_positions};
use sim_format::widget::{Field, Kind};

use super::element::{Content, Element, Painter, inside};
use super::field::sides;
use crate::cursor::{Cursor, byte_of, character_at};

#[derive(Debug)]
pub struct TextBox {
    pub words: Rect,
    /// The bounds of the field, used to mirror.
    field: Rect,
    flow: Flow,
    pub style: TextStyle,
    pub text: String,
    several: bool,
}

#[derive(Debug)]
pub struct TextLayout {
    pub places: CaretPositions,
    /// The upper left corner of the laid-out text on the screen.
    pub left: f32,
    pub top: f32,
}

impl TextLayout {
    /// Returns the cursor before this byte, on the screen: x, top and height.
    pub fn cursor(&self, byte: usize) -> (f32, f32, f32) {
        let (x, y) = self.places.cursor(byte);
        (self.left + x, self.top + y, self.places.line_height())
    }
}

impl TextBox {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Lays out the text for the `cursor` of a focused field and a scroll offset.
    pub fn written(&self, cursor: Option<Cursor>, scrolled: f32) -> TextLayout {
        let width = self.words.width().max(1) as f32;
        let wrap = self.several.then_some(width);
        let found = caret_positions(&self.text, &self.style, width, wrap);
        if self.several {
            return TextLayout {
                left: self.words.left as f32,
                top: self.words.top as f32 - scrolled,
                places: found,
            };
        }
        // A line longer than its field shows its start, or the part with the cursor.
        let x = cursor.map_or(0.0, |cursor| {
            let place = cursor.place(self.text.chars().count());
            let x = found.cursor(byte_of(&self.text, place)).0;
            match x {
                x if x > width => width - x,
                x if x < 0.0 => -x,
                _ => 0.0,
            }
        });
        let spare = self.words.height() as f32 - found.height();
        TextLayout {
            left: self.words.left as f32 + x,
            top: self.words.top as f32 + (spare / 2.0).floor(),
            places: found,
        }
    }

    /// Returns the cursor position nearest to a point, in characters.
    pub fn character_at(&self, at: Point, cursor: Option<Cursor>, scrolled: f32) -> usize {
        let written = self.written(cursor, scrolled);
        let byte = written
            .places
            .byte_at(at.x as f32 - written.left, at.y as f32 - written.top);
        character_at(&self.text, byte)
    }

    /// Mirrors a rectangle in a right-to-left field, because painted entries are mirrored again later.
    pub fn mirrored(&self, rect: Rect) -> Rect {
        match self.flow {
            Flow::LeftToRight => rect,
            Flow::RightToLeft => {
                let sum = self.field.left + self.field.right;
                Rect::new(sum - rect.right, rect.top, sum - rect.left, rect.bottom)
            }
        }
    }

    pub fn paint(&self, cursor: Option<Cursor>, to: &mut Painter<'_>, style: TextStyle) {
        let written = self.written(cursor, to.scrolled as f32);
        let palette = to.theme.palette;
        let high = written.places.height();
        let high_over = self.several && high > self.words.height() as f32;
        let wide_over = !self.several && written.places.width() > self.words.width() as f32;
        let over = high_over || wide_over;
        let thick = to.theme.dp(2.0);
        if over {
            // The cursor may be after the last character that fits.
            let mut rect = self.words;
            rect.left -= thick;
            rect.right += thick;
            to.push(Paint::PushClip {
                rect: self.mirrored(rect),
                radius: 0.0,
            });
        }
        if cursor == Some(Cursor::All) {
            let (left, top) = (written.left as i32, written.top as i32);
            let right = (written.left + written.places.width()).ceil() as i32;
            let all = Rect::new(left, top, right, top + high.ceil() as i32);
            to.fill(self.mirrored(all), 0.0, palette.primary.with_alpha(77));
        }
        if !self.text.is_empty() {
            let width = self.words.width() as f32;
            let long = if self.several {
                width
            } else {
                written.places.width().max(width)
            };
            // A long right-to-left line hangs over the left edge.
            let hangs = match self.flow {
                Flow::LeftToRight => 0.0,
                Flow::RightToLeft => width - long,
            };
            let left = (written.left + hangs).floor() as i32;
            let top = written.top as i32;
            let block = Rect::new(
                left,
                top,
                left + long.ceil() as i32,
                top + high.ceil() as i32,
            );
            let style = TextStyle {
                max_lines: None,
                ..style
            };
            to.text(&self.text, self.mirrored(block), style, Vertical::Top);
        }
        if let Some(cursor) = cursor.filter(|cursor| *cursor != Cursor::All) {
            let place = cursor.place(self.text.chars().count());
            let (x, y, height) = written.cursor(byte_of(&self.text, place));
            let max_shift = self.words.right.max(self.words.left);
            let left = (x.round() as i32).clamp(self.words.left, max_shift);
            let middle = (y + height / 2.0) as i32;
            let half = to.theme.dp(11.0);
            let rect = Rect::new(left, middle - half, left + thick, middle + half);
            to.fill(self.mirrored(rect), 0.0, palette.primary);
        }
        if over {
            to.push(Paint::PopClip);
        }
    }
}

impl Element {
    /// Returns the text box of a field with these bounds; `None` for other elements.
    pub fn text_box(&self, rect: Rect, theme: &Theme) -> Option<TextBox> {
        let (Kind::Field(field), Content::Field { shown, .. }) = (&self.spec.kind, &self.content)
        else {
            return None;
        };
        let theme = &Theme {
            flow: self.flow,
            ..*theme
        };
        let inner = inside(rect, self.spec.frame.padding, theme.density);
        Some(text_box(field, shown, (rect, inner), theme))
    }
}

/// Returns the text box of a field; the rectangles are its bounds with and without padding.
pub(super) fn text_box(
    field: &Field,
    shown: &str,
    (bounds, inner): (Rect, Rect),
    theme: &Theme,
) -> TextBox {
    let (before, behind) = sides(field, theme);
    let mut words = inner;
    words.left += before;
    words.right -= behind;
    if field.multiline {
        words.top += theme.dp(16.0);
        words.bottom -= theme.dp(16.0);
    }
    let mut made = TextBox {
        words,
        field: bounds,
        flow: theme.flow,
        style: field.lettering().style(theme),
        text: if field.multiline {
            shown.to_owned()
        } else {
            // A single-line field shows line breaks as spaces.
            shown.replace('\n', " ")
        },
        several: field.multiline,
    };
    made.words = made.mirrored(words);
    made
}

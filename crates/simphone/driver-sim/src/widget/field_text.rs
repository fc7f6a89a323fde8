//! The text inside of a field: where its letters, its cursor and what is selected of it stand, and how it is painted.

use uitree::{Point, Rect};

use crate::app::Ink;
use crate::layout::{Local, Ruler, Scene, ScrollBox};
use draw::{Flow, Paint, Places, TextRole, TextStyle, Theme, Vertical, measure, places};

use super::element::{Brush, Look, inside};
use super::text::Lettering;
use super::{Axis, Element, Field, Kind};

/// What is selected in a field, counted in characters: the cursor alone where both ends are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caret {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Caret {
    /// The cursor before this character.
    pub(crate) const fn at(place: usize) -> Self {
        Self {
            from: place,
            to: place,
        }
    }

    /// As far as a text of so many characters goes.
    pub(crate) fn within(self, length: usize) -> Self {
        Self {
            from: self.from.min(length),
            to: self.to.min(length),
        }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// What of a field that has the focus is not in the field itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edit {
    /// `None`: the cursor stands behind the text.
    pub(crate) caret: Option<Caret>,
}

impl Edit {
    /// What is selected of a text of so many characters.
    pub(crate) fn caret(self, length: usize) -> Caret {
        self.caret
            .map_or_else(|| Caret::at(length), |caret| caret.within(length))
    }
}

/// The byte at which the character with this number begins.
pub(crate) fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

/// How many characters stand before this byte.
pub(crate) fn character_at(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

/// The box that the text of a field is written in, and what is written in it.
#[derive(Debug)]
pub(crate) struct TextBox {
    /// The box as it is seen on the screen.
    pub(crate) words: Rect,
    /// The bounds of the field, for mirroring.
    field: Rect,
    flow: Flow,
    style: TextStyle,
    text: String,
    several: bool,
}

/// Text laid out in its box.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) places: Places,
    /// Where the upper left corner of the text's own box is on the screen.
    pub(crate) left: f32,
    pub(crate) top: f32,
}

impl Written {
    /// The cursor before this byte, on the screen: its upper end and its height.
    pub(crate) fn cursor(&self, byte: usize) -> (f32, f32, f32) {
        let (x, y) = self.places.cursor(byte);
        (self.left + x, self.top + y, self.places.line_height())
    }
}

impl TextBox {
    /// What is written in it, as it is shown.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Lays out the text: `edit` for a field that has the focus, and how far its lines are scrolled.
    pub(crate) fn written(&self, edit: Option<Edit>, scrolled: f32) -> Written {
        let width = self.words.width().max(1) as f32;
        let wrap = self.several.then_some(width);
        let found = places(&self.text, &self.style, width, wrap);
        if self.several {
            return Written {
                left: self.words.left as f32,
                top: self.words.top as f32 - scrolled,
                places: found,
            };
        }
        // A line that is longer than its field shows its beginning, or the part with the cursor.
        let x = edit.map_or(0.0, |edit| {
            let caret = edit.caret(self.text.chars().count());
            let x = found.cursor(byte_of(&self.text, caret.to)).0;
            match x {
                x if x > width => width - x,
                x if x < 0.0 => -x,
                _ => 0.0,
            }
        });
        let spare = self.words.height() as f32 - found.height();
        Written {
            left: self.words.left as f32 + x,
            top: self.words.top as f32 + (spare / 2.0).floor(),
            places: found,
        }
    }

    /// The character before which the cursor stands after a finger has met this place.
    pub(crate) fn character_at(&self, at: Point, edit: Option<Edit>, scrolled: f32) -> usize {
        let written = self.written(edit, scrolled);
        let byte = written
            .places
            .byte_at(at.x as f32 - written.left, at.y as f32 - written.top);
        character_at(&self.text, byte)
    }

    /// A place on the screen as it is painted: where lines begin on the right, all that is painted is turned afterwards.
    pub(super) fn turned(&self, rect: Rect) -> Rect {
        match self.flow {
            Flow::LeftToRight => rect,
            Flow::RightToLeft => {
                let sum = self.field.left + self.field.right;
                Rect::new(sum - rect.right, rect.top, sum - rect.left, rect.bottom)
            }
        }
    }

    /// Paints the text, what is selected of it and the cursor.
    pub(super) fn paint(&self, edit: Option<Edit>, to: &mut Brush<'_>, style: TextStyle) {
        let written = self.written(edit, to.scrolled as f32);
        let caret = edit.map(|edit| edit.caret(self.text.chars().count()));
        let palette = to.theme.palette;
        let high = written.places.height();
        let high_over = self.several && high > self.words.height() as f32;
        let wide_over = !self.several && written.places.width() > self.words.width() as f32;
        let over = high_over || wide_over;
        let thick = to.theme.dp(2.0);
        if over {
            // The cursor may stand behind the last letter that fits.
            let mut rect = self.words;
            rect.left -= thick;
            rect.right += thick;
            to.push(Paint::PushClip {
                rect: self.turned(rect),
                radius: 0.0,
            });
        }
        let line = written.places.line_height();
        if let Some(caret) = caret.filter(|caret| !caret.is_empty()) {
            let bytes = (
                byte_of(&self.text, caret.from),
                byte_of(&self.text, caret.to),
            );
            for (left, top, right) in written.places.spans(bytes.0, bytes.1) {
                let rect = Rect::new(
                    (written.left + left).floor() as i32,
                    (written.top + top) as i32,
                    (written.left + right).ceil() as i32,
                    (written.top + top + line) as i32,
                );
                to.fill(self.turned(rect), 0.0, palette.primary.with_alpha(77));
            }
        }
        if !self.text.is_empty() {
            let width = self.words.width() as f32;
            let long = if self.several {
                width
            } else {
                written.places.width().max(width)
            };
            // Where lines begin on the right, a long one hangs over the left edge.
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
            to.text(&self.text, self.turned(block), style, Vertical::Top);
        }
        if let Some(caret) = caret.filter(|caret| caret.is_empty()) {
            let (x, y, height) = written.cursor(byte_of(&self.text, caret.to));
            let most = self.words.right.max(self.words.left);
            let left = (x.round() as i32).clamp(self.words.left, most);
            let middle = (y + height / 2.0) as i32;
            let half = to.theme.dp(11.0);
            let rect = Rect::new(left, middle - half, left + thick, middle + half);
            to.fill(self.turned(rect), 0.0, palette.primary);
        }
        if over {
            to.push(Paint::PopClip);
        }
    }
}

impl Field {
    pub(super) fn lettering(&self) -> Lettering {
        Lettering {
            lines: if self.multiline {
                self.max_lines
            } else {
                Some(1)
            },
            ..Lettering::new(TextRole::BodyLarge, Ink::Text)
        }
    }
}

impl Element {
    /// The box that its text is written in, if it is a field that stands at this place.
    pub(crate) fn text_box(&self, rect: Rect, theme: &Theme) -> Option<TextBox> {
        let (Kind::Field(field), Look::Field { shown, beside, .. }) = (&self.spec.kind, &self.look)
        else {
            return None;
        };
        let theme = &Theme {
            flow: self.flow,
            ..*theme
        };
        let inner = inside(rect, self.spec.frame.padding, theme.density);
        Some(field.text_box(shown, beside, (rect, inner), theme))
    }
}

impl Field {
    /// The box that its text is written in; `rect` is the whole field and the part of it inside its padding.
    pub(super) fn text_box(
        &self,
        shown: &str,
        beside: &(std::sync::Arc<str>, std::sync::Arc<str>),
        (field, inner): (Rect, Rect),
        theme: &Theme,
    ) -> TextBox {
        let (before, behind) = self.sides(beside, theme);
        let mut words = inner;
        words.left += before;
        words.right -= behind;
        if self.multiline {
            words.top += theme.dp(16.0);
            words.bottom -= theme.dp(16.0);
        }
        let mut made = TextBox {
            words,
            field,
            flow: theme.flow,
            style: self.lettering().style(theme),
            text: if self.multiline {
                shown.to_owned()
            } else {
                // What stands in one line has no line breaks, even if its variable does.
                shown.replace('\n', " ")
            },
            several: self.multiline,
        };
        made.words = made.turned(words);
        made
    }
}

/// Lets fields with more lines than they show scroll: the cursor comes into sight where it was moved.
pub(crate) fn scroll_fields(scene: &mut Scene, local: &mut Local, ruler: &mut Ruler) {
    let theme = *ruler.theme();
    let mut boxes = Vec::new();
    for (index, item) in scene.items.iter().enumerate() {
        let element = item.element();
        let Kind::Field(field) = &element.spec.kind else {
            continue;
        };
        if !field.multiline || !item.is_visible() {
            continue;
        }
        let Some(words) = element.text_box(item.rect, &theme) else {
            continue;
        };
        let style = TextStyle {
            max_lines: None,
            ..words.style
        };
        let width = words.words.width().max(1) as f32;
        let high = ruler.measure(&words.text, &style, Some(width)).1;
        let view = words.words.height() as f32;
        let reach = (high - view).max(0.0);
        let mut offset = local.scroll.get(&element.key).copied().unwrap_or(0.0);
        if local.follow == Some(element.key) {
            let focused = local.focus == Some(element.key);
            let edit = if focused { local.edit } else { Edit::default() };
            let caret = edit.caret(words.text.chars().count());
            let written = words.written(Some(edit), 0.0);
            let (_, top) = written.places.cursor(byte_of(&words.text, caret.to));
            let line = written.places.line_height();
            offset = offset.min(top).max(top + line - view);
        }
        offset = offset.clamp(0.0, reach).round();
        if reach > 0.0 {
            boxes.push(ScrollBox {
                item: index,
                key: element.key,
                axis: Axis::Vertical,
                offset,
                reach,
            });
        }
    }
    local.follow = None;
    for found in boxes {
        local.scroll.insert(found.key, found.offset);
        scene.scrolls.push(found);
    }
}

/// The width that `text` takes in one line.
pub(super) fn long(text: &str, style: &TextStyle) -> f32 {
    measure(text, style, None).0
}

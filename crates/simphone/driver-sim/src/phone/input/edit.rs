//! Text editing: the cursor of a field, touch and keys that move it, the clipboard.

use std::sync::Arc;

use uitree::Point;
use unicode_segmentation::UnicodeSegmentation;

use crate::journal::Event;
use crate::phone::Phone;
use sim_format::widget::{Field, Key, Kind};
use sim_view::cursor::{Cursor, byte_of, character_at};
use sim_view::widget::Element;

use super::press::find;
use super::text::field_text;
use sim_view::window::Keyboard;

#[derive(Debug, Default)]
pub(crate) struct Editor {
    pub(in crate::phone) keyboard: Option<Keyboard>,
    clipboard: Arc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Up,
    Down,
    Left,
    Right,
    /// To the left edge of the visual line.
    LeftEdge,
    /// To the right edge of the visual line, where right-to-left text begins.
    RightEdge,
}

struct Editing {
    window: u64,
    element: Element,
    text: String,
    cursor: Cursor,
    /// The index of the character after the cursor.
    place: usize,
}

impl Editing {
    fn field(&self) -> Option<&Field> {
        field_of(&self.element)
    }

    /// The text before and after the cursor; empty if all is selected.
    fn split(&self) -> (&str, &str) {
        match self.cursor {
            Cursor::All => ("", ""),
            Cursor::End | Cursor::Before(_) => self.text.split_at(byte_of(&self.text, self.place)),
        }
    }
}

fn field_of(element: &Element) -> Option<&Field> {
    match &element.spec.kind {
        Kind::Field(field) if element.spec.dropdown.is_none() => Some(field),
        _ => None,
    }
}

impl Phone {
    /// The cursor of a field: at the end of its text unless it was moved.
    fn cursor_of(&self, window: u64, key: Key) -> Cursor {
        let open = self.tasks.iter().find_map(|task| task.find(window));
        open.filter(|open| open.local.focus == Some(key))
            .map_or_else(Cursor::default, |open| open.local.cursor)
    }

    fn editing(&mut self, window: u64, key: Key) -> Option<Editing> {
        let view = self.view();
        let element = find(&view, window, key)?.clone();
        field_of(&element)?;
        let text = field_text(&element)?;
        let cursor = self.cursor_of(window, key);
        Some(Editing {
            window,
            element,
            cursor,
            place: cursor.place(text.chars().count()),
            text,
        })
    }

    /// The focused field, if it takes text.
    fn focused_editing(&mut self) -> Option<Editing> {
        let (window, element) = self.current_field()?;
        self.editing(window, element.key)
    }

    /// Moves the cursor of the focused field before this character.
    fn move_cursor_to(&mut self, editing: &Editing, place: usize) {
        let cursor = Cursor::before(place, editing.text.chars().count());
        self.set_cursor(editing, cursor);
    }

    fn set_cursor(&mut self, editing: &Editing, cursor: Cursor) {
        let (window, key) = (editing.window, editing.element.key);
        let Some(open) = self.open_mut(window) else {
            return;
        };
        if open.local.focus != Some(key) || open.local.cursor == cursor {
            return;
        }
        open.local.cursor = cursor;
        open.local.follow = Some(key);
        self.bump();
    }

    /// Initialises the cursor of a newly focused field: at the end, or all text selected.
    pub(crate) fn begin_editing(&mut self, window: u64, element: &Element) {
        let all = field_of(element).is_some_and(|field| field.select_on_focus);
        if let Some(open) = self.open_mut(window) {
            open.local.cursor = if all { Cursor::All } else { Cursor::End };
            open.local.follow = Some(element.key);
        }
    }

    /// The character of a field before which a touch places the cursor.
    pub(crate) fn character_under(&mut self, window: u64, key: Key, at: Point) -> Option<usize> {
        let view = self.view();
        let shown = view.window(window)?;
        let index = shown.scene.find(key)?;
        let item = shown.scene.items.get(index)?;
        field_of(item.element())?;
        let text_box = item.element().text_box(item.rect, &self.theme)?;
        let cursor = (shown.focus == Some(key)).then_some(shown.cursor);
        Some(text_box.character_at(at, cursor, shown.scrolled(index) as f32))
    }

    /// Moves the cursor of a tapped field before the character `place`. A field that selects its text on focus must have
    /// had the focus.
    pub(crate) fn place_cursor_by_touch(
        &mut self,
        window: u64,
        key: Key,
        (place, had_focus): (usize, bool),
    ) {
        if let Some(editing) = self.editing(window, key)
            && (editing.field())
                .is_some_and(|field| !field.read_only && (had_focus || !field.select_on_focus))
        {
            let place = cluster_start(&editing.text, place);
            self.move_cursor_to(&editing, place);
        }
    }

    pub(crate) fn select_on_hold(&mut self, window: u64, element: &Element) {
        if element.spec.on_long_click.is_empty()
            && let Some(editing) = self.editing(window, element.key)
        {
            self.set_cursor(&editing, Cursor::All);
        }
    }

    pub(crate) fn paste(&mut self) {
        let text = Arc::clone(&self.editor.clipboard);
        self.insert(&text);
    }

    pub(crate) fn copy(&mut self, app: &Arc<str>, text: Arc<str>) {
        self.note(Event::Copied {
            app: Arc::clone(app),
            text: Arc::clone(&text),
        });
        self.editor.clipboard = text;
    }

    pub(crate) fn set_clipboard(&mut self, text: &str) {
        self.editor.clipboard = text.into();
    }

    /// The clipboard's text; empty at first.
    pub fn clipboard(&self) -> &str {
        &self.editor.clipboard
    }

    /// Sets a field to `before`, `text` and `after`, with the cursor after `text`.
    fn replace(&mut self, editing: &Editing, (before, text, after): (&str, &str, &str)) {
        let Some(field) = editing.field() else { return };
        let others = before.chars().count() + after.chars().count();
        let text = field.fit_typed(text, others);
        let place = before.chars().count() + text.chars().count();
        let whole = format!("{before}{text}{after}");
        let written = self.write_with(editing.window, &editing.element, &whole, Some(place));
        debug_assert!(written.is_ok(), "it is a field");
    }

    /// Inserts a text at the cursor, or replaces the selection.
    pub(crate) fn insert(&mut self, text: &str) {
        if let Some(editing) = self.focused_editing() {
            let (before, after) = editing.split();
            self.replace(&editing, (before, text, after));
        }
    }

    /// Deletes the character before the cursor, or the selection.
    pub(crate) fn delete_character(&mut self) {
        if let Some(editing) = self.focused_editing() {
            let (before, after) = editing.split();
            let stays = before.len() - last_character(before);
            self.replace(&editing, (&before[..stays], "", after));
        }
    }

    /// Deletes the character after the cursor, or the selection.
    pub(crate) fn delete_forward(&mut self) {
        if let Some(editing) = self.focused_editing() {
            let (before, after) = editing.split();
            let next = after.graphemes(true).next().unwrap_or_default();
            self.replace(&editing, (before, "", &after[next.len()..]));
        }
    }

    pub(crate) fn select_all(&mut self) {
        if let Some(editing) = self.focused_editing() {
            self.set_cursor(&editing, Cursor::All);
        }
    }

    /// Moves the cursor of the focused field; returns false if it cannot move.
    pub(crate) fn move_cursor(&mut self, step: Step) -> bool {
        let editing = self.focused_editing();
        let to = editing.and_then(|editing| Some((self.position_after(&editing, step)?, editing)));
        if let Some((to, editing)) = &to {
            self.move_cursor_to(editing, *to);
        }
        to.is_some()
    }

    /// The position of the cursor after this movement.
    fn position_after(&mut self, editing: &Editing, step: Step) -> Option<usize> {
        let view = self.view();
        let (_, item) = view.item(editing.window, editing.element.key)?;
        let text_box = item.element().text_box(item.rect, &self.theme)?;
        let written = text_box.written(None, 0.0);
        let text = text_box.text();
        let (place, length) = (editing.place, editing.text.chars().count());
        let byte = byte_of(text, place);
        let line = written.places.line_of(byte);
        let x = written.places.cursor(byte).0;
        let at = |byte: usize| character_at(text, byte);
        match step {
            Step::Up if place == 0 => None,
            Step::Up => {
                let above = line.checked_sub(1);
                let above = above.and_then(|line| written.places.byte_in_line(line, x));
                Some(above.map_or(0, at))
            }
            Step::Down if editing.cursor == Cursor::End => None,
            Step::Down => {
                let below = written.places.byte_in_line(line + 1, x);
                Some(below.map_or(length, at))
            }
            Step::Left | Step::Right => {
                let (before, after) = text.split_at(byte);
                let back = before.graphemes(true).next_back();
                let back = back.map(|last| byte - last.len());
                let ahead = after.graphemes(true).next();
                let ahead = ahead.map(|next| byte + next.len());
                let is_left = |to: &usize| {
                    written.places.line_of(*to) == line && written.places.cursor(*to).0 < x
                };
                // In right-to-left text the next character is on the left.
                let turned = ahead.as_ref().is_some_and(is_left);
                let forward = (step == Step::Left) == turned;
                if forward { ahead } else { back }.map(at)
            }
            Step::LeftEdge => Some(at(written.places.line_edges(byte).0)),
            Step::RightEdge => Some(at(written.places.line_edges(byte).1)),
        }
    }
}

/// How many bytes the delete key removes at the end of a text: a whole emoji, else one character, so that an accent
/// can be removed from its letter.
fn last_character(text: &str) -> usize {
    let Some(last) = text.graphemes(true).next_back() else {
        return 0;
    };
    let joined = |c: char| matches!(c as u32, 0x200d | 0x20e3 | 0xfe0f | 0x1f1e6..=0x1f1ff | 0x1f3fb..=0x1f3ff);
    if last.chars().any(joined) {
        last.len()
    } else {
        last.chars().next_back().map_or(0, char::len_utf8)
    }
}

/// Moves a cursor position back to the start of its grapheme cluster.
fn cluster_start(text: &str, place: usize) -> usize {
    let byte = byte_of(text, place);
    let mut ends = text.grapheme_indices(true).map(|(at, _)| at);
    let at = ends.rfind(|at| *at <= byte).unwrap_or(0);
    if byte == text.len() {
        place
    } else {
        character_at(text, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delete_removes_an_emoji_or_one_character() {
        for (text, stays) in [
            ("", ""),
            ("ab", "a"),
            ("e\u{301}", "e"),
            ("a👍🏽", "a"),
            ("a🇩🇪", "a"),
            ("a👩‍💻", "a"),
        ] {
            assert_eq!(text.len() - last_character(text), stays.len(), "{text:?}");
        }
    }
}

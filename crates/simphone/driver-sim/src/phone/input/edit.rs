//! Editing: the cursor of a field, what fingers and keys do to it, and the clipboard.

use std::sync::Arc;

use uitree::Point;
use unicode_segmentation::UnicodeSegmentation;

use crate::journal::Event;
use crate::phone::Phone;
use sim_format::widget::{Field, Key, Kind};
use sim_view::cursor::{Cursor, byte_of, character_at};
use sim_view::widget::Element;

use super::press::find;
use super::text::typed;
use sim_view::window::Keyboard;

/// What editing keeps besides the cursor of the field.
#[derive(Debug, Default)]
pub(crate) struct Editor {
    /// The on-screen keyboard while it is up.
    pub(in crate::phone) keyboard: Option<Keyboard>,
    /// The text copied last.
    clipboard: Arc<str>,
}

/// Where a key moves the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Up,
    Down,
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// To the left edge of the visual line.
    LeftEdge,
    /// To its right edge: the beginning of a line that is read from right to left.
    RightEdge,
}

/// A field that is being edited.
struct Editing {
    window: u64,
    element: Element,
    text: String,
    cursor: Cursor,
    /// The character before which the cursor is.
    place: usize,
}

impl Editing {
    fn field(&self) -> Option<&Field> {
        field_of(&self.element)
    }

    /// The text before and behind what is written now; none where all of it is selected.
    fn pieces(&self) -> (&str, &str) {
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
    /// Where the cursor of a field is: behind its text unless it was moved.
    fn cursor_of(&self, window: u64, key: Key) -> Cursor {
        let open = self.tasks.iter().find_map(|task| task.find(window));
        open.filter(|open| open.local.focus == Some(key))
            .map_or_else(Cursor::default, |open| open.local.cursor)
    }

    fn editing(&mut self, window: u64, key: Key) -> Option<Editing> {
        let view = self.view();
        let element = find(&view, window, key)?.clone();
        field_of(&element)?;
        let text = typed(&element)?;
        let cursor = self.cursor_of(window, key);
        Some(Editing {
            window,
            element,
            cursor,
            place: cursor.place(text.chars().count()),
            text,
        })
    }

    /// The field that has the focus and takes text.
    fn written_into(&mut self) -> Option<Editing> {
        let (window, element) = self.current_field()?;
        self.editing(window, element.key)
    }

    /// Moves the cursor of the field that has the focus before this character.
    fn put_cursor(&mut self, editing: &Editing, place: usize) {
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

    /// A field has been given the focus: its cursor is behind its text, or all of it is selected.
    pub(crate) fn begin_editing(&mut self, window: u64, element: &Element) {
        let all = field_of(element).is_some_and(|field| field.select_on_focus);
        if let Some(open) = self.open_mut(window) {
            open.local.cursor = if all { Cursor::All } else { Cursor::End };
            open.local.follow = Some(element.key);
        }
    }

    /// The character of a field before which a finger at this place puts the cursor.
    pub(crate) fn character_under(&mut self, window: u64, key: Key, at: Point) -> Option<usize> {
        let view = self.view();
        let shown = view.window(window)?;
        let index = shown.scene.find(key)?;
        let item = shown.scene.items.get(index)?;
        field_of(item.element())?;
        let words = item.element().text_box(item.rect, &self.theme)?;
        let cursor = (shown.focus == Some(key)).then_some(shown.cursor);
        Some(words.character_at(at, cursor, shown.scrolled(index) as f32))
    }

    /// A finger has tapped a field, which had the focus before or has it since: `place` is the character it met.
    pub(crate) fn tapped_field(
        &mut self,
        window: u64,
        key: Key,
        (place, had_focus): (usize, bool),
    ) {
        if let Some(editing) = self.editing(window, key)
            && (editing.field())
                .is_some_and(|field| !field.read_only && (had_focus || !field.select_on_focus))
        {
            let place = whole(&editing.text, place);
            self.put_cursor(&editing, place);
        }
    }

    /// A field is held: all of its text is selected.
    pub(crate) fn held_field(&mut self, window: u64, element: &Element) {
        if element.spec.on_long_click.is_empty()
            && let Some(editing) = self.editing(window, element.key)
        {
            self.set_cursor(&editing, Cursor::All);
        }
    }

    /// Writes what was copied at the cursor.
    pub(crate) fn paste(&mut self) {
        let text = Arc::clone(&self.editor.clipboard);
        self.insert(&text);
    }

    /// Puts a text into the clipboard.
    pub(crate) fn copy(&mut self, app: &Arc<str>, text: Arc<str>) {
        self.note(Event::Copied {
            app: Arc::clone(app),
            text: Arc::clone(&text),
        });
        self.editor.clipboard = text;
    }

    /// Puts a text of the shell into the clipboard.
    pub(crate) fn set_clipboard(&mut self, text: &str) {
        self.editor.clipboard = text.into();
    }

    /// What was copied last; empty before anything was.
    pub fn clipboard(&self) -> &str {
        &self.editor.clipboard
    }

    /// Writes `before`, `text` and `behind` into a field, with the cursor behind `text`.
    fn replace(&mut self, editing: &Editing, (before, text, behind): (&str, &str, &str)) {
        let Some(field) = editing.field() else { return };
        let others = before.chars().count() + behind.chars().count();
        let text = field.admit_beside(text, others);
        let place = before.chars().count() + text.chars().count();
        let whole = format!("{before}{text}{behind}");
        let written = self.write_with(editing.window, &editing.element, &whole, Some(place));
        debug_assert!(written.is_ok(), "it is a field");
    }

    /// Writes a text where the cursor is, or in the place of all that is selected.
    pub(crate) fn insert(&mut self, text: &str) {
        if let Some(editing) = self.written_into() {
            let (before, behind) = editing.pieces();
            self.replace(&editing, (before, text, behind));
        }
    }

    /// Deletes the character before the cursor, or all that is selected.
    pub(crate) fn delete_character(&mut self) {
        if let Some(editing) = self.written_into() {
            let (before, behind) = editing.pieces();
            let stays = before.len() - last_character(before);
            self.replace(&editing, (&before[..stays], "", behind));
        }
    }

    /// Deletes the character behind the cursor, or all that is selected.
    pub(crate) fn delete_forward(&mut self) {
        if let Some(editing) = self.written_into() {
            let (before, behind) = editing.pieces();
            let next = behind.graphemes(true).next().unwrap_or_default();
            self.replace(&editing, (before, "", &behind[next.len()..]));
        }
    }

    /// Selects the whole text of the focused field.
    pub(crate) fn select_all(&mut self) {
        if let Some(editing) = self.written_into() {
            self.set_cursor(&editing, Cursor::All);
        }
    }

    /// Moves the cursor of the focused field; whether there was a way to go.
    pub(crate) fn move_cursor(&mut self, step: Step) -> bool {
        let Some(editing) = self.written_into() else {
            return false;
        };
        let Some(to) = self.stepped(&editing, step) else {
            return false;
        };
        self.put_cursor(&editing, to);
        true
    }

    /// The character before which the cursor is after this step.
    fn stepped(&mut self, editing: &Editing, step: Step) -> Option<usize> {
        let view = self.view();
        let shown = (view.windows.iter()).find(|shown| shown.id == editing.window)?;
        let item = shown
            .scene
            .items
            .get(shown.scene.find(editing.element.key)?)?;
        let words = item.element().text_box(item.rect, &self.theme)?;
        let written = words.written(None, 0.0);
        let text = words.text();
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
                let inside = &text[..byte];
                let back = inside
                    .graphemes(true)
                    .next_back()
                    .map(|last| byte - last.len());
                let ahead = text[byte..]
                    .graphemes(true)
                    .next()
                    .map(|next| byte + next.len());
                let is_left = |to: &usize| {
                    written.places.line_of(*to) == line && written.places.cursor(*to).0 < x
                };
                // In a line that is read from right to left the character behind the cursor is on its left.
                let turned = ahead.as_ref().is_some_and(is_left);
                let to = if (step == Step::Left) == turned {
                    ahead
                } else {
                    back
                };
                to.map(at)
            }
            Step::LeftEdge => Some(at(written.places.line_edges(byte).0)),
            Step::RightEdge => Some(at(written.places.line_edges(byte).1)),
        }
    }
}

/// How many bytes the delete key takes at the end of a text: a whole emoji, else one character, so that an accent can be
/// taken off its letter.
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

/// The place of a cursor between whole characters as people count them.
fn whole(text: &str, place: usize) -> usize {
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
    fn what_the_delete_key_takes() {
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

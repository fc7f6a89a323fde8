//! Editing: the cursor and what is selected of a field, what fingers and keys do to it, and the clipboard.

use std::sync::Arc;
use std::time::Duration;

use uitree::{Point, State};
use unicode_segmentation::UnicodeSegmentation;

use crate::journal::Event;
use crate::phone::Phone;
use sim_format::widget::{Field, Key, Kind};
use sim_view::selection::{Caret, Edit, byte_of, character_at};
use sim_view::widget::Element;

use super::press::find;
use super::text::typed;
use sim_view::window::Keyboard;

/// Within which time and distance, in density-independent pixels, two taps are a double tap.
const DOUBLE_TAP: Duration = Duration::from_millis(300);
const DOUBLE_TAP_SLOP: f32 = 100.0;

/// What editing keeps besides the caret of the field.
#[derive(Debug, Default)]
pub(crate) struct Editor {
    /// The on-screen keyboard while it is up.
    pub(in crate::phone) keyboard: Option<Keyboard>,
    /// The text copied last.
    clipboard: Arc<str>,
    /// A tap to which another one may make a double tap.
    last_tap: Option<LastTap>,
}

/// A tap that may be the first of two.
#[derive(Clone, Copy, Debug)]
struct LastTap {
    window: u64,
    key: Key,
    at: Point,
    since: Duration,
}

/// Where a key moves the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Left,
    Right,
    Up,
    Down,
    /// To the left edge of the visual line.
    LeftEdge,
    /// To its right edge: the beginning of a line that is read from right to left.
    RightEdge,
}

/// What a key of a keyboard does to the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditKey {
    Cut,
    Copy,
    Paste,
    SelectAll,
}

/// A field that is being edited.
struct Editing {
    window: u64,
    element: Element,
    text: String,
    caret: Caret,
}

impl Editing {
    fn field(&self) -> Option<&Field> {
        field_of(&self.element)
    }

    /// The text before what is selected, what is selected, and the text behind it.
    fn pieces(&self) -> (&str, &str, &str) {
        let from = byte_of(&self.text, self.caret.from);
        let to = byte_of(&self.text, self.caret.to);
        let piece = |range: std::ops::Range<usize>| self.text.get(range).unwrap_or_default();
        (piece(0..from), piece(from..to), piece(to..self.text.len()))
    }
}

fn field_of(element: &Element) -> Option<&Field> {
    match &element.spec.kind {
        Kind::Field(field) if element.spec.dropdown.is_none() => Some(field),
        _ => None,
    }
}

/// Whether what is written in a field shows as dots now.
fn is_masked(element: &Element) -> bool {
    element.state.contains(State::PASSWORD)
}

impl Phone {
    /// What is selected in a field: the cursor is behind its text unless it was moved.
    fn caret_of(&self, window: u64, key: Key, length: usize) -> Caret {
        let open = self.tasks.iter().find_map(|task| task.find(window));
        let edit = open
            .filter(|open| open.local.focus == Some(key))
            .map_or_else(Edit::default, |open| open.local.edit);
        edit.caret(length)
    }

    fn editing(&mut self, window: u64, key: Key) -> Option<Editing> {
        let view = self.view();
        let element = find(&view, window, key)?.clone();
        field_of(&element)?;
        let text = typed(&element)?;
        let caret = self.caret_of(window, key, text.chars().count());
        Some(Editing {
            window,
            element,
            text,
            caret,
        })
    }

    /// The field that has the focus and takes text.
    fn written_into(&mut self) -> Option<Editing> {
        let (window, element) = self.current_field()?;
        self.editing(window, element.key)
    }

    /// Selects a part of the text of the field that has the focus, or moves the cursor.
    fn select(&mut self, editing: &Editing, caret: Caret) {
        let length = editing.text.chars().count();
        let caret = caret.within(length);
        let end = caret.is_empty() && caret.to == length;
        let edit = Edit {
            caret: (!end).then_some(caret),
        };
        let (window, key) = (editing.window, editing.element.key);
        let Some(open) = self.open_mut(window) else {
            return;
        };
        if open.local.focus != Some(key) || open.local.edit == edit {
            return;
        }
        open.local.edit = edit;
        open.local.follow = Some(key);
        if !caret.is_empty() {
            let widget = self.widget(window, &editing.element);
            self.note(Event::Selected {
                widget,
                from: caret.from,
                to: caret.to,
            });
        }
        self.bump();
    }

    /// A field has been given the focus: its cursor is behind its text, or all of it is selected.
    pub(crate) fn begin_editing(&mut self, window: u64, element: &Element) {
        let length = typed(element).map_or(0, |text| text.chars().count());
        let all = field_of(element).is_some_and(|field| field.select_on_focus) && length > 0;
        if let Some(open) = self.open_mut(window) {
            open.local.edit = Edit {
                caret: all.then_some(Caret {
                    from: 0,
                    to: length,
                }),
            };
            open.local.follow = Some(element.key);
        }
        if all {
            let widget = self.widget(window, element);
            self.note(Event::Selected {
                widget,
                from: 0,
                to: length,
            });
        }
    }

    /// Whether this tap on a widget is the second of two; the first one is remembered.
    pub(crate) fn is_second_tap(&mut self, window: u64, key: Key, at: Point) -> bool {
        let reach = self.theme.px(DOUBLE_TAP_SLOP);
        let second = self.editor.last_tap.take().is_some_and(|before| {
            (before.window, before.key) == (window, key)
                && self.clock.now().saturating_sub(before.since) <= DOUBLE_TAP
                && (before.at.x - at.x).abs() as f32 <= reach
                && (before.at.y - at.y).abs() as f32 <= reach
        });
        if !second {
            self.editor.last_tap = Some(LastTap {
                window,
                key,
                at,
                since: self.clock.now(),
            });
        }
        second
    }

    /// The character of a field before which a finger at this place puts the cursor.
    pub(crate) fn character_under(&mut self, window: u64, key: Key, at: Point) -> Option<usize> {
        let view = self.view();
        let shown = view.window(window)?;
        let index = shown.scene.find(key)?;
        let item = shown.scene.items.get(index)?;
        field_of(item.element())?;
        let words = item.element().text_box(item.rect, &self.theme)?;
        let edit = (shown.focus == Some(key)).then_some(shown.edit);
        Some(words.character_at(at, edit, shown.scrolled(index) as f32))
    }

    /// A finger has tapped a field, which `had` the focus before or has it since: `place` is the character it met.
    pub(crate) fn tapped_field(&mut self, window: u64, key: Key, at: Point, tap: FieldTap) {
        let second = self.is_second_tap(window, key, at);
        let Some(editing) = self.editing(window, key) else {
            return;
        };
        if second {
            self.select_word(&editing, tap.place);
            return;
        }
        let selects = editing.field().is_some_and(|field| field.select_on_focus);
        if selects && !tap.had_focus {
            return;
        }
        if editing.field().is_some_and(|field| !field.read_only) {
            let place = whole(&editing.text, tap.place);
            self.select(&editing, Caret::at(place));
        }
    }

    /// A field is held: the word under the finger is selected, or the one at the cursor.
    pub(crate) fn held_field(&mut self, window: u64, key: Key, place: Option<usize>) {
        if let Some(editing) = self.editing(window, key) {
            let place = place.unwrap_or(editing.caret.to);
            self.select_word(&editing, place);
        }
    }

    /// Selects the word at a character.
    fn select_word(&mut self, editing: &Editing, place: usize) {
        let whole_text = editing.field().is_some_and(Field::selects_whole);
        let (from, to) = if whole_text {
            (0, editing.text.chars().count())
        } else {
            word_at(&editing.text, place)
        };
        let caret = Caret { from, to };
        self.select(editing, caret);
    }

    /// What a key of a keyboard does that copies, cuts, pastes or selects everything.
    pub(crate) fn act_on_focused(&mut self, act: EditKey) {
        let focused = self
            .active()
            .and_then(|open| Some((open.id, open.local.focus?)));
        let Some((window, key)) = focused else { return };
        let Some(editing) = self.editing(window, key) else {
            return;
        };
        let takes = editing.field().is_some_and(|field| !field.read_only)
            && editing.element.state.contains(State::ENABLED);
        match act {
            EditKey::SelectAll => self.select_whole(&editing),
            EditKey::Copy => {
                self.copy_from(&editing);
            }
            EditKey::Cut if takes => {
                if self.copy_from(&editing) {
                    self.replace(&editing, "");
                }
            }
            EditKey::Paste if takes => {
                let text = Arc::clone(&self.editor.clipboard);
                self.replace(&editing, &text);
            }
            EditKey::Cut | EditKey::Paste => {}
        }
    }

    fn select_whole(&mut self, editing: &Editing) {
        let all = Caret {
            from: 0,
            to: editing.text.chars().count(),
        };
        self.select(editing, all);
    }

    /// Selects everything in the field with the focus.
    pub(crate) fn select_all(&mut self) {
        self.act_on_focused(EditKey::SelectAll);
    }

    /// Copies what is selected; whether anything was. Nothing of a text that shows as dots can be copied.
    fn copy_from(&mut self, editing: &Editing) -> bool {
        let (_, selected, _) = editing.pieces();
        if selected.is_empty() || is_masked(&editing.element) {
            return false;
        }
        let app = self.context(editing.window, &editing.element.scope).app;
        self.copy(&app, Arc::from(selected));
        true
    }

    /// Puts a text into the clipboard.
    pub(crate) fn copy(&mut self, app: &Arc<str>, text: Arc<str>) {
        self.note(Event::Copied {
            app: Arc::clone(app),
            text: Arc::clone(&text),
        });
        self.editor.clipboard = text;
    }

    /// What was copied last; empty before anything was.
    pub fn clipboard(&self) -> &str {
        &self.editor.clipboard
    }

    /// Writes a text in the place of what is selected.
    fn replace(&mut self, editing: &Editing, text: &str) {
        let Some(field) = editing.field() else { return };
        let (before, _, behind) = editing.pieces();
        let others = before.chars().count() + behind.chars().count();
        let text = field.admit_beside(text, others);
        let place = before.chars().count() + text.chars().count();
        let whole = format!("{before}{text}{behind}");
        let written = self.write_with(editing.window, &editing.element, &whole, Some(place));
        debug_assert!(written.is_ok(), "it is a field");
    }

    /// Writes a text where the cursor is, in the place of what is selected.
    pub(crate) fn insert(&mut self, text: &str) {
        if let Some(editing) = self.written_into() {
            self.replace(&editing, text);
        }
    }

    /// The text of the focused field before the cursor.
    pub(crate) fn before_cursor(&mut self) -> Option<(Element, String)> {
        let editing = self.written_into()?;
        let before = editing.pieces().0.to_owned();
        Some((editing.element, before))
    }

    /// Deletes what is selected, or the character before the cursor.
    pub(crate) fn delete_character(&mut self) {
        let Some(mut editing) = self.written_into() else {
            return;
        };
        if editing.caret.is_empty() {
            let before = editing.pieces().0;
            editing.caret.from -= last_character(before);
        }
        self.replace(&editing, "");
    }

    /// Deletes what is selected, or the character behind the cursor.
    pub(crate) fn delete_forward(&mut self) {
        let Some(mut editing) = self.written_into() else {
            return;
        };
        if editing.caret.is_empty() {
            let behind = editing.pieces().2;
            let next = behind.graphemes(true).next().unwrap_or_default();
            editing.caret.to += next.chars().count();
        }
        self.replace(&editing, "");
    }

    /// Moves the cursor of the focused field; whether there was a way to go.
    pub(crate) fn move_cursor(&mut self, step: Step) -> bool {
        let Some(editing) = self.written_into() else {
            return false;
        };
        let Some(to) = self.stepped(&editing, step) else {
            return false;
        };
        self.select(&editing, Caret::at(to));
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
        let (caret, length) = (editing.caret, editing.text.chars().count());
        let byte = byte_of(text, caret.to);
        let line = written.places.line_of(byte);
        let backwards = match step {
            Step::Left => !written.places.is_reversed(byte),
            Step::Right => written.places.is_reversed(byte),
            Step::Up => {
                if caret.to == 0 && caret.is_empty() {
                    return None;
                }
                let x = written.places.cursor(byte).0;
                let above = line.checked_sub(1);
                let above = above.and_then(|line| written.places.byte_in_line(line, x));
                return Some(above.map_or(0, |byte| character_at(text, byte)));
            }
            Step::Down => {
                if caret.to == length && caret.is_empty() {
                    return None;
                }
                let x = written.places.cursor(byte).0;
                let below = written.places.byte_in_line(line + 1, x);
                return Some(below.map_or(length, |byte| character_at(text, byte)));
            }
            Step::LeftEdge => return Some(character_at(text, written.places.line_edges(byte).0)),
            Step::RightEdge => return Some(character_at(text, written.places.line_edges(byte).1)),
        };
        let (before, _, behind) = editing.pieces();
        match (caret.is_empty(), backwards) {
            (false, true) => Some(caret.from),
            (false, false) => Some(caret.to),
            (true, true) => {
                let last = before.graphemes(true).next_back()?;
                Some(caret.from - last.chars().count())
            }
            (true, false) => {
                let next = behind.graphemes(true).next()?;
                Some(caret.to + next.chars().count())
            }
        }
    }
}

/// A tap on a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldTap {
    /// The character that it met.
    pub(crate) place: usize,
    /// Whether the field had the focus before.
    pub(crate) had_focus: bool,
}

/// How many characters the delete key takes at the end of a text: a whole emoji, else one character, so that an accent
/// can be taken off its letter.
fn last_character(text: &str) -> usize {
    let Some(last) = text.graphemes(true).next_back() else {
        return 0;
    };
    let joined = |c: char| matches!(c as u32, 0x200d | 0x20e3 | 0xfe0f | 0x1f1e6..=0x1f1ff | 0x1f3fb..=0x1f3ff);
    if last.chars().any(joined) {
        last.chars().count()
    } else {
        1
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

/// The word at a character, from its first character to one past its last; of blanks the word before them.
fn word_at(text: &str, place: usize) -> (usize, usize) {
    let byte = byte_of(text, place);
    let mut before: Option<(usize, &str)> = None;
    let mut found = None;
    for (at, piece) in text.split_word_bound_indices() {
        let blank = piece.trim().is_empty();
        if byte < at + piece.len() || at + piece.len() == text.len() {
            found = if blank { before } else { Some((at, piece)) };
            break;
        }
        if !blank {
            before = Some((at, piece));
        }
    }
    // A word that ended before the blanks under the finger is not the one that was meant.
    let found = found.filter(|(at, piece)| byte <= at + piece.len());
    found.map_or((place, place), |(at, piece)| {
        let from = character_at(text, at);
        (from, from + piece.chars().count())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (text, place, from, to) in [
            ("one two", 0, 0, 3),
            ("one two", 2, 0, 3),
            ("one two", 3, 0, 3),
            ("one two", 4, 4, 7),
            ("one two", 7, 4, 7),
            ("one   two", 5, 5, 5),
            ("it's", 1, 0, 4),
            ("", 0, 0, 0),
            ("año 2026", 6, 4, 8),
            ("two ", 4, 4, 4),
        ] {
            assert_eq!(word_at(text, place), (from, to), "{text:?} at {place}");
        }
    }

    #[test]
    fn what_the_delete_key_takes() {
        for (text, count) in [
            ("", 0),
            ("ab", 1),
            ("e\u{301}", 1),
            ("👍🏽", 2),
            ("🇩🇪", 2),
            ("👩‍💻", 3),
        ] {
            assert_eq!(last_character(text), count, "{text:?}");
        }
    }
}

//! Text input: focus, the on-screen keyboard, and the text of fields.

use std::sync::Arc;

use driver::{DriverError, Result};
use uitree::State;

use crate::journal::Event;
use crate::phone::Phone;
use sim_format::expr::{Scope, Value};
use sim_format::widget::{EditorAction, Field, Key, KeyCode, Kind};
use sim_view::cursor::Cursor;
use sim_view::env::Local;
use sim_view::layout::Cache;
use sim_view::widget::{Content, Element};
use sim_view::window::{Keyboard, KeyboardPage};

use super::press::find;

pub(super) fn field_text(element: &Element) -> Option<String> {
    match &element.content {
        Content::Field { text, .. } => Some(text.to_string()),
        _ => None,
    }
}

fn field(element: &Element) -> Option<&Field> {
    match &element.spec.kind {
        Kind::Field(field) => Some(field),
        _ => None,
    }
}

impl Phone {
    /// Focuses a widget; a text field opens the keyboard.
    pub(crate) fn focus(&mut self, window: u64, element: &Element) {
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let moved = open.local.focus != Some(element.key);
        open.local.focus = Some(element.key);
        open.local.reveal = true;
        if moved {
            open.local.ring = false;
            self.begin_editing(window, element);
            let widget = self.widget(window, element);
            self.note(Event::Focused(widget));
            self.bump();
        }
        match field(element) {
            Some(field) if self.active_id() == Some(window) && !field.read_only => {
                self.show_keyboard(window, element.key, field);
            }
            _ => self.hide_keyboard(),
        }
        // Laid out now so that it scrolls into view even if the screen is not observed.
        let _shown = self.view();
    }

    fn show_keyboard(&mut self, window: u64, key: Key, field: &Field) {
        let keyboard = self.editor.keyboard.as_ref();
        if keyboard.is_some_and(|keyboard| keyboard.window == window && keyboard.key == key) {
            return;
        }
        if self.editor.keyboard.is_none() {
            if self.keyboard_fault() {
                return;
            }
            self.note(Event::KeyboardShown);
        }
        self.editor.keyboard = Some(Keyboard {
            window,
            key,
            board: KeyboardPage::for_kind(field.kind),
            kind: field.kind,
            shift: false,
            action: field.action,
            local: Local::default(),
            cache: Cache::default(),
            scope: Arc::new(Scope::default()),
        });
        self.keyboard_enters();
        self.bump();
    }

    pub(crate) fn hide_keyboard(&mut self) {
        if self.editor.keyboard.take().is_some() {
            self.note(Event::KeyboardHidden);
            self.bump();
        }
    }

    /// The focused field, if it takes text.
    pub(crate) fn current_field(&mut self) -> Option<(u64, Element)> {
        let window = self.active_id()?;
        let key = self.active()?.local.focus?;
        let view = self.view();
        let element = find(&view, window, key)?.clone();
        (field(&element).is_some_and(|field| !field.read_only)
            && element.state.contains(State::ENABLED))
        .then_some((window, element))
    }

    /// Focuses the first auto-focus field of a screen that has opened.
    pub(crate) fn auto_focus(&mut self, window: u64) {
        if self.active_id() == Some(window) {
            self.focus_first(window, |element| {
                field(element).is_some_and(|field| field.auto_focus)
                    && element.state.contains(State::ENABLED)
            });
        }
    }

    pub(crate) fn focus_id(&mut self, id: &str) {
        if let Some(window) = self.active_id() {
            self.focus_first(window, |element| &*element.spec.id == id);
        }
    }

    fn focus_first(&mut self, window: u64, is_wanted: impl Fn(&Element) -> bool) {
        let view = self.view();
        if let Some(element) = view.elements(window).find(|element| is_wanted(element)) {
            self.focus(window, element);
        }
    }

    /// Focuses the next text field of the window; returns false if there is none.
    pub(crate) fn next_field(&mut self) -> bool {
        let Some(window) = self.active_id() else {
            return false;
        };
        let current = self.active().and_then(|open| open.local.focus);
        let view = self.view();
        let fields: Vec<&Element> = view
            .elements(window)
            .filter(|element| field(element).is_some() && element.state.contains(State::ENABLED))
            .collect();
        let mut keys = fields.iter().map(|element| Some(element.key));
        let place = keys.position(|key| key == current);
        let next = fields.get(place.map_or(0, |place| place + 1));
        if let Some(element) = next {
            self.focus(window, element);
        }
        next.is_some()
    }

    /// Sets the text of a field, with the cursor at its end.
    pub(crate) fn write(&mut self, window: u64, element: &Element, text: &str) -> Result<()> {
        self.write_with(window, element, text, None)
    }

    /// Sets the text of a field, with the cursor before the character `place` or at the end.
    pub(crate) fn write_with(
        &mut self,
        window: u64,
        element: &Element,
        text: &str,
        place: Option<usize>,
    ) -> Result<()> {
        let Some(field) = field(element) else {
            return Err(DriverError::Refused("the node is no text field".to_owned()));
        };
        if field.read_only {
            return Err(DriverError::Refused("the field is read-only".to_owned()));
        }
        let text: Arc<str> = Arc::from(field.fit(text));
        self.set_cursor_after(window, element.key, place, text.chars().count());
        if field_text(element).as_deref() == Some(&*text) {
            return Ok(());
        }
        let context = self.context(window, &element.scope);
        let widget = self.widget(window, element);
        if field.password {
            self.journal
                .keep_secret(&context.app, field.bind.as_ref(), &text);
        }
        self.note(Event::TextChanged {
            widget,
            text: Arc::clone(&text),
            password: field.password,
        });
        match &field.bind {
            Some(name) => self.set(&context.app, name, Value::Text(Arc::clone(&text))),
            None => {
                if let Some(open) = self.open_mut(window) {
                    open.local.texts.insert(element.key, Arc::clone(&text));
                    open.local.version += 1;
                }
                self.bump();
            }
        }
        let shown = if field.password {
            Arc::from("•".repeat(text.chars().count()))
        } else {
            Arc::clone(&text)
        };
        self.record_text(&context.app, &shown);
        self.run(&context, &field.on_change);
        Ok(())
    }

    /// Notes the texts of all password fields on the screen as secrets, before they can be shown.
    pub(crate) fn keep_passwords(&mut self) {
        let view = self.view();
        for shown in &view.windows {
            for item in &shown.scene.items {
                let element = item.element();
                let password = field(element).filter(|field| field.password);
                if let (Some(field), Some(text)) = (password, field_text(element)) {
                    let app = self.context(shown.id, &element.scope).app;
                    self.journal
                        .keep_secret(&app, field.bind.as_ref(), &Arc::from(text));
                }
            }
        }
    }

    /// Sets the cursor of a field after a text of this length was written.
    fn set_cursor_after(&mut self, window: u64, key: Key, place: Option<usize>, length: usize) {
        let Some(open) = self.open_mut(window) else {
            return;
        };
        open.local.follow = Some(key);
        let cursor = Cursor::before(place.unwrap_or(length), length);
        if open.local.focus == Some(key) && open.local.cursor != cursor {
            open.local.cursor = cursor;
            self.bump();
        }
    }

    pub(crate) fn submit(&mut self, window: u64, element: &Element) {
        let Some(field) = field(element) else { return };
        if field.multiline && field.action == EditorAction::None {
            let has_focus = self.active_id() == Some(window)
                && self.active().and_then(|open| open.local.focus) == Some(element.key);
            if has_focus {
                self.insert("\n");
                return;
            }
            let text = field_text(element).unwrap_or_default();
            let written = self.write(window, element, &format!("{text}\n"));
            debug_assert!(written.is_ok(), "it is a field");
            return;
        }
        let widget = self.widget(window, element);
        self.note(Event::Submitted(widget));
        let context = self.context(window, &element.scope);
        let moved = field.action == EditorAction::Next && {
            if let Some(open) = self.open_mut(window) {
                open.local.focus = Some(element.key);
            }
            self.next_field()
        };
        if !moved {
            self.hide_keyboard();
        }
        self.run(&context, &field.on_submit);
    }

    pub(crate) fn type_key(&mut self, code: KeyCode) {
        let Some(keyboard) = self.editor.keyboard.as_mut() else {
            return;
        };
        match code {
            KeyCode::Type(character) => {
                keyboard.shift = false;
                self.type_text(&character.to_string());
            }
            KeyCode::Shift => keyboard.shift = !keyboard.shift,
            KeyCode::Symbols => keyboard.board = KeyboardPage::Symbols,
            KeyCode::Letters => keyboard.board = KeyboardPage::Letters,
            KeyCode::Delete => return self.delete_character(),
            KeyCode::Action => return self.enter(),
        }
        self.bump();
    }

    /// Types text into the focused field at the cursor, as a hardware keyboard does.
    pub fn type_text(&mut self, text: &str) {
        self.insert(text);
        self.settle();
    }

    pub(crate) fn enter(&mut self) {
        if let Some((window, element)) = self.current_field() {
            self.submit(window, &element);
        }
    }
}

//! The on-screen keyboard: its keys and the field that they edit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::env::Local;
use crate::layout::Cache;
use draw::Flow;
use sim_format::expr::{Scope, Template};
use sim_format::style::{Alignment, ColorRole, Dim, Frame, Sides};
use sim_format::widget::{
    Axis, EditorAction, Group, Inset, Key, KeyCap, KeyCode, Kind, Spec, TextKind,
};

/// The state of a visible keyboard.
#[derive(Debug)]
pub struct Keyboard {
    /// The window and the field that it edits.
    pub window: u64,
    pub key: Key,
    pub board: KeyboardPage,
    /// The type of text of the field.
    pub kind: TextKind,
    pub shift: bool,
    pub action: EditorAction,
    pub local: Local,
    pub cache: Cache,
    pub scope: Arc<Scope>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyboardPage {
    Letters,
    Symbols,
    Numbers,
}

impl KeyboardPage {
    /// Returns the initial page for a type of text.
    pub const fn for_kind(kind: TextKind) -> Self {
        match kind {
            TextKind::Text | TextKind::Email | TextKind::Url => KeyboardPage::Letters,
            TextKind::Number => KeyboardPage::Numbers,
        }
    }
}

const LETTERS: &[&str] = &["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SYMBOLS: &[&str] = &["1234567890", "@#€_&-+()/", "*\"':;!?"];
const NUMBERS: &[&str] = &["123", "456", "789"];

/// The inputs that determine the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Layout {
    board: KeyboardPage,
    kind: TextKind,
    shift: bool,
    action: EditorAction,
}

/// The keyboards built so far; they never change.
static MADE: Mutex<BTreeMap<Layout, Arc<Spec>>> = Mutex::new(BTreeMap::new());

impl Keyboard {
    pub fn root(&self) -> Arc<Spec> {
        let layout = Layout {
            board: self.board,
            kind: self.kind,
            shift: self.shift && self.board == KeyboardPage::Letters,
            action: self.action,
        };
        // The map is consistent even if another thread panicked while it held the lock.
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let root = made.entry(layout).or_insert_with(|| Arc::new(make(layout)));
        Arc::clone(root)
    }
}

struct KeyboardBuilder {
    slots: u32,
}

impl KeyboardBuilder {
    fn group(&mut self, axis: Axis) -> Spec {
        self.slots += 1;
        Spec::new(self.slots, Group::new(axis))
    }

    fn key(
        &mut self,
        code: KeyCode,
        cap: &str,
        label: &str,
        icon: Option<&'static str>,
        width: f32,
    ) -> Arc<Spec> {
        self.slots += 1;
        let cap = KeyCap {
            cap: cap.to_owned(),
            icon,
            code,
        };
        let mut spec = Spec::new(self.slots, cap);
        spec.label = Template::fixed(label);
        spec.frame.grow = Some(width);
        Arc::new(spec)
    }

    fn characters(&mut self, row: &mut Spec, characters: &str, shift: bool) {
        for character in characters.chars() {
            let mut capitals = character.to_uppercase();
            let character = match (shift, capitals.next(), capitals.next()) {
                (true, Some(capital), None) => capital,
                _ => character,
            };
            let mut bytes = [0; 4];
            let text = character.encode_utf8(&mut bytes);
            row.children
                .push(self.key(KeyCode::Type(character), text, text, None, 1.0));
        }
    }

    fn row(&mut self) -> Spec {
        let mut row = self.group(Axis::Horizontal);
        if let Kind::Group(group) = &mut row.kind {
            group.node = false;
        }
        row.frame = Frame {
            grow: Some(1.0),
            align: Some(Alignment::Stretch),
            ..Frame::default()
        };
        row
    }
}

fn make(layout: Layout) -> Spec {
    let Layout {
        board,
        kind,
        shift,
        action,
    } = layout;
    let mut maker = KeyboardBuilder { slots: 0 };
    let lines = match board {
        KeyboardPage::Letters => LETTERS,
        KeyboardPage::Symbols => SYMBOLS,
        KeyboardPage::Numbers => NUMBERS,
    };
    let mut keys = maker.group(Axis::Vertical);
    keys.id = Arc::from("com.android.inputmethod.latin:id/keyboard_view");
    keys.class = Some(Arc::from("android.view.View"));
    keys.frame = Frame {
        grow: Some(1.0),
        padding: Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(3.0))),
        ..Frame::default()
    };
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let longest = longest.unwrap_or(0);
    for (index, line) in lines.iter().copied().enumerate() {
        let mut row = maker.row();
        let last = index + 1 == lines.len();
        if last && board != KeyboardPage::Numbers {
            let shift_key = match board {
                KeyboardPage::Letters => maker.key(KeyCode::Shift, "", "Shift", Some("shift"), 1.5),
                _ => maker.key(KeyCode::Symbols, "=\\<", "More symbols", None, 1.5),
            };
            row.children.push(shift_key);
        }
        maker.characters(&mut row, line, shift);
        if last {
            row.children
                .push(maker.key(KeyCode::Delete, "", "Delete", Some("backspace"), 1.5));
        }
        if !last && line.chars().count() + 1 == longest && board == KeyboardPage::Letters {
            // A row with one letter less is centred.
            let half = 200.0 / longest.max(1) as f32;
            row.frame.padding = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(half)));
        }
        keys.push(row);
    }
    let mut row = maker.row();
    match board {
        KeyboardPage::Letters | KeyboardPage::Symbols => {
            let other = match board {
                KeyboardPage::Letters => maker.key(KeyCode::Symbols, "?123", "Symbols", None, 1.5),
                _ => maker.key(KeyCode::Letters, "ABC", "Letters", None, 1.5),
            };
            row.children.push(other);
            // A character for the type of text is beside the space bar.
            let (character, cap) = match kind {
                TextKind::Email => ('@', "@"),
                TextKind::Url => ('/', "/"),
                TextKind::Text | TextKind::Number => (',', ","),
            };
            row.children
                .push(maker.key(KeyCode::Type(character), cap, cap, None, 1.0));
            row.children
                .push(maker.key(KeyCode::Type(' '), "", "Space", None, 5.0));
            row.children
                .push(maker.key(KeyCode::Type('.'), ".", ".", None, 1.0));
        }
        KeyboardPage::Numbers => {
            for character in ['-', '0', '.'] {
                let mut bytes = [0; 4];
                let text = character.encode_utf8(&mut bytes);
                row.children
                    .push(maker.key(KeyCode::Type(character), text, text, None, 1.0));
            }
        }
    }
    let icon = match action {
        EditorAction::None => "enter",
        EditorAction::Search => "search",
        EditorAction::Next => "arrow_forward",
        EditorAction::Done => "check",
        EditorAction::Go => "arrow_forward",
        EditorAction::Send => "send",
    };
    row.children
        .push(maker.key(KeyCode::Action, "", action.name(), Some(icon), 1.5));
    keys.push(row);

    let mut column = maker.group(Axis::Vertical);
    if let Kind::Group(group) = &mut column.kind {
        group.inset = Inset::Both;
    }
    column.frame.background = Some(ColorRole::Keyboard);
    column.push(keys);
    let mut decor = maker.group(Axis::Depth);
    decor.solid = true;
    // Keys are not mirrored in right-to-left languages.
    decor.frame.direction = Some(Flow::LeftToRight);
    decor.push(column);
    decor
}

//! The on-screen keyboard: its keys, and the field they write into.

use std::sync::{Arc, LazyLock};

use crate::app::{Dim, Frame, Ink, Scope, Sides, Stand, Template};
use crate::draw::Flow;
use crate::layout::{Cache, Local};
use crate::widget::{Axis, EditorAction, Group, Inset, Key, KeyCap, KeyCode, Kind, Spec, TextKind};

/// The keyboard while it is up.
#[derive(Debug)]
pub(crate) struct Keyboard {
    /// The window and the field that it writes into.
    pub(crate) window: u64,
    pub(crate) key: Key,
    pub(crate) board: Board,
    pub(crate) shift: bool,
    pub(crate) action: EditorAction,
    pub(crate) local: Local,
    pub(crate) cache: Cache,
    pub(crate) scope: Arc<Scope>,
}

/// Which keys are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Board {
    Letters,
    Symbols,
    Numbers,
}

impl Board {
    /// The keys with which a field of this kind is written.
    pub(crate) const fn for_kind(kind: TextKind) -> Self {
        match kind {
            TextKind::Text | TextKind::Email | TextKind::Url => Board::Letters,
            TextKind::Number => Board::Numbers,
        }
    }
}

const LETTERS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const SYMBOLS: [&str; 3] = ["1234567890", "@#€_&-+()/", "*\"':;!?"];
const NUMBERS: [&str; 3] = ["123", "456", "789"];

type Boards = Vec<((Board, bool, EditorAction), Arc<Spec>)>;

/// Every keyboard that there is: they never change, so that each is made once.
static BOARDS: LazyLock<Boards> = LazyLock::new(|| {
    let actions = [
        EditorAction::None,
        EditorAction::Search,
        EditorAction::Next,
        EditorAction::Done,
        EditorAction::Go,
        EditorAction::Send,
    ];
    let mut boards = Vec::new();
    for action in actions {
        for (board, shift) in [
            (Board::Letters, false),
            (Board::Letters, true),
            (Board::Symbols, false),
            (Board::Numbers, false),
        ] {
            boards.push(((board, shift, action), Arc::new(make(board, shift, action))));
        }
    }
    boards
});

impl Keyboard {
    /// The widgets of the keyboard.
    pub(crate) fn root(&self) -> Option<Arc<Spec>> {
        let shift = self.shift && self.board == Board::Letters;
        BOARDS
            .iter()
            .find(|(of, _)| *of == (self.board, shift, self.action))
            .map(|(_, root)| Arc::clone(root))
    }
}

struct Maker {
    slots: u32,
}

impl Maker {
    fn group(&mut self, axis: Axis) -> Spec {
        self.slots += 1;
        Spec::new(self.slots, Kind::Group(Group::new(axis)))
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
        let mut spec = Spec::new(self.slots, Kind::Key(cap));
        spec.label = Template::fixed(label);
        spec.frame.grow = Some(width);
        Arc::new(spec)
    }

    fn characters(&mut self, row: &mut Spec, characters: &str, shift: bool) {
        for character in characters.chars() {
            let character = if shift {
                character.to_ascii_uppercase()
            } else {
                character
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
            align: Some(Stand::Stretch),
            ..Frame::default()
        };
        row
    }
}

fn make(board: Board, shift: bool, action: EditorAction) -> Spec {
    let mut maker = Maker { slots: 0 };
    let lines = match board {
        Board::Letters => LETTERS,
        Board::Symbols => SYMBOLS,
        Board::Numbers => NUMBERS,
    };
    let mut keys = maker.group(Axis::Vertical);
    keys.id = Arc::from("com.android.inputmethod.latin:id/keyboard_view");
    keys.class = Some(Arc::from("android.view.View"));
    keys.frame = Frame {
        grow: Some(1.0),
        padding: Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(3.0))),
        ..Frame::default()
    };
    for (index, line) in lines.into_iter().enumerate() {
        let mut row = maker.row();
        let last = index == 2;
        if last && board != Board::Numbers {
            let shift_key = match board {
                Board::Letters => maker.key(KeyCode::Shift, "", "Shift", Some("shift"), 1.5),
                _ => maker.key(KeyCode::Symbols, "=\\<", "More symbols", None, 1.5),
            };
            row.children.push(shift_key);
        }
        maker.characters(&mut row, line, shift);
        if last {
            row.children
                .push(maker.key(KeyCode::Delete, "", "Delete", Some("backspace"), 1.5));
        }
        if index == 1 && board == Board::Letters {
            // Nine letters stand in the middle of ten places.
            row.frame.padding = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(20.0)));
        }
        keys.children.push(Arc::new(row));
    }
    let mut row = maker.row();
    match board {
        Board::Letters | Board::Symbols => {
            let other = match board {
                Board::Letters => maker.key(KeyCode::Symbols, "?123", "Symbols", None, 1.5),
                _ => maker.key(KeyCode::Letters, "ABC", "Letters", None, 1.5),
            };
            row.children.push(other);
            row.children
                .push(maker.key(KeyCode::Type(','), ",", ",", None, 1.0));
            row.children
                .push(maker.key(KeyCode::Type(' '), "", "Space", None, 5.0));
            row.children
                .push(maker.key(KeyCode::Type('.'), ".", ".", None, 1.0));
        }
        Board::Numbers => {
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
    keys.children.push(Arc::new(row));

    let mut column = maker.group(Axis::Vertical);
    if let Kind::Group(group) = &mut column.kind {
        group.inset = Inset::Both;
    }
    column.frame.background = Some(Ink::Keyboard);
    column.children.push(Arc::new(keys));
    let mut decor = maker.group(Axis::Depth);
    decor.solid = true;
    // Letters stand where they stand in every language.
    decor.frame.direction = Some(Flow::LeftToRight);
    decor.children.push(Arc::new(column));
    decor
}

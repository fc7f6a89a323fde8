//! Values of password fields of a device, and masking.
//!
//! Kept in memory only. A value is known if it was typed into a password field, or shown by a former one: "Show
//! password" makes it a plain field.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Node, NodeId, NodeSpec, Rect, State, TreeBuilder, UiTree};

/// Maximum number of values; the newest are kept.
const MAX: usize = 256;

/// Maximum number of fields. Above it all are forgotten.
const MAX_FIELDS: usize = 1_024;

/// Minimum length of a value that is masked in other texts. A shorter one would hide half of a screen; it is masked in its own
/// field.
const MIN: usize = 4;

/// Mask characters of password fields.
const DOTS: [char; 4] = ['•', '●', '*', '⬤'];

/// Values of password fields, and the fields.
#[derive(Debug, Default)]
pub struct Secrets {
    values: Vec<Value>,
    /// Each field with its text other than dots, which is its hint.
    fields: BTreeMap<Field, Arc<str>>,
}

/// The longest version of a value.
#[derive(Debug)]
struct Value {
    text: Arc<str>,
    /// Length of its shortest version. Typing writes every prefix.
    min_length: usize,
}

/// Identity of a field across screens: its app or page, and its id, name or position.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Field {
    owner: Arc<str>,
    id: Arc<str>,
    name: Arc<str>,
    place: Option<[i32; 4]>,
}

impl Field {
    fn of(node: &Node) -> Self {
        let has_id = !node.id.trim().is_empty();
        let has_name = !node.label.trim().is_empty();
        let place = |Rect {
                         left,
                         top,
                         right,
                         bottom,
                     }| [left, top, right, bottom];
        Self {
            owner: Arc::clone(&node.owner),
            id: Arc::clone(&node.id),
            name: match has_id {
                true => Arc::default(),
                false => Arc::clone(&node.label),
            },
            place: node.bounds.filter(|_| !has_id && !has_name).map(place),
        }
    }
}

impl Secrets {
    /// Records the value of a password field. A prefix of a known value replaces no other value.
    pub fn keep(&mut self, text: &str) {
        let length = text.chars().count();
        if length < MIN || is_dots(text) {
            return;
        }
        let related =
            |known: &Value| known.text.starts_with(text) || text.starts_with(&*known.text);
        let value = match self.values.iter().rposition(related) {
            Some(place) => {
                let known = self.values.remove(place);
                Value {
                    min_length: known.min_length.min(length),
                    text: if known.text.len() < text.len() {
                        Arc::from(text)
                    } else {
                        known.text
                    },
                }
            }
            None => Value {
                text: Arc::from(text),
                min_length: length,
            },
        };
        if self.values.len() >= MAX {
            self.values.remove(0);
        }
        self.values.push(value);
    }

    /// Records password fields and the values of former ones.
    pub fn see(&mut self, tree: &UiTree) {
        for node in tree.nodes() {
            if node.is(State::PASSWORD) {
                if self.fields.len() >= MAX_FIELDS {
                    self.fields.clear();
                }
                let hint = self.fields.entry(Field::of(node)).or_default();
                if !is_dots(&node.text) {
                    *hint = Arc::clone(&node.text);
                }
            } else if node.is(State::EDITABLE) && !node.is(State::SHOWING_HINT) {
                let hint = self.fields.get(&Field::of(node));
                let is_value =
                    hint.is_some_and(|hint| *hint != node.text && node.hint != node.text);
                if is_value {
                    self.keep(&node.text);
                }
            }
        }
    }

    /// Whether there is nothing to mask.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.fields.is_empty()
    }

    /// `text` with a dot for each character of a value, overlaps included.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.values.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut masked = String::with_capacity(text.len());
        let mut changed = false;
        // Number of characters left to mask.
        let mut hidden = 0;
        for (place, letter) in text.char_indices() {
            let rest = text.get(place..).unwrap_or_default();
            let found = self.values.iter().map(|value| value.prefix_len(rest)).max();
            hidden = hidden.max(found.unwrap_or(0));
            changed |= hidden > 0;
            masked.push(if hidden > 0 { '•' } else { letter });
            hidden = hidden.saturating_sub(1);
        }
        match changed {
            true => Cow::Owned(masked),
            false => Cow::Borrowed(text),
        }
    }

    /// The screen without values: current and former password fields show dots, other texts are masked. `None` if
    /// nothing changes.
    pub fn mask_tree(&self, tree: &UiTree) -> Option<UiTree> {
        let masks = |node: &Node| self.hides(node) || self.masks(node);
        let titles = tree.windows().iter().map(|window| &*window.title);
        let titles = titles.map(|title| self.mask(title)).collect::<Vec<_>>();
        let title_changes = titles.iter().any(|title| matches!(title, Cow::Owned(_)));
        if !title_changes && !tree.nodes().iter().any(masks) {
            return None;
        }
        let mut builder = TreeBuilder::new(tree.screen(), tree.rotation());
        for (window, title) in tree.windows().iter().zip(titles) {
            builder.window(window.kind, window.layer, window.active, &title);
            builder.window_bounds(window.bounds.unwrap_or_default());
            self.copy(&mut builder, tree, window.root);
        }
        Some(builder.finish())
    }

    fn copy(&self, builder: &mut TreeBuilder, tree: &UiTree, id: NodeId) {
        let node = tree.node(id);
        let mask = |text: &Arc<str>| match self.mask(text) {
            Cow::Borrowed(_) => Arc::clone(text),
            Cow::Owned(masked) => masked.into(),
        };
        let (text, state) = match self.hides(node) {
            true => (dots(&node.text).into(), node.state | State::PASSWORD),
            false => (mask(&node.text), node.state),
        };
        let attributes = node.attributes.iter();
        builder.open(NodeSpec {
            role: Some(node.role),
            index: Some(node.index),
            text,
            label: mask(&node.label),
            hint: mask(&node.hint),
            id: Arc::clone(&node.id),
            class: Arc::clone(&node.class),
            owner: Arc::clone(&node.owner),
            bounds: node.bounds,
            state,
            can_scroll: node.can_scroll,
            drawing: node.drawing,
            attributes: attributes
                .map(|(name, value)| (Arc::clone(name), mask(value)))
                .collect(),
        });
        for child in tree.children(id) {
            self.copy(builder, tree, child);
        }
        builder.close();
    }

    /// Whether the text of a node is a value of its field.
    fn hides(&self, node: &Node) -> bool {
        !node.is(State::SHOWING_HINT)
            && !node.text.is_empty()
            && (node.is(State::PASSWORD) || self.was_password(node))
    }

    fn was_password(&self, node: &Node) -> bool {
        node.is(State::EDITABLE) && self.fields.contains_key(&Field::of(node))
    }

    /// Whether another text of a node contains a value.
    fn masks(&self, node: &Node) -> bool {
        let texts = [&node.text, &node.label, &node.hint].into_iter();
        let values = node.attributes.iter().map(|(_, value)| value);
        texts
            .chain(values)
            .any(|text| matches!(self.mask(text), Cow::Owned(_)))
    }
}

impl Value {
    /// Length of the prefix of the value that a text begins with; 0 if shorter than every version.
    fn prefix_len(&self, text: &str) -> usize {
        let own = self.text.chars();
        let same = own.zip(text.chars()).take_while(|(a, b)| a == b).count();
        if same >= self.min_length { same } else { 0 }
    }
}

/// Whether a text is masked: dots, perhaps with the last letter shown.
fn is_dots(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next_back();
    letters.all(|letter| DOTS.contains(&letter))
}

/// Masks every character.
fn dots(text: &str) -> String {
    "•".repeat(text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        for text in texts {
            secrets.keep(text);
        }
        secrets
    }

    fn tree(notation: &str) -> UiTree {
        UiTree::parse_notation(notation).unwrap()
    }

    #[test]
    fn longest_version_of_a_value_is_masked() {
        let typed = known(&["s", "se", "sec", "secr", "secre", "secret"]);
        assert_eq!(typed.values.len(), 1);
        assert_eq!(typed.mask("a secret, secre, sec"), "a ••••••, •••••, sec");
        // Deleted and typed again: both stay known.
        let changed = known(&["secret", "secre", "secr", "secrxy"]);
        assert_eq!(changed.mask("secret secrxy secr"), "•••••• •••••• ••••");
        // Pasted: it has no prefixes.
        assert_eq!(known(&["settings9"]).mask("settings"), "settings");
        assert_eq!(known(&["abcd", "cdef"]).mask("xabcdefx"), "x••••••x");
        assert_eq!(known(&["ecret", "secret"]).mask("secret"), "••••••");
        assert_eq!(known(&["äöü€🎉"]).mask("ßäöü€🎉ß"), "ß•••••ß");
    }

    #[test]
    fn prefix_of_a_value_replaces_no_other() {
        let mut secrets = known(&["opensesame"]);
        let long = "0123456789".repeat(60);
        for end in 1..=long.len() {
            secrets.keep(&long[..end]);
        }
        assert_eq!(secrets.mask("opensesame"), "••••••••••");
        assert_eq!(secrets.mask(&long), "•".repeat(600));
        for number in 0..2 * MAX {
            secrets.keep(&format!("{number:05}-"));
        }
        assert_eq!(secrets.values.len(), MAX);
        assert_eq!(secrets.mask("opensesame"), "opensesame");
    }

    #[test]
    fn former_password_field_stays_masked() {
        let screen = |field: &str, said: &str| {
            tree(&format!(
                "column [0,0][100,100]\n  textfield {field} [0,0][100,50] editable\n  text {said:?} [0,50][100,100]\n"
            ))
        };
        for (hidden, shown) in [
            ("\"••••••••\" #pw", "\"hunter2!\" #pw"),
            (
                "\"•••••••!\" label=\"Password\"",
                "\"hunter2!\" label=\"Password\"",
            ),
            ("\"••••••••\"", "\"hunter2!\""),
        ] {
            let mut secrets = Secrets::default();
            let mut before = screen(hidden, "Hello").to_notation();
            before = before.replace(" editable", " editable password");
            secrets.see(&tree(&before));
            assert!(secrets.mask_tree(&tree(&before)).is_some());
            let after = screen(shown, "Your password is hunter2!");
            secrets.see(&after);
            let masked = secrets.mask_tree(&after).unwrap();
            let written = masked.to_notation();
            assert!(!written.contains("hunter2"), "{written}");
            assert!(written.contains("Your password is ••••••••"), "{written}");
            assert!(masked.nodes()[1].is(State::PASSWORD));
            assert_eq!(masked.len(), after.len());
            let other = tree("textfield \"hunter2! too\" #mail [0,60][9,69] editable\n");
            let written = secrets.mask_tree(&other).unwrap().to_notation();
            assert!(written.contains("•••••••• too"), "{written}");
            assert!(
                secrets
                    .mask_tree(&tree("text \"hunter\" [0,0][9,9]\n"))
                    .is_none()
            );
        }
    }

    #[test]
    fn short_value_is_masked_in_its_own_field_only() {
        let mut secrets = Secrets::default();
        secrets.see(&tree(
            "textfield \"••\" #pin [0,0][9,9] editable password\n",
        ));
        let shown = tree(
            "column [0,0][9,9]\n  textfield \"12\" #pin [0,0][9,9] editable\n  text \"12 apples\" [0,0][9,9]\n",
        );
        secrets.see(&shown);
        let written = secrets.mask_tree(&shown).unwrap().to_notation();
        assert!(written.contains("\"••\" #pin"), "{written}");
        assert!(written.contains("12 apples"), "{written}");
    }

    #[test]
    fn hint_is_not_a_value() {
        let mut secrets = Secrets::default();
        let empty = tree("textfield \"Password\" #pw [0,0][9,9] editable password showing-hint\n");
        secrets.see(&empty);
        assert!(secrets.mask_tree(&empty).is_none());
        // Old phones report the hint as text.
        secrets.see(&tree(
            "textfield \"Password\" #pw [0,0][9,9] editable password\n",
        ));
        secrets.see(&tree("textfield \"Password\" #pw [0,0][9,9] editable\n"));
        assert_eq!(secrets.mask("Password"), "Password");
    }
}

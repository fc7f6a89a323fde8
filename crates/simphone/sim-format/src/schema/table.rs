//! Parses the table of the format, `format.txt`.

use std::sync::LazyLock;

/// The type of a value, in the words of `format.txt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape(&'static str);

impl Shape {
    /// Whether there is no value: the effect is a single word.
    pub(crate) fn is_nothing(self) -> bool {
        self.0 == "nothing"
    }

    /// Returns the allowed words, if it is a choice.
    #[cfg(test)]
    pub(crate) fn words(self) -> Option<impl Iterator<Item = &'static str>> {
        self.0.strip_prefix("word ").map(|words| words.split(' '))
    }

    /// Returns its description in the reference; `None` for unknown words.
    pub(crate) fn phrase(self) -> Option<String> {
        if self.is_nothing() {
            return Some(String::new());
        }
        if let Some(plain) = plain(self.0) {
            return Some(plain.to_owned());
        }
        if let Some(inner) = self.0.strip_prefix("named ") {
            return Some(format!("by name: {}", Shape(inner).phrase()?));
        }
        if let Some((short, part)) = self.0.split_once(" or ") {
            return Some(format!("{}, or a {part}", Shape(short).phrase()?));
        }
        let (word, rest) = self.0.split_once(' ')?;
        Some(match word {
            "count" => format!("whole number from {rest}"),
            "word" => format!("`{rest}`"),
            "part" => format!("a {rest}"),
            "parts" => format!("one {rest} or several"),
            "mixed" => format!("texts or {rest}s"),
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) about: &'static str,
    pub(crate) needed: bool,
}

#[derive(Debug)]
pub(crate) struct WidgetRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The class of its node, without the package `android.widget`; empty if it is not a node.
    pub(crate) class: &'static str,
    /// Its keys besides the common ones. The value of the kind is that of the first one.
    pub(crate) keys: Vec<Key>,
}

#[derive(Debug)]
pub(crate) struct EffectRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) value: Shape,
    pub(crate) keys: Vec<Key>,
}

#[derive(Debug)]
pub(crate) struct PartRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) keys: Vec<Key>,
    /// Whether it also has the keys of the frame.
    pub(crate) frame: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    /// In the order of the reference. The first kind among the keys of a mapping is the kind of the widget.
    pub(crate) widgets: Vec<WidgetRow>,
    /// The first effect among the keys of a mapping is its kind.
    pub(crate) effects: Vec<EffectRow>,
    pub(crate) parts: Vec<PartRow>,
    pub(crate) common: Vec<Key>,
    /// The keys of every widget and of the bodies of screens.
    pub(crate) frame: Vec<Key>,
}

pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("format.txt")).0);
    &TABLE
}

/// Parses the table. The second value has the invalid lines; a test asserts that there are none.
fn read(text: &'static str) -> (Table, Vec<&'static str>) {
    let mut table = Table::default();
    let mut strays = Vec::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    while let Some(line) = lines.next() {
        let mut keys = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
            match key(line) {
                Some(key) => keys.push(key),
                None => strays.push(line),
            }
        }
        if table.row(line, keys).is_none() {
            strays.push(line);
        }
    }
    (table, strays)
}

impl Table {
    fn row(&mut self, line: &'static str, keys: Vec<Key>) -> Option<()> {
        match line {
            "common" => self.common = keys,
            "frame" => self.frame = keys,
            _ => {
                let (group, row) = line.split_once(' ')?;
                let (name, rest) = row.split_once(" |")?;
                match group {
                    "part" => {
                        let (frame, about) = rest.split_once("| ")?;
                        self.parts.push(PartRow {
                            name,
                            about,
                            keys,
                            frame: frame.trim() == "frame",
                        });
                    }
                    "widget" => {
                        let (class, about) = rest.split_once("| ")?;
                        self.widgets.push(WidgetRow {
                            name,
                            about,
                            class: class.trim(),
                            keys,
                        });
                    }
                    "effect" => {
                        let (value, about) = rest.split_once(" | ")?;
                        self.effects.push(EffectRow {
                            name,
                            about,
                            value: Shape(value.trim()),
                            keys,
                        });
                    }
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

fn key(line: &'static str) -> Option<Key> {
    let (name, rest) = line.trim_start().split_once(" | ")?;
    let (value, about) = rest.split_once(" | ")?;
    let needed = name.strip_suffix('!');
    Some(Key {
        name: needed.unwrap_or(name),
        shape: Shape(value),
        about,
        needed: needed.is_some(),
    })
}

/// Returns the description of a simple type.
fn plain(word: &str) -> Option<&'static str> {
    let mut rows = include_str!("shapes.txt").lines();
    rows.find_map(|line| {
        let (name, phrase) = line.split_once(" | ")?;
        (name == word).then_some(phrase)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_is_valid() {
        let (table, strays) = super::read(include_str!("format.txt"));
        assert_eq!(strays, Vec::<&str>::new());
        let keys = table.parts.iter().flat_map(|row| &row.keys);
        let keys = keys.chain(table.widgets.iter().flat_map(|row| &row.keys));
        let keys = keys.chain(table.effects.iter().flat_map(|row| &row.keys));
        let shapes = keys.chain(&table.common).chain(&table.frame);
        let shapes = shapes.map(|key| key.shape);
        let mut shapes = shapes.chain(table.effects.iter().map(|row| row.value));
        assert!(shapes.all(|shape| shape.phrase().is_some()));
        assert!(table.parts.len() > 20 && table.widgets.len() > 30 && table.effects.len() > 20);
    }
}

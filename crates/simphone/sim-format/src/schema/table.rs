//! The rows of the format, read from `format.txt`.

use std::sync::LazyLock;

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// What a row of `shapes.txt` says.
    Plain(PlainShape),
    /// A whole number of at least this.
    Count(u32),
    Word(&'static [&'static str]),
    /// A part by its name.
    Part(&'static str),
    /// One of them or several.
    Parts(&'static str),
    /// Texts or parts, one or several.
    TextsOr(&'static str),
    /// The short form of a part, or the part.
    ShortOr(&'static Shape, &'static str),
    /// A mapping whose keys are names.
    Named(&'static Shape),
    /// Nothing: the effect is a plain word.
    Nothing,
}

/// A value that is not made of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainShape {
    /// Its definition in the JSON Schema.
    pub(crate) definition: &'static str,
    /// What the reference calls it.
    pub(crate) phrase: &'static str,
}

/// A key of a mapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// What it means, as the end of “this key says …” or a phrase.
    pub(crate) about: &'static str,
    pub(crate) needed: bool,
}

/// A widget.
#[derive(Debug)]
pub(crate) struct WidgetRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The class of its node, as it is without its package `android.widget`; empty when it becomes no node.
    pub(crate) class: &'static str,
    /// The key that the value of the kind itself represents.
    pub(crate) main: &'static str,
    /// Its keys besides those of every widget, the main one among them.
    pub(crate) keys: Vec<Key>,
}

/// An effect.
#[derive(Debug)]
pub(crate) struct EffectRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) value: Shape,
    /// Whether it may also be written as a plain word.
    pub(crate) plain: bool,
    /// The keys that may be beside it.
    pub(crate) keys: Vec<Key>,
}

/// Any other mapping.
#[derive(Debug)]
pub(crate) struct PartRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) keys: Vec<Key>,
    /// Whether it takes the keys of the frame too.
    pub(crate) frame: bool,
}

/// The whole format.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// In the order of the reference. The first kind among the keys of a mapping says what a widget is.
    pub(crate) widgets: Vec<WidgetRow>,
    /// The first effect among the keys of a mapping says what it is.
    pub(crate) effects: Vec<EffectRow>,
    pub(crate) parts: Vec<PartRow>,
    /// The keys of every widget.
    pub(crate) common: Vec<Key>,
    /// The keys of every widget and of the bodies of screens.
    pub(crate) frame: Vec<Key>,
}

/// The table of the format.
pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("format.txt")).0);
    &TABLE
}

/// Reads the table. The second value are the lines that are no rows; a test holds that there are none.
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
                        let (class, rest) = rest.split_once('|')?;
                        let (main, about) = rest.split_once("| ")?;
                        self.widgets.push(WidgetRow {
                            name,
                            about,
                            class: class.trim(),
                            main: main.trim(),
                            keys,
                        });
                    }
                    "effect" => {
                        let (value, about) = rest.split_once(" | ")?;
                        let value = value.trim();
                        let alone = value.strip_prefix("plain or ");
                        let shape = shape(alone.unwrap_or(value))?;
                        self.effects.push(EffectRow {
                            name,
                            about,
                            value: shape,
                            plain: alone.is_some() || matches!(shape, Shape::Nothing),
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
        shape: shape(value)?,
        about,
        needed: needed.is_some(),
    })
}

/// What a value is from its words. The table lives as long as the program, so that what it points to is never freed.
fn shape(text: &'static str) -> Option<Shape> {
    if text == "nothing" {
        return Some(Shape::Nothing);
    }
    if let Some(plain) = plain_shape(text) {
        return Some(Shape::Plain(plain));
    }
    if let Some(inner) = text.strip_prefix("named ") {
        return Some(Shape::Named(Box::leak(Box::new(shape(inner)?))));
    }
    if let Some((short, part)) = text.split_once(" or ") {
        return Some(Shape::ShortOr(Box::leak(Box::new(shape(short)?)), part));
    }
    let (word, rest) = text.split_once(' ')?;
    Some(match word {
        "count" => Shape::Count(rest.parse().ok()?),
        "word" => Shape::Word(rest.split(' ').collect::<Vec<_>>().leak()),
        "part" => Shape::Part(rest),
        "parts" => Shape::Parts(rest),
        "mixed" => Shape::TextsOr(rest),
        _ => return None,
    })
}

/// The row of `shapes.txt` that begins with this word.
fn plain_shape(word: &str) -> Option<PlainShape> {
    include_str!("shapes.txt").lines().find_map(|line| {
        let (name, rest) = line.split_once(" | ")?;
        let (definition, phrase) = rest.split_once(" | ")?;
        (name == word).then_some(PlainShape { definition, phrase })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_is_a_row() {
        let (table, strays) = super::read(include_str!("format.txt"));
        assert_eq!(strays, Vec::<&str>::new());
        assert!(table.parts.len() > 20 && table.widgets.len() > 30 && table.effects.len() > 20);
    }
}

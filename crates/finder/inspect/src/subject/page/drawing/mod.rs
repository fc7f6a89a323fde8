//! What a drawing shows that nobody has named: a button often has nothing but a few lines in it, and whoever sees it knows
//! them for a magnifier or a bin.
//!
//! The lines are laid into a small picture, which is held against those of the things that such drawings commonly show.

mod ink;
mod shapes;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use dom::{Dom, ElementId};

use self::ink::{Ink, Inside};
use self::shapes::{Drawn, Lines};
use crate::data;

/// How alike two pictures are at least, of 1, of which one is told by the other.
const ALIKE: f32 = 0.87;
/// How many times as far a picture is from anything else as from what it shows.
const FURTHER: f32 = 1.4;

/// What was told of drawings, by their lines: most pages draw the same few things again and again.
#[derive(Debug, Default)]
pub(super) struct Drawings {
    told: RefCell<HashMap<Lines, Option<&'static str>>>,
}

impl Drawings {
    /// The words for what the drawings in `id` show, which are the first few elements in it; `None` where there are none, or
    /// they show nothing that is known.
    pub(super) fn shown(&self, page: &Dom, id: ElementId) -> Option<&'static str> {
        let lines = Lines::of(page, id)?;
        let mut told = self.told.borrow_mut();
        if let Some(words) = told.get(&lines) {
            return *words;
        }
        let words = lines.shown();
        told.insert(lines, words);
        words
    }
}

/// What a path of SVG shows, in words, whether its lines are drawn or its insides are filled; `None` for what is not known,
/// and for what is no such path.
#[must_use]
pub fn shown_by(path: &str) -> Option<&'static str> {
    let lines = Lines {
        data: path.to_owned(),
        drawn: Drawn::Either,
        inside: Inside::default(),
        turned: false,
    };
    lines.shown()
}

impl Lines {
    /// What they show, in words.
    fn shown(&self) -> Option<&'static str> {
        let ways = match self.drawn {
            Drawn::Lines => [Ink::of_lines(&self.data), None],
            Drawn::Areas => [None, Ink::of_areas(&self.data, self.inside)],
            Drawn::Either => [
                Ink::of_lines(&self.data),
                Ink::of_areas(&self.data, self.inside),
            ],
        };
        let mut best: Option<Likeness> = None;
        for ink in ways.into_iter().flatten() {
            let ink = if self.turned { ink.turned() } else { ink };
            let likeness = Likeness::of(&ink);
            if best.is_none_or(|best| likeness.alike > best.alike) {
                best = Some(likeness);
            }
        }
        best.and_then(Likeness::words)
    }
}

/// What a picture is most like.
#[derive(Clone, Copy, Debug)]
struct Likeness {
    alike: f32,
    words: &'static str,
    /// How alike it is to the next thing.
    other: f32,
}

impl Likeness {
    fn of(ink: &Ink) -> Self {
        let mut found = Self {
            alike: 0.0,
            words: "",
            other: 0.0,
        };
        for sketch in sketches() {
            let alike = ink.likeness(&sketch.ink);
            if sketch.words == found.words {
                found.alike = found.alike.max(alike);
            } else if alike > found.alike {
                found = Self {
                    alike,
                    words: sketch.words,
                    other: found.alike,
                };
            } else {
                found.other = found.other.max(alike);
            }
        }
        found
    }

    fn words(self) -> Option<&'static str> {
        let clear = 1.0 - self.other >= FURTHER * (1.0 - self.alike);
        let sure = self.alike >= ALIKE && clear;
        (sure && !self.words.is_empty()).then_some(self.words)
    }
}

struct Sketch {
    words: &'static str,
    ink: Ink,
}

/// The pictures of what is known, made once.
fn sketches() -> &'static [Sketch] {
    static SKETCHES: OnceLock<Vec<Sketch>> = OnceLock::new();
    SKETCHES.get_or_init(|| {
        let mut all = Vec::new();
        for (words, drawn) in shapes_of_icons() {
            let (areas, rest) = marked(drawn, '#');
            let (mirrored, path) = marked(rest, '~');
            let ink = if areas {
                Ink::of_areas(path, Inside::Odd)
            } else {
                Ink::of_lines(path)
            };
            let Some(ink) = ink else { continue };
            if mirrored {
                let ink = ink.mirrored();
                all.push(Sketch { words, ink });
            }
            all.push(Sketch { words, ink });
        }
        all
    })
}

/// The names of icons and their paths.
fn shapes_of_icons() -> impl Iterator<Item = (&'static str, &'static str)> {
    data::rows(include_str!("../../../../data/icon_shapes.txt"))
        .filter_map(|row| row.split_once(": "))
}

/// Whether a mark stands before a path, and the path.
fn marked(path: &str, mark: char) -> (bool, &str) {
    match path.strip_prefix(mark) {
        Some(path) => (true, path),
        None => (false, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sketch_is_told_from_all_others() {
        for (words, drawn) in shapes_of_icons() {
            let (areas, rest) = marked(drawn, '#');
            let lines = Lines {
                data: marked(rest, '~').1.to_owned(),
                drawn: if areas { Drawn::Areas } else { Drawn::Lines },
                inside: Inside::Odd,
                turned: false,
            };
            assert_eq!(lines.shown(), Some(words), "{drawn}");
        }
    }
}

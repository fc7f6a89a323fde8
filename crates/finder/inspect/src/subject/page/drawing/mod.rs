//! What a drawing shows that nobody has named: a button often has nothing but a few lines in it, and whoever sees it knows
//! them for a magnifier or a bin.
//!
//! The lines are laid into a small picture, which is held against those of the things that such drawings commonly show.

mod raster;
mod svg_path;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use dom::{Dom, ElementId};

use self::raster::{FillRule, Raster};
use self::svg_path::{PaintMode, SvgPath};
use crate::data;

/// How alike two pictures are at least, of 1, of which one is told by the other.
const LEAST_SIMILARITY: f32 = 0.87;
/// How many times as far a picture is from anything else as from what it shows.
const FURTHER: f32 = 1.4;

/// What was told of drawings, by their lines: most pages draw the same few things again and again.
#[derive(Debug, Default)]
pub(super) struct IconCache {
    told: RefCell<HashMap<SvgPath, Option<&'static str>>>,
}

impl IconCache {
    /// The words for what the drawings in `id` show, which are the first few elements in it; `None` where there are none, or
    /// they show nothing that is known.
    pub(super) fn shown(&self, page: &Dom, id: ElementId) -> Option<&'static str> {
        let lines = SvgPath::of(page, id)?;
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
    let lines = SvgPath {
        data: path.to_owned(),
        paint: PaintMode::Either,
        fill_rule: FillRule::default(),
        rotated: false,
    };
    lines.shown()
}

impl SvgPath {
    /// What they show, in words.
    fn shown(&self) -> Option<&'static str> {
        let ways = match self.paint {
            PaintMode::Stroke => [Raster::from_stroke(&self.data), None],
            PaintMode::Fill => [None, Raster::from_fill(&self.data, self.fill_rule)],
            PaintMode::Either => [
                Raster::from_stroke(&self.data),
                Raster::from_fill(&self.data, self.fill_rule),
            ],
        };
        let mut best: Option<BestShape> = None;
        for raster in ways.into_iter().flatten() {
            let raster = if self.rotated {
                raster.rotated()
            } else {
                raster
            };
            let likeness = BestShape::of(&raster);
            if best.is_none_or(|best| likeness.similarity > best.similarity) {
                best = Some(likeness);
            }
        }
        best.and_then(BestShape::words)
    }
}

/// What a picture is most like.
#[derive(Clone, Copy, Debug)]
struct BestShape {
    similarity: f32,
    words: &'static str,
    /// How alike it is to the next thing.
    other: f32,
}

impl BestShape {
    fn of(raster: &Raster) -> Self {
        let mut found = Self {
            similarity: 0.0,
            words: "",
            other: 0.0,
        };
        for shape in icon_shapes() {
            let similarity = raster.similarity(&shape.raster);
            if shape.words == found.words {
                found.similarity = found.similarity.max(similarity);
            } else if similarity > found.similarity {
                found = Self {
                    similarity,
                    words: shape.words,
                    other: found.similarity,
                };
            } else {
                found.other = found.other.max(similarity);
            }
        }
        found
    }

    fn words(self) -> Option<&'static str> {
        let clear = 1.0 - self.other >= FURTHER * (1.0 - self.similarity);
        let sure = self.similarity >= LEAST_SIMILARITY && clear;
        (sure && !self.words.is_empty()).then_some(self.words)
    }
}

struct IconShape {
    words: &'static str,
    raster: Raster,
}

/// The pictures of what is known, made once.
fn icon_shapes() -> &'static [IconShape] {
    static SHAPES: OnceLock<Vec<IconShape>> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let mut all = Vec::new();
        for (words, drawn) in named_paths() {
            let (areas, rest) = strip_mark(drawn, '#');
            let (mirrored, path) = strip_mark(rest, '~');
            let raster = if areas {
                Raster::from_fill(path, FillRule::EvenOdd)
            } else {
                Raster::from_stroke(path)
            };
            let Some(raster) = raster else { continue };
            if mirrored {
                let raster = raster.mirrored();
                all.push(IconShape { words, raster });
            }
            all.push(IconShape { words, raster });
        }
        all
    })
}

/// The names of icons and their paths.
fn named_paths() -> impl Iterator<Item = (&'static str, &'static str)> {
    data::rows(include_str!("../../../../data/icon_shapes.txt"))
        .filter_map(|row| row.split_once(": "))
}

/// Whether a mark stands before a path, and the path.
fn strip_mark(path: &str, mark: char) -> (bool, &str) {
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
        for (words, drawn) in named_paths() {
            let (areas, rest) = strip_mark(drawn, '#');
            let lines = SvgPath {
                data: strip_mark(rest, '~').1.to_owned(),
                paint: if areas {
                    PaintMode::Fill
                } else {
                    PaintMode::Stroke
                },
                fill_rule: FillRule::EvenOdd,
                rotated: false,
            };
            assert_eq!(lines.shown(), Some(words), "{drawn}");
        }
    }
}

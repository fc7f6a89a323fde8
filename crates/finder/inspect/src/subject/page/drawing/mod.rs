//! Names icons that are drawn without a name.
//!
//! The path is rasterized and compared with the shapes in `data/icon_shapes.txt`.

mod raster;
mod svg_path;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use dom::{Dom, ElementId};

use self::raster::{FillRule, Raster};
use self::svg_path::{PaintMode, SvgPath};
use crate::data;

/// Least similarity of a match.
const MIN_SIMILARITY: f32 = 0.87;
/// Least ratio of the distance to the next shape and to the match.
const FURTHER: f32 = 1.4;

/// Names of drawings by path. Most pages repeat a few icons.
#[derive(Debug, Default)]
pub(super) struct IconCache {
    names: RefCell<HashMap<SvgPath, Option<&'static str>>>,
}

impl IconCache {
    /// Name of the drawing in `id`; `None` if there is none or it is unknown.
    pub(super) fn shown(&self, page: &Dom, id: ElementId) -> Option<&'static str> {
        let lines = SvgPath::of(page, id)?;
        let mut names = self.names.borrow_mut();
        if let Some(words) = names.get(&lines) {
            return *words;
        }
        let words = lines.shown();
        names.insert(lines, words);
        words
    }
}

/// Name of the icon that an SVG path draws, stroked or filled; `None` if unknown or invalid.
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
    /// Name of the shape.
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

/// The most similar shape.
#[derive(Clone, Copy, Debug)]
struct BestShape {
    similarity: f32,
    words: &'static str,
    /// Similarity of the next one.
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
        let sure = self.similarity >= MIN_SIMILARITY && clear;
        (sure && !self.words.is_empty()).then_some(self.words)
    }
}

struct IconShape {
    words: &'static str,
    raster: Raster,
}

/// Rasters of all shapes, computed once.
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

/// Names and paths of all shapes.
fn named_paths() -> impl Iterator<Item = (&'static str, &'static str)> {
    data::rows(include_str!("../../../../data/icon_shapes.txt"))
        .filter_map(|row| row.split_once(": "))
}

/// Strips a mark from a path, and returns whether it was there.
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
    fn icon_shapes_are_distinguishable() {
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

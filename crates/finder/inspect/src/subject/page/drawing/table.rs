//! The shapes of common icons with their names.

use std::sync::LazyLock;

use super::shape::Shape;
use crate::data;

/// When a shape counts as recognized.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Minimum similarity of a match.
    similarity: f32,
    /// Minimum ratio of the distance to the next name and to the match.
    further: f32,
}

const SKETCHES: Limits = Limits {
    similarity: 0.87,
    further: 1.4,
};
const SETS: Limits = Limits {
    similarity: 0.8,
    further: 1.6,
};

/// Name of shapes that draw something without a name here. What is about as similar to one of them is unknown, too.
pub const OTHER: &str = "-";
/// Minimum ratio of the distance to these shapes and to the match.
const FURTHER_OTHER: f32 = 0.7;

/// Shapes with their names.
#[derive(Clone, Debug, Default)]
pub struct ShapeTable<'n>(Vec<(&'n str, Shape)>);

/// The known shapes: simple drawings as authors of pages write them, then icons of open sets, of which there are
/// several for each name.
#[derive(Clone, Debug, Default)]
pub struct KnownShapes<'n> {
    /// Simple drawings, which are asked first.
    pub sketches: ShapeTable<'n>,
    /// Icons of open sets.
    pub sets: ShapeTable<'n>,
}

/// The shapes in `data`.
pub(super) static OWN: LazyLock<KnownShapes<'static>> = LazyLock::new(|| KnownShapes {
    sketches: ShapeTable::read(include_str!("../../../../data/icon_sketches.txt")),
    sets: ShapeTable::read(include_str!("../../../../data/icon_shapes.txt")),
});

impl<'n> KnownShapes<'n> {
    /// The name of a drawing, of which one of `shapes` is right; `None` if it is unknown.
    pub fn name(&self, shapes: &[Shape]) -> Option<&'n str> {
        let sketched = self.sketches.nearest_of(shapes, SKETCHES);
        let found = sketched.or_else(|| self.sets.nearest_of(shapes, SETS))?;
        let other = self.sets.similarity_of(OTHER, shapes);
        (1.0 - other > FURTHER_OTHER * (1.0 - found.similarity)).then_some(found.name)
    }
}

impl ShapeTable<'static> {
    fn read(text: &'static str) -> Self {
        let rows = data::rows(text).filter_map(|row| row.split_once(": "));
        let shapes = rows.flat_map(|(name, shapes)| {
            let shapes = shapes.split(' ').filter_map(Shape::read);
            shapes.map(move |shape| (name, shape))
        });
        Self(shapes.collect())
    }
}

impl<'n> ShapeTable<'n> {
    /// Adds a shape, unless the name has one that is as similar as `same`.
    pub fn add(&mut self, name: &'n str, shape: &Shape, same: f32) {
        let known = |(other, own): &(&str, Shape)| *other == name && own.similarity(shape) > same;
        if !self.0.iter().any(known) {
            self.0.push((name, shape.clone()));
        }
    }

    /// All shapes, in the order in which they were added.
    pub fn shapes(&self) -> &[(&'n str, Shape)] {
        &self.0
    }

    /// The nearest shape, if it is similar enough and the others are not.
    fn nearest_of(&self, shapes: &[Shape], limits: Limits) -> Option<Nearest<'n>> {
        let matches = shapes.iter().map(|shape| self.nearest(shape));
        let best = matches.max_by(|a, b| a.similarity.total_cmp(&b.similarity))?;
        let clear = 1.0 - best.next >= limits.further * (1.0 - best.similarity);
        (best.similarity >= limits.similarity && clear).then_some(best)
    }

    /// The similarity to the nearest shape of this name.
    fn similarity_of(&self, name: &str, shapes: &[Shape]) -> f32 {
        let own = self.0.iter().filter(|(own, _)| *own == name);
        let own = own.flat_map(|(_, own)| shapes.iter().map(|shape| shape.similarity(own)));
        own.fold(0.0, f32::max)
    }

    fn nearest(&self, shape: &Shape) -> Nearest<'n> {
        let mut found = Nearest::default();
        for (name, own) in self.0.iter().filter(|(name, _)| *name != OTHER) {
            let similarity = shape.similarity(own);
            if *name == found.name {
                found.similarity = found.similarity.max(similarity);
            } else if similarity > found.similarity {
                found = Nearest {
                    name,
                    similarity,
                    next: found.similarity,
                };
            } else {
                found.next = found.next.max(similarity);
            }
        }
        found
    }
}

/// The most similar shape.
#[derive(Clone, Copy, Debug, Default)]
struct Nearest<'n> {
    name: &'n str,
    similarity: f32,
    /// The similarity of the nearest shape with another name.
    next: f32,
}

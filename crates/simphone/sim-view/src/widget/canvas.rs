//! What a canvas shows, and which part of its world.

use std::sync::Arc;

use draw::Paint;
use sim_format::expr::{Lookup, Names, Record, Scope};
use sim_format::widget::Canvas;

use super::Brush;
use super::drawn::{EvaluatedShape, draw};

/// What a canvas shows now.
#[derive(Clone, Debug)]
pub struct Scenery {
    pub view: Option<View>,
    drawn: Vec<EvaluatedShape>,
}

/// The part of its world that a canvas looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    middle: (f32, f32),
    /// Density-independent pixels for a unit of the world.
    pub zoom: f32,
    world: (f32, f32),
}

/// Which place of the world is seen where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// The place of the world in the upper left corner.
    origin: (f32, f32),
    /// Pixels for a unit.
    scale: f32,
    /// The place of the world in the middle.
    pub middle: (f32, f32),
}

/// What it shows now.
pub fn scenery(
    canvas: &Canvas,
    names: &Names<'_>,
    scope: &Arc<Scope>,
    records: &dyn Fn(&str) -> Arc<Vec<Record>>,
) -> Scenery {
    let mut drawn = Vec::new();
    for shape in &canvas.shapes {
        draw(shape, records, names, scope, &mut drawn);
    }
    let number = |name: &str| names.get(name).map_or(0.0, |value| value.number() as f32);
    let view = canvas.pan.as_ref().map(|pan| View {
        middle: (number(&pan.x), number(&pan.y)),
        zoom: pan.zoom.as_ref().map_or(1.0, |zoom| {
            (zoom.value(names).number() as f32).clamp(0.05, 100.0)
        }),
        world: (pan.width, pan.height),
    });
    Scenery { view, drawn }
}

impl Scenery {
    pub fn paint(&self, to: &mut Brush<'_>) {
        to.push(Paint::PushClip {
            rect: to.rect,
            radius: to.radius.unwrap_or(0.0),
        });
        for drawn in &self.drawn {
            drawn.paint(self.view.as_ref(), to);
        }
        to.push(Paint::PopClip);
    }

    /// Converts pixels from the corner to the coordinates of the canvas.
    pub fn place(
        &self,
        (x, y): (f32, f32),
        (width, height): (f32, f32),
        density: f32,
    ) -> (f32, f32) {
        match &self.view {
            Some(view) => view.lens(width, height, density).unplace((x, y)),
            None => (x / width.max(1.0) * 100.0, y / height.max(1.0) * 100.0),
        }
    }
}

impl View {
    /// What is seen where on a canvas of this size; it does not look beyond the edges of the world as long as there is
    /// enough of it.
    pub fn lens(&self, width: f32, height: f32, density: f32) -> Lens {
        let scale = self.zoom * density;
        let along = |middle: f32, world: f32, length: f32| {
            let half = length / scale / 2.0;
            if half * 2.0 >= world {
                world / 2.0
            } else {
                middle.clamp(half, world - half)
            }
        };
        let middle = (
            along(self.middle.0, self.world.0, width),
            along(self.middle.1, self.world.1, height),
        );
        Lens {
            origin: (
                middle.0 - width / scale / 2.0,
                middle.1 - height / scale / 2.0,
            ),
            scale,
            middle,
        }
    }

    /// The same view with another place in its middle.
    pub const fn around(self, middle: (f32, f32)) -> Self {
        Self { middle, ..self }
    }
}

impl Lens {
    /// Where a place of the world is seen, in pixels from the corner of the canvas.
    pub fn place(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (
            (x - self.origin.0) * self.scale,
            (y - self.origin.1) * self.scale,
        )
    }

    /// Which place of the world is seen so many pixels from the corner of the canvas.
    pub(crate) fn unplace(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (
            self.origin.0 + x / self.scale,
            self.origin.1 + y / self.scale,
        )
    }

    /// The place that comes into the middle when the world moves by so many pixels.
    pub fn moved(&self, (dx, dy): (f32, f32)) -> (f32, f32) {
        (
            self.middle.0 - dx / self.scale,
            self.middle.1 - dy / self.scale,
        )
    }
}

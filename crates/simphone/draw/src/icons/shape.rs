//! The pen of the icons: strokes with round ends, filled shapes, and the same to cut away.

use crate::geometry::{distance_squared, to_coverage};
use crate::outline::{Outline, Spot};
use crate::surface::Mask;

/// A shape in the icon's box.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A chain of straight pieces.
    Path(Vec<Spot>),
    /// The same, joined to a closed shape.
    Loop(Vec<Spot>),
    /// A start and then three points for each curve: two that pull and the end.
    Curve(Vec<Spot>),
    /// A circle: middle and radius.
    Circle(f32, f32, f32),
    /// A box with round corners: left, top, right, bottom, radius.
    Box(f32, f32, f32, f32, f32),
    /// Part of a circle: middle, radius, first and last angle in degrees from twelve o'clock.
    Arc(f32, f32, f32, f32, f32),
}

/// One step of drawing an icon.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A stroke of the usual width.
    Line(Shape),
    /// A stroke of another width.
    Wide(Shape, f32),
    /// A filled shape.
    Solid(Shape),
    /// A filled shape whose corners are rounded by a stroke of the given width around it.
    Soft(Shape, f32),
    /// A shape cut out of what is there.
    Hole(Shape),
    /// A stroke cut out of what is there.
    Groove(Shape, f32),
}

/// Width of a usual stroke.
const LINE: f32 = 2.0;

/// An icon being drawn.
pub(super) struct Canvas {
    side: usize,
    scale: f32,
    coverage: Vec<u8>,
}

/// Whether a step adds or takes away.
#[derive(Clone, Copy)]
enum Mode {
    Add,
    Cut,
}

impl Canvas {
    /// An empty square; `scale` is the number of pixels per unit.
    pub(super) fn new(side: usize, scale: f32) -> Self {
        Self {
            side,
            scale,
            coverage: vec![0; side * side],
        }
    }

    /// Pixels per unit.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// What has been drawn.
    pub(super) fn into_mask(self) -> Mask {
        Mask {
            width: self.side,
            height: self.side,
            coverage: self.coverage,
        }
    }

    /// Draws one step.
    pub(super) fn draw(&mut self, step: &Step) {
        match step {
            Step::Line(shape) => self.stroke(shape, LINE, Mode::Add),
            Step::Wide(shape, width) => self.stroke(shape, *width, Mode::Add),
            Step::Solid(shape) => self.fill(&shape.outline(self.scale), Mode::Add),
            Step::Soft(shape, width) => {
                self.fill(&shape.outline(self.scale), Mode::Add);
                self.stroke(shape, *width, Mode::Add);
            }
            Step::Hole(shape) => self.fill(&shape.outline(self.scale), Mode::Cut),
            Step::Groove(shape, width) => self.stroke(shape, *width, Mode::Cut),
        }
    }

    /// Cuts an outline in pixels out of what is there, its origin at `origin` in units.
    pub(super) fn cut_outline(&mut self, outline: &Outline, origin: Spot) {
        let shift = (origin.0 * self.scale, origin.1 * self.scale);
        self.fill(&outline.clone().moved(shift), Mode::Cut);
    }

    fn fill(&mut self, outline: &Outline, mode: Mode) {
        let filled = outline.filled(self.side, self.side);
        for (there, new) in self.coverage.iter_mut().zip(filled.coverage) {
            mode.apply(there, new);
        }
    }

    fn stroke(&mut self, shape: &Shape, width: f32, mode: Mode) {
        let outline = shape.outline(self.scale);
        let Some((left, top, right, bottom)) = outline.extent() else {
            return;
        };
        let half = width * self.scale / 2.0;
        let reach = half + 1.0;
        let pixels = |low: f32, high: f32| {
            let first = (low - reach).max(0.0) as usize;
            first..((high + reach).max(0.0) as usize).min(self.side)
        };
        let (columns, rows) = (pixels(left, right), pixels(top, bottom));
        let pieces: Vec<_> = outline.pieces().collect();
        for row in rows {
            let y = row as f32 + 0.5;
            let near: Vec<_> = (pieces.iter())
                .filter(|(a, b)| a.1.min(b.1) - reach <= y && y <= a.1.max(b.1) + reach)
                .collect();
            let line = self
                .coverage
                .iter_mut()
                .skip(row * self.side)
                .take(self.side);
            for (column, there) in line.enumerate().take(columns.end).skip(columns.start) {
                let x = column as f32 + 0.5;
                let nearest = (near.iter())
                    .map(|(a, b)| distance_squared((x, y), *a, *b))
                    .fold(f32::INFINITY, f32::min);
                mode.apply(there, to_coverage(half + 0.5 - nearest.sqrt()));
            }
        }
    }
}

impl Mode {
    fn apply(self, there: &mut u8, new: u8) {
        *there = match self {
            Mode::Add => (*there).max(new),
            Mode::Cut => (*there).min(255 - new),
        };
    }
}

impl Step {
    /// Reads a step, such as `wide 1.5 path 4,4 20,20`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(' ')?;
        match kind {
            "line" => return Shape::read(rest).map(Step::Line),
            "solid" => return Shape::read(rest).map(Step::Solid),
            "hole" => return Shape::read(rest).map(Step::Hole),
            _ => {}
        }
        let (width, rest) = rest.split_once(' ')?;
        let (shape, width) = (Shape::read(rest)?, width.parse().ok()?);
        Some(match kind {
            "wide" => Step::Wide(shape, width),
            "soft" => Step::Soft(shape, width),
            "groove" => Step::Groove(shape, width),
            _ => return None,
        })
    }
}

impl Shape {
    /// Reads a shape, such as `circle 12 12 4`.
    fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(' ')?;
        let spots = || -> Option<Vec<Spot>> {
            let spot = |spot: &str| {
                let (x, y) = spot.split_once(',')?;
                Some((x.parse().ok()?, y.parse().ok()?))
            };
            rest.split(' ').map(spot).collect()
        };
        match kind {
            "path" => return spots().map(Shape::Path),
            "loop" => return spots().map(Shape::Loop),
            "curve" => return spots().map(Shape::Curve),
            _ => {}
        }
        let numbers: Option<Vec<f32>> = rest.split(' ').map(|word| word.parse().ok()).collect();
        Some(match (kind, numbers?.as_slice()) {
            ("circle", &[x, y, radius]) => Shape::Circle(x, y, radius),
            ("box", &[left, top, right, bottom, radius]) => {
                Shape::Box(left, top, right, bottom, radius)
            }
            ("arc", &[x, y, radius, from, to]) => Shape::Arc(x, y, radius, from, to),
            _ => return None,
        })
    }

    /// The shape in pixels.
    fn outline(&self, scale: f32) -> Outline {
        let at = |(x, y): Spot| (x * scale, y * scale);
        let mut outline = Outline::default();
        match self {
            Shape::Path(spots) => chain(&mut outline, spots, at),
            Shape::Loop(spots) => {
                chain(&mut outline, spots, at);
                outline.close();
            }
            Shape::Curve(spots) => {
                if let [start, rest @ ..] = spots.as_slice() {
                    outline.move_to(at(*start));
                    for curve in rest.as_chunks::<3>().0 {
                        let [first, second, end] = *curve;
                        outline.cubic_to(at(first), at(second), at(end));
                    }
                }
            }
            &Shape::Circle(x, y, radius) => {
                outline.arc_to(at((x, y)), radius * scale, 0.0, 360.0);
            }
            &Shape::Box(left, top, right, bottom, radius) => {
                let (l, t) = at((left + radius, top + radius));
                let (r, b) = at((right - radius, bottom - radius));
                let radius = radius * scale;
                for (corner, start) in [
                    ((r, t), 0.0),
                    ((r, b), 90.0),
                    ((l, b), 180.0),
                    ((l, t), 270.0),
                ] {
                    outline.arc_to(corner, radius, start, start + 90.0);
                }
                outline.close();
            }
            &Shape::Arc(x, y, radius, start, end) => {
                outline.arc_to(at((x, y)), radius * scale, start, end);
            }
        }
        outline
    }
}

fn chain(outline: &mut Outline, spots: &[Spot], at: impl Fn(Spot) -> Spot) {
    if let [start, rest @ ..] = spots {
        outline.move_to(at(*start));
        for spot in rest {
            outline.line_to(at(*spot));
        }
    }
}

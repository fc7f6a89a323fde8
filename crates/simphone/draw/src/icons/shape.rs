//! Draws icon steps: round strokes and filled shapes, painted or cut out.

use tiny_skia::{BlendMode, FillRule, Paint, Path, PathBuilder, Pixmap, Shader, Transform};

use crate::Color;
use crate::path::{chain_path, push_arc, round_rect, round_stroke};

/// A drawing step of an icon, in units of the icon box.
#[derive(Clone, Debug)]
pub(super) struct Step {
    shape: Path,
    fills: bool,
    /// Stroke width; 0 for none.
    stroke: f32,
    cuts: bool,
}

const LINE: f32 = 2.0;

pub(super) struct IconCanvas {
    pixmap: Pixmap,
    color: Color,
    transform: Transform,
}

impl IconCanvas {
    /// Creates an empty square; `scale` is the number of pixels per unit.
    pub(super) fn new(side: u32, scale: f32, color: Color) -> Option<Self> {
        Some(Self {
            pixmap: Pixmap::new(side, side)?,
            color: color.with_alpha(255),
            transform: Transform::from_scale(scale, scale),
        })
    }

    pub(super) fn into_pixmap(self) -> Pixmap {
        self.pixmap
    }

    fn paint(&self, cuts: bool) -> Paint<'static> {
        let blend_mode = if cuts {
            BlendMode::DestinationOut
        } else {
            BlendMode::SourceOver
        };
        Paint {
            shader: Shader::SolidColor(self.color.into()),
            blend_mode,
            ..Paint::default()
        }
    }

    pub(super) fn draw(&mut self, step: &Step) {
        let paint = self.paint(step.cuts);
        if step.fills {
            self.pixmap
                .fill_path(&step.shape, &paint, FillRule::Winding, self.transform, None);
        }
        if step.stroke > 0.0 {
            let stroke = round_stroke(step.stroke);
            self.pixmap
                .stroke_path(&step.shape, &paint, &stroke, self.transform, None);
        }
    }

    /// Cuts a path out of the earlier steps, translated by (`x`, `y`).
    pub(super) fn cut(&mut self, path: &Path, (x, y): (f32, f32)) {
        let transform = self.transform.pre_translate(x, y);
        let paint = self.paint(true);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, transform, None);
    }
}

impl Step {
    /// Creates a step that fills a shape.
    pub(super) const fn solid(shape: Path) -> Self {
        Self {
            shape,
            fills: true,
            stroke: 0.0,
            cuts: false,
        }
    }

    /// Reads a step, such as `wide 1.5 path 4,4 20,20`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(' ')?;
        let has_width = matches!(kind, "wide" | "soft" | "groove");
        let (width, shape) = if has_width {
            let (width, shape) = rest.split_once(' ')?;
            (width.parse().ok()?, shape)
        } else {
            (LINE, rest)
        };
        let (fills, stroke, cuts) = match kind {
            "line" | "wide" => (false, width, false),
            "solid" => (true, 0.0, false),
            "soft" => (true, width, false),
            "hole" => (true, 0.0, true),
            "groove" => (false, width, true),
            _ => return None,
        };
        Some(Self {
            shape: read_shape(shape)?,
            fills,
            stroke,
            cuts,
        })
    }
}

/// Reads a shape, such as `circle 12 12 4`.
fn read_shape(text: &str) -> Option<Path> {
    let (kind, rest) = text.split_once(' ')?;
    let points = || -> Option<Vec<(f32, f32)>> {
        let point = |point: &str| {
            let (x, y) = point.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        rest.split(' ').map(point).collect()
    };
    match kind {
        "path" | "loop" => return chain_path(&[points()?], kind == "loop"),
        "curve" => return curve(&points()?),
        _ => {}
    }
    let numbers: Option<Vec<f32>> = rest.split(' ').map(|word| word.parse().ok()).collect();
    match (kind, numbers?.as_slice()) {
        ("circle", &[x, y, radius]) => PathBuilder::from_circle(x, y, radius),
        ("box", &[left, top, right, bottom, radius]) => round_rect(
            tiny_skia::Rect::from_ltrb(left, top, right, bottom)?,
            radius,
        ),
        ("arc", &[x, y, radius, from, to]) => {
            let mut path = PathBuilder::new();
            push_arc(&mut path, (x, y), radius, from, to);
            path.finish()
        }
        _ => None,
    }
}

/// Returns a Bézier path: a start, then two control points and an end for each curve.
fn curve(points: &[(f32, f32)]) -> Option<Path> {
    let (start, rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(start.0, start.1);
    for [first, second, end] in rest.as_chunks::<3>().0 {
        path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    path.finish()
}

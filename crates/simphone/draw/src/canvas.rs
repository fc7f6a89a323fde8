//! A canvas over `tiny-skia`: a pixmap, a stack of clips, and the shapes painted on it.

use std::cell::OnceCell;

use tiny_skia as skia;
use tiny_skia::{
    FillRule, GradientStop, LinearGradient, Mask, Path, PathBuilder, Pixmap, PixmapPaint, Shader,
    SpreadMode, Transform,
};
use uitree::{Rect, Size};

use super::color::Color;
use super::image::Image;
use super::path::{MAX_WIDTH, inset, round_rect, round_stroke, within};

/// The maximum side length of an image; limits memory use for invalid sizes.
const MAX_SIDE: i32 = 4096;
/// Coordinates are clamped to this absolute value, which is beyond any screen.
const MAX_COORDINATE: i32 = 1 << 20;
/// The number of fills that approximate the blur of a shadow.
const SHADOW_STEPS: u8 = 10;

/// The visible region: a pixel rectangle, intersected with rounded rectangles.
#[derive(Clone, Debug)]
struct Clip {
    bounds: Rect,
    rounds: Vec<Path>,
    /// Coverage of the clip, computed when a shape first crosses its edge.
    mask: OnceCell<Option<Mask>>,
}

/// An opaque image that is being painted.
pub(super) struct Canvas {
    pixmap: Pixmap,
    clips: Vec<Clip>,
}

/// Clamps the edges of a rectangle to the coordinate limit.
pub(super) fn clamped(rect: Rect) -> Rect {
    let near = |edge: i32| edge.clamp(-MAX_COORDINATE, MAX_COORDINATE);
    Rect::new(
        near(rect.left),
        near(rect.top),
        near(rect.right),
        near(rect.bottom),
    )
}

/// A rectangle of `tiny-skia`; `None` if it is empty.
fn skia_rect(rect: Rect) -> Option<skia::Rect> {
    let rect = clamped(rect);
    let edges = [rect.left, rect.top, rect.right, rect.bottom].map(|edge| edge as f32);
    let [left, top, right, bottom] = edges;
    skia::Rect::from_ltrb(left, top, right, bottom)
        .filter(|rect| rect.width() > 0.0 && rect.height() > 0.0)
}

fn solid(color: Color) -> skia::Paint<'static> {
    let mut paint = skia::Paint::default();
    paint.set_color(color.into());
    paint
}

impl Canvas {
    /// Creates an image of one colour, at least one pixel wide and high.
    pub(super) fn new(size: Size, background: Color) -> Option<Self> {
        let (width, height) = (
            size.width.clamp(1, MAX_SIDE),
            size.height.clamp(1, MAX_SIDE),
        );
        let mut pixmap = Pixmap::new(width as u32, height as u32)?;
        pixmap.fill(background.with_alpha(255).into());
        let everything = Clip {
            bounds: Rect::new(0, 0, width, height),
            rounds: Vec::new(),
            mask: OnceCell::new(),
        };
        Some(Self {
            pixmap,
            clips: vec![everything],
        })
    }

    pub(super) fn into_image(self) -> Image {
        Image {
            width: self.pixmap.width(),
            height: self.pixmap.height(),
            rgba: self.pixmap.take(),
        }
    }

    pub(super) fn bounds(&self) -> Rect {
        self.clips
            .last()
            .map(|clip| clip.bounds)
            .unwrap_or_default()
    }

    /// Intersects the current clip with a rounded rectangle.
    pub(super) fn push_clip(&mut self, rect: Rect, radius: f32) {
        let mut rounds = self
            .clips
            .last()
            .map_or(Vec::new(), |clip| clip.rounds.clone());
        let bounds = self.bounds().intersect(&clamped(rect)).unwrap_or_default();
        if within(radius, 0.0, MAX_WIDTH) > 0.0 && !bounds.is_empty() {
            rounds.extend(skia_rect(rect).and_then(|rect| round_rect(rect, radius)));
        }
        self.clips.push(Clip {
            bounds,
            rounds,
            mask: OnceCell::new(),
        });
    }

    /// Restores the clip before the last `push_clip`, if any.
    pub(super) fn pop_clip(&mut self) {
        if self.clips.len() > 1 {
            self.clips.pop();
        }
    }

    pub(super) fn fill(&mut self, rect: Rect, radius: f32, color: Color) {
        self.fill_rect(rect, radius, &solid(color));
    }

    /// Fills a rounded rectangle with a gradient from its top to its bottom.
    pub(super) fn gradient(&mut self, rect: Rect, radius: f32, (from, to): (Color, Color)) {
        let rect = clamped(rect);
        let left = rect.left as f32;
        let shader = LinearGradient::new(
            skia::Point::from_xy(left, rect.top as f32),
            skia::Point::from_xy(left, rect.bottom as f32),
            vec![
                GradientStop::new(0.0, from.into()),
                GradientStop::new(1.0, to.into()),
            ],
            SpreadMode::Pad,
            Transform::identity(),
        );
        let paint = skia::Paint {
            shader: shader.unwrap_or(Shader::SolidColor(from.into())),
            ..skia::Paint::default()
        };
        self.fill_rect(rect, radius, &paint);
    }

    fn fill_rect(&mut self, rect: Rect, radius: f32, paint: &skia::Paint<'_>) {
        let clip = self.clips.last();
        let is_plain = clip.is_some_and(|clip| clip.rounds.is_empty());
        if is_plain && within(radius, 0.0, MAX_WIDTH) == 0.0 {
            let seen = clamped(rect).intersect(&self.bounds());
            if let Some(rect) = seen.and_then(skia_rect) {
                self.pixmap
                    .fill_rect(rect, paint, Transform::identity(), None);
            }
            return;
        }
        if let Some(path) = skia_rect(rect).and_then(|rect| round_rect(rect, radius)) {
            self.fill_path(&path, FillRule::Winding, paint, Transform::identity());
        }
    }

    /// Draws the outline of a rounded rectangle, wholly inside it.
    pub(super) fn stroke(&mut self, rect: Rect, radius: f32, width: f32, color: Color) {
        let width = within(width, 0.0, MAX_WIDTH);
        let Some(outer) = skia_rect(rect).filter(|_| width > 0.0) else {
            return;
        };
        let radius = within(radius, 0.0, outer.width().min(outer.height()) / 2.0);
        let mut path = PathBuilder::new();
        let inner = inset(outer, width).and_then(|inner| round_rect(inner, radius - width));
        for part in round_rect(outer, radius).iter().chain(&inner) {
            path.push_path(part);
        }
        if let Some(path) = path.finish() {
            self.fill_path(
                &path,
                FillRule::EvenOdd,
                &solid(color),
                Transform::identity(),
            );
        }
    }

    /// Paints the shadow of a raised rounded rectangle; the area below the rectangle may stay unpainted.
    pub(super) fn shadow(&mut self, rect: Rect, radius: f32, elevation: f32) {
        let elevation = within(elevation, 0.0, MAX_WIDTH);
        let Some(shape) = skia_rect(rect).filter(|_| elevation >= 0.25) else {
            return;
        };
        let radius = within(radius, 0.0, shape.width().min(shape.height()) / 2.0);
        // This part is covered by the rectangle itself.
        let hidden = inset(shape, radius + elevation * 0.5).map(PathBuilder::from_rect);
        // The ambient shadow is faint and even, the key shadow darker and offset downwards.
        for (lowered, blur, darkness) in [
            (0.0, elevation * 1.2 + 1.0, 0.10),
            (elevation * 0.5, elevation * 1.7 + 1.0, 0.20),
        ] {
            let color = skia::Color::from_rgba(0.0, 0.0, 0.0, darkness / f32::from(SHADOW_STEPS));
            let paint = skia::Paint {
                shader: Shader::SolidColor(color.unwrap_or(skia::Color::BLACK)),
                ..skia::Paint::default()
            };
            for step in 1..=SHADOW_STEPS {
                let reach = blur * f32::from(step) / f32::from(SHADOW_STEPS);
                let rim = skia::Rect::from_ltrb(
                    shape.left() - reach,
                    shape.top() - reach + lowered,
                    shape.right() + reach,
                    shape.bottom() + reach + lowered,
                );
                let rim = rim.and_then(|rim| round_rect(rim, radius + reach));
                let mut path = PathBuilder::new();
                for part in rim.iter().chain(&hidden) {
                    path.push_path(part);
                }
                if let Some(path) = path.finish() {
                    self.fill_path(&path, FillRule::EvenOdd, &paint, Transform::identity());
                }
            }
        }
    }

    /// Draws a path as a line of `width` pixels with round ends and joints.
    pub(super) fn line(&mut self, path: &Path, width: f32, color: Color) {
        let stroke = round_stroke(width);
        if stroke.width == 0.0 {
            return;
        }
        let reach = stroke.width / 2.0;
        let Some(bounds) = inset(path.bounds(), -reach) else {
            return;
        };
        let (clip, pixmap) = self.clip_for(bounds);
        if let Some(mask) = clip {
            pixmap.stroke_path(path, &solid(color), &stroke, Transform::identity(), mask);
        }
    }

    pub(super) fn path(&mut self, path: &Path, color: Color, transform: Transform) {
        self.fill_path(path, FillRule::Winding, &solid(color), transform);
    }

    fn fill_path(
        &mut self,
        path: &Path,
        rule: FillRule,
        paint: &skia::Paint<'_>,
        transform: Transform,
    ) {
        let Some(bounds) = path.bounds().transform(transform) else {
            return;
        };
        let (clip, pixmap) = self.clip_for(bounds);
        if let Some(mask) = clip {
            pixmap.fill_path(path, paint, rule, transform, mask);
        }
    }

    /// Paints an image scaled to `rect`, without smoothing; `opacity` is from 0 to 1.
    pub(super) fn pixmap(&mut self, picture: &Pixmap, rect: Rect, opacity: f32) {
        let rect = clamped(rect);
        let Some(bounds) = skia_rect(rect) else {
            return;
        };
        let transform = Transform::from_row(
            bounds.width() / picture.width() as f32,
            0.0,
            0.0,
            bounds.height() / picture.height() as f32,
            bounds.left(),
            bounds.top(),
        );
        let (clip, pixmap) = self.clip_for(bounds);
        if let Some(mask) = clip {
            let paint = PixmapPaint {
                opacity,
                ..PixmapPaint::default()
            };
            pixmap.draw_pixmap(0, 0, picture.as_ref(), &paint, transform, mask);
        }
    }

    /// Returns the mask for painting within `bounds`: `Some(None)` if no mask is needed, `None` if nothing is visible.
    fn clip_for(&mut self, bounds: skia::Rect) -> (Option<Option<&Mask>>, &mut Pixmap) {
        let size = (self.pixmap.width(), self.pixmap.height());
        let Some(clip) = self.clips.last() else {
            return (None, &mut self.pixmap);
        };
        let seen = skia_rect(clip.bounds).and_then(|clip| clip.intersect(&bounds));
        let mask = match seen {
            None => None,
            Some(seen) if clip.rounds.is_empty() && (seen == bounds || clip.is_whole(size)) => {
                Some(None)
            }
            Some(_) => Some(clip.mask.get_or_init(|| clip.coverage(size)).as_ref()),
        };
        (mask, &mut self.pixmap)
    }
}

impl Clip {
    /// Whether the clip covers the whole image.
    fn is_whole(&self, (width, height): (u32, u32)) -> bool {
        self.bounds == Rect::new(0, 0, width as i32, height as i32)
    }

    fn coverage(&self, (width, height): (u32, u32)) -> Option<Mask> {
        let mut mask = Mask::new(width, height)?;
        let path = PathBuilder::from_rect(skia_rect(self.bounds)?);
        mask.fill_path(&path, FillRule::Winding, false, Transform::identity());
        for round in &self.rounds {
            mask.intersect_path(round, FillRule::Winding, true, Transform::identity());
        }
        Some(mask)
    }
}

impl From<Color> for skia::Color {
    fn from(color: Color) -> Self {
        Self::from_rgba8(color.r, color.g, color.b, color.a)
    }
}

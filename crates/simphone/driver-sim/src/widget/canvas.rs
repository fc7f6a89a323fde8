//! `canvas` and `web`: one view to the platform, with things in it that it answers for itself.

use std::sync::Arc;

use uitree::State;

use crate::app::{
    Dim, Effects, Expr, Fields, Located, Lookup, Names, Reader, Record, Scope, Stand, Topic,
    take_effects,
};
use draw::{Flow, Paint};

use super::drawn::{Drawn, Each, Shape};
use super::element::Brush;
use super::read::{Body, read_all};
use super::{Anchor, Axis, Group, IconLook, Kind, Scroller, Spec, make};

/// What the widgets that are read just now stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Surface {
    #[default]
    Views,
    /// A web page, whose elements accessibility shows as a browser does.
    Web,
    /// A view that draws everything itself.
    Canvas,
}

/// What makes a group a canvas.
#[derive(Debug)]
pub(crate) struct Canvas {
    shapes: Vec<Shape>,
    pan: Option<Pan>,
    /// Things on it that are made from records.
    pub(crate) each: Option<(Each, Vec<Arc<Spec>>)>,
    /// What a tap beside the things on it does; the place is known as `x` and `y`.
    pub(crate) on_tap: Effects,
    pub(crate) on_double_tap: Effects,
}

/// A canvas that shows a part of a larger world.
#[derive(Debug)]
struct Pan {
    /// The variables that keep which place is in the middle.
    x: Arc<str>,
    y: Arc<str>,
    zoom: Option<Expr>,
    width: f32,
    height: f32,
}

/// What a canvas shows now.
#[derive(Clone, Debug)]
pub(crate) struct Scenery {
    pub(crate) view: Option<View>,
    drawn: Vec<Drawn>,
}

/// The part of its world that a canvas looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    middle: (f32, f32),
    /// Density-independent pixels for a unit of the world.
    pub(crate) zoom: f32,
    world: (f32, f32),
}

/// Which place of the world is seen where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lens {
    /// The place of the world in the upper left corner.
    origin: (f32, f32),
    /// Pixels for a unit.
    scale: f32,
    /// The place of the world in the middle.
    pub(crate) middle: (f32, f32),
}

impl Canvas {
    /// What it shows now.
    pub(crate) fn scenery(
        &self,
        names: &Names<'_>,
        scope: &Arc<Scope>,
        records: &dyn Fn(&str) -> Arc<Vec<Record>>,
    ) -> Scenery {
        let mut drawn = Vec::new();
        for shape in &self.shapes {
            shape.draw(records, names, scope, &mut drawn);
        }
        let number = |name: &str| names.get(name).map_or(0.0, |value| value.number() as f32);
        let view = self.pan.as_ref().map(|pan| View {
            middle: (number(&pan.x), number(&pan.y)),
            zoom: pan.zoom.as_ref().map_or(1.0, |zoom| {
                (zoom.value(names).number() as f32).clamp(0.05, 100.0)
            }),
            world: (pan.width, pan.height),
        });
        Scenery { view, drawn }
    }

    /// The variables that keep which place is in the middle, if it can be moved.
    pub(crate) fn pans(&self) -> Option<(&Arc<str>, &Arc<str>)> {
        self.pan.as_ref().map(|pan| (&pan.x, &pan.y))
    }

    /// Whether a touch on the bare canvas does something.
    pub(crate) fn takes_taps(&self) -> bool {
        !self.on_tap.is_empty() || !self.on_double_tap.is_empty()
    }
}

impl Scenery {
    pub(super) fn paint(&self, to: &mut Brush<'_>) {
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
    pub(crate) fn place(
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
    pub(crate) fn lens(&self, width: f32, height: f32, density: f32) -> Lens {
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
    pub(crate) const fn around(self, middle: (f32, f32)) -> Self {
        Self { middle, ..self }
    }
}

impl Lens {
    /// Where a place of the world is seen, in pixels from the corner of the canvas.
    pub(crate) fn place(&self, (x, y): (f32, f32)) -> (f32, f32) {
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
    pub(crate) fn moved(&self, (dx, dy): (f32, f32)) -> (f32, f32) {
        (
            self.middle.0 - dx / self.scale,
            self.middle.1 - dy / self.scale,
        )
    }
}

impl Pan {
    fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::of(reader, at, Topic::Part("pan"))?;
        let [x, y] = ["x", "y"].map(|key| {
            let variable = fields.take(key);
            variable.and_then(|at| reader.bound(&at))
        });
        let zoom = fields.expr(reader, "zoom");
        let [width, height] = ["width", "height"].map(|key| {
            let length = fields.take(key)?;
            let number = reader.number(&length);
            if number.is_some_and(|number| number <= 0.0) {
                reader.problem(&length, "it must be larger than 0");
            }
            number
        });
        fields.finish(reader);
        let (Some(x), Some(y), Some(width), Some(height)) = (x, y, width, height) else {
            reader.problem(
                at,
                "`x` and `y` (variables), `width` and `height` (of the world) are needed",
            );
            return None;
        };
        Some(Self {
            x,
            y,
            zoom,
            width,
            height,
        })
    }
}

/// Reads `at`, the place of a widget in what holds it.
pub(super) fn place(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Anchor> {
    let at = fields.take("at")?;
    let mut place = Fields::of(reader, &at, Topic::Part("place"))?;
    let sides = ["x", "y", "width", "height"].map(|key| place.expr(reader, key));
    place.finish(reader);
    if sides.iter().take(2).any(Option::is_none) {
        reader.problem(&at, "`x` and `y` are needed");
    }
    Some(Anchor::At(Box::new(sides)))
}

/// Reads the widgets inside of `surface`.
fn children(reader: &mut Reader, body: &mut Body<'_>, surface: Surface) -> Vec<Arc<Spec>> {
    let around = std::mem::replace(&mut reader.surface, surface);
    let children = body.children(reader);
    reader.surface = around;
    children
}

pub(super) fn canvas(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let pan = body.fields.take("pan");
    let pan = pan.and_then(|at| Pan::read(reader, &at));
    let shapes = body
        .fields
        .take("shapes")
        .map_or_else(Vec::new, |at| at.entries())
        .iter()
        .filter_map(|entry| Shape::read(reader, entry))
        .collect();
    let [on_tap, on_double_tap] = ["on_tap", "on_double_tap"].map(|key| {
        reader.scopes.push(vec![Arc::from("x"), Arc::from("y")]);
        let effects = take_effects(reader, &mut body.fields, key);
        reader.scopes.pop();
        effects
    });
    let around = std::mem::replace(&mut reader.surface, Surface::Canvas);
    let items = body.fields.places().find(|(key, _)| *key == "items");
    let (each, nodes) = Each::read(reader, &mut body.fields, |reader, fields| {
        reader.rows += 1;
        let nodes = fields.take("node").map(|at| read_all(reader, &at));
        reader.rows -= 1;
        nodes
    });
    let each = match (each, nodes) {
        (Some(each), Some(nodes)) => Some((each, nodes)),
        (None, None) => None,
        (each, _) => {
            let missing = if each.is_some() { "node" } else { "items" };
            let path = body.fields.path.clone();
            let place = items.map_or(reader.here, |(_, place)| place);
            reader.problem_at(
                place,
                &path,
                format_args!("`{missing}` is missing: `items` names the records, `node` says what each of them looks like"),
            );
            None
        }
    };
    reader.surface = around;
    let children = children(reader, body, Surface::Canvas);
    let mut spec = Spec::new(
        slot,
        Kind::Group(Group {
            class: "android.view.View",
            canvas: Some(Arc::new(Canvas {
                shapes,
                pan,
                each,
                on_tap,
                on_double_tap,
            })),
            ..Group::new(Axis::Depth)
        }),
    );
    spec.frame.align = Some(Stand::Start);
    spec.frame.justify = Some(Stand::Start);
    // What a view draws by itself is not turned in languages written from right to left.
    spec.frame.direction = Some(Flow::LeftToRight);
    spec.children = children;
    spec
}

pub(super) fn web(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    const CLASS: &str = "android.webkit.WebView";
    let title = body.fields.template(reader, "title");
    let children = children(reader, body, Surface::Web);
    let mut page = make::group(reader, Axis::Vertical, "android.view.View");
    page.children = children;
    page.frame.gap = Dim::Dp(12.0);
    let mut document = make::group(reader, Axis::Vertical, CLASS);
    document.says = title.unwrap_or_default();
    document.flags = State::FOCUSABLE;
    document.children.push(Arc::new(page));
    let mut view = Spec::new(
        slot,
        Kind::Scroller(Scroller::along(Axis::Vertical, Arc::new(document))),
    );
    view.class = Some(Arc::from(CLASS));
    view
}

/// Gives a widget the class that the things on a surface have.
pub(super) fn dress(surface: Surface, spec: &mut Spec) {
    let class = match surface {
        Surface::Views => return,
        Surface::Canvas => "android.view.View",
        Surface::Web => match &spec.kind {
            // A link is a view with the words of the link.
            Kind::Text(_) if !spec.on_click.is_empty() => "android.view.View",
            Kind::Icon(icon) if icon.look == IconLook::Button => "android.widget.Button",
            Kind::Icon(_) => "android.widget.Image",
            Kind::Group(_) | Kind::Scroller(_) => "android.view.View",
            Kind::Text(_)
            | Kind::Button(_)
            | Kind::Field(_)
            | Kind::Toggle(_)
            | Kind::Range(_)
            | Kind::Key(_)
            | Kind::Node(_) => return,
        },
    };
    if spec.class.is_none() {
        spec.class = Some(Arc::from(class));
    }
}

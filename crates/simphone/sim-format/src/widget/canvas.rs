//! `canvas` and `web`: one view to the platform, with things in it that it answers for itself.

use std::sync::Arc;

use uitree::State;

use crate::effects::{Effects, take as take_effects};
use crate::expr::Expr;
use crate::reader::{Fields, Located, Reader, Surface};
use crate::schema::Topic;
use crate::style::{Alignment, Dim};
use draw::Flow;

use super::drawn::{Each, Shape};
use super::read::{Body, read_all};
use super::{Anchor, Axis, Group, IconLook, Kind, Scroller, Spec, make};

/// What makes a group a canvas.
#[derive(Debug)]
pub struct Canvas {
    pub shapes: Vec<Shape>,
    pub pan: Option<Pan>,
    /// Things on it that are made from records.
    pub each: Option<(Each, Vec<Arc<Spec>>)>,
    /// What a tap beside the things on it does; the place is known as `x` and `y`.
    pub on_tap: Effects,
    pub on_double_tap: Effects,
}

/// A canvas that shows a part of a larger world.
#[derive(Debug)]
pub struct Pan {
    /// The variables that keep which place is in the middle.
    pub x: Arc<str>,
    pub y: Arc<str>,
    pub zoom: Option<Expr>,
    pub width: f32,
    pub height: f32,
}

impl Canvas {
    /// The variables that keep which place is in the middle, if it can be moved.
    pub fn pans(&self) -> Option<(&Arc<str>, &Arc<str>)> {
        self.pan.as_ref().map(|pan| (&pan.x, &pan.y))
    }

    /// Whether a touch on the bare canvas does something.
    pub fn takes_taps(&self) -> bool {
        !self.on_tap.is_empty() || !self.on_double_tap.is_empty()
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
pub(crate) fn place(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Anchor> {
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

pub(crate) fn canvas(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
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
    spec.frame.align = Some(Alignment::Start);
    spec.frame.justify = Some(Alignment::Start);
    // What a view draws by itself is not turned in languages written from right to left.
    spec.frame.direction = Some(Flow::LeftToRight);
    spec.children = children;
    spec
}

pub(crate) fn web(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
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
pub(crate) fn dress(surface: Surface, spec: &mut Spec) {
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

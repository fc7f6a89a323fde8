//! `canvas` and `web`: one view to the platform, with things in it that it answers for itself.

use std::sync::Arc;

use uitree::{Point, Rect, State};

use crate::app::{Dim, Fields, Ink, Located, Reader, Stand, Topic};
use crate::draw::Paint;

use super::element::Brush;
use super::read::Body;
use super::{Afloat, Axis, Group, IconLook, Kind, Scroller, Spec, make};

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

/// Something drawn.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    form: Form,
    /// In hundredths of the width and height.
    points: Vec<(f32, f32)>,
    color: Ink,
    /// The width of lines, the radius of circles and of the corners of rectangles.
    size: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Rect,
    Circle,
    Line,
}

const FORMS: [(&str, Form); 3] = [
    ("rect", Form::Rect),
    ("circle", Form::Circle),
    ("line", Form::Line),
];

impl Shape {
    fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::of(reader, at, Topic::Part("shape"))?;
        let form = fields.word(reader, "draw", &FORMS);
        let points = fields.take("points");
        let color = fields.take("color").and_then(|at| Ink::read(reader, &at));
        let size = fields.number(reader, "size");
        fields.finish(reader);
        let form = match form {
            Some(form) => form,
            None => {
                reader.problem(at, "`draw` is missing: rect, circle or line");
                return None;
            }
        };
        let points_at = points.as_ref().unwrap_or(at);
        let text = points.as_ref().and_then(|at| reader.text(at));
        let points = text.as_deref().and_then(numbers).unwrap_or_default();
        let fits = match form {
            Form::Rect => points.len() == 2,
            Form::Circle => points.len() == 1,
            Form::Line => points.len() >= 2,
        };
        if !fits {
            reader.problem(
                points_at,
                "`points` are written \"x,y x,y\": one for a circle, two corners for a rect, two or more for a line",
            );
        }
        Some(Self {
            form,
            points,
            color: color.unwrap_or(Ink::Primary),
            size: size.unwrap_or(match form {
                Form::Rect => 0.0,
                Form::Circle => 4.0,
                Form::Line => 2.0,
            }),
        })
    }

    pub(super) fn paint(&self, to: &mut Brush<'_>) {
        let (rect, theme) = (to.rect, to.theme);
        let color = self.color.color(&theme.palette);
        let place = |(x, y): &(f32, f32)| {
            Point::new(
                rect.left + (x / 100.0 * rect.width() as f32).round() as i32,
                rect.top + (y / 100.0 * rect.height() as f32).round() as i32,
            )
        };
        match (self.form, self.points.as_slice()) {
            (Form::Rect, [from, to_corner]) => {
                let (a, b) = (place(from), place(to_corner));
                let area = Rect::new(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y));
                to.fill(area, theme.px(self.size), color);
            }
            (Form::Circle, [center]) => to.push(Paint::Circle {
                center: place(center),
                radius: theme.px(self.size),
                color,
            }),
            (Form::Line, points) => {
                for pair in points.windows(2) {
                    if let [from, end] = pair {
                        to.push(Paint::Line {
                            from: place(from),
                            to: place(end),
                            width: theme.px(self.size),
                            color,
                        });
                    }
                }
            }
            (Form::Rect | Form::Circle, _) => {}
        }
    }
}

/// Points written `x,y x,y`.
fn numbers(text: &str) -> Option<Vec<(f32, f32)>> {
    let number = |text: &str| text.parse().ok().filter(|n: &f32| n.abs() <= 10_000.0);
    text.split_whitespace()
        .map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some((number(x)?, number(y)?))
        })
        .collect()
}

/// Reads `at`, the place of a widget in what holds it.
pub(super) fn place(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Afloat> {
    let at = fields.take("at")?;
    let mut place = Fields::of(reader, &at, Topic::Part("place"))?;
    let sides = ["x", "y", "width", "height"].map(|key| place.expr(reader, key));
    place.finish(reader);
    if sides.iter().take(2).any(Option::is_none) {
        reader.problem(&at, "`x` and `y` are needed");
    }
    Some(Afloat::At(Box::new(sides)))
}

/// Reads the widgets inside of `surface`.
fn children(reader: &mut Reader, body: &mut Body<'_>, surface: Surface) -> Vec<Arc<Spec>> {
    let around = std::mem::replace(&mut reader.surface, surface);
    let children = body.children(reader);
    reader.surface = around;
    children
}

pub(super) fn canvas(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let shapes = body
        .fields
        .take("shapes")
        .map_or_else(Vec::new, |at| at.entries())
        .iter()
        .filter_map(|entry| Shape::read(reader, entry))
        .collect();
    let children = children(reader, body, Surface::Canvas);
    let mut spec = Spec::new(
        slot,
        Kind::Group(Group {
            class: "android.view.View",
            shapes,
            ..Group::new(Axis::Depth)
        }),
    );
    spec.frame.align = Some(Stand::Start);
    spec.frame.justify = Some(Stand::Start);
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

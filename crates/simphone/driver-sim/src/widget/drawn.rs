//! What a canvas draws: shapes, fixed or made from the records of a data set.

use std::sync::Arc;

use uitree::{Point, Rect};

use crate::app::{
    Expr, Fields, Ink, Located, Lookup, Names, Reader, Record, Scope, Template, Topic,
};
use draw::{Align, Color, Ground, Paint, TextStyle, Vertical, Weight, measure};

use super::canvas::View;
use super::element::Brush;

/// Chains of points, in hundredths of the canvas or units of its world.
type Chains = Vec<Vec<(f32, f32)>>;

/// Something that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    form: Form,
    points: Points,
    text: Template,
    color: Tint,
    stroke: Option<Tint>,
    stroke_width: f32,
    /// The width of lines, the radius of circles and of the corners of rectangles, the height of letters.
    size: Option<Expr>,
    weight: Weight,
    bends: Bends,
    visible: Option<Expr>,
    each: Option<Each>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Rect,
    Circle,
    Line,
    Polygon,
    Text,
}

const FORMS: [(&str, Form); 5] = [
    ("rect", Form::Rect),
    ("circle", Form::Circle),
    ("line", Form::Line),
    ("polygon", Form::Polygon),
    ("text", Form::Text),
];

/// How a chain goes from point to point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bends {
    Straight,
    Smooth,
}

#[derive(Clone, Debug)]
enum Points {
    Fixed(Arc<Chains>),
    Computed(Template),
}

/// A colour on a light and on a dark ground.
#[derive(Clone, Copy, Debug)]
struct Tint {
    light: Ink,
    dark: Ink,
}

/// The records for which a shape is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Each {
    pub(crate) name: Arc<str>,
    pub(crate) filter: Option<Expr>,
}

/// A shape with everything worked out but its place on the screen.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    form: Form,
    chains: Arc<Chains>,
    text: Arc<str>,
    color: Tint,
    stroke: Option<Tint>,
    stroke_width: f32,
    size: f32,
    weight: Weight,
}

impl Each {
    /// Reads `items` and `filter`, and then, with the fields of a record as names, the rest.
    pub(super) fn read<'a, T>(
        reader: &mut Reader,
        fields: &mut Fields<'a>,
        rest: impl FnOnce(&mut Reader, &mut Fields<'a>) -> T,
    ) -> (Option<Self>, T) {
        let Some(items) = fields.take("items") else {
            return (None, rest(reader, fields));
        };
        let name = reader.text(&items).unwrap_or_else(|| Arc::from(""));
        let mut names = reader.record_fields(&items, &name);
        names.push(Arc::from("index"));
        if !reader.used.contains(&name) {
            reader.used.push(Arc::clone(&name));
        }
        reader.scopes.push(names);
        let filter = fields.expr(reader, "filter");
        let rest = rest(reader, fields);
        reader.scopes.pop();
        (Some(Self { name, filter }), rest)
    }

    /// The records that are meant, each with its place among all.
    pub(crate) fn scopes(
        &self,
        records: &[Record],
        names: &Names<'_>,
        outer: &Arc<Scope>,
    ) -> Vec<(usize, Arc<Scope>)> {
        let scopes = records.iter().enumerate().map(|(index, record)| {
            let scope = Scope {
                record: Some(Arc::clone(record)),
                index,
                outer: Some(Arc::clone(outer)),
            };
            (index, Arc::new(scope))
        });
        let chosen = scopes.filter(|(_, scope)| {
            let names = Names {
                vars: names.vars,
                scope,
            };
            self.filter
                .as_ref()
                .is_none_or(|filter| filter.holds(&names))
        });
        chosen.collect()
    }
}

impl Tint {
    fn read(
        reader: &mut Reader,
        fields: &mut Fields<'_>,
        (light, dark): (&'static str, &'static str),
    ) -> Option<Self> {
        let light_at = fields.take(light);
        let dark_at = fields.take(dark);
        let light = light_at.and_then(|at| Ink::read(reader, &at));
        let other = dark_at.as_ref().and_then(|at| Ink::read(reader, at));
        if let (None, Some(at)) = (light, &dark_at) {
            reader.problem(
                at,
                "it is the colour on a dark ground, and the other is missing",
            );
        }
        let light = light?;
        Some(Self {
            light,
            dark: other.unwrap_or(light),
        })
    }

    fn color(self, to: &Brush<'_>) -> Color {
        let ink = match to.theme.ground() {
            Ground::Light => self.light,
            Ground::Dark => self.dark,
        };
        ink.color(&to.theme.palette)
    }
}

impl Shape {
    pub(super) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::of(reader, at, Topic::Part("shape"))?;
        let form = fields.word(reader, "draw", &FORMS);
        let (each, shape) = Each::read(reader, &mut fields, |reader, fields| {
            let points_at = fields.take("points");
            let points = points_at.as_ref().and_then(|at| reader.template(at));
            let shape = Self {
                form: form.unwrap_or(Form::Line),
                points: Points::Computed(points.unwrap_or_default()),
                text: fields.template(reader, "text").unwrap_or_default(),
                color: Tint::read(reader, fields, ("color", "dark")).unwrap_or(Tint {
                    light: Ink::Primary,
                    dark: Ink::Primary,
                }),
                stroke: Tint::read(reader, fields, ("stroke", "dark_stroke")),
                stroke_width: fields.number(reader, "stroke_width").unwrap_or(1.0),
                size: fields.expr(reader, "size"),
                weight: match fields.flag(reader, "bold") {
                    Some(true) => Weight::Bold,
                    Some(false) | None => Weight::Regular,
                },
                bends: match fields.flag(reader, "smooth") {
                    Some(true) => Bends::Smooth,
                    Some(false) | None => Bends::Straight,
                },
                visible: fields.expr(reader, "visible"),
                each: None,
            };
            if form == Some(Form::Text) && shape.text.is_fixed().is_some_and(|it| it.is_empty()) {
                reader.problem(at, "`text` is missing: the words that are drawn");
            }
            (shape, points_at)
        });
        fields.finish(reader);
        if form.is_none() {
            reader.problem(at, "`draw` is missing: rect, circle, line, polygon or text");
            return None;
        }
        let (mut shape, points_at) = shape;
        if let Points::Computed(Template::Fixed(text)) = &shape.points {
            let chains = chains(text).unwrap_or_default();
            if !shape.fits(&chains, each.is_some()) {
                reader.problem(
                    points_at.as_ref().unwrap_or(at),
                    "`points` are written \"x,y x,y\": one for a circle or text, two corners for a rect, two or more for a line, three or more for a polygon; `;` begins another line or polygon",
                );
            }
            shape.points = Points::Fixed(Arc::new(shape.bent(chains)));
        }
        shape.each = each;
        Some(shape)
    }

    fn fits(&self, chains: &[Vec<(f32, f32)>], repeated: bool) -> bool {
        let many = |least: usize| {
            let least = if repeated { 1 } else { least };
            !chains.is_empty() && chains.iter().all(|chain| chain.len() >= least)
        };
        let single = |count: usize| matches!(chains, [chain] if chain.len() == count);
        match self.form {
            Form::Rect => single(2),
            Form::Circle | Form::Text => single(1),
            Form::Line => many(2),
            Form::Polygon => many(3),
        }
    }

    /// Puts the shape, worked out, with the others.
    pub(super) fn draw(
        &self,
        records: &dyn Fn(&str) -> Arc<Vec<Record>>,
        names: &Names<'_>,
        scope: &Arc<Scope>,
        to: &mut Vec<Drawn>,
    ) {
        let Some(each) = &self.each else {
            to.extend(self.drawn(names));
            return;
        };
        let scopes = each.scopes(&records(&each.name), names, scope);
        let mut drawn: Vec<Drawn> = scopes
            .iter()
            .filter_map(|(_, scope)| {
                self.drawn(&Names {
                    vars: names.vars,
                    scope,
                })
            })
            .collect();
        let one_each =
            |drawn: &Drawn| matches!(drawn.chains.as_slice(), [chain] if chain.len() == 1);
        let goes_on = matches!(self.form, Form::Line | Form::Polygon) && drawn.iter().all(one_each);
        if goes_on && let Some(mut first) = drawn.first().cloned() {
            // A line with one point for each record goes through all of them.
            let points = drawn.iter().flat_map(|drawn| drawn.chains.iter().flatten());
            first.chains = Arc::new(self.bent(vec![points.copied().collect()]));
            drawn = vec![first];
        }
        to.append(&mut drawn);
    }

    fn drawn(&self, names: &Names<'_>) -> Option<Drawn> {
        if self.visible.as_ref().is_some_and(|it| !it.holds(names)) {
            return None;
        }
        let chains = match &self.points {
            Points::Fixed(chains) => Arc::clone(chains),
            Points::Computed(template) => Arc::new(self.bent(chains(&template.text(names))?)),
        };
        let size = self.size.as_ref().map(|size| size.number(names));
        Some(Drawn {
            form: self.form,
            chains,
            text: self.text.text(names),
            color: self.color,
            stroke: self.stroke,
            stroke_width: self.stroke_width,
            size: size.unwrap_or(match self.form {
                Form::Rect | Form::Polygon => 0.0,
                Form::Circle => 4.0,
                Form::Line => 2.0,
                Form::Text => 12.0,
            }),
            weight: self.weight,
        })
    }

    fn bent(&self, chains: Chains) -> Chains {
        match self.bends {
            Bends::Straight => chains,
            Bends::Smooth => {
                let closed = self.form == Form::Polygon;
                chains.iter().map(|chain| smooth(chain, closed)).collect()
            }
        }
    }
}

impl Expr {
    fn number(&self, names: &dyn Lookup) -> f32 {
        self.value(names).number() as f32
    }
}

impl Drawn {
    pub(super) fn paint(&self, view: Option<&View>, to: &mut Brush<'_>) {
        let rect = to.rect;
        let chains: Chains = match view {
            Some(view) => {
                let lens = view.lens(rect.width() as f32, rect.height() as f32, to.theme.density);
                let put = |at: &(f32, f32)| {
                    let (x, y) = lens.place(*at);
                    (rect.left as f32 + x, rect.top as f32 + y)
                };
                let chains = self.chains.iter();
                chains
                    .map(|chain| chain.iter().map(put).collect())
                    .collect()
            }
            None => {
                // Whole pixels keep edges along the axes sharp.
                let put = |(x, y): &(f32, f32)| {
                    (
                        (rect.left as f32 + x / 100.0 * rect.width() as f32).round(),
                        (rect.top as f32 + y / 100.0 * rect.height() as f32).round(),
                    )
                };
                let chains = self.chains.iter();
                chains
                    .map(|chain| chain.iter().map(put).collect())
                    .collect()
            }
        };
        let size = to.theme.px(self.size.clamp(0.0, 4096.0));
        let edge = to.theme.px(self.stroke_width.clamp(0.0, 4096.0));
        let room = size + edge * 2.0 + to.theme.px(100.0);
        if !is_near(&chains, rect, room) {
            return;
        }
        let color = self.color.color(to);
        let stroke = self.stroke.map(|stroke| stroke.color(to));
        match self.form {
            Form::Rect => {
                if let Some([a, b]) = chains.first().map(Vec::as_slice) {
                    let (a, b) = (pixel(*a), pixel(*b));
                    let area = Rect::new(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y));
                    to.fill(area, size, color);
                    if let Some(stroke) = stroke {
                        to.stroke_wide(area, size, edge, stroke);
                    }
                }
            }
            Form::Circle => {
                let Some(center) = chains.first().and_then(|chain| chain.first()) else {
                    return;
                };
                let center = pixel(*center);
                if let Some(color) = stroke {
                    let radius = size + edge;
                    to.push(Paint::Circle {
                        center,
                        radius,
                        color,
                    });
                }
                to.push(Paint::Circle {
                    center,
                    radius: size,
                    color,
                });
            }
            Form::Line => {
                if let Some(color) = stroke {
                    to.push(Paint::Lines {
                        chains: chains.clone(),
                        width: size + 2.0 * edge,
                        color,
                    });
                }
                to.push(Paint::Lines {
                    chains,
                    width: size,
                    color,
                });
            }
            Form::Polygon => {
                to.push(Paint::Polygon {
                    chains: chains.clone(),
                    color,
                });
                if let Some(color) = stroke {
                    let closed = chains.into_iter().map(|mut chain| {
                        chain.extend(chain.first().copied());
                        chain
                    });
                    to.push(Paint::Lines {
                        chains: closed.collect(),
                        width: edge,
                        color,
                    });
                }
            }
            Form::Text => {
                if let Some(at) = chains.first().and_then(|chain| chain.first()) {
                    self.write(pixel(*at), (color, stroke), edge, to);
                }
            }
        }
    }

    /// Writes the words with their middle at a place, with an edge around the letters if there is one.
    fn write(
        &self,
        at: Point,
        (color, stroke): (Color, Option<Color>),
        edge: f32,
        to: &mut Brush<'_>,
    ) {
        let size = self.size.clamp(1.0, 400.0);
        let letters = to.theme.px(size) * to.theme.font_factor(size);
        let style = TextStyle {
            flow: to.theme.flow,
            ..TextStyle::new(letters, color)
                .weight(self.weight)
                .align(Align::Center)
        };
        let (width, height) = measure(&self.text, &style, None);
        let (half_x, half_y) = (
            (width / 2.0).ceil() as i32 + 1,
            (height / 2.0).ceil() as i32,
        );
        let area = |x: i32, y: i32| {
            let (x, y) = (at.x + x, at.y + y);
            Rect::new(x - half_x, y - half_y, x + half_x, y + half_y)
        };
        if let Some(stroke) = stroke {
            let by = (edge.round() as i32).max(1);
            for (x, y) in [
                (-by, 0),
                (by, 0),
                (0, -by),
                (0, by),
                (-by, -by),
                (by, by),
                (-by, by),
                (by, -by),
            ] {
                to.text(
                    &self.text,
                    area(x, y),
                    style.color(stroke),
                    Vertical::Center,
                );
            }
        }
        to.text(&self.text, area(0, 0), style, Vertical::Center);
    }
}

fn pixel((x, y): (f32, f32)) -> Point {
    Point::new(x.round() as i32, y.round() as i32)
}

/// Whether any of it can be seen within `rect`, when it reaches `room` beyond its points.
fn is_near(chains: &[Vec<(f32, f32)>], rect: Rect, room: f32) -> bool {
    let none = (
        f32::INFINITY,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
    );
    let (left, top, right, bottom) = chains.iter().flatten().fold(none, |(l, t, r, b), (x, y)| {
        (l.min(*x), t.min(*y), r.max(*x), b.max(*y))
    });
    left - room <= rect.right as f32
        && right + room >= rect.left as f32
        && top - room <= rect.bottom as f32
        && bottom + room >= rect.top as f32
}

/// A curve through all points of a chain: a Catmull-Rom spline, eight pieces from each point to the next.
fn smooth(chain: &[(f32, f32)], closed: bool) -> Vec<(f32, f32)> {
    const PIECES: usize = 8;
    let count = chain.len();
    if count < 3 {
        return chain.to_vec();
    }
    let at = |index: isize| {
        let index = if closed {
            index.rem_euclid(count as isize)
        } else {
            index.clamp(0, count as isize - 1)
        };
        chain.get(index as usize).copied().unwrap_or_default()
    };
    let spans = if closed { count } else { count - 1 };
    let mut curve = Vec::with_capacity(spans * PIECES + 1);
    for span in 0..spans as isize {
        let (a, b, c, d) = (at(span - 1), at(span), at(span + 1), at(span + 2));
        for piece in 0..PIECES {
            let t = piece as f32 / PIECES as f32;
            let along = |a: f32, b: f32, c: f32, d: f32| {
                0.5 * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                    + (3.0 * b - a - 3.0 * c + d) * t * t * t)
            };
            curve.push((along(a.0, b.0, c.0, d.0), along(a.1, b.1, c.1, d.1)));
        }
    }
    if !closed {
        curve.push(at(count as isize - 1));
    }
    curve
}

/// Chains of points written `x,y x,y; x,y x,y`.
fn chains(text: &str) -> Option<Chains> {
    let number = |text: &str| {
        let number = text.trim().parse().ok();
        number.filter(|n: &f32| n.abs() <= 100_000.0)
    };
    text.split(';')
        .map(|chain| {
            chain
                .split_whitespace()
                .map(|pair| {
                    let (x, y) = pair.split_once(',')?;
                    Some((number(x)?, number(y)?))
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_chain_by_chain() {
        assert_eq!(
            chains("1,2 3,-4.5; 5,6"),
            Some(vec![vec![(1.0, 2.0), (3.0, -4.5)], vec![(5.0, 6.0)]])
        );
        assert_eq!(chains("1,2 3"), None);
        assert_eq!(chains("1,2e9"), None);
    }

    #[test]
    fn a_smooth_line_goes_through_its_points() {
        let points = [(0.0, 0.0), (10.0, 5.0), (20.0, 0.0)];
        let open = smooth(&points, false);
        assert!(points.iter().all(|point| open.contains(point)));
        assert_eq!(open.last(), Some(&(20.0, 0.0)));
        let closed = smooth(&points, true);
        assert_eq!(closed.len(), 24);
        assert_eq!(closed.first(), Some(&(0.0, 0.0)));
    }
}

//! What a canvas draws: shapes, fixed or made from the records of a data set.

use std::sync::Arc;

use crate::expr::{Expr, Lookup, Names, Record, Scope, Template};
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::style::Ink;
use draw::Weight;

/// Chains of points, in hundredths of the canvas or units of its world.
pub type Chains = Vec<Vec<(f32, f32)>>;

/// Something that is drawn.
#[derive(Clone, Debug)]
pub struct Shape {
    pub form: Form,
    pub points: Points,
    pub text: Template,
    pub color: Tint,
    pub stroke: Option<Tint>,
    pub stroke_width: f32,
    /// The width of lines, the radius of circles and of the corners of rectangles, the height of letters.
    pub size: Option<Expr>,
    pub weight: Weight,
    pub(crate) bends: Bends,
    pub visible: Option<Expr>,
    pub each: Option<Each>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
pub(crate) enum Bends {
    Straight,
    Smooth,
}

#[derive(Clone, Debug)]
pub enum Points {
    Fixed(Arc<Chains>),
    Computed(Template),
}

/// A colour on a light and on a dark ground.
#[derive(Clone, Copy, Debug)]
pub struct Tint {
    pub light: Ink,
    pub dark: Ink,
}

/// The records for which a shape is drawn.
#[derive(Clone, Debug)]
pub struct Each {
    pub name: Arc<str>,
    pub filter: Option<Expr>,
}

impl Each {
    /// Reads `items` and `filter`, and then, with the fields of a record as names, the rest.
    pub(crate) fn read<'a, T>(
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
    pub fn scopes(
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
}

impl Shape {
    pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
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

    pub fn bent(&self, chains: Chains) -> Chains {
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
    pub fn number(&self, names: &dyn Lookup) -> f32 {
        self.value(names).number() as f32
    }
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
pub fn chains(text: &str) -> Option<Chains> {
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

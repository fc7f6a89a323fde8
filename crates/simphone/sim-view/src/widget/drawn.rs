//! Shapes on a canvas: their place and paint.

use std::sync::Arc;

use draw::{Align, Color, Ground, Paint, TextStyle, Vertical, Weight, measure};
use sim_format::expr::{Names, Record, Scope};
use sim_format::widget::{Chains, DrawnShape as Shape, Form, Points, Tint, chains};
use uitree::{Point, Rect};

use super::Brush;
use super::canvas::View;

/// A shape with everything worked out but its place on the screen.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedShape {
    form: Form,
    chains: Arc<Chains>,
    text: Arc<str>,
    color: Tint,
    stroke: Option<Tint>,
    stroke_width: f32,
    size: f32,
    weight: Weight,
}

/// Puts the shape, worked out, with the others.
pub(super) fn draw(
    shape: &Shape,
    records: &dyn Fn(&str) -> Arc<Vec<Record>>,
    names: &Names<'_>,
    scope: &Arc<Scope>,
    to: &mut Vec<EvaluatedShape>,
) {
    let Some(each) = &shape.each else {
        to.extend(drawn(shape, names));
        return;
    };
    let scopes = each.scopes(&records(&each.name), names, scope);
    let mut drawn: Vec<EvaluatedShape> = scopes
        .iter()
        .filter_map(|(_, scope)| {
            drawn(
                shape,
                &Names {
                    vars: names.vars,
                    scope,
                },
            )
        })
        .collect();
    let one_each =
        |drawn: &EvaluatedShape| matches!(drawn.chains.as_slice(), [chain] if chain.len() == 1);
    let goes_on = matches!(shape.form, Form::Line | Form::Polygon) && drawn.iter().all(one_each);
    if goes_on && let Some(mut first) = drawn.first().cloned() {
        // A line with one point for each record goes through all of them.
        let points = drawn.iter().flat_map(|drawn| drawn.chains.iter().flatten());
        first.chains = Arc::new(shape.bent(vec![points.copied().collect()]));
        drawn = vec![first];
    }
    to.append(&mut drawn);
}

fn drawn(shape: &Shape, names: &Names<'_>) -> Option<EvaluatedShape> {
    if shape.visible.as_ref().is_some_and(|it| !it.holds(names)) {
        return None;
    }
    let chains = match &shape.points {
        Points::Fixed(chains) => Arc::clone(chains),
        Points::Computed(template) => Arc::new(shape.bent(chains(&template.text(names))?)),
    };
    let size = shape.size.as_ref().map(|size| size.number(names));
    Some(EvaluatedShape {
        form: shape.form,
        chains,
        text: shape.text.text(names),
        color: shape.color,
        stroke: shape.stroke,
        stroke_width: shape.stroke_width,
        size: size.unwrap_or(match shape.form {
            Form::Rect | Form::Polygon => 0.0,
            Form::Circle => 4.0,
            Form::Line => 2.0,
            Form::Text => 12.0,
        }),
        weight: shape.weight,
    })
}

fn color_of(tint: Tint, to: &Brush<'_>) -> Color {
    let ink = match to.theme.ground() {
        Ground::Light => tint.light,
        Ground::Dark => tint.dark,
    };
    ink.color(&to.theme.palette)
}

impl EvaluatedShape {
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
        let color = color_of(self.color, to);
        let stroke = self.stroke.map(|stroke| color_of(stroke, to));
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

//! The shapes of a canvas: their place and paint.

use draw::{Align, Paint, TextStyle, Vertical, measure};
use sim_format::widget::{Chains, DrawnShape as Shape, Form};
use uitree::{Point, Rect};

use super::Brush;

/// Paints the shapes of a canvas, cut at its edges.
pub(super) fn paint(shapes: &[Shape], to: &mut Brush<'_>) {
    to.push(Paint::PushClip {
        rect: to.rect,
        radius: to.radius.unwrap_or(0.0),
    });
    for shape in shapes {
        draw(shape, to);
    }
    to.push(Paint::PopClip);
}

fn draw(shape: &Shape, to: &mut Brush<'_>) {
    let rect = to.rect;
    // Whole pixels keep edges along the axes sharp.
    let put = |(x, y): &(f32, f32)| {
        (
            (rect.left as f32 + x / 100.0 * rect.width() as f32).round(),
            (rect.top as f32 + y / 100.0 * rect.height() as f32).round(),
        )
    };
    let chains: Chains = (shape.chains.iter())
        .map(|chain| chain.iter().map(put).collect())
        .collect();
    let size = to.theme.px(shape.size.clamp(0.0, 4096.0));
    let color = shape.color.color(&to.theme.palette);
    let points = chains.first().map(Vec::as_slice).unwrap_or_default();
    match (shape.form, points) {
        (Form::Rect, [a, b, ..]) => {
            let (a, b) = (pixel(*a), pixel(*b));
            let area = Rect::new(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y));
            to.fill(area, size, color);
        }
        (Form::Circle, [center, ..]) => to.push(Paint::Circle {
            center: pixel(*center),
            radius: size,
            color,
        }),
        (Form::Line, _) => to.push(Paint::Lines {
            chains,
            width: size,
            color,
        }),
        (Form::Polygon, _) => to.push(Paint::Polygon { chains, color }),
        (Form::Text, [at, ..]) => write(shape, pixel(*at), to),
        _ => {}
    }
}

/// Writes the words with their middle at a place.
fn write(shape: &Shape, at: Point, to: &mut Brush<'_>) {
    let size = shape.size.clamp(1.0, 400.0);
    let letters = to.theme.px(size) * to.theme.font_factor(size);
    let style = TextStyle {
        flow: to.theme.flow,
        ..TextStyle::new(letters, shape.color.color(&to.theme.palette)).align(Align::Center)
    };
    let (width, height) = measure(&shape.text, &style, None);
    let half_x = (width / 2.0).ceil() as i32 + 1;
    let half_y = (height / 2.0).ceil() as i32;
    let area = Rect::new(at.x - half_x, at.y - half_y, at.x + half_x, at.y + half_y);
    to.text(&shape.text, area, style, Vertical::Center);
}

fn pixel((x, y): (f32, f32)) -> Point {
    Point::new(x.round() as i32, y.round() as i32)
}

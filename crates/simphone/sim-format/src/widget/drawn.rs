//! The shapes that a canvas draws.

use std::sync::Arc;

use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::style::Ink;
use crate::words::{Words, words};

/// Chains of points, in hundredths of the canvas.
pub type Chains = Vec<Vec<(f32, f32)>>;

/// Something that is drawn.
#[derive(Clone, Debug)]
pub struct Shape {
    pub form: Form,
    pub chains: Chains,
    pub text: Arc<str>,
    pub color: Ink,
    /// The width of lines, the radius of circles and of the corners of rectangles, the height of letters.
    pub size: f32,
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        Rect = "rect",
        Circle = "circle",
        Line = "line",
        Polygon = "polygon",
        Text = "text",
    }
}

impl Shape {
    pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::of(reader, at, Topic::Part("shape"))?;
        let form = fields.word(reader, "draw", Form::TABLE);
        let points = fields.take("points");
        let text = fields.text(reader, "text").unwrap_or_default();
        let color = fields.take("color").and_then(|at| Ink::read(reader, &at));
        let size = fields.number(reader, "size");
        let written = points.as_ref().and_then(|at| reader.text(at));
        fields.finish(reader);
        let Some(form) = form else {
            reader.problem(at, "`draw` is missing: rect, circle, line, polygon or text");
            return None;
        };
        if form == Form::Text && text.is_empty() {
            reader.problem(at, "`text` is missing: the words that are drawn");
        }
        let chains = chains(&written.unwrap_or_default()).unwrap_or_default();
        if !form.fits(&chains) {
            reader.problem(
                points.as_ref().unwrap_or(at),
                "`points` are written \"x,y x,y\": one for a circle or text, two corners for a rect, two or more for a line, three or more for a polygon; `;` begins another line or polygon",
            );
        }
        Some(Self {
            form,
            chains,
            text,
            color: color.unwrap_or(Ink::Primary),
            size: size.unwrap_or(match form {
                Form::Rect | Form::Polygon => 0.0,
                Form::Circle => 4.0,
                Form::Line => 2.0,
                Form::Text => 12.0,
            }),
        })
    }
}

impl Form {
    fn fits(self, chains: &[Vec<(f32, f32)>]) -> bool {
        let many = |least| !chains.is_empty() && chains.iter().all(|chain| chain.len() >= least);
        let single = |count| matches!(chains, [chain] if chain.len() == count);
        match self {
            Form::Rect => single(2),
            Form::Circle | Form::Text => single(1),
            Form::Line => many(2),
            Form::Polygon => many(3),
        }
    }
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
}

//! The lines of the drawings in an element.

use std::fmt::Write as _;

use dom::{Dom, Element, ElementId};

use super::raster::FillRule;

/// More elements than these have no drawings that are told by their lines.
const MOST_SHAPES: usize = 24;
/// Longer data than this is a picture, not a sign.
const LONGEST: usize = 6_000;

/// How lines make a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PaintMode {
    /// They are drawn themselves.
    Stroke,
    /// What is inside them is filled.
    Fill,
    /// A style sheet says which.
    Either,
}

/// The lines of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SvgPath {
    /// As the data of an SVG path.
    pub(super) data: String,
    /// How they are drawn.
    pub(super) paint: PaintMode,
    /// What of them is inside.
    pub(super) fill_rule: FillRule,
    /// Whether they are shown upside down.
    pub(super) rotated: bool,
}

impl SvgPath {
    /// The lines of the first drawing in an element; `None` where nothing is drawn, or too much for a sign.
    pub(super) fn of(page: &Dom, id: ElementId) -> Option<Self> {
        let svg = page
            .subtree(id)
            .take(super::super::icon::MOST_INSIDE)
            .find(|inside| &*page.element(*inside).tag == "svg")?;
        let says = |element: &Element, property: &str| {
            let own = style(element, property).or_else(|| element.attribute(property));
            own.map(|by| by != "none")
        };
        let stroked = |element: &Element| says(element, "stroke") == Some(true);
        let all_stroked = stroked(page.element(svg));
        let mut data = String::new();
        let (mut strokes, mut fills) = (all_stroked, says(page.element(svg), "fill") == Some(true));
        let mut rest = page.subtree(svg).skip(1).peekable();
        let mut shapes = 0;
        let mut fill_rule = FillRule::default();
        while let Some(at) = rest.next() {
            let element = page.element(at);
            if matches!(
                &*element.tag,
                "defs" | "clippath" | "clipPath" | "mask" | "symbol" | "pattern"
            ) {
                let end = page.subtree(at).next_back();
                while rest.next_if(|next| Some(*next) <= end).is_some() {}
                continue;
            }
            // The frame that some sets put around each drawing is not seen.
            let unseen =
                element.attribute("fill") == Some("none") && !all_stroked && !stroked(element);
            if unseen {
                continue;
            }
            let rule = style(element, "fill-rule").or_else(|| element.attribute("fill-rule"));
            if rule == Some("evenodd") {
                fill_rule = FillRule::EvenOdd;
            }
            strokes |= stroked(element);
            fills |= says(element, "fill") == Some(true);
            shapes += usize::from(add(element, &mut data));
            if shapes > MOST_SHAPES || data.len() > LONGEST {
                return None;
            }
        }
        let rotated = style(page.element(svg), "transform");
        let rotated = rotated.is_some_and(|rotated| rotated.contains("rotate(180deg)"));
        let paint = match (strokes, fills) {
            (true, false) => PaintMode::Stroke,
            (false, true) => PaintMode::Fill,
            _ => PaintMode::Either,
        };
        (!data.is_empty()).then_some(Self {
            data,
            paint,
            fill_rule,
            rotated,
        })
    }
}

/// What an element's own style says.
fn style<'e>(element: &'e Element, property: &str) -> Option<&'e str> {
    let style = element.attribute("style")?;
    style.split(';').find_map(|rule| {
        let (name, value) = rule.split_once(':')?;
        (name.trim() == property).then_some(value.trim())
    })
}

/// Adds what a shape draws; whether it draws anything.
fn add(element: &Element, data: &mut String) -> bool {
    let number = |name: &str| {
        let value = element.attribute(name)?.trim().trim_end_matches("px");
        value.parse::<f64>().ok().filter(|value| value.is_finite())
    };
    let or_zero = |name: &str| number(name).unwrap_or_default();
    let written = match &*element.tag {
        "path" => match element.attribute("d") {
            // Its first step is counted from nowhere, not from where the shape before it ended.
            Some(path) if path.trim_start().starts_with('m') => write!(data, "M0 0{path} "),
            Some(path) => write!(data, "{path} "),
            None => return false,
        },
        "circle" | "ellipse" => {
            let (x, y) = (or_zero("cx"), or_zero("cy"));
            let (across, down) = match number("r") {
                Some(r) => (r, r),
                None => (or_zero("rx"), or_zero("ry")),
            };
            write!(
                data,
                "M{} {y}a{across} {down} 0 1 0 {} 0a{across} {down} 0 1 0 {} 0z ",
                x - across,
                2.0 * across,
                -2.0 * across
            )
        }
        "rect" => {
            let (x, y) = (or_zero("x"), or_zero("y"));
            let (width, height) = (or_zero("width"), or_zero("height"));
            write!(data, "M{x} {y}h{width}v{height}h{}z ", -width)
        }
        "line" => {
            let (x, y) = (or_zero("x1"), or_zero("y1"));
            write!(data, "M{x} {y}L{} {} ", or_zero("x2"), or_zero("y2"))
        }
        "polyline" | "polygon" => {
            let Some(points) = element.attribute("points") else {
                return false;
            };
            let end = if &*element.tag == "polygon" { "z" } else { "" };
            write!(data, "M{points}{end} ")
        }
        _ => return false,
    };
    written.is_ok()
}

//! Reads the path of a drawing in an element.

use std::fmt::Write as _;

use dom::{Dom, Element, ElementId};

use super::raster::FillRule;

/// Maximum number of shapes of an icon.
const MAX_SHAPES: usize = 24;
/// Maximum length of an icon path, in bytes.
const MAX_PATH: usize = 6_000;

/// Paint of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PaintMode {
    Stroke,
    Fill,
    /// Unknown; a style sheet says it.
    Either,
}

/// Path of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SvgPath {
    /// SVG path data.
    pub(super) data: String,
    pub(super) paint: PaintMode,
    pub(super) fill_rule: FillRule,
    /// Whether it is rotated by 180 degrees.
    pub(super) rotated: bool,
}

impl SvgPath {
    /// Path of the first drawing in an element; `None` if there is none or it is too complex.
    pub(super) fn from_element(page: &Dom, id: ElementId) -> Option<Self> {
        let svg = page
            .subtree(id)
            .take(super::super::icon::MAX_INSIDE)
            .find(|inside| &*page.element(*inside).tag == "svg")?;
        let says = |element: &Element, property: &str| {
            let own = style(element, property).or_else(|| element.attribute(property));
            own.map(|by| by != "none")
        };
        let all_stroked = says(page.element(svg), "stroke") == Some(true);
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
            // An invisible frame of some icon sets.
            let stroke = says(element, "stroke").unwrap_or(all_stroked);
            let unseen = element.attribute("fill") == Some("none") && !stroke;
            if unseen {
                continue;
            }
            let rule = style(element, "fill-rule").or_else(|| element.attribute("fill-rule"));
            if rule == Some("evenodd") {
                fill_rule = FillRule::EvenOdd;
            }
            strokes |= says(element, "stroke") == Some(true);
            fills |= says(element, "fill") == Some(true);
            shapes += usize::from(add(element, &mut data));
            if shapes > MAX_SHAPES || data.len() > MAX_PATH {
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

/// A property of the inline style.
fn style<'e>(element: &'e Element, property: &str) -> Option<&'e str> {
    let style = element.attribute("style")?;
    style.split(';').find_map(|rule| {
        let (name, value) = rule.split_once(':')?;
        (name.trim() == property).then_some(value.trim())
    })
}

/// Appends the path of a shape, and returns whether it has one.
fn add(element: &Element, data: &mut String) -> bool {
    let number = |name: &str| {
        let value = element.attribute(name)?.trim().trim_end_matches("px");
        value.parse::<f64>().ok().filter(|value| value.is_finite())
    };
    let or_zero = |name: &str| number(name).unwrap_or_default();
    let written = match &*element.tag {
        "path" => match element.attribute("d") {
            // A relative first step starts at the origin.
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

//! Hashes the drawing of a control's icon, to compare it with that of another screen.

use std::hash::{DefaultHasher, Hash, Hasher};

use uitree::{Drawing, Role};

use crate::{Dom, ElementId};

/// Maximum number of elements of a control with a drawing.
const MAX_ELEMENTS: usize = 48;

/// Attributes of vector graphics that are part of the drawing. Styles are left out: they change on hover.
const DRAWING_ATTRIBUTES: &str = "d fill stroke href xlink:href points cx cy r x y viewBox";

/// How the vector graphics and icon glyphs of a control are drawn.
pub(super) fn drawing(dom: &Dom, control: ElementId, role: Role) -> Drawing {
    if !matches!(role, Role::Button | Role::Icon | Role::Link | Role::Tab) {
        return Drawing::default();
    }
    let inside = dom.subtree(control);
    if inside.len() > MAX_ELEMENTS {
        return Drawing::default();
    }
    let mut hasher = DefaultHasher::new();
    let mut has_drawing = false;
    let mut graphic = None;
    for id in inside {
        let element = dom.element(id);
        if &*element.tag == "svg" {
            graphic = Some(id);
        }
        if graphic.is_some_and(|graphic| dom.contains(graphic, id)) {
            has_drawing = true;
            element.tag.hash(&mut hasher);
            for name in DRAWING_ATTRIBUTES.split(' ') {
                element.attribute(name).hash(&mut hasher);
            }
        } else if &*element.tag == "i" {
            // The class selects the glyph of an icon font.
            has_drawing = true;
            element.attribute("class").hash(&mut hasher);
        }
    }
    if has_drawing {
        // 0 means no drawing.
        Drawing((hasher.finish() as u32).max(1))
    } else {
        Drawing::default()
    }
}

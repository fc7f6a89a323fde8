//! Names a swatch by its color, which is its only difference from the others of a palette.

use std::collections::HashSet;

use crate::{Dom, ElementId};

/// Minimum number of colors of a palette.
const MIN_COLORS: usize = 3;

/// Maximum number of elements of a palette that are examined.
const MAX_ELEMENTS: usize = 64;

/// The fill of an empty element among others of other colors, as `#0d9488`.
pub(super) fn swatch_color(dom: &Dom, id: ElementId) -> Option<String> {
    let fill = fill(dom, id)?;
    let palette = dom.element(id).parent?;
    let siblings = dom.children(palette).take(MAX_ELEMENTS);
    let same_tag = siblings.filter(|other| dom.element(*other).tag == dom.element(id).tag);
    let colors: HashSet<[u8; 3]> = same_tag
        .filter_map(|other| self::fill(dom, other))
        .collect();
    let [red, green, blue] = fill;
    (colors.len() >= MIN_COLORS).then(|| format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// The fill of an element with nothing in it.
fn fill(dom: &Dom, id: ElementId) -> Option<[u8; 3]> {
    let is_empty = dom.subtree(id).len() == 1 && dom.element(id).text.is_empty();
    dom.element(id).fill.filter(|_| is_empty)
}

#[cfg(test)]
mod tests {
    use uitree::{Rect, State};

    use crate::{DomBuilder, ElementSpec, Facts, Viewport};

    /// The labels of clickable elements with these fills.
    fn labels(fills: &[[u8; 3]]) -> Vec<String> {
        let viewport = Viewport {
            width: 200,
            height: 200,
            scale: 1.0,
        };
        let mut page = DomBuilder::new(viewport, "https://a.test/", "A");
        let bounds = |at: usize| Some(Rect::new(at as i32 * 20, 0, at as i32 * 20 + 16, 16));
        let shown = Facts::VISIBLE;
        page.open(ElementSpec {
            tag: "html".into(),
            bounds: bounds(0),
            facts: shown,
            ..ElementSpec::default()
        });
        for (at, fill) in fills.iter().enumerate() {
            page.open(ElementSpec {
                tag: "button".into(),
                bounds: bounds(at),
                fill: Some(*fill),
                facts: shown,
                ..ElementSpec::default()
            });
            page.close();
        }
        page.close();
        let tree = page.finish().to_tree(&[]).tree;
        let buttons = tree.ids().filter(|id| tree.node(*id).is(State::CLICKABLE));
        buttons.map(|id| tree.node(id).label.to_string()).collect()
    }

    #[test]
    fn swatches_of_a_palette_are_named_by_their_color() {
        let colors = [[13, 148, 136], [255, 0, 0], [0, 0, 255]];
        assert_eq!(labels(&colors), ["#0d9488", "#ff0000", "#0000ff"]);
        // The dots of a carousel: one is another.
        assert_eq!(labels(&[[0, 0, 0], [9, 9, 9], [9, 9, 9]]), ["", "", ""]);
    }
}

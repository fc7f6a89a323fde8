//! The places of the areas of image maps, which have no boxes of their own.

use super::document::DocumentWalk;
use super::measure::Placement;
use crate::page::affine::Area;

impl DocumentWalk<'_> {
    /// Gives each area of an image map its place on the image, with `scale` document pixels per CSS pixel.
    pub(super) fn place_areas(&mut self, scale: f64) {
        let nodes = 0..self.document.nodes.node_type.len();
        let is = |node: usize, tag: &str| self.text(self.name(node)) == tag;
        let images: Vec<(usize, &str)> = nodes
            .clone()
            .filter(|node| is(*node, "IMG"))
            .filter_map(|node| Some((node, self.attribute(node, "usemap")?.strip_prefix('#')?)))
            .collect();
        if images.is_empty() {
            return;
        }
        let place = |area: usize| {
            let mut around = std::iter::successors(self.parent(area), |at| self.parent(*at));
            let map = around.find(|at| is(*at, "MAP"))?;
            let name = self.attribute(map, "name")?;
            let (image, _) = images.iter().find(|(_, map)| *map == name)?;
            let image = self.place(*image)?;
            let whole = image.area?;
            let shape = self.attribute(area, "shape").unwrap_or("rect");
            let coordinates = self.attribute(area, "coords").unwrap_or_default();
            let own = bounds(shape, coordinates).map_or(whole, |[left, top, right, bottom]| Area {
                left: whole.left + left * scale,
                top: whole.top + top * scale,
                right: whole.left + right * scale,
                bottom: whole.top + bottom * scale,
            });
            let shown = own.intersect(&whole);
            let mut place = image.clone();
            place.area = Some(shown);
            place.cut = None;
            place.visible = image.visible && !shown.is_empty();
            Some((area, place))
        };
        let areas = nodes.filter(|node| is(*node, "AREA"));
        let placed: Vec<(usize, Placement)> = areas.filter_map(place).collect();
        for (area, place) in placed {
            if let Some(slot) = self.measured.places.get_mut(area) {
                *slot = Some(place);
            }
        }
    }
}

/// Left, top, right and bottom of a shape in its image; `None` for the whole image.
fn bounds(shape: &str, coordinates: &str) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = coordinates
        .split([',', ' ', ';'])
        .filter_map(|number| number.parse().ok())
        .collect();
    if shape.eq_ignore_ascii_case("default") {
        return None;
    }
    if let [x, y, radius] = numbers.as_slice() {
        return Some([x - radius, y - radius, x + radius, y + radius]);
    }
    let side = |first: usize, choose: fn(f64, f64) -> f64| {
        numbers
            .iter()
            .skip(first)
            .step_by(2)
            .copied()
            .reduce(choose)
    };
    Some([
        side(0, f64::min)?,
        side(1, f64::min)?,
        side(0, f64::max)?,
        side(1, f64::max)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::bounds;

    #[test]
    fn shapes_have_bounds() {
        assert_eq!(
            bounds("rect", "10,20,30,40"),
            Some([10.0, 20.0, 30.0, 40.0])
        );
        assert_eq!(bounds("circle", "50 50 10"), Some([40.0, 40.0, 60.0, 60.0]));
        assert_eq!(bounds("poly", "0,0, 9,5, 3,8"), Some([0.0, 0.0, 9.0, 8.0]));
        assert_eq!(bounds("default", ""), None);
        assert_eq!(bounds("rect", "x"), None);
    }
}

//! Names icons that are drawn without a name.
//!
//! The drawing is rasterized and compared with the shapes in `data/icon_sketches.txt` and `data/icon_shapes.txt`.

mod raster;
mod shape;
mod svg_path;
mod table;

use std::cell::RefCell;
use std::collections::HashMap;

use dom::{Dom, ElementId};

use self::raster::Raster;
pub use self::shape::Shape;
use self::svg_path::{PaintMode, SvgPath};
pub use self::table::{KnownShapes, OTHER, ShapeTable};

/// Names of drawings by path. Most pages repeat a few icons.
#[derive(Debug, Default)]
pub(super) struct IconCache {
    names: RefCell<HashMap<SvgPath, Option<&'static str>>>,
}

impl IconCache {
    /// Name of the drawing in `id`; `None` if there is none or it is unknown.
    pub(super) fn shown(&self, page: &Dom, id: ElementId) -> Option<&'static str> {
        let path = SvgPath::from_element(page, id)?;
        let mut names = self.names.borrow_mut();
        if let Some(name) = names.get(&path) {
            return *name;
        }
        let name = table::OWN.name(&path.shapes());
        names.insert(path, name);
        name
    }
}

/// The possible shapes of the drawing in `id`: one, or two if only a style sheet says whether its lines or its areas
/// are painted. Empty if it draws nothing that can be read.
pub fn shapes_of(page: &Dom, id: ElementId) -> Vec<Shape> {
    SvgPath::from_element(page, id).map_or_else(Vec::new, |path| path.shapes())
}

impl SvgPath {
    fn shapes(&self) -> Vec<Shape> {
        let stroke = || Raster::from_stroke(&self.data);
        let fill = || Raster::from_fill(&self.data, self.fill_rule);
        let rasters = match self.paint {
            PaintMode::Stroke => [stroke(), None],
            PaintMode::Fill => [None, fill()],
            PaintMode::Either => [stroke(), fill()],
        };
        let shapes = rasters.iter().flatten().filter_map(Shape::from_raster);
        shapes
            .map(|shape| if self.rotated { shape.rotated() } else { shape })
            .collect()
    }
}

//! Colour glyphs (emoji): layers with a colour each.

use ttf_parser::colr::{ClipBox, CompositeMode, Paint, Painter};
use ttf_parser::{GlyphId, RgbaColor, Transform};

use super::color::Color;
use super::font::{self, Glyph, Source};

/// A layer's outline and colour; `None` means the text colour.
pub(super) type Layer = (Glyph, Option<Color>);

/// Returns the layers of a colour glyph, the lowest first; empty for a glyph of one colour.
pub(super) fn layers(source: Source, id: u16) -> Vec<Layer> {
    let mut collector = Collector {
        source,
        shape: None,
        layers: Vec::new(),
    };
    if let Some(font) = font::font(source) {
        // A placeholder that no palette contains: layers with it take the text colour.
        let ink = RgbaColor::new(0, 0, 0, 0);
        // Fails for a glyph without layers, which leaves the list empty.
        let _: Option<()> = (font.drawn()).paint_color_glyph(GlyphId(id), 0, ink, &mut collector);
    }
    collector.layers
}

/// Collects the outlines and colours that are painted.
struct Collector {
    source: Source,
    shape: Option<Glyph>,
    layers: Vec<Layer>,
}

impl Painter<'_> for Collector {
    fn outline_glyph(&mut self, id: GlyphId) {
        self.shape = Some(Glyph::Drawn {
            source: self.source,
            id: id.0,
        });
    }

    fn paint(&mut self, paint: Paint<'_>) {
        if let (Some(shape), Paint::Solid(color)) = (self.shape, paint) {
            let ink = (color.alpha > 0)
                .then(|| Color::rgba(color.red, color.green, color.blue, color.alpha));
            self.layers.push((shape, ink));
        }
    }

    // The embedded emoji use only plain layers.
    fn push_clip(&mut self) {}
    fn push_clip_box(&mut self, _: ClipBox) {}
    fn pop_clip(&mut self) {}
    fn push_layer(&mut self, _: CompositeMode) {}
    fn pop_layer(&mut self) {}
    fn push_transform(&mut self, _: Transform) {}
    fn pop_transform(&mut self) {}
}

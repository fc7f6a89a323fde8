//! Draws the screens of the simulated phone: a display list in, pixels and a PNG out.
//!
//! Everything is drawn with arithmetic that is exact by the IEEE rules (additions, products,
//! quotients, square roots) and with embedded fonts, so the same list gives the same bytes on
//! every machine. Coordinates are device pixels.

mod bitmap;
mod caret;
mod color;
mod emoji;
mod font;
mod geometry;
mod glyphs;
mod icons;
mod image;
mod items;
mod layout;
mod list;
mod outline;
mod packed;
mod painter;
mod path;
mod picture;
mod scale;
mod script;
mod shapes;
mod surface;
mod text_style;
pub mod theme;

pub use caret::{Places, places};
pub use color::Color;
pub use icons::icon_names;
pub use image::Image;
pub use layout::measure;
pub use list::{Direction, DisplayList, Paint};
pub use painter::paint;
pub use text_style::{Align, Flow, TextStyle, Vertical, Weight};
pub use theme::{Ground, Palette, TextRole, Theme};

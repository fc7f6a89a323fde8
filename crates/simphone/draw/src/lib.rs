//! Renders the screens of the simulated phone: from a display list to pixels and PNG.
//!
//! The fonts are embedded, and the output does not depend on time, threads or system settings: the same list gives the
//! same bytes. Coordinates are device pixels.

mod bitmap;
mod canvas;
mod caret;
mod color;
mod emoji;
mod font;
mod icons;
mod image;
mod items;
mod layout;
mod list;
mod packed;
mod painter;
mod path;
mod script;
mod text_style;
pub mod theme;

pub use caret::{CaretPositions, caret_positions};
pub use color::Color;
pub use icons::icon_names;
pub use image::Image;
pub use layout::measure;
pub use list::{DisplayList, Paint};
pub use painter::paint;
pub use text_style::{Align, Flow, TextStyle, Vertical, Weight};
pub use theme::{Brightness, Palette, TextRole, Theme};

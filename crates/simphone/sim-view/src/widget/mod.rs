//! Widgets as they are on the screen now: their nodes, sizes and paint.
//!
//! [`Element`] dispatches to the file of its kind.

mod button;
mod canvas;
mod drawn;
mod element;
mod field;
mod field_text;
mod icon;
mod key;
mod node;
mod part;
mod range;
mod skin;
mod text;
mod toggle;

pub(crate) use canvas::{Lens, Scenery};
pub use canvas::{View, scenery};
pub use element::{Brush, Content, Element, Press, inside, resolve};
pub use part::is_there;

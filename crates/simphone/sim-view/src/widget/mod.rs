//! Elements: widgets evaluated for the current state; their nodes, sizes and paint.
//!
//! [`Element`] dispatches to the file of its kind.

mod button;
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

pub use element::{Content, Element, Painter, Press, inside, resolve};
pub use part::is_present;

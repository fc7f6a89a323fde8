//! The screen contents of the simulated phone: evaluates, measures, lays out and paints the widgets of an app file.
//!
//! [`widget::Element`] is a widget with its texts and conditions evaluated from [`env::Env`]; [`layout`] places elements
//! and [`window`] adds the system bars and the keyboard. [`motion`] computes animations.

pub mod cursor;
pub mod env;
pub mod layout;
pub mod motion;
pub mod ruler;
pub mod widget;
pub mod window;

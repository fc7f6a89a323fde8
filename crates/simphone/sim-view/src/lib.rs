//! What is on the screen of the simulated phone: the widgets of an app file evaluated, measured, placed and painted.
//!
//! [`widget::Element`] is a widget with its texts and conditions evaluated from [`env::Env`]; [`layout`] places elements
//! and [`window`] adds what the system shows around them. [`motion`] says where moving things are.
#![allow(missing_docs, reason = "only the phone uses this crate")]

pub mod cursor;
pub mod env;
pub mod layout;
pub mod motion;
pub mod ruler;
pub mod widget;
pub mod window;

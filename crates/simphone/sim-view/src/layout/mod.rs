//! Layout: the size and position of every widget of a window.
//!
//! [`lay_out`] turns the widgets of a screen into a [`Fragment`]; rows of lists are separate fragments, cached until
//! their inputs change. [`Scene`] combines the fragments of a window.

mod budget;
mod build;
mod fields;
mod place;
mod rows;
mod scene;
mod style;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::env::Env;
use crate::widget::Element;

pub use budget::Budget;
pub use build::build;
pub use fields::scroll_fields;
pub use place::lay_out;
pub use rows::{Cache, Rows, with_margin};
pub use scene::{Item, Scene, ScrollBox};

/// The inputs of a layout, and the cache of earlier layouts.
#[derive(Debug)]
pub struct Layout<'a> {
    pub env: Env<'a>,
    pub cache: &'a mut Cache,
}

impl<'a> Deref for Layout<'a> {
    type Target = Env<'a>;

    fn deref(&self) -> &Self::Target {
        &self.env
    }
}

impl DerefMut for Layout<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.env
    }
}

/// A rectangle relative to its fragment, rounded to whole pixels by taffy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// Elements that were laid out together, in document order.
#[derive(Debug, Default)]
pub struct Fragment {
    pub elements: Vec<Element>,
    pub(crate) areas: Vec<Area>,
    /// The content of each scroller among the elements.
    pub contents: Vec<(usize, Arc<Rows>)>,
    pub width: f32,
    pub height: f32,
}

impl Fragment {
    /// Creates a fragment of elements at known positions.
    pub fn fixed(elements: Vec<Element>, areas: Vec<Area>) -> Self {
        Self {
            elements,
            areas,
            ..Self::default()
        }
    }
}

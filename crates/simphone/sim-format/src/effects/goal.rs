//! `scroll_to`: an app brings a place of its list into sight.

use std::sync::Arc;

use crate::expr::Expr;

/// Where in a list an app scrolls to.
#[derive(Clone, Debug)]
pub struct Goal {
    pub id: Arc<str>,
    pub to: End,
    pub pace: Pace,
}

/// The place itself.
#[derive(Clone, Debug)]
pub enum End {
    Top,
    Bottom,
    /// The row with this index, counted from 0, at the upper edge.
    Row(Expr),
}

/// How the content gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Smooth,
    AtOnce,
}

//! `scroll_to`: an app brings a place of its list into sight.

use std::sync::Arc;

use crate::app::Expr;

/// Where in a list an app scrolls to.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) id: Arc<str>,
    pub(crate) to: End,
    pub(crate) pace: Pace,
}

/// The place itself.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Top,
    Bottom,
    /// The row with this index, counted from 0, at the upper edge.
    Row(Expr),
}

/// How the content gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Smooth,
    AtOnce,
}

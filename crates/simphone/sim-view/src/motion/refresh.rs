//! Sizes of the progress wheel of a list that refreshes when it is pulled down, in density-independent pixels.

/// How far the wheel is pulled before the list refreshes.
pub const PULL: f32 = 64.0;
/// The size of the wheel.
pub(super) const WHEEL: f32 = 40.0;

//! Right answers, found without the product: from the browser's accessibility tree, selectors, or the reward
//! of a task.

pub mod instructions;
pub mod look;
pub mod miniwob;
pub mod select;

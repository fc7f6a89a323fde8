//! Right answers, found without the product: from the browser's accessibility tree, selectors, or the reward
//! of a task.

pub mod instructions;
pub mod miniwob;
pub mod page_reading;
pub mod select;

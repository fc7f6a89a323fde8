//! What is right, found without the product: by the browser's accessibility tree, by selectors, by the reward of a task.

pub mod look;
pub mod miniwob;
pub mod select;
pub mod told;

//! The displays of a device.

use crate::UiTree;

/// A display of a device that has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// The platform's number for it; 0 is the one that a device has in any case.
    pub id: u32,
    /// What it shows; without a node where no window of it could be read.
    pub tree: UiTree,
    /// The titles of the application windows that came without a tree.
    pub unread: Vec<String>,
}

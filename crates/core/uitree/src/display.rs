//! The displays of a device.

use crate::UiTree;

/// A display of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// Platform number; 0 is the default display.
    pub id: u32,
    /// Screen; empty if no window could be read.
    pub tree: UiTree,
    /// Titles of application windows without a tree.
    pub unread: Vec<String>,
}

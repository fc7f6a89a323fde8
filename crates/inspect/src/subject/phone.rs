//! A phone's screen as a subject.

use uitree::UiTree;

use super::Subject;

impl Subject {
    /// Everything that can be meant on a phone's screen; places are those of its nodes.
    pub fn from_tree(_screen: &UiTree) -> Self {
        Self::default()
    }
}

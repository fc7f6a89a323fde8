//! A web page as a subject.

use dom::Dom;

use super::Subject;

impl Subject {
    /// Everything that can be meant on a page; places are those of its elements.
    pub fn from_dom(_page: &Dom) -> Self {
        Self::default()
    }
}

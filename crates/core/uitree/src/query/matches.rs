//! Compares a query with a node.

use super::Query;
use crate::{Node, Role, chars};

/// A query prepared for many nodes.
pub(crate) struct CompiledQuery<'q> {
    pub(crate) id: Option<&'q str>,
    pub(crate) role: Option<Role>,
    pub(crate) text: Option<&'q str>,
    pub(crate) label: Option<&'q str>,
    pub(crate) text_part: Option<Substring>,
    pub(crate) label_part: Option<Substring>,
    pub(crate) css: Option<&'q str>,
}

/// A folded substring.
pub(crate) struct Substring(pub(crate) memchr::memmem::Finder<'static>);

impl Substring {
    fn new(part: &str) -> Self {
        Self(memchr::memmem::Finder::new(chars::fold(part).as_bytes()).into_owned())
    }

    fn is_in(&self, value: &str) -> bool {
        self.0.find(chars::fold(value).as_bytes()).is_some()
    }
}

impl<'q> CompiledQuery<'q> {
    /// `None` if the query cannot match.
    pub(crate) fn new(query: &'q Query) -> Option<Self> {
        if query.is_empty() {
            return None;
        }
        let role = match query.role.as_deref() {
            Some(name) => Some(Role::parse(name)?),
            None => None,
        };
        Some(Self {
            id: query.id.as_deref(),
            role,
            text: query.text.as_deref(),
            label: query.label.as_deref(),
            text_part: query.text_contains.as_deref().map(Substring::new),
            label_part: query.label_contains.as_deref().map(Substring::new),
            css: query.css.as_deref(),
        })
    }

    /// Whether `node` meets all conditions but CSS. The cheap ones come first.
    pub(crate) fn matches(&self, node: &Node) -> bool {
        self.role.is_none_or(|role| role == node.role)
            && self.id.is_none_or(|id| id == &*node.id)
            && self.text.is_none_or(|text| text == &*node.text)
            && self.label.is_none_or(|label| label == &*node.label)
            && self
                .text_part
                .as_ref()
                .is_none_or(|part| part.is_in(&node.text))
            && self
                .label_part
                .as_ref()
                .is_none_or(|part| part.is_in(&node.label))
    }
}

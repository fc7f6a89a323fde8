//! Compares a query with a node.

use super::Query;
use std::borrow::Cow;

use crate::{Node, Role, chars};

/// A query prepared for many nodes.
pub(crate) struct CompiledQuery<'q> {
    query: &'q Query,
    pub(crate) id: Option<&'q str>,
    pub(crate) role: Option<Role>,
    pub(crate) text: Option<Cow<'q, str>>,
    pub(crate) label: Option<Cow<'q, str>>,
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
            query,
            id: query.id.as_deref(),
            role,
            text: query.text.as_deref().map(chars::plain_spaces),
            label: query.label.as_deref().map(chars::plain_spaces),
            text_part: query.text_contains.as_deref().map(Substring::new),
            label_part: query.label_contains.as_deref().map(Substring::new),
            css: query.css.as_deref(),
        })
    }

    /// Whether `node` meets all conditions but CSS, whatever its kinds of spaces are. The cheap ones come first.
    pub(crate) fn matches(&self, node: &Node) -> bool {
        self.role.is_none_or(|role| role == node.role)
            && self.id.is_none_or(|id| is_id(id, &node.id))
            && is_value(self.text.as_deref(), &node.text)
            && is_value(self.label.as_deref(), &node.label)
            && self
                .text_part
                .as_ref()
                .is_none_or(|part| part.is_in(&node.text))
            && self
                .label_part
                .as_ref()
                .is_none_or(|part| part.is_in(&node.label))
    }

    /// Whether the texts of a node that matches have the kinds of spaces that the query has.
    pub(crate) fn has_same_spaces(&self, node: &Node) -> bool {
        let is_same = |wanted: &Option<String>, value: &str| {
            wanted.as_deref().is_none_or(|wanted| wanted == value)
        };
        let is_in = |part: &Option<String>, value: &str| {
            part.as_deref().is_none_or(|part| {
                !part.contains(char::is_whitespace)
                    || chars::fold_case(value).contains(&*chars::fold_case(part))
            })
        };
        is_same(&self.query.text, &node.text)
            && is_same(&self.query.label, &node.label)
            && is_in(&self.query.text_contains, &node.text)
            && is_in(&self.query.label_contains, &node.label)
    }
}

/// Whether a wanted id is that of a node: the whole id, or `#` and what a text view writes of it.
pub(crate) fn is_id(wanted: &str, id: &str) -> bool {
    let is_written = |written: &str| {
        let local = id.rsplit_once(":id/").map(|(_, local)| local);
        !written.is_empty() && (written == id || Some(written) == local)
    };
    wanted == id || wanted.strip_prefix('#').is_some_and(is_written)
}

/// Whether a wanted value, with plain spaces, is that of a node.
fn is_value(wanted: Option<&str>, value: &str) -> bool {
    wanted.is_none_or(|wanted| wanted == chars::plain_spaces(value))
}

//! Queries for nodes.

pub(crate) mod matches;

use self::matches::CompiledQuery;
use crate::Node;
use std::fmt;

/// Conditions that must all hold on one node; `None` is no condition.
///
/// `id`, `text` and `label` compare exactly and case-sensitively on the decoded attribute, the `*_contains` fields
/// look for a substring and ignore case, and `role` ignores case. An `id` may be `#name`, as a text view writes it. Every
/// kind of space is a space in texts; among several nodes, look-ups prefer those with the kinds of the query. A query
/// without any condition matches nothing, nor does one whose role is not the name of a [`Role`].
///
/// ```
/// use uitree::Query;
/// let query = Query::new().text("Wi-Fi").role("button");
/// assert_eq!(query.to_string(), r#"role=button text="Wi-Fi""#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query {
    /// Whole resource id.
    pub id: Option<String>,
    /// Role name.
    pub role: Option<String>,
    /// Whole text.
    pub text: Option<String>,
    /// Part of the text.
    pub text_contains: Option<String>,
    /// Whole content description.
    pub label: Option<String>,
    /// Part of the content description.
    pub label_contains: Option<String>,
    /// CSS selector, verbatim as in [`UiTree::marks`](crate::UiTree::marks).
    pub css: Option<String>,
}

impl Query {
    /// An empty query.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the whole resource id, including the package.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the role name.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// Sets the whole text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Sets a part of the text, in any case.
    #[must_use]
    pub fn text_contains(mut self, part: impl Into<String>) -> Self {
        self.text_contains = Some(part.into());
        self
    }

    /// Sets the whole content description.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets a part of the content description, in any case.
    #[must_use]
    pub fn label_contains(mut self, part: impl Into<String>) -> Self {
        self.label_contains = Some(part.into());
        self
    }

    /// Sets a CSS selector.
    #[must_use]
    pub fn css(mut self, selector: impl Into<String>) -> Self {
        self.css = Some(selector.into());
        self
    }

    /// Whether there is no condition.
    pub fn is_empty(&self) -> bool {
        self.conditions().next().is_none()
    }

    /// Whether `node` meets all conditions, regardless of visibility. A query with a CSS selector matches no node
    /// here, since only the tree knows its marks.
    pub fn matches(&self, node: &Node) -> bool {
        self.css.is_none()
            && CompiledQuery::new(self).is_some_and(|compiled| compiled.matches(node))
    }

    /// Conditions that are set, with their names, in the order of the fields.
    fn conditions(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("id", &self.id),
            ("role", &self.role),
            ("text", &self.text),
            ("textContains", &self.text_contains),
            ("label", &self.label),
            ("labelContains", &self.label_contains),
            ("css", &self.css),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_deref()?)))
    }
}

/// Formats as `id=com.shop:id/pay role=button text="Pay now"`; an empty query as `nothing`.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in self.conditions() {
            let bare = !matches!(name, "text" | "textContains" | "label" | "labelContains")
                && !value.is_empty()
                && !value.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"');
            if bare {
                write!(f, "{separator}{name}={value}")?;
            } else {
                write!(f, "{separator}{name}={}", escape::Quoted(value))?;
            }
            separator = " ";
        }
        if separator.is_empty() {
            f.write_str("nothing")?;
        }
        Ok(())
    }
}

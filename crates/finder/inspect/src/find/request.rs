//! A request for an element.

use crate::find::words::lexicon::Relation;
use serde::{Deserialize, Serialize};

/// Describes an element. Every field is a condition, except `description`, which ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Description in natural language: `the login button`.
    pub description: Option<String>,
    /// Text in the element or its name, in any case.
    pub text_contains: Option<String>,
    /// The reference that it is near.
    pub near: Option<Near>,
    /// Attribute values.
    pub attributes: AttributeFilter,
    /// Tag such as `button`; on a phone the widget class or its last part.
    pub tag: Option<String>,
    /// Whether to return only ids and test ids as selectors. Does not change what is found.
    pub strict_stability: bool,
    /// Maximum number of elements to return; 3 by default.
    pub limit: Option<usize>,
}

impl Request {
    /// Maximum number of elements to return by default.
    pub const DEFAULT_LIMIT: usize = 3;

    /// A request with only a description.
    pub fn described(description: impl Into<String>) -> Self {
        Self {
            description: Some(description.into()),
            ..Self::default()
        }
    }

    /// Maximum number of elements to return.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(Self::DEFAULT_LIMIT)
    }

    /// Whether the request has no condition and no description.
    pub fn is_empty(&self) -> bool {
        let blank = |value: &Option<String>| value.as_deref().is_none_or(|it| it.trim().is_empty());
        blank(&self.description)
            && blank(&self.text_contains)
            && blank(&self.tag)
            && self.near.is_none()
            && self.attributes == AttributeFilter::default()
    }
}

/// Conditions on attributes. `*` matches any run of characters; case is ignored. On a phone the resource id is the
/// test id, the content description the `aria-label`, the hint the placeholder, and the widget class the class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeFilter {
    /// Role: `button` matches `<button>`, `<input type=submit>` and `[role=button]`.
    pub role: Option<String>,
    /// `aria-label` or accessible name.
    pub aria_label: Option<String>,
    /// Test id: `data-testid` and similar attributes.
    pub data_testid: Option<String>,
    /// Part of the class attribute.
    pub class_contains: Option<String>,
    /// Placeholder.
    pub placeholder: Option<String>,
    /// Type of an input or a button.
    pub r#type: Option<String>,
}

/// Nearness to a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Near {
    /// The reference.
    pub reference: Reference,
    /// Side of the reference, or inside it; `None` for close in the document.
    pub direction: Option<Direction>,
}

/// A reference. The caller resolves selectors and matchers to positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reference {
    /// Elements at these positions.
    Places(Vec<usize>),
    /// Description or text of the reference.
    Text(String),
}

/// Side of the reference, by the edges of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Its bottom edge is not below the top edge of the reference.
    Above,
    /// Its top edge is not above the bottom edge of the reference.
    Below,
    /// Its right edge is not right of the left edge of the reference.
    Left,
    /// Its left edge is not left of the right edge of the reference.
    Right,
    /// Inside the reference in the document.
    Inside,
}

impl Direction {
    /// Every direction.
    pub const ALL: [Direction; 5] = [
        Direction::Above,
        Direction::Below,
        Direction::Left,
        Direction::Right,
        Direction::Inside,
    ];

    /// Name of the direction.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Left => "left",
            Self::Right => "right",
            Self::Inside => "inside",
        }
    }

    pub(crate) const fn relation(self) -> Relation {
        match self {
            Self::Above => Relation::Over,
            Self::Below => Relation::Under,
            Self::Left => Relation::LeftOf,
            Self::Right => Relation::RightOf,
            Self::Inside => Relation::Inside,
        }
    }

    /// The direction with this name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|direction| direction.as_str().eq_ignore_ascii_case(name))
    }
}

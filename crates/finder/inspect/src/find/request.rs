//! What is asked for.

use serde::{Deserialize, Serialize};

/// A description of an element. Everything that is given must hold, except the words of `description`, which decide
/// the order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is meant, in the words of a person: `the login button`.
    pub description: Option<String>,
    /// Words that are written in it or in its name, in whatever letter case.
    pub text_contains: Option<String>,
    /// What it lies close to.
    pub near: Option<Near>,
    /// What its attributes say.
    pub attributes: AttributeFilter,
    /// Its tag, such as `button`; on a phone the class of its widget or the last part of it.
    pub tag: Option<String>,
    /// Whether only ids and test ids are wanted as selectors. Finding does not depend on it.
    pub strict_stability: bool,
    /// How many elements are wanted at most; 3 where nothing is said.
    pub limit: Option<usize>,
}

impl Request {
    /// How many elements are wanted where nothing is said.
    pub const DEFAULT_LIMIT: usize = 3;

    /// A request with nothing but a description.
    pub fn described(description: impl Into<String>) -> Self {
        Self {
            description: Some(description.into()),
            ..Self::default()
        }
    }

    /// How many elements are wanted at most.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(Self::DEFAULT_LIMIT)
    }

    /// Whether nothing at all is asked for.
    pub fn is_empty(&self) -> bool {
        let blank = |value: &Option<String>| value.as_deref().is_none_or(|it| it.trim().is_empty());
        blank(&self.description)
            && blank(&self.text_contains)
            && blank(&self.tag)
            && self.near.is_none()
            && self.attributes == AttributeFilter::default()
    }
}

/// What the attributes of the element say. Every value may hold `*` for any run of characters, none included; letter case
/// does not matter. On a phone the resource id stands for the test id, the content description for the `aria-label`, the
/// hint for the placeholder and the class of the widget for the class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeFilter {
    /// Its role: `button` is a `<button>`, an `<input type=submit>` and a `[role=button]` alike.
    pub role: Option<String>,
    /// Its `aria-label`, or its accessible name.
    pub aria_label: Option<String>,
    /// Its test id: `data-testid` and its sisters.
    pub data_testid: Option<String>,
    /// A part of its class attribute.
    pub class_contains: Option<String>,
    /// Its placeholder.
    pub placeholder: Option<String>,
    /// The type of an input or a button.
    pub r#type: Option<String>,
}

/// What the element lies close to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Near {
    /// What it is close to.
    pub reference: Reference,
    /// On which side of it, or inside; `None` for close in the document.
    pub direction: Option<Direction>,
}

/// What an element is close to. A selector or a matcher is resolved by whoever can, and given as places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reference {
    /// The elements at these places of the document.
    Places(Vec<usize>),
    /// A description, or words that are written there.
    Text(String),
}

/// On which side of the reference an element lies, by the edges of their rectangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Its lower edge is not below the reference's upper edge.
    Above,
    /// Its upper edge is not above the reference's lower edge.
    Below,
    /// Its right edge is not right of the reference's left edge.
    Left,
    /// Its left edge is not left of the reference's right edge.
    Right,
    /// It lies inside the reference in the document.
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

    /// The name of the direction.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Left => "left",
            Self::Right => "right",
            Self::Inside => "inside",
        }
    }

    /// The direction of this name, whatever its letter case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|direction| direction.as_str().eq_ignore_ascii_case(name))
    }
}

//! Selectors and their stability.

use dom::ScopeKind;
use serde::{Deserialize, Serialize};
use uitree::{Point, Query};

macro_rules! strategies {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $words:literal;)+) => {
        /// The property that a selector uses, the most stable first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Strategy { $($(#[$doc])* $variant,)+ }

        impl Strategy {
            /// Every strategy.
            pub const ALL: &'static [Strategy] = &[$(Strategy::$variant,)+];

            /// Name in output.
            pub const fn as_str(self) -> &'static str {
                match self { $(Strategy::$variant => $name,)+ }
            }

            /// Name in text.
            pub const fn words(self) -> &'static str {
                match self { $(Strategy::$variant => $words,)+ }
            }
        }
    };
}

strategies! {
    /// Id, or resource id of a phone.
    Id = "id", "ID (direct reference)";
    /// Test id.
    TestId = "test-id", "Test attribute";
    /// `aria-label`, or content description of a phone.
    Label = "label", "Label";
    /// Role and label.
    RoleLabel = "role+label", "Role + label";
    /// Tooltip.
    Title = "title", "Title";
    /// Type of an input or a button.
    Type = "type", "Type";
    /// Form name, or target of a label.
    Name = "name", "Form name";
    /// Address.
    Href = "href", "Address";
    /// Alternative text.
    Alt = "alt", "Alternative text";
    /// Whole text.
    Text = "text", "Text";
    /// Unique set of classes.
    Classes = "classes", "Class combination";
    /// Id with text or label.
    IdText = "id+text", "ID + text";
    /// Placeholder.
    Placeholder = "placeholder", "Placeholder";
    /// Value of a control.
    Value = "value", "Value";
    /// Custom attribute.
    Data = "data", "Data attribute";
    /// Stable part of the text.
    TextPart = "text-part", "Part of the text";
    /// Inside a stable ancestor.
    Scoped = "scoped", "Scoped";
    /// By the content of its row, card or entry.
    Row = "row", "Row (by what it holds)";
    /// Tag and classes.
    TagClass = "tag+class", "Tag + class";
    /// Role and text.
    RoleText = "role+text", "Role + text";
    /// `role` attribute, or role alone.
    Role = "role", "Role";
    /// Unique tag.
    Tag = "tag", "Tag";
    /// Position among siblings, or on the screen.
    Position = "position", "Position";
}

/// Form of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorForm {
    /// CSS selector for the tree of the element.
    Css {
        /// Frames and shadow hosts around it, the outermost first.
        chain: Vec<Link>,
        /// Selector in the innermost one.
        css: String,
    },
    /// Conditions on a node. The first match counts.
    Matcher {
        /// Conditions.
        query: Query,
        /// Conditions on a container. Its first match is searched.
        container: Option<Box<Query>>,
    },
    /// Point on the screen, in device pixels.
    Point(Point),
}

/// A frame or shadow host around an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Kind of the inner tree.
    pub into: ScopeKind,
    /// Unique selector of the frame or host in its own tree.
    pub css: String,
}

/// A selector for an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Form.
    pub how: SelectorForm,
    /// What it uses.
    pub strategy: Strategy,
    /// Probability in percent that it matches the same element after changes.
    pub stability: u8,
    /// Number of elements that it matches.
    pub matches: usize,
    /// Reason for a reduced stability.
    pub why: Option<String>,
}

impl Selector {
    /// The whole CSS selector, with `>>>` before the selector inside each frame or shadow tree. `None` if it is not
    /// CSS.
    pub fn css(&self) -> Option<String> {
        match &self.how {
            SelectorForm::Css { chain, css } => {
                let hosts = chain.iter().map(|link| link.css.as_str());
                let parts: Vec<&str> = hosts.chain([css.as_str()]).collect();
                Some(parts.join(" >>> "))
            }
            SelectorForm::Matcher { .. } | SelectorForm::Point(_) => None,
        }
    }

    /// Whether it is a handwritten id or test id.
    pub const fn is_strict(&self) -> bool {
        matches!(self.strategy, Strategy::Id | Strategy::TestId) && self.stability > GENERATED
    }
}

/// Stability of a generated value.
pub(crate) const GENERATED: u8 = 40;

/// Which selectors to return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StabilityFilter {
    /// All.
    #[default]
    Any,
    /// Handwritten ids and test ids.
    Strict,
}

/// Sorts by number of matches, stability and length, and drops duplicates.
pub(crate) fn rank(selectors: &mut Vec<Selector>, wanted: StabilityFilter, limit: usize) {
    if wanted == StabilityFilter::Strict {
        selectors.retain(|selector| selector.is_strict() && selector.matches == 1);
    }
    selectors.sort_by_key(|selector| {
        // Several matches are better than a point. Matchers keep their order.
        let (class, length) = match &selector.how {
            SelectorForm::Css { css, .. } => (u8::from(selector.matches > 1), css.len()),
            SelectorForm::Matcher { .. } => (u8::from(selector.matches > 1), 0),
            SelectorForm::Point(_) => (2, 0),
        };
        let stability = std::cmp::Reverse(selector.stability);
        (class, stability, selector.strategy, length)
    });
    // The more stable one of equal selectors stays.
    let mut kept: Vec<Selector> = Vec::with_capacity(selectors.len().min(limit));
    for selector in selectors.drain(..) {
        if kept.len() < limit && kept.iter().all(|other| other.how != selector.how) {
            kept.push(selector);
        }
    }
    *selectors = kept;
}

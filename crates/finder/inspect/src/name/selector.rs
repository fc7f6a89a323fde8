//! A way to name an element, and how long it will last.

use dom::ScopeKind;
use serde::{Deserialize, Serialize};
use uitree::{Point, Query};

macro_rules! strategies {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $words:literal;)+) => {
        /// By what a selector goes, the most lasting first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Strategy { $($(#[$doc])* $variant,)+ }

        impl Strategy {
            /// Every strategy.
            pub const ALL: &'static [Strategy] = &[$(Strategy::$variant,)+];

            /// Its name in documents.
            pub const fn as_str(self) -> &'static str {
                match self { $(Strategy::$variant => $name,)+ }
            }

            /// Its name for people.
            pub const fn words(self) -> &'static str {
                match self { $(Strategy::$variant => $words,)+ }
            }
        }
    };
}

strategies! {
    /// The element's id, or the resource id of a phone.
    Id = "id", "ID (direct reference)";
    /// An attribute that is there for tests.
    TestId = "test-id", "Test attribute";
    /// `aria-label`, or the content description of a phone.
    Label = "label", "Label";
    /// The role together with the label.
    RoleLabel = "role+label", "Role + label";
    /// The tooltip.
    Title = "title", "Title";
    /// The type of an input or a button.
    Type = "type", "Type";
    /// The name under which a form sends it, or the id of the control that a label is for.
    Name = "name", "Form name";
    /// Where it leads.
    Href = "href", "Address";
    /// The words in place of a picture.
    Alt = "alt", "Alternative text";
    /// Exactly what is written in it.
    Text = "text", "Text";
    /// Classes that nothing else has together.
    Classes = "classes", "Class combination";
    /// The id together with text or label.
    IdText = "id+text", "ID + text";
    /// What stands in an empty field.
    Placeholder = "placeholder", "Placeholder";
    /// The value that a control stands for.
    Value = "value", "Value";
    /// An attribute of the author's own.
    Data = "data", "Data attribute";
    /// The part of the text that stays.
    TextPart = "text-part", "Part of the text";
    /// A lasting element around it, and what it is in there.
    Scoped = "scoped", "Scoped";
    /// What only its row, card or entry holds, and what it is in there.
    Row = "row", "Row (by what it holds)";
    /// The tag and classes.
    TagClass = "tag+class", "Tag + class";
    /// What it is and what is written in it.
    RoleText = "role+text", "Role + text";
    /// The attribute `role`, or the role alone.
    Role = "role", "Role";
    /// The only one of its tag.
    Tag = "tag", "Tag";
    /// Where it stands among its neighbours, or on the screen.
    Position = "position", "Position";
}

/// How a selector is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// A CSS selector for the tree of elements that the element belongs to.
    Css {
        /// The frames and shadow hosts to go through, the outermost first.
        chain: Vec<Link>,
        /// The selector in the innermost of them.
        css: String,
    },
    /// What holds on the node; the first node on which it does is taken.
    Matcher {
        /// The conditions.
        query: Query,
        /// Conditions on a node around it; the search goes on inside the first on which they hold.
        container: Option<Box<Query>>,
    },
    /// A place on the screen as it is now, in device pixels.
    Point(Point),
}

/// A frame or a shadow host on the way to an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What is entered through it.
    pub into: ScopeKind,
    /// What hits the frame element or the host, and nothing else in its own tree.
    pub css: String,
}

/// A way to name an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// How it is written.
    pub how: How,
    /// By what it goes.
    pub strategy: Strategy,
    /// How likely it is to name the same element when the page or the app has changed, from 0 to 100.
    pub stability: u8,
    /// How many elements it hits, this one included.
    pub matches: usize,
    /// Why it is less stable than others that go by the same.
    pub why: Option<String>,
}

impl Selector {
    /// The whole CSS selector; its parts are parted by `>>>`, behind which a selector of its own begins inside the frame
    /// or shadow tree of what stands before it. `None` for one that is no CSS.
    pub fn css(&self) -> Option<String> {
        match &self.how {
            How::Css { chain, css } => {
                let hosts = chain.iter().map(|link| link.css.as_str());
                let parts: Vec<&str> = hosts.chain([css.as_str()]).collect();
                Some(parts.join(" >>> "))
            }
            How::Matcher { .. } | How::Point(_) => None,
        }
    }

    /// Whether it is one of those that last: an id or a test id that no program has made up.
    pub const fn is_strict(&self) -> bool {
        matches!(self.strategy, Strategy::Id | Strategy::TestId) && self.stability > GENERATED
    }
}

/// What a value that a program has made up is good for.
pub(crate) const GENERATED: u8 = 40;

/// Which selectors are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// All that there are.
    #[default]
    Any,
    /// Ids and test ids only, and of those only what no program has made up.
    Strict,
}

/// Puts the most lasting first, those that hit one element before the others, and short ones before long ones.
pub(crate) fn rank(selectors: &mut Vec<Selector>, wanted: Wanted, limit: usize) {
    if wanted == Wanted::Strict {
        selectors.retain(|selector| selector.is_strict() && selector.matches == 1);
    }
    selectors.sort_by_key(|selector| {
        // One of several is still better than where it lies now. Matchers come as the screen has their words.
        let (class, length) = match &selector.how {
            How::Css { css, .. } => (u8::from(selector.matches > 1), css.len()),
            How::Matcher { .. } => (u8::from(selector.matches > 1), 0),
            How::Point(_) => (2, 0),
        };
        let stability = std::cmp::Reverse(selector.stability);
        (class, stability, selector.strategy, length)
    });
    // What says the same in two ways stays where it is worth more.
    let mut kept: Vec<Selector> = Vec::with_capacity(selectors.len().min(limit));
    for selector in selectors.drain(..) {
        if kept.len() < limit && kept.iter().all(|other| other.how != selector.how) {
            kept.push(selector);
        }
    }
    *selectors = kept;
}

//! The flags that several commands share.

use super::{Flag, FlagSet, Takes};

macro_rules! flag {
    ($(#[$doc:meta])* $id:ident = $name:literal $(| $alias:literal)*, $takes:expr, $help:literal) => {
        $(#[$doc])*
        pub(crate) static $id: Flag = Flag {
            name: $name,
            aliases: &[$($alias),*],
            takes: $takes,
            help: $help,
        };
    };
}

flag!(
    /// A whole matcher.
    SELECTOR = "--selector", Takes::One("<json>"),
    "The element as a NodeMatcher in JSON, instead of the flags below"
);
flag!(
    /// Exact text.
    TEXT = "--text", Takes::One("<text>"),
    "The element's exact text"
);
flag!(
    /// A part of the text.
    TEXT_CONTAINS = "--text-contains", Takes::One("<text>"),
    "A substring of the element's text, ignoring case"
);
flag!(
    /// Resource id.
    ID = "--id" | "--resource-id", Takes::One("<id>"),
    "The element's exact resource id"
);
flag!(
    /// Exact description.
    DESC = "--desc" | "--content-desc", Takes::One("<text>"),
    "The element's exact content description"
);
flag!(
    /// A part of the description.
    DESC_CONTAINS = "--desc-contains" | "--content-desc-contains", Takes::One("<text>"),
    "A substring of the element's content description, ignoring case"
);
flag!(
    /// Role.
    ROLE = "--role", Takes::One("<role>"),
    "The element's role, such as button, textfield or listitem"
);
flag!(
    /// CSS selector.
    CSS = "--css", Takes::One("<selector>"),
    "A CSS selector, on web pages; 'host >>> inner' reaches into a shadow tree or frame"
);
flag!(
    /// What a screenshot may replace.
    FORCE = "--force", Takes::Nothing,
    "Let a screenshot overwrite a file that is not a PNG image"
);
flag!(
    /// A whole matcher for the container.
    CONTAINER_SELECTOR = "--container-selector", Takes::One("<json>"),
    "The container as a NodeMatcher in JSON, instead of the flags below"
);
flag!(
    /// The container's exact text.
    CONTAINER_TEXT = "--container-text", Takes::One("<text>"),
    "The container's exact text"
);
flag!(
    /// A part of the container's text.
    CONTAINER_TEXT_CONTAINS = "--container-text-contains", Takes::One("<text>"),
    "A substring of the container's text, ignoring case"
);
flag!(
    /// The container's resource id.
    CONTAINER_ID = "--container-id" | "--container-resource-id", Takes::One("<id>"),
    "The container's exact resource id"
);
flag!(
    /// The container's exact description.
    CONTAINER_DESC = "--container-desc" | "--container-content-desc", Takes::One("<text>"),
    "The container's exact content description"
);
flag!(
    /// A part of the container's description.
    CONTAINER_DESC_CONTAINS = "--container-desc-contains" | "--container-content-desc-contains",
    Takes::One("<text>"),
    "A substring of the container's content description, ignoring case"
);
flag!(
    /// The container's role.
    CONTAINER_ROLE = "--container-role", Takes::One("<role>"),
    "The container's role, such as list"
);
flag!(
    /// The container's CSS selector.
    CONTAINER_CSS = "--container-css", Takes::One("<selector>"),
    "The container as a CSS selector, on web pages"
);
flag!(
    /// Check and print, do not run.
    VALIDATE_ONLY = "--validate-only" | "--validate", Takes::Nothing,
    "Validate the plan and print it as it would be sent, without using a device"
);
flag!(
    /// Check and outline, do not run.
    DRY_RUN = "--dry-run", Takes::Nothing,
    "Validate the plan and print its outline, without using a device"
);
flag!(
    /// Every match instead of the first.
    ALL = "--all", Takes::Nothing,
    "Read all matches instead of the first; requires --json"
);
flag!(
    /// Direction of scrolling.
    DIRECTION = "--direction", Takes::Word("<direction>", directions),
    "The direction: down, up, left or right"
);

/// The flags that say which element is meant.
pub(crate) const ELEMENT: FlagSet = FlagSet {
    heading: "Element selector (all given flags must match)",
    flags: &[
        &SELECTOR,
        &TEXT,
        &TEXT_CONTAINS,
        &ID,
        &DESC,
        &DESC_CONTAINS,
        &ROLE,
        &CSS,
    ],
};

/// The flags that say in which container to look.
pub(crate) const CONTAINER: FlagSet = FlagSet {
    heading: "Container selector (where to search; default: the whole screen)",
    flags: &[
        &CONTAINER_SELECTOR,
        &CONTAINER_TEXT,
        &CONTAINER_TEXT_CONTAINS,
        &CONTAINER_ID,
        &CONTAINER_DESC,
        &CONTAINER_DESC_CONTAINS,
        &CONTAINER_ROLE,
        &CONTAINER_CSS,
    ],
};

/// The flags that keep a plan from being run.
pub(crate) const REHEARSE: FlagSet = FlagSet {
    heading: "Validation",
    flags: &[&VALIDATE_ONLY, &DRY_RUN],
};

/// The words for directions.
pub(crate) fn directions() -> Vec<&'static str> {
    contract::Direction::ALL
        .iter()
        .map(|direction| direction.as_str())
        .collect()
}

/// The words for keys.
pub(crate) fn keys() -> Vec<&'static str> {
    contract::Key::ALL.iter().map(|key| key.as_str()).collect()
}

//! The flags that several commands share.

use super::{FlagSet, FlagValue, flags};

flags! {
    SELECTOR = "--selector", FlagValue::Text("<json>"),
        "The element as a NodeMatcher in JSON, or as a text view prints it, instead of the flags below";
    TEXT = "--text", FlagValue::Text("<text>"),
        "The element's exact text";
    TEXT_CONTAINS = "--text-contains", FlagValue::Text("<text>"),
        "A substring of the element's text, ignoring case";
    ID = "--id" | "--resource-id", FlagValue::Text("<id>"),
        "The element's exact resource id, or #name as a text view prints it";
    DESC = "--desc" | "--content-desc", FlagValue::Text("<text>"),
        "The element's exact content description";
    DESC_CONTAINS = "--desc-contains" | "--content-desc-contains", FlagValue::Text("<text>"),
        "A substring of the element's content description, ignoring case";
    ROLE = "--role", FlagValue::Text("<role>"),
        "The element's role, such as button, textfield or listitem";
    CSS = "--css", FlagValue::Text("<selector>"),
        "A CSS selector, on web pages; 'host >>> inner' reaches into a shadow tree or frame";
    REF = "--ref", FlagValue::Text("<ref>"),
        "A reference of the element, such as e12, or what a text view prints of it, such as 'button \"Save\"'; instead of all other flags";
    FORCE = "--force", FlagValue::Switch,
        "Let a screenshot overwrite a file that is not a PNG or JPEG image";
    CONTAINER_SELECTOR = "--container-selector", FlagValue::Text("<json>"),
        "The container as a NodeMatcher in JSON, or as a text view prints it, instead of the flags below";
    CONTAINER_TEXT = "--container-text", FlagValue::Text("<text>"),
        "The container's exact text";
    CONTAINER_TEXT_CONTAINS = "--container-text-contains", FlagValue::Text("<text>"),
        "A substring of the container's text, ignoring case";
    CONTAINER_ID = "--container-id" | "--container-resource-id", FlagValue::Text("<id>"),
        "The container's exact resource id";
    CONTAINER_DESC = "--container-desc" | "--container-content-desc", FlagValue::Text("<text>"),
        "The container's exact content description";
    CONTAINER_DESC_CONTAINS = "--container-desc-contains" | "--container-content-desc-contains",
        FlagValue::Text("<text>"),
        "A substring of the container's content description, ignoring case";
    CONTAINER_ROLE = "--container-role", FlagValue::Text("<role>"),
        "The container's role, such as list";
    CONTAINER_CSS = "--container-css", FlagValue::Text("<selector>"),
        "The container as a CSS selector, on web pages";
    CONTAINER_REF = "--container-ref", FlagValue::Text("<ref>"),
        "A reference of the container, such as e3, or what a text view prints of it; instead of all other container flags";
    VALIDATE_ONLY = "--validate-only" | "--validate", FlagValue::Switch,
        "Validate the plan and print it as it would be sent, without using a device";
    DRY_RUN = "--dry-run", FlagValue::Switch,
        "Validate the plan and print its outline, without using a device";
    ALL = "--all", FlagValue::Switch,
        "Read all matches instead of the first; requires --json";
    IF_PRESENT = "--if-present", FlagValue::Switch,
        "Succeed without doing anything if the element is not found; data.skipped says so";
    DIRECTION = "--direction", FlagValue::OneOf("<direction>", directions),
        "The direction: down, up, left or right";
}

/// The flags that select an element.
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
        &REF,
    ],
};

/// The flags that select a container.
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
        &CONTAINER_REF,
    ],
};

/// What happens if the element is missing.
pub(crate) const MISSING: FlagSet = FlagSet {
    heading: "Missing element",
    flags: &[&IF_PRESENT],
};

pub(crate) const VALIDATION: FlagSet = FlagSet {
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

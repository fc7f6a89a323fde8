//! The page of limits.

use super::markdown::Page;
use crate::limits;

pub(super) fn page() -> String {
    let mut page = Page::titled("Limits");
    page.paragraph(
        "Payloads beyond a limit are refused. Lengths count UTF-16 code units. For the limits of params see [Actions](actions.md).",
    );
    let characters = |max: usize| format!("{max} characters");
    let bytes = |max: usize| format!("{max} bytes");
    let rows = [
        (
            "actions in one execution",
            format!("1 to {}", limits::MAX_ACTIONS),
        ),
        (
            "size of the normalised execution as compact JSON",
            bytes(limits::MAX_PAYLOAD_BYTES),
        ),
        ("size of the payload as sent", bytes(limits::MAX_TEXT_BYTES)),
        (
            "`timeoutMs` of an execution",
            format!(
                "{} to {}",
                limits::MIN_EXECUTION_TIMEOUT_MS,
                limits::MAX_EXECUTION_TIMEOUT_MS
            ),
        ),
        (
            "`commandId`, `taskId`, `id`, `sessionId`",
            characters(limits::MAX_ID_LENGTH),
        ),
        ("`source`", characters(limits::MAX_SOURCE_LENGTH)),
        ("`type`", characters(limits::MAX_TYPE_LENGTH)),
        (
            "each value of a matcher",
            characters(limits::MAX_MATCHER_VALUE_LENGTH),
        ),
        ("`text`", characters(limits::MAX_TEXT_LENGTH)),
        ("`expectedPackage`", characters(limits::MAX_PACKAGE_LENGTH)),
        ("`uri`", characters(limits::MAX_URI_LENGTH)),
        ("`validatorPattern`", characters(limits::MAX_PATTERN_LENGTH)),
        (
            "matching `validatorPattern` in one step, over all texts",
            format!("{} steps of the pattern engine", limits::MAX_PATTERN_STEPS),
        ),
    ];
    page.table(
        ["what", "limit"],
        rows.map(|(what, limit)| [what.to_owned(), limit]),
    );
    page.paragraph(
        "For the limits of app files of the simulated phone see [App format](app-format.md#limits).",
    );
    page.finish()
}

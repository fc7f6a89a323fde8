//! Every limit of the contract, in one place.
//!
//! Lengths of strings count UTF-16 units, sizes count UTF-8 bytes, times are milliseconds.

/// The maximum number of actions of an execution.
pub const MAX_ACTIONS: usize = 50;
/// The maximum size of the normalized execution as compact JSON, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 64_000;
/// The maximum size of the raw text, including white space, before parsing.
pub const MAX_TEXT_BYTES: usize = 1_048_576;

/// The shortest time limit of an execution.
pub const MIN_EXECUTION_TIMEOUT_MS: u32 = 1_000;
/// The longest time limit of an execution.
pub const MAX_EXECUTION_TIMEOUT_MS: u32 = 120_000;

/// The maximum length of `commandId`, `taskId`, an action's `id` and `sessionId`.
pub const MAX_ID_LENGTH: usize = 128;
/// The maximum length of `source`.
pub const MAX_SOURCE_LENGTH: usize = 64;
/// The maximum length of an action's `type`.
pub const MAX_TYPE_LENGTH: usize = 64;
/// The maximum length of one value of a matcher.
pub const MAX_MATCHER_VALUE_LENGTH: usize = 512;
/// The maximum length of a matcher's `css`, which may be a chain of selectors.
pub const MAX_CSS_LENGTH: usize = 2_048;
/// The maximum length of a matcher's `line`.
pub const MAX_LINE_LENGTH: usize = 2_048;
/// The maximum length of a matcher's `ref`.
pub const MAX_REF_LENGTH: usize = 11;
/// The maximum length of the text that `enter_text` enters.
pub const MAX_TEXT_LENGTH: usize = 512;
/// The maximum number of options of `select_options`.
pub const MAX_OPTIONS: usize = 50;
/// The maximum number of files of `upload`.
pub const MAX_FILES: usize = 20;
/// The maximum length of the path of a file of `upload`.
pub const MAX_FILE_PATH_LENGTH: usize = 4_096;
/// The smallest width and height of the page in a window.
pub const MIN_WINDOW_SIDE: u32 = 100;
/// The largest width and height of the page in a window.
pub const MAX_WINDOW_SIDE: u32 = 10_000;
/// The smallest `maxSide` of a screenshot.
pub const MIN_PICTURE_SIDE: u32 = 64;
/// The largest `maxSide` of a screenshot.
pub const MAX_PICTURE_SIDE: u32 = 4_096;
/// The shortest `durationMs` of `drag`.
pub const MIN_DRAG_MS: u32 = 0;
/// The longest `durationMs` of `drag`.
pub const MAX_DRAG_MS: u32 = 30_000;
/// The maximum length of `expectedPackage`.
pub const MAX_PACKAGE_LENGTH: usize = 512;
/// The maximum length of `uri`.
pub const MAX_URI_LENGTH: usize = 2_048;
/// The maximum length of `validatorPattern` and of the `pattern` of a condition; a pattern is compiled during validation.
pub const MAX_PATTERN_LENGTH: usize = 512;
/// The budget of `validatorPattern` in one step of a plan, in operations of the pattern engine, over all texts that it reads.
pub const MAX_PATTERN_STEPS: u32 = 20_000_000;

/// The smallest `budget` of a snapshot, in tokens.
pub const MIN_VIEW_BUDGET: u32 = 50;
/// The largest `budget` of a snapshot, in tokens.
pub const MAX_VIEW_BUDGET: u32 = 100_000;

/// The largest coordinate.
pub const MAX_COORDINATE: u32 = i32::MAX as u32;
/// The longest `sleep`.
pub const MAX_SLEEP_MS: u32 = 120_000;
/// The shortest wait of `wait_for_node` and `wait_until`; a smaller value is raised to it.
pub const MIN_WAIT_MS: u32 = 1;
/// The longest wait of `wait_for_node` and `wait_until`; a larger value is lowered to it.
pub const MAX_WAIT_MS: u32 = 120_000;
/// How long `wait_until` waits by default.
pub const DEFAULT_WAIT_MS: u32 = 6_500;
/// The maximum number of conditions of `wait_until`.
pub const MAX_CONDITIONS: usize = 10;
/// The maximum length of a text in a condition, which may be an address.
pub const MAX_CONDITION_TEXT_LENGTH: usize = 2_048;
/// The largest number of nodes in a condition.
pub const MAX_COUNT: u32 = 100_000;
/// The longest time without a change in a condition.
pub const MAX_QUIET_MS: u32 = 60_000;
/// The longest wait of `wait_for_navigation`.
pub const MAX_NAVIGATION_MS: u32 = 30_000;

/// The maximum number of rules for interruptions of an execution.
pub const MAX_INTERRUPTS: usize = 10;
/// The largest `max` of a rule for interruptions.
pub const MAX_INTERRUPT_TIMES: u32 = 20;
/// The maximum number of matchers in `never` of a rule for interruptions.
pub const MAX_NEVER: usize = 10;

/// The longest pause after a scroll step.
pub const MAX_SETTLE_DELAY_MS: u32 = 10_000;
/// The maximum number of steps of `scroll_until`.
pub const MAX_SCROLLS: u32 = 200;
/// The longest duration of `scroll_until`.
pub const MAX_SCROLL_DURATION_MS: u32 = 120_000;
/// The largest `noPositionChangeThreshold`.
pub const MAX_NO_CHANGE_THRESHOLD: u32 = 20;
/// The maximum number of swipes of `scroll_and_click`; a larger value is lowered to it.
pub const MAX_SWIPES: u32 = 50;

/// The default distance of a scroll step, as a fraction of the container.
pub const DEFAULT_DISTANCE_RATIO: f64 = 0.7;
/// The default pause after a scroll step.
pub const DEFAULT_SETTLE_DELAY_MS: u32 = 250;
/// The default number of steps of `scroll_until`.
pub const DEFAULT_MAX_SCROLLS: u32 = 20;
/// The default duration of `scroll_until`.
pub const DEFAULT_SCROLL_DURATION_MS: u32 = 10_000;
/// The default number of steps without movement after which `scroll_until` stops.
pub const DEFAULT_NO_CHANGE_THRESHOLD: u32 = 3;
/// The default number of swipes of `scroll_and_click`.
pub const DEFAULT_MAX_SWIPES: u32 = 10;

/// The maximum number of attempts of a retry object, including the first.
pub const MAX_RETRY_ATTEMPTS: u32 = 10;
/// The longest pause before the first retry.
pub const MAX_RETRY_INITIAL_DELAY_MS: u32 = 30_000;
/// The longest pause between two attempts.
pub const MAX_RETRY_DELAY_MS: u32 = 60_000;
/// The maximum factor by which the pause grows between attempts.
pub const MAX_RETRY_BACKOFF: f64 = 5.0;

/// The number of problems that are listed; the rest is counted.
pub(crate) const MAX_LISTED_PROBLEMS: usize = 50;

/// The maximum length of a string in UTF-16 units.
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Whether a string is empty or white space.
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

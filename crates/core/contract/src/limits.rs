//! Every limit of the contract, in one place.
//!
//! Lengths of strings count UTF-16 units, sizes count UTF-8 bytes, times are milliseconds.

/// How many actions one execution may hold.
pub const MAX_ACTIONS: usize = 50;
/// The size of the normalised execution as compact JSON, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 64_000;
/// The size of the text handed in, white space and all, before anything reads it.
pub const MAX_TEXT_BYTES: usize = 1_048_576;

/// The shortest time an execution may be given.
pub const MIN_EXECUTION_TIMEOUT_MS: u32 = 1_000;
/// The longest time an execution may be given.
pub const MAX_EXECUTION_TIMEOUT_MS: u32 = 120_000;

/// The length of `commandId`, `taskId`, an action's `id` and `sessionId`.
pub const MAX_ID_LENGTH: usize = 128;
/// The length of `source`.
pub const MAX_SOURCE_LENGTH: usize = 64;
/// The length of an action's `type`.
pub const MAX_TYPE_LENGTH: usize = 64;
/// The length of one value of a matcher.
pub const MAX_MATCHER_VALUE_LENGTH: usize = 512;
/// The length of a matcher's `css`, which may be a chain of selectors.
pub const MAX_CSS_LENGTH: usize = 2_048;
/// The length of the text that `enter_text` enters.
pub const MAX_TEXT_LENGTH: usize = 512;
/// The length of `expectedPackage`.
pub const MAX_PACKAGE_LENGTH: usize = 512;
/// The length of `uri`.
pub const MAX_URI_LENGTH: usize = 2_048;
/// The length of `validatorPattern`; a pattern is compiled before it is accepted.
pub const MAX_PATTERN_LENGTH: usize = 512;
/// The steps that matching `validatorPattern` may take in one step of a plan, over all texts that it reads.
pub const MAX_PATTERN_STEPS: u32 = 20_000_000;

/// The largest coordinate that can be asked for.
pub const MAX_COORDINATE: u32 = i32::MAX as u32;
/// The longest `sleep`.
pub const MAX_SLEEP_MS: u32 = 120_000;
/// The shortest time `wait_for_node` waits; a smaller value is raised to it.
pub const MIN_WAIT_MS: u32 = 1;
/// The longest time `wait_for_node` waits; a larger value is lowered to it.
pub const MAX_WAIT_MS: u32 = 120_000;
/// The longest time `wait_for_navigation` waits.
pub const MAX_NAVIGATION_MS: u32 = 30_000;

/// The longest pause after a scroll step.
pub const MAX_SETTLE_DELAY_MS: u32 = 10_000;
/// How many scroll steps `scroll_until` may make.
pub const MAX_SCROLLS: u32 = 200;
/// The longest time `scroll_until` may scroll.
pub const MAX_SCROLL_DURATION_MS: u32 = 120_000;
/// The largest `noPositionChangeThreshold`.
pub const MAX_NO_CHANGE_THRESHOLD: u32 = 20;
/// How many swipes `scroll_and_click` may make; a larger value is lowered to it.
pub const MAX_SWIPES: u32 = 50;

/// The share of the container that one scroll step covers, unless told otherwise.
pub const DEFAULT_DISTANCE_RATIO: f64 = 0.7;
/// The pause after a scroll step, unless told otherwise.
pub const DEFAULT_SETTLE_DELAY_MS: u32 = 250;
/// The scroll steps of `scroll_until`, unless told otherwise.
pub const DEFAULT_MAX_SCROLLS: u32 = 20;
/// The time of `scroll_until`, unless told otherwise.
pub const DEFAULT_SCROLL_DURATION_MS: u32 = 10_000;
/// The still steps after which `scroll_until` stops, unless told otherwise.
pub const DEFAULT_NO_CHANGE_THRESHOLD: u32 = 3;
/// The swipes of `scroll_and_click`, unless told otherwise.
pub const DEFAULT_MAX_SWIPES: u32 = 10;

/// The most attempts a retry object can ask for, the first one included.
pub const MAX_RETRY_ATTEMPTS: u32 = 10;
/// The longest pause before the first retry.
pub const MAX_RETRY_INITIAL_DELAY_MS: u32 = 30_000;
/// The longest pause between two attempts.
pub const MAX_RETRY_DELAY_MS: u32 = 60_000;
/// The steepest growth of the pause between attempts.
pub const MAX_RETRY_BACKOFF: f64 = 5.0;

/// How many problems of one payload are listed; the rest is counted.
pub(crate) const MAX_LISTED_PROBLEMS: usize = 50;

/// The length of a string as the contract counts it.
#[must_use]
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Whether a string is empty or nothing but white space.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

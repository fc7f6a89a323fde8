//! What a page is still loading.

use std::time::Duration;

use tokio::time::Instant;

/// What a page is still loading. Only recent loads count; longer ones, such as streams, are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loading {
    /// Whether its document is loading, or the next one.
    pub document: bool,
    /// The number of requests of its scripts, styles, frames and for data that have no answer yet.
    pub requests: usize,
    /// The number of its web sockets whose answer to a message after an input is awaited.
    pub messages: usize,
    /// When its document or one of these requests last got its answer: the page needs time to render it.
    pub ended_at: Option<Instant>,
    /// The number of its parts that are marked as busy (`aria-busy`) or are spinners, on the last observation.
    pub busy_parts: usize,
    /// How long animations still run that show, hide or move something, not zero until the observation after
    /// their end. Those that take longer than a change from one state to another are left out.
    pub animated: Duration,
    /// Since when it is known that nothing has changed it, as of the last observation: it reported no change, and got no input.
    pub unchanged_since: Option<Instant>,
    /// The number of timers that its scripts have started between observations: their changes come later.
    pub timers: u64,
    /// Whether its main part is still empty, on the last observation.
    pub main_is_empty: bool,
    /// Whether it is `about:blank`, which has no content to load.
    pub is_blank: bool,
}

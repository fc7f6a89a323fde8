//! The phone's virtual clock and its scheduled events.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sim_format::effects::{Effects, Fetch};
use sim_format::expr::Scope;

/// The wall-clock time at the phone's start, in milliseconds since 1970: 2026-01-01 09:00:00 UTC.
pub(crate) const EPOCH_MS: u64 = 1_767_258_000_000;

#[derive(Clone, Debug)]
pub(crate) enum TimerKind {
    /// Effects of an app, and the interval at which they repeat.
    Effects {
        app: Arc<str>,
        /// They are cancelled when this window closes.
        window: Option<u64>,
        effects: Effects,
        scope: Arc<Scope>,
        every: Option<Duration>,
    },
    /// A widget in a window appears or disappears.
    Moment(u64),
    Fetched {
        app: Arc<str>,
        fetch: Arc<Fetch>,
        scope: Arc<Scope>,
        ok: bool,
        took: Duration,
    },
    Ready(Arc<str>),
    ToastEnds,
    SnackbarEnds(u64),
    BannerEnds(u64),
    LongPress,
    Frame,
    Fault(u64),
}

/// The virtual time and the scheduled events, ordered by time and then by insertion.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    now: Duration,
    entries: BTreeMap<(Duration, u64), TimerKind>,
    added: u64,
}

impl TimerKind {
    fn window(&self) -> Option<u64> {
        match self {
            TimerKind::Effects { window, .. } => *window,
            TimerKind::Moment(window)
            | TimerKind::SnackbarEnds(window)
            | TimerKind::BannerEnds(window) => Some(*window),
            _ => None,
        }
    }

    fn app(&self) -> Option<&Arc<str>> {
        match self {
            TimerKind::Effects { app, .. }
            | TimerKind::Fetched { app, .. }
            | TimerKind::Ready(app) => Some(app),
            _ => None,
        }
    }
}

impl Clock {
    pub(crate) const fn now(&self) -> Duration {
        self.now
    }

    /// Advances to a time, never backwards.
    pub(crate) fn advance(&mut self, to: Duration) {
        self.now = self.now.max(to);
    }

    pub(crate) fn add(&mut self, at: Duration, due: TimerKind) {
        self.added += 1;
        self.entries.insert((at, self.added), due);
    }

    pub(crate) fn add_in(&mut self, time: Duration, due: TimerKind) {
        self.add(self.now + time, due);
    }

    pub(crate) fn forget_window(&mut self, window: u64) {
        self.keep(|due| due.window() != Some(window));
    }

    pub(crate) fn forget_app(&mut self, package: &str) {
        self.keep(|due| due.app().is_none_or(|app| **app != *package));
    }

    /// The number of pending events of an app: delayed effects and network requests.
    pub(crate) fn pending(&self, package: &str) -> usize {
        let own = |due: &&TimerKind| match due {
            TimerKind::Effects { app, window, .. } => window.is_none() && **app == *package,
            TimerKind::Fetched { app, .. } => **app == *package,
            _ => false,
        };
        self.entries.values().filter(own).count()
    }

    pub(crate) fn next(&self) -> Option<Duration> {
        self.entries.keys().next().map(|(at, _)| *at)
    }

    /// Removes and returns the next event up to `limit`.
    pub(crate) fn take(&mut self, limit: Duration) -> Option<(Duration, TimerKind)> {
        let entry = self.entries.first_entry()?;
        let at = entry.key().0;
        (at <= limit).then(|| (at, entry.remove()))
    }

    /// Cancels the events for which `wanted` is false.
    pub(crate) fn keep(&mut self, mut wanted: impl FnMut(&TimerKind) -> bool) {
        self.entries.retain(|_, due| wanted(due));
    }
}

pub(crate) fn wall_time(now: Duration) -> String {
    let minutes = (EPOCH_MS / 60_000 + now.as_secs() / 60) % (24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_starts_at_nine() {
        assert_eq!(wall_time(Duration::ZERO), "09:00");
        assert_eq!(wall_time(Duration::from_secs(59)), "09:00");
        assert_eq!(wall_time(Duration::from_secs(3 * 3600 + 61)), "12:01");
        assert_eq!(wall_time(Duration::from_secs(15 * 3600)), "00:00");
    }

    #[test]
    fn events_at_the_same_time_keep_their_order() {
        let mut clock = Clock::default();
        let at = Duration::from_millis(5);
        clock.add(at, TimerKind::Moment(1));
        clock.add(at, TimerKind::Moment(2));
        clock.add(Duration::from_millis(1), TimerKind::Moment(3));
        let mut order = Vec::new();
        while let Some((_, TimerKind::Moment(window))) = clock.take(at) {
            order.push(window);
        }
        assert_eq!(order, [3, 1, 2]);
        assert_eq!(clock.next(), None);
    }
}

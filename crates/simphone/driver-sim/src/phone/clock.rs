//! Virtual time: the moment it is on the phone, and what is due later.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sim_format::effects::{Effects, Fetch};
use sim_format::expr::Scope;

/// What the phone's clock shows at its start, in milliseconds since 1970: 2026-01-01 09:00:00 UTC.
pub(crate) const EPOCH_MS: u64 = 1_767_258_000_000;

/// What happens when its time has come.
#[derive(Clone, Debug)]
pub(crate) enum Due {
    /// Effects of an app, and how often they come again.
    Effects {
        app: Arc<str>,
        /// The window without which they do not happen.
        window: Option<u64>,
        effects: Effects,
        scope: Arc<Scope>,
        every: Option<Duration>,
    },
    /// Something in a window appears or vanishes.
    Moment(u64),
    /// Work of an app has come to its end.
    Fetched {
        app: Arc<str>,
        fetch: Arc<Fetch>,
        scope: Arc<Scope>,
        ok: bool,
        took: Duration,
    },
    /// An app has come up.
    Ready(Arc<str>),
    /// The toast goes away.
    ToastEnds,
    /// The snackbar of a window goes away.
    SnackbarEnds(u64),
    /// A notification leaves the upper edge of the screen.
    BannerEnds(u64),
    /// A finger has been down long enough.
    LongPress,
    /// Something moves: it takes its next place.
    Frame,
    /// The moment of a fault has come.
    Fault(u64),
}

/// The phone's virtual time, and what is due later in the order of time; of equal times the one that was added first comes
/// first.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    now: Duration,
    entries: BTreeMap<(Duration, u64), Due>,
    added: u64,
}

impl Due {
    /// The window without which it does not happen.
    fn window(&self) -> Option<u64> {
        match self {
            Due::Effects { window, .. } => *window,
            Due::Moment(window) | Due::SnackbarEnds(window) | Due::BannerEnds(window) => {
                Some(*window)
            }
            _ => None,
        }
    }

    /// The app without which it does not happen.
    fn app(&self) -> Option<&Arc<str>> {
        match self {
            Due::Effects { app, .. } | Due::Fetched { app, .. } | Due::Ready(app) => Some(app),
            _ => None,
        }
    }
}

impl Clock {
    /// The moment it is, counted from the phone's start.
    pub(crate) const fn now(&self) -> Duration {
        self.now
    }

    /// Goes on to a moment; time never runs back.
    pub(crate) fn advance(&mut self, to: Duration) {
        self.now = self.now.max(to);
    }

    pub(crate) fn add(&mut self, at: Duration, due: Due) {
        self.added += 1;
        self.entries.insert((at, self.added), due);
    }

    /// Adds what is due so much later.
    pub(crate) fn add_in(&mut self, time: Duration, due: Due) {
        self.add(self.now + time, due);
    }

    /// Drops what is due in a window.
    pub(crate) fn forget_window(&mut self, window: u64) {
        self.keep(|due| due.window() != Some(window));
    }

    /// Drops what is due in an app.
    pub(crate) fn forget_app(&mut self, package: &str) {
        self.keep(|due| due.app().is_none_or(|app| **app != *package));
    }

    /// How much an app has put off: effects for later, and work that has not come to its end.
    pub(crate) fn put_off(&self, package: &str) -> usize {
        let own = |due: &&Due| match due {
            Due::Effects { app, window, .. } => window.is_none() && **app == *package,
            Due::Fetched { app, .. } => **app == *package,
            _ => false,
        };
        self.entries.values().filter(own).count()
    }

    /// When the next thing is due.
    pub(crate) fn next(&self) -> Option<Duration> {
        self.entries.keys().next().map(|(at, _)| *at)
    }

    /// Takes the next thing that is due until `limit`.
    pub(crate) fn take(&mut self, limit: Duration) -> Option<(Duration, Due)> {
        let entry = self.entries.first_entry()?;
        let at = entry.key().0;
        (at <= limit).then(|| (at, entry.remove()))
    }

    /// Drops everything that `wanted` does not hold for.
    pub(crate) fn keep(&mut self, mut wanted: impl FnMut(&Due) -> bool) {
        self.entries.retain(|_, due| wanted(due));
    }
}

/// Hours and minutes on the phone's clock.
pub(crate) fn wall(now: Duration) -> String {
    let minutes = (EPOCH_MS / 60_000 + now.as_secs() / 60) % (24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_starts_at_nine() {
        assert_eq!(wall(Duration::ZERO), "09:00");
        assert_eq!(wall(Duration::from_secs(59)), "09:00");
        assert_eq!(wall(Duration::from_secs(3 * 3600 + 61)), "12:01");
        assert_eq!(wall(Duration::from_secs(15 * 3600)), "00:00");
    }

    #[test]
    fn equal_times_keep_their_order() {
        let mut clock = Clock::default();
        let at = Duration::from_millis(5);
        clock.add(at, Due::Moment(1));
        clock.add(at, Due::Moment(2));
        clock.add(Duration::from_millis(1), Due::Moment(3));
        let mut order = Vec::new();
        while let Some((_, Due::Moment(window))) = clock.take(at) {
            order.push(window);
        }
        assert_eq!(order, [3, 1, 2]);
        assert_eq!(clock.next(), None);
    }
}

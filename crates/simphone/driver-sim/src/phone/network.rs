//! Simulated network requests: delay and failure.

use std::sync::Arc;
use std::time::Duration;

use crate::journal::Event;
use crate::phone::clock::TimerKind;
use sim_format::effects::Fetch;

use super::{Context, Phone};

impl Phone {
    /// Starts a request of an app; its delay and outcome are drawn now.
    pub(super) fn fetch(&mut self, context: &Context, fetch: &Arc<Fetch>) {
        let rng = self.randomness.rng(&context.app, "fetch");
        let (min, max) = fetch.delay;
        let drawn = rng.between(min, max).max(Duration::from_millis(1));
        let failed = rng.hits(fetch.fails);
        let late = fetch.timeout.is_some_and(|timeout| timeout < drawn);
        let took = fetch.timeout.filter(|_| late).unwrap_or(drawn);
        let due = TimerKind::Fetched {
            app: Arc::clone(&context.app),
            fetch: Arc::clone(fetch),
            scope: Arc::clone(&context.scope),
            ok: !failed && !late,
            took,
        };
        self.clock.add_in(took, due);
    }

    pub(super) fn fetched(&mut self, context: &Context, fetch: &Fetch, ok: bool, took: Duration) {
        self.note(Event::Fetched {
            app: Arc::clone(&context.app),
            ok,
            took,
        });
        self.run(context, if ok { &fetch.then } else { &fetch.otherwise });
    }
}

//! Work that takes its time and may fail: what an app leaves to chance.

use std::sync::Arc;
use std::time::Duration;

use crate::journal::Event;
use crate::phone::clock::Due;
use sim_format::effects::Fetch;

use super::{Context, Phone};

impl Phone {
    /// Begins work of an app: how long it takes and whether it succeeds is thrown now.
    pub(super) fn fetch(&mut self, context: &Context, fetch: &Arc<Fetch>) {
        let dice = self.randomness.dice(&context.app, "fetch");
        let (least, most) = fetch.delay;
        let thrown = dice.between(least, most).max(Duration::from_millis(1));
        let failed = dice.hits(fetch.fails);
        let late = fetch.timeout.is_some_and(|timeout| timeout < thrown);
        let took = fetch.timeout.filter(|_| late).unwrap_or(thrown);
        let due = Due::Fetched {
            app: Arc::clone(&context.app),
            fetch: Arc::clone(fetch),
            scope: Arc::clone(&context.scope),
            ok: !failed && !late,
            took,
        };
        self.clock.add_in(took, due);
    }

    /// Work of an app has come to its end.
    pub(super) fn fetched(&mut self, context: &Context, fetch: &Fetch, ok: bool, took: Duration) {
        self.note(Event::Fetched {
            app: Arc::clone(&context.app),
            ok,
            took,
        });
        self.run(context, if ok { &fetch.then } else { &fetch.otherwise });
    }
}

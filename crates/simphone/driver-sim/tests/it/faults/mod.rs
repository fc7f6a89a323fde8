//! Faults one at a time: the driver's answer and the journal.

mod calls;
mod device;

use std::time::Duration;

use driver_sim::{Fault, SimOptions};

use crate::fixture::{Fixture, with_file};

pub(super) const APP: &str = "com.test.app";

pub(super) const NOTES: &str = "
app: com.test.app
label: Notes
start: main
state: { count: 0, name: \"\" }
lists: { notes: [title] }
screens:
  main:
    title: Notes
    on_open:
      - append: { notes: { title: Bread } }
      - append: { notes: { title: Milk } }
      - append: { notes: { title: Salt } }
    timers: [ { every: 1s, do: { set: { count: \"= count + 1\" } } } ]
    body:
      - text: \"Count {count}\"
      - field: { id: name, bind: name }
      - button: { text: Add, id: add, on_click: { set: { count: \"= count + 100\" } } }
      - list: { id: list, items: notes, row: [ { item: { title: \"{title}\", on_click: { toast: \"{title}\" } } } ] }
";

/// A phone that shows the notes app, with these faults.
pub(super) fn notes(faults: &[&str]) -> Fixture {
    Fixture::with(SimOptions {
        faults: faults
            .iter()
            .flat_map(|spec| Fault::parse_all(spec).unwrap_or_else(|error| panic!("{error}")))
            .collect(),
        ..with_file(NOTES)
    })
}

impl Fixture {
    fn count(&self, what: &str) -> usize {
        self.journal()
            .iter()
            .filter(|line| line.contains(what))
            .count()
    }

    async fn wait(&self, millis: u64) {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
}

//! The journal: its entries, how many are kept, and queries.

use std::collections::BTreeSet;
use std::sync::Arc;

use uitree::Secrets;

use super::{Event, JournalEntry, Widget};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retention {
    #[default]
    All,
    /// The last so many entries.
    Last(usize),
    /// None; entries are only counted.
    None,
}

/// The entries of a phone, or the last of them.
#[derive(Debug, Default)]
pub struct Journal {
    keep: Retention,
    entries: Vec<JournalEntry>,
    /// The number of the first entry in `entries`.
    first: u64,
    /// The state variables bound to password fields: app and name.
    pub(super) secret_names: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Texts that password fields have held or shown.
    pub(crate) secrets: Secrets,
}

impl Journal {
    pub(crate) fn new(keep: Retention) -> Self {
        Self {
            keep,
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, entry: JournalEntry) {
        match self.keep {
            Retention::None => {
                self.first += 1;
                return;
            }
            Retention::All => {}
            Retention::Last(most) => {
                // Entries are dropped in batches, so that dropping is cheap.
                if self.entries.len() >= most + most / 2 + 16 {
                    let gone = self.entries.len() + 1 - most.max(1);
                    self.entries.drain(..gone);
                    self.first += gone as u64;
                }
            }
        }
        self.entries.push(entry);
    }

    /// Marks a text as a password, and the variable that holds it.
    pub(crate) fn keep_secret(&mut self, app: &Arc<str>, name: Option<&Arc<str>>, text: &Arc<str>) {
        if let Some(name) = name {
            self.secret_names
                .insert((Arc::clone(app), Arc::clone(name)));
        }
        self.secrets.keep(text);
    }

    /// The kept entries, oldest first.
    pub fn entries(&self) -> &[JournalEntry] {
        self.entries.get(self.dropped()..).unwrap_or_default()
    }

    /// The number of the next entry: a mark for [`since`](Self::since).
    pub fn next_index(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// The kept entries from number `index` on, each with its number. The first entry of a phone is 0.
    pub fn since(&self, index: u64) -> impl Iterator<Item = (u64, &JournalEntry)> {
        let first = self.first + self.dropped() as u64;
        let begin = index.max(first);
        let passed = usize::try_from(begin - first).unwrap_or(usize::MAX);
        (begin..).zip(self.entries().get(passed..).unwrap_or_default())
    }

    /// The widgets clicked since entry `index`, by touch, key or the accessibility interface.
    pub fn clicks(&self, index: u64) -> impl Iterator<Item = &Widget> {
        self.since(index)
            .filter_map(|(_, entry)| match &entry.what {
                Event::Clicked { widget, .. } => Some(widget),
                _ => None,
            })
    }

    pub fn faults(&self, index: u64) -> impl Iterator<Item = &'static str> {
        self.since(index)
            .filter_map(|(_, entry)| match &entry.what {
                Event::Fault { name, .. } => Some(*name),
                _ => None,
            })
    }

    /// The texts of the fields with this resource id since entry `index`, in order.
    pub fn texts(&self, index: u64, id: &str) -> impl Iterator<Item = &str> {
        self.since(index)
            .filter_map(move |(_, entry)| match &entry.what {
                Event::TextChanged { widget, text, .. } if &*widget.id == id => Some(&**text),
                _ => None,
            })
    }

    /// How many entries at the start of `entries` are past the limit but not dropped yet.
    fn dropped(&self) -> usize {
        match self.keep {
            Retention::Last(most) => self.entries.len().saturating_sub(most),
            Retention::All | Retention::None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn entry(number: u64) -> JournalEntry {
        JournalEntry {
            at: Duration::from_millis(number),
            what: Event::KeyboardShown,
        }
    }

    #[test]
    fn limited_journal_keeps_the_last_entries_and_counts_all() {
        let mut journal = Journal::new(Retention::Last(10));
        for number in 0..1_000_000 {
            journal.push(entry(number));
        }
        assert_eq!(journal.next_index(), 1_000_000);
        assert_eq!(journal.entries().len(), 10);
        let since: Vec<u64> = journal.since(999_997).map(|(number, _)| number).collect();
        assert_eq!(since, [999_997, 999_998, 999_999]);
        let (number, first) = journal.since(0).next().unwrap();
        assert_eq!(
            (number, first.at),
            (999_990, Duration::from_millis(999_990))
        );
        assert!(journal.entries.capacity() < 100);
    }

    #[test]
    fn journal_that_keeps_nothing_counts_entries() {
        for keep in [Retention::None, Retention::Last(0)] {
            let mut journal = Journal::new(keep);
            for number in 0..100 {
                journal.push(entry(number));
            }
            assert_eq!((journal.next_index(), journal.entries().len()), (100, 0));
            assert!(keep != Retention::None || journal.entries.capacity() == 0);
        }
    }
}

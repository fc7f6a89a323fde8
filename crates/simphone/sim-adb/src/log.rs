//! The phone's log: a ring buffer of entries for `logcat`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use driver_sim::{Words, words};
use tokio::sync::watch;

use crate::clock::{Clock, Moment};

/// The most bytes of message and tag that one entry holds; the rest is cut off.
const LARGEST_ENTRY: usize = 4068;
/// The length at which loggers of apps split long messages, in UTF-16 units.
pub const PIECE: usize = 4000;

words! {
    /// How important an entry is, by its letter.
    #[derive(PartialOrd, Ord)]
    pub enum Priority {
        Verbose = "V",
        Debug = "D",
        Info = "I",
        Warn = "W",
        Error = "E",
        /// An error that ends the app.
        Fatal = "F",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub at: Moment,
    pub pid: u32,
    pub priority: Priority,
    pub tag: String,
    /// Its text; may have several lines.
    pub message: String,
}

#[derive(Debug)]
struct Ring {
    entries: VecDeque<Arc<Entry>>,
    /// The number of the first entry.
    first: u64,
    bytes: usize,
}

#[derive(Clone, Debug)]
pub struct Log {
    ring: Arc<Mutex<Ring>>,
    /// The number that the next entry gets.
    next: Arc<watch::Sender<u64>>,
    clock: Clock,
    capacity: usize,
}

impl Log {
    pub(crate) fn new(clock: Clock, capacity: usize) -> Self {
        let ring = Ring {
            entries: VecDeque::new(),
            first: 0,
            bytes: 0,
        };
        Self {
            ring: Arc::new(Mutex::new(ring)),
            next: Arc::new(watch::Sender::new(0)),
            clock,
            capacity,
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an entry; a message that is too long is truncated.
    pub fn write(&self, pid: u32, priority: Priority, tag: &str, message: &str) {
        let room = LARGEST_ENTRY.saturating_sub(tag.len());
        let entry = Entry {
            at: self.clock.now(),
            pid,
            priority,
            tag: tag.to_owned(),
            message: message[..message.floor_char_boundary(room)].to_owned(),
        };
        let next = {
            let mut ring = self.ring();
            ring.bytes += entry.message.len() + entry.tag.len();
            ring.entries.push_back(Arc::new(entry));
            while ring.bytes > self.capacity
                && let Some(old) = ring.entries.pop_front()
            {
                ring.bytes -= old.message.len() + old.tag.len();
                ring.first += 1;
            }
            ring.first + ring.entries.len() as u64
        };
        self.next.send_replace(next);
    }

    /// Writes a message as loggers of apps do: from [`PIECE`] units on it is split at line ends, and long lines at [`PIECE`]
    /// units; every piece is an entry.
    pub fn write_long(&self, pid: u32, priority: Priority, tag: &str, message: &str) {
        for piece in cut(message) {
            self.write(pid, priority, tag, piece);
        }
    }

    pub fn clear(&self) {
        let mut ring = self.ring();
        ring.first += ring.entries.len() as u64;
        ring.entries.clear();
        ring.bytes = 0;
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        self.since(0).0
    }

    /// The entries from number `from` on that are still kept, and the number after them.
    pub(crate) fn since(&self, from: u64) -> (Vec<Arc<Entry>>, u64) {
        let ring = self.ring();
        let skip = usize::try_from(from.saturating_sub(ring.first)).unwrap_or(usize::MAX);
        let next = ring.first + ring.entries.len() as u64;
        (ring.entries.iter().skip(skip).cloned().collect(), next)
    }

    /// Notifies of every entry with the number of the next one.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }
}

/// Splits a message as loggers of apps do.
pub(crate) fn cut(message: &str) -> Vec<&str> {
    if message.encode_utf16().count() < PIECE {
        return vec![message];
    }
    message.split('\n').flat_map(pieces).collect()
}

/// Splits a line into pieces of at most [`PIECE`] UTF-16 units; an empty line is one piece.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut units) = (0, 0);
    for (at, letter) in line.char_indices() {
        if units + letter.len_utf16() > PIECE {
            pieces.extend(line.get(start..at));
            (start, units) = (at, 0);
        }
        units += letter.len_utf16();
    }
    pieces.extend(line.get(start..));
    pieces
}

words! {
    /// The output format of entries.
    pub(crate) enum Form {
        Raw = "raw",
        ThreadTime = "threadtime",
    }
}

impl Form {
    /// Formats an entry, one line for each line of its message.
    pub(crate) fn print(self, entry: &Entry) -> String {
        let Entry { pid, tag, .. } = entry;
        let head = match self {
            Form::Raw => String::new(),
            Form::ThreadTime => {
                let (at, letter) = (entry.at.show(), entry.priority.word());
                format!("{at} {pid:5} {pid:5} {letter} {tag:<8}: ")
            }
        };
        let lines = entry.message.trim_end_matches('\n').split('\n');
        lines.map(|line| format!("{head}{line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(capacity: usize) -> Log {
        Log::new(Clock::start(1_767_258_000_123), capacity)
    }

    #[tokio::test(start_paused = true)]
    async fn entries_have_the_formats_of_logcat() {
        let log = log(1000);
        log.write(42, Priority::Info, "Tag", "one\ntwo");
        let entry = &log.entries()[0];
        assert_eq!(
            Form::ThreadTime.print(entry).lines().next().unwrap(),
            "01-01 09:00:00.123    42    42 I Tag     : one"
        );
        assert_eq!(Form::Raw.print(entry), "one\ntwo\n");
    }

    #[tokio::test(start_paused = true)]
    async fn ring_drops_old_entries_and_long_messages_are_split() {
        let log = log(10_000);
        let text = "ä".repeat(PIECE) + "x";
        log.write_long(1, Priority::Info, "T", &text);
        let pieces: Vec<usize> = log
            .entries()
            .iter()
            .map(|e| e.message.chars().count())
            .collect();
        // 4000 letters of two bytes exceed an entry, which is truncated, as on a phone.
        assert_eq!(pieces, [2033, 1]);
        for _ in 0..10 {
            log.write(1, Priority::Info, "T", &"y".repeat(2000));
        }
        let (left, next) = log.since(0);
        assert_eq!((left.len(), next), (4, 12));
    }
}

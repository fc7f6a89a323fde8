//! Reading log files that grow, across days and rotations.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use super::files::file_of;

/// A file that is read to its end, and again as it grows. It stays open, so that a rotated file is read to its end.
#[derive(Debug)]
pub(super) struct LogReader {
    pub(super) path: PathBuf,
    file: Option<BufReader<File>>,
    /// The number of bytes that were read.
    place: u64,
    /// An incomplete line.
    part: Vec<u8>,
}

impl LogReader {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            place: 0,
            part: Vec::new(),
        }
    }

    /// The next complete line, if there is one.
    pub(super) fn line(&mut self) -> Option<String> {
        if self.file.is_none() {
            self.file = Some(BufReader::new(File::open(&self.path).ok()?));
        }
        let read = self.file.as_mut()?.read_until(b'\n', &mut self.part).ok()?;
        self.place += read as u64;
        if self.part.last() != Some(&b'\n') {
            return None;
        }
        let line = String::from_utf8_lossy(&self.part).trim_end().to_owned();
        self.part.clear();
        Some(line)
    }

    /// Whether the path refers to another file now.
    fn is_replaced(&self) -> bool {
        let Some(Ok(own)) = self.file.as_ref().map(|file| file.get_ref().metadata()) else {
            return false;
        };
        std::fs::metadata(&self.path)
            .is_ok_and(|now| is_another(&own, &now) || now.len() < self.place)
    }
}

fn is_another(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) != (other.dev(), other.ino())
}

/// A reader of the log as it grows.
#[derive(Debug)]
pub(super) struct Follower {
    folder: PathBuf,
    /// The previous file: a process that read the clock before midnight may still write to it.
    before: Option<LogReader>,
    reading: LogReader,
}

impl Follower {
    /// Continues where a file was read to.
    pub(super) fn new(folder: &Path, reading: LogReader) -> Self {
        Self {
            folder: folder.to_owned(),
            before: None,
            reading,
        }
    }

    /// Passes every new line to `take` until it returns `false`.
    pub(super) fn more(
        &mut self,
        today: NaiveDate,
        take: &mut dyn FnMut(&str) -> bool,
    ) -> ControlFlow<()> {
        if let Some(before) = &mut self.before {
            drain(before, take)?;
        }
        // Check for a replacement first: everything written before it is read from the old file.
        let replaced = self.reading.is_replaced();
        drain(&mut self.reading, take)?;
        let current = file_of(&self.folder, today);
        if replaced || current != self.reading.path {
            let old = std::mem::replace(&mut self.reading, LogReader::new(current));
            self.before = Some(old);
            drain(&mut self.reading, take)?;
        }
        ControlFlow::Continue(())
    }
}

/// Passes on all complete lines.
fn drain(reading: &mut LogReader, take: &mut dyn FnMut(&str) -> bool) -> ControlFlow<()> {
    while let Some(line) = reading.line() {
        if !take(&line) {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use testkit::TempFolder;

    use super::*;

    const FIRST: NaiveDate = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
    const SECOND: NaiveDate = NaiveDate::from_ymd_opt(1970, 1, 2).unwrap();

    fn write(folder: &Path, day: NaiveDate, text: &str) {
        let mut options = File::options();
        let file = options.create(true).append(true).open(file_of(folder, day));
        file.unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn follower(folder: &Path) -> Follower {
        Follower::new(folder, LogReader::new(file_of(folder, FIRST)))
    }

    fn more(follower: &mut Follower, today: NaiveDate) -> Vec<String> {
        let mut lines = Vec::new();
        let mut take = |line: &str| {
            lines.push(line.to_owned());
            true
        };
        assert!(follower.more(today, &mut take).is_continue());
        lines
    }

    #[test]
    fn follower_reads_every_line_once_across_midnight() {
        let folder = TempFolder::new("follow-midnight");
        let mut follower = follower(&folder);
        assert!(more(&mut follower, FIRST).is_empty());
        write(&folder, FIRST, "a\nhal");
        assert_eq!(more(&mut follower, FIRST), ["a"]);
        write(&folder, FIRST, "f\n");
        write(&folder, SECOND, "b\n");
        // The file of the day before is read to its end first.
        assert_eq!(more(&mut follower, SECOND), ["half", "b"]);
        assert!(more(&mut follower, SECOND).is_empty());
        // Written after midnight by a process that read the clock before.
        write(&folder, FIRST, "late\n");
        write(&folder, SECOND, "c\n");
        assert_eq!(more(&mut follower, SECOND), ["late", "c"]);
    }

    #[test]
    fn rotated_file_is_read_to_its_end() {
        let folder = TempFolder::new("follow-aside");
        let mut follower = follower(&folder);
        write(&folder, FIRST, "a\n");
        assert_eq!(more(&mut follower, FIRST), ["a"]);
        write(&folder, FIRST, "b\n");
        let path = file_of(&folder, FIRST);
        std::fs::rename(&path, path.with_extension("1.log")).unwrap();
        write(&folder, FIRST, "a line that is longer than all before\n");
        let expected = ["b", "a line that is longer than all before"];
        assert_eq!(more(&mut follower, FIRST), expected);
        assert!(more(&mut follower, FIRST).is_empty());
    }

    #[test]
    fn follower_stops_when_the_reader_breaks() {
        let folder = TempFolder::new("follow-enough");
        write(&folder, FIRST, "a\nb\n");
        let mut seen = 0;
        let mut take = |_: &str| {
            seen += 1;
            false
        };
        assert!(follower(&folder).more(FIRST, &mut take).is_break());
        assert_eq!(seen, 1);
    }
}

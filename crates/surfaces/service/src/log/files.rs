//! Log files: rotation by day and size, and deletion of old files.
//!
//! `tracing-appender` is not used: several processes write one file, which takes one system call per line, and its names and
//! size limits are those of the contract.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::files;

/// The size in bytes at which a file is rotated.
const ROTATE_SIZE: u64 = 16 * 1024 * 1024;
/// How many days of logs to keep.
const DAYS: u64 = 14;
/// The maximal size of all files, in bytes.
const MAX_TOTAL_SIZE: u64 = 128 * 1024 * 1024;
/// The begin and the end of the names of files.
const PREFIX: &str = "clawperator-";
const SUFFIX: &str = ".log";

/// A day as it is written in the names of files.
const DATE: &str = "%Y-%m-%d";

pub(super) fn file_of(folder: &Path, day: NaiveDate) -> PathBuf {
    folder.join(format!("{PREFIX}{}{SUFFIX}", day.format(DATE)))
}

/// The files of a folder, the oldest first. Rotated files of a day come before the current one.
pub(super) fn all(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<((NaiveDate, u64), PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let middle = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
            let (day, part) = match middle.split_once('.') {
                Some((day, part)) => (day, part.parse().ok()?),
                // The current file is the last of its day.
                None => (middle, u64::MAX),
            };
            let day = NaiveDate::parse_from_str(day, DATE).ok()?;
            Some(((day, part), entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// The writer of the log.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Closed,
    /// The day, the file and its size.
    Open(NaiveDate, File, u64),
    /// Writing failed, which was reported.
    Failed,
}

impl Files {
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder,
            state: Mutex::new(State::Closed),
        }
    }

    /// Appends a line with one system call, so that lines of several processes do not mix.
    ///
    /// # Errors
    /// The path and the error of the first failure; after that nothing is written or reported.
    pub(super) fn append(&self, now: DateTime<Utc>, line: &str) -> Result<(), (PathBuf, String)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Failed) {
            return Ok(());
        }
        let today = now.date_naive();
        let path = file_of(&self.folder, today);
        let done = self.write(&mut state, &path, today, line);
        done.map_err(|error| {
            *state = State::Failed;
            (path, error.to_string())
        })
    }

    fn write(
        &self,
        state: &mut State,
        path: &Path,
        today: NaiveDate,
        line: &str,
    ) -> std::io::Result<()> {
        let fits =
            matches!(state, State::Open(day, _, size) if *day == today && *size < ROTATE_SIZE);
        if !fits {
            files::make_folder(&self.folder)?;
            if fs::metadata(path).is_ok_and(|meta| meta.len() >= ROTATE_SIZE) {
                rotate(path);
            }
            let file = files::append(path)?;
            let size = file.metadata()?.len();
            if size == 0 {
                clear(&self.folder, today);
            }
            *state = State::Open(today, file, size);
        }
        if let State::Open(_, file, size) = state {
            file.write_all(line.as_bytes())?;
            *size += line.len() as u64;
        }
        Ok(())
    }
}

/// Renames a large file. If several processes try at once, one succeeds, and the others keep their open file.
fn rotate(path: &Path) {
    let stem = path.with_extension("");
    for part in 1..10_000_u32 {
        let mut name = stem.clone().into_os_string();
        name.push(format!(".{part}{SUFFIX}"));
        if !Path::new(&name).exists() {
            let _ = fs::rename(path, name);
            return;
        }
    }
}

/// Deletes files that are too old, and the oldest ones if all are too large.
fn clear(folder: &Path, today: NaiveDate) {
    let first = today.checked_sub_days(Days::new(DAYS));
    let oldest = file_of(folder, first.unwrap_or(today));
    let files = all(folder);
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
    let mut total: u64 = files.iter().map(size).sum();
    for path in files {
        if path < oldest || total > MAX_TOTAL_SIZE {
            total = total.saturating_sub(size(&path));
            // Another process may have deleted it.
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::TempFolder;

    use super::*;

    fn jan() -> DateTime<Utc> {
        DateTime::from_timestamp_millis(1_767_258_000_123).unwrap()
    }

    #[test]
    fn each_day_has_a_file_and_old_files_are_deleted() {
        let folder = TempFolder::new("log-days");
        for old in [
            "clawperator-2025-12-01.log",
            "clawperator-2025-12-01.1.log",
            "notes.log",
            "clawperator-x.log",
        ] {
            fs::write(folder.join(old), "old\n").unwrap();
        }
        let files = Files::in_folder(folder.to_path_buf());
        files.append(jan(), "one\n").unwrap();
        files.append(jan(), "two\n").unwrap();
        files.append(jan() + Days::new(1), "three\n").unwrap();
        let names: Vec<String> = all(&folder)
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(
            names,
            ["clawperator-2026-01-01.log", "clawperator-2026-01-02.log"]
        );
        assert_eq!(
            fs::read_to_string(file_of(&folder, jan().date_naive())).unwrap(),
            "one\ntwo\n"
        );
        assert!(folder.join("notes.log").exists() && folder.join("clawperator-x.log").exists());
    }

    #[test]
    fn large_file_is_rotated() {
        let folder = TempFolder::new("log-large");
        let path = file_of(&folder, jan().date_naive());
        File::create(&path).unwrap().set_len(ROTATE_SIZE).unwrap();
        Files::in_folder(folder.to_path_buf())
            .append(jan(), "new\n")
            .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
        let names = all(&folder);
        assert_eq!(names, [folder.join("clawperator-2026-01-01.1.log"), path]);
    }

    #[test]
    fn oldest_files_are_deleted_above_the_total_size() {
        let folder = TempFolder::new("log-much");
        for day in 28..=31 {
            let file = File::create(folder.join(format!("clawperator-2025-12-{day}.log"))).unwrap();
            file.set_len(MAX_TOTAL_SIZE / 3).unwrap();
        }
        Files::in_folder(folder.to_path_buf())
            .append(jan(), "new\n")
            .unwrap();
        let left: Vec<PathBuf> = all(&folder);
        let days = ["2025-12-29", "2025-12-30", "2025-12-31", "2026-01-01"];
        assert_eq!(
            left,
            days.map(|day| folder.join(format!("clawperator-{day}.log")))
        );
    }

    #[test]
    fn write_failure_is_reported_once() {
        let folder = TempFolder::new("log-blocked");
        let file = folder.join("file");
        fs::write(&file, "no folder").unwrap();
        let files = Files::in_folder(file.clone());
        let (path, _) = files.append(jan(), "x\n").unwrap_err();
        assert!(path.starts_with(&file));
        assert_eq!(files.append(jan(), "x\n"), Ok(()));
    }

    #[test]
    fn lines_of_concurrent_writers_do_not_mix() {
        let folder = TempFolder::new("log-many");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let folder = folder.to_path_buf();
                scope.spawn(move || {
                    // A writer each, as in several processes.
                    let files = Files::in_folder(folder);
                    for _ in 0..200 {
                        let line = format!("{}\n", writer.to_string().repeat(300));
                        files.append(jan(), &line).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(file_of(&folder, jan().date_naive())).unwrap();
        assert_eq!(text.lines().count(), 800);
        for line in text.lines() {
            let first = line.chars().next().unwrap();
            assert!(
                line.len() == 300 && line.chars().all(|letter| letter == first),
                "{line}"
            );
        }
    }
}

//! The numbers of references across the daemons of a browser: a number means one element, also after a daemon was replaced.

use std::io;
use std::sync::{Mutex, PoisonError};

use crate::chrome::browser_record::refs_file;
use crate::runtime::PrivateFolder;

/// How many numbers are reserved ahead.
const BLOCK: u32 = 1_000;

/// The numbers that are reserved for the daemon of a browser.
pub(super) struct RefNumbers {
    folder: PrivateFolder,
    file: String,
    reserved: Mutex<u32>,
}

impl RefNumbers {
    /// Reserves the first numbers; returns the last one of earlier daemons.
    pub(super) fn reserve(folder: &PrivateFolder, url: &str) -> io::Result<(Self, u32)> {
        let file = refs_file(url);
        let last: u32 = folder.read_record(&file)?.unwrap_or_default();
        let numbers = Self {
            folder: folder.try_clone()?,
            file,
            reserved: Mutex::new(last),
        };
        numbers.keep_ahead_of(last)?;
        Ok((numbers, last))
    }

    /// Reserves more numbers when fewer than half a block is left after `last`.
    pub(super) fn keep_ahead_of(&self, last: u32) -> io::Result<()> {
        let mut reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
        if last.saturating_add(BLOCK / 2) >= *reserved {
            let next = last.saturating_add(BLOCK);
            self.folder.write_record(&self.file, &next)?;
            *reserved = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_daemon_begins_after_all_numbers_of_the_one_before() {
        let path = testkit::TempFolder::new("ref-numbers");
        let folder = PrivateFolder::make(&path).unwrap();
        let url = "ws://127.0.0.1:9222/devtools/browser/1";
        let (first, last) = RefNumbers::reserve(&folder, url).unwrap();
        assert_eq!(last, 0);
        first.keep_ahead_of(700).unwrap();
        // It ends without a shutdown.
        drop(first);
        let (second, last) = RefNumbers::reserve(&folder, url).unwrap();
        assert_eq!(last, 1_700);
        second.keep_ahead_of(1_750).unwrap();
        let (_, last) = RefNumbers::reserve(&folder, url).unwrap();
        assert_eq!(last, 2_700);
    }
}

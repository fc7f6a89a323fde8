//! Lock files, removed on release. The system releases a lock when its process ends.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::PrivateFolder;

/// A lock that this process holds until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    folder: PrivateFolder,
    name: String,
    file: File,
}

/// Why a lock cannot be taken.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process holds it, with this content of the file.
    Held(String),
    /// The file cannot be used.
    Unusable(io::Error),
}

impl FileLock {
    /// Takes a lock and writes its holder to the file.
    pub(crate) fn take(
        folder: &PrivateFolder,
        name: &str,
        holder: &str,
    ) -> Result<Self, LockError> {
        loop {
            let mut file = folder.lock_file(name).map_err(LockError::Unusable)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // An unreadable holder still holds the lock.
                    let _ = file.read_to_string(&mut holder);
                    return Err(LockError::Held(holder));
                }
                Err(TryLockError::Error(error)) => return Err(LockError::Unusable(error)),
            }
            // The previous holder may have removed the file after it was opened here; such a lock protects nothing.
            if !folder.is_named(name, &file).map_err(LockError::Unusable)? {
                continue;
            }
            write(&mut file, holder).map_err(LockError::Unusable)?;
            return Ok(Self {
                folder: folder.try_clone().map_err(LockError::Unusable)?,
                name: name.to_owned(),
                file,
            });
        }
    }
}

fn write(file: &mut File, holder: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(holder.as_bytes())
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Otherwise a file that cannot be removed would name the wrong holder.
        let _ = self.file.set_len(0);
        // Only the holder removes the file, unless it was replaced by hand. If its identity cannot be checked, it stays and
        // is locked again by the next holder.
        let is_current = self.folder.is_named(&self.name, &self.file);
        if is_current.unwrap_or_default() {
            let _ = self.folder.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn lock_is_exclusive_although_its_file_is_removed() {
        let path = testkit::TempFolder::new("locks");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let folder = PrivateFolder::make(&path).unwrap();
                        let lock = match FileLock::take(&folder, "a.lock", "me") {
                            Ok(lock) => lock,
                            Err(LockError::Held(_)) => continue,
                            Err(LockError::Unusable(error)) => panic!("{error}"),
                        };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.load(Ordering::SeqCst) > 4);
        let folder = PrivateFolder::make(&path).unwrap();
        assert_eq!(folder.names().unwrap(), [""; 0]);
    }
}

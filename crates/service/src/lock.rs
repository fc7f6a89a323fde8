//! One run at a time on each phone, across the processes of this machine: a lock on a file, which the system lets go when
//! its process ends, however it ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The lock of one phone, held until it is dropped.
#[derive(Debug)]
pub(crate) struct DeviceLock {
    file: File,
}

/// Why a lock is not to be had.
#[derive(Debug)]
pub(crate) enum Held {
    /// Another process has it; with the id of the command that it runs, if it has said.
    By(String),
    /// The file cannot be used.
    Broken(PathBuf, std::io::Error),
}

impl DeviceLock {
    /// Takes the lock of a device for a command.
    pub(crate) fn take(folder: &Path, device: &str, command_id: &str) -> Result<Self, Held> {
        let path = folder.join(file_name(device));
        let broken = |error| Held::Broken(path.clone(), error);
        fs::create_dir_all(folder).map_err(broken)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(broken)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Who cannot be read is still a holder.
                let _ = file.read_to_string(&mut holder);
                return Err(Held::By(holder));
            }
            Err(TryLockError::Error(error)) => return Err(broken(error)),
        }
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(command_id.as_bytes())
        };
        write(&mut file).map_err(broken)?;
        Ok(Self { file })
    }
}

impl Drop for DeviceLock {
    fn drop(&mut self) {
        // Whoever comes next must not read our name; the lock goes with the file in any case.
        let _ = self.file.set_len(0);
    }
}

/// The name of a device's lock: letters and digits as they are, everything else by its number, so that no two names meet.
fn file_name(device: &str) -> String {
    format!("device-{}.lock", safe_name(device))
}

/// A device's name as a part of that of a file.
pub(crate) fn safe_name(device: &str) -> String {
    let mut name = String::new();
    for byte in device.bytes() {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("_{byte:02x}"));
        }
    }
    name.truncate(190);
    name
}

/// The folder of the locks: the user's own where the system gives one, or else one in the temporary folder.
pub(crate) fn default_folder() -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
    match runtime {
        Some(folder) => PathBuf::from(folder).join("clawperator"),
        None => std::env::temp_dir().join("clawperator-locks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_the_first_is_and_comes_after_it() {
        let folder = std::env::temp_dir().join(format!("clawperator-lock-{}", std::process::id()));
        let first = DeviceLock::take(&folder, "192.168.1.5:5555", "one").unwrap();
        match DeviceLock::take(&folder, "192.168.1.5:5555", "two") {
            Err(Held::By(holder)) => assert_eq!(holder, "one"),
            other => panic!("{other:?}"),
        }
        let other = DeviceLock::take(&folder, "192.168.1.5_5555", "three").unwrap();
        drop(first);
        drop(other);
        DeviceLock::take(&folder, "192.168.1.5:5555", "two").unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_of_files_stay_in_their_folder_and_apart() {
        assert_eq!(file_name("../x"), "device-_2e_2e_2fx.lock");
        assert_ne!(file_name("a:b"), file_name("a_b"));
        assert!(file_name(&"é".repeat(500)).len() < 255);
    }
}

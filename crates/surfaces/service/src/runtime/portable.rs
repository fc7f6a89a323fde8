//! Access to private folders on systems whose temporary folder is private to the user, such as Windows.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// How to open a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// An existing file, for reading.
    Read,
    /// A new file, for writing.
    New,
    /// An existing or new file, for reading and writing.
    Lock,
}

/// An existing folder.
#[derive(Debug)]
pub(super) struct Handle(PathBuf);

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => Ok(Some(Self(path.to_owned()))),
            Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn open_inner(&self, name: &str) -> io::Result<Option<Self>> {
        Self::open(&self.0.join(name))
    }

    pub(super) fn make(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    pub(super) fn make_inner(&self, name: &str) -> io::Result<()> {
        Self::make(&self.0.join(name))
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    pub(super) fn check(&self) -> io::Result<Option<String>> {
        Ok(None)
    }

    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.0)?;
        let names = entries.filter_map(|entry| {
            entry
                .map(|entry| entry.file_name().into_string().ok())
                .transpose()
        });
        names.collect()
    }

    pub(super) fn file(&self, name: &str, access: Access) -> io::Result<File> {
        let mut options = OpenOptions::new();
        match access {
            Access::Read => options.read(true),
            Access::New => options.write(true).create_new(true),
            Access::Lock => options.read(true).write(true).create(true).truncate(false),
        };
        options.open(self.0.join(name))
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(super) fn owns_folder(&self, name: &str) -> io::Result<bool> {
        Ok(fs::symlink_metadata(self.0.join(name))?.is_dir())
    }

    /// Other processes cannot remove an open file here.
    pub(super) fn is_named(&self, _name: &str, _file: &File) -> io::Result<bool> {
        Ok(true)
    }
}

/// The temporary folder is private, so users need not be told apart.
pub(super) fn user_id() -> Option<u32> {
    None
}

pub(super) fn is_of_another_user(_folder: &Path) -> bool {
    false
}

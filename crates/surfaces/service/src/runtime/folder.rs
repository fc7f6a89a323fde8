//! A private folder and the files in it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::FolderError;
use super::handle::{Access, Handle};
use crate::random::secret;

/// A folder that only this user can write to. Files are given by name, never by path.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
    handle: Handle,
}

impl PrivateFolder {
    /// Opens a folder; `None` if there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, FolderError> {
        Self::opened(path.to_owned(), Handle::open(path))
    }

    /// Opens or creates a folder.
    pub(crate) fn make(path: &Path) -> Result<Self, FolderError> {
        if let Some(folder) = Self::open(path)? {
            return Ok(folder);
        }
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| Handle::make(path))
            .map_err(|error| FolderError::unusable(path, error))?;
        Self::open(path)?.ok_or_else(|| missing(path))
    }

    /// Opens a folder inside this one; `None` if there is none.
    pub(crate) fn open_inner(&self, name: &str) -> Result<Option<Self>, FolderError> {
        Self::opened(self.path.join(name), self.handle.open_inner(name))
    }

    /// Opens or creates a folder inside this one.
    pub(crate) fn make_inner(&self, name: &str) -> Result<Self, FolderError> {
        if let Some(folder) = self.open_inner(name)? {
            return Ok(folder);
        }
        let path = self.path.join(name);
        let made = self.handle.make_inner(name);
        made.map_err(|error| FolderError::unusable(&path, error))?;
        self.open_inner(name)?.ok_or_else(|| missing(&path))
    }

    /// Checks a folder that was opened.
    fn opened(
        path: PathBuf,
        opened: io::Result<Option<Handle>>,
    ) -> Result<Option<Self>, FolderError> {
        let unusable = |error| FolderError::unusable(&path, error);
        let handle = match opened {
            Ok(Some(handle)) => handle,
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(FolderError::refused(&path, "it is a link or a file"));
            }
            Err(error) => return Err(unusable(error)),
        };
        match handle.check().map_err(unusable)? {
            None => Ok(Some(Self { path, handle })),
            Some(reason) => Err(FolderError::refused(&path, reason)),
        }
    }

    /// Another handle of the same folder.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            path: self.path.clone(),
            handle: self.handle.try_clone()?,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The sorted names of its entries.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.handle.names()?;
        names.sort();
        Ok(names)
    }

    /// Reads a file; `None` if there is none.
    pub(crate) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let mut file = match self.handle.file(name, Access::Read) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Reads a record; `None` if there is none. A file in another format is `InvalidData`.
    pub(crate) fn read_record<T: DeserializeOwned>(&self, name: &str) -> io::Result<Option<T>> {
        let bytes = self.read(name)?;
        let record = bytes.map(|bytes| serde_json::from_slice(&bytes));
        // A record that ends too early is also in another format, not an unreadable file.
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        record.transpose().map_err(invalid)
    }

    /// Reads the records whose names end with `end`. Records in another format are skipped: another version may have written
    /// them.
    pub(crate) fn records<T: DeserializeOwned>(
        &self,
        end: &str,
    ) -> Result<Vec<(String, T)>, FolderError> {
        let mut records = Vec::new();
        let names = self.names().map_err(|error| self.failed(error))?;
        for name in names.into_iter().filter(|name| name.ends_with(end)) {
            match self.read_record(&name) {
                Ok(Some(record)) => records.push((name, record)),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
                Err(error) => return Err(self.failed(error)),
            }
        }
        Ok(records)
    }

    /// The error of the folder for an error of one of its files.
    pub(crate) fn failed(&self, error: io::Error) -> FolderError {
        let refused_here = error.raw_os_error().is_none();
        match error.kind() {
            io::ErrorKind::PermissionDenied if refused_here => {
                FolderError::refused(&self.path, error.to_string())
            }
            _ => FolderError::unusable(&self.path, error),
        }
    }

    /// Writes a file atomically.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let part = format!("{name}.{}.part", secret());
        let written = self
            .handle
            .file(&part, Access::New)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| self.handle.rename(&part, name));
        if written.is_err() {
            // Remove the incomplete file, if there is one.
            let _ = self.handle.remove_file(&part);
        }
        written
    }

    /// Writes a record atomically.
    pub(crate) fn write_record(&self, name: &str, record: &impl Serialize) -> io::Result<()> {
        self.write(name, &serde_json::to_vec(record)?)
    }

    /// Removes a file, if it exists.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match self.handle.remove_file(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Removes a folder and its content; `PermissionDenied` if it is a link or belongs to another user.
    pub(crate) fn remove_tree(&self, name: &str) -> io::Result<()> {
        if !self.handle.owns_folder(name)? {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        std::fs::remove_dir_all(self.path.join(name))
    }

    /// Opens or creates a lock file.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        self.handle.file(name, Access::Lock)
    }

    /// A path of a socket in this folder that fits the system's length limit.
    pub(crate) fn socket_path(&self, name: &str) -> PathBuf {
        self.handle.socket_path(&self.path, name)
    }

    /// Makes a socket in this folder private.
    pub(crate) fn restrict(&self, name: &str) -> io::Result<()> {
        self.handle.restrict(name)
    }

    /// Whether an open file is still the one with this name.
    pub(super) fn is_named(&self, name: &str, file: &File) -> io::Result<bool> {
        self.handle.is_named(name, file)
    }
}

fn missing(path: &Path) -> FolderError {
    FolderError::unusable(path, io::ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use testkit::TempFolder;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn created_folders_and_files_are_private() {
        let root = TempFolder::new("made");
        let path = root.join("a/b");
        assert!(PrivateFolder::open(&path).unwrap().is_none());
        let folder = PrivateFolder::make(&path).unwrap();
        let inner = folder.make_inner("c").unwrap();
        for made in [&path, inner.path()] {
            assert_eq!(mode(made), 0o700);
        }
        inner.write_record("one.json", &[1, 2]).unwrap();
        inner.write_record("one.json", &[3]).unwrap();
        assert_eq!(inner.read_record("one.json").unwrap(), Some([3]));
        assert_eq!(mode(&inner.path().join("one.json")), 0o600);
        for cut in ["", "[1", "{}"] {
            inner.write("cut.json", cut.as_bytes()).unwrap();
            let all = inner.records::<[u8; 1]>(".json").unwrap();
            assert_eq!(all, [("one.json".to_owned(), [3])], "{cut}");
        }
        inner.remove("cut.json").unwrap();
        drop(inner.lock_file("two.lock").unwrap());
        assert_eq!(mode(&inner.path().join("two.lock")), 0o600);
        assert_eq!(inner.names().unwrap(), ["one.json", "two.lock"]);
        inner.remove("one.json").unwrap();
        inner.remove("one.json").unwrap();
        assert_eq!(inner.read("one.json").unwrap(), None);
    }

    #[test]
    fn readable_folder_is_made_private_and_writable_one_refused() {
        let root = TempFolder::new("modes");
        let path = root.join("folder");
        fs::create_dir(&path).unwrap();
        set_mode(&path, 0o755);
        drop(PrivateFolder::make(&path).unwrap());
        assert_eq!(mode(&path), 0o700);
        for wrong in [0o770, 0o702, 0o777] {
            set_mode(&path, wrong);
            let refused = PrivateFolder::make(&path).unwrap_err();
            assert!(matches!(refused, FolderError::Unsafe { .. }), "{refused:?}");
            assert_eq!(mode(&path), wrong);
        }
    }

    #[test]
    fn links_are_neither_folders_nor_files() {
        let root = TempFolder::new("links");
        let folder = PrivateFolder::make(&root.join("folder")).unwrap();
        let precious = root.join("precious");
        fs::write(&precious, "mine").unwrap();
        for (name, target) in [("link", &*precious), ("inner", &*root)] {
            symlink(target, folder.path().join(name)).unwrap();
        }
        for wrong in ["link", "inner"] {
            let refused = folder.make_inner(wrong).unwrap_err();
            assert!(matches!(refused, FolderError::Unsafe { .. }), "{refused:?}");
        }
        assert!(folder.lock_file("link").is_err());
        assert!(folder.read("link").is_err());
        assert!(folder.remove_tree("inner").is_err());
        // The link itself is replaced.
        folder.write("link", b"new").unwrap();
        assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
        assert_eq!(folder.read("link").unwrap().unwrap(), b"new");
    }

    #[test]
    fn file_writable_by_others_is_not_read() {
        let root = TempFolder::new("open-file");
        let folder = PrivateFolder::make(&root.join("folder")).unwrap();
        folder.write("record", b"1").unwrap();
        set_mode(&folder.path().join("record"), 0o666);
        let refused = folder.read("record").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    }
}

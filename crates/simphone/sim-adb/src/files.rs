//! The phone's file system: a tree in memory with Android's standard folders and a size limit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const STORAGE: &str = "/storage/emulated/0";
const STORAGE_LINKS: [&str; 4] = [
    "/sdcard",
    "/mnt/sdcard",
    "/storage/self/primary",
    "/storage/emulated/legacy",
];
/// The standard folders, read-only outside [`WRITABLE`].
const FOLDERS: &[&str] = &[
    "/",
    "/data",
    "/data/app",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/proc",
    "/storage",
    "/storage/emulated",
    STORAGE,
    "/storage/emulated/0/Android",
    "/storage/emulated/0/DCIM",
    "/storage/emulated/0/Download",
    "/storage/emulated/0/Pictures",
    "/system",
    "/system/app",
    "/system/bin",
    "/vendor",
];
const WRITABLE: [&str; 2] = [STORAGE, "/data/local/tmp"];

/// An `errno` with the phone's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Errno {
    #[error("No such file or directory")]
    NoEntry = 2,
    #[error("File exists")]
    Exists = 17,
    #[error("Is a directory")]
    IsDirectory = 21,
    #[error("Not a directory")]
    NotDirectory = 20,
    #[error("Directory not empty")]
    NotEmpty = 39,
    #[error("Permission denied")]
    Denied = 13,
    #[error("Read-only file system")]
    ReadOnly = 30,
    #[error("No space left on device")]
    NoSpace = 28,
    /// `/dev/tty` of a command without a terminal.
    #[error("No such device or address")]
    NoDevice = 6,
}

impl Errno {
    pub const fn number(self) -> u32 {
        self as u32
    }
}

pub(crate) type Result<T> = std::result::Result<T, Errno>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Type and permissions, as in `st_mode`.
    pub mode: u32,
    pub size: u64,
    /// Seconds since 1970.
    pub modified: u64,
}

impl Meta {
    pub const fn is_folder(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }
}

#[derive(Clone, Debug)]
enum Entry {
    Folder {
        modified: u64,
    },
    File {
        bytes: Arc<Vec<u8>>,
        mode: u32,
        modified: u64,
    },
}

#[derive(Debug)]
pub struct Files {
    tree: Mutex<BTreeMap<String, Entry>>,
    limit: u64,
}

impl Files {
    /// A file system without files. `limit` is the size of the user's files; `created` is the time of the folders.
    pub(crate) fn new(limit: u64, created: u64) -> Self {
        let mut tree = BTreeMap::new();
        for folder in FOLDERS {
            tree.insert((*folder).to_owned(), Entry::Folder { modified: created });
        }
        Self {
            tree: Mutex::new(tree),
            limit,
        }
    }

    fn tree(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The metadata of a path; follows links.
    pub fn meta(&self, path: &str) -> Result<Meta> {
        let path = resolve(path);
        if is_device(&path) {
            return Ok(Meta {
                mode: 0o020_666,
                size: 0,
                modified: 0,
            });
        }
        let tree = self.tree();
        let entry = tree.get(&path).ok_or_else(|| missing(&tree, &path))?;
        Ok(match entry {
            Entry::Folder { modified } => Meta {
                mode: if is_writable(&path) {
                    0o040_771
                } else {
                    0o040_755
                },
                size: 4096,
                modified: *modified,
            },
            Entry::File {
                bytes,
                mode,
                modified,
            } => Meta {
                mode: 0o100_000 | mode,
                size: bytes.len() as u64,
                modified: *modified,
            },
        })
    }

    /// The metadata of a path; does not follow a link.
    pub fn meta_of_link(&self, path: &str) -> Result<Meta> {
        let plain = normal("/", path);
        if STORAGE_LINKS.contains(&plain.as_str()) && !path.ends_with('/') {
            return Ok(Meta {
                mode: 0o120_644,
                size: 21,
                modified: self.meta("/")?.modified,
            });
        }
        self.meta(path)
    }

    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>> {
        let path = resolve(path);
        if is_device(&path) {
            return Ok(Arc::default());
        }
        let tree = self.tree();
        match tree.get(&path) {
            Some(Entry::File { bytes, .. }) => Ok(Arc::clone(bytes)),
            Some(Entry::Folder { .. }) => Err(Errno::IsDirectory),
            None => Err(missing(&tree, &path)),
        }
    }

    /// Writes a file; replaces an old one.
    ///
    /// # Errors
    /// `NoSpace` when the disk is full (nothing changes), `Denied` and `ReadOnly` where the shell may not write, `IsDirectory`,
    /// and `NoEntry` when its folder does not exist.
    pub fn write(&self, path: &str, bytes: Vec<u8>, mode: u32, modified: u64) -> Result<()> {
        self.change(path, |_| bytes, Some(mode), modified)
    }

    /// Appends to a file; creates it if needed.
    pub fn append(&self, path: &str, more: &[u8], modified: u64) -> Result<()> {
        let longer = |old: &[u8]| [old, more].concat();
        self.change(path, longer, None, modified)
    }

    fn change(
        &self,
        path: &str,
        bytes: impl FnOnce(&[u8]) -> Vec<u8>,
        mode: Option<u32>,
        modified: u64,
    ) -> Result<()> {
        let path = resolve(path);
        if is_device(&path) {
            return Ok(());
        }
        let mut tree = self.tree();
        check_writable(&path)?;
        check_parent(&tree, &path)?;
        let (old, old_mode) = match tree.get(&path) {
            Some(Entry::Folder { .. }) => return Err(Errno::IsDirectory),
            Some(Entry::File { bytes, mode, .. }) => (Arc::clone(bytes), *mode),
            None => (Arc::default(), 0o660),
        };
        let new = bytes(&old);
        if new.len() > old.len() && used(&tree) + (new.len() - old.len()) as u64 > self.limit {
            return Err(Errno::NoSpace);
        }
        let file = Entry::File {
            bytes: Arc::new(new),
            mode: mode.unwrap_or(old_mode) & 0o777,
            modified,
        };
        tree.insert(path, file);
        Ok(())
    }

    /// Creates a folder and its parents.
    pub fn make_folders(&self, path: &str, modified: u64) -> Result<()> {
        let path = resolve(path);
        let mut tree = self.tree();
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1);
        for end in ends.chain([path.len()]) {
            let folder = path.get(..end).unwrap_or_default();
            match tree.get(folder) {
                Some(Entry::Folder { .. }) => {}
                Some(Entry::File { .. }) => return Err(Errno::NotDirectory),
                None => {
                    check_writable(folder)?;
                    tree.insert(folder.to_owned(), Entry::Folder { modified });
                }
            }
        }
        Ok(())
    }

    /// The names in a folder, sorted.
    pub fn list(&self, path: &str) -> Result<Vec<String>> {
        let path = resolve(path);
        let tree = self.tree();
        match tree.get(&path) {
            Some(Entry::Folder { .. }) => {}
            Some(Entry::File { .. }) => return Err(Errno::NotDirectory),
            None => return Err(missing(&tree, &path)),
        }
        let mut names: Vec<String> = inside(&tree, &path)
            .filter_map(|each| {
                let rest = each.get(path.len()..)?.trim_start_matches('/');
                (!rest.is_empty() && !rest.contains('/')).then(|| rest.to_owned())
            })
            .collect();
        if path == "/" {
            names.push("sdcard".to_owned());
            names.sort();
        }
        Ok(names)
    }

    /// Removes a file or an empty folder.
    pub fn remove(&self, path: &str) -> Result<()> {
        let path = resolve(path);
        let mut tree = self.tree();
        if !tree.contains_key(&path) {
            return Err(missing(&tree, &path));
        }
        check_writable(&path)?;
        if FOLDERS.contains(&path.as_str()) {
            return Err(Errno::Denied);
        }
        if inside(&tree, &path).nth(1).is_some() {
            return Err(Errno::NotEmpty);
        }
        tree.remove(&path);
        Ok(())
    }
}

fn is_device(path: &str) -> bool {
    path == "/dev/null" || path == "/dev/tty"
}

/// The paths of an entry and of all entries below it, sorted.
fn inside<'a>(
    tree: &'a BTreeMap<String, Entry>,
    path: &'a str,
) -> impl Iterator<Item = &'a String> {
    let below = format!("{}/", path.trim_end_matches('/'));
    tree.range(path.to_owned()..)
        .map(|(each, _)| each)
        .take_while(move |each| each.starts_with(path))
        .filter(move |each| *each == path || each.starts_with(&below))
}

fn used(tree: &BTreeMap<String, Entry>) -> u64 {
    let size = |(path, entry): (&String, &Entry)| match entry {
        Entry::File { bytes, .. } if is_writable(path) => bytes.len() as u64,
        Entry::File { .. } | Entry::Folder { .. } => 0,
    };
    tree.iter().map(size).sum()
}

fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

fn missing(tree: &BTreeMap<String, Entry>, path: &str) -> Errno {
    let mut above = parent(path);
    while above != "/" {
        if matches!(tree.get(above), Some(Entry::File { .. })) {
            return Errno::NotDirectory;
        }
        above = parent(above);
    }
    Errno::NoEntry
}

fn check_parent(tree: &BTreeMap<String, Entry>, path: &str) -> Result<()> {
    match tree.get(parent(path)) {
        Some(Entry::Folder { .. }) => Ok(()),
        Some(Entry::File { .. }) => Err(Errno::NotDirectory),
        None => Err(missing(tree, path)),
    }
}

fn is_writable(path: &str) -> bool {
    WRITABLE.iter().any(|folder| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

fn check_writable(path: &str) -> Result<()> {
    if is_writable(path) {
        Ok(())
    } else if path.starts_with("/data") || path.starts_with("/dev") || path.starts_with("/proc") {
        Err(Errno::Denied)
    } else {
        Err(Errno::ReadOnly)
    }
}

/// An absolute path without `.`, `..` and double slashes; a relative path starts at `folder`.
pub(crate) fn normal(folder: &str, path: &str) -> String {
    let folder = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The normal path behind links of shared storage.
fn resolve(path: &str) -> String {
    let path = normal("/", path);
    for name in STORAGE_LINKS {
        if let Some(rest) = path.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return format!("{STORAGE}{rest}");
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_has_links_and_a_size_limit() {
        let files = Files::new(10, 7);
        files
            .write("/sdcard/a", b"12345".to_vec(), 0o644, 9)
            .unwrap();
        assert_eq!(
            *files.read("/storage/emulated/0/./x/../a").unwrap(),
            b"12345"
        );
        assert_eq!(
            files.write("/sdcard/b", vec![0; 6], 0o644, 9),
            Err(Errno::NoSpace)
        );
        assert_eq!(files.read("/sdcard/b"), Err(Errno::NoEntry));
        files.append("/sdcard/a", b"67890", 9).unwrap();
        assert_eq!(files.append("/sdcard/a", b"1", 9), Err(Errno::NoSpace));
        assert_eq!(
            files.write("/system/x", Vec::new(), 0o644, 9),
            Err(Errno::ReadOnly)
        );
        assert_eq!(
            files.write("/data/x", Vec::new(), 0o644, 9),
            Err(Errno::Denied)
        );
        assert_eq!(files.meta("/sdcard/a/x"), Err(Errno::NotDirectory));
        assert_eq!(files.meta("/sdcard/a").unwrap().mode, 0o100_644);
    }

    #[test]
    fn folders_are_created_listed_and_removed() {
        let files = Files::new(1000, 7);
        files.make_folders("/sdcard/one/two", 1).unwrap();
        files
            .write("/sdcard/one/two/f", b"x".to_vec(), 0o600, 1)
            .unwrap();
        files
            .write("/sdcard/one-more", b"x".to_vec(), 0o600, 1)
            .unwrap();
        assert_eq!(files.remove("/sdcard/one"), Err(Errno::NotEmpty));
        assert_eq!(files.list("/sdcard/one").unwrap(), ["two"]);
        files.remove("/sdcard/one/two/f").unwrap();
        files.remove("/sdcard/one/two").unwrap();
        assert!(files.list("/sdcard/one").unwrap().is_empty());
        assert!(files.read("/sdcard/one-more").is_ok());
        assert!(files.list("/").unwrap().contains(&"sdcard".to_owned()));
    }
}

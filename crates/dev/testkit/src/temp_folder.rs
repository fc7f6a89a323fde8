//! Temporary folders of tests.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new folder, which is removed on drop.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// An empty folder with this word in its name.
    ///
    /// # Panics
    /// The system's temporary folder cannot be written to.
    pub fn new(name: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("clawperator-{name}-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        Self(fs::canonicalize(folder).expect("a folder that was just made"))
    }

    /// Writes a file in it; returns its path.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.join(name), content).expect("a file of a temporary folder");
        self.at(name)
    }

    /// The path of a file in it, as text.
    pub fn at(&self, name: &str) -> String {
        self.join(name).display().to_string()
    }
}

impl Deref for TempFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for TempFolder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // A folder that stays is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

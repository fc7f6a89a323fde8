//! Creating files and folders outside of the runtime folder, private to the user. Existing ones keep their mode.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::random;
use crate::runtime::{self, PrivateFolder};

/// Creates a folder and its parents. Inside the user's folder in the temporary folder, that one must be trusted.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let own = runtime::temporary();
    if path.starts_with(&own) {
        PrivateFolder::make(&own)?;
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Creates a file that must not exist yet.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(path)
}

/// Creates or empties a file.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    reject_foreign_link(path)?;
    options().write(true).create(true).truncate(true).open(path)
}

/// The longest first line of a journal that is read to recognise it.
const MAX_FIRST_LINE: u64 = 1 << 20;

/// Refuses a file that holds something else than the journal of a simulated phone, which must not be lost.
pub(crate) fn reject_other_than_journal(path: &Path) -> io::Result<()> {
    reject_foreign_link(path)?;
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        // Pipes and the like keep nothing.
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    let mut line = Vec::new();
    BufReader::new(File::open(path)?.take(MAX_FIRST_LINE)).read_until(b'\n', &mut line)?;
    let is_entry = |entry: &serde_json::Value| entry["ms"].is_u64() && entry["kind"].is_string();
    let entry: Option<serde_json::Value> = serde_json::from_slice(&line).ok();
    match line.is_empty() || entry.is_some_and(|entry| is_entry(&entry)) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "it exists and is no journal, so it is not replaced",
        )),
    }
}

/// Whether a file exists and would lose content if `new` replaced it, which does not continue it.
pub(crate) fn would_lose(path: &Path, new: &Path) -> io::Result<bool> {
    reject_foreign_link(path)?;
    match fs::read(path) {
        Ok(old) => Ok(!fs::read(new)?.starts_with(&old)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Opens or creates a file of this user for appending; refuses links.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    let mut options = options();
    options.append(true).create(true);
    let flags = rustix::fs::OFlags::NOFOLLOW.bits();
    let file = options.custom_flags(flags.cast_signed()).open(path)?;
    if file.metadata()?.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused("it belongs to another user"));
    }
    Ok(file)
}

/// Replaces a file atomically.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces a file atomically by what `write` writes.
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let part = part_of(path);
    let written = create_new(&part)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| place(&part, path));
    if written.is_err() {
        // Remove the incomplete file, if there is one.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Renames a complete file; it takes the mode of the file that it replaces.
pub(crate) fn place(part: &Path, path: &Path) -> io::Result<()> {
    if let Ok(old) = fs::metadata(path) {
        fs::set_permissions(part, old.permissions())?;
    }
    fs::rename(part, path)
}

/// The temporary name of a file, with random digits, so that no other process can have created it.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", random::secret()));
    path.with_file_name(name)
}

/// Refuses to follow a link of another user; one of root is followed.
pub(crate) fn reject_foreign_link(path: &Path) -> io::Result<()> {
    if let Ok(found) = fs::symlink_metadata(path) {
        let user_id = rustix::process::geteuid().as_raw();
        if found.is_symlink() && ![0, user_id].contains(&found.uid()) {
            return Err(refused("it is a link of another user"));
        }
    }
    Ok(())
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn new_files_are_private_and_existing_ones_keep_their_mode() {
        let temporary = testkit::TempFolder::new("files");
        let root = temporary.join("root");
        let folder = root.join("a/b");
        make_folder(&folder).unwrap();
        assert_eq!((mode(&root), mode(&folder)), (0o700, 0o700));
        let make = |name: &str, path: &Path| match name {
            "new" => create_new(path).map(drop),
            "create" => create(path).map(drop),
            "append" => append(path).map(drop),
            _ => replace(path, b"x"),
        };
        for name in ["new", "create", "append", "replace"] {
            let path = folder.join(name);
            make(name, &path).unwrap();
            assert_eq!(mode(&path), 0o600, "{name}");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert_eq!(make(name, &path).is_ok(), name != "new");
            assert_eq!(mode(&path), 0o644, "{name}");
        }
        let link = folder.join("link");
        symlink(folder.join("create"), &link).unwrap();
        assert!(append(&link).is_err());
        create(&link).unwrap();
        assert!(replace(&folder, b"x").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
        assert_eq!(fs::read_dir(root.join("a")).unwrap().count(), 1);
    }

    #[test]
    fn files_with_other_content_are_not_replaced() {
        let folder = testkit::TempFolder::new("content");
        let file = folder.join("file");
        let refused = |content: &str| {
            fs::write(&file, content).unwrap();
            reject_other_than_journal(&file).is_err()
        };
        assert!(!refused(""));
        assert!(!refused("{\"seq\":0,\"ms\":0,\"kind\":\"start\"}\n"));
        assert!(!refused(
            "{\"ms\":3,\"kind\":\"connected\",\"connection\":1}\nmore"
        ));
        assert!(refused("my notes\n"));
        assert!(refused("{\"name\":\"package\"}\n"));
        assert!(reject_other_than_journal(&folder.join("none")).is_ok());
        assert!(reject_other_than_journal(Path::new("/dev/null")).is_ok());

        let new = folder.join("new");
        fs::write(&new, "one\ntwo\n").unwrap();
        let loses = |old: &str| {
            fs::write(&file, old).unwrap();
            would_lose(&file, &new).unwrap()
        };
        assert!(!loses("one\n"));
        assert!(!loses("one\ntwo\n"));
        assert!(loses("one\nthree\n"));
        assert!(loses("one\ntwo\nthree\n"));
        assert!(!would_lose(&folder.join("none"), &new).unwrap());
    }
}

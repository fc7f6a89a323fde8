//! The file of a saved browser state. It holds credentials: it is private to the user, written whole, and never reached
//! through a link. Messages name places in it, never its text.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use cdp::protocol::storage::Cookie;
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::StoredItem;
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::files;

/// The name of the format.
const FORMAT: &str = "clawperator-browser-state";
/// The version of the format.
const VERSION: u32 = 1;
/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// What to do if the file exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingFile {
    /// Keep it and fail.
    #[default]
    Keep,
    Replace,
}

/// What a browser stores for its pages. It has no `Debug`, because it holds credentials.
#[derive(Default, PartialEq, Serialize, Deserialize)]
pub(super) struct BrowserState {
    pub(super) cookies: Vec<Cookie>,
    pub(super) origins: Vec<OriginState>,
}

/// The local storage of an origin.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OriginState {
    pub(super) origin: String,
    pub(super) local_storage: Vec<StoredItem>,
}

/// What identifies the format.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize)]
struct StateFile<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    state: &'a BrowserState,
}

/// Writes a file that only its user can read.
///
/// # Errors
/// `BROWSER_STATE_NOT_WRITTEN` if it exists and is to be kept, is a link or no regular file, or cannot be written.
pub(super) fn write(
    path: &Path,
    state: &BrowserState,
    existing: ExistingFile,
) -> Result<(), ErrorBody> {
    check_target(path, existing)?;
    let written = StateFile {
        head: Head {
            format: FORMAT.to_owned(),
            version: VERSION,
        },
        state,
    };
    let mut bytes = serde_json::to_vec_pretty(&written)
        .map_err(|error| not_written(path, &position(&error)))?;
    bytes.push(b'\n');
    let part = files::part_of(path);
    let placed = write_part(&part, &bytes).and_then(|()| place(&part, path, existing));
    if placed.is_err() {
        // Nothing of it may stay.
        let _ = fs::remove_file(&part);
    }
    placed.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => not_written(path, &error.to_string()),
    })
}

/// Checks early whether the file may be written.
pub(super) fn check_target(path: &Path, existing: ExistingFile) -> Result<(), ErrorBody> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(not_written(
            path,
            "it is a link, and links are not followed",
        )),
        Ok(found) if !found.is_file() => Err(not_written(path, "it is not a regular file")),
        Ok(_) if existing == ExistingFile::Keep => Err(exists(path)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(not_written(path, &error.to_string())),
    }
}

fn write_part(part: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = files::create_new(part)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Gives the whole file its name. The mode stays 0600, also where it replaces a file.
fn place(part: &Path, path: &Path, existing: ExistingFile) -> io::Result<()> {
    match existing {
        ExistingFile::Replace => fs::rename(part, path),
        ExistingFile::Keep => {
            // Unlike renaming, this fails if the name was taken in the meantime.
            fs::hard_link(part, path)?;
            fs::remove_file(part)
        }
    }
}

fn exists(path: &Path) -> ErrorBody {
    not_written(path, "it exists").with_hint("Choose another name, or replace it with --force")
}

fn not_written(path: &Path, why: &str) -> ErrorBody {
    let message = format!("{} was not written: {why}", path.display());
    ErrorBody::new(ErrorCode::BrowserStateNotWritten, message).with_default_hint()
}

/// Reads a file.
///
/// # Errors
/// `BROWSER_STATE_INVALID`, `BROWSER_STATE_VERSION_UNSUPPORTED`.
pub(super) fn read(path: &Path) -> Result<BrowserState, ErrorBody> {
    let bytes = read_bytes(path).map_err(|error| invalid(path, &error.to_string()))?;
    let head: Head = serde_json::from_slice(&bytes).map_err(|error| {
        let why = match error.classify() {
            Category::Data => "it has no format and version of a saved browser state".to_owned(),
            Category::Io | Category::Syntax | Category::Eof => position(&error),
        };
        invalid(path, &why)
    })?;
    if head.format != FORMAT {
        return Err(invalid(path, "it is not a saved browser state"));
    }
    if head.version != VERSION {
        let message = format!(
            "{} has version {} of the format; this program reads version {VERSION}",
            path.display(),
            head.version
        );
        let error = ErrorBody::new(ErrorCode::BrowserStateVersionUnsupported, message);
        return Err(error.with_default_hint());
    }
    serde_json::from_slice(&bytes).map_err(|error| invalid(path, &position(&error)))
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(io::Error::other("it is larger than 256 MiB"));
    }
    Ok(bytes)
}

/// Opens a file unless it is a link. Does not wait for the writer of a pipe.
fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("it is a link, and links are not followed"));
    }
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

/// Where JSON is wrong, without its text, which may be a secret.
fn position(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Data => "a value is missing or has the wrong type",
        Category::Syntax => "it is not JSON",
        Category::Eof => "it ends too early",
        Category::Io => "it cannot be read",
    };
    format!("{what} (line {}, column {})", error.line(), error.column())
}

fn invalid(path: &Path, why: &str) -> ErrorBody {
    let message = format!("{} was not read: {why}", path.display());
    ErrorBody::new(ErrorCode::BrowserStateInvalid, message).with_default_hint()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use serde_json::json;
    use testkit::TempFolder;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<_> = names
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn state() -> BrowserState {
        serde_json::from_value(json!({
            "cookies": [{
                "name": "a", "value": "secret", "domain": "example.com", "path": "/",
                "httpOnly": true, "secure": false,
            }],
            "origins": [{
                "origin": "https://example.com",
                "localStorage": [{ "name": "token", "value": "secret" }],
            }],
        }))
        .unwrap()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn file_is_private_and_replaced_only_on_request() {
        let folder = TempFolder::new("state-private");
        let file = folder.join("state.json");
        write(&file, &state(), ExistingFile::Keep).unwrap();
        assert_eq!(mode(&file), 0o600);
        assert!(read(&file).unwrap() == state());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        let kept = write(&file, &BrowserState::default(), ExistingFile::Keep).unwrap_err();
        assert_eq!(kept.code, ErrorCode::BrowserStateNotWritten);
        assert!(read(&file).unwrap() == state());
        write(&file, &BrowserState::default(), ExistingFile::Replace).unwrap();
        assert!(read(&file).unwrap() == BrowserState::default());
        assert_eq!(mode(&file), 0o600);
        assert_eq!(names(&folder), ["state.json"]);
    }

    #[test]
    fn name_that_is_taken_in_the_meantime_is_kept() {
        let folder = TempFolder::new("state-taken");
        let (part, file) = (folder.join("part"), folder.join("state.json"));
        write_part(&part, b"new").unwrap();
        fs::write(&file, b"old").unwrap();
        let error = place(&part, &file, ExistingFile::Keep).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }

    #[test]
    fn links_and_special_files_are_refused() {
        let folder = TempFolder::new("state-links");
        let (target, link) = (folder.join("target"), folder.join("link"));
        write(&target, &state(), ExistingFile::Keep).unwrap();
        symlink(&target, &link).unwrap();
        let dangling = folder.join("dangling");
        symlink(folder.join("none"), &dangling).unwrap();
        for path in [&*link, &*dangling, &*folder, Path::new("/dev/null")] {
            for existing in [ExistingFile::Keep, ExistingFile::Replace] {
                let error = write(path, &BrowserState::default(), existing).unwrap_err();
                assert_eq!(error.code, ErrorCode::BrowserStateNotWritten, "{error}");
            }
            let error = read(path).err().unwrap();
            assert_eq!(error.code, ErrorCode::BrowserStateInvalid, "{error}");
        }
        assert!(read(&target).unwrap() == state());
        assert_eq!(names(&folder), ["dangling", "link", "target"]);
    }

    #[test]
    fn invalid_file_is_refused_without_its_text() {
        let folder = TempFolder::new("state-invalid");
        let file = folder.join("state.json");
        let whole = |cookies: &str| {
            format!("{{\"format\":{FORMAT:?},\"version\":1,\"cookies\":{cookies},\"origins\":[]}}")
        };
        for (text, code) in [
            (String::new(), ErrorCode::BrowserStateInvalid),
            ("secret".to_owned(), ErrorCode::BrowserStateInvalid),
            ("{\"secret\":1}".to_owned(), ErrorCode::BrowserStateInvalid),
            ("[\"secret\"]".to_owned(), ErrorCode::BrowserStateInvalid),
            (
                "{\"format\":\"secret\",\"version\":1}".to_owned(),
                ErrorCode::BrowserStateInvalid,
            ),
            (whole("\"secret\""), ErrorCode::BrowserStateInvalid),
            (
                whole("[{\"name\":\"secret\"}]"),
                ErrorCode::BrowserStateInvalid,
            ),
            (whole("[").replace("]}", ""), ErrorCode::BrowserStateInvalid),
            (
                whole("[]").replace(":1,", ":2,"),
                ErrorCode::BrowserStateVersionUnsupported,
            ),
        ] {
            fs::write(&file, &text).unwrap();
            let error = read(&file).err().unwrap();
            assert_eq!(error.code, code, "{text}: {error}");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
        fs::remove_file(&file).unwrap();
        let missing = read(&file).err().unwrap();
        assert_eq!(missing.code, ErrorCode::BrowserStateInvalid);
    }
}

//! Runtime state: locks, records of browsers, phones and recorders, profiles of browsers, and files of runs that nobody
//! named. Everything lies in folders of this user (0700) and is read and written through a [`PrivateFolder`], which refuses a
//! folder into which somebody else could have written. That is why a record can be believed.

mod artifacts;
mod error;
mod folder;
mod lock;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "portable.rs")]
mod system;

use std::path::{Path, PathBuf};

use crate::random::secret;

pub(crate) use artifacts::{RecordingFolder, make_recordings, make_screenshots, new_recordings};
pub(crate) use error::FolderError;
pub(crate) use folder::PrivateFolder;
pub(crate) use lock::{FileLock, LockError};

/// The folder of locks and records: in the user's runtime folder, or in the temporary folder under the user's id.
pub(crate) fn default_folder() -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
    match runtime.map(PathBuf::from) {
        // `su` keeps the variable of the user before.
        Some(folder) if !system::is_of_another_user(&folder) => folder.join("clawperator"),
        _ => temporary(),
    }
}

/// The user's folder in the temporary folder, which other users share. Large files lie here whatever `XDG_RUNTIME_DIR` says:
/// that one is often a small file system in memory.
pub(crate) fn temporary() -> PathBuf {
    std::env::temp_dir().join(own_name())
}

/// A device's name as part of a file name: letters and digits stay, other bytes become numbers, so that no two names meet.
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

/// Opens a folder inside [`temporary`], and makes both where they are not there.
fn make_temporary(name: &str) -> Result<PrivateFolder, FolderError> {
    PrivateFolder::make(&temporary())?.make_inner(name)
}

/// The name of the user's folder in the temporary folder.
fn own_name() -> String {
    match system::user_id() {
        Some(id) => format!("clawperator-{id}"),
        None => "clawperator".to_owned(),
    }
}

/// The folder of the profiles that are made for browsers.
const PROFILES: &str = "profiles";
/// How the names of these profiles begin; 32 hexadecimal digits follow.
const PROFILE: &str = "chrome-";

/// Makes the folder of a new profile.
pub(crate) fn new_profile() -> Result<PathBuf, FolderError> {
    let profiles = make_temporary(PROFILES)?;
    let profile = profiles.make_inner(&format!("{PROFILE}{}", secret()))?;
    Ok(profile.path().to_owned())
}

/// Removes a profile that [`new_profile`] has made; any other folder is left alone. Whether nothing is left to remove.
pub(crate) fn remove_profile(profile: &Path) -> bool {
    let Some((profiles, name)) = profiles_of(profile) else {
        return true;
    };
    match profiles.remove_tree(&name) {
        Ok(()) => true,
        // Somebody was quicker, or it is no folder of this user.
        Err(error) => matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied
        ),
    }
}

/// The folder of profiles that holds this one, and its name in there; `None` for a path that [`new_profile`] never gives. It
/// may lie in another temporary folder than this process uses.
fn profiles_of(profile: &Path) -> Option<(PrivateFolder, String)> {
    let name = profile.file_name()?.to_str()?;
    let digits = name.strip_prefix(PROFILE)?;
    let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 32 || !digits.bytes().all(hexadecimal) {
        return None;
    }
    let own = profile.parent()?.parent()?;
    let given = own.join(PROFILES).join(name);
    if given.as_os_str() != profile.as_os_str() || own.file_name()? != own_name().as_str() {
        return None;
    }
    let profiles = PrivateFolder::open(own)
        .ok()??
        .open_inner(PROFILES)
        .ok()??;
    Some((profiles, name.to_owned()))
}

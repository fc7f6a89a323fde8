//! Runtime state: locks, records of background processes, browser profiles, and files of runs without a path. All of it is in
//! folders of this user (0700), accessed through [`PrivateFolder`], which rejects a folder that another user could have
//! written to. Therefore records can be trusted.

mod artifacts;
mod error;
mod folder;
mod handle;
mod lock;

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
        // After `su` the variable is that of the previous user.
        Some(folder) if !handle::is_of_another_user(&folder) => folder.join("clawperator"),
        _ => temporary(),
    }
}

/// The user's folder in the shared temporary folder. Large files are kept here even if `XDG_RUNTIME_DIR` is set, which is
/// often a small file system in memory.
pub(crate) fn temporary() -> PathBuf {
    std::env::temp_dir().join(own_name())
}

/// A device's name as part of a file name. Letters and digits are kept, other bytes are escaped, so that names stay distinct.
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

/// Opens or creates a folder inside [`temporary`].
fn make_temporary(name: &str) -> Result<PrivateFolder, FolderError> {
    PrivateFolder::make(&temporary())?.make_inner(name)
}

/// The name of the user's folder in the temporary folder.
fn own_name() -> String {
    format!("clawperator-{}", handle::user_id())
}

/// The folder of profiles that are made for browsers.
const PROFILES: &str = "profiles";
/// The prefix of the names of these profiles; 32 hexadecimal digits follow.
const PROFILE: &str = "chrome-";

/// Creates the folder of a new profile.
pub(crate) fn new_profile() -> Result<PathBuf, FolderError> {
    let profiles = make_temporary(PROFILES)?;
    let profile = profiles.make_inner(&format!("{PROFILE}{}", secret()))?;
    Ok(profile.path().to_owned())
}

/// Removes a profile of [`new_profile`]; any other folder is left alone. Whether nothing is left to remove.
pub(crate) fn remove_profile(profile: &Path) -> bool {
    let Some((profiles, name)) = profiles_of(profile) else {
        return true;
    };
    remove_socket_folder(profile);
    match profiles.remove_tree(&name) {
        Ok(()) => true,
        // Another process was faster, or it is not a folder of this user.
        Err(error) => matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied
        ),
    }
}

/// Removes the folder in the temporary one for the socket of a browser that was killed: Chrome leaves it behind.
fn remove_socket_folder(profile: &Path) {
    const SOCKET: &str = "SingletonSocket";
    let socket = std::fs::read_link(profile.join(SOCKET));
    let Some(folder) = socket.as_deref().ok().and_then(Path::parent) else {
        return;
    };
    let name = folder.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default().trim_start_matches('.');
    if name.starts_with("org.chromium.Chromium.") || name.starts_with("com.google.Chrome.") {
        // What is not there was removed by the browser.
        for file in [SOCKET, "SingletonCookie"] {
            let _ = std::fs::remove_file(folder.join(file));
        }
        let _ = std::fs::remove_dir(folder);
    }
}

/// The folder of profiles with this one, and its name; `None` for a path that [`new_profile`] never returns. It may be in
/// another temporary folder than that of this process.
fn profiles_of(profile: &Path) -> Option<(PrivateFolder, String)> {
    let name = profile.file_name()?.to_str()?;
    let digits = name.strip_prefix(PROFILE)?;
    let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 32 || !digits.bytes().all(hexadecimal) {
        return None;
    }
    let temporary_folder = profile.parent()?.parent()?;
    let given = temporary_folder.join(PROFILES).join(name);
    if given.as_os_str() != profile.as_os_str()
        || temporary_folder.file_name()? != own_name().as_str()
    {
        return None;
    }
    let profiles = PrivateFolder::open(temporary_folder)
        .ok()??
        .open_inner(PROFILES)
        .ok()??;
    Some((profiles, name.to_owned()))
}

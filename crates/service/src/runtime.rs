//! The folder of locks and of the records of phones and browsers that stay. It belongs to one user, and nobody else reads it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder where no setting names one: in the user's runtime folder, or in the temporary folder under the user's number.
pub(crate) fn default_folder() -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
    match runtime.map(PathBuf::from) {
        // `su` keeps the variable of the user before.
        Some(folder) if !is_of_another_user(&folder) => folder.join("clawperator"),
        _ => temporary(),
    }
}

/// The user's folder in the temporary folder, which other users share.
pub(crate) fn temporary() -> PathBuf {
    std::env::temp_dir().join(own_name())
}

/// Makes the folder if it is not there, and closes it to other users.
///
/// # Errors
/// What the system says; `PermissionDenied` for a link, a file, or a folder of another user.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    make_private(folder)
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let found = fs::symlink_metadata(folder)?;
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    if !found.is_dir() {
        return refused("it is not a folder".to_owned());
    }
    if is_of_another_user(folder) {
        return refused(format!("it belongs to another user (uid {})", found.uid()));
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The number of the user who runs this process, where the system says it without a call of C.
#[cfg(unix)]
fn uid() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let own = fs::metadata("/proc/self").ok();
    let own = own.or_else(|| fs::metadata(std::env::home_dir()?).ok());
    own.map(|own| own.uid())
}

#[cfg(unix)]
fn own_name() -> String {
    uid().map_or_else(
        || "clawperator".to_owned(),
        |uid| format!("clawperator-{uid}"),
    )
}

/// The temporary folder is the user's own already.
#[cfg(not(unix))]
fn own_name() -> String {
    "clawperator".to_owned()
}

#[cfg(unix)]
fn is_of_another_user(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = fs::symlink_metadata(folder).map(|found| found.uid());
    matches!((owner, uid()), (Ok(owner), Some(uid)) if owner != uid)
}

#[cfg(not(unix))]
fn is_of_another_user(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn make_closes_own_folder_and_refuses_link_and_file() {
        let root = std::env::temp_dir().join(format!("clawperator-runtime-{}", std::process::id()));
        let mode = |folder: &Path| fs::metadata(folder).unwrap().permissions().mode() & 0o777;
        let new = root.join("a/b");
        make(&new).unwrap();
        assert_eq!(mode(&new), 0o700);
        let open = root.join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        make(&open).unwrap();
        assert_eq!(mode(&open), 0o700);
        let (link, file) = (root.join("link"), root.join("file"));
        symlink(&open, &link).unwrap();
        fs::write(&file, "").unwrap();
        for wrong in [link, file] {
            let refused = make(&wrong).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{wrong:?}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}

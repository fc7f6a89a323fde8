//! `chmod`, `mkdir`, `mv`.

use super::Call;
use super::file::{report_errno, split};
use crate::files::Errno;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let (_, words) = split(call);
    let done = match (call.name(), words.as_slice()) {
        ("mkdir", [folder]) => mkdir(call, folder).map_err(|errno| (*folder, errno)),
        ("chmod", [mode, path]) => match u32::from_str_radix(mode, 8) {
            Ok(mode) => chmod(call, mode, path).map_err(|errno| (*path, errno)),
            Err(_) => return call.fail(format!("chmod: bad mode '{mode}'"), 1).await,
        },
        ("mv", [from, to]) => rename(call, from, to).map_err(|errno| (*from, errno)),
        (name, _) => {
            return call
                .fail(format!("{name}: wrong number of arguments"), 1)
                .await;
        }
    };
    match done {
        Ok(()) => Ok(0),
        Err((path, errno)) => report_errno(call, path, errno).await,
    }
}

fn mkdir(call: Call<'_>, folder: &str) -> Result<(), Errno> {
    let now = call.adb_phone().clock().now().stamp();
    call.adb_phone()
        .files()
        .make_folders(&call.path(folder), now)
}

/// Changes the mode of a file; folders keep theirs.
fn chmod(call: Call<'_>, mode: u32, path: &str) -> Result<(), Errno> {
    let (files, path) = (call.adb_phone().files(), call.path(path));
    let meta = files.meta(&path)?;
    if meta.is_folder() {
        return Ok(());
    }
    let bytes = files.read(&path)?;
    files.write(&path, bytes.to_vec(), mode, meta.modified)
}

fn rename(call: Call<'_>, from: &str, to: &str) -> Result<(), Errno> {
    let (files, from, to) = (call.adb_phone().files(), call.path(from), call.path(to));
    let meta = files.meta(&from)?;
    if from == to {
        return Ok(());
    }
    let bytes = files.read(&from)?;
    files.write(&to, bytes.to_vec(), meta.mode & 0o777, meta.modified)?;
    files.remove(&from)
}

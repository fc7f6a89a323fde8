//! `cat`, `chmod`, `ls`, `mkdir`, `mv`, `rm`, `sha256sum`.

use agent_protocol::hex;
use sha2::{Digest, Sha256};

use super::Call;
use crate::files::{Errno, Result};
use crate::shell::io::CommandResult;

/// Runs a command that handles its arguments one by one.
pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let (flags, mut words) = split(call);
    if call.name() == "cat" && words.is_empty() {
        words.push("-");
    }
    let files = call.adb_phone().files();
    let mut status = 0;
    for word in words {
        let path = call.path(word);
        let output = match call.name() {
            "cat" if word == "-" => {
                copy_input(call).await?;
                continue;
            }
            "cat" if path == "/dev/tty" => call.io.terminal().map(|_| Vec::new()),
            "cat" => files.read(&path).map(|bytes| bytes.to_vec()),
            "ls" => files.list(&path).map(|names| {
                let lines = names.iter().flat_map(|name| [name, "\n"]);
                lines.collect::<String>().into_bytes()
            }),
            "sha256sum" => files.read(&path).map(|bytes| {
                let digits = hex(&Sha256::digest(bytes.as_slice()));
                format!("{digits}  {word}\n").into_bytes()
            }),
            _ => remove(call, &path, flags.contains('f')).map(|()| Vec::new()),
        };
        match output {
            Ok(bytes) => call.io.out.bytes(bytes).await?,
            Err(errno) => status = report_errno(call, word, errno).await?,
        }
    }
    Ok(status)
}

/// Runs `chmod`, `mkdir` or `mv`.
pub(super) async fn change(call: Call<'_>) -> CommandResult {
    let (flags, words) = split(call);
    let (done, path) = match (call.name(), words.as_slice()) {
        ("mkdir", [folder]) => (make_folder(call, folder, flags.contains('p')), folder),
        ("chmod", [mode, path]) => match u32::from_str_radix(mode, 8) {
            Ok(mode) => (chmod(call, mode, path), path),
            Err(_) => return call.fail(format!("chmod: bad mode '{mode}'"), 1).await,
        },
        ("mv", [from, to]) => (rename(call, from, to), from),
        (name, _) => {
            let why = format!("{name}: wrong number of arguments");
            return call.fail(why, 1).await;
        }
    };
    let name = match call.name() {
        "mkdir" => format!("'{path}'"),
        "mv" => format!("bad '{path}'"),
        _ => (*path).to_owned(),
    };
    match done {
        Ok(()) => Ok(0),
        Err(errno) => report_errno(call, &name, errno).await,
    }
}

fn make_folder(call: Call<'_>, folder: &str, with_parents: bool) -> Result<()> {
    let (files, path) = (call.adb_phone().files(), call.path(folder));
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let parent = if parent.is_empty() { "/" } else { parent };
    match files.meta(&path) {
        Ok(meta) if !(with_parents && meta.is_folder()) => Err(Errno::Exists),
        Err(Errno::NoEntry) if !with_parents && files.meta(parent).is_err() => Err(Errno::NoEntry),
        _ => files.make_folders(&path, call.adb_phone().clock().now().stamp()),
    }
}

/// Splits the arguments into the letters of the flags and the other words.
pub(super) fn split<'a>(call: Call<'a>) -> (String, Vec<&'a str>) {
    let mut flags = String::new();
    let mut words = Vec::new();
    for word in call.from(1) {
        match word.strip_prefix('-') {
            Some(letters) if !letters.is_empty() => flags.push_str(letters),
            _ => words.push(word.as_str()),
        }
    }
    (flags, words)
}

/// Prints an error of a file and returns status 1.
async fn report_errno(call: Call<'_>, path: &str, errno: Errno) -> CommandResult {
    let line = format!("{}: {path}: {errno}", call.name());
    call.fail(line, 1).await
}

async fn copy_input(call: Call<'_>) -> std::result::Result<(), super::PipeClosed> {
    loop {
        let bytes = call.io.input.some().await;
        if bytes.is_empty() {
            return Ok(());
        }
        call.io.out.bytes(bytes).await?;
    }
}

fn remove(call: Call<'_>, path: &str, force: bool) -> Result<()> {
    let files = call.adb_phone().files();
    if files.meta(path).is_ok_and(|meta| meta.is_folder()) {
        return Err(Errno::IsDirectory);
    }
    match files.remove(path) {
        Err(Errno::NoEntry) if force => Ok(()),
        done => done,
    }
}

/// Changes the mode of a file; folders keep theirs.
fn chmod(call: Call<'_>, mode: u32, path: &str) -> Result<()> {
    let (files, path) = (call.adb_phone().files(), call.path(path));
    let meta = files.meta(&path)?;
    if meta.is_folder() {
        return Ok(());
    }
    let bytes = files.read(&path)?;
    files.write(&path, bytes.to_vec(), mode, meta.modified)
}

fn rename(call: Call<'_>, from: &str, to: &str) -> Result<()> {
    let (files, from, to) = (call.adb_phone().files(), call.path(from), call.path(to));
    let meta = files.meta(&from)?;
    if from == to {
        return Ok(());
    }
    let bytes = files.read(&from)?;
    files.write(&to, bytes.to_vec(), meta.mode & 0o777, meta.modified)?;
    files.remove(&from)
}

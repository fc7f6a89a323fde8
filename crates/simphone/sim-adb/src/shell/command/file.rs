//! `cat`, `ls`, `rm`, `sha256sum`.

use std::sync::Arc;

use agent_protocol::hex;
use sha2::{Digest, Sha256};

use super::Call;
use crate::files::Errno;
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.name() {
        "cat" => cat(call).await,
        "ls" => ls(call).await,
        "sha256sum" => hash(call).await,
        _ => remove(call).await,
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
pub(super) async fn report_errno(call: Call<'_>, path: &str, errno: Errno) -> CommandResult {
    call.fail(format!("{}: {path}: {errno}", call.name()), 1)
        .await
}

async fn cat(call: Call<'_>) -> CommandResult {
    let (_, mut words) = split(call);
    if words.is_empty() {
        words.push("-");
    }
    let mut status = 0;
    for word in words {
        if word == "-" {
            loop {
                let bytes = call.io.input.some().await;
                if bytes.is_empty() {
                    break;
                }
                call.io.out.bytes(bytes).await?;
            }
            continue;
        }
        let path = call.path(word);
        let read = match path.as_str() {
            "/dev/tty" => call.io.terminal().map(|_| Arc::default()),
            _ => call.adb_phone().files().read(&path),
        };
        match read {
            Ok(bytes) => call.io.out.bytes(bytes.to_vec()).await?,
            Err(errno) => status = report_errno(call, word, errno).await?,
        }
    }
    Ok(status)
}

async fn ls(call: Call<'_>) -> CommandResult {
    let (_, words) = split(call);
    let files = call.adb_phone().files();
    let mut status = 0;
    for word in words {
        match files.list(&call.path(word)) {
            Ok(names) => {
                for name in names {
                    call.print_line(name).await?;
                }
            }
            Err(errno) => status = report_errno(call, word, errno).await?,
        }
    }
    Ok(status)
}

async fn hash(call: Call<'_>) -> CommandResult {
    let (_, words) = split(call);
    let mut status = 0;
    for word in words {
        match call.adb_phone().files().read(&call.path(word)) {
            Ok(bytes) => {
                let digits = hex(&Sha256::digest(bytes.as_slice()));
                call.print_line(format!("{digits}  {word}")).await?;
            }
            Err(errno) => status = report_errno(call, word, errno).await?,
        }
    }
    Ok(status)
}

async fn remove(call: Call<'_>) -> CommandResult {
    let (flags, words) = split(call);
    let files = call.adb_phone().files();
    let force = flags.contains('f');
    let mut status = 0;
    for word in words {
        let path = call.path(word);
        let folder = files.meta(&path).is_ok_and(|meta| meta.is_folder());
        let done = if folder {
            Err(Errno::IsDirectory)
        } else {
            files.remove(&path)
        };
        match done {
            Err(Errno::NoEntry) if force => {}
            Err(errno) => status = report_errno(call, word, errno).await?,
            Ok(()) => {}
        }
    }
    Ok(status)
}

//! Files: `cat`, `ls`, `rm`, `mkdir`, `touch`, `pwd`.

use std::sync::Arc;

use super::Call;
use crate::clock::Moment;
use crate::files::{Errno, Meta};
use crate::shell::io::Done;

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.name() {
        "cat" => cat(call).await,
        "ls" => ls(call).await,
        "rm" => remove(call).await,
        "mkdir" => mkdir(call).await,
        "touch" => touch(call).await,
        _ => {
            call.say(&call.shell.folder).await?;
            Ok(0)
        }
    }
}

/// The flags of a command as letters, and its other words.
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

async fn complain(call: Call<'_>, path: &str, errno: Errno) -> Done {
    call.fail(format!("{}: {path}: {errno}", call.name()), 1)
        .await
}

async fn cat(call: Call<'_>) -> Done {
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
            _ => call.handset().files().read(&path),
        };
        match read {
            Ok(bytes) => call.io.out.bytes(bytes.to_vec()).await?,
            Err(errno) => status = complain(call, word, errno).await?,
        }
    }
    Ok(status)
}

fn long(name: &str, meta: &Meta) -> String {
    let time = Moment(i64::try_from(meta.modified).unwrap_or(0) * 1000).format("%Y-%m-%d %H:%M");
    format!(
        "{} 1 shell shell {:>9} {time} {name}",
        meta.letters(),
        meta.size
    )
}

async fn ls(call: Call<'_>) -> Done {
    let (flags, mut words) = split(call);
    if words.is_empty() {
        words.push(".");
    }
    let files = call.handset().files();
    let has = |letter: char| flags.contains(letter);
    let several = words.len() > 1;
    let mut status = 0;
    for word in words {
        let path = call.path(word);
        let meta = match files.meta(&path) {
            Ok(meta) => meta,
            Err(errno) => {
                status = complain(call, word, errno).await?;
                continue;
            }
        };
        let show = |name: &str, meta: &Meta| {
            if has('l') {
                long(name, meta)
            } else {
                name.to_owned()
            }
        };
        if !meta.is_folder() || has('d') {
            call.say(show(word, &meta)).await?;
            continue;
        }
        if several {
            call.say(format!("{word}:")).await?;
        }
        let mut names = files.list(&path).unwrap_or_default();
        if has('a') {
            names.splice(0..0, [".".to_owned(), "..".to_owned()]);
        } else {
            names.retain(|name| has('A') || !name.starts_with('.'));
        }
        if has('l') {
            call.say(format!("total {}", names.len() * 4)).await?;
        }
        for name in names {
            if let Ok(meta) = files.meta(&format!("{path}/{name}")) {
                call.say(show(&name, &meta)).await?;
            }
        }
    }
    Ok(status)
}

async fn remove(call: Call<'_>) -> Done {
    let (flags, words) = split(call);
    let files = call.handset().files();
    let (force, deep) = (flags.contains('f'), flags.contains(['r', 'R']));
    let mut status = 0;
    for word in words {
        let path = call.path(word);
        let folder = files.meta(&path).is_ok_and(|meta| meta.is_folder());
        let done = if folder && deep {
            files.remove_all(&path)
        } else if folder {
            Err(Errno::IsDirectory)
        } else {
            files.remove(&path)
        };
        match done {
            Err(Errno::NoEntry) if force => {}
            Err(errno) => status = complain(call, word, errno).await?,
            Ok(()) => {}
        }
    }
    Ok(status)
}

async fn mkdir(call: Call<'_>) -> Done {
    let (flags, words) = split(call);
    let now = call.handset().clock().now().stamp();
    let mut status = 0;
    for word in words {
        let path = call.path(word);
        let files = call.handset().files();
        let done = if flags.contains('p') {
            files.make_folders(&path, now)
        } else {
            files.make_folder(&path, now)
        };
        if let Err(errno) = done {
            status = call.fail(format!("mkdir: '{word}': {errno}"), 1).await?;
        }
    }
    Ok(status)
}

async fn touch(call: Call<'_>) -> Done {
    let (_, words) = split(call);
    let mut status = 0;
    for word in words {
        let now = call.handset().clock().now().stamp();
        if let Err(errno) = call.handset().files().append(&call.path(word), b"", now) {
            status = call.fail(format!("touch: '{word}': {errno}"), 1).await?;
        }
    }
    Ok(status)
}

//! Files: `cat`, `ls`, `rm`, `mkdir`, `mv`, `cp`, `stat`, `touch`, and what is like them.

use std::sync::Arc;

use super::Call;
use super::ui::write_file;
use crate::clock::Moment;
use crate::files::{Errno, Meta};
use crate::shell::io::Done;

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.name() {
        "cat" => cat(call).await,
        "ls" => ls(call).await,
        "rm" | "rmdir" => remove(call).await,
        "mkdir" => mkdir(call).await,
        "mv" | "cp" => transfer(call).await,
        "stat" => stat(call).await,
        "touch" => touch(call).await,
        "df" => df(call).await,
        "tee" => tee(call).await,
        "pwd" => {
            call.say(&call.shell.folder).await?;
            Ok(0)
        }
        "basename" | "dirname" => {
            let path = call.arg(1).unwrap_or_default().trim_end_matches('/');
            let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
            let name = call
                .arg(2)
                .and_then(|end| name.strip_suffix(end))
                .unwrap_or(name);
            call.say(if call.name() == "basename" {
                name
            } else {
                folder
            })
            .await?;
            Ok(0)
        }
        // `chmod`: there is one user, and what it may do does not change.
        _ => Ok(0),
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
        } else if folder && call.name() == "rm" {
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

/// Copies a path with everything in it.
fn copy(call: Call<'_>, from: &str, to: &str, deep: bool) -> Result<(), Errno> {
    let files = call.handset().files();
    let now = call.handset().clock().now().stamp();
    if !files.meta(from)?.is_folder() {
        return write_file(call, to, files.read(from)?.to_vec());
    }
    if !deep {
        return Err(Errno::IsDirectory);
    }
    files.make_folders(to, now)?;
    for name in files.list(from)? {
        copy(
            call,
            &format!("{from}/{name}"),
            &format!("{to}/{name}"),
            deep,
        )?;
    }
    Ok(())
}

async fn transfer(call: Call<'_>) -> Done {
    let (flags, words) = split(call);
    let [sources @ .., target] = words.as_slice() else {
        return call
            .fail(format!("{}: Needs 2 arguments", call.name()), 1)
            .await;
    };
    if sources.is_empty() {
        return call
            .fail(format!("{}: Needs 2 arguments", call.name()), 1)
            .await;
    }
    let files = call.handset().files();
    let to = call.path(target);
    let into = files.meta(&to).is_ok_and(|meta| meta.is_folder());
    let mut status = 0;
    for source in sources {
        let from = call.path(source);
        let name = from.rsplit('/').next().unwrap_or_default();
        let to = if into {
            format!("{to}/{name}")
        } else {
            to.clone()
        };
        let inside = to.starts_with(&format!("{from}/")) || to == from;
        let done = match call.name() {
            _ if inside => Err(Errno::Exists),
            "mv" => files.rename(&from, &to),
            _ => copy(call, &from, &to, flags.contains(['r', 'R', 'a'])),
        };
        if let Err(errno) = done {
            status = call
                .fail(format!("{}: {source}: {errno}", call.name()), 1)
                .await?;
        }
    }
    Ok(status)
}

async fn stat(call: Call<'_>) -> Done {
    let (pattern, paths) = match call.from(1) {
        [flag, pattern, paths @ ..] if flag == "-c" => (Some(pattern), paths),
        paths => (None, paths),
    };
    let mut status = 0;
    for path in paths {
        let meta = match call.handset().files().meta(&call.path(path)) {
            Ok(meta) => meta,
            Err(errno) => {
                status = call.fail(format!("stat: '{path}': {errno}"), 1).await?;
                continue;
            }
        };
        let kind = if meta.is_folder() {
            "directory"
        } else {
            "regular file"
        };
        let time = Moment(i64::try_from(meta.modified).unwrap_or(0) * 1000)
            .format("%Y-%m-%d %H:%M:%S.000000000 +0000");
        let Some(pattern) = pattern else {
            call.say(format!(
                "  File: {path}\n  Size: {}\t Blocks: 8\t IO Blocks: 512\t{kind}\nAccess: ({:04o}/{})\tUid: ( 2000/   \
                 shell)\tGid: ( 2000/   shell)\nModify: {time}",
                meta.size,
                meta.mode & 0o7777,
                meta.letters()
            ))
            .await?;
            continue;
        };
        let mut text = String::new();
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                text.push(letter);
                continue;
            }
            match letters.next() {
                Some('s') => text.push_str(&meta.size.to_string()),
                Some('n') => text.push_str(path),
                Some('a') => text.push_str(&format!("{:o}", meta.mode & 0o7777)),
                Some('A') => text.push_str(&meta.letters()),
                Some('f') => text.push_str(&format!("{:x}", meta.mode)),
                Some('F') => text.push_str(kind),
                Some('Y') => text.push_str(&meta.modified.to_string()),
                Some('y') => text.push_str(&time),
                Some('u' | 'g') => text.push_str("2000"),
                Some('U' | 'G') => text.push_str("shell"),
                Some(other) => text.push(other),
                None => {}
            }
        }
        call.say(text).await?;
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

async fn df(call: Call<'_>) -> Done {
    let (limit, used) = call.handset().files().usage();
    let (limit, used) = (limit / 1024, used / 1024);
    let share = (used * 100).checked_div(limit).unwrap_or(100);
    call.say("Filesystem       1K-blocks     Used Available Use% Mounted on")
        .await?;
    call.say(format!(
        "/dev/fuse       {limit:>10} {used:>8} {:>9} {share:>3}% /storage/emulated",
        limit.saturating_sub(used)
    ))
    .await?;
    Ok(0)
}

async fn tee(call: Call<'_>) -> Done {
    let (_, words) = split(call);
    let bytes = call.io.input.rest().await;
    let mut status = 0;
    for word in words {
        if let Err(errno) = write_file(call, word, bytes.clone()) {
            status = complain(call, word, errno).await?;
        }
    }
    call.io.out.bytes(bytes).await?;
    Ok(status)
}

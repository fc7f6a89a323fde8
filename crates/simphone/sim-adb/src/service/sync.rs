//! `sync:`: file transfer, listing and metadata.

use adb::wire::mux::MuxStream;
use adb::wire::sync::{
    DATA, DENT, DENT2, DONE, FAIL, Id, LIST, LIST2, LSTAT2, MAX_DATA, MAX_PATH, OKAY, QUIT, RECV,
    SEND, STAT, STAT2, head, message, read_head,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::adb_phone::AdbPhone;
use crate::fault::WireFault;
use crate::files::{Errno, Meta, Result};

/// A newer receive request, which only daemons with other features accept.
const RECV2: Id = *b"RCV2";

pub(super) async fn serve(mut stream: MuxStream, adb_phone: &AdbPhone) -> adb::Result<()> {
    loop {
        let (id, length) = read_head(&mut stream).await?;
        if id == QUIT {
            return Ok(());
        }
        let length = length as usize;
        if length > MAX_PATH + 16 {
            return fail(&mut stream, "path too long").await;
        }
        let mut path = vec![0; length];
        stream.read_exact(&mut path).await?;
        let path = String::from_utf8_lossy(&path).into_owned();
        let files = adb_phone.files();
        match id {
            STAT => {
                let meta = files.meta_of_link(&path).ok();
                let mut answer = STAT.to_vec();
                answer.extend(meta_v1(meta.as_ref()));
                stream.write_all(&answer).await?;
            }
            STAT2 => stream.write_all(&meta_v2(STAT2, files.meta(&path))).await?,
            LSTAT2 => {
                let meta = files.meta_of_link(&path);
                stream.write_all(&meta_v2(LSTAT2, meta)).await?;
            }
            LIST | LIST2 => list(&mut stream, adb_phone, &path, id).await?,
            RECV => receive(&mut stream, adb_phone, &path).await?,
            SEND => send(&mut stream, adb_phone, &path).await?,
            RECV2 => return fail(&mut stream, "unsupported").await,
            other => {
                let shown = String::from_utf8_lossy(&other).into_owned();
                return fail(&mut stream, &format!("unknown command {shown}")).await;
            }
        }
    }
}

async fn fail(stream: &mut MuxStream, why: &str) -> adb::Result<()> {
    stream.write_all(&message(FAIL, why.as_bytes())).await?;
    Ok(())
}

/// The metadata of version 1: mode, size and time in 12 bytes; zeros for a missing file.
fn meta_v1(meta: Option<&Meta>) -> Vec<u8> {
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let numbers = meta.map_or([0; 3], |meta| {
        [meta.mode, number(meta.size), number(meta.modified)]
    });
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// The metadata of version 2, in 72 bytes with the id.
fn meta_v2(id: Id, meta: Result<Meta>) -> Vec<u8> {
    let mut bytes = id.to_vec();
    let mut number = |value: u64, size: usize| bytes.extend(value.to_le_bytes().iter().take(size));
    let (errno, meta) = match meta {
        Ok(meta) => (0, Some(meta)),
        Err(errno) => (errno.number(), None),
    };
    let of = |read: fn(&Meta) -> u64| meta.as_ref().map_or(0, read);
    number(u64::from(errno), 4);
    // Device and inode.
    number(of(|_| 1), 8);
    let inode = |meta: &Meta| meta.modified.wrapping_mul(31).wrapping_add(meta.size);
    number(of(inode), 8);
    number(of(|meta| u64::from(meta.mode)), 4);
    number(of(|_| 1), 4);
    number(of(|_| 2000), 4);
    number(of(|_| 2000), 4);
    number(of(|meta| meta.size), 8);
    for _ in 0..3 {
        number(of(|meta| meta.modified), 8);
    }
    bytes
}

async fn list(stream: &mut MuxStream, adb_phone: &AdbPhone, path: &str, id: Id) -> adb::Result<()> {
    let files = adb_phone.files();
    let second = id == LIST2;
    let mut names = files.list(path).unwrap_or_default();
    if !names.is_empty() || files.list(path).is_ok() {
        names.splice(0..0, [".".to_owned(), "..".to_owned()]);
    }
    for name in names {
        let meta = files.meta_of_link(&format!("{path}/{name}"));
        let mut entry = if second {
            meta_v2(DENT2, meta)
        } else {
            let mut entry = DENT.to_vec();
            entry.extend(meta_v1(meta.ok().as_ref()));
            entry
        };
        let length = u32::try_from(name.len()).unwrap_or(0);
        entry.extend(length.to_le_bytes());
        entry.extend(name.as_bytes());
        stream.write_all(&entry).await?;
    }
    // The end has the length of an entry without a name.
    let mut last = DONE.to_vec();
    last.resize(if second { 76 } else { 20 }, 0);
    stream.write_all(&last).await?;
    Ok(())
}

async fn receive(stream: &mut MuxStream, adb_phone: &AdbPhone, path: &str) -> adb::Result<()> {
    let bytes = match adb_phone.files().read(path) {
        Ok(bytes) => bytes,
        Err(errno) => {
            let why = match errno {
                Errno::IsDirectory => format!("read failed: {errno}"),
                _ => format!("open failed: {errno}"),
            };
            return fail(stream, &why).await;
        }
    };
    for piece in bytes.chunks(MAX_DATA) {
        stream.write_all(&message(DATA, piece)).await?;
    }
    stream.write_all(&head(DONE, 0)).await?;
    Ok(())
}

/// Receives a file. Reports a failure at once, then reads and drops the rest.
async fn send(stream: &mut MuxStream, adb_phone: &AdbPhone, request: &str) -> adb::Result<()> {
    let (path, mode) = request.rsplit_once(',').unwrap_or((request, "33188"));
    let mode = mode.parse::<u32>().unwrap_or(0o100_644);
    let files = adb_phone.files();
    let now = adb_phone.clock().now().stamp();
    let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder);
    let mut failure = if adb_phone.faults().has(&WireFault::FullDisk) {
        Some(Errno::NoSpace)
    } else {
        // The feature `fixed_push_mkdir`: missing folders are created.
        let made = files.make_folders(folder, now);
        made.and_then(|()| files.write(path, Vec::new(), mode, now))
            .err()
    };
    let mut reported = false;
    loop {
        if let Some(errno) = failure.filter(|_| !reported) {
            let why = match errno {
                Errno::NoSpace => format!("write failed: {errno}"),
                _ => format!("couldn't create file: {errno}"),
            };
            fail(stream, &why).await?;
            reported = true;
        }
        let (id, number) = read_head(stream).await?;
        match id {
            DATA => {
                let length = number as usize;
                if length > MAX_DATA {
                    return fail(stream, "oversize data message").await;
                }
                let mut piece = vec![0; length];
                stream.read_exact(&mut piece).await?;
                if failure.is_none() {
                    failure = files.append(path, &piece, now).err();
                    if failure.is_some() {
                        // Removes the partial file.
                        let _ = files.remove(path);
                    }
                }
            }
            DONE => {
                if failure.is_none() {
                    // Sets mode and time of the file.
                    let bytes = files.read(path).unwrap_or_default().to_vec();
                    match files.write(path, bytes, mode, u64::from(number)) {
                        Ok(()) => stream.write_all(&head(OKAY, 0)).await?,
                        Err(errno) => fail(stream, &errno.to_string()).await?,
                    }
                }
                return Ok(());
            }
            _ => return fail(stream, "invalid data message").await,
        }
    }
}

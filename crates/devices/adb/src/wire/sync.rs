//! The file service: messages of four letters and a number, in one stream. All numbers are little endian.
//!
//! Source: `SYNC.TXT` of AOSP's adb, and `file_sync_protocol.h` for the second versions of stat and list.

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::error::Result;

/// Maximum size of the data of a message (`SYNC_DATA_MAX` in AOSP).
pub const MAX_DATA: usize = 64 * 1024;
/// Maximum length of a path that a phone accepts.
pub const MAX_PATH: usize = 1024;

/// The four letters of a message.
pub type Id = [u8; 4];

/// Ends a transfer; the number is the modification time.
pub const DONE: Id = *b"DONE";
/// A piece of a file; the number is its length.
pub const DATA: Id = *b"DATA";
/// Success.
pub const OKAY: Id = *b"OKAY";
/// Failure; the number is the length of the reason.
pub const FAIL: Id = *b"FAIL";
/// Sends a file to the phone: `path,mode`.
pub const SEND: Id = *b"SEND";
/// Reads a file from the phone.
pub const RECV: Id = *b"RECV";
/// Status of a path, first version.
pub const STAT: Id = *b"STAT";
/// Status of a path, following links, second version.
pub const STAT2: Id = *b"STA2";
/// Status of a path, not following links, second version.
pub const LSTAT2: Id = *b"LST2";
/// Lists a folder, first version.
pub const LIST: Id = *b"LIST";
/// Lists a folder, second version.
pub const LIST2: Id = *b"LIS2";
/// An entry of a folder, first version.
pub const DENT: Id = *b"DENT";
/// An entry of a folder, second version.
pub const DENT2: Id = *b"DNT2";
/// Ends the session.
pub const QUIT: Id = *b"QUIT";

/// The bytes of a message with `body` after its length.
pub fn message(id: Id, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let mut bytes = head(id, length);
    bytes.extend_from_slice(body);
    bytes
}

/// The bytes of a message with only a number.
pub fn head(id: Id, number: u32) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes
}

/// Reads the letters and the number of a message.
pub async fn read_head(from: &mut (impl AsyncRead + Unpin)) -> Result<(Id, u32)> {
    let mut id = [0; 4];
    from.read_exact(&mut id).await?;
    Ok((id, from.read_u32_le().await?))
}

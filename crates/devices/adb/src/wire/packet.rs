//! Packets of the transport between an adb server and a phone: a header of 24 bytes, and a payload.
//!
//! Source: `docs/dev/protocol.md` of AOSP's adb. All numbers are little endian.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::error::{Error, Result};

/// The protocol version; from this version on, checksums are ignored.
pub const VERSION: u32 = 0x0100_0001;
/// Maximum size of an accepted payload.
pub const MAX_PAYLOAD: u32 = 256 * 1024;

/// The type of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Handshake: version, largest payload, banner.
    Connect,
    /// A token, a signature, or a public key.
    Auth,
    /// A request for TLS.
    StartTls,
    /// Opens a stream to the service in the payload.
    Open,
    /// The stream is open, or the last payload was received.
    Okay,
    /// Data of a stream.
    Write,
    /// The stream was closed or refused.
    Close,
}

impl Command {
    const ALL: [Command; 7] = [
        Command::Connect,
        Command::Auth,
        Command::StartTls,
        Command::Open,
        Command::Okay,
        Command::Write,
        Command::Close,
    ];

    /// The four letters in the protocol.
    pub const fn tag(self) -> [u8; 4] {
        match self {
            Command::Connect => *b"CNXN",
            Command::Auth => *b"AUTH",
            Command::StartTls => *b"STLS",
            Command::Open => *b"OPEN",
            Command::Okay => *b"OKAY",
            Command::Write => *b"WRTE",
            Command::Close => *b"CLSE",
        }
    }

    fn from_tag(tag: [u8; 4]) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.tag() == tag)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its type.
    pub command: Command,
    /// The sender's id of the stream; the version in `Connect`, the kind in `Auth`.
    pub arg0: u32,
    /// The receiver's id of the stream; the largest payload in `Connect`.
    pub arg1: u32,
    pub payload: Vec<u8>,
}

/// `arg0` of `Auth`: a token to be signed.
pub const AUTH_TOKEN: u32 = 1;
/// `arg0` of `Auth`: the signature of the token.
pub const AUTH_SIGNATURE: u32 = 2;
/// `arg0` of `Auth`: a public key for the user of the phone to accept.
pub const AUTH_PUBLIC_KEY: u32 = 3;

impl Packet {
    /// A packet with this content.
    pub fn new(command: Command, arg0: u32, arg1: u32, payload: impl Into<Vec<u8>>) -> Self {
        Self {
            command,
            arg0,
            arg1,
            payload: payload.into(),
        }
    }

    /// Encodes header and payload in one buffer, so that one write sends one segment.
    pub fn to_bytes(&self) -> Vec<u8> {
        let tag = u32::from_le_bytes(self.command.tag());
        let sum = self
            .payload
            .iter()
            .fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
        let length = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
        let mut bytes = Vec::with_capacity(24 + self.payload.len());
        for number in [tag, self.arg0, self.arg1, length, sum, !tag] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// Reads the next packet.
    ///
    /// # Errors
    /// `Closed` at the end, `Protocol` if it is invalid or larger than [`MAX_PAYLOAD`].
    pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> Result<Self> {
        let mut header = [0; 24];
        from.read_exact(&mut header).await?;
        let mut numbers = [0_u32; 6];
        for (number, bytes) in numbers.iter_mut().zip(header.as_chunks().0) {
            *number = u32::from_le_bytes(*bytes);
        }
        let [tag, arg0, arg1, length, _sum, magic] = numbers;
        let command = Command::from_tag(tag.to_le_bytes())
            .filter(|_| magic == !tag)
            .ok_or_else(|| {
                let shown = String::from_utf8_lossy(&header[..4])
                    .escape_debug()
                    .to_string();
                Error::protocol(format!(
                    "data that begins with {shown:?} is not an adb packet"
                ))
            })?;
        if length > MAX_PAYLOAD {
            return Err(Error::protocol(format!(
                "a packet of {length} bytes; the limit is {MAX_PAYLOAD}"
            )));
        }
        let mut payload = vec![0; length as usize];
        from.read_exact(&mut payload).await?;
        Ok(Self {
            command,
            arg0,
            arg1,
            payload,
        })
    }

    /// Writes the packet.
    pub async fn write(&self, to: &mut (impl AsyncWrite + Unpin)) -> Result<()> {
        to.write_all(&self.to_bytes()).await?;
        to.flush().await?;
        Ok(())
    }

    /// The payload as text, up to the NUL that may end it.
    pub fn text(&self) -> String {
        let end = self.payload.iter().position(|byte| *byte == 0);
        let bytes = self.payload.get(..end.unwrap_or(self.payload.len()));
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn packets_round_trip() {
        let packet = Packet::new(Command::Open, 7, 0, "shell,v2,raw:id\0");
        let bytes = packet.to_bytes();
        assert_eq!(&bytes[..4], b"OPEN");
        assert_eq!(bytes.len(), 24 + 16);
        let back = Packet::read(&mut bytes.as_slice()).await.unwrap();
        assert_eq!(back, packet);
        assert_eq!(back.text(), "shell,v2,raw:id");
    }

    #[tokio::test]
    async fn invalid_and_oversized_packets_are_refused() {
        let noise = b"HTTP/1.1 400 Bad Request\r\n";
        let error = Packet::read(&mut noise.as_slice()).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "data that begins with \"HTTP\" is not an adb packet"
        );
        let mut giant = Packet::new(Command::Write, 1, 1, "").to_bytes();
        giant[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = Packet::read(&mut giant.as_slice()).await.unwrap_err();
        assert!(error.to_string().contains("4294967295"), "{error}");
    }

    #[tokio::test]
    async fn truncated_packet_is_an_error() {
        let bytes = Packet::new(Command::Write, 1, 2, "hello").to_bytes();
        let error = Packet::read(&mut &bytes[..26]).await.unwrap_err();
        assert!(matches!(error.kind, crate::ErrorKind::Closed), "{error}");
    }
}

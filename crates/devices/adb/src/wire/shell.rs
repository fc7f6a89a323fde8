//! Shell protocol v2: standard output, standard error and the exit status as packets of one stream.
//!
//! A packet is a kind of one byte, a length of four (little endian), and that many bytes.

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::error::{Error, Result};

/// The kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Standard input, to the phone.
    Stdin,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// One byte: the exit status. The last packet.
    Exit,
    /// End of standard input, to the phone.
    CloseStdin,
    /// New size of the terminal, to the phone.
    WindowSize,
}

impl Kind {
    /// Its number in the protocol.
    pub const fn number(self) -> u8 {
        match self {
            Kind::Stdin => 0,
            Kind::Stdout => 1,
            Kind::Stderr => 2,
            Kind::Exit => 3,
            Kind::CloseStdin => 4,
            Kind::WindowSize => 5,
        }
    }

    const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Kind::Stdin),
            1 => Some(Kind::Stdout),
            2 => Some(Kind::Stderr),
            3 => Some(Kind::Exit),
            4 => Some(Kind::CloseStdin),
            5 => Some(Kind::WindowSize),
            _ => None,
        }
    }
}

/// Maximum size of a packet of either side.
const MAX_PACKET: usize = 16 * 1024 * 1024;

/// The bytes of a packet.
pub fn packet(kind: Kind, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(5 + data.len());
    bytes.push(kind.number());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// The next packet; `None` if the stream ends between packets.
///
/// # Errors
/// `Closed` if it ends inside a packet, `Protocol` if the packet is invalid.
pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> Result<Option<(Kind, Vec<u8>)>> {
    let mut first = [0; 1];
    if from.read(&mut first).await? == 0 {
        return Ok(None);
    }
    let [number] = first;
    let kind = Kind::from_number(number)
        .ok_or_else(|| Error::protocol(format!("the shell sent a packet of kind {number}")))?;
    let length = from.read_u32_le().await? as usize;
    if length > MAX_PACKET {
        return Err(Error::protocol(format!(
            "the shell sent a packet of {length} bytes"
        )));
    }
    let mut data = vec![0; length];
    from.read_exact(&mut data).await?;
    Ok(Some((kind, data)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn packets_round_trip_and_truncation_is_detected() {
        let mut bytes = packet(Kind::Stdout, b"hi\n");
        bytes.extend(packet(Kind::Exit, &[3]));
        let mut from = bytes.as_slice();
        assert_eq!(
            read(&mut from).await.unwrap(),
            Some((Kind::Stdout, b"hi\n".to_vec()))
        );
        assert_eq!(read(&mut from).await.unwrap(), Some((Kind::Exit, vec![3])));
        assert_eq!(read(&mut from).await.unwrap(), None);
        let error = read(&mut &bytes[..6]).await.unwrap_err();
        assert!(matches!(error.kind, crate::ErrorKind::Closed), "{error}");
        let error = read(&mut [9_u8, 0, 0, 0, 0].as_slice()).await.unwrap_err();
        assert_eq!(error.to_string(), "the shell sent a packet of kind 9");
    }
}

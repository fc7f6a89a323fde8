//! Frames: length, kind, id, body.

/// Maximum number of bytes after a length.
pub const MAX_FRAME: usize = 33_554_432;

/// Number of bytes of kind and id.
const HEADER_BYTES: usize = 5;
/// Number of bytes of the length.
const LENGTH_BYTES: usize = 4;

/// Kinds of frames that are no requests.
pub mod kind {
    /// The answer to a request.
    pub const DONE: u8 = 128;
    /// An error instead of an answer.
    pub const ERROR: u8 = 129;
    /// A message of the agent.
    pub const MESSAGE: u8 = 130;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What its body is.
    pub kind: u8,
    /// The request that it belongs to; 0 for messages of the agent.
    pub id: u32,
    /// Its content.
    pub body: Vec<u8>,
}

/// A length that no frame has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {0} bytes; the limits are {HEADER_BYTES} and {MAX_FRAME}")]
pub struct FrameTooLong(pub u64);

/// A frame as bytes.
pub fn encode_frame(kind: u8, id: u32, body: &[u8]) -> Result<Vec<u8>, FrameTooLong> {
    let length = HEADER_BYTES + body.len();
    let stated = u32::try_from(length)
        .ok()
        .filter(|_| length <= MAX_FRAME)
        .ok_or(FrameTooLong(length as u64))?;
    let mut bytes = Vec::with_capacity(LENGTH_BYTES + length);
    bytes.extend_from_slice(&stated.to_be_bytes());
    bytes.push(kind);
    bytes.extend_from_slice(&id.to_be_bytes());
    bytes.extend_from_slice(body);
    Ok(bytes)
}

/// Cuts a stream of bytes into frames, however it arrives. It holds no more than what arrived.
#[derive(Debug, Default)]
pub struct FrameReader {
    bytes: Vec<u8>,
    /// The beginning of the next frame.
    start: usize,
}

impl FrameReader {
    /// A reader at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether the stream may end here: no frame has begun.
    pub fn is_between_frames(&self) -> bool {
        self.start == self.bytes.len()
    }

    /// The next complete frame.
    ///
    /// # Errors
    /// If it states a length that no frame has; the stream is unusable then.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameTooLong> {
        let rest = self.bytes.get(self.start..).unwrap_or_default();
        let Some((length, rest)) = rest.split_first_chunk::<LENGTH_BYTES>() else {
            return Ok(None);
        };
        let stated = u32::from_be_bytes(*length);
        let length = usize::try_from(stated).unwrap_or(usize::MAX);
        if !(HEADER_BYTES..=MAX_FRAME).contains(&length) {
            return Err(FrameTooLong(stated.into()));
        }
        let Some(frame) = rest.get(..length) else {
            return Ok(None);
        };
        let [kind, id @ ..] = frame
            .first_chunk::<HEADER_BYTES>()
            .copied()
            .unwrap_or_default();
        let body = frame.get(HEADER_BYTES..).unwrap_or_default().to_vec();
        self.start += LENGTH_BYTES + length;
        Ok(Some(Frame {
            kind,
            id: u32::from_be_bytes(id),
            body,
        }))
    }
}

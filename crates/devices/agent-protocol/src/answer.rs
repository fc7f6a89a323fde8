//! What the agent answers.

use crate::agent_error::AgentError;
use crate::body::{BodyReader, BodyWriter, Decoded, TextTable};
use crate::capture::ScreenCapture;
use crate::content::{Content, ScreenCopy};
use crate::frame::{FrameTooLong, encode_frame, kind};
use crate::handshake::HelloAnswer;
use crate::request::RequestKind;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// To `HELLO` and `LISTEN`.
    Hello(HelloAnswer),
    /// To `PING`.
    Pong {
        /// The revision of the last observation.
        revision: u64,
    },
    /// To `OBSERVE`.
    Observed {
        /// The revision of the screen.
        revision: u64,
        /// The screen; `None` if it equals that of the known revision.
        screen: Option<Box<ScreenCapture>>,
    },
    Acted {
        /// The text of the node afterwards, if it was read again.
        text: Option<String>,
    },
    /// To requests whose answer is empty: `TOUCH`, `KEY`, `CANCEL`, `QUIT`.
    Done,
    Screenshot(ScreenImage),
    Clipboard {
        text: String,
    },
}

/// A picture of a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenImage {
    /// Its width in pixels.
    pub width: u32,
    pub height: u32,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// Its frame. A screen is encoded whole; see [`SentContent`](crate::SentContent) for edits.
    pub fn encode(&self, id: u32) -> Result<Vec<u8>, FrameTooLong> {
        let mut body = BodyWriter::default();
        match self {
            Self::Hello(hello) => hello.encode(&mut body),
            Self::Pong { revision } => body.uint(*revision),
            Self::Observed { revision, screen } => {
                body.uint(*revision);
                body.uint(u64::from(screen.is_none()));
                if let Some(screen) = screen {
                    body.uint(screen.took_ms);
                    body.array(&Content::encode(screen, TextTable::default()).bytes);
                }
            }
            Self::Acted { text } => {
                body.uint(u64::from(text.is_some()));
                if let Some(text) = text {
                    body.text(text);
                }
            }
            Self::Done => {}
            Self::Screenshot(image) => {
                body.uint(image.width);
                body.uint(image.height);
                body.bytes(&image.bytes);
            }
            Self::Clipboard { text } => body.text(text),
        }
        encode_frame(kind::DONE, id, &body.into_bytes())
    }

    /// The answer to a request of this kind, in the body of a frame. `copy` is the last content on this connection.
    pub fn decode(kind: RequestKind, body: &[u8], copy: &mut ScreenCopy) -> Decoded<Self> {
        let mut body = BodyReader::new(body);
        let answer = match kind {
            RequestKind::Hello | RequestKind::Listen => {
                Self::Hello(HelloAnswer::decode(&mut body)?)
            }
            RequestKind::Ping => Self::Pong {
                revision: body.uint("revision")?,
            },
            RequestKind::Observe => {
                let (revision, screen) = copy.decode_answer(&mut body)?;
                Self::Observed { revision, screen }
            }
            RequestKind::Act => {
                let text = match body.flag("text flag")? {
                    true => Some(body.text("text")?.to_owned()),
                    false => None,
                };
                Self::Acted { text }
            }
            RequestKind::Touch
            | RequestKind::Key
            | RequestKind::Rotate
            | RequestKind::Cancel
            | RequestKind::Quit => Self::Done,
            RequestKind::Screenshot => Self::Screenshot(ScreenImage {
                width: body.number("width")?,
                height: body.number("height")?,
                bytes: body.bytes("image")?.to_vec(),
            }),
            RequestKind::Clipboard => Self::Clipboard {
                text: body.text("text")?.to_owned(),
            },
        };
        body.finish()?;
        Ok(answer)
    }
}

impl AgentError {
    pub fn to_frame(&self, id: u32) -> Result<Vec<u8>, FrameTooLong> {
        let mut body = BodyWriter::default();
        self.encode(&mut body);
        encode_frame(kind::ERROR, id, &body.into_bytes())
    }

    /// The error in the body of a frame.
    pub fn of_body(body: &[u8]) -> Decoded<Self> {
        let mut body = BodyReader::new(body);
        let error = Self::decode(&mut body)?;
        body.finish()?;
        Ok(error)
    }
}

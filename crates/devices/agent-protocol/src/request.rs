//! What a client asks for.

use crate::body::{BodyReader, BodyWriter, Decoded};
use crate::decode_error::Problem;
use crate::frame::{FrameTooLong, encode_frame};
use crate::handshake::Hello;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $number:literal,)+) => {
        /// The kind of a request.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RequestKind { $($(#[$doc])* $variant = $number,)+ }

        impl RequestKind {
            /// The kind with this number.
            pub const fn of_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

kinds! {
    /// The handshake.
    Hello = 1,
    /// Whether the agent answers.
    Ping = 2,
    /// The screen.
    Observe = 3,
    /// An action on a node.
    Act = 4,
    /// A touch.
    Touch = 5,
    /// A key.
    Key = 6,
    /// A picture.
    Screenshot = 7,
    /// The end of another request.
    Cancel = 8,
    /// The end of the agent.
    Quit = 9,
    /// The clipboard.
    Clipboard = 10,
    /// The handshake of a client that listens to events.
    Listen = 11,
    /// How the screen is turned.
    Rotate = 12,
}

impl RequestKind {
    /// Its number in a frame.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether it may change the phone.
    pub const fn changes(self) -> bool {
        match self {
            Self::Act | Self::Touch | Self::Key | Self::Clipboard | Self::Rotate => true,
            Self::Hello
            | Self::Listen
            | Self::Ping
            | Self::Observe
            | Self::Screenshot
            | Self::Cancel
            | Self::Quit => false,
        }
    }

    /// Whether its body begins with a limit.
    const fn has_limit(self) -> bool {
        !matches!(self, Self::Hello | Self::Listen | Self::Cancel)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeAction {
    /// `ACTION_CLICK`.
    Click = 1,
    /// `ACTION_LONG_CLICK`.
    LongClick = 2,
    /// `ACTION_FOCUS`.
    Focus = 3,
    /// `ACTION_SET_TEXT`, or a paste.
    SetText = 4,
    /// The editor action, or Enter.
    Submit = 5,
    /// One page forward.
    ScrollForward = 6,
    /// One page backward.
    ScrollBackward = 7,
    /// Into view.
    ShowOnScreen = 8,
}

impl NodeAction {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Click,
        Self::LongClick,
        Self::Focus,
        Self::SetText,
        Self::Submit,
        Self::ScrollForward,
        Self::ScrollBackward,
        Self::ShowOnScreen,
    ];
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The handshake.
    Hello(Hello),
    /// The handshake of a client that listens to events of these types, and may send `OBSERVE`, `PING` and `CANCEL`.
    Listen(Hello, u64),
    /// Whether the agent answers.
    Ping,
    /// The screen.
    Observe {
        display: u32,
        /// A revision whose content the client has, or 0.
        known: u64,
    },
    /// An action on a node.
    Act {
        /// The revision of the observation.
        revision: u64,
        /// The node's place in it.
        node: u32,
        /// What to do.
        action: NodeAction,
        /// The text of `SetText`; else empty.
        argument: String,
    },
    Touch {
        display: u32,
        /// How long the fingers hold still before they move, in milliseconds.
        hold_ms: u32,
        /// How long they move, or hold still if they do not move, in milliseconds.
        duration_ms: u32,
        /// How long the fingers rest at the end of their paths before they lift, in milliseconds.
        rest_ms: u32,
        /// The points of each finger.
        pointers: Vec<Vec<(i32, i32)>>,
    },
    /// A key, pressed and released.
    Key {
        display: u32,
        /// The platform's key code.
        code: u32,
        /// The platform's meta state.
        meta: u32,
    },
    /// A picture.
    Screenshot {
        /// The display.
        display: u32,
        /// The quality of a JPEG image, 1 to 100; `None` for a PNG image.
        jpeg_quality: Option<u8>,
        /// The longest side that the picture may have, in pixels; `None` for its full size.
        max_side: Option<u32>,
    },
    /// The end of another request.
    Cancel {
        /// The id of that request.
        id: u32,
    },
    /// The end of the agent.
    Quit,
    Clipboard {
        /// Its new text; `None` reads it.
        set: Option<String>,
    },
    /// How the screen is turned.
    Rotate {
        /// The quarter turns, 0 to 3; `None` lets the screen follow how the phone is held.
        turns: Option<u8>,
    },
}

impl Request {
    pub const fn kind(&self) -> RequestKind {
        match self {
            Self::Hello(_) => RequestKind::Hello,
            Self::Listen(..) => RequestKind::Listen,
            Self::Ping => RequestKind::Ping,
            Self::Observe { .. } => RequestKind::Observe,
            Self::Act { .. } => RequestKind::Act,
            Self::Touch { .. } => RequestKind::Touch,
            Self::Key { .. } => RequestKind::Key,
            Self::Screenshot { .. } => RequestKind::Screenshot,
            Self::Cancel { .. } => RequestKind::Cancel,
            Self::Quit => RequestKind::Quit,
            Self::Clipboard { .. } => RequestKind::Clipboard,
            Self::Rotate { .. } => RequestKind::Rotate,
        }
    }

    /// Its frame. `limit_ms` is the time limit of the client, 0 for none.
    ///
    /// # Errors
    /// If a text is too long for a frame.
    pub fn encode(&self, id: u32, limit_ms: u64) -> Result<Vec<u8>, FrameTooLong> {
        let mut body = BodyWriter::default();
        if self.kind().has_limit() {
            body.uint(limit_ms);
        }
        match self {
            Self::Hello(hello) => hello.encode(&mut body),
            Self::Listen(hello, types) => {
                hello.encode(&mut body);
                body.uint(*types);
            }
            Self::Ping | Self::Quit => {}
            Self::Observe { display, known } => {
                body.uint(*display);
                body.uint(*known);
            }
            Self::Act {
                revision,
                node,
                action,
                argument,
            } => {
                body.uint(*revision);
                body.uint(*node);
                body.uint(*action as u64);
                body.text(argument);
            }
            Self::Touch {
                display,
                hold_ms,
                duration_ms,
                rest_ms,
                pointers,
            } => {
                body.uint(*display);
                body.uint(*hold_ms);
                body.uint(*duration_ms);
                body.uint(*rest_ms);
                body.count(pointers.len());
                for points in pointers {
                    body.count(points.len());
                    for (x, y) in points {
                        body.int(*x);
                        body.int(*y);
                    }
                }
            }
            Self::Key {
                display,
                code,
                meta,
            } => {
                body.uint(*display);
                body.uint(*code);
                body.uint(*meta);
            }
            Self::Screenshot {
                display,
                jpeg_quality,
                max_side,
            } => {
                body.uint(*display);
                body.uint(jpeg_quality.unwrap_or(0));
                body.uint(max_side.unwrap_or(0));
            }
            Self::Cancel { id } => body.uint(*id),
            Self::Clipboard { set } => {
                body.uint(u64::from(set.is_some()));
                body.text(set.as_deref().unwrap_or_default());
            }
            Self::Rotate { turns } => body.uint(turns.unwrap_or(AUTO_ROTATION)),
        }
        encode_frame(self.kind().number(), id, &body.into_bytes())
    }

    /// The request in the body of a frame, and its limit in milliseconds.
    pub fn decode(kind: RequestKind, body: &[u8]) -> Decoded<(Self, u64)> {
        let mut body = BodyReader::new(body);
        let limit_ms = if kind.has_limit() {
            body.uint("limit")?
        } else {
            0
        };
        let request = match kind {
            RequestKind::Hello => Self::Hello(Hello::decode(&mut body)?),
            RequestKind::Listen => {
                Self::Listen(Hello::decode(&mut body)?, body.uint("event types")?)
            }
            RequestKind::Ping => Self::Ping,
            RequestKind::Observe => Self::Observe {
                display: body.number("display")?,
                known: body.uint("known revision")?,
            },
            RequestKind::Act => Self::Act {
                revision: body.uint("revision")?,
                node: body.number("node")?,
                action: body.known("action", |value| {
                    let mut all = NodeAction::ALL.into_iter();
                    all.find(|action| *action as u64 == value)
                })?,
                argument: body.text("argument")?.to_owned(),
            },
            RequestKind::Touch => decode_touch(&mut body)?,
            RequestKind::Key => Self::Key {
                display: body.number("display")?,
                code: body.number("key code")?,
                meta: body.number("meta state")?,
            },
            RequestKind::Screenshot => Self::Screenshot {
                display: body.number("display")?,
                jpeg_quality: body.known("JPEG quality", |value| match value {
                    0 => Some(None),
                    1..=100 => Some(u8::try_from(value).ok()),
                    _ => None,
                })?,
                max_side: Some(body.number("longest side")?).filter(|side| *side > 0),
            },
            RequestKind::Cancel => Self::Cancel {
                id: body.number("id")?,
            },
            RequestKind::Quit => Self::Quit,
            RequestKind::Clipboard => {
                let set = body.flag("clipboard flag")?;
                let text = body.text("text")?.to_owned();
                Self::Clipboard {
                    set: set.then_some(text),
                }
            }
            RequestKind::Rotate => Self::Rotate {
                turns: body.known("rotation", |value| match value {
                    0..=3 => Some(u8::try_from(value).ok()),
                    _ if value == u64::from(AUTO_ROTATION) => Some(None),
                    _ => None,
                })?,
            },
        };
        body.finish()?;
        Ok((request, limit_ms))
    }
}

/// Value for auto-rotation instead of a number of quarter turns.
const AUTO_ROTATION: u8 = 4;

/// The most fingers and the most points of a finger.
const MAX_POINTERS: usize = 16;
const MAX_POINTS: usize = 10_000;

fn decode_touch(body: &mut BodyReader<'_>) -> Decoded<Request> {
    let display = body.number("display")?;
    let hold_ms = body.number("hold")?;
    let duration_ms = body.number("duration")?;
    let rest_ms = body.number("rest")?;
    let at = body.at();
    let count = body.count("number of pointers", 1, MAX_POINTERS)?;
    if count == 0 {
        return Err(BodyReader::error(
            "number of pointers",
            at,
            Problem::OutOfRange(0),
        ));
    }
    let mut pointers = Vec::with_capacity(count);
    for _ in 0..count {
        let at = body.at();
        let count = body.count("number of points", 2, MAX_POINTS)?;
        if count == 0 {
            return Err(BodyReader::error(
                "number of points",
                at,
                Problem::OutOfRange(0),
            ));
        }
        let mut points = Vec::with_capacity(count);
        for _ in 0..count {
            points.push((body.int("x")?, body.int("y")?));
        }
        pointers.push(points);
    }
    Ok(Request::Touch {
        display,
        hold_ms,
        duration_ms,
        rest_ms,
        pointers,
    })
}

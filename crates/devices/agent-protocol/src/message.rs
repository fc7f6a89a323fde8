//! Messages of the agent: the screen may have changed, or something happened in an app.

use crate::body::{BodyReader, BodyWriter, Decoded};
use crate::capture::Bounds;
use crate::frame::{FrameTooLong, encode_frame, kind};
use crate::node::NodeFlags;

/// The types of messages.
const CHANGED: u64 = 1;
const APP_EVENT: u64 = 2;
/// Maximum number of texts of an event.
const MAX_TEXTS: usize = 32;

/// A message of the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The screen may have changed.
    Changed(Change),
    /// Something happened in an app.
    AppEvent(Box<AppEvent>),
}

/// The message that the screen may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The platform's bits of the events so far.
    pub event_types: u64,
}

/// The kind of an event in an app: the platform's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppEventKind {
    /// `TYPE_VIEW_CLICKED`.
    Clicked = 0x1,
    /// `TYPE_VIEW_LONG_CLICKED`.
    LongClicked = 0x2,
    /// `TYPE_VIEW_TEXT_CHANGED`.
    TextChanged = 0x10,
    /// `TYPE_WINDOW_STATE_CHANGED`.
    WindowChanged = 0x20,
    /// `TYPE_NOTIFICATION_STATE_CHANGED`: a notification or a toast.
    Noticed = 0x40,
    /// `TYPE_VIEW_SCROLLED`.
    Scrolled = 0x1000,
    /// The client pressed a key: its text is the key code. Not a bit of the platform, where keys are no events.
    KeyPressed = 0x4000_0000,
}

impl AppEventKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Clicked,
        Self::LongClicked,
        Self::TextChanged,
        Self::WindowChanged,
        Self::Noticed,
        Self::Scrolled,
        Self::KeyPressed,
    ];
}

/// Something that happened in an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEvent {
    /// Its number on this connection, from 1.
    pub number: u64,
    /// The events before it that the agent could not keep.
    pub lost: u64,
    /// How long ago it happened when it was sent, in milliseconds.
    pub age_ms: u64,
    /// What happened.
    pub kind: AppEventKind,
    /// The app; empty if unknown.
    pub package: String,
    /// The class that the event names, such as `android.widget.Toast`; may be empty.
    pub class: String,
    /// Its texts; none for a password field.
    pub texts: Vec<String>,
    /// Its content description; may be empty.
    pub description: String,
    /// Whether it is of a password field.
    pub password: bool,
    /// The scroll position, horizontally and vertically; -1 if unknown.
    pub scroll: (i32, i32),
    /// The highest scroll position.
    pub scroll_end: (i32, i32),
    /// How far it was scrolled, in pixels of the content; 0 if unknown.
    pub scroll_by: (i32, i32),
    /// The node, if it was still there.
    pub source: Option<EventSource>,
}

impl AppEvent {
    /// An event of which only its kind and its app are known.
    pub fn new(kind: AppEventKind, package: impl Into<String>) -> Self {
        Self {
            number: 0,
            lost: 0,
            age_ms: 0,
            kind,
            package: package.into(),
            class: String::new(),
            texts: Vec::new(),
            description: String::new(),
            password: false,
            scroll: (-1, -1),
            scroll_end: (-1, -1),
            scroll_by: (0, 0),
            source: None,
        }
    }
}

/// The node of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSource {
    pub window: i32,
    /// Its class; texts that it lacks are empty.
    pub class: String,
    pub resource_id: String,
    /// Its text; empty for a password field.
    pub text: String,
    /// Its content description.
    pub description: String,
    pub flags: NodeFlags,
    /// Where it is on the screen.
    pub bounds: Bounds,
}

impl Change {
    pub fn encode(self) -> Result<Vec<u8>, FrameTooLong> {
        let mut body = BodyWriter::default();
        body.uint(CHANGED);
        body.uint(self.event_types);
        encode_frame(kind::MESSAGE, 0, &body.into_bytes())
    }
}

impl AppEvent {
    pub fn encode(&self) -> Result<Vec<u8>, FrameTooLong> {
        let mut body = BodyWriter::default();
        body.uint(APP_EVENT);
        body.uint(self.number);
        body.uint(self.lost);
        body.uint(self.age_ms);
        body.uint(self.kind as u64);
        body.text(&self.package);
        body.text(&self.class);
        body.count(self.texts.len());
        for text in &self.texts {
            body.text(text);
        }
        body.text(&self.description);
        body.uint(u64::from(self.password));
        for value in [self.scroll, self.scroll_end, self.scroll_by] {
            body.int(value.0);
            body.int(value.1);
        }
        body.uint(u64::from(self.source.is_some()));
        if let Some(source) = &self.source {
            source.encode(&mut body);
        }
        encode_frame(kind::MESSAGE, 0, &body.into_bytes())
    }

    fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        let number = body.uint("event number")?;
        let lost = body.uint("lost events")?;
        let age_ms = body.uint("age")?;
        let kind = body.known("event type", |value| {
            let mut all = AppEventKind::ALL.into_iter();
            all.find(|kind| *kind as u64 == value)
        })?;
        let package = body.text("package")?.to_owned();
        let class = body.text("class")?.to_owned();
        let mut texts = Vec::new();
        for _ in 0..body.count("number of texts", 1, MAX_TEXTS)? {
            texts.push(body.text("text")?.to_owned());
        }
        Ok(Self {
            number,
            lost,
            age_ms,
            kind,
            package,
            class,
            texts,
            description: body.text("description")?.to_owned(),
            password: body.flag("password flag")?,
            scroll: (body.int("scroll x")?, body.int("scroll y")?),
            scroll_end: (body.int("highest scroll x")?, body.int("highest scroll y")?),
            scroll_by: (body.int("scrolled by x")?, body.int("scrolled by y")?),
            source: match body.flag("source flag")? {
                true => Some(EventSource::decode(body)?),
                false => None,
            },
        })
    }
}

impl EventSource {
    fn encode(&self, body: &mut BodyWriter) {
        body.int(self.window);
        body.text(&self.class);
        body.text(&self.resource_id);
        body.text(&self.text);
        body.text(&self.description);
        body.uint(self.flags.bits());
        let Bounds {
            left,
            top,
            width,
            height,
        } = self.bounds;
        for value in [left, top, width, height] {
            body.int(value);
        }
    }

    fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        Ok(Self {
            window: body.int("window")?,
            class: body.text("class")?.to_owned(),
            resource_id: body.text("resource id")?.to_owned(),
            text: body.text("text")?.to_owned(),
            description: body.text("description")?.to_owned(),
            flags: body.known("node flags", |bits| {
                NodeFlags::from_bits(u32::try_from(bits).ok()?)
            })?,
            bounds: Bounds {
                left: body.int("left")?,
                top: body.int("top")?,
                width: body.int("width")?,
                height: body.int("height")?,
            },
        })
    }
}

impl Message {
    /// The message in the body of a frame.
    pub fn decode(body: &[u8]) -> Decoded<Self> {
        let mut body = BodyReader::new(body);
        let has_changed = body.known("type of the message", |value| match value {
            CHANGED => Some(true),
            APP_EVENT => Some(false),
            _ => None,
        })?;
        let message = if has_changed {
            Self::Changed(Change {
                event_types: body.uint("event types")?,
            })
        } else {
            Self::AppEvent(Box::new(AppEvent::decode(&mut body)?))
        };
        body.finish()?;
        Ok(message)
    }

    pub fn encode(&self) -> Result<Vec<u8>, FrameTooLong> {
        match self {
            Self::Changed(change) => change.encode(),
            Self::AppEvent(event) => event.encode(),
        }
    }
}

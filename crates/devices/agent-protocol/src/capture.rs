//! An observation of the screen.

use std::sync::Arc;

use bitflags::bitflags;

use crate::body::{BodyReader, BodyWriter, Decoded, TextTable, Texts};
use crate::decode_error::Problem;
use crate::handshake::decode_rotation;
use crate::node::{MIN_NODE_BYTES, NodeRecord};

/// Maximum number of nodes of a screen.
pub const MAX_NODES: usize = 20_000;
/// Maximum number of texts of a screen.
pub const MAX_TEXTS: usize = 500_000;
/// Maximum number of windows of a display.
pub const MAX_WINDOWS: usize = 1_000;
/// Maximum number of rectangles of a touchable region.
const MAX_RECTANGLES: usize = 10_000;
/// Maximum number of displays.
const MAX_DISPLAYS: usize = 1_000;
/// Minimum number of bytes of a window: ten numbers and four of its bounds.
const MIN_WINDOW_BYTES: usize = 12;

/// The platform's types of windows.
pub mod window_type {
    /// A window of an app.
    pub const APPLICATION: u32 = 1;
    /// The keyboard.
    pub const INPUT_METHOD: u32 = 2;
    /// A window of the system.
    pub const SYSTEM: u32 = 3;
    /// An overlay of an accessibility service.
    pub const ACCESSIBILITY_OVERLAY: u32 = 4;
}

/// The windows of a display and their nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct ScreenCapture {
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The width in pixels, as rotated.
    pub width: u32,
    pub height: u32,
    /// The rotation in quarter turns, 0 to 3.
    pub rotation: u8,
    /// Dots per inch.
    pub density: u32,
    /// The number of windows that the platform lists on this display.
    pub expected_windows: u32,
    /// The windows that were read, topmost first.
    pub windows: Vec<WindowRecord>,
    pub other_displays: Vec<OtherScreen>,
}

/// Another display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherScreen {
    /// Its number.
    pub id: u32,
    /// The number of its windows.
    pub windows: u32,
}

bitflags! {
    /// What is known of a window.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct WindowFlags: u32 {
        /// The user touches it.
        const ACTIVE = 1;
        /// It has the input focus.
        const FOCUSED = 2;
        /// Its root could not be read.
        const UNREADABLE_ROOT = 4;
        /// It is shown in picture-in-picture mode.
        const PICTURE_IN_PICTURE = 8;
    }
}

/// A rectangle in pixels of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Its first column.
    pub left: i32,
    /// Its first row.
    pub top: i32,
    pub width: i32,
    pub height: i32,
}

impl Bounds {
    pub(crate) fn encode(self, body: &mut BodyWriter) {
        body.int(self.left);
        body.int(self.top);
        body.int(self.width);
        body.int(self.height);
    }

    pub(crate) fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        Ok(Self {
            left: body.int("left")?,
            top: body.int("top")?,
            width: body.int("width")?,
            height: body.int("height")?,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowRecord {
    /// The platform's number.
    pub id: u64,
    /// The platform's type; see [`window_type`].
    pub kind: u32,
    /// Higher layers cover lower ones.
    pub layer: i32,
    /// What is known of it.
    pub flags: WindowFlags,
    pub title: Option<Arc<str>>,
    pub bounds: Bounds,
    /// Where it takes touches; empty if the platform does not say.
    pub touchable: Vec<Bounds>,
    /// The number of children that the platform named and did not give.
    pub unreadable: u32,
    /// Its nodes in document order: none, or one tree.
    pub nodes: Vec<NodeRecord>,
}

impl ScreenCapture {
    /// Why it is not the whole screen; `None` if it is.
    pub fn gap(&self) -> Option<String> {
        let read = self.windows.len();
        if u32::try_from(read) != Ok(self.expected_windows) {
            let expected = self.expected_windows;
            return Some(format!("{read} of {expected} windows could be read"));
        }
        None
    }

    /// The number of nodes in all windows.
    pub fn node_count(&self) -> usize {
        self.windows.iter().map(|window| window.nodes.len()).sum()
    }

    /// Encodes what precedes the string table.
    pub(crate) fn encode_display(&self, body: &mut BodyWriter) {
        body.uint(self.width);
        body.uint(self.height);
        body.uint(self.rotation);
        body.uint(self.density);
        body.uint(self.expected_windows);
    }

    /// Encodes what follows the string table.
    pub(crate) fn encode_windows(&self, body: &mut BodyWriter, table: &mut TextTable) {
        body.count(self.windows.len());
        body.end_piece();
        for window in &self.windows {
            window.encode(body, table);
        }
        body.count(self.other_displays.len());
        for display in &self.other_displays {
            body.uint(display.id);
            body.uint(display.windows);
        }
        body.end_piece();
    }

    /// Decodes a content.
    pub(crate) fn decode(body: &mut BodyReader<'_>, took_ms: u64) -> Decoded<Self> {
        let width = body.number("width")?;
        let height = body.number("height")?;
        let rotation = decode_rotation(body)?;
        let density = body.number("density")?;
        let expected_windows = body.number("expected windows")?;
        let texts = Texts::decode(body, MAX_TEXTS)?;
        let count = body.count("number of windows", MIN_WINDOW_BYTES, MAX_WINDOWS)?;
        let mut windows = Vec::with_capacity(count);
        let mut free = MAX_NODES;
        for _ in 0..count {
            let window = WindowRecord::decode(body, &texts, free)?;
            free -= window.nodes.len();
            windows.push(window);
        }
        let count = body.count("number of displays", 2, MAX_DISPLAYS)?;
        let mut other_displays = Vec::with_capacity(count);
        for _ in 0..count {
            other_displays.push(OtherScreen {
                id: body.number("display")?,
                windows: body.number("number of its windows")?,
            });
        }
        Ok(Self {
            took_ms,
            width,
            height,
            rotation,
            density,
            expected_windows,
            windows,
            other_displays,
        })
    }
}

impl WindowRecord {
    fn encode(&self, body: &mut BodyWriter, table: &mut TextTable) {
        body.uint(self.id);
        body.uint(self.kind);
        body.int(self.layer);
        body.uint(self.flags.bits());
        body.uint(table.reference(self.title.as_ref()));
        self.bounds.encode(body);
        body.count(self.touchable.len());
        for bounds in &self.touchable {
            bounds.encode(body);
        }
        body.uint(self.unreadable);
        body.count(self.nodes.len());
        body.end_piece();
        for node in &self.nodes {
            node.encode(body, table);
            body.end_piece();
        }
    }

    /// `free` is the number of nodes that the screen may still have.
    fn decode(body: &mut BodyReader<'_>, texts: &Texts, free: usize) -> Decoded<Self> {
        let id = body.uint("window id")?;
        let kind = body.number("window type")?;
        let layer = body.int("layer")?;
        let flags = body.known("window flags", |bits| {
            WindowFlags::from_bits(u32::try_from(bits).ok()?)
        })?;
        let title = texts.read(body, "title")?;
        let bounds = Bounds::decode(body)?;
        let count = body.count("number of rectangles", 4, MAX_RECTANGLES)?;
        let mut touchable = Vec::with_capacity(count);
        for _ in 0..count {
            touchable.push(Bounds::decode(body)?);
        }
        let unreadable = body.number("unreadable children")?;
        let at = body.at();
        let count = body.count("number of nodes", MIN_NODE_BYTES, free)?;
        let mut nodes = Vec::with_capacity(count);
        // The number of records that the open nodes still announce.
        let mut announced = u64::from(count > 0);
        for _ in 0..count {
            let node = NodeRecord::decode(body, texts)?;
            announced = match announced.checked_sub(1) {
                Some(rest) => rest + u64::from(node.children),
                None => return Err(BodyReader::error("nodes", at, Problem::NotATree)),
            };
            nodes.push(node);
        }
        if announced != 0 {
            return Err(BodyReader::error("nodes", at, Problem::NotATree));
        }
        Ok(Self {
            id,
            kind,
            layer,
            flags,
            title,
            bounds,
            touchable,
            unreadable,
            nodes,
        })
    }
}

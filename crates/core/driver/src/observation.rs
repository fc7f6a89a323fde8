//! What a driver saw.

use std::sync::Arc;

use uitree::{NodeId, Rect, Size, UiTree, WindowKind};

/// Counts the states of a screen; a higher one is later. Only compared with others of the same driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// A node of one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// The observation in which it was seen.
    pub revision: Revision,
    /// Which node of its tree.
    pub node: NodeId,
}

/// One window, whether or not its nodes are part of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// What it is for.
    pub kind: WindowKind,
    /// The package it belongs to; `None` when the platform does not say.
    pub package: Option<String>,
    /// Whether it is the window that the user works in.
    pub active: bool,
}

/// The screen at one moment.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Every node of every interactive window, system bars left out.
    pub tree: Arc<UiTree>,
    /// Which state of the screen this is.
    pub revision: Revision,
    /// The package of the active window.
    pub foreground: Option<String>,
    /// All interactive windows in the platform's order, topmost first, system bars included.
    pub windows: Vec<WindowInfo>,
    /// What the device's other displays show. No action reaches them.
    pub other_displays: Vec<OtherDisplay>,
}

/// A display that is not driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherDisplay {
    /// The platform's number for it; the driven one is 0.
    pub id: u32,
    /// What it shows, in pixels of its own.
    pub tree: Arc<UiTree>,
}

impl Observation {
    /// The node of this observation, as `act` takes it.
    pub const fn node_ref(&self, node: NodeId) -> NodeRef {
        NodeRef {
            revision: self.revision,
            node,
        }
    }
}

/// Something that was done besides what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideEffect {
    /// A tab was opened; the next look shows it. Its name is what `--device` takes.
    TabOpened(String),
    /// A file was downloaded.
    Downloaded(Download),
}

/// A file that a page gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// What the page calls it.
    pub name: String,
    /// Where it lies; `None` while it comes, and where the browser does not say.
    pub path: Option<String>,
    /// How much of it is there.
    pub bytes: u64,
    /// How far it has come.
    pub state: DownloadState,
}

/// How far a file has come that a page gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownloadState {
    /// It is being downloaded.
    InProgress,
    /// All of it is there.
    Completed,
    /// It was given up.
    Canceled,
    /// It was not taken: no folder is named for downloads.
    Denied,
}

impl DownloadState {
    /// The name used in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Canceled => "canceled",
            Self::Denied => "denied",
        }
    }
}

/// Which app is in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreground {
    /// Its package or host; `None` when the device does not say.
    pub app: Option<String>,
}

/// A picture of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
    /// Its size in pixels.
    pub size: Size,
}

/// What a part of the screen shows, pixel by pixel, to be compared with what it shows at another time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    size: Size,
    depth: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// A picture of `size` pixels, `depth` bytes each, row by row; `None` when there are not as many bytes, or no pixel.
    pub fn new(size: Size, depth: usize, bytes: Vec<u8>) -> Option<Self> {
        let width = usize::try_from(size.width).ok()?;
        let height = usize::try_from(size.height).ok()?;
        let needed = width.checked_mul(height)?.checked_mul(depth)?;
        (needed > 0 && needed == bytes.len()).then_some(Self { size, depth, bytes })
    }

    /// Its size in pixels.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// How many bytes a pixel has.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The rows of pixels, from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let width = usize::try_from(self.size.width).unwrap_or(1);
        self.bytes.chunks_exact(width * self.depth)
    }

    /// The part inside `area`; `None` when nothing of it lies in the picture.
    #[must_use]
    pub fn part(&self, area: Rect) -> Option<Self> {
        let area = area.intersect(&self.size.to_rect())?;
        let number = |number: i32| usize::try_from(number).ok();
        let (left, right) = (number(area.left)?, number(area.right)?);
        let rows = self.rows().skip(number(area.top)?);
        let mut bytes = Vec::new();
        for row in rows.take(number(area.height())?) {
            bytes.extend_from_slice(row.get(left * self.depth..right * self.depth)?);
        }
        Self::new(Size::new(area.width(), area.height()), self.depth, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_picture_is_what_lies_in_both() {
        let size = Size::new(3, 2);
        let picture = Pixels::new(size, 2, b"aabbccddeeff".to_vec()).unwrap();
        let part = |area| picture.part(area).map(|part| (part.size(), part.bytes));
        assert_eq!(
            part(Rect::new(1, 0, 9, 9)),
            Some((Size::new(2, 2), b"bbcceeff".to_vec()))
        );
        assert_eq!(
            part(Rect::new(-5, 1, 1, 2)),
            Some((Size::new(1, 1), b"dd".to_vec()))
        );
        assert_eq!(part(Rect::new(3, 0, 5, 2)), None);
        assert_eq!(Pixels::new(size, 4, b"aabbccddeeff".to_vec()), None);
        assert_eq!(Pixels::new(Size::new(0, 2), 4, Vec::new()), None);
    }
}

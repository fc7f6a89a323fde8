//! Observations of a screen, its pixels and side effects.

use std::sync::Arc;

use uitree::{NodeId, Rect, Size, UiTree, WindowKind};

/// Numbers the states of a screen; higher is later. Comparable only within one driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// A node of one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// The observation it is from.
    pub revision: Revision,
    /// The node in the observation's tree.
    pub node: NodeId,
}

/// One window, whether or not its nodes are part of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// Its kind.
    pub kind: WindowKind,
    /// The package it belongs to; `None` when the platform does not say.
    pub package: Option<String>,
    /// Whether it has the user's focus.
    pub active: bool,
}

/// The screen at one moment.
#[derive(Clone, Debug)]
pub struct Observation {
    /// All nodes of all interactive windows, without system bars.
    pub tree: Arc<UiTree>,
    /// The number of this state of the screen.
    pub revision: Revision,
    /// The package of the active window.
    pub foreground: Option<String>,
    /// The URL of the page; `None` on devices that show none, or do not know it.
    pub url: Option<String>,
    /// All interactive windows in the platform's order, topmost first, system bars included.
    pub windows: Vec<WindowInfo>,
    /// The device's other displays. Actions cannot reach them.
    pub other_displays: Vec<OtherDisplay>,
}

/// A display that the driver does not control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherDisplay {
    /// The platform's display number; the controlled display is 0.
    pub id: u32,
    /// Its tree, in its own pixels.
    pub tree: Arc<UiTree>,
}

impl Observation {
    /// A reference to a node of this observation, for `act`.
    pub const fn node_ref(&self, node: NodeId) -> NodeRef {
        NodeRef {
            revision: self.revision,
            node,
        }
    }
}

/// A side effect of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideEffect {
    /// A tab was opened; the next observation shows it. The value is its `--device` name.
    TabOpened(String),
    /// A tab that was opened is closed again. The value is its `--device` name.
    TabClosed(String),
    /// A file was downloaded, or is being downloaded.
    Downloaded(Download),
    /// The phone showed a toast or a notification.
    Noticed(Notice),
}

/// An event that no action of the run caused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackgroundEvent {
    /// A tab was opened after the last run; it is not in front.
    TabOpened {
        /// Its `--device` name.
        device: String,
        /// Its title; may be empty.
        title: String,
        /// The URL of its page.
        url: String,
    },
    /// The front tab was closed by its page or its user; another one is in front.
    TabClosed {
        /// Its `--device` name.
        device: String,
        /// The URL of its page; may be empty.
        url: String,
    },
    /// A download began or ended after the last run.
    Downloaded(Download),
}

/// A toast or a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Which of them.
    pub kind: NoticeKind,
    /// The package of its app; empty if unknown.
    pub app: String,
    /// Its text.
    pub text: String,
    /// When it was shown.
    pub at: tokio::time::Instant,
}

/// How a phone shows a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A toast, which goes away by itself and is in no observation.
    Toast,
    /// A notification.
    Notification,
}

impl NoticeKind {
    /// The name used in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Toast => "toast",
            Self::Notification => "notification",
        }
    }
}

/// Why a form was not submitted: a field of it is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRefusal {
    /// The name of the field.
    pub field: String,
    /// The device's message about it; may be empty.
    pub message: String,
}

/// A file downloaded from a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Its name.
    pub name: String,
    /// Its path; `None` while it is incomplete, or when the browser does not report it.
    pub path: Option<String>,
    /// The bytes received so far.
    pub bytes: u64,
    /// Its state.
    pub state: DownloadState,
    /// Whether it was reported before, as one that is in progress.
    pub was_reported: bool,
}

/// The state of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownloadState {
    /// It is being downloaded.
    InProgress,
    /// It is complete.
    Completed,
    /// It was canceled.
    Canceled,
    /// It was denied: no download folder is set.
    Denied,
}

impl DownloadState {
    /// The name used in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Canceled => "canceled",
            Self::Denied => "denied",
        }
    }
}

/// The app in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreground {
    /// Its package or host; `None` when the device does not say.
    pub app: Option<String>,
}

/// Pixels of a part of the screen, to compare two moments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    size: Size,
    depth: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// `size` pixels of `depth` bytes each, row by row; `None` when the number of bytes does not match, or there is no pixel.
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

    /// The bytes per pixel.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The rows of pixels, from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let width = usize::try_from(self.size.width).unwrap_or(1);
        self.bytes.chunks_exact(width * self.depth)
    }

    /// The part inside `area`; `None` when they do not overlap.
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
    fn part_is_clipped_to_the_image() {
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

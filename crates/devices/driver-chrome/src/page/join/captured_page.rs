//! The captured data of a page: one part per process.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use dom::ScopeKind;

use crate::page::affine::{Affine, Quad};
use crate::page::raw::{AxNode, Snapshot};

/// The documents of a process.
#[derive(Debug, Default)]
pub(crate) struct ProcessCapture {
    /// The index of the session.
    pub(crate) session: u32,
    pub(crate) snapshot: Arc<Snapshot>,
    /// The accessibility nodes of all its documents, if requested from the browser.
    pub(crate) accessible: Option<HashMap<i64, AxNode>>,
    /// The requested custom elements, whose roles are in no snapshot.
    pub(crate) internals: HashMap<i64, AxNode>,
    /// Data that the snapshot lacks.
    pub(crate) notes: Vec<Note>,
    /// The shadow roots, by host.
    pub(crate) roots: HashMap<i64, ShadowRoot>,
    /// The positions of the documents in frames, by frame element: in CSS pixels of the viewport of the
    /// process.
    pub(crate) frames: HashMap<i64, Quad>,
    pub(crate) view: View,
    /// The remaining time of its short animations; excluded from comparison.
    pub(crate) animated: Duration,
    pub(crate) activity: Activity,
}

/// Timers and spinners of a process at capture time; excluded from comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    /// The number of its spinning elements (progress indicators).
    pub(crate) spinners: usize,
    /// The sum of the numbers of the last timers of its documents.
    pub(crate) timers: u64,
    /// The number of these documents.
    pub(crate) documents: u64,
    /// The world of the outermost one, which another document does not have.
    pub(crate) world: i64,
}

impl Activity {
    /// How many timers scripts of the page have started since the capture before, at least one if a frame was replaced; none if
    /// the document was: those of a new page belong to its loading.
    pub(crate) fn timers_since(self, before: Self) -> u64 {
        if self.world != before.world {
            return 0;
        }
        // Each capture starts one in each document.
        self.timers.abs_diff(before.timers + self.documents)
    }
}

/// A property of one element that no snapshot contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The property: `focused`, `invalid`, `mixed`, `modal`, `open`, `layout`, or `files` with their number.
    pub(crate) kind: String,
    /// The tag of the element.
    pub(crate) tag: String,
    /// The path to it from the document of the part: child element indexes from 0; [`INTO_SHADOW`] and
    /// [`INTO_FRAME`] lead into nested trees.
    pub(crate) path: Vec<i32>,
}

/// From a host into its shadow tree.
pub(crate) const INTO_SHADOW: i32 = -1;
/// From a frame element into its document.
pub(crate) const INTO_FRAME: i32 = -2;

/// Data of a shadow root that the snapshot lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShadowRoot {
    pub(crate) kind: ScopeKind,
    /// The backend node id of the root.
    pub(crate) node: i64,
    /// Its children.
    pub(crate) children: HashSet<i64>,
    /// The children of its host, in document order. A snapshot contains only slotted ones, inside their slots.
    pub(crate) light: Vec<LightChild>,
}

/// A child of a shadow host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LightChild {
    pub(crate) node: i64,
    /// Its tag and attributes if it is an element, since unslotted ones are in no snapshot.
    pub(crate) element: Option<(String, Vec<String>)>,
}

/// The viewport of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Device pixels per CSS pixel, including browser zoom but not pinch zoom.
    pub(crate) ratio: f64,
    /// Its width and height in CSS pixels, including scroll bars, before pinch zoom.
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The factor of pinch zoom, and its origin.
    pub(crate) pinch: f64,
    pub(crate) offset: (f64, f64),
}

impl Default for View {
    fn default() -> Self {
        Self {
            ratio: 1.0,
            width: 0.0,
            height: 0.0,
            pinch: 1.0,
            offset: (0.0, 0.0),
        }
    }
}

impl View {
    /// Maps CSS pixels of the page's viewport to device pixels of its visible part.
    pub(crate) fn to_device(self) -> Affine {
        Affine::scaled(self.ratio * self.pinch, (-self.offset.0, -self.offset.1))
    }

    /// The number of snapshot pixels per CSS pixel, if the snapshot's viewport is `width` wide. High-density
    /// screens and zoomed pages are laid out in device pixels; an emulated screen is laid out in CSS pixels.
    /// The browser rounds the width to CSS pixels, so a quotient near either ratio is rounded to it.
    pub(crate) fn layout_scale(self, width: f64) -> f64 {
        if self.width <= 0.0 || width <= 0.0 {
            return 1.0;
        }
        let measured = width / self.width;
        let tolerance = measured * (1.5 / self.width) + 1e-6;
        [1.0, self.ratio]
            .into_iter()
            .find(|likely| (likely - measured).abs() <= tolerance)
            .unwrap_or(measured)
    }
}

/// A captured page. The first part is that of the page itself.
#[derive(Debug, Default)]
pub(crate) struct CapturedPage {
    pub(crate) parts: Vec<ProcessCapture>,
    /// The part of each out-of-process frame, by the part and node id of its frame element.
    pub(crate) frame_parts: HashMap<(usize, i64), usize>,
}

impl CapturedPage {
    /// Whether it equals an earlier capture, whose results can be reused.
    pub(crate) fn is_same_as(&self, before: &CapturedPage) -> bool {
        self.frame_parts == before.frame_parts
            && self.parts.len() == before.parts.len()
            && self
                .parts
                .iter()
                .zip(&before.parts)
                .all(|(part, before)| part.is_same_as(before))
    }
}

impl ProcessCapture {
    fn is_same_as(&self, before: &ProcessCapture) -> bool {
        Arc::ptr_eq(&self.snapshot, &before.snapshot)
            && self.session == before.session
            && self.accessible.is_none()
            && before.accessible.is_none()
            && self.internals == before.internals
            && self.notes == before.notes
            && self.roots == before.roots
            && self.frames == before.frames
            && self.view == before.view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_scale_handles_device_and_emulated_pixels() {
        let view = |ratio, width| View {
            ratio,
            width,
            ..View::default()
        };
        assert_eq!(view(3.0, 500.0).layout_scale(1500.0), 3.0);
        assert_eq!(view(3.0, 400.0).layout_scale(400.0), 1.0);
        // 780 device pixels at 110 % are 709.09 CSS pixels, reported as 709.
        assert_eq!(view(1.1, 709.0).layout_scale(780.0), 1.1);
        assert_eq!(view(1.0, 0.0).layout_scale(300.0), 1.0);
    }
}

//! What was captured of a page: one part for each process that draws some of it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dom::ScopeKind;

use crate::page::affine::{Affine, Quad};
use crate::page::raw::{AxNode, Snapshot};

/// What a process says of its documents.
#[derive(Debug, Default)]
pub(crate) struct ProcessCapture {
    /// Which of the page's sessions answered.
    pub(crate) session: u32,
    pub(crate) snapshot: Arc<Snapshot>,
    /// The nodes of the accessibility trees of all its documents, where the browser was asked for them.
    pub(crate) accessible: Option<HashMap<i64, AxNode>>,
    /// What the browser was asked of single custom elements, which have roles that are in no snapshot.
    pub(crate) internals: HashMap<i64, AxNode>,
    /// What its snapshot does not say.
    pub(crate) notes: Vec<Note>,
    /// The shadow roots, by their hosts.
    pub(crate) roots: HashMap<i64, ShadowRoot>,
    /// Where the documents in frames are shown, by their frame elements: in CSS pixels of the viewport of the process.
    pub(crate) frames: HashMap<i64, Quad>,
    pub(crate) view: View,
}

/// Something that holds for one element, and that no snapshot says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// What holds: `focused`, `invalid`, `mixed`, `modal`, `open`, `layout`, or `files` with their number.
    pub(crate) kind: String,
    /// The tag of the element.
    pub(crate) tag: String,
    /// The way to it from the document of the part: places among the elements of what holds it, from 0;
    /// [`INTO_SHADOW`] and [`INTO_FRAME`] lead further in.
    pub(crate) path: Vec<i32>,
}

/// Leads from a host into its shadow tree.
pub(crate) const INTO_SHADOW: i32 = -1;
/// Leads from a frame element into its document.
pub(crate) const INTO_FRAME: i32 = -2;

/// A shadow root, as far as a snapshot leaves it open.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShadowRoot {
    pub(crate) kind: ScopeKind,
    /// The browser's number of the root itself.
    pub(crate) node: i64,
    /// The nodes directly in it.
    pub(crate) children: HashSet<i64>,
    /// The children of its host in the document, in order. A snapshot has those that are slotted, inside their slots.
    pub(crate) light: Vec<LightChild>,
}

/// A child of the host of a shadow tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LightChild {
    pub(crate) node: i64,
    /// Its tag and attributes, when it is an element: one that is slotted nowhere is in no snapshot.
    pub(crate) element: Option<(String, Vec<String>)>,
}

/// How the viewport of a process is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Device pixels for each CSS pixel, zoom included, pinch zoom not.
    pub(crate) ratio: f64,
    /// The viewport's width and height in CSS pixels, scroll bars included, before pinch zoom.
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How much of it a pinch has made larger, and where that begins.
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
    /// From CSS pixels of the page's viewport to device pixels of what is seen of it.
    pub(crate) fn to_device(self) -> Affine {
        Affine::scaled(self.ratio * self.pinch, (-self.offset.0, -self.offset.1))
    }

    /// How many pixels a snapshot counts for each CSS pixel when it calls the viewport `width` wide. Screens with many
    /// pixels and zoomed pages are laid out in device pixels; a browser that only pretends such a screen lays out in CSS
    /// pixels. The browser tells the width in whole CSS pixels, so a quotient near either is meant to be it.
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

/// A whole page as it was captured. The first part is that of the page itself.
#[derive(Debug, Default)]
pub(crate) struct CapturedPage {
    pub(crate) parts: Vec<ProcessCapture>,
    /// Which part a frame element shows, by its own part and its number there.
    pub(crate) frame_parts: HashMap<(usize, i64), usize>,
}

impl CapturedPage {
    /// Whether nothing differs from an earlier capture, so that all that was made of that still holds.
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
    fn pixels_of_a_snapshot_are_device_pixels_or_pretended_ones() {
        let view = |ratio, width| View {
            ratio,
            width,
            ..View::default()
        };
        assert_eq!(view(3.0, 500.0).layout_scale(1500.0), 3.0);
        assert_eq!(view(3.0, 400.0).layout_scale(400.0), 1.0);
        // 780 device pixels at 110 % are 709.09 CSS pixels, told as 709.
        assert_eq!(view(1.1, 709.0).layout_scale(780.0), 1.1);
        assert_eq!(view(1.0, 0.0).layout_scale(300.0), 1.0);
    }
}

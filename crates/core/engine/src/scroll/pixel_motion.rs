//! Detects movement by pixels: on a device that clips bounds to the screen, one long node has the same bounds
//! at every scroll position.

use std::collections::HashMap;

use driver::{DriverError, Pixels};
use uitree::{Axis, NodeId, Rect, Role, UiTree};

use super::container::unobstructed_bounds;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::fnv;

/// Divisor of an image's length that gives its margin. Across the axis the margin is ignored (scroll bars); along the axis it
/// proves nothing (buttons and bars over the content).
const MARGIN_DIVISOR: usize = 8;

/// Divisor of an image's length that gives the maximum size of a local change, such as a cursor.
const LOCAL_CHANGE_DIVISOR: usize = 4;

/// Minimum number of steps that count as a movement.
const MIN_STEPS: usize = 2;

/// The result of comparing two images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelMotion {
    /// The content moved.
    Moved,
    /// The content did not move.
    Still,
    /// The images do not show it.
    Inconclusive,
}

impl StepContext<'_> {
    /// The pixels of the visible part of a container; `None` when they are not available.
    pub(super) async fn container_pixels(
        &mut self,
        tree: &UiTree,
        container: NodeId,
    ) -> Result<Option<Pixels>, Failure> {
        let Some(area) = unobstructed_bounds(tree, container) else {
            return Ok(None);
        };
        let (driver, cx) = self.device.driver();
        match driver.pixels(cx, area).await {
            Ok(pixels) => Ok(Some(pixels)),
            Err(
                error @ (DriverError::Lost { .. } | DriverError::Deadline | DriverError::Cancelled),
            ) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }
}

/// Whether no node ends inside the container, or a node spans it and contains none that ends inside: clipped to the edges, such a
/// node has the same bounds however far it moved.
pub(super) fn hides_movement(tree: &UiTree, container: NodeId, axis: Axis) -> bool {
    let ends = |bounds: Rect| match axis {
        Axis::Horizontal => (bounds.left, bounds.right),
        Axis::Vertical => (bounds.top, bounds.bottom),
    };
    let Some((start, end)) = tree.visible_bounds(container).map(ends) else {
        return false;
    };
    let extent = |id: NodeId| tree.visible_bounds(id).map(ends);
    let ends_inside = |id: NodeId| {
        tree.node(id).role != Role::Progress
            && extent(id)
                .is_some_and(|(from, to)| (start < from && from < end) || (start < to && to < end))
    };
    let spans = |id: NodeId| extent(id).is_some_and(|(from, to)| from <= start && end <= to);
    let inside = || tree.subtree(container).skip(1);
    !inside().any(ends_inside) || inside().any(|id| spans(id) && !tree.subtree(id).any(ends_inside))
}

/// Compares two images of an area for movement along the axis.
pub(super) fn compare(before: &Pixels, after: &Pixels, axis: Axis) -> PixelMotion {
    if (before.size(), before.depth()) != (after.size(), after.depth()) {
        return PixelMotion::Inconclusive;
    }
    compare_lines(&lines(before, axis), &lines(after, axis))
}

/// One hash per line of pixels across the axis.
fn lines(pixels: &Pixels, axis: Axis) -> Vec<u64> {
    let depth = pixels.depth();
    match axis {
        Axis::Vertical => pixels
            .rows()
            .map(|row| {
                let width = row.len() / depth;
                let margin = width / MARGIN_DIVISOR;
                let middle = row.get(margin * depth..(width - margin) * depth);
                fnv::add(fnv::EMPTY, middle.unwrap_or_default())
            })
            .collect(),
        Axis::Horizontal => {
            let rows = pixels.rows().len();
            let margin = rows / MARGIN_DIVISOR;
            let width = pixels.rows().next().map_or(0, |row| row.len() / depth);
            let mut lines = vec![fnv::EMPTY; width];
            for row in pixels.rows().skip(margin).take(rows - 2 * margin) {
                for (line, pixel) in lines.iter_mut().zip(row.chunks_exact(depth)) {
                    *line = fnv::add(*line, pixel);
                }
            }
            lines
        }
    }
}

/// Two different lines in sequence: the only sign of movement.
type Step = (u64, u64);

/// The steps of an image in order, each with the index of its second line.
fn steps(lines: &[u64]) -> impl Iterator<Item = (usize, Step)> {
    let pairs = lines.iter().zip(lines.iter().skip(1)).enumerate();
    pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(at, (a, b))| (at + 1, (*a, *b)))
}

/// Whether lines have moved.
fn compare_lines(before: &[u64], after: &[u64]) -> PixelMotion {
    let length = after.len();
    let margin = length / MARGIN_DIVISOR;
    let changed: Vec<bool> = before.iter().zip(after).map(|(a, b)| a != b).collect();
    let has_changed = |at: usize| {
        let line = |at: usize| changed.get(at).copied().unwrap_or(true);
        line(at) || line(at - 1)
    };
    let stayed = steps(after)
        .filter(|(at, _)| !has_changed(*at) && (margin..length - margin).contains(at))
        .count();
    let first = changed.iter().position(|changed| *changed);
    let last = changed.iter().rposition(|changed| *changed);
    let (Some(first), Some(last)) = (first, last) else {
        // The images are equal; an image of one color would be equal at any position.
        return if stayed > 0 {
            PixelMotion::Still
        } else {
            PixelMotion::Inconclusive
        };
    };
    let new: Vec<(usize, Step)> = steps(after).filter(|(at, _)| has_changed(*at)).collect();
    if has_moved(before, &new) {
        return PixelMotion::Moved;
    }
    if stayed >= new.len().max(1) && last - first < length.div_ceil(LOCAL_CHANGE_DIVISOR) {
        return PixelMotion::Still;
    }
    PixelMotion::Inconclusive
}

/// Whether most new steps existed before, all at the same distance.
fn has_moved(before: &[u64], new: &[(usize, Step)]) -> bool {
    let mut places: HashMap<Step, Vec<usize>> = HashMap::new();
    for (at, step) in steps(before) {
        places.entry(step).or_default().push(at);
    }
    let mut found: HashMap<isize, usize> = HashMap::new();
    for (at, step) in new {
        for old in places.get(step).into_iter().flatten() {
            *found
                .entry(at.cast_signed() - old.cast_signed())
                .or_default() += 1;
        }
    }
    found.into_iter().any(|(distance, found)| {
        // Lines that scrolled in were not in the image before.
        let comparable = new
            .iter()
            .filter_map(|(at, _)| at.checked_add_signed(-distance))
            .filter(|old| (1..before.len()).contains(old))
            .count();
        distance != 0 && found >= MIN_STEPS && found * 2 > comparable
    })
}

#[cfg(test)]
mod tests {
    use uitree::Size;

    use super::*;

    fn hides(screen: &str) -> bool {
        let tree = UiTree::parse_notation(screen).unwrap();
        let list = tree.find(&uitree::Query::new().id("list")).unwrap();
        hides_movement(&tree, list, Axis::Vertical)
    }

    #[test]
    fn edge_to_edge_node_hides_movement() {
        let within = |inside: &str| format!("list #list scrollable [0,100][1000,1100]\n{inside}");
        assert!(hides(&within("")));
        assert!(hides(&within("  text \"long\" [0,100][1000,1100]")));
        assert!(!hides(&within(
            "  text \"one\" [0,100][1000,400]\n  text \"two\" [0,400][1000,1100]"
        )));
        assert!(!hides(&within(
            "  column [0,100][1000,1100]\n    text \"one\" [0,100][1000,400]"
        )));
        // A fixed header does not show whether the long text below it moved.
        assert!(hides(&within(
            "  text \"head\" [0,100][1000,200]\n  text \"long\" [0,100][1000,1100]"
        )));
        // Bounds that end inside across the axis do not show movement along it.
        assert!(hides(&within("  text \"narrow\" [300,100][500,1100]")));
    }

    /// An image 16 pixels wide with one row per letter; a blank is the background.
    fn picture(rows: &str) -> Pixels {
        let size = Size::new(16, i32::try_from(rows.len()).unwrap());
        let bytes = rows.bytes().flat_map(|row| [row; 16]).collect();
        Pixels::new(size, 1, bytes).unwrap()
    }

    fn compared(before: &str, after: &str) -> PixelMotion {
        compare(&picture(before), &picture(after), Axis::Vertical)
    }

    #[test]
    fn shifted_lines_are_movement() {
        let text = "ab  cd  ef  gh  ij  kl  mn  op  qr  st  uv  wx  ";
        assert_eq!(compared(&text[..32], &text[12..44]), PixelMotion::Moved);
        assert_eq!(compared(&text[12..44], &text[..32]), PixelMotion::Moved);
        assert_eq!(compared(&text[..32], &text[..32]), PixelMotion::Still);
        // A fixed header does not hide movement.
        let headed = |from: usize| format!("HE{}", &text[from..from + 30]);
        assert_eq!(compared(&headed(0), &headed(8)), PixelMotion::Moved);
        // Nor is a single mark on a plain background enough.
        assert_eq!(
            compared(
                "            xy                  ",
                "    xy                          "
            ),
            PixelMotion::Moved
        );
    }

    #[test]
    fn local_changes_are_not_movement() {
        let text = "ab  cd  ef  gh  ij  kl  mn  op  ";
        assert_eq!(
            compared(text, &text.replace("gh", "GH")),
            PixelMotion::Still
        );
        assert_eq!(
            compared(text, &text.replace("gh", "  ")),
            PixelMotion::Still
        );
        assert_eq!(
            compared(&text.replace("gh", "  "), text),
            PixelMotion::Still
        );
    }

    #[test]
    fn ambiguous_images_are_inconclusive() {
        let plain = " ".repeat(32);
        assert_eq!(compared(&plain, &plain), PixelMotion::Inconclusive);
        // A button over the lower edge does not move with the content below it.
        let button = format!("{}xy ", " ".repeat(29));
        assert_eq!(compared(&button, &button), PixelMotion::Inconclusive);
        // A single mark that disappears may have scrolled out of view.
        assert_eq!(
            compared("            xy                  ", &plain),
            PixelMotion::Inconclusive
        );
        // Completely different content may be far away, or a video.
        let (one, other) = ("abcdefghijklmnop", "ABCDEFGHIJKLMNOP");
        assert_eq!(compared(one, other), PixelMotion::Inconclusive);
        assert_eq!(compared(one, "ab"), PixelMotion::Inconclusive);
    }

    #[test]
    fn only_movement_along_the_axis_counts() {
        let size = Size::new(16, 16);
        let painted = |paint: &dyn Fn(u8, u8) -> u8| {
            let bytes = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
            Pixels::new(size, 1, bytes.map(|(x, y)| paint(x, y)).collect()).unwrap()
        };
        let columns = painted(&|x, _| x);
        let further = painted(&|x, _| x + 3);
        assert_eq!(
            compare(&columns, &further, Axis::Horizontal),
            PixelMotion::Moved
        );
        assert_eq!(
            compare(&columns, &further, Axis::Vertical),
            PixelMotion::Inconclusive
        );
        let rows = painted(&|_, y| y);
        let with_bar = painted(&|x, y| if x == 15 { 99 } else { y });
        assert_eq!(
            compare(&rows, &with_bar, Axis::Vertical),
            PixelMotion::Still
        );
    }
}

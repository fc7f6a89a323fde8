//! What moves without the tree showing it: a device that cuts bounds at the edges of the screen shows one long node at the
//! same place wherever it is scrolled to. There the picture tells.

use std::collections::HashMap;

use driver::{DriverError, Pixels};
use uitree::{Axis, NodeId, Rect, Role, UiTree};

use super::container::free_bounds;
use crate::failure::Failure;
use crate::stage::Stage;

/// The share of a picture's length at each of its sides that is not looked at across the way it scrolls, where scroll bars
/// come and go, and that proves nothing along it, where buttons and bars lie over what scrolls.
const MARGIN: usize = 8;

/// What changes in place, such as a cursor, changes no more than one of this many parts of a picture.
const SMALL: usize = 4;

/// The fewest places at which one line follows another that make a movement of them.
const EVIDENCE: usize = 2;

/// What two pictures say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// What is seen later was seen before at another place.
    Moved,
    /// What was seen before is there still.
    Still,
    /// It would look like this either way.
    Nothing,
}

impl Stage<'_> {
    /// The picture of what can be seen of a container; `None` where there is none to be had.
    pub(super) async fn picture_of(
        &mut self,
        tree: &UiTree,
        container: NodeId,
    ) -> Result<Option<Pixels>, Failure> {
        let Some(area) = free_bounds(tree, container) else {
            return Ok(None);
        };
        match self.driver.pixels(&self.cx, area).await {
            Ok(pixels) => Ok(Some(pixels)),
            Err(
                error @ (DriverError::Lost { .. } | DriverError::Deadline | DriverError::Cancelled),
            ) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// Whether a container's content may move without this device's trees telling.
    pub(super) fn may_move_unseen(&self, tree: &UiTree, container: NodeId, axis: Axis) -> bool {
        !self.driver.info().capabilities.events && is_blind(tree, container, axis)
    }
}

/// Whether a container shows nothing that ends inside it, or something that goes from edge to edge and holds nothing that
/// does: where such a node is cut at the edges, it lies at the same place however far it has moved.
fn is_blind(tree: &UiTree, container: NodeId, axis: Axis) -> bool {
    let ends = |bounds: Rect| match axis {
        Axis::Horizontal => (bounds.left, bounds.right),
        Axis::Vertical => (bounds.top, bounds.bottom),
    };
    let Some((start, end)) = tree.visible_bounds(container).map(ends) else {
        return false;
    };
    let place = |id: NodeId| tree.visible_bounds(id).map(ends);
    let tells = |id: NodeId| {
        tree.node(id).role != Role::Progress
            && place(id)
                .is_some_and(|(from, to)| (start < from && from < end) || (start < to && to < end))
    };
    let fills = |id: NodeId| place(id).is_some_and(|(from, to)| from <= start && end <= to);
    let inside = || tree.subtree(container).skip(1);
    !inside().any(tells) || inside().any(|id| fills(id) && !tree.subtree(id).any(tells))
}

/// Whether what one picture of an area shows has moved along the axis in a later one.
pub(super) fn compare(before: &Pixels, after: &Pixels, axis: Axis) -> Says {
    if (before.size(), before.depth()) != (after.size(), after.depth()) {
        return Says::Nothing;
    }
    compare_lines(&lines(before, axis), &lines(after, axis))
}

/// One number for each line of pixels across the axis.
fn lines(pixels: &Pixels, axis: Axis) -> Vec<u64> {
    const SEED: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let add = |line: u64, bytes: &[u8]| {
        bytes.iter().fold(line, |line, byte| {
            (line ^ u64::from(*byte)).wrapping_mul(PRIME)
        })
    };
    let depth = pixels.depth();
    match axis {
        Axis::Vertical => pixels
            .rows()
            .map(|row| {
                let width = row.len() / depth;
                let margin = width / MARGIN;
                let middle = row.get(margin * depth..(width - margin) * depth);
                add(SEED, middle.unwrap_or_default())
            })
            .collect(),
        Axis::Horizontal => {
            let rows = pixels.rows().len();
            let margin = rows / MARGIN;
            let width = pixels.rows().next().map_or(0, |row| row.len() / depth);
            let mut lines = vec![SEED; width];
            for row in pixels.rows().skip(margin).take(rows - 2 * margin) {
                for (line, pixel) in lines.iter_mut().zip(row.chunks_exact(depth)) {
                    *line = add(*line, pixel);
                }
            }
            lines
        }
    }
}

/// A place where one line follows another that looks different: all that a movement can be seen by.
type Step = (u64, u64);

/// The steps of a picture, each with the place of its second line, in order.
fn steps(lines: &[u64]) -> impl Iterator<Item = (usize, Step)> {
    let pairs = lines.iter().zip(lines.iter().skip(1)).enumerate();
    pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(at, (a, b))| (at + 1, (*a, *b)))
}

/// Whether lines have moved.
fn compare_lines(before: &[u64], after: &[u64]) -> Says {
    let length = after.len();
    let margin = length / MARGIN;
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
        // Nothing else than before; but of one colour it would look the same wherever it is.
        return if stayed > 0 {
            Says::Still
        } else {
            Says::Nothing
        };
    };
    let new: Vec<(usize, Step)> = steps(after).filter(|(at, _)| has_changed(*at)).collect();
    if has_moved(before, &new) {
        return Says::Moved;
    }
    if stayed >= new.len().max(1) && last - first < length.div_ceil(SMALL) {
        return Says::Still;
    }
    Says::Nothing
}

/// Whether most of what is new was there before, all of it at one distance.
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
        // What has come in from outside was not there before.
        let could = new
            .iter()
            .filter_map(|(at, _)| at.checked_add_signed(-distance))
            .filter(|old| (1..before.len()).contains(old))
            .count();
        distance != 0 && found >= EVIDENCE && found * 2 > could
    })
}

#[cfg(test)]
mod tests {
    use uitree::Size;

    use super::*;

    fn blind(screen: &str) -> bool {
        let tree = UiTree::parse_notation(screen).unwrap();
        let list = tree.find(&uitree::Query::new().id("list")).unwrap();
        is_blind(&tree, list, Axis::Vertical)
    }

    #[test]
    fn a_node_from_edge_to_edge_hides_movement_unless_something_in_it_ends() {
        let within = |inside: &str| format!("list #list scrollable [0,100][1000,1100]\n{inside}");
        assert!(blind(&within("")));
        assert!(blind(&within("  text \"long\" [0,100][1000,1100]")));
        assert!(!blind(&within(
            "  text \"one\" [0,100][1000,400]\n  text \"two\" [0,400][1000,1100]"
        )));
        assert!(!blind(&within(
            "  column [0,100][1000,1100]\n    text \"one\" [0,100][1000,400]"
        )));
        // A head that stays where it is says nothing of the long text behind it.
        assert!(blind(&within(
            "  text \"head\" [0,100][1000,200]\n  text \"long\" [0,100][1000,1100]"
        )));
        // What ends elsewhere than along the axis tells nothing.
        assert!(blind(&within("  text \"narrow\" [300,100][500,1100]")));
    }

    /// A picture 16 pixels wide with one row for each letter; a blank is the ground.
    fn picture(rows: &str) -> Pixels {
        let size = Size::new(16, i32::try_from(rows.len()).unwrap());
        let bytes = rows.bytes().flat_map(|row| [row; 16]).collect();
        Pixels::new(size, 1, bytes).unwrap()
    }

    fn says(before: &str, after: &str) -> Says {
        compare(&picture(before), &picture(after), Axis::Vertical)
    }

    #[test]
    fn what_is_seen_at_another_place_has_moved() {
        let text = "ab  cd  ef  gh  ij  kl  mn  op  qr  st  uv  wx  ";
        assert_eq!(says(&text[..32], &text[12..44]), Says::Moved);
        assert_eq!(says(&text[12..44], &text[..32]), Says::Moved);
        assert_eq!(says(&text[..32], &text[..32]), Says::Still);
        // A head that stays does not hide it.
        let headed = |from: usize| format!("HE{}", &text[from..from + 30]);
        assert_eq!(says(&headed(0), &headed(8)), Says::Moved);
        // Nor does one mark on a plain ground.
        assert_eq!(
            says(
                "            xy                  ",
                "    xy                          "
            ),
            Says::Moved
        );
    }

    #[test]
    fn a_cursor_or_a_clock_is_no_movement() {
        let text = "ab  cd  ef  gh  ij  kl  mn  op  ";
        assert_eq!(says(text, &text.replace("gh", "GH")), Says::Still);
        assert_eq!(says(text, &text.replace("gh", "  ")), Says::Still);
        assert_eq!(says(&text.replace("gh", "  "), text), Says::Still);
    }

    #[test]
    fn where_it_would_look_the_same_nothing_is_said() {
        let plain = " ".repeat(32);
        assert_eq!(says(&plain, &plain), Says::Nothing);
        // A button over the lower edge does not move with what lies below it.
        let button = format!("{}xy ", " ".repeat(29));
        assert_eq!(says(&button, &button), Says::Nothing);
        // One mark that goes may have moved out of sight.
        assert_eq!(
            says("            xy                  ", &plain),
            Says::Nothing
        );
        // Another picture altogether may be of a place far away, or a film.
        let (one, other) = ("abcdefghijklmnop", "ABCDEFGHIJKLMNOP");
        assert_eq!(says(one, other), Says::Nothing);
        assert_eq!(says(one, "ab"), Says::Nothing);
    }

    #[test]
    fn only_movement_along_the_axis_counts_and_no_scroll_bar() {
        let size = Size::new(16, 16);
        let painted = |paint: &dyn Fn(u8, u8) -> u8| {
            let bytes = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
            Pixels::new(size, 1, bytes.map(|(x, y)| paint(x, y)).collect()).unwrap()
        };
        let columns = painted(&|x, _| x);
        let further = painted(&|x, _| x + 3);
        assert_eq!(compare(&columns, &further, Axis::Horizontal), Says::Moved);
        assert_eq!(compare(&columns, &further, Axis::Vertical), Says::Nothing);
        let rows = painted(&|_, y| y);
        let with_bar = painted(&|x, y| if x == 15 { 99 } else { y });
        assert_eq!(compare(&rows, &with_bar, Axis::Vertical), Says::Still);
    }
}

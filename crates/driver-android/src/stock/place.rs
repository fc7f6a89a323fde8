//! Where a finger meets a node and not what lies over it or stands in it.

use uitree::{NodeId, Point, Rect, State, UiTree};

/// How finely a node is searched for a free place, in each direction.
const STEPS: i32 = 8;

/// A place of the node that nothing else takes: its middle, or else the free place nearest to it.
pub(super) fn of(tree: &UiTree, id: NodeId) -> Option<Point> {
    let bounds = tree.visible_bounds(id)?;
    let others = others(tree, id, &bounds);
    let free = |at: &Point| !others.iter().any(|other| other.contains(*at));
    let center = bounds.center();
    if free(&center) {
        return Some(center);
    }
    let along = |from: i32, length: i32, step: i32| from + (length * (2 * step + 1)) / (2 * STEPS);
    let distance = |at: &Point| {
        let (x, y) = (i64::from(at.x - center.x), i64::from(at.y - center.y));
        x * x + y * y
    };
    let places = (0..STEPS).flat_map(|row| {
        let y = along(bounds.top, bounds.height(), row);
        (0..STEPS).map(move |column| (column, y))
    });
    places
        .map(|(column, y)| Point::new(along(bounds.left, bounds.width(), column), y))
        .filter(|at| bounds.contains(*at) && free(at))
        .min_by_key(distance)
}

/// What takes touches within `bounds` before the node does: windows above its own, what takes clicks inside it, and what
/// is drawn over it later.
fn others(tree: &UiTree, id: NodeId, bounds: &Rect) -> Vec<Rect> {
    let own = tree.window_of(id);
    let windows = tree
        .windows()
        .iter()
        .filter(|window| window.layer > own.layer);
    let above = windows.map(|window| window.root);
    let takes = |other: &NodeId| {
        let node = tree.node(*other);
        node.is(State::CLICKABLE) || node.is(State::LONG_CLICKABLE) || node.is(State::EDITABLE)
    };
    let later = tree
        .subtree(own.root)
        .filter(|other| *other > id)
        .filter(takes);
    above
        .chain(later)
        .filter_map(|other| tree.visible_bounds(other))
        .filter(|other| other.intersect(bounds).is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    fn place(tree: &UiTree, id: &str) -> Option<Point> {
        of(tree, tree.find(&Query::new().id(id)).unwrap())
    }

    #[test]
    fn a_switch_in_the_middle_of_a_row_is_avoided() {
        let tree = UiTree::parse_notation(
            "column [0,0][1000,2000]\n  row #row [0,0][1000,200] clickable\n    text \"Wi-Fi\" [0,0][400,200]\n    \
             switch #switch [400,0][600,200] clickable\n  row #free [0,200][1000,400] clickable\n",
        )
        .unwrap();
        let at = place(&tree, "row").unwrap();
        assert!(at.x < 400 || at.x >= 600, "{at}");
        assert_eq!(place(&tree, "switch"), Some(Point::new(500, 100)));
        assert_eq!(place(&tree, "free"), Some(Point::new(500, 300)));
    }

    #[test]
    fn what_is_covered_has_no_place() {
        let tree = UiTree::parse_notation(
            "window application layer=0 active\n  column [0,0][1000,2000]\n    button #under [0,1500][1000,1600] clickable\n    \
             button #half [0,900][1000,1100] clickable\nwindow input-method layer=10\n  node #keys [0,1000][1000,2000]\n",
        )
        .unwrap();
        assert_eq!(place(&tree, "under"), None);
        let at = place(&tree, "half").unwrap();
        assert!(at.y < 1000, "{at}");
    }
}

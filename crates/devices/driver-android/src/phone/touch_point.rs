//! Finds a point where a touch hits a node and nothing above or inside it.

use super::text::USUAL_DENSITY;
use uitree::{NodeId, Point, Rect, State, UiTree};

/// The number of grid steps in each direction.
const STEPS: i32 = 8;

/// A point of the node that nothing else covers, neither nodes nor system bars: its center, else the nearest
/// free point.
pub(crate) fn free_point(tree: &UiTree, id: NodeId, bars: &[Rect]) -> Option<Point> {
    let (bounds, covers) = seen_part(tree, id, bars)?;
    let free = |at: &Point| !covers.iter().any(|other| other.contains(*at));
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

/// The usual distance of the track of a slider from its edges, in density-independent pixels.
const SLIDER_INSET: f64 = 16.0;

/// The point of a slider for this percentage of its range, unless something covers it. The app may draw the track elsewhere.
pub(crate) fn slider_point(
    tree: &UiTree,
    id: NodeId,
    bars: &[Rect],
    percent: f64,
    density: u32,
) -> Option<Point> {
    let (seen, covers) = seen_part(tree, id, bars)?;
    let whole = tree.node(id).bounds?;
    let density = if density == 0 { USUAL_DENSITY } else { density };
    let inset = (SLIDER_INSET * f64::from(density) / 160.0).min(f64::from(whole.width()) / 4.0);
    // Beside the track is its end, wherever it is.
    let along = match percent {
        0.0 => 1.0,
        100.0 => f64::from(whole.width()) - 2.0,
        _ => inset + (f64::from(whole.width()) - 2.0 * inset) * percent / 100.0,
    };
    let at = Point::new(whole.left + along.round() as i32, seen.center().y);
    let is_free = seen.contains(at) && !covers.iter().any(|other| other.contains(at));
    is_free.then_some(at)
}

/// The visible bounds of a node, and those of everything that covers it.
fn seen_part(tree: &UiTree, id: NodeId, bars: &[Rect]) -> Option<(Rect, Vec<Rect>)> {
    if tree.open_drawer_over(id).is_some() {
        return None;
    }
    let bounds = tree.visible_bounds(id)?;
    let mut covers = covering_bounds(tree, id, &bounds);
    covers.extend(bars);
    Some((bounds, covers))
}

/// The bounds, within `bounds`, of everything that takes touches before the node: windows above, clickable
/// descendants, and nodes drawn over it.
fn covering_bounds(tree: &UiTree, id: NodeId, bounds: &Rect) -> Vec<Rect> {
    let own = tree.window_of(id);
    let windows = tree
        .windows()
        .iter()
        .filter(|window| window.layer > own.layer);
    let above = windows.filter_map(|window| tree.touch_bounds(window));
    let is_touchable = |other: &NodeId| {
        let node = tree.node(*other);
        node.is(State::CLICKABLE) || node.is(State::LONG_CLICKABLE) || node.is(State::EDITABLE)
    };
    let later = tree
        .subtree(own.root)
        .filter(|other| *other > id)
        .filter(is_touchable)
        .filter_map(|other| tree.visible_bounds(other));
    above
        .chain(later)
        .filter(|other| other.intersect(bounds).is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    fn place(tree: &UiTree, id: &str) -> Option<Point> {
        let bar = Rect::new(0, 1960, 1000, 2000);
        free_point(tree, tree.find(&Query::new().id(id)).unwrap(), &[bar])
    }

    #[test]
    fn windows_and_bars_cover_their_touchable_bounds() {
        let tree = UiTree::parse_notation(
            "screen 1000x2000\nwindow application layer=0 active\n  column [0,0][1000,2000]\n    button #send [0,400][1000,500] \
             clickable\n    button #tab [0,1900][1000,2000] clickable\n    button #low [0,1970][1000,2000] clickable\nwindow \
             input-method layer=10 [0,1500][1000,1700]\n  node #keys [0,80][1000,2000]\n    button #key [0,1650][100,1800] clickable\n",
        )
        .unwrap();
        assert_eq!(place(&tree, "send"), Some(Point::new(500, 450)));
        assert!(place(&tree, "tab").is_some_and(|at| at.y < 1960));
        assert_eq!(place(&tree, "low"), None);
        assert!(place(&tree, "key").is_some_and(|at| at.y < 1700));
    }

    #[test]
    fn open_drawer_takes_touches_beside_it() {
        let tree = UiTree::parse_notation(
            "node .androidx.drawerlayout.widget.DrawerLayout [0,0][1000,2000]\n  column [0,0][1000,2000]\n    button #send \
             [800,100][1000,200] clickable\n  column #drawer [0,0][700,2000]\n    button #inbox [0,100][700,200] clickable\n",
        )
        .unwrap();
        assert_eq!(place(&tree, "send"), None);
        assert_eq!(place(&tree, "inbox"), Some(Point::new(350, 150)));
    }

    #[test]
    fn touch_avoids_switch_in_a_row() {
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
    fn covered_node_has_no_touch_point() {
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

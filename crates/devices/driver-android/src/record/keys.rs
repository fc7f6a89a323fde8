//! Keys that a person presses: by name, by the navigation bar, or by a gesture of the system.

use driver::Key;
use uitree::{Point, State, UiTree};

use super::touch_tracker::{Stroke, pixel};

/// The minimum duration of a long press, and of a gesture that opens the recent apps, in milliseconds.
pub(super) const LONG: f64 = 500.0;
/// The maximum movement of a press, in density-independent pixels.
const SLOP: f64 = 8.0;
/// The distance from an edge within which a navigation gesture begins, and its minimum length, in density-independent pixels.
const EDGE: f64 = 24.0;
const FAR: f64 = 48.0;
/// The density of a phone that reports none.
const USUAL_DENSITY: u32 = 420;
/// The package of the system bars.
pub(super) const SYSTEM_UI: &str = "com.android.systemui";

/// How a phone navigates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Navigation {
    /// Dots per inch; 0 if unknown.
    pub(super) density: u32,
    /// Whether edge swipes navigate.
    pub(super) gestures: bool,
}

/// The name of a key in a recording.
pub(super) const fn key_name(key: Key) -> &'static str {
    match key {
        Key::Back => "back",
        Key::Home => "home",
        Key::Recents => "recents",
        Key::Enter => "enter",
        Key::Delete => "delete",
        Key::Tab => "tab",
        Key::Escape => "escape",
        Key::VolumeUp => "volume_up",
        Key::VolumeDown => "volume_down",
        Key::Power => "power",
        Key::Menu => "menu",
        Key::Search => "search",
    }
}

/// The key of a button of the navigation bar.
pub(super) fn key_of_button(resource_id: &str) -> Option<Key> {
    match resource_id.rsplit_once('/').map_or("", |(_, id)| id) {
        "back" => Some(Key::Back),
        "home" | "home_button" | "home_handle" => Some(Key::Home),
        "recent_apps" => Some(Key::Recents),
        _ => None,
    }
}

impl Navigation {
    /// The key that a stroke on this screen stands for: a button of the navigation bar, or a gesture of the system.
    pub(super) fn key_of_stroke(self, stroke: &Stroke, tree: &UiTree) -> Option<Key> {
        let (from, to) = self.points(stroke, tree)?;
        let Some(to) = to else {
            return button_at(tree, from);
        };
        let (x, y) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
        if !self.gestures {
            return None;
        }
        let (screen, edge, far) = (tree.screen(), self.pixels(EDGE), self.pixels(FAR));
        let left = f64::from(from.x) < edge && x > far;
        let right = f64::from(screen.width - from.x) <= edge && -x > far;
        if (left || right) && x.abs() > y.abs() {
            return Some(Key::Back);
        }
        let below = f64::from(screen.height - from.y) <= edge;
        // Holding it opens the recent apps.
        let key = if stroke.up - stroke.down < LONG {
            Key::Home
        } else {
            Key::Recents
        };
        (below && -y > far && y.abs() > x.abs()).then_some(key)
    }

    /// The start of a stroke on this screen, and its end if the finger moved.
    pub(super) fn points(self, stroke: &Stroke, tree: &UiTree) -> Option<(Point, Option<Point>)> {
        let place = |share| pixel(share, tree.screen(), tree.rotation());
        let (from, to) = (place(stroke.from?), place(stroke.to?));
        let (x, y) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
        Some((from, (x.hypot(y) > self.pixels(SLOP)).then_some(to)))
    }

    fn pixels(self, dp: f64) -> f64 {
        let density = match self.density {
            0 => USUAL_DENSITY,
            density => density,
        };
        dp * f64::from(density) / 160.0
    }
}

fn button_at(tree: &UiTree, at: Point) -> Option<Key> {
    tree.on_screen()
        .filter(|id| {
            let node = tree.node(*id);
            &*node.owner == SYSTEM_UI
                && node.is(State::CLICKABLE)
                && node.bounds.is_some_and(|bounds| bounds.contains(at))
        })
        .find_map(|id| key_of_button(&tree.node(id).id))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: &str = "column [0,0][1080,2400]\n  button #com.android.systemui:id/back [0,2280][360,2400] clickable\n";

    fn stroke(from: (f64, f64), to: (f64, f64), ms: f64) -> Stroke {
        Stroke {
            down: 0.0,
            up: ms,
            from: Some(from),
            to: Some(to),
            fingers: 1,
        }
    }

    #[test]
    fn edge_swipes_are_keys_only_on_phones_that_navigate_by_them() {
        let tree = UiTree::parse_notation(SCREEN).unwrap();
        let with = |gestures| Navigation {
            density: 420,
            gestures,
        };
        let swipes = [
            (stroke((0.0, 0.5), (0.4, 0.5), 100.0), Some(Key::Back)),
            (stroke((0.999, 0.5), (0.6, 0.5), 100.0), Some(Key::Back)),
            (stroke((0.5, 0.999), (0.5, 0.5), 100.0), Some(Key::Home)),
            (stroke((0.5, 0.999), (0.5, 0.5), 900.0), Some(Key::Recents)),
            (stroke((0.5, 0.5), (0.5, 0.2), 100.0), None),
            (stroke((0.0, 0.5), (0.02, 0.5), 100.0), None),
        ];
        for (swipe, key) in swipes {
            assert_eq!(with(true).key_of_stroke(&swipe, &tree), key, "{swipe:?}");
            assert_eq!(with(false).key_of_stroke(&swipe, &tree), None, "{swipe:?}");
        }
    }

    #[test]
    fn buttons_of_the_navigation_bar_belong_to_the_system() {
        let navigation = Navigation {
            density: 0,
            gestures: false,
        };
        let tap = stroke((0.1, 0.98), (0.1, 0.98), 50.0);
        let tree = UiTree::parse_notation(SCREEN).unwrap();
        // The notation has no packages: another app's button with this id.
        assert_eq!(navigation.key_of_stroke(&tap, &tree), None);
        let xml = tree.to_hierarchy_xml();
        let xml = xml.replace("package=\"\"", "package=\"com.android.systemui\"");
        let tree = UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
        assert_eq!(navigation.key_of_stroke(&tap, &tree), Some(Key::Back));
        let beside = stroke((0.6, 0.98), (0.6, 0.98), 50.0);
        assert_eq!(navigation.key_of_stroke(&beside, &tree), None);
    }
}

//! Touches of a person and the events that report them. Apps made with Compose report no clicks of fingers, nor do games and views
//! that draw their own controls: such a touch is known only by its place.

use std::collections::VecDeque;

use agent_protocol::{AppEvent, AppEventKind};
use uitree::{NodeId, Point, Rect, State, UiTree, Window, WindowKind};

use super::screens::place;

/// How long after a touch its event may be sent, in milliseconds.
const REPORT_TIMEOUT: f64 = 1_000.0;
/// How much the clocks of touches and events may differ, in milliseconds.
const CLOCK_TOLERANCE: f64 = 100.0;
/// How long content is taken to move after its last scroll event, in milliseconds: a touch that stops it is no click.
const SCROLL_REST: f64 = 300.0;
/// The most events that are kept.
const MAX_REPORTS: usize = 500;
/// The states that take a press.
const TAKES_PRESS: State = State::CLICKABLE
    .union(State::LONG_CLICKABLE)
    .union(State::CHECKABLE)
    .union(State::EDITABLE);

/// A press or a swipe of one finger. Times are milliseconds since the session began.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub(super) down: f64,
    pub(super) up: f64,
    pub(super) from: Point,
    /// Where the finger left the screen, if it moved.
    pub(super) to: Option<Point>,
    pub(super) target: TouchTarget,
}

/// What was under a touch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TouchTarget {
    /// The node that takes a press there, else the last node there.
    pub(super) node: TouchedNode,
    /// Whether the content there scrolls.
    pub(super) scrolls: bool,
    /// Whether it is in the window of the keyboard.
    pub(super) is_keyboard: bool,
    /// Whether it may be a key of a keypad that types a password.
    pub(super) may_be_secret: bool,
}

/// A node as a recording names it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TouchedNode {
    pub(super) package: String,
    pub(super) resource_id: String,
    pub(super) class: String,
    pub(super) text: String,
    pub(super) description: String,
    pub(super) bounds: Rect,
}

impl Touch {
    /// Until when an event may report it.
    pub(super) const fn settles(&self) -> f64 {
        self.up + REPORT_TIMEOUT
    }
}

impl TouchTarget {
    /// The target at a place, in the topmost window there.
    pub(super) fn at(tree: &UiTree, at: Point) -> Option<Self> {
        let is_touched = |window: &&Window| {
            let touched = tree.touch_bounds(window);
            touched.is_some_and(|bounds| bounds.contains(at))
        };
        let windows = tree.windows().iter().filter(is_touched);
        let window = windows.max_by_key(|window| window.layer)?;
        let is_there = |id: &NodeId| {
            let bounds = tree.visible_bounds(*id);
            bounds.is_some_and(|bounds| bounds.contains(at))
        };
        let there: Vec<NodeId> = tree.subtree(window.root).filter(is_there).collect();
        // Nodes drawn later are above.
        let with = |state: State| {
            let mut above = there.iter().rev();
            above.find(|id| tree.node(**id).state.intersects(state))
        };
        let id = *with(TAKES_PRESS).or(there.last())?;
        let node = TouchedNode::of(tree, id);
        let has_password = tree
            .subtree(window.root)
            .any(|id| tree.node(id).is(State::PASSWORD));
        let is_one = |text: &str| text.chars().count() == 1;
        Some(Self {
            may_be_secret: has_password && (is_one(&node.text) || is_one(&node.description)),
            node,
            scrolls: with(State::SCROLLABLE).is_some(),
            is_keyboard: window.kind == WindowKind::InputMethod,
        })
    }
}

impl TouchedNode {
    fn of(tree: &UiTree, id: NodeId) -> Self {
        let first = |text: fn(&uitree::Node) -> &str| {
            let mut texts = tree.subtree(id).map(|inner| text(tree.node(inner)).trim());
            let found = texts.find(|text| !text.is_empty());
            found.unwrap_or_default().to_owned()
        };
        let node = tree.node(id);
        Self {
            package: node.owner.to_string(),
            resource_id: node.id.to_string(),
            class: node.class.to_string(),
            // The content of a field does not identify it.
            text: match node.is(State::EDITABLE) {
                true => String::new(),
                false => first(|node| &node.text),
            },
            description: first(|node| &node.label),
            bounds: node.bounds.unwrap_or_default(),
        }
    }
}

/// The last events that may report a touch.
#[derive(Debug, Default)]
pub(super) struct Reports {
    events: VecDeque<Report>,
}

#[derive(Debug)]
struct Report {
    at: f64,
    kind: AppEventKind,
    bounds: Option<Rect>,
    /// Whether it reports a touch that is known already.
    is_used: bool,
}

impl Reports {
    /// Adds an event.
    pub(super) fn add(&mut self, at: f64, event: &AppEvent) {
        self.events.push_back(Report {
            at,
            kind: event.kind,
            bounds: event.source.as_ref().map(place),
            is_used: false,
        });
        if self.events.len() > MAX_REPORTS {
            self.events.pop_front();
        }
    }

    /// Whether an event reports this touch: one at its place, else one that is not at the place of another touch. A click reports
    /// one touch.
    pub(super) fn claim_event(&mut self, touch: &Touch, others: &[Point]) -> bool {
        let during = touch.down - CLOCK_TOLERANCE..=touch.settles();
        let scrolled = |from: f64, to: f64| {
            let mut scrolls = self.events.iter();
            scrolls.any(|report| {
                report.kind == AppEventKind::Scrolled && report.at >= from && report.at <= to
            })
        };
        let is_click = |report: &Report| {
            matches!(
                report.kind,
                AppEventKind::Clicked | AppEventKind::LongClicked
            ) && during.contains(&report.at)
        };
        if touch.to.is_some() {
            return scrolled(*during.start(), *during.end()) || self.events.iter().any(is_click);
        }
        if touch.target.scrolls && scrolled(touch.down - SCROLL_REST, touch.up) {
            return true;
        }
        let is_at = |report: &Report, at: Point| {
            let bounds = report.bounds;
            bounds.is_some_and(|bounds| bounds.contains(at))
        };
        let mut clicks = self.events.iter_mut();
        let mut clicks: Vec<&mut Report> = clicks
            .by_ref()
            .filter(|report| !report.is_used && is_click(report))
            .collect();
        let here = clicks.iter().position(|report| is_at(report, touch.from));
        let elsewhere = |report: &&mut Report| !others.iter().any(|other| is_at(report, *other));
        let found = here.or_else(|| clicks.iter().position(elsewhere));
        let click = found.and_then(|index| clicks.get_mut(index));
        if let Some(click) = click {
            click.is_used = true;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Bounds, EventSource, NodeFlags};

    const SCREEN: &str = "window application layer=0 active\n  list #list [0,0][1000,2000] scrollable\n    row #row [0,0][1000,200] \
        clickable\n      text \"Wi-Fi\" [0,0][400,200]\n      switch #switch [800,0][1000,200] clickable\n    text #plain \"Plain\" \
        [0,200][1000,400]\nwindow input-method layer=10\n  node #keys [0,1000][1000,2000]\n";

    fn target(x: i32, y: i32) -> Option<TouchTarget> {
        let tree = UiTree::parse_notation(SCREEN).unwrap();
        TouchTarget::at(&tree, Point::new(x, y))
    }

    fn touch(at: f64, (x, y): (i32, i32)) -> Touch {
        Touch {
            down: at,
            up: at + 50.0,
            from: Point::new(x, y),
            to: None,
            target: target(x, y).unwrap(),
        }
    }

    fn event(kind: AppEventKind, top: i32) -> AppEvent {
        let source = EventSource {
            window: 0,
            class: String::new(),
            resource_id: String::new(),
            text: String::new(),
            description: String::new(),
            flags: NodeFlags::empty(),
            bounds: Bounds {
                left: 0,
                top,
                width: 1000,
                height: 200,
            },
        };
        AppEvent {
            source: Some(source),
            ..AppEvent::new(kind, "com.x")
        }
    }

    #[test]
    fn target_is_the_topmost_node_that_takes_a_press() {
        let id = |x, y| target(x, y).unwrap().node.resource_id;
        let row = target(100, 100).unwrap();
        assert_eq!((&*row.node.resource_id, &*row.node.text), ("row", "Wi-Fi"));
        assert!(row.scrolls && !row.is_keyboard);
        assert_eq!((&*id(900, 100), &*id(100, 300)), ("switch", "plain"));
        assert!(target(100, 1500).unwrap().is_keyboard);
        assert_eq!(target(5000, 0), None);
        let secret =
            "column [0,0][100,100]\n  textfield #pw \"secret\" [0,0][100,50] editable password\n";
        let tree = UiTree::parse_notation(secret).unwrap();
        let field = TouchTarget::at(&tree, Point::new(5, 5)).unwrap().node;
        assert_eq!((&*field.resource_id, &*field.text), ("pw", ""));
        let keypad = format!(
            "{secret}  button \"7\" [0,50][50,100] clickable\n  button \"OK\" [50,50][100,100] clickable\n"
        );
        let tree = UiTree::parse_notation(&keypad).unwrap();
        let key = |x| TouchTarget::at(&tree, Point::new(x, 75)).unwrap();
        assert!(key(10).may_be_secret && !key(60).may_be_secret);
    }

    #[test]
    fn click_reports_the_touch_at_its_place_and_only_one() {
        let mut reports = Reports::default();
        let (above, below) = ((100, 100), (100, 300));
        reports.add(260.0, &event(AppEventKind::Clicked, 200));
        let places = [Point::new(below.0, below.1)];
        assert!(!reports.claim_event(&touch(0.0, above), &places));
        assert!(reports.claim_event(&touch(200.0, below), &[]));
        assert!(!reports.claim_event(&touch(200.0, below), &[]));
        // A node that moved meanwhile.
        reports.add(300.0, &event(AppEventKind::LongClicked, 900));
        assert!(reports.claim_event(&touch(200.0, below), &[]));
        // Too late, and too early.
        reports.add(3_000.0, &event(AppEventKind::Clicked, 0));
        assert!(!reports.claim_event(&touch(1_000.0, above), &[]));
        assert!(!reports.claim_event(&touch(4_000.0, above), &[]));
    }

    #[test]
    fn scroll_reports_swipes_and_touches_that_stop_it() {
        let mut reports = Reports::default();
        reports.add(1_000.0, &event(AppEventKind::Scrolled, 0));
        let swipe = |at| Touch {
            to: Some(Point::new(100, 900)),
            ..touch(at, (100, 300))
        };
        assert!(reports.claim_event(&swipe(900.0), &[]));
        assert!(!reports.claim_event(&swipe(2_000.0), &[]));
        assert!(reports.claim_event(&touch(1_200.0, (100, 300)), &[]));
        assert!(!reports.claim_event(&touch(1_500.0, (100, 300)), &[]));
    }
}

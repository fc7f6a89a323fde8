//! A screen as a phone shows it: its windows, of which the system bars are left out of the tree.

use std::cmp::Reverse;
use std::sync::Arc;

use driver::{DriverError, Observation, OtherDisplay, Result, Revision, WindowInfo};
use uitree::{NodeId, Rect, UiTree, Window, WindowKind};

/// A system window at an edge is a bar if its height is less than this fraction of the screen.
const BAR_SHARE: i32 = 6;

/// The content of a screen.
#[derive(Debug)]
pub(crate) struct Screen {
    /// The windows of the driven display, including system bars.
    pub(crate) tree: UiTree,
    /// The other displays.
    pub(crate) undriven: Vec<OtherDisplay>,
}

impl Screen {
    /// The nodes that stay when the system bars are left out, in order.
    pub(crate) fn nodes_without_bars(&self) -> impl Iterator<Item = NodeId> + '_ {
        let windows = self.tree.windows().iter();
        let kept = windows.filter(|window| !is_bar(&self.tree, window));
        kept.flat_map(|window| self.tree.subtree(window.root))
    }

    /// The bounds of the system bars, and the screen without them.
    pub(crate) fn split_bars(self) -> Result<(Vec<Rect>, Self)> {
        let Self { tree, undriven } = self;
        let bars: Vec<_> = tree
            .windows()
            .iter()
            .filter(|window| is_bar(&tree, window))
            .collect();
        if bars.is_empty() {
            return Ok((Vec::new(), Self { tree, undriven }));
        }
        let bounds = bars
            .iter()
            .filter_map(|window| tree.touch_bounds(window))
            .collect();
        let kept = tree.with_windows(|window| !is_bar(&tree, window));
        if kept.is_empty() {
            return Err(DriverError::NoWindow);
        }
        Ok((
            bounds,
            Self {
                tree: kept,
                undriven,
            },
        ))
    }

    /// The observation of this screen.
    pub(crate) fn describe(self, revision: Revision) -> Observation {
        let Self { tree, undriven } = self;
        let windows = from_the_top(&tree);
        // If another display has the focus, no window of this one is active.
        let front = windows.iter().find(|window| window.active).or_else(|| {
            windows
                .iter()
                .find(|window| window.kind == WindowKind::Application)
        });
        Observation {
            foreground: front.and_then(|window| package(&tree, window)),
            url: None,
            windows: window_infos(&tree),
            other_displays: undriven,
            tree: Arc::new(tree),
            revision,
        }
    }
}

/// All windows, topmost first.
pub(crate) fn window_infos(tree: &UiTree) -> Vec<WindowInfo> {
    let windows = from_the_top(tree).into_iter();
    let info = |window: &Window| WindowInfo {
        kind: window.kind,
        package: package(tree, window),
        active: window.active,
    };
    windows.map(info).collect()
}

fn from_the_top(tree: &UiTree) -> Vec<&Window> {
    let mut windows: Vec<&Window> = tree.windows().iter().collect();
    windows.sort_by_key(|window| Reverse(window.layer));
    windows
}

fn package(tree: &UiTree, window: &Window) -> Option<String> {
    let owner = &tree.node(window.root).owner;
    (!owner.is_empty()).then(|| owner.to_string())
}

/// Whether a window is the status or navigation bar.
fn is_bar(tree: &UiTree, window: &Window) -> bool {
    if window.kind != WindowKind::System || window.active {
        return false;
    }
    let Some(bounds) = tree.node(window.root).bounds else {
        return true;
    };
    let screen = tree.screen();
    let low = bounds.height() * BAR_SHARE <= screen.height;
    let narrow = bounds.width() * BAR_SHARE <= screen.width;
    let at_edge = bounds.top <= 0
        || bounds.left <= 0
        || bounds.bottom >= screen.height
        || bounds.right >= screen.width;
    at_edge && (low || narrow)
}

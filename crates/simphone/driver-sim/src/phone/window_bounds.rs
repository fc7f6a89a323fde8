//! The bounds of windows, and how they make room for the keyboard.

use std::sync::Arc;

use uitree::Rect;

use sim_format::app::{Header, LARGE, PageKind};
use sim_format::widget::Key;
use sim_view::env::Local;
use sim_view::layout::{Budget, Fragment, Layout, Scene, lay_out};
use sim_view::widget::Element;

pub(super) struct WindowBounds {
    pub(super) area: Rect,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
    pub(super) side: i32,
    /// The top of the keyboard, or the bottom of the screen.
    pub(super) keyboard_top: i32,
    /// The widget that a popup is anchored to.
    pub(super) anchor: Option<Rect>,
    /// Device pixels per density-independent pixel.
    pub(super) density: f32,
}

impl WindowBounds {
    pub(super) fn lay_out(
        &self,
        layout: &mut Layout<'_>,
        elements: Vec<Element>,
        kind: PageKind,
    ) -> Arc<Fragment> {
        let (width, height) = (self.area.width() as f32, self.area.height() as f32);
        let max_height = height - (self.top + self.bottom + self.side) as f32;
        let width = match kind {
            PageKind::Screen | PageKind::Sheet { .. } | PageKind::Full { .. } => {
                return Arc::new(lay_out(layout, elements, Some(width), Some(height)));
            }
            // A dialog is at most 400 dp wide, about a phone in portrait.
            PageKind::Dialog { .. } => {
                let room = width - (2 * self.side + self.right) as f32;
                Some(room.min((400.0 * self.density).round()))
            }
            PageKind::Banner => {
                let edge = (8.0 * self.density).round();
                let room = width - 2.0 * edge - self.right as f32;
                let room = room.min((504.0 * self.density).round());
                Some(
                    self.anchor
                        .map_or(room, |anchor| room.min(anchor.width() as f32)),
                )
            }
            // The content of a popup has a fixed width.
            PageKind::Popup => None,
        };
        let mut fragment = lay_out(layout, elements.clone(), width, None);
        if fragment.height > max_height {
            // The second layout replaces the first, so it gets a new budget.
            layout.cache.budget = Budget::default();
            fragment = lay_out(layout, elements, width, Some(max_height));
        }
        Arc::new(fragment)
    }

    /// Places a window's widgets on the screen and returns its bounds.
    pub(super) fn place(
        &self,
        scene: &mut Scene,
        fragment: &Arc<Fragment>,
        kind: PageKind,
        local: &Local,
    ) -> Rect {
        let (width, height) = (fragment.width as i32, fragment.height as i32);
        let middle = self.area.left + (self.area.width() - self.right - width) / 2;
        let (left, top) = match kind {
            PageKind::Screen | PageKind::Sheet { .. } | PageKind::Full { .. } => {
                (self.area.left, self.area.top)
            }
            PageKind::Dialog { .. } => {
                let free = self.area.height() - self.top - self.bottom - height;
                (middle, self.area.top + self.top + (free / 2).max(0))
            }
            PageKind::Banner => {
                let gap = (4.0 * self.density).round() as i32;
                let upper = (middle, self.area.top + self.top + gap);
                (self.anchor).map_or(upper, |anchor| (anchor.left, anchor.top))
            }
            PageKind::Popup => self.popup_position(width, height),
        };
        let (dx, dy) = local.motion.window();
        let x = left as f32 + dx;
        scene.put(fragment, (x, top as f32 + dy), self.area, local);
        let pan = self.pan(scene, local);
        if pan != 0 {
            *scene = Scene::default();
            scene.put(fragment, (x, (top - pan) as f32 + dy), self.area, local);
        }
        // The content of a screen moves inside its window; dialogs, popups and banners move as a whole.
        let (left, top) = match kind {
            PageKind::Screen | PageKind::Sheet { .. } | PageKind::Full { .. } => (left, top),
            PageKind::Dialog { .. } | PageKind::Popup | PageKind::Banner => {
                (left + dx.round() as i32, top + dy.round() as i32 - pan)
            }
        };
        Rect::new(left, top, left + width, top + height)
    }

    /// The position of a popup: over its anchor, as far as there is room.
    fn popup_position(&self, width: i32, height: i32) -> (i32, i32) {
        let edge = (8.0 * self.density).round() as i32;
        let anchor = self.anchor.unwrap_or(self.area);
        let min = self.area.left + edge;
        let max = self.area.right - self.right - edge - width;
        // Aligned with the right edge of an anchor in the right half of the screen.
        let left = match anchor.center().x > self.area.center().x {
            true => anchor.right - width,
            false => anchor.left,
        };
        let floor = self.area.bottom - self.bottom - edge;
        let ceiling = self.area.top + self.top + edge;
        let top = anchor.top.min(floor - height).max(ceiling);
        (left.min(max).max(min), top)
    }

    /// How far the window moves up so that the keyboard does not cover the focused field.
    fn pan(&self, scene: &Scene, local: &Local) -> i32 {
        if self.keyboard_top >= self.area.bottom {
            return 0;
        }
        let item = local.focus.and_then(|key| scene.find(key));
        let Some((index, item)) = item.and_then(|index| Some((index, scene.items.get(index)?)))
        else {
            return 0;
        };
        // A field in a scroller is scrolled into view instead.
        match scene.scroller_of(index) {
            Some(_) => 0,
            None => (item.rect.bottom - self.keyboard_top).max(0),
        }
    }
}

/// Scrolls the focused widget into view when the window's bottom moves up from `floor` to `limit`. Returns the scroller
/// and its old offset if it has to scroll.
pub(super) fn reveal(
    scene: &Scene,
    local: &mut Local,
    limit: i32,
    floor: i32,
) -> Option<(Key, f32)> {
    local.reveal = false;
    let index = scene.find(local.focus?)?;
    let scroll = scene.scroller_of(index)?;
    let (item, window) = (scene.items.get(index)?, scene.items.get(scroll.item)?);
    // Content below the scroller, such as a button bar, moves up with the bottom of the window.
    let bar = (floor - window.rect.bottom).max(0);
    let below = (item.rect.bottom - window.rect.bottom.min(limit - bar)).max(0);
    let above = (window.rect.top - item.rect.top).max(0);
    if below == above {
        return None;
    }
    // The range is unknown until the window has shrunk; the scene clamps the offset.
    let offset = (scroll.offset + (below - above) as f32).max(0.0);
    local.scroll.insert(scroll.key, offset);
    Some((scroll.key, scroll.offset))
}

/// How many pixels of a header collapse when scrolling.
pub(crate) fn collapse_range(header: Header, density: f32) -> f32 {
    match header {
        Header::Large => LARGE.open.px(density) - LARGE.closed.px(density),
        Header::Plain | Header::None => 0.0,
    }
}

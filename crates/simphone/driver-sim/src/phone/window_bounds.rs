//! Where a window is: the room that it may take, and how it gives way to the keyboard.

use std::sync::Arc;

use uitree::Rect;

use sim_format::app::{Header, PageKind};
use sim_format::widget::{Axis, Key};
use sim_view::env::Local;
use sim_view::layout::{Budget, Fragment, Layout, Scene, ScrollBox, lay_out};
use sim_view::widget::Element;

/// The room that a window may take.
pub(super) struct WindowBounds {
    /// The part of the screen that its app has.
    pub(super) area: Rect,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
    pub(super) side: i32,
    /// The upper edge of the keyboard, or the end of the screen.
    pub(super) keyboard_top: i32,
    /// The widget that a list of entries belongs to.
    pub(super) anchor: Option<Rect>,
    /// The length that a density-independent pixel represents.
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
        let most = height - (self.top + self.bottom + self.side) as f32;
        let width = match kind {
            PageKind::Screen | PageKind::Sheet { .. } | PageKind::Full { .. } => {
                return Arc::new(lay_out(layout, elements, Some(width), Some(height)));
            }
            // A dialog is at most as wide as a phone is in the hand.
            PageKind::Dialog { .. } => {
                (width - (2 * self.side + self.right) as f32).min((400.0 * self.density).round())
            }
            PageKind::Banner => {
                let edge = (8.0 * self.density).round();
                let most =
                    (width - 2.0 * edge - self.right as f32).min((504.0 * self.density).round());
                let anchor = self.anchor.map(|anchor| anchor.width() as f32);
                anchor.map_or(most, |anchor| anchor.min(most))
            }
            // The list knows how wide it is.
            PageKind::Popup => {
                let fragment = lay_out(layout, elements.clone(), None, None);
                return Arc::new(if fragment.height > most {
                    layout.cache.budget = Budget::default();
                    lay_out(layout, elements, None, Some(most))
                } else {
                    fragment
                });
            }
        };
        let fragment = lay_out(layout, elements.clone(), Some(width), None);
        Arc::new(if fragment.height > most {
            // It is laid out again, not a second time.
            layout.cache.budget = Budget::default();
            lay_out(layout, elements, Some(width), Some(most))
        } else {
            fragment
        })
    }

    /// Puts a window's widgets onto the screen and gives the window's place.
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
                self.anchor
                    .map_or(upper, |anchor| (anchor.left, anchor.top))
            }
            PageKind::Popup => self.beside_anchor(width, height),
        };
        let area = Rect::new(left, top, left + width, top + height);
        let (dx, dy) = local.motion.window();
        scene.put(
            fragment,
            (left as f32 + dx, top as f32 + dy),
            self.area,
            local,
        );
        let pan = self.pan(scene, local);
        // The content of a screen moves inside its window; what floats moves as a whole, and takes touches where it is.
        let place = |pan: i32| match kind {
            PageKind::Screen | PageKind::Sheet { .. } | PageKind::Full { .. } => area,
            PageKind::Dialog { .. } | PageKind::Popup | PageKind::Banner => {
                let (left, top) = (left + dx.round() as i32, top + dy.round() as i32 - pan);
                Rect::new(left, top, left + width, top + height)
            }
        };
        if pan == 0 {
            return place(pan);
        }
        *scene = Scene::default();
        scene.put(
            fragment,
            (left as f32 + dx, (top - pan) as f32 + dy),
            self.area,
            local,
        );
        place(pan)
    }

    /// A list of entries covers the widget that opened it as far as there is room.
    fn beside_anchor(&self, width: i32, height: i32) -> (i32, i32) {
        let edge = (8.0 * self.density).round() as i32;
        let anchor = self.anchor.unwrap_or(self.area);
        let (least, most) = (
            self.area.left + edge,
            self.area.right - self.right - edge - width,
        );
        // At the end of its line when the widget is in the right half.
        let left = if anchor.center().x > self.area.center().x {
            anchor.right - width
        } else {
            anchor.left
        };
        let floor = self.area.bottom - self.bottom - edge;
        let ceiling = self.area.top + self.top + edge;
        (
            left.min(most).max(least),
            anchor.top.min(floor - height).max(ceiling),
        )
    }

    /// How far the window moves up so that the keyboard does not cover the field that it writes into.
    fn pan(&self, scene: &Scene, local: &Local) -> i32 {
        if self.keyboard_top >= self.area.bottom {
            return 0;
        }
        let item = local.focus.and_then(|key| scene.find(key));
        let Some((index, item)) = item.and_then(|index| Some((index, scene.items.get(index)?)))
        else {
            return 0;
        };
        // What is in a scroller is scrolled into sight instead.
        let scrolls = scene
            .ancestors(index)
            .filter_map(|each| scene.scrolls.iter().find(|scroll| scroll.item == each))
            .any(|scroll| scroll.axis == Axis::Vertical);
        if scrolls {
            0
        } else {
            (item.rect.bottom - self.keyboard_top).max(0)
        }
    }
}

/// Scrolls the focused widget into the part of its scroller that is left when the window's lower edge moves up from
/// `floor` to `limit`. Gives the scroller and where its content stood, if it is to move.
pub(super) fn reveal(
    scene: &Scene,
    local: &mut Local,
    limit: i32,
    floor: i32,
) -> Option<(Key, f32)> {
    local.reveal = false;
    let index = scene.find(local.focus?)?;
    let scroll = scene.ancestors(index).find_map(|each| {
        let same = |scroll: &&ScrollBox| scroll.item == each && scroll.axis == Axis::Vertical;
        scene.scrolls.iter().find(same)
    });
    let scroll = scroll?;
    let (item, window) = (scene.items.get(index)?, scene.items.get(scroll.item)?);
    // What is below the scrolling part, such as a bar with a button, moves up with the edge of the window.
    let bar = (floor - window.rect.bottom).max(0);
    let below = (item.rect.bottom - window.rect.bottom.min(limit - bar)).max(0);
    let above = (window.rect.top - item.rect.top).max(0);
    if below == above {
        return None;
    }
    // The end of the way is not known before the window has shrunk; the scene keeps to it.
    let offset = (scroll.offset + (below - above) as f32).max(0.0);
    local.scroll.insert(scroll.key, offset);
    Some((scroll.key, scroll.offset))
}

/// How many pixels of a header can be scrolled away.
pub(crate) fn collapse_range(header: Header, density: f32) -> f32 {
    match header {
        Header::Large => {
            sim_format::app::LARGE.open.px(density) - sim_format::app::LARGE.closed.px(density)
        }
        Header::Plain | Header::None => 0.0,
    }
}

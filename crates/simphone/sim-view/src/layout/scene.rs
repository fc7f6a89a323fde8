//! The scene of a window: its fragments scrolled, clipped and in paint order.

use std::sync::Arc;

use uitree::{Point, Rect};

use crate::widget::Element;
use draw::Flow;
use sim_format::widget::{Axis, Key, Kind, Scroller};

use super::{Area, Fragment, Rows};
use crate::env::Local;

/// The elements of a window at their positions, in document order.
#[derive(Debug, Default)]
pub struct Scene {
    pub items: Vec<Item>,
    pub scrolls: Vec<ScrollBox>,
}

/// An element at its position on the screen.
#[derive(Clone, Debug)]
pub struct Item {
    fragment: Arc<Fragment>,
    index: usize,
    pub rect: Rect,
    /// The bounds clipped by all ancestors, as Android reports them: empty or inverted if outside.
    pub bounds: Rect,
    pub parent: Option<usize>,
    /// The index after the last descendant.
    pub end: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct ScrollBox {
    pub item: usize,
    pub key: Key,
    pub axis: Axis,
    pub offset: f32,
    pub reach: f32,
}

impl Item {
    pub fn element(&self) -> &Element {
        // The index was valid when the item was created, and fragments never change.
        &self.fragment.elements[self.index]
    }

    /// Whether a part of it is visible.
    pub const fn is_visible(&self) -> bool {
        !self.bounds.is_empty()
    }
}

impl Scene {
    /// Adds a fragment at `at`, clipped to `clip`.
    pub fn put(&mut self, fragment: &Arc<Fragment>, at: (f32, f32), clip: Rect, local: &Local) {
        self.place(fragment, 0, fragment.elements.len(), at, clip, None, local);
    }

    /// Adds a fragment at the origin; `seen` returns the visible bounds of the element at an index.
    pub(crate) fn put_with_bounds(
        &mut self,
        fragment: &Arc<Fragment>,
        seen: impl Fn(usize) -> Rect,
    ) {
        let mut open: Vec<usize> = Vec::new();
        for (index, (element, area)) in fragment.elements.iter().zip(&fragment.areas).enumerate() {
            while open
                .pop_if(|last| self.items.get(*last).is_some_and(|last| last.end <= index))
                .is_some()
            {}
            self.items.push(Item {
                fragment: Arc::clone(fragment),
                index,
                rect: pixels(*area, (0.0, 0.0)),
                bounds: seen(index),
                parent: open.last().copied(),
                end: element.end,
            });
            open.push(index);
        }
    }

    /// Adds a fragment as the last child of `parent`. `parent` and its ancestors must extend to the end of the scene.
    pub fn put_above(
        &mut self,
        parent: usize,
        fragment: &Arc<Fragment>,
        at: (f32, f32),
        clip: Rect,
        local: &Local,
    ) {
        let to = fragment.elements.len();
        self.place(fragment, 0, to, at, clip, Some(parent), local);
        let end = self.items.len();
        let ancestors: Vec<usize> = self.ancestors(parent).collect();
        for item in ancestors {
            if let Some(item) = self.items.get_mut(item) {
                item.end = end;
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    fn place(
        &mut self,
        fragment: &Arc<Fragment>,
        from: usize,
        to: usize,
        at: (f32, f32),
        clip: Rect,
        parent: Option<usize>,
        local: &Local,
    ) {
        let mut index = from;
        while index < to {
            let (Some(element), Some(area)) =
                (fragment.elements.get(index), fragment.areas.get(index))
            else {
                return;
            };
            let shift = local.motion.shift(&element.spec);
            let at = shift.map_or(at, |(dx, dy)| (at.0 + dx, at.1 + dy));
            let rect = pixels(*area, at);
            let bounds = cut(rect, clip);
            let item = self.items.len();
            self.items.push(Item {
                fragment: Arc::clone(fragment),
                index,
                rect,
                bounds,
                parent,
                end: item + 1,
            });
            let rows = fragment.contents.iter().find(|(owner, _)| *owner == index);
            if let Kind::Scroller(scroller) = &element.spec.kind {
                if let Some((_, rows)) = rows {
                    self.scroll(item, element.key, rows, scroller, local);
                }
            } else {
                let (from, to) = (index + 1, element.end);
                self.place(fragment, from, to, at, bounds, Some(item), local);
            }
            let end = self.items.len();
            if let Some(item) = self.items.get_mut(item) {
                item.end = end;
            }
            index = element.end;
        }
    }

    /// Adds the rows of a scroller: all rows of a scroll view, the visible ones of a recycler view.
    fn scroll(
        &mut self,
        item: usize,
        key: Key,
        rows: &Arc<Rows>,
        scroller: &Scroller,
        local: &Local,
    ) {
        let of = |item: &Item| (item.rect, item.bounds, item.element().flow);
        let Some((rect, bounds, flow)) = self.items.get(item).map(of) else {
            return;
        };
        let (axis, recycles) = (scroller.axis, scroller.recycles);
        let view = axis.choose(rect.height(), rect.width());
        let reach = (rows.extent - view as f32).max(0.0);
        // A right-to-left row is initially scrolled to its right end.
        let from_right = flow == Flow::RightToLeft && axis == Axis::Horizontal;
        let at_end = from_right || scroller.from_end;
        let first = if at_end { reach } else { 0.0 };
        let offset = local.scroll.get(&key).copied().unwrap_or(first);
        let offset = offset.clamp(0.0, reach).round();
        self.scrolls.push(ScrollBox {
            item,
            key,
            axis,
            offset,
            reach,
        });
        let (dx, dy) = axis.choose((0.0, -offset), (-offset, 0.0));
        let spare = (view as f32 - rows.extent).max(0.0);
        let dx = if from_right { dx + spare } else { dx };
        let origin = (rect.left as f32 + dx, rect.top as f32 + dy);
        for row in &rows.rows {
            let at = (origin.0 + row.x, origin.1 + row.y);
            let whole = row.fragment.areas.first().map(|area| pixels(*area, at));
            let seen = whole.and_then(|whole| whole.intersect(&rect)).is_some();
            if seen || !recycles {
                let to = row.fragment.elements.len();
                self.place(&row.fragment, 0, to, at, bounds, Some(item), local);
            }
        }
    }

    /// Returns the item at `point` that was painted last.
    pub fn hit(&self, point: Point) -> Option<usize> {
        self.items
            .iter()
            .rposition(|item| item.bounds.contains(point))
    }

    pub fn find(&self, key: Key) -> Option<usize> {
        self.items.iter().position(|item| item.element().key == key)
    }

    /// Returns the innermost vertical scroller at or around an item.
    pub fn scroller_of(&self, item: usize) -> Option<&ScrollBox> {
        self.ancestors(item).find_map(|each| {
            let mut scrolls = self.scrolls.iter();
            scrolls.find(|scroll| scroll.item == each && scroll.axis == Axis::Vertical)
        })
    }

    /// Returns the item and its ancestors, innermost first.
    pub fn ancestors(&self, item: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(item), |item| self.items.get(*item)?.parent)
    }
}

fn pixels(area: Area, at: (f32, f32)) -> Rect {
    let left = (at.0 + area.x).round() as i32;
    let top = (at.1 + area.y).round() as i32;
    Rect::new(
        left,
        top,
        left.saturating_add(area.width.round() as i32),
        top.saturating_add(area.height.round() as i32),
    )
}

/// Clamps each edge to `clip`, as Android does with the bounds of clipped views.
fn cut(rect: Rect, clip: Rect) -> Rect {
    Rect::new(
        rect.left.max(clip.left),
        rect.top.max(clip.top),
        rect.right.min(clip.right),
        rect.bottom.min(clip.bottom),
    )
}

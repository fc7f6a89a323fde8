//! Measures the elements of a document: bounds, clipping, scroll containers, visibility.

use std::sync::Arc;

use super::captured_page::ProcessCapture;
use super::computed_style::{clips_away, draws_icons, fill, fill_opacity, filter_opacity, has_ink};
use crate::page::affine::Area;
use crate::page::raw::{Document, Snapshot, Style, Styles};

/// Lower opacity counts as invisible.
const MIN_OPACITY: f64 = 0.02;

/// The opacities of a shade, behind which the page can be seen.
const SHADE: std::ops::Range<f64> = 0.05..0.98;

/// A clipped box thinner than this, in CSS pixels, is only for screen readers.
const MIN_THICKNESS: f64 = 1.5;

/// Content larger than its box by less than this, in CSS pixels, does not scroll.
const SCROLL_TOLERANCE: f64 = 1.5;

/// The position of a node.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    /// Its border box in pixels of the document; `None` without layout.
    pub(super) area: Option<Area>,
    /// The part of `area` that is not clipped, if it is clipped.
    pub(super) cut: Option<Area>,
    pub(super) visible: bool,
    pub(super) transparent: bool,
    pub(super) inline: bool,
    pub(super) pointer: bool,
    pub(super) scrolls: bool,
    /// Its scroll container; `None` if only the document scrolls it.
    pub(super) scroller: Option<usize>,
    /// Whether it is inside a scroll container that does not move it.
    pub(super) detached_from_scroll: bool,
    pub(super) paint: u32,
    /// Whether it is fixed to the viewport, takes clicks and has a translucent fill.
    pub(super) is_backdrop: bool,
    /// Its fill color, if opaque.
    pub(super) fill: Option<[u8; 3]>,
    /// Whether it is laid out, at least by its content (`display: contents`).
    laid_out: bool,
    /// Its computed `visibility`, and whether its ancestors are not transparent.
    pub(super) shown: bool,
    opacity: f64,
    inside: ChildClips,
    /// The scroll container of its nearest ancestor in the document.
    around: Option<usize>,
}

/// The clips and scroll containers of an element's content, by the content's `position`.
#[derive(Clone, Copy, Debug)]
struct ChildClips {
    flow: Clip,
    absolute: Clip,
    fixed: Clip,
}

/// The permanent clip, and the nearest possible scroll container.
#[derive(Clone, Copy, Debug)]
struct Clip {
    clip: Area,
    scroller: Option<usize>,
}

impl ChildClips {
    /// The same for content of which nothing is shown.
    const fn none_shown(self) -> Self {
        const fn hidden(clip: Clip) -> Clip {
            Clip {
                clip: Area::NOTHING,
                ..clip
            }
        }
        Self {
            flow: hidden(self.flow),
            absolute: hidden(self.absolute),
            fixed: hidden(self.fixed),
        }
    }
}

/// Whether the text of a node is visible, and its position.
#[derive(Clone, Debug)]
pub(super) struct TextPlacement {
    pub(super) text: Arc<str>,
    pub(super) area: Area,
    pub(super) visible: bool,
    /// Whether a style generates it in a font that draws icons for words.
    pub(super) is_icon: bool,
}

/// The measured nodes of a document.
#[derive(Default)]
pub(super) struct Measurements {
    /// The position of each node; `None` if it is not an element.
    pub(super) places: Vec<Option<Placement>>,
    /// The rendered text of each node.
    pub(super) words: Vec<Option<TextPlacement>>,
    /// The layout index of each node.
    pub(super) laid: Vec<Option<usize>>,
}

/// Measures a document of a process with `scale` document pixels per CSS pixel.
pub(super) fn measure(
    part: &ProcessCapture,
    document: &Document,
    scale: f64,
    rtl: bool,
) -> Measurements {
    let count = document.nodes.node_type.len();
    let mut laid: Vec<Option<usize>> = vec![None; count];
    for (at, node) in document.layout.node_index.iter().enumerate() {
        let slot = usize::try_from(*node)
            .ok()
            .and_then(|node| laid.get_mut(node));
        if let Some(slot @ None) = slot {
            *slot = Some(at);
        }
    }
    let mut measure = Measure {
        snapshot: &part.snapshot,
        is_animated: !part.animated.is_zero(),
        document,
        scale,
        rtl,
        laid,
        measured: Measurements {
            places: vec![None; count],
            words: vec![None; count],
            laid: Vec::new(),
        },
    };
    for node in 0..count {
        measure.node(node);
    }
    measure.settle_scrollers();
    measure.settle_empty_boxes();
    measure.measured.laid = measure.laid;
    measure.measured
}

struct Measure<'a> {
    snapshot: &'a Snapshot,
    /// Whether short animations run in its process.
    is_animated: bool,
    document: &'a Document,
    scale: f64,
    rtl: bool,
    /// The layout index of each node.
    laid: Vec<Option<usize>>,
    measured: Measurements,
}

impl Measure<'_> {
    fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.document.nodes.parent_index.get(node)?;
        usize::try_from(*parent).ok()
    }

    fn place(&self, node: usize) -> Option<&Placement> {
        self.measured.places.get(node)?.as_ref()
    }

    fn node(&mut self, node: usize) {
        match self.document.nodes.node_type.get(node) {
            Some(1) => {
                let place = self.element(node);
                if let Some(slot) = self.measured.places.get_mut(node) {
                    *slot = Some(place);
                }
                if self.is_generated(node) {
                    let words = self.generated_text(node);
                    if let Some(slot) = self.measured.words.get_mut(node) {
                        *slot = words;
                    }
                }
            }
            Some(3) => {
                let words = self.text(node);
                if let Some(slot) = self.measured.words.get_mut(node) {
                    *slot = words;
                }
            }
            _ => {}
        }
    }

    /// The rectangle of the viewport, in pixels of the document.
    fn viewport(&self) -> Area {
        let root = self.laid.first().copied().flatten();
        let size = root.and_then(|at| self.document.layout.bounds.get(at));
        let [_, _, width, height] = size.copied().unwrap_or_default();
        Area::sized([
            self.document.scroll_offset_x,
            self.document.scroll_offset_y,
            width,
            height,
        ])
    }

    /// The scrollable area of a document, which does not extend before its origin.
    fn reach(&self) -> Area {
        let (left, right) = if self.rtl {
            (f64::NEG_INFINITY, self.viewport().width())
        } else {
            (0.0, f64::INFINITY)
        };
        Area {
            left,
            top: 0.0,
            right,
            bottom: f64::INFINITY,
        }
    }

    fn style(&self, styles: Option<&Styles>, style: Style) -> &str {
        styles.map_or("", |styles| self.snapshot.text(styles.get(style)))
    }

    fn element(&self, node: usize) -> Placement {
        let layout = self.laid.get(node).copied().flatten();
        let styles = layout.and_then(|at| self.document.layout.styles.get(at));
        let area = layout
            .and_then(|at| self.document.layout.bounds.get(at))
            .map(|bounds| Area::sized(*bounds));
        let parent = self.parent(node).and_then(|parent| self.place(parent));
        let outside = parent.map_or_else(
            || {
                let free = Clip {
                    clip: self.reach(),
                    scroller: None,
                };
                let fixed = Clip {
                    clip: self.viewport(),
                    scroller: None,
                };
                ChildClips {
                    flow: free,
                    absolute: free,
                    fixed,
                }
            },
            |parent| parent.inside,
        );
        let position = self.style(styles, Style::Position);
        let clips_away = clips_away(self.style(styles, Style::ClipPath));
        let outside = if clips_away {
            outside.none_shown()
        } else {
            outside
        };
        let bound = match position {
            "fixed" => outside.fixed,
            "absolute" => outside.absolute,
            _ => outside.flow,
        };
        let display = self.style(styles, Style::Display);
        let inline =
            display.starts_with("inline") || display == "contents" || display.starts_with("ruby");
        let own_opacity = match self.style(styles, Style::Opacity) {
            "" | "1" => 1.0,
            opacity => opacity.parse().unwrap_or(1.0),
        };
        let outer_opacity = parent.map_or(1.0, |parent| parent.opacity);
        let opacity =
            outer_opacity * own_opacity * filter_opacity(self.style(styles, Style::Filter));
        let around = parent.and_then(|parent| parent.around);
        let shown = self.style(styles, Style::Visibility) == "visible";
        let background = self.style(styles, Style::BackgroundColor);
        let takes_mouse = self.style(styles, Style::PointerEvents) != "none";
        let mut place = Placement {
            area,
            cut: None,
            visible: false,
            transparent: false,
            inline,
            pointer: self.style(styles, Style::Cursor) == "pointer" && takes_mouse,
            scrolls: false,
            scroller: bound.scroller,
            detached_from_scroll: around.is_some() && bound.scroller != around,
            paint: layout
                .and_then(|at| self.document.layout.paint_orders.get(at).copied())
                .unwrap_or_default(),
            is_backdrop: position == "fixed"
                && takes_mouse
                && fill_opacity(background).is_some_and(|opacity| SHADE.contains(&opacity)),
            fill: fill(background),
            laid_out: layout.is_some(),
            shown,
            opacity,
            inside: outside,
            around,
        };
        self.set_visibility(&mut place, &bound);
        // What is in something that fades in appears as a whole.
        place.transparent &= takes_mouse && !(self.is_animated && outer_opacity < MIN_OPACITY);
        let tag = self.document.nodes.node_name.get(node);
        let tag = tag.map_or("", |tag| self.snapshot.text(*tag));
        let flow = self.flow_inside(&mut place, node, tag, styles, &bound);
        let transformed = !matches!(self.style(styles, Style::Transform), "" | "none");
        let positioned = !matches!(position, "" | "static") || transformed;
        place.inside = ChildClips {
            flow,
            absolute: if positioned { flow } else { outside.absolute },
            fixed: if transformed { flow } else { outside.fixed },
        };
        // The clips of a fixed or absolute element also apply to its content.
        if position == "fixed" && !transformed {
            place.inside.absolute = flow;
        }
        place
    }

    /// Determines whether something in `area` is visible.
    fn set_visibility(&self, place: &mut Placement, bound: &Clip) {
        let Some(area) = place.area else {
            return;
        };
        let rest = area.intersect(&bound.clip);
        let clipped = rest != area;
        let thinnest = if clipped {
            MIN_THICKNESS * self.scale
        } else {
            0.0
        };
        let left = !rest.is_empty() && rest.width() > thinnest && rest.height() > thinnest;
        place.cut = clipped.then_some(if left {
            rest
        } else {
            Area {
                left: area.left,
                top: area.top,
                right: area.left,
                bottom: area.top,
            }
        });
        let faint = place.opacity < MIN_OPACITY;
        place.visible = place.shown && left && !faint;
        place.transparent = place.shown && left && faint;
    }

    /// The clip of an element's content, and whether the element may scroll.
    fn flow_inside(
        &self,
        place: &mut Placement,
        node: usize,
        tag: &str,
        styles: Option<&Styles>,
        bound: &Clip,
    ) -> Clip {
        let mut flow = *bound;
        let Some(area) = place.area else {
            return flow;
        };
        let x = self.style(styles, Style::OverflowX);
        let y = self.style(styles, Style::OverflowY);
        // The overflow of the root element applies to the viewport, and so does that of the body if the root
        // has none.
        let of_viewport = tag == "HTML" || (tag == "BODY" && !self.root_overflows());
        let clips = |overflow: &str| !matches!(overflow, "" | "visible");
        if of_viewport
            || (!clips(x) && !clips(y))
            || (place.inline && self.style(styles, Style::Display) == "inline")
        {
            return flow;
        }
        let moves = |overflow: &str| matches!(overflow, "auto" | "scroll" | "overlay");
        // A tiny box is only for screen readers: its content is invisible.
        let tiny = area.width() <= MIN_THICKNESS * self.scale
            && area.height() <= MIN_THICKNESS * self.scale;
        if tiny {
            place.visible = false;
        }
        if moves(x) || moves(y) {
            place.scrolls = true;
            place.around = Some(node);
            flow.scroller = Some(node);
            if bound.clip.is_empty() {
                // Scrolling shows nothing of it.
                return flow;
            }
            flow.clip = Area::EVERYTHING;
            if !moves(x) {
                flow.clip.left = area.left;
                flow.clip.right = area.right;
            }
            if !moves(y) {
                flow.clip.top = area.top;
                flow.clip.bottom = area.bottom;
            }
            return flow;
        }
        if clips(x) {
            flow.clip.left = flow.clip.left.max(area.left);
            flow.clip.right = flow.clip.right.min(area.right);
        }
        if clips(y) {
            flow.clip.top = flow.clip.top.max(area.top);
            flow.clip.bottom = flow.clip.bottom.min(area.bottom);
        }
        flow
    }

    /// Whether the root element has overflow, so that the body's applies to the body.
    fn root_overflows(&self) -> bool {
        let root =
            (0..self.laid.len()).find(|node| self.document.nodes.node_type.get(*node) == Some(&1));
        let styles = root
            .and_then(|root| self.laid.get(root).copied().flatten())
            .and_then(|at| self.document.layout.styles.get(at));
        !matches!(self.style(styles, Style::OverflowX), "" | "visible")
            || !matches!(self.style(styles, Style::OverflowY), "" | "visible")
    }

    fn text(&self, node: usize) -> Option<TextPlacement> {
        let at = self.laid.get(node).copied().flatten()?;
        let text = self.snapshot.shared(*self.document.layout.text.get(at)?);
        let area = Area::sized(*self.document.layout.bounds.get(at)?);
        let parent = self.parent(node).and_then(|parent| self.place(parent));
        Some(TextPlacement {
            text,
            area,
            visible: parent.is_some_and(|parent| self.is_text_visible(at, &area, parent)),
            is_icon: false,
        })
    }

    /// Whether a node is what a style generates: `::before`, `::after`, `::marker`.
    fn is_generated(&self, node: usize) -> bool {
        let name = self.document.nodes.node_name.get(node);
        name.is_some_and(|name| self.snapshot.text(*name).starts_with("::"))
    }

    /// The text that a style generates: it comes with the boxes of its node, possibly in several pieces.
    fn generated_text(&self, node: usize) -> Option<TextPlacement> {
        let layout = &self.document.layout;
        let first = self.laid.get(node).copied().flatten()?;
        let own = layout.node_index.get(first)?;
        let boxes = (first..).take_while(|at| layout.node_index.get(*at) == Some(own));
        let mut all = String::new();
        let mut area: Option<Area> = None;
        for at in boxes {
            let text = layout.text.get(at).map_or("", |at| self.snapshot.text(*at));
            if !text.is_empty() {
                all.push_str(text);
                let bounds = Area::sized(*layout.bounds.get(at)?);
                area = Some(area.map_or(bounds, |area| area.join(&bounds)));
            }
        }
        let area = area?;
        let styles = layout.styles.get(first);
        let fonts = self.style(styles, Style::FontFamily);
        let place = self.place(node)?;
        // An effect behind the text of its element.
        let is_behind = self
            .parent(node)
            .and_then(|parent| self.place(parent))
            .is_some_and(|parent| place.paint < parent.paint);
        let is_drawn = !is_behind && has_ink(self.style(styles, Style::Color));
        Some(TextPlacement {
            text: all.into(),
            area,
            visible: is_drawn && self.is_text_visible(first, &area, place),
            is_icon: draws_icons(fonts),
        })
    }

    /// Whether text in `area`, with the styles at `at` of the layout and in the element `holder`, is visible.
    fn is_text_visible(&self, at: usize, area: &Area, holder: &Placement) -> bool {
        let styles = self.document.layout.styles.get(at);
        // Text at the root of a shadow tree, and in elements without a box, has its own styles.
        let shown = self.style(styles, Style::Visibility) == "visible";
        let rest = area.intersect(&holder.inside.flow.clip);
        let clipped = rest != *area;
        let thinnest = if clipped {
            MIN_THICKNESS * self.scale
        } else {
            0.0
        };
        shown
            && holder.opacity >= MIN_OPACITY
            && !rest.is_empty()
            && rest.width() > thinnest
            && rest.height() > thinnest
    }

    /// Drops scroll containers whose content fits.
    fn settle_scrollers(&mut self) {
        let count = self.measured.places.len();
        let mut content: Vec<Option<Area>> = vec![None; count];
        let mut add = |scroller: Option<usize>, area: Area| {
            if let Some(slot) = scroller.and_then(|scroller| content.get_mut(scroller))
                && !area.is_empty()
            {
                *slot = Some(slot.map_or(area, |resolved| resolved.join(&area)));
            }
        };
        for node in 0..count {
            if let Some(place) = self.place(node)
                && let Some(area) = place.area
                && !place.cut.is_some_and(|cut| cut.is_empty())
            {
                add(place.scroller, area);
            }
            if let Some(Some(words)) = self.measured.words.get(node)
                && let Some(parent) = self.parent(node).and_then(|parent| self.place(parent))
            {
                add(parent.inside.flow.scroller, words.area);
            }
        }
        let slack = SCROLL_TOLERANCE * self.scale;
        for (place, content) in self.measured.places.iter_mut().zip(&content) {
            let Some(place) = place.as_mut().filter(|place| place.scrolls) else {
                continue;
            };
            place.scrolls = match (place.area, content) {
                (Some(area), Some(content)) => {
                    !area.is_empty()
                        && (content.right > area.right + slack
                            || content.bottom > area.bottom + slack
                            || content.left < area.left - slack
                            || content.top < area.top - slack)
                }
                _ => false,
            };
        }
        // Ancestors come first, so their scroll containers are resolved already.
        for node in 0..count {
            let settled = |at: Option<usize>| {
                let at = at?;
                let place = self.place(at)?;
                if place.scrolls {
                    Some(at)
                } else {
                    place.scroller
                }
            };
            let around = |at: Option<usize>| {
                let at = at?;
                let place = self.place(at)?;
                if place.scrolls {
                    Some(at)
                } else {
                    place.around.filter(|around| *around != at)
                }
            };
            let Some(place) = self.place(node) else {
                continue;
            };
            let scroller = settled(place.scroller);
            let held_by = match place.around {
                Some(own) if own == node => {
                    let parent = self.parent(node).and_then(|parent| self.place(parent));
                    parent.and_then(|parent| parent.around)
                }
                other => around(other),
            };
            let keeps = place.scrolls;
            if let Some(Some(place)) = self.measured.places.get_mut(node) {
                place.scroller = scroller;
                place.detached_from_scroll = held_by.is_some() && held_by != scroller;
                place.around = if keeps { Some(node) } else { held_by };
            }
        }
        if let Some(root) = self.measured.places.iter().position(Option::is_some) {
            let viewport = self.viewport();
            let hidden = self.viewport_is_locked(root);
            let more = self.document.content_width > viewport.width() + slack
                || self.document.content_height > viewport.height() + slack;
            if let Some(Some(place)) = self.measured.places.get_mut(root) {
                place.scrolls = more && !hidden;
            }
        }
    }

    /// Whether the page prevents the user from scrolling it.
    fn viewport_is_locked(&self, root: usize) -> bool {
        let styles = |node: usize| {
            let at = self.laid.get(node).copied().flatten()?;
            self.document.layout.styles.get(at)
        };
        let name = |node: &usize| {
            let name = self.document.nodes.node_name.get(*node);
            name.is_some_and(|name| self.snapshot.text(*name) == "BODY")
        };
        let body = (root..self.laid.len()).find(name);
        let locks = |node: usize| {
            matches!(
                self.style(styles(node), Style::OverflowY),
                "hidden" | "clip"
            )
        };
        locks(root) || (!self.root_overflows() && body.is_some_and(locks))
    }

    /// Gives elements with an empty box the bounds of their content: text in a box without height, floats in a
    /// link.
    fn settle_empty_boxes(&mut self) {
        let count = self.measured.places.len();
        let mut content: Vec<Option<Area>> = vec![None; count];
        for node in (0..count).rev() {
            let parent = self.parent(node);
            if let Some(Some(words)) = self.measured.words.get(node) {
                if words.visible {
                    join_into(&mut content, parent, words.area);
                }
                continue;
            }
            let held = content.get(node).copied().flatten();
            let Some(Some(place)) = self.measured.places.get_mut(node) else {
                continue;
            };
            let empty = place.area.is_none_or(|area| area.is_empty());
            let flows = place.inline || !place.laid_out;
            if let Some(held) =
                held.filter(|_| empty && !place.visible && (place.shown || !place.laid_out))
                && flows
            {
                place.area = Some(held);
                place.cut = None;
                place.visible = true;
            }
            if place.visible
                && !place.detached_from_scroll
                && let Some(area) = place.cut.or(place.area)
            {
                join_into(&mut content, parent, area);
            }
        }
    }
}

fn join_into(content: &mut [Option<Area>], at: Option<usize>, area: Area) {
    if let Some(slot) = at.and_then(|at| content.get_mut(at)) {
        *slot = Some(slot.map_or(area, |resolved| resolved.join(&area)));
    }
}

//! Lays out the elements of a fragment with taffy.

use std::cell::RefCell;
use std::sync::Arc;

use taffy::prelude::{AvailableSpace, NodeId, Size, TaffyTree};

use crate::widget::Element;
use draw::Flow;
use sim_format::style::Sides;
use sim_format::widget::{Axis, Kind, Spec};

use super::rows::rows;
use super::style::style;
use super::{Area, Fragment, Layout, Rows};

thread_local! {
    /// Empty layout trees, kept to reuse their memory. They are not `Send`, but a phone is.
    static SPARE: RefCell<Vec<TaffyTree<usize>>> = const { RefCell::new(Vec::new()) };
}

/// Lays out `elements`, the first of which contains the others. Without a width or height the content determines it.
pub fn lay_out(
    layout: &mut Layout<'_>,
    elements: Vec<Element>,
    width: Option<f32>,
    height: Option<f32>,
) -> Fragment {
    layout.cache.budget.make(elements.len());
    let spare = SPARE.with_borrow_mut(Vec::pop);
    let mut tree = spare.unwrap_or_else(TaffyTree::new);
    let nodes = build_tree(&mut tree, &elements, layout.ruler.theme().density);
    let mut areas = vec![Area::default(); elements.len()];
    if let Some(root) = nodes.first() {
        let room = Size {
            width: width.map_or(AvailableSpace::MaxContent, AvailableSpace::Definite),
            height: height.map_or(AvailableSpace::MaxContent, AvailableSpace::Definite),
        };
        fill(&mut tree, *root, width, height);
        let result = tree.compute_layout_with_measure(*root, room, |inputs, _, context, style| {
            taffy::compute_leaf_layout(
                inputs,
                style,
                |_, _| 0.0,
                |known, available| {
                    let index = context.map_or(usize::MAX, |index| *index);
                    elements.get(index).map_or(Size::ZERO, |element| {
                        measure(layout, element, known, available)
                    })
                },
            )
        });
        debug_assert!(result.is_ok(), "the tree has just been built");
        collect(&tree, &elements, &nodes, &mut areas);
        mirror(&elements, &mut areas);
    }
    tree.clear();
    SPARE.with_borrow_mut(|spare| spare.push(tree));
    let contents = contents(layout, &elements, &areas);
    let whole = areas.first().copied().unwrap_or_default();
    Fragment {
        elements,
        areas,
        contents,
        width: whole.width,
        height: whole.height,
    }
}

/// Returns the content of each scroller among the elements.
fn contents(
    layout: &mut Layout<'_>,
    elements: &[Element],
    areas: &[Area],
) -> Vec<(usize, Arc<Rows>)> {
    let mut contents = Vec::new();
    for (index, (element, area)) in elements.iter().zip(areas).enumerate() {
        if let Kind::Scroller(scroller) = &element.spec.kind {
            let across = scroller.axis.choose(area.width, area.height);
            contents.push((index, rows(layout, element, scroller, across)));
        }
    }
    contents
}

/// Builds the layout tree, children before parents.
fn build_tree(tree: &mut TaffyTree<usize>, elements: &[Element], density: f32) -> Vec<NodeId> {
    let mut parents: Vec<Option<usize>> = vec![None; elements.len()];
    for (index, element) in elements.iter().enumerate() {
        let mut child = index + 1;
        while child < element.end {
            if let Some(parent) = parents.get_mut(child) {
                *parent = Some(index);
            }
            child = elements.get(child).map_or(element.end, |inner| inner.end);
        }
    }
    let mut nodes: Vec<Option<NodeId>> = vec![None; elements.len()];
    let mut children = Vec::new();
    for (index, element) in elements.iter().enumerate().rev() {
        children.clear();
        let mut child = index + 1;
        while child < element.end {
            children.extend(nodes.get(child).copied().flatten());
            child = elements.get(child).map_or(element.end, |inner| inner.end);
        }
        let parent = parents.get(index).copied().flatten();
        let parent = parent.and_then(|parent| elements.get(parent));
        let parent: Option<&Spec> = parent.map(|parent| &*parent.spec);
        let style = style(element, parent, density);
        let node = match &element.spec.kind {
            Kind::Group(_) => tree.new_with_children(style, &children),
            _ => tree.new_leaf_with_context(style, index),
        };
        if let Some(slot) = nodes.get_mut(index) {
            *slot = node.ok();
        }
    }
    nodes.into_iter().flatten().collect()
}

/// Sizes the outermost element to the available space, where it is known.
fn fill(tree: &mut TaffyTree<usize>, root: NodeId, width: Option<f32>, height: Option<f32>) {
    let Ok(mut style) = tree.style(root).cloned() else {
        return;
    };
    let around = |a: taffy::LengthPercentageAuto, b: taffy::LengthPercentageAuto| {
        let sides = [a, b].map(|side| side.into_raw().value());
        sides
            .into_iter()
            .filter(|value| value.is_finite())
            .sum::<f32>()
    };
    if let Some(width) = width
        && style.size.width.is_auto()
    {
        let margin = around(style.margin.left, style.margin.right);
        style.size.width = taffy::Dimension::length((width - margin).max(0.0));
    }
    if let Some(height) = height
        && style.size.height.is_auto()
    {
        let margin = around(style.margin.top, style.margin.bottom);
        style.size.height = taffy::Dimension::length((height - margin).max(0.0));
    }
    let result = tree.set_style(root, style);
    debug_assert!(result.is_ok(), "the root has just been built");
}

/// Reads the computed positions, relative to the margin box of the outermost element.
fn collect(tree: &TaffyTree<usize>, elements: &[Element], nodes: &[NodeId], areas: &mut [Area]) {
    let mut open: Vec<(usize, f32, f32)> = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        while open.pop_if(|(end, ..)| *end <= index).is_some() {}
        let (x, y) = open.last().map_or((0.0, 0.0), |(_, x, y)| (*x, *y));
        let Some(found) = nodes.get(index).and_then(|node| tree.layout(*node).ok()) else {
            continue;
        };
        let mut area = Area {
            x: x + found.location.x,
            y: y + found.location.y,
            width: found.size.width,
            height: found.size.height,
        };
        if let Some([_, _, width, height]) = element.spot {
            // An element without a size is centred at its position.
            let half = |given: Option<f32>, length: f32| match given {
                Some(_) => 0.0,
                None => (length / 2.0).round(),
            };
            area.x -= half(width, area.width);
            area.y -= half(height, area.height);
        }
        if let Some(slot) = areas.get_mut(index) {
            *slot = area;
        }
        open.push((element.end, area.x, area.y));
    }
}

/// Mirrors the content of right-to-left elements, because taffy lays out from left to right.
fn mirror(elements: &[Element], areas: &mut [Area]) {
    let mut flows = elements.iter().map(|element| element.flow);
    if flows.all(|flow| flow == Flow::LeftToRight) {
        return;
    }
    let before = areas.to_vec();
    let mut open: Vec<usize> = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let ended = |last: &mut usize| elements.get(*last).is_none_or(|last| last.end <= index);
        while open.pop_if(ended).is_some() {}
        if let Some(parent) = open.last()
            && let (Some(holder), Some(old), Some(new), Some(own)) = (
                elements.get(*parent),
                before.get(*parent).copied(),
                areas.get(*parent).copied(),
                before.get(index).copied(),
            )
            && let Some(area) = areas.get_mut(index)
        {
            let from_start = own.x - old.x;
            area.x = match holder.flow {
                Flow::LeftToRight => new.x + from_start,
                Flow::RightToLeft => new.x + new.width - from_start - own.width,
            };
        }
        if element.end > index + 1 {
            open.push(index);
        }
    }
}

fn measure(
    layout: &mut Layout<'_>,
    element: &Element,
    known: Size<Option<f32>>,
    available: Size<AvailableSpace>,
) -> Size<f32> {
    if let Size {
        width: Some(width),
        height: Some(height),
    } = known
    {
        return Size { width, height };
    }
    // The available width excludes padding; a known width includes it.
    let width = match available.width {
        AvailableSpace::Definite(width) => Some(width),
        AvailableSpace::MinContent | AvailableSpace::MaxContent => known.width,
    };
    let before = layout.cache.budget;
    let (w, h) = match &element.spec.kind {
        Kind::Scroller(scroller) => {
            // The content length depends on the cross size, so rows are laid out only when that is definite.
            let across = scroller
                .axis
                .choose(width, known.height)
                .filter(|across| *across > 0.0);
            match (across, scroller.axis) {
                (Some(across), Axis::Vertical | Axis::Depth) => {
                    (across, rows(layout, element, scroller, across).extent)
                }
                (Some(across), Axis::Horizontal) => {
                    (rows(layout, element, scroller, across).extent, across)
                }
                (None, Axis::Vertical | Axis::Depth) => (0.0, 0.0),
                // A horizontal scroller is as high as its content.
                (None, Axis::Horizontal) => {
                    let rows = rows(layout, element, scroller, 0.0);
                    (
                        width.map_or(rows.extent, |width| width.min(rows.extent)),
                        rows.across,
                    )
                }
            }
        }
        _ => element.measure(layout.ruler, width),
    };
    layout.cache.budget.measured(before);
    Size {
        width: known.width.unwrap_or(w),
        height: known.height.unwrap_or(h),
    }
}

/// Converts the padding of a scroller to pixels.
pub(super) fn room(padding: Option<Sides>, density: f32) -> [f32; 4] {
    let sides = padding.unwrap_or_default();
    [
        sides.top.px(density),
        sides.right.px(density),
        sides.bottom.px(density),
        sides.left.px(density),
    ]
}

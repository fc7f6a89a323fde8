//! Keeps places while no size changes: other words that take the same room move nothing.
//!
//! Places follow from the styles of the widgets and from the sizes that the layout engine asked for. Those are kept: when
//! the same widgets measure the same, the engine is not asked again. A counter, a clock, a switch and a list that changes
//! below them cost no layout.

use std::sync::Arc;

use taffy::prelude::{AvailableSpace, Size};

use crate::widget::{Content, Element};
use sim_format::widget::Kind;

use super::place::{contents, lay_out, measure};
use super::{Fragment, Layout};

/// A measurement of the layout engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// The place of the widget in its fragment.
    pub index: usize,
    pub known: Size<Option<f32>>,
    pub available: Size<AvailableSpace>,
    pub size: Size<f32>,
}

/// Lays out a window that is as large as this, from what it was before if nothing in it has moved.
pub fn lay_out_window(
    layout: &mut Layout<'_>,
    elements: Vec<Element>,
    (width, height): (f32, f32),
) -> Arc<Fragment> {
    let room = (Some(width), Some(height));
    let before = layout.cache.window.take();
    let fragment = lay_out_cached(layout, before.as_deref(), elements, room);
    let fragment = Arc::new(
        fragment.unwrap_or_else(|elements| lay_out(layout, elements, Some(width), Some(height))),
    );
    layout.cache.window = Some(Arc::clone(&fragment));
    fragment
}

/// The widgets at the places that they had `before`; the widgets alone if they have moved.
pub(super) fn lay_out_cached(
    layout: &mut Layout<'_>,
    before: Option<&Fragment>,
    elements: Vec<Element>,
    room: (Option<f32>, Option<f32>),
) -> Result<Fragment, Vec<Element>> {
    let before = before.filter(|before| {
        before.room == room
            && before.elements.len() == elements.len()
            && before.elements.iter().zip(&elements).all(alike)
    });
    let Some(before) = before else {
        return Err(elements);
    };
    let budget = layout.cache.budget;
    layout.cache.budget.make(elements.len());
    for asked in &before.asked {
        let (Some(old), Some(new)) = (before.elements.get(asked.index), elements.get(asked.index))
        else {
            return Err(elements);
        };
        // What is in a scroller is not to be seen in it.
        let settled = old.content == new.content && !matches!(new.spec.kind, Kind::Scroller(_));
        if !settled && measure(layout, new, asked.known, asked.available) != asked.size {
            layout.cache.budget.measured(budget);
            return Err(elements);
        }
    }
    let contents = contents(layout, &elements, &before.areas);
    Ok(Fragment {
        elements,
        areas: before.areas.clone(),
        contents,
        width: before.width,
        height: before.height,
        room,
        asked: before.asked.clone(),
    })
}

/// Whether two widgets have the same style and the same place among the others.
fn alike((old, new): (&Element, &Element)) -> bool {
    let same_look = match (&old.content, &new.content) {
        (
            Content::Group { height, insets, .. },
            Content::Group {
                height: new_height,
                insets: new_insets,
                ..
            },
        ) => height == new_height && insets == new_insets,
        _ => true,
    };
    Arc::ptr_eq(&old.spec, &new.spec)
        && same_look
        && old.end == new.end
        && old.flow == new.flow
        && old.spot == new.spot
}

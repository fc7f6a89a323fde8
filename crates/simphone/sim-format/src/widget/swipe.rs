//! The ground below a row that can be swiped, visible during the swipe.

use std::sync::Arc;

use crate::choices::SwipeTo;
use crate::expr::Template;
use crate::reader::{Fields, Reader};
use crate::style::{Alignment, Dim, Frame, Ink, Sides};

use super::{Axis, Part, PartAction, Spec, make};

/// The look of the ground.
pub(crate) struct Ground {
    icon: Option<Template>,
    color: Option<Ink>,
}

impl Ground {
    /// Takes `swipe_icon` and `swipe_color` out of a widget's keys.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> Self {
        let ground = Self {
            icon: fields.template(reader, "swipe_icon"),
            color: fields
                .take("swipe_color")
                .and_then(|at| Ink::read(reader, &at)),
        };
        let swipes = ["on_swipe", "on_swipe_left", "on_swipe_right"];
        if (ground.icon.is_some() || ground.color.is_some())
            && !swipes.iter().any(|key| fields.has(key))
        {
            let path = fields.path.clone();
            reader.problem_here(
                &path,
                "`swipe_icon` and `swipe_color` belong to `on_swipe`, `on_swipe_left` or `on_swipe_right`",
            );
        }
        ground
    }
}

/// A row above its ground, if it can be pushed aside.
pub(crate) fn on_ground(reader: &mut Reader, mut row: Spec, ground: Ground) -> Spec {
    let Some(swipe) = row.moves.as_ref().and_then(|moves| moves.swipe.as_ref()) else {
        return row;
    };
    let mut below = make::frame(reader, Axis::Horizontal);
    below.part = Some(Part::new(PartAction::Aside, row.slot));
    below.frame = Frame {
        height: Dim::Percent(100.0),
        width: Dim::Percent(100.0),
        background: Some(ground.color.unwrap_or(Ink::PrimaryContainer)),
        padding: Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(24.0))),
        align: Some(Alignment::Center),
        // A row goes to the right in every language.
        direction: Some(draw::Flow::LeftToRight),
        ..Frame::default()
    };
    let sides = [SwipeTo::Right, SwipeTo::Left].map(|to| swipe.goes(to));
    if let Some(icon) = ground.icon {
        for (index, goes) in sides.into_iter().enumerate() {
            if index == 1 {
                below.children.push(Arc::new(make::filler(reader)));
            }
            if goes {
                let icon = make::icon(reader, icon.clone(), 24.0, (Ink::Text, Ink::Text));
                below.children.push(Arc::new(make::seen(icon)));
            }
        }
    }
    let inner = Frame {
        padding: row.frame.padding,
        gap: row.frame.gap,
        align: row.frame.align,
        justify: row.frame.justify,
        radius: row.frame.radius,
        corners: row.frame.corners,
        direction: row.frame.direction,
        // The ground must not shine through.
        background: Some(row.frame.background.unwrap_or(Ink::Background)),
        height: row.frame.height,
        min_height: row.frame.min_height,
        ..Frame::default()
    };
    let mut around = make::frame(reader, Axis::Depth);
    around.frame = std::mem::replace(&mut row.frame, inner);
    around.frame.padding = None;
    around.frame.gap = Dim::Auto;
    around.frame.background = None;
    around.frame.radius = None;
    around.frame.align = Some(Alignment::Stretch);
    around.frame.justify = None;
    around.visible = row.visible.take();
    around.anchor = row.anchor.take();
    (around.from, around.until) = (row.from.take(), row.until.take());
    around.children = vec![Arc::new(below), Arc::new(row)];
    around
}

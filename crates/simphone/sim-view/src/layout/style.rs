//! Converts the frames of widgets to taffy styles.

use taffy::prelude::{
    AlignItems, Dimension, Display, FlexDirection, JustifyContent, LengthPercentage,
    LengthPercentageAuto, TaffyAuto, TaffyZero, fr, length, line, minmax,
};
use taffy::style::{FlexWrap, Position, Style};
use taffy::{Rect, Size};

use crate::widget::{Content, Element};
use draw::Flow;
use sim_format::style::{Alignment, Dim, Sides};
use sim_format::widget::{Axis, Kind, Spec};

fn dimension(dim: Dim, density: f32) -> Dimension {
    match dim {
        Dim::Auto => Dimension::AUTO,
        Dim::Percent(percent) => Dimension::percent(percent / 100.0),
        Dim::Dp(_) | Dim::Px(_) => Dimension::length(dim.px(density)),
    }
}

fn limit(dim: Dim, density: f32) -> LengthPercentageAuto {
    match dim {
        Dim::Auto => LengthPercentageAuto::AUTO,
        Dim::Percent(percent) => LengthPercentageAuto::percent(percent / 100.0),
        Dim::Dp(_) | Dim::Px(_) => LengthPercentageAuto::length(dim.px(density)),
    }
}

fn each<T>(sides: Sides, of: impl Fn(Dim) -> T) -> Rect<T> {
    Rect {
        left: of(sides.left),
        right: of(sides.right),
        top: of(sides.top),
        bottom: of(sides.bottom),
    }
}

fn padding(sides: Sides, density: f32) -> Rect<LengthPercentage> {
    each(sides, |dim| {
        LengthPercentage::length(dim.px(density).max(0.0))
    })
}

const fn align(alignment: Alignment) -> AlignItems {
    match alignment {
        Alignment::Start => AlignItems::START,
        Alignment::Center => AlignItems::CENTER,
        Alignment::End => AlignItems::END,
        Alignment::Stretch | Alignment::Between => AlignItems::STRETCH,
    }
}

/// Returns the taffy style of an element inside `parent`.
pub(super) fn style(element: &Element, parent: Option<&Spec>, density: f32) -> Style {
    let spec = &*element.spec;
    let frame = &spec.frame;
    let mut style = Style {
        size: Size {
            width: dimension(frame.width, density),
            height: dimension(frame.height, density),
        },
        min_size: Size {
            // With an automatic minimum, a child could not become narrower than its longest word.
            width: LengthPercentageAuto::ZERO,
            height: match frame.min_height {
                Dim::Auto => LengthPercentageAuto::ZERO,
                height => limit(height, density),
            },
        },
        max_size: Size {
            width: LengthPercentageAuto::AUTO,
            height: limit(frame.max_height, density),
        },
        ..Style::default()
    };
    if let Some(sides) = frame.margin {
        style.margin = each(sides, |dim| LengthPercentageAuto::length(dim.px(density)));
    }
    match &spec.kind {
        Kind::Group(group) => {
            let inner = frame
                .padding
                .or_else(|| group.card.then(|| Sides::all(Dim::Dp(16.0))));
            style.padding = padding(inner.unwrap_or_default(), density);
            let gap = LengthPercentage::length(frame.gap.px(density));
            style.gap = Size {
                width: gap,
                height: gap,
            };
            if holds_one(spec) {
                // For a single child this is equivalent to a grid cell, and cheaper.
                container(&mut style, Axis::Vertical, None, None);
            } else {
                container(&mut style, group.axis, frame.align, frame.justify);
            }
            if group.canvas || spec.children.iter().any(|child| child.anchor.is_some()) {
                // Floating children are positioned relative to this element.
                style.position = Position::Relative;
            }
            if group.wraps {
                style.flex_wrap = FlexWrap::Wrap;
            }
            if let Content::Group { height, insets, .. } = &element.content {
                if let Some(height) = height {
                    style.size.height = Dimension::length(*height);
                }
                if let Some(insets) = insets {
                    style.padding.top = LengthPercentage::length(insets.top);
                    style.padding.bottom = LengthPercentage::length(insets.bottom);
                    // The bar stays at the right; right-to-left content is mirrored later.
                    let beside = LengthPercentage::length(insets.right);
                    match element.flow {
                        Flow::LeftToRight => style.padding.right = beside,
                        Flow::RightToLeft => style.padding.left = beside,
                    }
                }
            }
            if group.line {
                style.size.height = Dimension::length(density.round());
            } else if group.space != Dim::Auto {
                style.size = Size {
                    width: dimension(group.space, density),
                    height: dimension(group.space, density),
                };
            }
        }
        // The padding of a scroller is part of its content.
        Kind::Scroller(_) => {}
        _ => style.padding = padding(frame.padding.unwrap_or_default(), density),
    }
    in_parent(&mut style, spec, parent);
    if spec.anchor.is_some() {
        float(&mut style, element, density);
    }
    style
}

fn float(style: &mut Style, element: &Element, density: f32) {
    style.position = Position::Absolute;
    let Some([left, top, width, height]) = element.spot else {
        let edge = LengthPercentageAuto::length((16.0 * density).round());
        style.inset.right = edge;
        style.inset.bottom = edge;
        return;
    };
    let percent = |share: f32| share / 100.0;
    style.inset.left = LengthPercentageAuto::percent(percent(left.unwrap_or(0.0)));
    style.inset.top = LengthPercentageAuto::percent(percent(top.unwrap_or(0.0)));
    if let Some(width) = width {
        style.size.width = Dimension::percent(percent(width.max(0.0)));
    }
    if let Some(height) = height {
        style.size.height = Dimension::percent(percent(height.max(0.0)));
    }
}

fn container(style: &mut Style, axis: Axis, across: Option<Alignment>, along: Option<Alignment>) {
    let justify = match along {
        None | Some(Alignment::Start | Alignment::Stretch) => JustifyContent::START,
        Some(Alignment::Center) => JustifyContent::CENTER,
        Some(Alignment::End) => JustifyContent::END,
        Some(Alignment::Between) => JustifyContent::SPACE_BETWEEN,
    };
    match axis {
        Axis::Vertical | Axis::Horizontal => {
            style.display = Display::Flex;
            style.flex_direction = axis.choose(FlexDirection::Column, FlexDirection::Row);
            let usual = axis.choose(Alignment::Stretch, Alignment::Center);
            style.align_items = align(across.unwrap_or(usual));
            style.justify_content = justify;
        }
        Axis::Depth => {
            // One grid cell that all children share. Its minimum size is zero, so that their minimum sizes are not computed.
            style.display = Display::Grid;
            style.grid_template_columns = vec![minmax(length(0.0), fr(1.0))];
            style.grid_template_rows = vec![minmax(length(0.0), fr(1.0))];
            style.justify_items = align(across.unwrap_or(Alignment::Stretch));
            style.align_items = align(along.unwrap_or(Alignment::Stretch));
        }
    }
}

/// Whether a group has a single child that fills it.
fn holds_one(spec: &Spec) -> bool {
    let box_like = matches!(&spec.kind, Kind::Group(group) if group.axis == Axis::Depth);
    box_like
        && spec.children.len() == 1
        && spec.frame.align.is_none()
        && spec.frame.justify.is_none()
}

fn in_parent(style: &mut Style, spec: &Spec, parent: Option<&Spec>) {
    let Some((axis, parent)) = parent.and_then(|parent| match &parent.kind {
        Kind::Group(group) => Some((group.axis, parent)),
        _ => None,
    }) else {
        return;
    };
    if holds_one(parent) {
        style.flex_grow = 1.0;
        style.flex_shrink = 1.0;
        return;
    }
    let scroller = matches!(spec.kind, Kind::Scroller(_));
    let grow = spec.frame.grow.unwrap_or(if scroller { 1.0 } else { 0.0 });
    style.flex_grow = grow;
    // Only text and scrollers shrink when there is too little space.
    let yields = match axis {
        Axis::Vertical => scroller || grow > 0.0,
        Axis::Horizontal => matches!(
            spec.kind,
            Kind::Text(_) | Kind::Group(_) | Kind::Field(_) | Kind::Scroller(_) | Kind::Toggle(_)
        ),
        Axis::Depth => false,
    };
    style.flex_shrink = if yields { 1.0 } else { 0.0 };
    if let Kind::Group(group) = &spec.kind
        && (group.skin.is_compact() || !group.node && spec.children.is_empty())
    {
        style.flex_shrink = 0.0;
    }
    if axis == Axis::Horizontal && grow > 0.0 {
        style.flex_basis = Dimension::ZERO;
    }
    let compact = match &spec.kind {
        Kind::Button(_) | Kind::Icon(_) => true,
        Kind::Group(group) => group.skin.is_compact(),
        Kind::Range(range) => range.round,
        _ => false,
    };
    match axis {
        Axis::Vertical if compact && parent.frame.align.is_none() => {
            style.align_self = Some(AlignItems::START);
        }
        Axis::Depth => {
            style.grid_row = line(1);
            style.grid_column = line(1);
        }
        Axis::Vertical | Axis::Horizontal => {}
    }
}

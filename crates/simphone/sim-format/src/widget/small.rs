//! `badge`, `divider`, `avatar`, `stepper`, `fab`, `banner` and `empty_state`: small things put together from others.

use std::sync::Arc;

use crate::effects::{Computed, Effect, Effects};
use crate::expr::{Expr, Op, Template, Value};
use crate::reader::Reader;
use crate::style::{Alignment, Dim, Ink, Sides};
use draw::{Align, TextRole};

use super::read::Body;
use super::text::Lettering;
use super::{Anchor, Axis, Group, Icon, IconLook, Kind, Skin, Spec, make};

pub(crate) fn badge(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let text = body.main_or("text");
    let text = text.and_then(|at| reader.template(&at)).unwrap_or_default();
    badge_of(reader, slot, text)
}

/// A round ground with a number, or a mere dot when there is none.
pub(crate) fn badge_of(reader: &mut Reader, slot: u32, text: Template) -> Spec {
    let mut spec = Spec::new(
        slot,
        Kind::Group(Group {
            class: "android.widget.TextView",
            skin: Skin::Badge,
            ..Group::new(Axis::Horizontal)
        }),
    );
    if text == Template::default() {
        spec.frame.width = Dim::Dp(8.0);
        spec.frame.height = Dim::Dp(8.0);
        return spec;
    }
    spec.says = text.clone();
    spec.frame.height = Dim::Dp(16.0);
    spec.frame.padding = make::padding(0.0, 5.0);
    spec.frame.justify = Some(Alignment::Center);
    let style = Lettering {
        align: Align::Center,
        lines: Some(1),
        ..Lettering::new(TextRole::LabelSmall, Ink::OnPrimary)
    };
    let words = make::lettered(reader, text, style);
    spec.children.push(Arc::new(make::seen(words)));
    spec
}

pub(crate) fn divider(slot: u32) -> Spec {
    Spec::new(
        slot,
        Kind::Group(Group {
            class: "android.view.View",
            line: true,
            ..Group::new(Axis::Depth)
        }),
    )
}

pub(crate) fn avatar(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let name = body.main_or("name");
    let name = name.and_then(|at| reader.template(&at)).unwrap_or_default();
    let size = body.fields.dim(reader, "size");
    let mut icon = Icon::new(name.clone(), IconLook::Avatar, 40.0);
    if size != Dim::Auto {
        icon.size = size;
    }
    let mut spec = Spec::new(slot, Kind::Icon(icon));
    spec.label = name;
    spec
}

pub(crate) fn stepper(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let main = body.main_or("bind");
    let path = body.fields.path.clone();
    let name = main.as_ref().and_then(|at| reader.bound(at));
    if main.is_none() {
        reader.problem_here(&path, "`bind` is missing: the number that it changes");
    }
    let name = name.unwrap_or_else(|| Arc::from(""));
    let min = body.fields.number(reader, "min").unwrap_or(0.0);
    let max = body.fields.number(reader, "max").unwrap_or(99.0);
    let step = body.fields.number(reader, "step").unwrap_or(1.0);
    if min >= max || step <= 0.0 {
        reader.problem_here(
            &path,
            "`min` must lie below `max`, and `step` must be more than 0",
        );
    }
    let value = |number: f32| Expr::Value(Value::Number(f64::from(number)));
    let variable = || Expr::Name(Arc::clone(&name));
    let pair = |op, a, b| Expr::Pair(op, Box::new((a, b)));
    let set = |op| {
        let value = pair(op, variable(), value(step));
        Effects::from(vec![Effect::Set(vec![(
            Arc::clone(&name),
            Computed::Expr(value),
        )])])
    };
    let mut less = make::icon_button(reader, "remove", Template::fixed("Decrease"));
    less.on_click = set(Op::Minus);
    less.enabled = Some(pair(
        Op::GreaterOrEqual,
        pair(Op::Minus, variable(), value(step)),
        value(min),
    ));
    let mut more = make::icon_button(reader, "add", Template::fixed("Increase"));
    more.on_click = set(Op::Plus);
    more.enabled = Some(pair(
        Op::LessOrEqual,
        pair(Op::Plus, variable(), value(step)),
        value(max),
    ));
    let both = (Ink::Text, Ink::Text);
    let mut number = make::label(
        reader,
        Template::of(variable()),
        TextRole::TitleMedium,
        both,
    );
    number.frame.width = Dim::Dp(40.0);
    let mut spec = make::group_at(slot, Axis::Horizontal, "android.widget.LinearLayout");
    spec.children = vec![Arc::new(less), Arc::new(number), Arc::new(more)];
    spec
}

pub(crate) fn fab(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let icon = body.main_or("icon");
    let icon = icon.and_then(|at| reader.template(&at));
    let text = body.fields.template(reader, "text");
    let class = match &text {
        Some(_) => "android.widget.Button",
        None => "android.widget.ImageButton",
    };
    let mut spec = make::skinned(slot, Axis::Horizontal, class, Skin::Fab);
    spec.anchor = Some(Anchor::Corner);
    spec.frame.height = Dim::Dp(56.0);
    spec.frame.padding = make::padding(0.0, 16.0);
    spec.frame.gap = Dim::Dp(12.0);
    let both = (Ink::Text, Ink::Text);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 24.0, both);
        spec.children.push(Arc::new(make::seen(icon)));
    }
    if let Some(text) = text {
        spec.says = text.clone();
        let words = make::label(reader, text, TextRole::LabelLarge, both);
        spec.children.push(Arc::new(make::seen(words)));
    }
    spec
}

/// A message with what can be done about it, across the screen.
pub(crate) fn banner(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let text = body.main_or("text");
    let text = text.and_then(|at| reader.template(&at)).unwrap_or_default();
    let icon = body.fields.template(reader, "icon");
    let actions = body
        .fields
        .take("actions")
        .map_or_else(Vec::new, |at| super::read_all(reader, &at));
    let mut line = make::frame(reader, Axis::Horizontal);
    line.frame.gap = Dim::Dp(16.0);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 24.0, (Ink::Primary, Ink::Primary));
        line.children.push(Arc::new(icon));
    }
    let mut words = make::words(reader, text, TextRole::BodyMedium, Ink::Text);
    words.frame.grow = Some(1.0);
    line.children.push(Arc::new(words));
    let mut spec = make::group_at(slot, Axis::Vertical, "android.widget.LinearLayout");
    spec.frame.background = Some(Ink::SurfaceContainer);
    spec.frame.padding = Some(Sides {
        top: Dim::Dp(16.0),
        right: Dim::Dp(16.0),
        bottom: Dim::Dp(8.0),
        left: Dim::Dp(16.0),
    });
    spec.children.push(Arc::new(line));
    if !actions.is_empty() {
        let mut row = make::frame(reader, Axis::Horizontal);
        row.frame.justify = Some(Alignment::End);
        row.frame.gap = Dim::Dp(8.0);
        row.children = actions;
        spec.children.push(Arc::new(row));
    }
    spec
}

/// The placeholder where there is nothing to show yet.
pub(crate) fn empty_state(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let title = body.main_or("title");
    let title = title
        .and_then(|at| reader.template(&at))
        .unwrap_or_default();
    let icon = body.fields.template(reader, "icon");
    let text = body.fields.template(reader, "text");
    let actions = body
        .fields
        .take("actions")
        .map_or_else(Vec::new, |at| super::read_all(reader, &at));
    let mut spec = make::group_at(slot, Axis::Vertical, "android.widget.LinearLayout");
    spec.frame.align = Some(Alignment::Center);
    spec.frame.justify = Some(Alignment::Center);
    spec.frame.padding = make::padding(32.0, 32.0);
    spec.frame.gap = Dim::Dp(12.0);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 64.0, (Ink::Muted, Ink::Muted));
        spec.children.push(Arc::new(icon));
    }
    let both = (Ink::Text, Ink::Text);
    let title = make::label(reader, title, TextRole::TitleLarge, both);
    spec.children.push(Arc::new(title));
    if let Some(text) = text {
        let style = Lettering {
            align: Align::Center,
            ..Lettering::new(TextRole::BodyMedium, Ink::Muted)
        };
        let text = make::lettered(reader, text, style);
        spec.children.push(Arc::new(text));
    }
    spec.children.extend(actions);
    spec
}

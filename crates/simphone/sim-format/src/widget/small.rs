//! `badge`, `divider`, `avatar` and `fab`.

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{Alignment, ColorRole, Dim};
use draw::TextRole;

use super::read::Body;
use super::text::TextLook;
use super::{Anchor, Axis, Group, Icon, IconLook, Skin, Spec, make};

pub(crate) fn badge(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let text = body.template(reader, "text").unwrap_or_default();
    badge_of(reader, slot, text)
}

/// Creates a badge with a number, or a dot without one.
pub(crate) fn badge_of(reader: &mut Reader, slot: u32, text: Template) -> Spec {
    let mut spec = Spec::new(
        slot,
        Group::new(Axis::Horizontal)
            .class("android.widget.TextView")
            .skin(Skin::Badge),
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
    let style = TextLook::new(TextRole::LabelSmall, ColorRole::OnPrimary)
        .centered()
        .lines(1);
    let words = make::lettered(reader, text, style);
    spec.push(make::decorative(words));
    spec
}

pub(crate) fn divider(slot: u32) -> Spec {
    Spec::new(
        slot,
        Group {
            class: "android.view.View",
            line: true,
            ..Group::new(Axis::Depth)
        },
    )
}

pub(crate) fn avatar(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let name = body.template(reader, "name").unwrap_or_default();
    let size = body.fields.dim(reader, "size");
    let mut icon = Icon::new(name.clone(), IconLook::Avatar, 40.0);
    if size != Dim::Auto {
        icon.size = size;
    }
    let mut spec = Spec::new(slot, icon);
    spec.label = name;
    spec
}

pub(crate) fn fab(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let icon = body.template(reader, "icon");
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
    let both = (ColorRole::Text, ColorRole::Text);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 24.0, both);
        spec.push(make::decorative(icon));
    }
    if let Some(text) = text {
        spec.says = text.clone();
        let words = make::label(reader, text, TextRole::LabelLarge, both);
        spec.push(make::decorative(words));
    }
    spec
}

//! Constructors of the parts of composite widgets.

use std::sync::Arc;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{ColorRole, Dim, Sides};
use draw::{Align, TextRole};

use super::text::TextLook;
use super::{Axis, Group, Icon, IconLook, Skin, Spec, Text};

pub(crate) fn group(reader: &mut Reader, axis: Axis, class: &'static str) -> Spec {
    group_at(reader.slot(), axis, class)
}

/// As [`group`], with a given slot.
pub(crate) fn group_at(slot: u32, axis: Axis, class: &'static str) -> Spec {
    Spec::new(slot, Group::new(axis).class(class))
}

/// Creates a clickable group with a background.
pub(crate) fn skinned(slot: u32, axis: Axis, class: &'static str, skin: Skin) -> Spec {
    let mut spec = Spec::new(slot, Group::new(axis).class(class).skin(skin));
    spec.clickable = Some(true);
    spec
}

/// Creates a group that is not a node.
pub(crate) fn frame(reader: &mut Reader, axis: Axis) -> Spec {
    Spec::new(
        reader.slot(),
        Group {
            node: false,
            ..Group::new(axis)
        },
    )
}

/// Creates a spacer that fills the remaining space.
pub(crate) fn filler(reader: &mut Reader) -> Spec {
    let mut spec = frame(reader, Axis::Depth);
    spec.frame.grow = Some(1.0);
    spec
}

pub(crate) fn words(reader: &mut Reader, text: Template, role: TextRole, color: ColorRole) -> Spec {
    lettered(reader, text, TextLook::new(role, color))
}

/// Creates a centred line of text, with another colour while its container is selected.
pub(crate) fn label(
    reader: &mut Reader,
    text: Template,
    role: TextRole,
    (color, lit): (ColorRole, ColorRole),
) -> Spec {
    let style = TextLook {
        align: Align::Center,
        lines: Some(1),
        lit: Some(lit),
        ..TextLook::new(role, color)
    };
    lettered(reader, text, style)
}

pub(crate) fn lettered(reader: &mut Reader, text: Template, style: TextLook) -> Spec {
    Spec::new(reader.slot(), Text::new(text, style))
}

/// Creates an icon, with another colour while its container is selected.
pub(crate) fn icon(
    reader: &mut Reader,
    name: Template,
    size: f32,
    (color, lit): (ColorRole, ColorRole),
) -> Spec {
    Spec::new(
        reader.slot(),
        Icon {
            color,
            lit: Some(lit),
            ..Icon::new(name, IconLook::Plain, size)
        },
    )
}

pub(crate) fn icon_button(reader: &mut Reader, name: &str, description: Template) -> Spec {
    let mut spec = Spec::new(
        reader.slot(),
        Icon::new(Template::fixed(name), IconLook::Button, 24.0),
    );
    spec.label = description;
    spec
}

/// Makes a widget visible without being a node.
pub(crate) const fn decorative(mut spec: Spec) -> Spec {
    spec.decorative = true;
    spec
}

/// Sets an id of the app's package.
pub(crate) fn named(reader: &Reader, mut spec: Spec, id: &str) -> Spec {
    spec.id = Arc::from(format!("{}:id/{id}", reader.package));
    spec
}

pub(crate) const fn padding(vertical: f32, horizontal: f32) -> Option<Sides> {
    Some(Sides::axes(Dim::Dp(vertical), Dim::Dp(horizontal)))
}

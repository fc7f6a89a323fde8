//! Short words for the widgets that larger ones are put together from.

use std::sync::Arc;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{ColorRole, Dim, Sides};
use draw::{Align, TextRole};

use super::text::TextLook;
use super::{Axis, Group, Icon, IconLook, Skin, Spec, Text};

/// A group of this class.
pub(crate) fn group(reader: &mut Reader, axis: Axis, class: &'static str) -> Spec {
    group_at(reader.slot(), axis, class)
}

/// As [`group`], for a widget that has its slot already.
pub(crate) fn group_at(slot: u32, axis: Axis, class: &'static str) -> Spec {
    Spec::new(slot, Group::new(axis).class(class))
}

/// A group that takes taps and looks like one thing.
pub(crate) fn skinned(slot: u32, axis: Axis, class: &'static str, skin: Skin) -> Spec {
    let mut spec = Spec::new(slot, Group::new(axis).class(class).skin(skin));
    spec.clickable = Some(true);
    spec
}

/// A group that is seen by its content only.
pub(crate) fn frame(reader: &mut Reader, axis: Axis) -> Spec {
    Spec::new(
        reader.slot(),
        Group {
            node: false,
            ..Group::new(axis)
        },
    )
}

/// What takes the room that is left.
pub(crate) fn filler(reader: &mut Reader) -> Spec {
    let mut spec = frame(reader, Axis::Depth);
    spec.frame.grow = Some(1.0);
    spec
}

/// Words.
pub(crate) fn words(reader: &mut Reader, text: Template, role: TextRole, color: ColorRole) -> Spec {
    lettered(reader, text, TextLook::new(role, color))
}

/// One line of words in the middle, in another colour while what they are in is the chosen one.
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

/// Words in this style.
pub(crate) fn lettered(reader: &mut Reader, text: Template, style: TextLook) -> Spec {
    Spec::new(reader.slot(), Text::new(text, style))
}

/// A picture of this size, in another colour while what it is in is the chosen one.
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

/// A picture to press.
pub(crate) fn icon_button(reader: &mut Reader, name: &str, says: Template) -> Spec {
    let mut spec = Spec::new(
        reader.slot(),
        Icon::new(Template::fixed(name), IconLook::Button, 24.0),
    );
    spec.label = says;
    spec
}

/// Seen, but no node.
pub(crate) const fn seen(mut spec: Spec) -> Spec {
    spec.decorative = true;
    spec
}

/// With this id of the app.
pub(crate) fn named(reader: &Reader, mut spec: Spec, id: &str) -> Spec {
    spec.id = Arc::from(format!("{}:id/{id}", reader.package));
    spec
}

/// Room inside: above and below, at the sides.
pub(crate) const fn padding(vertical: f32, horizontal: f32) -> Option<Sides> {
    Some(Sides::axes(Dim::Dp(vertical), Dim::Dp(horizontal)))
}

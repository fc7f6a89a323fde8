//! The decoration of a text field, with the nodes of a `TextInputLayout`: label, helper and error texts, and buttons that
//! show a password or clear the text.

use std::sync::Arc;

use crate::expr::Template;
use crate::reader::{Fields, Reader};
use crate::style::{Alignment, ColorRole, Frame, Sides};
use draw::TextRole;

use super::{Axis, IconLook, Kind, Part, PartAction, Spec, make};

#[derive(Debug, Default)]
pub struct Decoration {
    helper: Option<Template>,
    error: Option<Template>,
    end: Option<EndIcon>,
    labelled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndIcon {
    Eye,
    Clear,
}

const END_ICONS: [(&str, EndIcon); 2] = [("eye", EndIcon::Eye), ("clear", EndIcon::Clear)];

impl Decoration {
    /// Reads the decoration of a field; `None` if it has none.
    pub(crate) fn read(
        reader: &mut Reader,
        fields: &mut Fields<'_>,
        labelled: bool,
    ) -> Option<Self> {
        let decoration = Self {
            helper: fields.template(reader, "helper"),
            error: fields.template(reader, "error"),
            end: fields.word(reader, "end_icon", &END_ICONS),
            labelled,
        };
        let none = decoration.helper.is_none()
            && decoration.error.is_none()
            && decoration.end.is_none()
            && !labelled;
        (!none).then_some(decoration)
    }

    pub const fn error(&self) -> Option<&Template> {
        self.error.as_ref()
    }

    pub const fn has_end_icon(&self) -> bool {
        self.end.is_some()
    }
}

pub(crate) fn wrap(reader: &mut Reader, mut field: Spec) -> Spec {
    let Kind::Field(kind) = &field.kind else {
        return field;
    };
    let Some(decoration) = &kind.decoration else {
        return field;
    };
    let bind = kind.bind.clone();
    let part = |action| Part {
        bind: bind.clone(),
        ..Part::new(action, field.slot)
    };
    let mut line = make::frame(reader, Axis::Horizontal);
    let (right, left) = (
        decoration.end.map_or(16.0, |_| 0.0),
        kind.icon.as_ref().map_or(16.0, |_| 56.0),
    );
    line.frame.padding = Some(Sides::dp(0.0, right, 0.0, left));
    line.push(make::filler(reader));
    if let Some(end) = decoration.end {
        let (icon, label, action) = match end {
            EndIcon::Eye => ("eye", "Show password", PartAction::Unmask),
            EndIcon::Clear => ("close", "Clear text", PartAction::Clear),
        };
        let mut button = make::icon_button(reader, icon, Template::fixed(label));
        if let Kind::Icon(icon) = &mut button.kind {
            icon.color = ColorRole::Muted;
            icon.lit = Some(ColorRole::Primary);
            debug_assert!(icon.look == IconLook::Button, "created as a button");
        }
        button.part = Some(part(action));
        line.push(make::named(reader, button, "text_input_end_icon"));
    }
    let mut below = make::frame(reader, Axis::Horizontal);
    below.frame.padding = make::padding(0.0, 16.0);
    below.frame.align = Some(Alignment::Start);
    let has_below = decoration.helper.is_some() || decoration.error.is_some();
    let note = |reader: &mut Reader, text: &Template, ink, id| {
        let mut words = make::words(reader, text.clone(), TextRole::BodySmall, ink);
        words.frame.padding = make::padding(4.0, 0.0);
        make::named(reader, words, id)
    };
    let wrong = decoration.error.as_ref().map(Template::is_not_empty);
    if let Some(helper) = &decoration.helper {
        let mut helper = note(reader, helper, ColorRole::Muted, "textinput_helper_text");
        helper.visible = wrong
            .clone()
            .map(|wrong| crate::expr::Expr::Not(Box::new(wrong)));
        below.push(helper);
    }
    if let Some(error) = &decoration.error {
        let mut error = note(reader, error, ColorRole::Error, "textinput_error");
        error.visible = wrong;
        below.push(error);
    }
    let mut outer = make::group(reader, Axis::Vertical, "android.widget.LinearLayout");
    let mut frame = make::group(reader, Axis::Depth, "android.widget.FrameLayout");
    if decoration.labelled {
        // The label is on the upper edge while the field is not empty.
        frame.frame.margin = Some(Sides::dp(8.0, 0.0, 0.0, 0.0));
    }
    // The frame's size and position apply to the outer view, the rest to the field.
    outer.visible = field.visible.take();
    outer.enabled = field.enabled.take();
    outer.from = field.from.take();
    outer.until = field.until.take();
    let own = Frame {
        padding: field.frame.padding.take(),
        background: field.frame.background.take(),
        radius: field.frame.radius.take(),
        ..Frame::default()
    };
    outer.frame = std::mem::replace(&mut field.frame, own);
    frame.children = vec![Arc::new(field), Arc::new(line)];
    outer.push(frame);
    if has_below {
        outer.push(below);
    }
    outer
}

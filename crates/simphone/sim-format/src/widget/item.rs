//! `item`: a row of a settings list, with title, summary, icon and switch, and the ids of preference rows.

use std::sync::Arc;

use crate::effects::{Effect, Effects};
use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{Alignment, ColorRole, Dim, Frame, Sides};
use draw::TextRole;

use super::part::Check;
use super::read::Body;
use super::text::TextLook;
use super::toggle::Shape;
use super::{Axis, Group, Icon, IconLook, Spec, Text, Toggle, make};

pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let title = body.template(reader, "title").unwrap_or_default();
    let name = title.clone();
    let fields = &mut body.fields;
    let summary = fields.template(reader, "summary");
    let icon = fields.template(reader, "icon");
    let tile = fields.flag(reader, "tile").unwrap_or(false);
    let trailing = fields.template(reader, "trailing");
    let bind = fields.read(reader, "switch", Reader::bound);
    let checked = fields.expr(reader, "checked");
    if bind.is_some() && checked.is_some() {
        let path = fields.path.clone();
        reader.problem_here(&path, "either `switch` or `checked`, not both");
    }

    let mut row = Spec::new(slot, Group::new(Axis::Horizontal));
    row.frame = Frame {
        padding: Some(Sides {
            top: Dim::Px(42.0),
            right: Dim::Px(54.0),
            bottom: Dim::Px(42.0),
            left: Dim::Px(62.0),
        }),
        margin: Some(Sides::axes(Dim::Px(0.0), Dim::Px(30.0))),
        align: Some(Alignment::Center),
        background: Some(ColorRole::Surface),
        ..Frame::default()
    };
    if let Some(icon) = icon {
        let mut picture = Spec::new(
            reader.slot(),
            Icon {
                color: ColorRole::Primary,
                tile,
                ..Icon::new(icon, IconLook::Plain, if tile { 32.0 } else { 24.0 })
            },
        );
        picture.decorative = true;
        picture.frame.margin = Some(Sides {
            right: Dim::Px(if tile { 40.0 } else { 61.0 }),
            ..Sides::default()
        });
        row.push(picture);
    }
    let mut words = make::frame(reader, Axis::Vertical);
    words.frame.grow = Some(1.0);
    words.frame.align = Some(Alignment::Start);
    let title = line(reader, title, "android:id/title", TextRole::BodyLarge);
    words.push(title);
    if let Some(summary) = summary {
        let summary = line(reader, summary, "android:id/summary", TextRole::BodyMedium);
        words.push(summary);
    }
    row.push(words);
    if let Some(trailing) = trailing {
        let mut text = line(reader, trailing, "", TextRole::BodyMedium);
        text.frame.margin = Some(Sides::dp(0.0, 0.0, 0.0, 16.0));
        row.push(text);
    }
    if let Some(checked) = checked {
        let check = Check {
            checked: Some(checked),
            ..Check::default()
        };
        let mut switch = switch_at_end(reader, check);
        switch.clickable = Some(false);
        row.push(switch);
    } else if let Some(bind) = bind {
        // If the row has its own click effects, the switch is clickable too and has the row's name.
        let alone = body.fields.has("on_click");
        let check = Check {
            bind: Some(Arc::clone(&bind)),
            ..Check::default()
        };
        let mut switch = switch_at_end(reader, check);
        if alone {
            switch.label = name;
        } else {
            switch.clickable = Some(false);
        }
        row.push(switch);
        row.on_click = Effects::from(vec![Effect::Toggle(bind)]);
    }
    row
}

fn switch_at_end(reader: &mut Reader, check: Check) -> Spec {
    let toggle = Toggle {
        shape: Shape::Switch,
        text: Template::default(),
        check,
    };
    let mut switch = Spec::new(reader.slot(), toggle);
    switch.id = Arc::from("android:id/switch_widget");
    switch.frame.margin = Some(Sides::dp(0.0, 0.0, 0.0, 16.0));
    switch
}

fn line(reader: &mut Reader, text: Template, id: &str, role: TextRole) -> Spec {
    let title = role == TextRole::BodyLarge;
    let style = TextLook {
        size: Dim::Dp(if title { 19.5 } else { 15.3 }),
        line: Dim::Px(if title { 70.0 } else { 51.0 }),
        ..TextLook::new(
            role,
            if title {
                ColorRole::Text
            } else {
                ColorRole::Muted
            },
        )
    };
    let mut spec = Spec::new(reader.slot(), Text::new(text, style));
    spec.id = Arc::from(id);
    if !title {
        spec.frame.padding = Some(Sides {
            bottom: Dim::Px(4.0),
            ..Sides::default()
        });
    }
    spec
}

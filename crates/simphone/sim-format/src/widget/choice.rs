//! `chip`, `chips` and `radio_group`: choices of one of several options.

use std::sync::Arc;

use crate::expr::{Template, Value};
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::style::{ColorRole, Dim};
use crate::yaml::Yaml;
use draw::TextRole;

use super::group::AXES;
use super::part::{Check, OptionRole};
use super::read::Body;
use super::toggle::Shape;
use super::{Axis, Group, Skin, Spec, Toggle, make};

pub(crate) struct Choice<'a> {
    pub(crate) text: Template,
    pub(crate) value: Value,
    pub(crate) id: Option<Arc<str>>,
    /// Keys of particular kinds of options.
    pub(crate) rest: Option<Fields<'a>>,
}

/// Reads options: texts, or mappings with `text`, `value` and keys that the caller reads.
pub(crate) fn choices<'a>(
    reader: &mut Reader,
    at: &Located<'a>,
    part: &'static str,
) -> Vec<Choice<'a>> {
    let mut found = Vec::new();
    for entry in at.entries() {
        let (text, value, id, rest) = if matches!(entry.node.value, Yaml::Map(_)) {
            let Some(mut fields) = Fields::read_keys(reader, &entry, Topic::Part(part)) else {
                continue;
            };
            let text = fields.template(reader, "text").unwrap_or_default();
            let value = fields.text(reader, "value");
            // The options of a dropdown have fixed ids.
            let id = match part {
                "list option" => None,
                _ => fields.read(reader, "id", Reader::id),
            };
            (text, value, id, Some(fields))
        } else {
            let text = reader.template(&entry).unwrap_or_default();
            (text, None, None, None)
        };
        let value = value.or_else(|| text.is_fixed().cloned());
        if value.as_ref().is_none_or(|value| value.is_empty()) {
            let what = "what the variable gets where no fixed `text` says it";
            reader.problem(&entry, format_args!("`value` is missing: {what}"));
        }
        found.push(Choice {
            text,
            value: Value::Text(value.unwrap_or_default()),
            id,
            rest,
        });
    }
    if found.is_empty() {
        reader.problem(at, "there are no options");
    }
    found
}

pub(crate) fn bound(reader: &mut Reader, at: Option<Located<'_>>) -> Arc<str> {
    at.and_then(|at| reader.bound(&at)).unwrap_or_default()
}

/// Adds an icon and a text that are not nodes.
fn content(reader: &mut Reader, spec: &mut Spec, icon: Option<Template>, text: Template) {
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 18.0, (ColorRole::Primary, ColorRole::Text));
        spec.push(make::decorative(icon));
    }
    if text != Template::default() {
        let colors = (ColorRole::Muted, ColorRole::Text);
        let words = make::label(reader, text, TextRole::LabelLarge, colors);
        spec.push(make::decorative(words));
    }
}

pub(crate) fn chip(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let text = body.template(reader, "text").unwrap_or_default();
    let icon = body.fields.template(reader, "icon");
    let mut keys = ["bind", "checked", "value"].iter();
    let checks = keys.any(|key| body.fields.has(key));
    let check = checks.then(|| Check::read(reader, &mut body.fields, OptionRole::Maybe));
    bare_chip(reader, slot, text, icon, check)
}

/// Creates a chip; its class depends on its function.
fn bare_chip(
    reader: &mut Reader,
    slot: u32,
    text: Template,
    icon: Option<Template>,
    check: Option<Check>,
) -> Spec {
    let class = match &check {
        Some(check) if check.value.is_some() => "android.widget.RadioButton",
        Some(_) => "android.widget.CompoundButton",
        None => "android.widget.Button",
    };
    let mut spec = make::skinned(slot, Axis::Horizontal, class, Skin::Chip);
    spec.says = text.clone();
    spec.frame.height = Dim::Dp(48.0);
    spec.frame.padding = make::padding(0.0, 16.0);
    spec.frame.gap = Dim::Dp(8.0);
    if let Some(check) = &check
        && icon.is_none()
    {
        let colors = (ColorRole::Text, ColorRole::Text);
        let mark = make::icon(reader, Template::fixed("check"), 18.0, colors);
        let mut mark = make::decorative(mark);
        mark.visible = check.condition();
        spec.push(mark);
    }
    spec.check = check;
    content(reader, &mut spec, icon, text);
    spec
}

pub(crate) fn chips(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let mut group = Group::new(Axis::Horizontal).class("android.view.ViewGroup");
    group.wraps = true;
    let mut spec = Spec::new(slot, group);
    spec.frame.gap = Dim::Dp(8.0);
    if let Some(at) = body.fields.take("options") {
        let bind = bound(reader, body.fields.take("bind"));
        for choice in choices(reader, &at, "chip option") {
            let check = Check::one_of(&bind, &choice.value);
            let slot = reader.slot();
            let mut rest = choice.rest;
            let icon = rest.as_mut().and_then(|rest| rest.template(reader, "icon"));
            let mut chip = bare_chip(reader, slot, choice.text, icon, Some(check));
            chip.id = choice.id.unwrap_or_default();
            spec.push(chip);
            if let Some(rest) = rest {
                rest.finish(reader);
            }
        }
    } else {
        spec.children = body.children(reader);
    }
    spec
}

pub(crate) fn radio_group(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let axis = body.fields.word(reader, "axis", &AXES).unwrap_or_default();
    let mut spec = make::group_at(slot, axis, "android.widget.RadioGroup");
    let bind = bound(reader, body.fields.take("bind"));
    let options = body.main_or("options");
    for choice in options.map_or_else(Vec::new, |at| choices(reader, &at, "option")) {
        let toggle = Toggle {
            shape: Shape::Radio,
            text: choice.text,
            check: Check::one_of(&bind, &choice.value),
        };
        let mut radio = Spec::new(reader.slot(), toggle);
        radio.id = choice.id.unwrap_or_default();
        spec.push(radio);
        if let Some(rest) = choice.rest {
            rest.finish(reader);
        }
    }
    spec
}

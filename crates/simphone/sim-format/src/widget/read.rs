//! Reads widgets: determines the kind and dispatches to its file.

use std::sync::Arc;

use crate::effects::take as take_effects;
use crate::expr::{Expr, Template};
use crate::reader::{Fields, Located, Reader};
use crate::schema::{Topic, widget_names};
use crate::style::Frame;
use crate::widget::Movement;
use crate::words::nearest;
use crate::yaml::Yaml;

use super::{
    Button, Field, Group, Icon, Kind, Range, Scroller, Spec, Text, Toggle, canvas, component,
    composite, field_frame,
};

/// The keys of a widget, beside its kind and below it.
pub(crate) struct Body<'a> {
    pub name: &'static str,
    /// The value of the kind, unless it is a mapping.
    pub main: Option<Located<'a>>,
    pub fields: Fields<'a>,
}

impl<'a> Body<'a> {
    /// Takes the value of the kind, or that of `key`.
    pub(crate) fn main_or(&mut self, key: &'static str) -> Option<Located<'a>> {
        let named = self.fields.take(key);
        let topic = self.fields.topic;
        let main = self.main.take().map(|main| Located {
            key: Some((topic, key)),
            ..main
        });
        main.or(named)
    }

    /// Reads the value of the kind, or that of `key`.
    pub(crate) fn template(&mut self, reader: &mut Reader, key: &'static str) -> Option<Template> {
        self.main_or(key).and_then(|at| reader.template(&at))
    }

    pub(crate) fn children(&mut self, reader: &mut Reader) -> Vec<Arc<Spec>> {
        self.main_or("children")
            .map_or_else(Vec::new, |at| read_all(reader, &at))
    }
}

pub(crate) fn read_all(reader: &mut Reader, at: &Located<'_>) -> Vec<Arc<Spec>> {
    let entries = at.entries();
    let specs = entries.iter().filter_map(|entry| read_one(reader, entry));
    let mut specs: Vec<Arc<Spec>> = specs.collect();
    // Floating widgets are above their siblings.
    specs.sort_by_key(|spec| spec.anchor.is_some());
    specs
}

pub(super) fn read_one(reader: &mut Reader, at: &Located<'_>) -> Option<Arc<Spec>> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("widget"))?;
    let rest = fields.rest();
    // `text` is also a key of other widgets, so that the first kind in the file's order decides.
    let mut keys = rest.iter();
    let name = keys.find_map(|key| widget_names().find(|kind| kind == key));
    let Some(name) = name else {
        let found = rest.first().copied().unwrap_or_default();
        let hint = nearest(found, widget_names());
        let advice = match &*hint {
            "" => "; a widget begins with its kind, such as `text:`, `button:` or `row:`",
            _ => "",
        };
        return reader.refuse(at, format_args!("`{found}` is not a widget{hint}{advice}"));
    };
    let main = fields.take_kind(name)?;
    fields.topic = Topic::Widget(name);
    reader.here = at.node.at;
    fields.path = main.path.clone();
    let main = match &main.node.value {
        Yaml::Map(_) => {
            fields.merge(reader, &main);
            None
        }
        Yaml::Null => None,
        _ => Some(main),
    };
    fields.has_main = main.is_some();
    let mut body = Body { name, main, fields };
    let slot = reader.slot();
    let spec = if let Some(spec) = composite::read(reader, &mut body, slot) {
        spec
    } else if name == "use" {
        used_component(reader, &mut body, slot)
    } else {
        let kind = match name {
            "text" => Kind::Text(Text::read(reader, &mut body)),
            "button" => Kind::Button(Button::read(reader, &mut body)),
            "icon" | "icon_button" | "image" => Kind::Icon(Icon::read(reader, &mut body)),
            "field" => Kind::Field(Field::read(reader, &mut body)),
            "switch" | "checkbox" | "radio" => Kind::Toggle(Toggle::read(reader, &mut body)),
            "slider" | "progress" => Kind::Range(Range::read(reader, &mut body)),
            "list" | "scroll" => Kind::Scroller(Scroller::read(reader, &mut body)),
            _ => Kind::Group(Group::read(reader, &mut body)),
        };
        let mut spec = Spec::new(slot, kind);
        if matches!(spec.kind, Kind::Group(_)) && name != "space" {
            spec.children = body.children(reader);
        }
        spec
    };
    let spec = common(reader, &mut body, spec);
    let spec = field_frame::wrap(reader, spec);
    if let Some(main) = body.main {
        reader.problem(&main, format_args!("`{name}` takes no value of this kind"));
    }
    body.fields.finish(reader);
    Some(Arc::new(spec))
}

/// Expands a component to a widget; the keys beside `use` apply to that widget.
fn used_component(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let with = body.fields.take("with");
    let name = body.main_or("component");
    let specs = match name {
        Some(name) => component::expand(reader, &name, with.as_ref()),
        None => Vec::new(),
    };
    match <[Arc<Spec>; 1]>::try_from(specs) {
        Ok([spec]) => Arc::try_unwrap(spec).unwrap_or_else(|_| group_of(slot, Vec::new())),
        Err(specs) => group_of(slot, specs),
    }
}

fn group_of(slot: u32, children: Vec<Arc<Spec>>) -> Spec {
    let mut spec = Spec::new(slot, Group::new(super::Axis::Vertical));
    spec.children = children;
    spec
}

fn common(reader: &mut Reader, body: &mut Body<'_>, mut spec: Spec) -> Spec {
    let fields = &mut body.fields;
    if let Some(at) = fields.take("id")
        && let Some(id) = reader.id(&at)
    {
        spec.id = id;
    }
    spec.class = fields.text(reader, "class").or(spec.class);
    if let Some(label) = fields.template(reader, "desc") {
        spec.label = label;
    }
    if let Some(says) = fields.template(reader, "says") {
        spec.says = says;
    }
    spec.visible = both(fields.expr(reader, "visible"), spec.visible);
    spec.enabled = both(fields.expr(reader, "enabled"), spec.enabled);
    spec.selected = fields.expr(reader, "selected").or(spec.selected);
    spec.clickable = fields.flag(reader, "clickable").or(spec.clickable);
    spec.tag = fields.template(reader, "tag").or(spec.tag);
    spec.decorative = fields.flag(reader, "decorative").unwrap_or(spec.decorative);
    spec.from = fields.duration(reader, "appear_after").or(spec.from);
    spec.until = fields.duration(reader, "vanish_after").or(spec.until);
    reader.moments.extend(spec.from);
    reader.moments.extend(spec.until);
    let on_click = take_effects(reader, fields, "on_click");
    if !on_click.is_empty() {
        spec.on_click = on_click;
    }
    let on_long_click = take_effects(reader, fields, "on_long_click");
    if !on_long_click.is_empty() {
        spec.on_long_click = on_long_click;
    }
    if let Some(place) = canvas::place(reader, fields) {
        spec.anchor = Some(place);
    }
    canvas::set_class(reader.surface, &mut spec);
    let movement = fields.take("move");
    let movement = movement.and_then(|at| Movement::read(reader, &at));
    spec.movement = movement.map(Box::new);
    let frame = Frame::read(reader, fields);
    spec.frame = frame.over(spec.frame);
    if let Kind::Scroller(scroller) = &mut spec.kind {
        scroller.move_child_layout(&mut spec.frame);
    }
    spec
}

/// Combines the condition with that of a component.
fn both(outer: Option<Expr>, inner: Option<Expr>) -> Option<Expr> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(outer.and(inner)),
        (outer, inner) => outer.or(inner),
    }
}

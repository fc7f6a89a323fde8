//! Effects: what an app does in response to events.

pub(crate) mod faults;
mod lists;

use std::sync::Arc;
use std::time::Duration;

use crate::choices::ThemeChoice;
use crate::expr::template::Template;
use crate::expr::value::Value;
use crate::expr::{Expr, Lookup};
use crate::fault::Fault;
use crate::reader::{Fields, ItemKind, Located, Reader};
use crate::schema::{Topic, effect_names};
use crate::words::{Words, nearest};
use crate::yaml::{Place, Yaml};
pub use lists::changed;

pub type Effects = Arc<[Effect]>;

pub type Pairs = Vec<(Arc<str>, ValueSource)>;

#[derive(Clone, Debug)]
pub enum Effect {
    Set(Vec<(Arc<str>, ValueSource)>),
    Toggle(Arc<str>),
    Clear(Arc<str>),
    Append(Vec<(Arc<str>, NewEntry)>),
    /// Changes entries of lists: that of the current row, or all that match a condition.
    Update(Arc<Update>),
    /// Removes entries of a list: that of the current row, or all that match a condition.
    Remove(Arc<str>, Option<Expr>),
    Push(Call),
    Replace(Call),
    Pop,
    Dialog(Call),
    Menu(Arc<str>),
    PopTo(Arc<str>),
    Fetch(Arc<Fetch>),
    RequestPermission(Arc<PermissionRequest>),
    Dismiss,
    Toast(Template),
    Snackbar(Arc<Snackbar>),
    Open(Template),
    OpenApp(Template),
    Home,
    After(Duration, Effects),
    If(Expr, Effects, Effects),
    Do(Arc<str>),
    HideKeyboard,
    OpenDrawer,
    CloseDrawer,
    OpenShade,
    Notify(Arc<Notify>),
    Focus(Arc<str>),
    Copy(Template),
    Fault(Arc<[Fault]>),
    Configure(Arc<Configure>),
    StopApp(Template),
}

#[derive(Debug, Default)]
pub struct Configure {
    /// `light` or `dark`.
    pub theme: Option<ValueSource>,
    pub font_scale: Option<ValueSource>,
    pub language: Option<ValueSource>,
    /// Whether the screen rotates with the phone.
    pub auto_rotate: Option<ValueSource>,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub screen: Arc<str>,
    pub with: Vec<(Arc<str>, ValueSource)>,
}

#[derive(Debug)]
pub struct Update {
    pub lists: Vec<(Arc<str>, Pairs)>,
    pub condition: Option<Expr>,
}

#[derive(Debug)]
pub struct Fetch {
    pub delay: (Duration, Duration),
    /// Failure rate in percent.
    pub fails: f64,
    pub timeout: Option<Duration>,
    pub then: Effects,
    pub otherwise: Effects,
}

#[derive(Debug)]
pub struct PermissionRequest {
    pub permission: crate::Permission,
    pub granted: Effects,
    pub denied: Effects,
}

#[derive(Debug)]
pub struct Snackbar {
    pub text: Template,
    pub action: Option<Template>,
    pub on_action: Effects,
}

#[derive(Debug)]
pub struct Notify {
    pub title: Template,
    pub text: Template,
    pub heads_up: bool,
    pub on_click: Effects,
}

#[derive(Clone, Debug)]
pub enum ValueSource {
    Template(Template),
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub enum NewEntry {
    Text(ValueSource),
    Entry(Vec<(Arc<str>, ValueSource)>),
}

impl ValueSource {
    pub fn value(&self, names: &dyn Lookup) -> Value {
        match self {
            ValueSource::Template(template) => Value::Text(template.text(names)),
            ValueSource::Expr(expr) => expr.value(names),
        }
    }
}

/// Reads the effects of `key`; empty without the key.
pub(crate) fn take(reader: &mut Reader, fields: &mut Fields<'_>, key: &'static str) -> Effects {
    let at = fields.take(key);
    at.map(|at| read(reader, &at)).unwrap_or_default()
}

/// Reads one effect or a list. Names in effects do not count as used by the widget.
pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Effects {
    let used = reader.used.len();
    let entries = at.entries();
    let effects = entries.iter().filter_map(|entry| effect(reader, entry));
    let effects: Effects = effects.collect();
    reader.used.truncate(used);
    effects
}

fn effect(reader: &mut Reader, at: &Located<'_>) -> Option<Effect> {
    if let Yaml::Text(word) = &at.node.value {
        return match &**word {
            "pop" => Some(Effect::Pop),
            "dismiss" => Some(Effect::Dismiss),
            "home" => Some(Effect::Home),
            "open_drawer" => Some(Effect::OpenDrawer),
            "close_drawer" => Some(Effect::CloseDrawer),
            "open_shade" => Some(Effect::OpenShade),
            "hide_keyboard" => Some(Effect::HideKeyboard),
            other => {
                let known = effect_names().any(|name| name == other);
                let hint = match known {
                    true => format!("; it needs a value: `{other}: …`"),
                    false => nearest(other, effect_names()),
                };
                let message = format!("`{other}` is not an effect by itself{hint}");
                reader.refuse(at, message)
            }
        };
    }
    let mut fields = Fields::read_keys(reader, at, Topic::Part("effect"))?;
    let mut keys = fields.rest().into_iter();
    let known = keys.find_map(|key| effect_names().find(|name| *name == key));
    let Some(name) = known else {
        let found = fields.rest().first().copied().unwrap_or_default();
        let hint = nearest(found, effect_names());
        return reader.refuse(at, format_args!("`{found}` is not an effect{hint}"));
    };
    fields.topic = Topic::Effect(name);
    let value = fields.take(name)?;
    let effect = match name {
        "set" => Some(Effect::Set(assignments(reader, &value))),
        "toggle" => reader.variable(&value).map(Effect::Toggle),
        "clear" => reader.variable(&value).map(Effect::Clear),
        "append" => Some(Effect::Append(appended(reader, &value))),
        "update" => Some(lists::update(reader, &value, &mut fields)),
        "remove" => lists::remove(reader, &value, &mut fields),
        "pop_to" => named(reader, &value, ItemKind::Screen).map(Effect::PopTo),
        "fetch" => lists::fetch(reader, &value),
        "request_permission" => lists::permission(reader, &value),
        "push" => call(reader, &value, ItemKind::Screen).map(Effect::Push),
        "replace" => call(reader, &value, ItemKind::Screen).map(Effect::Replace),
        "dialog" => call(reader, &value, ItemKind::Dialog).map(Effect::Dialog),
        "menu" => named(reader, &value, ItemKind::Menu).map(Effect::Menu),
        "do" => named(reader, &value, ItemKind::Action).map(Effect::Do),
        "toast" => reader.template(&value).map(Effect::Toast),
        "snackbar" => snackbar(reader, &value).map(|bar| Effect::Snackbar(Arc::new(bar))),
        "notify" => notify(reader, &value).map(|it| Effect::Notify(Arc::new(it))),
        "open" => reader.template(&value).map(Effect::Open),
        "open_app" => reader.template(&value).map(Effect::OpenApp),
        "stop_app" => reader.template(&value).map(Effect::StopApp),
        "after" => {
            let delay = reader.duration(&value);
            let then = take(reader, &mut fields, "do");
            delay.map(|delay| Effect::After(delay.max(Duration::from_millis(1)), then))
        }
        "if" => {
            let condition = reader.expr(&value);
            let then = take(reader, &mut fields, "then");
            let otherwise = take(reader, &mut fields, "else");
            condition.map(|condition| Effect::If(condition, then, otherwise))
        }
        "configure" => configure(reader, &value).map(|set| Effect::Configure(Arc::new(set))),
        "focus" => reader.id(&value).map(Effect::Focus),
        "copy" => reader.template(&value).map(Effect::Copy),
        "fault" => Some(Effect::Fault(Arc::from(faults::read(reader, &value)))),
        other => reader.refuse(
            &value,
            format_args!("`{other}` takes no value: write it as a plain word"),
        ),
    };
    fields.finish(reader);
    effect
}

pub(crate) fn computed(reader: &mut Reader, at: &Located<'_>) -> Option<ValueSource> {
    match &at.node.value {
        Yaml::Text(text) => match text.strip_prefix('=') {
            Some(expr) => reader.expr_of(at, expr).map(ValueSource::Expr),
            None => reader.template(at).map(ValueSource::Template),
        },
        _ => reader.expr(at).map(ValueSource::Expr),
    }
}

pub(crate) fn assignments(reader: &mut Reader, at: &Located<'_>) -> Vec<(Arc<str>, ValueSource)> {
    let entries = pairs(reader, at);
    for ((name, _), (_, place)) in entries.iter().zip(named_places(at)) {
        reader.check_variable(&place, name);
    }
    entries
}

fn named_places<'a>(at: &Located<'a>) -> Vec<(&'a str, Located<'a>)> {
    match &at.node.value {
        Yaml::Map(entries) => entries
            .iter()
            .map(|(key, node)| {
                let path = crate::reader::join(&at.path, key);
                let place = Located {
                    node,
                    path,
                    key: None,
                };
                (&**key, place)
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Reads names and values, as in `set` and `with`.
pub(crate) fn pairs(reader: &mut Reader, at: &Located<'_>) -> Vec<(Arc<str>, ValueSource)> {
    let Some(mut fields) = Fields::names(reader, at) else {
        return Vec::new();
    };
    let pairs = fields.take_all().into_iter().map(|(name, value)| {
        let empty = || ValueSource::Template(Template::default());
        let value = computed(reader, &value).unwrap_or_else(empty);
        (Arc::from(name), value)
    });
    pairs.collect()
}

fn appended(reader: &mut Reader, at: &Located<'_>) -> Vec<(Arc<str>, NewEntry)> {
    let Some(mut fields) = Fields::names(reader, at) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (name, value) in fields.take_all() {
        if !reader.check_variable(&value, name) {
            continue;
        }
        let list = reader.lists.iter().find(|(list, _)| &**list == name);
        let appended = match list.map(|(_, fields)| fields.clone()) {
            None => computed(reader, &value).map(NewEntry::Text),
            Some(_) if !matches!(value.node.value, Yaml::Map(_)) => {
                let what = "an entry is a mapping with all of its fields";
                reader.refuse(&value, format_args!("`{name}` is a list: {what}"))
            }
            Some(wanted) => {
                let entry = pairs(reader, &value);
                let names = entry.iter().map(|(name, _)| name);
                check_names(reader, value.place(), ("field", ""), &wanted, names);
                Some(NewEntry::Entry(entry))
            }
        };
        all.extend(appended.map(|appended| (Arc::from(name), appended)));
    }
    all
}

/// Reports missing and unknown names; `of` completes the message where the path is not enough.
pub(crate) fn check_names<'a>(
    reader: &mut Reader,
    (at, path): (Place, &str),
    (noun, of): (&str, &str),
    required: &[Arc<str>],
    given: impl Iterator<Item = &'a Arc<str>> + Clone,
) {
    for name in required {
        if !given.clone().any(|each| each == name) {
            let message = format_args!("the {noun} `{name}`{of} is missing");
            reader.problem_at(at, path, message);
        }
    }
    for name in given {
        if !required.contains(name) {
            let hint = nearest(name, required.iter().map(|each| &**each));
            let message = format_args!("there is no {noun} `{name}`{of}{hint}");
            reader.problem_at(at, path, message);
        }
    }
}

pub(crate) fn named(reader: &mut Reader, at: &Located<'_>, kind: ItemKind) -> Option<Arc<str>> {
    let name = reader.text(at)?;
    reader.refer(at, kind, &name, None);
    Some(name)
}

/// Reads a screen or dialog: its name, or a mapping with the name and `with`.
pub(crate) fn call(reader: &mut Reader, at: &Located<'_>, kind: ItemKind) -> Option<Call> {
    let (screen, with) = match &at.node.value {
        Yaml::Map(_) => {
            let (part, key) = match kind {
                ItemKind::Dialog => ("dialog call", "name"),
                _ => ("call", "screen"),
            };
            let mut fields = Fields::read_keys(reader, at, Topic::Part(part))?;
            let name = fields.text(reader, key);
            let with = fields.list(reader, "with", pairs);
            fields.finish(reader);
            (name?, with)
        }
        _ => (reader.text(at)?, Vec::new()),
    };
    let names = with.iter().map(|(name, _)| Arc::clone(name)).collect();
    reader.refer(at, kind, &screen, Some(names));
    Some(Call { screen, with })
}

fn configure(reader: &mut Reader, at: &Located<'_>) -> Option<Configure> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("configuration"))?;
    let mut take = |reader: &mut Reader, key, right: fn(&Value) -> bool, expected: &str| {
        let at = fields.take(key)?;
        let value = computed(reader, &at)?;
        // Computed values are checked when the effect runs.
        let fixed = match &value {
            ValueSource::Template(Template::Fixed(text)) => Some(Value::Text(Arc::clone(text))),
            ValueSource::Expr(Expr::Value(value)) => Some(value.clone()),
            ValueSource::Template(_) | ValueSource::Expr(_) => None,
        };
        if fixed.is_some_and(|fixed| !right(&fixed)) {
            reader.problem(&at, format_args!("expected {expected}"));
        }
        Some(value)
    };
    let set = Configure {
        theme: take(
            reader,
            "theme",
            |value| ThemeChoice::of_word(&value.to_text()).is_some(),
            "`light` or `dark`",
        ),
        font_scale: take(
            reader,
            "font_scale",
            |value| (0.85..=2.0).contains(&value.number()),
            "a number from 0.85 to 2",
        ),
        language: take(
            reader,
            "language",
            |value| crate::language::is_language(&value.to_text()),
            "a language tag such as `en` or `pt-BR`",
        ),
        auto_rotate: take(
            reader,
            "auto_rotate",
            |value| matches!(value, Value::Bool(_)),
            "true or false",
        ),
    };
    fields.finish(reader);
    let all = [&set.theme, &set.font_scale, &set.language, &set.auto_rotate];
    if all.iter().all(|each| each.is_none()) {
        let known = "`configure` sets `theme`, `font_scale`, `language` or `auto_rotate`";
        reader.problem(at, known);
    }
    Some(set)
}

fn snackbar(reader: &mut Reader, at: &Located<'_>) -> Option<Snackbar> {
    if !matches!(at.node.value, Yaml::Map(_)) {
        return Some(Snackbar {
            text: reader.template(at)?,
            action: None,
            on_action: Effects::default(),
        });
    }
    let mut fields = Fields::read_keys(reader, at, Topic::Part("snackbar"))?;
    let bar = Snackbar {
        text: fields.template(reader, "text").unwrap_or_default(),
        action: fields.template(reader, "action"),
        on_action: take(reader, &mut fields, "on_click"),
    };
    fields.finish(reader);
    Some(bar)
}

fn notify(reader: &mut Reader, at: &Located<'_>) -> Option<Notify> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("notification"))?;
    let notify = Notify {
        title: fields.template(reader, "title").unwrap_or_default(),
        text: fields.template(reader, "text").unwrap_or_default(),
        heads_up: fields.flag(reader, "heads_up").unwrap_or(false),
        on_click: take(reader, &mut fields, "on_click"),
    };
    fields.finish(reader);
    Some(notify)
}

/// Collects the actions that `effects` call without a delay.
pub fn calls(effects: &[Effect], found: &mut Vec<Arc<str>>) {
    for effect in effects {
        match effect {
            Effect::Do(name) => found.push(Arc::clone(name)),
            Effect::If(_, then, otherwise) => {
                calls(then, found);
                calls(otherwise, found);
            }
            _ => {}
        }
    }
}

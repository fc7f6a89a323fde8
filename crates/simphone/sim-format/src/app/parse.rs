//! Reads app files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::model::{App, Link, Piece};
use super::{dialogs, menu, page, styles};
use crate::choices::AnimationChoice;
use crate::effects::{self, Effects};
use crate::expr::value::{ENTRY, Record, Value};
use crate::expr::{Names, Scope, Vars, template};
use crate::problem::{AppError, Problem};
use crate::reader::{Fields, ItemKind, Located, Reader};
use crate::schema::Topic;
use crate::style::SIDES;
use crate::widget::component as components;
use crate::words::{Words, nearest};
use crate::yaml::{self, Place, Yaml};
use draw::Color;
use uitree::Size;

const REPEATS: u32 = 10_000;

/// Parses the app file `text`; `name` is its name in errors.
pub fn parse(name: &str, text: &str) -> Result<App, AppError> {
    parse_in(name, text, None)
}

/// As [`parse`], with the folder of the file's pictures.
pub(crate) fn parse_in(name: &str, text: &str, folder: Option<&Path>) -> Result<App, AppError> {
    let mut reader = Reader {
        source: text.to_owned(),
        folder: folder.map(Path::to_owned),
        ..Reader::default()
    };
    attempt(&mut reader, text).map_err(|problems| AppError::inside(name, text, problems))
}

/// Parses with a reader that the caller can inspect afterwards.
pub(crate) fn attempt(reader: &mut Reader, text: &str) -> Result<App, Vec<Problem>> {
    let mut root = yaml::read(text).map_err(|problem| vec![problem])?;
    styles::apply(reader, &mut root);
    let at = Located {
        node: &root,
        path: String::new(),
        key: None,
    };
    match read_app(reader, &at) {
        Some(app) if reader.problems.is_empty() => Ok(app),
        _ => {
            let mut problems = std::mem::take(&mut reader.problems);
            problems.sort_by_key(|problem| (problem.line, problem.column));
            Err(problems)
        }
    }
}

fn read_app(reader: &mut Reader, at: &Located<'_>) -> Option<App> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("app"))?;
    let package = fields.take("app");
    let package_name = package.as_ref().and_then(|at| read_package(reader, at));
    reader.package = package_name.as_deref().unwrap_or("app").to_owned();
    let label = fields.read(reader, "label", read_label);
    let icon = fields.text(reader, "icon");
    let color = fields.read(reader, "color", read_color);
    let toolkit = fields.word(reader, "toolkit", crate::choices::Toolkit::TABLE);
    reader.toolkit = toolkit.unwrap_or_default();
    let phone = crate::expr::vars::SCREEN.iter();
    let phone = phone.map(|name| Arc::from(*name)).collect();
    reader.scopes.push(phone);
    reader.screen = fields.read(reader, "screen", read_size);
    let animations = fields.word(reader, "animations", AnimationChoice::TABLE);
    let state = read_state(reader, &mut fields);
    let data = read_data(reader, &mut fields);
    let (notifications, fields_of) = crate::expr::vars::NOTIFICATIONS;
    for (list, fields) in [
        ("@apps", &["package", "label", "icon"][..]),
        ("@recents", &["package", "label", "icon"]),
        (notifications, &fields_of),
    ] {
        let fields = fields.iter().map(|name| Arc::from(*name));
        reader.data.push((Arc::from(list), fields.collect()));
    }
    let all = named(reader, &mut fields, "styles");
    styles::check(reader, all);
    let all = named(reader, &mut fields, "components");
    components::read(reader, all);
    let actions: BTreeMap<Arc<str>, Effects> = named(reader, &mut fields, "actions")
        .into_iter()
        .map(|(name, at)| (Arc::from(name), effects::read(reader, &at)))
        .collect();
    let mut screens = BTreeMap::new();
    let mut params = BTreeMap::new();
    for (name, at) in named(reader, &mut fields, "screens") {
        if let Some((page, names)) = page::read_screen(reader, name, &at) {
            params.insert(Arc::clone(&page.name), names);
            screens.insert(Arc::clone(&page.name), Arc::new(page));
        }
    }
    let mut dialogs = BTreeMap::new();
    let mut params_by_dialog = BTreeMap::new();
    for (name, at) in named(reader, &mut fields, "dialogs") {
        if let Some((page, names)) = dialogs::read_dialog(reader, name, &at) {
            params_by_dialog.insert(Arc::clone(&page.name), names);
            dialogs.insert(Arc::clone(&page.name), Arc::new(page));
        }
    }
    let menus: BTreeMap<Arc<str>, Arc<menu::Menu>> = named(reader, &mut fields, "menus")
        .into_iter()
        .map(|(name, at)| (Arc::from(name), Arc::new(menu::read_menu(reader, &at))))
        .collect();
    let links = fields.take("links");
    let links = links.map_or_else(Vec::new, |at| {
        let read = |entry: &Located<'_>| read_link(reader, entry);
        at.entries().iter().filter_map(read).collect()
    });
    let faults = fields.list(reader, "faults", crate::effects::faults::read);
    let start = fields.take("start");
    let start = start.and_then(|at| effects::call(reader, &at, ItemKind::Screen));
    fields.finish(reader);
    reader.params = params.clone();
    check_references(reader, &params, &params_by_dialog, &menus, &actions);
    check_calls(reader, &actions);
    Some(App {
        label: label.or_else(|| package_name.clone())?,
        package: package_name?,
        icon: icon.unwrap_or_else(|| Arc::from("android")),
        color,
        start: start?.screen,
        screen: reader.screen,
        animations,
        state,
        data,
        screens,
        dialogs,
        menus,
        params,
        dialog_params: params_by_dialog,
        actions,
        links,
        faults,
    })
}

fn read_package(reader: &mut Reader, at: &Located<'_>) -> Option<Arc<str>> {
    let package = reader.text(at)?;
    if is_package(&package) {
        return Some(package);
    }
    let message = format!("`{package}` is not a package name such as com.example.shop");
    reader.refuse(at, message)
}

pub(crate) fn is_package(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.contains('.') && name.split('.').all(part) && name.len() <= 200
}

/// Reads the label: one line.
fn read_label(reader: &mut Reader, at: &Located<'_>) -> Option<Arc<str>> {
    let label = reader.text(at)?;
    if label.chars().any(char::is_control) {
        let message = "a label is one line of text, without control characters";
        reader.problem(at, message);
    }
    Some(label)
}

fn read_color(reader: &mut Reader, at: &Located<'_>) -> Option<Color> {
    let text = reader.text(at)?;
    let color = Color::from_hex(&text);
    if color.is_none() {
        reader.problem(at, "expected a colour such as \"#1a73e8\"");
    }
    color
}

/// Reads a screen size, such as `[1080, 2400]`.
fn read_size(reader: &mut Reader, at: &Located<'_>) -> Option<Size> {
    let entries = at.entries();
    let sides = entries.iter().filter_map(|entry| match entry.node.value {
        Yaml::Number(side) => Some(side as i32).filter(|whole| f64::from(*whole) == side),
        _ => None,
    });
    let sides: Vec<i32> = sides.filter(|side| SIDES.contains(side)).collect();
    if let [width, height] = sides.as_slice() {
        return Some(Size::new(*width, *height));
    }
    let (least, most) = (SIDES.start(), SIDES.end());
    let message = format!(
        "expected width and height in pixels such as [1080, 2400], each from {least} to {most}"
    );
    reader.refuse(at, message)
}

/// Returns the entries of a mapping whose keys are names.
fn named<'a>(
    reader: &mut Reader,
    fields: &mut Fields<'a>,
    key: &'static str,
) -> Vec<(&'a str, Located<'a>)> {
    fields
        .take(key)
        .and_then(|at| Fields::names(reader, &at))
        .map_or_else(Vec::new, |mut fields| {
            let places = fields.places();
            let declared = places.map(|(name, place)| (format!("{key}.{name}"), place));
            reader.declared.extend(declared);
            fields.take_all()
        })
}

fn read_value(reader: &mut Reader, at: &Located<'_>) -> Option<Value> {
    match &at.node.value {
        Yaml::Text(text) => Some(Value::text(text)),
        Yaml::Number(number) => Some(Value::Number(*number)),
        Yaml::Bool(bool) => Some(Value::Bool(*bool)),
        _ => reader.unfit(at, "a text, a number or true or false"),
    }
}

fn check_name(reader: &mut Reader, at: &Located<'_>, name: &str) {
    let plain = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !["true", "false", "and", "or", "not", "index", "outer"].contains(&name);
    if !plain {
        let message = format!("`{name}` cannot be the name of a variable");
        reader.problem(at, message);
    }
}

fn read_state(reader: &mut Reader, fields: &mut Fields<'_>) -> Vec<(Arc<str>, Value)> {
    let mut state = Vec::new();
    let mut numbers = 0;
    for (name, at) in named(reader, fields, "state") {
        check_name(reader, &at, name);
        let name: Arc<str> = Arc::from(name);
        if let Some(value) = read_value(reader, &at) {
            reader.state.push(Arc::clone(&name));
            state.push((name, value));
        }
    }
    for (name, at) in named(reader, fields, "lists") {
        check_name(reader, &at, name);
        let name: Arc<str> = Arc::from(name);
        let (names, entries) = read_list(reader, &at, &mut numbers);
        if reader.state.contains(&name) {
            reader.problem(&at, format_args!("`{name}` is already a state variable"));
        }
        reader.lists.push((Arc::clone(&name), names));
        reader.state.push(Arc::clone(&name));
        state.push((name, Value::List(Arc::new(entries))));
    }
    state
}

/// Reads the fields and the initial entries of a list variable.
fn read_list(
    reader: &mut Reader,
    at: &Located<'_>,
    numbers: &mut u32,
) -> (Vec<Arc<str>>, Vec<Record>) {
    if !matches!(at.node.value, Yaml::Map(_)) {
        return (at.texts(reader), Vec::new());
    }
    let Some(mut fields) = Fields::read_keys(reader, at, Topic::Part("list variable")) else {
        return (Vec::new(), Vec::new());
    };
    let is_whole = fields.has("fields");
    let names = fields.texts(reader, "fields");
    let entries = fields.take("entries").filter(|_| is_whole);
    fields.finish(reader);
    let found = entries.map_or_else(Vec::new, |at| read_records(reader, &at));
    let mut records = Vec::new();
    for (entry, read) in found {
        let given = read.iter().map(|(name, _)| name);
        effects::check_names(reader, entry.place(), ("field", ""), &names, given);
        *numbers += 1;
        let mut read = (*read).clone();
        read.push((Arc::from(ENTRY), Value::Number(f64::from(*numbers))));
        records.push(Arc::new(read));
    }
    (names, records)
}

fn read_data(reader: &mut Reader, fields: &mut Fields<'_>) -> BTreeMap<Arc<str>, Arc<Vec<Record>>> {
    let mut all = BTreeMap::new();
    for (name, at) in named(reader, fields, "data") {
        check_name(reader, &at, name);
        if reader.state.iter().any(|each| &**each == name) {
            reader.problem(&at, format_args!("`{name}` is already a state variable"));
        }
        let records = read_records(reader, &at).into_iter();
        let records: Vec<Record> = records.map(|(_, record)| record).collect();
        let names: Vec<Arc<str>> = records.first().map_or_else(Vec::new, |first: &Record| {
            first.iter().map(|(name, _)| Arc::clone(name)).collect()
        });
        for (index, entry) in records.iter().enumerate() {
            let same =
                entry.len() == names.len() && entry.iter().all(|(name, _)| names.contains(name));
            if !same {
                let message = format!("entry {index} has other fields than the first one");
                reader.problem(&at, message);
            }
        }
        reader.data.push((Arc::from(name), names));
        all.insert(Arc::from(name), Arc::new(records));
    }
    all
}

/// Reads records, listed or generated by `repeat`, each with its position.
fn read_records<'a>(reader: &mut Reader, at: &Located<'a>) -> Vec<(Located<'a>, Record)> {
    if matches!(at.node.value, Yaml::Map(_)) {
        let all = repeat(reader, at).into_iter();
        return all.map(|record| (at.clone(), record)).collect();
    }
    let entries = at.entries().into_iter();
    let read = entries.filter_map(|entry| record(reader, &entry).map(|record| (entry, record)));
    read.collect()
}

fn record(reader: &mut Reader, at: &Located<'_>) -> Option<Record> {
    let mut fields = Fields::names(reader, at)?;
    let entries = fields.take_all().into_iter().filter_map(|(name, at)| {
        check_name(reader, &at, name);
        Some((Arc::from(name), read_value(reader, &at)?))
    });
    Some(Arc::new(entries.collect()))
}

/// Generates records from `{ repeat: 200, item: { name: "Item {n}" } }`, numbered from 1.
fn repeat(reader: &mut Reader, at: &Located<'_>) -> Vec<Record> {
    let Some(mut fields) = Fields::read_keys(reader, at, Topic::Part("repeat")) else {
        return Vec::new();
    };
    let count = fields.take("repeat").and_then(|at| {
        let count = reader.count(&at, 0)?;
        if count > REPEATS {
            let message = format!("`repeat` makes {REPEATS} records at most");
            reader.problem(&at, message);
        }
        Some(count.min(REPEATS))
    });
    let count = count.unwrap_or(0);
    let item = fields.take("item");
    fields.finish(reader);
    let Some(mut item) = item.and_then(|at| Fields::names(reader, &at)) else {
        return Vec::new();
    };
    reader.scopes.push(vec![Arc::from("n")]);
    let templates = item.take_all().into_iter().filter_map(|(name, at)| {
        check_name(reader, &at, name);
        Some((Arc::from(name), effects::computed(reader, &at)?))
    });
    let templates: Vec<(Arc<str>, effects::ValueSource)> = templates.collect();
    reader.scopes.pop();
    let vars = Vars::default();
    let mut number: Record = Arc::new(vec![(Arc::from("n"), Value::Number(0.0))]);
    let mut records = Vec::with_capacity(count as usize);
    for n in 1..=count {
        // The record is not shared, so this changes it in place.
        for (_, value) in Arc::make_mut(&mut number) {
            *value = Value::Number(f64::from(n));
        }
        let scope = Scope {
            record: Some(number),
            ..Scope::default()
        };
        let names = Names {
            vars: &vars,
            scope: &scope,
        };
        let entries = templates.iter();
        let entries = entries.map(|(name, value)| (Arc::clone(name), value.value(&names)));
        records.push(Arc::new(entries.collect()));
        number = scope.record.unwrap_or_default();
    }
    records
}

fn read_link(reader: &mut Reader, at: &Located<'_>) -> Option<Link> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("link"))?;
    let text = fields.text(reader, "uri").unwrap_or_default();
    reader.link_patterns.push(text.to_string());
    let (pattern, names) = match template::parse(&text) {
        Ok(template) => pieces(&template),
        Err(message) => {
            reader.problem(at, message);
            (Vec::new(), Vec::new())
        }
    };
    reader.scopes.push(names);
    let call = fields.take("open");
    let call = call.and_then(|at| effects::call(reader, &at, ItemKind::Screen));
    let set = fields.list(reader, "set", effects::assignments);
    reader.scopes.pop();
    fields.finish(reader);
    let call = call?;
    Some(Link {
        pattern,
        screen: call.screen,
        with: call.with,
        set,
    })
}

fn pieces(template: &template::Template) -> (Vec<Piece>, Vec<Arc<str>>) {
    let mut names = vec![Arc::from("uri")];
    let pieces = match template {
        template::Template::Fixed(text) => vec![Piece::Fixed(text.to_string())],
        template::Template::Parts(parts) => parts
            .iter()
            .map(|part| match part {
                template::Part::Text(text) => Piece::Fixed(text.clone()),
                template::Part::Expr(expr) => {
                    let mut found = Arc::from("");
                    expr.names(&mut |name, _| found = Arc::clone(name));
                    names.push(Arc::clone(&found));
                    Piece::Name(found)
                }
            })
            .collect(),
    };
    (pieces, names)
}

/// Reports unknown screens, dialogs, menus and actions, and wrong parameters.
fn check_references(
    reader: &mut Reader,
    screens: &BTreeMap<Arc<str>, Vec<Arc<str>>>,
    dialogs: &BTreeMap<Arc<str>, Vec<Arc<str>>>,
    menus: &BTreeMap<Arc<str>, Arc<menu::Menu>>,
    actions: &BTreeMap<Arc<str>, Effects>,
) {
    let references = std::mem::take(&mut reader.references);
    for reference in &references {
        let (noun, known): (&str, Vec<&str>) = match reference.kind {
            ItemKind::Screen => ("screen", screens.keys().map(|name| &**name).collect()),
            ItemKind::Dialog => ("dialog", dialogs.keys().map(|name| &**name).collect()),
            ItemKind::Menu => ("menu", menus.keys().map(|name| &**name).collect()),
            ItemKind::Action => ("action", actions.keys().map(|name| &**name).collect()),
        };
        let (name, at): (&str, Place) = (&reference.name, reference.at);
        if !known.contains(&name) {
            let hint = nearest(name, known.into_iter());
            let message = format!("there is no {noun} `{name}`{hint}");
            reader.problem_at(at, &reference.path, message);
            continue;
        }
        let Some(given) = &reference.with else {
            continue;
        };
        let declared = match reference.kind {
            ItemKind::Screen => screens.get(name),
            ItemKind::Dialog => dialogs.get(name),
            ItemKind::Menu | ItemKind::Action => continue,
        };
        let declared = declared.cloned().unwrap_or_default();
        let of = format!(" of the {noun} `{name}`");
        let place = (at, &*reference.path);
        effects::check_names(reader, place, ("parameter", &of), &declared, given.iter());
    }
    reader.references = references;
}

/// Reports actions that call themselves without a delay.
fn check_calls(reader: &mut Reader, actions: &BTreeMap<Arc<str>, Effects>) {
    for name in actions.keys() {
        let mut seen = Vec::new();
        let mut open: Vec<Arc<str>> = vec![Arc::clone(name)];
        while let Some(next) = open.pop() {
            let mut calls = Vec::new();
            if let Some(effects) = actions.get(&next) {
                effects::calls(effects, &mut calls);
            }
            if calls.contains(name) {
                let path = format!("actions.{name}");
                let message = "this action calls itself; put an `after` in between";
                reader.problem_at(reader.place_of(&path), &path, message);
                break;
            }
            for call in calls {
                if !seen.contains(&call) {
                    seen.push(Arc::clone(&call));
                    open.push(call);
                }
            }
        }
    }
}

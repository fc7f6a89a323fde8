//! Reads the effects `update`, `remove`, `fetch` and `request_permission`.

use std::sync::Arc;
use std::time::Duration;

use super::{self as effects, Effect, Fetch, PermissionRequest, Update};
use crate::expr::Expr;
use crate::expr::value::Value;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::words::{Words, nearest};

/// Reads `update: { cart: { quantity: "= quantity + 1" } }`, with or without `where`.
pub(crate) fn update(reader: &mut Reader, at: &Located<'_>, fields: &mut Fields<'_>) -> Effect {
    let mut lists = Vec::new();
    let all = Fields::names(reader, at).map_or_else(Vec::new, |mut fields| fields.take_all());
    let mut last_fields = Vec::new();
    for (name, value) in all {
        let Some(known) = list_fields(reader, &value, name) else {
            continue;
        };
        last_fields.clone_from(&known);
        reader.scopes.push(known.clone());
        let pairs = effects::pairs(reader, &value);
        reader.scopes.pop();
        for (field, _) in &pairs {
            if !known.contains(field) {
                let hint = nearest(field, known.iter().map(|each| &**each));
                reader.problem(&value, format_args!("there is no field `{field}`{hint}"));
            }
        }
        lists.push((Arc::from(name), pairs));
    }
    let condition = condition(reader, fields, last_fields);
    Effect::Update(Arc::new(Update { lists, condition }))
}

/// Reads `remove: cart`, with or without `where`.
pub(crate) fn remove(
    reader: &mut Reader,
    at: &Located<'_>,
    fields: &mut Fields<'_>,
) -> Option<Effect> {
    let name = reader.variable(at);
    let known = name
        .as_ref()
        .and_then(|name| list_fields(reader, at, name))
        .unwrap_or_default();
    let condition = condition(reader, fields, known);
    Some(Effect::Remove(name?, condition))
}

fn condition(reader: &mut Reader, fields: &mut Fields<'_>, names: Vec<Arc<str>>) -> Option<Expr> {
    let at = fields.take("where")?;
    reader.scopes.push(names);
    let condition = reader.expr(&at);
    reader.scopes.pop();
    condition
}

fn list_fields(reader: &mut Reader, at: &Located<'_>, name: &str) -> Option<Vec<Arc<str>>> {
    let found = reader.lists.iter().find(|(each, _)| &**each == name);
    if let Some((_, fields)) = found {
        return Some(fields.clone());
    }
    let hint = nearest(name, reader.lists.iter().map(|(each, _)| &**each));
    reader.refuse(at, format_args!("there is no list variable `{name}`{hint}"))
}

/// Reads `fetch: { delay: [200ms, 1.5s], fails: 10%, then: …, else: … }`.
pub(crate) fn fetch(reader: &mut Reader, at: &Located<'_>) -> Option<Effect> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("fetch"))?;
    let delay = fields.read(reader, "delay", delay);
    let fails = fields.read(reader, "fails", percent).unwrap_or(0.0);
    let fetch = Fetch {
        delay: delay.unwrap_or_default(),
        fails,
        timeout: fields.duration(reader, "timeout"),
        then: effects::take(reader, &mut fields, "then"),
        otherwise: effects::take(reader, &mut fields, "else"),
    };
    fields.finish(reader);
    Some(Effect::Fetch(Arc::new(fetch)))
}

/// Reads one duration, or a minimum and a maximum.
fn delay(reader: &mut Reader, at: &Located<'_>) -> Option<(Duration, Duration)> {
    let entries = at.entries();
    let times: Vec<Duration> = entries
        .iter()
        .filter_map(|entry| reader.duration(entry))
        .collect();
    match *times.as_slice() {
        [always] => Some((always, always)),
        [min, max] if min <= max => Some((min, max)),
        _ if times.len() < entries.len() => None,
        _ => reader.refuse(
            at,
            "expected a duration, or the least and the largest one: [200ms, 1.5s]",
        ),
    }
}

/// Reads a percentage such as `10%`.
fn percent(reader: &mut Reader, at: &Located<'_>) -> Option<f64> {
    let text = reader.text(at)?;
    let share = crate::units::percent(&text).map_err(|unread| {
        let reason = unread.reason();
        reader.problem(
            at,
            format_args!("expected a percentage such as 10%{reason}"),
        );
    });
    share.ok()
}

/// Reads `request_permission: { name: camera, granted: …, denied: … }`.
pub(crate) fn permission(reader: &mut Reader, at: &Located<'_>) -> Option<Effect> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("permission"))?;
    let name = fields.word(reader, "name", crate::Permission::TABLE);
    let request = (
        effects::take(reader, &mut fields, "granted"),
        effects::take(reader, &mut fields, "denied"),
    );
    fields.finish(reader);
    Some(Effect::RequestPermission(Arc::new(PermissionRequest {
        permission: name?,
        granted: request.0,
        denied: request.1,
    })))
}

pub fn changed(
    record: &[(Arc<str>, Value)],
    pairs: Vec<(Arc<str>, Value)>,
) -> Vec<(Arc<str>, Value)> {
    let mut record = record.to_vec();
    for (name, value) in pairs {
        if let Some((_, old)) = record.iter_mut().find(|(each, _)| *each == name) {
            *old = value.cast(old);
        }
    }
    record
}

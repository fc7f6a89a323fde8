//! The table of the format as a JSON Schema, for editors.

use serde_json::{Map, Value, json};

use super::{EffectRow, Key, PartRow, Shape, WidgetRow, table};

/// The whole schema.
pub(crate) fn schema() -> Value {
    let mut definitions = shared();
    let keys_of_all = table().common.iter().map(|key| ("widget", key));
    for (group, key) in keys_of_all.chain(table().frame.iter().map(|key| ("frame", key))) {
        definitions.insert(format!("{group}.{}", key.name), property(key));
    }
    let mut kinds = Vec::new();
    for row in &table().widgets {
        definitions.insert(format!("widget {}", row.name), widget(row));
        kinds.push((row.name, row.about, row.keys.as_slice()));
    }
    definitions.insert("widget".to_owned(), one_kind("widget", &kinds));
    definitions.insert("widgets".to_owned(), one_or_more(&reference("widget")));
    let mut kinds = Vec::new();
    let mut words = Vec::new();
    for row in &table().effects {
        if row.plain {
            words.push(row.name);
        }
        if !matches!(row.value, Shape::Nothing) {
            definitions.insert(format!("effect {}", row.name), effect(row));
            kinds.push((row.name, row.about, row.keys.as_slice()));
        }
    }
    let words = json!({ "enum": words });
    let effect = json!({ "anyOf": [words, one_kind("effect", &kinds)] });
    definitions.insert("effect".to_owned(), effect);
    definitions.insert("effects".to_owned(), one_or_more(&reference("effect")));
    for row in table().parts.iter().filter(|row| row.name != "app") {
        definitions.insert(row.name.to_owned(), part(row));
    }
    let mut root = Map::new();
    root.insert(
        "$schema".to_owned(),
        json!("http://json-schema.org/draft-07/schema#"),
    );
    root.insert("title".to_owned(), json!("An app of the simulated phone"));
    for row in table().parts.iter().filter(|row| row.name == "app") {
        if let Value::Object(app) = part(row) {
            root.extend(app);
        }
    }
    root.insert("definitions".to_owned(), Value::Object(definitions));
    Value::Object(root)
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{}", name.replace(' ', "%20")) })
}

fn one_or_more(one: &Value) -> Value {
    json!({ "anyOf": [one, { "type": "array", "items": one }] })
}

/// A mapping that is of one of several kinds, by the key that names it.
///
/// Only the kind that is there is looked into: a validator that tries each kind at each level takes ages for a screen.
/// A key that names a kind and is a property of another one, such as the icon of a button, is the property.
fn one_kind(noun: &str, kinds: &[(&str, &str, &[Key])]) -> Value {
    let has = |keys: &[Key], name: &str| keys.iter().any(|key| key.name == name);
    let mut named = Vec::new();
    let mut rules = Vec::new();
    for (name, about, keys) in kinds {
        named.push(json!({
            "required": [name],
            "properties": { *name: { "description": sentence(about) } },
        }));
        let owners: Vec<Value> = kinds
            .iter()
            .filter(|(owner, _, theirs)| owner != name && has(theirs, name) && !has(keys, owner))
            .map(|(owner, ..)| json!({ "required": [owner] }))
            .collect();
        let mut when = json!({ "type": "object", "required": [name] });
        if let (Value::Object(when), false) = (&mut when, owners.is_empty()) {
            when.insert("not".to_owned(), json!({ "anyOf": owners }));
        }
        rules.push(json!({ "if": when, "then": reference(&format!("{noun} {name}")) }));
    }
    json!({ "type": "object", "anyOf": named, "allOf": rules })
}

/// What many keys have in common.
fn shared() -> Map<String, Value> {
    let mut shared: Map<String, Value> = match serde_json::from_str(include_str!("shared.json")) {
        Ok(shared) => shared,
        Err(error) => unreachable!("shared.json is no object: {error}"),
    };
    let colors: Vec<&str> = crate::style::ink_names().collect();
    let color = json!({ "anyOf": [{ "enum": colors }, reference("hex")] });
    shared.insert("color".to_owned(), color);
    shared
}

fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Plain(plain) => reference(plain.definition),
        Shape::Count(least) => json!({ "type": "integer", "minimum": least, "maximum": 1_000_000 }),
        Shape::Word(words) => json!({ "enum": words }),
        Shape::Part(name) => reference(name),
        Shape::Parts(name) => one_or_more(&reference(name)),
        Shape::TextsOr(part) => {
            one_or_more(&json!({ "anyOf": [reference("text"), reference(part)] }))
        }
        Shape::ShortOr(short, part) => json!({ "anyOf": [of(short), reference(part)] }),
        Shape::Named(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
        Shape::Nothing => Value::Bool(false),
    }
}

/// The value of a key, with its description; draft 7 ignores what is beside a reference, so that it is wrapped.
fn property(key: &Key) -> Value {
    let value = match key.shape {
        // The app may have styles of its own.
        Shape::Word(words) if key.name == "style" => {
            json!({ "anyOf": [{ "enum": words }, { "type": "string" }] })
        }
        _ => of(&key.shape),
    };
    let mut value = match value {
        Value::Object(map) if map.contains_key("$ref") => {
            let mut wrapped = Map::new();
            wrapped.insert("allOf".to_owned(), json!([map]));
            wrapped
        }
        Value::Object(map) => map,
        _ => Map::new(),
    };
    if !key.about.is_empty() {
        value.insert("description".to_owned(), json!(sentence(key.about)));
    }
    Value::Object(value)
}

/// A phrase of the table as a sentence; backquotes are for Markdown.
fn sentence(phrase: &str) -> String {
    let plain = phrase.replace('`', "");
    let end = if plain.ends_with('.') { "" } else { "." };
    crate::words::capital(&plain) + end
}

fn properties<'a>(keys: impl Iterator<Item = &'a Key>) -> Map<String, Value> {
    keys.map(|key| (key.name.to_owned(), property(key)))
        .collect()
}

/// Adds references to the keys that all have.
fn with_shared(properties: &mut Map<String, Value>, group: &str, keys: &[Key]) {
    for key in keys {
        properties
            .entry(key.name.to_owned())
            .or_insert_with(|| reference(&format!("{group}.{}", key.name)));
    }
}

fn mapping(about: &str, properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut map = Map::new();
    map.insert("type".to_owned(), json!("object"));
    if !about.is_empty() {
        map.insert("description".to_owned(), json!(sentence(about)));
    }
    map.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        map.insert("required".to_owned(), json!(required));
    }
    map.insert("additionalProperties".to_owned(), json!(false));
    Value::Object(map)
}

fn widget(row: &WidgetRow) -> Value {
    let mut inside = properties(row.keys.iter());
    with_shared(&mut inside, "widget", &table().common);
    with_shared(&mut inside, "frame", &table().frame);
    // The keys may be beside the kind as well, and the kind's own value may be the main one.
    let mut outside = inside.clone();
    let main = row
        .keys
        .iter()
        .find(|key| key.name == row.main)
        .map(|key| of(&key.shape));
    let mut forms: Vec<Value> = main.into_iter().collect();
    forms.push(json!({ "type": "null" }));
    forms.push(mapping("", inside, &[]));
    let kind = json!({ "description": sentence(row.about), "anyOf": forms });
    outside.insert(row.name.to_owned(), kind);
    mapping(row.about, outside, &[row.name])
}

fn effect(row: &EffectRow) -> Value {
    let mut all = properties(row.keys.iter());
    let value = Key {
        name: row.name,
        shape: row.value,
        about: row.about,
        needed: true,
    };
    all.insert(row.name.to_owned(), property(&value));
    mapping(row.about, all, &[row.name])
}

fn part(row: &PartRow) -> Value {
    let mut all = properties(row.keys.iter());
    if row.frame {
        with_shared(&mut all, "frame", &table().frame);
    }
    let required: Vec<&str> = row
        .keys
        .iter()
        .filter(|key| key.needed)
        .map(|key| key.name)
        .collect();
    mapping(row.about, all, &required)
}

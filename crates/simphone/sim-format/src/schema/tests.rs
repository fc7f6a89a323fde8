//! The table and the reader agree, in both directions, and what is made from the table is up to date.

use expect_test::expect_file;
use std::collections::BTreeSet;

use super::{Key, Referent, Shape, Topic, ValueKind, mappings, table};
use crate::app::App;
use crate::app::parse::attempt;
use crate::app::static_screen::SELECTORS;
use crate::problem::Problem;
use crate::reader::Reader;

/// A value that fits a shape, in YAML's flow notation; `None` where the sample file has no such thing.
fn samples(shape: &Shape) -> Vec<String> {
    let own = |text: &str| vec![text.to_owned()];
    match shape {
        Shape::Text | Shape::Texts | Shape::Scalar | Shape::Id => own("word"),
        Shape::Template => own("\"{name} {{\""),
        Shape::Expr => own("\"name == 'x'\""),
        Shape::Value => own("\"= 1 + 2\""),
        Shape::Values => own("{ name: \"{name}\" }"),
        Shape::Entries => own("{ name: more, cart: { label: a, price: 1 } }"),
        Shape::Flag => vec!["true".to_owned(), "false".to_owned()],
        Shape::Number => own("1.5"),
        Shape::Count(_) => own("3"),
        Shape::Length => vec!["8".to_owned(), "\"8px\"".to_owned(), "\"50%\"".to_owned()],
        Shape::Sides => vec![
            "8".to_owned(),
            "[1, 2]".to_owned(),
            "[1, 2, 3, 4]".to_owned(),
        ],
        Shape::Size => own("[1080, 2400]"),
        Shape::Way => own("[8, \"-50px\"]"),
        Shape::Color => vec!["primary".to_owned(), "\"#112233\"".to_owned()],
        Shape::Hex => own("\"#112233\""),
        Shape::Faults => vec![
            "crash @4".to_owned(),
            "{ fault: latency, time: 200ms }".to_owned(),
            "[ chaos ]".to_owned(),
        ],
        Shape::Duration => vec!["800ms".to_owned(), "1.5s".to_owned(), "2m".to_owned()],
        Shape::Durations => vec!["1s".to_owned(), "[100ms, 1s]".to_owned()],
        Shape::Percent => own("12.5%"),
        Shape::Sort => vec!["price".to_owned(), "\"-price\"".to_owned()],
        Shape::Variable => own("name"),
        Shape::Word(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Shape::Name(Referent::Screen) => own("main"),
        Shape::Name(Referent::Dialog) => own("ask"),
        Shape::Name(Referent::Menu) => own("entries"),
        Shape::Name(Referent::Action) => own("act"),
        Shape::Call => vec![
            "main".to_owned(),
            "{ screen: other, with: { param: x } }".to_owned(),
        ],
        Shape::Effects => vec![
            "{ set: { name: x } }".to_owned(),
            "[ pop, { toggle: name } ]".to_owned(),
        ],
        Shape::Widget => own("{ text: x }"),
        Shape::Widgets => vec![
            "{ text: x }".to_owned(),
            "[ { text: x }, { space: 2 } ]".to_owned(),
        ],
        Shape::Part(name) => own(&part(name)),
        Shape::Parts(name) => vec![part(name), format!("[ {0}, {0} ]", part(name))],
        Shape::TextsOr(_) => own("[ a, b ]"),
        Shape::ShortOr(short, name) => {
            let mut all = samples(short);
            all.push(part(name));
            all
        }
        Shape::Named(inner) => samples(inner)
            .into_iter()
            .map(|sample| format!("{{ free: {sample} }}"))
            .collect(),
        Shape::Records => vec![
            "[ { a: 1 } ]".to_owned(),
            "{ repeat: 3, item: { a: \"{n}\" } }".to_owned(),
        ],
        Shape::Nothing => Vec::new(),
    }
}

/// The smallest part of a name.
fn part(name: &str) -> String {
    let row = table()
        .parts
        .iter()
        .find(|row| row.name == name)
        .expect("the table names it");
    let mut keys: Vec<String> = row
        .keys
        .iter()
        .filter(|key| key.needed)
        .map(|key| format!("{}: {}", key.name, samples(&key.shape)[0]))
        .collect();
    match name {
        "configuration" => keys.push("theme: dark".to_owned()),
        "timer" => keys.push("every: 1s".to_owned()),
        "handler" => keys.push("text: word".to_owned()),
        _ => {}
    }
    format!("{{ {} }}", keys.join(", "))
}

/// What must be beside a key so that it means something.
fn beside(topic: Topic, key: &str) -> &'static str {
    match (topic, key) {
        (Topic::Widget("switch" | "checkbox" | "radio"), "bind" | "checked") => "",
        (Topic::Widget("chip"), "bind" | "checked") => "",
        (Topic::Widget("chip"), "value") => ", bind: name",
        (Topic::Widget("chips" | "radio_group"), "options") => ", bind: name",
        (Topic::Widget("chips" | "radio_group"), "bind") => ", options: [ a, b ]",
        (Topic::Widget("spinner"), "items") => "",
        (Topic::Widget("spinner"), "text") => ", items: cart",
        (Topic::Widget("spinner"), "value") => ", items: cart, text: x",
        (Topic::Widget("spinner"), key) if key != "options" => ", options: [ a, b ]",
        (Topic::Part("option" | "list option" | "chip option" | "page option"), key) => match key {
            "value" => "",
            "text" => ", value: x",
            _ => ", value: x, text: x",
        },
        (Topic::Widget("switch" | "checkbox"), _) => ", checked: \"true\"",
        (Topic::Widget("radio"), "value") => ", bind: name",
        (Topic::Widget("radio"), _) => ", checked: \"true\"",
        (Topic::Widget("slider"), key) if key != "bind" => ", bind: name",
        (Topic::Widget("list" | "scroll"), "filter" | "empty" | "sort" | "limit") => {
            ", items: cart, row: { text: x }"
        }
        (Topic::Widget("list" | "scroll"), "row") => ", items: cart",
        (Topic::Part("dialog"), key) if table().frame.iter().any(|each| each.name == key) => {
            ", kind: sheet"
        }
        (Topic::Part("dialog call"), "name") => ", with: { param: x }",
        (Topic::Part("screen"), "menu") => ", title: x",
        (Topic::Widget("use"), "with") => ", component: piece",
        (Topic::Widget("use"), "component") => ", with: { label: x }",
        (Topic::Part("call"), "screen" | "on_result") => ", with: { param: x }",
        (Topic::Part("timer"), "do") => ", every: 1s",
        (Topic::Part("screen"), "picture" | "handlers") => {
            ", tree: 'textfield \"word\" clickable editable'"
        }
        (Topic::Part("handler"), key) if !SELECTORS.contains(&key) => ", text: word",
        _ => "",
    }
}

/// A value for a key whose shape alone does not say which values there are.
fn special(topic: Topic, key: &str) -> Option<&'static str> {
    match (topic, key) {
        (Topic::Part("app"), "app") => Some("com.test.app"),
        (Topic::Part("app"), "start") => Some("main"),
        (Topic::Part("app"), "state") => Some("{ name: word }"),
        (Topic::Part("call"), "screen") => Some("other"),
        (Topic::Part("dialog call"), "name") => Some("tell"),
        (Topic::Part("dialog call"), "with") => Some("{ param: x }"),
        (Topic::Part("configuration"), "theme") => Some("dark"),
        (Topic::Part("configuration"), "font_scale") => Some("1.3"),
        (Topic::Part("configuration"), "language") => Some("ar"),
        (Topic::Part("configuration"), "auto_rotate") => Some("true"),
        (Topic::Part("permit"), "permission") => Some("camera"),
        (Topic::Part("call"), "with") => Some("{ param: x }"),
        (Topic::Part("link"), "uri") => Some("\"test://{name}\""),
        (Topic::Part("repeat"), "item") => Some("{ a: \"{n}\" }"),
        (Topic::Part("repeat"), "repeat") => Some("2"),
        (Topic::Part("screen"), "tree") => Some("'column'"),
        (Topic::Part("screen"), "handlers") => Some("{ text: word }"),
        (Topic::Part("handler"), "role") => Some("textfield"),
        (Topic::Part("handler"), "nth") => Some("1"),
        (Topic::Widget("list" | "scroll"), "items") => Some("cart, row: { text: x }"),
        (Topic::Widget("spinner"), "items") => Some("cart, text: x"),
        (
            Topic::Widget("chips" | "radio_group" | "tabs" | "bottom_navigation" | "spinner"),
            "options",
        ) => Some("[ a, { text: b, value: x } ]"),
        (Topic::Widget("use"), "component") => Some("piece"),
        (Topic::Widget("use"), "with") => Some("{ label: x }"),
        (Topic::Part("list variable"), "fields") => Some("[ a ]"),
        (Topic::Part("list variable"), "entries") => Some("[ { a: 1 } ]"),
        (Topic::Part("style"), "style") => Some("title"),
        (Topic::Effect("update"), "update") => Some("{ cart: { price: \"= price + 1\" } }"),
        (Topic::Effect("update" | "remove"), "where") => Some("price > 1"),
        (Topic::Effect("remove"), "remove") => Some("cart"),
        (Topic::Effect("roll"), "roll") => Some("{ name: 6 }"),
        (Topic::Widget("radio"), "bind") => Some("name, value: x"),
        _ => None,
    }
}

/// A whole app in which a mapping of this topic holds `keys`.
fn app_with(topic: Topic, keys: &str) -> String {
    let mut app = "app: com.test.app\n".to_owned();
    let mut start = "start: main\n";
    let mut state = "state: { name: x }\n";
    let mut lists = "lists: { cart: [label, price] }\n";
    let mut data = "data: { goods: [ { a: 1 } ] }\n";
    let mut actions = "actions: { act: { set: { name: y } } }\n";
    let mut screens = "screens: { main: { BODY }, other: { params: param }, free: {} }\n";
    let mut dialogs = "dialogs: { ask: {}, tell: { params: param } }\n";
    let mut menus = "menus: { entries: { text: x } }\n";
    let mut components = "components: { piece: { params: label, body: { text: \"{label}\" } } }\n";
    let mut body = String::new();
    let mut more = String::new();
    match topic {
        Topic::Names => {}
        Topic::Widget(name) => body = format!("body: {{ {name}: {{ {keys} }} }}"),
        Topic::Effect(_) => body = format!("on_open: {{ {keys} }}"),
        Topic::Part("app") => {
            let drop = |line: &mut &str, key: &str| {
                if keys.starts_with(key) {
                    *line = "";
                }
            };
            if keys.starts_with("app:") {
                app.clear();
            }
            drop(&mut start, "start:");
            drop(&mut lists, "lists:");
            drop(&mut data, "data:");
            drop(&mut actions, "actions:");
            drop(&mut dialogs, "dialogs:");
            drop(&mut menus, "menus:");
            drop(&mut state, "state:");
            drop(&mut components, "components:");
            if keys.starts_with("screens:") {
                screens = "";
                start = "start: free\n";
            }
            more = format!("{keys}\n");
        }
        Topic::Part("screen") => {}
        Topic::Part("dialog") => dialogs = "dialogs: { ask: { BODY } }\n",
        Topic::Part("dialog button") => {
            dialogs = "dialogs: { ask: { buttons: { BODY } } }\n";
        }
        Topic::Part("place") => body = format!("body: {{ text: x, at: {{ {keys} }} }}"),
        Topic::Part("option") => {
            body = format!("body: {{ radio_group: {{ bind: name, options: {{ {keys} }} }} }}");
        }
        Topic::Part("list option") => {
            body = format!("body: {{ spinner: {{ bind: name, options: {{ {keys} }} }} }}");
        }
        Topic::Part("chip option") => {
            body = format!("body: {{ chips: {{ bind: name, options: {{ {keys} }} }} }}");
        }
        Topic::Part("page option") => {
            body = format!("body: {{ tabs: {{ bind: name, options: {{ {keys} }} }} }}");
        }
        Topic::Part("menu entry") => {
            menus = "";
            more = format!("menus: {{ entries: {{ {keys} }} }}\n");
        }
        Topic::Part("dialog call") => body = format!("on_open: {{ dialog: {{ {keys} }} }}"),
        Topic::Part("notification") => body = format!("on_open: {{ notify: {{ {keys} }} }}"),
        Topic::Part("timer") => body = format!("timers: {{ {keys} }}"),
        Topic::Part("link") => more = format!("links: {{ {keys} }}\n"),
        Topic::Part("handler") => {
            let node = "textfield \"word\" label=\"word\" #word clickable long-clickable editable";
            body = format!("tree: '{node}', handlers: {{ {keys} }}");
        }
        Topic::Part("repeat") => {
            data = "";
            more = format!("data: {{ many: {{ {keys} }} }}\n");
        }
        Topic::Part("list variable") => {
            lists = "";
            more = format!("lists: {{ cart: [label, price], own: {{ {keys} }} }}\n");
        }
        Topic::Part("permit") => body = format!("on_open: {{ permit: {{ {keys} }} }}"),
        Topic::Part("fetch") => body = format!("on_open: {{ fetch: {{ {keys} }} }}"),
        Topic::Part("permission") => {
            body = format!("on_open: {{ request_permission: {{ {keys} }} }}");
        }
        Topic::Part("style") => more = format!("styles: {{ mine: {{ {keys} }} }}\n"),
        Topic::Part("component") => {
            components = "";
            more = format!("components: {{ own: {{ {keys} }} }}\n");
        }
        Topic::Part("call") => body = format!("on_open: {{ push: {{ {keys} }} }}"),
        Topic::Part("move") => body = format!("body: {{ text: x, move: {{ {keys} }} }}"),
        Topic::Part("scroll_to") => body = format!("on_open: {{ scroll_to: {{ {keys} }} }}"),
        Topic::Part("configuration") => body = format!("on_open: {{ configure: {{ {keys} }} }}"),
        Topic::Part("snackbar") => body = format!("on_open: {{ snackbar: {{ {keys} }} }}"),
        Topic::Part(other) => {
            panic!("the test has no sample with the part `{other}`: add one here")
        }
    }
    let screens = if topic == Topic::Part("screen") {
        screens.replace("free: {}", &format!("free: {{ {keys} }}"))
    } else {
        screens.to_owned()
    };
    let dialogs = dialogs.replace("BODY", keys);
    let screens = screens.replace("BODY", &body);
    format!("{app}{start}{state}{lists}{data}{actions}{components}{screens}{dialogs}{menus}{more}")
}

/// Keys that are needed besides `key`.
fn needed_beside(topic: Topic, keys: &[Key], key: &str) -> String {
    keys.iter()
        .filter(|each| each.needed && each.name != key)
        .filter(|_| topic != Topic::Part("app"))
        .map(|each| {
            let value = special(topic, each.name)
                .map_or_else(|| samples(&each.shape)[0].clone(), str::to_owned);
            format!(", {}: {value}", each.name)
        })
        .collect()
}

/// An app for each key of the table and each kind of value that it takes.
fn every_app() -> Vec<(Topic, Key, String)> {
    let mut all = Vec::new();
    for (topic, keys) in mappings() {
        for key in &keys {
            let values = match special(topic, key.name) {
                Some(value) => vec![value.to_owned()],
                None => samples(&key.shape),
            };
            for value in values {
                let needed = needed_beside(topic, &keys, key.name);
                let first = match topic {
                    Topic::Effect(name) if name != key.name => {
                        let own = keys
                            .iter()
                            .find(|each| each.name == name)
                            .expect("its own key");
                        let value = special(topic, name)
                            .map_or_else(|| samples(&own.shape)[0].clone(), str::to_owned);
                        format!("{name}: {value}, ")
                    }
                    _ => String::new(),
                };
                let text = format!(
                    "{first}{}: {value}{}{needed}",
                    key.name,
                    beside(topic, key.name)
                );
                all.push((topic, *key, app_with(topic, &text)));
            }
        }
    }
    all
}

/// What the reader may read a value of this shape as.
fn reads(shape: &Shape) -> Vec<ValueKind> {
    match shape {
        Shape::Text | Shape::Texts | Shape::Hex => vec![ValueKind::Text],
        Shape::Template => vec![ValueKind::Template],
        Shape::Expr => vec![ValueKind::Expr],
        // A value is a text with expressions or an expression, and is read as such.
        Shape::Value => vec![ValueKind::Value, ValueKind::Template, ValueKind::Expr],
        Shape::Values => vec![ValueKind::Values, ValueKind::Names],
        Shape::Entries => vec![ValueKind::Entries, ValueKind::Names],
        Shape::Flag => vec![ValueKind::Flag],
        Shape::Number => vec![ValueKind::Number],
        Shape::Count(_) => vec![ValueKind::Count],
        Shape::Length => vec![ValueKind::Length],
        Shape::Sides => vec![ValueKind::Sides],
        Shape::Size => vec![ValueKind::Size],
        Shape::Way => vec![ValueKind::Way],
        Shape::Color => vec![ValueKind::Color, ValueKind::Word],
        Shape::Duration | Shape::Durations => vec![ValueKind::Duration],
        Shape::Percent => vec![ValueKind::Percent],
        Shape::Sort => vec![ValueKind::Sort],
        Shape::Faults => vec![ValueKind::Faults],
        Shape::Id => vec![ValueKind::Id],
        Shape::Variable => vec![ValueKind::Variable],
        Shape::Word(_) => vec![ValueKind::Word],
        Shape::Name(referent) => vec![ValueKind::Name(*referent)],
        Shape::Call => vec![ValueKind::Call, ValueKind::Part("call")],
        Shape::Effects => vec![ValueKind::Effects, ValueKind::Part("effect")],
        Shape::Widget | Shape::Widgets => vec![ValueKind::Widgets, ValueKind::Part("widget")],
        Shape::Part(name) | Shape::Parts(name) => vec![ValueKind::Part(name)],
        Shape::TextsOr(part) => vec![ValueKind::Template, ValueKind::Part(part)],
        Shape::ShortOr(short, part) => {
            let mut all = reads(short);
            all.push(ValueKind::Part(part));
            all
        }
        // What is below a name of the author's choice is read without its key.
        Shape::Named(_) => vec![ValueKind::Names],
        Shape::Records => vec![ValueKind::Names, ValueKind::Part("repeat")],
        Shape::Scalar | Shape::Nothing => Vec::new(),
    }
}

fn read(reader: &mut Reader, yaml: &str) -> Result<App, Vec<Problem>> {
    attempt(reader, yaml)
}

#[test]
fn table_and_readers_agree() {
    let mut reader = Reader::default();
    let mut wrong = Vec::new();
    for (topic, key, app) in every_app() {
        let notes = std::mem::take(&mut reader.notes);
        reader = Reader {
            notes,
            ..Reader::default()
        };
        if let Err(problems) = read(&mut reader, &app) {
            wrong.push(format!("{topic:?} {}: {problems:?}\n{app}", key.name));
        }
    }
    assert!(
        wrong.is_empty(),
        "the reader refuses what the table allows:\n{}",
        wrong.join("\n")
    );

    let rows: BTreeSet<(Topic, &str)> = mappings()
        .iter()
        .flat_map(|(topic, keys)| keys.iter().map(|key| (*topic, key.name)))
        .collect();
    let notes = &reader.notes;
    let unknown: Vec<_> = notes
        .keys
        .iter()
        .filter(|(topic, _)| !matches!(topic, Topic::Names))
        .filter(|key| !rows.contains(*key))
        .collect();
    assert!(
        unknown.is_empty(),
        "the reader asks for keys that have no row in schema/format.txt: {unknown:?}"
    );
    let plain: BTreeSet<&str> = table()
        .effects
        .iter()
        .filter(|row| matches!(row.value, Shape::Nothing))
        .map(|row| row.name)
        .collect();
    let unread: Vec<_> = rows
        .iter()
        .filter(|key| !notes.keys.contains(*key))
        .filter(|(topic, _)| !matches!(topic, Topic::Effect(name) if plain.contains(name)))
        .collect();
    assert!(
        unread.is_empty(),
        "the table has keys that the reader never asks for: {unread:?}"
    );

    for (topic, keys) in mappings() {
        for key in keys {
            let allowed = reads(&key.shape);
            let Some(seen) = notes.reads.get(&(topic, key.name)) else {
                assert!(
                    matches!(key.shape, Shape::Nothing | Shape::Scalar | Shape::Records),
                    "{topic:?} {} is read as nothing",
                    key.name
                );
                continue;
            };
            for asked in seen {
                assert!(
                    allowed.contains(asked),
                    "{topic:?} {}: the table says {:?}, the reader reads it as {asked:?}",
                    key.name,
                    key.shape
                );
            }
            if let Shape::Word(words) = key.shape {
                let table: BTreeSet<String> = words.iter().map(|word| (*word).to_owned()).collect();
                let reader = notes
                    .words
                    .get(&(topic, key.name))
                    .cloned()
                    .unwrap_or_default();
                assert_eq!(table, reader, "the words of {topic:?} {}", key.name);
            }
        }
    }
}

#[test]
fn the_class_of_each_widget_is_what_the_table_says() {
    for row in &table().widgets {
        assert!(
            row.keys.is_empty() || row.keys.iter().any(|key| key.name == row.main),
            "`{}` has no key `{}`",
            row.name,
            row.main
        );
    }
}

#[test]
fn schema_and_reference_are_up_to_date() {
    let schema = serde_json::to_string_pretty(&super::app_schema()).unwrap() + "\n";
    expect_file!["../../schemas/app.schema.json"].assert_eq(&schema);
    expect_file!["../../assets/apps/REFERENCE.md"].assert_eq(&super::app_reference());
}

/// An app file as the JSON value that an editor's plugin makes of it.
fn json(node: &crate::yaml::Node<'_>) -> serde_json::Value {
    use crate::yaml::Yaml;
    match &node.value {
        Yaml::Null => serde_json::Value::Null,
        Yaml::Bool(bool) => (*bool).into(),
        Yaml::Number(number) if number.fract() == 0.0 => (*number as i64).into(),
        Yaml::Number(number) => (*number).into(),
        Yaml::Text(text) => (**text).into(),
        Yaml::List(entries) => entries.iter().map(json).collect(),
        Yaml::Map(entries) => serde_json::Value::Object(
            entries
                .iter()
                .map(|(key, node)| ((**key).to_owned(), json(node)))
                .collect(),
        ),
    }
}

fn violations(validator: &jsonschema::Validator, yaml: &str) -> Vec<String> {
    let node = crate::yaml::read(yaml).unwrap();
    validator
        .iter_errors(&json(&node))
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_schema_allows_what_can_be_read() {
    let validator = jsonschema::validator_for(&super::app_schema()).unwrap();
    for file in crate::catalog::built_in_files() {
        let wrong = violations(&validator, file.text);
        assert_eq!(wrong, Vec::<String>::new(), "{}", file.name);
    }
    for (topic, key, app) in every_app() {
        assert_eq!(
            violations(&validator, &app),
            Vec::<String>::new(),
            "{topic:?} {}\n{app}",
            key.name
        );
    }
}

#[test]
fn the_schema_refuses_what_has_the_wrong_form() {
    let validator = jsonschema::validator_for(&super::app_schema()).unwrap();
    let screen =
        |inner: &str| format!("app: com.test.app\nstart: main\nscreens: {{ main: {{ {inner} }} }}");
    for yaml in [
        "app: com.test.app\nscreens: { main: {} }".to_owned(),
        "app: com.test.app\nstart: main\nscreens: [ main ]".to_owned(),
        "app: com.test.app\nstart: main\nlabl: x".to_owned(),
        screen("body: { buton: OK }"),
        screen("body: { text: OK, styel: title }"),
        screen("body: { text: OK, text_align: middle }"),
        screen("body: { text: [ OK ] }"),
        screen("body: { text: OK, padding: wide }"),
        screen("body: { text: OK, bold: yes }"),
        screen("on_open: { sett: { a: 1 } }"),
        screen("on_open: popp"),
        screen("on_open: { after: soon, do: pop }"),
        screen("header: huge"),
        screen("timers: { each: 1s }"),
    ] {
        assert!(!violations(&validator, &yaml).is_empty(), "{yaml}");
        assert!(read(&mut Reader::default(), &yaml).is_err(), "{yaml}");
    }
}

#[test]
fn the_readme_names_everything() {
    let readme = include_str!("../../assets/apps/README.md");
    let mut quoted = BTreeSet::new();
    for (index, piece) in readme.split('`').enumerate() {
        if index % 2 == 1 {
            let words = piece.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            quoted.extend(words.filter(|word| !word.is_empty()));
        }
    }
    let mut missing = Vec::new();
    for (topic, keys) in mappings() {
        missing.extend(
            keys.iter()
                .filter(|key| !quoted.contains(key.name))
                .map(|key| (topic, key.name)),
        );
    }
    assert!(
        missing.is_empty(),
        "assets/apps/README.md does not name {missing:?}"
    );
    for row in super::FUNCTIONS {
        assert!(
            quoted.contains(row.name),
            "assets/apps/README.md does not name `{}`",
            row.form
        );
    }
}

/// A yaml block of the README as a whole app.
fn readme_app(block: &str) -> Option<String> {
    let indented = |by: &str| {
        block
            .lines()
            .map(|line| format!("{by}{line}\n"))
            .collect::<String>()
    };
    let around = "app: com.test.readme\nstart: main\n\
        state: { wifi: true, size: small, query: \"\", busy: false, error: \"\", password: \"\", choice: \"\", name: x, price: 1, email: \"\", tab: a, page: a, count: 1, stars: 1, level: 1, news: 1, loading: false, open: false, at_end: true }\n\
        lists: { cart: [name, price], goods: [name, quantity] }\n\
        data: { products: [ { name: Tea, price: 2 } ], mails: [ { subject: Hello } ] }\n\
        actions: { load: { clear: error } }\n\
        dialogs: { wifi_off: {} }\n";
    let screens =
        "screens:\n  home: {}\n  pick: {}\n  camera: {}\n  detail: { params: [name, price] }\n";
    let first = block.lines().next()?;
    if first.starts_with('#') {
        None
    } else if first.starts_with("app:") {
        Some(block.to_owned())
    } else if first.starts_with("- ") {
        Some(format!(
            "{around}{screens}  main:\n    body:\n{}",
            indented("      ")
        ))
    } else {
        // The entries of a cart have a quantity in some examples.
        let around = if block.contains("quantity") {
            around.replace("cart: [name, price]", "cart: [name, quantity]")
        } else {
            around.to_owned()
        };
        Some(format!(
            "{around}{screens}  main:\n    body:\n      - text: x\n{}",
            indented("        ")
        ))
    }
}

#[test]
fn every_example_of_the_readme_is_valid() {
    let readme = include_str!("../../assets/apps/README.md");
    let validator = jsonschema::validator_for(&super::app_schema()).unwrap();
    let mut seen = 0;
    for block in readme.split("```yaml\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let Some(app) = readme_app(block) else {
            continue;
        };
        let read = read(&mut Reader::default(), &app);
        assert!(read.is_ok(), "{:#?}\n{app}", read.err());
        assert_eq!(violations(&validator, &app), Vec::<String>::new(), "{app}");
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} examples were found");
}

//! The page of actions.

use serde_json::{Map, Value, json};

use super::markdown::{Page, Property, code, codes};
use crate::{
    actions::ActionKind,
    error::ErrorCode,
    keys::{ExecutionKey, ParamKey, RetryKey},
    retry::{Retry, RetryParams},
    schema,
    warning::WarningCode,
    words::{ClickType, Word},
};

pub(super) fn page() -> String {
    let mut page = Page::titled("Actions");
    page.paragraph(
        "An action is an object with an `id`, a `type` and, if the type has any, `params`. Input accepts every \
        spelling listed here; output uses the canonical one. Times are in milliseconds and may have fractions.",
    );
    page.paragraph(
        "With `\"observe\": \"diff\"` beside `type`, the data of its step has what it changed on the screen (`changes`, or \
        `screen` if it is a new one), with `\"screen\"` the screen after it, and with `\"none\"` only its effect, as `observe` \
        does for the whole plan.",
    );
    page.heading("Types");
    page.table(
        ["type", "also accepted", "what it does"],
        ActionKind::ALL.iter().map(|kind| {
            [
                format!("[`{kind}`](#{kind})"),
                codes(kind.aliases()),
                summary(&described(*kind).0),
            ]
        }),
    );
    page.paragraph(&format!(
        "Types ignore case and surrounding white space. Any other type is refused with `{}`.",
        ErrorCode::ExecutionActionUnsupported
    ));
    for kind in ActionKind::ALL {
        action(&mut page, *kind);
    }
    spellings(&mut page);
    retry(&mut page);
    warnings(&mut page);
    page.finish()
}

/// The part of the page about one action, as a separate page.
pub(super) fn one(kind: ActionKind) -> String {
    let mut page = Page::titled(kind.as_str());
    about(&mut page, kind);
    page.finish()
}

/// The description of an action, the schema of its params, and the definitions that it uses.
fn described(kind: ActionKind) -> (String, Value, Map<String, Value>) {
    let mut generator = schema::generator();
    kind.params_schema(&mut generator);
    let definitions = generator.take_definitions(true);
    let schema = definitions
        .get(kind.params_name().as_ref())
        .cloned()
        .unwrap_or_default();
    let text = schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    (text, schema, definitions)
}

/// The first sentence of a description, without its full stop.
fn summary(description: &str) -> String {
    let first = description.lines().next().unwrap_or_default();
    first.strip_suffix('.').unwrap_or(first).to_owned()
}

fn action(page: &mut Page, kind: ActionKind) {
    page.heading(kind.as_str());
    about(page, kind);
}

fn about(page: &mut Page, kind: ActionKind) {
    let (description, schema, definitions) = described(kind);
    page.paragraph(&description);
    let mut properties = Property::all(&schema, &definitions);
    properties.sort_by_key(|property| ParamKey::from_word(&property.name));
    page.table(
        ["param", "value", "required", "default", "range", "meaning"],
        properties.into_iter().map(|property| {
            [
                code(property.name),
                property.kind,
                property.required.to_owned(),
                property.default,
                property.range,
                property.meaning,
            ]
        }),
    );
    if let Some(condition) = definitions.get("Condition") {
        conditions(page, condition, &definitions);
    }
    page.paragraph(&format!("```json\n{}\n```", example(kind)));
}

/// The kinds of conditions, each an object with one key.
fn conditions(page: &mut Page, condition: &Value, definitions: &Map<String, Value>) {
    page.paragraph(
        "A condition is an object with exactly one of these keys. Except for `visible`, nodes that are scrolled out of \
        view count, too, as far as the device reports them.",
    );
    let kinds = Property::all(condition, definitions);
    page.table(
        ["condition", "value", "range", "meaning"],
        kinds.into_iter().map(|kind| {
            let inside = definitions.get(&kind.kind);
            let keys = inside.map(|inside| Property::all(inside, definitions));
            let value = keys.map_or(kind.kind, |keys| condition_value(&keys));
            [code(kind.name), value, kind.range, kind.meaning]
        }),
    );
}

/// The keys inside a condition: the required ones, and the choice of one of several.
fn condition_value(keys: &[Property]) -> String {
    let named = |required: &str| -> Vec<String> {
        let keys = keys.iter().filter(|key| key.required == required);
        keys.map(|key| code(&key.name)).collect()
    };
    let choice = named("exactly one").join(" or ");
    let optional = named("no")
        .into_iter()
        .map(|key| format!("{key} (optional)"));
    named("yes")
        .into_iter()
        .chain((!choice.is_empty()).then_some(choice))
        .chain(optional)
        .collect::<Vec<_>>()
        .join(", ")
}

fn example(kind: ActionKind) -> String {
    let params: Value = serde_json::from_str(kind.example()).unwrap_or_default();
    let id = format!("{}-1", kind.as_str().replace('_', "-"));
    let mut action = json!({ "id": id, "type": kind });
    if params.as_object().is_some_and(|params| !params.is_empty())
        && let Some(action) = action.as_object_mut()
    {
        action.insert("params".to_owned(), params);
    }
    action.to_string()
}

fn spellings(page: &mut Page) {
    page.heading("Other spellings of keys");
    page.paragraph(&format!(
        "If a canonical key and another spelling of it are both given, the canonical one applies and the result has \
        the warning `{}`. Two other spellings without the canonical one are an error. For the keys of matchers see \
        [Selectors](selectors.md).",
        WarningCode::AliasIgnored
    ));
    let rows = aliased::<ExecutionKey>("execution")
        .into_iter()
        .chain(aliased::<ParamKey>("params"));
    page.table(["key", "in", "also accepted"], rows);
    page.paragraph(&format!(
        "`clickType` also accepts {}. `direction`, `clickType`, `key` and `validator` ignore case and surrounding white space.",
        ClickType::ALL
            .iter()
            .flat_map(|click| click
                .aliases()
                .iter()
                .map(move |alias| format!("`{alias}` for `{click}`")))
            .collect::<Vec<_>>()
            .join(" and ")
    ));
}

fn aliased<K: Word>(place: &str) -> Vec<[String; 3]> {
    K::ALL
        .iter()
        .filter(|key| !key.other_words().is_empty())
        .map(|key| [code(key.word()), place.to_owned(), codes(key.other_words())])
        .collect()
}

fn retry(page: &mut Page) {
    page.heading("Retry objects");
    page.paragraph(
        "`retry`, `scrollRetry` and `clickRetry` are objects with these keys. Values outside their range are clamped, \
        with a warning. `{}` means one attempt; without the object the action's preset applies. `UiReadiness` ends early \
        where waiting cannot help, such as on a settled web page. Actions whose `retry` has the preset `UiReadiness` \
        also take `timeoutMs` in its place: they look for their node for that long, at most 30000 milliseconds.",
    );
    let schema = schema::of::<RetryParams>();
    let mut properties = Property::all(&schema, &Map::new());
    properties.sort_by_key(|property| RetryKey::from_word(&property.name));
    page.table(
        ["key", "value", "default", "range", "meaning"],
        properties.into_iter().map(|property| {
            [
                code(property.name),
                property.kind,
                property.default,
                property.range,
                property.meaning,
            ]
        }),
    );
    page.table(
        ["preset", "attempts", "delays between them", "jitter"],
        Retry::PRESETS.iter().map(|(name, preset)| {
            let pauses: Vec<String> = preset.delays().map(|delay| delay.to_string()).collect();
            [
                code(name),
                preset.max_attempts.to_string(),
                if pauses.is_empty() {
                    "–".to_owned()
                } else {
                    pauses.join(", ")
                },
                preset.jitter_ratio.to_string(),
            ]
        }),
    );
}

fn warnings(page: &mut Page) {
    page.heading("Warnings");
    page.paragraph(
        "`warnings` of the result lists warnings, each with `code`, `message` and, if it concerns a key, `path`. The \
        key is absent if there are none.",
    );
    page.table(
        ["code", "meaning"],
        WarningCode::ALL
            .iter()
            .map(|warning| [code(warning), warning.meaning().to_owned()]),
    );
}

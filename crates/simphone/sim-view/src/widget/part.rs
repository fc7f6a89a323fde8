//! Parts of larger widgets, such as the clear button of a field.

use std::sync::Arc;

use sim_format::expr::Lookup;
use sim_format::widget::{Key, Part, PartAction};

use crate::env::Env;

/// Whether a part is present now; `owner` is the widget to which it belongs.
pub fn is_present(part: &Part, owner: Key, names: &dyn Lookup, env: &Env<'_>) -> bool {
    match part.action {
        PartAction::Clear => !owner_text(part, owner, names, env).is_empty(),
        PartAction::Unmask => true,
    }
}

pub(super) fn owner_text(part: &Part, owner: Key, names: &dyn Lookup, env: &Env<'_>) -> Arc<str> {
    written(part.bind.as_ref(), owner, names, env)
}

/// Returns the text of a field, from its variable or its window.
pub(super) fn written(
    bind: Option<&Arc<str>>,
    field: Key,
    names: &dyn Lookup,
    env: &Env<'_>,
) -> Arc<str> {
    let text = match bind {
        Some(name) => names.get(name).map(|value| value.to_text()),
        None => env.local.texts.get(&field).cloned(),
    };
    text.unwrap_or_else(|| Arc::from(""))
}

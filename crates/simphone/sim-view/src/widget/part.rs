//! Parts of larger widgets: whether they are shown, and the text of the widget that they serve.

use std::sync::Arc;

use sim_format::expr::Lookup;
use sim_format::widget::{Key, Part, PartAction};

use crate::env::Env;

/// Whether it is there now; `owner` is the widget that it serves.
pub fn is_there(part: &Part, owner: Key, names: &dyn Lookup, env: &Env<'_>) -> bool {
    match part.action {
        PartAction::Clear => !served_text(part, owner, names, env).is_empty(),
        PartAction::Unmask => true,
    }
}

/// What is written in the widget that it serves.
pub(super) fn served_text(part: &Part, owner: Key, names: &dyn Lookup, env: &Env<'_>) -> Arc<str> {
    written(part.bind.as_ref(), owner, names, env)
}

/// What is written in a field: in its variable, or by itself.
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

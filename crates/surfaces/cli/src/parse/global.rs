//! Extraction of global flags: they may appear anywhere, and the last one applies.

use contract::ErrorBody;

use super::{Token, split};
use crate::errors::usage;
use crate::table::globals::{self, Globals, Setting};

/// Extracts the global flags and returns the other tokens in order.
pub(super) fn take<'a>(tokens: &[Token<'a>]) -> Result<(Globals, Vec<Token<'a>>), ErrorBody> {
    let mut globals = Globals::default();
    let mut rest = Vec::new();
    let mut ahead = tokens.iter().copied().peekable();
    while let Some(token) = ahead.next() {
        let Token::Free(text) = token else {
            rest.push(token);
            continue;
        };
        let (name, inline) = split(text);
        let Some(global) = globals::find(name) else {
            rest.push(token);
            continue;
        };
        let value = match (global.flag.value.count(), inline) {
            (0, None) => "",
            (0, Some(_)) => return Err(usage(format!("{name} takes no value"))),
            (_, Some(value)) => filled(name, Some(value))?,
            (_, None) => {
                let value = ahead.peek().and_then(|next| next.value());
                if value.is_some() {
                    ahead.next();
                }
                filled(name, value)?
            }
        };
        (global.set)(&mut globals, &Setting { name, value })?;
        if global.scope.applies_to_runs() {
            globals.named.push((global, name.to_owned()));
        }
    }
    Ok((globals, rest))
}

fn filled<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, ErrorBody> {
    value
        .filter(|value| !value.is_empty())
        .ok_or_else(|| usage(format!("{name} requires a value")))
}

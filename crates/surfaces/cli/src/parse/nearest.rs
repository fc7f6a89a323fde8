//! Errors of unknown names, with suggestions.

use contract::{ErrorBody, ErrorCode};

use super::other_tools;
use crate::errors::{alternatives, usage};
use crate::table::{Command, Flag, FlagValue, Group, Table, flags, globals};

pub(crate) fn unknown_command(name: &str, second: Option<&str>, table: &Table) -> ErrorBody {
    let name = escape::truncate_input(name);
    let name = name.as_str();
    if name.starts_with('-') {
        let error = ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {name} is neither a command nor a global flag"),
        );
        let known = other_tools::flag(name).and_then(|written| globals::find(flag_name(written)));
        if let Some(known) = known {
            return error
                .with_suggestion(known.flag.name)
                .with_hint(format!("Use {}", known.flag.usage()));
        }
        return error.with_hint(
            "Put the flags of a command after its name; `clawperator --help` lists the commands",
        );
    }
    if let Some(removed) = table.removed.iter().find(|removed| removed.first == name) {
        let replaced = removed
            .replaced
            .iter()
            .find(|(word, _)| Some(*word) == second);
        return match replaced {
            Some((word, replacement)) => ErrorBody::new(
                ErrorCode::UnknownCommand,
                format!("'{name} {word}' has been removed. Use '{replacement}' instead"),
            )
            .with_suggestion(*replacement),
            None => {
                let known: Vec<String> = removed
                    .replaced
                    .iter()
                    .map(|(word, replacement)| format!("'{name} {word}' is '{replacement}'"))
                    .collect();
                ErrorBody::new(
                    ErrorCode::UnknownCommand,
                    format!(
                        "the commands under '{name}' have been removed: {}",
                        known.join(", ")
                    ),
                )
            }
        };
    }
    let error = |more: &str| {
        ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {name}{more}"),
        )
        .with_hint("`clawperator --help` lists the commands")
    };
    let two_words: Vec<&str> = table
        .commands
        .iter()
        .flat_map(|command| command.synonyms)
        .copied()
        .filter(|synonym| {
            synonym
                .split_once(' ')
                .is_some_and(|(first, _)| first == name)
        })
        .collect();
    if !two_words.is_empty() {
        return error(&format!("; did you mean {}?", alternatives(&two_words)));
    }
    if let Some(error) = other_tools::command(name, second) {
        return error;
    }
    match nearest_command(name, table).or_else(|| longer_name(name, table)) {
        Some(best) => error(&format!(". Did you mean '{best}'?")).with_suggestion(best),
        None => error(""),
    }
}

pub(crate) fn unknown_member(name: &str, group: &Command, table: &Table) -> ErrorBody {
    let name = escape::truncate_input(name);
    let known: Vec<&str> = table.members(group).map(|member| member.name).collect();
    let whole = format!("{} {name}", group.name);
    let mut words = table.member_words(group);
    words.sort_unstable();
    let best = contract::nearest_command(&name, words);
    let best = best.map(|word| format!("{} {word}", group.name));
    match best {
        Some(best) => ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {whole}. Did you mean '{best}'?"),
        )
        .with_suggestion(best),
        None => ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!(
                "Unknown command: {whole} (expected {})",
                alternatives(&known)
            ),
        ),
    }
}

/// The command whose name is the first word of a longer name such as `inspect_element`.
fn longer_name(name: &str, table: &Table) -> Option<&'static str> {
    let first = name.split(['_', '-']).next()?;
    table
        .commands
        .iter()
        .filter(|command| command.group != Group::Hidden)
        .map(|command| command.name)
        .find(|name| *name == first)
}

/// The closest command name; of equally close ones a primary name before a synonym, then in alphabetical order.
fn nearest_command(name: &str, table: &Table) -> Option<&'static str> {
    let mut candidates: Vec<(bool, &'static str)> = table
        .commands
        .iter()
        .filter(|command| command.group != Group::Hidden)
        .flat_map(|command| command.names().map(|name| (name != command.name, name)))
        .collect();
    candidates.sort_unstable();
    contract::nearest_command(name, candidates.into_iter().map(|(_, name)| name))
}

/// Error of an unknown flag.
pub(crate) fn unknown_flag(
    name: &str,
    spelled: &str,
    command: &'static Command,
    table: &Table,
) -> ErrorBody {
    let name = escape::truncate_input(name);
    let name = name.as_str();
    let error = usage(format!("{spelled} has no flag '{name}'"));
    if let Some(written) = written_here(name, command) {
        return error
            .with_suggestion(flag_name(written))
            .with_hint(format!("Use {written}"));
    }
    if name == "--xpath" {
        return error.with_hint(NO_XPATH);
    }
    // A command's own flags come before the global ones.
    let best = contract::nearest_flag(name, known(command).flat_map(Flag::spellings));
    match best {
        Some(best) => usage(format!(
            "{spelled} has no flag '{name}'. Did you mean '{best}'?"
        ))
        .with_suggestion(best),
        None => error.with_hint(match served_by_another(name, command, table) {
            Some(other) => format!(
                "`clawperator {other} {name}` accepts it and serves the same tools over HTTP at /mcp"
            ),
            None => format!("`clawperator {} --help` lists its flags", command.name),
        }),
    }
}

/// The other server command, if it has the flag.
fn served_by_another(name: &str, command: &Command, table: &Table) -> Option<&'static str> {
    let mut others = table
        .commands
        .iter()
        .filter(|other| command.serves() && other.serves() && other.flag(name).is_some());
    Some(others.next()?.name)
}

fn known(command: &'static Command) -> impl Iterator<Item = &'static Flag> {
    let globals = globals::ALL
        .iter()
        .filter(|global| command.uses(global.scope));
    command
        .own_flags()
        .chain(globals.map(|global| &global.flag))
}

const NO_XPATH: &str =
    "XPath is not supported; use --id, --text, --desc or --role, or --css on web pages";

/// The name of a flag that is written with its value.
fn flag_name(written: &'static str) -> &'static str {
    written.split_once(' ').map_or(written, |(name, _)| name)
}

/// The command's equivalent of a flag of another tool.
fn written_here(name: &str, command: &'static Command) -> Option<&'static str> {
    other_tools::flag(name).filter(|written| {
        let given_name = flag_name(written);
        known(command).any(|flag| flag.name == given_name)
    })
}

/// Error of an unexpected argument; `all` has every positional argument.
pub(crate) fn extra_argument(
    extra: &str,
    all: &[String],
    spelled: &str,
    command: &'static Command,
) -> ErrorBody {
    let extra = escape::truncate_input(extra);
    let extra = extra.as_str();
    let error = usage(format!("{spelled}: unexpected argument {extra:?}"));
    if let Some(written) = written_here(extra, command) {
        return error
            .with_suggestion(flag_name(written))
            .with_hint(format!("Use {written}"));
    }
    if extra.starts_with('-') {
        let misspelled_switch = known(command).find(|flag| {
            matches!(flag.value, FlagValue::Switch)
                && flag.name.trim_start_matches('-') == extra.trim_start_matches('-')
        });
        return match misspelled_switch {
            Some(flag) => error.with_suggestion(flag.name),
            None => error.with_hint("Flags start with two dashes"),
        };
    }
    if command.serves() && command.flag("--port").is_some() && extra.parse::<u16>().is_ok() {
        return error.with_hint(format!("To set the port, use --port {extra}"));
    }
    let point = all.join(" ").replace(',', " ");
    let mut numbers = point.split_whitespace();
    let is_point = numbers.clone().count() == 2 && numbers.all(|part| part.parse::<u32>().is_ok());
    if is_point && command.flag("--coordinate").is_some() {
        return error
            .with_suggestion("--coordinate")
            .with_hint(format!("To pass a point, use --coordinate {point}"));
    }
    if extra.starts_with("//") {
        return error.with_hint(NO_XPATH);
    }
    // Other tools take the field first, then the text.
    if let [field, text] = all
        && command.positional.is_some()
        && let Some((flag, value)) = other_tools::selector(field)
        && command.flag(flag).is_some()
    {
        return error
            .with_suggestion(flag)
            .with_hint(format!("Use {spelled} {text:?} {flag} {value:?}"));
    }
    if command.positional.is_none()
        && let Some((flag, value)) = other_tools::selector(extra)
        && command.flag(flag).is_some()
    {
        return error
            .with_suggestion(flag)
            .with_hint(format!("Use {flag} {value:?}"));
    }
    if command.positional.is_none() && command.flag("--path").is_some() {
        return error.with_hint(format!("To name the file, use --path {extra:?}"));
    }
    let mut names = command.own_flags().map(|flag| flag.name);
    if command.positional.is_none() && names.any(|name| name == flags::TEXT.name) {
        return error.with_hint(format!(
            "To match the text of an element, use --text {extra:?}"
        ));
    }
    error.with_hint(format!(
        "Quote arguments that contain spaces; see `clawperator {} --help`",
        command.name
    ))
}

//! What to say when a name is not known: the nearest one that is.

use contract::{ErrorBody, ErrorCode};

use super::usage;
use crate::echo;
use crate::table::{self, COMMANDS, Command, Flag, REMOVED, Takes, flags, globals};

/// How alike two flags must be, 1 being the same, for one to be suggested for the other.
const ALIKE: f64 = 0.75;

/// Error of a name that no command has.
pub(crate) fn unknown_command(name: &str, second: Option<&str>) -> ErrorBody {
    let name = echo::cut(name);
    let name = name.as_str();
    if name.starts_with('-') {
        return ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {name} is neither a command nor a global flag"),
        )
        .with_hint("Write the flags of a command behind its name; --help lists the commands");
    }
    if let Some(removed) = REMOVED.iter().find(|removed| removed.first == name) {
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
        .with_hint("clawperator --help lists the commands")
    };
    let two_words: Vec<&str> = COMMANDS
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
        return error(&format!("; there is {}", two_words.join(" and ")));
    }
    match nearest_command(name).or_else(|| longer_name(name)) {
        Some(best) => error(&format!(". Did you mean '{best}'?")).with_suggestion(best),
        None => error(""),
    }
}

/// Error of a name that no command of a group has.
pub(crate) fn unknown_member(name: &str, group: &'static Command) -> ErrorBody {
    let name = echo::cut(name);
    let known: Vec<&str> = group.members().map(|member| member.name).collect();
    let whole = format!("{} {name}", group.name);
    let reach = (name.chars().count() / 2).max(2);
    let best = known
        .iter()
        .map(|candidate| (strsim::levenshtein(&whole, candidate), *candidate))
        .filter(|(distance, _)| *distance <= reach)
        .min();
    match best {
        Some((_, best)) => ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {whole}. Did you mean '{best}'?"),
        )
        .with_suggestion(best),
        None => ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {whole}; there is {}", known.join(", ")),
        ),
    }
}

/// The command whose name is the first word of a longer one, as tools elsewhere have them: `inspect_element`.
fn longer_name(name: &str) -> Option<&'static str> {
    let first = name.split(['_', '-']).next()?;
    COMMANDS
        .iter()
        .filter(|command| command.group != table::Group::Hidden)
        .map(|command| command.name)
        .find(|name| *name == first)
}

/// The command name that is near enough, the nearest and then the primary one first.
fn nearest_command(name: &str) -> Option<&'static str> {
    let reach = (name.chars().count() / 2).max(2);
    COMMANDS
        .iter()
        .filter(|command| command.group != table::Group::Hidden)
        .flat_map(|command| {
            command
                .names()
                .map(|candidate| (candidate, candidate != command.name))
        })
        .map(|(candidate, synonym)| (strsim::levenshtein(name, candidate), synonym, candidate))
        .filter(|(distance, ..)| *distance <= reach)
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Error of a flag that the command does not use.
pub(crate) fn unknown_flag(name: &str, spelled: &str, command: &'static Command) -> ErrorBody {
    let name = echo::cut(name);
    let name = name.as_str();
    let best = known(command)
        .flat_map(Flag::spellings)
        .map(|candidate| (alike(name, candidate), candidate))
        .filter(|(alike, _)| *alike > ALIKE)
        // The first of equals, so a command's own flags come before the global ones.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate);
    match best {
        Some(best) => usage(format!(
            "{spelled} has no flag '{name}'. Did you mean '{best}'?"
        ))
        .with_suggestion(best),
        None => usage(format!("{spelled} has no flag '{name}'")).with_hint(
            match served_by_another(name, command) {
                Some(other) => format!(
                    "`clawperator {other} {name}` has it, and serves the same tools over HTTP at /mcp"
                ),
                None => format!("clawperator {} --help lists its flags", command.name),
            },
        ),
    }
}

/// The other server, where it has a flag that this one has not.
fn served_by_another(name: &str, command: &Command) -> Option<&'static str> {
    let mut others = COMMANDS
        .iter()
        .filter(|other| command.serves() && other.serves() && other.flag(name).is_some());
    Some(others.next()?.name)
}

/// How alike two flags are; what is the beginning of a name is nearly it.
fn alike(name: &str, candidate: &str) -> f64 {
    if name.len() > 4 && candidate.starts_with(name) {
        return 0.99;
    }
    strsim::normalized_damerau_levenshtein(name, candidate)
}

fn known(command: &'static Command) -> impl Iterator<Item = &'static Flag> {
    let globals = globals::ALL.iter().copied();
    command
        .own_flags()
        .chain(globals.filter(|flag| command.uses(flag)))
}

/// Error of an argument for which the command has no use.
pub(crate) fn extra_argument(extra: &str, spelled: &str, command: &'static Command) -> ErrorBody {
    let extra = echo::cut(extra);
    let extra = extra.as_str();
    let error = usage(format!("{spelled} has no use for the argument {extra:?}"));
    let own = |flag: &'static Flag| {
        command
            .own_flags()
            .any(|candidate| std::ptr::eq(candidate, flag))
    };
    if extra.starts_with('-') {
        let asked = known(command).find(|flag| {
            matches!(flag.takes, Takes::Nothing)
                && flag.name.trim_start_matches('-') == extra.trim_start_matches('-')
        });
        return match asked {
            Some(flag) => error.with_suggestion(flag.name),
            None => error.with_hint("Flags begin with two dashes"),
        };
    }
    if command.serves() && command.flag("--port").is_some() && extra.parse::<u16>().is_ok() {
        return error.with_hint(format!("A port is given as --port {extra}"));
    }
    if own(&flags::TEXT) && command.positional.is_none() {
        return error.with_hint(format!("An element's text is given as --text {extra:?}"));
    }
    error.with_hint(format!(
        "Quote an argument that holds spaces; clawperator {} --help shows the arguments",
        command.name
    ))
}

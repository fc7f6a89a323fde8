//! The parser of command lines, driven by the table of commands.

mod global;
pub(crate) mod nearest;
pub(crate) mod other_tools;
mod unused;

use contract::ErrorBody;

use crate::errors::usage;
use crate::output::OutputStyle;
use crate::table::globals::Setting;
use crate::table::{
    Arguments, Arity, Command, Flag, FlagValue, Globals, NameLength, ParsedFlag, Scope, Table,
    globals,
};

/// A parsed command line.
pub(crate) enum Request {
    /// The bare version.
    Version,
    /// Help, of the program or of a command.
    Help(Option<&'static Command>),
    Run(&'static Command, Box<Arguments>),
}

/// A token, and whether it comes after `--`, where nothing is a flag.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'a> {
    /// A token that may be a flag.
    Free(&'a str),
    /// A token that is not a flag.
    Literal(&'a str),
}

impl<'a> Token<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::Free(text) | Self::Literal(text) => text,
        }
    }

    /// The token as the value of the preceding flag, if it can be one.
    ///
    /// A value may start with one dash, for example a negative number.
    fn value(self) -> Option<&'a str> {
        match self {
            Self::Free(text) if text.starts_with("--") || globals::find(text).is_some() => None,
            Self::Free(text) => Some(text),
            Self::Literal(_) => None,
        }
    }
}

/// The output style of a command line, even if the line is invalid.
///
/// Errors about the line are printed in the requested format.
pub(crate) fn output_style(argv: &[String]) -> OutputStyle {
    let mut scratch = Globals::default();
    let mut tokens = argv.iter().take_while(|token| *token != "--").peekable();
    while let Some(token) = tokens.next() {
        let (name, inline) = split(token);
        let Some(global) = globals::find(name).filter(|global| global.scope == Scope::Output)
        else {
            continue;
        };
        let value = match global.flag.value.count() {
            0 => Some(""),
            _ => inline.or_else(|| tokens.peek().map(|next| next.as_str())),
        };
        if let Some(value) = value {
            // Errors of the flag are reported when the line is parsed.
            let _ = (global.set)(&mut scratch, &Setting { name, value });
        }
    }
    scratch.style
}

/// Reads the command line.
///
/// # Errors
///
/// An invalid command line, with a suggestion if there is a similar name.
pub(crate) fn parse(argv: &[String], table: &Table) -> Result<Request, ErrorBody> {
    let tokens = tokens(argv);
    if asks_for(&tokens, Scope::Version) {
        return Ok(Request::Version);
    }
    let (globals, rest) = global::take(&tokens)?;
    if asks_for(&tokens, Scope::Help) {
        return Ok(Request::Help(help_topic(&rest, table)));
    }
    let Some((first, mut rest)) = rest.split_first() else {
        return Err(no_command());
    };
    if first.text().is_empty() {
        return Err(no_command());
    }
    let second = rest.first().map(|token| token.text());
    let Some((command, words)) = table.find(first.text(), second) else {
        return Err(nearest::unknown_command(first.text(), second, table));
    };
    let mut spelled = first.text().to_owned();
    if let (NameLength::Two, Some((second, after))) = (words, rest.split_first()) {
        spelled = format!("{spelled} {}", second.text());
        rest = after;
    }
    let arguments = arguments(command, spelled, globals, rest, table)?;
    unused::reject(command, &arguments)?;
    Ok(Request::Run(command, Box::new(arguments)))
}

/// Marks the tokens after the first `--`, which is removed.
fn tokens(argv: &[String]) -> Vec<Token<'_>> {
    let end = argv.iter().position(|token| token == "--");
    argv.iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != end)
        .map(|(at, token)| match end {
            Some(end) if at > end => Token::Literal(token),
            _ => Token::Free(token),
        })
        .collect()
}

fn asks_for(tokens: &[Token<'_>], scope: Scope) -> bool {
    tokens.iter().any(|token| match token {
        Token::Free(text) => globals::find(text).is_some_and(|global| global.scope == scope),
        Token::Literal(_) => false,
    })
}

/// The command whose help is requested; `None` for unknown commands.
fn help_topic(rest: &[Token<'_>], table: &Table) -> Option<&'static Command> {
    let mut words = rest
        .iter()
        .map(|token| token.text())
        .filter(|text| !text.starts_with('-'));
    let first = words.next()?;
    let second = words.next();
    if first == "help" {
        return table
            .find(second.unwrap_or(first), words.next())
            .map(|(command, _)| command);
    }
    table.find(first, second).map(|(command, _)| command)
}

fn no_command() -> ErrorBody {
    usage("no command given; `clawperator --help` lists the commands")
}

/// Splits the rest of the line into flags, their values and positional arguments.
fn arguments(
    command: &'static Command,
    spelled: String,
    globals: Globals,
    tokens: &[Token<'_>],
    table: &Table,
) -> Result<Arguments, ErrorBody> {
    // The name of a group must be followed by one of its commands.
    if table.members(command).next().is_some()
        && let Some(name) = tokens.first().map(|token| token.text())
        && !name.starts_with('-')
    {
        return Err(nearest::unknown_member(name, command, table));
    }
    let mut given = Vec::new();
    let mut positionals = Vec::new();
    let mut rest = tokens.iter().copied();
    while let Some(token) = rest.next() {
        let Token::Free(text) = token else {
            positionals.push(token.text().to_owned());
            continue;
        };
        let (name, inline) = split(text);
        let Some(flag) = command.flag(name) else {
            if name.starts_with("--") {
                return Err(nearest::unknown_flag(name, &spelled, command, table));
            }
            positionals.push(text.to_owned());
            continue;
        };
        let values = match inline {
            Some(value) => inline_values(flag, name, value)?,
            None => {
                let mut ahead = rest.clone();
                let mut values = Vec::new();
                while values.len() < flag.value.count() {
                    let Some(value) = ahead.next().and_then(Token::value) else {
                        break;
                    };
                    rest.next();
                    match flag.value {
                        // Both numbers in one token, as in 540,1200.
                        FlagValue::Point if values.is_empty() && numbers(value).len() > 1 => {
                            values = numbers(value);
                            break;
                        }
                        _ => values.push(value.to_owned()),
                    }
                }
                values
            }
        };
        given.push(ParsedFlag {
            flag,
            spelled: name.to_owned(),
            values,
        });
    }
    let room = match command.positional.as_ref().map(|argument| argument.arity) {
        None => 0,
        Some(Arity::One) => 1,
        Some(Arity::Joined) => {
            if !positionals.is_empty() {
                positionals = vec![positionals.join(" ")];
            }
            1
        }
        Some(Arity::Many) => usize::MAX,
    };
    if let Some(extra) = positionals.get(room) {
        return Err(nearest::extra_argument(
            extra,
            &positionals,
            &spelled,
            command,
        ));
    }
    Ok(Arguments::new(spelled, globals, positionals, given))
}

/// Splits `--flag=value`; anything else is a name without a value.
fn split(token: &str) -> (&str, Option<&str>) {
    match token.split_once('=') {
        Some((name, value)) if name.starts_with("--") => (name, Some(value)),
        _ => (token, None),
    }
}

/// The values of `--flag=value`, two of them where the flag takes a point.
fn inline_values(flag: &Flag, name: &str, value: &str) -> Result<Vec<String>, ErrorBody> {
    match flag.value.count() {
        0 => Err(usage(format!("{name} takes no value"))),
        1 => Ok(vec![value.to_owned()]),
        _ => Ok(numbers(value)),
    }
}

/// The numbers of a point in one token, separated by a comma or white space.
fn numbers(value: &str) -> Vec<String> {
    if value.contains(',') {
        value
            .split(',')
            .map(|part| part.trim().to_owned())
            .collect()
    } else {
        value.split_whitespace().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::TABLE;
    use crate::output::Format;
    use crate::table::flags;
    use contract::ErrorCode;

    fn run(argv: &[&str]) -> Arguments {
        match parse(&strings(argv), &TABLE) {
            Ok(Request::Run(_, arguments)) => *arguments,
            Ok(_) => panic!("{argv:?} is not a command"),
            Err(error) => panic!("{argv:?}: {error}"),
        }
    }

    fn fails(argv: &[&str]) -> ErrorBody {
        match parse(&strings(argv), &TABLE) {
            Ok(_) => panic!("{argv:?} is understood"),
            Err(error) => error,
        }
    }

    fn strings(argv: &[&str]) -> Vec<String> {
        argv.iter().map(|token| (*token).to_owned()).collect()
    }

    fn text_of(argv: &[&str]) -> Option<String> {
        run(argv)
            .first(&flags::TEXT)
            .and_then(|given| given.value().map(str::to_owned))
    }

    #[test]
    fn value_may_start_with_one_dash_but_not_two() {
        assert_eq!(text_of(&["click", "--text", "-5"]).as_deref(), Some("-5"));
        assert_eq!(text_of(&["click", "--text", "-"]).as_deref(), Some("-"));
        assert_eq!(text_of(&["click", "--text", "--json"]), None);
        assert_eq!(text_of(&["click", "--text"]), None);
        assert_eq!(text_of(&["click", "--text", "--"]), None);
        assert_eq!(
            text_of(&["click", "--text=--json"]).as_deref(),
            Some("--json")
        );
        assert_eq!(text_of(&["click", "--text=a=b"]).as_deref(), Some("a=b"));
        assert_eq!(text_of(&["click", "--text="]).as_deref(), Some(""));
    }

    #[test]
    fn two_dashes_end_flags_and_a_command_is_named() {
        let arguments = run(&["type", "--id", "x", "--", "--text"]);
        assert_eq!(arguments.positional(), Some("--text"));
        let error = fails(&["type", "hi", "--", "--id", "x"]);
        assert_eq!(error.code, ErrorCode::Usage);
        assert_eq!(fails(&[]).code, ErrorCode::Usage);
        assert_eq!(fails(&["", "x"]).code, ErrorCode::Usage);
    }

    #[test]
    fn global_flags_are_accepted_anywhere() {
        for argv in [
            ["--device", "sim", "snapshot"],
            ["snapshot", "--device", "sim"],
            ["snapshot", "--device-id", "sim"],
        ] {
            assert_eq!(run(&argv).globals.device.as_deref(), Some("sim"));
        }
        assert_eq!(
            run(&["snapshot", "--device=a=b"]).globals.device.as_deref(),
            Some("a=b")
        );
    }

    #[test]
    fn point_consumes_available_tokens() {
        let values = |argv: &[&str]| {
            run(argv)
                .first(&crate::commands::click::COORDINATE)
                .map(|given| given.values.clone())
        };
        assert_eq!(
            values(&["click", "--coordinate", "1", "-2"]),
            Some(strings(&["1", "-2"]))
        );
        assert_eq!(
            values(&["click", "--coordinate", "1", "--text", "x"]),
            Some(strings(&["1"]))
        );
        for argv in [
            &["click", "--coordinate=1,2"][..],
            &["click", "--coordinate", "1,2"],
            &["click", "--coordinate", "1, 2"],
            &["click", "--coordinate", " 1 2 "],
            &["click", "--coordinate=1 2", "--long"],
        ] {
            assert_eq!(values(argv), Some(strings(&["1", "2"])), "{argv:?}");
        }
        assert_eq!(
            values(&["click", "--coordinate", "1,2,3"]),
            Some(strings(&["1", "2", "3"]))
        );
        // Tokens after a complete point are not part of it.
        assert_eq!(
            fails(&["click", "--coordinate", "1,2", "3"]).code,
            ErrorCode::Usage
        );
    }

    #[test]
    fn value_flags_accept_both_forms() {
        let mut checked = 0;
        for command in TABLE.commands {
            for flag in command.own_flags().filter(|flag| flag.value.count() == 1) {
                for spelling in flag.spellings() {
                    for value in ["a", "-5", "a=b", "a b"] {
                        let inline = format!("{spelling}={value}");
                        let one = run(&[command.name, &inline]);
                        let two = run(&[command.name, spelling, value]);
                        for arguments in [one, two] {
                            let given = arguments.first(flag).unwrap();
                            assert_eq!(
                                (given.value(), given.spelled.as_str()),
                                (Some(value), spelling)
                            );
                        }
                        checked += 1;
                    }
                    let dashes = run(&[command.name, &format!("{spelling}=--json")]);
                    assert_eq!(dashes.first(flag).unwrap().value(), Some("--json"));
                    assert_eq!(
                        run(&[command.name, spelling]).first(flag).unwrap().value(),
                        None
                    );
                }
            }
            for flag in command.own_flags().filter(|flag| flag.value.count() == 0) {
                for spelling in flag.spellings() {
                    assert!(run(&[command.name, spelling]).has(flag));
                    assert_eq!(
                        fails(&[command.name, &format!("{spelling}=x")]).code,
                        ErrorCode::Usage
                    );
                }
            }
        }
        assert!(checked > 200, "{checked}");
    }

    #[test]
    fn help_and_version_take_precedence() {
        let help = |argv: &[&str]| match parse(&strings(argv), &TABLE) {
            Ok(Request::Help(topic)) => topic.map(|command| command.name),
            _ => panic!("{argv:?} is not help"),
        };
        assert_eq!(help(&["-h"]), None);
        assert_eq!(help(&["tap", "--help"]), Some("click"));
        assert_eq!(help(&["observe", "snapshot", "-h"]), Some("snapshot"));
        assert_eq!(help(&["click", "--text", "--help"]), Some("click"));
        assert_eq!(help(&["nothing", "--help"]), None);
        assert_eq!(help(&["help", "tap", "--help"]), Some("click"));
        assert_eq!(help(&["help", "--help"]), Some("help"));
        assert!(matches!(
            parse(&strings(&["click", "--foo", "-V"]), &TABLE),
            Ok(Request::Version)
        ));
        assert!(matches!(
            parse(&strings(&["type", "--id", "x", "--", "--help"]), &TABLE),
            Ok(Request::Run(..))
        ));
        assert_eq!(
            fails(&["click", "--help", "--timeout"]).code,
            ErrorCode::Usage
        );
    }

    fn style(argv: &[&str]) -> OutputStyle {
        let argv = strings(argv);
        let guessed = output_style(&argv);
        let tokens: Vec<Token<'_>> = argv.iter().map(|token| Token::Free(token)).collect();
        let (globals, _) = global::take(&tokens).unwrap();
        assert_eq!(globals.style, guessed, "{argv:?}");
        guessed
    }

    #[test]
    fn last_output_format_applies() {
        assert_eq!(style(&["x"]), OutputStyle::default());
        assert_eq!(style(&["x", "--output", "pretty"]).format, Format::Pretty);
        let both = style(&["--json", "x", "--format=pretty"]);
        assert_eq!(both.format, Format::Pretty);
        assert!(both.json_by_name);
        assert_eq!(
            style(&["--output", "pretty", "--json"]).format,
            Format::Compact
        );
        assert!(!style(&["--output", "pretty"]).json_by_name);
        assert!(!style(&["--output", "yaml"]).json_by_name);
    }
}

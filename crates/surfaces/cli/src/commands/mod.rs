//! The commands: one file each, with its row of the table and its `build` function.

pub(crate) mod chrome;
pub(crate) mod click;
mod clipboard;
pub(crate) mod close;
pub(crate) mod completions;
pub(crate) mod devices;
pub(crate) mod drag;
pub(crate) mod enter_text;
pub(crate) mod exec;
pub(crate) mod explain;
pub(crate) mod folders;
pub(crate) mod generate_docs;
pub(crate) mod help;
pub(crate) mod hover;
pub(crate) mod inspect;
pub(crate) mod licenses;
pub(crate) mod logs;
pub(crate) mod manage;
pub(crate) mod mcp;
pub(crate) mod open;
mod orientation;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod read_value;
pub(crate) mod recording;
pub(crate) mod screenshot;
pub(crate) mod scroll;
pub(crate) mod scroll_until;
pub(crate) mod select;
pub(crate) mod selectors;
pub(crate) mod serve;
pub(crate) mod sim;
pub(crate) mod sleep;
pub(crate) mod snapshot;
mod tab;
pub(crate) mod upload;
pub(crate) mod version;
pub(crate) mod wait;
pub(crate) mod wait_for_nav;
pub(crate) mod watch;

use contract::{Direction, ErrorBody, limits};
use serde_json::{Map, Value};

use crate::errors::{alternatives, invalid, missing, not_one_of};
use crate::number;
use crate::output::{Answer, Format};
use crate::selector;
use crate::table::{Arguments, Command, Flag, Print, RemovedName, Table, Task, flags};

/// The table of commands: each is a file in this directory and a row here.
pub(crate) static TABLE: Table = Table {
    commands: &[
        &snapshot::COMMAND,
        &screenshot::COMMAND,
        &inspect::COMMAND,
        &selectors::COMMAND,
        &explain::COMMAND,
        &click::COMMAND,
        &hover::COMMAND,
        &drag::COMMAND,
        &open::COMMAND,
        &enter_text::COMMAND,
        &select::COMMAND,
        &upload::COMMAND,
        &read::COMMAND,
        &read_value::COMMAND,
        &wait::COMMAND,
        &wait_for_nav::COMMAND,
        &press::COMMAND,
        &press::BACK,
        &press::HOME,
        &clipboard::COMMAND,
        &orientation::COMMAND,
        &close::COMMAND,
        &sleep::COMMAND,
        &scroll::COMMAND,
        &scroll_until::COMMAND,
        &scroll_until::AND_CLICK,
        &devices::COMMAND,
        &manage::packages::GROUP,
        &manage::packages::LIST,
        &exec::COMMAND,
        &recording::COMMAND,
        &recording::start::START,
        &recording::start::STOP,
        &recording::pull::COMMAND,
        &recording::parse::COMMAND,
        &recording::list::COMMAND,
        &recording::recorder::COMMAND,
        &chrome::broker::COMMAND,
        &chrome::daemon::COMMAND,
        &sim::COMMAND,
        &sim::new::COMMAND,
        &sim::check::COMMAND,
        &sim::show::COMMAND,
        &sim::import::COMMAND,
        &sim::apps::COMMAND,
        &sim::faults::COMMAND,
        &sim::start::COMMAND,
        &sim::list::COMMAND,
        &sim::stop::COMMAND,
        &chrome::COMMAND,
        &chrome::start::COMMAND,
        &chrome::list::COMMAND,
        &chrome::stop::COMMAND,
        &chrome::state::COMMAND,
        &chrome::console::COMMAND,
        &chrome::resize::COMMAND,
        &tab::COMMAND,
        &serve::COMMAND,
        &mcp::COMMAND,
        &manage::doctor::COMMAND,
        &manage::operator::GROUP,
        &manage::operator::SETUP,
        &manage::grants::COMMAND,
        &logs::COMMAND,
        &version::COMMAND,
        &help::COMMAND,
        &completions::COMMAND,
        &licenses::COMMAND,
        &generate_docs::COMMAND,
        &manage::operator::MOVED[0],
        &manage::operator::MOVED[1],
    ],
    removed: &[
        RemovedName {
            first: "action",
            replaced: &[
                ("click", "click"),
                ("open-app", "open"),
                ("open-uri", "open"),
                ("type", "type"),
                ("read", "read"),
                ("wait", "wait"),
                ("press-key", "press"),
            ],
        },
        RemovedName {
            first: "inspect",
            replaced: &[("ui", "snapshot")],
        },
    ],
};

fn print(text: impl Into<String>) -> Box<dyn Task> {
    Box::new(Print(Answer::Text(text.into())))
}

/// Error of a group without a command.
fn no_member(group: &Command, arguments: &Arguments) -> ErrorBody {
    missing(format!(
        "{} requires a command: {}",
        arguments.spelled,
        alternatives(&TABLE.member_words(group))
    ))
}

/// The value unless it is missing or blank.
fn not_blank(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !limits::is_blank(value))
}

/// The direction of a word, in any case.
fn direction(word: &str, arguments: &Arguments) -> Result<Direction, ErrorBody> {
    Direction::parse(word).ok_or_else(|| {
        let problem = not_one_of(word, "the direction", &flags::directions());
        missing(format!("{}: {problem}", arguments.spelled))
    })
}

/// Inserts a value if there is one.
fn put(params: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        params.insert(key.to_owned(), value);
    }
}

/// The value of a flag that takes a number of something.
fn number(
    arguments: &Arguments,
    flag: &'static Flag,
    unit: &str,
) -> Result<Option<Value>, ErrorBody> {
    let Some(word) = arguments.strict(flag)? else {
        return Ok(None);
    };
    let value = number::read(word);
    if !value.is_finite() {
        return Err(invalid(format!(
            "invalid value {word:?} for {} (expected a number of {unit})",
            flag.name
        )));
    }
    Ok(Some(number::json(value)))
}

/// Inserts the matcher of the element flags.
fn put_element(params: &mut Map<String, Value>, arguments: &Arguments) -> Result<(), ErrorBody> {
    put(params, "matcher", selector::ELEMENT.matcher(arguments)?);
    Ok(())
}

/// Inserts the matcher of the container flags.
fn put_container(params: &mut Map<String, Value>, arguments: &Arguments) -> Result<(), ErrorBody> {
    put(params, "container", selector::CONTAINER.matcher(arguments)?);
    Ok(())
}

/// Whether `--all` is given, which requires explicit JSON output.
fn reads_all(arguments: &Arguments) -> Result<bool, ErrorBody> {
    if !arguments.has(&flags::ALL) {
        return Ok(false);
    }
    let style = arguments.globals.style;
    if style.format != Format::Compact {
        return Err(invalid(format!(
            "{} --all supports only JSON output; use --json",
            arguments.spelled
        )));
    }
    if !style.json_by_name {
        return Err(invalid(format!(
            "{} --all requires --json",
            arguments.spelled
        )));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::TABLE;
    use crate::parse::{Request, parse};
    use crate::table::globals;
    use std::collections::BTreeSet;

    /// A source of numbers that gives the same ones in every run.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % limit
        }
    }

    #[test]
    fn random_command_lines_do_not_panic() {
        let mut words: Vec<String> = [
            "", " ", "-5", "--", "=", "--=", "é", "0x10", "1e999", "{}", "[", "sim", "-h",
        ]
        .map(str::to_owned)
        .to_vec();
        for command in TABLE.commands {
            words.extend(command.names().map(str::to_owned));
            for flag in command.own_flags() {
                for spelling in flag.spellings() {
                    words.push(spelling.to_owned());
                    words.push(format!("{spelling}={{\"text\":1}}"));
                }
            }
        }
        for global in globals::ALL {
            words.extend(global.flag.spellings().map(str::to_owned));
        }
        let mut rng = Rng(1);
        let (mut built, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let command = TABLE.commands[rng.below(TABLE.commands.len())];
            let mut argv = vec![command.name.to_owned()];
            for _ in 0..rng.below(6) {
                argv.push(words[rng.below(words.len())].clone());
            }
            match parse(&argv, &TABLE) {
                Ok(Request::Run(command, arguments)) => match (command.build)(&arguments) {
                    Ok(_) => built += 1,
                    Err(_) => refused += 1,
                },
                Ok(Request::Version | Request::Help(_)) => built += 1,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    refused += 1;
                }
            }
        }
        assert!(built > 1_000 && refused > 1_000, "{built} {refused}");
    }

    #[test]
    fn command_names_are_unique() {
        let mut seen = BTreeSet::new();
        for command in TABLE.commands {
            for name in std::iter::once(&command.name).chain(command.synonyms) {
                assert!(seen.insert(*name), "{name} is declared twice");
            }
        }
        for removed in TABLE.removed {
            for (second, replacement) in removed.replaced {
                let name = format!("{} {second}", removed.first);
                assert!(!seen.contains(name.as_str()), "{name} is gone and there");
                assert!(TABLE.find(replacement, None).is_some(), "{replacement}");
            }
        }
    }

    #[test]
    fn flags_of_a_command_are_unique() {
        for command in TABLE.commands {
            let mut seen = BTreeSet::new();
            let globals = globals::ALL.iter().map(|global| &global.flag);
            for flag in command.own_flags().chain(globals) {
                for name in flag.spellings() {
                    assert!(name.starts_with('-'), "{} {name}", command.name);
                    assert!(seen.insert(name), "{} has two {name}", command.name);
                }
            }
        }
    }

    #[test]
    fn help_texts_have_no_full_stop() {
        for command in TABLE.commands {
            assert!(!command.usage.is_empty(), "{}", command.name);
            for usage in command.usage {
                assert!(usage.starts_with(command.name), "{usage}");
            }
            let texts = std::iter::once(command.summary)
                .chain(command.notes.iter().copied())
                .chain(command.timeout)
                .chain(command.own_flags().map(|flag| flag.help))
                .chain(command.positional.as_ref().map(|argument| argument.help));
            for text in texts {
                assert!(!text.is_empty() && !text.ends_with('.'), "{text:?}");
                assert_eq!(text.trim(), text);
            }
        }
    }
}

//! Help texts, generated from the table.

use crate::table::{Command, Flag, FlagSet, Group, Scope, Table, globals};

/// The column where explanations begin.
const COLUMN: usize = 30;
/// The maximum width of a line.
const WIDTH: usize = 100;

/// The help of the program.
pub(crate) fn program(table: &Table) -> String {
    let mut text = String::from(
        "Clawperator CLI\n\nRuns actions on the screen of a device and prints the result as \
        JSON.\n\nUsage:\n  clawperator <command> [arguments] [flags]\n  clawperator exec <json-or-file> \
        [--validate-only]\n  clawperator <command> --help\n\nCommands:\n",
    );
    for group in Group::SHOWN {
        let mut commands = table.in_group(*group).peekable();
        if commands.peek().is_none() {
            continue;
        }
        text.push_str(&format!("  --- {} ---\n", group.heading()));
        for command in commands {
            let names: Vec<&str> = command.names().collect();
            entry(&mut text, &names.join(", "), command.summary);
        }
        text.push('\n');
    }
    text.push_str("Global options:\n");
    for global in globals::ALL {
        flag_entry(&mut text, &global.flag, global.flag.help);
    }
    text.push_str(
        "\nNotes:\n  Standard output is one JSON document, errors included. Progress and messages go to standard \
        error.\n  The exit status is 0 on success and 1 on failure.\n  Write values as --flag value or --flag=value. \
        `--` ends the flags.\n  --device sim is an embedded simulated phone that needs nothing installed.\n",
    );
    text
}

/// The short help when no command is given.
pub(crate) fn short(table: &Table) -> String {
    let commands: Vec<&str> = table
        .commands
        .iter()
        .filter(|command| command.group != Group::Hidden && command.parent().is_none())
        .map(|command| command.name)
        .collect();
    let mut text = String::from("Usage: clawperator <command> [arguments] [flags]\n\n");
    entry(&mut text, "Commands:", &commands.join(", "));
    entry(&mut text, "Try:", "clawperator snapshot --device sim");
    entry(&mut text, "More:", "clawperator --help");
    text
}

/// The help of one command.
pub(crate) fn command(command: &Command, table: &Table) -> String {
    let mut text = format!("{}\n\nUsage:\n", command.summary);
    for usage in command.usage {
        text.push_str(&format!("  clawperator {usage}\n"));
    }
    if !command.synonyms.is_empty() {
        text.push_str(&format!("\nSynonyms: {}\n", command.synonyms.join(", ")));
    }
    if let Some(argument) = &command.positional {
        text.push_str("\nArgument:\n");
        let words = (argument.words)();
        let help =
            if words.is_empty() || argument.help.contains(&words.join(", ")) || words.len() > 16 {
                argument.help.to_owned()
            } else {
                format!("{}: {}", argument.help, words.join(", "))
            };
        entry(&mut text, argument.name, &help);
    }
    for (index, member) in table.members(command).enumerate() {
        if index == 0 {
            text.push_str("\nCommands:\n");
        }
        entry(&mut text, member.name, member.summary);
    }
    for FlagSet { heading, flags } in command.flags {
        text.push_str(&format!("\n{heading}:\n"));
        for flag in *flags {
            flag_entry(&mut text, flag, flag.help);
        }
    }
    text.push_str("\nGlobal options:\n");
    let mut others = Vec::new();
    for global in globals::ALL {
        let flag = &global.flag;
        match (global.scope, command.timeout) {
            (Scope::Device, Some(_)) => flag_entry(&mut text, flag, flag.help),
            (Scope::Timeout, Some(meaning)) => flag_entry(&mut text, flag, meaning),
            (scope, _) if command.uses(scope) => others.push(flag.name),
            _ => {}
        }
    }
    wrapped(
        &mut text,
        &format!("{}: see `clawperator --help`", others.join(", ")),
        2,
        2,
    );
    if !command.notes.is_empty() {
        text.push_str("\nNotes:\n");
        for note in command.notes {
            wrapped(&mut text, note, 2, 2);
        }
    }
    if !command.examples.is_empty() {
        text.push_str("\nExamples:\n");
        for example in command.examples {
            text.push_str(&format!("  clawperator {example}\n"));
        }
    }
    text
}

/// A flag with its value, meaning and other spellings.
fn flag_entry(text: &mut String, flag: &Flag, meaning: &str) {
    if flag.aliases.is_empty() {
        entry(text, &flag.usage(), meaning);
    } else {
        let meaning = format!("{meaning} (also {})", flag.aliases.join(", "));
        entry(text, &flag.usage(), &meaning);
    }
}

/// A name and its meaning, aligned at a column.
fn entry(text: &mut String, name: &str, meaning: &str) {
    text.push_str("  ");
    text.push_str(name);
    let used = name.chars().count() + 2;
    if used + 2 > COLUMN {
        text.push('\n');
        wrapped(text, meaning, COLUMN, COLUMN);
    } else {
        wrapped(text, meaning, COLUMN - used, COLUMN);
    }
}

/// Wrapped words with `first` spaces before the first line and `then` before the others.
fn wrapped(text: &mut String, words: &str, first: usize, then: usize) {
    text.push_str(&" ".repeat(first));
    let mut used = then;
    let mut is_in_section = false;
    for word in words.split(' ') {
        let length = word.chars().count();
        if is_in_section && used + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(then));
            used = then;
            is_in_section = false;
        }
        if is_in_section {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length;
        is_in_section = true;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::TABLE;

    #[test]
    fn help_lines_fit_width() {
        let texts = TABLE
            .commands
            .iter()
            .map(|row| command(row, &TABLE))
            .chain([program(&TABLE), short(&TABLE)]);
        for text in texts {
            for line in text.lines() {
                let fits = line.chars().count() <= WIDTH + 4;
                assert!(fits || line.starts_with("  clawperator "), "{line}");
                assert_eq!(line.trim_end(), line);
            }
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
        }
    }

    #[test]
    fn long_help_is_wrapped() {
        let mut text = String::new();
        entry(&mut text, "--x", &"word ".repeat(40));
        assert!(text.lines().count() > 1);
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with(&" ".repeat(COLUMN)))
        );
    }
}

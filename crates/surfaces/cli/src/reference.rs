//! The reference page of the command line, generated from the table.

use crate::table::{Command, Flag, FlagValue, Group, Table, globals};

/// The page as Markdown.
pub(crate) fn reference_markdown(commands: &Table) -> String {
    let mut page = String::from(
        "# Command line\n\n`clawperator <command> [arguments] [flags]`\n\nStandard output is exactly one JSON \
        document, errors included. Exceptions: `help`, `--version`, `completions`, `licenses` and `sim show --tree` \
        print text, and `logs` prints one document per line. Progress and messages go to standard error. The exit \
        status is 0 on success and 1 on failure.\n\nWrite values as `--flag value` or `--flag=value`. A value that \
        starts with one dash works either way; one that starts with two needs `=`. `--` ends the flags.\n\n## Global \
        flags\n\nGlobal flags go before or after the command. If one is repeated, the last one applies.\n\n",
    );
    table(&mut page, globals::ALL.iter().map(|global| &global.flag));
    for group in Group::SHOWN {
        let mut members = commands.in_group(*group).peekable();
        if members.peek().is_none() {
            continue;
        }
        page.push_str(&format!("\n## {}\n", group.heading()));
        for command in members {
            section(&mut page, command);
        }
    }
    page.push_str(
        "\n## Environment variables\n\nAn empty variable counts as unset.\n\n| variable | meaning |\n|---|---|\n",
    );
    for variable in service::VARIABLES {
        page.push_str(&format!(
            "| `{}` | {} |\n",
            variable.name,
            cell(variable.meaning)
        ));
    }
    page.push_str("\n## Removed names\n\n| name | use |\n|---|---|\n");
    for removed in commands.removed {
        for (word, replacement) in removed.replaced {
            page.push_str(&format!(
                "| `{} {word}` | `{replacement}` |\n",
                removed.first
            ));
        }
    }
    page
}

fn section(page: &mut String, command: &Command) {
    page.push_str(&format!(
        "\n### {}\n\n{}.\n\n```\n",
        command.name, command.summary
    ));
    for usage in command.usage {
        page.push_str(&format!("clawperator {usage}\n"));
    }
    page.push_str("```\n");
    if !command.synonyms.is_empty() {
        page.push_str(&format!(
            "\nSynonyms: `{}`.\n",
            command.synonyms.join("`, `")
        ));
    }
    for note in command.notes {
        page.push_str(&format!("\n{}.\n", cell(note)));
    }
    if let Some(argument) = &command.positional {
        page.push_str(&format!("\n`{}`: {}.", argument.name, cell(argument.help)));
        let words = (argument.words)();
        if !words.is_empty() && command.name != "help" {
            page.push_str(&format!(" One of `{}`.", words.join("`, `")));
        }
        page.push('\n');
    }
    if let Some(timeout) = command.timeout {
        page.push_str(&format!("\n`--timeout <ms>`: {}.\n", cell(timeout)));
    }
    for set in command.flags {
        page.push_str(&format!("\n{}:\n\n", set.heading));
        table(page, set.flags.iter().copied());
    }
    page.push_str(&(command.appendix)());
    if !command.examples.is_empty() {
        page.push_str("\n```sh\n");
        for example in command.examples {
            page.push_str(&format!("clawperator {example}\n"));
        }
        page.push_str("```\n");
    }
}

fn table(page: &mut String, flags: impl Iterator<Item = &'static Flag>) {
    page.push_str("| flag | other spellings | meaning |\n|---|---|---|\n");
    for flag in flags {
        let aliases: Vec<String> = flag
            .aliases
            .iter()
            .map(|alias| format!("`{alias}`"))
            .collect();
        let words = match flag.value {
            FlagValue::OneOf(_, words) => format!(" (`{}`)", words().join("`, `")),
            FlagValue::Switch | FlagValue::Text(_) | FlagValue::Path(_) | FlagValue::Point => {
                String::new()
            }
        };
        page.push_str(&format!(
            "| `{}` | {} | {}{words} |\n",
            cell(&flag.usage()),
            aliases.join(", "),
            cell(flag.help)
        ));
    }
}

/// Text escaped for a table cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

//! Generates the completion scripts from the table with clap, and compares them with those in `assets/completions`.

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ValueHint};
use clap_complete::Shell as Script;

use super::Shell;
use crate::commands::TABLE;
use crate::table::{Arity, Command, Flag, FlagValue, Group, Positional, globals};

/// The generator of a shell's script.
fn maker(shell: Shell) -> Script {
    match shell {
        Shell::Bash => Script::Bash,
        Shell::Zsh => Script::Zsh,
        Shell::Fish => Script::Fish,
        Shell::Powershell => Script::PowerShell,
        Shell::Elvish => Script::Elvish,
    }
}

/// The script for the table.
fn made(shell: Shell) -> String {
    let mut program = clap::Command::new("clawperator")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(globals::ALL.iter().map(|global| argument(&global.flag)));
    for command in TABLE.commands {
        if command.group != Group::Hidden && command.parent().is_none() {
            let members = TABLE.members(command).map(subcommand);
            program = program.subcommand(subcommand(command).subcommands(members));
        }
    }
    let mut bytes = Vec::new();
    clap_complete::generate(maker(shell), &mut program, "clawperator", &mut bytes);
    String::from_utf8(bytes).unwrap()
}

fn subcommand(command: &'static Command) -> clap::Command {
    let name = command.name.rsplit(' ').next().unwrap_or(command.name);
    let mut sub = clap::Command::new(name)
        .about(command.summary)
        .visible_aliases(command.names().skip(1).collect::<Vec<_>>())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(command.own_flags().map(argument))
        .args(
            globals::ALL
                .iter()
                .filter(|global| command.uses(global.scope))
                .map(|global| argument(&global.flag)),
        );
    if let Some(positional) = &command.positional {
        sub = sub.arg(free(positional));
    }
    sub
}

fn argument(flag: &'static Flag) -> Arg {
    let mut argument = Arg::new(flag.name).help(flag.help);
    for spelling in flag.spellings() {
        argument = match (spelling.strip_prefix("--"), spelling.chars().nth(1)) {
            (Some(name), _) if spelling == flag.name => argument.long(name),
            (Some(name), _) => argument.visible_alias(name),
            (None, Some(letter)) => argument.short(letter),
            (None, None) => argument,
        };
    }
    match flag.value {
        FlagValue::Switch => argument.action(ArgAction::SetTrue),
        FlagValue::Text(name) => argument.value_name(bare(name)),
        FlagValue::OneOf(name, words) => argument
            .value_name(bare(name))
            .value_parser(PossibleValuesParser::new(words())),
        FlagValue::Path(name) => argument
            .value_name(bare(name))
            .value_hint(ValueHint::FilePath),
        FlagValue::Point => argument.num_args(2).value_names(["x", "y"]),
    }
}

fn free(positional: &'static Positional) -> Arg {
    let mut argument = Arg::new(positional.name)
        .help(positional.help)
        .value_name(bare(positional.name));
    if positional.arity == Arity::Many {
        argument = argument.num_args(1..);
    }
    let words = (positional.words)();
    if !words.is_empty() {
        argument.value_parser(PossibleValuesParser::new(words))
    } else if positional.name.contains("file") {
        argument.value_hint(ValueHint::FilePath)
    } else {
        argument
    }
}

/// The name of a value without the brackets that help puts around it.
fn bare(name: &'static str) -> &'static str {
    name.trim_matches(['<', '>', '[', ']', '…'])
}

/// Best compression.
const LEVEL: u8 = 10;

#[test]
fn completion_scripts_match_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/completions");
    for shell in Shell::ALL {
        let file = folder.join(format!("clawperator.{}.deflate", shell.name()));
        let made = made(*shell);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let packed = miniz_oxide::deflate::compress_to_vec(made.as_bytes(), LEVEL);
            std::fs::write(&file, packed).unwrap();
        }
        let kept = super::unpacked(&std::fs::read(&file).unwrap());
        let same = kept.is_ok_and(|kept| kept == made);
        assert!(
            same,
            "{shell:?}: `UPDATE_EXPECT=1 cargo test -p cli completions` rewrites the scripts"
        );
    }
}

#[test]
fn corrupt_script_is_internal_error() {
    let whole = Shell::Bash.packed();
    let error = super::unpacked(&whole[..whole.len() / 2]).unwrap_err();
    assert_eq!(error.code, contract::ErrorCode::InternalError);
}

//! Completion scripts, made from the table by way of clap, which does nothing else here.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ValueHint};
use clap_complete::Shell as Script;
use contract::ErrorBody;

use crate::fault;
use crate::table::{COMMANDS, Command, Flag, Group, Positional, Takes, globals};

/// A shell for which there is a completion script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Fish.
    Fish,
    /// PowerShell.
    Powershell,
    /// Elvish.
    Elvish,
}

impl Shell {
    /// Every shell.
    pub(crate) const ALL: &[Self] = &[
        Self::Bash,
        Self::Zsh,
        Self::Fish,
        Self::Powershell,
        Self::Elvish,
    ];

    /// How it is written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Powershell => "powershell",
            Self::Elvish => "elvish",
        }
    }

    fn script(self) -> Script {
        match self {
            Self::Bash => Script::Bash,
            Self::Zsh => Script::Zsh,
            Self::Fish => Script::Fish,
            Self::Powershell => Script::PowerShell,
            Self::Elvish => Script::Elvish,
        }
    }
}

/// The completion script for a shell.
///
/// # Errors
///
/// A script that is not text, which is a fault of the program.
pub(crate) fn script(shell: Shell) -> Result<String, ErrorBody> {
    let mut program = clap::Command::new("clawperator")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(globals::ALL.iter().map(|flag| argument(flag)));
    for command in COMMANDS {
        if command.group != Group::Hidden && command.parent().is_none() {
            let members = command.members().map(subcommand);
            program = program.subcommand(subcommand(command).subcommands(members));
        }
    }
    let mut bytes = Vec::new();
    clap_complete::generate(shell.script(), &mut program, "clawperator", &mut bytes);
    String::from_utf8(bytes).map_err(fault::internal)
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
                .filter(|flag| command.uses(flag))
                .map(|flag| argument(flag)),
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
    match flag.takes {
        Takes::Nothing => argument.action(ArgAction::SetTrue),
        Takes::One(name) => argument.value_name(bare(name)),
        Takes::Word(name, words) => argument
            .value_name(bare(name))
            .value_parser(PossibleValuesParser::new(words())),
        Takes::Path(name) => argument
            .value_name(bare(name))
            .value_hint(ValueHint::FilePath),
        Takes::Point => argument.num_args(2).value_names(["x", "y"]),
    }
}

fn free(positional: &'static Positional) -> Arg {
    let mut argument = Arg::new(positional.name)
        .help(positional.help)
        .value_name(bare(positional.name));
    if positional.takes_many() {
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

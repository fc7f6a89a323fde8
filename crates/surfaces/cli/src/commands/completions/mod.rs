//! `completions`: prints a completion script for a shell. The scripts are compressed in the program, because their
//! generator is four times as large. `UPDATE_EXPECT=1 cargo test -p cli completions` regenerates them.

#[cfg(test)]
mod make;

use contract::ErrorBody;

use crate::errors::{alternatives, missing, not_one_of, usage};
use crate::internal_error;
use crate::table::{Arguments, Command, Group, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "completions",
    group: Group::Utilities,
    usage: &["completions <bash|zsh|fish|powershell|elvish>"],
    summary: "Print a completion script for a shell",
    notes: &["Install the script where the shell looks for completions, or source it at startup"],
    positional: Some(Positional {
        words: shells,
        ..Positional::new("<shell>", "The shell")
    }),
    examples: &["completions bash > ~/.local/share/bash-completion/completions/clawperator"],
    ..Command::new(build)
};

fn shells() -> Vec<&'static str> {
    Shell::ALL.iter().map(|shell| shell.name()).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let known = shells();
    let Some(name) = arguments.positional().filter(|name| !name.is_empty()) else {
        return Err(missing(format!(
            "completions requires a shell: {}",
            alternatives(&known)
        )));
    };
    match Shell::ALL.iter().find(|shell| shell.name() == name) {
        Some(shell) => Ok(super::print(script(*shell)?)),
        None => Err(usage(not_one_of(name, "the shell", &known))),
    }
}

/// A shell for which there is a completion script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    /// PowerShell.
    Powershell,
    Elvish,
}

impl Shell {
    /// Every shell.
    const ALL: &[Self] = &[
        Self::Bash,
        Self::Zsh,
        Self::Fish,
        Self::Powershell,
        Self::Elvish,
    ];

    /// Its name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Powershell => "powershell",
            Self::Elvish => "elvish",
        }
    }

    /// Its script, packed.
    fn packed(self) -> &'static [u8] {
        match self {
            Self::Bash => include_bytes!("../../../assets/completions/clawperator.bash.deflate"),
            Self::Zsh => include_bytes!("../../../assets/completions/clawperator.zsh.deflate"),
            Self::Fish => include_bytes!("../../../assets/completions/clawperator.fish.deflate"),
            Self::Powershell => {
                include_bytes!("../../../assets/completions/clawperator.powershell.deflate")
            }
            Self::Elvish => {
                include_bytes!("../../../assets/completions/clawperator.elvish.deflate")
            }
        }
    }
}

/// The completion script for a shell.
///
/// # Errors
///
/// A corrupt script, which is an internal error.
fn script(shell: Shell) -> Result<String, ErrorBody> {
    unpacked(shell.packed())
}

fn unpacked(packed: &[u8]) -> Result<String, ErrorBody> {
    let bytes =
        miniz_oxide::inflate::decompress_to_vec(packed).map_err(internal_error::internal)?;
    String::from_utf8(bytes).map_err(internal_error::internal)
}

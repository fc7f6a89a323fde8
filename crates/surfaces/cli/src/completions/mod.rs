//! Completion scripts. They lie packed in the program and are made anew when the table changes: what makes them is four
//! times as large as they are. `UPDATE_EXPECT=1 cargo test -p cli completions` writes them.

#[cfg(test)]
mod make;

use contract::ErrorBody;

use crate::fault;

macro_rules! packed {
    ($shell:literal) => {
        include_bytes!(concat!(
            "../../assets/completions/clawperator.",
            $shell,
            ".deflate"
        ))
    };
}

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

    /// Its script, packed.
    fn packed(self) -> &'static [u8] {
        match self {
            Self::Bash => packed!("bash"),
            Self::Zsh => packed!("zsh"),
            Self::Fish => packed!("fish"),
            Self::Powershell => packed!("powershell"),
            Self::Elvish => packed!("elvish"),
        }
    }
}

/// The completion script for a shell.
///
/// # Errors
///
/// A script that is damaged, which is a fault of the program.
pub(crate) fn script(shell: Shell) -> Result<String, ErrorBody> {
    unpacked(shell.packed())
}

fn unpacked(packed: &[u8]) -> Result<String, ErrorBody> {
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).map_err(fault::internal)?;
    String::from_utf8(bytes).map_err(fault::internal)
}

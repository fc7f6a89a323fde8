//! Commands, flags and the table of commands, which parser, help, completions, suggestions and reference page read.

mod arguments;
mod flag;
pub(crate) mod flags;
pub(crate) mod globals;
mod task;

pub(crate) use arguments::{Arguments, ParsedFlag, twice};
pub(crate) use flag::{Flag, FlagSet, FlagValue, flags};
pub(crate) use globals::{Globals, Scope};
pub(crate) use task::{LogIds, Print, Task};

use contract::ErrorBody;

/// The number of positional arguments of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    /// One at most.
    One,
    /// Any number, joined to one text.
    Joined,
    /// Any number.
    Many,
}

/// A positional argument.
pub(crate) struct Positional {
    /// How help writes it.
    pub(crate) name: &'static str,
    /// One line for help.
    pub(crate) help: &'static str,
    /// Its possible values, if it is one of a few words.
    pub(crate) words: fn() -> Vec<&'static str>,
    /// How many are allowed.
    pub(crate) arity: Arity,
}

impl Positional {
    /// An argument that can be anything.
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            words: Vec::new,
            arity: Arity::One,
        }
    }
}

/// The blocks of the command list in help, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// Commands that observe a device or act on it.
    Interaction,
    /// Commands about devices.
    Devices,
    /// Commands that run plans.
    Execution,
    /// Commands for recordings.
    Recording,
    /// Commands for apps of the simulated phone.
    Simulation,
    /// Commands for browsers.
    Browser,
    Servers,
    /// Commands about the program itself.
    Setup,
    /// Everything else.
    Utilities,
    /// Not shown.
    Hidden,
}

impl Group {
    /// The groups that help shows.
    pub(crate) const SHOWN: &[Self] = &[
        Self::Interaction,
        Self::Devices,
        Self::Execution,
        Self::Recording,
        Self::Simulation,
        Self::Browser,
        Self::Servers,
        Self::Setup,
        Self::Utilities,
    ];

    /// The heading in help.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Interaction => "Device Interaction",
            Self::Devices => "Device Management",
            Self::Execution => "Execution",
            Self::Recording => "Recording",
            Self::Simulation => "Simulated Phone",
            Self::Browser => "Browsers",
            Self::Servers => "Servers",
            Self::Setup => "Setup",
            Self::Utilities => "Utilities",
            Self::Hidden => "",
        }
    }
}

/// Builds the task of a command from its arguments.
pub(crate) type Build = fn(&Arguments) -> Result<Box<dyn Task>, ErrorBody>;

pub(crate) struct Command {
    /// The name; the first of two words names a group.
    pub(crate) name: &'static str,
    /// Other names; a name of two words matches two arguments.
    pub(crate) synonyms: &'static [&'static str],
    /// Its block of the command list.
    pub(crate) group: Group,
    /// Usage lines, without the program's name.
    pub(crate) usage: &'static [&'static str],
    /// One line for the command list.
    pub(crate) summary: &'static str,
    /// Notes, one per line.
    pub(crate) notes: &'static [&'static str],
    /// The positional argument.
    pub(crate) positional: Option<Positional>,
    /// The flags beside the global ones.
    pub(crate) flags: &'static [FlagSet],
    /// The meaning of `--timeout`; `None` if the command does not use a device.
    pub(crate) timeout: Option<&'static str>,
    /// Examples, without the program's name.
    pub(crate) examples: &'static [&'static str],
    /// The scopes of global flags that apply, besides those of the program.
    pub(crate) scopes: &'static [Scope],
    /// The flag without which it uses no device, and the scopes do not apply.
    pub(crate) scopes_need: Option<&'static Flag>,
    /// The end of its section on the reference page, in Markdown.
    pub(crate) appendix: fn() -> String,
    /// Builds its task.
    pub(crate) build: Build,
}

impl Command {
    /// One without texts, flags and arguments.
    pub(crate) const fn new(build: Build) -> Self {
        Self {
            name: "",
            synonyms: &[],
            group: Group::Hidden,
            usage: &[],
            summary: "",
            notes: &[],
            positional: None,
            flags: &[],
            timeout: None,
            examples: &[],
            scopes: &[],
            scopes_need: None,
            appendix: String::new,
            build,
        }
    }

    /// Every flag of its own.
    pub(crate) fn own_flags(&self) -> impl Iterator<Item = &'static Flag> + use<> {
        self.flags.iter().flat_map(|set| set.flags.iter().copied())
    }

    /// The flag of its own that is written like this.
    pub(crate) fn flag(&self, name: &str) -> Option<&'static Flag> {
        self.own_flags().find(|flag| flag.has_spelling(name))
    }

    /// Whether global flags of a scope apply.
    pub(crate) fn uses(&self, scope: Scope) -> bool {
        !scope.applies_to_runs() || self.scopes.contains(&scope)
    }

    /// Whether it is a server.
    pub(crate) fn serves(&self) -> bool {
        self.group == Group::Servers
    }

    /// Its group.
    pub(crate) fn parent(&self) -> Option<&'static str> {
        self.name.split_once(' ').map(|(parent, _)| parent)
    }

    /// All names of one word, the primary one first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(
            self.synonyms
                .iter()
                .copied()
                .filter(|name| !name.contains(' ')),
        )
    }
}

/// All commands, and removed names.
pub(crate) struct Table {
    /// The commands, in the order of help.
    pub(crate) commands: &'static [&'static Command],
    /// Removed names with their replacements.
    pub(crate) removed: &'static [RemovedName],
}

impl Table {
    /// The command with this name, and whether the name takes up two arguments.
    pub(crate) fn find(
        &self,
        first: &str,
        second: Option<&str>,
    ) -> Option<(&'static Command, NameLength)> {
        // The second word of a removed name is not an argument of a command with its first word.
        if second.is_some_and(|second| self.is_removed(first, second)) {
            return None;
        }
        let two = second.and_then(|second| {
            let both = format!("{first} {second}");
            self.commands
                .iter()
                .find(|command| command.name == both || command.synonyms.contains(&both.as_str()))
                .map(|command| (*command, NameLength::Two))
        });
        two.or_else(|| {
            self.commands
                .iter()
                .find(|command| command.names().any(|name| name == first))
                .map(|command| (*command, NameLength::One))
        })
    }

    /// Whether two words are a removed name.
    fn is_removed(&self, first: &str, second: &str) -> bool {
        self.removed
            .iter()
            .filter(|removed| removed.first == first)
            .any(|removed| removed.replaced.iter().any(|(word, _)| *word == second))
    }

    /// The commands of a block of the command list.
    pub(crate) fn in_group(&self, group: Group) -> impl Iterator<Item = &'static Command> + use<> {
        self.commands
            .iter()
            .copied()
            .filter(move |command| command.group == group)
    }

    /// The commands of a group.
    pub(crate) fn members(
        &self,
        group: &Command,
    ) -> impl Iterator<Item = &'static Command> + use<> {
        let name = group.name;
        self.commands
            .iter()
            .copied()
            .filter(move |command| command.parent() == Some(name))
    }

    /// The second words of a group's commands, in order.
    pub(crate) fn member_words(&self, group: &Command) -> Vec<&'static str> {
        self.members(group)
            .filter_map(|member| Some(member.name.split_once(' ')?.1))
            .collect()
    }
}

/// The number of words in a command's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameLength {
    /// Such as `snapshot`.
    One,
    /// Such as `observe snapshot`.
    Two,
}

/// A removed name of two words.
pub(crate) struct RemovedName {
    /// The first word.
    pub(crate) first: &'static str,
    /// The second words with their replacements.
    pub(crate) replaced: &'static [(&'static str, &'static str)],
}

//! What a command, a flag and the table of all commands are: parser, help, completions, suggestions and reference page
//! read such a table.

mod arguments;
mod flag;
pub(crate) mod flags;
pub(crate) mod globals;
mod task;

pub(crate) use arguments::{Arguments, Given, twice};
pub(crate) use flag::{Flag, FlagSet, Takes};
pub(crate) use globals::{Globals, Scope};
pub(crate) use task::{LogIds, Print, Task};

use contract::ErrorBody;

/// How many arguments without a flag a command takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    /// One at most.
    One,
    /// Any number, which are one text.
    Joined,
    /// Any number.
    Many,
}

/// The argument that a command takes without a flag.
pub(crate) struct Positional {
    /// How help writes it.
    pub(crate) name: &'static str,
    /// One line for help.
    pub(crate) help: &'static str,
    /// What it can be, when that is a small set of words.
    pub(crate) words: fn() -> Vec<&'static str>,
    /// How many there can be.
    pub(crate) arity: Arity,
}

impl Positional {
    /// One that can be anything.
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
    /// Commands that look at a device or act on it.
    Interaction,
    /// Commands about devices.
    Devices,
    /// Commands that run plans.
    Execution,
    /// Commands that record people.
    Recording,
    /// Commands for apps of the simulated phone.
    Simulation,
    /// Commands for browsers.
    Browser,
    /// Commands that serve others.
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

/// What makes a task of the arguments of a command.
pub(crate) type Build = fn(&Arguments) -> Result<Box<dyn Task>, ErrorBody>;

/// A command: its names, its arguments, its texts and what it does.
pub(crate) struct Command {
    /// The name; one of two words is a command of the group that the first word names.
    pub(crate) name: &'static str,
    /// Other names; one of two words is matched against two arguments.
    pub(crate) synonyms: &'static [&'static str],
    /// The block of the command list that it stands in.
    pub(crate) group: Group,
    /// The forms it can be called in, without the program's name.
    pub(crate) usage: &'static [&'static str],
    /// One line for the command list.
    pub(crate) summary: &'static str,
    /// What else there is to know, line by line.
    pub(crate) notes: &'static [&'static str],
    /// The argument without a flag.
    pub(crate) positional: Option<Positional>,
    /// The flags beside the global ones.
    pub(crate) flags: &'static [FlagSet],
    /// What `--timeout` means here; `None` where the command runs nothing on a device.
    pub(crate) timeout: Option<&'static str>,
    /// Command lines to copy, without the program's name.
    pub(crate) examples: &'static [&'static str],
    /// The global flags that mean something to it, beside those about the program.
    pub(crate) scopes: &'static [Scope],
    /// The flag without which it uses no device, and those flags mean nothing.
    pub(crate) scopes_need: Option<&'static Flag>,
    /// What its section of the reference page ends with, in Markdown.
    pub(crate) appendix: fn() -> String,
    /// Turns what was given into what is to be done.
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
        self.own_flags().find(|flag| flag.is_spelled(name))
    }

    /// Whether global flags of a scope mean something to it.
    pub(crate) fn uses(&self, scope: Scope) -> bool {
        !scope.is_of_a_run() || self.scopes.contains(&scope)
    }

    /// Whether it drives what others ask for, on a device that they name.
    pub(crate) fn serves(&self) -> bool {
        self.group == Group::Servers
    }

    /// The group that it is a command of.
    pub(crate) fn parent(&self) -> Option<&'static str> {
        self.name.split_once(' ').map(|(parent, _)| parent)
    }

    /// Every name that is one argument, the primary one first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(
            self.synonyms
                .iter()
                .copied()
                .filter(|name| !name.contains(' ')),
        )
    }
}

/// Every command, and the names that are gone.
pub(crate) struct Table {
    /// The commands, in the order of help.
    pub(crate) commands: &'static [&'static Command],
    /// Names that are gone, so that they can be answered with what to use.
    pub(crate) removed: &'static [Removed],
}

impl Table {
    /// The command with this name, and whether the name takes up two arguments.
    pub(crate) fn find(
        &self,
        first: &str,
        second: Option<&str>,
    ) -> Option<(&'static Command, Words)> {
        // A name that is gone does not become the argument of a command of its first word.
        if second.is_some_and(|second| self.is_removed(first, second)) {
            return None;
        }
        let two = second.and_then(|second| {
            let both = format!("{first} {second}");
            self.commands
                .iter()
                .find(|command| command.name == both || command.synonyms.contains(&both.as_str()))
                .map(|command| (*command, Words::Two))
        });
        two.or_else(|| {
            self.commands
                .iter()
                .find(|command| command.names().any(|name| name == first))
                .map(|command| (*command, Words::One))
        })
    }

    /// Whether two words are a name that is gone.
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

    /// What the commands of a group are called behind its name, in their order.
    pub(crate) fn member_words(&self, group: &Command) -> Vec<&'static str> {
        self.members(group)
            .filter_map(|member| Some(member.name.split_once(' ')?.1))
            .collect()
    }
}

/// How many arguments a command's name takes up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// Such as `snapshot`.
    One,
    /// Such as `observe snapshot`.
    Two,
}

/// A name of two words that a command once had.
pub(crate) struct Removed {
    /// The first word.
    pub(crate) first: &'static str,
    /// The second words, each with the command that took its place.
    pub(crate) replaced: &'static [(&'static str, &'static str)],
}

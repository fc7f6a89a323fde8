//! The one table of commands and flags: parser, help, completions, suggestions and reference page read it.

pub(crate) mod flags;
pub(crate) mod globals;
pub(crate) mod sims;
mod task;

pub(crate) use task::{LogIds, Print, Task};

use contract::ErrorBody;

use crate::commands;
use crate::parse::Arguments;

/// What a flag takes after its name.
#[derive(Clone, Copy)]
pub(crate) enum Takes {
    /// Nothing: the flag is there or not.
    Nothing,
    /// One value; the text stands for it in help.
    One(&'static str),
    /// One of a few words.
    Word(&'static str, fn() -> Vec<&'static str>),
    /// A path, which completions look up in the file system.
    Path(&'static str),
    /// Two whole numbers, as two values or as one with a comma.
    Point,
}

impl Takes {
    /// How many of the following tokens belong to the flag.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::One(_) | Self::Word(..) | Self::Path(_) => 1,
            Self::Point => 2,
        }
    }

    /// How help writes what follows the flag, empty when nothing does.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::One(name) | Self::Word(name, _) | Self::Path(name) => name,
            Self::Point => "<x> <y>",
        }
    }
}

/// A flag: its name, its other spellings, what it takes and what it is for.
pub(crate) struct Flag {
    /// The canonical spelling, dashes included.
    pub(crate) name: &'static str,
    /// Other spellings, which mean the same.
    pub(crate) aliases: &'static [&'static str],
    /// What follows it.
    pub(crate) takes: Takes,
    /// One line for help.
    pub(crate) help: &'static str,
}

impl Flag {
    /// One that has no other spelling.
    pub(crate) const fn new(name: &'static str, takes: Takes, help: &'static str) -> Self {
        Self {
            name,
            aliases: &[],
            takes,
            help,
        }
    }

    /// Whether this is how the flag, or one of its aliases, is written.
    pub(crate) fn is_spelled(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Every spelling, the canonical one first.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The name with what it takes, as help writes it.
    pub(crate) fn shown(&self) -> String {
        match self.takes.shown() {
            "" => self.name.to_owned(),
            value => format!("{} {value}", self.name),
        }
    }
}

/// Flags that belong together, with the heading they have in help.
pub(crate) struct FlagSet {
    /// The heading.
    pub(crate) heading: &'static str,
    /// The flags.
    pub(crate) flags: &'static [&'static Flag],
}

/// The argument that a command takes without a flag.
pub(crate) struct Positional {
    /// How help writes it.
    pub(crate) name: &'static str,
    /// One line for help.
    pub(crate) help: &'static str,
    /// What it can be, when that is a small set of words.
    pub(crate) words: fn() -> Vec<&'static str>,
}

impl Positional {
    /// Whether it can be given several times: then its name ends in an ellipsis.
    pub(crate) fn takes_many(&self) -> bool {
        self.name.ends_with('…')
    }
}

/// A positional argument that can be anything.
pub(crate) fn anything() -> Vec<&'static str> {
    Vec::new()
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
    /// Turns what was given into what is to be done.
    pub(crate) build: fn(&Arguments) -> Result<Box<dyn Task>, ErrorBody>,
}

impl Command {
    /// Every flag of its own.
    pub(crate) fn own_flags(&self) -> impl Iterator<Item = &'static Flag> + use<> {
        self.flags.iter().flat_map(|set| set.flags.iter().copied())
    }

    /// The flag of its own that is written like this.
    pub(crate) fn flag(&self, name: &str) -> Option<&'static Flag> {
        self.own_flags().find(|flag| flag.is_spelled(name))
    }

    /// Whether a global flag means something to the command: one that runs nothing has no device and no time.
    pub(crate) fn uses(&self, global: &Flag) -> bool {
        let of_a_phone = sims::is_one(global) || std::ptr::eq(global, &globals::OPERATOR_PACKAGE);
        if self.serves() {
            return !std::ptr::eq(global, &globals::TIMEOUT);
        }
        if std::ptr::eq(global, &globals::VIA) {
            return self.drives();
        }
        if std::ptr::eq(global, &globals::WAKE) {
            // `doctor --fix` wakes.
            return self.drives() && !std::ptr::eq(self, &commands::manage::doctor::COMMAND);
        }
        // What is kept on this computer is shown for one device, too.
        let shows = [
            &commands::logs::COMMAND,
            &commands::recording::list::COMMAND,
        ];
        let of_what_is_kept = shows.iter().any(|command| std::ptr::eq(self, *command))
            && std::ptr::eq(global, &globals::DEVICE);
        let of_a_browser =
            std::ptr::eq(self, &commands::devices::COMMAND) && std::ptr::eq(global, &globals::CDP);
        !globals::is_of_a_run(global)
            || of_what_is_kept
            || of_a_browser
            || self.timeout.is_some()
            || (self.starts_a_phone() && of_a_phone)
    }

    /// Whether a way to a phone means something to it: it runs a plan, or looks whether one could be run.
    fn drives(&self) -> bool {
        let looks = std::ptr::eq(self, &commands::manage::doctor::COMMAND);
        let runs = matches!(self.group, Group::Interaction | Group::Execution);
        let records = [
            &commands::recording::start::START,
            &commands::recording::start::STOP,
        ];
        looks
            || records.iter().any(|command| std::ptr::eq(self, *command))
            || (runs && self.timeout.is_some())
    }

    /// Whether the flags of the embedded phone set up one that it starts, and no device is named.
    pub(crate) fn starts_a_phone(&self) -> bool {
        std::ptr::eq(self, &commands::sim::start::COMMAND)
    }

    /// Whether it drives what others ask for: every flag that sets a device up means something, and no device is named yet.
    pub(crate) fn serves(&self) -> bool {
        matches!(self.group, Group::Servers)
    }

    /// The group that it is a command of.
    pub(crate) fn parent(&self) -> Option<&'static str> {
        self.name.split_once(' ').map(|(parent, _)| parent)
    }

    /// The commands of the group that it is.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'static Command> + use<> {
        let name = self.name;
        COMMANDS
            .iter()
            .copied()
            .filter(move |command| command.parent() == Some(name))
    }

    /// What its members are called behind its own name, in their order.
    pub(crate) fn member_words(&self) -> Vec<&'static str> {
        self.members()
            .filter_map(|member| Some(member.name.split_once(' ')?.1))
            .collect()
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

/// Every command, in the order of help.
pub(crate) static COMMANDS: &[&Command] = &[
    &commands::snapshot::COMMAND,
    &commands::screenshot::COMMAND,
    &commands::inspect::COMMAND,
    &commands::selectors::COMMAND,
    &commands::click::COMMAND,
    &commands::open::COMMAND,
    &commands::enter_text::COMMAND,
    &commands::read::COMMAND,
    &commands::read_value::COMMAND,
    &commands::wait::COMMAND,
    &commands::wait_for_nav::COMMAND,
    &commands::press::COMMAND,
    &commands::press::BACK,
    &commands::close::COMMAND,
    &commands::sleep::COMMAND,
    &commands::scroll::COMMAND,
    &commands::scroll_until::COMMAND,
    &commands::scroll_until::AND_CLICK,
    &commands::devices::COMMAND,
    &commands::manage::packages::GROUP,
    &commands::manage::packages::LIST,
    &commands::exec::COMMAND,
    &commands::recording::COMMAND,
    &commands::recording::start::START,
    &commands::recording::start::STOP,
    &commands::recording::pull::COMMAND,
    &commands::recording::parse::COMMAND,
    &commands::recording::list::COMMAND,
    &commands::recording::recorder::COMMAND,
    #[cfg(unix)]
    &commands::chrome::broker::COMMAND,
    &commands::chrome::resident::COMMAND,
    &commands::sim::COMMAND,
    &commands::sim::new::COMMAND,
    &commands::sim::check::COMMAND,
    &commands::sim::show::COMMAND,
    &commands::sim::import::COMMAND,
    &commands::sim::apps::COMMAND,
    &commands::sim::faults::COMMAND,
    &commands::sim::start::COMMAND,
    &commands::sim::list::COMMAND,
    &commands::sim::stop::COMMAND,
    &commands::chrome::COMMAND,
    &commands::chrome::start::COMMAND,
    &commands::chrome::list::COMMAND,
    &commands::chrome::stop::COMMAND,
    &commands::serve::COMMAND,
    &commands::mcp::COMMAND,
    &commands::manage::doctor::COMMAND,
    &commands::manage::operator::GROUP,
    &commands::manage::operator::SETUP,
    &commands::manage::grants::COMMAND,
    &commands::logs::COMMAND,
    &commands::version::COMMAND,
    &commands::help::COMMAND,
    &commands::completions::COMMAND,
    &commands::licenses::COMMAND,
    &commands::generate_docs::COMMAND,
    &commands::manage::operator::MOVED[0],
    &commands::manage::operator::MOVED[1],
];

/// The command with this name, and whether the name takes up two arguments.
pub(crate) fn find(first: &str, second: Option<&str>) -> Option<(&'static Command, Words)> {
    // A name that is gone does not become the argument of a command of its first word.
    if second.is_some_and(|second| is_removed(first, second)) {
        return None;
    }
    let two = second.and_then(|second| {
        let both = format!("{first} {second}");
        COMMANDS
            .iter()
            .find(|command| command.name == both || command.synonyms.contains(&both.as_str()))
            .map(|command| (*command, Words::Two))
    });
    two.or_else(|| {
        COMMANDS
            .iter()
            .find(|command| command.names().any(|name| name == first))
            .map(|command| (*command, Words::One))
    })
}

/// Whether two words are a name that is gone.
fn is_removed(first: &str, second: &str) -> bool {
    REMOVED
        .iter()
        .filter(|removed| removed.first == first)
        .any(|removed| removed.replaced.iter().any(|(word, _)| *word == second))
}

/// Whether a command that can run something on a device is asked not to.
pub(crate) fn is_idle(arguments: &Arguments) -> bool {
    std::ptr::eq(arguments.command, &commands::version::COMMAND)
        && !arguments.has(&commands::version::CHECK_COMPAT)
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

/// Names that are gone, kept so that they can be answered with what to use.
pub(crate) static REMOVED: &[Removed] = &[
    Removed {
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
    Removed {
        first: "inspect",
        replaced: &[("ui", "snapshot")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_means_one_command() {
        let mut seen = BTreeSet::new();
        for command in COMMANDS {
            for name in std::iter::once(&command.name).chain(command.synonyms) {
                assert!(seen.insert(*name), "{name} is declared twice");
            }
        }
        for removed in REMOVED {
            for (second, replacement) in removed.replaced {
                let name = format!("{} {second}", removed.first);
                assert!(!seen.contains(name.as_str()), "{name} is gone and there");
                assert!(find(replacement, None).is_some(), "{replacement}");
            }
        }
    }

    #[test]
    fn every_flag_of_a_command_means_one_thing() {
        for command in COMMANDS {
            let mut seen = BTreeSet::new();
            for flag in command.own_flags().chain(globals::ALL.iter().copied()) {
                for name in flag.spellings() {
                    assert!(name.starts_with('-'), "{} {name}", command.name);
                    assert!(seen.insert(name), "{} has two {name}", command.name);
                }
            }
        }
    }

    #[test]
    fn every_text_is_one_sentence_without_a_full_stop() {
        for command in COMMANDS {
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

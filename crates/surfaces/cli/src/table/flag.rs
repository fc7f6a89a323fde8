//! Flags: how they are written, what follows them and what they are for.

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

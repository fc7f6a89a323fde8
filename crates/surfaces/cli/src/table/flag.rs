//! Flags: spelling, value and help.

/// The kind of value that a flag takes.
#[derive(Clone, Copy)]
pub(crate) enum FlagValue {
    /// No value.
    Switch,
    /// One value, with its name in help.
    Text(&'static str),
    /// One of a few words.
    OneOf(&'static str, fn() -> Vec<&'static str>),
    /// A path, which completions look up in the file system.
    Path(&'static str),
    /// Two whole numbers, as two values or as one with a comma.
    Point,
}

impl FlagValue {
    /// The number of values.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Switch => 0,
            Self::Text(_) | Self::OneOf(..) | Self::Path(_) => 1,
            Self::Point => 2,
        }
    }

    /// The value in help; empty without one.
    pub(crate) fn placeholder(self) -> &'static str {
        match self {
            Self::Switch => "",
            Self::Text(name) | Self::OneOf(name, _) | Self::Path(name) => name,
            Self::Point => "<x> <y>",
        }
    }
}

pub(crate) struct Flag {
    /// The canonical spelling, dashes included.
    pub(crate) name: &'static str,
    /// Other spellings.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) value: FlagValue,
    /// One line for help.
    pub(crate) help: &'static str,
}

impl Flag {
    /// Whether the name is a spelling of the flag.
    pub(crate) fn has_spelling(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Every spelling, the canonical one first.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The name with its value, as in help.
    pub(crate) fn usage(&self) -> String {
        match self.value.placeholder() {
            "" => self.name.to_owned(),
            value => format!("{} {value}", self.name),
        }
    }
}

/// Declares flags: name, other spellings, value and help.
macro_rules! flags {
    ($($id:ident = $name:literal $(| $alias:literal)*, $value:expr, $help:literal;)+) => {
        $(
            #[doc = $help]
            pub(crate) static $id: $crate::table::Flag = $crate::table::Flag {
                name: $name,
                aliases: &[$($alias),*],
                value: $value,
                help: $help,
            };
        )+
    };
}

pub(crate) use flags;

/// A group of flags with its heading in help.
pub(crate) struct FlagSet {
    pub(crate) heading: &'static str,
    pub(crate) flags: &'static [&'static Flag],
}

impl FlagSet {
    /// A group of flags.
    pub(crate) const fn new(heading: &'static str, flags: &'static [&'static Flag]) -> Self {
        Self { heading, flags }
    }
}

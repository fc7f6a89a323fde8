//! Parsed arguments of a command, and validated access to them.

use contract::{ErrorBody, limits};

use super::{Flag, Globals};
use crate::errors::{alternatives, invalid, invalid_value, usage};

/// A flag on the command line.
pub(crate) struct ParsedFlag {
    /// Which flag.
    pub(crate) flag: &'static Flag,
    /// How it was written.
    pub(crate) spelled: String,
    /// Its values; fewer than expected if the line ended.
    pub(crate) values: Vec<String>,
}

impl ParsedFlag {
    /// The value of a flag that takes one.
    pub(crate) fn value(&self) -> Option<&str> {
        self.values.first().map(String::as_str)
    }

    /// The value, unless it is missing or empty.
    pub(crate) fn filled(&self) -> Option<&str> {
        self.value().filter(|value| !value.is_empty())
    }
}

/// A command's arguments.
pub(crate) struct Arguments {
    /// The command as it was written.
    pub(crate) spelled: String,
    /// The global flags.
    pub(crate) globals: Globals,
    positionals: Vec<String>,
    given: Vec<ParsedFlag>,
}

impl Arguments {
    pub(crate) fn new(
        spelled: String,
        globals: Globals,
        positionals: Vec<String>,
        given: Vec<ParsedFlag>,
    ) -> Self {
        Self {
            spelled,
            globals,
            positionals,
            given,
        }
    }

    /// The positional argument.
    pub(crate) fn positional(&self) -> Option<&str> {
        self.positionals.first().map(String::as_str)
    }

    /// All positional arguments.
    pub(crate) fn positionals(&self) -> &[String] {
        &self.positionals
    }

    /// All occurrences of the flag, in any spelling.
    pub(crate) fn all(&self, flag: &'static Flag) -> impl Iterator<Item = &ParsedFlag> {
        self.given
            .iter()
            .filter(move |given| given.flag.name == flag.name)
    }

    /// The first occurrence of the flag.
    pub(crate) fn first(&self, flag: &'static Flag) -> Option<&ParsedFlag> {
        self.all(flag).next()
    }

    /// Whether the flag was given.
    pub(crate) fn has(&self, flag: &'static Flag) -> bool {
        self.first(flag).is_some()
    }

    /// The flag, which must not be repeated in any spelling.
    pub(crate) fn single(&self, flag: &'static Flag) -> Result<Option<&ParsedFlag>, ErrorBody> {
        let mut all = self.all(flag);
        let first = all.next();
        if let (Some(first), Some(second)) = (first, all.next()) {
            return Err(twice(first, second));
        }
        Ok(first)
    }

    /// The value of a flag; absent if missing or empty.
    pub(crate) fn optional(&self, flag: &'static Flag) -> Result<Option<&str>, ErrorBody> {
        Ok(self.single(flag)?.and_then(ParsedFlag::filled))
    }

    /// The value of a flag; an error if missing or blank.
    pub(crate) fn strict(&self, flag: &'static Flag) -> Result<Option<&str>, ErrorBody> {
        match self.single(flag)? {
            None => Ok(None),
            Some(given) => match given.filled() {
                Some(value) if limits::is_blank(value) => Err(usage(format!(
                    "the value of {} must not be blank",
                    given.spelled
                ))),
                Some(value) => Ok(Some(value)),
                None => Err(usage(format!("{} requires a value", given.spelled))),
            },
        }
    }

    /// The value of a flag, parsed; an error with what is `expected` if it is missing, blank or invalid.
    pub(crate) fn parsed<T>(
        &self,
        flag: &'static Flag,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ErrorBody> {
        let Some(text) = self.strict(flag)? else {
            return Ok(None);
        };
        let invalid = || usage(invalid_value(text, flag.name, expected));
        parse(text).map(Some).ok_or_else(invalid)
    }

    /// The value of a flag that takes one of a few words.
    pub(crate) fn word<T>(
        &self,
        flag: &'static Flag,
        words: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ErrorBody> {
        self.parsed(flag, &alternatives(words), parse)
    }

    /// A value given either with a flag or as the positional argument.
    pub(crate) fn either(&self, flag: &'static Flag) -> Result<Option<&str>, ErrorBody> {
        match (self.single(flag)?, self.positional()) {
            (Some(given), Some(_)) if given.filled().is_none() => {
                Err(invalid(format!("{} requires a value", given.spelled)))
            }
            (Some(_), Some(positional)) => Err(invalid(format!(
                "{} takes either {} or the argument {:?}, not both",
                self.spelled,
                flag.name,
                escape::truncate_input(positional)
            ))),
            (given, positional) => Ok(given.and_then(ParsedFlag::filled).or(positional)),
        }
    }
}

/// Error of a repeated flag.
pub(crate) fn twice(first: &ParsedFlag, second: &ParsedFlag) -> ErrorBody {
    invalid(if first.spelled == second.spelled {
        format!("{} must not appear more than once", first.spelled)
    } else {
        format!(
            "{} and {} are the same flag, which must not appear more than once",
            first.spelled, second.spelled
        )
    })
}

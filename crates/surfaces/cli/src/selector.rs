//! Matchers from selector flags.

use contract::{ErrorBody, ErrorCode, NodeMatcher, limits};
use serde_json::{Map, Value};

use crate::errors::invalid;
use crate::table::{Arguments, Flag, FlagSet, ParsedFlag, flags};

/// A set of flags that together describe one node.
pub(crate) struct Family {
    /// The flags: the first takes the whole matcher, each other one a field.
    pub(crate) flags: &'static FlagSet,
    /// The error when both ways are mixed.
    pub(crate) mixed: &'static str,
}

/// The element flags.
pub(crate) static ELEMENT: Family = Family {
    flags: &flags::ELEMENT,
    mixed: "use --selector OR the simple flags, not both",
};

/// The container flags.
pub(crate) static CONTAINER: Family = Family {
    flags: &flags::CONTAINER,
    mixed: "use --container-selector OR the --container-* flags, not both",
};

/// The field that a flag fills, by the end of its name.
fn field(flag: &Flag) -> &'static str {
    let name = flag.name.trim_start_matches("--");
    let name = name
        .trim_start_matches("container-")
        .trim_start_matches("to-");
    match name {
        "text" => "textEquals",
        "text-contains" => "textContains",
        "id" => "resourceId",
        "desc" => "contentDescEquals",
        "desc-contains" => "contentDescContains",
        "role" => "role",
        "css" => "css",
        _ => "ref",
    }
}

impl Family {
    fn flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.flags.flags.iter().copied()
    }

    /// Whether any flag of the family is present, valid or not.
    pub(crate) fn is_given(&self, arguments: &Arguments) -> bool {
        self.flags().any(|flag| arguments.has(flag))
    }

    /// Whether any flag of the family other than this one is present.
    pub(crate) fn is_given_beside(&self, other: &'static Flag, arguments: &Arguments) -> bool {
        let mut flags = self.flags().filter(|flag| flag.name != other.name);
        flags.any(|flag| arguments.has(flag))
    }

    /// The matcher of the flags; `None` without flags.
    ///
    /// # Errors
    ///
    /// A duplicate flag, a missing or blank value, both ways mixed, or JSON that is not an object. The contract
    /// validates the JSON.
    pub(crate) fn matcher(&self, arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
        for flag in self.flags() {
            arguments.single(flag)?;
        }
        for flag in self.flags() {
            if let Some(given) = arguments.first(flag) {
                value_of(given)?;
            }
        }
        let mut given = self.flags().map(|flag| arguments.first(flag));
        let raw = given.next().flatten();
        let simple: Vec<&ParsedFlag> = given.flatten().collect();
        match raw {
            Some(_) if !simple.is_empty() => return Err(invalid(self.mixed)),
            Some(given) => return object(given).map(Some),
            None => {}
        }
        let mut matcher = Map::new();
        for given in simple {
            matcher.insert(field(given.flag).to_owned(), filled(given)?.into());
        }
        Ok((!matcher.is_empty()).then_some(Value::Object(matcher)))
    }
}

/// The value of a flag, which is required.
pub(crate) fn value_of(given: &ParsedFlag) -> Result<&str, ErrorBody> {
    given.value().ok_or_else(|| {
        invalid(format!("{} requires a value", given.spelled)).with_hint(format!(
            "To pass a value that starts with two dashes, use {}=<value>",
            given.spelled
        ))
    })
}

/// The value of a flag, which is required and must not be blank.
pub(crate) fn filled(given: &ParsedFlag) -> Result<&str, ErrorBody> {
    let value = value_of(given)?;
    if limits::is_blank(value) {
        return Err(invalid(format!(
            "the value of {} must not be blank",
            given.spelled
        )));
    }
    Ok(value)
}

/// The matcher in JSON, or an element as a text view prints it.
fn object(given: &ParsedFlag) -> Result<Value, ErrorBody> {
    let text = filled(given)?;
    if NodeMatcher::from_value(&text.into()).is_ok() {
        return Ok(text.into());
    }
    match contract::read_json(text, given.flag.name) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(invalid(format!(
            "{} must be a JSON object such as {{\"textEquals\":\"Done\"}}",
            given.spelled
        ))),
        Err(bad) if bad.problems().is_empty() => {
            let form = format!("{} '{{\"textEquals\":\"Done\"}}'", given.spelled);
            let hint = if text.trim_start().starts_with('{') {
                format!("Quote the JSON for the shell, as in {form}")
            } else {
                format!("It takes a matcher as JSON, as in {form}; for a CSS selector use --css")
            };
            Err(ErrorBody::from(bad).with_hint(hint))
        }
        // Paths of problems are relative to the flag's value.
        Err(bad) => {
            let mut error = ErrorBody::from(bad);
            error.message = format!("{}: {}", given.spelled, error.message);
            Err(error)
        }
    }
}

/// Checks that a flag of the family is given; `also` is a flag that would do instead.
pub(crate) fn require(
    arguments: &Arguments,
    family: &Family,
    also: Option<&'static Flag>,
) -> Result<(), ErrorBody> {
    if family.is_given(arguments) {
        return Ok(());
    }
    let mut names: Vec<&str> = family.flags().map(|flag| flag.name).collect();
    names.extend(also.map(|flag| flag.name));
    let command = &arguments.spelled;
    let message = format!(
        "{command} requires a selector: one or more of {}",
        names.join(", ")
    );
    Err(ErrorBody::new(ErrorCode::MissingSelector, message).with_hint(format!(
        "For example --text-contains \"sign in\" --role button, or --id android:id/title; see `clawperator {command} --help`"
    )))
}

//! Parses the text form of faults: `name parameters triggers`.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use super::rows::{make, rows};
use super::table::{FaultRow, Param, Shape, Value, Values, row};
use super::when::{Calls, Lasts, Start, When};
use super::{Fault, MAX};
use crate::units::{UnitError, percent, range, time};
use crate::words::nearest;

const REFUSE: &str = "refuse";

/// The word for all faults without a lasting effect.
const CHAOS: &str = "chaos";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FaultError {
    /// The problem, with the nearest existing name.
    pub message: String,
}

pub fn too_many(count: usize) -> FaultError {
    wrong(format_args!(
        "a phone has {MAX} faults at most, this would be {count}"
    ))
}

pub fn wrong(message: impl fmt::Display) -> FaultError {
    FaultError {
        message: message.to_string(),
    }
}

/// A word or a named value, from a text or a mapping.
#[derive(Debug)]
pub struct Argument<'a> {
    /// `None` for a word without a name.
    pub name: Option<&'a str>,
    pub value: String,
}

impl FromStr for Fault {
    type Err = FaultError;

    /// Parses one fault; [`Fault::parse_all`] also accepts `chaos`, which gives several.
    fn from_str(spec: &str) -> Result<Self, FaultError> {
        match <[Fault; 1]>::try_from(Fault::parse_all(spec)?) {
            Ok([fault]) => Ok(fault),
            Err(_) => Err(wrong(format_args!("`{spec}` is more than one fault"))),
        }
    }
}

impl Fault {
    /// Parses the value of a flag: one fault, or `chaos` (also `all`) with an optional chance, which gives all faults
    /// without a lasting effect, each at 1 %.
    ///
    /// # Errors
    /// The problem, with the nearest existing name.
    pub fn parse_all(spec: &str) -> Result<Vec<Self>, FaultError> {
        let words = words(spec)?;
        let Some((name, rest)) = words.split_first() else {
            return Err(wrong("a fault is missing, for example `lose_gesture 10%`"));
        };
        if name == CHAOS || name == "all" {
            return chaos(rest);
        }
        let found = named(name)?;
        let given: Vec<Argument<'_>> = pair(rest);
        build(found, &given).map(|fault| vec![fault])
    }

    /// Checks the number of faults of a phone.
    ///
    /// # Errors
    /// There are more than [`MAX`](super::MAX).
    pub fn check_count(count: usize) -> Result<(), FaultError> {
        if count > MAX {
            return Err(too_many(count));
        }
        Ok(())
    }
}

pub fn named(name: &str) -> Result<&'static FaultRow, FaultError> {
    row(name).ok_or_else(|| no_such(name, &[]))
}

/// Returns the error for an unknown name, with the nearest fault or one of `others`.
pub fn no_such(name: &str, others: &[&str]) -> FaultError {
    let known = rows().iter().map(|row| row.name).chain([CHAOS]);
    wrong(format_args!(
        "`{}` is not a fault{}",
        cut(name),
        nearest(name, known.chain(others.iter().copied()))
    ))
}

/// Returns the faults of `chaos`.
fn chaos(rest: &[String]) -> Result<Vec<Fault>, FaultError> {
    let chance = match rest {
        [] => 1.0,
        [chance] => {
            let chance = percent(chance).map_err(|unread| {
                wrong(format_args!(
                    "`{CHAOS}` takes a chance such as 2%, not `{}`{}",
                    cut(chance),
                    unread.reason()
                ))
            })?;
            check_chance(chance, CHAOS)?
        }
        _ => {
            return Err(wrong(format_args!(
                "`{CHAOS}` takes one chance and no more"
            )));
        }
    };
    rows()
        .iter()
        .filter_map(|row| Some((row, row.chaos?)))
        .map(|(row, how)| {
            let words = words(how)?;
            let mut fault = build(row, &pair(&words))?;
            fault.when.chance = Some(chance);
            Ok(fault)
        })
        .collect()
}

/// Splits a text into words; quotes group words.
fn words(text: &str) -> Result<Vec<String>, FaultError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if quoted => word.get_or_insert_default().extend(letters.next()),
            letter if letter.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    if quoted {
        return Err(wrong("a quote is not closed"));
    }
    words.extend(word);
    Ok(words)
}

/// Groups words to names and values: `name=value`, and `for`, `in` and `on` with the next word.
fn pair(words: &[String]) -> Vec<Argument<'_>> {
    let mut given = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let (name, value) = if let Some(time) = word.strip_prefix('@') {
            (Some("at"), time)
        } else if let Some((name, value)) = word.split_once('=') {
            (Some(name), value)
        } else if ["for", "in", "on"].contains(&word.as_str()) {
            (Some(word.as_str()), rest.next().map_or("", String::as_str))
        } else {
            (None, word.as_str())
        };
        given.push(Argument {
            name,
            value: value.to_owned(),
        });
    }
    given
}

pub fn build(row: &'static FaultRow, given: &[Argument<'_>]) -> Result<Fault, FaultError> {
    let mut values = Values::default();
    let mut when = When::default();
    for each in given {
        match each.name {
            Some(name) => set_named(row, &mut values, &mut when, name, &each.value)?,
            None => set_word(row, &mut values, &mut when, &each.value)?,
        }
    }
    for param in &row.params {
        if let Some(default) = param.default
            && !values.0.contains_key(param.name)
        {
            values
                .0
                .insert(param.name, read_value(row, param, default)?);
        }
    }
    check_calls(row, &when)?;
    Ok(Fault {
        kind: make(row.name, &values),
        when,
    })
}

pub(super) const TRIGGERS: &[&str] = &["at", "chance", "times", "for", "in", "on"];

fn set_named(
    row: &'static FaultRow,
    values: &mut Values,
    when: &mut When,
    name: &str,
    value: &str,
) -> Result<(), FaultError> {
    if let Some(param) = row.params.iter().find(|param| param.name == name) {
        let value = read_value(row, param, value)?;
        if values.0.insert(param.name, value).is_some() {
            return Err(wrong(format_args!("{}: `{name}` is given twice", row.name)));
        }
        return Ok(());
    }
    let given = match name {
        "at" => when.start != Start::AtOnce,
        "chance" => when.chance.is_some(),
        "times" => when.times.is_some(),
        "for" => when.lasts.is_some(),
        "in" => when.app.is_some(),
        "on" => when.on.is_some(),
        _ => false,
    };
    if given {
        return Err(wrong(format_args!("{}: `{name}` is given twice", row.name)));
    }
    let because = |what: &str, unread: UnitError| {
        wrong(format_args!(
            "{}: `{name}` takes {what}, not `{}`{}",
            row.name,
            cut(value),
            unread.reason()
        ))
    };
    let expected = |what: &str| because(what, UnitError::Form);
    match name {
        "at" => {
            when.start = match value.parse::<u32>() {
                Ok(0) => return Err(expected("the number of a call from 1")),
                Ok(call) => Start::Call(call),
                Err(_) => Start::After(time(value).map_err(|unread| {
                    because(
                        "the number of a call such as 3, or a time such as 2s",
                        unread,
                    )
                })?),
            };
        }
        "chance" => {
            let chance =
                percent(value).map_err(|unread| because("a chance such as 10%", unread))?;
            when.chance = Some(check_chance(chance, row.name)?);
        }
        "times" => {
            let times = value.parse().ok().filter(|times: &u32| *times > 0);
            when.times = Some(times.ok_or_else(|| expected("a number from 1"))?);
        }
        "for" => {
            when.lasts = Some(match value {
                "good" => Lasts::Good,
                "once" => Lasts::Once,
                value => {
                    let what = "a time such as 3s, `once` or `good`";
                    let time = time(value).map_err(|unread| because(what, unread))?;
                    if time.is_zero() {
                        let never = "it must last longer than 0ms";
                        return Err(because(what, UnitError::Value(never)));
                    }
                    Lasts::For(time)
                }
            });
        }
        "in" if value.is_empty() => return Err(expected("the package of an app")),
        "in" => when.app = Some(value.to_owned()),
        "on" => {
            let calls = value
                .split('+')
                .map(|word| Calls::of_word(word).ok_or(word))
                .reduce(|all, more| Ok(all?.and(more?)));
            let known = Calls::WORDS.iter().map(|(word, _)| *word);
            when.on = Some(match calls {
                Some(Ok(calls)) => calls,
                Some(Err(word)) => {
                    return Err(wrong(format_args!(
                        "{}: `{}` is not a call{}",
                        row.name,
                        cut(word),
                        nearest(word, known)
                    )));
                }
                None => return Err(expected("a call such as observe or click")),
            });
        }
        other => {
            let known = row
                .params
                .iter()
                .map(|param| param.name)
                .chain(TRIGGERS.iter().copied());
            return Err(wrong(format_args!(
                "{} has no `{}`{}",
                row.name,
                cut(other),
                nearest(other, known)
            )));
        }
    }
    Ok(())
}

/// Sets a word without a name; its form determines its meaning.
fn set_word(
    row: &'static FaultRow,
    values: &mut Values,
    when: &mut When,
    word: &str,
) -> Result<(), FaultError> {
    if percent(word) != Err(UnitError::Form) {
        return set_named(row, values, when, "chance", word);
    }
    let times = word.strip_prefix('x');
    if let Some(times) = times.filter(|times| times.parse::<u32>().is_ok()) {
        return set_named(row, values, when, "times", times);
    }
    if range(word) != Err(UnitError::Form) {
        let timed = row
            .params
            .iter()
            .find(|param| matches!(param.shape, Shape::Time | Shape::Range));
        let name = timed.map_or("for", |param| param.name);
        return set_named(row, values, when, name, word);
    }
    let worded = row.params.iter().find(|param| match param.shape {
        Shape::Word(words) => words.contains(&word),
        _ => false,
    });
    if let Some(param) = worded {
        return set_named(row, values, when, param.name, word);
    }
    if word.split('+').all(|each| Calls::of_word(each).is_some()) {
        return set_named(row, values, when, "on", word);
    }
    let known = row
        .params
        .iter()
        .flat_map(|param| match param.shape {
            Shape::Word(words) => words,
            _ => &[],
        })
        .copied()
        .chain(Calls::WORDS.iter().map(|(word, _)| *word))
        .chain(["for", "in", "on"]);
    Err(wrong(format_args!(
        "{} does not take `{}`{}",
        row.name,
        cut(word),
        nearest(word, known)
    )))
}

fn read_value(row: &FaultRow, param: &Param, text: &str) -> Result<Value, FaultError> {
    let mut expected = String::new();
    let value = match param.shape {
        Shape::Time => {
            "a time such as 800ms".clone_into(&mut expected);
            time(text).map(|time| Value::Range(time, time))
        }
        Shape::Range => {
            "a time such as 800ms, or two such as 200ms..800ms".clone_into(&mut expected);
            range(text).map(|(least, most)| Value::Range(least, most))
        }
        Shape::Count => {
            "a number from 1".clone_into(&mut expected);
            let count = text.parse().ok().filter(|n| *n > 0);
            count.map(Value::Count).ok_or(UnitError::Form)
        }
        Shape::Percent => {
            "a part such as 40%".clone_into(&mut expected);
            percent(text).map(Value::Percent)
        }
        Shape::Word(words) => {
            expected = format!(
                "one of {}{}",
                words.join(", "),
                nearest(text, words.iter().copied())
            );
            match words.contains(&text) {
                true => Ok(Value::Text(text.to_owned())),
                false => Err(UnitError::Form),
            }
        }
        Shape::Text => Ok(Value::Text(text.to_owned())),
    };
    value.map_err(|unread| {
        wrong(format_args!(
            "{}: `{}` is `{}`, expected {expected}{}",
            row.name,
            param.name,
            cut(text),
            unread.reason()
        ))
    })
}

/// Refuses a chance of 0%.
fn check_chance(chance: f64, name: &str) -> Result<f64, FaultError> {
    if chance > 0.0 {
        return Ok(chance);
    }
    Err(wrong(format_args!(
        "{name}: with a chance of 0% it never fires; leave it out"
    )))
}

/// Refuses calls that a fault cannot affect.
fn check_calls(row: &FaultRow, when: &When) -> Result<(), FaultError> {
    let Some(on) = when.on else {
        return Ok(());
    };
    // Faults of the phone can wait for any call, and any call can be refused.
    if row.moment || row.name == REFUSE || row.on.meets(on) {
        return Ok(());
    }
    Err(wrong(format_args!(
        "{} is about {}, not {on}",
        row.name, row.on
    )))
}

pub(super) fn written(time: Duration) -> String {
    let millis = time.as_millis();
    match millis {
        0 => "0ms".to_owned(),
        millis if millis % 3_600_000 == 0 => format!("{}h", millis / 3_600_000),
        millis if millis % 60_000 == 0 => format!("{}m", millis / 60_000),
        millis if millis % 1000 == 0 => format!("{}s", millis / 1000),
        millis => format!("{millis}ms"),
    }
}

/// Formats a text, in quotes where needed.
pub(super) fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "._-:/".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        if letter == '"' || letter == '\\' {
            quoted.push('\\');
        }
        let _written = quoted.write_char(letter);
    }
    quoted.push('"');
    quoted
}

/// Shortens user input for a message.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

//! Parses the text form of faults: `name parameters triggers`.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use super::rows::{make, rows};
use super::table::{FaultRow, Param, Shape, Value, Values, row};
use super::when::{Calls, FaultDuration, Start, When};
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

pub(crate) fn wrong(message: impl fmt::Display) -> FaultError {
    FaultError {
        message: message.to_string(),
    }
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
    pub fn parse_all(spec: &str) -> Result<Vec<Self>, FaultError> {
        let words = words(spec)?;
        let Some((name, rest)) = words.split_first() else {
            return Err(wrong("a fault is missing, for example `lose_gesture 10%`"));
        };
        if name == CHAOS || name == "all" {
            return chaos(rest);
        }
        let row = row(name).ok_or_else(|| no_such(name, &[]))?;
        build(row, rest).map(|fault| vec![fault])
    }

    /// Checks the number of faults of a phone.
    pub fn check_count(count: usize) -> Result<(), FaultError> {
        if count > MAX {
            return Err(too_many(count));
        }
        Ok(())
    }
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
            let mut fault = build(row, &words(how)?)?;
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

/// A fault that is being parsed.
struct Draft {
    row: &'static FaultRow,
    values: Values,
    when: When,
    /// The names of parameters and triggers that were given.
    given: Vec<String>,
}

/// Builds a fault from its row and the words after its name: `name=value`, `@value`, `for`, `in` and `on` with the next word,
/// and words whose form determines their meaning.
fn build(row: &'static FaultRow, words: &[String]) -> Result<Fault, FaultError> {
    let mut draft = Draft {
        row,
        values: Values::default(),
        when: When::default(),
        given: Vec::new(),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(time) = word.strip_prefix('@') {
            draft.set("at", time)?;
        } else if let Some((name, value)) = word.split_once('=') {
            draft.set(name, value)?;
        } else if ["for", "in", "on"].contains(&word.as_str()) {
            draft.set(word, rest.next().map_or("", String::as_str))?;
        } else {
            draft.set_word(word)?;
        }
    }
    let Draft {
        mut values, when, ..
    } = draft;
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

/// The names of triggers.
const TRIGGERS: [&str; 6] = ["at", "chance", "times", "for", "in", "on"];

impl Draft {
    fn set(&mut self, name: &str, value: &str) -> Result<(), FaultError> {
        let row = self.row;
        if self.given.iter().any(|given| given == name) {
            return Err(wrong(format_args!("{}: `{name}` is given twice", row.name)));
        }
        self.given.push(name.to_owned());
        if let Some(param) = row.params.iter().find(|param| param.name == name) {
            let value = read_value(row, param, value)?;
            self.values.0.insert(param.name, value);
            return Ok(());
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
        let when = &mut self.when;
        match name {
            "at" => {
                let what = "the number of a call such as 3, or a time such as 2s";
                when.start = match value.parse::<u32>() {
                    Ok(0) => return Err(expected("the number of a call from 1")),
                    Ok(call) => Start::Call(call),
                    Err(_) => Start::After(time(value).map_err(|unread| because(what, unread))?),
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
                let what = "a time such as 3s, `once` or `good`";
                when.lasts = Some(match value {
                    "good" => FaultDuration::Good,
                    "once" => FaultDuration::Once,
                    value => match time(value).map_err(|unread| because(what, unread))? {
                        Duration::ZERO => {
                            let never = UnitError::Value("it must last longer than 0ms");
                            return Err(because(what, never));
                        }
                        time => FaultDuration::For(time),
                    },
                });
            }
            "in" if value.is_empty() => return Err(expected("the package of an app")),
            "in" => when.app = Some(value.to_owned()),
            "on" => {
                let mut all = Calls::default();
                for word in value.split('+') {
                    let known = Calls::WORDS.iter().map(|(word, _)| *word);
                    all = all.and(Calls::of_word(word).ok_or_else(|| {
                        let hint = nearest(word, known);
                        wrong(format_args!(
                            "{}: `{}` is not a call{hint}",
                            row.name,
                            cut(word)
                        ))
                    })?);
                }
                when.on = Some(all);
            }
            other => {
                let params = row.params.iter().map(|param| param.name);
                let hint = nearest(other, params.chain(TRIGGERS));
                return Err(wrong(format_args!(
                    "{} has no `{}`{hint}",
                    row.name,
                    cut(other)
                )));
            }
        }
        Ok(())
    }

    /// Sets a word without a name; its form determines its meaning.
    fn set_word(&mut self, word: &str) -> Result<(), FaultError> {
        let mut params = self.row.params.iter();
        if percent(word) != Err(UnitError::Form) {
            return self.set("chance", word);
        }
        let times = word.strip_prefix('x');
        if let Some(times) = times.filter(|times| times.parse::<u32>().is_ok()) {
            return self.set("times", times);
        }
        if range(word) != Err(UnitError::Form) {
            let timed = params.find(|param| matches!(param.shape, Shape::Time | Shape::Range));
            return self.set(timed.map_or("for", |param| param.name), word);
        }
        let is_worded = |shape| matches!(shape, Shape::Word(words) if words.contains(&word));
        if let Some(param) = params.find(|param| is_worded(param.shape)) {
            return self.set(param.name, word);
        }
        if word.split('+').all(|each| Calls::of_word(each).is_some()) {
            return self.set("on", word);
        }
        let words = self.row.params.iter().flat_map(|param| match param.shape {
            Shape::Word(words) => words,
            _ => &[],
        });
        let known = words
            .copied()
            .chain(Calls::WORDS.iter().map(|(word, _)| *word));
        let hint = nearest(word, known.chain(["for", "in", "on"]));
        let message = format!("{} does not take `{}`{hint}", self.row.name, cut(word));
        Err(wrong(message))
    }
}

/// Parses the value of a parameter.
fn read_value(row: &FaultRow, param: &Param, text: &str) -> Result<Value, FaultError> {
    let (expected, value) = match param.shape {
        Shape::Time => (
            "a time such as 800ms".to_owned(),
            time(text).map(|time| Value::Range(time, time)),
        ),
        Shape::Range => (
            "a time such as 800ms, or two such as 200ms..800ms".to_owned(),
            range(text).map(|(least, most)| Value::Range(least, most)),
        ),
        Shape::Count => {
            let count = text.parse().ok().filter(|n| *n > 0);
            let count = count.map(Value::Count).ok_or(UnitError::Form);
            ("a number from 1".to_owned(), count)
        }
        Shape::Percent => (
            "a part such as 40%".to_owned(),
            percent(text).map(Value::Percent),
        ),
        Shape::Word(words) if !words.contains(&text) => {
            let hint = nearest(text, words.iter().copied());
            let expected = format!("one of {}{hint}", words.join(", "));
            (expected, Err(UnitError::Form))
        }
        Shape::Word(_) | Shape::Text => (String::new(), Ok(Value::Text(text.to_owned()))),
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
    if row.moment || row.name == REFUSE || row.on.intersects(on) {
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

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

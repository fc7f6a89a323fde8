//! Days and times of day that the user chooses: what an app says about it.

use std::sync::Arc;

use super::dates::Date;
use super::effects::{Computed, Effects, computed, none, take};
use super::expr::Expr;
use super::read::{Fields, Located, Reader};
use super::schema::Topic;
use super::template::Template;
use super::value::Value;
use super::yaml::Yaml;

/// A day or a time that the user is to choose.
#[derive(Debug)]
pub(crate) struct Pick {
    pub(crate) what: Picked,
    /// The variable that keeps it.
    pub(crate) bind: Arc<str>,
    pub(crate) on_change: Effects,
}

/// What is chosen.
#[derive(Clone, Debug)]
pub(crate) enum Picked {
    Date {
        min: Option<Computed>,
        max: Option<Computed>,
    },
    Time {
        /// Whether hours run to 24; without it as the language has it.
        hour_24: Option<bool>,
        face: Faces,
    },
}

/// How a time is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Faces {
    #[default]
    Clock,
    /// With fields to write into.
    Input,
}

/// What a part of a picker does when it is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickAct {
    PreviousMonth,
    NextMonth,
    /// Shows the list of years.
    Years,
    /// Shows the days of a month.
    Days,
    Year(i32),
    Day(u8),
    /// Shows the hours on the clock.
    Hours,
    /// Shows the minutes on it.
    Minutes,
    Hour(u8),
    Minute(u8),
    /// A touch on the clock, at the place that is known as `x` and `y`.
    Clock,
    Morning,
    Afternoon,
    /// Opens the list with both halves of a day.
    Halves,
    /// From the clock to the fields and back.
    Mode,
    Confirm,
}

const FACES: [(&str, Faces); 2] = [("clock", Faces::Clock), ("input", Faces::Input)];

/// The keys of a day that is chosen, wherever they stand.
pub(crate) fn dates(reader: &mut Reader, fields: &mut Fields<'_>) -> Picked {
    let [min, max] = ["min", "max"].map(|key| {
        let at = fields.take(key)?;
        let value = computed(reader, &at)?;
        // What is worked out later is looked at then.
        let fixed = match &value {
            Computed::Template(Template::Fixed(text)) => Some(Arc::clone(text)),
            Computed::Expr(Expr::Value(value)) => Some(value.to_text()),
            Computed::Template(_) | Computed::Expr(_) => None,
        };
        let date = fixed.as_ref().map(|text| Date::parse(text));
        if date == Some(None) {
            reader.problem(&at, "expected a day such as \"2026-03-12\"");
        }
        Some((value, date.flatten(), at))
    });
    if let (Some((_, Some(first), _)), Some((_, Some(last), at))) = (&min, &max)
        && first > last
    {
        reader.problem(at, "`max` must not lie before `min`");
    }
    Picked::Date {
        min: min.map(|(value, ..)| value),
        max: max.map(|(value, ..)| value),
    }
}

/// The keys of a time that is chosen, wherever they stand.
pub(crate) fn times(reader: &mut Reader, fields: &mut Fields<'_>) -> Picked {
    Picked::Time {
        hour_24: fields.flag(reader, "hour_24"),
        face: fields.word(reader, "mode", &FACES).unwrap_or_default(),
    }
}

/// `pick_date`: a variable, or a mapping.
pub(super) fn date(reader: &mut Reader, at: &Located<'_>) -> Option<Pick> {
    read(reader, at, "date picker", dates)
}

/// `pick_time`: a variable, or a mapping.
pub(super) fn time(reader: &mut Reader, at: &Located<'_>) -> Option<Pick> {
    read(reader, at, "time picker", times)
}

fn read(
    reader: &mut Reader,
    at: &Located<'_>,
    part: &'static str,
    what: fn(&mut Reader, &mut Fields<'_>) -> Picked,
) -> Option<Pick> {
    if !matches!(at.node.value, Yaml::Map(_)) {
        let bind = reader.bound(at)?;
        let what = match part {
            "date picker" => Picked::Date {
                min: None,
                max: None,
            },
            _ => Picked::Time {
                hour_24: None,
                face: Faces::Clock,
            },
        };
        return Some(Pick {
            what,
            bind,
            on_change: none(),
        });
    }
    let mut fields = Fields::of(reader, at, Topic::Part(part))?;
    let bind = fields.take("bind");
    if bind.is_none() {
        reader.problem(at, "`bind` is missing: the variable that keeps it");
    }
    let bind = bind.and_then(|at| reader.bound(&at));
    let what = what(reader, &mut fields);
    let on_change = take(reader, &mut fields, "on_change");
    fields.finish(reader);
    Some(Pick {
        what,
        bind: bind?,
        on_change,
    })
}

impl Picked {
    /// The first and the last day that a date picker offers when nobody says another one.
    pub(crate) const ENDS: (Date, Date) = (
        Date {
            year: 1900,
            month: 1,
            day: 1,
        },
        Date {
            year: 2100,
            month: 12,
            day: 31,
        },
    );

    /// What a variable that holds it is shown as: an expression over the variable.
    pub(crate) fn shown(&self, bind: &Arc<str>) -> Expr {
        let function = match self {
            Picked::Date { .. } => super::expr::Function::Date,
            Picked::Time { .. } => super::expr::Function::Time,
        };
        let mut values = vec![Expr::Name(Arc::clone(bind))];
        if matches!(self, Picked::Date { .. }) {
            values.push(Expr::Value(Value::text("medium")));
        }
        values.push(Expr::Name(Arc::from(super::expr::LANGUAGE)));
        Expr::Call(function, values)
    }
}

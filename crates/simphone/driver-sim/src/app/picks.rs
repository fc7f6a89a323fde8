//! The keys of a date picker.

use std::sync::Arc;

use super::dates::Date;
use super::effects::{Computed, Effects, computed, none, take};
use super::expr::Expr;
use super::read::{Fields, Located, Reader};
use super::schema::Topic;
use super::template::Template;
use super::value::Value;
use super::yaml::Yaml;

/// A day that the user is to choose.
#[derive(Debug)]
pub(crate) struct Pick {
    pub(crate) min: Option<Computed>,
    pub(crate) max: Option<Computed>,
    /// The variable that keeps it.
    pub(crate) bind: Arc<str>,
    pub(crate) on_change: Effects,
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
    Confirm,
}

/// Reads the first and the last day that can be chosen.
pub(crate) fn ends(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
) -> (Option<Computed>, Option<Computed>) {
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
    (min.map(|(value, ..)| value), max.map(|(value, ..)| value))
}

/// `pick_date`: a variable, or a mapping.
pub(super) fn date(reader: &mut Reader, at: &Located<'_>) -> Option<Pick> {
    if !matches!(at.node.value, Yaml::Map(_)) {
        return Some(Pick {
            min: None,
            max: None,
            bind: reader.bound(at)?,
            on_change: none(),
        });
    }
    let mut fields = Fields::of(reader, at, Topic::Part("date picker"))?;
    let bind = fields.take("bind");
    if bind.is_none() {
        reader.problem(at, "`bind` is missing: the variable that keeps it");
    }
    let bind = bind.and_then(|at| reader.bound(&at));
    let (min, max) = ends(reader, &mut fields);
    let on_change = take(reader, &mut fields, "on_change");
    fields.finish(reader);
    Some(Pick {
        min,
        max,
        bind: bind?,
        on_change,
    })
}

impl Pick {
    /// The first and the last day that a date picker offers when the app says no other one.
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

    /// The text that shows the day in the phone's language: an expression over the variable.
    pub(crate) fn shown(&self) -> Expr {
        let values = vec![
            Expr::Name(Arc::clone(&self.bind)),
            Expr::Value(Value::text("medium")),
            Expr::Name(Arc::from(super::expr::LANGUAGE)),
        ];
        Expr::Call(super::expr::Function::Date, values)
    }
}

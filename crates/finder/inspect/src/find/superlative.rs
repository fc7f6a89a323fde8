//! Superlatives: picks one of several by its price or duration.

use crate::subject::{Candidate, ContextKind};

/// A superlative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Superlative {
    pub(crate) of: Measure,
    /// Whether the highest value is meant.
    pub(crate) most: bool,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Price,
    Time,
}

/// The superlative at word `at`, with its number of words.
pub(crate) fn read<W: AsRef<str>>(words: &[W], at: usize) -> Option<(Superlative, usize)> {
    const PHRASES: &[(&[&str], Measure, bool)] = &[
        (&["least", "expensive"], Measure::Price, false),
        (&["most", "expensive"], Measure::Price, true),
        (&["lowest", "price"], Measure::Price, false),
        (&["lowest", "priced"], Measure::Price, false),
        (&["lowest", "cost"], Measure::Price, false),
        (&["lowest", "fare"], Measure::Price, false),
        (&["highest", "price"], Measure::Price, true),
        (&["highest", "priced"], Measure::Price, true),
        (&["highest", "cost"], Measure::Price, true),
        (&["cheapest"], Measure::Price, false),
        (&["priciest"], Measure::Price, true),
        (&["dearest"], Measure::Price, true),
        (&["shortest"], Measure::Time, false),
        (&["quickest"], Measure::Time, false),
        (&["fastest"], Measure::Time, false),
        (&["longest"], Measure::Time, true),
        (&["slowest"], Measure::Time, true),
    ];
    let rest = words.get(at..)?;
    PHRASES
        .iter()
        .find(|(phrase, _, _)| {
            rest.get(..phrase.len())
                .is_some_and(|there| there.iter().map(AsRef::as_ref).eq(phrase.iter().copied()))
        })
        .map(|(phrase, of, most)| {
            (
                Superlative {
                    of: *of,
                    most: *most,
                },
                phrase.len(),
            )
        })
}

/// The value on `candidate`, or in the nearest row with one.
pub(crate) fn value(candidate: &Candidate, of: Measure) -> Option<f64> {
    let names = candidate
        .names
        .iter()
        .filter(|name| name.source.is_shown())
        .map(|name| &*name.text);
    let rows = candidate
        .context
        .iter()
        .filter(|context| context.kind == ContextKind::Row)
        .map(|context| &*context.text);
    names.chain(rows).find_map(|text| match of {
        Measure::Price => price(text),
        Measure::Time => minutes(text),
    })
}

/// First amount of money in a text.
fn price(text: &str) -> Option<f64> {
    const SIGNS: [char; 5] = ['$', '€', '£', '¥', '₹'];
    let at = text.find(SIGNS)?;
    let sign = text.get(at..)?.chars().next()?;
    let after = text.get(at + sign.len_utf8()..)?.trim_start();
    number(after).or_else(|| {
        // "12,50 €"
        let before = text.get(..at)?.trim_end();
        let begin = before
            .rfind(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
            .map_or(0, |end| end + 1);
        number(before.get(begin..).unwrap_or(before))
    })
}

/// Number at the beginning of a text, in price notation.
fn number(text: &str) -> Option<f64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
        .unwrap_or(text.len());
    let digits = text.get(..end)?.trim_end_matches(['.', ',']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // A last separator before two digits is the decimal one.
    let cents = digits.rfind(['.', ',']).filter(|at| digits.len() - at == 3);
    let bare: String = digits
        .char_indices()
        .filter_map(|(at, c)| match c {
            '.' | ',' if Some(at) == cents => Some('.'),
            '.' | ',' => None,
            _ => Some(c),
        })
        .collect();
    bare.parse().ok()
}

/// First duration in a text, in minutes: `10h 5m`, `1 hr 20 min`, `45 min`.
fn minutes(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let mut total: Option<f64> = None;
    let mut digits = String::new();
    let mut chars = lower.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if c == ' '
            && !digits.is_empty()
            && chars
                .peek()
                .is_some_and(|next| matches!(next, 'h' | 'm' | 'd'))
        {
            continue;
        }
        let amount: Option<f64> = digits.parse().ok();
        digits.clear();
        let unit = match c {
            'd' => 1440.0,
            'h' => 60.0,
            'm' => 1.0,
            _ => continue,
        };
        if let Some(amount) = amount {
            total = Some(total.unwrap_or_default() + amount * unit);
            if c == 'm' {
                break;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_durations_are_parsed() {
        assert_eq!(price("Book for $1982"), Some(1982.0));
        assert_eq!(price("from € 1.299,50 a night"), Some(1299.5));
        assert_eq!(price("12,50 €"), Some(12.5));
        assert_eq!(price("£1,299"), Some(1299.0));
        assert_eq!(price("free"), None);
        assert_eq!(minutes("Duration: 10h 5m"), Some(605.0));
        assert_eq!(minutes("1 hr 20 min, nonstop"), Some(80.0));
        assert_eq!(minutes("tomorrow"), None);
    }

    #[test]
    fn superlatives_are_parsed() {
        let words = ["the", "most", "expensive", "ticket"];
        let read = read(&words, 1);
        assert_eq!(
            read,
            Some((
                Superlative {
                    of: Measure::Price,
                    most: true
                },
                2
            ))
        );
    }
}

//! Ends a question at the text that answers it: the amount in the row of Uber for `amount of the Uber ride`, the date in
//! the card of Lyft for `when does the Lyft one expire`.

use super::{
    lexicon,
    score::{Score, Scorer, Signal},
    terms::Class,
    tokens::plain_words,
    verbs,
};
use crate::subject::{Candidate, Kind, Kinds, State};

/// Kinds that take a value.
const FIELDS: Kinds = Kinds::of(&[Kind::TextField, Kind::Slider, Kind::Dropdown]);

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Money,
    Date,
    Count,
}

impl Form {
    /// The form that the words ask for.
    fn asked<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Self> {
        let mut before = "";
        words.find_map(|word| {
            let form = match (before, word) {
                ("how", "much") | (_, "price" | "amount" | "cost" | "fee") => Some(Self::Money),
                ("how", "many" | "often") | (_, "count") => Some(Self::Count),
                ("", "when") | (_, "date" | "expire" | "expires" | "expiry") => Some(Self::Date),
                _ => None,
            };
            before = word;
            form
        })
    }

    fn is_word(word: &str) -> bool {
        matches!(word, "how" | "much" | "many" | "often" | "when")
            || Self::asked([word].into_iter()).is_some()
    }

    /// Whether `text` has this form.
    fn is_in(self, text: &str) -> bool {
        const SIGNS: [char; 5] = ['$', '€', '£', '¥', '₹'];
        let digit = text.contains(|c: char| c.is_ascii_digit());
        let dated = || {
            let words = plain_words(text);
            let slashed = text
                .trim()
                .split('/')
                .filter(|part| part.len() > 1 && is_number(part));
            let slashed = slashed.count() > 1;
            slashed
                || words
                    .iter()
                    .any(|word| lexicon::is_month(word) || word == "ago")
        };
        digit
            && match self {
                Self::Money => text.contains(SIGNS),
                Self::Date => dated(),
                Self::Count => !text.contains(SIGNS) && !dated(),
            }
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

impl Scorer<'_> {
    /// Ranks the text with the requested value first.
    pub(super) fn prefer_asked_value(&self, scores: &mut [Score]) {
        const LEAD: f32 = 3.0;
        let form = Form::asked(self.query.terms.iter().map(|term| &*term.text));
        let does = |word: &str| verbs::verb(word).is_some() || verbs::is_action(word);
        let asks_for_control = self.query.role.is_some()
            || self.query.terms.iter().any(|term| does(&term.text))
            || !self.query.target_kinds.is_empty()
            || (self.query.action.is_some() && !self.query.reaches);
        let Some(form) = form.filter(|_| !asks_for_control) else {
            return;
        };
        let best = scores.iter().max_by(|a, b| a.points.total_cmp(&b.points));
        let is_named = |best: &&Score| {
            let mut signals = best.signals.iter();
            signals.any(|(signal, points)| *signal == Signal::Name && *points > 0.0)
        };
        let Some(best) = best.filter(|best| {
            let candidate = self.subject.candidates().get(best.candidate);
            (self.asks() || !is_named(best))
                && candidate.is_some_and(|candidate| !form.is_in(candidate.name()))
        }) else {
            return;
        };
        let best = best.points;
        if let Some(score) = self.text_of(scores, form).and_then(|at| scores.get_mut(at)) {
            let more = (best - score.points).max(0.0) + LEAD;
            score.points += more;
            score.met = score.met.max(0.5);
            score.signals.push((Signal::Value, more));
        }
    }

    /// Whether the description is a question.
    fn asks(&self) -> bool {
        let first = self.query.terms.first();
        first.is_some_and(|term| matches!(&*term.text, "how" | "when"))
    }

    /// The text of this form that is closest to what the other words name.
    fn text_of(&self, scores: &[Score], form: Form) -> Option<usize> {
        const CALLED: f32 = 0.8;
        /// As much of the name on a field means the field.
        const ENTERED: f32 = 0.4;
        const NAMED: f32 = 0.4;
        let named = |holds: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let terms = self.query.terms.iter().enumerate();
            terms
                .filter(|(_, term)| term.class == Class::Content && term.weight > 0.3)
                .filter(|(_, term)| !lexicon::is_filler(&term.text) && term.text != "one")
                .filter(|(_, term)| holds(&term.text))
                .map(|(at, _)| at)
                .collect()
        };
        let whole = named(&|_| true);
        let owner = named(&|word| !Form::is_word(word));
        let candidate = |at: usize| self.subject.candidates().get(scores.get(at)?.candidate);
        let shares = |words: &[usize]| -> Vec<f32> {
            let share = |score: &Score| self.shown_share(score.candidate, words);
            scores.iter().map(share).collect()
        };
        let asks = self.asks();
        let takes_it = |(at, share): (usize, &f32)| {
            candidate(at).is_some_and(|candidate| {
                let least = if candidate.kinds.meets(FIELDS) {
                    ENTERED
                } else {
                    CALLED
                };
                candidate.state.contains(State::INTERACTIVE)
                    && *share >= least
                    && (!asks || least < CALLED)
            })
        };
        if owner.is_empty() || shares(&whole).iter().enumerate().any(takes_it) {
            return None;
        }
        let owners = shares(&owner);
        let most = owners.iter().copied().fold(NAMED, f32::max);
        let texts: Vec<(usize, &Candidate)> = (0..scores.len())
            .filter_map(|at| Some((at, candidate(at)?)))
            .filter(|(_, text)| {
                !text
                    .state
                    .intersects(State::INTERACTIVE | State::STRUCTURAL)
                    && text.visibility.is_visible()
                    && form.is_in(text.name())
            })
            .collect();
        let owners = owners
            .iter()
            .enumerate()
            .filter(|(_, share)| **share >= most);
        owners
            .filter_map(|(at, _)| self.closest(candidate(at)?, &texts, scores))
            .min_by_key(|(levels, at)| (*levels, *at))
            .map(|(_, at)| at)
    }

    /// The text in the smallest part around the owner, with the levels up to that part. Of several the one whose author
    /// calls it so.
    fn closest(
        &self,
        owner: &Candidate,
        texts: &[(usize, &Candidate)],
        scores: &[Score],
    ) -> Option<(usize, usize)> {
        const LEVELS: usize = 6;
        let up = |place: &usize| self.subject.nodes.get(*place)?.parent;
        std::iter::successors(Some(owner.place), up)
            .take(LEVELS)
            .enumerate()
            .find_map(|(levels, place)| {
                let part = self.range(place);
                let inside = texts.iter().filter(|(_, text)| part.contains(&text.place));
                let covers = |at: usize| scores.get(at).map_or(0.0, |score| score.covers);
                let best =
                    inside.max_by(|a, b| covers(a.0).total_cmp(&covers(b.0)).then(b.0.cmp(&a.0)));
                best.map(|(at, _)| (levels, *at))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_form_that_is_asked_for() {
        let asked = |text: &str| Form::asked(text.split(' '));
        assert_eq!(asked("how much is the ride"), Some(Form::Money));
        assert_eq!(asked("when does it expire"), Some(Form::Date));
        assert_eq!(asked("how many views"), Some(Form::Count));
        assert_eq!(asked("the much loved song"), None);
        for (form, text) in [
            (Form::Money, "-$24.50"),
            (Form::Date, "Mar 6, 2026"),
            (Form::Date, "08/2028"),
            (Form::Date, "4w ago"),
            (Form::Count, "2/4 payments"),
            (Form::Count, "1245 views · 2 answers"),
        ] {
            assert!(form.is_in(text), "{text}");
        }
        assert!(!Form::Money.is_in("0.852 ETH"));
    }
}

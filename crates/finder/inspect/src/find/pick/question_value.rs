//! Finds the text that answers a question: the amount in the row of Uber for `amount of the Uber ride`, the date in
//! the card of Lyft for `when does the Lyft one expire`.

use crate::find::{
    read::terms::{Class, Term},
    score::{Score, Scorer, Signal, best},
    words::{
        lexicon::{self, Relation},
        tokens::plain_words,
        verbs,
    },
};
use crate::subject::{Candidate, Kinds, State, text::meaningful_words};

/// Kinds that take a value.
const FIELDS: Kinds = kinds![TextField, Slider, Dropdown];

/// The form of a value that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueForm {
    Money,
    Date,
    Count,
    Time,
    Address,
}

impl ValueForm {
    /// The form that the words ask for.
    fn from_words<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Self> {
        let mut previous = "";
        words.find_map(|word| {
            let form = match (previous, word) {
                ("how", "much")
                | (_, "price" | "amount" | "cost" | "fee" | "salary" | "wage" | "hourly") => {
                    Some(Self::Money)
                }
                ("what", "time") => Some(Self::Time),
                ("mail" | "email", "address") => Some(Self::Address),
                ("how", "many" | "often") | (_, "count") => Some(Self::Count),
                ("", "when") | (_, "date" | "expire" | "expires" | "expiry") => Some(Self::Date),
                _ => None,
            };
            previous = word;
            form
        })
    }

    fn is_word(word: &str) -> bool {
        matches!(word, "how" | "much" | "many" | "often" | "when" | "time")
            || Self::from_words([word].into_iter()).is_some()
    }

    /// Whether `text` has this form.
    fn matches(self, text: &str) -> bool {
        if self == Self::Address {
            return text.contains('@') && text.contains('.') && !text.contains(' ');
        }
        const SIGNS: [char; 5] = ['$', '€', '£', '¥', '₹'];
        let has_digit = text.contains(|c: char| c.is_ascii_digit());
        let has_date = || {
            let words = plain_words(text);
            let has_slashed_date = text
                .trim()
                .split('/')
                .filter(|part| part.len() > 1 && is_number(part));
            let has_slashed_date = has_slashed_date.count() > 1;
            has_slashed_date
                || words
                    .iter()
                    .any(|word| lexicon::is_month(word) || word == "ago")
        };
        has_digit
            && match self {
                Self::Money => text.contains(SIGNS),
                Self::Date => has_date(),
                Self::Time => text.contains(':'),
                Self::Address => false,
                Self::Count => !text.contains(SIGNS) && !has_date(),
            }
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

impl Scorer<'_> {
    /// Ranks the text with the requested value first.
    pub(crate) fn prefer_asked_value(&self, scores: &mut Vec<Score>) {
        const VALUE_LEAD: f32 = 3.0;
        const ANSWER_COVERAGE: f32 = 0.5;
        let form = ValueForm::from_words(self.query.terms.iter().map(|term| &*term.text));
        let Some(form) = form.filter(|_| self.is_question() || !self.asks_for_control()) else {
            return;
        };
        let Some(at) = best(scores).map(|(at, _)| at) else {
            return;
        };
        let Some(best) = scores.get_mut(at) else {
            return;
        };
        let candidate = best.candidate_in(self.subject);
        if best.has(Signal::Name) && !self.is_question() {
            return;
        }
        let has_value = candidate.is_some_and(|best| form.matches(best.name()));
        if has_value && candidate.is_some_and(is_text) {
            best.required_coverage = best.required_coverage.max(ANSWER_COVERAGE);
            return;
        }
        let points = best.points + VALUE_LEAD;
        let text = match candidate.filter(|_| has_value) {
            Some(card) => self
                .closest(card, &self.texts(form))
                .filter(|(levels, _)| *levels == 0)
                .map(|(_, at)| at),
            None => self.text_of(scores, form),
        };
        let Some(text) = text else {
            return;
        };
        let at = match scores.iter().position(|score| score.candidate == text) {
            Some(at) => at,
            None => {
                let none = vec![0.0; self.query.terms.len()];
                scores.push(Score {
                    candidate: text,
                    terms: none.clone(),
                    literal: none,
                    ..Score::default()
                });
                scores.len() - 1
            }
        };
        if let Some(score) = scores.get_mut(at) {
            score.raise_to(Signal::Value, points, ANSWER_COVERAGE);
        }
    }

    /// Ranks the value beside a label first, if the label is what is asked for: `which plan do you have`, `the IP of
    /// the open session`.
    pub(crate) fn prefer_labelled_value(&self, scores: &mut [Score]) {
        const VALUE_LEAD: f32 = 3.0;
        const MAX_LABEL_WORDS: usize = 3;
        let has_owner = || {
            let mut spans = self.query.spans.iter();
            spans.any(|span| span.relation == Relation::Of)
        };
        let is_question_word = |term: &Term| matches!(&*term.text, "which" | "what");
        let has_question_word = self.query.terms.iter().any(is_question_word);
        if self.query.role.is_some() || !(has_question_word || has_owner()) {
            return;
        }
        let Some((_, first)) = best(scores) else {
            return;
        };
        let (points, coverage) = (first.points, first.required_coverage);
        let Some(label) = first.candidate_in(self.subject).filter(|it| is_text(it)) else {
            return;
        };
        let is_label = || {
            let mut words = meaningful_words(&label.raw.class).into_iter();
            has_question_word || words.any(|word| word == "label")
        };
        let is_short = label.name().split_whitespace().count() <= MAX_LABEL_WORDS;
        if !is_short || !is_label() {
            return;
        }
        let parent = |place: usize| self.subject.nodes.get(place).and_then(|node| node.parent);
        let end = self.subject.range(label.place).end;
        let has_this_label = |score: &Score| {
            score.candidate_in(self.subject).is_some_and(|other| {
                has_question_word && other.label.is_some() && other.label == label.bounds
            })
        };
        let follows_label = |score: &Score| {
            score.candidate_in(self.subject).is_some_and(|other| {
                other.place >= end && is_text(other) && parent(other.place) == parent(label.place)
            })
        };
        let value = scores
            .iter()
            .position(has_this_label)
            .or_else(|| scores.iter().position(follows_label));
        if let Some(score) = value.and_then(|at| scores.get_mut(at)) {
            score.raise_to(Signal::Value, points + VALUE_LEAD, coverage);
        }
    }

    /// Whether the description is a question. "How many rows to show" is a setting.
    fn is_question(&self) -> bool {
        if self.query.terms.iter().any(|term| term.text == "to") {
            return false;
        }
        matches!(
            (self.query.word(0), self.query.word(1)),
            ("how", "much" | "many" | "often") | ("when", _) | ("what", "time")
        )
    }

    /// Whether it names a kind or an action.
    fn asks_for_control(&self) -> bool {
        let is_verb = |word: &str| verbs::verb(word).is_some() || verbs::is_action(word);
        self.query.role.is_some()
            || self.query.terms.iter().any(|term| is_verb(&term.text))
            || !self.query.target_kinds.is_empty()
            || (self.query.action.is_some() && !self.query.reaches)
    }

    /// The text of this form that is closest to what the other words name, by its place among the candidates.
    fn text_of(&self, scores: &[Score], form: ValueForm) -> Option<usize> {
        const MIN_CONTROL_NAME: f32 = 0.8;
        /// Minimum share of the description on a field for which the field itself is meant.
        const MIN_FIELD_NAME: f32 = 0.4;
        const MIN_OWNER_NAME: f32 = 0.3;
        let is_telling = |term: &Term| {
            let has_meaning = !lexicon::is_filler(&term.text) && term.text != "one";
            term.class == Class::Content && term.weight > 0.3 && has_meaning
        };
        let all_terms = self.query.positions(is_telling);
        let owner_terms = self
            .query
            .positions(|term| is_telling(term) && !ValueForm::is_word(&term.text));
        let is_question = self.is_question();
        let is_named_control = |score: &Score| {
            let candidate = score.candidate_in(self.subject);
            let share = self.shown_share(score.candidate, &all_terms);
            candidate.is_some_and(|candidate| {
                let is_field = candidate.kinds.intersects(FIELDS);
                candidate.state.contains(State::INTERACTIVE)
                    && share
                        >= if is_field {
                            MIN_FIELD_NAME
                        } else {
                            MIN_CONTROL_NAME
                        }
                    && (is_field || !is_question)
            })
        };
        if owner_terms.is_empty() || scores.iter().any(is_named_control) {
            return None;
        }
        let owners: Vec<(f32, usize)> = scores
            .iter()
            .map(|score| {
                (
                    self.shown_share(score.candidate, &owner_terms),
                    score.candidate,
                )
            })
            .collect();
        let best_share = owners
            .iter()
            .map(|(share, _)| *share)
            .fold(MIN_OWNER_NAME, f32::max);
        let texts = self.texts(form);
        owners
            .iter()
            .filter(|(share, _)| *share >= best_share)
            .filter_map(|(_, at)| self.closest(self.subject.candidates().get(*at)?, &texts))
            .min()
            .map(|(_, at)| at)
    }

    /// Visible texts of this form.
    fn texts(&self, form: ValueForm) -> Vec<(usize, &Candidate)> {
        let candidates = self.subject.candidates().iter().enumerate();
        candidates
            .filter(|(_, text)| is_text(text) && form.matches(text.name()))
            .collect()
    }

    /// The text in the smallest part around the owner, with the levels up to that part.
    fn closest(&self, owner: &Candidate, texts: &[(usize, &Candidate)]) -> Option<(usize, usize)> {
        const MAX_LEVELS: usize = 6;
        let content = self
            .query
            .positions(|term| term.class == Class::Content && !ValueForm::is_word(&term.text));
        let shows_term = |at: usize| self.shown_share(at, &content) > 0.0;
        std::iter::once(owner.place)
            .chain(self.subject.ancestors(owner.place))
            .take(MAX_LEVELS)
            .enumerate()
            .find_map(|(levels, place)| {
                let part = self.subject.range(place);
                let inside = texts.iter().filter(|(_, text)| part.contains(&text.place));
                let best = inside.min_by_key(|(at, _)| (!shows_term(*at), *at));
                best.map(|(at, _)| (levels, *at))
            })
    }
}

/// Whether it is visible text and no control.
fn is_text(candidate: &Candidate) -> bool {
    !candidate.state.contains(State::INTERACTIVE)
        && candidate.visibility.is_visible()
        && !candidate.name().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_form_is_read_from_the_question() {
        let asked = |text: &str| ValueForm::from_words(text.split(' '));
        assert_eq!(asked("how much is the ride"), Some(ValueForm::Money));
        assert_eq!(asked("when does it expire"), Some(ValueForm::Date));
        assert_eq!(asked("how many views"), Some(ValueForm::Count));
        assert_eq!(asked("the much loved song"), None);
        for (form, text) in [
            (ValueForm::Money, "-$24.50"),
            (ValueForm::Date, "Mar 6, 2026"),
            (ValueForm::Date, "08/2028"),
            (ValueForm::Date, "4w ago"),
            (ValueForm::Count, "2/4 payments"),
            (ValueForm::Count, "1245 views · 2 answers"),
        ] {
            assert!(form.matches(text), "{text}");
        }
        assert!(!ValueForm::Money.matches("0.852 ETH"));
    }
}

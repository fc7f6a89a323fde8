//! Ends a question at the text that answers it: the amount in the row of Uber for `amount of the Uber ride`, the date in
//! the card of Lyft for `when does the Lyft one expire`.

use super::{
    lexicon::{self, Relation},
    score::{Score, Scorer, Signal, best},
    terms::{Class, Term},
    tokens::plain_words,
    verbs,
};
use crate::subject::{Candidate, Kind, Kinds, State, text::meaningful_words};

/// Kinds that take a value.
const FIELDS: Kinds = Kinds::of(&[Kind::TextField, Kind::Slider, Kind::Dropdown]);

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Money,
    Date,
    Count,
    Time,
    Address,
}

impl Form {
    /// The form that the words ask for.
    fn asked<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Self> {
        let mut before = "";
        words.find_map(|word| {
            let form = match (before, word) {
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
            before = word;
            form
        })
    }

    fn is_word(word: &str) -> bool {
        matches!(word, "how" | "much" | "many" | "often" | "when" | "time")
            || Self::asked([word].into_iter()).is_some()
    }

    /// Whether `text` has this form.
    fn is_in(self, text: &str) -> bool {
        if self == Self::Address {
            return text.contains('@') && text.contains('.') && !text.contains(' ');
        }
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
                Self::Time => text.contains(':'),
                Self::Address => false,
                Self::Count => !text.contains(SIGNS) && !dated(),
            }
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

impl Scorer<'_> {
    /// Ranks the text with the requested value first.
    pub(super) fn prefer_asked_value(&self, scores: &mut Vec<Score>) {
        const LEAD: f32 = 3.0;
        const ANSWERED: f32 = 0.5;
        let form = Form::asked(self.query.terms.iter().map(|term| &*term.text));
        let Some(form) = form.filter(|_| self.asks() || !self.asks_for_control()) else {
            return;
        };
        let Some(at) = best(scores).map(|(at, _)| at) else {
            return;
        };
        let Some(best) = scores.get_mut(at) else {
            return;
        };
        let candidate = best.of(self.subject);
        if best.has(Signal::Name) && !self.asks() {
            return;
        }
        let answers = candidate.is_some_and(|best| form.is_in(best.name()));
        if answers && candidate.is_some_and(is_text) {
            best.met = best.met.max(ANSWERED);
            return;
        }
        let points = best.points + LEAD;
        let text = match candidate.filter(|_| answers) {
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
            score.raise_to(Signal::Value, points, ANSWERED);
        }
    }

    /// Ranks the value beside a label first, if the label is what is asked for: `which plan do you have`, `the IP of
    /// the open session`.
    pub(super) fn prefer_labelled_value(&self, scores: &mut [Score]) {
        const LEAD: f32 = 3.0;
        const LABEL: usize = 3;
        let word = |words: &[&str]| {
            let mut terms = self.query.terms.iter();
            terms.any(|term| words.contains(&&*term.text))
        };
        let asks = word(&["which", "what"]);
        let owned = self
            .query
            .spans
            .iter()
            .any(|span| span.relation == Relation::Of);
        if self.query.role.is_some() || !self.query.target_kinds.is_empty() || !(asks || owned) {
            return;
        }
        let Some((points, met, label)) = best(scores)
            .and_then(|(_, best)| Some((best.points, best.met, best.of(self.subject)?)))
        else {
            return;
        };
        let called_label = meaningful_words(&label.raw.class)
            .iter()
            .any(|word| word == "label")
            || &*label.tag == "dt";
        if !is_text(label)
            || label.name().split_whitespace().count() > LABEL
            || !(asks || called_label)
        {
            return;
        }
        let parent = |place: usize| self.subject.nodes.get(place).and_then(|node| node.parent);
        let end = self.subject.range(label.place).end;
        let labelled = |score: &Score| {
            score
                .of(self.subject)
                .is_some_and(|other| asks && other.label.is_some() && other.label == label.bounds)
        };
        let follows = |score: &Score| {
            score.of(self.subject).is_some_and(|other| {
                other.place >= end && is_text(other) && parent(other.place) == parent(label.place)
            })
        };
        let value = scores
            .iter()
            .position(labelled)
            .or_else(|| scores.iter().position(follows));
        if let Some(score) = value.and_then(|at| scores.get_mut(at)) {
            score.raise_to(Signal::Value, points + LEAD, met);
        }
    }

    /// Whether the description is a question. "How many rows to show" is a setting.
    fn asks(&self) -> bool {
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
        let does = |word: &str| verbs::verb(word).is_some() || verbs::is_action(word);
        self.query.role.is_some()
            || self.query.terms.iter().any(|term| does(&term.text))
            || !self.query.target_kinds.is_empty()
            || (self.query.action.is_some() && !self.query.reaches)
    }

    /// The text of this form that is closest to what the other words name, by its place among the candidates.
    fn text_of(&self, scores: &[Score], form: Form) -> Option<usize> {
        const CALLED: f32 = 0.8;
        /// As much of the name on a field means the field.
        const ENTERED: f32 = 0.4;
        const NAMED: f32 = 0.3;
        let names = |term: &Term| {
            let telling = !lexicon::is_filler(&term.text) && term.text != "one";
            term.class == Class::Content && term.weight > 0.3 && telling
        };
        let whole = self.query.positions(names);
        let owner = self
            .query
            .positions(|term| names(term) && !Form::is_word(&term.text));
        let asks = self.asks();
        let takes_it = |score: &Score| {
            let candidate = score.of(self.subject);
            let share = self.shown_share(score.candidate, &whole);
            candidate.is_some_and(|candidate| {
                let field = candidate.kinds.meets(FIELDS);
                candidate.state.contains(State::INTERACTIVE)
                    && share >= if field { ENTERED } else { CALLED }
                    && (field || !asks)
            })
        };
        if owner.is_empty() || scores.iter().any(takes_it) {
            return None;
        }
        let owners: Vec<(f32, usize)> = scores
            .iter()
            .map(|score| (self.shown_share(score.candidate, &owner), score.candidate))
            .collect();
        let most = owners.iter().map(|(share, _)| *share).fold(NAMED, f32::max);
        let texts = self.texts(form);
        owners
            .iter()
            .filter(|(share, _)| *share >= most)
            .filter_map(|(_, at)| self.closest(self.subject.candidates().get(*at)?, &texts))
            .min()
            .map(|(_, at)| at)
    }

    /// Visible texts of this form.
    fn texts(&self, form: Form) -> Vec<(usize, &Candidate)> {
        let all = self.subject.candidates().iter().enumerate();
        all.filter(|(_, text)| is_text(text) && form.is_in(text.name()))
            .collect()
    }

    /// The text in the smallest part around the owner, with the levels up to that part. Of several the one whose author
    /// calls it so.
    fn closest(&self, owner: &Candidate, texts: &[(usize, &Candidate)]) -> Option<(usize, usize)> {
        const LEVELS: usize = 6;
        let is_called_so = |text: &Candidate| {
            let words = meaningful_words(&text.raw.class);
            let mut terms = self.query.terms.iter();
            terms.any(|term| term.class == Class::Content && words.contains(&term.text))
        };
        let content = self
            .query
            .positions(|term| term.class == Class::Content && !Form::is_word(&term.text));
        let says_so = |at: usize| self.shown_share(at, &content) > 0.0;
        std::iter::once(owner.place)
            .chain(self.subject.ancestors(owner.place))
            .take(LEVELS)
            .enumerate()
            .find_map(|(levels, place)| {
                let part = self.subject.range(place);
                let inside = texts.iter().filter(|(_, text)| part.contains(&text.place));
                let best =
                    inside.min_by_key(|(at, text)| (!says_so(*at), !is_called_so(text), *at));
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

//! Scores an element's kind and behavior against the action of a description.

use crate::find::{
    read::terms::Class,
    score::{Score, Scorer, Signal, name_match::has_words, raise, share, weights},
    words::verbs,
};
use crate::subject::{Candidate, ContextKind, Kind, Kinds, Name, Source, State, Visibility};

/// Kinds that take a value.
const ENTERED: Kinds = kinds![TextField, Slider];
/// Kinds that are clicked.
const PRESSED: Kinds = kinds![Button, Link, Clickable];
/// Factor of the penalty for static elements if the description has an action.
const STATIC_FACTOR: f32 = 2.0;

impl Scorer<'_> {
    /// Whether the element performs the action; `None` if the description has none.
    pub(crate) fn performs(&self, candidate: &Candidate, score: &Score) -> Option<bool> {
        const MIN_VERB: f32 = 0.5;
        const MIN_SIMILAR_NAME: f32 = 0.3;
        const MIN_NAME: f32 = 0.8;
        let action = self.query.action?;
        let verb_strength = score.terms.get(action).copied().unwrap_or_default();
        let is_opposed = score
            .contradicted
            .iter()
            .any(|terms| terms.contains(&action));
        if is_opposed && verb_strength < MIN_VERB {
            return None;
        }
        // Only controls perform actions. A field performs only an action that it is named after: "Type a comment".
        let entered = candidate.kinds.intersects(ENTERED)
            && !candidate.kinds.intersects(self.query.target_kinds)
            && (verb_strength < MIN_NAME || self.is_by_key(action));
        let opens = self.opens_or_closes(candidate);
        let is_control = candidate.state.contains(State::INTERACTIVE) && !entered;
        // A checkbox without a name has that of its row.
        let is_nameless_box = || {
            candidate.kinds.intersects(verbs::CHECKS)
                && candidate.kinds.intersects(self.query.target_kinds)
                && !has_words(candidate)
        };
        if self.query.reaches {
            const MIN_ICON_NAME: f32 = 0.6;
            let min_name = if candidate.state.contains(State::PICTURE) && !has_words(candidate) {
                MIN_ICON_NAME
            } else {
                MIN_NAME
            };
            return (is_control && (verb_strength >= min_name || is_nameless_box()))
                .then_some(true);
        }
        let is_verb = self.query.class(action) == Some(Class::Verb);
        // A control takes the action only for what it is named after.
        let has_similar_name = || {
            let head = self.query.head_positions();
            share(&score.terms, &self.matches.weights, &head) >= MIN_SIMILAR_NAME
        };
        let takes_action = is_verb
            && candidate.kinds.intersects(self.query.target_kinds)
            && (has_similar_name() || is_nameless_box());
        if is_control && self.is_named_after_key(score, action) {
            return Some(true);
        }
        Some((verb_strength >= MIN_VERB || opens || takes_action) && is_control)
    }

    /// Whether the action takes a key: `filter by author`.
    fn is_by_key(&self, action: usize) -> bool {
        let word = self.query.word(action);
        self.query.word(action + 1) == "by" && matches!(word, "sort" | "filter" | "group" | "order")
    }

    /// Whether the element is named after the sort or filter key: "Author" for `filter by author`.
    fn is_named_after_key(&self, score: &Score, action: usize) -> bool {
        const MIN_KEY: f32 = 0.65;
        if !self.is_by_key(action) {
            return false;
        }
        let mut rest = self.query.head_positions();
        rest.retain(|at| *at != action);
        !rest.is_empty() && share(&score.terms, &self.matches.weights, &rest) >= MIN_KEY
    }

    /// Whether the action opens a collapsed element or closes an expanded one.
    pub(crate) fn opens_or_closes(&self, candidate: &Candidate) -> bool {
        match self
            .query
            .action
            .map_or("", |action| self.query.word(action))
        {
            "expand" | "show" | "open" | "unfold" => candidate.state.contains(State::COLLAPSED),
            "collapse" | "hide" | "close" => candidate.state.contains(State::EXPANDED),
            _ => false,
        }
    }

    pub(crate) fn score_kind(&self, candidate: &Candidate, performs: bool, score: &mut Score) {
        let Some(role) = self.query.role else {
            return;
        };
        let (points, coverage): (f32, f32) = if candidate.kinds.intersects(role.kinds) {
            (weights::KIND, 1.0)
        } else if candidate.kinds.intersects(role.loosely) {
            (weights::KIND_LOOSELY, 0.5)
        } else if role.kinds == verbs::FIELDS_TAKE || role.kinds == kinds![Slider] {
            (weights::NOT_A_FIELD, 0.0)
        } else {
            (weights::OTHER_KIND, 0.0)
        };
        // "Play the video": the noun is the object of the control.
        let (points, coverage) = if performs {
            (points.max(0.0), coverage.max(0.7))
        } else {
            (points, coverage)
        };
        let points = if performs {
            points
        } else if role.picture && candidate.state.contains(State::PICTURE) {
            points + weights::ICON
        } else if role.picture && candidate.kind != Kind::Image {
            points + weights::NOT_AN_ICON
        } else {
            points
        };
        for (at, term) in self.query.terms.iter().enumerate() {
            if term.class == Class::Role {
                raise(&mut score.terms, at, coverage);
            }
        }
        score.note(Signal::Kind, points);
    }

    /// Whether the element is a field without a name and the action is typing. Its context then names it.
    pub(crate) fn is_nameless_field(&self, candidate: &Candidate) -> bool {
        self.query.target_kinds == verbs::FIELDS_TAKE
            && candidate.kinds.intersects(verbs::FIELDS_TAKE)
            && !has_words(candidate)
    }

    /// Whether the element is a search field.
    pub(crate) fn is_search(&self, candidate: &Candidate) -> bool {
        // The index drops a purpose that repeats the input type or form name.
        let searches = |name: &Name| {
            let is_purpose = matches!(
                name.source,
                Source::Purpose | Source::InputType | Source::FormName
            );
            is_purpose && &*name.text == "search"
        };
        candidate.kinds.intersects(verbs::FIELDS_TAKE) && candidate.names.iter().any(searches)
    }

    /// Adds the points that do not depend on the name of the element.
    pub(crate) fn score_prior(&self, candidate: &Candidate, performs: bool, score: &mut Score) {
        self.score_target_kinds(candidate, performs, score);
        self.score_verb(candidate, score);
        self.score_interactivity(candidate, score);
        score_visibility(candidate, score);
        if performs && self.names_only_action() && is_navigation(candidate) {
            score.note(Signal::Action, weights::NAVIGATION);
        }
        if candidate.state.contains(State::ON_TOP) {
            score.note(Signal::Dialog, weights::TOP_DIALOG);
        } else if candidate.state.contains(State::BEHIND) {
            score.note(Signal::Dialog, weights::BEHIND_DIALOG);
        }
    }

    /// Scores whether elements of this kind take the action.
    fn score_target_kinds(&self, candidate: &Candidate, performs: bool, score: &mut Score) {
        /// Factor for verbs that only a few kinds can take.
        const STRICT_VERB: f32 = 2.2;
        let target_kinds = self.query.target_kinds;
        if target_kinds.is_empty() || self.query.role.is_some() {
            return;
        }
        // Only fields take typed text.
        let factor = if target_kinds == verbs::FIELDS_TAKE {
            STRICT_VERB
        } else {
            1.0
        };
        // Any clickable control may change something.
        let may_change = target_kinds.contains(Kind::Button) && PRESSED.contains(candidate.kind);
        let is_neutral = (performs && candidate.state.contains(State::INTERACTIVE)) || may_change;
        let points = if is_neutral {
            0.0
        } else if candidate.kinds.intersects(target_kinds) {
            weights::TAKES_ACTION
        } else {
            weights::DOES_NOT_TAKE_ACTION
        };
        score.note(Signal::Action, factor * points);
    }

    /// Scores the kind of the element for verbs that create, open or search.
    fn score_verb(&self, candidate: &Candidate, score: &mut Score) {
        const MIN_LITERAL_VERB: f32 = 0.5;
        let is_field = candidate.kinds.intersects(verbs::FIELDS_TAKE);
        // "Insert" types nothing unless a place is given.
        if self.query.creates && self.query.target_kinds.is_empty() && is_field {
            score.note(Signal::Action, weights::OTHER_ACTION);
        }
        if self.query.opens && verbs::NEVER_OPENED.contains(candidate.kind) {
            score.note(Signal::Action, weights::NOT_OPENABLE);
        }
        if !self.query.searches {
            return;
        }
        if is_field {
            if self.is_search(candidate) {
                score.note(Signal::Action, weights::SEARCH_FIELD);
            }
            return;
        }
        let mut strengths = self.query.terms.iter().zip(&score.terms);
        let has_verb = strengths
            .any(|(term, strength)| term.class == Class::Verb && *strength > MIN_LITERAL_VERB);
        if !has_verb {
            score.note(Signal::Action, weights::DOES_NOT_TAKE_ACTION);
        }
    }

    /// Scores interactive elements before static ones.
    fn score_interactivity(&self, candidate: &Candidate, score: &mut Score) {
        if candidate.state.contains(State::INTERACTIVE) {
            let kind_points = if candidate.kind == Kind::Clickable {
                weights::UNKNOWN_KIND
            } else {
                0.0
            };
            let submit_points = if &*candidate.raw.input_type == "submit" {
                weights::SUBMIT_BUTTON
            } else {
                0.0
            };
            let points = weights::INTERACTIVE + kind_points + submit_points;
            score.note(Signal::Usable, points);
            return;
        }
        let is_described_kind = self.query.names_kind(candidate);
        let points = match candidate.kind {
            Kind::Text | Kind::Label | Kind::Heading | Kind::Image | Kind::Status => {
                weights::STATIC
            }
            _ if is_described_kind => 0.0,
            _ => weights::CONTAINER,
        };
        // Static elements perform no action.
        let describes_action = !is_described_kind
            && (self.query.action.is_some_and(|_| !self.query.reaches)
                || !self.query.target_kinds.is_empty()
                || self.query.creates
                || self.query.opens);
        let points = if describes_action {
            STATIC_FACTOR * points
        } else {
            points
        };
        score.note(Signal::Passive, points);
    }

    /// Whether the description names its action and nothing else.
    fn names_only_action(&self) -> bool {
        let mut head = self.query.head();
        !self.query.reaches && head.all(|(at, _)| self.query.action == Some(at))
    }
}

/// Scores whether the element can be seen.
fn score_visibility(candidate: &Candidate, score: &mut Score) {
    let points = match candidate.visibility {
        Visibility::Shown => weights::IN_VIEW,
        Visibility::Scrolled => return,
        Visibility::OnHover => weights::ON_HOVER,
        // A field without a size is not an icon that failed to load.
        Visibility::Empty if !has_words(candidate) && !candidate.kinds.intersects(ENTERED) => {
            weights::NO_SIZE
        }
        Visibility::Empty | Visibility::Hidden => {
            if candidate.state.contains(State::INTERACTIVE) {
                weights::HIDDEN
            } else {
                weights::HIDDEN_TEXT
            }
        }
    };
    score.note(Signal::Visibility, points);
}

/// Whether the element navigates: it is in a navigation or a sidebar, and not a button.
fn is_navigation(candidate: &Candidate) -> bool {
    let mut kinds = candidate.context.iter().map(|context| context.kind);
    candidate.kind != Kind::Button
        && kinds.any(|kind| matches!(kind, ContextKind::Navigation | ContextKind::Aside))
}

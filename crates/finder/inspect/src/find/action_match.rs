//! Scores an element's kind and behavior against the action of a description.

use super::{
    name_match::has_words,
    score::{Score, Scorer, Signal, raise, share},
    terms::Class,
    verbs, weights,
};
use crate::subject::{Candidate, ContextKind, Kind, Kinds, Name, Source, State, Visibility};

/// Kinds that take a value.
const ENTERED: Kinds = Kinds::of(&[Kind::TextField, Kind::Slider]);
/// Kinds that are clicked.
const PRESSED: Kinds = Kinds::of(&[Kind::Button, Kind::Link, Kind::Clickable]);
/// Factor of the penalty for static elements if the description has an action.
const DONE: f32 = 2.0;
/// Longest text that counts as a name, in bytes.
const LONG: usize = 80;

impl Scorer<'_> {
    /// Whether the element performs the action; `None` if the description has none.
    pub(super) fn performs(&self, candidate: &Candidate, score: &Score) -> Option<bool> {
        const DOES: f32 = 0.5;
        const SIMILAR_NAME: f32 = 0.3;
        const CALLED: f32 = 0.8;
        const DRAWN: f32 = 0.8;
        let action = self.query.action?;
        let met = score.terms.get(action).copied().unwrap_or_default();
        let is_opposed = score.opposed.iter().any(|terms| terms.contains(&action));
        if is_opposed && met < DOES {
            return None;
        }
        // An action needs a control. A field performs only what it is named after: "Type a comment".
        let entered = candidate.kinds.meets(ENTERED)
            && !candidate.kinds.meets(self.query.target_kinds)
            && (met < CALLED || self.is_by_key(action));
        let opens = self.opens_or_closes(candidate);
        let acts = candidate.state.contains(State::INTERACTIVE) && !entered;
        // A checkbox without a name belongs to its row.
        let nameless = || {
            candidate.kinds.meets(verbs::CHECKS)
                && candidate.kinds.meets(self.query.target_kinds)
                && !has_words(candidate)
        };
        if self.query.reaches {
            const DRAWN_SO: f32 = 0.6;
            let least = if candidate.state.contains(State::PICTURE) && !has_words(candidate) {
                DRAWN_SO
            } else {
                CALLED
            };
            return (acts && (met >= least || nameless())).then_some(true);
        }
        let is_verb = self.query.class(action) == Some(Class::Verb);
        // A control takes the action only for what it is named after.
        let called = || {
            let head = self.query.head_positions();
            share(&score.terms, &self.matches.weights, &head) >= SIMILAR_NAME
        };
        let takes =
            is_verb && candidate.kinds.meets(self.query.target_kinds) && (called() || nameless());
        // A filter icon creates a filter.
        let word = self.query.word(action);
        let makes = matches!(word, "create" | "add" | "set")
            && candidate.state.contains(State::PICTURE)
            && met < DOES
            && {
                let mut rest = self.query.head_positions();
                rest.retain(|at| *at != action);
                share(&score.terms, &self.matches.weights, &rest) >= DRAWN
            };
        if makes {
            return None;
        }
        if acts && self.is_ordered_by_it(score, action) {
            return Some(true);
        }
        Some((met >= DOES || opens || takes) && acts)
    }

    /// Whether the action takes a key: `filter by author`.
    fn is_by_key(&self, action: usize) -> bool {
        let word = self.query.word(action);
        self.query.word(action + 1) == "by" && matches!(word, "sort" | "filter" | "group" | "order")
    }

    /// Whether the element is named after the sort or filter key: "Author" for `filter by author`.
    fn is_ordered_by_it(&self, score: &Score, action: usize) -> bool {
        const CALLED: f32 = 0.65;
        if !self.is_by_key(action) {
            return false;
        }
        let mut rest = self.query.head_positions();
        rest.retain(|at| *at != action);
        !rest.is_empty() && share(&score.terms, &self.matches.weights, &rest) >= CALLED
    }

    /// Whether the action opens a collapsed element or closes an expanded one.
    pub(super) fn opens_or_closes(&self, candidate: &Candidate) -> bool {
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

    pub(super) fn score_kind(&self, candidate: &Candidate, performs: bool, score: &mut Score) {
        let Some(role) = self.query.role else {
            return;
        };
        let (points, met): (f32, f32) = if candidate.kinds.meets(role.kinds) {
            (weights::KIND, 1.0)
        } else if candidate.kinds.meets(role.loosely) {
            (weights::KIND_LOOSELY, 0.5)
        } else if role.kinds == verbs::FIELDS_TAKE || role.kinds == Kinds::of(&[Kind::Slider]) {
            (weights::NO_FIELD, 0.0)
        } else {
            (weights::OTHER_KIND, 0.0)
        };
        // An entry of a menu bar opens a menu and is seldom called a button.
        let points = if candidate.kind == Kind::MenuItem && role.kinds == Kind::Button.into() {
            points + weights::NO_BUTTON
        } else {
            points
        };
        // "Play the video": the noun is the object of the control.
        let (points, met) = if performs {
            (points.max(0.0), met.max(0.7))
        } else {
            (points, met)
        };
        let points = if performs {
            points
        } else if role.picture && candidate.state.contains(State::PICTURE) {
            points + weights::PICTURE
        } else if role.picture && candidate.kind != Kind::Image {
            points + weights::NO_PICTURE
        } else {
            points
        };
        for (at, term) in self.query.terms.iter().enumerate() {
            if term.class == Class::Role {
                raise(&mut score.terms, at, met);
            }
        }
        score.signals.push((Signal::Kind, points));
    }

    /// Whether the element is a field without a name and the action is typing. Its context then names it.
    pub(super) fn is_nameless_field(&self, candidate: &Candidate) -> bool {
        self.query.target_kinds == verbs::FIELDS_TAKE
            && candidate.kinds.meets(verbs::FIELDS_TAKE)
            && !has_words(candidate)
    }

    /// Whether the element is a search field.
    pub(super) fn is_search(&self, candidate: &Candidate) -> bool {
        // The index drops a purpose that repeats the input type or form name.
        let searches = |name: &Name| {
            let said = matches!(
                name.source,
                Source::Purpose | Source::InputType | Source::FormName
            );
            said && &*name.text == "search"
        };
        candidate.kinds.meets(verbs::FIELDS_TAKE) && candidate.names.iter().any(searches)
    }

    /// Points that do not depend on the words of the description.
    pub(super) fn score_prior(&self, candidate: &Candidate, performs: bool, score: &mut Score) {
        let target_kinds = self.query.target_kinds;
        if !target_kinds.is_empty() && self.query.role.is_none() {
            // Only fields take typed text, and only boxes can be ticked.
            let ticked = self.query.terms.iter().any(|term| {
                term.class == Class::Verb && matches!(&*term.text, "tick" | "untick" | "uncheck")
            });
            let typed = if target_kinds == verbs::FIELDS_TAKE || ticked {
                2.2
            } else {
                1.0
            };
            // Any clickable control may change something; a control with options does.
            let may = target_kinds.has(Kind::Button) && PRESSED.has(candidate.kind);
            let chosen = Kinds::of(&[Kind::Dropdown, Kind::Switch, Kind::Menu]);
            let points = typed
                * if (performs && candidate.state.contains(State::INTERACTIVE))
                    || (may && !candidate.kinds.meets(chosen))
                {
                    0.0
                } else if candidate.kinds.meets(target_kinds) {
                    weights::TAKES
                } else {
                    weights::DOES_NOT_TAKE
                };
            score.signals.push((Signal::Action, points));
        }
        // "Insert" types nothing unless a place is given.
        if self.query.creates
            && target_kinds.is_empty()
            && candidate.kinds.meets(verbs::FIELDS_TAKE)
        {
            score.signals.push((Signal::Action, weights::OTHER_ACTION));
        }
        if self.query.opens && verbs::NEVER_OPENED.has(candidate.kind) {
            score.signals.push((Signal::Action, weights::NEVER_OPENED));
        }
        if self.query.searches && candidate.kinds.meets(verbs::FIELDS_TAKE) {
            if self.is_search(candidate) {
                score.signals.push((Signal::Action, weights::SEARCHES));
            }
        } else if self.query.searches {
            let mut met = self.query.terms.iter().zip(&score.terms);
            let said = met.any(|(term, there)| term.class == Class::Verb && *there > 0.5);
            if !said {
                score.signals.push((Signal::Action, weights::DOES_NOT_TAKE));
            }
        }
        if candidate.state.contains(State::INTERACTIVE) {
            let merely = if candidate.kind == Kind::Clickable {
                weights::MERELY_CLICKABLE
            } else {
                0.0
            };
            let submits = if &*candidate.raw.input_type == "submit" {
                weights::SUBMITS
            } else {
                0.0
            };
            let points = weights::ACTS + merely + submits;
            score.signals.push((Signal::Usable, points));
        } else {
            let asked = self.query.names_kind(candidate);
            let points = match candidate.kind {
                Kind::Text if candidate.name().len() > LONG => 1.6 * weights::READ,
                Kind::Cell | Kind::ListItem | Kind::Row if candidate.name().len() > LONG => {
                    1.6 * weights::CONTAINER
                }
                Kind::Text | Kind::Label | Kind::Heading | Kind::Image | Kind::Status => {
                    weights::READ
                }
                _ if asked => 0.0,
                _ => weights::CONTAINER,
            };
            // Static elements perform no action.
            let done = !asked
                && (self.query.action.is_some_and(|_| !self.query.reaches)
                    || !target_kinds.is_empty()
                    || self.query.creates
                    || self.query.opens);
            let points = if done { DONE * points } else { points };
            // A value is read rather than its term.
            let value = candidate.named_by(Source::Label).is_some();
            let points = if value {
                points - 0.35 * weights::READ
            } else {
                points
            };
            score.signals.push((Signal::Passive, points));
        }
        match candidate.visibility {
            Visibility::Shown => score.signals.push((Signal::Visibility, weights::IN_VIEW)),
            Visibility::Scrolled => {}
            Visibility::OnHover => score.signals.push((Signal::Visibility, weights::ON_HOVER)),
            // A field without a size is no icon that failed to load.
            Visibility::Empty if !has_words(candidate) && !candidate.kinds.meets(ENTERED) => {
                score.signals.push((Signal::Visibility, weights::EMPTY));
            }
            Visibility::Empty | Visibility::Hidden => {
                let read = !candidate.state.contains(State::INTERACTIVE);
                let unseen = if read {
                    weights::UNSEEN_TEXT
                } else {
                    weights::UNSEEN
                };
                score.signals.push((Signal::Visibility, unseen));
            }
        }
        let is_navigation = || {
            let around = candidate.context.iter().map(|context| context.kind);
            candidate.kind != Kind::Button && { around }
                .any(|kind| matches!(kind, ContextKind::Navigation | ContextKind::Aside))
        };
        let mut head = self.query.head();
        let alone = head.all(|(at, _)| self.query.action == Some(at));
        if performs && alone && !self.query.reaches && is_navigation() {
            score.signals.push((Signal::Action, weights::NAVIGATES));
        }
        if candidate.state.contains(State::DISABLED) {
            score.signals.push((Signal::Usable, weights::DISABLED));
        }
        if candidate.state.contains(State::ON_TOP) {
            score.signals.push((Signal::Dialog, weights::ON_TOP));
        } else if candidate.state.contains(State::BEHIND) {
            score.signals.push((Signal::Dialog, weights::BEHIND));
        }
    }
}

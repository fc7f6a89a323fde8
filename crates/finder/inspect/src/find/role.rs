//! Reads the role word of a description.

use super::{
    lexicon::{self, RoleWord},
    query::Query,
    terms::Class,
    verbs,
};
use crate::{
    data::word_lists,
    subject::{Kind, Kinds},
};

word_lists! {
    /// Whether `word` before a role word belongs to it and is no name.
    fn is_half = "role_halves";
    /// Whether `word` creates its object.
    fn creates = "creating_verbs";
}

impl Query {
    /// Finds the word for the kind of the target, at the end or the beginning of its name.
    pub(super) fn read_role(&mut self, plain: &[String]) {
        let content = |query: &Self, at: usize| query.class(at) == Some(Class::Content);
        let head: Vec<usize> = (0..plain.len())
            .filter(|at| {
                content(self, *at) && self.terms.get(*at).is_some_and(|term| term.span.is_none())
            })
            .collect();
        let word_at = |at: usize| plain.get(at).map_or("", String::as_str);
        let telling: Vec<usize> = head
            .iter()
            .copied()
            .filter(|at| {
                plain.get(*at).is_some_and(|word| {
                    let place =
                        lexicon::region(word).is_some() && lexicon::role_word(word).is_none();
                    let around = place || word == "corner" || word == "side";
                    let half = at.checked_sub(1).map_or("", word_at);
                    let compound = lexicon::compound_role(half, word).is_some();
                    compound || (!around && !lexicon::is_filler(word))
                })
            })
            .collect();
        let word = |at: usize| plain.get(at).map_or("", String::as_str);
        let target_kinds = self.target_kinds;
        self.creates = plain
            .iter()
            .find(|word| !lexicon::is_stop(word))
            .is_some_and(|word| creates(word));
        let makes = self.searches || self.creates;
        let role_at = |at: usize| {
            let before = at.checked_sub(1).map_or("", word);
            let role = match lexicon::compound_role(before, word(at)) {
                Some(role) => Some((role, !before.is_empty())),
                None => lexicon::role_word(word(at)).map(|role| (role, false)),
            };
            // "Search for a photo", "insert a table": the object is not on the screen.
            let made = word(at) == "label"
                || !role.is_some_and(|(role, _)| role.kinds.meets(Kinds::CONTROLS));
            if makes && made {
                return None;
            }
            // "The third message" is a list entry.
            let counted = at
                .checked_sub(1)
                .is_some_and(|before| lexicon::ordinal(word(before)).is_some());
            if counted && word(at) == "message" {
                return None;
            }
            // "Write a message": the object is typed.
            role.filter(|(role, _)| {
                target_kinds != verbs::FIELDS_TAKE
                    || role.kinds.meets(target_kinds)
                    || role.loosely.meets(target_kinds)
            })
        };
        // The last word of the name: "the sign in button", "the image which is above Sand".
        let says_more = |at: &&usize| !lexicon::is_stop(word(**at));
        let mut last = telling.iter().rfind(says_more).copied();
        // "Terms of Service link": the name includes the span.
        if let Some(span) = self
            .spans
            .last()
            .copied()
            .filter(|span| Some(span.from) > telling.first().copied())
        {
            let definite = (span.from.saturating_sub(1)..span.to).any(|at| {
                matches!(
                    word(at),
                    "the" | "this" | "that" | "der" | "die" | "das" | "le" | "la" | "el"
                )
            });
            let end = span.to.checked_sub(1);
            if !span.relation.is_plain()
                && !definite
                && last.and_then(role_at).is_none()
                && span.to - span.from > 1
            {
                last = end.filter(|end| role_at(*end).is_some()).or(last);
            }
        }
        if let Some((at, (role, compound))) = last.and_then(|at| Some((at, role_at(at)?))) {
            // A logo or avatar may be named so.
            if !matches!(word(at), "logo" | "avatar") {
                self.set(at, Class::Role);
            }
            self.unspan(at);
            // "Input textbox" has two role words.
            let twice = !role.picture
                && at
                    .checked_sub(1)
                    .and_then(|before| lexicon::role_word(word(before)))
                    .is_some_and(|before| before.kinds.meets(role.kinds));
            if twice && content(self, at - 1) {
                self.set(at - 1, Class::Role);
            }
            if compound && is_half(word(at - 1)) {
                self.set(at - 1, Class::Role);
                self.unspan(at - 1);
            }
            // "Select a row" means its checkbox.
            let checks = target_kinds.meets(verbs::CHECKS) && role.kinds.meets(Kind::Row.into());
            self.role = if checks {
                lexicon::role_word("checkbox").map(|checkbox| RoleWord {
                    loosely: checkbox.loosely.with(role.kinds),
                    ..checkbox
                })
            } else {
                Some(role)
            };
            return;
        }
        // "Three dots", "the gear in the corner": the target is an icon.
        let drawn = !telling.is_empty()
            && target_kinds.is_empty()
            && telling.iter().all(|at| {
                let more = lexicon::is_stop(word(*at))
                    || lexicon::region(word(*at)).is_some()
                    || lexicon::ordinal(word(*at)).is_some()
                    || matches!(word(*at), "up" | "down");
                more || lexicon::is_drawn(word(*at))
            })
            && telling.iter().any(|at| lexicon::is_drawn(word(*at)));
        let pictured = telling.len() > 1 && last.is_some_and(|at| lexicon::is_icon_noun(word(at)));
        if drawn || pictured {
            self.role = lexicon::role_word("icon");
            return;
        }
        // "The text Water the plants": the target is text.
        let read = telling.first().is_none_or(|first| *first > 0)
            && plain
                .iter()
                .find(|word| !lexicon::is_stop(word))
                .is_some_and(|word| word == "text")
            && telling.len() > 1;
        // "The text left of 5000": as well, without words of its own.
        let placed = self.spans.iter().any(|span| span.relation.is_plain());
        let read =
            read || (placed && telling.is_empty() && head.iter().any(|at| word(*at) == "text"));
        if read {
            self.role = lexicon::role_word("paragraph");
            return;
        }
        // A word before a quoted name, or the first of several: "button 'Save'", "tab Reviews".
        let quoted = self.terms.iter().any(|term| term.quote.is_some());
        let first = head.iter().copied().find(|at| {
            let next_quoted = self
                .terms
                .get(at + 1)
                .is_some_and(|term| term.quote.is_some());
            next_quoted || !quoted
        });
        let candidates = if quoted {
            head.clone()
        } else {
            first.into_iter().collect()
        };
        for at in candidates {
            let more = telling.len() > 1 || quoted;
            // At the beginning only words for controls count: a "list view" is no list.
            let control = quoted || lexicon::is_control(word(at)) || word(at) == "heading";
            if let Some((role, compound)) = role_at(at).filter(|_| more && control) {
                self.set(at, Class::Role);
                if compound && is_half(word(at - 1)) {
                    self.set(at - 1, Class::Role);
                }
                self.role = Some(role);
                return;
            }
        }
    }
}

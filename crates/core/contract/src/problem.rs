//! What was found while reading a payload: problems with their places, and warnings.

use std::fmt;

use crate::warning::{Warning, WarningCode};

/// A place in what is read: keys and indexes joined with dots, empty for the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    keys: String,
    /// What a message calls the whole.
    whole: &'static str,
}

impl Path {
    /// The whole of what is read, by the name that messages use.
    pub(crate) fn whole(whole: &'static str) -> Self {
        Self {
            keys: String::new(),
            whole,
        }
    }

    pub(crate) fn key(&self, key: impl fmt::Display) -> Self {
        let keys = if self.keys.is_empty() {
            key.to_string()
        } else {
            format!("{}.{key}", self.keys)
        };
        Self { keys, ..*self }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.keys
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.keys.is_empty() {
            self.whole
        } else {
            &self.keys
        })
    }
}

/// One reason why a payload is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place, such as `actions.0.params.matcher.textEquals`; empty for the payload itself.
    pub path: String,
    /// What is wrong there, and what was probably meant; the place is not repeated.
    pub message: String,
    /// The place and what is wrong there, as one sentence.
    pub(crate) sentence: String,
    pub(crate) kind: ProblemKind,
    /// What was probably meant.
    pub(crate) hint: Option<String>,
    /// The index of the action that the problem lies in.
    pub(crate) action: Option<usize>,
}

/// What the error object says beyond path and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    Rule,
    UnknownKeys(Vec<String>),
    UnknownType { suggestion: Option<&'static str> },
}

/// Collects problems and warnings in the order in which they are reported.
///
/// What is malformed comes before what breaks a rule of one action, however the payload is walked.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    malformed: Vec<Problem>,
    unknown_types: Vec<Problem>,
    broken_rules: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
    action: Option<usize>,
}

impl Findings {
    /// From now on, what is found belongs to this action.
    pub(crate) fn enter_action(&mut self, index: usize) {
        self.action = Some(index);
    }

    /// From now on, what is found belongs to the payload; unknown types are listed at this point.
    pub(crate) fn leave_actions(&mut self) {
        self.action = None;
        self.malformed.append(&mut self.unknown_types);
    }

    /// The place in the plan of the action that is read.
    pub(crate) const fn action(&self) -> Option<usize> {
        self.action
    }

    /// The value at this place is not of the shape it must have; `what` continues the sentence.
    pub(crate) fn malformed(&mut self, path: &Path, what: impl fmt::Display) {
        self.malformed_with_hint(path, what, None);
    }

    /// The same, with what was probably meant.
    pub(crate) fn malformed_with_hint(
        &mut self,
        path: &Path,
        what: impl fmt::Display,
        hint: Option<String>,
    ) {
        let problem = self.problem(path, what, hint);
        self.malformed.push(problem);
    }

    /// An object has keys that it must not have.
    pub(crate) fn unknown_keys(&mut self, path: &Path, keys: Vec<String>, hint: Option<String>) {
        let shown: Vec<String> = keys.iter().take(5).map(|key| format!("`{key}`")).collect();
        let more = if keys.len() > 5 { ", …" } else { "" };
        let noun = if keys.len() == 1 { "key" } else { "keys" };
        let what = format_args!("has the unknown {noun} {}{more}", shown.join(", "));
        let mut problem = self.problem(path, what, hint);
        problem.kind = ProblemKind::UnknownKeys(keys);
        self.malformed.push(problem);
    }

    /// An action has a type that does not exist.
    pub(crate) fn unknown_type(
        &mut self,
        path: &Path,
        given: &str,
        suggestion: Option<&'static str>,
    ) {
        let hint = suggestion.map(|word| format!("did you mean `{word}`?"));
        let mut problem = self.problem(path, format_args!("`{given}` is not an action type"), hint);
        problem.kind = ProblemKind::UnknownType { suggestion };
        self.unknown_types.push(problem);
    }

    /// The action breaks one of its own rules; `what` continues the sentence.
    pub(crate) fn breaks_rule(&mut self, path: &Path, what: impl fmt::Display) {
        self.breaks_rule_with_hint(path, what, None);
    }

    /// The same, with what was probably meant.
    pub(crate) fn breaks_rule_with_hint(
        &mut self,
        path: &Path,
        what: impl fmt::Display,
        hint: Option<String>,
    ) {
        let problem = self.problem(path, what, hint);
        self.broken_rules.push(problem);
    }

    /// Words the last broken rule as the published contract does, where it quotes the message.
    pub(crate) fn word_last(&mut self, sentence: &str) {
        if let Some(problem) = self.broken_rules.last_mut() {
            sentence.clone_into(&mut problem.sentence);
        }
    }

    /// Something was accepted, but not quite as it was written.
    pub(crate) fn warn(&mut self, code: WarningCode, path: &Path, what: impl fmt::Display) {
        let warning = Warning::new(code, format!("{path} {what}")).at(path.as_str());
        self.warnings.push(warning);
    }

    /// The problems in the order in which they are reported, and the warnings.
    pub(crate) fn into_parts(mut self) -> (Vec<Problem>, Vec<Warning>) {
        self.malformed.append(&mut self.unknown_types);
        self.malformed.append(&mut self.broken_rules);
        (self.malformed, self.warnings)
    }

    fn problem(&self, path: &Path, what: impl fmt::Display, hint: Option<String>) -> Problem {
        Problem {
            path: path.as_str().to_owned(),
            message: match &hint {
                Some(hint) => format!("{what}; {hint}"),
                None => what.to_string(),
            },
            sentence: format!("{path} {what}"),
            kind: ProblemKind::Rule,
            hint,
            action: self.action,
        }
    }
}

//! The findings while reading a payload: problems with paths, and warnings.

use std::fmt;

use crate::warning::{Warning, WarningCode};

/// A path in the input: keys and indexes joined with dots, empty for the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    keys: String,
    /// The name of the whole in messages.
    whole: &'static str,
}

impl Path {
    /// The root path, with the name of the whole in messages.
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
    /// The path, such as `actions.0.params.matcher.textEquals`; empty for the payload itself.
    pub path: String,
    /// The problem and the likely intent, without the path.
    pub message: String,
    /// The path and the problem as one sentence.
    pub(crate) sentence: String,
    pub(crate) kind: ProblemKind,
    /// The likely intent.
    pub(crate) hint: Option<String>,
    /// The index of the action with the problem.
    pub(crate) action: Option<usize>,
}

/// What the error object contains besides path and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    Rule,
    UnknownKeys(Vec<String>),
    UnknownType {
        suggestion: Option<&'static str>,
        /// The param that the name implies.
        param: Option<&'static str>,
    },
}

/// Collects problems and warnings in reporting order.
///
/// Malformed values are reported before broken rules of actions, in whatever order they are found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    malformed: Vec<Problem>,
    unknown_types: Vec<Problem>,
    broken_rules: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
    action: Option<usize>,
}

impl Findings {
    /// Assigns further findings to this action.
    pub(crate) fn enter_action(&mut self, index: usize) {
        self.action = Some(index);
    }

    /// Assigns further findings to the payload; unknown types are listed at this point.
    pub(crate) fn leave_actions(&mut self) {
        self.action = None;
        self.malformed.append(&mut self.unknown_types);
    }

    /// The index of the current action.
    pub(crate) const fn action(&self) -> Option<usize> {
        self.action
    }

    /// Records a value of the wrong type; `what` continues the sentence.
    pub(crate) fn malformed(&mut self, path: &Path, what: impl fmt::Display) {
        self.malformed_with_hint(path, what, None);
    }

    /// Like [`Self::malformed`], with the likely intent.
    pub(crate) fn malformed_with_hint(
        &mut self,
        path: &Path,
        what: impl fmt::Display,
        hint: Option<String>,
    ) {
        let problem = self.problem(path, what, hint);
        self.malformed.push(problem);
    }

    /// Records unknown keys of an object.
    pub(crate) fn unknown_keys(&mut self, path: &Path, keys: Vec<String>, hint: Option<String>) {
        let shown: Vec<String> = keys.iter().take(5).map(|key| format!("`{key}`")).collect();
        let more = if keys.len() > 5 { ", …" } else { "" };
        let noun = if keys.len() == 1 { "key" } else { "keys" };
        let what = format_args!("has the unknown {noun} {}{more}", shown.join(", "));
        let mut problem = self.problem(path, what, hint);
        problem.kind = ProblemKind::UnknownKeys(keys);
        self.malformed.push(problem);
    }

    /// Records an unknown action type, with the likely one and the param that the name implies.
    pub(crate) fn unknown_type(
        &mut self,
        path: &Path,
        given: &str,
        suggestion: Option<&'static str>,
        param: Option<&'static str>,
    ) {
        let with = param.map_or_else(String::new, |param| format!(" with `{param}`"));
        let hint = suggestion.map(|word| format!("did you mean `{word}`{with}?"));
        let mut problem = self.problem(path, format_args!("`{given}` is not an action type"), hint);
        problem.kind = ProblemKind::UnknownType { suggestion, param };
        self.unknown_types.push(problem);
    }

    /// Records a broken rule of the action; `what` continues the sentence.
    pub(crate) fn breaks_rule(&mut self, path: &Path, what: impl fmt::Display) {
        self.breaks_rule_with_hint(path, what, None);
    }

    /// Like [`Self::breaks_rule`], with the likely intent.
    pub(crate) fn breaks_rule_with_hint(
        &mut self,
        path: &Path,
        what: impl fmt::Display,
        hint: Option<String>,
    ) {
        let problem = self.problem(path, what, hint);
        self.broken_rules.push(problem);
    }

    /// Replaces the sentence of the last broken rule by the one that the published contract quotes.
    pub(crate) fn word_last(&mut self, sentence: &str) {
        if let Some(problem) = self.broken_rules.last_mut() {
            sentence.clone_into(&mut problem.sentence);
        }
    }

    /// Records a deviation that was accepted.
    pub(crate) fn warn(&mut self, code: WarningCode, path: &Path, what: impl fmt::Display) {
        let warning = Warning::new(code, format!("{path} {what}")).at(path.as_str());
        self.warnings.push(warning);
    }

    /// The problems in reporting order, and the warnings.
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

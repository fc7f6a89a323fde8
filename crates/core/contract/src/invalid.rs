//! A refused payload: all problems, and the error object.

use serde_json::{Map, Value};

use crate::{
    error::{ErrorBody, ErrorCode},
    limits,
    problem::{Findings, Path, Problem, ProblemKind},
    read::whole_id,
    warning::Warning,
};

/// A refused payload and its problems.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{body}")]
pub struct Invalid {
    body: ErrorBody,
    problems: Vec<Problem>,
}

impl Invalid {
    /// Every problem, in reporting order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The error object: describes the first problem and lists the others.
    pub fn body(&self) -> &ErrorBody {
        &self.body
    }

    /// A single problem found outside of the payload: `what` continues the sentence that begins with the path.
    pub fn at(path: &'static str, what: impl std::fmt::Display) -> Self {
        let mut findings = Findings::default();
        findings.malformed(&Path::whole("the payload").key(path), what);
        let (problems, _) = findings.into_parts();
        match problems.first() {
            Some(first) => Self {
                body: describe(first, &problems, &Value::Null),
                problems,
            },
            None => Self::whole(ErrorBody::new(
                ErrorCode::InternalError,
                "the payload was rejected without a reason",
            )),
        }
    }

    /// An error about the payload as a whole.
    pub(crate) fn whole(body: ErrorBody) -> Self {
        Self {
            body,
            problems: Vec::new(),
        }
    }

    /// The value with its warnings, unless a problem was found.
    pub(crate) fn unless_clean<T>(
        findings: Findings,
        value: Option<T>,
        raw: &Value,
    ) -> Result<(T, Vec<Warning>), Self> {
        let (problems, warnings) = findings.into_parts();
        match (value, problems.first()) {
            (Some(value), None) => Ok((value, warnings)),
            (_, Some(first)) => {
                let body = describe(first, &problems, raw);
                Err(Self { body, problems })
            }
            (None, None) => Err(Self::whole(ErrorBody::new(
                ErrorCode::InternalError,
                "the payload was rejected without a reason",
            ))),
        }
    }
}

impl From<Invalid> for ErrorBody {
    fn from(invalid: Invalid) -> Self {
        invalid.body
    }
}

fn describe(first: &Problem, problems: &[Problem], raw: &Value) -> ErrorBody {
    let code = match first.kind {
        ProblemKind::Rule | ProblemKind::UnknownKeys(_) => ErrorCode::ExecutionValidationFailed,
        ProblemKind::UnknownType { .. } => ErrorCode::ExecutionActionUnsupported,
    };
    let mut body = ErrorBody::new(code, &first.sentence).with_detail("path", first.path.as_str());
    if let Some(action) = first
        .action
        .and_then(|index| raw.get("actions")?.get(index))
    {
        for (key, detail) in [("id", "actionId"), ("type", "actionType")] {
            if let Some(text) = action.get(key).and_then(Value::as_str) {
                body = body.with_detail(detail, whole_id(text));
            }
        }
    }
    if let ProblemKind::UnknownKeys(keys) = &first.kind {
        let listed: Vec<&str> = keys
            .iter()
            .take(limits::MAX_LISTED_PROBLEMS)
            .map(String::as_str)
            .collect();
        body = body.with_detail("invalidKeys", listed);
    }
    let mut hint = first.hint.as_deref();
    if let ProblemKind::UnknownType { suggestion, param } = first.kind {
        if let Some(suggestion) = suggestion {
            body = body.with_suggestion(suggestion);
        }
        // Without a param, the suggestion says the same.
        hint = hint.filter(|_| param.is_some());
    }
    if let Some(hint) = hint {
        body = body.with_detail("hint", hint);
    }
    let listed: Vec<Value> = problems
        .iter()
        .take(limits::MAX_LISTED_PROBLEMS)
        .map(|problem| {
            let mut entry = Map::new();
            entry.insert("path".to_owned(), problem.path.as_str().into());
            entry.insert("message".to_owned(), problem.message.as_str().into());
            Value::Object(entry)
        })
        .collect();
    let unlisted = problems.len().saturating_sub(listed.len());
    body = body.with_detail("problems", listed);
    if unlisted > 0 {
        body = body.with_detail("unlistedProblems", unlisted);
    }
    body
}

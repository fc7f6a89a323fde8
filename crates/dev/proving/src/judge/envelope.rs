//! Rules for the result envelope: schema, ids, order of steps, status and warnings.

use std::sync::LazyLock;

use contract::{ErrorBody, Execution, OnFailure, ResultEnvelope, Warning, WarningCode, schema};
use engine::Report;
use jsonschema::Validator;
use serde_json::Value;

use super::Findings;
use crate::run::Run;

/// A validator of a schema of the contract. A test of the contract compares the committed files with these.
fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::draft202012::new(schema).ok()
}

static ENVELOPE: LazyLock<Option<Validator>> =
    LazyLock::new(|| validator(&schema::of::<ResultEnvelope>()));

static ERROR: LazyLock<Option<Validator>> = LazyLock::new(|| validator(&schema::of::<ErrorBody>()));

static EXECUTION: LazyLock<Option<Validator>> =
    LazyLock::new(|| validator(&schema::of::<Execution>()));

fn check_schema(schema: &Option<Validator>, value: &Value, what: &str, findings: &mut Findings) {
    match schema {
        Some(schema) => {
            if let Err(error) = schema.validate(value) {
                findings.add("schema", format!("{what}: {error}"));
            }
        }
        None => findings.add("schema", format!("the schema of {what} is invalid")),
    }
}

pub(super) fn check(run: &Run, execution: &Execution, report: &Report, findings: &mut Findings) {
    let plan = serde_json::to_value(execution).unwrap_or_default();
    check_schema(&EXECUTION, &plan, "the plan", findings);
    let answer = run.result_json();
    match &report.outcome {
        Err(_) => check_schema(&ERROR, &answer, "the error", findings),
        Ok(envelope) => {
            check_schema(&ENVELOPE, &answer, "the envelope", findings);
            check_steps(execution, envelope, findings);
        }
    }
    check_warnings(&run.warnings, findings);
    check_several_matches(execution, report, findings);
}

fn check_steps(execution: &Execution, envelope: &ResultEnvelope, findings: &mut Findings) {
    let ids_match =
        envelope.command_id == execution.command_id() && envelope.task_id == execution.task_id();
    findings.require(ids_match, "names", || {
        format!(
            "the result has ids {} {}",
            envelope.command_id, envelope.task_id
        )
    });
    let actions = execution.actions();
    let order = envelope.step_results.len() <= actions.len()
        && envelope
            .step_results
            .iter()
            .zip(actions)
            .all(|(result, action)| {
                result.id == action.id() && result.action_type == action.kind()
            });
    findings.require(order, "order", || {
        "the results are not in the order of the plan's steps".to_owned()
    });
    let failed: Vec<bool> = envelope
        .step_results
        .iter()
        .map(|result| !result.success)
        .collect();
    let first = envelope.step_results.iter().find(|result| !result.success);
    findings.require(
        envelope.is_success() == (first.is_none() && failed.len() == actions.len()),
        "status",
        || "the status contradicts the steps".to_owned(),
    );
    findings.require(
        envelope.error_code.as_deref() == first.and_then(|result| result.data.get("error")),
        "status",
        || "the code is not that of the first failed step".to_owned(),
    );
    findings.require(
        envelope.error.is_some() == first.is_some() && envelope.hint.is_some() == first.is_some(),
        "status",
        || "message and hint must be present exactly on failure".to_owned(),
    );
    let lost = envelope
        .step_results
        .last()
        .is_some_and(|result| result.data.get("error") == Some("DEVICE_LOST"));
    findings.require(
        result_count_is_valid(execution.on_failure(), &failed, lost, actions.len()),
        "onFailure",
        || {
            format!(
                "{:?}: {} of {} steps ran",
                execution.on_failure(),
                failed.len(),
                actions.len()
            )
        },
    );
    for result in &envelope.step_results {
        let reported = result.data.get("error").is_some() && result.data.get("message").is_some();
        findings.require(result.success != reported, "status", || {
            format!(
                "step {}: code and message must be present exactly on failure",
                result.id
            )
        });
    }
}

/// Whether the number of results agrees with the failures and `onFailure`.
fn result_count_is_valid(on_failure: OnFailure, failed: &[bool], lost: bool, steps: usize) -> bool {
    let complete = failed.len() == steps;
    match on_failure {
        OnFailure::Continue => complete || lost,
        OnFailure::Stop => match failed.iter().position(|failed| *failed) {
            Some(first) => first + 1 == failed.len(),
            None => complete,
        },
    }
}

/// The parser does not warn about results.
fn check_warnings(check_warnings: &[Warning], findings: &mut Findings) {
    let problems = check_warnings
        .iter()
        .find(|warning| warning.code == WarningCode::SeveralMatches);
    findings.require(problems.is_none(), "warnings", || format!("{problems:?}"));
}

/// A lookup of one node that matched several has a warning, and no other does.
fn check_several_matches(execution: &Execution, report: &Report, findings: &mut Findings) {
    let Ok(envelope) = &report.outcome else {
        return;
    };
    let steps = execution.actions().iter().zip(&envelope.step_results);
    for (index, (action, result)) in steps.enumerate() {
        if !action.params().facts().means_one || !result.success {
            continue;
        }
        let count: usize = result
            .data
            .get("match_count")
            .and_then(|count| count.parse().ok())
            .unwrap_or(0);
        let start = format!("actions.{index}.");
        let warning_count = report
            .warnings
            .iter()
            .filter(|warning| {
                warning.code == WarningCode::SeveralMatches
                    && warning
                        .path
                        .as_deref()
                        .is_some_and(|path| path.starts_with(&start))
            })
            .count();
        findings.require(warning_count == usize::from(count > 1), "warnings", || {
            format!("step {index}: {count} matches, {warning_count} warnings")
        });
    }
}

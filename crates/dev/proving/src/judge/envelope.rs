//! The envelope: of the schema, of this run, with its steps in order.

use std::sync::LazyLock;

use contract::{ErrorBody, Execution, ResultEnvelope, Warning, WarningCode, schema};
use engine::Report;
use jsonschema::Validator;
use serde_json::Value;

use super::{Findings, looks};
use crate::world::Trial;

/// A validator of a schema of the contract; a test of the contract holds the committed files against these.
fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::draft202012::new(schema).ok()
}

static ENVELOPE: LazyLock<Option<Validator>> =
    LazyLock::new(|| validator(&schema::of::<ResultEnvelope>()));

static ERROR: LazyLock<Option<Validator>> = LazyLock::new(|| validator(&schema::of::<ErrorBody>()));

static EXECUTION: LazyLock<Option<Validator>> =
    LazyLock::new(|| validator(&schema::of::<Execution>()));

fn of_schema(schema: &Option<Validator>, value: &Value, what: &str, found: &mut Findings) {
    match schema {
        Some(schema) => {
            if let Err(error) = schema.validate(value) {
                found.note("schema", format!("{what}: {error}"));
            }
        }
        None => found.note("schema", format!("the schema of {what} is none")),
    }
}

pub(super) fn check(trial: &Trial, execution: &Execution, report: &Report, found: &mut Findings) {
    let plan = serde_json::to_value(execution).unwrap_or_default();
    of_schema(&EXECUTION, &plan, "the plan", found);
    let answer = trial.answer();
    match &report.outcome {
        Err(_) => of_schema(&ERROR, &answer, "the error", found),
        Ok(envelope) => {
            of_schema(&ENVELOPE, &answer, "the envelope", found);
            ended(execution, envelope, found);
        }
    }
    warnings(&trial.warnings, found);
    several(execution, report, found);
}

fn ended(execution: &Execution, envelope: &ResultEnvelope, found: &mut Findings) {
    let named =
        envelope.command_id == execution.command_id() && envelope.task_id == execution.task_id();
    found.must(named, "names", || {
        format!(
            "the answer is of {} {}",
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
    found.must(order, "order", || {
        "the results are not those of the plan's steps in their order".to_owned()
    });
    let failed: Vec<bool> = envelope
        .step_results
        .iter()
        .map(|result| !result.success)
        .collect();
    let first = envelope.step_results.iter().find(|result| !result.success);
    found.must(
        envelope.is_success() == (first.is_none() && failed.len() == actions.len()),
        "status",
        || "the status does not follow from the steps".to_owned(),
    );
    found.must(
        envelope.error_code.as_deref() == first.and_then(|result| result.data.get("error")),
        "status",
        || "the code is not that of the first step that failed".to_owned(),
    );
    found.must(
        envelope.error.is_some() == first.is_some() && envelope.hint.is_some() == first.is_some(),
        "status",
        || "a sentence and a hint stand with a failure and with nothing else".to_owned(),
    );
    let lost = envelope
        .step_results
        .last()
        .is_some_and(|result| result.data.get("error") == Some("DEVICE_LOST"));
    found.must(
        looks::results_end_rightly(execution.on_failure(), &failed, lost, actions.len()),
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
        let told = result.data.get("error").is_some() && result.data.get("message").is_some();
        found.must(result.success != told, "status", || {
            format!("step {} has a code and a message, or has none", result.id)
        });
    }
}

/// A reader remarks on what it read, not on what happened.
fn warnings(warnings: &[Warning], found: &mut Findings) {
    let wrong = warnings
        .iter()
        .find(|warning| warning.code == WarningCode::SeveralMatches);
    found.must(wrong.is_none(), "warnings", || format!("{wrong:?}"));
}

/// A look-up that meant one node and found several says so, and no other does.
fn several(execution: &Execution, report: &Report, found: &mut Findings) {
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
        let remarks = report
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
        found.must(remarks == usize::from(count > 1), "warnings", || {
            format!("step {index}: {count} matches and {remarks} remarks on them")
        });
    }
}

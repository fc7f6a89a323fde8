//! `read_text`: reads the text of a node, and validates it if requested.

use contract::actions::ReadText;
use contract::limits::MAX_PATTERN_STEPS;
use contract::{ErrorCode, StepData, Validator};
use pattern::{Budget, BudgetSpent, Pattern};
use serde_json::json;
use uitree::NodeId;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::describe::{describe_node, quoted};
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget};
use crate::scroll::matches_out_of_view;
use crate::text::{text_of, whole_text_of};
use crate::validators::{is_temperature, is_version};

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &ReadText,
) -> Result<StepData, Failure> {
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    if params.all() {
        return read_all(ctx, params, target).await;
    }
    let mut backoff = Backoff::new(&params.retry());
    let mut budget = Budget::new(MAX_PATTERN_STEPS);
    loop {
        let found = ctx.find_first(target, &mut backoff).await?;
        let failure = match read_first(params, &found, &mut budget) {
            Ok(mut data) => {
                found.count_into(&mut data);
                return Ok(data);
            }
            Err(failure) => failure.with_data("match_count", found.all.len().to_string()),
        };
        ctx.back_off(failure, &mut backoff).await?;
    }
}

/// The text of the first match.
fn read_first(
    params: &ReadText,
    found: &NodeMatches,
    budget: &mut Budget,
) -> Result<StepData, Failure> {
    let Some((text, source)) = text_of(&found.seen.tree, found.first) else {
        return Err(Failure::new(
            ErrorCode::NodeHasNoText,
            format!("{} has no text", describe_node(found.node())),
        )
        .retryable_until_settled());
    };
    validate(params, &text, budget)?;
    let mut data = StepData::default();
    data.push("text", text);
    describe(params, &mut data);
    data.push("source", source);
    Ok(data)
}

/// The texts of all matches, as a JSON array; no match is not a failure, on a page once it has settled.
async fn read_all(
    ctx: &mut StepContext<'_>,
    params: &ReadText,
    target: NodeTarget<'_>,
) -> Result<StepData, Failure> {
    let mut backoff = Backoff::new(&params.retry());
    let mut budget = Budget::new(MAX_PATTERN_STEPS);
    let mut reveals = OffScreenPolicy::ScrollIntoView.max_reveals();
    loop {
        let lookup = ctx.observe_and_look_up(target).await?;
        match ctx
            .reveal_missing(lookup, target, None, &mut reveals)
            .await?
        {
            LookupResult::Found(found) => {
                let tree = &found.seen.tree;
                let text_of_node = |id: &NodeId| whole_text_of(tree, *id);
                let texts = found.all.iter().filter_map(text_of_node).collect();
                let mut data = every_text(params, texts, found.all.len(), &mut budget)?;
                let out_of_view = matches_out_of_view(tree, target);
                let out_of_view: Vec<String> = out_of_view
                    .iter()
                    .filter_map(|(id, _)| text_of_node(id))
                    .collect();
                if !out_of_view.is_empty() {
                    data.push("text_out_of_view", json!(out_of_view).to_string());
                }
                return Ok(data);
            }
            LookupResult::Missing(seen, failure) => {
                // A reference has an element, or is stale.
                let is_no_match = |failure: &Failure| {
                    failure.code() == Some(ErrorCode::NodeNotFound)
                        && params.matcher.reference.is_none()
                };
                // Only a page reports whether more may appear soon.
                let reports_loading = ctx.device.info().capabilities.loading;
                if is_no_match(&failure) && !reports_loading {
                    return every_text(params, Vec::new(), 0, &mut budget);
                }
                let waited = ctx.wait_for_change_or_backoff(failure, seen, &mut backoff);
                match waited.await {
                    Err(failure) if is_no_match(&failure) => {
                        return every_text(params, Vec::new(), 0, &mut budget);
                    }
                    waited => waited?,
                }
            }
            LookupResult::Unreadable(failure) => ctx.back_off(failure, &mut backoff).await?,
        }
    }
}

/// The texts of all matches, as step data.
fn every_text(
    params: &ReadText,
    texts: Vec<String>,
    matches: usize,
    budget: &mut Budget,
) -> Result<StepData, Failure> {
    for text in &texts {
        validate(params, text, budget)
            .map_err(|failure| failure.with_data("match_count", matches.to_string()))?;
    }
    let mut data = StepData::default();
    data.push("text", json!(texts).to_string());
    data.push("all", "true");
    data.push("count", texts.len().to_string());
    describe(params, &mut data);
    data.push("match_count", matches.to_string());
    Ok(data)
}

/// The parameters as step data.
fn describe(params: &ReadText, data: &mut StepData) {
    data.push(
        "validator",
        params.validator.as_ref().map_or("none", Validator::as_str),
    );
    if let Some(container) = &params.container {
        data.push("container", container.to_string());
    }
}

/// Checks a text with the plan's validator, if any. All texts of a step share one budget.
fn validate(params: &ReadText, text: &str, budget: &mut Budget) -> Result<(), Failure> {
    let Some(validator) = &params.validator else {
        return Ok(());
    };
    let valid = match validator {
        Validator::Version => is_version(text),
        Validator::Temperature => is_temperature(text),
        Validator::Regex { pattern } => pattern
            .matches_whole(text, budget)
            .map_err(|BudgetSpent| too_many_steps(pattern, text))?,
    };
    if valid {
        return Ok(());
    }
    let why = match validator {
        Validator::Regex { pattern } => format!(
            "{} does not match the pattern {}",
            quoted(text),
            quoted(pattern.as_str())
        ),
        Validator::Temperature | Validator::Version => {
            format!("{} is no {}", quoted(text), validator.as_str())
        }
    };
    Err(Failure::new(ErrorCode::ValidatorMismatch, why)
        .with_data("raw_text", text)
        .retryable_until_settled())
}

/// The failure of a pattern that exceeds the match budget; a retry would exceed it again.
fn too_many_steps(pattern: &Pattern, text: &str) -> Failure {
    let why = format!(
        "the pattern {} takes too many steps on {}; avoid nested repetitions such as (?:a+)+, or read a shorter text",
        quoted(pattern.as_str()),
        quoted(text)
    );
    Failure::new(ErrorCode::ValidatorMismatch, why).with_data("raw_text", text)
}

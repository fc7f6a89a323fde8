//! `read_key_value_pair`: read the value beside a label.

use contract::actions::ReadKeyValuePair;
use contract::keys::ParamKey;
use contract::{ErrorCode, StepData};
use serde_json::json;
use uitree::NodeId;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::describe::{describe_node, node_text};
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::labeled_value::value_of;
use crate::screen_lookup::{NodeMatches, NodeTarget};

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &ReadKeyValuePair,
) -> Result<StepData, Failure> {
    let target = NodeTarget {
        matcher: &params.label_matcher,
        container: params.container.as_ref(),
    };
    let mut backoff = Backoff::new(&params.retry());
    loop {
        let found = ctx
            .find_with_backoff(target, &mut backoff, OffScreenPolicy::ScrollIntoView)
            .await?;
        if !params.all() {
            ctx.warn_on_several_matches(
                ParamKey::LabelMatcher,
                target.matcher,
                (&found.seen.tree, &found.all),
                (found.first, "the first one in reading order"),
            );
        }
        let read = if params.all() {
            every_pair(&found)
        } else {
            first_pair(&found)
        };
        let failure = match read {
            Ok(mut data) => {
                found.count_into(&mut data);
                return Ok(data);
            }
            Err(failure) => failure.with_data("match_count", found.all.len().to_string()),
        };
        ctx.back_off(failure, &mut backoff).await?;
    }
}

fn first_pair(found: &NodeMatches) -> Result<StepData, Failure> {
    let tree = &found.seen.tree;
    let value = value_of(tree, found.first).ok_or_else(|| no_value(found))?;
    let (label, value) = (node_text(found.node()), node_text(tree.node(value)));
    let mut data = StepData::default();
    data.push("label", label);
    data.push("value", value);
    Ok(data)
}

/// All pairs as a JSON array, and the first one by itself.
fn every_pair(found: &NodeMatches) -> Result<StepData, Failure> {
    let tree = &found.seen.tree;
    let pair_text = |id: NodeId| node_text(tree.node(id));
    let mut values = Vec::new();
    let mut pairs = Vec::new();
    for label in &found.all {
        // The value of one label is not itself a label.
        if values.contains(label) {
            continue;
        }
        if let Some(value) = value_of(tree, *label) {
            values.push(value);
            pairs.push((pair_text(*label), pair_text(value)));
        }
    }
    let (label, value) = pairs.first().copied().ok_or_else(|| no_value(found))?;
    let list: Vec<_> = pairs
        .iter()
        .map(|(label, value)| json!({"label": label, "value": value}))
        .collect();
    let mut data = StepData::default();
    data.push("label", label);
    data.push("value", value);
    data.push("pairs", json!(list).to_string());
    data.push("all", "true");
    data.push("count", pairs.len().to_string());
    Ok(data)
}

/// The failure of a label without a value.
fn no_value(found: &NodeMatches) -> Failure {
    Failure::new(
        ErrorCode::ValueNodeNotFound,
        format!(
            "{} is alone in its row and has no value",
            describe_node(found.node())
        ),
    )
    .with_leading_data("label", node_text(found.node()))
    .retryable_until_settled()
}

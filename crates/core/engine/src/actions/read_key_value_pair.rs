//! `read_key_value_pair`: the value that stands with a label.

use contract::actions::ReadKeyValuePair;
use contract::keys::ParamKey;
use contract::{ErrorCode, StepData};
use serde_json::json;
use uitree::NodeId;

use crate::failure::Failure;
use crate::lookup::{Found, OutOfView, Wanted};
use crate::pairs::value_of;
use crate::patience::Pauses;
use crate::stage::Stage;
use crate::words::{name, words};

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &ReadKeyValuePair,
) -> Result<StepData, Failure> {
    let wanted = Wanted {
        matcher: &params.label_matcher,
        container: params.container.as_ref(),
    };
    let mut pauses = Pauses::of(&params.retry());
    loop {
        let found = stage
            .find_with(wanted, &mut pauses, OutOfView::Bring)
            .await?;
        if !params.all() {
            stage.remark_on_matches(
                ParamKey::LabelMatcher,
                wanted.matcher,
                found.all.len(),
                "the first one in reading order",
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
            Err(failure) => failure.after("match_count", found.all.len().to_string()),
        };
        stage.pause_after(failure, &mut pauses).await?;
    }
}

/// The first pair.
fn first_pair(found: &Found) -> Result<StepData, Failure> {
    let tree = &found.seen.tree;
    let value = value_of(tree, found.first).ok_or_else(|| no_value(found))?;
    let (label, value) = (words(found.node()), words(tree.node(value)));
    let mut data = StepData::default();
    data.push("label", label);
    data.push("value", value);
    Ok(data)
}

/// Every pair, as a JSON array, with the first one besides.
fn every_pair(found: &Found) -> Result<StepData, Failure> {
    let tree = &found.seen.tree;
    let said = |id: NodeId| words(tree.node(id));
    let mut values = Vec::new();
    let mut pairs = Vec::new();
    for label in &found.all {
        // What is the value of one label is not a label itself.
        if values.contains(label) {
            continue;
        }
        if let Some(value) = value_of(tree, *label) {
            values.push(value);
            pairs.push((said(*label), said(value)));
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

/// A label that stands alone.
fn no_value(found: &Found) -> Failure {
    Failure::new(
        ErrorCode::ValueNodeNotFound,
        format!(
            "{} stands alone in its row; there is no value with it",
            name(found.node())
        ),
    )
    .before("label", words(found.node()))
    .again()
}

//! `explain`: report what a matcher matches and what a click would press, without acting.

use contract::actions::Explain;
use contract::{ClickType, ErrorCode, Retry, StepData};
use driver::{Observation, Platform};
use uitree::{NodeId, UiTree};

use crate::ambiguous_match;
use crate::click_target::{ClickTarget, click_target, first_clickable};
use crate::context::StepContext;
use crate::cover::{covering, describe_covered};
use crate::failure::{Failure, append};
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};
use crate::scroll::matches_out_of_view;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Explain,
) -> Result<StepData, Failure> {
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let seen = ctx.observe_with_retry(&Retry::UI_READINESS).await?;
    match look_up(seen, target) {
        LookupResult::Found(found) => Ok(describe_match(ctx, &found)),
        LookupResult::Missing(seen, failure) => {
            match matches_out_of_view(&seen.tree, target).first() {
                None => describe_missing(ctx.explain_refs(failure)),
                Some((first, _)) => Ok(describe_out_of_view(ctx, &seen.tree, *first)),
            }
        }
        LookupResult::Unreadable(failure) => Err(failure),
    }
}

/// What a click on the matches would press, and what is in its way.
fn describe_match(ctx: &StepContext<'_>, found: &NodeMatches) -> StepData {
    let refs = ctx.refs_for_answers();
    let node = first_clickable(found, ClickType::Click, ctx.device.platform());
    let mut outcome = describe_click(ctx, &found.seen, node);
    if found.all.len() > 1 {
        let which = ambiguous_match::describe(&found.seen.tree, &found.all, node, refs.as_ref());
        outcome.push_str(&format!(
            "; of {} matches it takes {which}",
            found.all.len()
        ));
    }
    let mut data = StepData::default();
    data.push("outcome", outcome);
    found.count_into(&mut data);
    data
}

/// What a click on a node would press, or why it would not.
fn describe_click(ctx: &StepContext<'_>, seen: &Observation, node: NodeId) -> String {
    let tree = &seen.tree;
    let platform = ctx.device.platform();
    let pressed = match click_target(tree, node, ClickType::Click, platform) {
        Ok(ClickTarget::Node(id) | ClickTarget::Center { clicked: id, .. }) => id,
        Err(failure) => return failure.message().unwrap_or_default().to_owned(),
    };
    let refs = ctx.refs_for_answers();
    let at = tree.visible_bounds(pressed).map(|bounds| bounds.center());
    // A page knows what covers its elements, and reports it when one is pressed.
    let above = at.filter(|_| platform != Platform::Web);
    if let Some(above) = above.and_then(|at| covering(tree, pressed, at)) {
        return describe_covered(tree, pressed, above, refs.as_ref());
    }
    let reference = refs.and_then(|refs| refs.lock().assign(tree).get(pressed));
    let pressed = uitree::describe(tree, pressed);
    match reference {
        Some(reference) => format!("a click presses {reference}, the {pressed}"),
        None => format!("a click presses the {pressed}"),
    }
}

/// That a match is on the page, but not in view.
fn describe_out_of_view(ctx: &StepContext<'_>, tree: &UiTree, id: NodeId) -> StepData {
    let refs = ctx.refs_for_answers();
    let reference = refs.and_then(|refs| refs.lock().assign(tree).get(id));
    let reference = reference.map_or_else(String::new, |reference| format!("{reference}, "));
    let what = uitree::describe(tree, id);
    let mut data = StepData::default();
    data.push(
        "outcome",
        format!("{reference}the {what} is out of view; a click scrolls to it first"),
    );
    data.push("match_count", "0");
    data
}

/// Why no node matches, with the nearest ones.
fn describe_missing(failure: Failure) -> Result<StepData, Failure> {
    let step = match failure {
        Failure::Step(step) if is_answer(step.code) => step,
        other => return Err(other),
    };
    let mut data = StepData::default();
    data.push("outcome", step.message);
    append(&mut data, &step.after);
    Ok(data)
}

/// Whether a look-up with this code has read the screen.
fn is_answer(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NodeNotFound | ErrorCode::ContainerNotFound | ErrorCode::RefStale
    )
}

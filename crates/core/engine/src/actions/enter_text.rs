//! `enter_text`: type into a field, or set the value of a slider, and verify it.

use contract::actions::EnterText;
use contract::keys::ParamKey;
use contract::{ErrorCode, StepData, TextTarget};
use driver::{ActOutcome, NodeAct, Platform};
use uitree::{Node, NodeId, Role, State, UiTree};

use crate::backoff::Backoff;
use crate::click_target::{DISABLED_HINT, nearest};
use crate::context::StepContext;
use crate::describe::{describe_node, describe_refusal};
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::{NodeMatches, NodeTarget};
use crate::slider;
use crate::typed_text::{
    ExpectedText, ReadBack, ReadBackError, Verification, content, read_back, replace_text,
    same_field,
};

/// What to do when a field refuses a text before anything is entered.
const REFUSED_HINT: &str = "Match a field that takes the text, and enter it as the message says";

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &EnterText,
) -> Result<StepData, Failure> {
    let mut backoff = Backoff::new(&params.retry());
    let (found, field, written) = loop {
        let found = find_field(ctx, params, &mut backoff).await?;
        let failure = match enter(ctx, params, &found).await {
            Ok((field, written)) => break (found, field, written),
            Err(failure) => failure.with_data("match_count", found.all.len().to_string()),
        };
        ctx.back_off(failure, &mut backoff).await?;
    };
    let before = found.seen.tree.node(field);
    let password = before.is(State::PASSWORD);
    let expected = ExpectedText::new(ctx, params, before, written.text);
    let with_count =
        |failure: Failure| failure.with_data("match_count", found.all.len().to_string());
    let entered = match read_back(ctx, &found.seen, field, &expected).await {
        Ok(entered) => Ok(entered),
        Err(ReadBackError { failure, partial }) => match partial {
            Some(partial) => replace_text(ctx, partial, &expected, failure).await,
            None => Err(failure),
        },
    };
    let entered = entered.map_err(with_count)?;
    if params.submit() {
        submit(ctx, &entered, &expected).await.map_err(with_count)?;
    }
    let mut data = StepData::default();
    if password {
        data.push("password", "true");
        data.push("text_length", params.text.chars().count().to_string());
    } else {
        data.push("text", params.text.as_str());
    }
    data.push("submit", params.submit().to_string());
    data.push("verified", entered.proof.as_str());
    if let Some(range) = entered
        .seen
        .tree
        .node(entered.field)
        .range()
        .filter(|_| expected.slider)
    {
        data.push("holds", range.value.to_string());
    }
    if entered.proof == Verification::Formatted {
        let actual = content(entered.seen.tree.node(entered.field));
        data.push("holds", actual);
    }
    found.count_into(&mut data);
    Ok(data)
}

/// Finds the field that a matcher describes, or the one with the input focus.
async fn find_field(
    ctx: &mut StepContext<'_>,
    params: &EnterText,
    backoff: &mut Backoff,
) -> Result<NodeMatches, Failure> {
    let TextTarget::Node(matcher) = &params.target else {
        return focused_field(ctx, backoff).await;
    };
    let target = NodeTarget {
        matcher,
        container: params.container.as_ref(),
    };
    let found = ctx
        .find_with_backoff(target, backoff, OffScreenPolicy::ScrollIntoView)
        .await?;
    ctx.warn_on_several_matches(
        ParamKey::Matcher,
        matcher,
        (&found.seen.tree, &found.all),
        (found.first, "the first one in reading order"),
    );
    Ok(found)
}

/// The field with the input focus.
async fn focused_field(
    ctx: &mut StepContext<'_>,
    backoff: &mut Backoff,
) -> Result<NodeMatches, Failure> {
    loop {
        let seen = ctx.observe_when_readable().await?;
        let failure = match focused_node(&seen.tree) {
            Ok(first) => {
                let all = vec![first];
                return Ok(NodeMatches { seen, first, all });
            }
            Err(failure) => failure,
        };
        ctx.back_off(failure, backoff).await?;
    }
}

/// The only node of the active window that takes text and has the input focus.
fn focused_node(tree: &UiTree) -> Result<NodeId, Failure> {
    let mut windows = tree.windows().iter().filter(|window| window.active);
    let nodes = windows
        .next()
        .into_iter()
        .flat_map(|window| tree.subtree(window.root));
    let with_focus: Vec<NodeId> = nodes
        .filter(|id| tree.node(*id).is(State::FOCUSED))
        .collect();
    let mut fields = with_focus
        .iter()
        .copied()
        .filter(|id| takes_text(tree.node(*id)));
    let why = match (fields.next(), fields.next(), with_focus.last()) {
        (Some(field), None, _) => return Ok(field),
        (Some(_), Some(_), _) => "several fields have the input focus; match the field".to_owned(),
        (None, _, Some(other)) => format!(
            "{} has the input focus and takes no text; focus a field first, or match it",
            describe_node(tree.node(*other))
        ),
        (None, _, None) => "no field has the input focus; focus one first, or match it".to_owned(),
    };
    Err(Failure::new(ErrorCode::TextNotEntered, why).retryable_after_change())
}

/// Whether a node takes text, or a number as its value.
fn takes_text(node: &Node) -> bool {
    node.is(State::EDITABLE) || node.role == Role::TextField || slider::is_slider(node)
}

/// Types into the found field; returns the editable node, and what the device reports.
async fn enter(
    ctx: &mut StepContext<'_>,
    params: &EnterText,
    found: &NodeMatches,
) -> Result<(NodeId, ActOutcome), Failure> {
    let tree = &found.seen.tree;
    // A page decides better than its tree which elements take text, and why others do not.
    let platform = ctx.device.platform();
    let matched = (platform == Platform::Web).then_some(found.first);
    let field = editable(tree, found.first).or(matched).ok_or_else(|| {
        Failure::new(
            ErrorCode::TextNotEntered,
            format!(
                "{} takes no text, nor does anything around or inside it, and it labels no field",
                describe_node(found.node())
            ),
        )
        .retryable_until_settled()
    })?;
    if !tree.node(field).is(State::ENABLED) {
        return Err(Failure::new(
            ErrorCode::TextNotEntered,
            format!("{} is disabled", describe_node(tree.node(field))),
        )
        .with_hint(DISABLED_HINT)
        .retryable_after_change());
    }
    if tree.node(field).is(State::PASSWORD) && params.text.chars().any(char::is_control) {
        // A field may convert line breaks, which a masked field would not show.
        return Err(Failure::new(
            ErrorCode::TextNotEntered,
            "a password field takes no line breaks or other control characters",
        ));
    }
    let act = if platform == Platform::Android && slider::is_slider(tree.node(field)) {
        slider::act(tree.node(field), params)?
    } else if params.clear() {
        NodeAct::SetText(params.text.clone())
    } else {
        NodeAct::AppendText(params.text.clone())
    };
    let written =
        ctx.act(found.seen.node_ref(field), &act)
            .await
            .map_err(|failure| match failure.code() {
                Some(ErrorCode::TextNotEntered) => failure.with_hint(REFUSED_HINT),
                _ => failure.recode(ErrorCode::GestureFailed, ErrorCode::TextNotEntered),
            })?;
    Ok((field, written))
}

/// The editable node: the match itself, its nearest ancestor, its first descendant, or the field it labels.
fn editable(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    nearest(tree, id, takes_text)
        .or_else(|| {
            tree.subtree(id)
                .find(|inner| tree.is_on_screen(*inner) && takes_text(tree.node(*inner)))
        })
        .or_else(|| labelled_field(tree, id, takes_text))
}

/// The field whose label or placeholder is the node's text; `None` when there are several.
fn labelled_field(tree: &UiTree, id: NodeId, takes_text: impl Fn(&Node) -> bool) -> Option<NodeId> {
    let label = tree.node(id).text.trim();
    let mut fields = tree.subtree(tree.window_of(id).root).filter(|field| {
        let node = tree.node(*field);
        !label.is_empty()
            && [&node.label, &node.hint]
                .into_iter()
                .any(|name| name.trim() == label)
            && tree.is_on_screen(*field)
            && takes_text(node)
    });
    let field = fields.next()?;
    fields.next().is_none().then_some(field)
}

/// Sends the field's editor action.
async fn submit(
    ctx: &mut StepContext<'_>,
    entered: &ReadBack,
    expected: &ExpectedText,
) -> Result<(), Failure> {
    let submitted = ctx
        .act(entered.seen.node_ref(entered.field), &NodeAct::Submit)
        .await
        .map_err(|failure| {
            failure
                .recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
                .with_leading_data("text_entered", "true")
        })?;
    if let Some(refusal) = &submitted.refused_form {
        let refused = describe_refusal(refusal);
        let message = format!("the text was entered, but the form was not submitted: {refused}");
        return Err(Failure::new(ErrorCode::FormNotSubmitted, message)
            .with_leading_data("text_entered", "true")
            .with_data("form_not_submitted", refused));
    }
    // In a multi-line field Enter may add a line.
    let seen = match ctx.observe().await {
        Ok(seen) => seen,
        // While windows change the field is gone, and there is nothing to verify.
        Err(failure) if failure.is_retryable() => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let after = same_field(&entered.seen.tree, entered.field, &seen.tree)
        .map(|id| content(seen.tree.node(id)));
    if after
        .and_then(|after| after.strip_suffix('\n'))
        .is_some_and(|after| expected.matches(after))
    {
        let message = "the field took the key as a line break, with which its text now ends; it has no action to submit with";
        return Err(Failure::new(ErrorCode::GlobalActionFailed, message)
            .with_leading_data("text_entered", "true")
            .with_hint("Press the button that submits; another try adds a line break again"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_resolves_to_its_only_field() {
        let field = |notation: &str| {
            let tree = UiTree::parse_notation(notation).unwrap();
            let label = tree.find(&uitree::Query::new().text("Email")).unwrap();
            editable(&tree, label).map(|id| tree.node(id).id.to_string())
        };
        let labelled = "column\n  label \"Email\"\n  textfield label=\"Email\" #one editable";
        assert_eq!(field(labelled), Some("one".to_owned()));
        let twice = format!("{labelled}\n  textfield label=\"Email\" #two editable");
        assert_eq!(field(&twice), None);
        assert_eq!(
            field("column\n  label \"Email\"\n  textfield #one editable"),
            None
        );
    }
}

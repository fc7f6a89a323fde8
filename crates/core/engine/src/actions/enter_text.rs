//! `enter_text`: type into a field, or set the value of a slider, and read it back.

use std::sync::Arc;
use std::time::Duration;

use contract::actions::EnterText;
use contract::keys::ParamKey;
use contract::{ErrorCode, StepData, TextTarget};
use driver::{ActOutcome, NodeAct, Observation, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, Role, State, UiTree};

use crate::backoff::Backoff;
use crate::click_target::{DISABLED_HINT, nearest};
use crate::context::StepContext;
use crate::describe::{describe_node, describe_refusal, quoted};
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::formatted_text;
use crate::screen_lookup::{NodeMatches, NodeTarget};
use crate::slider;

/// How long the screen may still show the old text after an entry.
const READ_BACK_LIMIT: Duration = Duration::from_millis(500);

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
    let expected = expected(ctx, params, before, written.text);
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

/// The text that a field must contain afterwards.
struct ExpectedText {
    text: String,
    /// The entered part, with which the text ends.
    entered: String,
    password: bool,
    /// The expectation in case the old text was only a hint.
    alternative: Option<HintAlternative>,
    /// The old text of a field that is emptied, and that may then report its hint as its text.
    emptied: Option<Arc<str>>,
    /// Whether it is the value of a slider of a phone.
    slider: bool,
    /// Whether it is in a page, where rich text fields show their lines as elements.
    in_page: bool,
}

/// The expected text of a field whose old text may have been its hint.
struct HintAlternative {
    text: String,
    /// The old text of the field.
    before: Arc<str>,
    /// Whether the field reports the old text as its hint.
    has_hint: bool,
}

impl ExpectedText {
    /// Whether a readable field contains the entered text within other text.
    fn is_part_of(&self, actual: &str) -> bool {
        !self.password && actual.contains(&*self.entered)
    }

    /// Whether `text` is the expected text or its alternative.
    fn matches(&self, text: &str) -> bool {
        let alternative = self
            .alternative
            .as_ref()
            .map(|alternative| &*alternative.text);
        text == self.text || Some(text) == alternative
    }
}

/// The text that the field must hold after the entry; `written` is what the device reports instead of the requested text.
fn expected(
    ctx: &StepContext<'_>,
    params: &EnterText,
    before: &Node,
    written: Option<String>,
) -> ExpectedText {
    let kept = if params.clear() { "" } else { content(before) };
    let text = written.unwrap_or_else(|| format!("{kept}{}", params.text));
    let slider = slider::is_slider(before) && ctx.device.platform() == Platform::Android;
    let has_events = ctx.device.has_events();
    let alternative = !kept.is_empty() && !has_events && may_be_hint(before);
    let emptied = text.is_empty() && !has_events;
    ExpectedText {
        text,
        entered: params.text.clone(),
        password: before.is(State::PASSWORD),
        alternative: alternative.then(|| HintAlternative {
            text: params.text.clone(),
            before: Arc::clone(&before.text),
            has_hint: !before.hint.is_empty(),
        }),
        emptied: emptied.then(|| Arc::clone(&before.text)),
        slider,
        in_page: ctx.device.platform() == Platform::Web,
    }
}

/// Whether the text of a field may be its hint: older dumps report the hint of an empty field as its text.
fn may_be_hint(node: &Node) -> bool {
    node.hint.is_empty() || node.hint == node.text
}

/// The text of a field, without a placeholder.
fn content(node: &Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

/// A field with verified text.
struct ReadBack {
    seen: Observation,
    field: NodeId,
    proof: Verification,
}

/// How well the text of a field is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verification {
    /// The text was read back.
    Text,
    /// The text was read back with separators that the field has inserted.
    Formatted,
    /// The length was read back; a masked field shows no more.
    Length,
    /// The field shows nothing, or the same as its hint.
    None,
}

impl Verification {
    /// The name used in step data.
    const fn as_str(self) -> &'static str {
        match self {
            Verification::Text => "true",
            Verification::Formatted => "formatted",
            Verification::Length => "length",
            Verification::None => "unknown",
        }
    }
}

/// Why a field could not be verified.
struct ReadBackError {
    failure: Failure,
    /// The field, if it contains the entered text within other text.
    partial: Option<(Observation, NodeId)>,
}

impl From<Failure> for ReadBackError {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            partial: None,
        }
    }
}

/// Verifies the text of the field, allowing the screen [`READ_BACK_LIMIT`] to show it.
async fn read_back(
    ctx: &mut StepContext<'_>,
    before: &Observation,
    field: NodeId,
    expected: &ExpectedText,
) -> Result<ReadBack, ReadBackError> {
    let until = Instant::now() + READ_BACK_LIMIT;
    loop {
        let seen = ctx.observe_when_readable().await?;
        let now = same_field(&before.tree, field, &seen.tree);
        let failure = match now {
            Some(field) => match verify(seen.tree.node(field), expected) {
                Ok(proof) => return Ok(ReadBack { seen, field, proof }),
                Err(failure) => failure,
            },
            None => Failure::new(
                ErrorCode::TextNotEntered,
                "the field was gone when its text was read back",
            ),
        };
        if ctx.device.wait_for_change(&seen, until).await? == ChangeWait::TimedOut {
            let partial = now.filter(|field| expected.is_part_of(content(seen.tree.node(*field))));
            return Err(ReadBackError {
                failure,
                partial: partial.map(|field| (seen, field)),
            });
        }
    }
}

/// Replaces the text of a field that contains it within other text: key input may have hit another cursor
/// position in a field that wraps lines. Devices with events do not need this, and fail as before.
async fn replace_text(
    ctx: &mut StepContext<'_>,
    (seen, field): (Observation, NodeId),
    expected: &ExpectedText,
    failure: Failure,
) -> Result<ReadBack, Failure> {
    if ctx.device.has_events() {
        return Err(failure);
    }
    let act = NodeAct::SetText(expected.text.clone());
    match ctx.act(seen.node_ref(field), &act).await {
        Ok(_) => {}
        Err(Failure::Step(step)) if !step.lost => return Err(failure),
        Err(end) => return Err(end),
    }
    read_back(ctx, &seen, field, expected)
        .await
        .map_err(|unread| unread.failure)
}

/// Verifies the text of a field.
fn verify(node: &Node, expected: &ExpectedText) -> Result<Verification, Failure> {
    if expected.slider {
        return Ok(match slider::is_at(node, &expected.entered)? {
            true => Verification::Text,
            false => Verification::None,
        });
    }
    let actual = content(node);
    if let Some(proof) = verify_alternative(actual, expected) {
        return Ok(proof);
    }
    if let Some(before) = &expected.emptied
        && !actual.is_empty()
        && may_be_hint(node)
    {
        let is_rest = *actual != **before && before.contains(actual);
        if !is_rest {
            // It shows its hint, or text that was not deleted.
            return Ok(Verification::None);
        }
    }
    if !expected.password {
        return if actual == expected.text {
            Ok(Verification::Text)
        } else if formatted_text::is_formatted(actual, &expected.text)
            || expected.in_page && formatted_text::is_rewrapped(actual, &expected.text)
        {
            Ok(Verification::Formatted)
        } else {
            let message = format!(
                "the field holds {}, not {}",
                quoted(actual),
                quoted(&expected.text)
            );
            Err(Failure::new(ErrorCode::TextNotEntered, message).with_data("read_back", actual))
        };
    }
    // A platform masks a value with one character per character, or shows nothing; a placeholder means an
    // empty field.
    let (masked, target) = (actual.chars().count(), expected.text.chars().count());
    if masked == target {
        Ok(Verification::Length)
    } else if masked == 0 && !node.is(State::SHOWING_HINT) {
        Ok(Verification::None)
    } else {
        let message = format!("the password field holds {masked} characters, not {target}");
        Err(Failure::new(ErrorCode::TextNotEntered, message).with_data("password", "true"))
    }
}

/// Verifies a field that may have shown its hint before: it must hold the entered text alone.
fn verify_alternative(actual: &str, expected: &ExpectedText) -> Option<Verification> {
    let alternative = expected.alternative.as_ref()?;
    let same = *actual == *alternative.before;
    if expected.password {
        let masked = actual.chars().count() == alternative.text.chars().count();
        return (masked && !same).then_some(Verification::Length);
    }
    if *actual != alternative.text {
        None
    } else if !same {
        Some(Verification::Text)
    } else {
        // It reads as before: either it was the hint and the same text was entered, or nothing changed.
        alternative.has_hint.then_some(Verification::None)
    }
}

/// Finds a field of an earlier screen on a later one, if it is unambiguous.
fn same_field(before: &UiTree, field: NodeId, now: &UiTree) -> Option<NodeId> {
    if let Some(origin) = before.origin(field)
        && let Some(same) = now.ids().find(|id| now.origin(*id) == Some(origin))
    {
        return Some(same);
    }
    let identity = |node: &Node| (node.id.clone(), node.class.clone(), node.owner.clone());
    let name_of_field = identity(before.node(field));
    let same_identity = |tree: &UiTree| -> Vec<NodeId> {
        tree.ids()
            .filter(|id| identity(tree.node(*id)) == name_of_field)
            .collect()
    };
    let (old, new) = (same_identity(before), same_identity(now));
    if old.len() == new.len() {
        let position = old.iter().position(|id| *id == field)?;
        return new.get(position).copied();
    }
    match new.as_slice() {
        [only] => Some(*only),
        candidates if before.node(field).is(State::FOCUSED) => candidates
            .iter()
            .copied()
            .find(|id| now.node(*id).is(State::FOCUSED)),
        _ => None,
    }
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

    /// The verification of `text` appended to a text that may be a hint.
    fn verification(before: &str, text: &str, after: &str) -> Option<&'static str> {
        let field = |notation: &str| {
            let tree = UiTree::parse_notation(notation).unwrap();
            tree.nodes()[0].clone()
        };
        let (before, after) = (field(before), field(after));
        let kept = content(&before);
        let alternative = may_be_hint(&before).then(|| HintAlternative {
            text: text.to_owned(),
            before: Arc::clone(&before.text),
            has_hint: !before.hint.is_empty(),
        });
        let expected = ExpectedText {
            text: format!("{kept}{text}"),
            entered: text.to_owned(),
            password: before.is(State::PASSWORD),
            alternative,
            emptied: None,
            slider: false,
            in_page: false,
        };
        verify(&after, &expected).ok().map(Verification::as_str)
    }

    #[test]
    fn emptied_field_may_show_its_hint() {
        let node = |text: &str| {
            let tree = UiTree::parse_notation(&format!("textfield {text} editable")).unwrap();
            tree.nodes()[0].clone()
        };
        let emptied = |before: &str, after: &str| {
            let expected = ExpectedText {
                text: String::new(),
                entered: String::new(),
                password: false,
                alternative: None,
                emptied: Some(Arc::clone(&node(before).text)),
                slider: false,
                in_page: false,
            };
            let proof = verify(&node(after), &expected);
            proof.ok().map(Verification::as_str)
        };
        assert_eq!(emptied("\"12\"", "\"\""), Some("true"));
        assert_eq!(emptied("\"12\"", "\"Code\""), Some("unknown"));
        assert_eq!(emptied("\"Code\"", "\"Code\""), Some("unknown"));
        assert_eq!(emptied("\"12\"", "\"1\""), None);
        assert_eq!(emptied("\"12\"", "\"1\" hint=\"Code\""), None);
    }

    #[test]
    fn field_with_only_the_entered_text_had_a_hint_before() {
        let field_with = |text: &str| format!("textfield {text:?} editable");
        let verification =
            |before, text, after| verification(&field_with(before), text, &field_with(after));
        assert_eq!(verification("Code", "abc", "abc"), Some("true"));
        assert_eq!(verification("abc", "def", "abcdef"), Some("true"));
        assert_eq!(verification("abc", "abc", "abcabc"), Some("true"));
        // A full field keeps its text.
        assert_eq!(verification("abc", "abc", "abc"), None);
        assert_eq!(verification("Code", "abc", "Code"), None);
        assert_eq!(verification("Code", "abc", "Codeab"), None);
        assert_eq!(verification("Code", "abc", "ab"), None);
    }

    #[test]
    fn reported_hint_is_not_content() {
        let field_with = |text: &str| format!("textfield {text:?} hint=\"Code\" editable");
        let verification =
            |before, text, after| verification(&field_with(before), text, &field_with(after));
        assert_eq!(verification("Code", "abc", "abc"), Some("true"));
        assert_eq!(verification("Code", "Code", "CodeCode"), Some("true"));
        // The hint and the entered text look the same.
        assert_eq!(verification("Code", "Code", "Code"), Some("unknown"));
        // Text that is not the hint had to be kept.
        assert_eq!(verification("xyz", "abc", "abc"), None);
    }

    #[test]
    fn mask_length_counts_text_entered_over_hint() {
        let field_with = |text: &str| format!("textfield {text:?} editable password");
        let verification =
            |before, text, after| verification(&field_with(before), text, &field_with(after));
        assert_eq!(verification("Secret", "abc", "•••"), Some("length"));
        assert_eq!(verification("Secret", "abcdef", "••••••"), Some("length"));
        assert_eq!(verification("••", "abc", "•••••"), Some("length"));
        // The number of mask characters is unchanged: nothing was entered.
        assert_eq!(verification("•••", "abc", "•••"), None);
        assert_eq!(verification("Secret", "abc", "Secret"), None);
    }

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

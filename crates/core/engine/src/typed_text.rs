//! Reads the text of a field back after an entry, and verifies it.

use std::sync::Arc;
use std::time::Duration;

use contract::ErrorCode;
use contract::actions::EnterText;
use driver::{NodeAct, Observation, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, State, UiTree};

use crate::context::StepContext;
use crate::describe::quoted;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::{formatted_text, slider};

/// How long the screen may still show the old text after an entry.
const READ_BACK_LIMIT: Duration = Duration::from_millis(500);

/// The text that a field must contain afterwards.
pub(crate) struct ExpectedText {
    text: String,
    /// The entered part, with which the text ends.
    entered: String,
    password: bool,
    /// The expectation in case the old text was only a hint.
    alternative: Option<HintAlternative>,
    /// The old text of a field that is emptied, and that may then report its hint as its text.
    emptied: Option<Arc<str>>,
    /// Whether it is the value of a slider of a phone.
    pub(crate) slider: bool,
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
    /// The text that the field must hold after the entry; `written` is what the device reports instead of the requested text.
    pub(crate) fn new(
        ctx: &StepContext<'_>,
        params: &EnterText,
        before: &Node,
        written: Option<String>,
    ) -> Self {
        let kept = if params.clear() { "" } else { content(before) };
        let text = written.unwrap_or_else(|| format!("{kept}{}", params.text));
        let slider = slider::is_slider(before) && ctx.device.platform() == Platform::Android;
        let has_events = ctx.device.has_events();
        let alternative = !kept.is_empty() && !has_events && may_be_hint(before);
        let emptied = text.is_empty() && !has_events;
        Self {
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

    /// Whether a readable field contains the entered text within other text.
    fn is_part_of(&self, actual: &str) -> bool {
        !self.password && actual.contains(&*self.entered)
    }

    /// Whether `text` is the expected text or its alternative.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let alternative = self
            .alternative
            .as_ref()
            .map(|alternative| &*alternative.text);
        text == self.text || Some(text) == alternative
    }
}

/// Whether the text of a field may be its hint: older dumps report the hint of an empty field as its text.
fn may_be_hint(node: &Node) -> bool {
    node.hint.is_empty() || node.hint == node.text
}

/// The text of a field, without a placeholder.
pub(crate) fn content(node: &Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

/// A field with verified text.
pub(crate) struct ReadBack {
    pub(crate) seen: Observation,
    pub(crate) field: NodeId,
    pub(crate) proof: Verification,
}

/// How well the text of a field is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verification {
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
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Verification::Text => "true",
            Verification::Formatted => "formatted",
            Verification::Length => "length",
            Verification::None => "unknown",
        }
    }
}

/// Why a field could not be verified.
pub(crate) struct ReadBackError {
    pub(crate) failure: Failure,
    /// The field, if it contains the entered text within other text.
    pub(crate) partial: Option<(Observation, NodeId)>,
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
pub(crate) async fn read_back(
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
pub(crate) async fn replace_text(
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
pub(crate) fn same_field(before: &UiTree, field: NodeId, now: &UiTree) -> Option<NodeId> {
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
}

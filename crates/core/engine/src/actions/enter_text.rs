//! `enter_text`: write into a field, and read back what it holds.

use std::sync::Arc;
use std::time::Duration;

use contract::actions::EnterText;
use contract::keys::ParamKey;
use contract::{ErrorCode, StepData};
use driver::{NodeAct, Observation, Platform};
use tokio::time::Instant;
use uitree::{Node, NodeId, Role, State, UiTree};

use crate::click::nearest;
use crate::failure::Failure;
use crate::lookup::{Found, OutOfView, Wanted};
use crate::patience::Pauses;
use crate::stage::{Heard, Stage};
use crate::words::{name, quoted};

/// How long after the text was entered a screen may still show what stood there before.
const FOLLOWS_WITHIN: Duration = Duration::from_millis(500);

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &EnterText,
) -> Result<StepData, Failure> {
    let wanted = Wanted {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let mut pauses = Pauses::of(&params.retry());
    let (found, field) = loop {
        let found = stage
            .find_with(wanted, &mut pauses, OutOfView::Bring)
            .await?;
        stage.remark_on_matches(
            ParamKey::Matcher,
            wanted.matcher,
            found.all.len(),
            "the first one in reading order",
        );
        let failure = match enter(stage, params, &found).await {
            Ok(field) => break (found, field),
            Err(failure) => failure.after("match_count", found.all.len().to_string()),
        };
        stage.pause_after(failure, &mut pauses).await?;
    };
    let before = found.seen.tree.node(field);
    let password = before.is(State::PASSWORD);
    let expected = expected(stage, params, before);
    let counted = |failure: Failure| failure.after("match_count", found.all.len().to_string());
    let held = match read_back(stage, &found.seen, field, &expected).await {
        Ok(held) => Ok(held),
        Err(Unread { failure, left }) => match left {
            Some(left) => mend(stage, left, &expected, failure).await,
            None => Err(failure),
        },
    };
    let held = held.map_err(counted)?;
    if params.submit() {
        submit(stage, &held, &expected).await.map_err(counted)?;
    }
    let mut data = StepData::default();
    if password {
        data.push("password", "true");
        data.push("text_length", params.text.chars().count().to_string());
    } else {
        data.push("text", params.text.as_str());
    }
    data.push("submit", params.submit().to_string());
    data.push("verified", held.proof.as_str());
    found.count_into(&mut data);
    Ok(data)
}

/// Writes into the field that was found; gives the node that takes text.
async fn enter(
    stage: &mut Stage<'_>,
    params: &EnterText,
    found: &Found,
) -> Result<NodeId, Failure> {
    let tree = &found.seen.tree;
    // A page knows better than its tree what takes text: lists, sliders, what does not and why.
    let platform = stage.driver.info().platform;
    let itself = (platform == Platform::Web).then_some(found.first);
    let field = editable(tree, found.first).or(itself).ok_or_else(|| {
        Failure::new(
            ErrorCode::TextNotEntered,
            format!(
                "{} takes no text, nor does what holds it or stands in it, and it names no field",
                name(found.node())
            ),
        )
        .again()
    })?;
    if !tree.node(field).is(State::ENABLED) {
        return Err(Failure::new(
            ErrorCode::TextNotEntered,
            format!("{} is disabled", name(tree.node(field))),
        )
        .on_another_screen());
    }
    if tree.node(field).is(State::PASSWORD) && params.text.chars().any(char::is_control) {
        // A field may turn them into something else, and a mask would not show it.
        return Err(Failure::new(
            ErrorCode::TextNotEntered,
            "a password field takes no line breaks or other control characters",
        ));
    }
    let act = if params.clear() {
        NodeAct::SetText(params.text.clone())
    } else {
        NodeAct::AppendText(params.text.clone())
    };
    stage
        .act(found.seen.node_ref(field), &act)
        .await
        .map_err(|failure| failure.recode(ErrorCode::GestureFailed, ErrorCode::TextNotEntered))?;
    Ok(field)
}

/// The node that takes text: the matched one, the nearest that holds it, the first inside it, or the one that it names.
fn editable(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    let takes_text = |node: &Node| node.is(State::EDITABLE) || node.role == Role::TextField;
    nearest(tree, id, takes_text)
        .or_else(|| {
            tree.subtree(id)
                .find(|inner| tree.is_on_screen(*inner) && takes_text(tree.node(*inner)))
        })
        .or_else(|| named(tree, id, takes_text))
}

/// The one field that is called what a node says, as a field is by its label; `None` where several are.
fn named(tree: &UiTree, id: NodeId, takes_text: impl Fn(&Node) -> bool) -> Option<NodeId> {
    let words = tree.node(id).text.trim();
    let mut fields = tree.subtree(tree.window_of(id).root).filter(|field| {
        let node = tree.node(*field);
        !words.is_empty()
            && node.label.trim() == words
            && tree.is_on_screen(*field)
            && takes_text(node)
    });
    let field = fields.next()?;
    fields.next().is_none().then_some(field)
}

/// What a field must hold afterwards.
struct Expected {
    text: String,
    /// What was entered; the text ends with it.
    entered: String,
    password: bool,
    /// Where the text was written behind what may have been a hint: what it is on its own.
    alone: Option<Alone>,
}

/// A text that a field may hold on its own.
struct Alone {
    text: String,
    /// What the field showed before.
    before: Arc<str>,
    /// Whether what it showed is known to be its hint, if it was not the same text.
    hinted: bool,
}

impl Expected {
    /// Whether a field that can be read holds what was entered, and something else.
    fn is_part_of(&self, holds: &str) -> bool {
        !self.password && holds.contains(&*self.entered)
    }

    /// Whether this is the text, or the text alone.
    fn is(&self, text: &str) -> bool {
        let alone = self.alone.as_ref().map(|alone| &*alone.text);
        text == self.text || Some(text) == alone
    }
}

/// What the field must hold after the text was entered.
fn expected(stage: &Stage<'_>, params: &EnterText, before: &Node) -> Expected {
    let kept = if params.clear() { "" } else { content(before) };
    let text = match stage.driver.last_text() {
        Some(written) => written.to_owned(),
        None => format!("{kept}{}", params.text),
    };
    let alone = !kept.is_empty() && !stage.driver.info().capabilities.events && may_be_hint(before);
    Expected {
        text,
        entered: params.text.clone(),
        password: before.is(State::PASSWORD),
        alone: alone.then(|| Alone {
            text: params.text.clone(),
            before: Arc::clone(&before.text),
            hinted: !before.hint.is_empty(),
        }),
    }
}

/// Whether what a field shows may be its hint. A dump gives a hint as the text of an empty field and does not say that it
/// is one; newer phones say what the hint is.
fn may_be_hint(node: &Node) -> bool {
    node.hint.is_empty() || node.hint == node.text
}

/// What is written in a field; a placeholder is not.
fn content(node: &Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

/// What was read back.
struct Held {
    seen: Observation,
    field: NodeId,
    proof: Proof,
}

/// How well it is known that a field holds the text.
#[derive(Clone, Copy)]
enum Proof {
    /// The text was read back.
    Text,
    /// As many signs as the text has; a mask shows no more.
    Length,
    /// The field shows nothing of what it holds, or it shows what its hint was.
    None,
}

impl Proof {
    /// The name used in step data.
    const fn as_str(self) -> &'static str {
        match self {
            Proof::Text => "true",
            Proof::Length => "length",
            Proof::None => "unknown",
        }
    }
}

/// Why a field is not known to hold the text.
struct Unread {
    failure: Failure,
    /// The field, where the text stands in it beside something else.
    left: Option<(Observation, NodeId)>,
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            left: None,
        }
    }
}

/// Looks whether the field holds the text, and gives a screen that follows a moment later the time to.
async fn read_back(
    stage: &mut Stage<'_>,
    before: &Observation,
    field: NodeId,
    expected: &Expected,
) -> Result<Held, Unread> {
    let until = Instant::now() + FOLLOWS_WITHIN;
    loop {
        let seen = stage.observe_soon().await?;
        let now = same_field(&before.tree, field, &seen.tree);
        let failure = match now {
            Some(field) => match proof(seen.tree.node(field), expected) {
                Ok(proof) => return Ok(Held { seen, field, proof }),
                Err(failure) => failure,
            },
            None => Failure::new(
                ErrorCode::TextNotEntered,
                "the field was gone when its text was read back",
            ),
        };
        if stage.listen(&seen, until).await? == Heard::Nothing {
            let left = now.filter(|field| expected.is_part_of(content(seen.tree.node(*field))));
            return Err(Unread {
                failure,
                left: left.map(|field| (seen, field)),
            });
        }
    }
}

/// Has a field hold the text alone that holds it beside something else: where keys write, the cursor may have stood
/// elsewhere than it was taken to, in a field that wraps its lines. Where that cannot be, it fails as before.
async fn mend(
    stage: &mut Stage<'_>,
    (seen, field): (Observation, NodeId),
    expected: &Expected,
    failure: Failure,
) -> Result<Held, Failure> {
    if stage.driver.info().capabilities.events {
        return Err(failure);
    }
    let act = NodeAct::SetText(expected.text.clone());
    match stage.act(seen.node_ref(field), &act).await {
        Ok(()) => {}
        Err(Failure::Step(step)) if !step.lost => return Err(failure),
        Err(end) => return Err(end),
    }
    read_back(stage, &seen, field, expected)
        .await
        .map_err(|unread| unread.failure)
}

/// How well a field shows that it holds the text, or that it does not.
fn proof(node: &Node, expected: &Expected) -> Result<Proof, Failure> {
    let holds = content(node);
    if let Some(proof) = proof_alone(holds, expected) {
        return Ok(proof);
    }
    if !expected.password {
        return if holds == expected.text {
            Ok(Proof::Text)
        } else {
            let message = format!(
                "the field holds {}, not {}",
                quoted(holds),
                quoted(&expected.text)
            );
            Err(Failure::new(ErrorCode::TextNotEntered, message).after("read_back", holds))
        };
    }
    // A platform masks what it holds, one sign for each character, or shows nothing at all; a placeholder shows that
    // it holds nothing.
    let (masked, wanted) = (holds.chars().count(), expected.text.chars().count());
    if masked == wanted {
        Ok(Proof::Length)
    } else if masked == 0 && !node.is(State::SHOWING_HINT) {
        Ok(Proof::None)
    } else {
        let message = format!("the password field holds {masked} characters, not {wanted}");
        Err(Failure::new(ErrorCode::TextNotEntered, message).after("password", "true"))
    }
}

/// How well a field that may have shown its hint before shows that it now holds the text alone: a text behind another
/// could not read so.
fn proof_alone(holds: &str, expected: &Expected) -> Option<Proof> {
    let alone = expected.alone.as_ref()?;
    let same = *holds == *alone.before;
    if expected.password {
        let masked = holds.chars().count() == alone.text.chars().count();
        return (masked && !same).then_some(Proof::Length);
    }
    if *holds != alone.text {
        None
    } else if !same {
        Some(Proof::Text)
    } else {
        // It reads as before: the hint has become the same text, or the text has stayed as it was.
        alone.hinted.then_some(Proof::None)
    }
}

/// The field of an earlier screen on a later one, where it is sure which one that is.
fn same_field(before: &UiTree, field: NodeId, now: &UiTree) -> Option<NodeId> {
    let name = |node: &Node| (node.id.clone(), node.class.clone(), node.owner.clone());
    let own = name(before.node(field));
    let alike = |tree: &UiTree| -> Vec<NodeId> {
        tree.ids()
            .filter(|id| name(tree.node(*id)) == own)
            .collect()
    };
    let (old, new) = (alike(before), alike(now));
    if old.len() == new.len() {
        let place = old.iter().position(|id| *id == field)?;
        return new.get(place).copied();
    }
    match new.as_slice() {
        [only] => Some(*only),
        several if before.node(field).is(State::FOCUSED) => several
            .iter()
            .copied()
            .find(|id| now.node(*id).is(State::FOCUSED)),
        _ => None,
    }
}

/// Sends the field's editor action.
async fn submit(stage: &mut Stage<'_>, held: &Held, expected: &Expected) -> Result<(), Failure> {
    stage
        .act(held.seen.node_ref(held.field), &NodeAct::Submit)
        .await
        .map_err(|failure| {
            failure
                .recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
                .before("text_entered", "true")
        })?;
    // A field of several lines may take the key for one more line.
    let seen = match stage.observe().await {
        Ok(seen) => seen,
        // Where windows change, the field is gone and with it what could be read of it.
        Err(failure) if failure.is_worth_another_try() => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let after =
        same_field(&held.seen.tree, held.field, &seen.tree).map(|id| content(seen.tree.node(id)));
    if after
        .and_then(|after| after.strip_suffix('\n'))
        .is_some_and(|after| expected.is(after))
    {
        let message = "the field took the key as a line break; it has no action to submit with";
        return Err(
            Failure::new(ErrorCode::GlobalActionFailed, message).before("text_entered", "true")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How it ends when `text` is written behind what a field shows that may be its hint.
    fn ends(before: &str, text: &str, after: &str) -> Option<&'static str> {
        let field = |notation: &str| {
            let tree = UiTree::parse_notation(notation).unwrap();
            tree.nodes()[0].clone()
        };
        let (before, after) = (field(before), field(after));
        let kept = content(&before);
        let alone = may_be_hint(&before).then(|| Alone {
            text: text.to_owned(),
            before: Arc::clone(&before.text),
            hinted: !before.hint.is_empty(),
        });
        let expected = Expected {
            text: format!("{kept}{text}"),
            entered: text.to_owned(),
            password: before.is(State::PASSWORD),
            alone,
        };
        proof(&after, &expected).ok().map(Proof::as_str)
    }

    #[test]
    fn a_text_that_reads_alone_was_written_behind_a_hint() {
        let shows = |text: &str| format!("textfield {text:?} editable");
        let ends = |before, text, after| ends(&shows(before), text, &shows(after));
        assert_eq!(ends("Code", "abc", "abc"), Some("true"));
        assert_eq!(ends("abc", "def", "abcdef"), Some("true"));
        assert_eq!(ends("abc", "abc", "abcabc"), Some("true"));
        // The field is full, so that it still holds the same.
        assert_eq!(ends("abc", "abc", "abc"), None);
        assert_eq!(ends("Code", "abc", "Code"), None);
        assert_eq!(ends("Code", "abc", "Codeab"), None);
        assert_eq!(ends("Code", "abc", "ab"), None);
    }

    #[test]
    fn a_hint_that_is_told_is_taken_for_one() {
        let shows = |text: &str| format!("textfield {text:?} hint=\"Code\" editable");
        let ends = |before, text, after| ends(&shows(before), text, &shows(after));
        assert_eq!(ends("Code", "abc", "abc"), Some("true"));
        assert_eq!(ends("Code", "Code", "CodeCode"), Some("true"));
        // The hint and the same text look alike.
        assert_eq!(ends("Code", "Code", "Code"), Some("unknown"));
        // What is not the hint is text, and it was to be kept.
        assert_eq!(ends("xyz", "abc", "abc"), None);
    }

    #[test]
    fn a_mask_is_as_long_as_what_was_written_over_a_hint() {
        let shows = |text: &str| format!("textfield {text:?} editable password");
        let ends = |before, text, after| ends(&shows(before), text, &shows(after));
        assert_eq!(ends("Secret", "abc", "•••"), Some("length"));
        assert_eq!(ends("Secret", "abcdef", "••••••"), Some("length"));
        assert_eq!(ends("••", "abc", "•••••"), Some("length"));
        // As many as before: nothing has come.
        assert_eq!(ends("•••", "abc", "•••"), None);
        assert_eq!(ends("Secret", "abc", "Secret"), None);
    }

    #[test]
    fn a_label_stands_for_the_one_field_that_is_called_so() {
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

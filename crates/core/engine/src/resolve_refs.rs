//! Finds the elements of references on each observed screen, and explains stale ones.

use std::sync::Arc;

use contract::{ErrorCode, Params};
use driver::Observation;
use serde_json::{Map, Value, json};
use uitree::{Mark, NodeId, RefTable, ResolvedRef, State, UiTree};

use crate::context::{StepContext, StepRefs};
use crate::failure::Failure;
use crate::matcher_to_query::{printed_mark, reference_mark, similar_mark};
use crate::near_miss;

impl StepContext<'_> {
    /// Prepares for the references of a step.
    pub(crate) fn use_refs(&mut self, params: &Params) -> Result<(), Failure> {
        let matchers = params.matchers().chain(self.interrupts.matchers());
        let printed = matchers.filter(|matcher| matcher.line.is_some());
        self.refs = StepRefs {
            references: params.references().map(str::to_owned).collect(),
            printed: printed.cloned().collect(),
            ..StepRefs::default()
        };
        let Some(first) = self.refs.references.first() else {
            return Ok(());
        };
        let Some(table) = self.artifacts.refs() else {
            let message = format!(
                "{first} means nothing to this command: references are given by processes that stay, and it ends after each run; nothing was done"
            );
            return Err(Failure::new(ErrorCode::RefNotAvailable, message));
        };
        let table = table.lock();
        match self
            .refs
            .references
            .iter()
            .find(|reference| !table.has(reference))
        {
            None => Ok(()),
            Some(unknown) => {
                let known = match table.last() {
                    None => "no reference was given for this device yet".to_owned(),
                    Some(last) => format!("the last one for this device is e{last}"),
                };
                let message =
                    format!("{unknown} was not given for this device, or too long ago; {known}");
                Err(Failure::new(ErrorCode::RefStale, message))
            }
        }
    }

    /// Marks the elements of the step's references and printed elements on a screen.
    pub(crate) fn mark_refs(&mut self, seen: &mut Observation) {
        self.refs.seen = Some(Arc::clone(&seen.tree));
        let printed = self.refs.printed.iter();
        let printed: Vec<Mark> = printed
            .filter_map(|matcher| printed_mark(&seen.tree, matcher))
            .collect();
        if !printed.is_empty() {
            let marks = [seen.tree.marks(), &printed].concat();
            seen.tree = Arc::new(UiTree::clone(&seen.tree).with_marks(marks));
        }
        let Some(table) = self.artifacts.refs() else {
            return;
        };
        let mut table = table.lock();
        table.note_screen(&seen.tree);
        if self.refs.references.is_empty() {
            return;
        }
        let mut marks = seen.tree.marks().to_vec();
        let mut stale = Vec::new();
        for reference in &self.refs.references {
            match table.resolve(reference, &seen.tree) {
                ResolvedRef::Found(node) => marks.push(Mark {
                    selector: reference_mark(reference).into(),
                    nodes: vec![node],
                }),
                ResolvedRef::Stale { possible, .. } => {
                    marks.push(Mark {
                        selector: similar_mark(reference).into(),
                        nodes: possible.into_iter().collect(),
                    });
                    stale.push(reference.clone());
                }
                ResolvedRef::Unknown => stale.push(reference.clone()),
            }
        }
        seen.tree = Arc::new(UiTree::clone(&seen.tree).with_marks(marks));
        self.refs.stale = (!stale.is_empty()).then(|| (Arc::clone(&seen.tree), stale));
    }

    /// Replaces the failure of a missing node by that of its stale reference.
    pub(crate) fn explain_refs(&mut self, mut failure: Failure) -> Failure {
        let Failure::Step(step) = &mut failure else {
            return failure;
        };
        if let (Some(near), Some(table), Some(tree)) = (
            step.after.get("near_misses"),
            self.refs_for_answers(),
            &self.refs.seen,
        ) && let Some(near) = with_refs(near, &mut table.lock(), tree)
        {
            step.after.push("near_misses", near);
        }
        let is_missing = matches!(
            step.code,
            ErrorCode::NodeNotFound | ErrorCode::ContainerNotFound | ErrorCode::NavigationTimeout
        );
        let Some((tree, stale)) = self.refs.stale.as_ref().filter(|_| is_missing) else {
            return failure;
        };
        let (Some(table), Some(reference)) = (self.artifacts.refs(), stale.first()) else {
            return failure;
        };
        let (message, nearest) = describe(&mut table.lock(), reference, tree);
        step.after.remove("near_misses");
        if step.code == ErrorCode::NavigationTimeout {
            step.message = format!("{}; {message}", step.message);
        } else {
            step.code = ErrorCode::RefStale;
            step.message = message;
        }
        if let Some(nearest) = nearest {
            step.after.push("nearest_ref", nearest);
        }
        failure
    }
}

/// Near misses with the references of their nodes; `None` if there is nothing to add.
fn with_refs(near: &str, table: &mut RefTable, tree: &UiTree) -> Option<String> {
    let mut misses: Vec<Map<String, Value>> = serde_json::from_str(near).ok()?;
    if misses.is_empty() {
        return None;
    }
    let targets: Vec<Option<NodeId>> = misses
        .iter()
        .map(|miss| tree.ref_target(node_of(miss, tree)?))
        .collect();
    let all: Vec<NodeId> = targets.iter().copied().flatten().collect();
    let refs = table.assign_including(&all, tree);
    for (miss, target) in misses.iter_mut().zip(targets) {
        if let Some(reference) = target.and_then(|target| refs.get(target)) {
            miss.insert("ref".to_owned(), reference.into());
        }
    }
    Some(json!(misses).to_string())
}

/// The only node that a near miss describes.
fn node_of(miss: &Map<String, Value>, tree: &UiTree) -> Option<NodeId> {
    let has =
        |key: &str, value: &str| miss.get(key).and_then(Value::as_str).unwrap_or_default() == value;
    let mut matching = tree.ids().filter(|id| {
        let node = tree.node(*id);
        let bounds = node.bounds.map(|bounds| bounds.to_string());
        has("bounds", &bounds.unwrap_or_default())
            && has("role", node.role.as_str())
            && has("resourceId", &node.id)
            && has(
                "text",
                &escape::truncate(&node.text, near_miss::MAX_TEXT_LENGTH),
            )
    });
    let first = matching.next()?;
    matching.next().is_none().then_some(first)
}

/// The number of elements of the same name that a message lists.
const MAX_SAME_NAME: usize = 2;

/// Explains a stale reference; also returns the reference of the most similar element.
fn describe(table: &mut RefTable, reference: &str, tree: &UiTree) -> (String, Option<String>) {
    let ResolvedRef::Stale {
        was,
        nearest,
        same_name,
        ..
    } = table.resolve(reference, tree)
    else {
        return (format!("{reference} is stale"), None);
    };
    let refs = table.assign(tree);
    let in_place = |id: NodeId| Some((refs.get(id)?, uitree::describe_in_place(tree, id)));
    let nearest = nearest.and_then(in_place);
    let scrolls = tree
        .on_screen()
        .any(|id| tree.node(id).is(State::SCROLLABLE));
    let has_others = nearest.is_some() || !same_name.is_empty();
    let reason = match (scrolls, has_others) {
        (true, true) => "is gone, was scrolled out of view, or cannot be told from others",
        (false, true) => "is gone or cannot be told from others",
        (true, false) => "is gone or was scrolled out of view",
        (false, false) => "is gone",
    };
    let mut message = format!("{reference} was the {was}, which {reason}");
    if let Some((reference, description)) = &nearest {
        message.push_str(&format!("; nearest now: {reference}, the {description}"));
    } else if !same_name.is_empty() {
        let named = same_name.iter().copied().filter_map(in_place);
        let mut named: Vec<String> = named
            .take(MAX_SAME_NAME)
            .map(|(reference, description)| format!("{reference}, the {description}"))
            .collect();
        if same_name.len() > MAX_SAME_NAME {
            named.push(format!("{} more", same_name.len() - MAX_SAME_NAME));
        }
        message.push_str(&format!("; now: {}", named.join("; ")));
    } else if let Some(screen) = uitree::screen_name(tree) {
        message.push_str(&format!("; this is {screen}"));
    }
    (message, nearest.map(|(reference, _)| reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[&str]) -> UiTree {
        let rows = names.iter().zip(1..).map(|(name, row)| {
            let (top, end) = (row * 10, row * 10 + 10);
            format!(
                "    listitem [0,{top}][90,{end}]\n      text \"{name}\" [0,{top}][50,{end}]\n      button \"Delete\" clickable [50,{top}][90,{end}]\n"
            )
        });
        let rows: String = rows.collect();
        let text = format!(
            "screen 100x100\nwindow application active\n  title \"People\" [0,0][90,10]\n  list scrollable [0,10][90,100]\n{rows}"
        );
        UiTree::parse_notation(&text).unwrap()
    }

    #[test]
    fn stale_reference_names_what_is_there_now() {
        let mut table = RefTable::default();
        let before = rows(&["Ann", "Bob", "Cid", "Dee"]);
        let refs = table.assign(&before);
        let delete = before.find(&uitree::Query::new().text("Delete")).unwrap();
        let reference = refs.get(delete).unwrap();
        let now = |table: &mut RefTable, names: &[&str]| {
            let (message, nearest) = describe(table, &reference, &rows(names));
            assert_eq!(nearest, None, "{message}");
            message
        };
        let others = now(&mut table, &["Bob", "Cid", "Dee"]);
        expect_test::expect![[r#"e2 was the button "Delete" near "Ann", which is gone, was scrolled out of view, or cannot be told from others; now: e3, the button "Delete" near "Bob"; e4, the button "Delete" near "Cid"; 1 more"#]].assert_eq(&others);
        expect_test::expect![[r#"e2 was the button "Delete" near "Ann", which is gone or was scrolled out of view; this is screen "People""#]].assert_eq(&now(&mut table, &[]));
    }
}

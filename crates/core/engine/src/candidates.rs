//! Several nodes match: what tells them apart, for the warning about it.

use escape::Quoted;
use uitree::{Node, NodeId, Refs, State, UiTree};

use crate::describe::truncate;

/// The most matches that a warning names.
const MAX: usize = 3;

/// The longest text of a match in a warning, in characters.
const MAX_LENGTH: usize = 32;

/// The most nodes around a match that are searched for a text.
const MAX_AROUND: usize = 24;

/// The match that is meant and the first ones of the others, each with its reference and what tells it from the others.
pub(crate) fn describe(
    tree: &UiTree,
    all: &[NodeId],
    taken: NodeId,
    refs: Option<&Refs>,
) -> String {
    let others = all.iter().copied().filter(|id| *id != taken);
    let named: Vec<NodeId> = std::iter::once(taken).chain(others).take(MAX).collect();
    let words = difference(tree, &named);
    let targets: Vec<Option<NodeId>> = named.iter().map(|id| tree.ref_target(*id)).collect();
    let shown: Vec<NodeId> = targets.iter().copied().flatten().collect();
    let given = refs.map(|refs| refs.lock().assign_also_to(&shown, tree));
    let mut each = targets.into_iter().zip(words).map(|(target, word)| {
        let reference = given.as_ref().and_then(|given| given.get(target?));
        match reference {
            Some(reference) => format!("{reference} {word}"),
            None => word,
        }
    });
    let first = each.next().unwrap_or_default();
    let others: Vec<String> = each.collect();
    let more = if all.len() > MAX { ", …" } else { "" };
    format!("{first}; not {}{more}", others.join(", "))
}

/// For each node the first of these that is another one for each: its text, its role, its id, a text beside it, its center.
fn difference(tree: &UiTree, nodes: &[NodeId]) -> Vec<String> {
    let kinds: [&dyn Fn(NodeId) -> Option<String>; 4] = [
        &|id| text_of(tree.node(id)).map(quoted),
        &|id| Some(format!("the {}", tree.node(id).role.as_str())),
        &|id| {
            Some(&*tree.node(id).id)
                .filter(|own| !own.is_empty())
                .map(|own| format!("#{own}"))
        },
        &|id| beside(tree, id, nodes).map(|text| format!("beside {}", quoted(text))),
    ];
    for kind in kinds {
        let words: Vec<String> = nodes.iter().filter_map(|id| kind(*id)).collect();
        let differ = (1..words.len()).all(|at| !words[..at].contains(&words[at]));
        if words.len() == nodes.len() && differ {
            return words;
        }
    }
    let center = |id: &NodeId| match tree.visible_bounds(*id) {
        Some(bounds) => format!("@{},{}", bounds.center().x, bounds.center().y),
        None => "out of view".to_owned(),
    };
    nodes.iter().map(center).collect()
}

/// What is written on a node; what a field holds may be secret.
fn text_of(node: &Node) -> Option<&str> {
    let text: &str = if node.is(State::EDITABLE) {
        ""
    } else {
        &node.text
    };
    let names = [text, &node.label, &node.hint];
    names.into_iter().find(|name| !name.trim().is_empty())
}

/// A text in the largest part of the screen around a node that holds none of the others.
fn beside<'t>(tree: &'t UiTree, id: NodeId, others: &[NodeId]) -> Option<&'t str> {
    let own = text_of(tree.node(id));
    let holds_another = |around: &NodeId| {
        let mut others = others.iter().filter(|other| **other != id);
        others.any(|other| tree.contains(*around, *other))
    };
    let part = tree
        .ancestors(id)
        .take_while(|around| !holds_another(around))
        .last()?;
    let mut texts = tree
        .subtree(part)
        .take(MAX_AROUND)
        .filter(|near| tree.is_on_screen(*near));
    texts.find_map(|near| text_of(tree.node(near)).filter(|text| Some(*text) != own))
}

fn quoted(text: &str) -> String {
    Quoted(&truncate(text, MAX_LENGTH)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::{Query, RefTable};

    /// The warning about several nodes with this text.
    fn warning(screen: &str, text: &str, refs: Option<&Refs>) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let all = tree.find_all(&Query::new().text_contains(text));
        describe(&tree, &all, all[0], refs)
    }

    const CART: &str = "
        screen 100x100
        window application active
          list [0,0][100,100]
            listitem [0,0][100,20]
              text \"Apples\" [0,0][50,20]
              button \"Remove\" clickable [50,0][100,20]
            listitem [0,20][100,40]
              text \"Pears\" [0,20][50,40]
              button \"Remove\" clickable [50,20][100,40]
            listitem [0,40][100,60]
              text \"Plums\" [0,40][50,60]
              button \"Remove\" clickable [50,40][100,60]
            listitem [0,60][100,80]
              text \"Figs\" [0,60][50,80]
              button \"Remove\" clickable [50,60][100,80]
    ";

    #[test]
    fn equal_matches_are_told_apart_by_what_is_beside_them() {
        assert_eq!(
            warning(CART, "Remove", None),
            "beside \"Apples\"; not beside \"Pears\", beside \"Plums\", …"
        );
        let refs = Refs::new(RefTable::default());
        assert_eq!(
            warning(CART, "Remove", Some(&refs)),
            "e1 beside \"Apples\"; not e2 beside \"Pears\", e3 beside \"Plums\", …"
        );
    }

    #[test]
    fn text_id_and_place_tell_matches_apart() {
        let texts = "column\n  button \"Save all\" clickable\n  button \"Save\" clickable";
        assert_eq!(warning(texts, "Save", None), "\"Save all\"; not \"Save\"");
        let ids = "column\n  button \"Save\" #a clickable\n  button \"Save\" #b clickable";
        assert_eq!(warning(ids, "Save", None), "#a; not #b");
        let places = "screen 9x9\nwindow application active\n  column [0,0][9,9]\n    \
                      button \"Save\" [0,0][8,2]\n    button \"Save\" [0,4][8,6]";
        assert_eq!(warning(places, "Save", None), "@4,1; not @4,5");
    }
}

//! Distinguishes several matches, for the warning that a matcher is ambiguous.

use uitree::{Node, NodeId, Refs, State, UiTree};

/// Maximum number of matches in a warning.
const MAX_MATCHES: usize = 3;

/// Maximum length of a match's text in a warning, in characters.
const MAX_TEXT_LENGTH: usize = 32;

/// Maximum number of nodes near a match that are searched for a text.
const MAX_NEARBY_NODES: usize = 24;

/// The chosen match and the first of the others, each with its reference and the words that distinguish it.
pub(crate) fn describe(
    tree: &UiTree,
    all: &[NodeId],
    chosen: NodeId,
    refs: Option<&Refs>,
) -> String {
    let others = all.iter().copied().filter(|id| *id != chosen);
    let listed: Vec<NodeId> = std::iter::once(chosen)
        .chain(others)
        .take(MAX_MATCHES)
        .collect();
    let words = distinguishing_words(tree, &listed);
    let targets: Vec<Option<NodeId>> = listed.iter().map(|id| tree.ref_target(*id)).collect();
    let shown: Vec<NodeId> = targets.iter().copied().flatten().collect();
    let assigned = refs.map(|refs| refs.lock().assign_including(&shown, tree));
    let mut each = targets.into_iter().zip(words).map(|(target, word)| {
        let reference = assigned.as_ref().and_then(|assigned| assigned.get(target?));
        match reference {
            Some(reference) => format!("{reference} {word}"),
            None => word,
        }
    });
    let first = each.next().unwrap_or_default();
    let others: Vec<String> = each.collect();
    let more = if all.len() > MAX_MATCHES { ", …" } else { "" };
    format!("{first}; not {}{more}", others.join(", "))
}

/// One description per node, of the first kind that differs for all nodes: text, role, id, nearby text. Without any, each has the
/// first one that no other node has, or else its center.
fn distinguishing_words(tree: &UiTree, nodes: &[NodeId]) -> Vec<String> {
    let descriptions: [&dyn Fn(NodeId) -> Option<String>; 4] = [
        &|id| text_of(tree.node(id)).map(quoted_short),
        &|id| Some(format!("the {}", tree.node(id).role.as_str())),
        &|id| {
            Some(&*tree.node(id).id)
                .filter(|own_text| !own_text.is_empty())
                .map(|own_text| format!("#{own_text}"))
        },
        &|id| nearby_text(tree, id, nodes).map(|text| format!("beside {}", quoted_short(text))),
    ];
    let described = descriptions.map(|description| {
        let words = nodes.iter().map(|id| description(*id));
        words.collect::<Vec<Option<String>>>()
    });
    // Of a kind of words, those that one node alone has.
    let own = |words: &[Option<String>], at: usize| {
        let own = words.get(at).cloned().flatten()?;
        let same = words.iter().flatten().filter(|other| **other == own);
        (same.count() == 1).then_some(own)
    };
    for words in &described {
        let words: Option<Vec<String>> = (0..nodes.len()).map(|at| own(words, at)).collect();
        if let Some(words) = words {
            return words;
        }
    }
    let center = |id: &NodeId| match tree.visible_bounds(*id) {
        Some(bounds) => format!("@{},{}", bounds.center().x, bounds.center().y),
        None => "out of view".to_owned(),
    };
    let each = nodes.iter().enumerate();
    each.map(|(at, id)| {
        let mut words = described.iter();
        words
            .find_map(|words| own(words, at))
            .unwrap_or_else(|| center(id))
    })
    .collect()
}

/// The name of a node. The content of a field is left out, because it may be secret.
fn text_of(node: &Node) -> Option<&str> {
    let text: &str = if node.is(State::EDITABLE) {
        ""
    } else {
        &node.text
    };
    let names = [text, &node.label, &node.hint];
    names.into_iter().find(|name| !name.trim().is_empty())
}

/// A text in the largest ancestor of a node that contains none of the others, or else the last one before it on its row.
fn nearby_text<'t>(tree: &'t UiTree, id: NodeId, others: &[NodeId]) -> Option<&'t str> {
    text_around(tree, id, others).or_else(|| text_before(tree, id, others))
}

/// The last text before a node, behind the others, that is beside it.
fn text_before<'t>(tree: &'t UiTree, id: NodeId, others: &[NodeId]) -> Option<&'t str> {
    let row = tree.visible_bounds(id)?;
    let before = tree.ids().take(id.index());
    let behind: Vec<NodeId> = before
        .filter(|before| !tree.contains(*before, id))
        .collect();
    let behind = behind.into_iter().rev().take(MAX_NEARBY_NODES);
    let is_beside = |near: &NodeId| {
        let bounds = tree.visible_bounds(*near);
        bounds.is_some_and(|bounds| bounds.shares_row(&row))
    };
    behind
        .take_while(|near| !others.contains(near))
        .filter(is_beside)
        .find_map(|near| text_of(tree.node(near)))
}

/// A text in the largest ancestor of a node that contains none of the others.
fn text_around<'t>(tree: &'t UiTree, id: NodeId, others: &[NodeId]) -> Option<&'t str> {
    let own_text = text_of(tree.node(id));
    let holds_another = |ancestor: &NodeId| {
        let mut others = others.iter().filter(|other| **other != id);
        others.any(|other| tree.contains(*ancestor, *other))
    };
    let part = tree
        .ancestors(id)
        .take_while(|ancestor| !holds_another(ancestor))
        .last()?;
    let mut texts = tree
        .subtree(part)
        .take(MAX_NEARBY_NODES)
        .filter(|nearby| tree.is_on_screen(*nearby));
    texts.find_map(|nearby| text_of(tree.node(nearby)).filter(|text| Some(*text) != own_text))
}

fn quoted_short(text: &str) -> String {
    escape::quoted(text, MAX_TEXT_LENGTH)
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
    fn equal_matches_are_distinguished_by_nearby_text() {
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
    fn text_id_and_position_distinguish_matches() {
        let texts = "column\n  button \"Save all\" clickable\n  button \"Save\" clickable";
        assert_eq!(warning(texts, "Save", None), "\"Save all\"; not \"Save\"");
        let ids = "column\n  button \"Save\" #a clickable\n  button \"Save\" #b clickable";
        assert_eq!(warning(ids, "Save", None), "#a; not #b");
        let flat = "screen 9x9\nwindow application active\n  column [0,0][9,9]\n    \
                    text \"Ann\" [0,0][4,2]\n    button \"Edit\" clickable [4,0][8,2]\n    \
                    text \"Ben\" [0,4][4,6]\n    button \"Edit\" clickable [4,4][8,6]";
        assert_eq!(
            warning(flat, "Edit", None),
            "beside \"Ann\"; not beside \"Ben\""
        );
        let mixed = "column\n  button \"Save\" #a clickable\n  button \"Save\" clickable\n  link \"Save as\" clickable";
        assert!(
            warning(mixed, "Save", None).starts_with("#a; not @"),
            "{}",
            warning(mixed, "Save", None)
        );
        assert!(warning(mixed, "Save", None).ends_with(", \"Save as\""));
        let places = "screen 9x9\nwindow application active\n  column [0,0][9,9]\n    \
                      button \"Save\" [0,0][8,2]\n    button \"Save\" [0,4][8,6]";
        assert_eq!(warning(places, "Save", None), "@4,1; not @4,5");
    }
}

//! Selectors on phones never show passwords, and an action with one finds its node.

use inspect::selectors::{SelectorForm, StabilityFilter, TreeNames};
use uitree::{NodeId, State, UiTree};

#[test]
fn password_is_never_in_a_selector() {
    let tree = UiTree::parse_notation(
        "
column
  textfield \"hunter2\" #com.a:id/secret clickable editable password",
    )
    .unwrap();
    let field = tree.get(1).unwrap();
    let selectors = TreeNames::new(&tree).selectors(field, StabilityFilter::Any, 6);
    let selectors = format!("{selectors:?}");
    assert!(!selectors.contains("hunter2"), "{selectors}");
    let line = inspect::selectors::node_line(&tree, field);
    assert!(!line.contains("hunter2"), "{line}");
}

#[test]
fn action_finds_the_named_node() {
    let screen = "
column
  toolbar
    title \"Inbox\"
    button label=\"Search\" clickable
  list scrollable
    listitem clickable
      text \"Ada\" #com.a:id/from
      text \"Lunch?\" #com.a:id/subject
    listitem clickable
      text \"Bob\" #com.a:id/from
      text \"Report\" #com.a:id/subject
      checkbox label=\"Pick\" clickable
    listitem clickable
      text \"Ada\" #com.a:id/from
      text \"Re: Lunch?\" #com.a:id/subject
      checkbox label=\"Pick\" clickable
  textfield \"Search mail\" showing-hint clickable editable
  switch \"ON\" clickable checkable
  switch \"OFF\" clickable checkable";
    let tree = UiTree::parse_notation(screen).unwrap();
    let names = TreeNames::new(&tree);
    let mut checked = 0;
    for id in tree.ids() {
        for one in names.selectors(id, StabilityFilter::Any, 20) {
            let SelectorForm::Matcher { query, container } = &one.how else {
                continue;
            };
            let found = match container {
                Some(container) => tree.find_all_in(tree.find(container).unwrap(), query),
                None => tree.find_all(query),
            };
            assert_eq!(found.len(), one.matches, "{query}");
            let takes = |at: NodeId| tree.node(at).is(State::CLICKABLE);
            let taker = std::iter::once(found[0])
                .chain(tree.ancestors(found[0]))
                .find(|at| takes(*at));
            assert!(found[0] == id || taker == Some(id), "{query} is not {id:?}");
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

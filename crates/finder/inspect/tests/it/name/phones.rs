//! Selector strategies on phones: the matchers of a node, and that an action with them finds it.

use expect_test::{Expect, expect};
use inspect::name::{SelectorForm, StabilityFilter, TreeNames};
use uitree::{NodeId, State, UiTree};

/// The first node with this text or label, or whose id ends so.
fn node(tree: &UiTree, words: &str) -> NodeId {
    let is = |id: &NodeId| {
        let node = tree.node(*id);
        &*node.text == words || &*node.label == words || node.id.ends_with(&format!("/{words}"))
    };
    tree.ids().find(is).unwrap()
}

fn named(tree: &UiTree, id: NodeId, wanted: StabilityFilter) -> String {
    let selectors = TreeNames::new(tree).selectors(id, wanted, 6);
    selectors
        .iter()
        .map(|one| {
            let how = match &one.how {
                SelectorForm::Matcher {
                    query,
                    container: None,
                } => query.to_string(),
                SelectorForm::Matcher {
                    query,
                    container: Some(container),
                } => format!("{query} in {container}"),
                SelectorForm::Point(point) => point.to_string(),
                SelectorForm::Css { .. } => unreachable!("a phone has no css"),
            };
            let why = one
                .why
                .as_deref()
                .map_or(String::new(), |why| format!(" ({why})"));
            format!(
                "{} {} x{} {how}{why}\n",
                one.stability,
                one.strategy.as_str(),
                one.matches
            )
        })
        .collect()
}

#[track_caller]
fn check(screen: &str, words: &str, expect: &Expect) {
    let tree = UiTree::parse_notation(screen).unwrap();
    expect.assert_eq(&named(&tree, node(&tree, words), StabilityFilter::Any));
}

#[test]
fn strategies_have_expected_stability() {
    let screen = "
column
  title \"Sign in\"
  textfield #com.a:id/mail clickable editable
  button \"Sign in\" #com.a:id/sign_in label=\"Sign in now\" clickable
  button \"Help\" clickable";
    check(
        screen,
        "sign_in",
        &expect![[r#"
        95 id x1 id=com.a:id/sign_in
        85 label x1 label="Sign in now"
        55 role+text x1 role=button text="Sign in"
    "#]],
    );
    check(
        screen,
        "Help",
        &expect![[r#"
        80 text x1 text="Help"
    "#]],
    );
    check(
        screen,
        "mail",
        &expect![[r#"
        95 id x1 id=com.a:id/mail
        45 role x1 role=textfield
    "#]],
    );
}

#[test]
fn shared_row_ids_are_combined_with_text() {
    let screen = "
list #com.a:id/list scrollable
  listitem clickable
    text \"Wi-Fi\" #android:id/title
    text \"Off\" #android:id/summary
  listitem clickable
    text \"Bluetooth\" #android:id/title
    text \"On\" #android:id/summary";
    check(
        screen,
        "Wi-Fi",
        &expect![[r#"
        80 text x1 text="Wi-Fi"
    "#]],
    );
    let tree = UiTree::parse_notation(screen).unwrap();
    // The row has no text; clicks on the text inside it go to the row.
    let row = tree.node(node(&tree, "Bluetooth")).parent.unwrap();
    expect![[r#"
        75 text x1 text="Bluetooth" (is text inside it; clicks on it go to this element)
        45 text x1 text="On" (is a state)
    "#]]
    .assert_eq(&named(&tree, row, StabilityFilter::Any));
}

#[test]
fn stable_part_beats_volatile_text() {
    let screen = "
column
  button label=\"Cart, 3 items\" clickable
  text \"Updated 12:30\"
  button #com.a:id/view_48213 clickable \"Later\"";
    check(
        screen,
        "Cart, 3 items",
        &expect![[r#"
            60 text-part x1 labelContains="Cart"
            55 label x1 label="Cart, 3 items" (holds a number)
        "#]],
    );
    check(
        screen,
        "Updated 12:30",
        &expect![[r#"
        60 text-part x1 textContains="Updated"
        50 text x1 text="Updated 12:30" (holds a time)
    "#]],
    );
    check(
        screen,
        "Later",
        &expect![[r#"
        80 text x1 text="Later"
        40 id x1 id=com.a:id/view_48213 (contains a long number)
    "#]],
    );
}

#[test]
fn ambiguous_node_gets_container_or_first_match() {
    let screen = "
column
  row #com.a:id/billing
    button \"Delete\" clickable
  row #com.a:id/team
    button \"Delete\" clickable";
    let tree = UiTree::parse_notation(screen).unwrap();
    let buttons: Vec<NodeId> = tree
        .ids()
        .filter(|id| tree.node(*id).is(State::CLICKABLE))
        .collect();
    expect![[r#"
        70 scoped x1 text="Delete" in id=com.a:id/team
    "#]]
    .assert_eq(&named(&tree, buttons[1], StabilityFilter::Any));
    let screen = "
column
  button \"Delete\" clickable
  button \"Delete\" clickable";
    let tree = UiTree::parse_notation(screen).unwrap();
    let at = |place| named(&tree, tree.get(place).unwrap(), StabilityFilter::Any);
    expect![[r#"
        30 position x2 text="Delete" (is the first of 2, which actions use)
        10 position x1 (540,50) (is its current position)
    "#]]
    .assert_eq(&at(1));
    expect![[r#"
        10 position x1 (540,150) (is its current position)
    "#]]
    .assert_eq(&at(2));
}

#[test]
fn password_is_never_in_a_selector() {
    let tree = UiTree::parse_notation(
        "
column
  textfield \"hunter2\" #com.a:id/secret clickable editable password",
    )
    .unwrap();
    let selectors = named(&tree, tree.get(1).unwrap(), StabilityFilter::Any);
    assert!(!selectors.contains("hunter2"), "{selectors}");
    let line = inspect::name::node_line(&tree, tree.get(1).unwrap());
    assert!(!line.contains("hunter2"), "{line}");
}

#[test]
fn strict_selectors_are_handwritten_ids() {
    let tree = UiTree::parse_notation(
        "
column
  button \"A\" #com.a:id/save clickable
  button \"B\" #com.a:id/view_48213 clickable",
    )
    .unwrap();
    let at = |place| named(&tree, tree.get(place).unwrap(), StabilityFilter::Strict);
    assert_eq!(at(1), "95 id x1 id=com.a:id/save\n");
    assert_eq!(at(2), "");
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

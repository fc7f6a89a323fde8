//! Properties of nodes that decide how they are written.

use escape::Quoted;

use crate::notation::UnquotedValue;
use crate::text_view::line::text::CLICKABLE;
use crate::{Node, NodeId, Role, State, UiTree};

/// Attribute of a text that is the name of a glyph of an icon font.
pub(crate) const PICTURE: &str = "picture";

/// The text, name and placeholder of a node.
pub(crate) fn names(node: &Node) -> String {
    let all = [&*node.text, &*node.label, &*node.hint];
    let names = all.into_iter().filter(|name| !name.trim().is_empty());
    names.collect::<Vec<_>>().join(" ")
}

/// Whether the role is that of a row of a list or table.
pub(crate) fn is_row(role: Role) -> bool {
    matches!(
        role,
        Role::ListItem | Role::Row | Role::Card | Role::MenuItem
    )
}

/// Whether the node is a table row.
pub(crate) fn is_table_row(tree: &UiTree, id: NodeId) -> bool {
    let is_grid = |id: NodeId| tree.node(id).role == Role::Grid;
    let is_plain = |id: &NodeId| tree.node(*id).role == Role::Container;
    // The rows of a table with a scrollable body are in containers.
    let in_grid = || {
        let mut around = tree.ancestors(id).take(4).skip_while(is_plain);
        tree.ancestors(id).take(2).any(is_grid) || around.next().is_some_and(is_grid)
    };
    tree.node(id).role == Role::Row && tree.children(id).nth(1).is_some() && in_grid()
}

/// Whether the node is a cell of a table.
pub(crate) fn is_cell(tree: &UiTree, id: NodeId) -> bool {
    let row = tree.node(id).parent;
    row.is_some_and(|row| is_table_row(tree, row))
}

/// Whether the line of a node may show its id: if it can act or scroll.
pub(crate) fn shows_id(node: &Node) -> bool {
    !node.id.is_empty() && (node.can_act() || node.is(State::SCROLLABLE))
}

/// Whether the node has an id of its own app.
pub(crate) fn has_app_id(node: &Node) -> bool {
    !node.id.is_empty() && !node.id.starts_with("android:id/")
}

/// Whether the node gets a line even without a name: dialogs, pages, sliders, scroll containers.
pub(crate) fn is_structural(node: &Node) -> bool {
    node.is(State::SCROLLABLE)
        || matches!(
            node.role,
            Role::Dialog | Role::WebView | Role::Slider | Role::Progress
        )
}

/// Whether the role implies that the node is clickable.
pub(crate) fn implies_clickable(role: Role) -> bool {
    matches!(
        role,
        Role::ListItem
            | Role::Tab
            | Role::Button
            | Role::TextField
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::Chip
            | Role::MenuItem
            | Role::Link
            | Role::Slider
            | Role::Dropdown
    )
}

/// Whether the node is an option of a list in which at most one is checked, so that `unchecked` is omitted.
pub(crate) fn is_single_choice_option(tree: &UiTree, id: NodeId) -> bool {
    let class = &tree.node(id).class;
    if !class.ends_with("CheckedTextView") {
        return false;
    }
    let is_list = |around: &NodeId| tree.node(*around).role == Role::List;
    let Some(list) = tree.ancestors(id).find(is_list) else {
        return false;
    };
    let inside = tree.subtree(list).map(|id| tree.node(id));
    let (mut all, mut checked) = (0, 0);
    for option in inside.filter(|option| option.class == *class) {
        all += 1;
        checked += u32::from(option.is(State::CHECKED));
    }
    all > 1 && checked <= 1
}

/// The value and range of a slider or progress bar, without what its text shows.
pub(crate) fn range_words(node: &Node) -> Option<String> {
    match node.role {
        Role::Slider => node.range().map(|range| range.to_string()),
        Role::Progress if node.text.is_empty() => node.range().map(|range| range.to_string()),
        Role::Progress if !node.text.is_empty() => {
            let highest = node.attribute("value-max")?;
            (highest != "100").then(|| format!("of {}", UnquotedValue(highest)))
        }
        _ => None,
    }
}

/// The error message of a field.
pub(crate) fn error_words(node: &Node) -> Option<String> {
    let error = node.attribute("error").filter(|error| !error.is_empty())?;
    Some(format!("error={}", Quoted(error)))
}

/// State of a checkable node that is not checked.
pub(crate) const UNCHECKED: &str = "unchecked";

/// States that the role does not imply.
pub(crate) fn state_words(node: &Node) -> impl Iterator<Item = &'static str> {
    let word = |word: &'static str, is_set: bool| is_set.then_some(word);
    let [expanded, invalid, mixed, marked] = node.conditions();
    let is_off = node.is(State::CHECKABLE) && !node.is(State::CHECKED);
    [
        word(
            CLICKABLE,
            node.is(State::CLICKABLE) && !implies_clickable(node.role),
        ),
        word(
            "scrollable",
            node.is(State::SCROLLABLE) && node.role != Role::TextField,
        ),
        word("checked", node.is(State::CHECKED)),
        mixed.or_else(|| word(UNCHECKED, is_off)),
        word("selected", node.is(State::SELECTED)),
        expanded,
        invalid,
        marked,
        word("unread", node.attribute("unread").is_some()),
        word("focused", node.is(State::FOCUSED)),
        word("password", node.is(State::PASSWORD)),
        word("disabled", !node.is(State::ENABLED)),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn states_are_written_unless_implied() {
        let tree = UiTree::parse_notation(
            "column [0,0][100,100]
               button \"Filters\" clickable [0,0][50,10] @expanded=\"false\"
               button \"Sort\" clickable [0,10][50,20] @expanded=\"true\"
               dropdown \"Red\" clickable [0,20][50,30] @expanded=\"false\"
               checkbox \"All\" clickable checkable [0,30][50,40] @checked-state=\"mixed\"
               textfield \"x\" editable [0,40][50,50] @invalid=\"true\"
               progress \"50\" [0,50][50,60] @value-max=\"200\"
               progress \"50\" [0,60][50,70] @value-max=\"100\"
               progress [0,70][50,80] @range-min=\"0\" @range-max=\"100\" @range-value=\"40\"
               textfield \"a@\" editable [0,80][50,90] @content-invalid=\"true\" @error=\"No address\"
            ",
        );
        let view = tree.unwrap().to_compact();
        for line in [
            "button \"Filters\" collapsed",
            "button \"Sort\" expanded",
            "dropdown \"Red\"\n",
            "checkbox \"All\" mixed",
            "textfield \"x\" invalid",
            "progress \"50\" of 200",
            "progress \"50\"\n",
            "progress 40 of 100",
            "textfield \"a@\" invalid error=\"No address\"",
        ] {
            assert!(
                format!("{view}\n").contains(line),
                "{line} is not in\n{view}"
            );
        }
        assert!(!view.contains("unchecked"), "{view}");
    }
}

//! Finds the value that belongs to a label: in its row or card, below, before or above it.

use uitree::{Node, NodeId, Rect, Role, State, UiTree};

use crate::describe::node_text;

/// The node that holds the value of `label`; `None` when its row has no other text.
pub(crate) fn value_of(tree: &UiTree, label: NodeId) -> Option<NodeId> {
    let owner = click_receiver(tree, label);
    if owner == Some(label) {
        // Text near a button is not its value.
        return None;
    }
    if let Some(term) = term_of(tree, label) {
        return definition_of(tree, term);
    }
    if let Some(cells) = table_row(tree, label) {
        return cell_value(tree, label, &cells, owner);
    }
    for ancestor in tree.ancestors(label) {
        let values: Vec<NodeId> = tree
            .subtree(ancestor)
            .filter(|id| !tree.contains(label, *id) && !tree.contains(*id, label))
            .filter(|id| is_value(tree, *id, owner))
            .collect();
        if is_boundary(tree, ancestor) {
            return choose(tree, label, &values);
        }
        let in_column = || value_in_column(tree, label, &values);
        let on_line = || choose(tree, label, &retain_on_line(tree, label, values.clone()));
        if contains_entries(tree, ancestor) {
            return in_column().or_else(on_line);
        }
        match values.as_slice() {
            [] => {}
            [one] if tree.node(*one).parent == tree.node(label).parent => return Some(*one),
            _ => return in_column().or_else(on_line),
        }
    }
    None
}

/// The cells of the table row that contains a node.
fn table_row(tree: &UiTree, id: NodeId) -> Option<Vec<NodeId>> {
    let has_role = |id: NodeId, role| tree.node(id).role == role;
    let row = tree
        .ancestors(id)
        .find(|around| has_role(*around, Role::Row))?;
    let mut around = tree.ancestors(row).take(2);
    let cells: Vec<NodeId> = tree.children(row).collect();
    (cells.len() > 1 && around.any(|around| has_role(around, Role::Grid))).then_some(cells)
}

/// The value of a label in a table row: the next cell, or the one before the last. For a column header, the cell below it if there is only
/// one row.
fn cell_value(
    tree: &UiTree,
    label: NodeId,
    cells: &[NodeId],
    owner: Option<NodeId>,
) -> Option<NodeId> {
    let at = cells.iter().position(|cell| tree.contains(*cell, label))?;
    let is_header_row = |cells: &[NodeId]| {
        let mut all = cells.iter().map(|cell| tree.node(*cell).role);
        all.all(|role| role == Role::Label)
    };
    let value_in = |cell: NodeId| tree.subtree(cell).find(|id| is_value(tree, *id, owner));
    if !is_header_row(cells) {
        let next_value = cells.get(at + 1).copied().and_then(value_in);
        let previous_value = || cells.get(at.checked_sub(1)?).copied().and_then(value_in);
        return next_value.or_else(|| previous_value().filter(|_| at + 1 == cells.len()));
    }
    let row = tree.node(cells[at]).parent?;
    let grid = tree
        .ancestors(row)
        .find(|around| tree.node(*around).role == Role::Grid)?;
    let mut rows_below = tree
        .subtree(grid)
        .filter(|id| *id > row && tree.node(*id).role == Role::Row);
    let (data_row, None) = (rows_below.next()?, rows_below.next()) else {
        return None;
    };
    let values: Vec<NodeId> = tree.children(data_row).collect();
    let is_same_width = values.len() == cells.len();
    values
        .get(at)
        .copied()
        .filter(|_| is_same_width)
        .and_then(value_in)
}

/// The term of a page's description list that is or contains `label`.
fn term_of(tree: &UiTree, label: NodeId) -> Option<NodeId> {
    let mut around = std::iter::once(label).chain(tree.ancestors(label).take(2));
    around.find(|id| &*tree.node(*id).class == "dt")
}

/// The definition of a term; `None` if it is empty.
fn definition_of(tree: &UiTree, term: NodeId) -> Option<NodeId> {
    let has_tag = |id: &NodeId, tag: &str| &*tree.node(*id).class == tag;
    let parent = tree.node(term).parent?;
    let later_siblings = tree.children(parent).filter(|id| *id > term);
    // An empty definition may not be on the screen: that of the next term is another one.
    let value = later_siblings
        .take_while(|id| !has_tag(id, "dt"))
        .find(|id| has_tag(id, "dd"))?;
    tree.subtree(value).find(|id| has_visible_text(tree, *id))
}

/// The number above or below a label, if the other texts on its line are labels, too: each has a number on the same side.
fn value_in_column(tree: &UiTree, label: NodeId, values: &[NodeId]) -> Option<NodeId> {
    let is_number = |id: &NodeId| node_text(tree.node(*id)).contains(|c: char| c.is_ascii_digit());
    let line = retain_on_line(tree, label, values.to_vec());
    if line.is_empty() || line.iter().any(is_number) {
        return None;
    }
    let number_of = |name: NodeId, is_below: bool| {
        let rect = tree.visible_bounds(name)?;
        let distance = |other: NodeId| {
            let other = tree.visible_bounds(other)?;
            let shared = rect.right.min(other.right) - rect.left.max(other.left);
            let gap = match is_below {
                true => other.top - rect.bottom,
                false => rect.top - other.bottom,
            };
            (shared > 0 && (-rect.height() / 2..=rect.height()).contains(&gap)).then_some(gap)
        };
        let numbers = values.iter().copied().filter(is_number);
        let near = numbers.filter_map(|id| Some((distance(id)?, id)));
        near.min().map(|(_, id)| id)
    };
    [true, false].into_iter().find_map(|is_below| {
        let others_have = line
            .iter()
            .all(|other| number_of(*other, is_below).is_some());
        number_of(label, is_below).filter(|_| others_have)
    })
}

/// The values on the label's line.
fn retain_on_line(tree: &UiTree, label: NodeId, mut values: Vec<NodeId>) -> Vec<NodeId> {
    let line = tree.visible_bounds(label);
    values.retain(|id| on_one_line(line, tree.visible_bounds(*id)));
    values
}

/// The node that receives a click on this node: itself or an ancestor.
fn click_receiver(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    std::iter::once(id)
        .chain(tree.ancestors(id))
        .find(|id| tree.node(*id).is(State::CLICKABLE))
}

/// Whether a node can be the value of a label whose clicks `owner` receives: it has text and is not a separate
/// control. The text of a field is a value.
fn is_value(tree: &UiTree, id: NodeId, owner: Option<NodeId>) -> bool {
    let node = tree.node(id);
    let is_other_control = node.role != Role::TextField && click_receiver(tree, id) != owner;
    let is_button = matches!(
        node.role,
        Role::Button | Role::Tab | Role::MenuItem | Role::Link
    );
    !is_other_control && !is_button && has_visible_text(tree, id)
}

fn has_visible_text(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    tree.is_on_screen(id) && !node_text(node).trim().is_empty() && !node.is(State::SHOWING_HINT)
}

/// Whether a node is a row, card or entry: text beyond it belongs to other labels.
fn is_boundary(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let role = node.role;
    if matches!(
        role,
        Role::Row | Role::ListItem | Role::Card | Role::Toolbar | Role::TabBar
    ) || node.is(State::CLICKABLE)
    {
        return true;
    }
    node.parent.is_some_and(|parent| {
        let parent = tree.node(parent);
        matches!(parent.role, Role::List | Role::Grid)
    })
}

/// Whether a node contains many entries, so that it is not a row.
fn contains_entries(tree: &UiTree, id: NodeId) -> bool {
    let has_entries = |id: NodeId| {
        let node = tree.node(id);
        node.is(State::SCROLLABLE) || matches!(node.role, Role::List | Role::Grid)
    };
    tree.node(id).parent.is_none() || tree.subtree(id).any(has_entries)
}

/// The most likely value: a summary, else the first after the label, else the nearest before it.
fn choose(tree: &UiTree, label: NodeId, values: &[NodeId]) -> Option<NodeId> {
    let values_after = values.iter().copied().filter(|id| *id > label);
    values_after
        .clone()
        .find(|id| is_summary(tree.node(*id)))
        .or_else(|| values_after.min())
        .or_else(|| values.iter().copied().filter(|id| *id < label).max())
}

/// Whether the app names a node a summary or a value.
fn is_summary(node: &Node) -> bool {
    let name = node.id.rsplit('/').next().unwrap_or_default();
    matches!(name, "summary" | "value")
}

/// Whether two rectangles share more than half of the smaller height.
fn on_one_line(one: Option<Rect>, other: Option<Rect>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    let shared = one
        .bottom
        .min(other.bottom)
        .saturating_sub(one.top.max(other.top));
    shared.saturating_mul(2) > one.height().min(other.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::Query;

    /// The value of `label` on a screen; empty if there is none.
    fn value(screen: &str, label: &str) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let label = tree.find(&Query::new().text(label)).unwrap();
        value_of(&tree, label)
            .map(|id| node_text(tree.node(id)).to_owned())
            .unwrap_or_default()
    }

    #[test]
    fn value_is_searched_in_the_row_only() {
        let list = "
            list scrollable
              listitem clickable
                column
                  text \"Battery\" #android:id/title
                  text \"83%\" #android:id/summary
              listitem clickable
                column
                  text \"Storage\" #android:id/title
              listitem clickable
                text \"Other\"
        ";
        assert_eq!(value(list, "Battery"), "83%");
        assert_eq!(value(list, "Storage"), "");
    }

    #[test]
    fn cell_is_value_of_previous_cell_and_of_column_header() {
        let table = |more: &str| {
            format!(
                "
            grid
              row
                label \"Name\"
                label \"Paid\"
                label \"Due\"
              row
                text \"Bob\"
                container
                text \"$0\"
              {more}
        "
            )
        };
        let one = table("");
        assert_eq!(value(&one, "Bob"), "");
        assert_eq!(value(&one, "Due"), "$0");
        assert_eq!(value(&one, "Paid"), "");
        let several = table(
            "row\n                text \"Ann\"\n                text \"$10\"\n                text \"$5\"",
        );
        assert_eq!(value(&several, "Ann"), "$10");
        assert_eq!(value(&several, "Due"), "");
    }

    #[test]
    fn number_below_or_above_is_the_value_of_a_label_beside_others() {
        let screen = |labels: i32, numbers: i32| {
            format!(
                "
            container [0,0][300,100]
              text \"Followers\" [0,{labels}][90,{0}]
              text \"Following\" [100,{labels}][190,{0}]
              text \"10\" [0,{numbers}][90,{1}]
              text \"20\" [100,{numbers}][190,{1}]
        ",
                labels + 20,
                numbers + 20
            )
        };
        for (labels, numbers) in [(10, 32), (32, 10)] {
            let screen = screen(labels, numbers);
            assert_eq!(value(&screen, "Followers"), "10");
            assert_eq!(value(&screen, "Following"), "20");
        }
    }

    #[test]
    fn empty_definition_is_not_that_of_the_next_term() {
        let list = "
            container [0,0][300,100] .dl
              text \"Owner\" [0,10][90,30] .dt
              text \"Plan\" [0,40][90,60] .dt
              text \"Pro\" [100,40][190,60] .dd
        ";
        assert_eq!(value(list, "Plan"), "Pro");
        assert_eq!(value(list, "Owner"), "");
    }

    #[test]
    fn summary_wins_over_nearer_text() {
        let row = "
            listitem
              text \"Before\"
              text \"Label\"
              text \"Extra\"
              text \"Sum\" #app:id/summary
        ";
        assert_eq!(value(row, "Label"), "Sum");
    }

    #[test]
    fn value_may_precede_its_label() {
        let card = "
            card
              text \"21.5\"
              text \"Temperature\"
        ";
        assert_eq!(value(card, "Temperature"), "21.5");
    }

    #[test]
    fn without_rows_only_the_label_line_counts() {
        let page = "
            node scrollable [0,0][1080,2000]
              text \"Model\" [0,100][400,160]
              text \"Pixel\" [600,100][900,160]
              text \"Serial\" [0,200][400,260]
              text \"Android\" [0,300][400,360]
              text \"16\" [600,300][900,360]
        ";
        assert_eq!(value(page, "Model"), "Pixel");
        assert_eq!(value(page, "Serial"), "");
        assert_eq!(value(page, "Android"), "16");
    }

    #[test]
    fn controls_are_not_values() {
        let form = "
            column
              toolbar
                title \"Shop\"
                button label=\"Search\" clickable
              textfield \"Email\" hint=\"Email\" showing-hint editable clickable
              button \"Sign in\" clickable
              text \"Forgot it?\" clickable
              list scrollable
                listitem
                  text \"$4\"
                  button \"Add\" clickable
        ";
        for label in ["Shop", "Email", "Sign in", "Forgot it?", "Add"] {
            assert_eq!(value(form, label), "", "{label}");
        }
    }

    #[test]
    fn wrapper_of_single_label_has_no_value() {
        let page = "
            column
              column
                text \"Alone\"
              column
                text \"Other\"
              column
                text \"Name\"
                text \"Alex\"
              column
                text \"City\"
                textfield \"Oslo\" editable clickable
        ";
        assert_eq!(value(page, "Alone"), "");
        assert_eq!(value(page, "Name"), "Alex");
        assert_eq!(value(page, "City"), "Oslo");
    }

    #[test]
    fn icon_description_is_value_but_placeholder_is_not() {
        let row = "
            listitem
              text \"Signal\"
              textfield \"type here\" showing-hint editable
              icon label=\"strong\"
        ";
        assert_eq!(value(row, "Signal"), "strong");
    }
}

//! Joins the texts of a row, and a switch with its label.

use crate::text_view::collect::ids::is_informative_id;
use crate::text_view::collect::nodes::is_structural;
use crate::text_view::line::text::{LABEL, LabeledText};
use crate::text_view::line::{Line, Part, Rank};
use crate::{NodeId, Rect, Role, State, UiTree};

/// Maximum distance in nodes from a switch to its name.
const MAX_NAME_DISTANCE: usize = 4;

/// Maximum length of a line of joined texts, in characters.
const MAX_JOINED: usize = 160;

/// Maximum gap between joined texts, in percent of the height of the lower one of the two.
const MAX_GAP: i64 = 50;

/// Joins lines.
pub(crate) fn join(lines: Vec<Line>, tree: &UiTree) -> Vec<Line> {
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    // The texts on the last line.
    let mut texts: Vec<NodeId> = Vec::new();
    let mut rest = lines.into_iter().peekable();
    while let Some(line) = rest.next() {
        let has_children = rest.peek().is_some_and(|next| next.depth > line.depth);
        let Some(last) = joined.last_mut().filter(|_| !has_children) else {
            texts = line.id().into_iter().collect();
            joined.push(line);
            continue;
        };
        if can_join_text(last, &line) && is_beside(&texts, &line, tree) {
            texts.extend(line.id());
            let added = line.parts.into_iter().flat_map(|part| part.texts);
            let prefix = match is_text(last) {
                true => None,
                // The first name of others has the prefix.
                false => Some(""),
            };
            let added = added.map(|text| LabeledText {
                prefix: prefix.unwrap_or(text.prefix),
                ..text
            });
            if let Some(part) = last.parts.first_mut() {
                part.texts.extend(added);
            }
        } else if is_named_by(last, &line, tree) {
            last.rank = last.rank.min(Rank::Control);
            last.parts.extend(line.parts);
        } else if can_join_toggle(last, &line, rest.peek(), tree) {
            last.rank = last.rank.min(Rank::Control);
            let names: Vec<&str> = texts_of(last).iter().map(|text| &*text.text).collect();
            let names = names.join(" ");
            last.parts.extend(line.parts.into_iter().map(|part| Part {
                texts: Vec::new(),
                center: None,
                resource: part.resource.filter(|id| is_informative_id(id, &names)),
                ..part
            }));
        } else {
            texts = line.id().into_iter().collect();
            joined.push(line);
        }
    }
    joined
}

/// Whether a text belongs to the joined texts: on their line, or directly below in another size (a subtitle). A text of the same
/// size and left edge starts a new row. Overlapping texts never join, nor do texts with off-screen content between them.
fn is_beside(texts: &[NodeId], line: &Line, tree: &UiTree) -> bool {
    let (Some(last), Some(next)) = (texts.last(), line.id()) else {
        return true;
    };
    let mut between = (tree.node(*last).end.0..next.0).map(NodeId);
    if between.any(|id| is_content_out_of_view(tree, id)) {
        return false;
    }
    let Some(next) = tree.visible_bounds(next) else {
        return true;
    };
    let others = texts.iter();
    let others = others.filter_map(|text| tree.visible_bounds(*text));
    let others: Vec<Rect> = others.collect();
    if others.iter().any(|other| other.intersect(&next).is_some()) {
        return false;
    }
    let (top, bottom) = others
        .iter()
        .fold((i32::MAX, i32::MIN), |(top, bottom), other| {
            (top.min(other.top), bottom.max(other.bottom))
        });
    let Some(lowest) = others.iter().max_by_key(|other| other.bottom) else {
        return true;
    };
    // Wide enough for any bounds.
    let height = |rect: &Rect| i64::from(rect.height());
    let gap = i64::from(next.top) - i64::from(bottom);
    // Equal texts may differ by a pixel in height.
    let is_same_size =
        |other: &Rect| other.left == next.left && height(other).abs_diff(height(&next)) <= 1;
    let is_below = |other: &Rect| other.shares_column(&next);
    (next.top < bottom && top < next.bottom)
        || (0..=height(lowest).min(height(&next)) * MAX_GAP / 100).contains(&gap)
            && !others.iter().any(is_same_size)
            && others.iter().any(is_below)
}

/// Whether the node is a text or a control, and off-screen.
fn is_content_out_of_view(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.is(State::VISIBLE) && (node.can_act() || !node.text.is_empty()) && !tree.is_on_screen(id)
}

/// The role of a line that only has a text, or the name of an image or a group.
fn plain_role(line: &Line) -> Option<&str> {
    let [part] = line.parts.as_slice() else {
        return None;
    };
    let roles = [Role::Text, Role::Label, Role::Image, Role::Container].map(Role::as_str);
    let is_plain = line.rank == Rank::Text && part.states.is_empty() && part.resource.is_none();
    Some(&*part.role).filter(|role| is_plain && roles.contains(role))
}

/// Whether a line only has texts.
fn is_text(line: &Line) -> bool {
    let roles = [Role::Text, Role::Label].map(Role::as_str);
    plain_role(line).is_some_and(|role| roles.contains(&role))
}

/// The texts of the first element of a line.
fn texts_of(line: &Line) -> &[LabeledText] {
    line.parts.first().map_or(&[], |part| &part.texts)
}

/// Whether both lines are texts that may share a line.
fn can_join_text(line: &Line, next: &Line) -> bool {
    line.depth == next.depth
        && plain_role(line).is_some()
        && plain_role(line) == plain_role(next)
        && (is_text(next) || texts_of(next).iter().all(|text| text.prefix == LABEL))
        && line.length() + next.length() <= MAX_JOINED
}

/// Whether the next line is a nameless switch, checkbox or radio button that `line` names.
fn can_join_toggle(line: &Line, next: &Line, after: Option<&Line>, tree: &UiTree) -> bool {
    let ([_], Some(id), [toggle]) = (line.parts.as_slice(), line.id(), next.parts.as_slice())
    else {
        return false;
    };
    if !toggle.is_toggle_named(texts_of(line), tree) {
        return false;
    }
    let Some(toggle) = toggle.id else {
        return false;
    };
    let is_row = next.depth == line.depth + 1
        && tree.node(id).can_act()
        && !is_structural(tree.node(id))
        && after.is_none_or(|after| after.depth <= line.depth);
    let is_beside = || is_alone_with(tree, id, toggle) || is_alone_in_row(tree, id, toggle);
    is_row || (next.depth == line.depth && is_text(line) && is_beside())
}

/// Whether `line` is a nameless switch, checkbox or radio button, and the next one its name.
fn is_named_by(line: &Line, next: &Line, tree: &UiTree) -> bool {
    let ([toggle], Some(id)) = (line.parts.as_slice(), next.id()) else {
        return false;
    };
    let is_nameless = toggle.texts.is_empty() && toggle.is_toggle_named(&[], tree);
    line.depth == next.depth
        && is_nameless
        && is_text(next)
        && toggle
            .id
            .is_some_and(|toggle| is_alone_in_row(tree, id, toggle) || is_next_to(tree, id, toggle))
}

impl UiTree {
    /// The text on the line of a switch, checkbox or radio button without a name of its own.
    pub(crate) fn name_beside(&self, toggle: NodeId) -> Option<&str> {
        let node = self.node(toggle);
        if !node.is(State::CHECKABLE) {
            return None;
        }
        let is_text = |id: &NodeId| {
            let node = self.node(*id);
            matches!(node.role, Role::Text | Role::Label)
                && !node.can_act()
                && !node.text.is_empty()
        };
        let before = (0..toggle.0).rev().take(MAX_NAME_DISTANCE);
        let after = (node.end.0..self.len() as u32).take(MAX_NAME_DISTANCE);
        // The first of the texts before it is its name.
        let before: Vec<NodeId> = before.map(NodeId).filter(is_text).collect();
        let row = self.visible_bounds(toggle)?;
        let is_name = |text: &NodeId| {
            is_in_row(self, *text, row)
                && (is_alone_with(self, *text, toggle)
                    || is_alone_in_row(self, *text, toggle)
                    || is_next_to(self, *text, toggle))
        };
        let mut texts = before.into_iter().rev();
        let found = texts.find(is_name);
        let found = found.or_else(|| after.map(NodeId).filter(is_text).find(is_name));
        found.map(|id| &*self.node(id).text)
    }
}

/// Whether their nearest common ancestor contains no other control.
fn is_alone_with(tree: &UiTree, text: NodeId, toggle: NodeId) -> bool {
    let around = tree
        .ancestors(toggle)
        .find(|around| tree.contains(*around, text));
    around.is_some_and(|around| {
        let mut controls = tree.subtree(around).filter(|id| tree.node(*id).can_act());
        controls.all(|id| id == toggle || id == around)
    })
}

/// The nodes at the height of a control in its nearest common ancestor with a text, without its own ancestors and descendants.
fn at_height<'t>(
    tree: &'t UiTree,
    text: NodeId,
    toggle: NodeId,
    row: Rect,
) -> impl Iterator<Item = NodeId> + 't {
    let around = tree
        .ancestors(toggle)
        .find(|around| tree.contains(*around, text));
    let others = around
        .into_iter()
        .flat_map(|around| tree.subtree(around).skip(1));
    others.filter(move |id| {
        let is_own = tree.contains(*id, toggle) || tree.contains(toggle, *id);
        !is_own && is_in_row(tree, *id, row)
    })
}

fn is_in_row(tree: &UiTree, id: NodeId, row: Rect) -> bool {
    let bounds = tree.visible_bounds(id);
    bounds.is_some_and(|bounds| bounds.shares_row(&row))
}

/// Whether the control is the only one at its height in their nearest common ancestor, with all texts there on one side.
fn is_alone_in_row(tree: &UiTree, text: NodeId, toggle: NodeId) -> bool {
    let Some(row) = tree.visible_bounds(toggle) else {
        return false;
    };
    let (mut left, mut right) = (false, false);
    for id in at_height(tree, text, toggle, row) {
        let node = tree.node(id);
        if node.can_act() {
            return false;
        }
        if let Some(bounds) = tree.visible_bounds(id).filter(|_| !node.text.is_empty()) {
            left |= bounds.left < row.left;
            right |= bounds.right > row.right;
        }
    }
    left != right && is_in_row(tree, text, row)
}

/// Whether the text is right of the control and nearer to it than to the next one at its height, if all there are switches,
/// checkboxes or radio buttons, as in the columns of a form.
fn is_next_to(tree: &UiTree, text: NodeId, toggle: NodeId) -> bool {
    let bounds = tree.visible_bounds(toggle).zip(tree.visible_bounds(text));
    let Some((own, name)) = bounds.filter(|(own, _)| is_in_row(tree, text, *own)) else {
        return false;
    };
    // Wide enough for any bounds.
    let between = |left: Rect, right: Rect| i64::from(right.left) - i64::from(left.right);
    let gap = between(own, name);
    let is_farther = |id: NodeId| {
        let bounds = tree.visible_bounds(id);
        bounds.is_some_and(|bounds| bounds.right <= own.left || between(name, bounds) > gap)
    };
    // If a control is last, each text is left of its control.
    let ends_with_control = at_height(tree, text, toggle, own)
        .chain([text, toggle])
        .filter(|id| tree.node(*id).can_act() || !tree.node(*id).text.is_empty())
        .max_by_key(|id| tree.visible_bounds(*id).map(|bounds| bounds.right))
        .is_some_and(|last| tree.node(last).is(State::CHECKABLE));
    let mut others = at_height(tree, text, toggle, own).filter(|id| tree.node(*id).can_act());
    (0..=i64::from(own.width())).contains(&gap)
        && !ends_with_control
        && others.all(|id| tree.node(id).is(State::CHECKABLE) && is_farther(id))
}

#[cfg(test)]
mod tests {
    use crate::UiTree;
    use crate::text_view::compact;

    #[test]
    fn text_names_the_only_switch_at_its_height() {
        let screen = "
            screen 100x100
            window application active owner=com.mail
              column [0,0][100,100]
                text \"Mentions\" [0,0][50,10]
                switch clickable checkable checked [80,0][90,10]
                text \"Updates\" [0,20][50,30]
                text \"Once a day\" [0,30][50,38]
                switch #com.mail:id/daily clickable checkable [80,25][90,35]
                checkbox clickable checkable [0,50][10,60]
                text \"One\" [12,50][30,60]
                checkbox clickable checkable [40,50][50,60]
                text \"Two\" [52,50][70,60]
        ";
        expect_test::expect![[r#"
            application com.mail
             "Mentions" switch checked
             "Updates" "Once a day" switch #daily unchecked
             checkbox unchecked @5,55 text "One"
             checkbox unchecked @45,55 text "Two"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn texts_of_cards_are_on_lines_of_their_own() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                text \"USD\" [0,0][20,10]
                text \"Dollar\" [0,12][20,20]
                text \"$7\" [80,0][100,10]
                text \"EUR\" [0,40][20,50]
                text \"Euro\" [0,52][20,60]
                text \"€5\" [80,40][100,50]
                text \"GBP\" [110,0][130,10]
                button \"Convert\" clickable [60,52][100,62]
        ";
        expect_test::expect![[r#"
            application
            webview
            "USD" "Dollar" "$7"
            "EUR" "Euro" "€5"
            "GBP"
            button "Convert"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn texts_below_each_other_are_on_lines_of_their_own() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                text \"Keys of your account\" [0,0][90,10]
                text \"Pipeline\" [0,18][90,28]
                text \"from May\" [0,28][90,36]
                text \"+7\" [100,18][120,28]
                text \"Deposit May\" [0,50][90,60]
                text \"Deposit June\" [0,60][90,70]
                list scrollable [0,80][200,120]
                  text \"one\" [0,80][90,90]
                  text \"two\" [100,80][190,90]
                  text \"away\" [0,130][90,140]
                  text \"Saved\" [0,100][90,108]
                  text \"over\" [50,105][90,115]
                text \"Outbox 3\" [0,140][190,158]
                text \"Apples\" [0,159][50,176]
        ";
        expect_test::expect![[r#"
            application
            webview
            "Keys of your account"
            "Pipeline" "from May" "+7"
            "Deposit May"
            "Deposit June"
            list scrollable (1 element below)
             "one" "two"
             "Saved"
             "over"
            "Outbox 3"
            "Apples"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn text_of_the_size_of_the_first_one_starts_a_new_row() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                dropdown \"Ann\" label=\"Who\" clickable [0,0][50,10]
                text \"Ann\" [0,20][40,30]
                text \"Owner\" [60,20][99,30]
                text \"Ann\" [0,30][40,40]
        ";
        expect_test::expect![[r#"
            application
            webview
            dropdown "Ann" label="Who"
            "Ann" "Owner"
            "Ann"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn text_beside_a_nameless_checkbox_is_on_its_line() {
        let screen = "
            screen 100x100
            window application active
              webview [0,0][100,100]
                checkbox #finance clickable checkable checked [0,0][10,10]
                text \"Finance\" [12,0][50,10]
                checkbox #law clickable checkable [0,20][10,30]
                text \"Law\" [12,20][50,30]
                checkbox clickable checkable [0,40][10,50]
                text \"Ann\" [12,40][50,50]
                button \"Star\" clickable [60,40][90,50]
        ";
        expect_test::expect![[r#"
            application
            webview
            checkbox #finance checked text "Finance"
            checkbox #law unchecked text "Law"
            checkbox unchecked @5,45
            "Ann"
            button "Star"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn labels_of_a_line_of_checkboxes_are_on_one_side() {
        let line = |items: [(&str, i32); 4]| {
            let items: String = items
                .iter()
                .map(|(item, left)| format!("  {item} [{left},0][{},10]\n", left + 16))
                .collect();
            let screen =
                format!("screen 100x100\nwindow application active\n row [0,0][100,10]\n{items}");
            let tree = UiTree::parse_notation(&screen).unwrap();
            let boxes = tree
                .ids()
                .filter(|id| tree.node(*id).is(crate::State::CHECKABLE));
            let names: Vec<Option<String>> = boxes
                .map(|id| tree.name_beside(id).map(str::to_owned))
                .collect();
            names
        };
        let (email, sms) = ("text \"Email\"", "text \"SMS\"");
        let square = "checkbox clickable checkable";
        let names = [Some("Email".to_owned()), Some("SMS".to_owned())];
        let right = [(square, 0), (email, 18), (square, 40), (sms, 58)];
        assert_eq!(line(right), names);
        let left = [(email, 0), (square, 22), (sms, 40), (square, 62)];
        assert_eq!(line(left), [None, None]);
    }

    #[test]
    fn any_bounds_can_be_written() {
        let screen = "
            screen 2147483647x2147483647
            window application active
              webview [0,0][2147483647,2147483647]
                text \"Top\" [0,0][2147483647,1]
                text \"End\" [0,2147483646][2147483647,2147483647]
                container #box clickable [0,0][2147483647,2147483647]
                  button \"All\" clickable [0,0][2147483647,2147483647]
        ";
        let view = crate::text_view::view(screen);
        assert!(view.contains("\"Top\"\n\"End\"\n"), "{view}");
    }
}

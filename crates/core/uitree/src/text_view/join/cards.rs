//! Moves the name of a card to its first line.

use crate::text_view::line::text::LabeledText;
use crate::text_view::line::{Line, Part, Rank};
use crate::{NodeId, Role, ScreenRefs, UiTree};

/// Minimum number of letters of a name: fewer are initials or a symbol.
const MIN_LETTERS: usize = 3;

/// Moves the name of each card before its controls, so that they do not seem to belong to the previous card. If the name is
/// off-screen, the first control gets it as `of "…"`.
pub(crate) fn put_names_first(lines: &mut [Line], tree: &UiTree, refs: &ScreenRefs) {
    let mut at = 0;
    while at < lines.len() {
        let end = end_of_card(lines, at, tree);
        let card = &mut lines[at..end];
        let is_control = |line: &Line| line.parts.iter().any(|part| part.has_ref(refs));
        let control = card.iter().position(&is_control);
        let name = card.iter().position(is_name);
        match (control, name) {
            (Some(control), Some(name)) => {
                let span = &mut card[control..name.max(control) + 1];
                let depth = span[0].depth;
                let is_flat = span.iter().all(|line| line.depth == depth);
                if control < name && is_flat && !span.last().is_some_and(is_control) {
                    span.rotate_right(1);
                }
            }
            (Some(control), None) => {
                let part = card[control].parts.first_mut();
                let owner = part
                    .as_ref()
                    .and_then(|part| off_screen_name(tree, part.id?));
                if let (Some(part), Some(owner)) = (part, owner) {
                    part.owner.get_or_insert(owner);
                }
            }
            (None, _) => {}
        }
        at = end;
    }
}

/// The name of the card of a node if it is off-screen.
fn off_screen_name(tree: &UiTree, id: NodeId) -> Option<LabeledText> {
    let card = tree.cards.of_node(id)?;
    let is_name = |id: &NodeId| {
        let node = tree.node(*id);
        let is_text = matches!(node.role, Role::Text | Role::Heading | Role::Label);
        is_text && letters(&node.text) >= MIN_LETTERS && !tree.is_on_screen(*id)
    };
    let name = card.nodes.clone().map(NodeId).find(is_name)?;
    Some(LabeledText::owner(&tree.node(name).text))
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphabetic()).count()
}

/// The end of the lines of a line's card; the next line if it is in no card.
fn end_of_card(lines: &[Line], at: usize, tree: &UiTree) -> usize {
    let first = card_of(&lines[at], tree);
    let same = lines[at + 1..]
        .iter()
        .take_while(|line| first.is_some() && card_of(line, tree) == first);
    at + 1 + same.count()
}

/// Whether a line is a heading or a text that may name its card.
pub(crate) fn is_name(line: &Line) -> bool {
    let [
        Part {
            role,
            texts,
            states,
            ..
        },
    ] = line.parts.as_slice()
    else {
        return false;
    };
    let is_text = role.is_empty() || role == Role::Text.as_str();
    (line.rank == Rank::Heading || line.rank == Rank::Text && is_text)
        && states.is_empty()
        && texts.iter().map(|text| letters(&text.text)).sum::<usize>() >= MIN_LETTERS
}

/// Whether two lines are of one card.
pub(crate) fn are_of_one_card(line: &Line, next: &Line, tree: &UiTree) -> bool {
    let card = card_of(line, tree);
    card.is_some() && card == card_of(next, tree)
}

/// The first node of the card that contains all elements of a line.
fn card_of(line: &Line, tree: &UiTree) -> Option<u32> {
    let card = |id: NodeId| tree.cards.of_node(id).map(|card| card.nodes.start);
    let mut cards = line.parts.iter().map(|part| part.id.and_then(card));
    let first = cards.next()??;
    cards.all(|card| card == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use crate::text_view::TextView;
    use crate::{Card, RefTable, UiTree};

    /// The view of a screen with two cards of these nodes.
    fn view(screen: &str, nodes: [std::ops::Range<u32>; 2], view: TextView) -> String {
        let cards = nodes.map(|nodes| Card {
            series: 0,
            kind: 7,
            nodes,
        });
        let tree = UiTree::parse_notation(screen).unwrap();
        let tree = tree.with_cards(cards.into());
        let refs = RefTable::default().assign(&tree);
        tree.text_view_with(view, &refs).text
    }

    #[test]
    fn small_card_is_one_line_that_begins_with_its_name() {
        let card = |left: usize, [initials, button, name, place, followers]: [&str; 5]| {
            format!(
                "    text \"{initials}\" [{left},0][{},20]\n    button \"{button}\" clickable [{},0][{},20]\n    \
                 text \"{name}\" [{left},30][{},40]\n    text \"{place}\" clickable [{left},40][{},50]\n    \
                 text \"{followers}\" [{left},50][{},60]\n",
                left + 20,
                left + 30,
                left + 60,
                left + 60,
                left + 60,
                left + 60
            )
        };
        let cards = [
            card(
                0,
                ["G", "Follow", "Google", "Mountain View", "45,200 followers"],
            ),
            card(
                100,
                [
                    "JC",
                    "Follow",
                    "JPMorgan Chase",
                    "New York",
                    "32,100 followers",
                ],
            ),
        ];
        let screen = format!(
            "screen 200x200\nwindow application active\n  webview [0,0][200,200]\n{}",
            cards.concat()
        );
        let nodes = || [1..6, 6..11];
        expect_test::expect![[r#"
            application
            webview
            "Google" button "Follow" e1 text "Mountain View" e2 "45,200 followers"
            "JPMorgan Chase" button "Follow" e3 text "New York" e4 "32,100 followers"
        "#]]
        .assert_eq(&view(&screen, nodes(), TextView::default()));
        let of_controls = TextView {
            only_actionable: true,
            ..TextView::default()
        };
        expect_test::expect![[r#"
            application
             button "Follow" of "Google" e1
             "Mountain View" e2
             button "Follow" of "JPMorgan Chase" e3
             "New York" e4
        "#]]
        .assert_eq(&view(&screen, nodes(), of_controls));
    }

    #[test]
    fn heading_before_the_control_of_a_card_is_its_name() {
        let card = |top: usize, name: &str| {
            let line = |at: usize| format!("[0,{}][90,{}]", top + at * 10, top + at * 10 + 10);
            format!(
                "    heading \"{name}\" {}\n    button \"Buy\" clickable {}\n    text \"For all\" {}\n",
                line(0),
                line(1),
                line(2)
            )
        };
        let screen = format!(
            "screen 100x100\nwindow application active\n  webview [0,0][100,100]\n{}{}",
            card(0, "Basic"),
            card(40, "Pro plan")
        );
        let nodes = || [1..4, 4..7];
        let text = view(&screen, nodes(), TextView::default());
        assert!(
            text.ends_with("heading \"Pro plan\"\nbutton \"Buy\" e2 text \"For all\"\n"),
            "{text}"
        );
    }

    #[test]
    fn control_of_a_card_with_an_off_screen_name_has_the_name() {
        let card = |top: usize, name: &str| {
            format!(
                "    button \"Follow\" clickable [0,{top}][90,{}]\n    text \"{name}\" [0,{}][90,{}]\n",
                top + 20,
                top + 20,
                top + 40
            )
        };
        let screen = format!(
            "screen 100x100\nwindow application active\n  webview scrollable [0,0][100,100]\n{}{}",
            card(0, "Google"),
            card(80, "Meta")
        );
        let nodes = || [1..3, 3..5];
        let text = view(&screen, nodes(), TextView::default());
        assert!(text.contains("button \"Follow\" of \"Meta\" e3"), "{text}");
    }
}

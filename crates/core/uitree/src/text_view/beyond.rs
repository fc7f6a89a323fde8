//! Counts what a container that scrolls does not show.

use super::words::{Limit, Word, is_row};
use crate::refs::is_frame;
use crate::{NodeId, Rect, Role, State, UiTree};

/// The most headings beyond an edge that are named, and the most characters of their names.
const MAX_HEADINGS: usize = 5;
const MAX_HEADING: usize = 24;

/// What is beyond the edges of a container that scrolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct HiddenCounts([usize; 4]);

/// The edges of a container, as [`HiddenCounts`] counts them.
const SIDES: [&str; 4] = ["above", "below", "on the left", "on the right"];
/// The place of the lower edge among them.
const BELOW: usize = 1;

/// The names of the headings, or of the controls, beyond each edge.
type Headings<'t> = [Vec<&'t str>; 4];

/// The most elements below the edge of a page that are shown instead of their number.
const MAX_SHOWN: usize = 6;

impl UiTree {
    /// The elements of a container that are wholly beyond its edges, each with its side. Those inside of one count with it.
    fn elements_beyond(&self, container: NodeId) -> Vec<(NodeId, usize)> {
        let Some(shown) = self.visible_bounds(container) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let last = self.node(container).end.0;
        let mut place = container.0 + 1;
        while place < last {
            let id = NodeId(place);
            let node = self.node(id);
            place += 1;
            let (Some(bounds), true) = (node.bounds, node.is(State::VISIBLE)) else {
                continue;
            };
            let is_shown = self.is_on_screen(id) || bounds.is_empty();
            if node.is(State::SCROLLABLE) {
                // What is inside of it is counted there.
                place = node.end.0;
            }
            let says = !node.text.is_empty() || !node.label.is_empty();
            if is_shown || !(is_row(node.role) || node.can_act() || says) {
                continue;
            }
            if let Some(side) = side_of(bounds, shown) {
                found.push((id, side));
                place = node.end.0;
            }
        }
        found
    }

    /// The side on which a node is out of view in a container that scrolls: `above`, `below`, `on the left` or `on the right`.
    pub fn side_out_of_view(&self, id: NodeId) -> Option<&'static str> {
        let has_place = |bounds: &Rect| bounds.width() > 0 || bounds.height() > 0;
        let bounds = self.node(id).bounds.filter(has_place)?;
        if self.is_on_screen(id) {
            return None;
        }
        let scrolls = |up: &NodeId| self.node(*up).is(State::SCROLLABLE);
        let container = self.ancestors(id).find(scrolls)?;
        let side = side_of(bounds, self.visible_bounds(container)?)?;
        SIDES.get(side).copied()
    }

    /// The same tree, in which what little a page has below its edge counts as visible; `None` if it has nothing there, or more.
    pub fn with_end_of_page(&self) -> Option<UiTree> {
        let is_page = |id: &NodeId| self.node(*id).role == Role::WebView && self.is_on_screen(*id);
        let page = self.ids().find(is_page)?;
        let mut below: Vec<NodeId> = Vec::new();
        for (id, side) in self.elements_beyond(page) {
            if side == BELOW {
                below.push(id);
            }
        }
        if below.is_empty() || below.len() > MAX_SHOWN {
            return None;
        }
        let mut whole = self.clone();
        for id in below {
            let around = self.ancestors(id).take_while(|around| *around != page);
            let inside = match self.node(id).is(State::SCROLLABLE) {
                true => 1,
                false => usize::MAX,
            };
            for id in self.subtree(id).take(inside).chain(around) {
                let node = &whole.nodes[id.index()];
                let bounds = node.bounds.filter(|bounds| !bounds.is_empty());
                if node.is(State::VISIBLE) && whole.visible[id.index()].is_none() {
                    whole.visible[id.index()] = bounds;
                }
            }
        }
        Some(whole)
    }

    /// What a container that scrolls has beyond its edges, in words: `3 rows above, 35 below`. `None` if the tree has nothing
    /// there.
    pub(super) fn beyond(&self, container: NodeId) -> Option<String> {
        let (mut rows, mut others) = (HiddenCounts::default(), HiddenCounts::default());
        let mut headings = Headings::default();
        let mut controls = Headings::default();
        for (id, side) in self.elements_beyond(container) {
            let node = self.node(id);
            let count = if is_row(node.role) {
                &mut rows
            } else {
                &mut others
            };
            count.0[side] += 1;
            if matches!(node.role, Role::Heading | Role::Title) && !node.text.is_empty() {
                headings[side].push(&*node.text);
            } else if node.can_act() && !node.text.is_empty() {
                controls[side].push(&*node.text);
            }
        }
        if self.is_in_frame(container) {
            // What is there leads to the other pages.
            let sides = headings.iter_mut().zip(controls);
            for (headings, controls) in sides.filter(|(headings, _)| headings.is_empty()) {
                *headings = controls;
            }
        }
        let [all_rows, all_others]: [usize; 2] = [&rows, &others].map(|count| count.0.iter().sum());
        if all_rows > all_others {
            return rows.words("rows", &headings);
        }
        // Only elements count both.
        let all = std::array::from_fn(|side| rows.0[side] + others.0[side]);
        HiddenCounts(all).words("elements", &headings)
    }
}

impl UiTree {
    /// Whether a node is in the head, foot, sidebar or navigation of a page.
    fn is_in_frame(&self, id: NodeId) -> bool {
        let mut around = std::iter::once(id).chain(self.ancestors(id));
        around.any(|around| is_frame(self.node(around)))
    }
}

/// The side of a container on which something wholly is.
const fn side_of(bounds: Rect, shown: Rect) -> Option<usize> {
    if bounds.top >= shown.bottom {
        Some(BELOW)
    } else if bounds.bottom <= shown.top {
        Some(0)
    } else if bounds.left >= shown.right {
        Some(3)
    } else if bounds.right <= shown.left {
        Some(2)
    } else {
        None
    }
}

impl HiddenCounts {
    fn words(self, what: &str, headings: &Headings<'_>) -> Option<String> {
        let sides = self.0.into_iter().zip(SIDES).zip(headings);
        let mut words = String::new();
        for ((count, side), headings) in sides.filter(|((count, _), _)| *count > 0) {
            let plural = match (words.is_empty(), count) {
                (false, _) => String::new(),
                (true, 1) => format!(" {}", what.trim_end_matches('s')),
                (true, _) => format!(" {what}"),
            };
            if !words.is_empty() {
                words.push_str(", ");
            }
            words.push_str(&format!("{count}{plural} {side}{}", named(headings)));
        }
        (!words.is_empty()).then(|| format!("({words})"))
    }
}

/// The first headings of a side, which can be scrolled to by name.
fn named(headings: &[&str]) -> String {
    let limit = Limit {
        characters: MAX_HEADING,
        tokens: MAX_HEADING,
    };
    let names = headings.iter().take(MAX_HEADINGS).map(|heading| {
        let mut name = Word::text(heading);
        name.limit(limit);
        name.is_known = true;
        name.to_string()
    });
    let mut names: Vec<String> = names.collect();
    if headings.len() > MAX_HEADINGS {
        names.push(format!("… {} more", headings.len() - MAX_HEADINGS));
    }
    match names.is_empty() {
        true => String::new(),
        false => format!(" with {}", names.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn what_little_a_page_has_below_its_edge_is_shown() {
        let page = |buttons: i32| {
            let buttons = (1..=buttons).map(|at| {
                let (top, end) = (at * 100, at * 100 + 20);
                format!("    column [0,{top}][100,{end}]\n     button \"Pay {at}\" clickable [0,{top}][100,{end}]\n")
            });
            let buttons: String = buttons.collect();
            let text = format!(
                "screen 100x100\nwindow application active\n  webview scrollable [0,0][100,100]\n    text \"Basket\" [0,0][100,20]\n{buttons}"
            );
            UiTree::parse_notation(&text).unwrap()
        };
        let shown = page(2).with_end_of_page().unwrap().to_compact();
        assert_eq!(
            shown,
            "application\nwebview scrollable\n\"Basket\"\nbutton \"Pay 1\"\nbutton \"Pay 2\"\n"
        );
        assert!(page(7).with_end_of_page().is_none());
        assert!(page(0).with_end_of_page().is_none());
    }

    #[test]
    fn rows_and_elements_beyond_the_edges_are_counted() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview scrollable [0,0][100,100]
                button \"Top\" clickable [0,-40][100,-20]
                list scrollable [0,0][100,50]
                  listitem clickable [0,-20][100,0]
                    text \"One\" [0,-20][50,0]
                  listitem \"Two\" clickable [0,0][100,20]
                  listitem \"Three\" clickable [0,60][100,80]
                  listitem \"Four\" clickable [0,80][100,100]
                heading \"Delivery and returns of what was bought\" [0,110][100,120]
                button \"Save\" clickable [0,120][100,140]
                  text \"Save\" [0,120][100,140]
            ",
        )
        .unwrap();
        expect_test::expect![[r#"
            application
            webview scrollable (1 element above, 2 below with "Delivery and returns of"…)
            list scrollable (1 row above, 2 below)
             listitem "Two"
        "#]]
        .assert_eq(&tree.to_compact());
    }

    #[test]
    fn links_beyond_the_edge_of_a_navigation_are_named() {
        let screen = |landmark: &str| {
            format!(
                "
            screen 100x100
            window application active
              webview [0,0][100,100]
                container @landmark=\"{landmark}\" [0,0][30,100]
                  container scrollable [0,0][30,100]
                    button \"Wallet\" clickable [0,0][30,20]
                    text \"SETTINGS\" [0,100][30,120]
                    button \"Preferences\" clickable [0,120][30,140]
                    button \"Help\" clickable [0,140][30,160]
            "
            )
        };
        let first = |landmark: &str| {
            let text = UiTree::parse_notation(&screen(landmark))
                .unwrap()
                .to_compact();
            text.lines().find_map(|line| {
                line.split_once("scrollable ")
                    .map(|(_, counts)| counts.to_owned())
            })
        };
        assert_eq!(
            first("navigation").as_deref(),
            Some("(3 elements below with \"Preferences\" \"Help\")")
        );
        assert_eq!(first("main").as_deref(), Some("(3 elements below)"));
    }
}

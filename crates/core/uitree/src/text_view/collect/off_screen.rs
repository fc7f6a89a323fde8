//! Counts the elements that a scroll container does not show.

use super::nodes::is_row;
use crate::refs::is_page_landmark;
use crate::text_view::line::text::{LabeledText, Limit};
use crate::{NodeId, Rect, Role, State, UiTree};

/// Maximum number of named headings on a side, and of characters of a name.
const MAX_HEADINGS: usize = 5;
const MAX_HEADING_LENGTH: usize = 24;

/// Number of elements beyond each edge of a scroll container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OffScreenCounts([usize; 4]);

/// The sides of a container, in the order of [`OffScreenCounts`].
const SIDES: [&str; 4] = ["above", "below", "on the left", "on the right"];
/// The index of the lower side.
const BELOW: usize = 1;

/// Names of headings, or of controls, on each side.
type Headings<'t> = [Vec<&'t str>; 4];

/// Maximum number of elements below the edge of a page that are shown.
const MAX_SHOWN: usize = 6;

impl UiTree {
    /// The elements of a container that are wholly beyond its edges, with their sides. Descendants of one do not count.
    fn elements_off_screen(&self, container: NodeId) -> Vec<(NodeId, usize)> {
        let Some(visible) = self.visible_bounds(container) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let last = self.node(container).end.0;
        let mut next = container.0 + 1;
        while next < last {
            let id = NodeId(next);
            let node = self.node(id);
            next += 1;
            let (Some(bounds), true) = (node.bounds, node.is(State::VISIBLE)) else {
                continue;
            };
            let is_shown = self.is_on_screen(id) || bounds.is_empty();
            if node.is(State::SCROLLABLE) {
                // It counts its own content.
                next = node.end.0;
            }
            let has_text = !node.text.is_empty() || !node.label.is_empty();
            if is_shown || !(is_row(node.role) || node.can_act() || has_text) {
                continue;
            }
            if let Some(side) = side_of(bounds, visible) {
                found.push((id, side));
                next = node.end.0;
            }
        }
        found
    }

    /// The side of its scroll container on which a node is off-screen: `above`, `below`, `on the left` or `on the right`.
    pub fn off_screen_side(&self, id: NodeId) -> Option<&'static str> {
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

    /// A copy in which the elements below the page's edge count as visible; `None` if there are none or more than `MAX_SHOWN`.
    pub fn with_end_of_page(&self) -> Option<UiTree> {
        let is_page = |id: &NodeId| self.node(*id).role == Role::WebView && self.is_on_screen(*id);
        let page = self.ids().find(is_page)?;
        let found = self.elements_off_screen(page).into_iter();
        let below = found.filter(|(_, side)| *side == BELOW);
        let below: Vec<NodeId> = below.map(|(id, _)| id).collect();
        if below.is_empty() || below.len() > MAX_SHOWN {
            return None;
        }
        let mut copy = self.clone();
        for id in below {
            let around = self.ancestors(id).take_while(|around| *around != page);
            let inside = match self.node(id).is(State::SCROLLABLE) {
                true => 1,
                false => usize::MAX,
            };
            for id in self.subtree(id).take(inside).chain(around) {
                let node = &copy.nodes[id.index()];
                let bounds = node.bounds.filter(|bounds| !bounds.is_empty());
                if node.is(State::VISIBLE) && copy.visible[id.index()].is_none() {
                    copy.visible[id.index()] = bounds;
                }
            }
        }
        Some(copy)
    }

    /// The entries beyond each edge of a list whose entries report their places, as those of Android's lists do, whichever of
    /// them are in the tree. A `ListView` does not report its size: nothing is known of those after the last.
    fn reported_off_screen(&self, container: NodeId) -> Option<(OffScreenCounts, &'static str)> {
        let text = |id: NodeId, name: &str| self.node(id).attribute(name);
        let number = |id: NodeId, name: &str| text(id, name)?.parse::<usize>().ok();
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let last = self.node(container).end.0;
        let mut next = container.0 + 1;
        text(container, "collection-rows")?;
        while next < last {
            let id = NodeId(next);
            next += 1;
            if self.is_on_screen(id) {
                rows.extend(number(id, "collection-row"));
                columns.extend(number(id, "collection-column"));
            }
            if text(id, "collection-rows").is_some() {
                // A list in the list numbers its own entries.
                next = self.node(id).end.0;
            }
        }
        let beyond = |places: &[usize], all: &str| {
            let (first, last) = (*places.iter().min()?, *places.iter().max()?);
            let after = match number(container, all) {
                Some(all) => all.checked_sub(last + 1)?,
                None => 0,
            };
            // Entries that all have the same place are numbered along the other axis.
            (first < last).then_some([first, after])
        };
        if let Some([above, below]) = beyond(&rows, "collection-rows") {
            return Some((OffScreenCounts([above, below, 0, 0]), "rows"));
        }
        let [left, right] = beyond(&columns, "collection-columns")?;
        Some((OffScreenCounts([0, 0, left, right]), "items"))
    }

    /// The number of elements beyond the edges of a scroll container: `3 rows above, 35 below`. `None` if there are none.
    pub(super) fn off_screen_counts(&self, container: NodeId) -> Option<String> {
        if let Some((counts, what)) = self.reported_off_screen(container) {
            return counts.summary(what, &Headings::default());
        }
        let (mut rows, mut others) = (OffScreenCounts::default(), OffScreenCounts::default());
        let mut headings = Headings::default();
        let mut controls = Headings::default();
        for (id, side) in self.elements_off_screen(container) {
            let node = self.node(id);
            match is_row(node.role) {
                true => rows.0[side] += 1,
                false => others.0[side] += 1,
            }
            if matches!(node.role, Role::Heading | Role::Title) && !node.text.is_empty() {
                headings[side].push(&*node.text);
            } else if node.can_act() && !node.text.is_empty() {
                controls[side].push(&*node.text);
            }
        }
        if self.is_in_page_frame(container) {
            // Its controls lead to other pages.
            let sides = headings.iter_mut().zip(controls);
            for (headings, controls) in sides.filter(|(headings, _)| headings.is_empty()) {
                *headings = controls;
            }
        }
        let [all_rows, all_others]: [usize; 2] = [&rows, &others].map(|count| count.0.iter().sum());
        if all_rows > all_others {
            return rows.summary("rows", &headings);
        }
        // Both are elements.
        let all = std::array::from_fn(|side| rows.0[side] + others.0[side]);
        OffScreenCounts(all).summary("elements", &headings)
    }

    /// Whether a node is in the header, footer, sidebar or navigation of a page.
    fn is_in_page_frame(&self, id: NodeId) -> bool {
        let mut around = std::iter::once(id).chain(self.ancestors(id));
        around.any(|around| is_page_landmark(self.node(around)))
    }
}

/// The side of a container on which the bounds wholly are.
const fn side_of(bounds: Rect, visible: Rect) -> Option<usize> {
    if bounds.top >= visible.bottom {
        Some(BELOW)
    } else if bounds.bottom <= visible.top {
        Some(0)
    } else if bounds.left >= visible.right {
        Some(3)
    } else if bounds.right <= visible.left {
        Some(2)
    } else {
        None
    }
}

impl OffScreenCounts {
    fn summary(self, what: &str, headings: &Headings<'_>) -> Option<String> {
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

/// The first headings of a side; an agent can scroll to them by name.
fn named(headings: &[&str]) -> String {
    let limit = Limit {
        characters: MAX_HEADING_LENGTH,
        tokens: MAX_HEADING_LENGTH,
    };
    let names = headings.iter().take(MAX_HEADINGS).map(|heading| {
        let mut name = LabeledText::text(heading);
        name.limit(limit);
        name.omit_count = true;
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
    use crate::text_view::compact;

    #[test]
    fn few_elements_below_the_edge_of_a_page_are_shown() {
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
    fn off_screen_rows_and_elements_are_counted() {
        let screen = "
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
            ";
        expect_test::expect![[r#"
            application
            webview scrollable (1 element above, 2 below with "Delivery and returns of"…)
            list scrollable (1 row above, 2 below)
             listitem "Two"
        "#]]
        .assert_eq(&compact(screen));
    }

    #[test]
    fn reported_size_of_a_list_is_counted() {
        let list = |size: &str, first: &str, second: &str| {
            let text = compact(&format!(
                "
            screen 100x100
            window application active
              list {size} scrollable [0,0][100,100]
                listitem \"One\" {first} clickable [0,0][50,50]
                  list @collection-rows=\"9\" @collection-columns=\"1\" [0,0][20,20]
                    text \"a\" @collection-row=\"7\" [0,0][20,20]
                listitem \"Two\" {second} clickable [50,50][100,100]
            "
            ));
            text.lines().nth(1).unwrap_or_default().trim().to_owned()
        };
        let thousand = "@collection-rows=\"1000\" @collection-columns=\"1\"";
        let place =
            |row, column| format!("@collection-row=\"{row}\" @collection-column=\"{column}\"");
        let counted = list(thousand, &place(3, 0), &place(4, 0));
        assert_eq!(counted, "list scrollable (3 rows above, 995 below)");
        assert_eq!(
            list(thousand, &place(998, 0), &place(999, 0)),
            "list scrollable (998 rows above)"
        );
        let unknown = "@collection-rows=\"-1\" @collection-columns=\"-1\"";
        let counted = list(unknown, &place(24, 0), &place(25, 0));
        assert_eq!(counted, "list scrollable (24 rows above)");
        // Old versions of Android give the place as the column.
        assert_eq!(
            list(thousand, &place(0, 3), &place(0, 4)),
            "list scrollable"
        );
        let carousel = "@collection-rows=\"1\" @collection-columns=\"12\"";
        let counted = list(carousel, &place(0, 0), &place(0, 1));
        assert_eq!(counted, "list scrollable (10 items on the right)");
    }

    #[test]
    fn off_screen_links_of_a_navigation_are_named() {
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

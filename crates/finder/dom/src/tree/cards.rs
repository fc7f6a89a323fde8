//! Finds cards: siblings that are built alike, each with words and a control. Pages often make them of plain elements, which are
//! no nodes of the screen, so that only this tells which controls belong together.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use uitree::{Card, Rect};

use super::roles::{self, NodeKind};
use super::visibility::is_seen;
use crate::{Dom, Element, ElementId, Facts};

/// The most controls of a card: a part of the page with more is a section.
const MAX_CONTROLS: u32 = 12;

/// The fewest letters of the words of a card: fewer are initials or a sign.
const MIN_LETTERS: usize = 3;

/// How much the widths or heights of the cards of a series differ at most, in pixels.
const TOLERANCE: i32 = 2;

/// What is inside of an element.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    controls: u32,
    /// Whether it has words outside of controls.
    has_words: bool,
    /// The tags that lead to its first text; 0 if it has none.
    first_text: u64,
}

/// The cards of a page by the nodes of its elements.
pub(super) fn cards(dom: &Dom, elements: &[ElementId]) -> Vec<Card> {
    let mut nodes: Vec<(ElementId, u32)> = elements.iter().copied().zip(0..).collect();
    nodes.sort_unstable();
    let mut cards = Vec::new();
    for (series, (kind, members)) in (0..).zip(series(dom)) {
        let nodes = members
            .iter()
            .filter_map(|id| nodes_within(dom, *id, &nodes));
        cards.extend(nodes.map(|nodes| Card {
            series,
            kind,
            nodes,
        }));
    }
    cards
}

/// The nodes of what is inside of an element; `None` if there is none, or if others are between them.
fn nodes_within(dom: &Dom, id: ElementId, nodes: &[(ElementId, u32)]) -> Option<Range<u32>> {
    let end = dom.element(id).end;
    let begin = nodes.partition_point(|(element, _)| *element < id);
    let count = nodes[begin..].partition_point(|(element, _)| *element < end);
    let inside = || nodes[begin..begin + count].iter().map(|(_, node)| *node);
    let (first, last) = (inside().min()?, inside().max()?);
    let follow_each_other = (last - first) as usize + 1 == count;
    follow_each_other.then_some(first..last + 1)
}

/// The members of each series, and what they are built of.
fn series(dom: &Dom) -> Vec<(u64, Vec<ElementId>)> {
    let content = contents(dom);
    let mut series = Vec::new();
    for parent in dom.ids() {
        let inside = &content[parent.index()];
        if inside.controls < 2 || !inside.has_words {
            continue;
        }
        let mut by_kind: HashMap<u64, Vec<ElementId>> = HashMap::new();
        for id in dom.children(parent) {
            if let Some(kind) = kind(dom.element(id), &content[id.index()]) {
                by_kind.entry(kind).or_default().push(id);
            }
        }
        let mut alike: Vec<(u64, Vec<ElementId>)> = by_kind.into_iter().collect();
        alike.retain(|(_, members)| members.len() > 1 && are_equal_in_size(dom, members));
        alike.sort_unstable_by_key(|(_, members)| members[0]);
        series.extend(alike);
    }
    series
}

/// What is inside of each element.
fn contents(dom: &Dom) -> Vec<Content> {
    let mut contents = vec![Content::default(); dom.elements().len()];
    for id in dom.ids().rev() {
        let element = dom.element(id);
        let own = &mut contents[id.index()];
        let (_, node_kind) = roles::role(element);
        let is_control = matches!(node_kind, NodeKind::Control | NodeKind::Field);
        let is_clicked =
            is_control || element.is(Facts::POINTER) && !is_pointed_at(dom, element.parent);
        let is_text = is_seen(element) && !element.text.trim().is_empty();
        if is_seen(element) && (is_control || is_clicked && own.controls == 0) {
            own.controls += 1;
        }
        own.has_words |= is_text && has_words(&element.text);
        if is_text {
            own.first_text = 1;
        }
        let inside = *own;
        let Some(parent) = element.parent else {
            continue;
        };
        let around = &mut contents[parent.index()];
        around.controls += inside.controls;
        around.has_words |= inside.has_words && !is_control;
        // Later children have been visited before.
        if inside.first_text != 0 {
            around.first_text = hash((&element.tag, inside.first_text));
        }
    }
    contents
}

fn is_pointed_at(dom: &Dom, parent: Option<ElementId>) -> bool {
    parent.is_some_and(|parent| dom.element(parent).is(Facts::POINTER))
}

/// What an element is built of, if it may be a card; `None` for rows of lists and tables, which are nodes of the screen.
fn kind(element: &Element, content: &Content) -> Option<u64> {
    let (_, node_kind) = roles::role(element);
    let is_plain = matches!(node_kind, NodeKind::Generic | NodeKind::Group);
    let has_content = content.has_words && (1..=MAX_CONTROLS).contains(&content.controls);
    let is_card = is_plain && has_content && is_seen(element) && !element.is(Facts::INLINE);
    is_card.then(|| hash((&element.tag, element.classes().next(), content.first_text)))
}

/// Whether all of these have the same width, or all the same height.
fn are_equal_in_size(dom: &Dom, members: &[ElementId]) -> bool {
    let bounds = || {
        members
            .iter()
            .map(|id| dom.element(*id).bounds.unwrap_or_default())
    };
    let differ = |side: fn(&Rect) -> i32| {
        let sides = || bounds().map(|bounds| side(&bounds));
        let range = sides().max().zip(sides().min());
        range.is_none_or(|(most, least)| most - least > TOLERANCE)
    };
    !differ(|bounds| bounds.width()) || !differ(|bounds| bounds.height())
}

fn has_words(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphabetic()).count() >= MIN_LETTERS
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish().max(2)
}

#[cfg(test)]
mod tests {
    use uitree::Rect;

    use super::cards;
    use crate::{Dom, DomBuilder, ElementId, ElementSpec, Facts, Viewport};

    /// A page in which each part is at its depth, with its tag, class and text, and has this width.
    fn page(parts: &[(usize, &str, &str, &str, i32)]) -> Dom {
        let mut page = DomBuilder::new(Viewport::default(), "https://a.test/", "");
        let mut open = 0;
        for (top, (depth, tag, class, text, width)) in (0..).step_by(10).zip(parts) {
            for _ in *depth..open {
                page.close();
            }
            open = depth + 1;
            let role = match *tag {
                "button" => "button",
                "li" => "listitem",
                _ => "generic",
            };
            page.open(ElementSpec {
                tag: (*tag).into(),
                attributes: vec![("class".into(), (*class).into())],
                text: (*text).into(),
                role: role.into(),
                bounds: Some(Rect::new(0, top, *width, top + 10)),
                facts: Facts::VISIBLE,
                ..ElementSpec::default()
            });
        }
        for _ in 0..open {
            page.close();
        }
        page.finish()
    }

    /// The first texts of the cards of a page on which each element is a node.
    fn first_texts(dom: &Dom) -> Vec<String> {
        let elements: Vec<ElementId> = dom.ids().collect();
        let found = cards(dom, &elements);
        let texts = found.iter().map(|card| {
            let mut inside = card
                .nodes
                .clone()
                .map(|at| &dom.elements()[at as usize].text);
            inside.find(|text| !text.is_empty()).unwrap().to_string()
        });
        texts.collect()
    }

    #[test]
    fn siblings_that_are_built_alike_are_cards() {
        let card = |name: &'static str| {
            [
                (2, "div", "card", "", 90),
                (3, "div", "head", "", 90),
                (4, "div", "name", name, 90),
                (4, "button", "", "Follow", 40),
            ]
        };
        let mut parts = vec![(0, "html", "", "", 90), (1, "div", "grid", "", 90)];
        parts.extend(["Google", "Meta"].into_iter().flat_map(card));
        // Without a control.
        parts.extend([(2, "div", "card", "", 90), (3, "div", "name", "Advert", 90)]);
        assert_eq!(first_texts(&page(&parts)), ["Google", "Meta"]);
    }

    #[test]
    fn columns_of_other_sizes_and_rows_of_lists_are_no_cards() {
        let columns = [
            (0, "html", "", "", 90),
            (1, "div", "column", "", 20),
            (2, "p", "", "Folders", 20),
            (2, "button", "", "New", 20),
            (1, "div", "column", "", 70),
            (2, "p", "", "Letters", 70),
            (2, "button", "", "Write", 20),
        ];
        let mut page_of_columns = page(&columns);
        page_of_columns.elements[4].bounds = Some(Rect::new(20, 10, 90, 60));
        assert_eq!(first_texts(&page_of_columns), <[&str; 0]>::default());
        let rows = [
            (0, "html", "", "", 90),
            (1, "li", "row", "", 90),
            (2, "p", "", "Apples", 20),
            (2, "button", "", "Buy", 20),
            (1, "li", "row", "", 90),
            (2, "p", "", "Pears", 70),
            (2, "button", "", "Buy", 20),
        ];
        assert_eq!(first_texts(&page(&rows)), <[&str; 0]>::default());
    }
}

//! Cards: adjacent parts of a screen with equal structure that are no rows of a list, such as the cards of a grid.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::NodeId;

/// A card, with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The number of its series: cards with equal structure and one parent.
    pub series: u32,
    /// Hash of the structure of its series, which is the same on later screens.
    pub kind: u64,
    /// The positions of its nodes in document order.
    pub nodes: Range<u32>,
}

/// The cards of a screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    /// In document order; a card comes before the cards in it.
    cards: Vec<Card>,
    /// The innermost card of each node, counted from 1; 0 for none.
    of_node: Vec<u32>,
    /// Number of cards of each series.
    in_series: HashMap<u32, usize>,
}

impl Cards {
    /// The cards of a screen of this many nodes. One with nodes that do not exist, or that partly overlaps another, is dropped.
    pub(crate) fn new(mut cards: Vec<Card>, nodes: usize) -> Self {
        cards.sort_by_key(|card| (card.nodes.start, Reverse(card.nodes.end)));
        let mut known = Self {
            of_node: vec![0; if cards.is_empty() { 0 } else { nodes }],
            ..Self::default()
        };
        for card in cards {
            let nodes = card.nodes.start as usize..card.nodes.end as usize;
            let around = known.of_node.get(nodes.start).copied();
            let slots = known.of_node.get_mut(nodes);
            let Some(slots) = slots.filter(|slots| !slots.is_empty()) else {
                continue;
            };
            if slots.iter().all(|slot| Some(*slot) == around) {
                slots.fill(known.cards.len() as u32 + 1);
                *known.in_series.entry(card.series).or_default() += 1;
                known.cards.push(card);
            }
        }
        known
    }

    /// The innermost card that a node is in.
    pub(crate) fn of_node(&self, id: NodeId) -> Option<&Card> {
        let number = *self.of_node.get(id.index())?;
        self.cards.get((number as usize).checked_sub(1)?)
    }

    /// The outermost card that begins at a node and is a proper part of `nodes`.
    pub(crate) fn at(&self, id: NodeId, nodes: &Range<u32>) -> Option<&Card> {
        let first = self.cards.partition_point(|card| card.nodes.start < id.0);
        let mut at = self.cards[first..]
            .iter()
            .take_while(|card| card.nodes.start == id.0);
        at.find(|card| card.nodes.end <= nodes.end && card.nodes != *nodes)
    }

    /// Number of cards of a series.
    pub(crate) fn in_series(&self, series: u32) -> usize {
        self.in_series.get(&series).copied().unwrap_or(0)
    }
}

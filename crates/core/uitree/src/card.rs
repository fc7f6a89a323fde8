//! Cards: parts of a screen that repeat beside each other without being rows of a list, such as the cards of a grid.

use std::collections::HashMap;
use std::ops::Range;

use crate::{NodeId, UiTree};

/// A card, with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The number of its series: cards that are built alike and have one parent.
    pub series: u32,
    /// What its series is built of: the same on later screens.
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
    /// How many cards each series has.
    in_series: HashMap<u32, usize>,
}

impl UiTree {
    /// The screen with these cards. One that begins outside of the screen, or inside of another one and ends after it, is dropped.
    #[must_use]
    pub fn with_cards(mut self, mut cards: Vec<Card>) -> Self {
        cards.sort_by_key(|card| (card.nodes.start, std::cmp::Reverse(card.nodes.end)));
        let mut of_node = vec![0; if cards.is_empty() { 0 } else { self.len() }];
        let mut known: Vec<Card> = Vec::with_capacity(cards.len());
        let mut in_series: HashMap<u32, usize> = HashMap::new();
        for card in cards {
            let nodes = card.nodes.start as usize..card.nodes.end as usize;
            let around = of_node.get(nodes.start).copied();
            let Some(slots) = of_node.get_mut(nodes).filter(|slots| !slots.is_empty()) else {
                continue;
            };
            if slots.iter().all(|slot| Some(*slot) == around) {
                *in_series.entry(card.series).or_default() += 1;
                known.push(card);
                slots.fill(known.len() as u32);
            }
        }
        self.cards = Cards {
            cards: known,
            of_node,
            in_series,
        };
        self
    }

    /// The innermost card that a node is in.
    pub(crate) fn card_of(&self, id: NodeId) -> Option<&Card> {
        let number = *self.cards.of_node.get(id.index())?;
        self.cards.cards.get((number as usize).checked_sub(1)?)
    }

    /// The outermost of the cards that begin at a node and are only a part of `nodes`.
    pub(crate) fn card_at(&self, id: NodeId, nodes: &Range<u32>) -> Option<&Card> {
        let cards = &self.cards.cards;
        let first = cards.partition_point(|card| card.nodes.start < id.0);
        let mut at = cards[first..]
            .iter()
            .take_while(|card| card.nodes.start == id.0);
        at.find(|card| card.nodes.end <= nodes.end && card.nodes != *nodes)
    }

    /// How many cards a series has.
    pub(crate) fn cards_in_series(&self, series: u32) -> usize {
        self.cards.in_series.get(&series).copied().unwrap_or(0)
    }
}

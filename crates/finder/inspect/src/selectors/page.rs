//! CSS selectors for the elements of a page.

use std::collections::HashMap;

use dom::{Dom, ElementId, ScopeKind};

use crate::data::word_lists;

use super::classes::is_generic;
use super::css::{Combinator, Complex, Compound, SimpleSelector};
use super::feature::{Feature, features, stable_classes};
use super::matching::Index;
use super::path;
use super::row;
use super::selector::{GENERATED, Link, Selector, SelectorForm, StabilityFilter, Strategy, rank};

/// Maximum number of ancestors that are tried as anchors.
const MAX_ANCESTORS: usize = 24;

/// Maximum number of anchors that are combined with features.
const MAX_ANCHORS: usize = 6;

/// Maximum number of features that are combined.
const MAX_COMBINED: usize = 8;

/// Stability lost by a second condition.
const PAIR_PENALTY: u8 = 5;

/// Stability lost by depending on another element.
const ANCHOR_PENALTY: u8 = 10;

/// Stability of a unique tag.
const TAG_STABILITY: u8 = 50;

/// Stability of a unique custom tag.
const CUSTOM_TAG_STABILITY: u8 = 80;

/// Stability of unique classes.
const CLASSES_STABILITY: u8 = 75;

/// Stability of common classes.
const GENERIC_CLASS_STABILITY: u8 = 55;

/// Stability of a tag with classes.
const TAG_CLASS_STABILITY: u8 = 60;

/// Stability from which rows are not tried.
const MIN_STABLE: u8 = 70;

/// Stability of a position among siblings.
const POSITION_STABILITY: u8 = 30;

/// Names the elements of one page.
///
/// The same page gives the same selectors. Work is bounded by counts, not by time.
pub struct PageNames<'d> {
    pub(crate) dom: &'d Dom,
    pub(crate) index: Index<'d>,
    /// Best anchor of each element.
    anchors: HashMap<ElementId, Option<Feature>>,
    /// Selectors of frames and shadow hosts.
    hosts: HashMap<ElementId, (String, u8)>,
}

impl<'d> PageNames<'d> {
    /// Prepares a page.
    pub fn new(dom: &'d Dom) -> Self {
        Self {
            dom,
            index: Index::new(dom),
            anchors: HashMap::new(),
            hosts: HashMap::new(),
        }
    }

    /// Selectors of an element, the most stable first, at most `limit`. Each matches only this element, and none is
    /// redundant.
    pub fn selectors(
        &mut self,
        id: ElementId,
        filter: StabilityFilter,
        limit: usize,
    ) -> Vec<Selector> {
        let mut found = self.in_scope(id, filter);
        let chain = self.chain(id);
        let weakest = chain.iter().map(|(_, stability)| *stability).min();
        let links: Vec<Link> = chain.into_iter().map(|(link, _)| link).collect();
        if !links.is_empty() {
            for selector in &mut found {
                if let SelectorForm::Css { chain, .. } = &mut selector.how {
                    chain.clone_from(&links);
                }
                if let Some(weakest) = weakest.filter(|weakest| *weakest < selector.stability) {
                    selector.stability = weakest;
                    selector.why =
                        Some("the path to its frame or shadow tree is no more stable".into());
                }
            }
        }
        rank(&mut found, filter, limit);
        found
    }

    /// Frames and hosts around an element, with the stability of their selectors.
    fn chain(&mut self, id: ElementId) -> Vec<(Link, u8)> {
        let dom = self.dom;
        let mut chain: Vec<(Link, u8)> = Vec::new();
        let mut scopes = vec![dom.element(id).scope];
        let hosts = dom.chain(id);
        scopes.extend(hosts.iter().rev().map(|host| dom.element(*host).scope));
        // The content of the last host is the scope.
        for (host, scope) in hosts.iter().rev().zip(&scopes) {
            let (css, stability) = self.host(*host);
            let into = dom.scope(*scope).kind;
            chain.push((Link { into, css }, stability));
        }
        chain.reverse();
        chain
    }

    /// Best selector of a frame or shadow host in its own tree.
    fn host(&mut self, host: ElementId) -> (String, u8) {
        if let Some(known) = self.hosts.get(&host) {
            return known.clone();
        }
        let mut found = self.in_scope(host, StabilityFilter::Any);
        rank(&mut found, StabilityFilter::Any, 1);
        let best = found.into_iter().next().and_then(|best| match best.how {
            SelectorForm::Css { css, .. } => Some((css, best.stability)),
            SelectorForm::Matcher { .. } | SelectorForm::Point(_) => None,
        });
        let best = best.unwrap_or_default();
        self.hosts.insert(host, best.clone());
        best
    }

    /// Selectors that match only the element in its own tree.
    fn in_scope(&mut self, id: ElementId, filter: StabilityFilter) -> Vec<Selector> {
        let features = features(self.dom, &self.index, id);
        let mut found: Vec<Selector> = Vec::new();
        let mut shared: Vec<Feature> = Vec::new();
        for feature in features {
            let selector = feature.compound().alone();
            if self.index.is_unique(id, &selector) {
                found.push(feature.selector(&selector));
            } else {
                shared.push(feature);
            }
        }
        if filter == StabilityFilter::Strict {
            return found;
        }
        self.by_classes(id, &mut found, &mut shared);
        let tag = self.tag(id);
        let alone = Compound::new([tag.clone()]).alone();
        let tag_stability = if self.dom.element(id).tag.contains('-') {
            CUSTOM_TAG_STABILITY
        } else {
            TAG_STABILITY
        };
        let by_tag = Feature::new([tag], Strategy::Tag, tag_stability);
        if self.index.is_unique(id, &alone) {
            found.push(by_tag.selector(&alone));
        } else {
            shared.push(by_tag);
        }
        shared.sort_by_key(|feature| std::cmp::Reverse(feature.stability));
        shared.truncate(MAX_COMBINED);
        found.extend(self.pair(id, &shared));
        found.extend(self.scoped(id, &shared));
        // If only the position is left, the row identifies it.
        if found.iter().all(|selector| selector.stability < MIN_STABLE) {
            found.extend(row::selector_to(self, id, &shared));
            found.extend(row::by_holder(self, id, &shared));
        }
        found.extend(self.position(id));
        found
    }

    /// Unique classes, alone or with the tag. Others are left for combinations.
    fn by_classes(&self, id: ElementId, found: &mut Vec<Selector>, shared: &mut Vec<Feature>) {
        let mut classes = stable_classes(self.dom.element(id));
        if classes.is_empty() {
            return;
        }
        // Common classes come last.
        classes.sort_by_key(|class| is_generic(class));
        let class = |class: &&str| SimpleSelector::Class((*class).to_owned());
        let sets = sets_of(&classes);
        let unique = |pieces: &[SimpleSelector]| {
            self.index
                .is_unique(id, &Compound::new(pieces.iter().cloned()).alone())
        };
        for (tag, strategy, stability) in [
            (None, Strategy::Classes, CLASSES_STABILITY),
            (Some(self.tag(id)), Strategy::TagClass, TAG_CLASS_STABILITY),
        ] {
            for set in &sets {
                let pieces: Vec<SimpleSelector> =
                    tag.iter().cloned().chain(set.iter().map(class)).collect();
                if unique(&pieces) {
                    let mut feature = Feature::new(pieces, strategy, stability);
                    if set.iter().all(|class| is_generic(class)) {
                        feature.stability = stability.min(GENERIC_CLASS_STABILITY);
                        feature.why = Some("a class like this may be given to other elements, too");
                    }
                    found.push(feature.selector(&feature.compound().alone()));
                    return;
                }
            }
        }
        let first = classes.iter().take(1).map(class);
        let one: Vec<SimpleSelector> = first.chain([self.tag(id)]).collect();
        shared.push(Feature::new(one, Strategy::TagClass, TAG_CLASS_STABILITY));
        if classes.len() > 1 {
            let all = classes.iter().map(class).chain([self.tag(id)]);
            shared.push(Feature::new(
                all,
                Strategy::TagClass,
                TAG_CLASS_STABILITY - 1,
            ));
        }
    }

    /// Best unique pair of features.
    fn pair(&self, id: ElementId, shared: &[Feature]) -> Option<Selector> {
        let mut best: Option<Selector> = None;
        for (at, one) in shared.iter().enumerate() {
            for other in shared.iter().skip(at + 1) {
                let weaker = one
                    .stability
                    .min(other.stability)
                    .saturating_sub(PAIR_PENALTY);
                if best.as_ref().is_some_and(|best| best.stability >= weaker) {
                    continue;
                }
                let both = one.with(other);
                let selector = both.compound().alone();
                if self.index.is_unique(id, &selector) {
                    best = Some(
                        Feature {
                            stability: weaker,
                            ..both
                        }
                        .selector(&selector),
                    );
                }
            }
        }
        best
    }

    /// The two best selectors inside a stable ancestor.
    fn scoped(&mut self, id: ElementId, shared: &[Feature]) -> Vec<Selector> {
        let ancestors: Vec<ElementId> = self.index.within_scope(id).take(MAX_ANCESTORS).collect();
        let mut anchors: Vec<(ElementId, Feature)> = Vec::new();
        for ancestor in ancestors {
            if let Some(anchor) = self.anchor(ancestor) {
                anchors.push((ancestor, anchor));
                if anchors.len() == MAX_ANCHORS {
                    break;
                }
            }
        }
        let mut found: Vec<(u8, usize, Selector)> = Vec::new();
        for (at, (ancestor, anchor)) in anchors.iter().enumerate() {
            let mut best: Option<Selector> = None;
            for inner in shared {
                let weaker = inner
                    .stability
                    .min(anchor.stability)
                    .saturating_sub(ANCHOR_PENALTY);
                if best.as_ref().is_some_and(|best| best.stability >= weaker) {
                    continue;
                }
                let subject = inner.compound();
                // The anchor is unique, so that its content is unambiguous.
                if self.index.is_unique_in(id, *ancestor, &subject) {
                    let selector = Complex {
                        ancestors: vec![(anchor.compound(), Combinator::Around)],
                        subject,
                    };
                    let feature = Feature {
                        strategy: Strategy::Scoped,
                        stability: weaker,
                        why: inner.why.or(anchor.why),
                        pieces: Vec::new(),
                    };
                    best = Some(feature.selector(&selector));
                }
            }
            found.extend(best.map(|best| (best.stability, at, best)));
        }
        found.sort_by_key(|(stability, at, _)| (std::cmp::Reverse(*stability), *at));
        found
            .into_iter()
            .take(2)
            .map(|(_, _, selector)| selector)
            .collect()
    }

    /// Most stable unique feature of an ancestor.
    pub(crate) fn anchor(&mut self, id: ElementId) -> Option<Feature> {
        if let Some(known) = self.anchors.get(&id) {
            return known.clone();
        }
        let mut candidates = features(self.dom, &self.index, id);
        candidates.retain(|feature| feature.stability > GENERATED);
        candidates.sort_by_key(|feature| std::cmp::Reverse(feature.stability));
        let unique = |feature: &Feature| self.index.is_unique(id, &feature.compound().alone());
        let mut anchor = candidates.into_iter().find(|feature| unique(feature));
        if anchor
            .as_ref()
            .is_none_or(|anchor| anchor.stability < CLASSES_STABILITY)
        {
            let classes = stable_classes(self.dom.element(id));
            let by_class = sets_of(&classes)
                .into_iter()
                .take(MAX_COMBINED)
                .find_map(|set| {
                    let pieces = set
                        .iter()
                        .map(|class| SimpleSelector::Class((*class).to_owned()));
                    let generic = set.iter().all(|class| is_generic(class));
                    let worth = if generic {
                        GENERIC_CLASS_STABILITY
                    } else {
                        CLASSES_STABILITY
                    };
                    let feature = Feature::new(pieces, Strategy::Classes, worth);
                    unique(&feature).then_some(feature)
                });
            anchor = by_class.or(anchor);
        }
        if anchor.is_none() && is_landmark(&self.dom.element(id).tag) {
            let feature = Feature::new([self.tag(id)], Strategy::Tag, TAG_CLASS_STABILITY);
            anchor = Some(feature).filter(unique);
        }
        self.anchors.insert(id, anchor.clone());
        anchor
    }

    /// Position among siblings.
    fn position(&mut self, id: ElementId) -> Option<Selector> {
        let selector = path::selector_to(self, id)?;
        let feature = Feature {
            pieces: Vec::new(),
            strategy: Strategy::Position,
            stability: POSITION_STABILITY,
            why: None,
        };
        Some(feature.selector(&selector))
    }

    /// The tag in CSS.
    pub(crate) fn tag(&self, id: ElementId) -> SimpleSelector {
        SimpleSelector::Tag(super::feature::tag_in_css(self.dom, id))
    }

    /// Whether the element is in a shadow tree.
    pub(crate) fn is_in_shadow(&self, id: ElementId) -> bool {
        match self.dom.scope(self.dom.element(id).scope).kind {
            ScopeKind::Document => false,
            ScopeKind::OpenShadow | ScopeKind::ClosedShadow => true,
        }
    }
}

word_lists! {
    /// Whether elements with this tag structure a page.
    fn is_landmark = "landmark_tags";
}

/// Sets of one, two and three classes, in document order.
fn sets_of<'c>(classes: &[&'c str]) -> Vec<Vec<&'c str>> {
    let mut sets: Vec<Vec<&str>> = classes.iter().map(|class| vec![*class]).collect();
    let rest = |at: usize| classes.iter().skip(at + 1);
    for (at, one) in classes.iter().enumerate() {
        sets.extend(rest(at).map(|other| vec![*one, *other]));
    }
    for (at, one) in classes.iter().enumerate() {
        for (next, other) in classes.iter().enumerate().skip(at + 1) {
            sets.extend(rest(next).map(|third| vec![*one, *other, *third]));
        }
    }
    sets
}

//! Counts matches of selectors on a page, without a browser.

use std::borrow::Cow;
use std::collections::HashMap;

use dom::{Dom, Element, ElementId, ScopeId};

use super::css::{Combinator, Complex, Compound, SimpleSelector};

/// Elements by word.
type Postings<'d> = HashMap<Cow<'d, str>, Vec<ElementId>>;

/// Look-up tables of one scope.
#[derive(Default)]
struct Lists<'d> {
    ids: Postings<'d>,
    classes: Postings<'d>,
    tags: Postings<'d>,
    attributes: Postings<'d>,
    all: Vec<ElementId>,
}

/// Look-up tables of a page.
///
/// Ids and classes are compared without case, as in quirks mode. A unique selector is then unique in any mode.
pub(crate) struct Index<'d> {
    dom: &'d Dom,
    scopes: Vec<Lists<'d>>,
}

impl<'d> Index<'d> {
    pub(crate) fn new(dom: &'d Dom) -> Self {
        let mut scopes: Vec<Lists<'d>> = Vec::new();
        scopes.resize_with(dom.scopes().len(), Lists::default);
        for id in dom.ids() {
            let element = dom.element(id);
            let Some(lists) = scopes.get_mut(element.scope.index()) else {
                continue;
            };
            lists.all.push(id);
            post(&mut lists.tags, Cow::Borrowed(&element.tag), id);
            for class in element.classes() {
                post(&mut lists.classes, lower(class), id);
            }
            for (name, value) in &element.attributes {
                post(&mut lists.attributes, Cow::Borrowed(name), id);
                if &**name == "id" {
                    post(&mut lists.ids, lower(value), id);
                }
            }
        }
        Self { dom, scopes }
    }

    /// Whether `selector` matches only `id` in its scope.
    pub(crate) fn is_unique(&self, id: ElementId, selector: &Complex) -> bool {
        let scope = self.dom.element(id).scope;
        let mut hits = self
            .candidates(scope, &selector.subject)
            .iter()
            .copied()
            .filter(|id| self.matches(*id, selector));
        hits.next() == Some(id) && hits.next().is_none()
    }

    /// Whether `compound` matches only `id` inside `around` in the same scope.
    pub(crate) fn is_unique_in(
        &self,
        id: ElementId,
        around: ElementId,
        compound: &Compound,
    ) -> bool {
        let candidates = self.candidates(self.dom.element(id).scope, compound);
        let from = candidates.partition_point(|other| *other <= around);
        let mut hits = candidates
            .get(from..)
            .unwrap_or_default()
            .iter()
            .copied()
            .take_while(|other| self.dom.contains(around, *other))
            .filter(|other| self.fits(*other, compound));
        hits.next() == Some(id) && hits.next().is_none()
    }

    /// Whether `compound` matches inside `around` and nowhere else.
    pub(crate) fn is_only_in(&self, around: ElementId, compound: &Compound) -> bool {
        let mut hits = self
            .candidates(self.dom.element(around).scope, compound)
            .iter()
            .copied()
            .filter(|other| self.fits(*other, compound))
            .peekable();
        hits.peek().is_some()
            && hits.all(|other| other != around && self.dom.contains(around, other))
    }

    /// Number of elements of `scope` with this id.
    pub(crate) fn count_id(&self, scope: ScopeId, id: &str) -> usize {
        self.postings(scope, |lists| lists.ids.get(&*lower(id)))
            .len()
    }

    /// Elements of a scope with an attribute.
    pub(crate) fn with_attribute(&self, scope: ScopeId, name: &str) -> &[ElementId] {
        self.postings(scope, |lists| lists.attributes.get(name))
    }

    fn postings<'s>(
        &'s self,
        scope: ScopeId,
        list: impl FnOnce(&'s Lists<'d>) -> Option<&'s Vec<ElementId>>,
    ) -> &'s [ElementId] {
        self.scopes
            .get(scope.index())
            .and_then(list)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// The shortest list that contains all matches of `compound`.
    fn candidates(&self, scope: ScopeId, compound: &Compound) -> &[ElementId] {
        let list = |piece: &SimpleSelector| {
            self.postings(scope, |lists| match piece {
                SimpleSelector::Id(id) => lists.ids.get(&*lower(id)),
                SimpleSelector::Class(class) => lists.classes.get(&*lower(class)),
                SimpleSelector::Tag(tag) => lists.tags.get(&*lower(tag)),
                SimpleSelector::Attribute(name, _) | SimpleSelector::Prefix(name, _) => {
                    lists.attributes.get(name.as_str())
                }
                SimpleSelector::Nth(_) | SimpleSelector::Has(_) | SimpleSelector::TopOfShadow => {
                    Some(&lists.all)
                }
            })
        };
        compound
            .0
            .iter()
            .map(list)
            .min_by_key(|list| list.len())
            .unwrap_or_else(|| self.postings(scope, |lists| Some(&lists.all)))
    }

    fn matches(&self, id: ElementId, selector: &Complex) -> bool {
        self.fits(id, &selector.subject) && self.is_within(id, &selector.ancestors)
    }

    /// Whether the ancestors of `id` match. Tries every ancestor, as CSS does.
    fn is_within(&self, id: ElementId, around: &[(Compound, Combinator)]) -> bool {
        let Some(((compound, combinator), outer)) = around.split_last() else {
            return true;
        };
        let mut ancestors = self.within_scope(id);
        match combinator {
            Combinator::Parent => ancestors
                .next()
                .is_some_and(|parent| self.fits(parent, compound) && self.is_within(parent, outer)),
            Combinator::Around => ancestors
                .any(|ancestor| self.fits(ancestor, compound) && self.is_within(ancestor, outer)),
        }
    }

    /// Ancestors in the same scope, the nearest first.
    pub(crate) fn within_scope(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        let scope = self.dom.element(id).scope;
        self.dom
            .ancestors(id)
            .take_while(move |ancestor| self.dom.element(*ancestor).scope == scope)
    }

    /// Whether `compound` matches `id`.
    pub(crate) fn fits(&self, id: ElementId, compound: &Compound) -> bool {
        let element = self.dom.element(id);
        compound.0.iter().all(|piece| match piece {
            SimpleSelector::Tag(tag) => element.tag.eq_ignore_ascii_case(tag),
            SimpleSelector::Id(wanted) => element.id().eq_ignore_ascii_case(wanted),
            SimpleSelector::Class(wanted) => element
                .classes()
                .any(|class| class.eq_ignore_ascii_case(wanted)),
            SimpleSelector::Attribute(name, wanted) => element
                .attribute(name)
                .is_some_and(|value| equal(name, value, wanted)),
            SimpleSelector::Prefix(name, wanted) => element
                .attribute(name)
                .is_some_and(|value| value.starts_with(wanted.as_str())),
            SimpleSelector::Nth(place) => element.position == *place,
            SimpleSelector::Has(inside) => {
                self.candidates(element.scope, inside).iter().any(|other| {
                    *other != id && self.dom.contains(id, *other) && self.fits(*other, inside)
                })
            }
            SimpleSelector::TopOfShadow => self.is_top(element),
        })
    }

    /// Whether the element is a child of the root of its scope.
    fn is_top(&self, element: &Element) -> bool {
        element
            .parent
            .is_none_or(|parent| self.dom.element(parent).scope != element.scope)
    }
}

fn post<'d>(lists: &mut Postings<'d>, word: Cow<'d, str>, id: ElementId) {
    let list = lists.entry(word).or_default();
    // A class attribute may repeat a class.
    if list.last() != Some(&id) {
        list.push(id);
    }
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// Values of `type` ignore case.
fn equal(name: &str, value: &str, wanted: &str) -> bool {
    if name == "type" {
        value.eq_ignore_ascii_case(wanted)
    } else {
        value == wanted
    }
}

//! One walk through a page: which elements become nodes and what is written in them. The nodes hang where they lie in the
//! document; [`plant`](super::plant) makes the screen of them.

use uitree::{Rect, Role};

use super::flat::{Slots, Step};
use super::judge::{Judge, Verdict, is_seen};
use super::roles::Part;
use super::words::{readable, same};
use crate::{Dom, ElementId, Facts};

/// A node to be.
#[derive(Debug)]
pub(super) struct Sprout {
    pub(super) element: ElementId,
    /// Where it hangs, among the sprouts; `None` for the root of the page.
    pub(super) parent: Option<usize>,
    /// What is known of its element; `None` for words that have no element to themselves.
    pub(super) verdict: Option<Verdict>,
    /// The words of a sprout that is nothing else, and those that were folded into it.
    pub(super) text: String,
    /// Where the words of a sprout without an element stand.
    pub(super) bounds: Option<Rect>,
    /// It went into what holds it.
    pub(super) gone: bool,
    /// It took the place of a heading that held nothing else.
    pub(super) heading: Option<ElementId>,
    /// Words that are written in the label of a control.
    pub(super) label: bool,
    /// Its name only repeats the words that are in it.
    pub(super) unnamed: bool,
}

/// What a walk has found.
pub(super) struct Growth {
    pub(super) sprouts: Vec<Sprout>,
    /// For each element the sprout that stands for it.
    pub(super) of: Vec<Option<usize>>,
}

/// Words in one line of text, gathered until something ends it.
#[derive(Default)]
struct Line {
    text: String,
    bounds: Option<Rect>,
    /// The innermost element that holds all of it.
    owner: Option<ElementId>,
    /// The elements whose words it has.
    elements: Vec<ElementId>,
    /// Whether some of its words are not in the label of a control.
    beside_label: bool,
}

/// An element whose end the walk has not reached.
struct Open {
    /// Its sprout, when it has one.
    sprout: Option<usize>,
    /// Whether lines end before and after it.
    block: bool,
    in_control: bool,
    /// Whether it lies in the label of a control.
    in_label: bool,
}

struct Walk<'d> {
    dom: &'d Dom,
    judge: Judge<'d>,
    growth: Growth,
    open: Vec<Open>,
    line: Line,
}

pub(super) fn grow(dom: &Dom, keep: &[ElementId]) -> Growth {
    let count = dom.elements().len();
    let mut walk = Walk {
        dom,
        judge: Judge::new(dom, keep),
        growth: Growth {
            sprouts: Vec::with_capacity(count / 2),
            of: vec![None; count],
        },
        open: Vec::new(),
        line: Line::default(),
    };
    let slots = Slots::new(dom);
    let mut next: Vec<Step> = dom.get(0).map(Step::Enter).into_iter().collect();
    while let Some(step) = next.pop() {
        match step {
            Step::Enter(id) if walk.judge.is_alive(id) && !walk.judge.is_break(id) => {
                walk.enter(id);
                next.extend(slots.inside(dom, id).into_iter().rev());
            }
            // A line that ends is seen by what is before and behind it.
            Step::Enter(id) if walk.judge.is_break(id) => walk.line.text.push(' '),
            Step::Enter(_) => {}
            Step::Run(id, place) => {
                let runs = dom.element(id).runs.as_deref().unwrap_or_default();
                if let Some(run) = runs.get(place) {
                    walk.write(id, &run.text, run.bounds);
                }
            }
            Step::Close => walk.close(),
        }
    }
    walk.growth
}

impl Walk<'_> {
    fn enter(&mut self, id: ElementId) {
        let element = self.dom.element(id);
        let (in_control, in_label) = self
            .open
            .last()
            .map_or((false, false), |open| (open.in_control, open.in_label));
        let verdict = self.judge.verdict(id, in_control);
        let own = verdict.own || verdict.pinned;
        let block = own || !element.is(Facts::INLINE);
        if block {
            self.end_line();
        }
        let sprout = own.then(|| {
            let parent = self.holder();
            self.add(Sprout {
                element: id,
                parent,
                verdict: Some(verdict),
                text: String::new(),
                bounds: None,
                gone: false,
                heading: None,
                label: false,
                unnamed: false,
            })
        });
        if let (Some(sprout), Some(slot)) = (sprout, self.growth.of.get_mut(id.index())) {
            *slot = Some(sprout);
        }
        let control = matches!(verdict.part, Part::Control | Part::Field);
        self.open.push(Open {
            sprout,
            block,
            in_control: in_control || control,
            in_label: in_label || self.judge.labels_a_control(id),
        });
        if element.runs.is_none() && element.is(Facts::VISIBLE) && !element.text.is_empty() {
            self.write(id, &element.text, element.cut.or(element.bounds));
        }
    }

    fn close(&mut self) {
        if self.open.last().is_some_and(|open| open.block) {
            self.end_line();
        }
        if let Some(open) = self.open.pop()
            && let Some(sprout) = open.sprout
        {
            self.fold(sprout);
        }
    }

    /// Adds words of an element to the line.
    fn write(&mut self, id: ElementId, text: &str, bounds: Option<Rect>) {
        let line = &mut self.line;
        line.text.push_str(text);
        if text.trim().is_empty() {
            return;
        }
        line.bounds = join(line.bounds, bounds);
        line.owner = Some(match line.owner {
            None => id,
            Some(owner) => common(self.dom, owner, id),
        });
        line.elements.push(id);
        line.beside_label |= self.open.last().is_none_or(|open| !open.in_label);
    }

    /// The innermost open element that has a sprout.
    fn holder(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| open.sprout)
    }

    fn add(&mut self, sprout: Sprout) -> usize {
        self.growth.sprouts.push(sprout);
        self.growth.sprouts.len() - 1
    }

    /// Makes a sprout of the words of the line.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = readable(&line.text);
        let Some(owner) = line.owner.filter(|_| !text.is_empty()) else {
            return;
        };
        let parent = self.holder();
        // Words that fill an element which has no node of its own stand for all of it.
        let held = parent.and_then(|parent| self.growth.sprouts.get(parent));
        let alone = held.is_none_or(|held| held.element != owner) && self.fills(owner, &line);
        let label = !line.beside_label;
        let bounds = if alone { None } else { line.bounds };
        let verdict = alone.then_some(Verdict {
            role: if label { Role::Label } else { Role::Text },
            part: Part::Nothing,
            clickable: label,
            pinned: false,
            own: false,
            stands_for: None,
        });
        let sprout = self.add(Sprout {
            element: owner,
            parent,
            verdict,
            text,
            bounds,
            gone: false,
            heading: None,
            label,
            unnamed: false,
        });
        let dom = self.dom;
        let owners = line.elements.iter().flat_map(|id| {
            let inside = dom
                .ancestors(*id)
                .take_while(move |above| *above != owner && dom.contains(owner, *above));
            std::iter::once(*id).chain(inside)
        });
        for id in owners.chain(alone.then_some(owner)) {
            if let Some(slot @ None) = self.growth.of.get_mut(id.index()) {
                *slot = Some(sprout);
            }
        }
    }

    /// Whether all words to be seen in `owner` are those of `line`, and nothing in it has a node.
    fn fills(&self, owner: ElementId, line: &Line) -> bool {
        let inside = self.dom.subtree(owner);
        // Long stretches are rarely one line, and each is looked at only once for each line that ends in it.
        const MOST: usize = 64;
        if inside.len() > MOST {
            return false;
        }
        inside.into_iter().all(|id| {
            let element = self.dom.element(id);
            let written = match &element.runs {
                Some(runs) => runs.iter().any(|run| !run.text.trim().is_empty()),
                None => element.is(Facts::VISIBLE) && !element.text.trim().is_empty(),
            };
            let has_node = self.growth.of.get(id.index()).copied().flatten().is_some();
            !has_node && (!written || line.elements.contains(&id))
        })
    }

    /// What hangs on a sprout that is complete may go into it.
    fn fold(&mut self, at: usize) {
        let Some(sprout) = self.growth.sprouts.get(at) else {
            return;
        };
        let Some(verdict) = sprout.verdict else {
            return;
        };
        let element = self.dom.element(sprout.element);
        match verdict.part {
            Part::Control | Part::Words | Part::Cell => self.fold_words(at),
            Part::Field => {
                if element.value.is_empty() || same(&element.value, &self.words(at)) {
                    self.fold_words(at);
                }
            }
            Part::Frame if verdict.role == Role::ListItem => self.fold_only(at),
            Part::Frame | Part::Document => {}
            Part::Picture | Part::Landmark | Part::Group | Part::Nothing => {
                if verdict.clickable {
                    self.fold_words(at);
                }
                self.fold_only(at);
            }
        }
        let names_itself = matches!(verdict.part, Part::Control | Part::Field);
        if !names_itself && !element.name.is_empty() && self.inside(at).next().is_some() {
            let unnamed = same(&element.name, &self.words(at));
            if let Some(sprout) = self.growth.sprouts.get_mut(at) {
                sprout.unnamed = unnamed;
            }
        }
        self.drop_idle(at, &verdict);
    }

    /// The sprouts inside `at`, which are all behind it.
    fn inside(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (at + 1..self.growth.sprouts.len()).filter(|place| self.is_live(*place))
    }

    fn is_live(&self, place: usize) -> bool {
        self.growth
            .sprouts
            .get(place)
            .is_some_and(|sprout| !sprout.gone)
    }

    /// The words inside `at`, in order.
    fn words(&self, at: usize) -> String {
        let mut words = String::new();
        for place in self.inside(at) {
            let text = self
                .growth
                .sprouts
                .get(place)
                .map_or("", |sprout| &sprout.text);
            if !text.is_empty() {
                if !words.is_empty() {
                    words.push(' ');
                }
                words.push_str(text);
            }
        }
        words
    }

    /// Takes the words inside `at` into it, with what only carries them, unless something in it stands for itself.
    fn fold_words(&mut self, at: usize) {
        let stands = |place: usize| {
            let sprout = self.growth.sprouts.get(place)?;
            let verdict = sprout.verdict?;
            let element = self.dom.element(sprout.element);
            let acts = (verdict.clickable && !sprout.label)
                || element.facts.intersects(
                    Facts::FOCUSABLE | Facts::SCROLLS | Facts::CHECKABLE | Facts::EDITABLE,
                );
            Some(match verdict.part {
                Part::Control | Part::Field | Part::Frame | Part::Landmark | Part::Document => true,
                Part::Words => verdict.role != Role::Heading,
                Part::Cell => false,
                Part::Picture | Part::Group | Part::Nothing => acts,
            })
        };
        if self.inside(at).any(|place| stands(place).unwrap_or(false)) {
            self.give_heading(at);
            return;
        }
        let words = self.words(at);
        for place in at + 1..self.growth.sprouts.len() {
            if let Some(sprout) = self.growth.sprouts.get_mut(place) {
                let pinned = sprout.verdict.is_some_and(|verdict| verdict.pinned);
                sprout.gone |= !pinned;
            }
        }
        if let Some(sprout) = self.growth.sprouts.get_mut(at) {
            sprout.text = words;
        }
    }

    /// A heading that holds nothing but a link is that link, marked as a heading.
    fn give_heading(&mut self, at: usize) {
        let Some(heading) = self.growth.sprouts.get(at) else {
            return;
        };
        let id = heading.element;
        let plain = heading.verdict.is_some_and(|verdict| {
            verdict.role == Role::Heading && !verdict.pinned && !verdict.clickable
        });
        let mut inside = self.inside(at);
        let (first, second) = (inside.next(), inside.next());
        drop(inside);
        if let (true, Some(only), None) = (plain, first, second)
            && let Some(sprout) = self.growth.sprouts.get_mut(only)
            && sprout
                .verdict
                .is_some_and(|verdict| verdict.part == Part::Control)
        {
            sprout.heading = Some(id);
            if let Some(heading) = self.growth.sprouts.get_mut(at) {
                heading.gone = true;
            }
        }
    }

    /// Words that are all there is in `at` are its own.
    fn fold_only(&mut self, at: usize) {
        // What scrolls stays where it is while its words move.
        let scrolls = |sprout: &Sprout| self.dom.element(sprout.element).is(Facts::SCROLLS);
        if self.growth.sprouts.get(at).is_none_or(scrolls) {
            return;
        }
        let mut inside = self.inside(at);
        let (first, second) = (inside.next(), inside.next());
        drop(inside);
        let Some(only) = first.filter(|_| second.is_none()) else {
            return;
        };
        let Some(sprout) = self.growth.sprouts.get_mut(only) else {
            return;
        };
        let carries_only_words = sprout
            .verdict
            .is_none_or(|verdict| !verdict.own && !verdict.pinned);
        if carries_only_words && !sprout.label {
            sprout.gone = true;
            let text = std::mem::take(&mut sprout.text);
            if let Some(holder) = self.growth.sprouts.get_mut(at) {
                holder.text = text;
            }
        }
    }

    /// What is there only to hold others goes when it holds none, or when it says nothing of them.
    fn drop_idle(&mut self, at: usize, verdict: &Verdict) {
        let Some(sprout) = self.growth.sprouts.get(at) else {
            return;
        };
        let element = self.dom.element(sprout.element);
        let bare = self.inside(at).next().is_none();
        let named = !element.name.is_empty() && is_seen(element) && !sprout.unnamed;
        let idle = match verdict.part {
            Part::Frame | Part::Landmark => bare && (!named || verdict.part == Part::Landmark),
            Part::Words if verdict.role == Role::Heading => bare && !named,
            Part::Words => !bare || !named,
            // What is alone in a cell takes its place in the row.
            Part::Cell => !named && self.inside(at).count() == 1,
            Part::Group | Part::Nothing if bare => !named && element.is(Facts::SCROLLS),
            Part::Group | Part::Nothing => sprout.unnamed,
            Part::Control | Part::Field | Part::Picture | Part::Document => false,
        };
        let says = !sprout.text.is_empty()
            || verdict.pinned
            || verdict.clickable
            || element.facts.intersects(Facts::FOCUSABLE)
            || (!bare && element.is(Facts::SCROLLS));
        if idle
            && !says
            && let Some(sprout) = self.growth.sprouts.get_mut(at)
        {
            sprout.gone = true;
        }
    }
}

/// The innermost element that is or holds both.
fn common(dom: &Dom, a: ElementId, b: ElementId) -> ElementId {
    std::iter::once(a)
        .chain(dom.ancestors(a))
        .find(|above| dom.contains(*above, b))
        .unwrap_or(a)
}

/// The rectangle that holds both.
fn join(a: Option<Rect>, b: Option<Rect>) -> Option<Rect> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Rect::new(
            a.left.min(b.left),
            a.top.min(b.top),
            a.right.max(b.right),
            a.bottom.max(b.bottom),
        )),
        (a, b) => a.or(b),
    }
}

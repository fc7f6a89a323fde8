//! Walks through a page and collects the elements that become nodes, with their text, in document structure.
//! [`build`](super::build) makes the screen from them.

use uitree::{Rect, Role};

use super::flat::{FlatItem, Slots};
use super::roles::NodeKind;
use super::text::{readable, same, superscript};
use super::visibility::{ElementFacts, VisibilityIndex, is_seen};
use crate::{Dom, Element, ElementId, Facts};

/// A draft of a node.
#[derive(Debug)]
pub(super) struct DraftNode {
    pub(super) element: ElementId,
    /// Its parent draft; `None` for the root of the page.
    pub(super) parent: Option<usize>,
    /// The facts of its element; `None` for text without an element of its own.
    pub(super) facts: Option<ElementFacts>,
    /// The text of a text draft, and text that was merged into this draft.
    pub(super) text: String,
    /// Names of icons beside the text, which are drawn as pictures.
    pub(super) icons: String,
    /// The bounds of a text draft.
    pub(super) bounds: Option<Rect>,
    /// It was merged into its parent.
    pub(super) merged: bool,
    /// The heading that it replaces as its only content.
    pub(super) heading: Option<ElementId>,
    /// It is text in the label of a control.
    pub(super) label: bool,
    /// Its name only repeats its text.
    pub(super) unnamed: bool,
}

impl DraftNode {
    /// Its text, or the names of its icons if it has none.
    pub(super) fn take_text(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        match text.is_empty() {
            true => std::mem::take(&mut self.icons),
            false => text,
        }
    }
}

/// The result of the walk.
pub(super) struct DraftTree {
    pub(super) nodes: Vec<DraftNode>,
    /// The draft of each element.
    pub(super) by_element: Vec<Option<usize>>,
}

/// Text of one line, collected until something ends it.
#[derive(Default)]
struct TextLine {
    text: String,
    /// The names of icons on it.
    icons: String,
    bounds: Option<Rect>,
    /// The bounds of its last piece.
    last: Option<Rect>,
    /// The innermost element that contains all of it.
    owner: Option<ElementId>,
    /// The elements whose text it contains.
    elements: Vec<ElementId>,
    /// The label of a control that part of it is in.
    label: Option<ElementId>,
    /// Whether part of it is outside of labels.
    beside_label: bool,
}

impl TextLine {
    /// Whether `words` in `bounds` are digits above the end of a number, smaller than it: the cents of a price.
    fn is_raised(&self, words: &str, bounds: Option<Rect>) -> bool {
        let (Some(last), Some(own)) = (self.last, bounds) else {
            return false;
        };
        let is_number = |text: &str| text.ends_with(|letter: char| letter.is_ascii_digit());
        is_number(&self.text)
            && is_number(words)
            && own.height() * 10 <= last.height() * 8
            && own.bottom < last.bottom
            && own.top < last.center().y
    }
}

/// An element that the walk has not left yet.
struct OpenElement {
    /// Its draft, if any.
    draft: Option<usize>,
    /// Whether lines end before and after it.
    block: bool,
    in_control: bool,
    /// The label of a control that it is in.
    label: Option<ElementId>,
    /// Whether its text is struck through, because it is no longer valid.
    struck: bool,
}

struct Walk<'d> {
    dom: &'d Dom,
    visibility: VisibilityIndex<'d>,
    tree: DraftTree,
    open: Vec<OpenElement>,
    line: TextLine,
}

pub(super) fn collect(dom: &Dom, keep: &[ElementId]) -> DraftTree {
    let count = dom.elements().len();
    let mut walk = Walk {
        dom,
        visibility: VisibilityIndex::new(dom, keep),
        tree: DraftTree {
            nodes: Vec::with_capacity(count / 2),
            by_element: vec![None; count],
        },
        open: Vec::new(),
        line: TextLine::default(),
    };
    let slots = Slots::new(dom);
    let mut next: Vec<FlatItem> = dom.get(0).map(FlatItem::Enter).into_iter().collect();
    while let Some(step) = next.pop() {
        match step {
            FlatItem::Enter(id)
                if walk.visibility.is_relevant(id) && !walk.visibility.is_break(id) =>
            {
                walk.enter(id);
                next.extend(slots.inside(dom, id).into_iter().rev());
            }
            // A line break is visible by the lines around it; `wbr` only allows one within a word.
            FlatItem::Enter(id) if walk.visibility.is_break(id) => {
                if &*dom.element(id).tag == "br" {
                    walk.line.text.push(' ');
                }
            }
            FlatItem::Enter(_) => {}
            FlatItem::Run(id, place) => {
                let runs = dom.element(id).runs.as_deref().unwrap_or_default();
                if let Some(run) = runs.get(place) {
                    walk.write(id, &run.text, run.bounds);
                }
            }
            FlatItem::Close => walk.close(),
        }
    }
    walk.tree
}

/// Whether an element is a number on a ground of its own, which is no part of the word before it.
fn is_badge(element: &Element, words: &str) -> bool {
    let is_count = |letter: char| letter.is_ascii_digit() || letter == '+';
    element.fill.is_some() && element.is(Facts::INLINE) && words.chars().all(is_count)
}

impl Walk<'_> {
    fn enter(&mut self, id: ElementId) {
        let element = self.dom.element(id);
        let (in_control, around, struck) = self.open.last().map_or((false, None, false), |open| {
            (open.in_control, open.label, open.struck)
        });
        let facts = self.visibility.facts(id, in_control);
        let is_node = facts.becomes_node || facts.pinned;
        let block = is_node || !element.is(Facts::INLINE);
        if block {
            self.end_line();
        }
        let draft = is_node.then(|| {
            let parent = self.holder();
            self.add(DraftNode {
                element: id,
                parent,
                facts: Some(facts),
                text: String::new(),
                icons: String::new(),
                bounds: None,
                merged: false,
                heading: None,
                label: false,
                unnamed: false,
            })
        });
        if let (Some(draft), Some(slot)) = (draft, self.tree.by_element.get_mut(id.index())) {
            *slot = Some(draft);
        }
        let control = matches!(facts.kind, NodeKind::Control | NodeKind::Field);
        self.open.push(OpenElement {
            draft,
            block,
            in_control: in_control || control,
            label: around.or_else(|| self.visibility.labels_a_control(id).then_some(id)),
            struck: struck || matches!(&*element.tag, "s" | "del" | "strike"),
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
            && let Some(draft) = open.draft
        {
            self.merge_descendants(draft);
        }
    }

    /// Adds text of an element to the line.
    fn write(&mut self, id: ElementId, text: &str, bounds: Option<Rect>) {
        let open = self.open.last();
        let label = open.and_then(|open| open.label);
        let is_struck = open.is_some_and(|open| open.struck);
        let words = text.trim();
        // A press on a label goes to its control, so text beside a label is a separate text, except for a colon.
        if label != self.line.label
            && !self.line.elements.is_empty()
            && words.contains(char::is_alphanumeric)
        {
            self.end_line();
        }
        let element = self.dom.element(id);
        let line = &mut self.line;
        if is_icon(element, text) {
            add_word(&mut line.icons, words);
        } else if words.is_empty() {
            line.text.push_str(text);
        } else if let Some(raised) = superscript(words)
            && (&*element.tag == "sup" || line.is_raised(words, bounds))
        {
            line.text.push_str(&text.replace(words, &raised));
        } else if is_struck {
            line.text
                .push_str(&text.replace(words, &format!("~~{words}~~")));
        } else {
            if is_badge(element, words) && line.text.ends_with(char::is_alphabetic) {
                line.text.push(' ');
            }
            line.text.push_str(text);
        }
        if words.is_empty() {
            return;
        }
        line.last = bounds;
        line.bounds = [line.bounds, bounds]
            .into_iter()
            .flatten()
            .reduce(Rect::union);
        line.owner = Some(match line.owner {
            None => id,
            Some(owner) => common(self.dom, owner, id),
        });
        line.elements.push(id);
        line.label = line.label.or(label);
        line.beside_label |= label.is_none();
    }

    /// The innermost open element with a draft.
    fn holder(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| open.draft)
    }

    fn add(&mut self, draft: DraftNode) -> usize {
        self.tree.nodes.push(draft);
        self.tree.nodes.len() - 1
    }

    /// Turns the line into a draft.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = readable(&line.text);
        let icons = line.icons.clone();
        let Some(owner) = line.owner.filter(|_| !text.is_empty() || !icons.is_empty()) else {
            return;
        };
        let parent = self.holder();
        // Text that fills an element without a node represents that element.
        let held = parent.and_then(|parent| self.tree.nodes.get(parent));
        let alone = held.is_none_or(|held| held.element != owner) && self.fills(owner, &line);
        let label = !line.beside_label;
        let bounds = if alone { None } else { line.bounds };
        let facts = alone.then_some(ElementFacts {
            role: if label { Role::Label } else { Role::Text },
            kind: NodeKind::Generic,
            clickable: label,
            pinned: false,
            becomes_node: false,
            represented_control: None,
            styled_on: None,
            chosen: false,
            modal: false,
        });
        let draft = self.add(DraftNode {
            element: owner,
            parent,
            facts,
            text,
            icons,
            bounds,
            merged: false,
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
            if let Some(slot @ None) = self.tree.by_element.get_mut(id.index()) {
                *slot = Some(draft);
            }
        }
    }

    /// Whether `line` is all visible text of `owner`, and nothing inside it has a node.
    fn fills(&self, owner: ElementId, line: &TextLine) -> bool {
        let inside = self.dom.subtree(owner);
        // Long ranges are rarely one line, and this bounds the work per line.
        const MAX_DESCENDANTS: usize = 64;
        if inside.len() > MAX_DESCENDANTS {
            return false;
        }
        inside.into_iter().all(|id| {
            let element = self.dom.element(id);
            let written = match &element.runs {
                Some(runs) => runs.iter().any(|run| !run.text.trim().is_empty()),
                None => element.is(Facts::VISIBLE) && !element.text.trim().is_empty(),
            };
            let has_node = self
                .tree
                .by_element
                .get(id.index())
                .copied()
                .flatten()
                .is_some();
            !has_node && (!written || line.elements.contains(&id))
        })
    }

    /// Merges the descendants of a complete draft into it.
    fn merge_descendants(&mut self, at: usize) {
        let Some(draft) = self.tree.nodes.get(at) else {
            return;
        };
        let Some(facts) = draft.facts else {
            return;
        };
        let element = self.dom.element(draft.element);
        match facts.kind {
            NodeKind::Control | NodeKind::Text | NodeKind::Cell => self.merge_text(at),
            NodeKind::Field => {
                if element.value.is_empty() || same(&element.value, &self.words(at)) {
                    self.merge_text(at);
                }
            }
            NodeKind::Structure if facts.role == Role::ListItem => self.merge_only_text(at),
            NodeKind::Structure | NodeKind::Document => {}
            NodeKind::Image | NodeKind::Landmark | NodeKind::Group | NodeKind::Generic => {
                if facts.clickable {
                    self.merge_text(at);
                }
                self.merge_only_text(at);
            }
        }
        let names_itself = matches!(facts.kind, NodeKind::Control | NodeKind::Field);
        if !names_itself && !element.name.is_empty() && self.inside(at).next().is_some() {
            let unnamed = same(&element.name, &self.words(at));
            if let Some(draft) = self.tree.nodes.get_mut(at) {
                draft.unnamed = unnamed;
            }
        }
        self.drop_empty_container(at, &facts);
    }

    /// The descendants of `at`, which all come after it.
    fn inside(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (at + 1..self.tree.nodes.len()).filter(|place| self.is_live(*place))
    }

    fn is_live(&self, place: usize) -> bool {
        self.tree
            .nodes
            .get(place)
            .is_some_and(|draft| !draft.merged)
    }

    /// The text inside `at`, in order.
    fn words(&self, at: usize) -> String {
        self.joined(at, |draft| &draft.text)
    }

    fn joined(&self, at: usize, part: fn(&DraftNode) -> &str) -> String {
        let mut words = String::new();
        for place in self.inside(at) {
            add_word(&mut words, self.tree.nodes.get(place).map_or("", part));
        }
        words
    }

    /// Merges the text inside `at` and its wrappers into it, unless it contains an independent node.
    fn merge_text(&mut self, at: usize) {
        let is_independent = |place: usize| {
            let draft = self.tree.nodes.get(place)?;
            let facts = draft.facts?;
            let element = self.dom.element(draft.element);
            let is_interactive = (facts.clickable && !draft.label)
                || element.facts.intersects(
                    Facts::FOCUSABLE | Facts::SCROLLS | Facts::CHECKABLE | Facts::EDITABLE,
                );
            Some(match facts.kind {
                NodeKind::Control
                | NodeKind::Field
                | NodeKind::Structure
                | NodeKind::Landmark
                | NodeKind::Document => true,
                NodeKind::Text => facts.role != Role::Heading,
                NodeKind::Cell => false,
                NodeKind::Image | NodeKind::Group | NodeKind::Generic => is_interactive,
            })
        };
        if self
            .inside(at)
            .any(|place| is_independent(place).unwrap_or(false))
        {
            self.merge_heading_into_link(at);
            return;
        }
        let words = self.words(at);
        let icons = self.joined(at, |draft| &draft.icons);
        for place in at + 1..self.tree.nodes.len() {
            if let Some(draft) = self.tree.nodes.get_mut(place) {
                let pinned = draft.facts.is_some_and(|facts| facts.pinned);
                draft.merged |= !pinned;
            }
        }
        if let Some(draft) = self.tree.nodes.get_mut(at) {
            draft.text = words;
            draft.icons = icons;
        }
    }

    /// A heading whose only content is a link becomes that link, marked as a heading.
    fn merge_heading_into_link(&mut self, at: usize) {
        let Some(heading) = self.tree.nodes.get(at) else {
            return;
        };
        let id = heading.element;
        let plain = heading
            .facts
            .is_some_and(|facts| facts.role == Role::Heading && !facts.pinned && !facts.clickable);
        let mut inside = self.inside(at);
        let (first, second) = (inside.next(), inside.next());
        drop(inside);
        if let (true, Some(only), None) = (plain, first, second)
            && let Some(draft) = self.tree.nodes.get_mut(only)
            && draft
                .facts
                .is_some_and(|facts| facts.kind == NodeKind::Control)
        {
            draft.heading = Some(id);
            if let Some(heading) = self.tree.nodes.get_mut(at) {
                heading.merged = true;
            }
        }
    }

    /// Merges text that is the only content of `at`.
    fn merge_only_text(&mut self, at: usize) {
        // A scroll container stays in place while its text moves.
        let scrolls = |draft: &DraftNode| self.dom.element(draft.element).is(Facts::SCROLLS);
        if self.tree.nodes.get(at).is_none_or(scrolls) {
            return;
        }
        let mut inside = self.inside(at);
        let (first, second) = (inside.next(), inside.next());
        drop(inside);
        let Some(only) = first.filter(|_| second.is_none()) else {
            return;
        };
        let Some(draft) = self.tree.nodes.get_mut(only) else {
            return;
        };
        let carries_only_words = draft
            .facts
            .is_none_or(|facts| !facts.becomes_node && !facts.pinned);
        if carries_only_words && !draft.label {
            draft.merged = true;
            let text = std::mem::take(&mut draft.text);
            let icons = std::mem::take(&mut draft.icons);
            if let Some(holder) = self.tree.nodes.get_mut(at) {
                holder.text = text;
                holder.icons = icons;
            }
        }
    }

    /// Drops a container that is empty or adds nothing to its content.
    fn drop_empty_container(&mut self, at: usize, facts: &ElementFacts) {
        let Some(draft) = self.tree.nodes.get(at) else {
            return;
        };
        let element = self.dom.element(draft.element);
        let bare = self.inside(at).next().is_none();
        let named = !element.name.is_empty() && is_seen(element) && !draft.unnamed;
        let is_redundant = match facts.kind {
            NodeKind::Structure | NodeKind::Landmark => {
                bare && (!named || facts.kind == NodeKind::Landmark)
            }
            NodeKind::Text if facts.role == Role::Heading => bare && !named,
            NodeKind::Text => !bare || !named,
            // A single child of a cell replaces it in the row.
            NodeKind::Cell => !named && self.inside(at).count() == 1,
            NodeKind::Group | NodeKind::Generic if bare => !named && element.is(Facts::SCROLLS),
            NodeKind::Group | NodeKind::Generic => draft.unnamed,
            NodeKind::Control | NodeKind::Field | NodeKind::Image | NodeKind::Document => false,
        };
        let has_content = !draft.text.is_empty()
            || facts.pinned
            || facts.clickable
            || element.facts.intersects(Facts::FOCUSABLE)
            || (!bare && element.is(Facts::SCROLLS));
        if is_redundant
            && !has_content
            && let Some(draft) = self.tree.nodes.get_mut(at)
        {
            draft.merged = true;
        }
    }
}

/// Whether the text of an element is the name of an icon, which its font draws as a picture.
fn is_icon(element: &Element, text: &str) -> bool {
    let is_name =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    let mut classes = element.classes();
    text.trim().chars().all(is_name)
        && classes.any(|class| {
            class.starts_with("material-icons") || class.starts_with("material-symbols")
        })
}

fn add_word(words: &mut String, word: &str) {
    if !words.is_empty() && !word.is_empty() {
        words.push(' ');
    }
    words.push_str(word);
}

/// The nearest common ancestor, which may be one of both.
fn common(dom: &Dom, a: ElementId, b: ElementId) -> ElementId {
    std::iter::once(a)
        .chain(dom.ancestors(a))
        .find(|above| dom.contains(*above, b))
        .unwrap_or(a)
}

//! Contexts of the elements of a page.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use dom::{Dom, Element, ElementId, Facts};

use super::{
    analysis::{PageAnalysis, end_of},
    names,
};
use crate::data::{self, Keys, word_lists};
use crate::subject::{
    Context, ContextKind, Kind,
    sections::{LOOKS_LIKE, Sections},
    text::{cut, identifier_words, meaningful_words},
};

/// Maximum number of ancestors.
const MAX_LEVELS: usize = 48;
/// Maximum number of rows around an element, the inner ones first.
const MAX_ROWS: usize = 3;
/// Maximum length of a heading, in bytes.
const MAX_HEADING: usize = 160;
/// Maximum number of ancestors whose author names are kept.
const MAX_PARTS: usize = 5;
/// Maximum length of an author name, in bytes.
const MAX_NAME: usize = 48;
/// Roles that users mention.
const TELLING_ROLES: &[&str] = &[
    "toolbar", "form", "search", "menu", "menubar", "tablist", "dialog", "feed",
];
/// A larger row is a section.
const MAX_IN_ROW: usize = 120;
/// The same for controls, if only similar siblings make it a row.
const MAX_CONTROLS_IN_ROW: u32 = 20;

/// Reads a page from top to bottom and collects contexts.
pub(super) struct ContextReader<'p> {
    page: &'p Dom,
    analysis: &'p PageAnalysis,
    sections: Sections,
    /// Cached texts of rows and table headers.
    texts: HashMap<ElementId, Arc<str>>,
    parts: HashMap<ElementId, Arc<str>>,
    rows: HashMap<ElementId, bool>,
    kinds: HashMap<ElementId, Option<ContextKind>>,
    titles: HashMap<(ElementId, ContextKind), Arc<str>>,
    headers: HashMap<ElementId, Vec<(usize, Arc<str>)>>,
}

impl<'p> ContextReader<'p> {
    pub(super) fn new(page: &'p Dom, analysis: &'p PageAnalysis) -> Self {
        Self {
            page,
            analysis,
            sections: Sections::default(),
            texts: HashMap::new(),
            parts: HashMap::new(),
            rows: HashMap::new(),
            kinds: HashMap::new(),
            titles: HashMap::new(),
            headers: HashMap::new(),
        }
    }

    /// Moves to `id`, the next element in document order.
    pub(super) fn enter(&mut self, id: ElementId) {
        self.sections.enter(id.index());
        if self.analysis.is_excluded(id) {
            return;
        }
        let element = self.page.element(id);
        let Some(level) = level(element, self.analysis.kind(id)) else {
            return;
        };
        let text: Arc<str> = if element.name.is_empty() {
            Arc::from(names::text_of(self.page, id, None))
        } else {
            Arc::from(cut(&element.name, MAX_HEADING))
        };
        let seen = element.bounds.is_some_and(|bounds| !bounds.is_empty());
        if text.is_empty() || (level == LOOKS_LIKE && (!seen || text.len() > 80)) {
            return;
        }
        let end = self
            .page
            .ancestors(id)
            .take(MAX_LEVELS)
            .find(|at| bounds_sections(self.page.element(*at), self.analysis.kind(*at)))
            .map_or(self.page.elements().len(), |at| end_of(self.page, at));
        self.sections.heading(level, text, id.index(), end);
    }

    /// Contexts of the current element.
    pub(super) fn context(&mut self, id: ElementId) -> Vec<Context> {
        let mut context = Vec::new();
        self.sections.context(id.index(), &mut context);
        let mut rows = 0;
        let mut levels = 0;
        let mut below = id;
        let mut parts: Vec<ContextKind> = Vec::new();
        for at in self.page.ancestors(id).take(MAX_LEVELS) {
            let element = self.page.element(at);
            let kind = self.analysis.kind(at);
            if rows < MAX_ROWS && self.is_row(at, kind) {
                let text = self.row_text(at);
                if !text.is_empty() {
                    rows += 1;
                    context.push(Context::new(ContextKind::Row, text, at.index()));
                }
            }
            if (matches!(&*element.tag, "tr") || &*element.role == "row")
                && let Some((place, text)) = self.column(at, below)
            {
                context.push(Context::new(ContextKind::Column, text, place));
            }
            let known = self.kinds.get(&at).copied();
            let found = known.unwrap_or_else(|| part(element, kind));
            self.kinds.insert(at, found);
            if let Some(part) = found {
                if !parts.contains(&part) {
                    parts.push(part);
                    let text = self.title(at, part);
                    context.push(Context::new(part, text, at.index()));
                }
            } else if matches!(
                kind,
                Kind::Form | Kind::List | Kind::Menu | Kind::TabBar | Kind::Table | Kind::Landmark
            ) || element.attribute("aria-label").is_some()
                || &*element.role == "group"
            {
                let text = self.title(at, ContextKind::Group);
                if !text.is_empty() {
                    context.push(Context::new(ContextKind::Group, text, at.index()));
                }
            }
            if levels < MAX_PARTS {
                let text = self.part_name(at);
                if !text.is_empty() {
                    levels += 1;
                    context.push(Context::new(ContextKind::Part, text, at.index()));
                }
            }
            below = at;
        }
        context
    }

    /// Title of a landmark.
    fn title(&mut self, at: ElementId, part: ContextKind) -> Arc<str> {
        if let Some(title) = self.titles.get(&(at, part)) {
            return Arc::clone(title);
        }
        let title = self.read_title(at, part);
        self.titles.insert((at, part), Arc::clone(&title));
        title
    }

    fn read_title(&self, at: ElementId, part: ContextKind) -> Arc<str> {
        let element = self.page.element(at);
        if !element.name.is_empty() {
            return Arc::from(cut(&element.name, MAX_HEADING));
        }
        if let Some(label) = element.attribute("aria-label") {
            return Arc::from(cut(label, MAX_HEADING));
        }
        let is_title = |inside: &ElementId| match part {
            ContextKind::Group => matches!(&*self.page.element(*inside).tag, "legend" | "caption"),
            ContextKind::Dialog => self.analysis.kind(*inside) == Kind::Heading,
            _ => false,
        };
        let words = self
            .page
            .subtree(at)
            .skip(1)
            .take(24)
            .find(is_title)
            .map(|inside| names::text_of(self.page, inside, None))
            .unwrap_or_default();
        let title = if words.is_empty() && matches!(part, ContextKind::Group | ContextKind::Dialog)
        {
            let mut identifier = identifier_words(element.id());
            if let Some(name) = element.attribute("name") {
                identifier.extend(identifier_words(name));
            }
            identifier.retain(|word| word.len() > 1);
            identifier.join(" ")
        } else {
            words
        };
        Arc::from(cut(&title, MAX_HEADING))
    }

    /// Author name of `at`: its role, id and classes.
    fn part_name(&mut self, at: ElementId) -> Arc<str> {
        if let Some(name) = self.parts.get(&at) {
            return Arc::clone(name);
        }
        let element = self.page.element(at);
        let mut words = identifier_words(&element.role);
        words.retain(|word| TELLING_ROLES.contains(&&**word));
        words.extend(meaningful_words(cut(element.id(), MAX_NAME)));
        for class in element.classes().take(4) {
            words.extend(meaningful_words(cut(class, MAX_NAME)));
        }
        let mut once: Vec<String> = Vec::new();
        for word in words {
            if !once.contains(&word) && once.len() < 8 {
                once.push(word);
            }
        }
        let name: Arc<str> = Arc::from(once.join(" "));
        self.parts.insert(at, Arc::clone(&name));
        name
    }

    /// Whether `at` is a table row, a list entry or one of several similar cards.
    fn is_row(&mut self, at: ElementId, kind: Kind) -> bool {
        if let Some(known) = self.rows.get(&at) {
            return *known;
        }
        let row = self.looks_like_row(at, kind);
        self.rows.insert(at, row);
        row
    }

    fn looks_like_row(&self, at: ElementId, kind: Kind) -> bool {
        let size = end_of(self.page, at).saturating_sub(at.index());
        if !(2..=MAX_IN_ROW).contains(&size) {
            return false;
        }
        if matches!(kind, Kind::Row | Kind::ListItem | Kind::Option) {
            return true;
        }
        if self.analysis.is_line(self.page, at) {
            return true;
        }
        let element = self.page.element(at);
        if !matches!(
            &*element.tag,
            "div" | "section" | "article" | "dl" | "p" | "a" | "label" | "figure"
        ) && !element.tag.contains('-')
        {
            return false;
        }
        if self.analysis.controls_inside(self.page, at) > MAX_CONTROLS_IN_ROW {
            return false;
        }
        let class = element.attribute("class");
        let is_similar = |other: ElementId| {
            let other = self.page.element(other);
            other.tag == element.tag && other.attribute("class") == class
        };
        let Some(parent) = element.parent else {
            return false;
        };
        let after = self
            .page
            .get(end_of(self.page, at))
            .is_some_and(|next| self.page.element(next).parent == Some(parent) && is_similar(next));
        let before = || {
            // The previous element, or its ancestor, is the sibling.
            let last = self.page.get(at.index().saturating_sub(1));
            last.and_then(|last| {
                std::iter::once(last)
                    .chain(self.page.ancestors(last))
                    .take(16)
                    .find(|up| self.page.element(*up).parent == Some(parent))
            })
            .is_some_and(is_similar)
        };
        after || before()
    }

    fn row_text(&mut self, at: ElementId) -> Arc<str> {
        if let Some(text) = self.texts.get(&at) {
            return Arc::clone(text);
        }
        let mut text = names::text_of(self.page, at, None);
        // Values and placeholders of fields identify a row.
        for inside in self.page.subtree(at).take(64) {
            let element = self.page.element(inside);
            if !element.value.is_empty() && !element.is(Facts::PASSWORD) {
                crate::subject::text::add_piece(&mut text, &element.value, 320);
            }
            for key in ["alt", "placeholder"] {
                if let Some(words) = element.attribute(key) {
                    crate::subject::text::add_piece(&mut text, words, 320);
                }
            }
        }
        let text: Arc<str> = Arc::from(text);
        self.texts.insert(at, Arc::clone(&text));
        text
    }

    /// Header of the column of `cell`, a child of `row`.
    fn column(&mut self, row: ElementId, cell: ElementId) -> Option<(usize, Arc<str>)> {
        let table = self
            .page
            .ancestors(row)
            .take(4)
            .find(|at| self.analysis.kind(*at) == Kind::Table)?;
        let page = self.page;
        let headers = self.headers.entry(table).or_insert_with(|| {
            let first =
                page.subtree(table).skip(1).take(64).find(|at| {
                    &*page.element(*at).tag == "tr" || &*page.element(*at).role == "row"
                });
            let cells = first.into_iter().flat_map(|first| page.children(first));
            let is_header = |at: &ElementId| {
                let element = page.element(*at);
                &*element.tag == "th" || &*element.role == "columnheader"
            };
            let cells: Vec<ElementId> = cells.collect();
            if !cells.iter().any(is_header) {
                return Vec::new();
            }
            cells
                .into_iter()
                .map(|at| (at.index(), Arc::from(names::text_of(page, at, None))))
                .collect()
        });
        let position = page.element(cell).position as usize;
        let (place, text) = headers.get(position.checked_sub(1)?)?;
        let own_header = page
            .get(*place)
            .is_some_and(|header| page.contains(row, header));
        (!text.is_empty() && !own_header).then(|| (*place, Arc::clone(text)))
    }
}

/// Level of a heading, 1 for the most general.
fn level(element: &Element, kind: Kind) -> Option<u8> {
    match &*element.tag {
        "h1" => return Some(1),
        "h2" => return Some(2),
        "h3" => return Some(3),
        "h4" => return Some(4),
        "h5" => return Some(5),
        "h6" => return Some(6),
        "legend" | "caption" | "dt" | "summary" => return Some(LOOKS_LIKE),
        _ => {}
    }
    if kind == Kind::Heading {
        let level = element
            .attribute("aria-level")
            .and_then(|level| level.trim().parse::<u8>().ok());
        return Some(level.unwrap_or(2).clamp(1, 6));
    }
    if element.text.is_empty()
        || !matches!(
            &*element.tag,
            "div" | "span" | "p" | "b" | "strong" | "td" | "th" | "a"
        )
    {
        return None;
    }
    let is_named_heading = element.classes().any(|class| {
        identifier_words(class).iter().any(|word| {
            matches!(
                &**word,
                "title" | "heading" | "header" | "headline" | "subtitle" | "caption"
            )
        })
    });
    is_named_heading.then_some(LOOKS_LIKE)
}

word_lists! {
    fn ends_sections = "section_tags";
}

/// Whether sections inside `element` end with it.
fn bounds_sections(element: &Element, kind: Kind) -> bool {
    ends_sections(&element.tag) || matches!(kind, Kind::Dialog | Kind::Landmark | Kind::Menu)
}

/// The landmark that `element` is.
fn part(element: &Element, kind: Kind) -> Option<ContextKind> {
    static LANDMARKS: LazyLock<Keys> =
        LazyLock::new(|| data::keyed(include_str!("../../../data/landmarks.txt")).collect());
    let landmark = |word: &str| {
        let name = LANDMARKS.get(word)?;
        Some(match *name {
            "nav" => ContextKind::Navigation,
            "header" => ContextKind::Header,
            "footer" => ContextKind::Footer,
            "sidebar" => ContextKind::Aside,
            "main" => ContextKind::Main,
            _ => ContextKind::Dialog,
        })
    };
    if let Some(part) = landmark(&element.role) {
        return Some(part);
    }
    match &*element.tag {
        "div" | "section" | "ul" | "ol" | "table" | "td" | "center" | "form" => {}
        tag if tag.contains('-') => {}
        "menu" => return None,
        tag => return landmark(tag),
    }
    if kind == Kind::Dialog {
        return Some(ContextKind::Dialog);
    }
    // Pages without landmarks name them by ids and classes.
    std::iter::once(element.id())
        .chain(element.classes())
        .flat_map(identifier_words)
        .filter(|word| !matches!(&**word, "main" | "menu" | "banner"))
        .find_map(|word| landmark(&word))
}

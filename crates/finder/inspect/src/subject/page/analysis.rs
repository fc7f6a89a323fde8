//! First pass over a page: kind and click target of each element.

use dom::{Dom, Element, ElementId, Facts};

use super::super::Kind;
use super::drawing::IconCache;
use super::kind;

/// Result of the first pass.
pub(super) struct PageAnalysis {
    /// Kind of each element.
    pub(super) kinds: Vec<Kind>,
    /// Whether each element is outside of the visible content.
    pub(super) excluded: Vec<bool>,
    /// For each element the one that takes its clicks.
    pub(super) click_targets: Vec<Option<ElementId>>,
    /// For each element the number of controls before it.
    controls: Vec<u32>,
    area: i64,
    /// Names of unlabelled icons.
    pub(super) drawings: IconCache,
}

/// Tags without visible content.
const INVISIBLE_TAGS: &[&str] = &[
    "head", "script", "style", "noscript", "template", "meta", "link", "title", "base", "br",
    "wbr", "param", "source", "track", "col", "colgroup", "defs", "symbol", "datalist",
];

/// A larger listener is a section and no control.
const MAX_INSIDE: usize = 60;

impl PageAnalysis {
    pub(super) fn new(page: &Dom) -> Self {
        let count = page.elements().len();
        let viewport = page.viewport();
        let mut analysis = Self {
            kinds: Vec::with_capacity(count),
            excluded: Vec::with_capacity(count),
            click_targets: Vec::with_capacity(count),
            controls: Vec::with_capacity(count + 1),
            area: i64::from(viewport.width) * i64::from(viewport.height),
            drawings: IconCache::default(),
        };
        let mut controls = 0;
        for id in page.ids() {
            let element = page.element(id);
            let held_outside = element
                .parent
                .is_some_and(|parent| analysis.is_excluded(parent));
            let input_hidden = &*element.tag == "input"
                && element
                    .attribute("type")
                    .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
            let outside = held_outside || input_hidden || INVISIBLE_TAGS.contains(&&*element.tag);
            let kind = if outside {
                Kind::Other
            } else {
                kind::from_element(element)
            };
            analysis.excluded.push(outside);
            analysis.kinds.push(kind);
            analysis.controls.push(controls);
            if kind::is_interactive(kind) {
                controls += 1;
            }
        }
        analysis.controls.push(controls);
        for id in page.ids() {
            let actor = analysis.find_click_target(page, id);
            analysis.click_targets.push(actor);
        }
        analysis
    }

    pub(super) fn kind(&self, id: ElementId) -> Kind {
        self.kinds.get(id.index()).copied().unwrap_or_default()
    }

    pub(super) fn is_excluded(&self, id: ElementId) -> bool {
        self.excluded.get(id.index()).copied().unwrap_or(true)
    }

    /// The element that takes clicks on `id`.
    pub(super) fn click_target(&self, id: ElementId) -> Option<ElementId> {
        self.click_targets.get(id.index()).copied().flatten()
    }

    /// The ancestor that takes clicks on `id`.
    pub(super) fn click_target_around(&self, page: &Dom, id: ElementId) -> Option<ElementId> {
        page.element(id)
            .parent
            .and_then(|parent| self.click_target(parent))
    }

    /// Number of controls inside `id`.
    pub(super) fn controls_inside(&self, page: &Dom, id: ElementId) -> u32 {
        let end = end_of(page, id);
        let at = |place: usize| self.controls.get(place).copied().unwrap_or_default();
        at(end).saturating_sub(at(id.index() + 1))
    }

    /// Whether `at` is a line of text with one control in it.
    pub(super) fn is_line(&self, page: &Dom, at: ElementId) -> bool {
        const MAX_IN_LINE: usize = 12;
        const MAX_WORDS: usize = 80;
        let size = end_of(page, at).saturating_sub(at.index());
        if size > MAX_IN_LINE || self.click_target(at).is_some() {
            return false;
        }
        let inside = || page.subtree(at).skip(1);
        let controls = inside()
            .filter(|inner| self.click_target(*inner) == Some(*inner))
            .count();
        let words: usize = std::iter::once(at)
            .chain(inside())
            .filter(|inner| self.click_target(*inner).is_none())
            .map(|inner| page.element(inner).text.len())
            .sum();
        controls == 1 && (1..=MAX_WORDS).contains(&words)
    }

    /// The line of text around a control.
    pub(super) fn line_around(&self, page: &Dom, id: ElementId) -> Option<ElementId> {
        const MAX_LEVELS: usize = 2;
        page.ancestors(id)
            .take(MAX_LEVELS)
            .find(|at| self.is_line(page, *at))
    }

    /// The only control in `id`, which is clicked instead of it: the link in a tab or menu entry.
    pub(super) fn only_control(&self, page: &Dom, id: ElementId) -> Option<ElementId> {
        let wraps = matches!(self.kind(id), Kind::Tab | Kind::MenuItem | Kind::ListItem)
            || (self.kind(id) == Kind::Other && self.click_target(id) == Some(id));
        if !wraps || self.controls_inside(page, id) != 1 {
            return None;
        }
        let mut own_words = false;
        let mut control = None;
        for inside in page.subtree(id) {
            if control.is_some_and(|control| page.contains(control, inside)) {
                continue;
            }
            if inside != id && matches!(self.kind(inside), Kind::Link | Kind::Button) {
                control = Some(inside);
            } else {
                own_words |= !page.element(inside).text.is_empty();
            }
        }
        control.filter(|_| !own_words && self.click_target(id) == Some(id))
    }

    fn find_click_target(&self, page: &Dom, id: ElementId) -> Option<ElementId> {
        let around = self.click_target_around(page, id);
        if self.is_excluded(id) {
            return None;
        }
        if kind::is_interactive(self.kind(id)) {
            return Some(id);
        }
        // Listeners in a control belong to the control.
        if around.is_some_and(|around| kind::is_interactive(self.kind(around))) {
            return around;
        }
        if self.takes_clicks(page, id, around.is_some()) {
            return Some(id);
        }
        around
    }

    /// Whether `id` takes clicks without an interactive role.
    fn takes_clicks(&self, page: &Dom, id: ElementId, inside_other: bool) -> bool {
        let element = page.element(id);
        if matches!(&*element.tag, "html" | "body") {
            return false;
        }
        let has_hand_cursor = element.is(Facts::POINTER)
            && element
                .parent
                .is_none_or(|parent| !page.element(parent).is(Facts::POINTER));
        let is_focusable = element
            .attribute("tabindex")
            .is_some_and(|index| !index.trim().starts_with('-'));
        let has_listener = element.is(Facts::LISTENS)
            || element.attribute("onclick").is_some()
            || is_link_without_address(element);
        let controls_popup = || {
            ["aria-expanded", "aria-controls", "aria-haspopup"]
                .iter()
                .any(|key| element.attribute(key).is_some())
        };
        if !(has_hand_cursor
            || has_listener
            || (is_focusable && (!inside_other || controls_popup())))
        {
            return false;
        }
        if self.kind(id) == Kind::Label {
            return false;
        }
        let descendants = end_of(page, id).saturating_sub(id.index());
        let is_large = element.bounds.is_some_and(|bounds| {
            let area = i64::from(bounds.width()) * i64::from(bounds.height());
            self.area > 0 && area * 2 > self.area
        });
        if descendants > MAX_INSIDE || (is_large && !has_hand_cursor) {
            return false;
        }
        // A container of controls without a pointer cursor only delegates.
        has_hand_cursor || self.controls_inside(page, id) == 0
    }
}

/// End of the subtree of `id`.
pub(super) fn end_of(page: &Dom, id: ElementId) -> usize {
    page.subtree(id)
        .next_back()
        .map_or(id.index() + 1, |last| last.index() + 1)
}

/// Whether the element is an `<a>` without address and anchor name, which a script handles.
fn is_link_without_address(element: &Element) -> bool {
    let has = |key: &str| element.attribute(key).is_some();
    let has_name = || {
        ["class", "id", "title", "aria-label"]
            .iter()
            .any(|key| has(key))
    };
    &*element.tag == "a" && !has("href") && !has("name") && has_name()
}

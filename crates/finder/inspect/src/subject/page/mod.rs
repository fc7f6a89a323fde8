//! Candidates of a web page.

mod analysis;
mod color;
mod context;
pub mod drawing;
mod icon;
mod kind;
mod names;
mod nearby_text;
mod placement;
mod purpose;

use std::sync::Arc;

use dom::{Dom, Element, ElementId, Facts};
use uitree::{Rect, Size};

use self::{analysis::PageAnalysis, context::ContextReader, names::Labels};
use crate::selectors::is_test_id;

use super::{
    Candidate, Context, Kind, Kinds, Name, RawAttributes, Source, State, Subject, TreeNode,
    Visibility,
};

/// Maximum number of descendants that are searched for a box.
const MAX_BOXES: usize = 32;

impl Subject {
    /// Candidates of a page. Positions are those of its elements.
    pub fn from_dom(page: &Dom) -> Self {
        let analysis = PageAnalysis::new(page);
        let labels = Labels::new(page, &analysis);
        let viewport = page.viewport();
        let screen = Size::new(viewport.width, viewport.height);
        let extent = page
            .elements()
            .iter()
            .filter(|element| element.parent.is_none())
            .filter_map(|element| element.bounds)
            .fold(screen.to_rect(), Rect::union);
        let builder = CandidateBuilder {
            page,
            analysis: &analysis,
            labels: &labels,
            screen,
            extent,
        };
        let mut contexts = ContextReader::new(page, &analysis);
        let mut candidates = Vec::new();
        for id in page.ids() {
            contexts.enter(id);
            match candidate_role(page, &analysis, &labels, id) {
                Some(role) => {
                    let context = contexts.context(id);
                    candidates.push(builder.candidate(id, role, context));
                }
                None if is_structural(page, &analysis, id) => {
                    candidates.push(builder.structural(id));
                }
                None => {}
            }
        }
        let dialogs = dialogs(page, &analysis);
        for candidate in &mut candidates {
            let Some(id) = page.get(candidate.place) else {
                continue;
            };
            match dialogs.layer_of(page, id) {
                DialogLayer::OnTop => candidate.state |= State::ON_TOP,
                DialogLayer::Behind => candidate.state |= State::BEHIND,
                DialogLayer::Level => {}
            }
        }
        let nodes = page
            .ids()
            .map(|id| {
                let element = page.element(id);
                TreeNode {
                    parent: element.parent.map(ElementId::index),
                    end: analysis::end_of(page, id),
                    bounds: element.bounds,
                    text_bounds: element
                        .runs
                        .as_ref()
                        .and_then(|_| nearby_text::text_bounds(page, id)),
                }
            })
            .collect();
        Self {
            candidates,
            nodes,
            screen,
            extent,
        }
    }
}

/// Whether a candidate is a control or content.
enum CandidateRole {
    Interactive(Kind),
    Static(Kind),
}

/// Role of `id` as a candidate, if it is one.
fn candidate_role(
    page: &Dom,
    analysis: &PageAnalysis,
    labels: &Labels,
    id: ElementId,
) -> Option<CandidateRole> {
    if analysis.is_excluded(id) {
        return None;
    }
    let element = page.element(id);
    let kind = analysis.kind(id);
    if matches!(&*element.tag, "html" | "body") {
        return None;
    }
    if kind == Kind::Option
        && page
            .ancestors(id)
            .take(3)
            .any(|at| &*page.element(at).tag == "select")
    {
        // Options belong to their select.
        return None;
    }
    if kind == Kind::Label {
        // A label stands for its control, unless only the label is visible.
        if let Some(control) = labels.control(id) {
            let is_visible = |id: ElementId| page.element(id).is(Facts::VISIBLE);
            if is_visible(control) || !is_visible(id) {
                return None;
            }
            return Some(CandidateRole::Interactive(analysis.kind(control)));
        }
    }
    if analysis.only_control(page, id).is_some() {
        return None;
    }
    match analysis.click_target(id) {
        Some(target) if target == id => {
            return Some(CandidateRole::Interactive(match kind {
                Kind::Other | Kind::Text => Kind::Clickable,
                kind => kind,
            }));
        }
        // Content of a control belongs to the control.
        Some(_) => return None,
        None => {}
    }
    match kind {
        Kind::Other | Kind::Text => {
            (!element.text.is_empty()).then_some(CandidateRole::Static(Kind::Text))
        }
        Kind::Image
            if &*element.tag != "img"
                && element.name.is_empty()
                && page
                    .ancestors(id)
                    .next()
                    .is_some_and(|up| analysis.kind(up) == Kind::Image) =>
        {
            None
        }
        Kind::ListItem | Kind::Row | Kind::Cell => {
            let has_text = !element.text.is_empty() || !element.name.is_empty();
            has_text.then_some(CandidateRole::Static(kind))
        }
        kind => Some(CandidateRole::Static(kind)),
    }
}

/// Whether filters may match `id`, which is no candidate for descriptions.
fn is_structural(page: &Dom, analysis: &PageAnalysis, id: ElementId) -> bool {
    let drawing = |up: ElementId| &*page.element(up).tag == "svg";
    !analysis.is_excluded(id) && !page.ancestors(id).take(8).any(drawing)
}

/// Data for making candidates.
struct CandidateBuilder<'p> {
    page: &'p Dom,
    analysis: &'p PageAnalysis,
    labels: &'p Labels,
    screen: Size,
    extent: Rect,
}

impl CandidateBuilder<'_> {
    fn candidate(&self, id: ElementId, role: CandidateRole, context: Vec<Context>) -> Candidate {
        let page = self.page;
        let element = page.element(id);
        let (kind, is_interactive) = match role {
            CandidateRole::Interactive(kind) => (kind, true),
            CandidateRole::Static(kind) => (kind, false),
        };
        let (names, label) = names::collect(page, self.analysis, self.labels, id, kind);
        let mut state = state(element.facts);
        state.set(State::INTERACTIVE, is_interactive);
        state.set(State::AMBIGUOUS_LABEL, label.is_ambiguous);
        let (bounds, visibility) = visibility(page, id, self.screen, self.extent, is_interactive);
        let shows_words = page
            .subtree(id)
            .take(MAX_BOXES)
            .map(|at| page.element(at))
            // A number on an icon is a badge.
            .any(|inner| {
                inner.text.chars().any(char::is_alphabetic)
                    && inner.is(Facts::VISIBLE)
                    && !icon::is_ligature(inner)
            });
        let shows_sign = is_interactive
            && element
                .text
                .chars()
                .any(|c| !c.is_whitespace() && !c.is_numeric());
        let shows_picture = || {
            let picture = |at: ElementId| {
                let inner = page.element(at);
                self.analysis.kind(at) == Kind::Image
                    || matches!(&*inner.tag, "i" | "use" | "path")
                    || inner.tag.contains("icon")
            };
            page.subtree(id).take(MAX_BOXES).any(picture)
                || names.iter().any(|name| name.source == Source::Icon)
        };
        let is_field = matches!(
            kind,
            Kind::TextField | Kind::Dropdown | Kind::CheckBox | Kind::Radio | Kind::Slider
        );
        let can_show = is_interactive || matches!(kind, Kind::Image | Kind::Media);
        // A control without words has to show something.
        let may_be_icon = matches!(
            kind,
            Kind::Button | Kind::Link | Kind::Clickable | Kind::Tab
        );
        if can_show && !is_field && !shows_words && (may_be_icon || shows_sign || shows_picture()) {
            state |= State::PICTURE;
        }
        let mut kinds = kind::all_kinds(element, kind).union(Kinds::from(self.analysis.kind(id)));
        if state.contains(State::PICTURE) {
            kinds = kinds.union(Kind::Image.into());
        }
        for up in page.ancestors(id).take(2) {
            if self.analysis.only_control(page, up) == Some(id) {
                kinds = kinds.union(self.analysis.kind(up).into());
            }
        }
        Candidate {
            place: id.index(),
            kind,
            kinds,
            role: element.role.clone(),
            tag: element.tag.clone(),
            names,
            state,
            bounds,
            label: label.bounds,
            visibility,
            context,
            raw: raw(element),
        }
    }

    /// A candidate for filters and for questions about its text.
    fn structural(&self, id: ElementId) -> Candidate {
        let element = self.page.element(id);
        let text = Some(&element.text).filter(|text| !text.is_empty());
        let (bounds, visibility) = visibility(self.page, id, self.screen, self.extent, false);
        let kind = self.analysis.kind(id);
        Candidate {
            place: id.index(),
            kind,
            kinds: kind.into(),
            role: element.role.clone(),
            tag: element.tag.clone(),
            names: text.map(Name::shown).into_iter().collect(),
            state: state(element.facts) | State::STRUCTURAL,
            bounds,
            label: None,
            visibility,
            context: Vec::new(),
            raw: raw(element),
        }
    }
}

fn raw(element: &Element) -> RawAttributes {
    let mut raw = RawAttributes::default();
    for (key, value) in &element.attributes {
        match &**key {
            "id" => raw.id = Arc::clone(value),
            "class" => raw.class = Arc::clone(value),
            "type" => raw.input_type = Arc::from(value.to_ascii_lowercase()),
            "placeholder" => raw.placeholder = Arc::clone(value),
            "data-placeholder" | "aria-placeholder" if raw.placeholder.is_empty() => {
                raw.placeholder = Arc::clone(value);
            }
            "href" => raw.href = Arc::clone(value),
            key if is_test_id(key) && raw.test_id.is_empty() => {
                raw.test_id = Arc::clone(value);
            }
            _ => {}
        }
    }
    raw
}

fn state(facts: Facts) -> State {
    const SAME: &[(Facts, State)] = &[
        (Facts::EDITABLE, State::EDITABLE),
        (Facts::DISABLED, State::DISABLED),
        (Facts::CHECKABLE, State::CHECKABLE),
        (Facts::CHECKED, State::CHECKED),
        (Facts::SELECTED, State::SELECTED),
        (Facts::CURRENT, State::SELECTED),
        (Facts::EXPANDED, State::EXPANDED),
        (Facts::COLLAPSED, State::COLLAPSED),
        (Facts::FOCUSED, State::FOCUSED),
        (Facts::PASSWORD, State::PASSWORD),
    ];
    SAME.iter()
        .filter(|(fact, _)| facts.contains(*fact))
        .fold(State::empty(), |state, (_, same)| state | *same)
}

/// Bounds and visibility. A control without a box has those of its content.
fn visibility(
    page: &Dom,
    id: ElementId,
    screen: Size,
    extent: Rect,
    is_interactive: bool,
) -> (Option<Rect>, Visibility) {
    let element = page.element(id);
    let (bounds, visible) = if element.is(Facts::VISIBLE) || !is_interactive {
        (element.bounds, element.is(Facts::VISIBLE))
    } else {
        let bounds_inside = page
            .subtree(id)
            .take(MAX_BOXES)
            .map(|at| page.element(at))
            .filter(|inner| inner.is(Facts::VISIBLE))
            .filter_map(|inner| inner.bounds)
            .reduce(Rect::union);
        (bounds_inside.or(element.bounds), bounds_inside.is_some())
    };
    let Some(bounds) = bounds.filter(|bounds| !bounds.is_empty()) else {
        return (bounds, Visibility::Empty);
    };
    let is_outside_page = bounds.right <= extent.left || bounds.bottom <= extent.top;
    let visibility = if !visible && !is_outside_page && shows_on_hover(page, id) {
        Visibility::OnHover
    } else if !visible || is_outside_page {
        Visibility::Hidden
    } else if screen.to_rect().is_empty() || bounds.intersect(&screen.to_rect()).is_some() {
        Visibility::Shown
    } else {
        Visibility::Scrolled
    };
    (Some(bounds), visibility)
}

/// Whether it is a transparent button in something that is visible, as pages show buttons under the pointer. It takes
/// clicks.
fn shows_on_hover(page: &Dom, id: ElementId) -> bool {
    const MAX_LEVELS: usize = 4;
    let element = page.element(id);
    let is_clicked = matches!(kind::from_element(element), Kind::Button | Kind::Link);
    is_clicked
        && element.is(Facts::TRANSPARENT)
        && page
            .ancestors(id)
            .take(MAX_LEVELS)
            .any(|up| page.element(up).is(Facts::VISIBLE))
}

/// Open dialogs.
struct Dialogs {
    open: Vec<ElementId>,
    /// The modal one.
    modal: Option<ElementId>,
}

enum DialogLayer {
    OnTop,
    Level,
    Behind,
}

fn dialogs(page: &Dom, analysis: &PageAnalysis) -> Dialogs {
    let open: Vec<ElementId> = page
        .ids()
        .filter(|id| {
            analysis.kind(*id) == Kind::Dialog
                && page.element(*id).is(Facts::VISIBLE)
                && page.subtree(*id).nth(1).is_some()
        })
        .collect();
    let modal = open
        .iter()
        .copied()
        .filter(|id| {
            let element = page.element(*id);
            element.attribute("aria-modal") == Some("true") || &*element.role == "alertdialog"
        })
        .chain(overlay(page))
        .max_by_key(|id| (page.element(*id).paint, *id));
    Dialogs { open, modal }
}

/// The outermost element that covers the viewport and is painted above all controls outside of it, with controls inside.
fn overlay(page: &Dom) -> Option<ElementId> {
    const SCROLL_BAR: i32 = 20;
    let viewport = page.viewport();
    let (width, height) = (viewport.width - SCROLL_BAR, viewport.height - SCROLL_BAR);
    let screen = Size::new(width, height).to_rect();
    let is_control = |id: &ElementId| {
        let element = page.element(*id);
        element.is(Facts::VISIBLE)
            && (element.is(Facts::POINTER) || element.is(Facts::FOCUSABLE))
            && (element.bounds).is_some_and(|bounds| screen.contains(bounds.center()))
    };
    let controls: Vec<(ElementId, u32)> = page
        .ids()
        .filter(is_control)
        .map(|id| (id, page.element(id).paint))
        .collect();
    page.ids().find(|id| {
        let element = page.element(*id);
        let covers = element.is(Facts::VISIBLE)
            && !screen.is_empty()
            && (element.bounds).is_some_and(|bounds| bounds.intersect(&screen) == Some(screen));
        covers && {
            let is_inside = |(control, _): &&(ElementId, u32)| page.contains(*id, *control);
            let inside = controls.iter().filter(is_inside).count();
            let outside = || controls.iter().filter(|control| !is_inside(control));
            inside > 0
                && inside < controls.len()
                && outside().all(|(_, paint)| *paint < element.paint)
        }
    })
}

impl Dialogs {
    fn layer_of(&self, page: &Dom, id: ElementId) -> DialogLayer {
        if let Some(modal) = self.modal {
            return if page.contains(modal, id) {
                DialogLayer::OnTop
            } else {
                DialogLayer::Behind
            };
        }
        if self.open.iter().any(|dialog| page.contains(*dialog, id)) {
            DialogLayer::OnTop
        } else {
            DialogLayer::Level
        }
    }
}

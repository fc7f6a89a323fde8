//! A web page as a subject.

mod beside;
mod color;
mod context;
mod drawing;
mod icon;
mod kind;
mod names;
mod purpose;
mod standing;
mod survey;

pub use drawing::shown_by;

use std::sync::Arc;

use dom::{Dom, Element, ElementId, Facts};
use uitree::{Rect, Size};

use self::{context::Surroundings, names::Labels, survey::Survey};
use super::{
    Among, Candidate, Context, Kind, Kinds, Part, Raw, Sight, Source, State, Subject, among,
};

/// How many elements inside a control without a box of its own are looked at for one.
const MOST_BOXES: usize = 32;

impl Subject {
    /// Everything that can be meant on a page; places are those of its elements.
    pub fn from_dom(page: &Dom) -> Self {
        let survey = Survey::of(page);
        let labels = Labels::of(page, &survey);
        let viewport = page.viewport();
        let screen = Size::new(viewport.width, viewport.height);
        let extent = page
            .elements()
            .iter()
            .filter(|element| element.parent.is_none())
            .filter_map(|element| element.bounds)
            .fold(screen.to_rect(), union);
        let mut surroundings = Surroundings::new(page, &survey);
        let mut candidates = Vec::new();
        for id in page.ids() {
            surroundings.arrive(id);
            match part_played(page, &survey, &labels, id) {
                Some(played) => {
                    let look = Look {
                        page,
                        survey: &survey,
                        labels: &labels,
                        screen,
                        extent,
                    };
                    let context = surroundings.of(id);
                    candidates.push(look.candidate(id, played, context));
                }
                None if is_part(page, &survey, id) => {
                    let look = Look {
                        page,
                        survey: &survey,
                        labels: &labels,
                        screen,
                        extent,
                    };
                    candidates.push(look.minor(id));
                }
                None => {}
            }
        }
        let dialogs = dialogs(page, &survey);
        for candidate in &mut candidates {
            let Some(id) = page.get(candidate.place) else {
                continue;
            };
            match dialogs.of(page, id) {
                Depth::OnTop => candidate.state |= State::ON_TOP,
                Depth::Behind => candidate.state |= State::BEHIND,
                Depth::Level => {}
            }
        }
        among::count(&mut candidates);
        let parts = page
            .ids()
            .map(|id| {
                let element = page.element(id);
                Part {
                    parent: element.parent.map(ElementId::index),
                    end: survey::end_of(page, id),
                    bounds: element.bounds,
                }
            })
            .collect();
        Self {
            candidates,
            parts,
            screen,
            extent,
        }
    }
}

/// What an element is to those who look for something: something to act on, or something to look at.
enum Played {
    Actor(Kind),
    Shown(Kind),
}

/// Whether `id` can be meant, and as what.
fn part_played(page: &Dom, survey: &Survey, labels: &Labels, id: ElementId) -> Option<Played> {
    if survey.is_outside(id) {
        return None;
    }
    let element = page.element(id);
    let kind = survey.kind(id);
    if matches!(&*element.tag, "html" | "body") {
        return None;
    }
    if kind == Kind::Option
        && page
            .ancestors(id)
            .take(3)
            .any(|at| &*page.element(at).tag == "select")
    {
        // An option of a select is chosen in the select.
        return None;
    }
    if kind == Kind::Label {
        // A label stands for its control, unless only the label can be seen.
        if let Some(control) = labels.control(id) {
            let seen = |id: ElementId| page.element(id).is(Facts::VISIBLE);
            if seen(control) || !seen(id) {
                return None;
            }
            return Some(Played::Actor(survey.kind(control)));
        }
    }
    if survey.stands_in(page, id).is_some() {
        return None;
    }
    match survey.actor_of(id) {
        Some(actor) if actor == id => {
            return Some(Played::Actor(match kind {
                Kind::Other | Kind::Text => Kind::Clickable,
                kind => kind,
            }));
        }
        // What lies in a control is meant by it.
        Some(actor) if kind::acts(survey.kind(actor)) || !is_named_picture(page, id, kind) => {
            return None;
        }
        Some(_) | None => {}
    }
    match kind {
        Kind::Other | Kind::Text => (!element.text.is_empty()).then_some(Played::Shown(Kind::Text)),
        Kind::Image
            if &*element.tag != "img"
                && element.name.is_empty()
                && page
                    .ancestors(id)
                    .next()
                    .is_some_and(|up| survey.kind(up) == Kind::Image) =>
        {
            None
        }
        Kind::ListItem | Kind::Row | Kind::Cell => {
            let says = !element.text.is_empty() || !element.name.is_empty();
            says.then_some(Played::Shown(kind))
        }
        kind => Some(Played::Shown(kind)),
    }
}

/// Whether `id` is a picture with a name, inside something larger that can be clicked.
fn is_named_picture(page: &Dom, id: ElementId, kind: Kind) -> bool {
    kind == Kind::Image && !page.element(id).name.is_empty()
}

/// Whether a filter may look at `id`, which no description means.
fn is_part(page: &Dom, survey: &Survey, id: ElementId) -> bool {
    let drawing = |up: ElementId| &*page.element(up).tag == "svg";
    !survey.is_outside(id) && !page.ancestors(id).take(8).any(drawing)
}

/// What an element is looked at with.
struct Look<'p> {
    page: &'p Dom,
    survey: &'p Survey,
    labels: &'p Labels,
    screen: Size,
    extent: Rect,
}

impl Look<'_> {
    fn candidate(&self, id: ElementId, played: Played, context: Vec<Context>) -> Candidate {
        let page = self.page;
        let element = page.element(id);
        let (kind, acts) = match played {
            Played::Actor(kind) => (kind, true),
            Played::Shown(kind) => (kind, false),
        };
        let (names, label) = names::of(page, self.survey, self.labels, id, kind);
        let mut state = state(element.facts);
        state.set(State::ACTS, acts);
        let (bounds, sight) = sight(page, id, self.screen, self.extent, acts);
        let shows_words = page
            .subtree(id)
            .take(MOST_BOXES)
            .map(|at| page.element(at))
            // A number on an icon counts what is new.
            .any(|inner| {
                inner.text.chars().any(char::is_alphabetic)
                    && inner.is(Facts::VISIBLE)
                    && !icon::is_written(inner)
            });
        let shows_sign = acts
            && element
                .text
                .chars()
                .any(|c| !c.is_whitespace() && !c.is_numeric());
        let shows_picture = || {
            let picture = |at: ElementId| {
                let inner = page.element(at);
                self.survey.kind(at) == Kind::Image
                    || matches!(&*inner.tag, "i" | "use" | "path")
                    || inner.tag.contains("icon")
            };
            page.subtree(id).take(MOST_BOXES).any(picture)
                || names.iter().any(|name| name.source == Source::Icon)
        };
        let field = matches!(
            kind,
            Kind::TextField | Kind::Dropdown | Kind::CheckBox | Kind::Radio | Kind::Slider
        );
        let can_show = acts || matches!(kind, Kind::Image | Kind::Media);
        // A control without words has to show something.
        let drawn = matches!(
            kind,
            Kind::Button | Kind::Link | Kind::Clickable | Kind::Tab
        );
        if can_show && !field && !shows_words && (drawn || shows_sign || shows_picture()) {
            state |= State::PICTURE;
        }
        let mut also = kind::also(element, kind).with(Kinds::from(self.survey.kind(id)));
        if state.contains(State::PICTURE) {
            also = also.with(Kind::Image.into());
        }
        for up in page.ancestors(id).take(2) {
            if self.survey.stands_in(page, up) == Some(id) {
                also = also.with(self.survey.kind(up).into());
            }
        }
        Candidate {
            place: id.index(),
            kind,
            also,
            role: element.role.clone(),
            tag: element.tag.clone(),
            names,
            state,
            bounds,
            label,
            sight,
            context,
            among: Among::default(),
            raw: raw(element),
        }
    }

    /// An element that only filters look at.
    fn minor(&self, id: ElementId) -> Candidate {
        let element = self.page.element(id);
        let (bounds, sight) = sight(self.page, id, self.screen, self.extent, false);
        let kind = self.survey.kind(id);
        Candidate {
            place: id.index(),
            kind,
            also: kind.into(),
            role: element.role.clone(),
            tag: element.tag.clone(),
            names: Vec::new(),
            state: state(element.facts) | State::MINOR,
            bounds,
            label: None,
            sight,
            context: Vec::new(),
            among: Among::default(),
            raw: raw(element),
        }
    }
}

fn raw(element: &Element) -> Raw {
    let mut raw = Raw::default();
    for (key, value) in &element.attributes {
        match &**key {
            "id" => raw.id = Arc::clone(value),
            "class" => raw.class = Arc::clone(value),
            "type" => raw.input_type = Arc::from(value.to_ascii_lowercase()),
            "placeholder" => raw.placeholder = Arc::clone(value),
            "data-placeholder" | "aria-placeholder" if raw.placeholder.is_empty() => {
                raw.placeholder = Arc::clone(value);
            }
            "href" => raw.leads_to = Arc::clone(value),
            key if names::is_test_id(key) && raw.test_id.is_empty() => {
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

/// Where an element is and whether it can be seen. One that takes clicks and has no box of its own is where its content is.
fn sight(
    page: &Dom,
    id: ElementId,
    screen: Size,
    extent: Rect,
    acts: bool,
) -> (Option<Rect>, Sight) {
    let element = page.element(id);
    let (bounds, visible) = if element.is(Facts::VISIBLE) || !acts {
        (element.bounds, element.is(Facts::VISIBLE))
    } else {
        let inside = page
            .subtree(id)
            .take(MOST_BOXES)
            .map(|at| page.element(at))
            .filter(|inner| inner.is(Facts::VISIBLE))
            .filter_map(|inner| inner.bounds)
            .reduce(union);
        (inside.or(element.bounds), inside.is_some())
    };
    let Some(bounds) = bounds.filter(|bounds| !bounds.is_empty()) else {
        return (bounds, Sight::Empty);
    };
    let gone = bounds.right <= extent.left || bounds.bottom <= extent.top;
    let sight = if !visible || gone {
        Sight::Hidden
    } else if screen.to_rect().is_empty() || bounds.intersect(&screen.to_rect()).is_some() {
        Sight::Shown
    } else {
        Sight::Scrolled
    };
    (Some(bounds), sight)
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect::new(
        a.left.min(b.left),
        a.top.min(b.top),
        a.right.max(b.right),
        a.bottom.max(b.bottom),
    )
}

/// The dialogs that are open.
struct Dialogs {
    open: Vec<ElementId>,
    /// The one that has to be answered before anything else.
    modal: Option<ElementId>,
}

enum Depth {
    OnTop,
    Level,
    Behind,
}

fn dialogs(page: &Dom, survey: &Survey) -> Dialogs {
    let open: Vec<ElementId> = page
        .ids()
        .filter(|id| {
            survey.kind(*id) == Kind::Dialog
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
        .max_by_key(|id| (page.element(*id).paint, *id));
    Dialogs { open, modal }
}

impl Dialogs {
    fn of(&self, page: &Dom, id: ElementId) -> Depth {
        if let Some(modal) = self.modal {
            return if page.contains(modal, id) {
                Depth::OnTop
            } else {
                Depth::Behind
            };
        }
        if self.open.iter().any(|dialog| page.contains(*dialog, id)) {
            Depth::OnTop
        } else {
            Depth::Level
        }
    }
}

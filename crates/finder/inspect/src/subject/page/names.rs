//! Names of the elements of a page.

use std::{borrow::Cow, collections::HashMap};

use dom::{Dom, Element, ElementId, Facts};
use uitree::Rect;

use super::{analysis::PageAnalysis, color, icon, nearby_text, placement, purpose};
use crate::selectors::is_test_id;
use crate::subject::{
    Kind, Kinds, Name, Names, Source,
    text::{add_piece, cut, meaningful_words},
};

/// Maximum length of the text of an element, in bytes.
pub(super) const MAX_TEXT: usize = 240;
/// Maximum number of descendants that are searched for text.
const MAX_VISITED: usize = 64;
/// Maximum number of pieces of a longer text that are names.
const MAX_PIECES: usize = 8;
/// Maximum number of options of a select.
const MAX_OPTIONS: usize = 40;
/// Longer attribute values are data.
const MAX_ATTRIBUTE: usize = 40;

/// Labels and their controls.
pub(super) struct Labels {
    /// Labels of each control.
    by_control: HashMap<ElementId, Vec<ElementId>>,
    /// Control of each label.
    controls: HashMap<ElementId, ElementId>,
}

impl Labels {
    pub(super) fn new(page: &Dom, analysis: &PageAnalysis) -> Self {
        let mut by_id: HashMap<(usize, &str), ElementId> = HashMap::new();
        for id in page.ids() {
            let element = page.element(id);
            if !element.id().is_empty() {
                by_id
                    .entry((element.scope.index(), element.id()))
                    .or_insert(id);
            }
        }
        let mut labels = Self {
            by_control: HashMap::new(),
            controls: HashMap::new(),
        };
        for label in page.ids() {
            let element = page.element(label);
            if &*element.tag != "label" {
                continue;
            }
            let control = match element.attribute("for") {
                Some(target) => by_id.get(&(element.scope.index(), target)).copied(),
                None => page.subtree(label).skip(1).find(|inside| {
                    is_labelled(analysis.kind(*inside)) && !analysis.is_excluded(*inside)
                }),
            };
            if let Some(control) = control {
                labels.by_control.entry(control).or_default().push(label);
                labels.controls.insert(label, control);
            }
        }
        labels
    }

    /// The control of `label`.
    pub(super) fn control(&self, label: ElementId) -> Option<ElementId> {
        self.controls.get(&label).copied()
    }

    /// Bounds of the text of the first visible label.
    fn bounds(&self, page: &Dom, control: ElementId) -> Option<Rect> {
        let label = self.by_control.get(&control)?.iter().copied();
        label
            .filter(|label| page.element(*label).is(Facts::VISIBLE))
            .find_map(|label| {
                if !page.contains(label, control) {
                    return nearby_text::text_bounds(page, label);
                }
                let outside = page
                    .subtree(label)
                    .take(MAX_VISITED)
                    .filter(|at| !page.contains(control, *at));
                // An ancestor of the control is larger than its own text.
                let own = |at: ElementId| match &page.element(at).runs {
                    None if page.contains(at, control) || page.element(at).text.is_empty() => None,
                    _ => nearby_text::text_bounds(page, at),
                };
                outside.filter_map(own).reduce(Rect::union)
            })
    }
}

/// Whether elements of this kind may have a label.
pub(super) const fn is_labelled(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::TextField
            | Kind::CheckBox
            | Kind::Radio
            | Kind::Switch
            | Kind::Dropdown
            | Kind::Slider
            | Kind::File
            | Kind::Button
    )
}

/// Kinds of controls that show a setting.
const SETTINGS: Kinds = kinds![Dropdown, Switch, CheckBox];

/// Names of `id`, and the place of its label.
pub(super) fn collect(
    page: &Dom,
    analysis: &PageAnalysis,
    labels: &Labels,
    id: ElementId,
    kind: Kind,
) -> (Vec<Name>, LabelPlace) {
    let element = page.element(id);
    let mut names = Names::default();
    let spoken = name_without_ligatures(page, id);
    names.add(Source::Accessible, cut(&spoken, MAX_TEXT * 2));
    if matches!(spoken, Cow::Owned(_)) {
        names.add(Source::Spelled, cut(&element.name, MAX_TEXT));
    }
    let label = add_labels(page, analysis, labels, id, kind, &mut names);
    add_texts(page, analysis, id, kind, &mut names);
    if matches!(kind, Kind::Button | Kind::Clickable)
        && names.names.is_empty()
        && element.attribute("title").is_none()
        && analysis.drawings.shown(page, id).is_none()
        && let Some(line) = analysis.line_around(page, id)
    {
        names.add(Source::Label, text_of(page, line, Some(id)));
    }
    add_shown_attributes(element, kind, &mut names);
    if !element.value.is_empty() && !element.is(Facts::PASSWORD) {
        names.add(Source::Value, cut(&element.value, MAX_TEXT));
    }
    names.add(Source::Description, cut(&element.description, MAX_TEXT));
    add_names_of_content(page, analysis, id, kind, &mut names);
    if let Some(stars) = names.names.iter().find_map(|name| star_count(&name.text)) {
        names.add(Source::Alt, stars);
    }
    add_attribute_words(element, &mut names);
    if let Some(fill) = element
        .fill
        .filter(|_| analysis.click_target(id) == Some(id))
    {
        names.add(Source::Color, color::name(fill));
    }
    icon::add(page, analysis, id, &mut names);
    purpose::add(page, analysis, id, kind, &mut names);
    placement::add(page, analysis, id, kind, &mut names);
    (names.sorted(), label)
}

/// Where the label of a control is.
#[derive(Default)]
pub(super) struct LabelPlace {
    pub(super) bounds: Option<Rect>,
    /// Whether it may as well be the label of the control beside it.
    pub(super) is_ambiguous: bool,
}

/// Adds the labels of `id`, and the nearby text that serves as a label. Returns the place of the label.
fn add_labels(
    page: &Dom,
    analysis: &PageAnalysis,
    labels: &Labels,
    id: ElementId,
    kind: Kind,
    names: &mut Names,
) -> LabelPlace {
    let element = page.element(id);
    let mut label_bounds = labels.bounds(page, id);
    let mut is_ambiguous = false;
    for label in labels.by_control.get(&id).into_iter().flatten() {
        names.add(Source::Label, text_of(page, *label, Some(id)));
    }
    if is_labelled(kind) && kind != Kind::Button {
        if names.names.is_empty()
            && let Some(nearby) = nearby_text::label(page, analysis, id, kind)
            && !nearby.ends_line_above(element.bounds)
        {
            names.add(Source::Label, nearby.text);
            label_bounds = nearby.bounds;
            is_ambiguous = nearby.is_ambiguous;
        } else if element.attribute("placeholder") == Some(&*element.name)
            && let Some(previous) = nearby_text::text_before(page, analysis, id)
        {
            names.add(Source::Label, previous.text);
            label_bounds = previous.bounds;
        }
    }
    // The words on a control that opens options are its value.
    let is_setting = super::kind::all_kinds(element, kind).intersects(SETTINGS);
    if is_setting
        && label_bounds.is_none()
        && let Some(title) = nearby_text::title_of_setting(page, analysis, id)
    {
        names.add(Source::Label, title.text);
        label_bounds = title.bounds;
    }
    LabelPlace {
        bounds: label_bounds,
        is_ambiguous,
    }
}

/// Adds the attributes that users see or hear.
fn add_shown_attributes(element: &Element, kind: Kind, names: &mut Names) {
    for (key, value) in &element.attributes {
        match &**key {
            "placeholder" | "data-placeholder" | "aria-placeholder" => {
                names.add(Source::Placeholder, &**value);
            }
            "title"
            | "data-original-title"
            | "data-bs-original-title"
            | "data-tooltip"
            | "data-title"
            | "aria-roledescription" => names.add(Source::Title, &**value),
            "aria-label" => names.add(Source::Accessible, &**value),
            "alt" => names.add(Source::Alt, &**value),
            // A button under `aria-hidden` has no accessible name.
            "value" if &*element.tag == "input" && kind == Kind::Button => {
                names.add(Source::Text, &**value);
            }
            _ => {}
        }
    }
}

/// Adds the names of the images and texts inside a control.
fn add_names_of_content(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
    names: &mut Names,
) {
    if holds_others(kind) {
        return;
    }
    let is_content = |at: &ElementId| analysis.click_target(*at) == analysis.click_target(id);
    let content = page.subtree(id).skip(1).take(MAX_VISITED);
    for inside in content.filter(is_content) {
        let inner = page.element(inside);
        for key in ["alt", "title", "aria-label"] {
            if let Some(value) = inner.attribute(key) {
                names.add(Source::Alt, cut(value, MAX_TEXT));
            }
        }
    }
}

/// The name of a rating that is shown as stars.
fn star_count(text: &str) -> Option<String> {
    let mut signs = text.trim().chars();
    let count = signs.clone().count();
    let is_rating = (2..=5).contains(&count) && signs.all(|c| matches!(c, '★' | '⭐'));
    is_rating.then(|| format!("{count} stars"))
}

/// Accessible name without ligatures of icon fonts.
fn name_without_ligatures(page: &Dom, id: ElementId) -> Cow<'_, str> {
    let name = &*page.element(id).name;
    let written: Vec<&str> = page
        .subtree(id)
        .take(MAX_VISITED)
        .map(|at| page.element(at))
        .filter(|inner| icon::is_ligature(inner))
        .map(|inner| &*inner.text)
        .collect();
    if written.is_empty() {
        return Cow::Borrowed(name);
    }
    let words = name.split_whitespace();
    let kept: Vec<&str> = words.filter(|word| !written.contains(word)).collect();
    Cow::Owned(kept.join(" "))
}

/// Whether elements of this kind contain named elements.
const fn holds_others(kind: Kind) -> bool {
    Kinds::HOLDERS.contains(kind) || matches!(kind, Kind::Row | Kind::Text)
}

/// Adds names that only authors see.
fn add_attribute_words(element: &Element, names: &mut Names) {
    match (&*element.tag, element.attribute("type")) {
        ("input", None) => names.add(Source::InputType, "text"),
        ("textarea", _) => names.add(Source::InputType, "textarea"),
        ("select", _) => names.add(Source::InputType, "select"),
        _ => {}
    }
    for (key, value) in &element.attributes {
        let key = &**key;
        match key {
            "id" => {
                names.add_words(Source::Id, value);
                // A numeric id is a position in a grid.
                if value.len() <= MAX_ATTRIBUTE && !value.contains(char::is_alphabetic) {
                    names.add(Source::Id, &**value);
                }
            }
            "name" | "formcontrolname" | "ng-model" => names.add_words(Source::FormName, value),
            "type" if &*element.tag == "input" || &*element.tag == "button" => {
                names.add_words(Source::InputType, value);
            }
            "href" | "action" => {
                let words = address_words(value);
                names.add(Source::Href, words);
            }
            "class" => {
                let words: Vec<String> = element.classes().flat_map(meaningful_words).collect();
                names.add(Source::Class, cut(&words.join(" "), MAX_TEXT));
            }
            "autocomplete" | "onclick" | "data-action" | "data-icon" | "data-name"
            | "data-label" | "data-target" | "aria-controls" | "rel" | "data-event"
            | "data-role" | "icon" => {
                names.add_words(Source::Attribute, value);
            }
            _ if is_test_id(key) => names.add_words(Source::TestId, value),
            _ if key.starts_with("data-") && value.len() <= MAX_ATTRIBUTE => {
                names.add_words(Source::Attribute, value);
            }
            _ => {}
        }
    }
}

/// Parts of addresses that say nothing.
const ANY_ADDRESS: &str = "com org net html htm php aspx index www http https";

/// Meaningful words of an address: the host of another site, the path and the fragment.
fn address_words(address: &str) -> String {
    let address = cut(address.trim(), MAX_TEXT);
    if address.is_empty() || address.starts_with("javascript:") {
        return String::new();
    }
    let bare = address
        .split_once("://")
        .map_or(address, |(_, rest)| rest)
        .trim_start_matches("www.");
    let bare = bare.split(['?', '&']).next().unwrap_or(bare);
    let mut words: Vec<String> = path_words(bare);
    words.retain(|word| !ANY_ADDRESS.split(' ').any(|other| other == word));
    words.join(" ")
}

fn path_words(path: &str) -> Vec<String> {
    path.split(['/', '#', '.', ':'])
        .flat_map(meaningful_words)
        .take(16)
        .collect()
}

/// Adds the text of the element, and its pieces if it is long.
fn add_texts(page: &Dom, analysis: &PageAnalysis, id: ElementId, kind: Kind, names: &mut Names) {
    let element = page.element(id);
    match kind {
        Kind::Dropdown => {
            names.add(Source::Text, cut(&element.text, MAX_TEXT));
            let mut options = String::new();
            let inside = page.subtree(id).skip(1);
            for option in inside
                .filter(|at| analysis.kind(*at) == Kind::Option)
                .take(MAX_OPTIONS)
            {
                add_piece(&mut options, &page.element(option).text, MAX_TEXT * 2);
            }
            names.add(Source::Options, options);
            return;
        }
        _ if Kinds::HOLDERS.contains(kind) || kind == Kind::TextField => {
            names.add(Source::Text, cut(&element.text, MAX_TEXT));
            return;
        }
        _ => {}
    }
    let pieces: Vec<&str> = page
        .subtree(id)
        .take(MAX_VISITED)
        .filter(|at| analysis.click_target(*at) == analysis.click_target(id))
        .filter_map(|at| piece(page, id, at))
        .collect();
    let mut whole = String::new();
    for piece in &pieces {
        add_piece(&mut whole, piece, MAX_TEXT);
    }
    names.add(Source::Text, whole);
    if pieces.len() > 1 {
        for piece in pieces.iter().take(MAX_PIECES) {
            names.add(Source::Text, cut(piece, MAX_TEXT));
        }
    }
}

/// Text directly in `at`, if it is as visible as `id`.
fn piece(page: &Dom, id: ElementId, at: ElementId) -> Option<&str> {
    let inner = page.element(at);
    let is_in_hidden = !page.element(id).is(Facts::VISIBLE);
    let is_visible_text = !inner.text.is_empty()
        && !icon::is_ligature(inner)
        && (inner.is(Facts::VISIBLE) || is_in_hidden)
        && !matches!(
            &*inner.tag,
            "script" | "style" | "noscript" | "template" | "option"
        );
    is_visible_text.then_some(&*inner.text)
}

/// Visible pieces of text in `id`, outside of `without`.
fn pieces(page: &Dom, id: ElementId, without: Option<ElementId>) -> impl Iterator<Item = &str> {
    page.subtree(id)
        .take(MAX_VISITED)
        .filter(move |at| without.is_none_or(|without| !page.contains(without, *at)))
        .filter_map(move |at| piece(page, id, at))
}

/// Text of `id`, outside of `without`.
pub(super) fn text_of(page: &Dom, id: ElementId, without: Option<ElementId>) -> String {
    let mut text = String::new();
    for piece in pieces(page, id, without) {
        add_piece(&mut text, piece, MAX_TEXT);
    }
    text
}

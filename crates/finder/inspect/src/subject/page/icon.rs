//! Words for icons in a control, from author names.

use std::sync::LazyLock;

use dom::{Dom, Element, ElementId};

use super::analysis::PageAnalysis;
use crate::data::{self, word_lists};
use crate::subject::{Names, Source, text::meaningful_words};

/// Maximum number of elements inside a control that are searched.
pub(super) const MAX_INSIDE: usize = 12;

static PREFIXES: LazyLock<Vec<&str>> =
    LazyLock::new(|| data::words(include_str!("../../../data/words/icon_prefixes.txt")).collect());

word_lists! {
    fn is_noise = "icon_noise";
}

/// Adds the words for icons in `id`.
pub(super) fn add(page: &Dom, analysis: &PageAnalysis, id: ElementId, names: &mut Names) {
    let mut words: Vec<String> = Vec::new();
    // Without words the icon says what a control does.
    let wordless = !names
        .names
        .iter()
        .any(|name| name.source.is_shown() && name.text.chars().any(char::is_alphabetic));
    // Icons of nested controls belong to those.
    let belongs_to_control =
        |at: &ElementId| analysis.click_target(*at) == analysis.click_target(id);
    for inside in page.subtree(id).take(MAX_INSIDE).filter(belongs_to_control) {
        let element = page.element(inside);
        let empty = element.text.is_empty() && page.subtree(inside).nth(1).is_none();
        add_class_words(element, inside == id, wordless && empty, &mut words);
        add_source_words(element, &mut words);
    }
    words.retain(|word| !is_noise(word));
    if wordless {
        let drawing = analysis.drawings.shown(page, id);
        words.extend(drawing.into_iter().flat_map(meaningful_words));
    }
    let mut once: Vec<String> = Vec::new();
    for word in words {
        if !once.contains(&word) {
            once.push(word);
        }
    }
    names.add(Source::Icon, once.join(" "));
}

/// Adds icon names from classes.
fn add_class_words(element: &Element, is_control: bool, may_draw: bool, words: &mut Vec<String>) {
    for class in element.classes() {
        let lower = class.to_ascii_lowercase();
        let is_icon =
            !is_control && (may_draw || matches!(&*element.tag, "i" | "svg" | "use" | "img"));
        if let Some(prefix) = PREFIXES.iter().find(|prefix| lower.starts_with(**prefix)) {
            let rest = lower.get(prefix.len()..).unwrap_or_default();
            // `x` and `image` are icon names only here.
            if rest == "x" || rest.starts_with("x-") {
                words.push("xmark".to_owned());
            } else if rest.split('-').next() == Some("image") {
                words.push("picture".to_owned());
            }
            words.extend(meaningful_words(rest));
        } else if is_icon || lower.contains("icon") || lower.contains("ico-") {
            words.extend(meaningful_words(class));
        }
    }
    for key in [
        "data-icon",
        "icon",
        "data-lucide",
        "data-feather",
        "data-testid",
    ] {
        if let Some(value) = element.attribute(key)
            && (key != "data-testid" || value.to_ascii_lowercase().contains("icon"))
        {
            words.extend(meaningful_words(value));
        }
    }
    if is_ligature(element) {
        words.extend(meaningful_words(&element.text));
    }
}

/// Whether the text is a ligature of an icon font.
pub(super) fn is_ligature(element: &Element) -> bool {
    const MAX_NAME: usize = 32;
    let by_font = || {
        &*element.tag == "mat-icon"
            || element.classes().any(|class| {
                class.starts_with("material-icons")
                    || class.starts_with("material-symbols")
                    || class == "google-symbols"
            })
    };
    let is_name_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    !element.text.is_empty()
        && element.text.len() <= MAX_NAME
        && element.text.chars().all(is_name_char)
        && by_font()
}

/// Adds words from the source of a drawing, an image or a custom element.
fn add_source_words(element: &Element, words: &mut Vec<String>) {
    match &*element.tag {
        "use" => {
            let target = element
                .attribute("href")
                .or_else(|| element.attribute("xlink:href"));
            if let Some((_, symbol)) = target.and_then(|target| target.rsplit_once('#')) {
                words.extend(meaningful_words(symbol));
            }
        }
        "img" | "image" => {
            let source = element
                .attribute("src")
                .or_else(|| element.attribute("href"));
            if let Some(source) = source.filter(|source| !source.starts_with("data:")) {
                let path = source.split(['?', '#']).next().unwrap_or(source);
                let file = path.rsplit('/').next().unwrap_or(path);
                let stem = file.split('.').next().unwrap_or(file);
                if stem.len() <= 40 {
                    words.extend(meaningful_words(stem));
                }
            }
        }
        "title" | "desc" => words.extend(meaningful_words(&element.text)),
        tag if tag.contains('-') && tag.contains("icon") => {
            if let Some(name) = element.attribute("name") {
                words.extend(meaningful_words(name));
            }
        }
        _ => {}
    }
}

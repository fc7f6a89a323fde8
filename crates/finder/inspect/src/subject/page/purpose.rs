//! Infers the purpose of controls from type, address and neighbors.

use std::sync::LazyLock;

use dom::{Dom, Element, ElementId, Facts};

use super::analysis::{PageAnalysis, end_of};
use crate::data::{self, Keys, word_lists};
use crate::subject::{Kind, Name, Names, Source, text::identifier_words};

/// Levels up to a byline or page numbers.
const MAX_LEVELS: usize = 3;
/// Maximum number of elements of a section that are searched.
const MAX_INSIDE: usize = 80;

/// Adds the purposes of `id`.
pub(super) fn add(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    kind: Kind,
    names: &mut Names,
) {
    let element = page.element(id);
    match kind {
        Kind::TextField | Kind::File | Kind::Dropdown => {
            for words in purpose_of_field(element) {
                names.add(Source::Purpose, words);
            }
        }
        _ => {}
    }
    if matches!(kind, Kind::Link | Kind::Button | Kind::Clickable)
        && let Some(words) = purpose_of_page_link(page, analysis, id, names)
    {
        names.add(Source::Purpose, words);
    }
    if kind == Kind::Link
        && let Some(words) = purpose_of_address(element)
    {
        names.add(Source::Purpose, words);
    }
    if matches!(kind, Kind::Button | Kind::Clickable | Kind::CheckBox)
        && reveals(page, analysis, id, names)
    {
        names.add(Source::Purpose, "show password");
    }
}

/// Purpose of a link by the scheme or file type of its address.
fn purpose_of_address(element: &Element) -> Option<&'static str> {
    const FILES: &[&str] = &[
        ".pdf", ".zip", ".csv", ".xlsx", ".docx", ".pptx", ".dmg", ".exe", ".ics", ".epub",
    ];
    let address = element.attribute("href")?.trim().to_ascii_lowercase();
    let path = address.split(['?', '#']).next().unwrap_or_default();
    if address.starts_with("tel:") {
        Some("call phone")
    } else if address.starts_with("mailto:") {
        Some("write email")
    } else if address.starts_with("sms:") {
        Some("text message")
    } else if element.attribute("download").is_some()
        || FILES.iter().any(|ending| path.ends_with(ending))
    {
        Some("download file")
    } else {
        None
    }
}

/// Whether a control named "show" follows a password field.
fn reveals(page: &Dom, analysis: &PageAnalysis, id: ElementId, names: &Names) -> bool {
    const SHOWS: &[&str] = &["show", "reveal", "view", "eye", "visibility", "unmask"];
    let follows_password = page
        .element(id)
        .parent
        .and_then(|parent| page.children(parent).take_while(|at| *at != id).last())
        .is_some_and(|before| {
            page.subtree(before).take(4).any(|at| {
                analysis.kind(at) == Kind::TextField && page.element(at).is(Facts::PASSWORD)
            })
        });
    let has_show_word = |name: &Name| {
        let words = identifier_words(&name.text);
        words.len() <= 3 && words.iter().any(|word| SHOWS.contains(&&**word))
    };
    follows_password && names.names.iter().any(has_show_word)
}

word_lists! {
    /// Whether the prompt of a search field begins with `word`.
    fn begins_search = "search_prompts";
    /// Whether `word` is the form name of a search field.
    fn names_search = "search_field_names";
}

/// Purpose of a field by its type and autocomplete tokens.
fn purpose_of_field(element: &Element) -> Vec<&'static str> {
    static PURPOSES: LazyLock<Keys> =
        LazyLock::new(|| data::keyed(include_str!("../../../data/field_purposes.txt")).collect());
    let attribute = |key: &str| element.attribute(key).unwrap_or_default();
    let kind = attribute("type").to_ascii_lowercase();
    let tokens = std::iter::once(&*kind).chain(attribute("autocomplete").split_ascii_whitespace());
    let mut words: Vec<&str> = tokens
        .filter_map(|token| PURPOSES.get(token).copied())
        .collect();
    let begins_with_search = |key: &str| {
        let first = attribute(key).split_whitespace().next();
        first.is_some_and(|first| {
            let first = first.trim_end_matches(['…', '.', ':']).to_lowercase();
            begins_search(&first)
        })
    };
    if &*element.role == "searchbox"
        || names_search(attribute("name"))
        || begins_with_search("placeholder")
        || begins_with_search("aria-label")
    {
        words.push("search");
    }
    words
}

/// Target of a control next to page numbers.
fn purpose_of_page_link(
    page: &Dom,
    analysis: &PageAnalysis,
    id: ElementId,
    names: &Names,
) -> Option<String> {
    let element = page.element(id);
    match element.attribute("rel") {
        Some("next") => return Some("next page".to_owned()),
        Some("prev" | "previous") => return Some("previous page".to_owned()),
        _ => {}
    }
    let shown = names
        .names
        .iter()
        .find(|name| name.source.is_shown())
        .map(|name| name.text.trim().to_lowercase())
        .unwrap_or_default();
    let number = shown.parse::<u32>().ok().filter(|_| shown.len() <= 4);
    let icon = names
        .names
        .iter()
        .find(|name| name.source == Source::Icon)
        .map(|name| name.text.to_lowercase())
        .unwrap_or_default();
    let has = |words: &[&str]| {
        words.contains(&&*shown)
            || shown.is_empty()
                && words
                    .iter()
                    .any(|word| icon.split(' ').any(|part| part == *word))
    };
    let next = has(&["next", "right", "forward", "›", "»", ">", "→", "❯", "▶"]);
    let back = has(&[
        "prev", "previous", "left", "back", "‹", "«", "<", "←", "❮", "◀",
    ]);
    if number.is_none() && !next && !back {
        return None;
    }
    let numbers = page.ancestors(id).take(MAX_LEVELS).map(|around| {
        let end = end_of(page, around).min(around.index() + MAX_INSIDE);
        (around.index() + 1..end)
            .filter_map(|place| page.get(place))
            .filter(|at| {
                let text = page.element(*at).text.trim();
                *at != id
                    && matches!(analysis.kind(*at), Kind::Link | Kind::Button)
                    && text.len() <= 4
                    && text.parse::<u32>().is_ok()
            })
            .count()
    });
    let paged = numbers.max().unwrap_or_default() >= 2;
    if !paged || in_calendar(page, id) {
        return None;
    }
    Some(match number {
        Some(number) => format!("page {number}"),
        None if next => "next page".to_owned(),
        None => "previous page".to_owned(),
    })
}

/// Whether `id` is in a calendar.
fn in_calendar(page: &Dom, id: ElementId) -> bool {
    page.ancestors(id).take(MAX_LEVELS + 1).any(|at| {
        let element = page.element(at);
        matches!(&*element.tag, "td" | "table") || matches!(&*element.role, "grid" | "gridcell")
    })
}

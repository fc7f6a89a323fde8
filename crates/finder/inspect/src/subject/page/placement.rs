//! Infers the purpose of controls from position and options: "select all", page sizes, the menu of the user.

use dom::{Dom, Element, ElementId, Facts};

use super::analysis::{PageAnalysis, end_of};
use crate::data::word_lists;
use crate::subject::{Kind, Name, Names, Source, text::identifier_words};

/// Levels up to a table header.
const MAX_LEVELS: usize = 3;
/// Maximum number of options that are read.
const MAX_CHOICES: usize = 24;
/// Maximum number of elements of a table that are searched.
const MAX_INSIDE: usize = 400;

word_lists! {
    fn is_period = "periods";
    fn is_order = "orders";
    fn is_language_name = "language_names";
    fn is_language_code = "language_codes";
}

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
        Kind::CheckBox if ticks_all(page, analysis, id, names) => {
            names.add(Source::Purpose, "select all");
        }
        Kind::Dropdown => {
            if let Some(words) = purpose_of_options(page, analysis, id) {
                names.add(Source::Purpose, words);
            }
        }
        Kind::MenuItem if &*element.role == "treeitem" => {
            let is_folder = element.is(Facts::EXPANDED) || element.is(Facts::COLLAPSED);
            names.add(Source::Purpose, if is_folder { "folder" } else { "file" });
        }
        Kind::TextField if is_title(element) => names.add(Source::Purpose, "rename title"),
        Kind::Button | Kind::Link | Kind::Clickable => {
            let name_text = shown(names);
            if is_language(element, &name_text) {
                names.add(Source::Purpose, "language");
            }
            if is_person_menu(page, id, &name_text) {
                names.add(Source::Purpose, "user menu");
            }
            let opens = element.is(Facts::EXPANDED) || element.is(Facts::COLLAPSED);
            if opens && name_text.is_empty() {
                names.add(Source::Attribute, "expand details");
            }
            if leads_home(page, id) {
                names.add(Source::Purpose, "logo home");
            }
        }
        _ => {}
    }
}

/// First shown name.
fn shown(names: &Names) -> String {
    let first = names.names.iter().find(|name| name.source.is_shown());
    first.map_or_else(String::new, |name| name.text.trim().to_owned())
}

/// Whether an unnamed checkbox is in the header of a table with checkboxes.
fn ticks_all(page: &Dom, analysis: &PageAnalysis, id: ElementId, names: &Names) -> bool {
    let name_text = |name: &Name| {
        matches!(
            name.source,
            Source::Accessible | Source::Text | Source::Title
        )
    };
    if names.names.iter().any(name_text) {
        return false;
    }
    let is_header = |at: &ElementId| {
        let element = page.element(*at);
        matches!(&*element.tag, "th" | "thead") || &*element.role == "columnheader"
    };
    let in_header = page.ancestors(id).take(MAX_LEVELS).any(|at| is_header(&at));
    let table = page
        .ancestors(id)
        .take(MAX_LEVELS + 3)
        .find(|at| analysis.kind(*at) == Kind::Table);
    let Some(table) = table.filter(|_| in_header) else {
        return false;
    };
    let end = end_of(page, table).min(id.index() + MAX_INSIDE);
    (id.index() + 1..end)
        .filter_map(|place| page.get(place))
        .any(|at| analysis.kind(at) == Kind::CheckBox)
}

/// Purpose of a list by its options.
fn purpose_of_options(page: &Dom, analysis: &PageAnalysis, id: ElementId) -> Option<&'static str> {
    const MIN_PER_PAGE: u32 = 5;
    let choices: Vec<&str> = page
        .subtree(id)
        .skip(1)
        .filter(|at| analysis.kind(*at) == Kind::Option)
        .take(MAX_CHOICES)
        .map(|at| page.element(at).text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    if choices.len() < 2 {
        return None;
    }
    let numbers: Vec<u32> = choices
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    if let [first, second, ..] = numbers.as_slice()
        && numbers.len() + 1 >= choices.len()
    {
        let in_steps = numbers.windows(2).all(|pair| match pair {
            [a, b] => *b == a + 1,
            _ => false,
        });
        let per_page = *first >= MIN_PER_PAGE && numbers.iter().all(|n| n % 5 == 0 || n % 12 == 0);
        return if *first <= 1 && in_steps {
            Some("quantity")
        } else if per_page && first < second {
            Some("rows per page")
        } else {
            None
        };
    }
    let half = |count: usize| count >= 2 && count * 2 >= choices.len();
    if half(choices.iter().filter(|text| names_language(text)).count()) {
        return Some("language");
    }
    if half(choices.iter().filter(|text| names_period(text)).count()) {
        return Some("time period date range");
    }
    half(choices.iter().filter(|text| names_order(text)).count()).then_some("sort by")
}

/// Whether an option is a period.
fn names_period(text: &str) -> bool {
    identifier_words(text).iter().any(|word| is_period(word))
}

/// Whether an option is a sort order.
fn names_order(text: &str) -> bool {
    identifier_words(text).iter().any(|word| is_order(word))
}

/// Whether a text is a language in that language, or a code.
fn names_language(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).trim();
    let lower = text.to_lowercase();
    let bare = lower
        .split(['(', '-', '–', '/'])
        .next()
        .unwrap_or_default()
        .trim();
    is_language_name(bare) || (text.len() == 2 && is_language_code(bare))
}

/// Whether a control changes the language, by its name or address.
fn is_language(element: &Element, name_text: &str) -> bool {
    let address = element.attribute("href").unwrap_or_default();
    let by_address = element.attribute("hreflang").is_some()
        || ["?lang=", "&lang=", "?hl=", "&hl=", "?locale=", "/locale/"]
            .iter()
            .any(|part| address.contains(part));
    by_address || names_language(name_text)
}

/// Whether a control in the top right corner opens a menu and has the name of a person.
fn is_person_menu(page: &Dom, id: ElementId, name_text: &str) -> bool {
    const ARROWS: [char; 4] = ['▾', '▼', '⌄', '⏷'];
    let element = page.element(id);
    let opens = name_text.ends_with(ARROWS)
        || element.is(Facts::COLLAPSED)
        || element.attribute("aria-haspopup").is_some();
    let name = name_text.trim_end_matches(ARROWS).trim();
    let words = || name.split_whitespace();
    opens
        && (2..=3).contains(&words().count())
        && words().all(|word| {
            let mut letters = word.chars();
            letters.next().is_some_and(char::is_uppercase)
                && letters.all(|c| c.is_lowercase() || matches!(c, '.' | '-' | '\''))
        })
        && in_upper_right(page, element)
}

/// Whether an element is in the top right corner of the viewport.
fn in_upper_right(page: &Dom, element: &Element) -> bool {
    let viewport = page.viewport();
    element.bounds.is_some_and(|bounds| {
        bounds.top * 8 < viewport.height && bounds.left * 4 > viewport.width * 3
    })
}

/// Whether an image at the top links to the home page.
fn leads_home(page: &Dom, id: ElementId) -> bool {
    let element = page.element(id);
    let address = element.attribute("href").unwrap_or_default();
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('.').trim_start_matches('/'),
    };
    let is_root = !address.is_empty()
        && !address.starts_with('#')
        && matches!(path, "" | "index.html" | "home" | "#");
    let is_same_site = !address.contains("://");
    let is_at_top = element
        .bounds
        .or_else(|| page.subtree(id).find_map(|at| page.element(at).bounds))
        .is_some_and(|bounds| bounds.top * 5 < page.viewport().height);
    is_root && is_same_site && is_at_top
}

/// Whether the element is editable text, such as a document title.
fn is_title(element: &Element) -> bool {
    const MAX_TITLE: usize = 60;
    element.attribute("contenteditable").is_some() && (1..=MAX_TITLE).contains(&element.text.len())
}

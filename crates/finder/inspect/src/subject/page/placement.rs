//! What a control is there for by where it stands and by what it offers: the box over a column of boxes, the arrow in the
//! header of a column, the choice among numbers, the initials of whoever is signed in.

use dom::{Dom, Element, ElementId, Facts};

use super::{
    analysis::{PageAnalysis, end_of},
    names::{Names, text_of},
};
use crate::data::word_lists;
use crate::subject::{Kind, Name, Source, text::identifier_words};

/// How far up the header of a table is looked for.
const LEVELS: usize = 3;
/// How many choices are looked at.
const MOST_CHOICES: usize = 24;
/// How much of a table is looked through for boxes.
const MOST_INSIDE: usize = 400;

word_lists! {
    fn is_period = "periods";
    fn is_order = "orders";
    fn is_language_name = "language_names";
    fn is_language_code = "language_codes";
}

/// Adds what `id` is there for.
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
            if let Some(words) = of_choices(page, analysis, id) {
                names.add(Source::Purpose, words);
            }
        }
        Kind::MenuItem if &*element.role == "treeitem" => {
            let holds = element.is(Facts::EXPANDED) || element.is(Facts::COLLAPSED);
            names.add(Source::Purpose, if holds { "folder" } else { "file" });
        }
        Kind::TextField if is_title(element) => names.add(Source::Purpose, "rename title"),
        Kind::TextField if counts(element) => names.add(Source::Purpose, "quantity"),
        Kind::Button | Kind::Link | Kind::Clickable => {
            if let Some(words) = sorts(page, id, names) {
                names.add(Source::Purpose, words);
            }
            let says = shown(names);
            if is_language(element, &says) {
                names.add(Source::Purpose, "language");
            } else if is_initials(page, id, &says) {
                names.add(Source::Purpose, "avatar profile picture");
            }
            if is_person_menu(page, id, &says) {
                names.add(Source::Purpose, "user menu");
            }
            let opens = element.is(Facts::EXPANDED) || element.is(Facts::COLLAPSED);
            if opens && says.is_empty() {
                names.add(Source::Attribute, "expand details");
            }
            if leads_to_person(element) {
                names.add(Source::Purpose, "channel profile");
            }
            if leads_home(page, id) {
                names.add(Source::Purpose, "logo home");
            } else if is_brand(page, id) {
                names.add(Source::Purpose, "logo");
            }
        }
        _ => {}
    }
}

/// The first of the words that people see.
fn shown(names: &Names) -> String {
    let first = names.names.iter().find(|name| name.source.is_shown());
    first.map_or_else(String::new, |name| name.text.trim().to_owned())
}

/// Whether a box without words stands in the header of a table whose rows have boxes, too.
fn ticks_all(page: &Dom, analysis: &PageAnalysis, id: ElementId, names: &Names) -> bool {
    let says = |name: &Name| {
        matches!(
            name.source,
            Source::Accessible | Source::Text | Source::Title
        )
    };
    if names.names.iter().any(says) {
        return false;
    }
    let is_header = |at: &ElementId| {
        let element = page.element(*at);
        matches!(&*element.tag, "th" | "thead") || &*element.role == "columnheader"
    };
    let in_header = page.ancestors(id).take(LEVELS).any(|at| is_header(&at));
    let table = page
        .ancestors(id)
        .take(LEVELS + 3)
        .find(|at| analysis.kind(*at) == Kind::Table);
    let Some(table) = table.filter(|_| in_header) else {
        return false;
    };
    let end = end_of(page, table).min(id.index() + MOST_INSIDE);
    (id.index() + 1..end)
        .filter_map(|place| page.get(place))
        .any(|at| analysis.kind(at) == Kind::CheckBox)
}

/// What a control in the header of a column does: it sorts by that column, unless its words say otherwise.
fn sorts(page: &Dom, id: ElementId, names: &Names) -> Option<String> {
    const OTHERS: &[&str] = &[
        "filter", "menu", "more", "resize", "dots", "options", "info", "help", "search", "pin",
    ];
    let header = std::iter::once(id)
        .chain(page.ancestors(id).take(LEVELS))
        .find(|at| {
            let element = page.element(*at);
            &*element.tag == "th" || &*element.role == "columnheader"
        })?;
    let other = names
        .names
        .iter()
        .flat_map(|name| identifier_words(&name.text))
        .any(|word| OTHERS.contains(&&*word));
    let column = text_of(page, header, None);
    (!other && !column.is_empty()).then(|| format!("sort by {column}"))
}

/// What is chosen by a list, as far as the choices say it.
fn of_choices(page: &Dom, analysis: &PageAnalysis, id: ElementId) -> Option<&'static str> {
    const LEAST_PER_PAGE: u32 = 5;
    let choices: Vec<&str> = page
        .subtree(id)
        .skip(1)
        .filter(|at| analysis.kind(*at) == Kind::Option)
        .take(MOST_CHOICES)
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
        let per_page =
            *first >= LEAST_PER_PAGE && numbers.iter().all(|n| n % 5 == 0 || n % 12 == 0);
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

/// Whether a choice is a span of time.
fn names_period(text: &str) -> bool {
    identifier_words(text).iter().any(|word| is_period(word))
}

/// Whether a choice says by what things are put in order.
fn names_order(text: &str) -> bool {
    identifier_words(text).iter().any(|word| is_order(word))
}

/// Whether a text is the name of a language in that language, or its code.
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

/// Whether a control changes the language: it is called by one, or by how many there are, or its address says so.
fn is_language(element: &Element, says: &str) -> bool {
    let address = element.attribute("href").unwrap_or_default();
    let by_address = element.attribute("hreflang").is_some()
        || ["?lang=", "&lang=", "?hl=", "&hl=", "?locale=", "/locale/"]
            .iter()
            .any(|part| address.contains(part));
    by_address || names_language(says)
}

/// Whether a control shows the initials of whoever is signed in, by what its author calls it or by its place in the upper
/// right corner.
fn is_initials(page: &Dom, id: ElementId, says: &str) -> bool {
    let letters = says.chars().all(char::is_uppercase) && (1..=3).contains(&says.chars().count());
    if !letters {
        return false;
    }
    let element = page.element(id);
    let called = std::iter::once(element.id())
        .chain(element.classes())
        .chain(
            page.subtree(id)
                .skip(1)
                .take(2)
                .flat_map(|at| page.element(at).classes()),
        )
        .flat_map(identifier_words)
        .any(|word| {
            matches!(
                &*word,
                "av" | "avatar" | "me" | "user" | "profile" | "account" | "initials" | "persona"
            )
        });
    called || in_upper_right(page, element)
}

/// Whether a control in the upper right corner opens a menu and is called by a name with capitals, as that of a person.
fn is_person_menu(page: &Dom, id: ElementId, says: &str) -> bool {
    const ARROWS: [char; 4] = ['▾', '▼', '⌄', '⏷'];
    let element = page.element(id);
    let opens = says.ends_with(ARROWS)
        || element.is(Facts::COLLAPSED)
        || element.attribute("aria-haspopup").is_some();
    let name = says.trim_end_matches(ARROWS).trim();
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

/// Whether an element lies in the upper right corner of what is seen first.
fn in_upper_right(page: &Dom, element: &Element) -> bool {
    let viewport = page.viewport();
    element.bounds.is_some_and(|bounds| {
        bounds.top * 8 < viewport.height && bounds.left * 4 > viewport.width * 3
    })
}

/// Whether an address is that of somebody's own page, as sites write it with an `@`.
fn leads_to_person(element: &Element) -> bool {
    let address = element.attribute("href").unwrap_or_default();
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('/'),
    };
    path.starts_with('@') && !path.trim_end_matches('/').contains('/')
}

/// Whether a picture at the top of the page leads to where the site begins.
fn leads_home(page: &Dom, id: ElementId) -> bool {
    let element = page.element(id);
    let address = element.attribute("href").unwrap_or_default();
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('.').trim_start_matches('/'),
    };
    let root = !address.is_empty()
        && !address.starts_with('#')
        && matches!(path, "" | "index.html" | "home" | "#");
    let own_site = !address.contains("://") || is_own_site(page, address);
    let high = element
        .bounds
        .or_else(|| page.subtree(id).find_map(|at| page.element(at).bounds))
        .is_some_and(|bounds| bounds.top * 5 < page.viewport().height);
    root && own_site && high
}

/// Whether a link at the top of the page is called the brand or the logo of the site by its author.
fn is_brand(page: &Dom, id: ElementId) -> bool {
    let element = page.element(id);
    let called = element.classes().chain([element.id()]).any(|class| {
        identifier_words(class)
            .iter()
            .any(|word| matches!(&**word, "brand" | "logo"))
    });
    let high = element
        .bounds
        .is_some_and(|bounds| bounds.top * 5 < page.viewport().height);
    &*element.tag == "a" && called && high
}

/// Whether an address is on the site that the page comes from.
fn is_own_site(page: &Dom, address: &str) -> bool {
    fn host(url: &str) -> &str {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        host.trim_start_matches("www.")
    }
    page.scopes()
        .first()
        .is_some_and(|scope| host(&scope.url) == host(address))
}

/// Whether words on the page can be changed where they stand, as the title of a document can.
fn is_title(element: &Element) -> bool {
    const MOST: usize = 60;
    element.attribute("contenteditable").is_some() && (1..=MOST).contains(&element.text.len())
}

/// Whether a field takes how many there are to be of something.
fn counts(element: &Element) -> bool {
    let number = |key: &str| {
        element
            .attribute(key)
            .and_then(|value| value.trim().parse::<i64>().ok())
    };
    let whole = number("step").is_none_or(|step| step == 1);
    element.attribute("type") == Some("number")
        && whole
        && number("min").is_some_and(|least| (0..=1).contains(&least))
        && number("max").is_none_or(|most| most <= 999)
}

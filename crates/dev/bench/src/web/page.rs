//! Pages of a given size with typical content.

use std::fmt::Write;

/// A page with exactly `elements` elements: sections with a heading, cards, a form and a table each. The
/// button `#plus` counts its clicks; the button `#next` replaces the first section by another with a new name
/// each time.
pub fn sized(elements: usize) -> String {
    let mut body = String::new();
    // html, head, title, meta, style, body, h1, two buttons and the script.
    let mut left = elements.saturating_sub(10);
    let mut section = 0_usize;
    while left > 0 {
        section += 1;
        left = add(&mut body, section, left);
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{elements} elements</title><meta charset=\"utf-8\">\
         <style>section{{border:1px solid #ddd;margin:8px;padding:8px}}.card{{display:inline-block;width:180px}}</style>\
         </head><body><h1>{elements} elements</h1><button id=\"plus\">0</button><button id=\"next\">Next</button>\
         {body}<script>{SCRIPT}</script></body></html>"
    )
}

/// A description of one link on a page of at least 1,500 elements, different for each `turn`.
pub fn question(turn: usize) -> String {
    let section = 2 + turn % 20;
    let name = format!("{} {section}-0", word(&NOUNS, section));
    format!("{} {name} link", word(&VERBS, 0))
}

const SCRIPT: &str = "let turn = 0;\
    document.getElementById('plus').addEventListener('click', (event) => {\
      event.target.textContent = String(Number(event.target.textContent) + 1);\
    });\
    document.getElementById('next').addEventListener('click', () => {\
      turn += 1;\
      const old = document.querySelector('section');\
      const fresh = old.cloneNode(true);\
      fresh.dataset.turn = String(turn);\
      fresh.querySelector('h2').textContent = 'Turn ' + turn;\
      old.replaceWith(fresh);\
    });";

const NOUNS: [&str; 12] = [
    "Invoice", "Report", "Order", "Ticket", "Project", "Customer", "Delivery", "Contract",
    "Budget", "Meeting", "Course", "Recipe",
];
const VERBS: [&str; 6] = ["Open", "Edit", "Archive", "Share", "Download", "Delete"];

fn word<'a>(words: &[&'a str], at: usize) -> &'a str {
    words.get(at % words.len()).copied().unwrap_or_default()
}

/// Adds a section of at most `left` elements; returns the number left.
fn add(body: &mut String, section: usize, left: usize) -> usize {
    let mut left = left;
    let mut take = |count: usize| {
        let enough = left >= count;
        if enough {
            left -= count;
        }
        enough
    };
    let thing = word(&NOUNS, section);
    if !take(2) {
        body.push_str("<hr>");
        take(1);
        return left;
    }
    // Writing to a String cannot fail.
    let _ = write!(body, "<section><h2>{thing} list {section}</h2>");
    for card in 0..8 {
        if !take(6) {
            break;
        }
        let name = format!("{} {section}-{card}", word(&NOUNS, section + card));
        let (first, second) = (word(&VERBS, card), word(&VERBS, card + 1));
        let _ = write!(
            body,
            "<div class=\"card\"><h3>{name}</h3><p>Changed on day {card}.</p>\
             <a href=\"/{section}/{card}\">{first} {name}</a><button>{second}</button><img alt=\"Picture of {name}\"></div>"
        );
    }
    if take(5) {
        let _ = write!(
            body,
            "<form><label for=\"f{section}\">Search in {thing} {section}</label><input id=\"f{section}\" \
             placeholder=\"{thing} number\"><input type=\"checkbox\" aria-label=\"Only open {section}\"><button>Filter</button></form>"
        );
    }
    if take(6) {
        let _ = write!(
            body,
            "<table><tbody><tr><td>Total {section}</td><td>{}</td><td>€</td></tr></tbody></table>",
            section * 17
        );
    }
    body.push_str("</section>");
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_question_matches_one_link() {
        let page = sized(1_500);
        for turn in 0..20 {
            let question = question(turn);
            let name = question.trim_end_matches(" link");
            assert_eq!(page.matches(&format!(">{name}</a>")).count(), 1, "{name}");
        }
    }

    #[test]
    fn page_has_requested_size() {
        for elements in [100, 1_500, 3_000, 3_001] {
            let page = sized(elements);
            let ends = ["</", "<!", "<>"];
            let count = page
                .match_indices('<')
                .filter(|(at, _)| !ends.iter().any(|end| page[*at..].starts_with(end)))
                .count();
            assert_eq!(count, elements);
        }
    }
}

//! Runs `testdata/pages`: files of pages with what descriptions find on them.
//!
//! `== Title` begins a page, which is written as in [`page`]. `prefers:` begins descriptions with the element that is
//! ranked first, certain or not, `finds:` those that find theirs with certainty, and `finds nothing:` those that match
//! nothing. Lines that begin with `#` are comments.

use crate::support::page::page;

/// What is expected of descriptions.
#[derive(Clone, Copy)]
enum Expected {
    Prefers,
    Finds,
    Nothing,
}

/// Runs all pages of a file.
fn run(text: &str) {
    let (_, pages) = text.split_once("== ").unwrap();
    for part in pages.split("\n== ") {
        let lines = part
            .lines()
            .filter(|line| !line.trim_start().starts_with("# "));
        let lines: Vec<&str> = lines.collect();
        let content = lines.iter().take_while(|line| section(line).is_none());
        let content: Vec<&str> = content.copied().collect();
        let [title, elements @ ..] = content.as_slice() else {
            panic!("{part}");
        };
        println!("{title}");
        let page = page(&elements.join("\n"));
        let mut expected = None;
        for line in lines
            .iter()
            .skip(content.len())
            .filter(|line| !line.is_empty())
        {
            let begun = section(line);
            expected = begun.or(expected);
            if begun.is_some() {
                continue;
            }
            let (description, name) = line.trim().split_once(" -> ").unwrap_or((line.trim(), ""));
            match expected.unwrap() {
                Expected::Prefers => page.prefers(&[(description, name)]),
                Expected::Finds => page.finds(&[(description, name)]),
                Expected::Nothing => page.has_none(&[description]),
            }
        }
    }
}

fn section(line: &str) -> Option<Expected> {
    match line {
        "prefers:" => Some(Expected::Prefers),
        "finds:" => Some(Expected::Finds),
        "finds nothing:" => Some(Expected::Nothing),
        _ => None,
    }
}

macro_rules! files {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            run(include_str!(concat!("../../../testdata/pages/", stringify!($name), ".txt")));
        }
    )*};
}

files! {
    actions
    app_vocabulary
    asked_values
    control_context
    disambiguation
    icon_shapes
    idioms
    item_actions
    layers
    list_apps
    ownership
    phrasing
    positions
    verdicts
    word_matching
}

//! Runs `testdata/pages`: files of pages and of phone screens with what descriptions find on them.
//!
//! `== Title` begins one, which is written as in [`page`] or, from `window` on, as a screen. `prefers:` begins descriptions with
//! the element that is ranked first, certain or not, `finds:` those that find theirs with certainty, `unsure:` those that are
//! unsure, `misses:` those that are unsure because of the given words, `not certain:` those that are at most certain of the
//! element that is given, if one is, `ambiguous:` those with several equal elements and what tells these apart, `offers:` those
//! with all elements that are ranked, and `finds nothing:` those that match nothing. `save @ below Billing` is near a reference,
//! `[button] ` or `[role=button tag=a text=log_in] `
//! begins a description with conditions. Lines that begin with `#` are comments.

use inspect::{
    Request, Subject, Verdict,
    find::{self, Direction, FindResult, Near, Reference},
};
use uitree::{Node, UiTree};

use crate::support::page::{Page, page};

/// A page or a screen.
enum Screen {
    Page(Page),
    Phone(Box<UiTree>, Subject),
}

impl Screen {
    fn read(text: &str) -> Self {
        if !text.starts_with("window ") {
            return Self::Page(page(text));
        }
        let tree = UiTree::parse_notation(text).unwrap();
        let subject = Subject::from_tree(&tree);
        Self::Phone(Box::new(tree), subject)
    }

    fn ask(&self, description: &str) -> FindResult {
        let subject = match self {
            Self::Page(page) => &page.subject,
            Self::Phone(_, subject) => subject,
        };
        find::find(subject, &request(description)).unwrap()
    }

    /// Whether the elements are those of a list such as `first under "Billing", second`.
    fn are_called(&self, elements: &[(usize, &str)], list: &str) -> bool {
        let names: Vec<&str> = list.split(", ").collect();
        let fits = |((place, words), expected): (&(usize, &str), &&str)| {
            let (name, apart) = expected.split_once(' ').unwrap_or((expected, ""));
            self.is_called(*place, name) && (apart.is_empty() || apart == *words)
        };
        names.len() == elements.len() && elements.iter().zip(&names).all(fits)
    }

    /// Whether the element at `place` is called so.
    fn is_called(&self, place: usize, name: &str) -> bool {
        match self {
            Self::Page(page) => page.name(place) == name,
            Self::Phone(tree, _) => {
                let bounds = |node: &Node| node.bounds.map(|bounds| bounds.to_string());
                let node = tree.node(tree.get(place).unwrap());
                bounds(node).as_deref() == Some(name)
                    || [&*node.text, &*node.label].contains(&name)
                    || node.id.rsplit('/').next() == Some(name)
            }
        }
    }

    /// Compares an answer with what the section expects. Returns what differs.
    fn check(&self, section: &str, description: &str, name: &str) -> Option<String> {
        let found = self.ask(description);
        let first = found.ranked.first();
        let is_first = first.is_some_and(|first| self.is_called(first.place, name));
        let verdict = found.verdict.as_str();
        let holds = match section {
            "prefers:" => is_first,
            "finds:" => is_first && verdict == "certain",
            "misses:" => {
                matches!(&found.verdict, Verdict::Unsure { missing } if missing.iter().any(|word| word == name))
            }
            "unsure:" => verdict == "unsure" && (is_first || name.is_empty()),
            "ambiguous:" => matches!(&found.verdict, Verdict::Ambiguous { told_apart_by, .. } if {
                let apart = told_apart_by.iter().map(|one| (one.place, &*one.words));
                self.are_called(&apart.collect::<Vec<_>>(), name)
            }),
            "offers:" => {
                let hits = found.ranked.iter().map(|hit| (hit.place, ""));
                self.are_called(&hits.collect::<Vec<_>>(), name)
            }
            "not certain:" => found.verdict != Verdict::Certain || is_first,
            _ => verdict == "not_found",
        };
        (!holds).then(|| format!("{section} {description} -> {name}: {found:#?}"))
    }
}

/// The request of a line.
fn request(line: &str) -> Request {
    let (words, anchor) = line.split_once(" @ ").unwrap_or((line, ""));
    let (conditions, words) = match words.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap(),
        None => ("", words),
    };
    let mut request = Request::default();
    if !words.trim().is_empty() {
        request.description = Some(words.trim().to_owned());
    }
    for condition in conditions.split_whitespace() {
        let (key, value) = condition.split_once('=').unwrap_or(("role", condition));
        let value = Some(value.replace('_', " "));
        match key {
            "role" => request.attributes.role = value,
            "testid" => request.attributes.data_testid = value,
            "class" => request.attributes.class_contains = value,
            "placeholder" => request.attributes.placeholder = value,
            "type" => request.attributes.r#type = value,
            "tag" => request.tag = value,
            "text" => request.text_contains = value,
            other => panic!("{other}"),
        }
    }
    request.near = anchor.split_once(' ').map(|(side, words)| Near {
        reference: Reference::Text(words.to_owned()),
        direction: Direction::parse(side),
    });
    request
}

/// Phrases for places.
const PHRASES: [(&str, &[&str]); 13] = [
    ("under", &["under", "underneath"]),
    ("below", &["below", "right below"]),
    ("beneath", &["beneath"]),
    ("beside", &["beside", "right beside"]),
    ("next to", &["next to", "close to"]),
    (
        "right of",
        &["right of", "to the right of", "on the right side of"],
    ),
    (
        "left of",
        &["left of", "to the left of", "on the left side of"],
    ),
    ("over", &["over"]),
    ("above", &["above"]),
    ("labelled", &["labelled", "labeled", "named"]),
    ("for", &["for"]),
    ("of", &["of"]),
    ("in", &["in"]),
];

/// Every phrase finds what it is about with every kind of reference: a label, a heading, a row, a column, a card, a dialog
/// and a section.
#[test]
fn references() {
    let text = include_str!("../../../testdata/pages/references.txt");
    let (_, pages) = text.split_once("== ").unwrap();
    let mut failures = Vec::new();
    for part in pages.split("\n== ") {
        let (content, cells) = part.split_once("\nreferences:\n").unwrap();
        let (title, content) = content.split_once('\n').unwrap();
        let screen = Screen::read(content);
        let cells: Vec<(&str, &str)> = cells
            .lines()
            .filter_map(|line| line.trim().split_once(": "))
            .collect();
        for (family, phrases) in PHRASES {
            let mut own = cells.iter().filter(|(of, _)| *of == family).peekable();
            if own.peek().is_none() {
                failures.push(format!("{title}: nothing {family} it"));
            }
            for (_, cell) in own {
                let (what, rest) = cell.split_once(" > ").unwrap();
                let (reference, name) = rest.split_once(" ->").unwrap();
                let section = match name {
                    "" => "not certain:",
                    _ => "prefers:",
                };
                let asked = |phrase: &&str| format!("{what} {phrase} {reference}");
                let answers = phrases.iter().map(asked);
                failures
                    .extend(answers.filter_map(|asked| screen.check(section, &asked, name.trim())));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Runs all pages of a file.
fn run(text: &str) {
    const SECTIONS: [&str; 8] = [
        "prefers:",
        "finds:",
        "unsure:",
        "misses:",
        "not certain:",
        "ambiguous:",
        "offers:",
        "finds nothing:",
    ];
    let (_, pages) = text.split_once("== ").unwrap();
    let mut failures = Vec::new();
    for part in pages.split("\n== ") {
        let is_comment = |line: &&str| line.trim_start().starts_with("# ");
        let mut lines = part.lines().filter(|line| !is_comment(line)).peekable();
        println!("{}", lines.next().unwrap());
        let mut content = String::new();
        while let Some(line) = lines.next_if(|line| !SECTIONS.contains(line)) {
            content += &format!("{line}\n");
        }
        let screen = Screen::read(&content);
        let mut section = "";
        for line in lines.filter(|line| !line.is_empty()) {
            if SECTIONS.contains(&line) {
                section = line;
                continue;
            }
            let (description, name) = line.trim().split_once(" -> ").unwrap_or((line.trim(), ""));
            failures.extend(screen.check(section, description, name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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
    filters
    icon_shapes
    idioms
    item_actions
    labels
    layers
    list_apps
    near
    opposites
    ownership
    phones
    phrasing
    positions
    relations
    verdicts
    word_matching
}

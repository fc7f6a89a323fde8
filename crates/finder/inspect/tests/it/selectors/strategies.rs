//! Runs `testdata/selectors`: files of pages and of phone screens with the selectors of their elements.
//!
//! `== Title` begins a page or screen. `selectors of NAME:` begins the selectors of an element, one per line, and `strict
//! selectors of NAME:` those that are certain to last. Lines that begin with `#` between pages are comments.

use expect_test::expect_file;
use inspect::selectors::{PageNames, Selector, SelectorForm, StabilityFilter, TreeNames};
use uitree::{NodeId, UiTree};

use crate::support::page::page;

/// Compares the selectors in a file with those of `name`, which is given a screen and the name of an element.
fn run(path: &str, name: impl Fn(&str, &str, StabilityFilter) -> Vec<Selector>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut written = String::new();
    let mut screen = String::new();
    let mut named = false;
    for line in text.lines() {
        let begins = line
            .strip_suffix(':')
            .and_then(|line| line.split_once("selectors of "));
        if line.starts_with("== ") {
            (screen, named) = (String::new(), false);
        } else if begins.is_none() && !named {
            screen += &format!("{line}\n");
        }
        if !(named && line.starts_with("  ")) {
            written += &format!("{line}\n");
        }
        if let Some((wanted, of)) = begins {
            named = true;
            let wanted = match wanted {
                "strict " => StabilityFilter::Strict,
                _ => StabilityFilter::Any,
            };
            for selector in name(&screen, of, wanted) {
                written += &format!("  {}\n", shown(&selector));
            }
        }
    }
    expect_file![path].assert_eq(&written);
}

fn shown(selector: &Selector) -> String {
    let (stability, strategy) = (selector.stability, selector.strategy.as_str());
    let how = match &selector.how {
        SelectorForm::Css { .. } => selector.css().unwrap(),
        SelectorForm::Matcher { query, container } => {
            let container = container.as_ref().map(|it| format!(" in {it}"));
            format!(
                "x{} {query}{}",
                selector.matches,
                container.unwrap_or_default()
            )
        }
        SelectorForm::Point(point) => format!("x{} {point}", selector.matches),
    };
    let why = selector.why.as_deref().map(|why| format!(" ({why})"));
    format!("{stability} {strategy} {how}{}", why.unwrap_or_default())
}

#[test]
fn elements_of_pages_have_expected_selectors() {
    run(
        concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/selectors/pages.txt"),
        |text, name, wanted| {
            let page = page(text);
            PageNames::new(&page.dom).selectors(page.named(name), wanted, 6)
        },
    );
}

#[test]
fn nodes_of_phones_have_expected_selectors() {
    run(
        concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/selectors/phones.txt"),
        |text, name, wanted| {
            let tree = UiTree::parse_notation(text).unwrap();
            TreeNames::new(&tree).selectors(node(&tree, name), wanted, 6)
        },
    );
}

/// The node of this number, else the first node with this text or label, or whose id ends so.
fn node(tree: &UiTree, name: &str) -> NodeId {
    let is = |id: &NodeId| {
        let node = tree.node(*id);
        &*node.text == name || &*node.label == name || node.id.ends_with(&format!("/{name}"))
    };
    let numbered = name.parse().ok().and_then(|place| tree.get(place));
    numbered.or_else(|| tree.ids().find(is)).unwrap()
}

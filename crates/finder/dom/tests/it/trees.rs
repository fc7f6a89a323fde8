//! The pages in `testdata`, captured from a browser. `UPDATE_EXPECT=1` rewrites their trees.

use std::path::Path;

use dom::{Dom, ElementId, Facts, PageTree};
use expect_test::expect_file;
use uitree::{State, UiTree};

const PAGES: [&str; 6] = ["clicks", "forms", "places", "shadow", "structure", "words"];

fn page(name: &str) -> Dom {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn elements<'d>(dom: &'d Dom, is_requested: impl Fn(&dom::Element) -> bool + 'd) -> Vec<ElementId> {
    dom.ids()
        .filter(|id| is_requested(dom.element(*id)))
        .collect()
}

#[test]
fn pages_have_expected_trees_and_round_trip() {
    for name in PAGES {
        let shown = page(name).to_tree(&[]);
        let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/{name}.tree"));
        expect_file![expected].assert_eq(&shown.tree.to_notation());
        let document = shown.tree.to_hierarchy_xml();
        let again = UiTree::parse_hierarchy_xml(document.as_bytes(), None).unwrap();
        assert_eq!(
            again, shown.tree,
            "{name}: the document reads back as another tree"
        );
    }
}

#[test]
fn all_visible_text_is_in_the_tree() {
    for name in PAGES {
        let dom = page(name);
        let PageTree { tree, .. } = dom.to_tree(&[]);
        let all: String = tree
            .nodes()
            .iter()
            .map(|node| format!("{} ", node.text))
            .collect();
        for id in elements(&dom, |element| element.is(Facts::VISIBLE)) {
            let element = dom.element(id);
            let written: Vec<&str> = match &element.runs {
                Some(runs) => runs.iter().map(|run| &*run.text).collect(),
                None => vec![&*element.text],
            };
            for word in written.iter().flat_map(|text| text.split_whitespace()) {
                let readable = word.trim_matches('\u{e5cd}');
                assert!(
                    all.contains(readable),
                    "{name}: {word} of {element:?} is lost"
                );
            }
        }
    }
}

#[test]
fn every_usable_element_has_a_node() {
    let used = "button,link,textbox,searchbox,checkbox,radio,switch,combobox,slider,spinbutton,tab,menuitem,option,treeitem";
    for name in PAGES {
        let dom = page(name);
        let shown = dom.to_tree(&[]);
        for id in elements(&dom, |element| {
            element.is(Facts::VISIBLE) && used.split(',').any(|role| role == &*element.role)
        }) {
            let element = dom.element(id);
            let node = shown
                .node(id)
                .unwrap_or_else(|| panic!("{name}: {element:?} is lost"));
            assert_eq!(
                shown.element(node),
                Some(id),
                "{name}: {element:?} went into another"
            );
            let node = shown.tree.node(node);
            assert!(node.is(State::CLICKABLE), "{name}: {element:?}");
            assert_eq!(
                node.is(State::ENABLED),
                !element.is(Facts::DISABLED),
                "{name}: {element:?}"
            );
            let says = !node.text.is_empty() || !node.label.is_empty();
            assert!(
                says || element.name.is_empty(),
                "{name}: {element:?} lost its name"
            );
        }
    }
}

#[test]
fn requested_element_gets_a_separate_node() {
    for name in PAGES {
        let dom = page(name);
        let every: Vec<ElementId> = dom.ids().collect();
        let shown = dom.to_tree(&every);
        assert_eq!(
            shown.tree.get(every.len() - 1).map(|node| node.index() + 1),
            Some(every.len())
        );
        for id in &every {
            let node = shown
                .node(*id)
                .unwrap_or_else(|| panic!("{name}: {:?}", dom.element(*id)));
            assert_eq!(shown.element(node), Some(*id), "{name}");
            assert_eq!(shown.tree.node(node).class, dom.element(*id).tag);
            let element = dom.element(*id);
            let control = matches!(&*element.tag, "input" | "select" | "textarea" | "button");
            let seen = *id == every[0]
                || element.is(Facts::VISIBLE)
                || (control && element.is(Facts::TRANSPARENT));
            assert_eq!(
                shown.tree.node(node).is(State::VISIBLE),
                seen,
                "{name}: {element:?}"
            );
        }
        let document = shown.tree.to_hierarchy_xml();
        let again = UiTree::parse_hierarchy_xml(document.as_bytes(), None).unwrap();
        assert_eq!(again, shown.tree, "{name}");
        // One more node does not change the others.
        let plain = dom.to_tree(&[]);
        let buttons = |tree: &UiTree| -> Vec<(String, String)> {
            let nodes = tree.nodes().iter().filter(|node| &*node.class == "button");
            nodes
                .map(|node| (node.text.to_string(), node.label.to_string()))
                .collect()
        };
        let first = elements(&dom, |element| &*element.tag == "span")
            .into_iter()
            .next();
        let kept = dom.to_tree(first.as_slice());
        assert_eq!(buttons(&kept.tree), buttons(&plain.tree), "{name}");
    }
}

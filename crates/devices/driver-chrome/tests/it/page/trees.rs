//! The trees of the pages in `testdata/pages`. `UPDATE_EXPECT=1` rewrites them.
//!
//! Bounds are left out, since they depend on the fonts of the machine. Positions are tested on boxes without
//! text.

use std::fs;
use std::path::Path;

use expect_test::expect_file;
use uitree::UiTree;

use super::observer::PageServer;

/// A tree without bounds, and without the port of the server.
fn shape(tree: &UiTree, port: u16) -> String {
    let mut out = String::new();
    for line in tree.to_notation().lines() {
        let line = line.replace(&format!(":{port}"), "");
        let words = line.split(' ');
        let bounds = |word: &str| {
            word.strip_prefix('[')
                .is_some_and(|rest| rest.contains("][") && rest.ends_with(']'))
        };
        let words_without_bounds: Vec<&str> = words.filter(|word| !bounds(word)).collect();
        out.push_str(&words_without_bounds.join(" "));
        out.push('\n');
    }
    out
}

#[tokio::test]
async fn pages_have_expected_trees_and_round_trip() {
    let room = PageServer::open(&[]).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/pages");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".html")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let html = fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
        let mut observed_page = room.show(&format!("/{name}.html"), &html).await;
        let seen = observed_page.observe().await;
        let tree = &seen.observation.tree;
        let expected = folder.join(format!("{name}.tree"));
        expect_file![expected].assert_eq(&shape(tree, room.web.port()));
        let document = tree.to_hierarchy_xml();
        let again = UiTree::parse_hierarchy_xml(document.as_bytes(), None).unwrap();
        assert_eq!(
            again, **tree,
            "{name}: the document reads back as another tree"
        );
        for node in tree.ids() {
            let spot = seen.target_of(node);
            assert!(
                spot.is_some(),
                "{name}: no element for {:?}",
                tree.node(node)
            );
        }
        let again = observed_page.observe().await;
        assert_eq!(
            again.observation.tree.to_hierarchy_xml(),
            document,
            "{name}"
        );
        assert_eq!(
            again.observation.revision, seen.observation.revision,
            "{name}"
        );
    }
}

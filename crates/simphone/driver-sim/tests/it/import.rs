//! Imported screens of real devices: shown unchanged, and operable.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use driver::{Driver, Key, NodeAct};
use driver_sim::import::{Import, ImportError, ImportedScreen, Tap};
use uitree::{Point, Query, Size, State, UiTree};

use crate::fixture::{Fixture, with_file};

/// Every well-formed dump of a real screen.
fn dumps() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../core/uitree/testdata/screens"
    );
    let mut dumps: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    dumps.sort();
    assert_eq!(dumps.len(), 48);
    dumps
}

fn import(screens: &[(&str, UiTree)], taps: &[&str]) -> Result<String, ImportError> {
    let names: Vec<&str> = screens.iter().map(|(name, _)| *name).collect();
    Import {
        package: Some("com.test.app".to_owned()),
        screens: screens
            .iter()
            .map(|(name, tree)| ImportedScreen {
                name: (*name).to_owned(),
                tree: tree.clone(),
                picture: None,
            })
            .collect(),
        taps: taps
            .iter()
            .map(|tap| Tap::parse(tap, &names).unwrap())
            .collect(),
        ..Import::default()
    }
    .to_yaml()
}

fn fixture(yaml: String) -> Fixture {
    Fixture::with(with_file(&yaml))
}

fn assert_noted(fixture: &Fixture, what: &str) {
    let journal = fixture.journal();
    assert!(
        journal.iter().any(|line| line.contains(what)),
        "{journal:#?}"
    );
}

#[tokio::test(start_paused = true)]
async fn imported_screens_have_the_original_tree() {
    for (name, bytes) in dumps() {
        let original = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let yaml = import(&[(&name, original.clone())], &[])
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut fixture = fixture(yaml);
        let seen = fixture.see().await.tree;
        let xml = seen.to_hierarchy_xml();
        let again = UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap();
        assert_eq!(again.nodes().len(), original.nodes().len(), "{name}");
        for (node, before) in again.nodes().iter().zip(original.nodes()) {
            assert_eq!(node, before, "{name}");
        }
        assert_eq!(again.windows(), original.windows(), "{name}");
        assert!(again == original, "{name}: screen or rotation");
        assert_eq!(xml, original.to_hierarchy_xml(), "{name}");
        // The phone's screen is at least as large as the original.
        let phone = fixture.driver.phone().screen();
        let screen = original.screen();
        assert!(
            phone.width >= screen.width && phone.height >= screen.height,
            "{name}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn visible_clickable_nodes_take_clicks() {
    let mut clicked = 0;
    for (name, bytes) in dumps() {
        let original = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let mut fixture = fixture(import(&[(&name, original.clone())], &[]).unwrap());
        let seen = fixture.see().await;
        let required_state = State::CLICKABLE | State::ENABLED;
        for id in seen.tree.ids() {
            let node = seen.tree.node(id);
            if node.is(required_state) && node.bounds.is_some() {
                let before = fixture.journal().len();
                fixture
                    .driver
                    .act(&fixture.cx, seen.node_ref(id), &NodeAct::Click)
                    .await
                    .unwrap_or_else(|error| panic!("{name}: {error}: {node:?}"));
                fixture.see().await;
                assert!(fixture.journal().len() > before, "{name}: {node:?}");
                clicked += 1;
                if clicked % 8 == 0 {
                    break;
                }
            }
        }
    }
    assert!(clicked > 100, "{clicked}");
}

#[tokio::test(start_paused = true)]
async fn tap_opens_a_screen_and_is_in_the_journal() {
    let settings = UiTree::parse_notation(
        "column #android:id/content [0,0][1080,2400]\n\
         \x20 text \"Settings\" [0,100][1080,200]\n\
         \x20 row #row [0,200][1080,400] clickable focusable\n\
         \x20   text \"About phone\" [40,220][1040,280]\n\
         \x20   text \"Pixel\" [40,300][1040,360]\n\
         \x20 row [0,400][1080,600] clickable focusable\n\
         \x20   text \"Wi-Fi\" [40,420][800,480]\n\
         \x20   switch .Switch [900,420][1040,580] checkable\n\
         \x20 button \"Off\" [0,600][1080,700] clickable disabled\n",
    )
    .unwrap();
    let about = UiTree::parse_notation(
        "column [0,0][1080,2400]\n\
         \x20 button label=\"Navigate up\" #up [0,100][200,200] clickable\n\
         \x20 textfield hint=\"Name\" #name .EditText [0,200][1080,300] clickable focusable editable\n",
    )
    .unwrap();
    let yaml = import(
        &[("settings", settings), ("about", about)],
        &["settings: text=About phone -> about", "about: #up -> back"],
    )
    .unwrap();
    let mut fixture = fixture(yaml);
    assert_eq!(fixture.driver.phone().screen(), Size::new(1080, 2400));
    fixture.tap("About phone").await;
    assert!(fixture.shows("Navigate up").await);
    assert_noted(
        &fixture,
        "click by touch: com.test.app/settings row \"About phone\"",
    );

    // A tap on a field focuses it and opens the keyboard.
    fixture.touch(Point::new(500, 250)).await;
    let seen = fixture.see().await;
    assert!(
        seen.windows
            .iter()
            .any(|window| window.kind == uitree::WindowKind::InputMethod)
    );
    let field = seen.tree.find(&Query::new().id("name")).unwrap();
    assert!(seen.tree.node(field).is(State::FOCUSED));
    let set = NodeAct::SetText("Ada".to_owned());
    fixture
        .driver
        .act(&fixture.cx, seen.node_ref(field), &set)
        .await
        .unwrap();
    let node = fixture.node("Ada").await;
    assert_eq!(&*node.hint, "Name");
    assert!(!node.is(State::SHOWING_HINT));
    fixture.driver.key(&fixture.cx, Key::Back).await.unwrap();
    fixture.tap("Navigate up").await;

    // Tapping a row toggles its switch; a disabled button swallows the tap.
    let checked = async |fixture: &mut Fixture| {
        let tree = fixture.see().await.tree;
        let switch = tree.find(&Query::new().role("switch")).unwrap();
        tree.node(switch).is(State::CHECKED)
    };
    assert!(!checked(&mut fixture).await);
    fixture.tap("Wi-Fi").await;
    assert!(checked(&mut fixture).await);
    fixture.tap("Wi-Fi").await;
    assert!(!checked(&mut fixture).await);
    fixture.tap("Off").await;
    assert_noted(&fixture, "swallowed");
}

#[test]
fn ambiguous_or_empty_tap_is_refused_with_a_hint() {
    let tree = UiTree::parse_notation(
        "column\n  button \"Add\" clickable\n  button \"Add\" clickable\n  text \"Sum\"\n",
    )
    .unwrap();
    for (tap, hint) in [
        ("text=Ad -> main", "did you mean `Add`"),
        ("text=Add -> main", "2 nodes match"),
        ("text=Add, nth=3 -> main", "`nth` is 3"),
        ("text=Sum -> main", "lacks the word `clickable`"),
        ("text=Add, nth=1 -> mian", "did you mean `main`"),
    ] {
        let error = import(&[("main", tree.clone())], &[tap]).unwrap_err();
        assert!(error.to_string().contains(hint), "{tap}: {error}");
        assert!(
            error.to_string().starts_with(&format!("`{tap}`: ")),
            "{error}"
        );
    }
    assert!(import(&[("main", tree.clone())], &["text=Add, nth=2 -> main"]).is_ok());
    let twice = import(&[("main", tree.clone()), ("main", tree)], &[]).unwrap_err();
    assert!(twice.to_string().contains("two screens"), "{twice}");
}

#[tokio::test(start_paused = true)]
async fn only_one_radio_button_of_a_group_is_checked() {
    let tree = UiTree::parse_notation(
        "column .RadioGroup\n\
         \x20 radio \"Small\" .RadioButton clickable checkable checked\n\
         \x20 radio \"Large\" .RadioButton clickable checkable\n",
    )
    .unwrap();
    let mut fixture = fixture(import(&[("main", tree)], &[]).unwrap());
    for name in ["Large", "Large", "Small"] {
        fixture.tap(name).await;
        let tree = fixture.see().await.tree;
        let on: Vec<&str> = tree
            .nodes()
            .iter()
            .filter(|node| node.is(State::CHECKED))
            .map(|node| &*node.text)
            .collect();
        assert_eq!(on, [name]);
    }
}

/// The dump has thousands of nodes, nested deeper than YAML mappings may be.
#[tokio::test(start_paused = true)]
async fn imported_large_and_deep_screen_is_unchanged() {
    let mut text = String::new();
    for level in 0..300 {
        let indent = "  ".repeat(level.min(100));
        let level = if level > 100 {
            format!("~{level} ")
        } else {
            String::new()
        };
        text.push_str(&format!("{indent}{level}column [0,0][1080,2400]\n"));
    }
    for row in 0..6_000 {
        let top = row * 40;
        text.push_str(&format!(
            "  button \"Row {row}\" #com.test:id/row_{row} [0,{top}][1080,{}] clickable focusable @drawing-order=\"{row}\"\n",
            top + 40
        ));
    }
    let original = UiTree::parse_notation(&text).unwrap();
    assert_eq!(original.len(), 6_300);
    let mut fixture = fixture(import(&[("main", original.clone())], &[]).unwrap());
    assert!(*fixture.see().await.tree == original);
}

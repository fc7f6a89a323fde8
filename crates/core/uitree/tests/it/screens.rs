//! Every real screen, and every known failure of a dump.

use crate::{bytes_of, real_screens, testdata};
use expect_test::expect;
use uitree::{Query, Size, UiTree};

#[test]
fn real_screens_round_trip() {
    for (name, bytes) in real_screens() {
        let tree = UiTree::parse_hierarchy_xml(&bytes, None)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let xml = tree.to_hierarchy_xml();
        let again = UiTree::parse_hierarchy_xml(xml.as_bytes(), None)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(again == tree, "{name} reads back differently");
        assert_eq!(
            again.to_hierarchy_xml(),
            xml,
            "{name} is written differently the second time"
        );
        let notation = tree.to_notation();
        let again =
            UiTree::parse_notation(&notation).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            again == tree,
            "{name} reads back differently from the notation"
        );
    }
}

#[test]
fn real_screens_have_expected_counts() {
    let index = String::from_utf8(bytes_of("screens/index.tsv")).unwrap();
    for ((name, bytes), line) in real_screens().into_iter().zip(index.lines().skip(1)) {
        let columns: Vec<&str> = line.split('\t').collect();
        let tree = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let depth = tree
            .nodes()
            .iter()
            .map(|node| node.depth + 1)
            .max()
            .unwrap_or(0);
        let Size { width, height } = tree.screen();
        assert_eq!(tree.len().to_string(), columns[1], "{name}: nodes");
        assert_eq!(depth.to_string(), columns[2], "{name}: depth");
        // The first screen is an Appium source of a window that does not begin at the corner.
        if !name.starts_with("001") {
            assert_eq!(format!("{width}x{height}"), columns[5], "{name}: screen");
        }
        let remarks = columns[6];
        assert_eq!(
            tree.rotation() == 1,
            remarks.contains("rotation=1"),
            "{name}: rotation"
        );
        let windows = if remarks.contains("4 top-level windows") {
            4
        } else {
            1
        };
        assert_eq!(tree.windows().len(), windows, "{name}: windows");
    }
}

#[test]
fn every_text_of_real_screens_is_found() {
    for (name, bytes) in real_screens() {
        let tree = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        for id in tree.on_screen() {
            let node = tree.node(id);
            for query in [
                Query::new().text(&*node.text),
                Query::new().text_contains(&*node.text.to_lowercase()),
                Query::new().label(&*node.label),
                Query::new().label_contains(&*node.label.to_uppercase()),
                Query::new().id(&*node.id).role(node.role.as_str()),
            ] {
                assert!(
                    tree.find_all(&query).contains(&id),
                    "{name}: {query} misses {node:?}"
                );
            }
        }
    }
}

#[test]
fn failed_dumps_have_expected_errors() {
    let mut seen = String::new();
    let index = String::from_utf8(bytes_of("screens/malformed/index.tsv")).unwrap();
    for line in index.lines().skip(1) {
        let name = line.split('\t').next().unwrap();
        let read =
            UiTree::parse_hierarchy_xml(&bytes_of(&format!("screens/malformed/{name}")), None);
        let shown = match &read {
            Ok(tree) => format!("{} nodes, {} windows", tree.len(), tree.windows().len()),
            Err(error) => format!("{:?}: {error}", error.kind),
        };
        seen += &format!("{name}: {shown}\n");
        if let Ok(tree) = read {
            let again = UiTree::parse_hierarchy_xml(tree.to_hierarchy_xml().as_bytes(), None);
            assert_eq!(again.as_ref(), Ok(&tree), "{name}");
        }
    }
    expect![[r#"
        01-error-null-root.xml: NullRootNode: the dump tool found no active window: the screen may be off, locked or changing (line 1, column 1)
        02-error-idle-state.xml: NotIdle: the dump tool gave up waiting: something on the screen never stops moving (line 1, column 1)
        03-bom-error-null-root.xml: NullRootNode: the dump tool found no active window: the screen may be off, locked or changing (line 1, column 1)
        04-trailing-dumped-to.xml: 15 nodes, 1 windows
        05-bom-trailing-dumped-to.xml: 12 nodes, 1 windows
        06-utf16le-declared-utf8.xml: 20 nodes, 1 windows
        07-utf16le-trailing-dumped-to.xml: 6 nodes, 1 windows
        08-log-lines-before-xml.xml: 59 nodes, 1 windows
        09-shell-no-such-file.xml: NoSuchFile: there was no dump to read: the shell did not find the file (line 1, column 1)
        10-utf16le-killed.xml: Killed: the dump tool was killed before it wrote anything (line 1, column 1)
    "#]].assert_eq(&seen);
}

#[test]
fn the_annotated_settings_screen() {
    let tree = UiTree::parse_hierarchy_xml(&bytes_of("annotated-settings.xml"), None).unwrap();
    expect![[r#"
        screen 1080x2340
        container .FrameLayout owner=com.android.settings [0,0][1080,2340]
          list #com.android.settings:id/recycler_view .androidx.recyclerview.widget.RecyclerView [0,884][1080,2196] scrollable focusable
            button label="Search settings" .Button [912,692][1080,884] clickable focusable
            listitem .LinearLayout [30,1252][1050,1461] clickable index=2
              text "Connections" #android:id/title .TextView [216,1294][507,1364]
              text "Wi-Fi  •  Bluetooth  •  SIM manager" #android:id/summary .TextView [216,1364][816,1419]
            listitem .LinearLayout [30,1461][1050,1721] clickable index=3
              text "Connected devices" #android:id/title .TextView [216,1503][661,1573]
              text "Quick Share  •  Samsung DeX  •  Android Auto" #android:id/summary .TextView [216,1573][996,1679]
    "#]].assert_eq(&tree.to_notation());
    let row = tree
        .find(&Query::new().text("Connections").id("android:id/title"))
        .unwrap();
    let target = tree
        .ancestors(row)
        .find(|id| tree.node(*id).is(uitree::State::CLICKABLE));
    assert_eq!(
        target.map(|id| tree.describe(id)).as_deref(),
        Some("listitem [30,1252][1050,1461]")
    );
    assert_eq!(tree.count(&Query::new().text_contains("wi-fi")), 1);
    // The button is a child of the list but floats above it.
    assert_eq!(tree.count(&Query::new().label("Search settings")), 1);
}

#[test]
fn compact_format_is_short() {
    let mut table = String::new();
    let (mut xml, mut notation, mut compact) = (0, 0, 0);
    let screens = real_screens();
    for (_, bytes) in &screens {
        let tree = UiTree::parse_hierarchy_xml(bytes, None).unwrap();
        xml += tree.to_hierarchy_xml().chars().count();
        notation += tree.to_notation().chars().count();
        compact += tree.to_compact().chars().count();
    }
    let mean = |sum: usize| sum / screens.len();
    table += &format!(
        "{} as hierarchy_xml, {} in the notation, {} compact",
        mean(xml),
        mean(notation),
        mean(compact)
    );
    expect!["37243 as hierarchy_xml, 10971 in the notation, 616 compact"].assert_eq(&table);
}

#[test]
fn test_data_is_complete() {
    let files = std::fs::read_dir(testdata("screens")).unwrap();
    let screens = files.filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".xml")
    });
    assert_eq!(screens.count(), real_screens().len());
}

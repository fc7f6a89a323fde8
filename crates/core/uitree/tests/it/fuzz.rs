//! No input makes a reader panic, and written screens read back as equal.

use crate::arbitrary::{any_tree, any_words};
use crate::real_screens;
use proptest::prelude::*;
use std::sync::LazyLock;
use uitree::{Query, UiTree, XmlErrorKind, diff};

static REAL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut screens: Vec<_> = real_screens().into_iter().map(|(_, bytes)| bytes).collect();
    // Small documents, so that a change is likely to matter.
    screens.retain(|bytes| bytes.len() < 10_000);
    screens
});

#[derive(Clone, Debug)]
enum Damage {
    Cut(f64),
    Drop(f64, usize),
    Insert(f64, Vec<u8>),
    Flip(f64, u8),
}

fn any_damage() -> impl Strategy<Value = Damage> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<",
            ">",
            "\"",
            "'",
            "&",
            "&#",
            ";",
            "/>",
            "</node>",
            "<node ",
            "<!--",
            "<![CDATA[",
            "<?",
            "\r",
            "\0",
            "=",
            "[",
            "]",
            "-"
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop_oneof![
        1 => (0.0..1.0).prop_map(Damage::Cut),
        3 => (0.0..1.0, 1..40usize).prop_map(|(at, length)| Damage::Drop(at, length)),
        4 => (0.0..1.0, piece).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        2 => (0.0..1.0, any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let place = |at: &f64| ((bytes.len() as f64) * at) as usize;
    match damage {
        Damage::Cut(at) => {
            let at = place(at);
            bytes.truncate(at);
        }
        Damage::Drop(at, length) => {
            let at = place(at);
            bytes.drain(at..(at + length).min(bytes.len()));
        }
        Damage::Insert(at, piece) => {
            let at = place(at);
            bytes.splice(at..at, piece.iter().copied());
        }
        Damage::Flip(at, byte) => {
            let at = place(at);
            if let Some(slot) = bytes.get_mut(at) {
                *slot ^= byte;
            }
        }
    }
}

/// Reading `bytes` gives a valid tree or an error with a position.
fn read(bytes: &[u8]) -> Result<(), TestCaseError> {
    match UiTree::parse_hierarchy_xml(bytes, None) {
        Ok(tree) => {
            prop_assert!(!tree.is_empty());
            let written = tree.to_hierarchy_xml();
            let again = UiTree::parse_hierarchy_xml(written.as_bytes(), None);
            prop_assert_eq!(again.as_ref(), Ok(&tree));
        }
        Err(error) => {
            prop_assert!(error.line >= 1 && error.column >= 1, "{error}");
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
            prop_assert!(error.line <= lines.max(1), "{error} of {lines} lines");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_parse_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes)?;
    }

    #[test]
    fn any_framed_content_parses_or_is_refused(inside in any_words(), after in any_words()) {
        read(format!("<hierarchy rotation=\"0\">{inside}<node text='{inside}' bounds=\"[0,0][9,9]\"/></hierarchy>{after}").as_bytes())?;
    }

    #[test]
    fn damaged_document_parses_or_is_refused(
        which in 0..100usize,
        damages in prop::collection::vec(any_damage(), 1..4),
    ) {
        let mut bytes = REAL[which % REAL.len()].clone();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        read(&bytes)?;
    }

    #[test]
    fn truncated_document_is_refused(which in 0..100usize, at in 0.0..1.0f64) {
        let whole = &REAL[which % REAL.len()];
        let end = whole.windows(12).rposition(|window| window == b"</hierarchy>").unwrap();
        let cut = &whole[..(end as f64 * at) as usize];
        let error = UiTree::parse_hierarchy_xml(cut, None).unwrap_err();
        let kinds = [XmlErrorKind::Truncated, XmlErrorKind::Empty, XmlErrorKind::NotXml];
        prop_assert!(kinds.contains(&error.kind), "{:?}: {error}", error.kind);
        prop_assert!(error.kind == XmlErrorKind::Truncated || cut.len() < 6, "{error}");
    }

    #[test]
    fn xml_round_trips(tree in any_tree()) {
        let xml = tree.to_hierarchy_xml();
        match UiTree::parse_hierarchy_xml(xml.as_bytes(), None) {
            Ok(again) => {
                prop_assert_eq!(&again, &tree, "{}", xml);
                prop_assert_eq!(again.to_hierarchy_xml(), xml);
            }
            Err(error) => {
                prop_assert!(tree.is_empty(), "{error}\n{xml}");
                prop_assert_eq!(error.kind, XmlErrorKind::NoNode);
            }
        }
    }

    #[test]
    fn other_xml_parser_reads_equal_values(tree in any_tree()) {
        let xml = tree.to_hierarchy_xml();
        let mut reader = quick_xml::Reader::from_str(&xml);
        let mut nodes = tree.nodes().iter();
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Start(element) | quick_xml::events::Event::Empty(element)
                    if element.name().as_ref() == "node" =>
                {
                    let node = nodes.next().unwrap();
                    for (name, value) in [("text", &node.text), ("content-desc", &node.label), ("resource-id", &node.id)] {
                        let read = element.try_get_attribute(name).unwrap().unwrap();
                        let read = read.normalized_value(quick_xml::XmlVersion::Explicit1_0).unwrap();
                        prop_assert_eq!(&*read, &**value);
                    }
                }
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        prop_assert!(nodes.next().is_none());
    }

    #[test]
    fn notation_round_trips(tree in any_tree()) {
        let text = tree.to_notation();
        let again = UiTree::parse_notation(&text);
        prop_assert_eq!(again.as_ref(), Ok(&tree), "{}", text);
    }

    #[test]
    fn any_notation_parses_or_is_refused(lines in prop::collection::vec(("[ ]{0,6}", prop_oneof![Just("button"), Just("window"), Just("screen"), Just("~3")], any_words()), 0..6)) {
        let text: String = lines.iter().map(|(indent, head, words)| format!("{indent}{head} {words}\n")).collect();
        if let Err(error) = UiTree::parse_notation(&text) {
            prop_assert!(error.line as usize <= text.lines().count() && error.column >= 1);
        }
    }

    #[test]
    fn index_matches_a_full_scan(tree in any_tree(), words in any_words(), field in 0..6u8, role in prop::option::of(prop_oneof![Just("text"), Just("BUTTON"), Just("nonsense")])) {
        let mut query = match field {
            0 => Query::new().id(words),
            1 => Query::new().text(words),
            2 => Query::new().text_contains(words),
            3 => Query::new().label(words),
            4 => Query::new().label_contains(words),
            _ => Query::new(),
        };
        query.role = role.map(str::to_owned);
        let walk: Vec<_> = tree.on_screen().filter(|id| query.matches(tree.node(*id))).collect();
        prop_assert_eq!(tree.find(&query), walk.first().copied());
        prop_assert_eq!(tree.count(&query), walk.len());
        for scope in tree.ids() {
            let inside: Vec<_> = walk.iter().copied().filter(|id| tree.contains(scope, *id)).collect();
            prop_assert_eq!(tree.find_in(scope, &query), inside.first().copied());
            prop_assert_eq!(tree.find_all_in(scope, &query), inside);
        }
        prop_assert_eq!(tree.find_all(&query), walk);
    }

    #[test]
    fn near_misses_do_not_match(tree in any_tree(), words in any_words(), limit in 0..5usize) {
        let query = Query::new().text(words).role("button");
        let matches = tree.find_all(&query);
        let misses = tree.near_misses(&query, limit);
        prop_assert!(misses.len() <= limit);
        prop_assert!(misses.is_sorted_by(|a, b| a.score >= b.score));
        for miss in &misses {
            prop_assert!(!matches.contains(&miss.node) && !miss.reasons.is_empty(), "{miss:?}");
        }
        prop_assert_eq!(misses, tree.near_misses(&query, limit));
    }

    #[test]
    fn tree_equals_itself_in_diff(tree in any_tree()) {
        prop_assert_eq!(diff(&tree, &tree), vec![]);
        let compact = tree.to_compact();
        prop_assert!(compact.lines().count() <= tree.len() + tree.windows().len());
    }

    #[test]
    fn tree_structure_is_consistent(tree in any_tree()) {
        for id in tree.ids() {
            let node = tree.node(id);
            prop_assert_eq!(tree.ancestors(id).count() as u32, node.depth);
            prop_assert!(tree.window_of(id).root <= id);
            for child in tree.children(id) {
                prop_assert_eq!(tree.node(child).parent, Some(id));
                prop_assert!(tree.contains(id, child) && !tree.contains(child, id));
            }
            prop_assert_eq!(tree.subtree(id).count(), 1 + tree.children(id).map(|child| tree.subtree(child).count()).sum::<usize>());
        }
    }
}

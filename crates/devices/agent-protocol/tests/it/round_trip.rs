//! Generated screens survive the wire.

use std::sync::Arc;

use agent_protocol::*;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Option<Arc<str>>> {
    prop::option::of(prop_oneof!["", "[a-c]{1,2}", "\\PC{0,8}"].prop_map(Arc::from))
}

fn bounds() -> impl Strategy<Value = Bounds> {
    any::<(i32, i32, i32, i32)>().prop_map(|(left, top, width, height)| Bounds {
        left,
        top,
        width,
        height,
    })
}

fn node() -> impl Strategy<Value = NodeRecord> {
    let texts = prop::collection::vec(text(), 11);
    let numbers = prop::collection::vec(prop::option::of(any::<u32>()), 3);
    let pairs = prop::option::of(any::<(i32, i32)>());
    let range = prop::option::of((any::<u32>(), -1e6_f32..1e6, -1e6_f32..1e6, -1e6_f32..1e6));
    let extras = prop::collection::vec(("[a-z]{1,3}", "[a-z]{0,3}"), 0..3);
    let (flags, actions) = (any::<u32>(), prop::option::of(any::<u64>()));
    (
        bounds(),
        texts,
        numbers,
        pairs,
        range,
        extras,
        flags,
        actions,
    )
        .prop_map(
            |(place, texts, numbers, pair, range, extras, flags, actions)| NodeRecord {
                children: 0,
                flags: NodeFlags::from_bits_truncate(flags),
                left: place.left,
                top: place.top,
                width: place.width,
                height: place.height,
                class: texts[0].clone(),
                package: texts[1].clone(),
                resource_id: texts[2].clone(),
                text: texts[3].clone(),
                hint: texts[4].clone(),
                description: texts[5].clone(),
                state_description: texts[6].clone(),
                error: texts[7].clone(),
                pane_title: texts[8].clone(),
                tooltip: texts[9].clone(),
                unique_id: texts[10].clone(),
                input_type: numbers[0],
                longest_text: numbers[1],
                collection: pair.map(|(rows, columns)| Collection {
                    rows,
                    columns,
                    selection_mode: 2,
                }),
                item: pair.map(|(row, column)| CollectionItem {
                    row,
                    row_span: 1,
                    column,
                    column_span: i32::MAX,
                }),
                range: range.map(|(kind, lowest, highest, current)| Range {
                    kind,
                    lowest,
                    highest,
                    current,
                }),
                selection: pair.map(|(start, end)| Selection { start, end }),
                live_region: numbers[2],
                actions: actions.map(NodeActions::from_bits_truncate),
                extras: extras
                    .into_iter()
                    .map(|(key, value)| (key.into(), value.into()))
                    .collect(),
            },
        )
}

/// A tree: each node after the first is a child of an earlier node on the path to the last one.
fn tree() -> impl Strategy<Value = Vec<NodeRecord>> {
    prop::collection::vec((node(), any::<prop::sample::Index>()), 0..12).prop_map(|made| {
        let mut nodes: Vec<NodeRecord> = Vec::new();
        let mut path: Vec<usize> = Vec::new();
        for (node, parent) in made {
            if !path.is_empty() {
                let keep = parent.index(path.len()) + 1;
                path.truncate(keep);
                nodes[path[keep - 1]].children += 1;
            }
            path.push(nodes.len());
            nodes.push(node);
        }
        nodes
    })
}

fn window() -> impl Strategy<Value = WindowRecord> {
    let numbers = (
        any::<u64>(),
        any::<u32>(),
        any::<i32>(),
        any::<u32>(),
        any::<u32>(),
    );
    let touchable = prop::collection::vec(bounds(), 0..3);
    (numbers, text(), bounds(), touchable, tree()).prop_map(
        |((id, kind, layer, flags, unreadable), title, bounds, touchable, nodes)| WindowRecord {
            id,
            kind,
            layer,
            flags: WindowFlags::from_bits_truncate(flags),
            title,
            bounds,
            touchable,
            unreadable,
            nodes,
        },
    )
}

fn screen() -> impl Strategy<Value = ScreenCapture> {
    let head = (
        any::<u64>(),
        any::<u32>(),
        any::<u32>(),
        0..4_u8,
        any::<u32>(),
        any::<u32>(),
    );
    let windows = prop::collection::vec(window(), 0..4);
    let others = prop::collection::vec(any::<(u32, u32)>(), 0..3);
    (head, windows, others).prop_map(
        |((took_ms, width, height, rotation, density, expected_windows), windows, others)| {
            ScreenCapture {
                took_ms,
                width,
                height,
                rotation,
                density,
                expected_windows,
                windows,
                other_displays: others
                    .into_iter()
                    .map(|(id, windows)| OtherScreen { id, windows })
                    .collect(),
            }
        },
    )
}

/// A screen with another text, or without a window.
fn changed(
    screen: &ScreenCapture,
    window: &prop::sample::Index,
    node: &prop::sample::Index,
) -> ScreenCapture {
    let mut screen = screen.clone();
    if screen.windows.is_empty() {
        return screen;
    }
    let window = window.index(screen.windows.len());
    let nodes = &mut screen.windows[window].nodes;
    if nodes.is_empty() {
        screen.windows.remove(window);
    } else {
        let node = node.index(nodes.len());
        nodes[node].text = Some(format!("text {node}").into());
    }
    screen
}

proptest! {
    #[test]
    fn screens_round_trip(screen in screen(), revision in any::<u64>()) {
        let answer = Answer::Observed { revision, screen: Some(Box::new(screen)) };
        let frame = answer.encode(3).unwrap();
        let decoded = Answer::decode(RequestKind::Observe, &frame[9..], &mut ScreenCopy::default());
        prop_assert_eq!(decoded, Ok(answer));
    }

    #[test]
    fn any_screens_follow_each_other(screens in prop::collection::vec(screen(), 1..5), changes in prop::collection::vec(any::<[prop::sample::Index; 3]>(), 0..8)) {
        let mut screens = screens;
        for change in changes {
            let changed = changed(change[0].get(&screens), &change[1], &change[2]);
            screens.push(changed);
        }
        let (mut sent, mut copy) = (SentContent::default(), ScreenCopy::default());
        for (screen, revision) in screens.into_iter().zip(1..) {
            let body = sent.answer(&screen, revision, copy.revision());
            let decoded = Answer::decode(RequestKind::Observe, &body, &mut copy);
            prop_assert_eq!(decoded, Ok(Answer::Observed { revision, screen: Some(Box::new(screen.clone())) }));
            let again = sent.answer(&screen, revision, revision);
            let unchanged = Answer::decode(RequestKind::Observe, &again, &mut copy);
            prop_assert_eq!(unchanged, Ok(Answer::Observed { revision, screen: None }));
        }
    }

    #[test]
    fn touches_round_trip(pointers in prop::collection::vec(prop::collection::vec(any::<(i32, i32)>(), 1..5), 1..5), limit in any::<u64>()) {
        let request = Request::Touch { display: 0, hold_ms: 7, duration_ms: 5, rest_ms: 60, pointers };
        let frame = request.encode(9, limit).unwrap();
        prop_assert_eq!(Request::decode(RequestKind::Touch, &frame[9..]), Ok((request, limit)));
    }
}

//! The visible part of nodes.

use crate::{real_screens, screen};
use expect_test::{Expect, expect};
use uitree::{NodeSpec, Query, Rect, Size, State, TreeBuilder, UiTree, WindowKind};

fn check(notation: &str, seen: Expect) {
    let tree = screen(notation);
    let lines = tree.ids().map(|id| match tree.visible_bounds(id) {
        Some(bounds) => format!("#{} {bounds}\n", tree.node(id).id),
        None => format!("#{} -\n", tree.node(id).id),
    });
    seen.assert_eq(&lines.collect::<String>());
}

#[test]
fn screen_clips() {
    check(
        "
        screen 100x200
        container #root [-10,-10][110,300]
          text #right [90,0][130,10]
          text #touching [100,0][130,10]
          text #inverted [50,50][40,60]
        ",
        expect![[r#"
            #root [0,0][100,200]
            #right [90,0][100,10]
            #touching -
            #inverted -
        "#]],
    );
}

#[test]
fn only_scroll_containers_clip() {
    check(
        "
        screen 100x200
        container #root [0,0][100,200]
          container #plain [0,0][100,20]
            text #drawn_outside [0,30][100,40]
          container #scroller [0,50][100,100] scrollable
            container #tall [0,-500][100,900]
              text #above [0,40][100,50]
              text #cut [0,40][100,60]
              list #inner [0,90][100,150]
                text #inner_seen [0,95][100,120]
                text #inner_below [0,100][100,120]
          list #still [0,150][100,170]
            text #below_still [0,170][100,180]
          text #after [0,150][100,160]
        ",
        expect![[r#"
            #root [0,0][100,200]
            #plain [0,0][100,20]
            #drawn_outside [0,30][100,40]
            #scroller [0,50][100,100]
            #tall [0,50][100,100]
            #above -
            #cut [0,50][100,60]
            #inner [0,90][100,100]
            #inner_seen [0,95][100,100]
            #inner_below -
            #still [0,150][100,170]
            #below_still -
            #after [0,150][100,160]
        "#]],
    );
}

#[test]
fn empty_or_invisible_parent_does_not_hide_children() {
    check(
        "
        screen 100x200
        container #root [0,0][100,200]
          container #empty [0,0][0,0] scrollable
            text #in_empty [0,10][100,20]
          container #invisible [0,30][100,60] invisible
            text #in_invisible [0,30][100,40]
          container #nowhere unplaced
            text #in_nowhere [0,50][100,60]
        ",
        expect![[r#"
            #root [0,0][100,200]
            #empty -
            #in_empty [0,10][100,20]
            #invisible -
            #in_invisible [0,30][100,40]
            #nowhere -
            #in_nowhere [0,50][100,60]
        "#]],
    );
}

#[test]
fn unknown_screen_size_clips_nothing() {
    let mut builder = TreeBuilder::new(Size::default(), 0);
    builder.window(WindowKind::Application, 0, true, "");
    let bounds = Rect::new(5000, 0, 5010, 10);
    let id = builder.open(NodeSpec {
        bounds: Some(bounds),
        state: State::VISIBLE,
        ..NodeSpec::default()
    });
    assert_eq!(builder.finish().visible_bounds(id), Some(bounds));
}

#[test]
fn most_nodes_of_real_screens_are_visible() {
    for (name, bytes) in real_screens() {
        let tree = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let placed = |id: &uitree::NodeId| {
            tree.node(*id)
                .bounds
                .is_some_and(|bounds| !bounds.is_empty())
        };
        let unseen = tree
            .ids()
            .filter(placed)
            .filter(|id| !tree.is_on_screen(*id))
            .count();
        // One screen contains a row that was scrolled out to the left.
        let expected = usize::from(name.starts_with("008"));
        assert_eq!(unseen, expected, "{name}");
        for id in tree.on_screen() {
            let (seen, bounds) = (
                tree.visible_bounds(id).unwrap(),
                tree.node(id).bounds.unwrap(),
            );
            assert_eq!(seen.intersect(&bounds), Some(seen), "{name}");
        }
    }
}

#[test]
fn explicit_screen_size_overrides_document() {
    let bytes = crate::bytes_of("annotated-settings.xml");
    let tree = UiTree::parse_hierarchy_xml(&bytes, Some(Size::new(1080, 1300))).unwrap();
    assert_eq!(tree.screen(), Size::new(1080, 1300));
    assert!(tree.find(&Query::new().text("Connections")).is_some());
    assert!(tree.find(&Query::new().text("Connected devices")).is_none());
}

#[test]
fn oversized_node_is_written() {
    let tree = UiTree::parse_hierarchy_xml(
        b"<hierarchy><node class='android.view.View' clickable='true' bounds='[-2147483648,-2147483648][2147483647,2147483647]'><node text='x' bounds='[0,0][9,9]'/></node></hierarchy>",
        Some(uitree::Size::new(i32::MAX, i32::MAX)),
    )
    .unwrap();
    assert!(tree.to_compact().contains("\"x\""));
}

//! References on another page of the same document.

use uitree::{
    NodeId, NodeSpec, Rect, RefTable, ResolvedRef, Role, Size, State, TreeBuilder, UiTree,
};

/// A page of an app with a sidebar and a heading.
fn page_of_route(route: &str, folders: [&str; 4], has_new_nodes: bool) -> (UiTree, Vec<NodeId>) {
    let landmark = |kind: &str| NodeSpec {
        role: Some(Role::Container),
        attributes: vec![("landmark".into(), kind.into())],
        ..NodeSpec::default()
    };
    let button = |text: &str| NodeSpec {
        role: Some(Role::Button),
        text: text.into(),
        state: State::CLICKABLE,
        ..NodeSpec::default()
    };
    let mut builder = TreeBuilder::new(Size::new(100, 1000), 0);
    let mut origins = Vec::new();
    let mut open = |builder: &mut TreeBuilder, spec: NodeSpec, origin: u64| {
        origins.push(origin);
        builder.open(NodeSpec {
            bounds: Some(Rect::new(0, 0, 100, 20)),
            state: spec.state | State::ENABLED | State::VISIBLE,
            ..spec
        })
    };
    let root = NodeSpec {
        role: Some(Role::WebView),
        attributes: vec![("path".into(), route.into())],
        ..NodeSpec::default()
    };
    open(&mut builder, root, 1);
    open(&mut builder, landmark("navigation"), 2);
    let mut shown = Vec::new();
    for (at, folder) in folders.into_iter().enumerate() {
        let first = if has_new_nodes { 500 } else { 10 };
        shown.push(open(&mut builder, button(folder), first + at as u64));
        builder.close();
    }
    builder.close();
    open(&mut builder, landmark("main"), 3);
    let heading = NodeSpec {
        role: Some(Role::Title),
        text: route.into(),
        ..NodeSpec::default()
    };
    open(&mut builder, heading, 4);
    builder.close();
    shown.push(open(&mut builder, button("Delete"), 5));
    builder.close();
    builder.close();
    builder.close();
    (builder.finish().with_origins(origins), shown)
}

#[test]
fn refs_of_sidebar_survive_route_change() {
    let folders = ["Inbox", "Starred", "Sent", "Trash"];
    let (inbox, shown) = page_of_route("/inbox", folders, false);
    let mut table = RefTable::default();
    let given = table.assign(&inbox);
    let references: Vec<String> = shown.iter().map(|id| given.get(*id).unwrap()).collect();
    let (delete, sidebar) = references.split_last().unwrap();
    for has_new_nodes in [false, true] {
        let (sent, now) = page_of_route("/sent", folders, has_new_nodes);
        for (reference, id) in sidebar.iter().zip(&now) {
            assert_eq!(table.resolve(reference, &sent), ResolvedRef::Found(*id));
        }
        // The same button of another page deletes something else.
        assert!(matches!(
            table.resolve(delete, &sent),
            ResolvedRef::Stale { .. }
        ));
    }
    let renamed = ["Inbox", "Starred", "Outbox", "Trash"];
    let (sent, _) = page_of_route("/sent", renamed, true);
    assert!(matches!(
        table.resolve(&sidebar[2], &sent),
        ResolvedRef::Stale { .. }
    ));
}

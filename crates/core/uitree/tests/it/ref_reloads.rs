//! References after the same or another page of the site was loaded: every node of the document is new.

use uitree::{
    NodeId, NodeSpec, Rect, RefTable, ResolvedRef, Role, Size, State, TreeBuilder, UiTree,
};

/// A link of a sidebar: its name and its address.
type Link = (&'static str, &'static str);

const LINKS: [Link; 4] = [
    ("Inbox", "/inbox"),
    ("Starred", "https://mail.test/starred"),
    ("Help", "help"),
    ("Log out", "/out"),
];

/// A page with a header landmark with buttons, a sidebar of links without a landmark, and a button of its own.
struct Page {
    tree: UiTree,
    links: Vec<NodeId>,
    head: Vec<NodeId>,
    own: NodeId,
}

fn node(role: Role, text: &str) -> NodeSpec {
    NodeSpec {
        role: Some(role),
        text: text.into(),
        state: State::ENABLED | State::VISIBLE,
        bounds: Some(Rect::new(0, 0, 100, 20)),
        ..NodeSpec::default()
    }
}

fn control(role: Role, text: &str) -> NodeSpec {
    let node = node(role, text);
    NodeSpec {
        state: node.state | State::CLICKABLE,
        ..node
    }
}

/// The page of a path with its query, whose nodes have the numbers after `first`.
fn page(path: &str, links: &[Link], head: &[&str], first: u64) -> Page {
    let (document, query) = path.split_once('?').unwrap_or((path, ""));
    let mut builder = TreeBuilder::new(Size::new(100, 1000), 0);
    builder.open(NodeSpec {
        attributes: vec![("path".into(), document.into())],
        ..node(Role::WebView, "")
    });
    builder.open(NodeSpec {
        attributes: vec![("landmark".into(), "banner".into())],
        ..node(Role::Container, "")
    });
    let leaf = |builder: &mut TreeBuilder, spec: NodeSpec| {
        let id = builder.open(spec);
        builder.close();
        id
    };
    let head = head
        .iter()
        .map(|name| leaf(&mut builder, control(Role::Button, name)))
        .collect();
    builder.close();
    leaf(&mut builder, node(Role::Text, "Folders"));
    let links = links
        .iter()
        .map(|(name, address)| {
            let attributes = vec![("href".into(), (*address).into())];
            let spec = control(Role::Link, name);
            leaf(&mut builder, NodeSpec { attributes, ..spec })
        })
        .collect();
    leaf(&mut builder, node(Role::Heading, document));
    let own = leaf(&mut builder, control(Role::Button, "Delete"));
    builder.close();
    let tree = builder.finish();
    let origins = (first..).take(tree.len()).collect();
    // The author's key of the root is the query.
    let query = query.bytes().map(u64::from).sum();
    Page {
        tree: tree.with_origins(origins).with_author_keys(vec![query]),
        links,
        head,
        own,
    }
}

fn resolved(before: &Page, element: NodeId, after: &Page) -> ResolvedRef {
    let mut table = RefTable::default();
    let given = table.assign(&before.tree);
    let reference = given.get(element).unwrap();
    let found = table.resolve(&reference, &after.tree);
    // A new snapshot assigns the same reference to a found element.
    let again = table.assign(&after.tree);
    for id in after.tree.ids() {
        let keeps = again.get(id) == Some(reference.clone());
        assert_eq!(keeps, found == ResolvedRef::Found(id), "{reference} {id:?}");
    }
    found
}

fn is_stale(found: &ResolvedRef) -> bool {
    matches!(found, ResolvedRef::Stale { .. })
}

#[test]
fn refs_of_sidebar_links_survive_navigation() {
    let inbox = page("/inbox", &LINKS, &["Menu"], 1);
    // Node numbers of another document may be the same.
    for (path, first) in [
        ("/sent", 1),
        ("/sent", 3),
        ("/sent", 500),
        ("/mail/sent", 500),
    ] {
        let sent = page(path, &LINKS, &["Menu"], first);
        for (at, (link, now)) in inbox.links.iter().zip(&sent.links).enumerate() {
            let found = resolved(&inbox, *link, &sent);
            match LINKS[at].1 {
                // A relative address has another target in another folder.
                "help" if path == "/mail/sent" => assert!(is_stale(&found), "{found:?}"),
                _ => assert_eq!(found, ResolvedRef::Found(*now), "{at} {path} {first}"),
            }
        }
        assert!(is_stale(&resolved(&inbox, inbox.own, &sent)));
    }
}

#[test]
fn changed_and_ambiguous_links_are_stale() {
    let inbox = page("/inbox", &LINKS, &["Menu"], 1);
    let [inbox_link, starred, help, out] = LINKS;
    let others: [&[Link]; 4] = [
        // Another address, another name.
        &[("Inbox", "/inbox/2"), starred, help, out],
        &[("Inbox 2", "/inbox"), starred, help, out],
        // The same link twice.
        &[inbox_link, starred, help, inbox_link],
        // With other neighbors.
        &[starred, inbox_link, out, help],
    ];
    for links in others {
        let sent = page("/sent", links, &["Menu"], 500);
        let found = resolved(&inbox, inbox.links[0], &sent);
        assert!(is_stale(&found), "{links:?}: {found:?}");
    }
}

#[test]
fn refs_of_header_buttons_survive_reload() {
    let head = ["Menu", "Account", "Sign out"];
    let before = page("/inbox", &LINKS, &head, 1);
    // Also on another route of the document.
    for path in ["/inbox", "/inbox#/7"] {
        let again = page(path, &LINKS, &head, 500);
        for (button, now) in before.head.iter().zip(&again.head) {
            assert_eq!(resolved(&before, *button, &again), ResolvedRef::Found(*now));
        }
    }
    let record = |query: &str, first| page(&format!("/order?{query}"), &LINKS, &head, first);
    let seventh = record("id=7", 1);
    for (element, now) in [
        (seventh.head[2], record("id=7", 500).head[2]),
        (seventh.own, record("id=7", 500).own),
    ] {
        let again = resolved(&seventh, element, &record("id=7", 500));
        assert_eq!(again, ResolvedRef::Found(now));
        // Another record may look the same. A script may show another address for the same document.
        assert!(is_stale(&resolved(&seventh, element, &record("id=8", 500))));
        let same = resolved(&seventh, element, &record("id=8", 1));
        assert_eq!(same, ResolvedRef::Found(now));
    }
    // On another page, or beside other buttons, scripts may have given a button another meaning.
    for after in [
        page("/sent", &LINKS, &head, 500),
        page("/inbox", &LINKS, &["Menu", "Sign out"], 500),
        page(
            "/inbox",
            &LINKS,
            &["Menu", "Account", "Sign out", "More"],
            500,
        ),
    ] {
        assert!(is_stale(&resolved(&before, before.head[0], &after)));
    }
}

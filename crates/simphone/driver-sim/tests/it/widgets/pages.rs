//! Tabs, pagers and navigation bars.

use uitree::State;

use crate::world::{World, bounds, with_id};

const PAGES: &str = r#"
state: { tab: Home, page: Mail, news: 3, changes: 0 }
screens:
  main:
    body:
      - tabs: { id: tabs, bind: tab, options: [ Home, { text: Garden, badge: "{if(news > 0, news, '')}", id: garden }, { text: Far, value: Travel } ] }
      - tabs: { id: more, bind: tab, mode: scrollable, options: [ Home, Garden, { text: "A rather long name", value: Travel }, { text: "Another long name", value: B }, { text: "The last of the names", value: C } ] }
      - pager:
          id: pager
          bind: tab
          pages:
            Home: [ { text: "The home page" }, { button: { text: Read, on_click: { clear: news } } } ]
            Garden: { text: "The garden page" }
            Travel: { text: "The travel page" }
      - text: "Page {page}, changed {changes} times"
      - bottom_navigation:
          id: bar
          bind: page
          on_change: { set: { changes: "= changes + 1" } }
          options: [ { text: Mail, icon: mail, badge: "{if(news > 0, news, '')}", id: nav_mail }, { text: Chat, icon: chat, id: nav_chat }, { text: Rooms, icon: person, desc: "All rooms", id: nav_rooms } ]
"#;

fn chain(seen: &driver::Observation, id: &str) -> Vec<String> {
    let tree = &seen.tree;
    let mut at = tree
        .ids()
        .find(|each| tree.node(*each).id.ends_with(&format!(":id/{id}")));
    let mut classes = Vec::new();
    while let Some(node) = at {
        classes.push(tree.node(node).class.to_string());
        at = tree.children(node).next();
    }
    classes
}

#[tokio::test(start_paused = true)]
async fn tabs_have_the_views_of_a_tab_layout() {
    let mut world = World::yaml(PAGES);
    let seen = world.see().await;
    for bar in ["tabs", "more"] {
        assert_eq!(
            chain(&seen, bar),
            [
                "android.widget.HorizontalScrollView",
                "android.widget.LinearLayout",
                "android.widget.LinearLayout",
                "android.widget.TextView",
            ]
        );
    }
    let garden = &with_id(&seen, "garden")[0];
    assert_eq!(&*garden.label, "Garden, 3 new notifications");
    assert!(garden.is(State::CLICKABLE) && !garden.is(State::SELECTED));
    // Only what is longer than the screen scrolls.
    assert!(!with_id(&seen, "tabs")[0].is(State::SCROLLABLE));
    assert!(with_id(&seen, "more")[0].is(State::SCROLLABLE));
}

#[tokio::test(start_paused = true)]
async fn a_tab_shows_its_page_and_hides_the_others() {
    let mut world = World::yaml(PAGES);
    assert!(world.shows("The home page").await);
    let seen = world.see().await;
    let texts = |text: &str| seen.tree.nodes().iter().any(|node| &*node.text == text);
    assert!(!texts("The garden page"), "pages out of sight are absent");
    assert_eq!(
        chain(&seen, "pager"),
        [
            "androidx.viewpager.widget.ViewPager",
            "androidx.recyclerview.widget.RecyclerView",
            "android.widget.FrameLayout",
            "android.widget.TextView",
        ]
    );
    world.tap("Far").await;
    assert!(world.shows("The travel page").await);
    assert!(!world.shows("The home page").await);
}

#[tokio::test(start_paused = true)]
async fn chosen_tab_is_selected_and_takes_no_taps() {
    let mut world = World::yaml(PAGES);
    world.tap("Far").await;
    let seen = world.see().await;
    let selected: Vec<(&str, bool)> = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| node.is(State::SELECTED))
        .filter(|node| bounds(node).bottom < 230)
        .map(|node| (&*node.class, node.is(State::CLICKABLE)))
        .collect();
    assert_eq!(
        selected,
        [
            ("android.widget.LinearLayout", false),
            ("android.widget.TextView", false),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_navigation_bar_has_the_views_of_its_kind() {
    let mut world = World::yaml(PAGES);
    let seen = world.see().await;
    let mail = &with_id(&seen, "nav_mail")[0];
    assert_eq!(&*mail.class, "android.widget.FrameLayout");
    assert_eq!(&*mail.label, "Mail, 3 new notifications");
    assert!(mail.is(State::SELECTED) && mail.is(State::FOCUSABLE));
    assert!(!mail.is(State::CLICKABLE));
    assert_eq!(&*with_id(&seen, "nav_rooms")[0].label, "All rooms");
    assert_eq!(
        with_id(&seen, "navigation_bar_item_large_label_view").len(),
        1
    );
    assert_eq!(
        with_id(&seen, "navigation_bar_item_small_label_view").len(),
        2
    );
    assert_eq!(
        with_id(&seen, "navigation_bar_item_active_indicator_view").len(),
        1
    );
    assert_eq!(bounds(&with_id(&seen, "bar")[0]).bottom, 2196);
}

#[tokio::test(start_paused = true)]
async fn a_navigation_bar_changes_the_page_once() {
    let mut world = World::yaml(PAGES);
    world.tap("Chat").await;
    assert!(world.shows("Page Chat, changed 1 times").await);
    // The chosen entry takes no taps.
    world.tap("Chat").await;
    assert!(world.shows("Page Chat, changed 1 times").await);
    world.tap("Read").await;
    assert_eq!(&*with_id(&world.see().await, "nav_mail")[0].label, "Mail");
}

#[tokio::test(start_paused = true)]
async fn roles_are_those_of_tabs_and_pagers() {
    let mut world = World::yaml(PAGES);
    let seen = world.see().await;
    for id in ["nav_mail", "nav_chat", "garden"] {
        assert_eq!(with_id(&seen, id)[0].role, uitree::Role::Tab, "{id}");
    }
    assert_eq!(with_id(&seen, "pager")[0].role, uitree::Role::Pager);
}

const SWIPED: &str = r#"
state: { tab: a, swiped: 0 }
data: { rows: { repeat: 40, item: { name: "Row {n}" } } }
screens:
  main:
    body:
      - tabs: { bind: tab, options: [ { text: First, value: a }, { text: Second, value: b }, { text: Third, value: c } ] }
      - text: "{tab} {swiped}"
        id: now
      - pager:
          id: pager
          bind: tab
          on_change: { set: { swiped: "= swiped + 1" } }
          pages:
            a: [ { text: "Page one" } ]
            b:
              - list: { axis: horizontal, id: strip, height: 100, grow: 0, children: [ { column: [ { text: "Card A", width: 600 } ] }, { column: [ { text: "Card B", width: 600 } ] } ] }
              - list: { items: rows, row: [ { item: "{name}" } ] }
            c: [ { text: "Page three" } ]
"#;

async fn now(world: &mut World) -> String {
    let seen = world.see().await;
    with_id(&seen, "now")[0].text.to_string()
}

fn said(seen: &driver::Observation, text: &str) -> bool {
    seen.tree.nodes().iter().any(|node| &*node.text == text)
}

#[tokio::test(start_paused = true)]
async fn a_drag_brings_the_next_page_and_chooses_its_tab() {
    let mut world = World::yaml(SWIPED);
    world.swipe((900, 1500), (200, 1500)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "b 1");
    let second = world.node("Second").await;
    assert!(second.is(State::SELECTED));
    let seen = world.see().await;
    assert!(said(&seen, "Row 1") && !said(&seen, "Page one"));
    // And back by a throw that goes less than half the way.
    world.fling((300, 1500), (600, 1500)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "a 2");
    // The first page has none before it.
    world.swipe((300, 1500), (900, 1500)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "a 2");
}

#[tokio::test(start_paused = true)]
async fn short_page_drag_goes_back() {
    let mut world = World::yaml(SWIPED);
    let phone = world.driver.phone_mut();
    phone.touch_down(uitree::Point::new(900, 1500));
    world.pass(16).await;
    for step in 1..=5 {
        let at = uitree::Point::new(900 - 60 * step, 1500);
        world.driver.phone_mut().touch_move(at);
        world.pass(16).await;
    }
    let held = world.see_held();
    assert!(said(&held, "Page one") && said(&held, "Row 1"));
    world.pass(100).await;
    world
        .driver
        .phone_mut()
        .touch_up(uitree::Point::new(600, 1500));
    world.rest().await;
    assert_eq!(now(&mut world).await, "a 0");
    assert!(!said(&world.see().await, "Row 1"));
}

#[tokio::test(start_paused = true)]
async fn lists_in_pages_take_their_own_drags() {
    let mut world = World::yaml(SWIPED);
    world.tap("Second").await;
    assert_eq!(now(&mut world).await, "b 0", "a tap on a tab is no swipe");
    world.swipe((500, 1800), (500, 900)).await;
    world.rest().await;
    assert!(!said(&world.see().await, "Row 1"));
    // The strip of cards moves first; the page follows only where it can go no further.
    let strip = bounds(&with_id(&world.see().await, "strip")[0]).center();
    world.fling((900, strip.y), (200, strip.y)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "b 0");
    assert!(said(&world.see().await, "Card B"));
    world.fling((900, strip.y), (200, strip.y)).await;
    world.rest().await;
    world.fling((900, strip.y), (200, strip.y)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "c 1");
    // The list keeps its place while its page is away.
    world.tap("Second").await;
    assert!(!said(&world.see().await, "Row 1"));
}

#[tokio::test(start_paused = true)]
async fn pages_run_leftwards_in_right_to_left_languages() {
    let mut world = World::yaml(SWIPED);
    world
        .driver
        .phone_mut()
        .set_language("ar")
        .expect("a language tag");
    assert!(world.shows("Page one").await);
    world.swipe((200, 1500), (900, 1500)).await;
    world.rest().await;
    assert_eq!(now(&mut world).await, "b 1");
    assert!(world.shows("Row 1").await);
}

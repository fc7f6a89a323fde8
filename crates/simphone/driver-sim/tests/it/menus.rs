//! Menus: lists of entries at the widget that opens them.

use driver::{Driver, Gesture, Key};
use uitree::{Point, State};

use crate::world::{World, bounds, named, with_id};

const APP: &str = r#"
state: { last: none, dense: true, row: "" }
lists: { files: [name] }
screens:
  main:
    title: Files
    menu: main
    on_open:
      - append: { files: { name: one } }
      - append: { files: { name: two } }
    body:
      - text: "last {last}"
      - text: "row {row}"
      - list:
          items: files
          row:
            - item: "{name}"
              on_long_click: { menu: file }
menus:
  main:
    - { text: "New folder", icon: folder, on_click: { set: { last: new } } }
    - { text: "Paste", enabled: "last == 'copy'", on_click: { set: { last: paste } } }
    - { text: "Dense", checked: dense, on_click: { toggle: dense } }
    - { text: "Secret", visible: "last == 'new'", on_click: { set: { last: secret } } }
  file:
    - { text: "Delete", on_click: { set: { row: gone } } }
"#;

#[tokio::test(start_paused = true)]
async fn the_overflow_button_opens_a_window_of_entries() {
    let mut world = World::yaml(APP);
    let more = world.node("More options").await;
    assert_eq!(&*more.class, "android.widget.ImageView");
    world.tap("More options").await;
    let seen = world.see().await;
    assert_eq!(seen.tree.windows().len(), 1);
    assert!(
        named(&seen, "last none").is_none(),
        "the menu takes everything"
    );
    let titles: Vec<String> = with_id(&seen, "title")
        .iter()
        .map(|node| node.text.to_string())
        .collect();
    assert_eq!(titles, ["New folder", "Paste", "Dense"]);
    let list = seen
        .tree
        .nodes()
        .iter()
        .find(|node| &*node.class == "android.widget.ListView")
        .expect("a menu is a list");
    let place = bounds(list);
    assert!(
        place.width() < 800 && place.right <= bounds(&more).right,
        "{place}"
    );
    assert!(place.top >= 84 && place.bottom < 1000, "{place}");
    let mark = &with_id(&seen, "checkbox")[0];
    assert!(mark.is(State::CHECKED | State::CHECKABLE) && !mark.is(State::CLICKABLE));
    world.tap("Dense").await;
    assert!(world.shows("last none").await);
    world.tap("More options").await;
    assert!(!with_id(&world.see().await, "checkbox")[0].is(State::CHECKED));
}

#[tokio::test(start_paused = true)]
async fn disabled_menu_entry_does_nothing() {
    let mut world = World::yaml(APP);
    world.tap("More options").await;
    world.tap("Paste").await;
    assert!(world.shows("Paste").await, "it is still open");
    world.key(Key::Back).await;
    assert!(world.shows("last none").await);
    world.tap("More options").await;
    world.touch(Point::new(100, 2000)).await;
    assert!(
        world.shows("last none").await,
        "a touch beside it closes it"
    );
    world.tap("More options").await;
    world.tap("New folder").await;
    assert!(world.shows("last new").await);
    world.tap("More options").await;
    world.tap("Secret").await;
    assert!(world.shows("last secret").await);
}

#[tokio::test(start_paused = true)]
async fn a_menu_opens_at_the_widget_that_was_held() {
    let mut world = World::yaml(APP);
    let row = bounds(&world.node("two").await);
    let hold = Gesture::LongPress { at: row.center() };
    world
        .driver
        .touch(&world.cx, &hold)
        .await
        .expect("it is on the screen");
    let seen = world.see().await;
    let entry = bounds(&with_id(&seen, "title")[0]);
    assert!(
        entry.top >= row.top - 60 && entry.top < row.top + 200,
        "{entry} {row}"
    );
    world.tap("Delete").await;
    assert!(world.shows("row gone").await);
}

const ABOVE: &str = r#"
state: { last: none, words: "" }
data:
  rows: { repeat: 30, item: { name: "Row {n}" } }
screens:
  main:
    title: Above
    drawer:
      - text: "In the drawer"
      - item: "Go"
        on_click: { set: { last: gone } }
      - item: "Next"
        on_click: { push: next }
    body:
      - text: "last {last}"
      - button: { text: "Short", on_click: { dialog: short } }
      - button: { text: "Long", on_click: { dialog: long } }
      - button: { text: "Must", on_click: { dialog: must } }
      - button: { text: "Full", on_click: { dialog: full } }
      - button: { text: "Drawer", on_click: open_drawer }
  next: { title: Next, back: true }
dialogs:
  short:
    kind: sheet
    title: A sheet
    body: [ { button: { text: "Choose", on_click: [ dismiss, { set: { last: chosen } } ] } } ]
  long:
    kind: sheet
    body: [ { list: { items: rows, row: [ { item: "{name}" } ] } } ]
  must:
    kind: sheet
    cancelable: false
    body: [ { button: { text: "Agree", on_click: dismiss } } ]
  full:
    kind: full
    title: Write
    body:
      - field: { hint: "Words", bind: words }
      - button: { text: "Save", on_click: dismiss }
"#;

#[tokio::test(start_paused = true)]
async fn a_sheet_stands_at_the_lower_edge_and_is_pulled_down() {
    let mut world = World::yaml(ABOVE);
    world.tap("Short").await;
    let seen = world.see().await;
    let ids: Vec<&str> = seen
        .tree
        .nodes()
        .iter()
        .map(|node| &*node.id)
        .filter(|id| !id.is_empty())
        .collect();
    assert_eq!(
        ids,
        [
            "android:id/content",
            "com.test.app:id/container",
            "com.test.app:id/coordinator",
            "com.test.app:id/touch_outside",
            "com.test.app:id/design_bottom_sheet",
            "com.test.app:id/drag_handle",
            "com.test.app:id/title",
        ]
    );
    let sheet = bounds(&with_id(&seen, "design_bottom_sheet")[0]);
    assert_eq!((sheet.left, sheet.right, sheet.bottom), (0, 1080, 2340));
    assert!(sheet.top > 1700, "{sheet}");
    world.tap("Choose").await;
    assert!(world.shows("last chosen").await);
    for leave in ["back", "beside", "pull"] {
        world.tap("Short").await;
        match leave {
            "back" => world.key(Key::Back).await,
            "beside" => world.touch(Point::new(540, 400)).await,
            _ => {
                world
                    .swipe((540, sheet.top + 40), (540, sheet.top + 400))
                    .await
            }
        }
        assert!(world.shows("last chosen").await, "{leave} closes it");
    }
    world.tap("Must").await;
    world.touch(Point::new(540, 400)).await;
    world.key(Key::Back).await;
    world.swipe((540, 2000), (540, 2300)).await;
    world.tap("Agree").await;
    assert!(world.shows("last chosen").await);
}

#[tokio::test(start_paused = true)]
async fn a_long_sheet_scrolls_before_it_is_pulled_down() {
    let mut world = World::yaml(ABOVE);
    world.tap("Long").await;
    let sheet = bounds(&with_id(&world.see().await, "design_bottom_sheet")[0]);
    assert!(sheet.top > 84, "the status bar stays free: {sheet}");
    world.swipe((540, 1800), (540, 900)).await;
    assert!(!world.shows("Row 1").await);
    world.swipe((540, 900), (540, 1800)).await;
    assert!(world.shows("Row 1").await, "that was scrolled back");
    world.swipe((540, 900), (540, 1800)).await;
    assert!(world.shows("last none").await, "that closed it");
}

#[tokio::test(start_paused = true)]
async fn a_full_dialog_covers_the_screen_and_keeps_its_text() {
    let mut world = World::yaml(ABOVE);
    world.tap("Full").await;
    let seen = world.see().await;
    let root = bounds(seen.tree.node(seen.tree.windows()[0].root));
    assert_eq!(root.to_string(), "[0,0][1080,2340]");
    world.tap("Words").await;
    world.driver.phone_mut().type_text("hello");
    world.key(Key::Back).await;
    world.key(Key::Back).await;
    world.tap("Full").await;
    assert!(world.shows("hello").await);
}

#[tokio::test(start_paused = true)]
async fn a_drawer_opens_by_its_button_an_edge_and_an_effect() {
    let mut world = World::yaml(ABOVE);
    assert!(!world.shows("In the drawer").await);
    world.tap("Open navigation drawer").await;
    let seen = world.see().await;
    let layout = &with_id(&seen, "drawer_layout")[0];
    assert_eq!(&*layout.class, "androidx.drawerlayout.widget.DrawerLayout");
    let drawer = bounds(&with_id(&seen, "nav_view")[0]);
    assert_eq!((drawer.left, drawer.top, drawer.bottom), (0, 0, 2340));
    assert!(drawer.width() < 900, "{drawer}");
    world.tap("Go").await;
    assert!(world.shows("last gone").await && !world.shows("In the drawer").await);

    world.swipe((5, 1000), (600, 1000)).await;
    assert!(world.shows("In the drawer").await);
    world.key(Key::Back).await;
    assert!(!world.shows("In the drawer").await);

    world.tap("Drawer").await;
    world.swipe((700, 1000), (100, 1000)).await;
    assert!(!world.shows("In the drawer").await);

    world.tap("Drawer").await;
    world.touch(Point::new(1000, 1000)).await;
    assert!(!world.shows("In the drawer").await);

    world.tap("Drawer").await;
    world.tap("Next").await;
    assert!(world.shows("Navigate up").await);
    world.key(Key::Back).await;
    assert!(
        !world.shows("In the drawer").await,
        "the press has closed it"
    );
}

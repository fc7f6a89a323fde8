//! Apps, back stacks, recent apps, links.

use driver::{Driver, DriverError, Key};

use crate::world::{LAUNCHER, SETTINGS, SHOP, World, named};

#[tokio::test(start_paused = true)]
async fn back_goes_back_and_from_the_first_screen_home() {
    let mut world = World::app(SETTINGS);
    world.tap("Connections").await;
    world.tap("Navigate up").await;
    assert!(world.shows("Search settings").await);
    world.tap("Connections").await;
    world.key(Key::Back).await;
    assert!(world.shows("Search settings").await);
    world.key(Key::Back).await;
    assert_eq!(world.front().await, LAUNCHER);
    world.key(Key::Back).await;
    assert_eq!(world.front().await, LAUNCHER);
}

#[tokio::test(start_paused = true)]
async fn an_app_comes_back_as_it_was() {
    let mut world = World::app(SETTINGS);
    world.tap("Connections").await;
    world.key(Key::Home).await;
    assert_eq!(world.front().await, LAUNCHER);
    world.tap("Settings").await;
    assert!(world.shows("Airplane mode").await);
    let opened = world
        .journal()
        .iter()
        .filter(|line| line.contains("start com.android.settings"))
        .count();
    assert_eq!(opened, 1);
}

#[tokio::test(start_paused = true)]
async fn recent_apps_are_listed_with_the_last_one_first() {
    let mut world = World::app(SETTINGS);
    world.launch(SHOP).await;
    world.key(Key::Recents).await;
    assert_eq!(world.front().await, LAUNCHER);
    let seen = world.see().await;
    let place = |name| named(&seen, name).expect("it was used").index();
    assert!(place("Shop") < place("Settings"));
    world.key(Key::Back).await;
    assert_eq!(
        world.front().await,
        SHOP,
        "back leads to where one came from"
    );
    world.key(Key::Recents).await;
    world.swipe((900, 1000), (200, 1000)).await;
    world.tap("Settings").await;
    assert_eq!(world.front().await, SETTINGS);
}

#[tokio::test(start_paused = true)]
async fn the_navigation_bar_is_the_keys() {
    let mut world = World::app(SETTINGS);
    world.tap("Connections").await;
    world.touch(uitree::Point::new(180, 2300)).await;
    assert!(world.shows("Search settings").await);
    world.touch(uitree::Point::new(540, 2300)).await;
    assert_eq!(world.front().await, LAUNCHER);
}

#[tokio::test(start_paused = true)]
async fn links_open_the_app_that_knows_them() {
    let mut world = World::with(driver_sim::SimOptions::default());
    world.open("shop://item/7").await;
    assert_eq!(world.front().await, SHOP);
    assert!(world.shows("Item 7").await);
    world.key(Key::Back).await;
    assert_eq!(
        world.front().await,
        LAUNCHER,
        "a link opens its screen alone"
    );
    world.launch(SHOP).await;
    assert!(world.shows("Email").await, "then the app starts as usual");

    world.open("https://example.com/a?b=c").await;
    assert_eq!(world.front().await, "com.android.browser");
    assert!(world.shows("https://example.com/a?b=c").await);
    let unknown = world.try_open("gopher://example.com").await;
    assert_eq!(
        unknown,
        Err(DriverError::NotHandled("gopher://example.com".to_owned()))
    );
}

#[tokio::test(start_paused = true)]
async fn closing_an_app_forgets_everything_it_had() {
    let mut world = World::app(SHOP);
    world
        .act("Email", driver::NodeAct::SetText("ann".to_owned()))
        .await;
    world.driver.close(&world.cx, SHOP).await.unwrap();
    assert_eq!(world.front().await, LAUNCHER);
    world.launch(SHOP).await;
    assert!(!world.shows("ann").await);
    let unknown = world.driver.close(&world.cx, "com.no.app").await;
    assert_eq!(
        unknown,
        Err(DriverError::NotInstalled("com.no.app".to_owned()))
    );
    let unknown = world.try_launch("com.no.app").await;
    assert_eq!(
        unknown,
        Err(DriverError::NotInstalled("com.no.app".to_owned()))
    );
    world.driver.close(&world.cx, SETTINGS).await.unwrap();
    world.driver.close(&world.cx, LAUNCHER).await.unwrap();
    world.key(Key::Home).await;
    assert!(
        world.shows("Search apps").await,
        "the home screen comes back by itself"
    );
}

#[tokio::test(start_paused = true)]
async fn an_app_may_fail_to_start() {
    let mut world = World::with(driver_sim::SimOptions {
        apps: vec![driver_sim::AppSource::Text {
            name: "broken.yaml".to_owned(),
            yaml: "app: com.test.broken\nlaunch: fails\nstart: main\nscreens: { main: {} }"
                .to_owned(),
        }],
        ..driver_sim::SimOptions::default()
    });
    let failed = world.try_launch("com.test.broken").await;
    assert_eq!(
        failed,
        Err(DriverError::LaunchFailed("com.test.broken".to_owned()))
    );
    assert_eq!(world.front().await, LAUNCHER);
}

#[tokio::test(start_paused = true)]
async fn a_dark_screen_shows_nothing_and_takes_nothing() {
    let mut world = World::app(SETTINGS);
    world.key(Key::Power).await;
    assert_eq!(
        world.driver.observe(&world.cx).await.err(),
        Some(DriverError::ScreenOff)
    );
    let refused = Err(DriverError::ScreenOff);
    let touched = world.try_touch(uitree::Point::new(540, 1300)).await;
    assert_eq!(touched, refused);
    assert_eq!(world.driver.key(&world.cx, Key::Home).await, refused);
    world.key(Key::Power).await;
    assert_eq!(world.front().await, SETTINGS);
    assert!(world.shows("Search settings").await);
}

#[tokio::test(start_paused = true)]
async fn state_lists_grow_and_shrink() {
    let mut world = World::yaml(
        r#"
lists: { cart: [name, price] }
data:
  goods: { repeat: 50, item: { name: "Good {n}", price: "= n + 0.5" } }
screens:
  main:
    body:
      - text: "{count(cart)} for {money(sum(cart, 'price'))}"
      - list:
          items: goods
          row:
            - row:
                children:
                  - { text: "{name}", grow: 1 }
                  - { button: "Add", on_click: { append: { cart: { name: "{name}", price: "= price" } } } }
      - { button: "Cart", on_click: { push: cart } }
  cart:
    title: "Cart"
    body:
      - text: "{count(cart)} for {money(sum(cart, 'price'))}"
      - list:
          items: cart
          row:
            - item: "{name}"
              on_click: { remove: cart }
"#,
    );
    let seen = world.see().await;
    let adds: Vec<_> = seen
        .tree
        .ids()
        .filter(|id| &*seen.tree.node(*id).text == "Add")
        .map(|id| seen.node_ref(id))
        .collect();
    assert!(adds.len() >= 8, "every row has the same button");
    for row in [0, 2, 2] {
        world
            .driver_act(adds[row], driver::NodeAct::Click)
            .await
            .unwrap();
    }
    assert!(world.shows("3 for 8.50").await);
    world.tap("Cart").await;
    world.tap("Good 3").await;
    assert!(
        world.shows("2 for 5.00").await,
        "one of two equal entries is gone"
    );
    world.tap("Good 1").await;
    assert!(world.shows("1 for 3.50").await);
}

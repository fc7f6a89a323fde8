//! The settings look like those of a real phone.

use driver::Key;
use driver_sim::Rotation;
use expect_test::expect;
use uitree::State;

use crate::world::{SETTINGS, World, bounds};

#[tokio::test(start_paused = true)]
async fn the_first_screen_has_the_shape_of_the_annotated_capture() {
    let mut world = World::app(SETTINGS);
    let seen = world.see().await;
    expect![[r#"
            screen 1080x2340
            container .FrameLayout owner=com.android.settings [0,0][1080,2340]
              container #android:id/content .FrameLayout [0,0][1080,2340]
                column .LinearLayout [0,0][1080,2340]
                  column #com.android.settings:id/app_bar .LinearLayout [0,84][1080,884]
                    text "Settings" #com.android.settings:id/collapsing_appbar_extended_title .TextView [0,330][1080,446]
                    toolbar #com.android.settings:id/action_bar .android.view.ViewGroup [0,692][1080,884]
                      button label="Search settings" .Button [912,692][1080,884] clickable focusable
                  container .LinearLayout [0,884][1080,2196]
                    list #com.android.settings:id/recycler_view .androidx.recyclerview.widget.RecyclerView [0,884][1080,2196] scrollable focusable
                      listitem .LinearLayout [30,884][1050,1184] clickable focusable
                        text "Alex Morgan" #android:id/title .TextView [216,972][502,1042]
                        text "Account, cloud and backup" #android:id/summary .TextView [216,1042][697,1097]
                      container .LinearLayout [0,1184][1080,1252]
                      listitem .LinearLayout [30,1252][1050,1461] clickable focusable
                        text "Connections" #android:id/title .TextView [216,1294][502,1364]
                        text "Wi-Fi  •  Bluetooth  •  SIM manager" #android:id/summary .TextView [216,1364][820,1419]
                      listitem .LinearLayout [30,1461][1050,1721] clickable focusable
                        text "Connected devices" #android:id/title .TextView [216,1503][647,1573]
                        text "Quick Share  •  Samsung DeX  •  Android Auto" #android:id/summary .TextView [216,1573][925,1679]
                      listitem .LinearLayout [30,1721][1050,1930] clickable focusable
                        text "Modes and Routines" #android:id/title .TextView [216,1763][681,1833]
                        text "Modes  •  Routines" #android:id/summary .TextView [216,1833][548,1888]
                      listitem .LinearLayout [30,1930][1050,2139] clickable focusable
                        text "Sounds and vibration" #android:id/title .TextView [216,1972][693,2042]
                        text "Sound mode  •  Ringtone" #android:id/summary .TextView [216,2042][652,2097]
                      listitem .LinearLayout [30,2139][1050,2196] clickable focusable
                        text "Notifications" #android:id/title .TextView [216,2181][508,2196]
                        text "Status bar  •  Do not disturb" #android:id/summary .TextView [216,2251][703,2196] invisible
        "#]].assert_eq(&seen.tree.to_notation());
}

#[tokio::test(start_paused = true)]
async fn rows_stand_where_the_annotated_capture_has_them() {
    let mut world = World::app(SETTINGS);
    let seen = world.see().await;
    let row = |title: &str| {
        let title = seen
            .tree
            .ids()
            .find(|id| &*seen.tree.node(*id).text == title);
        let title = title.expect("it is on the screen");
        let row = seen
            .tree
            .node(title)
            .parent
            .expect("a title stands in a row");
        bounds(seen.tree.node(row)).to_string()
    };
    assert_eq!(row("Connections"), "[30,1252][1050,1461]");
    assert_eq!(row("Connected devices"), "[30,1461][1050,1721]");
    let search = world.node("Search settings").await;
    assert_eq!(bounds(&search).to_string(), "[912,692][1080,884]");
    assert!(search.is(State::CLICKABLE | State::ENABLED | State::FOCUSABLE));
    assert!(search.text.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_row_takes_the_taps_of_its_words() {
    let mut world = World::app(SETTINGS);
    let words = world.node("Connections").await;
    assert!(!words.is(State::CLICKABLE));
    let from = world.journal().len();
    world.tap("Connections").await;
    expect![[r#"
            [
                "click by touch: com.android.settings/root \"Connections\"",
                "open com.android.settings/connections",
            ]
        "#]]
    .assert_debug_eq(&world.happened_since(from));
}

#[tokio::test(start_paused = true)]
async fn battery_shows_pairs_of_titles_and_values() {
    let mut world = World::app(SETTINGS);
    world.open("settings://battery").await;
    let seen = world.see().await;
    let texts: Vec<&str> = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| !node.text.is_empty())
        .map(|node| &*node.text)
        .collect();
    for pair in [
        ["Battery level", "83%"],
        ["Temperature", "31.5°C"],
        ["Capacity", "5000 mAh"],
    ] {
        assert!(
            texts.windows(2).any(|window| window == pair),
            "{pair:?} in {texts:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_slider_follows_the_finger() {
    let mut world = World::app(SETTINGS);
    world.swipe((540, 2000), (540, 600)).await;
    world.tap("Display").await;
    let slider = bounds(&world.node("Brightness").await);
    let track = world.see().await;
    let track = track
        .tree
        .nodes()
        .iter()
        .find(|node| node.id.ends_with("brightness_seekbar"));
    let track = bounds(track.expect("it is on the screen"));
    assert!(slider.top < track.top, "its name stands above it");
    let y = track.center().y;
    world
        .swipe((track.center().x, y), (track.right - 1, y))
        .await;
    world.touch(uitree::Point::new(track.left + 1, y)).await;
    let values: Vec<String> = world
        .journal()
        .iter()
        .filter_map(|line| line.split("brightness: ").nth(1).map(ToOwned::to_owned))
        .collect();
    assert!(
        values.len() > 4 && values.iter().any(|value| value.ends_with("-> \"100\"")),
        "{values:?}"
    );
    assert_eq!(values.last().map(String::as_str), Some("\"100\" -> \"0\""));
}

#[tokio::test(start_paused = true)]
async fn dependent_row_is_disabled_with_its_content() {
    let mut world = World::app(SETTINGS);
    world.tap("Connections").await;
    assert!(world.node("SIM manager").await.is(State::ENABLED));
    world.tap("Airplane mode").await;
    assert!(!world.node("SIM manager").await.is(State::ENABLED));
    assert_eq!(
        world
            .node("Not available in Airplane mode")
            .await
            .text
            .len(),
        30
    );
    let from = world.journal().len();
    world.tap("SIM manager").await;
    assert_eq!(
        world.happened_since(from),
        ["swallowed by disabled com.android.settings/connections \"SIM manager\""]
    );
}

#[tokio::test(start_paused = true)]
async fn what_apps_are_allowed_is_set_in_their_info() {
    const MAPS: &str = "com.example.maps";
    let mut world = World::app(SETTINGS);
    world.open("settings://apps").await;
    world.tap("Search apps").await;
    world.set_text("Search apps", "Maps").await;
    world.tap("241 MB").await;
    world.tap("Permissions").await;
    world.tap("Location").await;
    assert!(world.node("Don’t allow").await.is(State::CHECKED));
    world.tap("Allow").await;
    assert!(world.node("Allow").await.is(State::CHECKED));
    world.key(Key::Back).await;
    assert!(world.shows("Allowed").await);
    // The app has it without asking.
    world.launch(MAPS).await;
    world.tap("My location").await;
    let asked = |world: &World| {
        let journal = world.journal();
        journal
            .iter()
            .filter(|line| line.contains("asks for"))
            .count()
    };
    assert_eq!(asked(&world), 0, "{:?}", world.journal());
    // What loses a permission is ended, and asks again.
    world.launch(SETTINGS).await;
    world.tap("Location").await;
    let before = world.journal().len();
    world.tap("Don’t allow").await;
    assert!(world.node("Don’t allow").await.is(State::CHECKED));
    let happened = world.happened_since(before);
    assert!(
        happened
            .iter()
            .any(|line| line.contains("stop") && line.contains(MAPS)),
        "{happened:?}"
    );
    world.launch(MAPS).await;
    world.tap("My location").await;
    assert!(world.shows("While using the app").await);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_app_takes_its_notifications_along() {
    let mut world = World::yaml(
        "screens: { main: { body: [ { button: { text: Send, on_click: { notify: { title: News } } } }, { button: { text: Stop, on_click: { stop_app: com.example.chat } } } ] } }\n",
    );
    world.tap("Send").await;
    world.launch("com.example.chat").await;
    world.launch("com.test.app").await;
    let before = world.journal().len();
    world.tap("Stop").await;
    let happened = world.happened_since(before);
    assert!(
        happened
            .iter()
            .any(|line| line.contains("stop") && line.contains("com.example.chat")),
        "{happened:?}"
    );
    world.driver.phone_mut().open_shade();
    assert!(world.shows("News").await);
    world.key(Key::Back).await;
    world
        .driver
        .phone_mut()
        .close_app("com.test.app")
        .expect("it runs");
    world.driver.phone_mut().open_shade();
    assert!(!world.shows("News").await);
}

#[tokio::test(start_paused = true)]
async fn a_screen_that_does_not_follow_stays_as_it_is() {
    let mut world = World::app(SETTINGS);
    world.open("settings://display").await;
    let wide = |world: &World| {
        let screen = world.driver.phone().screen();
        screen.width > screen.height
    };
    world.tap("Auto-rotate screen").await;
    world.driver.phone_mut().rotate(Rotation::Landscape);
    assert!(!wide(&world));
    world.tap("Auto-rotate screen").await;
    assert!(wide(&world), "it follows how it is held");
    world.swipe((1100, 900), (1100, 400)).await;
    world.tap("Auto-rotate screen").await;
    world.driver.phone_mut().rotate(Rotation::Portrait);
    assert!(wide(&world));
    let journal = world.journal();
    assert!(
        journal.iter().any(|line| line.contains("auto rotate")),
        "{journal:?}"
    );
}

//! Windows of the system: crash and "not responding" dialogs, permission prompts, update sheets, banners.

use std::time::Duration;

use driver::{Key, Observation};
use driver_sim::{Grant, Permission, SystemWindow};
use uitree::{Point, State, WindowKind};

use crate::world::{LAUNCHER, SETTINGS, SHOP, World, bounds, named, with_id};

const APP: &str = r#"
state: { count: 0 }
screens:
  main:
    title: Test app
    body:
      - button: { id: go, text: "Go {count}", on_click: { set: { count: "= count + 1" } } }
      - field: { hint: "Words" }
"#;

const TEST: &str = "com.test.app";

fn ids(seen: &Observation) -> Vec<&str> {
    let ids = seen.tree.nodes().iter().map(|node| &*node.id);
    ids.filter(|id| !id.is_empty()).collect()
}

fn permission(permission: Permission) -> SystemWindow {
    SystemWindow::Permission {
        app: TEST.to_owned(),
        permission,
    }
}

fn banner(app: &str) -> SystemWindow {
    SystemWindow::Banner {
        app: app.to_owned(),
        title: "Ann".to_owned(),
        text: "See you at five".to_owned(),
    }
}

fn crash() -> SystemWindow {
    SystemWindow::Crash {
        app: TEST.to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_crash_ends_the_app_and_says_so() {
    let mut world = World::yaml(APP);
    world.tap("Words").await;
    world.driver.phone_mut().show_system(crash());
    let seen = world.see().await;
    assert_eq!(seen.foreground.as_deref(), Some("android"));
    assert_eq!(
        seen.tree.windows().len(),
        1,
        "the keyboard went with the app"
    );
    assert_eq!(seen.tree.windows()[0].kind, WindowKind::System);
    assert_eq!(seen.windows[2].package.as_deref(), Some("android"));
    assert!(seen.windows[2].active);
    assert!(named(&seen, "Test has stopped").is_some());
    assert_eq!(
        ids(&seen),
        [
            "android:id/content",
            "android:id/parentPanel",
            "android:id/alertTitle",
            "android:id/scrollView",
            "android:id/aerr_restart",
            "android:id/aerr_app_info",
            "android:id/aerr_close",
        ]
    );
    let close = &with_id(&seen, "aerr_close")[0];
    assert_eq!(
        (&*close.class, &*close.text),
        ("android.widget.Button", "Close app")
    );
    assert!(close.is(State::CLICKABLE | State::ENABLED));
    world.key(Key::Back).await;
    world.touch(Point::new(540, 300)).await;
    assert!(world.shows("Close app").await, "it wants an answer");
    let before = world.journal().len();
    world.tap("Close app").await;
    assert_eq!(world.front().await, LAUNCHER);
    assert_eq!(
        world.happened_since(before),
        [
            "click by touch: android/crash android:id/aerr_close \"Close app\"",
            "close android/crash",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn second_crash_offers_no_reopening() {
    let mut world = World::yaml(APP);
    world.tap("Go 0").await;
    world.driver.phone_mut().show_system(crash());
    world.tap("Open app again").await;
    assert!(world.shows("Go 0").await, "the app has started anew");
    world.driver.phone_mut().show_system(crash());
    assert!(world.shows("Test keeps stopping").await);
    assert!(!world.shows("Open app again").await);
    world.tap("App info").await;
    assert_eq!(world.front().await, SETTINGS);
}

#[tokio::test(start_paused = true)]
async fn unresponsive_app_can_be_awaited_or_closed() {
    let mut world = World::yaml(APP);
    let hangs = SystemWindow::NotResponding {
        app: TEST.to_owned(),
    };
    world.tap("Go 0").await;
    world.driver.phone_mut().show_system(hangs.clone());
    let seen = world.see().await;
    assert!(named(&seen, "Test isn't responding").is_some());
    assert!(named(&seen, "Go 1").is_none(), "the app is covered");
    assert!(ids(&seen).ends_with(&["android:id/aerr_close", "android:id/aerr_wait"]));
    world.tap("Wait").await;
    assert!(world.shows("Go 1").await);
    world.driver.phone_mut().show_system(hangs);
    world.key(Key::Home).await;
    assert_eq!(
        world.front().await,
        "android",
        "the dialog is above the home screen too"
    );
    world.tap("Close app").await;
    assert_eq!(world.front().await, LAUNCHER);
    world.launch(TEST).await;
    assert!(world.shows("Go 0").await);
}

#[tokio::test(start_paused = true)]
async fn permission_prompt_has_the_buttons_of_its_kind() {
    let mut world = World::yaml(APP);
    let phone = world.driver.phone_mut();
    phone.show_system(permission(Permission::Camera));
    let seen = world.see().await;
    let owner = "com.android.permissioncontroller";
    assert_eq!(seen.foreground.as_deref(), Some(owner));
    assert_eq!(seen.tree.windows()[0].kind, WindowKind::Application);
    assert!(seen.tree.nodes().iter().all(|node| &*node.owner == owner));
    let message = &with_id(&seen, "permission_message")[0];
    assert_eq!(
        &*message.text,
        "Allow Test to take pictures and record video?"
    );
    let buttons: Vec<_> = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| node.is(State::CLICKABLE))
        .map(|node| (node.id.rsplit('/').next().unwrap_or_default(), &*node.text))
        .collect();
    assert_eq!(
        buttons,
        [
            (
                "permission_allow_foreground_only_button",
                "While using the app"
            ),
            ("permission_allow_one_time_button", "Only this time"),
            ("permission_deny_button", "Don’t allow"),
        ]
    );
    world.touch(Point::new(540, 300)).await;
    world.tap("Only this time").await;
    let phone = world.driver.phone_mut();
    let answer = phone.take_permission_answer().expect("it was answered");
    assert_eq!(
        (&*answer.app, answer.permission),
        (TEST, Permission::Camera)
    );
    assert_eq!(answer.grant, Grant::Once);
    assert_eq!(phone.take_permission_answer(), None);

    phone.show_system(permission(Permission::Contacts));
    assert!(world.shows("Allow").await);
    assert!(!world.shows("Only this time").await);
    let before = world.journal().len();
    world.key(Key::Back).await;
    assert!(
        world
            .happened_since(before)
            .contains(&format!("permission contacts denied: {TEST}"))
    );
    assert_eq!(world.front().await, TEST);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_stays_with_its_app() {
    let mut world = World::yaml(APP);
    let phone = world.driver.phone_mut();
    phone.show_system(permission(Permission::Location));
    world.key(Key::Home).await;
    assert_eq!(world.front().await, LAUNCHER);
    world.launch(TEST).await;
    assert!(world.shows("Don’t allow").await);
    world
        .driver
        .phone_mut()
        .close_app(TEST)
        .expect("it is installed");
    world.launch(TEST).await;
    assert!(
        !world.shows("Don’t allow").await,
        "the app that asked is gone"
    );
    let answer = world.driver.phone_mut().take_permission_answer();
    assert_eq!(answer, None);
}

#[tokio::test(start_paused = true)]
async fn an_update_sheet_covers_the_lower_half() {
    let mut world = World::yaml(APP);
    let update = SystemWindow::Update {
        app: TEST.to_owned(),
    };
    world.tap("Go 0").await;
    world.driver.phone_mut().show_system(update.clone());
    let seen = world.see().await;
    assert_eq!(seen.foreground.as_deref(), Some("com.android.vending"));
    let sheet = bounds(&with_id(&seen, "design_bottom_sheet")[0]);
    assert_eq!((sheet.left, sheet.right, sheet.bottom), (0, 1080, 2340));
    assert!((1000..1300).contains(&sheet.top), "{sheet}");
    world.tap("No thanks").await;
    assert!(world.shows("Go 1").await);
    world.driver.phone_mut().show_system(update.clone());
    world.touch(Point::new(540, 500)).await;
    assert!(world.shows("Go 1").await, "a touch above it closes it");
    world.driver.phone_mut().show_system(update);
    world.tap("Update").await;
    assert!(world.shows("Go 0").await, "the new version has started");
}

#[tokio::test(start_paused = true)]
async fn a_banner_covers_the_top_of_the_app_for_five_seconds() {
    let mut world = World::yaml(APP);
    world.tap("Words").await;
    world.driver.phone_mut().show_system(banner(SHOP));
    let seen = world.see().await;
    let windows: Vec<_> = seen
        .tree
        .windows()
        .iter()
        .map(|window| (window.kind, window.active))
        .collect();
    assert_eq!(
        windows,
        [
            (WindowKind::Application, true),
            (WindowKind::InputMethod, false),
            (WindowKind::System, false),
        ]
    );
    assert_eq!(seen.foreground.as_deref(), Some(TEST));
    let row = &with_id(&seen, "expandableNotificationRow")[0];
    assert_eq!(&*row.owner, "com.android.systemui");
    assert!(
        bounds(row).contains(Point::new(540, 200)),
        "{:?}",
        row.bounds
    );
    for (id, text) in [
        ("title", "Ann"),
        ("text", "See you at five"),
        ("app_name_text", "Shop"),
    ] {
        assert_eq!(&*with_id(&seen, id)[0].text, text);
    }
    world.tap("Go 0").await;
    assert!(!world.shows("Go 1").await, "the banner has taken the touch");
    assert_eq!(world.front().await, SHOP);

    world.launch(TEST).await;
    world.driver.phone_mut().show_system(banner(SHOP));
    assert!(world.shows("Ann").await);
    tokio::time::sleep(Duration::from_millis(4990)).await;
    assert!(world.shows("Ann").await);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(!world.shows("Ann").await);
    world.tap("Go 0").await;
    assert!(world.shows("Go 1").await);
}

/// Whether a node of the screen has this text.
fn shows(phone: &mut driver_sim::Phone, text: &str) -> bool {
    let seen = phone.observe().unwrap();
    seen.tree.nodes().iter().any(|node| &*node.text == text)
}

#[tokio::test(start_paused = true)]
async fn a_banner_stays_under_a_finger() {
    let mut world = World::yaml(APP);
    world.driver.phone_mut().show_system(banner(SHOP));
    let at = bounds(&world.node("Ann").await).center();
    tokio::time::sleep(Duration::from_millis(4900)).await;
    assert!(world.shows("Ann").await);
    // Past the driver, whose calls take the finger of another call away.
    let phone = world.driver.phone_mut();
    phone.touch_down(at);
    phone.advance_to(phone.now() + Duration::from_millis(500));
    assert!(shows(phone, "Ann"), "five seconds are over");
    phone.touch_up(at);
    assert_eq!(world.front().await, SHOP, "the banner was pressed");

    world.launch(TEST).await;
    world.driver.phone_mut().show_system(banner(SHOP));
    let phone = world.driver.phone_mut();
    phone.touch_down(at);
    phone.advance_to(phone.now() + Duration::from_millis(5500));
    phone.touch_cancel();
    assert!(shows(phone, "Ann"));
    phone.advance_to(phone.now() + Duration::from_secs(1));
    assert!(!shows(phone, "Ann"), "it goes when nobody holds it");
}

#[tokio::test(start_paused = true)]
async fn a_window_that_opens_ends_a_touch() {
    let mut world = World::yaml(APP);
    let at = bounds(&world.node("Go 0").await).center();
    let phone = world.driver.phone_mut();
    phone.touch_down(at);
    phone.show_system(permission(Permission::Camera));
    phone.touch_up(at);
    world.key(Key::Back).await;
    assert!(world.shows("Go 0").await, "the touch was no press");
}

#[tokio::test(start_paused = true)]
async fn missing_app_has_no_system_window() {
    let mut world = World::yaml(APP);
    let phone = world.driver.phone_mut();
    phone.show_system(SystemWindow::Crash {
        app: "com.not.there".to_owned(),
    });
    phone.show_system(SystemWindow::Update {
        app: SHOP.to_owned(),
    });
    assert!(world.shows("Go 0").await);
}

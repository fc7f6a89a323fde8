//! Raw touch events, typed text, and packages.

use std::time::Duration;

use driver_sim::journal::Event;
use driver_sim::{Finger, Grant, Keycode, Permission};
use uitree::Point;

use crate::fixture::{Fixture, LAUNCHER, SHOP};

const PAGE: &str =
    "screens:\n  main:\n    body:\n      - field: { id: name, hint: Name }\n      - button: Save\n";

#[tokio::test(start_paused = true)]
async fn raw_touch_stays_between_calls() {
    let mut fixture = Fixture::yaml(PAGE);
    let seen = fixture.see().await;
    let save = seen.tree.find(&uitree::Query::new().text("Save")).unwrap();
    let at = seen.tree.visible_bounds(save).unwrap().center();
    fixture.driver.finger(Finger::Down(at));
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Observing does not cancel it, as it cancels an abandoned gesture.
    fixture.see().await;
    fixture
        .driver
        .finger(Finger::Move(Point::new(at.x + 1, at.y)));
    fixture.driver.finger(Finger::Up(at));
    assert_eq!(fixture.driver.phone().log().clicks(0).count(), 1);
    fixture.driver.finger(Finger::Down(at));
    fixture.driver.finger(Finger::Cancel);
    fixture.driver.finger(Finger::Down(Point::new(-5, 5)));
    fixture.driver.finger(Finger::Up(at));
    assert_eq!(fixture.driver.phone().log().clicks(0).count(), 1);
}

fn written(fixture: &Fixture) -> Option<&str> {
    let log = fixture.driver.phone().log();
    log.texts(0, "com.test.app:id/name").last()
}

fn fault(fixture: &mut Fixture, spec: &str) {
    let phone = fixture.driver.phone_mut();
    phone.add_fault(spec.parse().unwrap()).unwrap();
}

#[tokio::test(start_paused = true)]
async fn typed_text_goes_to_the_focused_field_and_is_subject_to_faults() {
    let mut fixture = Fixture::yaml(PAGE);
    let at = fixture.see().await;
    let field = at
        .tree
        .find(&uitree::Query::new().id("com.test.app:id/name"))
        .unwrap();
    let middle = at.tree.visible_bounds(field).unwrap().center();
    fixture.driver.phone_mut().tap(middle);
    let cx = fixture.cx.clone();
    fixture.driver.type_text(&cx, "abc").await.unwrap();
    fixture
        .driver
        .keycode(&cx, Keycode::MoveHome)
        .await
        .unwrap();
    fixture.driver.type_text(&cx, "x").await.unwrap();
    fault(&mut fixture, "drop_text last=1 x1");
    fixture.driver.type_text(&cx, "yz").await.unwrap();
    assert_eq!(written(&fixture), Some("xyabc"));
    fault(&mut fixture, "refuse x1");
    assert!(fixture.driver.type_text(&cx, "no").await.is_err());
    // A frozen screen queues it.
    fault(&mut fixture, "freeze @1 for 1s");
    fixture.driver.type_text(&cx, "1").await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    fixture.driver.catch_up();
    assert_eq!(written(&fixture), Some("xy1abc"));
}

#[tokio::test(start_paused = true)]
async fn apps_can_be_installed_and_removed_while_the_phone_runs() {
    let mut fixture = Fixture::app(SHOP);
    let phone = fixture.driver.phone_mut();
    let focus = phone.focused_window().unwrap();
    assert_eq!(
        (&*focus.package, focus.name.as_str(), focus.activity),
        (SHOP, "com.example.shop.MainActivity", true)
    );
    let yaml = |words: &str| {
        format!(
            "app: {SHOP}\nlabel: Mine\nicon: star\nstart: main\nlinks:\n  - {{ uri: \"mine://x\", open: main }}\nscreens:\n  main:\n    body:\n      - text: \"{words}\"\n"
        )
    };
    assert!(phone.install("bad.yaml", "app: com.x\n").is_err());
    phone.install("mine.yaml", &yaml("first")).unwrap();
    // It replaced a running app, which was ended.
    assert_eq!(phone.foreground().as_deref(), Some(LAUNCHER));
    let info = phone.package(SHOP).unwrap();
    assert_eq!(
        (&*info.label, info.built_in, info.running),
        ("Mine", false, false)
    );
    assert_eq!(info.links, ["mine://x"]);
    assert_eq!(phone.openers("mine://x").len(), 1);
    phone.open_app(SHOP).unwrap();
    assert!(phone.package(SHOP).unwrap().running);
    assert!(phone.set_permission(SHOP, Permission::Camera, Grant::Allowed));
    assert!(phone.has_permission(SHOP, Permission::Camera));
    assert!(phone.uninstall(SHOP));
    // The built-in app is restored and cannot be removed.
    assert!(phone.package(SHOP).unwrap().built_in);
    assert!(!phone.uninstall(SHOP));
    assert!(
        phone
            .install("home.yaml", &yaml("x").replace(SHOP, LAUNCHER))
            .is_err()
    );
    assert!(
        !phone
            .log()
            .entries()
            .iter()
            .any(|entry| matches!(&entry.what, Event::Crashed(_)))
    );
}

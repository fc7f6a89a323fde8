//! The volume panel: the volume keys bring it up, its slider works, and it leaves by itself.

use driver::Key;
use uitree::{Point, State, WindowKind};

use crate::world::{World, bounds, run, with_id};

const SCREEN: &str = r#"
state: { count: 0 }
screens:
  main:
    body:
      - button: { text: "Count", on_click: { set: { count: "= count + 1" } } }
      - field: { id: name, hint: "Name" }
      - text: "count {count}"
"#;

const SYSTEM: &str = "com.android.systemui";

async fn panel(world: &mut World) -> bool {
    !with_id(&world.see().await, "volume_row_slider").is_empty()
}

#[test]
fn the_volume_keys_show_the_systems_panel_for_three_seconds() {
    run(async {
        let mut world = World::yaml(SCREEN);
        assert!(!panel(&mut world).await);
        world.key(Key::VolumeUp).await;
        let seen = world.see().await;
        let slider = &with_id(&seen, "volume_row_slider")[0];
        assert_eq!(&*slider.class, "android.widget.SeekBar");
        assert_eq!(&*slider.label, "Media volume");
        assert_eq!(&*slider.owner, SYSTEM);
        assert!(slider.is(State::VISIBLE));
        assert_eq!(seen.foreground.as_deref(), Some("com.test.app"));
        let uppermost = seen
            .windows
            .iter()
            .find(|info| !info.active && info.kind == WindowKind::System);
        assert_eq!(uppermost.unwrap().package.as_deref(), Some(SYSTEM));
        assert!(
            world
                .happened_since(0)
                .iter()
                .any(|line| line.starts_with("volume 6"))
        );
        // Another key lets it stay.
        world.pass(2000).await;
        world.key(Key::VolumeUp).await;
        world.pass(2999).await;
        assert!(panel(&mut world).await);
        world.pass(1).await;
        assert!(!panel(&mut world).await);
        assert_eq!(world.driver.phone().next_event(), None);
        assert_eq!(world.driver.phone().volume(), 7);
    });
}

#[test]
fn a_touch_beside_the_panel_takes_it_away_and_presses_what_lies_there() {
    run(async {
        let mut world = World::yaml(SCREEN);
        world.key(Key::VolumeDown).await;
        world.tap("Count").await;
        assert!(world.shows("count 1").await);
        assert!(!panel(&mut world).await);
        assert_eq!(world.driver.phone().next_event(), None);
    });
}

#[test]
fn the_slider_of_the_panel_turns_the_volume() {
    run(async {
        let mut world = World::yaml(SCREEN);
        world.key(Key::VolumeUp).await;
        let slider = bounds(&with_id(&world.see().await, "volume_row_slider")[0]);
        for (x, volume) in [(slider.right - 1, 15), (slider.left + 1, 0)] {
            world
                .driver
                .phone_mut()
                .tap(Point::new(x, slider.center().y));
            assert_eq!(world.driver.phone().volume(), volume);
            let last = format!("volume {volume}");
            assert!(world.happened_since(0).contains(&last));
        }
        // Under a finger it stays.
        world.driver.phone_mut().touch_down(slider.center());
        world.pass(10_000).await;
        assert!(!with_id(&world.see_held(), "volume_row_slider").is_empty());
        world.driver.phone_mut().touch_up(slider.center());
        world.pass(1000).await;
        assert!(!panel(&mut world).await);
    });
}

#[test]
fn the_panel_takes_neither_keyboard_nor_back_and_goes_with_the_screen() {
    run(async {
        let mut world = World::yaml(SCREEN);
        world.tap("Name").await;
        world.key(Key::VolumeUp).await;
        let keyboard = |seen: &driver::Observation| {
            let mut kinds = seen.windows.iter().map(|info| info.kind);
            kinds.any(|kind| kind == WindowKind::InputMethod)
        };
        assert!(keyboard(&world.see().await));
        // Back goes to the app.
        world.key(Key::Back).await;
        assert!(!keyboard(&world.see().await) && panel(&mut world).await);
        world.key(Key::Power).await;
        world.key(Key::Power).await;
        assert!(!panel(&mut world).await);
        assert_eq!(world.driver.phone().next_event(), None);
    });
}

//! The same inputs give the same phone, to the last byte.

use std::time::Duration;

use driver::Key;
use driver_sim::{Phone, SimOptions, ThemeChoice};
use uitree::Point;

fn tour(options: &SimOptions) -> (Vec<String>, Vec<String>, Vec<u8>) {
    let mut phone = Phone::start(options).expect("the phone does it");
    let mut trees = Vec::new();
    let mut look = |phone: &mut Phone| {
        trees.push(
            phone
                .observe()
                .expect("the phone does it")
                .tree
                .to_hierarchy_xml(),
        );
    };
    look(&mut phone);
    phone
        .open_app("com.android.settings")
        .expect("the phone does it");
    phone.touch_down(Point::new(540, 2000));
    phone.touch_move(Point::new(540, 1500));
    phone.advance_to(Duration::from_millis(300));
    phone.touch_up(Point::new(540, 700));
    look(&mut phone);
    phone
        .open_uri("settings://wifi")
        .expect("the phone does it");
    phone.advance_to(Duration::from_millis(2000));
    look(&mut phone);
    phone
        .open_app("com.example.shop")
        .expect("the phone does it");
    let seen = phone.observe().expect("the phone does it").tree;
    let field = seen.nodes().iter().find(|node| &*node.text == "Email");
    phone.tap(
        field
            .and_then(|node| node.bounds)
            .expect("the login asks for it")
            .center(),
    );
    phone.type_text("ann@example.com");
    look(&mut phone);
    let picture = phone.draw().to_png();
    phone.press_key(Key::Recents);
    look(&mut phone);
    (
        trees,
        phone.journal().iter().map(ToString::to_string).collect(),
        picture,
    )
}

#[test]
fn the_theme_changes_the_picture_and_nothing_else() {
    let light = tour(&SimOptions::default());
    let dark = tour(&SimOptions {
        theme: ThemeChoice::Dark,
        ..SimOptions::default()
    });
    assert_eq!((&light.0, &light.1), (&dark.0, &dark.1));
    assert_ne!(light.2, dark.2);
}

#[test]
fn a_picture_shows_the_screen() {
    let mut phone = Phone::start(&SimOptions::default()).expect("the phone does it");
    let home = phone.draw();
    assert_eq!((home.width, home.height), (1080, 2340));
    phone
        .open_app("com.android.settings")
        .expect("the phone does it");
    let settings = phone.draw();
    assert_ne!(home.rgba, settings.rgba);
    phone.press_key(Key::Power);
    let dark = phone.draw();
    assert!(
        dark.rgba
            .chunks_exact(4)
            .all(|pixel| pixel == [0, 0, 0, 255])
    );
}

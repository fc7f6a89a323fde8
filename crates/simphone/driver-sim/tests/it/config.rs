//! Changes of the phone's settings while apps run.

use driver_sim::journal::Event;
use driver_sim::{Phone, SimOptions, ThemeChoice};
use uitree::{Rect, State};

use crate::fixture::with_file;

const APP: &str = "
app: com.example.turn
start: home
state: { on: true, level: 25, note: \"\" }
data:
  days: { repeat: 12, item: { name: \"Day {n}\" } }
screens:
  home:
    title: Title
    back: true
    actions: [ { icon_button: { name: add, desc: Add } } ]
    padding: [0, 10, 0, 40]
    body:
      - item: { title: Row, switch: on, summary: \"{phone_theme} {phone_font_scale} {phone_language}\" }
      - { checkbox: { text: Tick, bind: on } }
      - { slider: { bind: level, id: level } }
      - list: { id: days, items: days, axis: horizontal, row: [ { text: \"{name}\", padding: 12 } ] }
      - row: { id: pad, direction: ltr, children: [ { text: one }, { text: two } ] }
      - field: { id: note, hint: Note, bind: note }
      - button: { text: Bad, on_click: { configure: { language: \"{note}\" } } }
      - button: { text: Dark, on_click: { configure: { theme: dark, font_scale: 1.3, language: he } } }
";

fn phone(language: &str) -> Phone {
    Phone::start(&SimOptions {
        language: language.to_owned(),
        ..with_file(APP)
    })
    .expect("it works")
}

fn find(phone: &mut Phone, name: &str) -> Option<Rect> {
    let seen = phone.observe().expect("it works");
    seen.tree
        .nodes()
        .iter()
        .find(|node| &*node.text == name || &*node.label == name || node.id.ends_with(name))
        .and_then(|node| node.bounds)
}

fn place(phone: &mut Phone, name: &str) -> Rect {
    find(phone, name).unwrap_or_else(|| panic!("nothing is called {name}"))
}

fn mirrored(rect: Rect) -> Rect {
    Rect::new(1080 - rect.right, rect.top, 1080 - rect.left, rect.bottom)
}

#[test]
fn right_to_left_languages_mirror_the_layout() {
    let (mut left, mut right) = (phone("en"), phone("ar"));
    let widgets = [
        "Navigate up",
        "Title",
        "Add",
        "Row",
        "android:id/switch_widget",
        "Tick",
        "level",
        "days",
        "Day 1",
        "Day 2",
        "note",
        "Dark",
    ];
    for name in widgets {
        assert_eq!(
            place(&mut right, name),
            mirrored(place(&mut left, name)),
            "{name}"
        );
    }
    assert!(place(&mut right, "Navigate up").left > 900);
    assert!(place(&mut right, "android:id/switch_widget").left < 200);
    // A row with a `direction` keeps it.
    assert!(place(&mut right, "one").right <= place(&mut right, "two").left);
    // The keyboard is not mirrored.
    for phone in [&mut left, &mut right] {
        let note = place(phone, "note").center();
        phone.tap(note);
    }
    let space = place(&mut right, "Space");
    assert_eq!(space, place(&mut left, "Space"));
    assert!(place(&mut right, ",").right <= space.left);
}

#[test]
fn settings_change_keeps_app_state() {
    let mut phone = phone("en");
    let note = place(&mut phone, "note").center();
    phone.tap(note);
    phone.type_text("kept");
    let before = phone.revision();
    let height = place(&mut phone, "Row").height();
    phone.set_font_scale(2.0);
    assert!(phone.revision() > before);
    assert!(place(&mut phone, "Row").height() > height * 5 / 4);
    phone.set_theme(ThemeChoice::Dark);
    phone.set_language("he").expect("it works");
    assert!(find(&mut phone, "kept").is_some());
    assert!(find(&mut phone, "dark 2 he").is_some());
    let seen = phone.observe().expect("it works");
    let focused = seen.tree.nodes().iter().any(|n| n.is(State::FOCUSED));
    assert!(focused, "the field keeps the focus");
    let notes: Vec<String> = phone
        .journal()
        .iter()
        .filter(|entry| matches!(entry.what, Event::Configured { .. }))
        .map(|entry| entry.to_string().trim_start().to_owned())
        .collect();
    assert_eq!(
        notes,
        [
            r#"0.000 configured font scale from "1" to "2""#,
            r#"0.000 configured theme from "light" to "dark""#,
            r#"0.000 configured language from "en" to "he""#,
        ]
    );
    // The original settings give the same screen, to the pixel.
    phone.set_font_scale(1.0);
    phone.set_theme(ThemeChoice::Light);
    phone.set_language("en").expect("it works");
    let mut fresh = self::phone("en");
    let note = place(&mut fresh, "note").center();
    fresh.tap(note);
    fresh.type_text("kept");
    assert!(phone.draw().rgba == fresh.draw().rgba);
}

//! The phone is set up differently while apps run.

use driver_sim::journal::Event;
use driver_sim::{AppSource, Phone, SimOptions, Start, ThemeChoice};
use uitree::{Point, Rect, State};

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
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "turn.yaml".to_owned(),
                yaml: APP.to_owned(),
            },
        ],
        start: Start::App("com.example.turn".to_owned()),
        language: language.to_owned(),
        ..SimOptions::default()
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
fn languages_from_the_right_turn_the_layout() {
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
    // What says so keeps its direction.
    assert!(place(&mut right, "one").right <= place(&mut right, "two").left);
    // The keys of the keyboard stand where they always stand.
    for phone in [&mut left, &mut right] {
        let note = place(phone, "note").center();
        phone.tap(note);
    }
    let space = place(&mut right, "Space");
    assert_eq!(space, place(&mut left, "Space"));
    assert!(place(&mut right, ",").right <= space.left);
}

#[test]
fn fingers_go_by_what_they_see() {
    let mut phone = phone("fa");
    let level = place(&mut phone, "level");
    phone.tap(Point::new(level.left + 30, level.center().y));
    let last = phone.journal().last().map(ToString::to_string);
    assert!(
        last.as_ref()
            .is_some_and(|line| line.ends_with("-> \"100\"")),
        "{last:?}"
    );
    // Day 1 stands at the right; the days after it come from the left.
    let list = place(&mut phone, "days");
    assert!(find(&mut phone, "Day 12").is_none());
    let y = list.center().y;
    for _ in 0..3 {
        phone.touch_down(Point::new(200, y));
        for x in [400, 600, 800, 1000] {
            phone.touch_move(Point::new(x, y));
        }
        phone.touch_up(Point::new(1000, y));
    }
    assert!(place(&mut phone, "Day 12").left >= list.left);
}

#[test]
fn a_change_keeps_what_apps_know() {
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
    let told: Vec<String> = phone
        .journal()
        .iter()
        .filter(|entry| matches!(entry.what, Event::Configured { .. }))
        .map(|entry| entry.to_string().trim_start().to_owned())
        .collect();
    assert_eq!(
        told,
        [
            "0.000 font scale: \"1\" -> \"2\"",
            "0.000 theme: \"light\" -> \"dark\"",
            "0.000 language: \"en\" -> \"he\"",
        ]
    );
    // Back again is the same screen, to the pixel.
    phone.set_font_scale(1.0);
    phone.set_theme(ThemeChoice::Light);
    phone.set_language("en").expect("it works");
    let mut fresh = self::phone("en");
    let note = place(&mut fresh, "note").center();
    fresh.tap(note);
    fresh.type_text("kept");
    assert!(phone.draw().rgba == fresh.draw().rgba);
}

#[test]
fn nothing_changes_without_a_change() {
    let mut phone = phone("en-US");
    let (before, told) = (phone.revision(), phone.journal().len());
    phone.set_theme(ThemeChoice::Light);
    phone.set_font_scale(1.0);
    phone.set_language("EN_us").expect("it works");
    let error = phone
        .set_language("no language")
        .expect_err("it is refused");
    assert!(error.to_string().contains("no language tag"), "{error}");
    assert_eq!((phone.revision(), phone.journal().len()), (before, told));
}

#[test]
fn apps_set_up_the_phone() {
    let mut phone = phone("en");
    let button = place(&mut phone, "Bad").center();
    phone.tap(button);
    let last = phone.journal().last().map(ToString::to_string);
    assert!(
        last.as_ref()
            .is_some_and(|line| line.ends_with("com.example.turn cannot set language to \"\"")),
        "{last:?}"
    );
    let button = place(&mut phone, "Dark").center();
    phone.tap(button);
    assert_eq!(phone.theme(), ThemeChoice::Dark);
    assert_eq!(phone.font_scale(), 1.3);
    assert_eq!(phone.language(), "he");
    let picture = phone.draw();
    assert!(picture.rgba[..3].iter().all(|part| *part < 60), "dark");
}

#[test]
fn options_set_up_a_new_phone() {
    let phone = Phone::start(&SimOptions {
        theme: ThemeChoice::Dark,
        font_scale: 1.5,
        language: "ur".to_owned(),
        ..SimOptions::default()
    })
    .expect("it works");
    assert_eq!(
        (phone.theme(), phone.font_scale(), phone.language()),
        (ThemeChoice::Dark, 1.5, "ur")
    );
    let refused = Phone::start(&SimOptions {
        language: "?".to_owned(),
        ..SimOptions::default()
    });
    assert!(
        refused
            .expect_err("it is refused")
            .to_string()
            .contains("language tag")
    );
}

#[test]
fn the_settings_app_sets_up_the_phone() {
    let start = |uri: &str| {
        Phone::start(&SimOptions {
            start: Start::App(uri.to_owned()),
            ..SimOptions::default()
        })
        .expect("it works")
    };
    let mut phone = start("com.android.settings");
    let tap = |phone: &mut Phone, name: &str| {
        for _ in 0..6 {
            let seen = find(phone, name).filter(|rect| !rect.is_empty() && rect.bottom < 2150);
            if let Some(rect) = seen {
                phone.tap(rect.center());
                return;
            }
            phone.touch_down(Point::new(540, 1900));
            phone.touch_move(Point::new(540, 1000));
            phone.touch_move(Point::new(540, 900));
            phone.touch_up(Point::new(540, 900));
        }
        panic!("nothing is called {name}");
    };
    tap(&mut phone, "Display");
    tap(&mut phone, "Dark theme");
    assert_eq!(phone.theme(), ThemeChoice::Dark);
    tap(&mut phone, "Dark theme");
    assert_eq!(phone.theme(), ThemeChoice::Light);
    tap(&mut phone, "Font size");
    let slider = place(&mut phone, "font_size_seekbar");
    phone.tap(Point::new(slider.right - 30, slider.center().y));
    assert_eq!(phone.font_scale(), 2.0);
    let slider = place(&mut phone, "font_size_seekbar");
    phone.tap(Point::new(slider.left + 30, slider.center().y));
    assert_eq!(phone.font_scale(), 0.85);
    tap(&mut phone, "Reset to default");
    assert_eq!(phone.font_scale(), 1.0);
    phone.press_key(driver::Key::Back);
    phone.press_key(driver::Key::Back);
    tap(&mut phone, "General management");
    tap(&mut phone, "Language");
    tap(&mut phone, "العربية");
    assert_eq!(phone.language(), "ar");
    assert!(place(&mut phone, "Navigate up").left > 900);
}

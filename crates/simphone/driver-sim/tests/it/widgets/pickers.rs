//! The date picker.

use driver::{DriverError, Key, NodeAct};
use uitree::{Node, State};

use crate::world::{World, bounds, run, with_id};

const APP: &str = r#"
state: { day: "2026-03-12", until: "", at: "09:05", alarm: "21:30", count: 3, seen: 0 }
screens:
  main:
    padding: 16
    gap: 8
    body:
      - button: { text: Day, on_click: { pick_date: { bind: day, min: "2026-02-10", max: "= add_days('2027-01-20', 5)", on_change: { set: { seen: "= seen + 1" } } } } }
      - button: { text: Any day, on_click: { pick_date: until } }
      - date_field: { id: birthday, label: Birthday, bind: until, max: "= today()", helper: "Of course" }
      - text: "{day} {until} {at} {alarm} {count} {seen}"
        id: all
      - text: "{date(day, 'full')} {time(at)} {today()} {now()}"
        id: written
"#;

async fn all(world: &mut World) -> String {
    with_id(&world.see().await, "all")[0].text.to_string()
}

async fn id(world: &mut World, id: &str) -> Option<Node> {
    let found = with_id(&world.see().await, id);
    assert!(found.len() <= 1, "{id} is there {} times", found.len());
    found.into_iter().next()
}

async fn press(world: &mut World, name: &str) {
    let node = id(world, name).await.unwrap_or_else(|| panic!("no {name}"));
    world
        .touch(bounds(&node).center())
        .await
        .expect("it is on the screen");
}

async fn text(world: &mut World, name: &str) -> String {
    let node = id(world, name).await;
    node.map_or_else(String::new, |node| node.text.to_string())
}

#[test]
fn a_date_picker_is_the_platforms() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Day").await;
        let seen = world.see().await;
        let class = |id: &str| with_id(&seen, id)[0].class.to_string();
        assert_eq!(class("datePicker"), "android.widget.DatePicker");
        assert_eq!(class("date_picker_header_year"), "android.widget.TextView");
        assert_eq!(class("animator"), "android.widget.ViewAnimator");
        assert_eq!(class("month_view"), "android.view.View");
        assert_eq!(class("prev"), "android.widget.ImageButton");
        assert_eq!(text(&mut world, "date_picker_header_year").await, "2026");
        assert_eq!(
            text(&mut world, "date_picker_header_date").await,
            "Thu, Mar 12"
        );
        let month = seen
            .tree
            .ids()
            .find(|id| seen.tree.node(*id).id.ends_with("/month_view"))
            .expect("it shows a month");
        let days: Vec<&Node> = seen
            .tree
            .nodes()
            .iter()
            .filter(|node| node.parent == Some(month))
            .collect();
        assert_eq!(days.len(), 31);
        assert!(days.iter().all(|day| &*day.class == "android.view.View"));
        assert_eq!((&*days[0].text, &*days[0].label), ("1", "01 March 2026"));
        let checked: Vec<&str> = days
            .iter()
            .filter(|day| day.is(State::CHECKED))
            .map(|day| &*day.label)
            .collect();
        assert_eq!(checked, ["12 March 2026"]);
        // Weeks begin on Sunday, and the first of March 2026 is one.
        assert_eq!(bounds(days[0]).left, bounds(days[7]).left);
        assert!(bounds(days[0]).left < bounds(days[6]).left);
        assert!(bounds(days[6]).top < bounds(days[7]).top);
        assert_eq!(
            world.node("Previous month").await.id.to_string(),
            "android:id/prev"
        );
    });
}

#[test]
fn a_day_is_chosen_and_agreed_to() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Day").await;
        world.tap("Next month").await;
        world.tap("30 April 2026").await;
        assert_eq!(
            text(&mut world, "date_picker_header_date").await,
            "Thu, Apr 30"
        );
        assert_eq!(all_below(&world), "2026-03-12");
        let before = world.journal().len();
        press(&mut world, "button1").await;
        assert_eq!(all(&mut world).await, "2026-04-30  09:05 21:30 3 1");
        let happened = world.happened_since(before);
        assert!(
            happened
                .iter()
                .any(|line| line.contains("day: \"2026-03-12\" -> \"2026-04-30\"")),
            "{happened:?}"
        );
        // Nothing happens where the same day is chosen again, or none.
        world.tap("Day").await;
        press(&mut world, "button1").await;
        world.tap("Day").await;
        world.tap("02 April 2026").await;
        press(&mut world, "button2").await;
        world.tap("Day").await;
        world.tap("02 April 2026").await;
        world.key(Key::Back).await;
        assert_eq!(all(&mut world).await, "2026-04-30  09:05 21:30 3 1");
    });
}

/// The day that the app has while a dialog lies above it.
fn all_below(world: &World) -> String {
    let journal = world.journal();
    let last = journal.iter().rev().find(|line| line.contains(" day: "));
    last.map_or_else(|| "2026-03-12".to_owned(), Clone::clone)
}

#[test]
fn days_beyond_the_ends_cannot_be_chosen() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Day").await;
        world.tap("Previous month").await;
        assert!(!world.shows("Previous month").await);
        let early = world.node("09 February 2026").await;
        assert!(!early.is(State::ENABLED) && !early.is(State::CLICKABLE));
        let first = world.node("10 February 2026").await;
        assert!(first.is(State::ENABLED | State::CLICKABLE));
        world.tap("09 February 2026").await;
        assert_eq!(
            text(&mut world, "date_picker_header_date").await,
            "Thu, Mar 12"
        );
        // The years run from the first to the last day.
        press(&mut world, "date_picker_header_year").await;
        let years = with_id(&world.see().await, "text1");
        let years: Vec<&str> = years.iter().map(|year| &*year.text).collect();
        assert_eq!(years, ["2026", "2027"]);
        world.tap("2027").await;
        // The twelfth of March lies beyond the last day.
        assert_eq!(
            text(&mut world, "date_picker_header_date").await,
            "Mon, Jan 25"
        );
        assert!(!world.shows("Next month").await);
    });
}

#[test]
fn year_list_shows_the_chosen_year() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Any day").await;
        assert_eq!(
            text(&mut world, "date_picker_header_date").await,
            "Thu, Jan 1"
        );
        press(&mut world, "date_picker_header_year").await;
        let list = id(&mut world, "date_picker_year_picker")
            .await
            .expect("years");
        assert_eq!(&*list.class, "android.widget.ListView");
        let chosen = bounds(&with_id(&world.see().await, "text1")[2]);
        let text = with_id(&world.see().await, "text1")[2].text.to_string();
        assert_eq!(text, "2026");
        assert!((chosen.center().y - bounds(&list).center().y).abs() < 8);
        let middle = bounds(&list).center();
        world
            .swipe((middle.x, middle.y), (middle.x, middle.y + 300))
            .await;
        world.tap("2024").await;
        assert!(id(&mut world, "date_picker_year_picker").await.is_none());
        world.tap("Next month").await;
        assert!(world.shows("29 February 2024").await, "a leap year");
        press(&mut world, "button1").await;
        assert!(all(&mut world).await.contains("2024-01-01"));
    });
}

#[test]
fn a_swipe_turns_the_month() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Day").await;
        let month = bounds(&id(&mut world, "month_view").await.expect("a month"));
        let (left, right) = (month.left + 60, month.right - 60);
        let y = month.bottom - 20;
        world.swipe((right, y), (left, y)).await;
        assert!(world.shows("12 April 2026").await);
        world.swipe((left, y), (right, y)).await;
        assert!(world.shows("12 March 2026").await);
        // Less than half of it is not enough.
        world.swipe((right, y), (right - 200, y)).await;
        assert!(world.shows("12 March 2026").await);
    });
}

#[test]
fn a_day_of_a_month_that_is_gone_is_stale() {
    run(async {
        let mut world = World::yaml(APP);
        world.tap("Day").await;
        let (node, _) = world.find("12 March 2026").await.expect("it is there");
        world.tap("Next month").await;
        let done = world.driver_act(node, NodeAct::Click).await;
        assert_eq!(done, Err(DriverError::Stale));
        world
            .act("03 April 2026", NodeAct::Click)
            .await
            .expect("it takes clicks");
        press(&mut world, "button1").await;
        assert!(all(&mut world).await.starts_with("2026-04-03"));
    });
}

#[test]
fn languages_have_their_own_months_and_hours() {
    run(async {
        for (language, day, chosen, first) in [("ar", "12 مارس 2026", "الخميس، 12 مارس", 6)]
        {
            let mut world = World::yaml(APP);
            let set = world.driver.phone_mut().set_language(language);
            set.expect("a language");
            world.tap("Day").await;
            assert_eq!(text(&mut world, "date_picker_header_date").await, chosen);
            let twelfth = bounds(&world.node(day).await);
            // The twelfth is a Thursday: so many columns from the first day of the week.
            let month = bounds(&id(&mut world, "month_view").await.expect("a month"));
            let column = (4 + 7 - first) % 7;
            let from_left = (twelfth.center().x - month.left) * 7 / month.width();
            let expected = if language == "ar" { 6 - column } else { column };
            assert_eq!(from_left, expected, "{language}");
        }
    });
}

#[test]
fn a_picker_fits_a_screen_that_is_wider_than_high() {
    run(async {
        let mut world = World::yaml(APP);
        world
            .driver
            .phone_mut()
            .rotate(driver_sim::Rotation::Landscape);
        for (name, whole) in [("Day", "datePicker")] {
            world.tap(name).await;
            let seen = world.see().await;
            let screen = seen.tree.screen().to_rect();
            for node in seen.tree.nodes() {
                assert!(
                    bounds(node).intersect(&screen) == Some(bounds(node)),
                    "{} {} leaves the screen",
                    node.id,
                    node.label
                );
            }
            let picker = bounds(&id(&mut world, whole).await.expect("a picker"));
            let ok = bounds(&id(&mut world, "button1").await.expect("a button"));
            assert!(ok.top >= picker.bottom, "{ok} below {picker}");
            press(&mut world, "button2").await;
        }
    });
}

#[test]
fn a_field_shows_its_day_and_opens_the_calendar() {
    run(async {
        let mut world = World::yaml(APP);
        let field = id(&mut world, "birthday").await.expect("a field");
        assert_eq!(&*field.class, "android.widget.EditText");
        assert_eq!((&*field.text, &*field.hint), ("Birthday", "Birthday"));
        assert!(field.is(State::CLICKABLE) && !field.is(State::EDITABLE));
        press(&mut world, "birthday").await;
        // Nothing later than today can be chosen.
        assert!(!world.node("02 January 2026").await.is(State::ENABLED));
        assert!(!world.shows("Next month").await);
        press(&mut world, "button1").await;
        assert_eq!(text(&mut world, "birthday").await, "Jan 1, 2026");
        world.tap("Show date picker").await;
        assert!(id(&mut world, "datePicker").await.is_some());
    });
}

#[test]
fn days_and_times_are_written_in_the_phones_language() {
    run(async {
        let mut world = World::yaml(APP);
        assert_eq!(
            text(&mut world, "written").await,
            "Thursday, March 12, 2026 9:05 AM 2026-01-01 09:00"
        );
        let set = world.driver.phone_mut().set_language("ar");
        set.expect("a language");
        // Fifteen hours later it is another day.
        world.pass(15 * 3_600_000 + 60_000).await;
        let seen = world.see_held();
        assert_eq!(
            &*with_id(&seen, "written")[0].text,
            "الخميس، 12 مارس 2026 9:05 ص 2026-01-02 00:01"
        );
    });
}

#[test]
fn mistakes_are_found_when_the_file_is_read() {
    for (effect, part) in [
        (
            "pick_date: { bind: day, min: \"2026-02-30\" }",
            "expected a day such as",
        ),
        (
            "pick_date: { bind: day, min: \"2026-03-01\", max: \"2026-02-01\" }",
            "must not lie before",
        ),
        ("pick_date: { min: \"2026-03-01\" }", "`bind` is missing"),
        (
            "pick_date: dya",
            "there is no state variable `dya`; did you mean `day`?",
        ),
        (
            "set: { day: \"{date(day, 'lang')}\" }",
            "knows the styles 'short'",
        ),
    ] {
        let yaml = format!(
            "app: com.test.app\nstart: main\nstate: {{ day: \"\" }}\nscreens:\n  main: {{ body: [ {{ button: {{ text: A, on_click: {{ {effect} }} }} }} ] }}\n"
        );
        let checked = driver_sim::check("test.yaml", &yaml);
        let text = checked.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(text.contains(part), "{effect}: {text}");
    }
}

//! What no app file can do to the machine, however it is written: everything that grows has an end.

use driver_sim::{AppSource, Phone, SimOptions};

use crate::world::{World, run};

/// What is wrong with the file.
fn problems(rest: &str) -> String {
    let options = SimOptions {
        apps: vec![AppSource::Text {
            name: "test.yaml".to_owned(),
            yaml: format!("app: com.test.app\nstart: main\n{rest}"),
        }],
        ..SimOptions::default()
    };
    match Phone::start(&options) {
        Ok(_) => "valid".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Components of which each uses the next one, with `use_next` in the place of `NEXT`, and the last one is a text.
fn chain(length: usize, use_next: &str) -> String {
    let mut yaml = String::from("components:\n");
    for index in 0..length {
        let next = use_next.replace("NEXT", &format!("c{}", index + 1));
        yaml.push_str(&format!("  c{index}: {{ params: [x], body: {next} }}\n"));
    }
    yaml.push_str(&format!(
        "  c{length}: {{ params: [x], body: {{ text: \"{{x}}\" }} }}\n"
    ));
    yaml.push_str("screens: { main: { body: [ { use: c0, with: { x: \"{@width}\" } } ] } }");
    yaml
}

#[tokio::test(start_paused = true)]
async fn recursive_screens_share_one_effect_budget() {
    let world = World::yaml(
        "screens: { main: { on_open: [ { replace: main }, { replace: main }, { replace: main } ] } }",
    );
    let journal = world.journal();
    assert!(journal.len() < 5000, "{} entries", journal.len());
    assert!(
        journal.iter().any(|line| line.contains("too many effects")),
        "{journal:?}"
    );
}

#[test]
fn components_stand_in_each_other_only_so_deeply() {
    let plain = "{ use: NEXT, with: { x: \"{x}\" } }";
    assert_eq!(problems(&chain(31, plain)), "valid");
    let told = problems(&chain(3000, plain));
    assert!(
        told.contains("more than 32 components stand in each other here"),
        "{told}"
    );
}

#[test]
fn parameters_that_double_are_refused() {
    let doubled = "{ use: NEXT, with: { x: \"{x}{x}\" } }";
    assert_eq!(problems(&chain(8, doubled)), "valid");
    let told = problems(&chain(30, doubled));
    assert!(told.contains("make more than 100000 pieces"), "{told}");
    // Words alone become one text: it counts by its length.
    let words = chain(30, doubled).replace("{@width}", "words");
    let told = problems(&words);
    assert!(told.contains("make more than 100000 pieces"), "{told}");
}

/// How often the journal says that the app went too far.
fn stops(world: &World) -> usize {
    let journal = world.journal();
    let told = journal
        .iter()
        .filter(|line| line.contains("too many effects"));
    told.count()
}

#[tokio::test(start_paused = true)]
async fn texts_stay_as_long_as_a_variable_may_be() {
    let mut world = World::yaml(
        r#"
state: { x: "ab", y: "ab", z: "ab", n: 0 }
actions:
  grow: [ { set: { x: "{x}{x}", y: "= y + y", z: "= replace(z, 'b', z)" } }, { set: { n: "= n + 1" } } ]
screens:
  main:
    timers: [ { every: 1ms, do: { if: "n < 60", then: { do: grow } } } ]
    body: [ { text: "n {n} {len(x)} {len(y)} {len(z)}" } ]
"#,
    );
    world.pass(200).await;
    assert!(world.shows("n 60 65536 65536 65536").await);
    assert!(stops(&world) > 0);
}

#[tokio::test(start_paused = true)]
async fn lists_take_no_more_than_ten_thousand_entries() {
    let mut world = World::yaml(
        r#"
lists: { all: [n] }
actions:
  ten: [ { append: { all: { n: "1" } } }, { append: { all: { n: "2" } } }, { append: { all: { n: "3" } } }, { append: { all: { n: "4" } } }, { append: { all: { n: "5" } } }, { append: { all: { n: "6" } } }, { append: { all: { n: "7" } } }, { append: { all: { n: "8" } } }, { append: { all: { n: "9" } } }, { append: { all: { n: "10" } } } ]
  hundred: [ { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten }, { do: ten } ]
screens:
  main:
    timers: [ { every: 1ms, do: { do: hundred } } ]
    body: [ { text: "{count(all)} entries" } ]
"#,
    );
    world.pass(130).await;
    assert!(world.shows("10000 entries").await);
    assert!(stops(&world) > 0);
}

#[tokio::test(start_paused = true)]
async fn dialogs_count_with_the_screens() {
    let mut world = World::yaml(
        r#"
state: { n: 0 }
screens:
  main:
    timers: [ { every: 1ms, do: [ { set: { n: "= n + 1" } }, { dialog: more } ] } ]
    body: [ { text: "{n}" } ]
dialogs:
  more: { title: "More", buttons: [ { text: "Fine" } ] }
"#,
    );
    world.pass(300).await;
    let full = stops(&world);
    assert!(full > 50, "dialogs are refused: {full}");
}

#[tokio::test(start_paused = true)]
async fn a_spinner_offers_thousands_of_entries() {
    let records: Vec<String> = (0..5000).map(|n| format!("{{ v: \"v{n}\" }}")).collect();
    let mut world = World::yaml(&format!(
        r#"
state: {{ pick: v4999 }}
data: {{ all: [ {} ] }}
screens:
  main:
    body:
      - text: "picked {{pick}}"
      - spinner: {{ id: choose, bind: pick, items: all, value: "{{v}}", text: "Entry {{v}}" }}
"#,
        records.join(", ")
    ));
    world.tap("Entry v4999").await;
    assert!(world.shows("Entry v1").await);
    world.tap("Entry v3").await;
    assert!(world.shows("picked v3").await);
}

#[tokio::test(start_paused = true)]
async fn what_a_row_keeps_stays_with_its_entry() {
    let mut world = World::yaml(
        r#"
lists: { faq: [q] }
screens:
  main:
    on_open: [ { append: { faq: { q: First } } }, { append: { faq: { q: Second } } } ]
    body:
      - button: { text: "Add", on_click: { append: { faq: { q: New } } } }
      - button: { text: "Drop", on_click: { remove: faq, where: "q == 'First'" } }
      - list: { items: faq, row: { field: { hint: "{q}" } } }
"#,
    );
    world.set_text("Second", "written").await;
    for button in ["Add", "Drop"] {
        world.tap(button).await;
        assert_eq!(&*world.node("written").await.hint, "Second", "{button}");
    }
    assert!(world.shows("New").await && !world.shows("First").await);
}

/// A list whose rows hold a list whose rows hold a list, of a variable of so many entries.
fn lists_in_lists(entries: u32, of: &str) -> String {
    let records = format!("{{ repeat: {entries}, item: {{ name: \"{{n}}\" }} }}");
    let rows = match of {
        "lists" => format!("{{ fields: [ name ], entries: {records} }}"),
        _ => records,
    };
    let list = |row: &str| format!("{{ list: {{ items: rows, height: 300, row: {row} }} }}");
    let body = list(&list(&list("{ text: \"{name}\" }")));
    format!("{of}:\n  rows: {rows}\nscreens:\n  main:\n    body: {body}\n")
}

#[test]
fn oversized_window_is_refused_with_its_place() {
    let told = problems(&lists_in_lists(100, "data"));
    assert!(
        told.contains("test.yaml:6:3: screens.main: its lists make 1010")
            && told.contains("a window holds 100000 at most"),
        "{told}"
    );
    assert_eq!(problems(&lists_in_lists(10, "data")), "valid");
}

#[tokio::test(start_paused = true)]
async fn window_keeps_the_first_of_too_many_widgets() {
    let mut world = World::yaml(&lists_in_lists(1000, "lists"));
    let seen = world.see().await;
    assert!(seen.tree.len() < 200_000, "{} nodes", seen.tree.len());
    assert!(world.shows("1").await);
    let told = "com.test.app: a window holds 100000 widgets and no more";
    let journal = world.journal();
    let count = journal.iter().filter(|line| line.contains(told)).count();
    assert_eq!(count, 1, "{journal:?}");
}

#[tokio::test(start_paused = true)]
async fn empty_filter_result_ends_paging() {
    let mut world = World::yaml(
        "lists: { rows: { fields: [ name ], entries: { repeat: 5000, item: { name: \"{n}\" } } } }\n\
         screens: { main: { body: [ { list: { items: rows, row: { list: { items: rows, filter: \"name == 'x'\", row: { text: \"{name}\" } } } } } ] } }",
    );
    world.see().await;
    assert!(world.noted("a window holds"));
}

#[tokio::test(start_paused = true)]
async fn what_was_left_out_is_there_when_there_is_room_for_it() {
    let mut world = World::yaml(
        "state: { many: true }\n\
         lists: { rows: { fields: [ name ], entries: { repeat: 400, item: { name: \"{n}\" } } } }\n\
         screens: { main: { body: [ { button: { text: Less, on_click: { set: { many: false } } } }, \
         { list: { height: 500, items: rows, visible: many, row: { list: { items: rows, row: { text: \"{name}\" } } } } }, \
         { list: { items: rows, row: { text: \"last {name}\" } } } ] } }",
    );
    assert!(!world.shows("last 1").await);
    world.tap("Less").await;
    assert!(world.shows("last 1").await);
}

#[test]
fn invalid_records_and_timers_are_refused() {
    let page = "screens: { main: { timers: { every: 0ms, do: pop }, body: [] } }";
    assert!(problems(page).contains("a timer comes again after 1ms or more"));
    let data = "data: { d: { repeat: 10001, item: { a: \"{n}\" } } }\nscreens: { main: { body: [ { list: { items: d, row: { text: \"{a}\" } } } ] } }";
    assert!(problems(data).contains("`repeat` makes 10000 records at most"));
}

#[test]
fn recursive_action_is_reported_with_its_place() {
    let told = problems(
        "actions:\n  one: { do: two }\n  two: { do: one }\nscreens: { main: { body: [] } }",
    );
    assert!(
        told.contains("test.yaml:4:3: actions.one: this action runs into itself"),
        "{told}"
    );
}

#[test]
fn what_an_app_puts_off_has_an_end() {
    for later in [
        "{ after: 10m, do: { set: { n: '= n + 1' } } }",
        "{ fetch: { delay: 10m, then: { set: { n: '= n + 1' } } } }",
    ] {
        run(async {
            let mut world = World::yaml(&format!(
                "state: {{ n: 0 }}\n\
                 screens: {{ main: {{ timers: {{ every: 500ms, do: {later} }}, body: [ {{ text: \"{{n}} done\" }} ] }} }}"
            ));
            world.pass(1_100_000).await;
            assert!(world.shows("1000 done").await, "{later}");
            assert!(world.noted("too many effects"), "{later}");
        });
    }
}

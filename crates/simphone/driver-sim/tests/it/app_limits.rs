//! Limits on app files: size, depth, number of elements.

use driver_sim::{AppSource, Phone, SimOptions};

use crate::fixture::{Fixture, run};

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

/// Components that each use the next one by `use_next`, in which `NEXT` is its name; the last one is a text.
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

#[test]
fn nesting_of_components_is_limited() {
    let plain = "{ use: NEXT, with: { x: \"{x}\" } }";
    assert_eq!(problems(&chain(31, plain)), "valid");
    let error = problems(&chain(3000, plain));
    assert!(
        error.contains("more than 32 components are nested here"),
        "{error}"
    );
}

#[test]
fn exponential_parameters_are_refused() {
    let doubled = "{ use: NEXT, with: { x: \"{x}{x}\" } }";
    assert_eq!(problems(&chain(8, doubled)), "valid");
    let error = problems(&chain(30, doubled));
    assert!(error.contains("make more than 100000 pieces"), "{error}");
    // Constant texts are joined into one, which counts by its length.
    let texts = chain(30, doubled).replace("{@width}", "words");
    let error = problems(&texts);
    assert!(error.contains("make more than 100000 pieces"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn spinner_opens_with_thousands_of_entries() {
    let records: Vec<String> = (0..5000).map(|n| format!("{{ v: \"v{n}\" }}")).collect();
    let mut fixture = Fixture::yaml(&format!(
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
    fixture.tap("Entry v4999").await;
    assert!(fixture.shows("Entry v1").await);
    fixture.tap("Entry v3").await;
    assert!(fixture.shows("picked v3").await);
}

/// Lists nested three levels deep, each with this many entries of a variable or a data set.
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

#[tokio::test(start_paused = true)]
async fn window_keeps_the_first_of_too_many_widgets() {
    let mut fixture = Fixture::yaml(&lists_in_lists(1000, "lists"));
    let seen = fixture.see().await;
    assert!(seen.tree.len() < 200_000, "{} nodes", seen.tree.len());
    assert!(fixture.shows("1").await);
    let entry = "widgets_cut com.test.app most 100000";
    let journal = fixture.journal();
    let count = journal.iter().filter(|line| line.contains(entry)).count();
    assert_eq!(count, 1, "{journal:?}");
}

#[test]
fn pending_effects_are_limited() {
    for later in [
        "{ after: 10m, do: { set: { n: '= n + 1' } } }",
        "{ fetch: { delay: 10m, then: { set: { n: '= n + 1' } } } }",
    ] {
        run(async {
            let mut fixture = Fixture::yaml(&format!(
                "state: {{ n: 0 }}\n\
                 screens: {{ main: {{ timers: {{ every: 500ms, do: {later} }}, body: [ {{ text: \"{{n}} done\" }} ] }} }}"
            ));
            fixture.pass(1_100_000).await;
            assert!(fixture.shows("1000 done").await, "{later}");
            assert!(fixture.noted("effects_stopped"), "{later}");
        });
    }
}

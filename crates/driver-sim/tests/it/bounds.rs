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

#[test]
fn screens_that_open_themselves_share_the_effects_of_one_event() {
    run(async {
        let world = World::yaml(
            "screens: { main: { on_open: [ { replace: main }, { replace: main }, { replace: main } ] } }",
        );
        let journal = world.journal();
        assert!(journal.len() < 5000, "{} entries", journal.len());
        assert!(
            journal.iter().any(|line| line.contains("too many effects")),
            "{journal:?}"
        );
    });
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

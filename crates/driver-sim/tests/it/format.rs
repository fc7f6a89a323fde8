//! App files: what is wrong with one is found when it is read.

use driver_sim::{AppSource, Phone, SimOptions};
use expect_test::{Expect, expect};

fn check(yaml: &str, expected: &Expect) {
    let options = SimOptions {
        apps: vec![AppSource::Text {
            name: "test.yaml".to_owned(),
            yaml: yaml.to_owned(),
        }],
        ..SimOptions::default()
    };
    let message = match Phone::start(&options) {
        Ok(_) => "valid".to_owned(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&message);
}

#[test]
fn the_smallest_app() {
    check(
        "app: com.test.app\nstart: main\nscreens: { main: {} }",
        &expect!["valid"],
    );
}

#[test]
fn the_main_property_may_stand_in_a_mapping() {
    check(
        "app: com.test.app\nstart: main\nscreens: { main: { body: [ { text: { text: Hi, style: title } } ] } }",
        &expect!["valid"],
    );
}

#[test]
fn every_problem_is_named_with_its_place() {
    check(
        r#"app: com.test.app
labl: Test
start: mian
state: { user: "", count: 0 }
screens:
  main:
    title: Test
    body:
      - text: "Hello {usr}"
        styel: headline
      - buton: "OK"
      - button: { text: "Go", enabled: "user ==", on_click: [ { push: detail }, { sett: { a: 1 } } ] }
      - field: { hnt: "Email", bind: usr, type: numbers }
      - item: "Row"
        on_click: { push: { screen: other, with: { nam: "x" } } }
        appear_after: soon
  other:
    params: name
    body:
      - text: "{name}"
        padding: [1, 2, 3]
"#,
        &expect![[r#"
            test.yaml:2:1: unknown key `labl`; did you mean `label`?
            test.yaml:3:8: start: there is no screen `mian`; did you mean `main`?
            test.yaml:9:15: screens.main.body.0.text: there is no variable `usr`; did you mean `user`?
            test.yaml:10:9: screens.main.body.0.text: unknown key `styel`; did you mean `style`?
            test.yaml:11:9: screens.main.body.1: `buton` is no widget; did you mean `button`?
            test.yaml:12:40: screens.main.body.2.button.enabled: something is missing at the end
            test.yaml:12:71: screens.main.body.2.button.on_click.0.push: there is no screen `detail`
            test.yaml:12:81: screens.main.body.2.button.on_click.1: `sett` is no effect; did you mean `set`?
            test.yaml:13:18: screens.main.body.3.field: unknown key `hnt`; did you mean `hint`?
            test.yaml:13:38: screens.main.body.3.field.bind: there is no state variable `usr`; did you mean `user`?
            test.yaml:13:49: screens.main.body.3.field.type: `numbers` is none of text, number, email, url; did you mean `number`?
            test.yaml:15:27: screens.main.body.4.item.on_click.push: screen `other` wants the parameter `name`
            test.yaml:15:27: screens.main.body.4.item.on_click.push: screen `other` has no parameter `nam`; did you mean `name`?
            test.yaml:16:23: screens.main.body.4.item.appear_after: expected a duration such as 800ms, 1.2s or 5m
            test.yaml:21:18: screens.other.body.0.text.padding: expected one length, two (vertical, horizontal) or four (top, right, bottom, left)"#]],
    );
}

#[test]
fn yaml_that_is_none_has_a_line() {
    check(
        "app: com.test.app\nstart: [main\nscreens: {}",
        &expect![
            "test.yaml:3:8: `:` cannot stand here: a text with `: ` in it must stand in quotes, and each key needs a line of its own or a `,` before it"
        ],
    );
}

#[test]
fn lists_are_checked() {
    check(
        r#"app: com.test.app
start: main
lists: { cart: [name, price] }
data:
  fruits: [ { name: Apple, price: 1 }, { name: Pear } ]
screens:
  main:
    body:
      - list:
          items: fruit
          row: [ { text: "{name}" } ]
      - list:
          items: fruits
          row:
            - text: "{nam}"
              on_click: { append: { cart: { name: "{name}" } } }
"#,
        &expect![[r#"
            test.yaml:5:11: data.fruits: entry 1 has other fields than the first one
            test.yaml:10:18: screens.main.body.0.list.items: there is no data set or list `fruit`; did you mean `fruits`?
            test.yaml:11:26: screens.main.body.0.list.row.0.text: there is no variable `name`
            test.yaml:15:21: screens.main.body.1.list.row.0.text: there is no variable `nam`; did you mean `name`?
            test.yaml:16:43: screens.main.body.1.list.row.0.text.on_click.append.cart: the field `price` is missing"#]],
    );
}

#[test]
fn actions_do_not_run_into_themselves() {
    check(
        r#"app: com.test.app
start: main
actions:
  a: [ { do: b } ]
  b: { if: "true", then: { do: a } }
screens: { main: {} }
"#,
        &expect![[r#"
            test.yaml:1:1: actions.a: this action runs into itself; put an `after` in between
            test.yaml:1:1: actions.b: this action runs into itself; put an `after` in between"#]],
    );
}

#[test]
fn a_package_is_installed_once() {
    let source = AppSource::Text {
        name: "test.yaml".to_owned(),
        yaml: "app: com.test.app\nstart: main\nscreens: { main: {} }".to_owned(),
    };
    let options = SimOptions {
        apps: vec![source.clone(), source],
        ..SimOptions::default()
    };
    expect!["test.yaml: the package com.test.app is installed twice"]
        .assert_eq(&Phone::start(&options).err().unwrap().to_string());
}

#[test]
fn an_app_of_ones_own_replaces_a_built_in_one() {
    let options = SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "shop.yaml".to_owned(),
                yaml: "app: com.example.shop\nstart: main\nscreens: { main: { body: [ { text: mine } ] } }".to_owned(),
            },
        ],
        ..SimOptions::default()
    };
    let mut phone = Phone::start(&options).unwrap();
    phone.open_app("com.example.shop").unwrap();
    let seen = phone.observe().unwrap();
    assert!(seen.tree.nodes().iter().any(|node| &*node.text == "mine"));
}

#[test]
fn the_example_of_the_readme_is_valid() {
    let readme = include_str!("../../assets/apps/README.md");
    let example = readme
        .split("```")
        .nth(1)
        .and_then(|block| block.strip_prefix("yaml\n"))
        .unwrap();
    check(example, &expect!["valid"]);
}

#[test]
fn an_app_that_runs_in_circles_is_stopped() {
    let options = SimOptions {
        apps: vec![AppSource::Text {
            name: "circle.yaml".to_owned(),
            yaml: r#"app: com.test.circle
start: main
links: [ { uri: "circle://", open: main } ]
screens:
  main:
    on_open: [ { push: main }, { open: "circle://" } ]
"#
            .to_owned(),
        }],
        ..SimOptions::default()
    };
    let mut phone = Phone::start(&options).unwrap();
    phone.open_app("com.test.circle").unwrap();
    assert!(
        phone
            .journal()
            .iter()
            .any(|entry| entry.to_string().contains("too many effects"))
    );
    assert_eq!(phone.foreground().as_deref(), Some("com.test.circle"));
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let nest = |depth: usize| {
        let body = (0..depth).fold("text: deep".to_owned(), |inner, _| {
            format!("column: [ {{ {inner} }} ]")
        });
        format!("app: com.test.app\nstart: main\nscreens: {{ main: {{ body: [ {{ {body} }} ] }} }}")
    };
    for (depth, valid) in [(25, true), (100, false), (5000, false)] {
        let options = SimOptions {
            apps: vec![AppSource::Text {
                name: "deep.yaml".to_owned(),
                yaml: nest(depth),
            }],
            ..SimOptions::default()
        };
        assert_eq!(Phone::start(&options).is_ok(), valid, "{depth} levels");
    }
}

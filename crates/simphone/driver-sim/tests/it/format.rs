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
            test.yaml:16:23: screens.main.body.4.item.appear_after: expected a duration such as 800ms, 1.2s, 5m or 1h
            test.yaml:21:18: screens.other.body.0.text.padding: expected one length, two (vertical, horizontal) or four (top, right, bottom, left)"#]],
    );
}

#[test]
fn yaml_that_is_none_has_a_line() {
    check(
        "app: com.test.app\nstart: [main\nscreens: {}",
        &expect!["test.yaml:3:8: the `[` of line 2 is not closed"],
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
            test.yaml:4:3: actions.a: this action runs into itself; put an `after` in between
            test.yaml:5:3: actions.b: this action runs into itself; put an `after` in between"#]],
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
    let readme = include_str!("../../../sim-format/assets/apps/README.md");
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

/// What a newcomer is told about a file.
fn verdict(yaml: &str) -> String {
    match driver_sim::check("app.yaml", yaml) {
        Ok(_) => "valid".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn common_mistakes_have_helpful_errors() {
    let head = "app: com.test.app\nstart: main\nstate: { name: \"\", on: false, n: 0 }\nlists: { cart: [name, price] }\n";
    let body = |lines: &str| format!("{head}screens:\n  main:\n    body:\n{lines}");
    let mistakes = [
        (
            "wrong indentation",
            body("      - text: a\n     - text: b\n"),
        ),
        ("a tab", body("\t- text: a\n")),
        ("braces without quotes", body("      - text: {name}\n")),
        (
            "braces without quotes, and more",
            body("      - text: {name} is here\n"),
        ),
        ("double braces", body("      - text: {{name}}\n")),
        ("a colon in a text", body("      - text: Name: {name}\n")),
        (
            "an unclosed quote",
            body("      - text: \"Hello\n      - text: b\n"),
        ),
        (
            "an unclosed bracket",
            body("      - text: a\n        padding: [1, 2\n      - text: b\n"),
        ),
        ("an unknown widget", body("      - label: a\n")),
        ("a bare word as a widget", body("      - hello\n")),
        (
            "a wrong effect",
            body("      - button: a\n        on_click: { goto: main }\n"),
        ),
        (
            "an effect without its value",
            body("      - button: a\n        on_click: push\n"),
        ),
        ("a wrong variable", body("      - text: \"{nmae}\"\n")),
        (
            "a screen that is missing",
            body("      - button: a\n        on_click: { push: detials }\n"),
        ),
        (
            "a number as an id",
            body("      - { text: a, id: 5, size: big }\n"),
        ),
        ("a key twice", body("      - { text: a, id: x, id: y }\n")),
        (
            "a list instead of a mapping",
            format!("{head}screens:\n  - main: {{}}\n"),
        ),
        (
            "yes instead of true",
            body("      - { text: a, bold: yes }\n"),
        ),
        (
            "a single =",
            body("      - { text: a, visible: \"name = 'x'\" }\n"),
        ),
        (
            "braces in a condition",
            body("      - { text: a, visible: \"{on}\" }\n"),
        ),
        (
            "double quotes in an expression",
            body("      - { text: a, visible: 'name == \"x\"' }\n"),
        ),
        (
            "an entry that is none",
            body("      - button: a\n        on_click: { append: { cart: Tea } }\n"),
        ),
        (
            "a duration without a unit",
            body("      - { text: a, appear_after: 300 }\n"),
        ),
        (
            "a colour that is a comment",
            body("      - text: a\n        color: #ff0000\n"),
        ),
        (
            "a missing colon",
            body("      - text: a\n        bold true\n"),
        ),
        ("nothing", String::new()),
    ];
    let all: Vec<String> = mistakes
        .iter()
        .map(|(what, yaml)| format!("# {what}\n{}\n", verdict(yaml)))
        .collect();
    expect![[r##"
        # wrong indentation
        app.yaml:9:6: expected a key and `:` here: check that this line is indented like the keys it belongs to

        # a tab
        app.yaml:8:2: there is a tab here: indent with spaces

        # braces without quotes
        app.yaml:8:16: screens.main.body.0.text: unknown key `name`; if `{name}` is meant as a text, put it in quotes

        # braces without quotes, and more
        app.yaml:8:22: something follows a closing bracket: a text with `{` or `[` in it must stand in quotes

        # double braces
        app.yaml:8:16: a key must be a word; if this is a text with `{` or `[` in it, put it in quotes

        # a colon in a text
        app.yaml:8:19: `:` cannot stand here: a text with `: ` in it must stand in quotes, and each key needs a line of its own or a `,` before it

        # an unclosed quote
        app.yaml:9:7: a quote above is not closed, or the lines of a quoted text are not indented

        # an unclosed bracket
        app.yaml:10:13: the `[` of line 9 is not closed

        # an unknown widget
        app.yaml:8:9: screens.main.body.0: `label` is no widget; a widget begins with its kind, such as `text:`, `button:` or `row:`

        # a bare word as a widget
        app.yaml:8:9: screens.main.body.0: expected a mapping that describes a widget, found a text; words to read are `text: …`

        # a wrong effect
        app.yaml:9:19: screens.main.body.0.button.on_click: `goto` is no effect

        # an effect without its value
        app.yaml:9:19: screens.main.body.0.button.on_click: `push` is no effect by itself; it needs a value: `push: …`

        # a wrong variable
        app.yaml:8:15: screens.main.body.0.text: there is no variable `nmae`; did you mean `name`?

        # a screen that is missing
        app.yaml:9:27: screens.main.body.0.button.on_click.push: there is no screen `detials`

        # a number as an id
        app.yaml:8:33: screens.main.body.0.text.size: expected a length such as 16, "30px" or "50%"

        # a key twice
        app.yaml:8:27: screens.main.body.0: `id` stands here twice

        # a list instead of a mapping
        app.yaml:2:8: start: there is no screen `main`
        app.yaml:6:3: screens: expected a mapping, found a list; leave out the dashes: each name is a key

        # yes instead of true
        app.yaml:8:26: screens.main.body.0.text.bold: expected true or false, found a text: write `true` (YAML's old yes, no, on and off are texts)

        # a single =
        app.yaml:8:29: screens.main.body.0.text.visible: a single `=` has no meaning here: `==` compares

        # braces in a condition
        app.yaml:8:29: screens.main.body.0.text.visible: `{` has no meaning here: an expression names variables without braces

        # double quotes in an expression
        app.yaml:8:29: screens.main.body.0.text.visible: texts in expressions stand in ' ', not in " "

        # an entry that is none
        app.yaml:9:37: screens.main.body.0.button.on_click.append.cart: `cart` is a list: an entry is a mapping with all of its fields

        # a duration without a unit
        app.yaml:8:34: screens.main.body.0.text.appear_after: expected a duration such as 800ms, 1.2s, 5m or 1h

        # a colour that is a comment
        app.yaml:9:14: screens.main.body.0.text.color: expected a text, found nothing: is it missing, or behind a `#` that begins a comment? Put it in quotes

        # a missing colon
        app.yaml:9:9: this is neither `key: value` nor part of what stands above: is a `:` missing, or the indentation wrong?

        # nothing
        app.yaml: the file is empty
    "##]].assert_eq(&all.join("\n"));
}

#[test]
fn what_repeats_is_checked_too() {
    let told = verdict(
        r#"app: com.test.app
start: main
state: { name: "" }
styles: { big: { sze: 20 } }
components:
  line: { params: [label], body: { text: "{labl}" } }
  loop: { body: { use: loop } }
screens:
  main:
    body:
      - { text: a, style: bgi }
      - text: "{@heigt}"
      - { use: line, with: { lable: x } }
      - { use: line, with: { label: x } }
      - { use: lin }
      - { use: loop }
      - text: "{sum(carts, 'price')} {outer.name}"
      - list: { items: "@apps", sort: "-nam", row: { text: a } }
"#,
    );
    expect![[r#"
        app.yaml:4:18: styles.big: unknown key `sze`; did you mean `size`?
        app.yaml:6:42: components.line.body.text: there is no variable `labl`; did you mean `label`?
        app.yaml:7:24: components.loop.body.use: a component cannot use itself: loop → loop
        app.yaml:11:27: screens.main.body.0.text.style: `bgi` is none of display, headline, subhead, title, section, small_title, body, detail, caption, label, small_label, tiny_label, big; did you mean `big`?
        app.yaml:12:15: screens.main.body.1.text: `@heigt` is none of @landscape, @width, @height
        app.yaml:13:28: screens.main.body.2.use.with: the parameter `label` is missing
        app.yaml:13:28: screens.main.body.2.use.with: there is no parameter `lable`; did you mean `label`?
        app.yaml:15:16: screens.main.body.4.use: there is no component `lin`; did you mean `line`?
        app.yaml:17:15: screens.main.body.6.text: there is no list `carts`
        app.yaml:18:39: screens.main.body.7.list.sort: there is no variable `nam`; did you mean `name`?"#]].assert_eq(&told);
}

#[test]
fn check_reports_content_and_unused_parts() {
    let summary = driver_sim::check(
        "app.yaml",
        r#"app: com.test.app
label: Test
start: main
state: { name: "", unread: 0 }
lists: { cart: [name] }
data: { goods: { repeat: 3, item: { n: "{n}" } } }
actions:
  used: { dialog: ask }
  unused: { push: far }
links: { uri: "test://{name}", open: { screen: linked, with: { name: "{name}" } } }
components: { never: { body: [] } }
screens:
  main:
    title: "{name}"
    body:
      - list: { items: goods, row: { text: "{n}" } }
      - button: { text: Ask, on_click: [ { do: used }, { append: { cart: { name: x } } }, { set: { unread: 1 } } ] }
  linked: { params: name }
  far: { body: { text: far } }
dialogs:
  ask: { title: Sure? }
"#,
    );
    expect![[r#"
        app.yaml: Test (com.test.app)
          screen far: 5 widgets
          screen linked (name): 4 widgets
          screen main: 9 widgets, the first one
          dialog ask: 6 widgets
          variable name: text
          variable unread: number
          variable cart: list
          data goods: 3 records
          link test://{name}
        app.yaml:4:20: warning: state.unread: nothing reads this variable
        app.yaml:5:10: warning: lists.cart: nothing reads this variable
        app.yaml:9:3: warning: actions.unused: nothing that can be reached runs this action
        app.yaml:11:15: warning: components.never: nothing uses this component, so its body was not checked
        app.yaml:19:3: warning: screens.far: nothing that can be reached opens this screen
    "#]].assert_eq(&summary.unwrap().to_string());
}

#[test]
fn built_in_apps_have_no_unused_parts() {
    let all = driver_sim::check_source(&AppSource::BuiltIn).unwrap();
    let warnings: Vec<String> = all
        .iter()
        .flat_map(|summary| {
            summary
                .warnings
                .iter()
                .map(|each| format!("{} {}: {}", summary.name, each.path, each.message))
        })
        .collect();
    expect!["mail.yaml state.loading: nothing reads this variable"].assert_eq(&warnings.join("\n"));
}

fn apps_of(folder: &std::path::Path) -> Result<Vec<AppSource>, driver_sim::AppError> {
    let files = driver_sim::app_files(folder)?;
    Ok(files.into_iter().map(AppSource::File).collect())
}

#[test]
fn a_folder_is_all_the_apps_in_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim-format/assets/apps");
    let options = SimOptions {
        apps: apps_of(&folder).unwrap(),
        ..SimOptions::default()
    };
    let mut phone = Phone::start(&options).unwrap();
    for package in ["com.android.settings", "com.example.shop"] {
        phone.open_app(package).unwrap();
    }
    let refused = |folder: std::path::PathBuf| {
        let start = |apps| {
            Phone::start(&SimOptions {
                apps,
                ..SimOptions::default()
            })
        };
        let error = apps_of(&folder).and_then(start).err();
        error.unwrap().to_string()
    };
    let empty = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-apps");
    std::fs::create_dir_all(&empty).unwrap();
    assert!(
        refused(empty)
            .ends_with("the folder holds no app: no file whose name ends in .yaml or .yml")
    );
    assert!(refused("no/such/folder".into()).ends_with("there is no such file or folder"));
    let bad = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-apps");
    std::fs::create_dir_all(&bad).unwrap();
    std::fs::write(bad.join("a.yml"), "hello").unwrap();
    assert!(
        refused(bad).contains("a.yml:1:1: expected a mapping that describes an app, found a text")
    );
}

#[test]
fn labels_are_one_line_and_depth_is_limited() {
    let wrong = |yaml: &str| match driver_sim::check("test.yaml", yaml) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let told = wrong("app: com.a.b\nlabel: \"a\\nb\"\nstart: a\nscreens: { a: {} }");
    assert_eq!(
        told,
        "test.yaml:2:8: label: a label is one line of text, without control characters"
    );
    for depth in [70, 500] {
        for (open, close) in [("[", "]"), ("{ a: ", "}")] {
            let yaml = format!("a: {}1{}", open.repeat(depth), close.repeat(depth));
            let told = wrong(&yaml);
            assert!(told.contains("nests deeper than 64 levels"), "{told}");
        }
        let yaml: String = (0..depth)
            .map(|level| format!("{}a:\n", " ".repeat(level)))
            .collect();
        let told = wrong(&yaml);
        assert!(told.contains("nests deeper than 64 levels"), "{told}");
    }
}

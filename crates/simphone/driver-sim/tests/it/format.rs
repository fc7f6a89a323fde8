//! App files: errors are found when they are read.

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
fn duplicate_package_is_refused() {
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
fn users_app_replaces_built_in_app() {
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
fn readme_example_is_valid() {
    let readme = include_str!("../../../sim-format/assets/apps/README.md");
    let example = readme
        .split("```")
        .nth(1)
        .and_then(|block| block.strip_prefix("yaml\n"))
        .unwrap();
    check(example, &expect!["valid"]);
}

#[test]
fn deep_nesting_is_an_error() {
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
fn folder_installs_all_its_apps() {
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
    let invalid_apps = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-apps");
    std::fs::create_dir_all(&invalid_apps).unwrap();
    std::fs::write(invalid_apps.join("a.yml"), "hello").unwrap();
    assert!(
        refused(invalid_apps)
            .contains("a.yml:1:1: expected a mapping that describes an app, found a text")
    );
}

#[test]
fn depth_of_yaml_is_limited() {
    let error_of = |yaml: &str| match driver_sim::check("test.yaml", yaml) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    for depth in [70, 500] {
        for (open, close) in [("[", "]"), ("{ a: ", "}")] {
            let yaml = format!("a: {}1{}", open.repeat(depth), close.repeat(depth));
            let error = error_of(&yaml);
            assert!(error.contains("nests deeper than 64 levels"), "{error}");
        }
        let yaml: String = (0..depth)
            .map(|level| format!("{}a:\n", " ".repeat(level)))
            .collect();
        let error = error_of(&yaml);
        assert!(error.contains("nests deeper than 64 levels"), "{error}");
    }
}

//! The payloads of `examples/`: each is valid, documented, and runs unchanged on the embedded phone.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::run;

/// The outcome of an example: success, or this error code.
const FAILING: &[(&str, &str)] = &[("continue-on-failure.json", "NODE_NOT_FOUND")];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples")
}

fn examples() -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, path.to_str().unwrap().to_owned())
        })
        .collect();
    examples.sort();
    assert!(examples.len() >= 6, "{examples:?}");
    examples
}

#[test]
fn examples_are_valid_canonical_and_documented() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for (name, path) in examples() {
        let document = run(&["exec", &path, "--validate-only"]).success();
        assert!(document.get("warnings").is_none(), "{name}: {document}");
        let written: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(document["execution"], written, "{name} is not canonical");
        assert!(
            readme.contains(&format!("[{name}]({name})")),
            "README.md leaves out {name}"
        );
    }
    for name in readme
        .split('(')
        .filter_map(|part| part.split_once(".json)"))
    {
        assert!(
            folder().join(format!("{}.json", name.0)).is_file(),
            "{}",
            name.0
        );
    }
}

#[test]
fn examples_run() {
    for (name, path) in examples() {
        let ran = run(&["exec", &path, "--device", "sim"]);
        let document = ran.document();
        let envelope = &document["envelope"];
        let plan: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let steps = envelope["stepResults"].as_array().map(Vec::len);
        assert_eq!(
            steps,
            plan["actions"].as_array().map(Vec::len),
            "{name}: {document}"
        );
        match FAILING.iter().find(|(failing, _)| *failing == name) {
            None => {
                assert_eq!(envelope["status"], "success", "{name}: {document}");
                assert_eq!(ran.exit, 0, "{name}");
            }
            Some((_, code)) => {
                assert_eq!(envelope["status"], "failed", "{name}: {document}");
                assert_eq!(envelope["errorCode"], *code, "{name}: {document}");
                assert_eq!(ran.exit, 1, "{name}");
            }
        }
        for step in envelope["stepResults"].as_array().unwrap() {
            if let Some(picture) = step["data"]["path"].as_str() {
                std::fs::remove_file(picture).unwrap();
            }
        }
    }
}

/// The apps of `examples/apps`, without file extension.
fn apps() -> Vec<String> {
    let mut apps: Vec<String> = std::fs::read_dir(folder().join("apps"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".yaml").map(str::to_owned))
        .collect();
    apps.sort();
    assert!(apps.len() >= 5, "{apps:?}");
    apps
}

fn of_app(name: &str, kind: &str) -> String {
    let path = folder().join("apps").join(format!("{name}.{kind}"));
    path.to_str().unwrap().to_owned()
}

#[test]
fn example_apps_are_valid_and_documented() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for app in apps() {
        let document = run(&["sim", "check", &of_app(&app, "yaml")]).success();
        assert!(document.get("warnings").is_none(), "{app}: {document}");
        for kind in ["yaml", "json"] {
            let link = format!("[{app}.{kind}](apps/{app}.{kind})");
            assert!(readme.contains(&link), "README.md leaves out {link}");
        }
    }
}

/// Runs the plan of an example app; the data of each step by its id.
fn drive(app: &str) -> impl Fn(&str) -> Value {
    let plan = of_app(app, "json");
    let validated = run(&["exec", &plan, "--validate-only"]).success();
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&plan).unwrap()).unwrap();
    assert_eq!(validated["execution"], written, "{app} is not canonical");
    let device = format!("sim:{}", of_app(app, "yaml"));
    let document = run(&["exec", &plan, "--device", &device]).success();
    let envelope = &document["envelope"];
    assert_eq!(envelope["status"], "success", "{app}: {document}");
    let steps = envelope["stepResults"].as_array().unwrap().clone();
    assert_eq!(steps.len(), written["actions"].as_array().unwrap().len());
    move |id| steps.iter().find(|step| step["id"] == id).unwrap()["data"].clone()
}

#[test]
fn login_app_signs_in() {
    let data = drive("login");
    assert_eq!(data("home")["label"], "Signed in as ada@example.com");
}

#[test]
fn search_app_finds_matches() {
    let data = drive("search");
    assert_eq!(data("all")["text"], r#"["Osaka","Oslo"]"#);
}

#[test]
fn cart_app_computes_total() {
    let data = drive("cart");
    assert_eq!(data("total")["label"], "8.10 €");
}

#[test]
fn todo_app_restores_removed_item() {
    let data = drive("todo");
    assert_eq!(
        data("left")["text"],
        r#"["Repair the bicycle","Buy rye bread"]"#
    );
}

#[test]
fn settings_app_keeps_value() {
    let data = drive("settings-tree");
    assert_eq!(data("renamed")["value"], "Blue phone");
}

#[test]
fn every_example_app_has_a_test() {
    let driven = ["cart", "login", "search", "settings-tree", "todo"];
    assert_eq!(apps(), driven, "each app needs a test");
}

#[test]
fn tour_reads_version_and_takes_screenshot() {
    let path = folder().join("tour.json");
    let document = run(&["exec", path.to_str().unwrap(), "--device", "sim"]).success();
    let step = |id: &str| {
        document["envelope"]["stepResults"]
            .as_array()
            .unwrap()
            .iter()
            .find(|step| step["id"] == id)
            .unwrap()["data"]
            .clone()
    };
    assert_eq!(step("version")["value"], "16");
    let picture = step("picture")["path"].as_str().unwrap().to_owned();
    let bytes = std::fs::read(&picture).unwrap();
    std::fs::remove_file(&picture).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n"));
}

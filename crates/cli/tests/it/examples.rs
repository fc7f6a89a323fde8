//! The payloads of `examples/`: each is valid, is explained, and runs as it is on the embedded phone.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::run;

/// How an example ends: well, or with this code because it shows a failure.
const FAILING: &[(&str, &str)] = &[("continue-on-failure.json", "NODE_NOT_FOUND")];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
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
fn every_example_is_valid_canonical_and_explained() {
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
fn every_example_runs_as_it_is() {
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

#[test]
fn the_tour_reads_what_it_says() {
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

//! The flags of the embedded phone: effects and errors.

use serde_json::Value;

use crate::run::run;

#[test]
fn injected_fault_is_in_journal() {
    let folder = testkit::TempFolder::new("sims");
    let file = folder.join("truth.ndjson");
    let path = file.to_str().unwrap();
    let document = run(&format!(
        "click --text Shop --device sim --sim-fault 'lose_gesture click @1' --sim-journal '{path}'"
    ))
    .success();
    assert_eq!(document["envelope"]["status"], "success", "{document}");
    let lines: Vec<Value> = std::fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"fault"), "{kinds:?}");
    assert!(!kinds.contains(&"click"), "{kinds:?}");
}

#[test]
fn faults_combine_and_seed_is_deterministic() {
    let snapshot = |seed: &str| {
        run(&format!(
            "snapshot --device sim --sim-seed {seed} --sim-fault 'latency observe 1ms..900ms' --sim-fault 'latency observe 1s'"
        ))
        .success()
    };
    let time = |document: &Value| {
        let step = &document["envelope"]["stepResults"][0]["data"];
        step["elapsed_ms"].as_str().unwrap().parse::<u64>().unwrap()
    };
    let (first, again, other) = (snapshot("1"), snapshot("1"), snapshot("2"));
    assert!(time(&first) > 1000, "{first}");
    assert_eq!(time(&first), time(&again));
    assert_ne!(time(&first), time(&other));
}

#[test]
fn screen_size_is_applied() {
    let document = run("snapshot --device sim --sim-screen 720x1280@2").success();
    let text = document["envelope"]["stepResults"][0]["data"]["text"]
        .as_str()
        .unwrap();
    assert!(text.contains("[0,0][720,1280]"), "{text}");
}

#[test]
fn language_font_scale_and_rotation_are_applied() {
    let snapshot = |more: &str| {
        let document = run(&format!("snapshot --device sim {more}")).success();
        let text = &document["envelope"]["stepResults"][0]["data"]["text"];
        text.as_str().unwrap().to_owned()
    };
    let plain = snapshot("");
    assert_eq!(snapshot("--sim-language en-US"), plain);
    assert_ne!(snapshot("--sim-language ar"), plain);
    assert_ne!(snapshot("--sim-font-scale 1.3"), plain);
    // The home screen is upright in every orientation.
    assert_eq!(snapshot("--sim-rotation landscape"), plain);
}

#[test]
fn real_time_waits() {
    let before = std::time::Instant::now();
    let argv = ["sleep", "300", "--device", "sim", "--sim-time", "real"];
    run(&argv).success();
    assert!(before.elapsed() >= std::time::Duration::from_millis(300));
}

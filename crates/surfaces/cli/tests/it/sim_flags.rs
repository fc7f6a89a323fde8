//! The flags of the embedded phone: effects and errors.

use serde_json::Value;

use crate::run::run;

fn usage(argv: &str, part: &str) {
    let document = run(argv).failure("USAGE");
    let message = document["message"].as_str().unwrap();
    assert!(message.contains(part), "{argv:?}: {message}");
}

#[test]
fn injected_fault_is_in_journal() {
    let folder = std::env::temp_dir().join(format!("clawperator-sims-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
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
    std::fs::remove_dir_all(folder).unwrap();
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

#[test]
fn invalid_flags_are_reported() {
    usage(
        "snapshot --device sim --sim-fault crsh",
        "did you mean `crash`?",
    );
    usage(
        "snapshot --device sim --sim-seed x",
        "expected a whole number",
    );
    usage(
        "snapshot --device sim --sim-screen 10x10",
        "200 to 8000 pixels",
    );
    usage(
        "snapshot --device sim --sim-time slow",
        "expected virtual or real",
    );
    usage(
        "snapshot --device sim --sim-theme blue",
        "expected light or dark",
    );
    usage(
        "snapshot --device sim --sim-language english",
        "a language tag",
    );
    usage("snapshot --device sim --sim-font-scale 5", "from 0.85 to 2");
    usage("snapshot --device sim --sim-rotation left", "landscape");
    usage(
        "snapshot --device sim --sim-animations yes",
        "expected on or off",
    );
    usage(
        "snapshot --device sim --sim-journal -",
        "standard output is reserved for the result",
    );
    usage(
        "snapshot --device sim --sim-journal /no/such/folder/x",
        "the folder /no/such/folder does not exist",
    );
    usage("snapshot --sim-fault crash", "add --device sim");
    usage("snapshot --device abc --sim-seed 1", "add --device sim");
    usage("version --sim-seed 1", "it does not use a device");
}

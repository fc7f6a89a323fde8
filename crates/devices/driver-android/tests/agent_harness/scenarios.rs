//! The engine's scenarios whose apps the harness has (`ScenarioApp`): real widgets give the same results as the embedded phone.

use std::path::Path;

use serde_json::{Value, json};
use testkit::Scenario;

use crate::harness::Process;
use crate::plans::execute;

/// How much runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The scenarios of the first apps.
    Usual,
    /// Those of all apps: `./check --full`, which sets `WIDGETS`.
    Full,
}

impl Extent {
    pub(crate) fn from_env() -> Self {
        match std::env::var_os("WIDGETS") {
            Some(extent) if extent == "all" => Self::Full,
            Some(_) | None => Self::Usual,
        }
    }
}

/// A scenario of each app; all scenarios with the same app run.
const OF_APPS: [&str; 7] = [
    "click",
    "enter-text",
    "enter-text-slider",
    "read-key-value-pair",
    "read-text",
    "scroll",
    "wait-for-node",
];

const KEYBOARD: &str = "the harness has no keyboard";
const TIMING: &str = "it needs the clock of the embedded phone";
const HEIGHTS: &str = "it reads the row that the heights of the embedded phone put first";

/// The number of apps whose scenarios run with `Usual`.
const USUAL: usize = 2;

/// The scenarios of these apps that do not fit, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    (
        "click-behind-dialog",
        "the harness lists the window behind a dialog, which Android leaves out",
    ),
    ("click-focus", KEYBOARD),
    (
        "click-printed",
        "the rows of the harness have no role, and the buttons of its dialogs are written in capitals",
    ),
    ("keyboard-is-seen", KEYBOARD),
    (
        "observe-step",
        "the buttons of the harness's dialogs are written in capitals",
    ),
    ("scroll", HEIGHTS),
    ("scroll-less", HEIGHTS),
    ("wait-for-node-container", TIMING),
    ("wait-for-node-fraction", TIMING),
    ("wait-for-node-long", "it waits 15 seconds"),
    ("wait-for-node-retry-too-short", TIMING),
    ("wait-for-node-whole-execution", TIMING),
];

/// What a step says that does not depend on positions or times.
const COMPARED: [&str; 8] = [
    "error",
    "label",
    "resource_id",
    "scroll_outcome",
    "termination_reason",
    "text",
    "value",
    "verified",
];

fn outcome(envelope: &Value) -> Value {
    let steps = envelope["stepResults"].as_array().unwrap().iter();
    let steps = steps.map(|step| {
        let (kind, data) = (&step["actionType"], step["data"].as_object());
        let kept = data.into_iter().flatten().filter(|(key, _)| {
            let is_tree = kind == "snapshot_ui" && *key == "text";
            COMPARED.contains(&key.as_str()) && !is_tree
        });
        let kept: serde_json::Map<_, _> = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
        json!([kind, step["success"], kept])
    });
    json!([
        envelope["status"],
        envelope["errorCode"],
        steps.collect::<Vec<_>>()
    ])
}

pub(crate) async fn run(process: &mut Process, extent: Extent) {
    println!("scenarios");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/engine/testdata/scenarios");
    let all = testkit::folder(&folder).unwrap();
    let app = |scenario: &Scenario| scenario.blocks("yaml app").collect::<String>();
    let app_of = |name: &&str| {
        let scenario = all.iter().find(|scenario| scenario.name() == **name);
        app(scenario.unwrap())
    };
    let apps: Vec<String> = OF_APPS.iter().map(app_of).collect();
    let of_apps = all.iter().filter(|scenario| apps.contains(&app(scenario)));
    let (left_out, mut fitting): (Vec<_>, Vec<_>) =
        of_apps.partition(|scenario| LEFT_OUT.iter().any(|(name, _)| scenario.name() == *name));
    assert_eq!(left_out.len(), LEFT_OUT.len(), "a row has no scenario");
    if extent == Extent::Usual {
        fitting.retain(|scenario| apps[..USUAL].contains(&app(scenario)));
    }
    let mut problems = Vec::new();
    for scenario in &fitting {
        let (here, there) = play(process, scenario).await;
        if here != there {
            let name = scenario.name();
            problems.push(format!("{name}\n  scenario: {there}\n  widgets:  {here}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    println!("{} scenarios", fitting.len());
}

/// The outcome of a scenario on widgets, and the one that it describes.
async fn play(process: &mut Process, scenario: &Scenario) -> (Value, Value) {
    let yaml = scenario.blocks("yaml app").next().unwrap();
    let package = yaml.lines().next().unwrap().trim_start_matches("app: ");
    let mut harness = process.show(&format!("app {package}")).await;
    let mut setup = scenario.json("json setup").unwrap().unwrap();
    let setup = setup.as_array_mut().unwrap();
    setup.retain(|step| step["type"] != "open_app");
    if !setup.is_empty() {
        let done = execute(&mut harness, json!(setup), None).await;
        assert_eq!(done["status"], "success", "{done:#}");
    }
    let actions = scenario.json("json actions").unwrap().unwrap();
    let options = scenario.json("json options").unwrap();
    let envelope = execute(&mut harness, actions, options).await;
    let described = scenario.json("json result").unwrap().unwrap();
    (outcome(&envelope), outcome(&described))
}

//! Every scenario of `testdata/scenarios`.

use std::path::Path;

use serde_json::Value;
use testkit::{Scenario, Verdict};

use crate::phone::{json_of, phone, plan, run};

#[test]
fn every_scenario_comes_to_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap();
    assert!(!scenarios.is_empty());
    let problems: Vec<String> = scenarios
        .iter()
        .filter_map(|scenario| {
            let problem = match play(scenario) {
                Ok(Verdict::Same | Verdict::Updated) => return None,
                Ok(Verdict::Different(difference)) => difference,
                Err(problem) => problem,
            };
            Some(format!("{}\n{problem}", scenario.path.display()))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}

/// Runs one scenario in a world of its own.
fn play(scenario: &Scenario) -> Result<Verdict, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .map_err(|error| error.to_string())?;
    let actions = scenario
        .json("json actions")?
        .ok_or("there is no block `json actions`")?;
    let options = scenario.json("json options")?;
    let setup = scenario.json("json setup")?;
    let answer = runtime.block_on(async {
        let mut phone = phone(scenario.blocks("yaml app"));
        if let Some(actions) = setup {
            let answer = json_of(&run(&mut phone, &plan(actions, None)).await);
            if answer["status"] != "success" {
                return Err(format!("the setup failed: {answer:#}"));
            }
        }
        Ok(json_of(&run(&mut phone, &plan(actions, options)).await))
    })?;
    let text =
        serde_json::to_string_pretty(&shortened(answer)).map_err(|error| error.to_string())?;
    scenario.expect("json result", &text)
}

/// The answer with what is long or of this machine only named: a tree by its size, a recording by its name.
fn shortened(mut answer: Value) -> Value {
    let steps = match answer.get_mut("stepResults") {
        Some(steps) => Some(steps),
        None => answer.pointer_mut("/details/stepResults"),
    };
    for step in steps.and_then(Value::as_array_mut).into_iter().flatten() {
        if step["actionType"] == "snapshot_ui"
            && let Some(text) = step.pointer("/data/text").and_then(Value::as_str)
        {
            let nodes = text.matches("<node ").count();
            step["data"]["text"] = format!("<hierarchy …{nodes} nodes… </hierarchy>").into();
        }
        if let Some(path) = step.pointer("/data/filePath").and_then(Value::as_str) {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            step["data"]["filePath"] = format!("…/{name}").into();
        }
    }
    answer
}

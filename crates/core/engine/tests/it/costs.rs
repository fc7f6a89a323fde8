//! Runs the scenarios at the pace of a real phone: same results, and the cost of each step.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use driver_sim::{PaceChoice, SimDriver, SimOptions};
use expect_test::expect;
use serde_json::{Value, json};
use testkit::{Scenario, shortened};
use tokio::time::Instant;

use crate::over_adb::{differ, without_durations};
use crate::phone::{json_of, options_of, patient_plan, run};
use crate::scenarios::seed;

/// The scenarios whose result differs at the pace of a phone, each with the reason.
const DIFFERING_SCENARIOS: &[(&str, &str)] = &[
    (
        "torture-carousel",
        "its pages turn while the screen is read",
    ),
    ("torture-feed", "the screen never rests"),
    ("torture-late-content", "a disabled button is an answer"),
    ("torture-late-enabled", "a disabled button is an answer"),
    ("torture-moving", "the screen never rests"),
    ("torture-shuffle", "the screen never rests"),
];

/// The cost of one step.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    observations: u32,
    time: Duration,
}

/// `cargo xtask pace` prints the table.
#[test]
fn scenarios_have_same_results_at_phone_pace() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap();
    let mut costs: BTreeMap<String, Vec<(Cost, String)>> = BTreeMap::new();
    let mut problems = Vec::new();
    let untimed = scenarios.iter().filter(|scenario| !scenario.is_timed());
    for scenario in untimed {
        let name = scenario.name();
        let (differences, steps) = play(scenario).unwrap();
        let reason = DIFFERING_SCENARIOS
            .iter()
            .find(|(differing, _)| *differing == name);
        match (differences.is_empty(), reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some((_, reason))) => {
                problems.push(format!("{name} comes to the same, although {reason}"));
            }
            (false, None) => problems.push(format!("{name}{differences}")),
        }
        for (action, cost) in steps {
            costs.entry(action).or_default().push((cost, name.clone()));
        }
    }
    print(&mut costs);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn print(costs: &mut BTreeMap<String, Vec<(Cost, String)>>) {
    println!(
        "| action | steps | observations: median, most | phone time: median, most | the longest |"
    );
    println!("|---|---|---|---|---|");
    for (action, steps) in costs {
        steps.sort_by_key(|(cost, _)| cost.time);
        let (median, _) = &steps[steps.len() / 2];
        let (most, longest) = &steps[steps.len() - 1];
        println!(
            "| `{action}` | {} | {}, {} | {:.1} s, {:.1} s | {longest} |",
            steps.len(),
            median.observations,
            most.observations,
            median.time.as_secs_f64(),
            most.time.as_secs_f64(),
        );
    }
}

/// `cargo xtask pace` prints this table, too.
#[test]
fn commands_on_a_form_have_the_expected_cost() {
    let sent = json!({"matcher": {"textEquals": "Send"}});
    let count = json!({"matcher": {"textContains": "sent"}});
    let mut table = "| command | observations | phone time |\n|---|---|---|\n".to_owned();
    for (command, actions) in [
        ("snapshot", vec![("snapshot_ui", json!({}))]),
        ("click", vec![("click", sent.clone())]),
        (
            "click --snapshot",
            vec![("click", sent.clone()), ("snapshot_ui", json!({}))],
        ),
        (
            "type",
            vec![(
                "enter_text",
                json!({"matcher": {"role": "textfield"}, "text": "Ada"}),
            )],
        ),
        (
            "click on a missing node",
            vec![("click", json!({"matcher": {"textEquals": "Nowhere"}}))],
        ),
        (
            "exec, five actions",
            vec![
                ("click", sent.clone()),
                ("wait_for_node", count.clone()),
                ("read_text", count.clone()),
                ("click", sent),
                ("read_text", count),
            ],
        ),
    ] {
        let steps: Vec<Value> = actions
            .into_iter()
            .enumerate()
            .map(|(index, (kind, params))| json!({"id": format!("{index}"), "type": kind, "params": params}))
            .collect();
        let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.form"}}]);
        let (_, cost) = paced(
            options_of([FORM].into_iter(), 0),
            Some(open),
            json!(steps),
            None,
        )
        .unwrap();
        table.push_str(&format!(
            "| `{command}` | {} | {:.1} s |\n",
            cost.observations,
            cost.time.as_secs_f64()
        ));
    }
    println!("{table}");
    expect![[r#"
        | command | observations | phone time |
        |---|---|---|
        | `snapshot` | 1 | 1.6 s |
        | `click` | 1 | 1.9 s |
        | `click --snapshot` | 2 | 3.5 s |
        | `type` | 2 | 3.5 s |
        | `click on a missing node` | 3 | 4.8 s |
        | `exec, five actions` | 5 | 8.6 s |
    "#]]
    .assert_eq(&table);
}

const FORM: &str = "
app: com.example.form
label: Form
start: home
state: { name: \"\", sent: 0 }
screens:
  home:
    title: Form
    body:
      - field: { hint: \"Name\", bind: name }
      - button: { text: Send, on_click: { set: { sent: \"= sent + 1\" } } }
      - text: \"{sent} sent\"
";

/// Runs a plan at the pace of a phone; returns its answer and its cost.
fn paced(
    options: SimOptions,
    setup: Option<Value>,
    actions: Value,
    top: Option<Value>,
) -> Result<(Value, Cost), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let mut phone = SimDriver::new(SimOptions {
            pace: PaceChoice::Phone,
            ..options
        })
        .map_err(|error| error.to_string())?;
        if let Some(setup) = setup {
            let answer = json_of(&run(&mut phone, &patient_plan(setup, None)).await);
            if answer["status"] != "success" {
                return Err(format!("the setup failed: {answer:#}"));
            }
        }
        let (observations_before, started) = (phone.observations(), Instant::now());
        let answer = json_of(&run(&mut phone, &patient_plan(actions, top)).await);
        let cost = Cost {
            observations: phone.observations() - observations_before,
            time: started.elapsed(),
        };
        Ok((answer, cost))
    })
}

/// Runs a scenario; returns how its result differs, and the cost of each action of a single-action plan.
fn play(scenario: &Scenario) -> Result<(String, Vec<(String, Cost)>), String> {
    let actions = scenario.json("json actions")?.ok_or("no actions")?;
    let (answer, cost) = paced(
        options_of(scenario.blocks("yaml app"), seed(scenario)?),
        scenario.json("json setup")?,
        actions.clone(),
        scenario.json("json options")?,
    )?;
    let expected = scenario.json("json result")?.ok_or("no result")?;
    let differences = differ(
        "",
        &without_durations(expected),
        &without_durations(shortened(answer)),
    );
    // Costs can be assigned only if the plan has a single action.
    let steps = match actions.as_array().map(Vec::as_slice) {
        Some([only]) => {
            let action = only["type"].as_str().unwrap_or_default();
            vec![(action.to_owned(), cost)]
        }
        _ => Vec::new(),
    };
    Ok((differences, steps))
}

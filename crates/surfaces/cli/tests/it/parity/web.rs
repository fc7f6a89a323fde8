//! The web scenarios in one real browser, compared with their files: each surface runs a third of them, because below the
//! surfaces a plan runs as in the tests of `engine`, which run all. The surfaces run in parallel, each with its own tab and
//! server.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Scenario, ScenarioServer, difference};

use super::{ALLOWED_DIFFERENCES, Http, Surface, TestFolders, normalized, run_by_tool};
use crate::chrome::{User, close_tab, new_tab};
use crate::mcp::RawClient;
use crate::text_view::names;

/// Runs a plan on a device through one surface.
type Ask<'a> = Box<dyn FnMut(&str, &Value) -> Value + Send + 'a>;

#[test]
fn web_scenarios_have_expected_results_on_each_surface() {
    let place = TestFolders::new("web");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/engine/testdata/web");
    let scenarios = testkit::folder(&scenarios).unwrap();
    assert!(scenarios.len() > 20, "{}", scenarios.len());
    let user = User::new("parity");
    let started = user.run("chrome start --size 1000x900");
    let started = started.success();
    let endpoint = started["endpoint"].as_str().unwrap();
    let flags = ["--cdp", endpoint];
    let http = Http::start(&flags, &place.of(Surface::Http));
    let pictures = place.of(Surface::Mcp);
    let named = pictures.to_string_lossy();
    let mut mcp = RawClient::initialized_in(
        &[&flags[..], &["--screenshots", &named]].concat(),
        &pictures,
    );
    let mut calls = 0;
    let surfaces: [(Surface, Ask<'_>); 3] = [
        (
            Surface::Program,
            Box::new(|device, plan| {
                let ran = user.run(&["exec", &plan.to_string(), "--device", device]);
                ran.document()
            }),
        ),
        (
            Surface::Http,
            Box::new(|device, plan| http.run_plan(device, plan)),
        ),
        (
            Surface::Mcp,
            Box::new(|device, plan| {
                calls += 1;
                run_by_tool(&mut mcp, calls, device, plan)
            }),
        ),
    ];
    let played: Vec<(Surface, SurfaceResults)> = std::thread::scope(|scope| {
        let count = surfaces.len();
        let playing: Vec<_> = (0..)
            .zip(surfaces)
            .map(|(first, (surface, mut ask))| {
                let (part, place) = (scenarios.iter().skip(first).step_by(count), &place);
                let all = move || SurfaceResults::of(part, surface, endpoint, place, &mut ask);
                (surface, scope.spawn(all))
            })
            .collect();
        let ended = playing.into_iter();
        ended
            .map(|(surface, playing)| (surface, playing.join().unwrap()))
            .collect()
    });
    let problems = played.iter().flat_map(|(_, each)| each.problems.clone());
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for row in ALLOWED_DIFFERENCES {
        let observed = played
            .iter()
            .any(|(_, each)| each.observed.contains(&(row.surface, row.at)));
        // No run of these scenarios is stopped, so there are no details.
        assert_eq!(observed, !row.at.starts_with("/details/"), "{}", row.at);
    }
}

#[derive(Default)]
struct SurfaceResults {
    observed: BTreeSet<(Surface, &'static str)>,
    problems: Vec<String>,
}

impl SurfaceResults {
    /// Runs scenarios on one surface.
    fn of<'a>(
        scenarios: impl Iterator<Item = &'a Scenario>,
        surface: Surface,
        endpoint: &str,
        place: &TestFolders,
        ask: &mut Ask<'_>,
    ) -> Self {
        let mut played = Self::default();
        for scenario in scenarios {
            if let Err(problem) = played.play(scenario, surface, endpoint, &place.of(surface), ask)
            {
                let name = scenario.path.display();
                played
                    .problems
                    .push(format!("{name}, {surface:?}: {problem}"));
            }
        }
        played
    }

    /// Runs a scenario in its own tab.
    fn play(
        &mut self,
        scenario: &Scenario,
        surface: Surface,
        endpoint: &str,
        folder: &Path,
        ask: &mut Ask<'_>,
    ) -> Result<(), String> {
        let stage = ScenarioServer::serve(scenario);
        let actions = stage.json(scenario, "json actions")?;
        let mut payload = testkit::plan("cmd", actions.ok_or("there is no block `json actions`")?);
        payload["timeoutMs"] = json!(120_000);
        let options = stage.json(scenario, "json options")?;
        for (key, value) in options.iter().flat_map(|laid| laid.as_object().unwrap()) {
            payload[key] = value.clone();
        }
        let tab = new_tab(endpoint, "about:blank");
        let device = format!("chrome:{tab}");
        let start =
            json!([{ "id": "start", "type": "open_uri", "params": { "uri": stage.start() } }]);
        let mut start = testkit::plan("start", start);
        start["timeoutMs"] = json!(120_000);
        let begun = ask(&device, &start);
        assert_eq!(begun["envelope"]["status"], "success", "{begun}");
        let mut answer = ask(&device, &payload);
        close_tab(endpoint, &tab);
        let steps = answer.pointer_mut("/envelope/stepResults");
        for step in steps.and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(path) = step.pointer_mut("/data/path") {
                // Surfaces write screenshots to files; the engine leaves that to its caller.
                assert!(Path::new(path.as_str().unwrap()).exists(), "{path}");
                *path = "screenshot.png".into();
            }
        }
        for part in ["envelope", "warnings"] {
            if let Some(value) = answer.get_mut(part).map(Value::take) {
                answer[part] = stage.settled(value)?;
            }
        }
        let envelope = scenario.json("json result")?;
        let mut expected = json!({
            "envelope": envelope, "deviceId": device, "terminalSource": "clawperator_result",
        });
        // Surfaces return warnings beside the envelope.
        let envelope = expected["envelope"].as_object_mut();
        if let Some(warnings) = envelope.and_then(|envelope| envelope.remove("warnings")) {
            expected["warnings"] = warnings;
        }
        let found = normalized(surface, answer, folder, &mut self.observed);
        let expected = normalized(surface, expected, folder, &mut BTreeSet::new());
        let [found, expected] = [found, expected].map(with_names_of_views);
        if found != expected {
            let [expected, found] = [expected, found].map(|answer| format!("{answer:#}"));
            return Err(difference(&expected, &found));
        }
        let journal = scenario.blocks("text journal").next().unwrap_or_default();
        let noted = stage.journal();
        if noted.trim_end() != journal.trim_end() {
            return Err(format!("the pages noted\n{noted}\nnot\n{journal}"));
        }
        Ok(())
    }
}

/// An answer with the names in text views, each once, in place of these views: the expected views have no references, with which
/// lines are others and the names of controls like those of the row above are left out.
fn with_names_of_views(mut answer: Value) -> Value {
    let steps = answer.pointer_mut("/envelope/stepResults");
    for step in steps.and_then(Value::as_array_mut).into_iter().flatten() {
        if step.pointer("/data/actual_format") == Some(&json!("text"))
            && let Some(Value::String(text)) = step.pointer_mut("/data/text")
        {
            let mut seen_names = BTreeSet::new();
            let mut names = names(text);
            names.retain(|name| seen_names.insert(name.clone()));
            *text = names.join("\n");
        }
    }
    answer
}

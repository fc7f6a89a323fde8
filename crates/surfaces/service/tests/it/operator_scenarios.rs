//! The engine's scenarios with the Operator app and with the agent on phones over adb, through a real adb server: outcomes and
//! effects on the phone are the same as on the embedded phone.

use std::path::Path;
use std::time::Duration;

use adb::client::locate::ProgramSearch;
use adb::client::server::Server;
use contract::{ErrorBody, ErrorCode, Execution, ParsedExecution};
use driver::Cx;
use driver_sim::journal::{Event, Journal};
use driver_sim::{AppSource, SimDriver, SimOptions};
use engine::Artifacts;
use serde_json::{Value, json};
use service::sim::OperatorSetup;
use service::{AdbSetup, Options, Service, TransportChoice, TransportOptions};
use sim_adb::Daemon;
use testkit::{RealServer, Scenario, side_by_side};
use tokio_util::sync::CancellationToken;

use crate::{Folder, execute};

/// The number of concurrent phones: most of their time is waiting.
const AT_ONCE: usize = 24;

/// Held while a phone is attached to the server.
static TELLING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// How a scenario may differ with the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// The app does not support the plan: it is rejected, and nothing happens.
    Refused,
    /// The app aborts the plan at the failure without step results; code and effects are the same.
    NoSteps,
    /// The app reports only that a click failed, not that the node is not clickable; with several steps it reports no
    /// results.
    LessDetail,
    /// Another answer with the same effects; the reason.
    OtherAnswer(&'static str),
}

use Difference::{LessDetail, NoSteps, OtherAnswer, Refused};

/// The scenarios that differ with the app.
const DIFFERENCES: &[(&str, Difference)] = &[
    ("click-container", Refused),
    ("click-double", Refused),
    ("click-list", LessDetail),
    ("click-long-behind-drawer", LessDetail),
    ("click-long-behind-sheet", LessDetail),
    ("click-long-behind-snackbar", LessDetail),
    ("click-long-covered", LessDetail),
    ("click-off-screen", LessDetail),
    ("click-printed", Refused),
    ("click-printed-several", Refused),
    ("click-several-first-disabled", LessDetail),
    (
        "css-not-supported",
        OtherAnswer("the plan is refused before its first step"),
    ),
    ("drag", Refused),
    ("enter-text-container", Refused),
    ("enter-text-empty", Refused),
    ("enter-text-focused", Refused),
    ("enter-text-focused-password", Refused),
    ("enter-text-no-focus", Refused),
    ("enter-text-password-append", Refused),
    ("enter-text-slider-append", Refused),
    (
        "enter-text-submit-several-lines",
        OtherAnswer("the app has no code for a rejected key"),
    ),
    ("enter-text-wrapped", Refused),
    ("explain", Refused),
    ("explain-missing", Refused),
    ("explain-several", Refused),
    ("interrupts", Refused),
    ("interrupts-failed", Refused),
    ("interrupts-order", Refused),
    ("observe-step", Refused),
    ("open-app-focus", Refused),
    ("open-uri", Refused),
    ("press-key-escape", Refused),
    ("press-key-keyboard", Refused),
    ("press-key-typing", Refused),
    ("press-key-unsupported", Refused),
    ("press-key-without-effect", Refused),
    ("read-clipboard", Refused),
    ("recording-already", Refused),
    (
        "recording-existing",
        OtherAnswer("the recordings of the app are on the phone, not in the folder"),
    ),
    ("recording-other-session", Refused),
    ("screen-on-again", Refused),
    ("set-clipboard", Refused),
    ("set-orientation", Refused),
    ("set-orientation-locked", Refused),
    ("snapshot-ui-part", Refused),
    ("snapshot-ui-part-missing", Refused),
    ("story-buy", NoSteps),
    ("story-sign-in", Refused),
    ("story-switch", LessDetail),
    ("story-wifi", Refused),
    ("take-screenshot-covered", Refused),
    ("take-screenshot-jpeg", Refused),
    ("take-screenshot-scaled", Refused),
    ("torture-twins", Refused),
    ("wait-for-navigation-half", Refused),
];

/// The outcome of a plan, without ids, times and messages.
#[derive(Clone, Debug)]
struct Outcome {
    status: String,
    code: String,
    /// The type, success and code of every step.
    steps: Vec<String>,
    /// The effects on the phone.
    journal: Vec<String>,
}

/// The scenarios that differ with the agent, and why.
const AGENT_DIFFERENCES: &[(&str, &str)] = &[
    (
        "keyboard-covers",
        "the agent touches like a finger, which does not reach what the keyboard covers",
    ),
    ("press-key-unsupported", "Android takes every key"),
];

/// The name of a scenario, and its outcomes on an embedded phone, with the app, and with the agent.
type Outcomes = (String, Outcome, Outcome, Option<Outcome>);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scenarios_have_the_same_outcome_with_app_and_agent() {
    let real = RealServer::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/engine/testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap();
    let untimed: Vec<Scenario> = scenarios
        .into_iter()
        .filter(|scenario| !scenario.is_timed())
        .collect();
    let port = real.port();
    let played = side_by_side(&real, untimed.clone(), AT_ONCE, |scenario| {
        play(port, scenario)
    });
    let mut problems = Vec::new();
    for outcomes in played.await {
        let mut found = unexpected(&outcomes);
        if !found.is_empty() {
            // Beside others on a busy computer, what passes on a screen may be missed. Alone, it is not.
            let name = &outcomes.0;
            let it = untimed.iter().find(|scenario| scenario.name() == *name);
            found = unexpected(&play(port, it.unwrap().clone()).await);
        }
        problems.extend(found);
    }
    let names: Vec<String> = untimed.iter().map(Scenario::name).collect();
    let is_row = |name: &&String| DIFFERENCES.iter().any(|(its, _)| its == name);
    let met = names.iter().filter(is_row).count();
    let same = names.len() - met;
    problems.sort();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert_eq!(met, DIFFERENCES.len(), "a row has no scenario");
    assert!(same > 60, "only {same} scenarios have the same outcome");
}

/// What is not as expected of the outcomes of a scenario.
fn unexpected((name, here, by_app, by_agent): &Outcomes) -> Vec<String> {
    let mut problems = Vec::new();
    let differences = by_agent.as_ref().map_or_else(String::new, |by_agent| {
        // The embedded phone clicks by accessibility, the agent by touch.
        differ(
            &here.without_click_sources(),
            &by_agent.without_click_sources(),
        )
    });
    let may_differ = AGENT_DIFFERENCES
        .iter()
        .any(|(scenario, _)| scenario == name);
    if differences.is_empty() == may_differ {
        problems.push(format!("{name} by the agent: {differences}"));
    }
    let row = DIFFERENCES.iter().find(|(scenario, _)| scenario == name);
    let difference = row.map(|(_, difference)| *difference);
    if let Err(problem) = judge(difference, here, by_app) {
        problems.push(format!("{name}: {problem}"));
    }
    problems
}

/// Whether an outcome with the app is as expected.
fn judge(difference: Option<Difference>, here: &Outcome, by_app: &Outcome) -> Result<(), String> {
    let differences = differ(here, by_app);
    let kept = match difference {
        None if differences.is_empty() => return Ok(()),
        None => return Err(differences),
        Some(difference) if differences.is_empty() => {
            return Err(format!("the outcome is the same, although {difference:?}"));
        }
        Some(Refused) => {
            by_app.code == "ACTION_NOT_SUPPORTED_HERE"
                && by_app.steps.is_empty()
                && by_app.journal.is_empty()
        }
        Some(NoSteps) => {
            let outcome = (&by_app.status, &by_app.code, &by_app.journal);
            !here.steps.is_empty()
                && by_app.steps.is_empty()
                && outcome == (&here.status, &here.code, &here.journal)
        }
        Some(LessDetail) => {
            (here.code.as_str(), by_app.code.as_str()) == ("NODE_NOT_CLICKABLE", "GESTURE_FAILED")
                && (&by_app.status, &by_app.journal) == (&here.status, &here.journal)
                && match here.steps.as_slice() {
                    [_] => by_app.steps == ["click false GESTURE_FAILED"],
                    _ => by_app.steps.is_empty(),
                }
        }
        Some(OtherAnswer(_)) => by_app.journal == here.journal,
    };
    if kept {
        Ok(())
    } else {
        Err(format!("it is not {difference:?}:{differences}"))
    }
}

/// The differences of two outcomes, one path in each line.
fn differ(here: &Outcome, there: &Outcome) -> String {
    let lines = |lines: &[String]| lines.join("\n        ");
    let places = [
        ("status", here.status.clone(), there.status.clone()),
        ("code", here.code.clone(), there.code.clone()),
        ("steps", lines(&here.steps), lines(&there.steps)),
        ("journal", lines(&here.journal), lines(&there.journal)),
    ];
    places
        .into_iter()
        .filter(|(_, here, there)| here != there)
        .map(|(place, here, there)| {
            format!("\n    {place}:\n        {here}\n      on the phone:\n        {there}")
        })
        .collect()
}

/// Runs a scenario on an embedded phone, on one with the app and on one with the agent; returns its name and the outcomes.
async fn play(server: u16, scenario: Scenario) -> Outcomes {
    let name = scenario.name();
    let folder = Folder::new(&format!("scenario-{name}"));
    let setup = scenario
        .json("json setup")
        .unwrap()
        .map(|actions| planned(actions, None));
    let mut actions = scenario.json("json actions").unwrap().unwrap();
    for action in actions.as_array_mut().unwrap() {
        // Screenshots go to the folder, unless the plan has a path.
        if let Some(path) = action.pointer_mut("/params/path") {
            *path = json!(folder.0.join(path.as_str().unwrap()));
        }
    }
    let plan = planned(actions, scenario.json("json options").unwrap());
    let sim = |kind: &str| {
        let mut sim = SimOptions::default();
        let apps = scenario.blocks("yaml app").enumerate();
        sim.apps.extend(apps.map(|(place, yaml)| AppSource::Text {
            name: format!("app {place}"),
            yaml: yaml.to_owned(),
        }));
        sim.recordings = folder.0.join(kind);
        sim
    };
    let embedded = (sim("embedded"), setup.clone(), plan.clone());
    let here =
        tokio::task::spawn_blocking(move || embedded_outcome(embedded.0, embedded.1, &embedded.2));
    let by = |via| {
        phone_outcome(
            server,
            sim(via_name(via)),
            (setup.clone(), plan.clone()),
            &folder.0,
            via,
        )
    };
    let by_app = by(TransportChoice::Operator).await;
    // Without the app a phone is recorded by another process, which is tested elsewhere.
    let by_agent = match name.starts_with("recording") {
        true => None,
        false => Some(by(TransportChoice::Agent).await),
    };
    (name, here.await.unwrap(), by_app, by_agent)
}

/// The outcome of a plan on the embedded phone, in virtual time.
fn embedded_outcome(
    sim: SimOptions,
    setup: Option<ParsedExecution>,
    plan: &ParsedExecution,
) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut phone = SimDriver::new(sim).unwrap();
        if let Some(setup) = setup {
            let answer = run(&mut phone, &setup.execution).await.unwrap();
            assert_eq!(answer["status"], "success", "{answer:#}");
        }
        let start = phone.phone().log().next_index();
        let answer = run(&mut phone, &plan.execution).await;
        Outcome::new(answer, truth(phone.phone().log(), start))
    })
}

async fn run(phone: &mut SimDriver, execution: &Execution) -> Result<Value, ErrorBody> {
    let cx = Cx::new(execution.timeout().to_duration(), CancellationToken::new());
    let report = engine::run(phone, execution, &mut NoArtifacts, &cx, &mut |_| {}).await;
    let envelope = report.outcome?;
    Ok(serde_json::to_value(envelope).unwrap())
}

/// The name of a transport in results.
fn via_name(via: TransportChoice) -> &'static str {
    match via {
        TransportChoice::Operator => "operator",
        _ => "agent",
    }
}

/// The outcome of a plan on a phone over adb, by this transport.
async fn phone_outcome(
    server: u16,
    sim: SimOptions,
    (setup, plan): (Option<ParsedExecution>, ParsedExecution),
    folder: &Path,
    via: TransportChoice,
) -> Outcome {
    let address = crate::local(server);
    let options = sim_adb::Options {
        sim,
        idle: Duration::ZERO,
        operator: (via == TransportChoice::Operator)
            .then(|| OperatorSetup::default().into_operator()),
        ..sim_adb::Options::default()
    };
    let daemon = Daemon::bind(options).await.unwrap();
    let (serial, adb_phone) = (daemon.address().to_string(), daemon.adb_phone());
    // It lives as long as the server, which would try to reconnect to it.
    tokio::spawn(daemon.run());
    {
        // Some versions of the server fail if several phones are attached at once.
        let _turn = TELLING.lock().await;
        Server::at(address.clone()).attach(&serial).await.unwrap();
    }
    let service = |via: TransportChoice| {
        Service::new(Options {
            adb: AdbSetup {
                server: Ok(address.clone()),
                places: ProgramSearch::from_env(),
                locks: folder.to_owned(),
            },
            transport: TransportOptions::from_flags(Some(via), None),
            screenshots: Some(folder.to_owned()),
            ..Options::default()
        })
    };
    if let Some(setup) = setup {
        let mut answer = execute(&service(via), Some(&serial), setup.clone()).await;
        // The app does not support every setup.
        if answer
            .as_ref()
            .is_err_and(|error| error.code == ErrorCode::ActionNotSupportedHere)
        {
            answer = execute(&service(TransportChoice::Stock), Some(&serial), setup).await;
        }
        let answer = answer.unwrap();
        let shown = folder.display();
        assert_eq!(
            answer["envelope"]["status"], "success",
            "{shown}: {answer:#}"
        );
    }
    let start = adb_phone.driver().await.phone().log().next_index();
    let answer = execute(&service(via), Some(&serial), plan).await;
    let journal = truth(adb_phone.driver().await.phone().log(), start);
    let envelope = answer.map(|mut answer| {
        assert_eq!(answer["via"], via_name(via), "{answer:#}");
        answer["envelope"].take()
    });
    Outcome::new(envelope, journal)
}

/// A plan with these actions; `options` override its top-level keys.
fn planned(actions: Value, options: Option<Value>) -> ParsedExecution {
    let mut payload = testkit::plan("cmd", actions);
    for (key, value) in options
        .iter()
        .flat_map(|options| options.as_object().unwrap())
    {
        payload[key] = value.clone();
    }
    Execution::from_value(&payload).unwrap()
}

impl Outcome {
    /// The same, without what made each click.
    fn without_click_sources(&self) -> Self {
        let plain = |line: &String| {
            line.replace(" by touch: ", ": ")
                .replace(" by accessibility: ", ": ")
        };
        Self {
            journal: self.journal.iter().map(plain).collect(),
            ..self.clone()
        }
    }

    fn new(answer: Result<Value, ErrorBody>, journal: Vec<String>) -> Self {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (status, code, steps) = match answer {
            Ok(envelope) => {
                let (status, code) = (word(&envelope["status"]), word(&envelope["errorCode"]));
                (status, code, envelope["stepResults"].clone())
            }
            Err(error) => {
                let steps = error.detail("stepResults").cloned();
                let code = error.code.as_str().to_owned();
                ("error".to_owned(), code, steps.unwrap_or_default())
            }
        };
        let steps = steps.as_array().into_iter().flatten();
        let steps = steps.map(|step| {
            let (kind, code) = (word(&step["actionType"]), word(&step["data"]["error"]));
            format!("{kind} {} {code}", step["success"])
        });
        Self {
            status,
            code,
            steps: steps.collect(),
            journal,
        }
    }
}

/// The effects on the phone: input, texts and foreground changes, without times.
fn truth(log: &Journal, start: u64) -> Vec<String> {
    let is_effect = |what: &Event| {
        matches!(
            what,
            Event::Clicked { .. }
                | Event::LongClicked { .. }
                | Event::Missed(_)
                | Event::TextChanged { .. }
                | Event::Submitted(_)
                | Event::KeyPressed(_)
                | Event::Front(_)
                | Event::Started(_)
                | Event::Stopped(_)
        )
    };
    log.since(start)
        .filter(|(_, entry)| is_effect(&entry.what))
        .map(|(_, entry)| entry.to_string().get(10..).unwrap_or_default().to_owned())
        .collect()
}

/// Keeps no screenshots.
struct NoArtifacts;

impl Artifacts for NoArtifacts {
    fn keep_screenshot(&mut self, path: Option<&str>, _png: &[u8]) -> Result<String, String> {
        if path.is_some_and(|path| path.starts_with("/unwritable/")) {
            return Err("the folder cannot be written".to_owned());
        }
        Ok(path.unwrap_or("screenshot.png").to_owned())
    }
}

//! Compares the results of all phone scenarios on all surfaces.
//!
//! The command line is the reference. A phone with a setup exists only during its command, so those scenarios call the
//! command's functions; the others also run the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use contract::Execution;
use serde_json::{Value, json};
use service::device_pool::BETWEEN_RUNS;
use service::{Options, Service};
use testkit::Scenario;
use tokio_util::sync::CancellationToken;

use super::{
    ALLOWED_DIFFERENCES, Http, Surface, TestFolders, is_success, normalized, recordings,
    run_by_tool,
};
use crate::mcp::RawClient;
use crate::run::{finish, program};

/// One scenario, prepared for all surfaces.
struct ParityScenario {
    name: String,
    device: String,
    faults: Vec<String>,
    seed: Option<String>,
    /// `FOLDER` is replaced by the folder of the surface.
    plans: Vec<Value>,
}

impl ParityScenario {
    fn new(scenario: &Scenario, root: &Path) -> Self {
        let name = scenario.name();
        let mut device = format!("sim#{name}");
        let apps: Vec<&str> = scenario.blocks("yaml app").collect();
        if !apps.is_empty() {
            let folder = root.join("apps").join(&name);
            std::fs::create_dir_all(&folder).unwrap();
            for (place, yaml) in apps.iter().enumerate() {
                std::fs::write(folder.join(format!("{place}.yaml")), yaml).unwrap();
            }
            device = format!("{device}:{}", folder.display());
        }
        let mut payload = testkit::plan("cmd", scenario.json("json actions").unwrap().unwrap());
        let options = scenario.json("json options").unwrap();
        for (key, value) in options.iter().flat_map(|laid| laid.as_object().unwrap()) {
            payload[key] = value.clone();
        }
        let setup = scenario.json("json setup").unwrap();
        let setup = setup.map(|actions| testkit::plan("setup", actions));
        let faults = scenario.blocks("text faults").flat_map(str::lines);
        let (seeds, faults): (Vec<&str>, Vec<&str>) =
            faults.partition(|line| line.starts_with("seed "));
        Self {
            name,
            device,
            faults: faults.into_iter().map(str::to_owned).collect(),
            seed: seeds
                .first()
                .map(|line| line["seed ".len()..].trim().to_owned()),
            plans: setup.into_iter().chain([payload]).collect(),
        }
    }

    /// The flags for simulated phones with the faults of this scenario.
    fn flags(&self) -> Vec<&str> {
        let faults = self.faults.iter();
        let faults = faults.flat_map(|fault| ["--sim-fault", fault]);
        let seed = self.seed.iter().flat_map(|seed| ["--sim-seed", seed]);
        faults.chain(seed).collect()
    }

    /// Its plans with files in the folder of a surface.
    fn plans_in(&self, folder: &Path) -> Vec<Value> {
        let mut plans = self.plans.clone();
        for action in plans.iter_mut().flat_map(|plan| {
            let actions = plan["actions"].as_array_mut();
            actions.into_iter().flatten()
        }) {
            if let Some(Value::String(path)) = action.pointer_mut("/params/path") {
                *path = format!("{}/{}", folder.display(), path.trim_start_matches('/'));
            }
        }
        plans
    }
}

/// The results of the command line's functions. Pauses between attempts depend on the name of a run: `names` replace those
/// of the plans.
fn by_call(scenario_run: &ParityScenario, folder: &Path, names: &[String]) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let mut options = Options {
        screenshots: Some(folder.to_owned()),
        recordings: Some(recordings(folder)),
        ..Options::default()
    };
    for fault in &scenario_run.faults {
        options.sim.fault(fault).unwrap();
    }
    if let Some(seed) = &scenario_run.seed {
        options.sim.seed(seed).unwrap();
    }
    let service = Service::new(options);
    let run = |plan: &Value| {
        let parsed = Execution::from_value(plan).unwrap();
        let mut ignore_events = |_: &service::Event<'_>| {};
        let cancel = CancellationToken::new();
        let ran = service.execute(
            Some(&scenario_run.device),
            parsed,
            cancel,
            &mut ignore_events,
        );
        match runtime.block_on(ran) {
            Ok(answer) => json!(answer),
            Err(error) => json!(error),
        }
    };
    let mut plans = scenario_run.plans_in(folder);
    for (plan, name) in plans.iter_mut().zip(names) {
        plan["commandId"] = json!(name);
    }
    let mut answers = Vec::new();
    for (at, plan) in plans.iter().enumerate() {
        if at > 0 {
            // Servers let this time pass between the setup and the plan.
            runtime.block_on(async { tokio::time::sleep(BETWEEN_RUNS).await });
        }
        answers.push(run(plan));
    }
    answers
}

/// The results of the program.
fn by_program(scenario_run: &ParityScenario, folder: &Path) -> Value {
    let plan = scenario_run.plans_in(folder).remove(0);
    let mut command = program();
    command.args(["exec", "-", "--device", &scenario_run.device]);
    command.args(scenario_run.flags()).env("TMPDIR", folder);
    let ran = finish(&mut command, Some(plan.to_string().as_bytes()));
    let answer = ran.document();
    let expected = if is_success(&answer) { 0 } else { 1 };
    assert_eq!(ran.exit, expected, "{}: {answer}", scenario_run.name);
    answer
}

/// HTTP and MCP servers with these flags.
struct Servers {
    http: Http,
    mcp: RawClient,
}

impl Servers {
    fn start(flags: &[&str], place: &TestFolders) -> Self {
        let mut arguments = flags.to_vec();
        if !flags.is_empty() {
            arguments.extend(["--device", "sim"]);
        }
        let root = place.root.to_string_lossy();
        arguments.extend(["--sim-apps", &root]);
        let http = Http::start(&arguments, &place.of(Surface::Http));
        let pictures = place.of(Surface::Mcp);
        let named = pictures.to_string_lossy();
        arguments.extend(["--screenshots", &named]);
        Self {
            http,
            mcp: RawClient::initialized_in(&arguments, &pictures),
        }
    }
}

/// Compares results and counts them.
#[derive(Default)]
struct ResultComparison {
    observed: BTreeSet<(Surface, &'static str)>,
    problems: Vec<String>,
    equal: usize,
    programs: usize,
}

impl ResultComparison {
    fn add(&mut self, other: Self) {
        self.observed.extend(other.observed);
        self.problems.extend(other.problems);
        self.equal += other.equal;
        self.programs += other.programs;
    }

    /// Compares the results of a surface with those of the reference.
    fn compare(
        &mut self,
        place: &TestFolders,
        reference: &[Value],
        (surface, answers): (Surface, &[Value]),
    ) -> Result<(), String> {
        let Self { observed, .. } = self;
        let mut plain = |surface: Surface, answers: &[Value]| -> Vec<Value> {
            let folder = place.of(surface);
            let each = answers.iter();
            each.map(|answer| normalized(surface, answer.clone(), &folder, observed))
                .collect()
        };
        let expected = plain(Surface::Called, reference);
        let found = plain(surface, answers);
        if expected == found {
            self.equal += found.len();
            return Ok(());
        }
        Err(format!(
            "{surface:?}:\n{:#}\n{:#}",
            json!(expected),
            json!(found)
        ))
    }

    fn record(&mut self, name: &str, outcome: Result<(), String>) {
        if let Err(problem) = outcome {
            self.problems.push(format!("{name}, {problem}"));
        }
    }
}

/// The number of scenarios that run at the same time: most of their time is waiting.
const AT_ONCE: usize = 3;
/// The number of scenarios for which a server lives.
const PER_SERVER: usize = 16;

#[test]
fn scenarios_match_on_every_surface() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/engine/testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap();
    let mut all = ResultComparison::default();
    let batches = Mutex::new(scenarios.chunks(PER_SERVER));
    let next = || batches.lock().unwrap().next();
    let compare_batches = || -> Vec<_> { std::iter::from_fn(next).map(compare_surfaces).collect() };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(compare_batches)).collect();
        for thread in threads {
            thread
                .join()
                .unwrap()
                .into_iter()
                .for_each(|batch| all.add(batch));
        }
    });
    assert!(all.problems.is_empty(), "{}", all.problems.join("\n"));
    let ResultComparison {
        equal, programs, ..
    } = all;
    assert!(
        equal > 900 && programs > 50,
        "only {equal} results, {programs} by programs"
    );
    for row in ALLOWED_DIFFERENCES {
        let occurs = all.observed.contains(&(row.surface, row.at));
        assert!(occurs, "{} is in no result: {}", row.at, row.because);
    }
}

/// Runs scenarios on all surfaces, each on servers without faults or on its own.
fn compare_surfaces(scenarios: &[Scenario]) -> ResultComparison {
    let place = TestFolders::new("phones");
    let mut healthy = Servers::start(&[], &place);
    let mut comparison = ResultComparison::default();
    let mut id = 0;
    for scenario in scenarios {
        let scenario_run = ParityScenario::new(scenario, &place.root);
        place.remove_recordings();
        // Faults apply to a whole process.
        let mut own = None;
        let servers = match scenario_run.flags().as_slice() {
            [] => &mut healthy,
            flags => own.insert(Servers::start(flags, &place)),
        };
        let called = by_call(&scenario_run, &place.of(Surface::Called), &[]);
        if scenario_run.plans.len() == 1 {
            let results = [by_program(&scenario_run, &place.of(Surface::Program))];
            let outcome = comparison.compare(&place, &called, (Surface::Program, &results));
            comparison.record(&scenario_run.name, outcome);
            comparison.programs += 1;
        }
        let over_http: Vec<Value> = scenario_run
            .plans_in(&place.of(Surface::Http))
            .iter()
            .map(|plan| servers.http.run_plan(&scenario_run.device, plan))
            .collect();
        let outcome = comparison.compare(&place, &called, (Surface::Http, &over_http));
        comparison.record(&scenario_run.name, outcome);
        let over_mcp: Vec<Value> = scenario_run
            .plans_in(&place.of(Surface::Mcp))
            .iter()
            .map(|plan| {
                id += 1;
                run_by_tool(&mut servers.mcp, id, &scenario_run.device, plan)
            })
            .collect();
        let mut outcome = comparison.compare(&place, &called, (Surface::Mcp, &over_mcp));
        if outcome.is_err() {
            // With retries, the run must have the same name to have the same pauses.
            let names: Vec<String> = over_mcp
                .iter()
                .filter_map(|answer| answer.pointer("/envelope/commandId")?.as_str())
                .map(str::to_owned)
                .collect();
            let again = TestFolders::new("again");
            let renamed = by_call(&scenario_run, &again.of(Surface::Called), &names);
            outcome = comparison.compare(
                &place,
                &moved(&renamed, &again, &place),
                (Surface::Mcp, &over_mcp),
            );
        }
        comparison.record(&scenario_run.name, outcome);
    }
    comparison
}

/// Results with the paths of another folder.
fn moved(answers: &[Value], from: &TestFolders, to: &TestFolders) -> Vec<Value> {
    let text = json!(answers).to_string();
    let text = text.replace(&*from.root.to_string_lossy(), &to.root.to_string_lossy());
    serde_json::from_str(&text).unwrap()
}

//! Every scenario of `testdata/scenarios`.

use std::path::Path;

use driver_sim::Fault;
use driver_sim::journal::{Event, Journal};
use testkit::{Scenario, Verdict, shortened};

use crate::phone::{json_of, phone_of, plan, run};

#[test]
fn scenarios_have_expected_results() {
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

/// Runs one scenario in its own world.
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
    let faults = faults(scenario)?;
    let seed = seed(scenario)?;
    let has_journal = !faults.is_empty() || scenario.blocks("text journal").next().is_some();
    let (answer, truth) = runtime.block_on(async {
        let mut phone = phone_of(scenario.blocks("yaml app"), seed);
        if let Some(actions) = setup {
            let answer = json_of(&run(&mut phone, &plan(actions, None)).await);
            if answer["status"] != "success" {
                return Err(format!("the setup failed: {answer:#}"));
            }
        }
        // Faults count the calls of the plan only, not those of the setup.
        let first_entry = phone.phone().log().next_index();
        for fault in faults {
            let set = phone.phone_mut().add_fault(fault);
            set.map_err(|error| error.to_string())?;
        }
        let execution = plan(actions, options);
        let started = tokio::time::Instant::now();
        let answer = json_of(&run(&mut phone, &execution).await);
        let took = started.elapsed();
        if took > execution.timeout().to_duration() {
            return Err(format!("the plan took {took:?}, longer than it may"));
        }
        Ok((answer, truth(phone.phone().log(), first_entry)))
    })?;
    if has_journal {
        match scenario.expect("text journal", &truth)? {
            Verdict::Different(difference) => return Ok(Verdict::Different(difference)),
            // The file was rewritten; its result is compared in the next run.
            Verdict::Updated => return play(&Scenario::read(scenario.path.clone())?),
            Verdict::Same => {}
        }
    }
    let text =
        serde_json::to_string_pretty(&shortened(answer)).map_err(|error| error.to_string())?;
    scenario.expect("json result", &text)
}

/// The line of a block of faults with the seed of the random numbers.
const SEED: &str = "seed ";

pub(crate) fn seed(scenario: &Scenario) -> Result<u64, String> {
    scenario
        .blocks("text faults")
        .flat_map(str::lines)
        .find_map(|line| line.strip_prefix(SEED))
        .map_or(Ok(0), |seed| {
            seed.trim()
                .parse()
                .map_err(|_| format!("{}: no seed: {seed}", scenario.path.display()))
        })
}

/// The faults of a scenario, one per line of its block.
fn faults(scenario: &Scenario) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    let lines = scenario.blocks("text faults").flat_map(str::lines);
    for line in lines.filter(|line| !line.starts_with(SEED)) {
        let read = Fault::parse_all(line);
        faults.extend(read.map_err(|error| format!("{}: {error}", scenario.path.display()))?);
    }
    Ok(faults)
}

/// The journal of the phone during the plan: input, texts, faults and apps in front, without times.
fn truth(log: &Journal, first_entry: u64) -> String {
    let tells = |what: &Event| {
        matches!(
            what,
            Event::Clicked { .. }
                | Event::LongClicked { .. }
                | Event::Missed(_)
                | Event::TextChanged { .. }
                | Event::Submitted(_)
                | Event::KeyPressed(_)
                | Event::Fault { .. }
                | Event::Front(_)
                | Event::Started(_)
                | Event::Stopped(_)
        )
    };
    let lines: Vec<String> = log
        .since(first_entry)
        .filter(|(_, entry)| tells(&entry.what))
        .map(|(_, entry)| entry.to_string().get(10..).unwrap_or_default().to_owned())
        .collect();
    if lines.is_empty() {
        return "nothing".to_owned();
    }
    lines.join("\n")
}

//! Runs cases in parallel; the result depends on the seed alone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use driver_sim::SeededRng;

use crate::case::Case;
use crate::judge::Violation;
use crate::plan::{Faults, GeneratedCase, generate};
use crate::replay::replay;
use crate::tally::Tally;

/// Approximate number of steps in a case.
const CASE_STEPS: usize = 64;

/// Number of failing cases after which a proof stops.
const MAX_FAILURES: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub steps: u64,
    pub seed: u64,
    pub faults: Faults,
    /// Number of cases that run at a time.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            seed: 1,
            faults: Faults::Mix,
            jobs: 2,
        }
    }
}

#[derive(Debug, Default)]
pub struct Proof {
    pub tally: Tally,
    pub cases: u64,
    pub failures: Vec<(Case, Vec<Violation>)>,
}

fn case_seed(seed: u64, case: u64) -> u64 {
    SeededRng::new(seed.wrapping_add(case.wrapping_mul(0x9e37_79b9)), "case").next()
}

/// Runs cases until enough steps have run. `on_case` is called after each case. The result does not depend on the number of
/// jobs.
pub fn prove(options: &Options, on_case: &mut dyn FnMut(&Proof)) -> Result<Proof, String> {
    let next_case = AtomicU64::new(0);
    let finished = AtomicBool::new(false);
    let mut proof = Proof::default();
    let mut error = None;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(options.jobs * 4);
        for _ in 0..options.jobs.max(1) {
            let sender = sender.clone();
            let (next_case, finished) = (&next_case, &finished);
            scope.spawn(move || {
                while !finished.load(Ordering::Relaxed) {
                    let index = next_case.fetch_add(1, Ordering::Relaxed);
                    let seed = case_seed(options.seed, index);
                    let generated = generate(seed, &options.faults, CASE_STEPS);
                    if sender.send((index, generated)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Cases are merged in order; those after the last one are dropped.
        let mut pending: BTreeMap<u64, Result<GeneratedCase, String>> = BTreeMap::new();
        for (index, generated) in receiver {
            pending.insert(index, generated);
            while !finished.load(Ordering::Relaxed)
                && let Some(generated) = pending.remove(&proof.cases)
            {
                match generated {
                    Ok(generated) => proof.add(generated),
                    Err(message) => error = Some(message),
                }
                on_case(&proof);
                let done = proof.tally.steps() >= options.steps
                    || proof.failures.len() >= MAX_FAILURES
                    || error.is_some();
                finished.store(done, Ordering::Relaxed);
            }
        }
    });
    match error {
        Some(error) => Err(error),
        None => Ok(proof),
    }
}

/// Generates the case of a printed seed again, with the faults of that proof.
pub fn regenerate(seed: u64, faults: &Faults) -> Result<GeneratedCase, String> {
    generate(seed, faults, CASE_STEPS)
}

impl Proof {
    fn add(&mut self, generated: GeneratedCase) {
        self.cases += 1;
        self.tally.merge(generated.tally);
        if !generated.violations.is_empty() {
            self.failures.push((generated.case, generated.violations));
        }
    }
}

/// Runs the case of a seed several times and compares journals and results; returns the number of journal entries.
pub fn determinism(seed: u64, faults: &Faults, times: u32) -> Result<usize, String> {
    let generated = generate(seed, faults, CASE_STEPS)?;
    let first = replay(&generated.case);
    for run in 1..times {
        let regenerate = replay(&generated.case);
        if let Some(at) = first_difference(&first.journal, &regenerate.journal) {
            let line = |journal: &[String]| journal.get(at).cloned().unwrap_or_default();
            return Err(format!(
                "run {run} of seed {seed} differs in journal line {at}: {:?} became {:?}",
                line(&first.journal),
                line(&regenerate.journal)
            ));
        }
        let (first, regenerate) = (
            without_folders(&first.results),
            without_folders(&regenerate.results),
        );
        if let Some(at) = first_difference(&first, &regenerate) {
            return Err(format!("run {run} of seed {seed} differs in result {at}"));
        }
    }
    Ok(first.journal.len())
}

/// Results without the folder of recordings, which has the process id.
fn without_folders(without_folders: &[serde_json::Value]) -> Vec<String> {
    let folder = format!("clawperator-proving-{}-", std::process::id());
    without_folders
        .iter()
        .map(|answer| {
            let text = answer.to_string();
            let mut parts = text.split(folder.as_str());
            let head = parts.next().unwrap_or_default().to_owned();
            parts.fold(head, |text, part| {
                text + part.trim_start_matches(|c: char| c.is_ascii_digit())
            })
        })
        .collect()
}

fn first_difference(one: &[String], other: &[String]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same < one.len().max(other.len())).then_some(same)
}

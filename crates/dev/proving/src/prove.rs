//! The proof itself: cases one after the other, several at a time, with a result that depends on the seed alone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use driver_sim::Dice;

use crate::case::Case;
use crate::judge::Violation;
use crate::plan::{Faults, GeneratedCase, make};
use crate::tally::{Spent, Tally};
use crate::world::replay;

/// How many steps a case has, about.
const CASE_STEPS: usize = 64;

/// What is to be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many steps at least.
    pub steps: u64,
    /// What the cases are made from.
    pub seed: u64,
    /// The one app that they are about; all without one.
    pub app: Option<String>,
    /// What goes wrong on the phones.
    pub faults: Faults,
    /// How many cases are played at a time.
    pub jobs: usize,
    /// After how many cases with violations the proof ends.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            seed: 1,
            app: None,
            faults: Faults::Mix,
            jobs: 2,
            most: 20,
        }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Proof {
    /// What was counted.
    pub tally: Tally,
    /// Where the time of the processor went.
    pub spent: Spent,
    /// How many cases were played.
    pub cases: u64,
    /// The cases in which something was found wrong, each with what it was.
    pub broken: Vec<(Case, Vec<Violation>)>,
}

/// The seed of one case.
fn case_seed(seed: u64, case: u64) -> u64 {
    Dice::new(seed.wrapping_add(case.wrapping_mul(0x9e37_79b9)), "case").next()
}

/// Plays cases until enough steps have run. `tell` hears of the steps so far; what comes out does not depend on how
/// many cases are played at a time.
///
/// # Errors
/// A sentence that says why a phone did not start.
pub fn prove(options: &Options, tell: &mut dyn FnMut(&Proof)) -> Result<Proof, String> {
    let next = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    let mut proof = Proof::default();
    let mut trouble = None;
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(options.jobs * 4);
        for _ in 0..options.jobs.max(1) {
            let send = send.clone();
            let (next, enough) = (&next, &enough);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let seed = case_seed(options.seed, place);
                    let made = make(seed, options.app.as_deref(), &options.faults, CASE_STEPS);
                    if send.send((place, made)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        // Cases count in their order, however they end; what comes behind the last one is dropped.
        let mut waiting: BTreeMap<u64, Result<GeneratedCase, String>> = BTreeMap::new();
        for (place, made) in receive {
            waiting.insert(place, made);
            while !enough.load(Ordering::Relaxed)
                && let Some(made) = waiting.remove(&proof.cases)
            {
                match made {
                    Ok(made) => proof.add(made),
                    Err(error) => trouble = Some(error),
                }
                tell(&proof);
                let done = proof.tally.steps() >= options.steps
                    || proof.broken.len() >= options.most
                    || trouble.is_some();
                enough.store(done, Ordering::Relaxed);
            }
        }
    });
    match trouble {
        Some(trouble) => Err(trouble),
        None => Ok(proof),
    }
}

/// Makes the case of a seed once more, as a proof with these options has made it.
///
/// # Errors
/// A sentence that says why the phone did not start.
pub fn again(seed: u64, options: &Options) -> Result<GeneratedCase, String> {
    make(seed, options.app.as_deref(), &options.faults, CASE_STEPS)
}

impl Proof {
    fn add(&mut self, made: GeneratedCase) {
        self.cases += 1;
        self.tally.merge(made.tally);
        self.spent.merge(&made.spent);
        if !made.violations.is_empty() {
            self.broken.push((made.case, made.violations));
        }
    }
}

/// Plays the case of a seed several times; gives the first run whose journal or answers are not those of the first.
///
/// # Errors
/// A sentence that says why the phone did not start, or which run differs and where.
pub fn determinism(seed: u64, faults: &Faults, times: u32) -> Result<usize, String> {
    let made = make(seed, None, faults, CASE_STEPS)?;
    let first = replay(&made.case);
    for time in 1..times {
        let again = replay(&made.case);
        if let Some(at) = differs(&first.journal, &again.journal) {
            let line = |journal: &[String]| journal.get(at).cloned().unwrap_or_default();
            return Err(format!(
                "run {time} of seed {seed} differs in line {at} of its journal: {:?} is {:?}",
                line(&first.journal),
                line(&again.journal)
            ));
        }
        let (first, again) = (answers(&first.answers), answers(&again.answers));
        if let Some(at) = differs(&first, &again) {
            return Err(format!("run {time} of seed {seed} differs in answer {at}"));
        }
    }
    Ok(first.journal.len())
}

/// Answers without what belongs to one run of this program: the folder of its recordings.
fn answers(answers: &[serde_json::Value]) -> Vec<String> {
    let own = format!("clawperator-proving-{}-", std::process::id());
    answers
        .iter()
        .map(|answer| {
            let text = answer.to_string();
            let mut parts = text.split(own.as_str());
            let head = parts.next().unwrap_or_default().to_owned();
            parts.fold(head, |text, part| {
                text + part.trim_start_matches(|c: char| c.is_ascii_digit())
            })
        })
        .collect()
}

fn differs(one: &[String], other: &[String]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same < one.len().max(other.len())).then_some(same)
}

//! Proofs of some thousand steps from fixed seeds.

use proving::{Faults, Options, Proof, determinism, prove};

/// Steps of a proof; a debug build takes about a minute.
const STEPS: u64 = 4000;

/// The violations, one per line.
fn violations_of(proof: &Proof) -> String {
    let lines = proof.failures.iter().flat_map(|(case, violations)| {
        violations
            .iter()
            .map(|violation| format!("seed {:016x}: {violation}\n", case.seed))
    });
    lines.collect()
}

fn proof(steps: u64, seed: u64, faults: Faults, jobs: usize) -> Proof {
    let options = Options {
        steps,
        seed,
        faults,
        jobs,
        ..Options::default()
    };
    prove(&options, &mut |_| {}).unwrap()
}

#[test]
fn no_result_contradicts_the_journal() {
    let proof = proof(STEPS, 20, Faults::None, 2);
    assert_eq!(violations_of(&proof), "");
    // The proof must cover nearly all actions and many outcomes, screens and widgets.
    assert!(proof.tally.outcomes.len() >= 18, "{}", proof.tally);
    let pairs: usize = proof.tally.outcomes.values().map(|codes| codes.len()).sum();
    assert!(pairs >= 60, "{}", proof.tally);
    assert!(proof.tally.screens.len() >= 60, "{}", proof.tally);
    assert!(proof.tally.widgets.len() >= 200, "{}", proof.tally);
}

#[test]
fn no_result_contradicts_the_journal_under_faults() {
    let proof = proof(STEPS, 21, Faults::All, 2);
    assert_eq!(violations_of(&proof), "");
    assert!(proof.tally.faults.len() >= 25, "{}", proof.tally);
    // Few contradictions may be accepted.
    let limits: u64 = proof.tally.accepted.values().sum();
    assert!(limits * 4 < proof.tally.steps(), "{}", proof.tally);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let (one, three) = (proof(100, 3, Faults::Mix, 1), proof(100, 3, Faults::Mix, 3));
    assert_eq!(one.cases, three.cases);
    assert_eq!(one.tally, three.tally);
}

#[test]
fn repeated_runs_have_the_same_journal_and_results() {
    for (seed, faults) in [(1, Faults::None), (2, Faults::All)] {
        assert!(determinism(seed, &faults, 3).unwrap() > 20);
    }
}

//! Proofs from fixed seeds: of some thousand steps with `TESTS=all`, as `./check` sets it, else of some hundred.

use proving::{Faults, Options, Proof, determinism, prove};

/// Whether to run as many steps as `./check` does: a debug build then takes about a minute.
fn is_thorough() -> bool {
    std::env::var("TESTS").is_ok_and(|tests| tests == "all")
}

/// The number of steps of a proof.
fn steps() -> u64 {
    if is_thorough() { 4000 } else { 500 }
}

/// Checks that a proof covers at least as much as one of some hundred steps does, and in a thorough one more.
fn assert_covers(proof: &Proof, what: &str, covered: usize, least: usize, least_thorough: usize) {
    let least = if is_thorough() { least_thorough } else { least };
    assert!(covered >= least, "{covered} {what}\n{}", proof.tally);
}

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
    };
    prove(&options, &mut |_| {}).unwrap()
}

#[test]
fn no_result_contradicts_the_journal() {
    let proof = proof(steps(), 20, Faults::None, 2);
    assert_eq!(violations_of(&proof), "");
    // The proof must cover nearly all actions and many outcomes, screens and widgets.
    let tally = &proof.tally;
    assert_covers(&proof, "actions", tally.outcomes.len(), 18, 18);
    let pairs: usize = tally.outcomes.values().map(|codes| codes.len()).sum();
    assert_covers(&proof, "outcomes", pairs, 45, 60);
    assert_covers(&proof, "screens", tally.screens.len(), 40, 60);
    assert_covers(&proof, "widgets", tally.widgets.len(), 70, 200);
}

#[test]
fn no_result_contradicts_the_journal_under_faults() {
    let proof = proof(steps(), 21, Faults::All, 2);
    assert_eq!(violations_of(&proof), "");
    assert_covers(&proof, "faults", proof.tally.faults.len(), 18, 25);
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

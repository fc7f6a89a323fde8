//! Some thousand steps from fixed seeds.

use proving::{Faults, Options, Proof, determinism, prove};

/// How many steps a proof has here: a minute of what a debug build takes.
const STEPS: u64 = 4000;

/// What is broken, one line each.
fn broken(proof: &Proof) -> String {
    let lines = proof.broken.iter().flat_map(|(case, violations)| {
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
fn no_answer_says_what_the_journal_denies() {
    let proof = proof(STEPS, 20, Faults::None, 2);
    assert_eq!(broken(&proof), "");
    // A proof that reaches little proves little: nearly every action ran, most of them well and badly.
    assert!(proof.tally.outcomes.len() >= 18, "{}", proof.tally);
    let pairs: usize = proof.tally.outcomes.values().map(|codes| codes.len()).sum();
    assert!(pairs >= 60, "{}", proof.tally);
    assert!(proof.tally.screens.len() >= 60, "{}", proof.tally);
    assert!(proof.tally.pressed.len() >= 200, "{}", proof.tally);
}

#[test]
fn no_answer_says_what_the_journal_denies_while_things_go_wrong() {
    let proof = proof(STEPS, 21, Faults::All, 2);
    assert_eq!(broken(&proof), "");
    assert!(proof.tally.struck.len() >= 25, "{}", proof.tally);
    // Limits are few: a table that let everything through would prove nothing.
    let limits: u64 = proof.tally.limits.values().sum();
    assert!(limits * 4 < proof.tally.steps(), "{}", proof.tally);
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_jobs() {
    let (one, three) = (proof(100, 3, Faults::Mix, 1), proof(100, 3, Faults::Mix, 3));
    assert_eq!(one.cases, three.cases);
    assert_eq!(one.tally, three.tally);
}

#[test]
fn the_same_case_has_the_same_journal_and_answers_each_time() {
    for (seed, faults) in [(1, Faults::None), (2, Faults::All)] {
        assert!(determinism(seed, &faults, 3).unwrap() > 20);
    }
}

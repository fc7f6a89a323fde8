//! Some thousand steps from fixed seeds.

use proving::{Options, determinism, prove};

/// What is broken, one line each.
fn broken(proof: &proving::Proof) -> String {
    let lines = proof.broken.iter().flat_map(|(case, violations)| {
        violations
            .iter()
            .map(|violation| format!("seed {:016x}: {violation}\n", case.seed))
    });
    lines.collect()
}

#[test]
fn no_answer_says_what_the_journal_denies() {
    let options = Options {
        steps: 1500,
        seed: 20,
        ..Options::default()
    };
    let proof = prove(&options, &mut |_| {}).unwrap();
    assert_eq!(broken(&proof), "");
    // A proof that reaches little proves little: every action ran, and most of them well and badly.
    assert_eq!(proof.tally.outcomes.len(), contract::ActionKind::ALL.len());
    let pairs: usize = proof.tally.outcomes.values().map(|codes| codes.len()).sum();
    assert!(pairs >= 40, "{}", proof.tally);
    assert!(proof.tally.screens.len() >= 15, "{}", proof.tally);
    assert!(proof.tally.pressed.len() >= 40, "{}", proof.tally);
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_jobs() {
    let proof = |jobs| {
        let options = Options {
            steps: 150,
            seed: 3,
            jobs,
            ..Options::default()
        };
        prove(&options, &mut |_| {}).unwrap()
    };
    let (one, three) = (proof(1), proof(3));
    assert_eq!(one.cases, three.cases);
    assert_eq!(one.tally, three.tally);
}

#[test]
fn the_same_case_has_the_same_journal_and_answers_each_time() {
    for seed in [1, 2] {
        assert!(determinism(seed, 4).unwrap() > 20);
    }
}

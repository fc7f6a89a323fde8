//! Fits the weights of the evidence: a logistic regression over the answers to all questions, deterministic.

use std::path::PathBuf;

use inspect::find::{self, EVIDENCE_COUNT, EVIDENCE_NAMES, Request, Verdict};

use crate::{Failure, figures::Outcome, saved::Screen};

/// An answer that is one element, with its evidence.
struct Sample {
    folder: usize,
    evidence: [f32; EVIDENCE_COUNT],
    right: bool,
    /// Whether nothing speaks against a certain answer.
    sure: bool,
}

type Weights = [f64; EVIDENCE_COUNT];

/// Prints the table, and for each folder what the table of the other folders does.
pub(crate) fn fit(folders: &[PathBuf]) -> Result<(), Failure> {
    let mut samples = Vec::new();
    let mut asked = vec![0_usize; folders.len()];
    for (at, folder) in folders.iter().enumerate() {
        for screen in Screen::all(folder)? {
            for case in &screen.cases {
                let request = Request::described(&*case.query);
                let (found, evidence) = find::find_with_evidence(&screen.subject, &request, None)?;
                if let Some(count) = asked.get_mut(at) {
                    *count += 1;
                }
                let is_one = !matches!(found.verdict, Verdict::Ambiguous { .. });
                let Some(evidence) = evidence.filter(|_| is_one) else {
                    continue;
                };
                samples.push(Sample {
                    sure: !evidence.is_doubtful,
                    folder: at,
                    evidence: evidence.figures,
                    right: Outcome::of(case, &found).first,
                });
            }
        }
    }
    let all: Vec<usize> = (0..folders.len()).collect();
    for (at, folder) in folders.iter().enumerate() {
        let others: Vec<usize> = all.iter().copied().filter(|other| *other != at).collect();
        let weights = regression(&samples, folders.len(), Some(at));
        let threshold = threshold(&samples, &others, &asked, &weights);
        println!("{}, fitted to the others", folder.display());
        report(&samples, at, &asked, &weights, threshold);
    }
    let weights = regression(&samples, folders.len(), None);
    println!("table");
    for (name, weight) in EVIDENCE_NAMES.iter().zip(weights) {
        println!("{name}: {weight:.3}");
    }
    let threshold = threshold(&samples, &all, &asked, &weights);
    println!("certain: {threshold:.3}");
    for (at, folder) in folders.iter().enumerate() {
        println!("{}, fitted to all", folder.display());
        report(&samples, at, &asked, &weights, threshold);
    }
    Ok(())
}

/// Most answers of a folder that may be wrong and certain, in percent.
const MAX_WRONG: f64 = 1.0;

/// Evidence that can only speak against an answer. Of the rest all but the base can only speak for it.
const AGAINST: [&str; 3] = ["doubt", "static", "counted"];

/// Gradient descent with momentum; every folder counts alike.
fn regression(samples: &[Sample], folders: usize, without: Option<usize>) -> Weights {
    const ROUNDS: usize = 4000;
    const RATE: f64 = 1.0;
    const MOMENTUM: f64 = 0.9;
    const RIDGE: f64 = 0.001;
    let counts: Vec<usize> = (0..folders)
        .map(|folder| {
            let own = samples.iter().filter(|sample| sample.folder == folder);
            own.count().max(1)
        })
        .collect();
    let used: Vec<(&Sample, f64)> = samples
        .iter()
        .filter(|sample| Some(sample.folder) != without)
        .map(|sample| {
            let count = counts.get(sample.folder).copied().unwrap_or(1);
            (sample, 1.0 / (count as f64 * folders as f64))
        })
        .collect();
    let mut weights = [0.0; EVIDENCE_COUNT];
    let mut speed = [0.0; EVIDENCE_COUNT];
    for _ in 0..ROUNDS {
        let mut slope = weights.map(|weight| RIDGE * weight);
        for (sample, share) in &used {
            let error = probability(&weights, sample) - f64::from(u8::from(sample.right));
            for (slope, figure) in slope.iter_mut().zip(sample.evidence) {
                *slope += share * error * f64::from(figure);
            }
        }
        for ((weight, speed), slope) in weights.iter_mut().zip(&mut speed).zip(slope) {
            *speed = MOMENTUM * *speed - RATE * slope;
            *weight += *speed;
        }
        for (weight, name) in weights.iter_mut().zip(EVIDENCE_NAMES) {
            if AGAINST.contains(&name) {
                *weight = weight.min(0.0);
            } else if name != "base" {
                *weight = weight.max(0.0);
            }
        }
    }
    weights
}

fn probability(weights: &Weights, sample: &Sample) -> f64 {
    let figures = sample.evidence.iter().map(|figure| f64::from(*figure));
    let sum: f64 = weights.iter().zip(figures).map(|(a, b)| a * b).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Answers of a folder that are certain from `threshold` on, and the wrong ones among them, in percent of its questions.
fn certain(
    samples: &[Sample],
    folder: usize,
    asked: &[usize],
    weights: &Weights,
    threshold: f64,
) -> (f64, f64) {
    let certain = || {
        samples.iter().filter(|sample| {
            sample.sure && sample.folder == folder && probability(weights, sample) >= threshold
        })
    };
    let asked = asked.get(folder).copied().unwrap_or_default().max(1);
    let share = |count: usize| 100.0 * count as f64 / asked as f64;
    let wrong = certain().filter(|sample| !sample.right);
    (share(certain().count()), share(wrong.count()))
}

/// The least threshold, in thousandths, with which at most [`MAX_WRONG`] percent are wrong and certain in each folder.
fn threshold(samples: &[Sample], folders: &[usize], asked: &[usize], weights: &Weights) -> f64 {
    let thresholds = (500..1000).map(|thousandths| f64::from(thousandths) / 1000.0);
    let holds = |threshold: &f64| {
        folders
            .iter()
            .all(|folder| certain(samples, *folder, asked, weights, *threshold).1 <= MAX_WRONG)
    };
    thresholds.into_iter().find(holds).unwrap_or(1.0)
}

fn report(samples: &[Sample], folder: usize, asked: &[usize], weights: &Weights, threshold: f64) {
    let (certain, wrong) = certain(samples, folder, asked, weights, threshold);
    println!("  from {threshold:.3}: certain {certain:>5.1} %, wrong and certain {wrong:>4.1} %");
}

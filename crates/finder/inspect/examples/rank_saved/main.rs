//! Runs the descriptions of saved screens again, without a browser: `rank_saved FOLDER… [--failures] [--only WORDS]
//! [--calibration] [--fit] [--ablate]`.
//!
//! `clawperator-bench inspect --keep FOLDER` saves pages, `clawperator-bench phones --keep FOLDER` screens of phones.
//! Reports whether the right element is ranked first, but not its selectors. `--fit` fits `data/certainty.txt` to all
//! folders alike, and reports each folder when fitted to the others. `--ablate` reports for each group of synonyms how many
//! right first answers depend on it.

mod ablate;
mod figures;
mod fit;
mod saved;

use std::collections::BTreeMap;
use std::path::PathBuf;

use figures::{Figures, Outcome};
use inspect::find::{self, FindResult, Request, Verdict};
use saved::{Case, Screen};

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Options {
    folders: Vec<PathBuf>,
    failures: bool,
    calibration: bool,
    fit: bool,
    ablate: bool,
    only: String,
}

fn main() -> Result<(), Failure> {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--failures" => options.failures = true,
            "--fit" => options.fit = true,
            "--ablate" => options.ablate = true,
            "--calibration" => options.calibration = true,
            "--only" => options.only = arguments.next().ok_or("--only takes words")?,
            _ => options.folders.push(argument.into()),
        }
    }
    if options.fit {
        return fit::fit(&options.folders);
    }
    if options.ablate {
        return ablate::ablate(&options.folders);
    }
    for folder in &options.folders {
        let screens = Screen::all(folder)?;
        println!("{}", folder.display());
        let mut figures: BTreeMap<&str, Figures> = BTreeMap::new();
        for screen in &screens {
            for case in &screen.cases {
                if !options.only.is_empty()
                    && !format!("{} {}", screen.name, case.query).contains(&options.only)
                {
                    continue;
                }
                let found = find::find(&screen.subject, &Request::described(&*case.query))?;
                let outcome = Outcome::of(case, &found);
                let figures = figures.entry(&case.suite).or_default();
                figures.outcomes.push(outcome);
                if options.failures && (!outcome.first || !options.only.is_empty()) {
                    print_answer(screen, case, &found, outcome);
                }
            }
        }
        for (suite, figures) in &figures {
            println!("  {suite:<12} {}", figures.line());
            if options.calibration {
                print!("{}", figures.calibration());
            }
        }
    }
    Ok(())
}

/// Prints an answer with its reasons.
fn print_answer(screen: &Screen, case: &Case, found: &FindResult, outcome: Outcome) {
    let (verdict, shown) = match &found.verdict {
        Verdict::Certain => ("certain".to_owned(), &found.ranked),
        Verdict::Unsure { missing } => (format!("unsure {missing:?}"), &found.ranked),
        Verdict::Ambiguous { count, .. } => (format!("ambiguous {count}"), &found.ranked),
        Verdict::NotFound { nearest } => ("not_found".to_owned(), nearest),
    };
    println!(
        "{} [{}] {:?} {}: {verdict}",
        screen.name,
        case.suite,
        case.query,
        if outcome.first { "right" } else { "WRONG" }
    );
    for place in case.places.iter().take(3) {
        println!("    right {}", screen.line(*place));
    }
    if case.places.is_empty() {
        println!("    right: nothing");
    }
    for hit in shown.iter().take(3) {
        let reasons: Vec<String> = hit
            .reasons
            .iter()
            .map(|reason| format!("{:+.1} {}", reason.points, reason.words))
            .collect();
        let mark = if case.places.contains(&hit.place) {
            "*"
        } else {
            " "
        };
        println!(
            "   {mark}{:>3} {} | {}",
            hit.score,
            screen.line(hit.place),
            reasons.join("; ")
        );
    }
}

//! Runs the descriptions of saved screens again, without a browser: `rank_saved FOLDER… [--failures] [--only WORDS]
//! [--calibration] [--fit] [--names] [--ablate]`.
//!
//! `clawperator-bench inspect --keep FOLDER` saves pages, `clawperator-bench phones --keep FOLDER` screens of phones.
//! Reports whether the right element is ranked first, but not its selectors. `--names` reports by which sources
//! controls are named. `--fit` fits `data/certainty.txt` to all folders alike, and reports each folder when fitted to the
//! others. `--ablate` reports for each group of synonyms how many right first answers depend on it.

mod ablate;
mod figures;
mod fit;
mod saved;

use std::collections::BTreeMap;
use std::path::PathBuf;

use figures::{Figures, Outcome};
use inspect::find::{self, Found, Request, Verdict};
use inspect::name::{PageNames, StabilityFilter};
use inspect::subject::State;
use saved::{Case, Screen, Surface};

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Options {
    folders: Vec<PathBuf>,
    failures: bool,
    names: bool,
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
            "--names" => options.names = true,
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
        if options.names {
            report_names(&screens);
            continue;
        }
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
                figures.entry(&case.suite).or_default().add(outcome);
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
fn print_answer(screen: &Screen, case: &Case, found: &Found, outcome: Outcome) {
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

/// Prints by which sources the controls of pages are named.
fn report_names(screens: &[Screen]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for screen in screens {
        let Surface::Page(page) = &screen.surface else {
            continue;
        };
        let mut names = PageNames::new(page);
        for candidate in screen.subject.candidates() {
            let acts = candidate.state.contains(State::INTERACTIVE);
            let Some(id) = page
                .get(candidate.place)
                .filter(|_| acts && candidate.visibility.is_visible())
            else {
                continue;
            };
            let first = names
                .selectors(id, StabilityFilter::Any, 1)
                .into_iter()
                .next();
            let strategy = first
                .as_ref()
                .map_or("none", |first| first.strategy.as_str());
            *counts.entry(format!("by {strategy}")).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    for (strategy, count) in &counts {
        let share = 100.0 * *count as f64 / all.max(1) as f64;
        println!("  {strategy:<16} {count:>6} {share:>5.1} %");
    }
}

//! Runs the descriptions of saved pages again, without a browser: `again FOLDER… [--failures] [--only WORDS]
//! [--names]`.
//!
//! `clawperator-bench inspect --keep FOLDER` saves the pages. Reports whether the right element is ranked
//! first, but not its selectors. `--names` reports by which sources controls are named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dom::Dom;
use inspect::Subject;
use inspect::find::{self, Found, Request, Verdict};
use inspect::name::{PageNames, Wanted, element_line};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Figures {
    count: usize,
    first: usize,
    third: usize,
    certain: usize,
    misled: usize,
}

fn main() -> Result<(), Failure> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut failures = false;
    let mut names = false;
    let mut only = String::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--failures" => failures = true,
            "--names" => names = true,
            "--only" => only = arguments.next().unwrap_or_default(),
            _ => folders.push(argument.into()),
        }
    }
    for folder in &folders {
        let mut figures: BTreeMap<String, Figures> = BTreeMap::new();
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        for file in files {
            ask(&file, &only, failures, names, &mut figures)?;
        }
        println!("{}", folder.display());
        let all: usize = figures.values().map(|of| of.count).sum();
        for (suite, of) in &figures {
            if names {
                let share = 100.0 * of.count as f64 / all.max(1) as f64;
                println!("  {suite:<16} {:>6} {share:>5.1} %", of.count);
                continue;
            }
            let share = |part: usize| 100.0 * part as f64 / of.count.max(1) as f64;
            println!(
                "  {suite:<10} {:>5}  top-1 {:>5.1}  top-3 {:>5.1}  misled {:>4.1}  certain {:>5.1}",
                of.count,
                share(of.first),
                share(of.third),
                share(of.misled),
                share(of.certain)
            );
        }
    }
    Ok(())
}

fn ask(
    file: &Path,
    only: &str,
    failures: bool,
    names: bool,
    figures: &mut BTreeMap<String, Figures>,
) -> Result<(), Failure> {
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let page: Dom = serde_json::from_value(kept["dom"].clone())?;
    let subject = Subject::from_dom(&page);
    if names {
        let mut known = PageNames::new(&page);
        for candidate in subject.candidates() {
            let acts = candidate
                .state
                .contains(inspect::subject::State::INTERACTIVE);
            let Some(id) = page
                .get(candidate.place)
                .filter(|_| acts && candidate.visibility.is_visible())
            else {
                continue;
            };
            let first = known.selectors(id, Wanted::Any, 1).into_iter().next();
            let strategy = first
                .as_ref()
                .map_or("none", |first| first.strategy.as_str());
            let of = figures.entry(format!("by {strategy}")).or_default();
            of.count += 1;
        }
        return Ok(());
    }
    let name = kept["page"].as_str().unwrap_or_default();
    for case in kept["cases"].as_array().into_iter().flatten() {
        let query = case["query"].as_str().unwrap_or_default();
        if !only.is_empty() && !format!("{name} {query}").contains(only) {
            continue;
        }
        let Found { ranked, verdict } = find::find(&subject, &Request::described(query))?;
        let places: Vec<usize> = case["places"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|place| usize::try_from(place.as_u64()?).ok())
            .collect();
        let right = |at: usize| {
            let hit = ranked.get(at);
            hit.is_some_and(|hit| places.contains(&hit.place))
        };
        let (first, third) = match case["expect"].as_str() {
            Some("element") => (right(0), right(0) || right(1) || right(2)),
            Some("ambiguous") => {
                let several = matches!(verdict, Verdict::Ambiguous { .. }) && right(0);
                (several, several)
            }
            _ => {
                let nothing = matches!(verdict, Verdict::NotFound { .. });
                (nothing, nothing)
            }
        };
        let certain = verdict == Verdict::Certain;
        let of = figures
            .entry(case["suite"].as_str().unwrap_or_default().to_owned())
            .or_default();
        of.count += 1;
        of.first += usize::from(first);
        of.third += usize::from(third);
        of.certain += usize::from(certain);
        of.misled += usize::from(certain && !first);
        if failures && (!first || !only.is_empty()) {
            let (said, shown) = match &verdict {
                Verdict::Certain => ("certain".to_owned(), &ranked),
                Verdict::Unsure { missing } => (format!("unsure {missing:?}"), &ranked),
                Verdict::Ambiguous { count, .. } => (format!("ambiguous {count}"), &ranked),
                Verdict::NotFound { nearest } => ("not_found".to_owned(), nearest),
            };
            println!(
                "{name} [{}] {query:?} {}: {said}",
                case["suite"].as_str().unwrap_or_default(),
                if first { "right" } else { "WRONG" }
            );
            for place in places.iter().take(3) {
                let line = page.get(*place).map(|id| element_line(&page, id));
                println!("    right {}", line.unwrap_or_default());
            }
            if places.is_empty() {
                println!("    right: {}", case["expect"]);
            }
            for hit in shown.iter().take(3) {
                let line = page.get(hit.place).map(|id| element_line(&page, id));
                let why: Vec<String> = hit
                    .reasons
                    .iter()
                    .map(|reason| format!("{:+.1} {}", reason.points, reason.words))
                    .collect();
                let ok = if places.contains(&hit.place) {
                    "*"
                } else {
                    " "
                };
                println!(
                    "   {ok}{:>3} {} | {}",
                    hit.score,
                    line.unwrap_or_default(),
                    why.join("; ")
                );
            }
        }
    }
    Ok(())
}

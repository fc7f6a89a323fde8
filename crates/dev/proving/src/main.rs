//! `prove`: random plans on the simulated phone, every answer held against its journal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use proving::{Case, Faults, Options, Proof, Violation};

const USAGE: &str = "\
cargo xtask prove [options]

  --steps N          minimum number of steps (1000000)
  --seed N           seed of the cases (1)
  --random           draw the seed from the operating system and print it first
  --app PACKAGE      use this app only
  --faults WHICH     none, all (several in every case), mix (the default: none, one, several), or a fault
                     as --sim-fault takes it; may be repeated
  --jobs N           cases to run at a time (2)
  --keep DIR         keep minimized failing cases in this folder
  --determinism N    run the case of the seed N times instead and compare the journals
  --most N           stop after this many failing cases (20)
  --again SEED       run the case of this seed again, with the same --faults and --app, and print its story;
                     with --keep it is also minimized and kept
  --case FILE        run a kept case and print its story";

/// The options of the command line.
struct CliOptions {
    options: Options,
    keep: Option<PathBuf>,
    determinism: Option<u32>,
    case: Option<PathBuf>,
    again: Option<u64>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match read(&arguments) {
        Ok(Some(asked)) => go(&asked),
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Result<Option<CliOptions>, String> {
    let mut asked = CliOptions {
        options: Options::default(),
        keep: None,
        determinism: None,
        case: None,
        again: None,
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-h" | "--help" => return Ok(None),
            "--random" => {
                let drawn = getrandom::u64().map_err(|error| format!("--random: {error}"))?;
                asked.options.seed = drawn;
                continue;
            }
            _ => {}
        }
        let value = words
            .next()
            .ok_or_else(|| format!("{word} is no option, or its value is missing"))?;
        let wrong = |error: &dyn std::fmt::Display| format!("{word} {value}: {error}");
        match word.as_str() {
            "--steps" => asked.options.steps = value.parse().map_err(|error| wrong(&error))?,
            "--seed" => asked.options.seed = value.parse().map_err(|error| wrong(&error))?,
            "--jobs" => asked.options.jobs = value.parse().map_err(|error| wrong(&error))?,
            "--app" => asked.options.app = Some(value.clone()),
            "--faults" => asked.options.faults = faults(&asked.options.faults, value)?,
            "--keep" => asked.keep = Some(value.into()),
            "--most" => asked.options.most = value.parse().map_err(|error| wrong(&error))?,
            "--again" => {
                let seed = u64::from_str_radix(value, 16).map_err(|error| wrong(&error))?;
                asked.again = Some(seed);
            }
            "--case" => asked.case = Some(value.into()),
            "--determinism" => {
                asked.determinism = Some(value.parse().map_err(|error| wrong(&error))?);
            }
            _ => return Err(format!("{word} is no option")),
        }
    }
    Ok(Some(asked))
}

/// The faults that were asked for until now, with one more.
fn faults(before: &Faults, value: &str) -> Result<Faults, String> {
    Ok(match value {
        "none" => Faults::None,
        "all" => Faults::All,
        "mix" => Faults::Mix,
        spec => {
            driver_sim::Fault::parse_all(spec).map_err(|error| format!("--faults: {error}"))?;
            let mut all = match before {
                Faults::Only(before) => before.clone(),
                Faults::Mix | Faults::None | Faults::All => Vec::new(),
            };
            all.push(spec.to_owned());
            Faults::Only(all)
        }
    })
}

/// Does it; whether everything held.
fn go(asked: &CliOptions) -> Result<bool, String> {
    if let Some(path) = &asked.case {
        return play(path);
    }
    if let Some(seed) = asked.again {
        let made = proving::again(seed, &asked.options)?;
        if let (Some(folder), Some(first)) = (&asked.keep, made.violations.first()) {
            let (small, broken) = proving::shrink(&made.case, &first.rule);
            let path = proving::keep(folder, &small, &broken)?;
            println!("kept: {}", path.display());
        }
        return Ok(tell(&made.case));
    }
    if let Some(times) = asked.determinism {
        let lines = proving::determinism(asked.options.seed, &asked.options.faults, times)?;
        println!("{times} runs of one case: the same {lines} lines of journal, the same answers");
        return Ok(true);
    }
    // First of all, so that a run that is ended before its time can be repeated, too.
    println!("seed {}", asked.options.seed);
    let clock = Instant::now();
    let mut told = Duration::ZERO;
    // A panic is a finding that is printed with its case; its own words in between would only disturb.
    std::panic::set_hook(Box::new(|_| {}));
    let mut shown = 0;
    let proof = proving::prove(&asked.options, &mut |proof| {
        // What is broken is told at once: a long run may be ended before its time.
        for (case, violations) in proof.broken.iter().skip(shown) {
            print!("{}", finding(asked, case, violations));
            if let Some(folder) = &asked.keep
                && let Err(error) = proving::keep(folder, case, violations)
            {
                eprintln!("{error}");
            }
        }
        shown = proof.broken.len();
        if clock.elapsed() >= told + Duration::from_secs(10) {
            told = clock.elapsed();
            progress(proof, told);
        }
    })?;
    println!("{}", proof.tally);
    let seconds = clock.elapsed().as_secs_f64();
    println!("{}", proof.spent);
    report(&proof, asked)?;
    let steps = proof.tally.steps();
    println!(
        "{steps} steps in {} cases from seed {}, faults {}: {seconds:.1} s, {:.0} steps a second with {} jobs, {:.0} a second of the processor",
        proof.cases,
        asked.options.seed,
        asked.options.faults,
        steps as f64 / seconds,
        asked.options.jobs,
        steps as f64 / proof.spent.whole().as_secs_f64().max(1e-9),
    );
    println!("violations: {}", proof.broken.len());
    Ok(proof.broken.is_empty())
}

/// The command that makes a case again.
fn command(asked: &CliOptions, case: &Case) -> String {
    let mut command = format!("cargo xtask prove --again {:016x}", case.seed);
    if let Some(app) = &asked.options.app {
        command += &format!(" --app {app}");
    }
    match &asked.options.faults {
        Faults::Only(faults) => {
            for fault in faults {
                command += &format!(" --faults '{fault}'");
            }
        }
        faults @ (Faults::None | Faults::All | Faults::Mix) => {
            command += &format!(" --faults {faults}");
        }
    }
    command
}

/// What was found in a case, and how to see it again.
fn finding(asked: &CliOptions, case: &Case, violations: &[Violation]) -> String {
    let mut text = String::new();
    for violation in violations {
        text += &format!("VIOLATION: {violation}\n");
    }
    text + &format!("    again: {}\n", command(asked, case))
}

fn progress(proof: &Proof, clock: Duration) {
    let steps = proof.tally.steps();
    eprintln!(
        "{steps} steps in {} cases, {:.0} a second, {} broken",
        proof.cases,
        steps as f64 / clock.as_secs_f64(),
        proof.broken.len()
    );
}

/// Makes one case for each broken rule small and keeps it, or prints it.
fn report(proof: &Proof, asked: &CliOptions) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for (case, violations) in &proof.broken {
        let Some(first) = violations.first() else {
            continue;
        };
        if seen.contains(&first.rule.as_str()) {
            continue;
        }
        seen.push(&first.rule);
        let (small, broken) = proving::shrink(case, &first.rule);
        let broken: &[Violation] = if broken.is_empty() {
            violations
        } else {
            &broken
        };
        match &asked.keep {
            Some(folder) => {
                let path = proving::keep(folder, &small, broken)?;
                println!(
                    "kept, and told by: cargo xtask prove --case {}",
                    path.display()
                );
            }
            None => {
                tell(&small);
            }
        }
    }
    Ok(())
}

/// Plays a case and tells its story; whether everything held.
fn tell(case: &Case) -> bool {
    let played = proving::replay(case);
    for line in &played.story {
        println!("{line}");
    }
    println!();
    println!("violations: {}", played.violations.len());
    played.violations.is_empty()
}

/// Plays a case that was kept.
fn play(path: &std::path::Path) -> Result<bool, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let json = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    let case = proving::Case::from_json(&json).map_err(|error| wrong(&error))?;
    Ok(tell(&case))
}

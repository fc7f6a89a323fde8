//! `prove`: runs random plans on simulated phones and compares every result with the phone's journal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use proving::{Case, Faults, Options, Proof, Violation};

const USAGE: &str = "\
cargo xtask prove [options]

  --steps N          minimum number of steps (1000000)
  --seed N           seed of the cases (1)
  --random           draw the seed from the operating system and print it first
  --faults WHICH     none, all (several in every case), mix (the default: none, one, several), or a fault
                     as --sim-fault takes it; may be repeated
  --jobs N           cases to run at a time (2)
  --keep DIR         save minimised failing cases in this folder
  --determinism N    run the case of the seed N times instead and compare the journals
  --again SEED       run the case of this seed again, with the same --faults, and print its trace;
                     with --keep it is also minimised and saved
  --case FILE        run a saved case and print its trace";

#[derive(Default)]
struct CliOptions {
    options: Options,
    keep: Option<PathBuf>,
    determinism: Option<u32>,
    case: Option<PathBuf>,
    again: Option<u64>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cli = match parse_arguments(&arguments) {
        Ok(Some(cli)) => cli,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match execute(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn parse_arguments(arguments: &[String]) -> Result<Option<CliOptions>, String> {
    let mut cli = CliOptions::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-h" | "--help" => return Ok(None),
            "--random" => {
                let drawn = getrandom::u64().map_err(|error| format!("--random: {error}"))?;
                cli.options.seed = drawn;
                continue;
            }
            _ => {}
        }
        let value = words
            .next()
            .ok_or_else(|| format!("unknown option or missing value: {word}"))?;
        let with_option = |error: &dyn std::fmt::Display| format!("{word} {value}: {error}");
        match word.as_str() {
            "--steps" => cli.options.steps = value.parse().map_err(|error| with_option(&error))?,
            "--seed" => cli.options.seed = value.parse().map_err(|error| with_option(&error))?,
            "--jobs" => cli.options.jobs = value.parse().map_err(|error| with_option(&error))?,
            "--faults" => cli.options.faults = faults(&cli.options.faults, value)?,
            "--keep" => cli.keep = Some(value.into()),
            "--again" => {
                let seed = u64::from_str_radix(value, 16).map_err(|error| with_option(&error))?;
                cli.again = Some(seed);
            }
            "--case" => cli.case = Some(value.into()),
            "--determinism" => {
                cli.determinism = Some(value.parse().map_err(|error| with_option(&error))?);
            }
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(Some(cli))
}

/// Adds a `--faults` value to the earlier ones.
fn faults(earlier: &Faults, value: &str) -> Result<Faults, String> {
    Ok(match value {
        "none" => Faults::None,
        "all" => Faults::All,
        "mix" => Faults::Mix,
        spec => {
            driver_sim::Fault::parse_all(spec).map_err(|error| format!("--faults: {error}"))?;
            let mut all = match earlier {
                Faults::Only(earlier) => earlier.clone(),
                Faults::Mix | Faults::None | Faults::All => Vec::new(),
            };
            all.push(spec.to_owned());
            Faults::Only(all)
        }
    })
}

/// Executes the command; returns whether there were no violations.
fn execute(cli: &CliOptions) -> Result<bool, String> {
    if let Some(path) = &cli.case {
        return Ok(print_trace(&proving::load_case(path)?));
    }
    if let Some(seed) = cli.again {
        let generated = proving::regenerate(seed, &cli.options.faults)?;
        if let (Some(folder), Some(first)) = (&cli.keep, generated.violations.first()) {
            let (minimised, failures) = proving::shrink(&generated.case, &first.rule);
            let path = proving::save_case(folder, &minimised, &failures)?;
            println!("saved: {}", path.display());
        }
        return Ok(print_trace(&generated.case));
    }
    if let Some(times) = cli.determinism {
        let lines = proving::determinism(cli.options.seed, &cli.options.faults, times)?;
        println!("{times} runs of one case: the same {lines} journal entries and the same results");
        return Ok(true);
    }
    // Printed first, so that an interrupted run can be repeated.
    println!("seed {}", cli.options.seed);
    let clock = Instant::now();
    let mut last_progress = Duration::ZERO;
    // Panics are reported as violations with their case.
    std::panic::set_hook(Box::new(|_| {}));
    let mut reported = 0;
    let proof = proving::prove(&cli.options, &mut |proof| {
        // Violations are printed at once, because a long run may be interrupted.
        for (case, violations) in proof.failures.iter().skip(reported) {
            print!("{}", describe_failure(cli, case, violations));
            if let Some(folder) = &cli.keep
                && let Err(error) = proving::save_case(folder, case, violations)
            {
                eprintln!("{error}");
            }
        }
        reported = proof.failures.len();
        if clock.elapsed() >= last_progress + Duration::from_secs(10) {
            last_progress = clock.elapsed();
            print_progress(proof, last_progress);
        }
    })?;
    println!("{}", proof.tally);
    let seconds = clock.elapsed().as_secs_f64();
    save_minimised(&proof, cli)?;
    let steps = proof.tally.steps();
    println!(
        "{steps} steps in {} cases from seed {}, faults {}: {seconds:.1} s, {:.0} steps/s with {} jobs",
        proof.cases,
        cli.options.seed,
        cli.options.faults,
        steps as f64 / seconds,
        cli.options.jobs,
    );
    println!("violations: {}", proof.failures.len());
    Ok(proof.failures.is_empty())
}

/// The command that regenerates a case.
fn repeat_command(cli: &CliOptions, case: &Case) -> String {
    let faults = match &cli.options.faults {
        Faults::Only(faults) => faults.join("' --faults '"),
        faults @ (Faults::None | Faults::All | Faults::Mix) => faults.to_string(),
    };
    format!(
        "cargo xtask prove --again {:016x} --faults '{faults}'",
        case.seed
    )
}

/// Describes the violations of a case and the command that regenerates it.
fn describe_failure(cli: &CliOptions, case: &Case, violations: &[Violation]) -> String {
    let mut text = String::new();
    for violation in violations {
        text += &format!("VIOLATION: {violation}\n");
    }
    text + &format!("    again: {}\n", repeat_command(cli, case))
}

fn print_progress(proof: &Proof, clock: Duration) {
    let steps = proof.tally.steps();
    eprintln!(
        "{steps} steps in {} cases, {:.0} steps/s, {} failing",
        proof.cases,
        steps as f64 / clock.as_secs_f64(),
        proof.failures.len()
    );
}

/// Minimises one case for each violated rule, and saves or prints it.
fn save_minimised(proof: &Proof, cli: &CliOptions) -> Result<(), String> {
    let mut rules: Vec<&str> = Vec::new();
    for (case, violations) in &proof.failures {
        let Some(first) = violations.first() else {
            continue;
        };
        if rules.contains(&first.rule.as_str()) {
            continue;
        }
        rules.push(&first.rule);
        let (minimised, failures) = proving::shrink(case, &first.rule);
        let failures = if failures.is_empty() {
            violations
        } else {
            &failures
        };
        if let Some(folder) = &cli.keep {
            let path = proving::save_case(folder, &minimised, failures)?;
            let path = path.display();
            println!("saved; to print its trace: cargo xtask prove --case {path}");
        } else {
            print_trace(&minimised);
        }
    }
    Ok(())
}

/// Runs a case and prints its trace; returns whether there were no violations.
fn print_trace(case: &Case) -> bool {
    let replay = proving::replay(case);
    for line in &replay.report {
        println!("{line}");
    }
    println!();
    println!("violations: {}", replay.violations.len());
    replay.violations.is_empty()
}

//! Runs fuzzers (`fuzz [TARGET...] [--seconds N] [--seed N]`), or checks one input (`fuzz TARGET --input FILE`).

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use fuzz::{Limit, TARGETS, Target};

const USAGE: &str = "\
cargo xtask fuzz [TARGET...] [--seconds N] [--seed N]
cargo xtask fuzz TARGET --input FILE

Checks mutated and generated input with each target for N seconds (default 60). The seed is random by default and printed.
An input that breaks a promise stays in target/fuzz-inputs; --input checks it again.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let mut targets: Vec<&Target> = Vec::new();
    let mut seconds = 60;
    let mut seed = None;
    let mut input: Option<PathBuf> = None;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("{argument} takes a number"))
        };
        match argument.as_str() {
            "--help" => {
                println!("{USAGE}\n\nTargets: {}", names());
                return Ok(());
            }
            "--seconds" => seconds = number()?,
            "--seed" => seed = Some(number()?),
            "--input" => input = Some(arguments.next().ok_or("--input takes a file")?.into()),
            name => {
                let target = Target::named(name);
                targets.push(
                    target.ok_or_else(|| format!("unknown target {name}; targets: {}", names()))?,
                );
            }
        }
    }
    if let Some(file) = input {
        let [target] = targets[..] else {
            return Err("--input takes exactly one target".to_owned());
        };
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        return target.check(&bytes);
    }
    let seed = match seed {
        Some(seed) => seed,
        None => u64::from(getrandom::u32().map_err(|error| error.to_string())?),
    };
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/fuzz-inputs");
    let mut findings = Vec::new();
    for target in targets {
        let again = format!("cargo xtask fuzz {}", target.name);
        println!("{again} --seed {seed} --seconds {seconds}");
        match target.run(seed, Limit::Time(Duration::from_secs(seconds)), &folder) {
            Ok(count) => println!("  {count} inputs, no finding"),
            Err(finding) => findings.push(format!(
                "{}: {}\n  {again} --input {}",
                target.name,
                finding.problem,
                finding.file.display()
            )),
        }
    }
    if findings.is_empty() {
        Ok(())
    } else {
        Err(findings.join("\n"))
    }
}

fn names() -> String {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.join(", ")
}

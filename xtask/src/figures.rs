//! Measures the figures of README and docs on the release build.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cargo;

/// The number of starts per measurement.
const MEASURED_STARTS: u32 = 200;

/// A payload for validation.
const PAYLOAD: &str = r#"{"commandId":"c","taskId":"t","source":"figures","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"s","type":"snapshot_ui"}]}"#;

/// Makes a release build and prints its size and speed; returns the errors.
pub(crate) fn print(root: &Path) -> Vec<String> {
    match measure(root) {
        Ok(()) => Vec::new(),
        Err(problem) => vec![format!("figures: {problem}")],
    }
}

fn measure(root: &Path) -> Result<(), String> {
    cargo(root, &["build", "--release", "--quiet", "--package", "cli"])?;
    let binary = root
        .join("target/release")
        .join(format!("clawperator{}", std::env::consts::EXE_SUFFIX));
    let size = std::fs::metadata(&binary)
        .map_err(|error| error.to_string())?
        .len();
    println!("release binary, stripped: {:.2} MB", size as f64 / 1e6);

    let validate = ["exec", "--validate-only", "--payload", PAYLOAD];
    started(
        &binary,
        root,
        "exec --validate-only, whole process",
        &validate,
        MEASURED_STARTS,
    )?;
    started(
        &binary,
        root,
        "snapshot on the embedded phone, whole process",
        &["snapshot", "--device", "sim"],
        MEASURED_STARTS,
    )?;
    let tour = ["exec", "examples/tour.json", "--device", "sim"];
    started(
        &binary,
        root,
        "the tour on the embedded phone, whole process",
        &tour,
        20,
    )?;

    for package in ["uitree", "service"] {
        println!("\n{package}:");
        cargo(root, &["bench", "--quiet", "--package", package])?;
    }
    Ok(())
}

/// Starts the binary `times` times and prints the cost of one start.
fn started(
    binary: &Path,
    root: &Path,
    what: &str,
    arguments: &[&str],
    times: u32,
) -> Result<(), String> {
    let before = children_time();
    let clock = Instant::now();
    for _ in 0..times {
        let status = Command::new(binary)
            .args(arguments)
            .current_dir(root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!(
                "{} {} failed",
                binary.display(),
                arguments.join(" ")
            ));
        }
    }
    let wall = clock.elapsed() / times;
    match (before, children_time()) {
        (Some(before), Some(after)) => {
            println!(
                "{what}: {:.2} ms CPU, {:.2} ms wall",
                millis((after - before) / times),
                millis(wall)
            );
        }
        _ => println!("{what}: {:.2} ms wall", millis(wall)),
    }
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The CPU time of all child processes that have ended, on systems that report it.
fn children_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may contain spaces; user and system time of the children are fields 16
    // and 17, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

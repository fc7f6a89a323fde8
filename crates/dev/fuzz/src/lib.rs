//! Fuzzers: mutated and generated input for every parser of untrusted input.
//!
//! An input depends only on the target's name, a seed and a number, so every run can be repeated. It is written to a file
//! before it is checked: the file remains if the process dies.

mod mutate;
mod targets;

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use driver_sim::SeededRng;

pub use targets::TARGETS;

const MAX: Duration = Duration::from_secs(5);

pub struct Target {
    pub name: &'static str,
    seeds: fn() -> Vec<Vec<u8>>,
    /// Mutates a seed or generates an input.
    make: fn(&mut SeededRng, &[Vec<u8>]) -> Vec<u8>,
    /// Parses an input; the error is the broken promise.
    check: fn(&[u8]) -> Result<(), String>,
}

#[derive(Clone, Copy, Debug)]
pub enum Limit {
    Inputs(u64),
    Time(Duration),
}

/// An input that broke a promise.
#[derive(Debug)]
pub struct Finding {
    pub problem: String,
    pub file: PathBuf,
}

impl Target {
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Checks inputs until one breaks a promise or the limit is reached, and counts them. The last input is kept in `folder`.
    pub fn run(&self, seed: u64, limit: Limit, folder: &Path) -> Result<u64, Finding> {
        let seeds = (self.seeds)();
        let file = folder.join(format!("{}-{seed}.input", self.name));
        let began = Instant::now();
        let mut count = 0;
        loop {
            let over = match limit {
                Limit::Inputs(inputs) => count >= inputs,
                Limit::Time(time) => began.elapsed() >= time,
            };
            if over {
                break;
            }
            let mut rng = SeededRng::new(seed.wrapping_add(count), self.name);
            let input = (self.make)(&mut rng, &seeds);
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, &input));
            let checked = written
                .map_err(|error| format!("{}: {error}", file.display()))
                .and_then(|()| self.check(&input));
            checked.map_err(|problem| Finding {
                problem,
                file: file.clone(),
            })?;
            count += 1;
        }
        if count > 0
            && let Err(error) = fs::remove_file(&file)
        {
            return Err(Finding {
                problem: error.to_string(),
                file,
            });
        }
        Ok(count)
    }

    pub fn check(&self, input: &[u8]) -> Result<(), String> {
        let began = Instant::now();
        catch_unwind(AssertUnwindSafe(|| (self.check)(input)))
            .unwrap_or_else(|panic| Err(format!("panics: {}", message(&*panic))))?;
        let took = began.elapsed();
        if took > MAX {
            return Err(format!("takes {took:?}"));
        }
        Ok(())
    }
}

fn message(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

/// The contents of the files in a folder of the repository whose names have this ending, sorted by name.
/// It must exist: a target without seeds would test nothing.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    /// In small seeds a mutation is likely to hit something relevant.
    const LARGEST: usize = 20_000;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = root.join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    let contents = paths
        .iter()
        .map(|path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    contents.filter(|bytes| bytes.len() < LARGEST).collect()
}

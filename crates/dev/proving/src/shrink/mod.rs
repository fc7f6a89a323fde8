//! Makes a case that breaks a rule as small as it goes: fewer things done, fewer faults, fewer steps, fewer parameters.

use std::fs;
use std::path::{Path, PathBuf};

use driver_sim::{AnimationChoice, PaceChoice};
use serde_json::Value;

use crate::case::{Case, Op};
use crate::judge::Violation;
use crate::world::replay;

/// How often a case is played at most while it is made smaller.
const TRIES: u32 = 3000;

/// Counts what is left.
struct Budget(u32);

/// The smallest case that was found which still breaks `rule`, and how it does.
pub fn shrink(case: &Case, rule: &str) -> (Case, Vec<Violation>) {
    let mut budget = Budget(TRIES);
    let mut small = case.clone();
    let Some(mut broken) = breaks(&small, rule, &mut budget) else {
        return (small, Vec::new());
    };
    loop {
        let before = small.clone();
        for candidate in [without_ops, without_steps, without_params] {
            candidate(&mut small, &mut broken, rule, &mut budget);
        }
        if small == before || budget.0 == 0 {
            return (small, broken);
        }
    }
}

/// How a case breaks a rule, if it does.
fn breaks(case: &Case, rule: &str, budget: &mut Budget) -> Option<Vec<Violation>> {
    budget.0 = budget.0.checked_sub(1)?;
    let played = replay(case);
    played
        .violations
        .iter()
        .any(|violation| violation.rule == rule)
        .then_some(played.violations)
}

/// Takes `candidate` for the case if it still breaks the rule.
fn take(
    small: &mut Case,
    broken: &mut Vec<Violation>,
    candidate: Case,
    rule: &str,
    budget: &mut Budget,
) -> bool {
    match breaks(&candidate, rule, budget) {
        Some(violations) => {
            *small = candidate;
            *broken = violations;
            true
        }
        None => false,
    }
}

/// Leaves out halves, quarters and so on of what is done, from the front, then faults.
fn without_ops(small: &mut Case, broken: &mut Vec<Violation>, rule: &str, budget: &mut Budget) {
    let mut size = small.ops.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < small.ops.len() {
            let mut candidate = small.clone();
            candidate.ops.drain(at..(at + size).min(small.ops.len()));
            if !take(small, broken, candidate, rule, budget) {
                at += size;
            }
        }
        size /= 2;
    }
    let mut at = 0;
    while at < small.setup.faults.len() {
        let mut candidate = small.clone();
        candidate.setup.faults.remove(at);
        if !take(small, broken, candidate, rule, budget) {
            at += 1;
        }
    }
    if small.setup.animations == AnimationChoice::On {
        let mut candidate = small.clone();
        candidate.setup.animations = AnimationChoice::Off;
        take(small, broken, candidate, rule, budget);
    }
    if small.setup.pace == PaceChoice::Phone {
        let mut candidate = small.clone();
        candidate.setup.pace = PaceChoice::Instant;
        take(small, broken, candidate, rule, budget);
    }
    if small.setup.app.is_some() {
        let mut candidate = small.clone();
        candidate.setup.app = None;
        take(small, broken, candidate, rule, budget);
    }
}

/// Leaves out steps of plans, one at a time, the last ones first.
fn without_steps(small: &mut Case, broken: &mut Vec<Violation>, rule: &str, budget: &mut Budget) {
    for place in 0..small.ops.len() {
        let mut step = small.ops.get(place).map_or(0, Op::steps);
        while step > 0 {
            step -= 1;
            let mut candidate = small.clone();
            if let Some(Op::Run { payload, .. }) = candidate.ops.get_mut(place)
                && let Some(actions) = payload["actions"].as_array_mut()
                && actions.len() > 1
            {
                actions.remove(step);
                take(small, broken, candidate, rule, budget);
            }
        }
        let mut candidate = small.clone();
        if let Some(Op::Run {
            cancel,
            budget: time,
            ..
        }) = candidate.ops.get_mut(place)
            && (cancel.is_some() || time.is_some())
        {
            (*cancel, *time) = (None, None);
            take(small, broken, candidate, rule, budget);
        }
    }
}

/// Leaves out parameters that are not needed.
fn without_params(small: &mut Case, broken: &mut Vec<Violation>, rule: &str, budget: &mut Budget) {
    for place in 0..small.ops.len() {
        for step in 0..small.ops.get(place).map_or(0, Op::steps) {
            let keys: Vec<String> = params(small, place, step)
                .and_then(Value::as_object)
                .map(|params| params.keys().cloned().collect())
                .unwrap_or_default();
            for key in keys {
                let mut candidate = small.clone();
                if let Some(params) = params_mut(&mut candidate, place, step) {
                    params.remove(&key);
                    take(small, broken, candidate, rule, budget);
                }
            }
        }
    }
}

fn params(case: &Case, place: usize, step: usize) -> Option<&Value> {
    let Op::Run { payload, .. } = case.ops.get(place)? else {
        return None;
    };
    payload["actions"].get(step)?.get("params")
}

fn params_mut(
    case: &mut Case,
    place: usize,
    step: usize,
) -> Option<&mut serde_json::Map<String, Value>> {
    let Op::Run { payload, .. } = case.ops.get_mut(place)? else {
        return None;
    };
    payload["actions"]
        .get_mut(step)?
        .get_mut("params")?
        .as_object_mut()
}

/// Keeps a case as a file of `folder`, named by its rule and seed; gives the file.
///
/// # Errors
/// A sentence that says why the file could not be written.
pub fn keep(folder: &Path, case: &Case, violations: &[Violation]) -> Result<PathBuf, String> {
    let rule = violations
        .first()
        .map_or("nothing", |violation| violation.rule.as_str());
    let name: String = rule
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    // What is wrong is read first.
    let mut json = serde_json::Map::new();
    let why = violations.iter().map(ToString::to_string);
    json.insert("why".to_owned(), why.collect());
    if let Value::Object(case) = case.to_json() {
        json.extend(case);
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join(format!("{name}-{:016x}.json", case.seed));
    let text = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
    fs::write(&path, text + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// The cases that are kept in a folder, each with its file, in the order of their names.
///
/// # Errors
/// A sentence that names the file and what is wrong with it.
pub fn kept(folder: &Path) -> Result<Vec<(PathBuf, Case)>, String> {
    let wrong = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| wrong(folder, &error))? {
        let path = entry.map_err(|error| wrong(folder, &error))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| wrong(&path, &error))?;
        let json: Value = serde_json::from_str(&text).map_err(|error| wrong(&path, &error))?;
        let case = Case::from_json(&json).map_err(|error| wrong(&path, &error))?;
        cases.push((path, case));
    }
    Ok(cases)
}

//! Minimises a failing case: fewer operations, faults, steps and parameters, while the same rule is violated.

use std::fs;
use std::path::{Path, PathBuf};

use driver_sim::{AnimationChoice, PaceChoice};
use serde::Serialize;
use serde_json::Value;

use crate::case::{Case, Op};
use crate::judge::Violation;
use crate::replay::replay;

const MAX_REPLAYS: u32 = 3000;

/// A case that violates a rule, while it is minimised.
struct Shrinker<'a> {
    rule: &'a str,
    case: Case,
    violations: Vec<Violation>,
    replays_left: u32,
}

/// Minimises a case; returns the smallest one found that still violates `rule`, and its violations.
pub fn shrink(case: &Case, rule: &str) -> (Case, Vec<Violation>) {
    let mut shrinker = Shrinker {
        rule,
        case: case.clone(),
        violations: Vec::new(),
        replays_left: MAX_REPLAYS,
    };
    if !shrinker.try_case(case.clone()) {
        return (shrinker.case, Vec::new());
    }
    loop {
        let before = shrinker.case.clone();
        shrinker.remove_ops();
        shrinker.remove_steps();
        shrinker.remove_params();
        if shrinker.case == before || shrinker.replays_left == 0 {
            return (shrinker.case, shrinker.violations);
        }
    }
}

impl Shrinker<'_> {
    /// Accepts a candidate if it still violates the rule.
    fn try_case(&mut self, candidate: Case) -> bool {
        let Some(left) = self.replays_left.checked_sub(1) else {
            return false;
        };
        self.replays_left = left;
        let violations = replay(&candidate).violations;
        let fails = violations
            .iter()
            .any(|violation| violation.rule == self.rule);
        if fails {
            self.case = candidate;
            self.violations = violations;
        }
        fails
    }

    /// Accepts a changed copy of the case if it still violates the rule.
    fn try_change(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut candidate = self.case.clone();
        change(&mut candidate);
        self.try_case(candidate)
    }

    /// Removes halves, quarters and so on of the operations, from the front; then faults and settings.
    fn remove_ops(&mut self) {
        let mut size = self.case.ops.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < self.case.ops.len() {
                let end = (at + size).min(self.case.ops.len());
                let removed = self.try_change(|case| drop(case.ops.drain(at..end)));
                if !removed {
                    at += size;
                }
            }
            size /= 2;
        }
        let mut at = 0;
        while at < self.case.setup.faults.len() {
            let removed = self.try_change(|case| drop(case.setup.faults.remove(at)));
            if !removed {
                at += 1;
            }
        }
        if self.case.setup.animations == AnimationChoice::On {
            self.try_change(|case| case.setup.animations = AnimationChoice::Off);
        }
        if self.case.setup.pace == PaceChoice::Phone {
            self.try_change(|case| case.setup.pace = PaceChoice::Instant);
        }
        if self.case.setup.app.is_some() {
            self.try_change(|case| case.setup.app = None);
        }
    }

    /// Removes steps of plans one at a time, from the end; then cancellation and time limit of the caller.
    fn remove_steps(&mut self) {
        for op in 0..self.case.ops.len() {
            let mut step = self.case.ops.get(op).map_or(0, Op::steps);
            while step > 0 {
                step -= 1;
                let mut candidate = self.case.clone();
                if let Some(Op::Run { payload, .. }) = candidate.ops.get_mut(op)
                    && let Some(actions) = payload["actions"].as_array_mut()
                    && actions.len() > 1
                {
                    actions.remove(step);
                    self.try_case(candidate);
                }
            }
            let mut candidate = self.case.clone();
            if let Some(Op::Run { cancel, budget, .. }) = candidate.ops.get_mut(op)
                && (cancel.is_some() || budget.is_some())
            {
                (*cancel, *budget) = (None, None);
                self.try_case(candidate);
            }
        }
    }

    fn remove_params(&mut self) {
        for op in 0..self.case.ops.len() {
            for step in 0..self.case.ops.get(op).map_or(0, Op::steps) {
                let keys: Vec<String> = params_mut(&mut self.case, op, step)
                    .map(|params| params.keys().cloned().collect())
                    .unwrap_or_default();
                for key in keys {
                    let mut candidate = self.case.clone();
                    if let Some(params) = params_mut(&mut candidate, op, step) {
                        params.remove(&key);
                        self.try_case(candidate);
                    }
                }
            }
        }
    }
}

fn params_mut(
    case: &mut Case,
    op: usize,
    step: usize,
) -> Option<&mut serde_json::Map<String, Value>> {
    let Op::Run { payload, .. } = case.ops.get_mut(op)? else {
        return None;
    };
    payload["actions"]
        .get_mut(step)?
        .get_mut("params")?
        .as_object_mut()
}

/// The file of a case.
#[derive(Serialize)]
struct SavedCase<'a> {
    why: Vec<String>,
    #[serde(flatten)]
    case: &'a Case,
}

/// Saves a case as a file in `folder`, named by its rule and seed; returns the path.
pub fn save_case(folder: &Path, case: &Case, violations: &[Violation]) -> Result<PathBuf, String> {
    let rule = violations
        .first()
        .map_or("nothing", |violation| violation.rule.as_str());
    let name: String = rule
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let saved = SavedCase {
        why: violations.iter().map(ToString::to_string).collect(),
        case,
    };
    fs::create_dir_all(folder).map_err(|error| with_path(folder, &error))?;
    let path = folder.join(format!("{name}-{:016x}.json", case.seed));
    let text = serde_json::to_string_pretty(&saved).map_err(|error| error.to_string())?;
    fs::write(&path, text + "\n").map_err(|error| with_path(&path, &error))?;
    Ok(path)
}

/// Reads a saved case.
pub fn load_case(path: &Path) -> Result<Case, String> {
    let text = fs::read_to_string(path).map_err(|error| with_path(path, &error))?;
    serde_json::from_str(&text).map_err(|error| with_path(path, &error))
}

/// Reads the saved cases of a folder in the order of their file names.
pub fn load_cases(folder: &Path) -> Result<Vec<(PathBuf, Case)>, String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| with_path(folder, &error))? {
        let path = entry.map_err(|error| with_path(folder, &error))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| load_case(&path).map(|case| (path, case)))
        .collect()
}

fn with_path(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

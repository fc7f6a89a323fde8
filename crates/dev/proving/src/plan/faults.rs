//! Chooses the faults of a case: none, one or several.

use std::fmt;

use driver_sim::Fault;
use driver_sim::fault::{FaultRow, Shape, rows};

use super::Planner;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Faults {
    /// A third of the cases has no fault, a third one, a third several.
    #[default]
    Mix,
    None,
    /// Several in every case.
    All,
    /// These in every case, in the syntax of `--sim-fault`.
    Only(Vec<String>),
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Faults::Mix => f.write_str("mix"),
            Faults::None => f.write_str("none"),
            Faults::All => f.write_str("all"),
            Faults::Only(faults) => f.write_str(&faults.join(" and ")),
        }
    }
}

impl Planner {
    /// Chooses the faults of a case, in the syntax of `--sim-fault`.
    pub(super) fn choose_faults(&mut self) -> Vec<String> {
        let choice = self.below(3);
        match (self.faults.clone(), choice) {
            (Faults::None, _) | (Faults::Mix, 0) => Vec::new(),
            (Faults::Only(faults), _) => faults.iter().flat_map(|spec| split(spec)).collect(),
            (Faults::Mix, 1) => vec![self.fault()],
            (Faults::Mix | Faults::All, _) => {
                if self.chance(40) {
                    let percent = self.pick(&["1%", "3%", "8%"]);
                    return split(&format!("chaos {percent}"));
                }
                let count = 2 + self.below(4);
                (0..count).map(|_| self.fault()).collect()
            }
        }
    }

    /// A random fault with some parameters and a trigger.
    fn fault(&mut self) -> String {
        let index = self.below(rows().len() as u64) as usize;
        let Some(row) = rows().get(index) else {
            return String::new();
        };
        let mut spec = row.name.to_owned();
        for param in &row.params {
            if self.chance(50)
                && let Some(value) = self.value(param.name, param.shape)
            {
                spec += &format!(" {}={value}", param.name);
            }
        }
        spec += &self.trigger(row);
        if self.chance(8) {
            spec += &format!(" in {}", self.pick(&super::apps::built_in().packages));
        }
        spec
    }

    fn value(&mut self, name: &str, shape: Shape) -> Option<String> {
        Some(match shape {
            Shape::Time => self.pick(&["0ms", "300ms", "2s"]).to_owned(),
            Shape::Range => self
                .pick(&["16ms", "50ms..300ms", "1s", "500ms..6s"])
                .to_owned(),
            Shape::Count => (1 + self.below(4)).to_string(),
            Shape::Percent => self.pick(&["10%", "30%", "90%"]).to_owned(),
            Shape::Word(words) => self.pick(words).to_owned(),
            Shape::Text if name == "app" => self.package().to_owned(),
            // Text parameters have valid defaults.
            Shape::Text => return None,
        })
    }

    fn trigger(&mut self, row: &FaultRow) -> String {
        let call = 1 + self.below(12);
        let moment = self.pick(&["500ms", "2s", "7s", "30s"]);
        let lasting = self.pick(&["300ms", "1s", "5s"]);
        match self.below(6) {
            0 | 1 => format!(" @{call}"),
            2 => format!(" @{moment}"),
            3 => self.pick(&[" 5%", " 20%"]).to_owned(),
            4 if row.moment => format!(" @{call}"),
            4 => format!(" @{call} for {lasting}"),
            _ => " 30% x3".to_owned(),
        }
    }
}

/// Splits a specification into single faults, so that shrinking can remove one.
fn split(spec: &str) -> Vec<String> {
    match Fault::parse_all(spec) {
        Ok(faults) => faults.iter().map(ToString::to_string).collect(),
        // Invalid specifications are reported when the phone starts.
        Err(_) => vec![spec.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_fault_is_generated_and_parses() {
        let mut planner = Planner::new(1, &Faults::All);
        let mut names = BTreeSet::new();
        for _ in 0..2000 {
            let spec = planner.fault();
            let fault = Fault::parse_all(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
            names.insert(fault[0].kind.name());
        }
        assert_eq!(names, rows().iter().map(|row| row.name).collect());
    }

    #[test]
    fn chaos_splits_into_faults_that_parse() {
        let faults = split("chaos 3%");
        assert!(faults.len() > 20, "{faults:?}");
        for spec in &faults {
            assert_eq!(split(spec), [spec.as_str()]);
        }
    }
}

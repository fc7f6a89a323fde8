//! What goes wrong on the phone of a case: nothing, one thing, or several, as the seed has it.

use std::fmt;

use driver_sim::Fault;
use driver_sim::fault::{FaultRow, Shape, rows};

use super::Planner;

/// Which faults the phones of a proof have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Faults {
    /// A third of the cases has none, a third has one at some trigger, a third has several.
    #[default]
    Mix,
    /// None.
    None,
    /// Every case has several.
    All,
    /// Every case has these, each as `--sim-fault` takes it.
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
    /// The faults of this case, each as a flag takes it.
    pub(super) fn faults_of_case(&mut self) -> Vec<String> {
        let share = self.below(3);
        match (self.faults.clone(), share) {
            (Faults::None, _) | (Faults::Mix, 0) => Vec::new(),
            (Faults::Only(faults), _) => faults.iter().flat_map(|spec| single(spec)).collect(),
            (Faults::Mix, 1) => vec![self.fault()],
            (Faults::Mix | Faults::All, _) => {
                if self.chance(40) {
                    let percent = self.pick(&["1%", "3%", "8%"]);
                    return single(&format!("chaos {percent}"));
                }
                let count = 2 + self.below(4);
                (0..count).map(|_| self.fault()).collect()
            }
        }
    }

    /// Any one fault, with some of its parameters, at some trigger.
    fn fault(&mut self) -> String {
        let place = self.below(rows().len() as u64) as usize;
        let Some(row) = rows().get(place) else {
            return String::new();
        };
        let mut spec = row.name.to_owned();
        for param in row.params {
            if self.chance(50)
                && let Some(value) = self.value(param.name, param.shape)
            {
                spec += &format!(" {}={value}", param.name);
            }
        }
        spec += &self.trigger(row);
        if self.chance(8) {
            spec += &format!(" in {}", self.pick(&super::apps::all().packages));
        }
        spec
    }

    fn value(&mut self, name: &str, shape: Shape) -> Option<String> {
        Some(match shape {
            Shape::Time => self.pick(&["0ms", "300ms", "2s"]).to_owned(),
            Shape::Range => self
                .pick(&["16ms", "50ms..300ms", "1s", "500ms..6s"])
                .to_owned(),
            Shape::Jump => self.pick(&["1h", "-1h", "-30s", "48h"]).to_owned(),
            Shape::Count => (1 + self.below(4)).to_string(),
            Shape::Percent => self.pick(&["10%", "30%", "90%"]).to_owned(),
            Shape::Word(words) => self.pick(words).to_owned(),
            Shape::Text if name == "app" => self.package().to_owned(),
            // Texts that name something have a default that exists.
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

/// The single faults that a text stands for, so that a case can be made smaller by one of them.
fn single(spec: &str) -> Vec<String> {
    match Fault::parse_all(spec) {
        Ok(faults) => faults.iter().map(ToString::to_string).collect(),
        // What cannot be read is told where the phone starts.
        Err(_) => vec![spec.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_fault_is_planned_and_every_plan_is_one() {
        let mut planner = Planner::new(1, None, &Faults::All);
        let mut names = BTreeSet::new();
        for _ in 0..2000 {
            let spec = planner.fault();
            let fault = Fault::parse_all(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
            names.insert(fault[0].kind.name());
        }
        assert_eq!(names, rows().iter().map(|row| row.name).collect());
    }

    #[test]
    fn chaos_falls_apart_into_faults_that_are_read_back() {
        let faults = single("chaos 3%");
        assert!(faults.len() > 20, "{faults:?}");
        for spec in &faults {
            assert_eq!(single(spec), [spec.as_str()]);
        }
    }
}

//! Running a plan with the Operator app: steps of this computer, broadcasts to the app, and their results.

mod answer;
pub(crate) mod compat;
pub(crate) mod plan;
mod run;

pub(crate) use run::run;

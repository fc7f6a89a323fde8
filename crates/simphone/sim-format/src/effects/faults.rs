//! Reads faults in app files.

use crate::fault::{Fault, wrong};
use crate::reader::{Located, Reader};
use crate::yaml::Yaml;

/// Reads one fault or a list; `chaos` gives several.
pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for entry in at.entries() {
        let read = match &entry.node.value {
            Yaml::Text(spec) => Fault::parse_all(spec),
            other => Err(wrong(format_args!(
                "expected a fault such as `crash @4`, found {}",
                other.noun()
            ))),
        };
        match read {
            Ok(read) => faults.extend(read),
            Err(error) => reader.problem(&entry, error),
        }
    }
    if let Err(error) = Fault::check_count(faults.len()) {
        reader.problem(at, error);
    }
    faults
}

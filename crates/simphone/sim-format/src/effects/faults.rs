//! Reads faults in app files, as text or as mappings.

use crate::fault::{Argument, Fault, build, named, wrong};
use crate::reader::{Located, Reader};
use crate::yaml::Yaml;

/// The key of a mapping that names the fault.
const NAME: &str = "fault";

pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Vec<Fault> {
    let faults: Vec<Fault> = at
        .entries()
        .iter()
        .flat_map(|entry| read_one(reader, entry))
        .collect();
    if let Err(error) = Fault::check_count(faults.len()) {
        reader.problem(at, error);
    }
    faults
}

/// Reads one entry, a text or a mapping; `chaos` gives several faults.
fn read_one(reader: &mut Reader, at: &Located<'_>) -> Vec<Fault> {
    let read = match &at.node.value {
        Yaml::Text(spec) => Fault::parse_all(spec),
        Yaml::Map(entries) => {
            let mut name = None;
            let mut given = Vec::new();
            let mut odd = None;
            for (key, node) in entries {
                let value = match &node.value {
                    Yaml::Text(text) => text.to_string(),
                    Yaml::Number(_) | Yaml::Bool(_) => node.raw.to_string(),
                    other @ (Yaml::Null | Yaml::List(_) | Yaml::Map(_)) => {
                        odd.get_or_insert_with(|| {
                            wrong(format_args!(
                                "`{}`: expected a text, found {}",
                                &**key,
                                other.noun()
                            ))
                        });
                        continue;
                    }
                };
                if &**key == NAME {
                    name = Some(value);
                } else {
                    given.push(Argument {
                        name: Some(key),
                        value,
                    });
                }
            }
            match (odd, name) {
                (Some(odd), _) => Err(odd),
                (None, None) => Err(wrong("`fault` is missing: the name of the fault")),
                (None, Some(name)) => named(&name)
                    .and_then(|row| build(row, &given))
                    .map(|fault| vec![fault]),
            }
        }
        other => Err(wrong(format_args!(
            "expected a fault such as `crash @4`, found {}",
            other.noun()
        ))),
    };
    read.unwrap_or_else(|error| {
        reader.problem(at, error);
        Vec::new()
    })
}

//! A point on the screen.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    limits,
    number::format_number,
    problem::{Findings, Path},
    read::{self, Keys},
    words::words,
};

/// A point on the screen, in device pixels from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Coordinate {
    /// Pixels from the left edge.
    #[schemars(range(min = 0, max = limits::MAX_COORDINATE))]
    pub x: u32,
    /// Pixels from the top edge.
    #[schemars(range(min = 0, max = limits::MAX_COORDINATE))]
    pub y: u32,
}

words! {
    /// The keys of a coordinate.
    pub enum CoordinateKey {
        /// Pixels from the left edge.
        X = "x",
        /// Pixels from the top edge.
        Y = "y",
    }
}

impl Coordinate {
    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<CoordinateKey>::resolve(map, path, findings);
        let axis = |key, findings: &mut Findings| {
            let (taken, place) = keys.require(key, path, findings);
            taken
                .and_then(|value| pixels(value, &place, findings))
                .required()
        };
        let x = axis(CoordinateKey::X, findings);
        let y = axis(CoordinateKey::Y, findings);
        let strict = !keys.has_unknown();
        keys.refuse_unknown(path, findings, read::unexplained);
        if !strict {
            return None;
        }
        Some(Self { x: x?, y: y? })
    }
}

fn pixels(value: &Value, path: &Path, findings: &mut Findings) -> Option<u32> {
    let number = read::number(value, path, findings)?;
    let pixels = read::whole_in(number, 0, limits::MAX_COORDINATE);
    if pixels.is_none() {
        let given = format_number(number);
        findings.malformed(
            path,
            format_args!("must be a whole number of pixels from 0, not {given}"),
        );
    }
    pixels
}

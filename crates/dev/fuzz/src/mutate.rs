//! Mutations of inputs: of bytes, and of JSON values.

use driver_sim::SeededRng;
use serde_json::{Map, Value, json};

/// Texts that parsers often mishandle.
const UNUSUAL_TEXTS: &[&str] = &[
    "",
    " ",
    "\0",
    "\n",
    "\u{202e}",
    "\u{feff}",
    "😀",
    "\u{1b}[2J",
    "\"",
    "'",
    "\\",
    "]",
    "{",
    "<",
    "&#0;",
    "-1",
    "0",
    "1e400",
    "18446744073709551616",
    "../../x",
    "%00",
    "${x}",
    "--",
    "a b",
    "1st",
    "#x",
    ".",
    "*",
    "登录",
];

/// A number below `end`; 0 for an empty range.
pub(crate) fn below(rng: &mut SeededRng, end: usize) -> usize {
    usize::try_from(rng.below(end as u64)).unwrap_or(0)
}

pub(crate) fn pick<'a, T>(rng: &mut SeededRng, items: &'a [T]) -> &'a T {
    &items[below(rng, items.len())]
}

/// A random text that parsers often mishandle; sometimes a long one.
pub(crate) fn unusual_text(rng: &mut SeededRng) -> String {
    let text = pick(rng, UNUSUAL_TEXTS);
    match rng.below(12) {
        0 => text.repeat(700),
        1 => format!("{text}{}", pick(rng, UNUSUAL_TEXTS)),
        _ => (*text).to_owned(),
    }
}

/// A random seed with a few mutations; `pieces` are tokens of the format.
pub(crate) fn mutated(rng: &mut SeededRng, seeds: &[Vec<u8>], pieces: &[&str]) -> Vec<u8> {
    let mut bytes = pick(rng, seeds).clone();
    for _ in 0..=rng.below(4) {
        let at = below(rng, bytes.len() + 1);
        let end = (at + 1 + below(rng, 40)).min(bytes.len());
        match rng.below(9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].repeat(1 + below(rng, 30));
                bytes.splice(at..at, copy);
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
            4 => {
                let noise: Vec<u8> = (0..rng.below(8))
                    .map(|_| rng.next().to_le_bytes()[0])
                    .collect();
                bytes.splice(at..at, noise);
            }
            5 => {
                let other = pick(rng, seeds);
                let from = below(rng, other.len() + 1);
                let to = (from + below(rng, 200)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            6 => drop(bytes.splice(at..end, unusual_text(rng).into_bytes())),
            _ => drop(bytes.splice(at..at, pick(rng, pieces).bytes())),
        }
    }
    bytes
}

/// Mutates a few parts of a value.
pub(crate) fn mutate_json(rng: &mut SeededRng, value: &mut Value) {
    for _ in 0..=rng.below(3) {
        let spare = part(rng, value).clone();
        let part = part(rng, value);
        *part = match rng.below(8) {
            0 => Value::String(unusual_text(rng)),
            1 => json!(pick(
                rng,
                &[
                    0.0,
                    -1.0,
                    0.5,
                    1e300,
                    4_294_967_296.0,
                    9_007_199_254_740_993.0
                ]
            )),
            2 => pick(rng, &[Value::Null, json!(true), json!([]), json!({})]).clone(),
            3 => Value::Array(vec![spare; 1 + below(rng, 130)]),
            4 => Value::Object(Map::from_iter([(unusual_text(rng), spare)])),
            _ => spare,
        };
    }
    if let Value::Object(fields) = part(rng, value) {
        let keys: Vec<String> = fields.keys().cloned().collect();
        if !keys.is_empty() {
            let key = pick(rng, &keys).clone();
            let taken = fields.remove(&key).unwrap_or_default();
            match rng.below(3) {
                0 => drop(fields.insert(unusual_text(rng), taken)),
                1 => drop(fields.insert(key.to_uppercase(), taken)),
                _ => {}
            }
        }
    }
}

/// A random part of a value, or the value itself.
fn part<'a>(rng: &mut SeededRng, value: &'a mut Value) -> &'a mut Value {
    let size = match &*value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if size == 0 || rng.below(4) == 0 {
        return value;
    }
    let at = below(rng, size);
    match value {
        Value::Array(items) => part(rng, &mut items[at]),
        Value::Object(fields) => match fields.values_mut().nth(at) {
            Some(inside) => part(rng, inside),
            None => unreachable!("the index is below the number of fields"),
        },
        leaf => leaf,
    }
}

/// A random seed of JSON lines with mutated values or mutated bytes.
pub(crate) fn mutated_json(rng: &mut SeededRng, seeds: &[Vec<u8>]) -> Vec<u8> {
    if rng.below(3) == 0 {
        let pieces = [
            "{", "}", "[", "]", "\"", ",", ":", "\\u0000", "\\ud800", "null", "1e999", "-0", "//",
            "\n",
        ];
        return mutated(rng, seeds, &pieces);
    }
    let text = String::from_utf8_lossy(pick::<Vec<u8>>(rng, seeds)).into_owned();
    // A seed is one document, or one on each line.
    let whole = serde_json::from_str(&text).map(|value: Value| vec![value]);
    let mut values = whole.unwrap_or_else(|_| {
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    });
    if !values.is_empty() {
        let at = below(rng, values.len());
        mutate_json(rng, &mut values[at]);
    }
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    lines.join("\n").into_bytes()
}

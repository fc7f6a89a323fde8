//! Mutations of inputs: of bytes, and of JSON values.

use driver_sim::Dice;
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
pub(crate) fn below(dice: &mut Dice, end: usize) -> usize {
    usize::try_from(dice.below(end as u64)).unwrap_or(0)
}

/// A random item.
pub(crate) fn pick<'a, T>(dice: &mut Dice, items: &'a [T]) -> &'a T {
    &items[below(dice, items.len())]
}

/// A random text that parsers often mishandle; sometimes a long one.
pub(crate) fn unusual_text(dice: &mut Dice) -> String {
    let text = pick(dice, UNUSUAL_TEXTS);
    match dice.below(12) {
        0 => text.repeat(700),
        1 => format!("{text}{}", pick(dice, UNUSUAL_TEXTS)),
        _ => (*text).to_owned(),
    }
}

/// A random seed with a few mutations; `pieces` are tokens of the format.
pub(crate) fn damaged(dice: &mut Dice, seeds: &[Vec<u8>], pieces: &[&str]) -> Vec<u8> {
    let mut bytes = pick(dice, seeds).clone();
    for _ in 0..=dice.below(4) {
        let at = below(dice, bytes.len() + 1);
        let end = (at + 1 + below(dice, 40)).min(bytes.len());
        match dice.below(9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].repeat(1 + below(dice, 30));
                bytes.splice(at..at, copy);
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            4 => {
                let noise: Vec<u8> = (0..dice.below(8))
                    .map(|_| dice.next().to_le_bytes()[0])
                    .collect();
                bytes.splice(at..at, noise);
            }
            5 => {
                let other = pick(dice, seeds);
                let from = below(dice, other.len() + 1);
                let to = (from + below(dice, 200)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            6 => drop(bytes.splice(at..end, unusual_text(dice).into_bytes())),
            _ => drop(bytes.splice(at..at, pick(dice, pieces).bytes())),
        }
    }
    bytes
}

/// Mutates a few parts of a value.
pub(crate) fn damage_json(dice: &mut Dice, value: &mut Value) {
    for _ in 0..=dice.below(3) {
        let spare = part(dice, value).clone();
        let part = part(dice, value);
        *part = match dice.below(8) {
            0 => Value::String(unusual_text(dice)),
            1 => json!(pick(
                dice,
                &[
                    0.0,
                    -1.0,
                    0.5,
                    1e300,
                    4_294_967_296.0,
                    9_007_199_254_740_993.0
                ]
            )),
            2 => pick(dice, &[Value::Null, json!(true), json!([]), json!({})]).clone(),
            3 => Value::Array(vec![spare; 1 + below(dice, 130)]),
            4 => Value::Object(Map::from_iter([(unusual_text(dice), spare)])),
            _ => spare,
        };
    }
    if let Value::Object(fields) = part(dice, value) {
        let keys: Vec<String> = fields.keys().cloned().collect();
        if !keys.is_empty() {
            let key = pick(dice, &keys).clone();
            let taken = fields.remove(&key).unwrap_or_default();
            match dice.below(3) {
                0 => drop(fields.insert(unusual_text(dice), taken)),
                1 => drop(fields.insert(key.to_uppercase(), taken)),
                _ => {}
            }
        }
    }
}

/// A random part of a value, or the value itself.
fn part<'a>(dice: &mut Dice, value: &'a mut Value) -> &'a mut Value {
    let size = match &*value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if size == 0 || dice.below(4) == 0 {
        return value;
    }
    let at = below(dice, size);
    match value {
        Value::Array(items) => part(dice, &mut items[at]),
        Value::Object(fields) => match fields.values_mut().nth(at) {
            Some(inside) => part(dice, inside),
            None => unreachable!("the index is below the number of fields"),
        },
        leaf => leaf,
    }
}

/// A random seed of JSON lines with mutated values or mutated bytes.
pub(crate) fn damaged_json(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    if dice.below(3) == 0 {
        let pieces = [
            "{", "}", "[", "]", "\"", ",", ":", "\\u0000", "\\ud800", "null", "1e999", "-0", "//",
            "\n",
        ];
        return damaged(dice, seeds, &pieces);
    }
    let text = String::from_utf8_lossy(pick::<Vec<u8>>(dice, seeds)).into_owned();
    // A seed is one document, or one on each line.
    let whole = serde_json::from_str(&text).map(|value: Value| vec![value]);
    let mut values = whole.unwrap_or_else(|_| {
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    });
    if !values.is_empty() {
        let at = below(dice, values.len());
        damage_json(dice, &mut values[at]);
    }
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    lines.join("\n").into_bytes()
}

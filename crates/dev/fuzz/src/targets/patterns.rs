//! Patterns: matching ends within its budget and agrees with another ECMAScript engine.

use driver_sim::SeededRng;
use pattern::{Budget, Pattern};

use super::promise;
use crate::Target;
use crate::mutate::{mutated, pick};

/// Separates a pattern from the text to match.
const SEPARATOR: char = '\u{1f}';

const ATOMS: &[&str] = &[
    "a", "b", "A", "1", " ", ".", "\\d", "\\w", "\\W", "\\s", "[ab]", "[^a]", "[a-c1]", "[\\w-]",
    "[^]", "[]", "\\x61", "\\0", "\\cA", "\\141", "ä", "😀", "^", "$", "\\b", "\\B", "\\1", "\\2",
    "\\k<n>", "ß", "\n",
];
const QUANTIFIERS: &[&str] = &[
    "*", "+", "?", "{2}", "{1,2}", "{0,3}", "*?", "+?", "??", "{1,}?", "{,2}",
];
const GROUPS: &[&str] = &[
    "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?s:", "(?<n>",
];
const TEXTS: &[&str] = &["a", "b", "A", "B", "1", " ", "ä", "Ä", "😀", "\n", "ß", "x"];

pub(super) const PATTERNS: Target = Target {
    name: "patterns",
    seeds: || {
        let real = [
            "v?\\d+(?:\\.\\d+){1,3}",
            "(?<y>\\d{4})-\\d\\d\\k<y>",
            "(?=.*[A-Z])(?!.*\\.\\.)[\\w.+-]+@\\w+",
            "(?:(?:a|b)+)*c",
            "(?i:yes|no)\\b",
            "(?<=\\$)\\d+|[^]*?",
        ];
        real.iter()
            .map(|pattern| format!("{pattern}{SEPARATOR}1.2.3").into_bytes())
            .collect()
    },
    make: |rng, seeds| {
        if rng.below(3) == 0 {
            let pieces = [ATOMS, QUANTIFIERS, GROUPS, &["|", ")", "\\", "{", "}"]].concat();
            return mutated(rng, seeds, &pieces);
        }
        let mut made = String::new();
        random_pattern(rng, 4, &mut made);
        made.push(SEPARATOR);
        for _ in 0..rng.below(9) {
            made.push_str(pick::<&str>(rng, TEXTS));
        }
        made.into_bytes()
    },
    check,
};

fn random_pattern(rng: &mut SeededRng, depth: u32, into: &mut String) {
    for part in 0..=rng.below(3) {
        if part > 0 && rng.below(4) == 0 {
            into.push('|');
        }
        if depth > 0 && rng.below(2) == 0 {
            into.push_str(pick::<&str>(rng, GROUPS));
            random_pattern(rng, depth - 1, into);
            into.push(')');
        } else {
            into.push_str(pick::<&str>(rng, ATOMS));
        }
        if rng.below(3) == 0 {
            into.push_str(pick::<&str>(rng, QUANTIFIERS));
        }
    }
}

fn check(input: &[u8]) -> Result<(), String> {
    let input = String::from_utf8_lossy(input);
    let (source, text) = input.split_once(SEPARATOR).unwrap_or((&input, ""));
    // The limit of patterns in plans.
    if source.chars().count() > 512 {
        return Ok(());
    }
    let theirs = regress::Regex::new(&format!("^(?:{source})$"));
    let ours = match Pattern::new(source) {
        Ok(ours) => ours,
        Err(error) => {
            // The other engine accepts repeated word boundaries, some repeated names, deeper nesting and more names.
            let problem = error.to_string();
            let stricter = [
                "nothing to repeat",
                "too deeply",
                "no valid name",
                "parenthesis",
                "\\k",
                "same name",
            ];
            let known = stricter.iter().any(|known| problem.contains(known));
            return promise(theirs.is_err() || known, || {
                format!("only the other engine accepts it: {error}")
            });
        }
    };
    let mut budget = Budget::new(20_000);
    let Ok(found) = ours.matches_whole(text, &mut budget) else {
        // The other engine has no step limit.
        return Ok(());
    };
    // The other engine accepts \\u{+1} as a code point. It cannot be stopped, so it gets only short input.
    let quantifiers = source
        .replace("(?", "")
        .matches(['*', '+', '?', '{'])
        .count();
    // A repeated empty alternative makes it use memory without limit.
    let empty_alternative = ["||", "(|", ":|", "|)"];
    let endless = empty_alternative.iter().any(|part| source.contains(part));
    if source.contains("\\u") || text.chars().count() > 10 || quantifiers > 3 || endless {
        return Ok(());
    }
    // It resolves a reference to its own open group, which is empty in ECMAScript.
    if refers_to_open_group(source) {
        return Ok(());
    }
    let theirs = theirs.map_err(|error| format!("only this engine accepts it: {error}"))?;
    promise(theirs.find(text).is_some() == found, || {
        format!("{source:?} on {text:?}: {found}, the other engine disagrees")
    })
}

/// Whether a back reference is inside its own group. Any reference by name counts.
fn refers_to_open_group(source: &str) -> bool {
    let mut open = Vec::new();
    let (mut groups, mut in_class) = (0, false);
    let mut rest = source.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => match rest.next() {
                Some('k') if !in_class => return true,
                Some(digit @ '1'..='9') if !in_class && open.contains(&digit.to_digit(10)) => {
                    return true;
                }
                _ => {}
            },
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let captures = !rest.as_str().starts_with('?') || is_named(rest.as_str());
                groups += u32::from(captures);
                open.push(captures.then_some(groups));
            }
            ')' if !in_class => {
                open.pop();
            }
            _ => {}
        }
    }
    false
}

/// Whether the text after `(` starts a named group.
fn is_named(rest: &str) -> bool {
    rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!")
}

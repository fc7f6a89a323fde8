//! An independent CSS matcher: parses selectors and finds their matches.

use dom::{Dom, ElementId, ScopeId};

enum Part {
    Tag(String),
    Id(String),
    Class(String),
    Attribute(String, Operator, String),
    Nth(u32),
    /// A descendant matches.
    Has(Vec<Part>),
    Host,
}

enum Operator {
    Equal,
    Begins,
}

/// A compound, and whether the one before it is its parent (`true`) or any ancestor.
struct Step {
    parent: bool,
    parts: Vec<Part>,
}

/// The elements that a selector chain matches, in document order.
pub(crate) fn hits(dom: &Dom, chain: &str) -> Vec<ElementId> {
    let mut scopes: Vec<ScopeId> = vec![dom.element(dom.get(0).unwrap()).scope];
    let parts: Vec<&str> = chain.split(" >>> ").collect();
    let mut found = Vec::new();
    for (at, css) in parts.iter().enumerate() {
        let steps = parse(css);
        found = dom
            .ids()
            .filter(|id| scopes.contains(&dom.element(*id).scope))
            .filter(|id| matches(dom, *id, &steps))
            .collect();
        if at + 1 < parts.len() {
            let hosted = (0..dom.scopes().len()).filter(|scope| {
                dom.scopes()[*scope]
                    .host
                    .is_some_and(|host| found.contains(&host))
            });
            scopes = dom
                .ids()
                .map(|id| dom.element(id).scope)
                .filter(|scope| hosted.clone().any(|other| other == scope.index()))
                .collect();
        }
    }
    found
}

fn matches(dom: &Dom, id: ElementId, steps: &[Step]) -> bool {
    let Some((last, before)) = steps.split_last() else {
        return true;
    };
    let element = dom.element(id);
    if !fits(dom, id, &last.parts) {
        return false;
    }
    if before.is_empty() {
        return true;
    }
    let mut around = dom
        .ancestors(id)
        .take_while(|other| dom.element(*other).scope == element.scope);
    if last.parent {
        let of_host = matches!(before, [Step { parts, .. }] if matches!(parts[..], [Part::Host]));
        match around.next() {
            Some(parent) => !of_host && matches(dom, parent, before),
            // The parent at the top of a shadow tree is its host.
            None => of_host,
        }
    } else {
        around.any(|other| matches(dom, other, before))
    }
}

fn fits(dom: &Dom, id: ElementId, parts: &[Part]) -> bool {
    let element = dom.element(id);
    parts.iter().all(|part| match part {
        Part::Tag(tag) => tag == "*" || *element.tag == *tag,
        Part::Id(wanted) => element.attribute("id") == Some(wanted),
        Part::Class(wanted) => element.classes().any(|class| class == wanted),
        Part::Attribute(name, Operator::Equal, value) => element.attribute(name) == Some(value),
        Part::Attribute(name, Operator::Begins, value) => element
            .attribute(name)
            .is_some_and(|other| other.starts_with(value.as_str())),
        Part::Nth(place) => element.position == *place,
        Part::Has(inside) => dom
            .subtree(id)
            .skip(1)
            .any(|other| dom.element(other).scope == element.scope && fits(dom, other, inside)),
        Part::Host => false,
    })
}

fn parse(css: &str) -> Vec<Step> {
    let mut rest = css;
    let mut steps = Vec::new();
    let mut parent = false;
    loop {
        let (parts, after) = compound(rest);
        assert!(!parts.is_empty(), "{css:?} at {rest:?}");
        steps.push(Step { parent, parts });
        if after.is_empty() {
            return steps;
        }
        let gap = after.trim_start();
        assert!(gap.len() < after.len(), "{css:?} at {after:?}");
        parent = gap.starts_with("> ");
        rest = gap.strip_prefix("> ").unwrap_or(gap);
    }
}

fn compound(css: &str) -> (Vec<Part>, &str) {
    let mut parts = Vec::new();
    let mut rest = css;
    loop {
        let Some(first) = rest.chars().next() else {
            return (parts, rest);
        };
        match first {
            ' ' | ')' => return (parts, rest),
            '*' => {
                parts.push(Part::Tag("*".to_owned()));
                rest = &rest[1..];
            }
            '#' => {
                let (word, after) = identifier(&rest[1..]);
                parts.push(Part::Id(word));
                rest = after;
            }
            '.' => {
                let (word, after) = identifier(&rest[1..]);
                parts.push(Part::Class(word));
                rest = after;
            }
            '[' => {
                let (name, after) = identifier(&rest[1..]);
                let (operator, after) = match after.strip_prefix("^=") {
                    Some(after) => (Operator::Begins, after),
                    None => (Operator::Equal, after.strip_prefix('=').unwrap()),
                };
                let (value, after) = string(after);
                parts.push(Part::Attribute(name, operator, value));
                rest = after.strip_prefix(']').unwrap();
            }
            ':' => {
                if let Some(after) = rest.strip_prefix(":host") {
                    parts.push(Part::Host);
                    rest = after;
                } else if let Some(after) = rest.strip_prefix(":has(") {
                    let (inside, after) = compound(after);
                    parts.push(Part::Has(inside));
                    rest = after.strip_prefix(')').unwrap();
                } else {
                    let after = rest.strip_prefix(":nth-child(").unwrap();
                    let (place, after) = after.split_once(')').unwrap();
                    parts.push(Part::Nth(place.parse().unwrap()));
                    rest = after;
                }
            }
            _ => {
                let (word, after) = identifier(rest);
                assert!(!word.is_empty(), "{rest:?}");
                parts.push(Part::Tag(word));
                rest = after;
            }
        }
    }
}

/// An escape, after the backslash.
fn escape(css: &str) -> (char, &str) {
    let digits: String = css
        .chars()
        .take(6)
        .take_while(char::is_ascii_hexdigit)
        .collect();
    if digits.is_empty() {
        let c = css.chars().next().unwrap();
        return (c, &css[c.len_utf8()..]);
    }
    let after = &css[digits.len()..];
    let c = char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap();
    (c, after.strip_prefix(' ').unwrap_or(after))
}

fn identifier(css: &str) -> (String, &str) {
    let mut word = String::new();
    let mut rest = css;
    assert!(!css.starts_with(|c: char| c.is_ascii_digit()), "{css:?}");
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            let (c, after) = escape(&rest[1..]);
            word.push(c);
            rest = after;
        } else if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() {
            word.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            break;
        }
    }
    (word, rest)
}

fn string(css: &str) -> (String, &str) {
    let mut value = String::new();
    let mut rest = css.strip_prefix('"').unwrap();
    loop {
        let c = rest.chars().next().unwrap();
        match c {
            '"' => return (value, &rest[1..]),
            '\\' => {
                let (c, after) = escape(&rest[1..]);
                value.push(c);
                rest = after;
            }
            c => {
                assert_ne!(c, '\n');
                value.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
}

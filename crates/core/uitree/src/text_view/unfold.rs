//! The elements of a written line, as they are on a line that controls share: each with its role, first name and states.

/// The elements of a line that all have references; empty for any other line.
pub(super) fn elements(line: &str) -> Vec<String> {
    let mut tokens = tokens(line.trim_start()).into_iter().peekable();
    let Some(role) = tokens.next_if(|token| !token.contains('"')) else {
        return Vec::new();
    };
    let mut elements = Vec::new();
    let mut element = role.to_owned();
    let mut is_named = false;
    for token in tokens {
        let is_name = token.ends_with('"');
        if is_name && is_named || token.starts_with('#') {
            continue;
        }
        is_named |= is_name;
        element.push(' ');
        element.push_str(token);
        if is_reference(token) {
            elements.push(std::mem::replace(&mut element, role.to_owned()));
            is_named = false;
        }
    }
    match element == role {
        true => elements,
        false => Vec::new(),
    }
}

/// The elements of a line that several share, where each is written whole: its names first, then its states and its
/// reference. Empty for any other line.
pub(super) fn shared_elements(line: &str) -> Vec<String> {
    let tokens = tokens(line.trim_start());
    let Some((role, rest)) = tokens.split_first().filter(|(role, _)| !role.contains('"')) else {
        return Vec::new();
    };
    let elements: Vec<&[&str]> = rest.split_inclusive(|token| is_reference(token)).collect();
    let is_whole = |element: &&[&str]| {
        let mut states = element.iter().skip_while(|token| token.ends_with('"'));
        let names = element.len() - states.clone().count();
        element.last().is_some_and(|last| is_reference(last))
            && element
                .iter()
                .take(names)
                .skip(1)
                .all(|name| name.starts_with("label="))
            && states.all(|token| !token.ends_with('"') && !token.starts_with('#'))
    };
    match elements.len() > 1 && elements.iter().all(is_whole) {
        true => elements
            .iter()
            .map(|element| format!("{role} {}", element.join(" ")))
            .collect(),
        false => Vec::new(),
    }
}

/// A line without its references.
pub(super) fn without_references(line: &str) -> String {
    let tokens = tokens(line.trim_start());
    let rest: Vec<&str> = tokens
        .into_iter()
        .filter(|token| !is_reference(token))
        .collect();
    rest.join(" ")
}

fn is_reference(token: &str) -> bool {
    token.strip_prefix('e').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The words of a line; a quoted text is part of one.
fn tokens(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let words = line.split(move |c: char| {
        let ends = c == ' ' && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_a_shared_line_are_those_of_single_lines() {
        let shared = elements(" button \"☆\" selected e4 \"a \\\" e1 b\" e5");
        assert_eq!(
            shared,
            ["button \"☆\" selected e4", "button \"a \\\" e1 b\" e5"]
        );
        assert_eq!(
            elements("button \"☆\" label=\"Star it\" #star selected e4"),
            shared[..1]
        );
        assert_eq!(
            elements("checkbox unchecked e77"),
            ["checkbox unchecked e77"]
        );
        for line in ["text \"e5\" \"b\"", "\"a\" e5", "button \"a\" e5 \"b\"", ""] {
            assert_eq!(elements(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn lines_that_say_more_are_not_shared() {
        assert_eq!(
            shared_elements(" tab \"A\" label=\"a b\" selected e1 \"B\" e2 e3"),
            [
                "tab \"A\" label=\"a b\" selected e1",
                "tab \"B\" e2",
                "tab e3"
            ]
        );
        for line in [
            "tab \"A\" selected e1",
            "row \"A\" e1 button \"B\" e2",
            "row \"A\" e1 \"B\" \"C\" e2",
            "button \"A\" #a e1 \"B\" e2",
            "switch \"A\" e1 unchecked text \"B\" e2",
        ] {
            assert_eq!(shared_elements(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn references_are_left_out() {
        assert_eq!(
            without_references("  button \"e7 is\" e4 \"b\" e55 each"),
            "button \"e7 is\" \"b\" each"
        );
    }
}

//! Corner cases of ECMAScript in which engines differ, and invalid patterns.

use pattern::Pattern;

use crate::matches;

#[test]
fn repetition_clears_its_groups() {
    assert!(matches(r"(?:(a)|b)*\1", "ab"));
    assert!(!matches(r"(?:(a)|b)*\1", "abx"));
    assert!(matches(r"(?:(a)|(b))*\1\2", "abb"));
    assert!(matches(r"(z)((a+)?(b+)?(c))*\4", "zaacbbbcac"));
}

#[test]
fn back_reference_to_unmatched_group_matches_empty_text() {
    assert!(matches(r"(a)?\1b", "b"));
    assert!(matches(r"\1(a)", "a"));
    assert!(matches(r"(?<x>a)|b\k<x>", "b"));
    assert!(matches(r"(a\1)", "a"));
    // Node 20 agrees.
    assert!(matches(r"((?:a|\1)b)", "ab"));
    assert!(!matches(r"((?:a|\1)b)", "abb"));
}

#[test]
fn captures_survive_positive_lookahead_only() {
    assert!(matches(r"(?=(a+))a*b\1", "aabaa"));
    assert!(!matches(r"(?=(a+))a*b\1", "aaba"));
    assert!(matches(r"(?!(b))\1a", "a"));
    assert!(matches(r"(?=(a))?b", "b"));
}

#[test]
fn lookbehind_matches_backward() {
    assert!(matches(r"\$12(?<=\$(\d+))\1", "$1212"));
    assert!(matches(r"12(?<=(\d+)(\d+))\1\2", "1212"));
    assert!(matches(r".b(?<=\1(a|b))", "bb"));
    assert!(matches(r"abb(?<=\1(b))", "abb"));
    assert!(matches(r"10(?<!\$\d*)", "10"));
    assert!(!matches(r"\$10(?<!\$\d*)", "$10"));
    assert!(matches(r"(?<=^)a", "a"));
}

#[test]
fn alternatives_may_share_a_group_name() {
    let date = r"(?<year>\d{4})-\d\d|\d\d/(?<year>\d{4})\k<year>";
    assert!(matches(date, "12/20242024"));
    assert!(!matches(date, "12/20242025"));
    assert!(matches(date, "2024-12"));
}

#[test]
fn patterns_match_code_points() {
    assert!(matches(".", "😀"));
    assert!(matches("[😀-😎]{2}", "😀😃"));
    assert!(matches(r"\u{1F600}|x", "😀"));
    assert!(matches(r"\ud83d\ude00", "😀"));
    assert!(!matches(r"\ud83d.*", "😀"));
    assert!(matches(r"[^]", "\n"));
    assert!(!matches("[]", "a"));
    assert!(!matches(".", "\u{2028}"));
}

#[test]
fn modifiers_apply_inside_their_group_only() {
    assert!(matches("(?i:straße)", "STRAßE"));
    assert!(matches("(?i:[a-z]+)", "ABC"));
    assert!(!matches("(?i:a)b", "AB"));
    assert!(matches("(?i:(?-i:a)b)", "aB"));
    assert!(matches("(?s:.)", "\n"));
    assert!(matches("(?m:^a$\n^b$)", "a\nb"));
    assert!(matches(r"(?i:(a)\1)", "aA"));
    assert!(!matches("(?i:[^a])", "A"));
    assert!(matches("(?i:σ)", "ς"));
    assert!(!matches("(?i:k)", "\u{212A}"));
}

#[test]
fn annex_b_syntax_is_accepted() {
    for (pattern, text) in [
        ("{", "{"),
        ("a{,2}", "a{,2}"),
        ("]}", "]}"),
        (r"\8\9", "89"),
        (r"\101", "A"),
        (r"\08", "\08"),
        (r"\c", r"\c"),
        (r"\cA", "\u{1}"),
        (r"[\c1]", "\u{11}"),
        (r"[\c*]+", r"\c*"),
        (r"\xZ", "xZ"),
        (r"\u12", "u12"),
        (r"\k<x>", "k<x>"),
        (r"\p{3}", "ppp"),
        (r"[\w-z]", "-"),
        (r"[a-]", "-"),
        (r"[\b]", "\u{8}"),
        (r"[\1]", "\u{1}"),
        (r"\a", "a"),
        (r"(?:)", ""),
        (r"|a", ""),
        (r"(?=a)*a", "a"),
    ] {
        assert!(matches(pattern, text), "{pattern}");
    }
}

#[test]
fn invalid_pattern_is_refused_with_position() {
    for (text, problem) in [
        ("(", "unbalanced parenthesis at character 2"),
        ("a)", "unbalanced parenthesis at character 2"),
        ("[a", "the class has no closing bracket at character 3"),
        ("*", "nothing to repeat at character 1"),
        ("a**", "nothing to repeat at character 3"),
        ("^*", "nothing to repeat at character 2"),
        ("(?<=a)+", "nothing to repeat at character 7"),
        ("{1}", "nothing to repeat at character 1"),
        ("\\", "nothing follows the backslash at character 2"),
        ("(?", "the group has no valid modifiers at character 3"),
        ("(?ii:a)", "a modifier is repeated at character 5"),
        ("(?-:a)", "the group has no valid modifiers at character 5"),
        ("(?<1>a)", "the group has no valid name at character 3"),
        (
            "(?<n>a)(?<n>b)",
            "two groups have the same name at character 8",
        ),
        (
            "(?<n>(?<n>b))",
            "two groups have the same name at character 2",
        ),
        ("(?<n>a)\\k<m>", "\\k<m> names no group at character 9"),
        (
            "(?<n>a)\\k",
            "\\k is not followed by the name of a group at character 9",
        ),
        (
            "a{2,1}",
            "the numbers of the quantifier are in the wrong order at character 2",
        ),
        (
            "[z-a]",
            "the ends of the range are in the wrong order at character 3",
        ),
    ] {
        let refused = Pattern::new(text).map_err(|error| error.to_string());
        assert_eq!(refused, Err(problem.to_owned()), "{text}");
    }
    let nested = |depth| Pattern::new(&("(".repeat(depth) + &")".repeat(depth)));
    assert!(nested(63).is_ok());
    let refused = nested(64).map_err(|error| error.to_string());
    assert_eq!(
        refused,
        Err("groups are nested too deeply at character 65".to_owned())
    );
}

//! Compares results with another ECMAScript engine, for real and for random patterns.

use pattern::{Budget, Pattern};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::matches;

/// Real patterns, each with texts that match and texts that do not.
const REAL: &[(&str, &[&str])] = &[
    (
        r"v?\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?",
        &[
            "1.2.3",
            "v0.10.0-rc.1+build.5",
            "1",
            "1..2",
            "1.2.3-",
            "2024.11.21.7",
        ],
    ),
    (
        r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?",
        &[
            "1.0.0",
            "1.0.0-alpha.beta.1",
            "01.0.0",
            "1.0.0-0A.is.legal",
            "1.0.0-alpha_beta",
            "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
        ],
    ),
    (
        r"[$€£]\s?\d{1,3}(?:,\d{3})*(?:\.\d{2})?",
        &["$1,234.50", "€ 9", "$12,34", "£1234", "$\u{a0}5.00"],
    ),
    (
        r"(?<!-)\d{1,3}(?:[.\s]\d{3})*,\d{2}\s*€",
        &["1.234,50 €", "12,5 €", "1 234,00€", "-1,00 €"],
    ),
    (
        r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?",
        &[
            "2024-02-29",
            "2024-13-01",
            "2024-11-21T08:30:00.123+01:00",
            "2024-11-21 08:30",
            "2024-11-21T08",
        ],
    ),
    (
        r"(?<day>\d{1,2})(?<sep>[./-])(?<month>\d{1,2})\k<sep>(?<year>\d{4})",
        &["1.12.2024", "1/12-2024", "01-12-2024"],
    ),
    (
        r"(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}",
        &["Secret-1", "secret-1", "SECRET11", "Aa1!Aa1!Aa1!"],
    ),
    (
        r"(?!.*\.\.)[\w.+-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}",
        &["a.b+c@example.co.uk", "a..b@example.com", "a@-x.com", "a@b"],
    ),
    (
        r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}",
        &["192.168.0.1", "256.1.1.1", "1.2.3", "1.2.3.4."],
    ),
    (
        r"https?://(?:[\w-]+\.)+[\w-]+(?::\d+)?(?:/[^\s?#]*)?(?:\?[^\s#]*)?(?:#\S*)?",
        &[
            "https://example.com/a?b=c#d",
            "http://localhost",
            "https://a.b:8080",
        ],
    ),
    (
        r"#(?:[0-9a-fA-F]{3}){1,2}",
        &["#fff", "#A0B1C2", "#ffff", "fff"],
    ),
    (
        r#"(["'])(?:\\.|(?!\1).)*\1"#,
        &[r#""a'b""#, r#"'a\'b'"#, r#""a'"#, "''"],
    ),
    (
        r"<(\w+)(?:\s[^>]*)?>[\s\S]*?</\1>",
        &["<b>x</b>", "<b a=1>x\ny</b>", "<b>x</i>"],
    ),
    (
        r"\+?\d[\d\s().-]{6,}\d",
        &["+49 (30) 1234-567", "12345", "030.123.4567"],
    ),
    (
        r"(?:[01]\d|2[0-3]):[0-5]\d(?:\s?[AP]M)?",
        &["23:59", "24:00", "08:15 AM"],
    ),
    (r"[-+−]?\d+(?:[.,]\d+)?\s?°?[CF]", &["-3.5 °C", "72F", "°C"]),
    (
        r"(?:\d{4}[- ]?){3}\d{4}",
        &["4111 1111 1111 1111", "4111-1111-1111-111"],
    ),
    (r"[^\u0000-\u007F]+", &["äöü", "abc", "日本語"]),
    (
        r"[À-ÖØ-öø-ÿ\w]+(?:['’][À-ÖØ-öø-ÿ\w]+)?",
        &["l’été", "Größe", "a-b"],
    ),
    (
        r"\b(?:ORD|INV)-\d{6}\b.*",
        &["ORD-123456 sent", "XORD-123456", "INV-1234567"],
    ),
    (r"(?i:yes|no|(?-i:N\/A))", &["YES", "No", "n/a", "N/A"]),
    (r"(\w)(\w)(\w)?\3?\2\1", &["abba", "abcba", "abc", "aa"]),
    (r"(?<=\$)\d+|\$\d+(?<!\$0\d*)", &["$10", "$010", "10"]),
    (r"^\s*\d+\s*$", &[" 12 ", "\t5\n", "\u{feff}7", "5a"]),
    (
        r"[^\d\s]*?(\d+)[^]*?\1",
        &["a1b1", "a12b1", "x9\n9", "x9\n8"],
    ),
    (
        r"(?:a|ab)(?:c|bcd)(?:d*)",
        &["abcd", "abcdd", "acd", "abbcd", "abd"],
    ),
    ("(?m:^- .+$\\s?)+", &["- a\n- b", "- a\nb", "- a\r\n- b"]),
    (r"(?:(?=(\w+))\1:)+", &["a:b:", "a:b", "aa:bb:"]),
];

/// The answer of the `regress` crate for the whole of `text`.
fn expected(pattern: &str, text: &str) -> Option<bool> {
    let whole = regress::Regex::new(&format!("^(?:{pattern})$")).ok()?;
    Some(whole.find(text).is_some())
}

#[test]
fn real_patterns_match_like_regress() {
    let texts: Vec<&str> = REAL.iter().flat_map(|(_, texts)| *texts).copied().collect();
    for (pattern, own) in REAL {
        let found: Vec<bool> = own.iter().map(|text| matches(pattern, text)).collect();
        assert!(
            found.contains(&true) && found.contains(&false),
            "{pattern}: {found:?}"
        );
        for text in &texts {
            let expected = expected(pattern, text);
            assert_eq!(
                Some(matches(pattern, text)),
                expected,
                "{pattern} on {text:?}"
            );
        }
    }
}

fn atom() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[abcAB ]",
        1 => Just(".".to_owned()),
        2 => prop::sample::select(vec![
            "\\d", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^a]", "[a-c1]", "[\\w-]", "[^]", "[]", "\\x61", "\\u0062", "\\0",
            "\\cA", "\\141", "ä", "😀", "[^\\s]", "\n",
        ]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["^", "$", "\\b", "\\B"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["\\1", "\\2", "\\3"]).prop_map(str::to_owned),
    ]
}

fn random_pattern() -> impl Strategy<Value = String> {
    atom().prop_recursive(5, 24, 4, |inner| {
        let repeatable = |text: &String| {
            !(matches!(text.as_str(), "^" | "$" | "\\b" | "\\B") || text.starts_with("(?<"))
        };
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            2 => inner.clone().prop_map(|inside| format!("({inside})")),
            3 => (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{1,2}", "{0,3}", "*?", "+?", "??", "{1,}?"]))
                .prop_filter_map("cannot be repeated", move |(inside, count)| {
                    repeatable(&inside).then(|| format!("(?:{inside}){count}"))
                }),
            1 => (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "*?"]))
                .prop_map(|(inside, count)| format!("({inside}){count}")),
            2 => (inner.clone(), prop::sample::select(vec!["?=", "?!", "?<=", "?<!", "?i:", "?s:"]))
                .prop_map(|(inside, kind)| format!("({kind}{inside})")),
        ]
    })
}

// The other engine cannot be interrupted, so the patterns are the same in every run.
proptest! {
    #![proptest_config(ProptestConfig { cases: 12 * ProptestConfig::default().cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn random_patterns_match_like_regress(pattern in random_pattern(), texts in prop::collection::vec("[abcAB1 ä😀\n]{0,8}", 4)) {
        let ours = Pattern::new(&pattern);
        prop_assume!(ours.is_ok());
        let ours = ours.unwrap();
        for text in texts {
            // If this engine needs few steps, the other one does not take long either.
            if let Ok(found) = ours.matches_whole(&text, &mut Budget::new(20_000)) {
                prop_assert_eq!(Some(found), expected(&pattern, &text), "{} on {:?}", pattern, text);
            }
        }
    }

    #[test]
    fn any_text_compiles_or_is_refused(pattern in "[-ab01(){}\\[\\]\\\\^$.*+?|:=!<>,kucxdD\n😀]{0,24}") {
        // The other engine lets a word boundary be repeated and reads `\\u{+1}` as a code point, which ECMAScript does not.
        prop_assume!(!pattern.contains("\\b") && !pattern.contains("\\B") && !pattern.contains("\\u"));
        let theirs = regress::Regex::new(&pattern);
        match Pattern::new(&pattern) {
            Ok(ours) => {
                prop_assert!(theirs.is_ok(), "{}: {:?}", pattern, theirs.err());
                ours.matches_whole("ab", &mut Budget::new(1_000)).ok();
            }
            Err(error) => prop_assert!(theirs.is_err(), "{}: {}", pattern, error),
        }
    }
}

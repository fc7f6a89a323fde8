//! The answer of discovery: as JSON and as text.

use contract::{
    ChainLink, Coordinate, Entered, ErrorCode, InspectVerdict, Inspected, Inspection, NodeMatcher,
    SelectorCandidate,
};
use expect_test::expect;

fn css(stability: u8, strategy: &str, words: &'static str, css: &str) -> SelectorCandidate {
    SelectorCandidate {
        stability,
        strategy: strategy.to_owned(),
        strategy_words: words,
        selector: Some(NodeMatcher {
            css: Some(css.to_owned()),
            ..NodeMatcher::default()
        }),
        container: None,
        coordinate: None,
        chain: Vec::new(),
        matches: 1,
        verified: true,
        why: None,
    }
}

fn element(line: &str, selectors: Vec<SelectorCandidate>) -> Inspected {
    Inspected {
        score: 97,
        reference: "42-9f3a".to_owned(),
        element: line.to_owned(),
        visible: true,
        bounds: Some("[10,20][110,60]".to_owned()),
        reasons: vec!["name \"Sign In\"".to_owned()],
        told_apart_by: None,
        selectors,
    }
}

fn inspection(verdict: InspectVerdict, elements: Vec<Inspected>) -> Inspection {
    Inspection {
        places: Vec::new(),
        verdict,
        query: "the login button".to_owned(),
        device_id: "chrome".to_owned(),
        via: None,
        count: None,
        missing: Vec::new(),
        elements,
        warnings: Vec::new(),
    }
}

fn login() -> Inspection {
    let selectors = vec![
        css(95, "id", "ID (direct reference)", "#signin-button"),
        css(
            90,
            "test-id",
            "Test attribute",
            "[data-testid=\"login-submit\"]",
        ),
        css(60, "tag+class", "Tag + class", "button.btn-primary"),
    ];
    let line = "<button id=\"signin-button\">Sign In</button>";
    inspection(InspectVerdict::Certain, vec![element(line, selectors)])
}

/// The tokens of a text by the rules of tokenizers, with too many for safety: a word, with the space before it, has one
/// for each six letters; digits come in threes, marks in pairs, and every run of white space is one.
fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '0',
            c if c.is_whitespace() => ' ',
            _ => '.',
        };
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        count += match kind(first) {
            'a' => run.chars().count().div_ceil(6),
            '0' => run.chars().count().div_ceil(3),
            // A single space belongs to the word behind it.
            ' ' => usize::from(run != " ") + usize::from(run.contains('\n') && run.ends_with(' ')),
            _ => run.chars().count().div_ceil(2),
        };
        rest = after;
    }
    count
}

#[test]
fn one_element_is_named_on_three_levels() {
    let text = login().to_text();
    expect![[r##"
        Selector Candidates for "the login button":

        [1] RECOMMENDED (Stability: 95/100)
            Selector: #signin-button
            Strategy: ID (direct reference)
            Element: <button id="signin-button">Sign In</button>
            Visible: true

        [2] ALTERNATIVE (Stability: 90/100)
            Selector: [data-testid="login-submit"]
            Strategy: Test attribute

        [3] FALLBACK (Stability: 60/100)
            Selector: button.btn-primary
            Strategy: Tag + class
            Matches: 1 element
    "##]]
    .assert_eq(&text);
    assert!(tokens(&text) < 150, "{}", tokens(&text));
}

#[test]
fn the_same_answer_as_json_has_everything_and_nothing_empty() {
    let mut answer = login();
    let element = &mut answer.elements[0];
    element.selectors.truncate(1);
    element.selectors[0].chain = vec![ChainLink {
        into: Entered::Frame,
        css: "iframe[name=\"pay\"]".to_owned(),
    }];
    expect![[r##"{"verdict":"certain","query":"the login button","deviceId":"chrome","elements":[{"match":97,"ref":"42-9f3a","element":"<button id=\"signin-button\">Sign In</button>","visible":true,"bounds":"[10,20][110,60]","reasons":["name \"Sign In\""],"selectors":[{"stability":95,"strategy":"id","selector":{"css":"#signin-button"},"chain":[{"into":"frame","css":"iframe[name=\"pay\"]"}],"matches":1,"verified":true}]}]}"##]]
    .assert_eq(&serde_json::to_string(&answer).unwrap());
    let schema = contract::schema::of::<Inspection>();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    assert!(schema.is_valid(&serde_json::to_value(&answer).unwrap()));
    assert!(answer.refusal().is_none());
}

#[test]
fn text_stays_cheap_however_much_there_is_to_say() {
    let long = "a".repeat(90);
    let many = |count: usize| {
        let selector = |at: usize| {
            let mut one = css(
                70,
                "scoped",
                "Scoped",
                &format!("#{long} > button.item-{at}"),
            );
            one.why = Some("is one of a numbered series of things that go on and on".to_owned());
            one
        };
        (0..count).map(selector).collect::<Vec<_>>()
    };
    let line = format!("<button id=\"{long}\" class=\"{long}\">{long}</button>");
    for verdict in InspectVerdict::ALL {
        let mut answer = inspection(*verdict, vec![element(&line, many(8)); 20]);
        answer.query = "x".repeat(500);
        answer.missing = vec!["word".to_owned(); 3];
        answer.count = Some(20);
        for element in &mut answer.elements {
            element.told_apart_by = Some(format!("under \"{long}\""));
        }
        let text = answer.to_text();
        assert!(
            tokens(&text) <= 160,
            "{verdict:?} {}\n{text}",
            tokens(&text)
        );
        let named = *verdict != InspectVerdict::NotFound;
        assert_eq!(text.contains("button.item-0"), named, "{text}");
    }
}

#[test]
fn several_equal_elements_are_an_error_that_says_what_tells_them_apart() {
    let mut answer = inspection(
        InspectVerdict::Ambiguous,
        vec![
            element(
                "<button>Delete</button>",
                vec![css(70, "scoped", "Scoped", "#billing button")],
            ),
            element(
                "<button>Delete</button>",
                vec![css(70, "scoped", "Scoped", "#team button")],
            ),
        ],
    );
    answer.query = "delete".to_owned();
    answer.count = Some(2);
    for (element, words) in answer
        .elements
        .iter_mut()
        .zip(["under \"Billing\"", "under \"Team\""])
    {
        element.told_apart_by = Some(words.to_owned());
    }
    expect![[r##"
        AMBIGUOUS: 2 elements match "delete". Say which one:

        [1] under "Billing"
            Selector: #billing button (Stability: 70/100)

        [2] under "Team"
            Selector: #team button (Stability: 70/100)
    "##]]
    .assert_eq(&answer.to_text());
    let error = answer.refusal().unwrap();
    assert_eq!(error.code, ErrorCode::ElementAmbiguous);
    assert_eq!(error.message, "2 elements match \"delete\" equally well");
    assert_eq!(
        error.hint.as_deref(),
        Some("Say which one: under \"Billing\"; under \"Team\"")
    );
    let elements = error.detail("elements").unwrap().as_array().unwrap();
    assert_eq!(elements.len(), 2);
    assert_eq!(elements[1]["toldApartBy"], "under \"Team\"");
}

#[test]
fn nothing_is_an_error_that_names_what_is_nearest() {
    let near = element("<a href=\"/login\">Log in</a>", Vec::new());
    let answer = inspection(InspectVerdict::NotFound, vec![near]);
    expect![[r#"
        NOT FOUND: nothing matches "the login button".
        Nearest: <a href="/login">Log in</a>
    "#]]
    .assert_eq(&answer.to_text());
    let error = answer.refusal().unwrap();
    assert_eq!(error.code, ErrorCode::ElementNotFound);
    assert_eq!(
        error.hint.as_deref(),
        Some("The nearest is <a href=\"/login\">Log in</a>")
    );
    let nothing = inspection(InspectVerdict::NotFound, Vec::new());
    assert_eq!(
        nothing.to_text(),
        "NOT FOUND: nothing matches \"the login button\".\n"
    );
}

#[test]
fn selectors_are_written_as_they_are_used() {
    let mut one = css(95, "id", "ID", "#a");
    assert_eq!(one.written(), "#a");
    one.selector = Some(NodeMatcher {
        resource_id: Some("com.a:id/b".to_owned()),
        ..NodeMatcher::default()
    });
    assert_eq!(one.written(), r#"{"resourceId":"com.a:id/b"}"#);
    one.container = Some(NodeMatcher {
        role: Some("list".to_owned()),
        ..NodeMatcher::default()
    });
    assert_eq!(
        one.written(),
        r#"{"resourceId":"com.a:id/b"} in {"role":"list"}"#
    );
    one.selector = None;
    one.container = None;
    one.coordinate = Some(Coordinate { x: 3, y: 4 });
    assert_eq!(one.written(), "--coordinate 3 4");
}

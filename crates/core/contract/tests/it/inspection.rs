//! The answer of a search as JSON and as text.

use contract::{
    Boundary, ChainLink, Coordinate, ErrorCode, InspectVerdict, InspectedElement, Inspection,
    NodeMatcher, SelectorCandidate,
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

fn element(line: &str, selectors: Vec<SelectorCandidate>) -> InspectedElement {
    InspectedElement {
        session_ref: None,
        score: 97,
        reference: "42-9f3a".to_owned(),
        element: line.to_owned(),
        visible: true,
        why_not_visible: None,
        bounds: Some("[10,20][110,60]".to_owned()),
        reasons: vec!["name \"Sign In\"".to_owned()],
        told_apart_by: None,
        selectors,
    }
}

fn inspection(verdict: InspectVerdict, elements: Vec<InspectedElement>) -> Inspection {
    Inspection {
        places: Vec::new(),
        verdict,
        query: "the login button".to_owned(),
        device_id: "chrome".to_owned(),
        via: None,
        via_reason: None,
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

/// The number of tokens of a text.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton()
        .encode_with_special_tokens(text)
        .len()
}

#[test]
fn certain_element_has_three_candidates() {
    let text = login().to_text();
    expect![[r#"
        Selector Candidates for "the login button":

        [1] RECOMMENDED (Stability: 95/100)
            Selector: #signin-button
            Strategy: ID (direct reference)
            Matches: 1 element
            Element: <button id="signin-button">Sign In</button>
            Visible: true

        [2] ALTERNATIVE (Stability: 90/100)
            Selector: [data-testid="login-submit"]
            Strategy: Test attribute
            Matches: 1 element
            Element: <button id="signin-button">Sign In</button>

        [3] FALLBACK (Stability: 60/100)
            Selector: button.btn-primary
            Strategy: Tag + class
            Matches: 1 element
            Element: <button id="signin-button">Sign In</button>
            ⚠️ Less stable than options above

        Use the RECOMMENDED selector for best reliability.
    "#]]
    .assert_eq(&text);
    assert!(tokens(&text) <= 200, "{}", tokens(&text));
}

#[test]
fn json_answer_is_complete_without_empty_values() {
    let mut answer = login();
    let element = &mut answer.elements[0];
    element.selectors.truncate(1);
    element.selectors[0].chain = vec![ChainLink {
        into: Boundary::Frame,
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
fn three_candidates_need_at_most_200_tokens() {
    let long = "primary card wide action ".repeat(8);
    let selector = |at: usize| {
        let mut one = css(
            70 - at as u8,
            "scoped",
            "Scoped",
            &format!("#checkout > button.item-{at}"),
        );
        one.why = Some("is one of a numbered series of things that go on and on".to_owned());
        one
    };
    let line = format!("<button id=\"pay\" class=\"{long}\">{long}</button>");
    for verdict in InspectVerdict::ALL {
        let selectors = (0..3).map(selector).collect();
        let mut answer = inspection(*verdict, vec![element(&line, selectors); 3]);
        answer.query = "x".repeat(500);
        answer.missing = vec!["word".to_owned(); 3];
        answer.count = Some(20);
        if *verdict == InspectVerdict::Ambiguous {
            for element in &mut answer.elements {
                element.told_apart_by = Some("under \"Billing\"".to_owned());
            }
        }
        let text = answer.to_text();
        assert!(
            tokens(&text) <= 200,
            "{verdict:?} {}\n{text}",
            tokens(&text)
        );
    }
}

#[test]
fn first_line_reports_uncertainty() {
    let named =
        |line: &str, css_path: &str| element(line, vec![css(70, "scoped", "Scoped", css_path)]);
    let elements = vec![
        named("<button>Save</button>", "#save"),
        named("<a>Save as</a>", "#as"),
    ];
    let mut answer = inspection(InspectVerdict::Unsure, elements);
    answer.elements[0].visible = false;
    answer.elements[0].why_not_visible = Some("below the fold".to_owned());
    expect![[r#"
        UNSURE: check the element before acting
        Selector Candidates for "the login button":

        [1] NEAREST (Stability: 70/100)
            Selector: #save
            Strategy: Scoped
            Matches: 1 element
            Element: <button>Save</button>
            Visible: false (below the fold)

        [2] ALTERNATIVE (Stability: 70/100)
            Selector: #as
            Strategy: Scoped
            Matches: 1 element
            Element: <a>Save as</a>

        Check the element before you use its selector.
    "#]]
    .assert_eq(&answer.to_text());
    answer.missing = vec!["draft".to_owned()];
    let text = answer.to_text();
    assert!(
        text.starts_with("UNSURE: no element says draft\n"),
        "{text}"
    );
    answer.verdict = InspectVerdict::Ambiguous;
    assert!(answer.to_text().starts_with("AMBIGUOUS: 2 elements"));
    answer.verdict = InspectVerdict::Certain;
    assert!(answer.to_text().starts_with("Selector Candidates"));
}

#[test]
fn text_shows_every_candidate() {
    for verdict in InspectVerdict::ALL {
        let selectors = |count: u8| {
            (0..count)
                .map(|at| css(90 - at, "scoped", "Scoped", &format!("#item-{at}")))
                .collect()
        };
        let mut elements = vec![element("<button>Add</button>", selectors(7))];
        elements.resize(7, element("<button>Add</button>", selectors(1)));
        let text = inspection(*verdict, elements).to_text();
        let shown = text
            .lines()
            .filter(|line| line.starts_with(['[', 'N']) || line.starts_with("Closest"))
            .count();
        let nothing = *verdict == InspectVerdict::NotFound;
        assert_eq!(shown, if nothing { 8 } else { 7 }, "{verdict:?}\n{text}");
        assert_eq!(text.contains("[7] FALLBACK"), !nothing, "{text}");
    }
}

#[test]
fn ambiguous_answer_is_an_error_with_distinctions() {
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
    expect![[r#"
        AMBIGUOUS: 2 elements match equally well
        Selector Candidates for "delete":

        [1] ALTERNATIVE (Stability: 70/100)
            Selector: #billing button
            Strategy: Scoped
            Matches: 1 element
            Element: <button>Delete</button>
            Visible: true
            Which: under "Billing"

        [2] ALTERNATIVE (Stability: 70/100)
            Selector: #team button
            Strategy: Scoped
            Matches: 1 element
            Element: <button>Delete</button>
            Which: under "Team"

        Add one of these details to the description.
    "#]]
    .assert_eq(&answer.to_text());
    let error = answer.refusal().unwrap();
    assert_eq!(error.code, ErrorCode::ElementAmbiguous);
    assert_eq!(error.message, "2 elements match \"delete\" equally well");
    assert_eq!(
        error.hint.as_deref(),
        Some("Specify which one: under \"Billing\"; under \"Team\"")
    );
    let elements = error.detail("elements").unwrap().as_array().unwrap();
    assert_eq!(elements.len(), 2);
    assert_eq!(elements[1]["toldApartBy"], "under \"Team\"");
}

#[test]
fn missing_match_is_an_error_with_nearest_elements() {
    let near = element("<a href=\"/login\">Log in</a>", Vec::new());
    let answer = inspection(InspectVerdict::NotFound, vec![near]);
    expect![[r#"
        NOT FOUND: nothing matches "the login button".
        Closest: <a href="/login">Log in</a>
    "#]]
    .assert_eq(&answer.to_text());
    let error = answer.refusal().unwrap();
    assert_eq!(error.code, ErrorCode::ElementNotFound);
    assert_eq!(
        error.hint.as_deref(),
        Some("The closest is <a href=\"/login\">Log in</a>")
    );
    let nothing = inspection(InspectVerdict::NotFound, Vec::new());
    assert_eq!(
        nothing.to_text(),
        "NOT FOUND: nothing matches \"the login button\".\n"
    );
}

#[test]
fn selectors_are_written_in_usable_form() {
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

#[test]
fn certain_element_with_a_reference_has_one_selector() {
    let mut found = login();
    found.elements[0].session_ref = Some("e12".to_owned());
    let text = found.to_text();
    assert!(text.contains(" e12\n"), "{text}");
    for (words, count) in [("Selector:", 1), ("RECOMMENDED", 1), ("ALTERNATIVE", 0)] {
        assert_eq!(text.matches(words).count(), count, "{text}");
    }
}

//! Conditions: attributes, tag, text, nearness.

use inspect::{
    Request, Verdict,
    find::{self, AttributeFilter, Direction, Near, Reference},
};

use crate::support::page::{Page, page};

const LOGIN: &str = r##"
header #header
  logo@a href="/" "Acme"
main
  form .login-form data-testid="login-form"
    user@input .field .wide name="user" placeholder="E-mail or name" label="User"
    pass@input .field type="password" placeholder="Password" label="Password"
    error@p .error-message "Wrong password"
    retry@button .retry-action data-testid="login-retry" "Try again"
    submit@input type="submit" data-testid="login-submit" label="Sign in"
    fake@div role="button" tabindex="0" data-testid="signup" "Sign up"
    styled@a .btn href="/guest" "Guest"
"##;

fn with(change: impl FnOnce(&mut Request)) -> Request {
    let mut request = Request {
        limit: Some(10),
        ..Request::default()
    };
    change(&mut request);
    request
}

fn names(page: &Page, request: &Request) -> Vec<String> {
    let found = page.ask(request);
    found
        .ranked
        .iter()
        .map(|hit| page.name(hit.place).to_owned())
        .collect()
}

#[test]
fn role_filter_matches_all_notations() {
    let page = page(LOGIN);
    let request = with(|request| request.attributes.role = Some("Button".into()));
    let mut found = names(&page, &request);
    found.sort();
    assert_eq!(
        found,
        ["fake", "retry", "submit"],
        "a link that looks like one is none"
    );
    let request = with(|request| request.attributes.role = Some("textbox".into()));
    assert_eq!(names(&page, &request), ["user", "pass"]);
}

#[test]
fn wildcards_are_globs() {
    let page = page(LOGIN);
    let by_id =
        |pattern: &str| with(|request| request.attributes.data_testid = Some(pattern.to_owned()));
    let mut found = names(&page, &by_id("login-*"));
    found.sort();
    assert_eq!(
        found,
        ["?", "retry", "submit"],
        "the form, too, has such a test id"
    );
    assert_eq!(names(&page, &by_id("*up")), ["fake"]);
    assert!(
        names(&page, &by_id("login.*")).is_empty(),
        "no regular expression"
    );
    assert!(
        names(&page, &by_id("login")).is_empty(),
        "nothing is implied"
    );
}

#[test]
fn attribute_and_tag_filters_combine() {
    let page = page(LOGIN);
    let request = with(|request| {
        request.attributes = AttributeFilter {
            class_contains: Some("FIELD".into()),
            r#type: Some("password".into()),
            ..AttributeFilter::default()
        };
    });
    assert_eq!(names(&page, &request), ["pass"]);
    let request = with(|request| request.attributes.placeholder = Some("e-mail*".into()));
    assert_eq!(names(&page, &request), ["user"]);
    let request = with(|request| {
        request.tag = Some("a".into());
        request.attributes.class_contains = Some("btn".into());
    });
    assert_eq!(names(&page, &request), ["styled"]);
    let request = with(|request| {
        request.tag = Some("button".into());
        request.attributes.class_contains = Some("btn".into());
    });
    let found = page.ask(&request);
    assert!(
        matches!(found.verdict, Verdict::NotFound { .. }),
        "{found:#?}"
    );
}

#[test]
fn description_ranks_filtered_elements() {
    let page = page(LOGIN);
    let request = with(|request| {
        request.description = Some("the login button".into());
        request.attributes.role = Some("button".into());
    });
    assert_eq!(names(&page, &request)[0], "submit");
}

#[test]
fn text_filter_ignores_case() {
    let page = page(LOGIN);
    let text = |words: &str| with(|request| request.text_contains = Some(words.to_owned()));
    assert_eq!(names(&page, &text("TRY AGAIN")), ["retry"]);
    assert_eq!(
        names(&page, &text("again try")),
        ["retry"],
        "all of the words"
    );
    assert_eq!(names(&page, &text("wrong pass")), ["error"]);
    assert_eq!(names(&page, &text("wrong*word")), ["error"], "a wildcard");
    assert_eq!(names(&page, &text("*y again")), ["retry"], "a wildcard");
    assert!(names(&page, &text("try*twice")).is_empty());
    assert!(names(&page, &text("try twice")).is_empty());
    assert_eq!(
        names(&page, &text("password"))[0],
        "pass",
        "the whole name before a part"
    );
}

#[test]
fn near_filter_uses_five_levels_and_edges() {
    let page = page(LOGIN);
    let near = |reference: &str, direction| {
        with(|request| {
            request.description = Some("button".into());
            request.near = Some(Near {
                reference: Reference::Text(reference.into()),
                direction,
            });
        })
    };
    let below = near("Wrong password", Some(Direction::Below));
    assert_eq!(names(&page, &below)[0], "retry");
    let above = names(&page, &near("Try again", Some(Direction::Above)));
    assert!(
        above.contains(&"pass".to_owned()) && !above.contains(&"submit".to_owned()),
        "{above:?}"
    );
    let error = find::find(&page.subject, &near("Wrong planet", None)).unwrap_err();
    assert_eq!(error.reference, "Wrong planet");
    let nowhere = with(|request| {
        request.near = Some(Near {
            reference: Reference::Places(Vec::new()),
            direction: None,
        });
    });
    assert!(find::find(&page.subject, &nowhere).is_err());
}

#[test]
fn inside_filter_uses_the_document() {
    let page = page(LOGIN);
    let form = page
        .dom
        .elements()
        .iter()
        .position(|element| &*element.tag == "form")
        .unwrap();
    let inside = with(|request| {
        request.tag = Some("a".into());
        request.near = Some(Near {
            reference: Reference::Places(vec![form]),
            direction: Some(Direction::Inside),
        });
    });
    assert_eq!(
        names(&page, &inside),
        ["styled"],
        "the logo is an `a`, too, but elsewhere"
    );
}

#[test]
fn limit_applies_and_empty_request_finds_nothing() {
    let page = page(LOGIN);
    let request = Request {
        attributes: AttributeFilter {
            role: Some("*".into()),
            ..AttributeFilter::default()
        },
        ..Request::default()
    };
    assert_eq!(page.ask(&request).ranked.len(), Request::DEFAULT_LIMIT);
    assert!(Request::default().is_empty());
    let found = page.ask(&Request::default());
    assert!(matches!(found.verdict, Verdict::NotFound { .. }));
    let found = page.describe("   ");
    assert!(matches!(found.verdict, Verdict::NotFound { .. }));
}

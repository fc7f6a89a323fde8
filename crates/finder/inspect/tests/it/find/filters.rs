//! Conditions that pages cannot state: places, and limits.

use inspect::{
    Request, Verdict,
    find::{self, Direction, Near, Reference},
};

use crate::support::page::{Page, page};

const LOGIN: &str = r##"
header #header
  logo@a href="/" "Acme"
main
  form
    pass@input type="password" label="Password"
    error@p "Wrong password"
    retry@button "Try again"
    submit@input type="submit" label="Sign in"
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
    let hits = page.ask(request).ranked.into_iter();
    hits.map(|hit| page.name(hit.place).to_owned()).collect()
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
    let mut request = Request::default();
    request.attributes.role = Some("*".into());
    assert_eq!(page.ask(&request).ranked.len(), Request::DEFAULT_LIMIT);
    assert!(Request::default().is_empty());
    let found = page.ask(&Request::default());
    assert!(matches!(found.verdict, Verdict::NotFound { .. }));
    let found = page.describe("   ");
    assert!(matches!(found.verdict, Verdict::NotFound { .. }));
}

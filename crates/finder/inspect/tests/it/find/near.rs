//! Nearness to a label, a heading or a section.

use inspect::{
    Request,
    find::{AttributeFilter, Direction, Found, Near, Reference},
};

use crate::support::page::{Page, page};

const STACKED: &str = r#"
main
  h2 "Account" [20,10,980,40]
  form
    label for="u" "User name" [20,60,120,80]
    user@input #u label="User name" [20,84,320,116]
    label for="p" "Password" [20,140,120,160]
    pass@input #p type="password" label="Password" [20,164,320,196]
    label for="c" "Country" [20,220,120,240]
    country@select #c label="Country" [20,244,320,276]
    cancel@button "Cancel" [20,300,120,332]
    ok@button "Log in" [140,300,240,332]
"#;

const SIDE_BY_SIDE: &str = r#"
main
  form
    label for="u" "User name" [20,60,120,92]
    user@input #u label="User name" [140,60,440,92]
    label for="p" "Password" [20,110,120,142]
    pass@input #p type="password" label="Password" [140,110,440,142]
    remember@input #r type="checkbox" label="Remember me" [140,160,160,180]
    label for="r" "Remember me" [170,160,300,180]
    ok@button "Log in" [140,200,240,232]
"#;

/// The test name of the best element.
fn first<'p>(page: &'p Page, found: &Found) -> &'p str {
    let first = found.ranked.first();
    first.map_or("nothing", |hit| page.name(hit.place))
}

#[test]
fn near_label_means_its_control() {
    let field = |text: &str, direction| Request {
        near: Some(Near {
            reference: Reference::Text(text.to_owned()),
            direction,
        }),
        attributes: AttributeFilter {
            role: Some("textfield".to_owned()),
            ..AttributeFilter::default()
        },
        ..Request::default()
    };
    let stacked = page(STACKED);
    for (text, direction, expected) in [
        ("User name", Some(Direction::Below), "user"),
        ("User name", None, "user"),
        ("Password", Some(Direction::Below), "pass"),
    ] {
        let found = stacked.ask(&field(text, direction));
        assert_eq!(first(&stacked, &found), expected, "{text} {direction:?}");
    }
    let beside = page(SIDE_BY_SIDE);
    let right = beside.ask(&field("User name", Some(Direction::Right)));
    assert_eq!(first(&beside, &right), "user");
    let left = beside.ask(&field("User name", Some(Direction::Left)));
    assert!(left.ranked.is_empty(), "{left:?}");
}

#[test]
fn near_beats_an_exact_name_farther_away() {
    let page = page(
        r#"
main
  all@button "Delete" [880,20,980,50]
  section
    h3 "Billing" [20,100,400,130]
    billing@button "Delete card" [20,140,120,170]
  section
    h3 "Team" [20,300,400,330]
    team@button "Invite" [20,340,120,370]
"#,
    );
    let near = |description: &str, text: &str, direction| Request {
        near: Some(Near {
            reference: Reference::Text(text.to_owned()),
            direction,
        }),
        ..Request::described(description)
    };
    for (direction, text, expected) in [
        (None, "Billing", "billing"),
        (Some(Direction::Below), "Billing", "billing"),
        // A near element that does not match the description is not the answer.
        (None, "Team", "all"),
    ] {
        let found = page.ask(&near("delete", text, direction));
        assert_eq!(first(&page, &found), expected, "{text} {direction:?}");
    }
}

#[test]
fn side_counts_on_the_line_of_the_reference() {
    let invoices = page(
        r#"
main
  div [8,100,992,121]
    span "Invoice 1001" [8,102,90,119]
    button "Pay" [94,100,130,121]
  div [8,121,992,142]
    span "Invoice 1002" [8,123,90,140]
    mine@button "Pay" [94,121,130,142]
  div [8,142,992,163]
    span "Invoice 1003" [8,144,90,161]
    button "Pay" [94,142,130,163]
"#,
    );
    for direction in [None, Some(Direction::Right)] {
        let found = invoices.ask(&Request {
            near: Some(Near {
                reference: Reference::Text("Invoice 1002".to_owned()),
                direction,
            }),
            ..Request::described("pay")
        });
        assert_eq!(
            first(&invoices, &found),
            "mine",
            "{direction:?}: {found:#?}"
        );
        assert_eq!(
            found.verdict.as_str(),
            "certain",
            "{direction:?}: {found:#?}"
        );
    }
}

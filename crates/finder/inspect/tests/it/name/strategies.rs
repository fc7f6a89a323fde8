//! Selector strategies: which selectors an element gets, with their stability.

use expect_test::{Expect, expect};
use inspect::name::{PageNames, StabilityFilter};

use crate::support::page::{Page, page};

/// The selectors of an element, one per line.
fn named(page: &Page, name: &str, wanted: StabilityFilter) -> String {
    let mut names = PageNames::new(&page.dom);
    names
        .selectors(page.named(name), wanted, 6)
        .iter()
        .map(|one| {
            let why = one
                .why
                .as_deref()
                .map_or(String::new(), |why| format!(" ({why})"));
            let css = one.css().unwrap();
            format!("{} {} {css}{why}\n", one.stability, one.strategy.as_str())
        })
        .collect()
}

fn check(text: &str, name: &str, expect: &Expect) {
    expect.assert_eq(&named(&page(text), name, StabilityFilter::Any));
}

#[test]
fn strategies_have_expected_stability() {
    let page = "
form action=\"/login\"
  input name=\"user\" type=\"email\" placeholder=\"E-mail\"
  x@button #signin .btn .btn-primary .login-submit data-testid=\"login-submit\" aria-label=\"Sign in\" title=\"Sign in now\" type=\"submit\" name=\"go\" \"Sign In\"
  button .btn type=\"button\" \"Cancel\"";
    check(
        page,
        "x",
        &expect![[r##"
            95 id #signin
            90 test-id [data-testid="login-submit"]
            85 label [aria-label="Sign in"]
            84 title button[title="Sign in now"]
            82 type button[type="submit"]
            80 name button[name="go"]
        "##]],
    );
}

#[test]
fn generated_id_has_low_stability() {
    for (id, why) in [
        (":r1:", "contains a counter of a library"),
        ("ember123", "is numbered by a library"),
        ("radix-12", "is numbered by a library"),
        ("field-48213", "contains a long number"),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "holds a GUID"),
        ("x-8f3a9c2e", "holds a hash"),
    ] {
        let text = format!("div\n  x@button #{id} \"Go\"\n  button \"Stop\"");
        let page = page(&text);
        let first = named(&page, "x", StabilityFilter::Any);
        assert!(first.starts_with("40 id #"), "{first}");
        assert!(
            first.lines().next().unwrap().ends_with(&format!("({why})")),
            "{first}"
        );
        assert_eq!(named(&page, "x", StabilityFilter::Strict), "", "{id}");
    }
}

#[test]
fn duplicate_id_is_not_used() {
    check(
        "
ul .todo
  li #item
    x@button .remove aria-label=\"Remove\"
  li #item
    button .remove aria-label=\"Remove\"",
        "x",
        &expect![[r#"
            30 position li:nth-child(1) > button
        "#]],
    );
    check(
        "
p
  x@input #city
  select #city",
        "x",
        &expect![[r#"
            50 tag input
        "#]],
    );
}

#[test]
fn id_of_a_series_has_lower_stability() {
    let rows: String = (1..=4)
        .map(|at| format!("  r{at}@a #row-{at} \"x\"\n"))
        .collect();
    check(
        &format!("nav\n{rows}"),
        "r2",
        &expect![[r##"
            60 id #row-2 (is one of a numbered series)
            30 position a:nth-child(2)
        "##]],
    );
}

#[test]
fn only_meaningful_classes_are_used() {
    check(
        "
div
  x@a .css-1x2y3z .mt-4 .md:flex .active .nav-link .nav-home
  a .css-1x2y3z .mt-4 .nav-link
  a .css-9z8y7x .nav-link",
        "x",
        &expect![[r#"
            75 classes .nav-home
            30 position a:nth-child(1)
        "#]],
    );
    check(
        "
div
  x@span .price .new-price
  span .price .old-price
  b .new-price",
        "x",
        &expect![[r#"
            75 classes .price.new-price
            30 position span:nth-child(1)
        "#]],
    );
    check(
        "
div
  x@button .submit-btn
  a .submit-btn
  button .other",
        "x",
        &expect![[r#"
            60 tag+class button.submit-btn
            30 position button:nth-child(1)
        "#]],
    );
}

#[test]
fn ambiguous_element_is_scoped_to_stable_ancestor() {
    check(
        "
form #login action=\"/login\"
  x@button type=\"submit\" \"Go\"
form #search action=\"/search\"
  button type=\"submit\" \"Go\"",
        "x",
        &expect![[r##"
            72 scoped #login button[type="submit"]
            30 position #login > button
        "##]],
    );
    check(
        "
form action=\"/login\"
  x@input name=\"q\"
form action=\"/search\"
  input name=\"q\"",
        "x",
        &expect![[r#"
            68 scoped form[action="/login"] input[name="q"]
            30 position form[action="/login"] > input
        "#]],
    );
}

#[test]
fn volatile_text_lowers_stability() {
    check(
        "
div
  x@a aria-label=\"Cart, 3 items\" href=\"/cart\"
  a aria-label=\"Help\" href=\"/help?session=8f3a9c2e1d\"",
        "x",
        &expect![[r#"
            78 href a[href="/cart"]
            60 label [aria-label="Cart, 3 items"] (holds a number)
            30 position a:nth-child(1)
        "#]],
    );
    check(
        "
div
  a href=\"/cart\"
  x@a href=\"/help?session=8f3a9c2e1d\"",
        "x",
        &expect![[r#"
            65 href a[href^="/help?"] (the rest of the address changes)
            30 position a:nth-child(2)
        "#]],
    );
}

#[test]
fn css_values_are_quoted_and_names_escaped() {
    check(
        "
div
  x@button #1st:go aria-label=\"say ''hi'' \\ ]\" data-qa=\"a]b\" \"Go\"
  button \"Stop\"",
        "x",
        &expect![[r##"
            90 test-id [data-qa="a]b"]
            85 label [aria-label="say \"hi\" \\ ]"]
            40 id #\31 st\:go (contains a counter of a library)
            30 position button:nth-child(1)
        "##]],
    );
    check(
        "
div
  x@fb:like #登录 \"Go\"",
        "x",
        &expect![[r#"
            95 id #登录
            50 tag fb\:like
        "#]],
    );
}

#[test]
fn svg_tags_keep_their_case() {
    check(
        "
svg
  x@lineargradient
p
  lineargradient",
        "x",
        &expect![[r#"
            30 position svg > linearGradient
        "#]],
    );
}

#[test]
fn control_named_id_does_not_shadow_the_id() {
    check(
        "
x@form #checkout
  input name=\"id\"
form #other",
        "x",
        &expect![[r##"
            95 id #checkout
            30 position form:nth-child(1)
        "##]],
    );
}

#[test]
fn frames_and_shadow_trees_form_a_chain() {
    let text = "
x-app
  >>open
    div
      x-card #card1
        >>closed
          a@button data-testid=\"pay\"
          b@button
          p
            button
iframe name=\"help\"
  >>frame
    html
      body
        c@a href=\"/faq\"
        a href=\"/other\"
button data-testid=\"pay\"";
    for (name, expect) in [
        (
            "a",
            expect![[r#"
                80 test-id x-app >>> #card1 >>> [data-testid="pay"] (the path to its frame or shadow tree is no more stable)
                30 position x-app >>> #card1 >>> :host > button:nth-child(1)
            "#]],
        ),
        (
            "b",
            expect![[r##"
                30 position x-app >>> #card1 >>> button:nth-child(2)
            "##]],
        ),
        (
            "c",
            expect![[r#"
                78 href iframe[name="help"] >>> a[href="/faq"]
                30 position iframe[name="help"] >>> a:nth-child(1)
            "#]],
        ),
    ] {
        let _ = &expect;
        check(text, name, &expect);
    }
}

#[test]
fn similar_element_is_named_by_its_row() {
    let table = "
table
  tr .entry
    td
      a href=\"/orders/501\" \"501\"
    td
      button .act title=\"Edit\"
      button .act
  tr .entry
    td
      a href=\"/orders/502\" \"502\"
    td
      edit@button .act title=\"Edit\"
      bin@button .act
  tr .entry
    td
      span \"total\"
    td
      lost@button .act title=\"Edit\"
      button .act";
    check(
        table,
        "edit",
        &expect![[r#"
        68 row tr:has(a[href="/orders/502"]) button[title="Edit"]
        30 position tr:nth-child(2) > td:nth-child(2) > button:nth-child(1)
    "#]],
    );
    check(
        table,
        "bin",
        &expect![[r#"
        48 row tr:has(a[href="/orders/502"]) button:nth-child(2)
        30 position tr:nth-child(2) > td:nth-child(2) > button:nth-child(2)
    "#]],
    );
    // This row has nothing unique.
    check(
        table,
        "lost",
        &expect![[r#"
        30 position tr:nth-child(3) > td:nth-child(2) > button:nth-child(1)
    "#]],
    );
}

#[test]
fn links_with_same_target_are_distinguished_by_ancestor() {
    let cards = "
main
  div .card
    div .picture
      picture@a href=\"/p/1\"
    h3
      title@a href=\"/p/1\" \"Kettle\"
  div .card
    div .picture
      a href=\"/p/2\"
    h3
      a href=\"/p/2\" \"Pan\"";
    check(
        cards,
        "picture",
        &expect![[r#"
        62 scoped .picture a[href="/p/1"]
        30 position div:nth-child(1) > div > a
    "#]],
    );
    check(
        cards,
        "title",
        &expect![[r#"
        62 scoped h3 a[href="/p/1"]
        30 position div:nth-child(1) > h3 > a
    "#]],
    );
}

#[test]
fn specific_class_wins_over_generic_class() {
    let page = "
div
  x@button .btn .send-order \"Send\"
  span .price \"3\"
  y@a .link \"Back\"";
    check(
        page,
        "x",
        &expect![[r#"
        75 classes .send-order
        50 tag button
    "#]],
    );
    check(
        page,
        "y",
        &expect![[r#"
        55 classes .link (a class like this may be given to other elements, too)
        50 tag a
    "#]],
    );
}

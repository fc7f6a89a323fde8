//! Verdicts of answers.

use inspect::{FindResult, Verdict};

use crate::support::page::page;

/// The reasons for the first element.
fn reasons(found: &FindResult) -> Vec<&str> {
    let reasons = found.ranked[0].reasons.iter();
    reasons.map(|reason| &*reason.words).collect()
}

const SHOP: &str = r#"
header
  search@input type="search" placeholder="Search products"
  cart@a href="/cart" "Cart"
main
  h2 "Lamps"
  paper@a href="/p/1" "Paper lantern"
  desk@a href="/p/2" "Desk light"
  add@button "Add to cart"
footer
  returns@a href="/returns" "Returns and exchanges"
"#;

#[test]
fn scores_are_sorted_and_certain_ones_are_high() {
    let page = page(SHOP);
    let sure = page.describe("Returns and exchanges");
    assert!(sure.ranked[0].score >= 90, "{sure:#?}");
    let vague = page.describe("lantern made of rice fibre");
    assert!(
        sure.ranked[0].score > vague.ranked.first().map_or(0, |hit| hit.score),
        "{vague:#?}"
    );
    for found in [sure, vague] {
        assert!(found.ranked.iter().all(|hit| hit.score <= 100));
    }
}

#[test]
fn reasons_are_sorted_by_weight() {
    let page = page(SHOP);
    let found = page.describe("the cart link");
    let hit = &found.ranked[0];
    assert_eq!(page.name(hit.place), "cart");
    let points: Vec<f32> = hit
        .reasons
        .iter()
        .map(|reason| reason.points.abs())
        .collect();
    assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
    for reason in ["name \"Cart\"", "is a link"] {
        assert!(reasons(&found).contains(&reason), "{found:#?}");
    }
}

#[test]
fn visible_elements_win() {
    let page = page(
        r#"
main
  ghost@button "Continue" hidden
  real@button "Continue"
  empty@button "Go on" [10,10,10,10]
"#,
    );
    page.finds(&[("continue", "real")]);
    let found = page.describe("go on");
    assert!(reasons(&found).contains(&"has no size"), "{found:#?}");
}

#[test]
fn button_shown_on_hover_is_found_and_said_to_be() {
    let page = page(
        r#"
main
  div .row pointer
    span "Lunch"
    star@button transparent title="Star" [900,0,930,30]
  gone@button hidden "Archive" [900,100,930,130]
"#,
    );
    let found = page.describe("star the lunch");
    assert_eq!(page.ranked(&found).first(), Some(&"star"), "{found:#?}");
    let on_hover = "is shown when the pointer is over it";
    assert!(reasons(&found).contains(&on_hover), "{found:#?}");
}

/// Every phrase of the table of opposites, on a page with a control of the other side only.
#[test]
fn description_of_the_opposite_is_never_certain() {
    let rows = include_str!("../../../data/opposites.txt").lines();
    let rows = rows.filter(|row| !row.starts_with('#'));
    let sides = rows.filter_map(|row| row.split_once(" > "));
    let mut wrong = Vec::new();
    for (one, other) in sides.flat_map(|(a, b)| [(a, b), (b, a)]) {
        for there in other.split('|') {
            let page = page(&format!(
                "main\n  button \"{there} report\"\n  button \"Help\"\n"
            ));
            let is_certain = |verb: &str| {
                let found = page.describe(&format!("{verb} report"));
                found.verdict == Verdict::Certain
            };
            let opposite = one.split('|').filter(|asked| is_certain(asked));
            wrong.extend(opposite.map(|asked| format!("{asked}: {there}")));
            if !is_certain(there) {
                wrong.push(there.to_owned());
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

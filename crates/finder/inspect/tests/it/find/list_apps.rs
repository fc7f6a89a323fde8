//! Sentences about the rows and settings of an app.

use crate::support::page::page;

#[test]
fn stated_places_and_means_are_read() {
    let page = page(
        r#"
main
  div .row [0,60,600,100]
    span .name "Thank you" [10,70,200,90]
    binThanks@button title="Delete" [500,70,540,90]
  div .row [0,110,600,150]
    span .name "Away" [10,120,200,140]
    p "Thank you for the mail." [210,120,480,140]
    binAway@button title="Delete" [500,120,540,140]
  label for="mo" "Month" [20,200,100,220]
  month@input #mo label="Month" [20,230,100,260]
  label for="ye" "Year" [120,200,200,220]
  year@input #ye label="Year" [120,230,200,260]
  close@button "×" [900,10,940,40]
  dl
    dt .field-label "Address" [20,400,120,420]
    address@dd "203.0.113.42" [20,430,160,450]
  div .menu "Theme" [600,400,800,500]
    button "System" [600,400,800,430]
    light@button "Light" [600,440,800,470]
"#,
    );
    page.prefers(&[
        ("get rid of Thank you with the bin behind it", "binThanks"),
        ("delete Thank you", "binThanks"),
        (
            "right beside the month is the box for the year, type 2029 in it",
            "year",
        ),
        ("up in the corner is a little x, press it", "close"),
        ("the box under Year", "year"),
        ("change the theme from System to Light", "light"),
        ("which address is it", "address"),
        ("read me the numbers below Address", "address"),
    ]);
    for absent in ["the box next to Salary", "press Write a review"] {
        let found = page.describe(absent);
        assert_eq!(found.verdict.as_str(), "not_found", "{absent}");
    }
}

#[test]
fn neighbours_of_a_counted_element_are_offered() {
    let page = page(
        r#"
main
  one@button "Photo" [0,0,100,100]
  two@button "Photo" [110,0,210,100]
  three@button "Photo" [220,0,320,100]
  four@button "Photo" [330,0,430,100]
  five@button "Photo" [440,0,540,100]
"#,
    );
    let found = page.describe("the fourth photo button");
    let offered: Vec<&str> = found
        .ranked
        .iter()
        .map(|hit| page.name(hit.place))
        .collect();
    assert_eq!(offered, ["four", "five", "three"]);
}

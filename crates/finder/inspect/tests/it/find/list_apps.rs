//! Sentences about the rows and settings of an app.

use crate::support::page::page;

#[test]
fn title_of_setting_names_its_control() {
    let page = page(
        r#"
main
  div .setting-row [20,60,600,120]
    div .setting-text [20,60,300,120]
      div .setting-label "Text size" [20,60,300,85]
      div .setting-hint "Changes the size of the text in notes." [20,90,300,115]
    size@div .dropdown-trigger pointer [450,70,600,110]
      span "Medium" [460,75,540,105]
  div .setting-row [20,140,600,200]
    div .setting-text [20,140,300,200]
      div .setting-label "Weekly summary" [20,140,300,165]
      div .setting-hint "A mail about the notes of the week." [20,170,300,195]
    summary@div .toggle-switch pointer [550,150,600,180]
"#,
    );
    page.prefers(&[
        ("text size", "size"),
        ("text size picker", "size"),
        ("weekly summary", "summary"),
        ("switch next to Weekly summary", "summary"),
    ]);
}

#[test]
fn clause_with_the_command_names_the_target() {
    let page = page(
        r#"
aside .sidebar [0,0,200,800]
  sent@button "Sent" [10,100,190,130]
  drafts@button "Drafts" [10,140,190,170]
main [200,0,1000,800]
  p "Sent mail is kept for a year." [220,20,980,50]
  other@button "Send Later" [220,60,320,90]
"#,
    );
    page.prefers(&[
        ("On the left, click Sent", "sent"),
        ("in the sidebar choose Drafts", "drafts"),
        ("There is a button Drafts on the left, press it", "drafts"),
        (
            "so now that the mail is ready go on and press Send Later",
            "other",
        ),
    ]);
}

#[test]
fn action_on_a_row_ends_at_its_control() {
    let page = page(
        r#"
main
  first@div .mail-row pointer [0,0,1000,60]
    tickFirst@input type="checkbox" [10,20,30,40]
    span "Ana Diaz" [40,10,200,50]
    span "Travel budget" [220,10,600,50]
    starFirst@button title="Star" [900,10,940,50]
  second@div .mail-row pointer [0,70,1000,130]
    tickSecond@input type="checkbox" [10,90,30,110]
    span "Bo Lund" [40,80,200,120]
    span "Office plants" [220,80,600,120]
    starSecond@button title="Star" [900,80,940,120]
"#,
    );
    page.prefers(&[
        ("tick the travel budget mail", "tickFirst"),
        ("star the office plants mail", "starSecond"),
        ("open the office plants mail", "second"),
    ]);
}

#[test]
fn name_in_capitals_is_literal() {
    let page = page(
        r#"
main
  h2 "Your posts"
  card@div .post pointer "Post about the garden"
  post@button "Post"
"#,
    );
    page.prefers(&[("good, and now press Post to send it", "post")]);
}

#[test]
fn notices_and_refusals_end_at_their_switch() {
    let page = page(
        r#"
main
  div .row [20,60,600,100]
    div .title "Late deliveries" [20,60,300,90]
    late@div .toggle-switch pointer [550,65,600,95]
  div .row [20,120,600,160]
    div .title "Turn pages with the volume keys" [20,120,300,150]
    keys@div .toggle-switch pointer [550,125,600,155]
"#,
    );
    page.prefers(&[
        ("email me about late deliveries", "late"),
        ("don't turn pages with volume keys", "keys"),
    ]);
}

#[test]
fn verb_of_completion_is_not_the_name() {
    let page = page(
        r#"
main
  h2 "Seats 4 and 5"
  book@button "Book seats"
  button "Back"
"#,
    );
    page.prefers(&[
        ("complete the booking", "book"),
        ("finish the booking", "book"),
    ]);
}

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

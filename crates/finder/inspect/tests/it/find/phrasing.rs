//! Natural phrasings: actions and objects, purposes of controls, ownership.

use inspect::{
    Request, Verdict,
    find::{Near, Reference},
};

use crate::support::page::page;

#[test]
fn control_is_found_by_its_purpose() {
    let page = page(
        r#"
header
  form role="search"
    find@input type="search" name="q" placeholder="What do you need?"
    go@button .go "Go"
main
  p "Words by"
  writer@a href="/u/ines" "Ines Roth"
  other@a href="/u/tom" "Tom Hale"
  div .pager
    back@button
      span .mi .mi-chevron-left
    one@a href="?p=1" "1"
    two@a href="?p=2" "2"
    three@a href="?p=3" "3"
    on@button
      span .mi .mi-chevron-right
footer
  post@input type="email" placeholder="you@example.com"
"#,
    );
    page.finds(&[
        ("email field", "post"),
        ("next page", "on"),
        ("previous page", "back"),
        ("go to page 3", "three"),
    ]);
    page.prefers(&[("the search box", "find"), ("search button", "go")]);
}

#[test]
fn icons_of_all_sets_are_recognized() {
    let page = page(
        r#"
main
  bell@button
    span .mi .mi-bell
    sup "3"
  bin@button
    span .x-trash
  named@button
    span .x-trash
    b "Newsletter"
"#,
    );
    page.prefers(&[("notifications", "bell"), ("delete", "bin")]);
    // A control with text is not named by the icon classes beside it.
    let found = page.describe("Newsletter");
    assert_eq!(page.ranked(&found)[0], "named");
}

const TEAM: &str = r#"
main
  h2 "Shipping address"
  p "3 Mill Lane"
  removeAddress@button "Remove"
  h2 "Team"
  table
    tr
      td
        check1@input type="checkbox"
      td
        ada@a href="/u/1" "Ada Holm"
      td
        edit1@button title="Edit"
        bin1@button
          i .icon-trash
    tr
      td
        check2@input type="checkbox"
      td
        ben@a href="/u/2" "Ben Okafor"
      td
        edit2@button title="Edit"
        bin2@button
          i .icon-trash
"#;

#[test]
fn verb_finds_the_control_and_object_its_row() {
    let page = page(TEAM);
    page.prefers(&[
        ("edit Ada Holm", "edit1"),
        ("edit Ben Okafor", "edit2"),
        ("Ben Okafor", "ben"),
        ("trash icon in the row of Ada Holm", "bin1"),
        ("select Ben Okafor's row", "check2"),
    ]);
}

#[test]
fn near_a_heading_means_under_it() {
    let page = page(TEAM);
    let ask = |near: &str| {
        page.ask(&Request {
            near: Some(Near {
                reference: Reference::Text(near.to_owned()),
                direction: None,
            }),
            ..Request::described("delete")
        })
    };
    let found = ask("Team");
    let Verdict::Ambiguous { count: 2, .. } = found.verdict else {
        panic!("{found:#?}");
    };
    assert_eq!(page.ranked(&found)[..2], ["bin1", "bin2"]);
    let found = ask("Ben Okafor");
    assert_eq!(page.ranked(&found)[0], "bin2", "{found:#?}");
    let found = ask("Shipping address");
    assert_eq!(page.ranked(&found)[0], "removeAddress", "{found:#?}");
}

#[test]
fn owned_thing_itself_is_the_target() {
    let page = page(
        r#"
main
  div .hotel
    tejo@a href="/h/2" "Hotel Tejo"
    tejoReviews@a href="/h/2/reviews" "Good - 640 reviews"
    tejoRooms@a href="/h/2/rooms" "See availability"
  div .hotel
    alfama@a href="/h/3" "Alfama Rooms"
    alfamaReviews@a href="/h/3/reviews" "Fine - 98 reviews"
    alfamaRooms@a href="/h/3/rooms" "See availability"
footer
  terms@a href="/terms" "Terms of Service"
"#,
    );
    page.prefers(&[
        ("reviews of Alfama Rooms", "alfamaReviews"),
        ("availability at Hotel Tejo", "tejoRooms"),
        ("Alfama Rooms", "alfama"),
    ]);
    page.finds(&[("terms of service", "terms")]);
}

#[test]
fn typed_object_is_not_a_kind() {
    let page = page(
        r#"
header
  create@button title="New message" "+"
main
  h3 "Direct messages"
  box@div role="textbox" contenteditable="true" aria-label="Message to the team"
  send@button "Send"
"#,
    );
    page.prefers(&[("write a message", "box"), ("send the message", "send")]);
}

#[test]
fn name_with_another_action_does_not_match() {
    let page = page(
        r#"
header
  basket@button aria-label="Basket, 2 items"
    i .icon-basket
main
  add@button "Add to basket"
  readme@a href="/readme" "Readme"
  edit@button "Edit readme"
"#,
    );
    page.prefers(&[("open the basket", "basket"), ("the readme", "readme")]);
    page.finds(&[("add to basket", "add"), ("edit the readme", "edit")]);
}

#[test]
fn static_text_is_uncertain_unless_requested() {
    let page = page(
        r#"
main
  p "Two-factor authentication is off and the workspace can be joined by everybody who knows its name"
  price@h2 "Total price"
  save@button "Save"
"#,
    );
    let found = page.describe("the workspace name");
    assert_ne!(found.verdict, Verdict::Certain, "{found:#?}");
    page.finds(&[("the heading Total price", "price"), ("save", "save")]);
    // Missing words do not count as present.
    let found = page.describe("parliament livestream name");
    if let Verdict::NotFound { nearest } = &found.verdict {
        assert!(nearest.iter().all(|hit| hit.score < 50), "{found:#?}");
    } else {
        panic!("{found:#?}");
    }
}

//! Natural phrasings: actions and objects, purposes of controls, ownership.

use inspect::{
    Request, Verdict,
    find::{Near, Reference},
};

use crate::support::page::page;

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

//! The right one of several elements with the same name.

use inspect::Verdict;

use crate::support::page::page;

const TEAM: &str = r#"
main
  h2 "Billing"
  saveBilling@button "Save"
  h2 "Profile"
  saveProfile@button "Save"
  h2 "People"
  table
    tr
      th "Name"
      th "Role"
      th "Actions"
    tr
      td "Ana Diaz"
      td
        roleAna@select
      td
        editAna@button .edit
          svg data-icon="pencil"
        deleteAna@button .delete
          svg data-icon="trash"
    tr
      td "Bo Stone"
      td
        roleBo@select
      td
        editBo@button .edit
          svg data-icon="pencil"
        deleteBo@button .delete
          svg data-icon="trash"
footer
  privacy@a href="/privacy" "Privacy"
aside
  aside@a href="/settings/privacy" "Privacy"
"#;

#[test]
fn headings_rows_and_regions_disambiguate() {
    page(TEAM).finds(&[
        ("save under Billing", "saveBilling"),
        ("the Save button under Profile", "saveProfile"),
        ("save button in the profile section", "saveProfile"),
        ("delete Bo Stone", "deleteBo"),
        ("edit button for Ana Diaz", "editAna"),
        ("pencil icon in the row of Bo Stone", "editBo"),
        ("trash icon next to Ana Diaz", "deleteAna"),
        ("role of Bo Stone", "roleBo"),
        ("privacy link in the footer", "privacy"),
        ("privacy in the sidebar", "aside"),
    ]);
}

#[test]
fn repeated_name_is_ambiguous_with_distinctions() {
    let page = page(TEAM);
    let found = page.describe("save");
    let Verdict::Ambiguous {
        count,
        told_apart_by,
    } = &found.verdict
    else {
        panic!("{found:#?}");
    };
    assert_eq!(*count, 2);
    let reported: Vec<(&str, &str)> = told_apart_by
        .iter()
        .map(|reported| (page.name(reported.place), reported.words.as_str()))
        .collect();
    assert_eq!(
        reported,
        [
            ("saveBilling", "under \"Billing\""),
            ("saveProfile", "under \"Profile\"")
        ]
    );
    // The suggested words are sufficient.
    for (name, words) in reported {
        page.finds(&[(&format!("save {words}"), name)]);
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
    let reasons: Vec<&str> = found.ranked[0]
        .reasons
        .iter()
        .map(|reason| reason.words.as_str())
        .collect();
    assert!(reasons.contains(&"has no size"), "{reasons:?}");
}

#[test]
fn control_wins_over_surrounding_text() {
    let page = page(
        r#"
main
  h2 "By"
    author@a href="/ines" "Ines Roth"
  p "Read more about"
    more@a href="/walking" "walking"
"#,
    );
    page.finds(&[
        ("by Ines Roth", "author"),
        ("Ines Roth", "author"),
        ("walking", "more"),
    ]);
    // Unless the description asks for the text itself.
    let found = page.describe("the heading by Ines Roth");
    assert_eq!(&*page.subject.at(found.ranked[0].place).unwrap().tag, "h2");
}

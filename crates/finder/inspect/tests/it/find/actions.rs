//! Actions and their objects: verbs, icons for actions, and controls named only by their row or column.

use inspect::Verdict;

use crate::support::page::page;

#[test]
fn icon_font_ligatures_are_icon_names() {
    let page = page(
        r#"
main
  bin@button
    span .material-icons "delete"
  more@button
    span .material-icons "more_horiz"
  shop@a href="/shop"
    span .material-symbols-outlined "storefront"
    b "Deliveries"
  words@button "delete_all"
"#,
    );
    page.prefers(&[
        ("trash can", "bin"),
        ("three dots", "more"),
        ("deliveries", "shop"),
        ("delete", "bin"),
    ]);
}

#[test]
fn table_checkboxes_are_named_by_row_and_column() {
    let page = page(
        r#"
main
  table
    tr
      th ""
      th "Poor"
      th "Good"
    tr
      td "Canteen"
      td
        a1@input type="radio" name="a"
      td
        a2@input type="radio" name="a"
    tr
      td "Noise"
      td
        b1@input type="radio" name="b"
      td
        b2@input type="radio" name="b"
"#,
    );
    page.finds(&[("noise: poor", "b1"), ("rate the canteen as good", "a2")]);
}

#[test]
fn plain_form_fields_are_named_by_preceding_cell_or_heading() {
    let page = page(
        r#"
main
  table
    tr
      td "Network name"
      td
        name@input name="x1"
        hide@input type="checkbox" name="x2"
        span "Hide"
  h3 "Promotion code"
  code@input name="x3" placeholder="Type it here"
"#,
    );
    page.finds(&[("network name", "name"), ("promotion code", "code")]);
}

#[test]
fn link_purpose_follows_its_address() {
    let page = page(
        r#"
footer
  home@a href="/" "Northside Clinic"
  dial@a href="tel:5550100" "555-0100"
  mail@a href="mailto:desk@clinic.example" "Front desk"
  file@a href="/results/7.pdf"
    i .fas
"#,
    );
    page.prefers(&[
        ("call the clinic", "dial"),
        ("write an email", "mail"),
        ("download", "file"),
    ]);
}

#[test]
fn created_object_is_not_an_existing_kind() {
    let page = page(
        r#"
main
  look@input type="search" placeholder="Search everything"
  pic@button
    i .icon-image
  mid@button
    i .icon-align-center
  shown@img alt="A lake"
  p "A paragraph of text."
"#,
    );
    page.prefers(&[
        ("insert a picture", "pic"),
        ("centre the paragraph", "mid"),
        ("search for a photo", "look"),
    ]);
}

#[test]
fn stop_word_may_end_a_name() {
    let page = page(
        r#"
main
  div .row
    span "Radio"
    off@button "Turn off"
    on@button "Turn on"
  lamp@button "Lamps"
"#,
    );
    page.prefers(&[("turn the radio off", "off"), ("turn the radio on", "on")]);
}

#[test]
fn add_to_cart_target_is_not_in_the_cart() {
    let page = page(
        r#"
main
  section
    h2 "Menu"
    div .dish
      b "Onion soup"
      add@button "Add"
    div .dish
      b "Salad"
      other@button "Add"
  section
    h2 "Your cart"
    div .line
      span "Onion soup"
      less@button "−"
      more@button "+"
"#,
    );
    page.prefers(&[("add the onion soup to the cart", "add")]);
}

#[test]
fn compound_control_nouns_are_split() {
    let page = page(
        r#"
main
  box@input type="text" placeholder="Zoek"
  go@button title="Zoek"
    i
"#,
    );
    page.prefers(&[("zoekknop", "go"), ("zoekveld", "box")]);
}

#[test]
fn star_ratings_are_counted() {
    let page = page(
        r#"
main
  three@button "★★★"
  four@button "★★★★"
  five@button "★★★★★"
"#,
    );
    page.prefers(&[("four stars", "four"), ("3 stars", "three")]);
}

#[test]
fn element_without_the_action_is_uncertain() {
    let page = page(
        r#"
main
  div .card
    name@a href="/h/2" "Hostel Ribeira"
  asked@a href="/ask" "Asked questions"
"#,
    );
    for query in ["unpin Hostel Ribeira", "who asked the questions"] {
        let found = page.describe(query);
        assert!(
            !matches!(found.verdict, Verdict::Certain),
            "{query}: {:?}",
            found.verdict
        );
    }
}

#[test]
fn icons_match_actions_in_every_language() {
    let page = page(
        r#"
main
  pen@span .icon-stift onclick="1"
  glass@span .icon-lupe onclick="1"
  away@span .icon-x onclick="1"
"#,
    );
    page.prefers(&[
        ("bearbeiten", "pen"),
        ("rechercher", "glass"),
        ("close", "away"),
    ]);
}

#[test]
fn menu_bar_only_opens_menus() {
    let page = page(
        r#"
header
  div role="menubar"
    span role="menuitem" "File"
    menu@span role="menuitem" "Run"
  run@span pointer title="Run"
main
  reply@input placeholder="Reply" label="Add the table"
"#,
    );
    page.prefers(&[("run button", "run"), ("Run menu", "menu")]);
    let found = page.describe("insert a table");
    assert_ne!(found.verdict.as_str(), "certain", "{found:#?}");
}

#[test]
fn only_checkboxes_are_ticked() {
    let page = page(
        r#"
main
  table
    tr
      td
        box@input type="checkbox" aria-label="Select this book for an action: Sula"
      td
        a href="/books/sula" "Sula"
    tr
      td
        input type="checkbox" aria-label="Select this book for an action: Jazz"
      td
        a href="/books/jazz" "Jazz"
"#,
    );
    page.prefers(&[("tick Sula", "box")]);
}

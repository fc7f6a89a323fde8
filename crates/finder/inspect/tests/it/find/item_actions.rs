//! Actions on one of several items: the control is in the item's row.

use crate::support::page::page;

#[test]
fn word_in_an_entry_belongs_to_that_entry() {
    let page = page(
        r#"
main
  ul
    li
      heading@h3 "Your order"
      more@a href="/menu" "Add more"
      ul
        li
          span "Garlic bread"
          bread@button "+"
        li
          span "Olives"
          olives@button "+"
"#,
    );
    page.prefers(&[("add the olives", "olives"), ("add the bread", "bread")]);
}

#[test]
fn about_page_is_found() {
    let page = page(
        r#"
header
  home@a href="/" "Home"
  about@a href="/about" "About"
main
  heading@h1 "Articles about gardens"
"#,
    );
    page.finds(&[("go to the about page", "about"), ("about us", "about")]);
}

#[test]
fn action_alone_is_no_place_to_go() {
    let page = page(
        r#"
nav
  away@a href="/trash" "Trash"
main
  p "3 photos are selected"
  drop@button "Trash"
  unseen@button "Mark unseen"
"#,
    );
    page.prefers(&[
        ("trash them", "drop"),
        ("open the trash", "away"),
        ("flag as unseen", "unseen"),
    ]);
}

#[test]
fn counted_entries_are_not_the_controls_that_their_author_calls_so() {
    let page = page(
        r#"
nav
  button "Recipes"
main
  div .list
    div .recipe-card listens pointer
      p "Leek soup"
      button .keep data-action="saveRecipe"
    second@div .recipe-card listens pointer
      p "Rye bread"
      button .keep data-action="saveRecipe"
    third@div .recipe-card listens pointer
      p "Plum jam"
      button .keep data-action="saveRecipe"
"#,
    );
    page.prefers(&[
        ("open the third recipe", "third"),
        ("second recipe", "second"),
    ]);
}

#[test]
fn verb_of_the_screen_ends_at_the_control_in_the_row() {
    let page = page(
        r#"
main
  div .fair listens pointer
    span "Spring fair"
    box@input type="checkbox"
    done@button title="Mark done" "✓"
    star@button "Star"
    spring@button "RSVP"
  div .fair listens pointer
    span "Autumn talk"
    input type="checkbox"
    button title="Mark done" "✓"
    late@button "Star"
    autumn@button "RSVP"
"#,
    );
    page.prefers(&[
        ("RSVP to the spring fair", "spring"),
        ("rsvp for the autumn talk", "autumn"),
        ("tick the spring fair", "box"),
        ("unstar the autumn talk", "late"),
    ]);
}

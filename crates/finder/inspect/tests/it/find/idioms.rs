//! Phrasings on real pages: idioms, words that only look like ordinals, and undeclared controls.

use crate::support::page::page;

#[test]
fn ordinal_words_are_not_always_ordinals() {
    let page = page(
        r##"
main
  h2 "Comments"
  p
    newest@a .sort-newest "Newest"
    oldest@a .sort-oldest "Oldest"
  a href="/1" "Current week"
  previous@a href="/0" "Previous week"
  h2 "Popular posts"
  ul
    li
      a href="/p/1" "Tar"
    li
      second@a href="/p/2" "Rope"
    li
      a href="/p/3" "Canvas"
"##,
    );
    page.prefers(&[
        ("sort the comments oldest first", "oldest"),
        ("newest first", "newest"),
        ("last week", "previous"),
        ("second popular post", "second"),
    ]);
}

#[test]
fn differently_styled_entries_are_counted_together() {
    let page = page(
        r##"
main
  div
    span "Trending on Harbour"
    ol
      li .first
        a href="/t/1" "Moored for good"
        a href="/s/1" "by Ann"
      li .plain
        trend@a href="/t/2" "Ropes that hold"
        a href="/s/2" "by Bert"
      li .plain
        a href="/t/3" "A tide table"
        a href="/s/3" "by Ann"
  div
    h2 "Related content"
    article .media
      a href="/r/1" "Knots"
    article .media-inset
      related@a href="/r/2" "Splices"
    article .media-inset
      a href="/r/3" "Hitches"
  section
    h2 "Similar articles"
    ul .similar
      li
        a .tag href="/tag/rope" "Rope"
        a href="/v/1"
          h4 "Ten ways to whip a rope"
      li
        a .tag href="/tag/sail" "Sails"
        similar@a href="/v/2"
          h4 "What to do with a torn sail"
  section
    h2 "From the deck"
    div .cell
      a href="/m/1"
        img alt="A crane"
        h3 "Cranes"
    div .cell
      more@a href="/m/2"
        img alt="A pilot"
        h3 "Pilots"
    div .cell
      a href="/m/3"
        img alt="A lock"
        h3 "Locks"
  footer
    ul
      li
        a href="/help" "Help"
      li
        a href="/terms" "Terms"
      li
        a href="/jobs" "Jobs"
"##,
    );
    page.prefers(&[
        ("second trending story", "trend"),
        ("second similar article", "similar"),
    ]);
}

#[test]
fn phrases_with_a_common_word_are_distinguished() {
    let page = page(
        r##"
header
  in@a href="/in" "Sign in"
  up@a href="/up" "Sign up"
  world@a .edition "International"
  us@a .edition "U.S."
  menu@a role="button" "Menu"
  all@button "All sections"
  maths@a href="/mathematics" "Mathematics"
main
  ul
    li "News"
  near@a href="/nearby" "Places near me"
  a href="/places" "Places"
  letter@a href="/letters" "Newsletter Signup"
  article .article
    p "Kites rise over the bay."
    join@button "Subscribe"
  a role="button" aria-label="Subscribe to our feed" href="/feed" ""
  a href="/up" "Sign up to receive the letters of Harbour"
footer
  below@a href="/below" "Sign in"
"##,
    );
    page.prefers(&[
        ("switch to the US edition", "us"),
        ("open the menu", "menu"),
        ("open the list of all sections", "all"),
        ("the maths section", "maths"),
        ("find places near me", "near"),
        ("sign up for the newsletter", "letter"),
        ("the subscribe button in the middle of the article", "join"),
    ]);
}

#[test]
fn typing_for_a_purpose_targets_the_field() {
    let page = page(
        r##"
form
  field@input type="email" aria-label="Your email"
  button "Subscribe"
form
  find@input type="search" placeholder="Buscar"
  button "Buscar"
"##,
    );
    page.prefers(&[
        ("type my email address to subscribe", "field"),
        ("escribir en el campo de búsqueda", "find"),
        ("tape « corde » dans le champ de recherche", "find"),
    ]);
}

#[test]
fn unnamed_control_takes_name_of_its_wrapper() {
    let page = page(
        r##"
header
  div .header-search
    search@button
      svg
  div .header-account
    account@button
      svg
  div .outer listens
    div .trigger aria-expanded="false" aria-controls="lands" tabindex="0"
      lands@svg aria-label="Countries"
"##,
    );
    page.prefers(&[
        ("the user account icon in the header", "account"),
        ("the search icon", "search"),
    ]);
}

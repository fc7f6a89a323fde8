//! Words: names, synonyms, typos, roles, verbs, icons.

use crate::support::page::page;

#[test]
fn name_is_found_in_any_spelling() {
    let page = page(
        r#"
header
  login@a href="/login" "Sign in"
  help@a href="/help" "Help center"
main
  email@input type="email" label="Work email" placeholder="you@company.test"
  remember@input type="checkbox" label="Keep me signed in"
  settings@button "Account preferences"
  mystery@button #btnDownloadInvoice aria-label="Fetch"
  photo@img alt="Portrait of the author"
"#,
    );
    page.finds(&[
        ("Help center", "help"),
        ("help centre link", "help"),
        ("hlep center", "help"),
        ("Helpcenter", "help"),
        ("the HELP CENTER", "help"),
        ("account preference", "settings"),
        ("acount preferences", "settings"),
        ("download invoice", "mystery"),
        ("you@company.test", "email"),
    ]);
    page.prefers(&[("portrait of the author", "photo")]);
}

#[test]
fn synonyms_match() {
    let page = page(
        r#"
header
  login@a href="/login" "Sign in"
  cart@a href="/c" "Basket"
  konto@a href="/k" "Mein Konto"
main
  delete@button "Remove"
  settings@button "Preferences"
  warenkorb@button "Speichern"
"#,
    );
    page.finds(&[
        ("the login button", "login"),
        ("log in", "login"),
        ("shopping cart", "cart"),
        ("trash icon", "delete"),
        ("gear icon", "settings"),
        ("my account", "konto"),
        ("save", "warenkorb"),
    ]);
}

#[test]
fn unlabelled_icons_are_named_by_author_names() {
    let page = page(
        r##"
header
  menu@button .icon-btn
    svg .lucide .lucide-menu
  bell@button .icon-btn
    svg
      use href="#icon-bell"
  gear@button .icon-btn
    i .fa .fa-cog
  search@button
    svg data-testid="SearchIcon"
  cart@a href="/cart"
    img src="/img/shopping-bag.svg"
    span "3"
  close@button "×"
  facebook@a href="https://facebook.com/acme" .social
    i .fab
"##,
    );
    page.finds(&[
        ("hamburger menu", "menu"),
        ("bell icon", "bell"),
        ("notifications", "bell"),
        ("settings", "gear"),
        ("gear icon", "gear"),
        ("magnifying glass", "search"),
        ("shopping cart icon", "cart"),
        ("close button", "close"),
        ("x button", "close"),
        ("facebook icon", "facebook"),
    ]);
}

#[test]
fn role_words_and_verbs_select_the_kind() {
    let page = page(
        r#"
main
  heading@h2 "Newsletter"
  field@input label="Newsletter"
  button@button "Newsletter"
  link@a href="/n" "Newsletter"
  box@input type="checkbox" label="Newsletter"
  choice@select label="Newsletter"
  tab@div role="tab" "Newsletter"
"#,
    );
    page.finds(&[
        ("newsletter button", "button"),
        ("the newsletter link", "link"),
        ("newsletter field", "field"),
        ("newsletter text box", "field"),
        ("newsletter checkbox", "box"),
        ("newsletter check box", "box"),
        ("newsletter dropdown", "choice"),
        ("newsletter tab", "tab"),
        ("enter \"a@b.test\" in the newsletter", "field"),
        ("click on the \"Newsletter\" button", "button"),
        ("Schaltfläche Newsletter", "button"),
    ]);
    page.prefers(&[
        ("newsletter heading", "heading"),
        ("check newsletter", "box"),
    ]);
}

#[test]
fn typed_value_is_not_part_of_the_name() {
    let page = page(
        r#"
form
  user@input label="Username"
  password@input type="password" label="Password"
  anna@button "Anna"
"#,
    );
    page.finds(&[
        ("enter \"Anna\" into the username field", "user"),
        ("type hunter2 in the password field", "password"),
        ("fill in the username with Anna", "user"),
    ]);
}

#[test]
fn quoted_words_weigh_most_and_may_be_a_kind() {
    let page = page(
        r#"
main
  save@button "Save"
  draft@button "Save draft"
  open@button "Open the saved draft"
  no@button "no"
  capital@button "No"
  box@input type="checkbox"
"#,
    );
    page.finds(&[
        ("Click on the \"Save\" button next to the draft", "save"),
        ("Press the “Save draft” button.", "draft"),
        ("Click the \"No\" button", "capital"),
        ("Click the \"no\" button", "no"),
        ("Click on a \"checkbox\" widget", "box"),
    ]);
}

#[test]
fn content_of_a_control_means_the_control() {
    let page = page(
        r#"
main
  card@a href="/story"
    h3 "A long walk"
    img alt="A mountain path"
    p "By Ines"
  label for="terms" "I agree to the terms"
  terms@input #terms type="checkbox" label="I agree to the terms"
  chip@div listens pointer
    span "Vegetarian"
  li role="tab"
    tab@a href="/r" "Reviews"
"#,
    );
    page.finds(&[
        ("a long walk", "card"),
        ("mountain path image", "card"),
        ("agree to the terms", "terms"),
        ("vegetarian", "chip"),
        ("reviews tab", "tab"),
    ]);
}

#[test]
fn unlabelled_fields_are_named_by_nearby_text() {
    let page = page(
        r#"
table
  tr
    td "Given name"
    td
      given@input
  tr
    td "Town"
    td
      town@input
div
  div .row
    span "Weekly digest"
    digest@div role="switch" tabindex="0"
  div .row
    span "Push messages"
    push@div role="switch" tabindex="0"
"#,
    );
    page.finds(&[
        ("given name", "given"),
        ("first name field", "given"),
        ("town", "town"),
        ("weekly digest", "digest"),
        ("turn on push messages", "push"),
    ]);
}

//! Positions of elements: on the screen, relative to each other, in parts of the page.

use crate::support::page::page;

#[test]
fn screen_regions() {
    let page = page(
        r#"
div
  topLeft@button "Menu" [0,0,80,40]
  topRight@button "Menu" [900,0,990,40]
  bottomLeft@button "Menu" [0,740,80,790]
  bottomRight@button "Menu" [900,740,990,790]
"#,
    );
    page.finds(&[
        ("menu in the top left", "topLeft"),
        ("menu button top right", "topRight"),
        ("menu at the bottom left", "bottomLeft"),
    ]);
    page.prefers(&[("the menu in the lower right corner", "bottomRight")]);
}

#[test]
fn spatial_relations() {
    let page = page(
        r#"
div
  adults@span "Adults" [100,100,180,130]
  fewerAdults@button "−" [200,100,230,130]
  moreAdults@button "+" [250,100,280,130]
  children@span "Children" [100,200,180,230]
  fewerChildren@button "−" [200,200,230,230]
  moreChildren@button "+" [250,200,280,230]
  above@button "Apply" [100,300,200,330]
  code@input label="Promo code" [100,350,200,380]
  below@button "Apply" [100,400,200,430]
  left@button "Go" [100,500,200,530]
  middle@input label="Amount" [300,500,400,530]
  right@button "Go" [500,500,600,530]
"#,
    );
    page.prefers(&[
        ("plus button next to Adults", "moreAdults"),
        ("the + next to Children", "moreChildren"),
        ("minus next to Children", "fewerChildren"),
        ("apply button below the promo code", "below"),
        ("apply button above promo code", "above"),
        ("go button to the left of Amount", "left"),
        ("go button to the right of the amount", "right"),
    ]);
}

#[test]
fn names_with_stop_words_stay_whole() {
    let page = page(
        r#"
main
  terms@a href="/t" "Terms of Service"
  service@a href="/s" "Service"
  search@a href="/j" "Search for jobs"
  jobs@a href="/jobs" "Jobs"
  from@select label="From"
  to@select label="To"
  under@a href="/u" "Under construction"
"#,
    );
    page.finds(&[
        ("Terms of Service", "terms"),
        ("terms of service link", "terms"),
        ("search for jobs", "search"),
        ("From", "from"),
        ("to dropdown", "to"),
        ("under construction", "under"),
    ]);
}

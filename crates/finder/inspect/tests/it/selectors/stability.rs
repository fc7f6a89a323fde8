//! Selectors survive typical changes of a page and still match the same element.

use dom::ElementId;
use inspect::selectors::{PageNames, StabilityFilter, Strategy};

use crate::support::css;
use crate::support::page::{Page, page};

/// The changes in a later version of the page.
#[derive(Clone, Copy, Default)]
struct Changes {
    /// Generated ids and classes are regenerated.
    regenerated_ids: bool,
    /// A banner, a new first entry of each list, and a field before the others.
    inserted: bool,
    /// Open, selected and counted elements differ.
    state: bool,
    /// Everything is in one more box.
    wrapped: bool,
}

fn shop(changes: Changes) -> Page {
    let id = |old: &'static str, new: &'static str| if changes.regenerated_ids { new } else { old };
    let (r1, r2) = (id(":r1:", ":r9:"), id("radix-12", "radix-31"));
    let (css1, css2) = (
        id("css-1x2y3z", "css-9a8b7c"),
        id("Button_root__3xY9k", "Button_root__7Qw2p"),
    );
    let on = |first: &'static str, then: &'static str| if changes.state { then } else { first };
    let (home, about) = (on(".active", ""), on("", ".active"));
    let count = on("3", "12");
    let insert = |text: &'static str| if changes.inserted { text } else { "" };
    let banner =
        insert("div .banner\n  a href=\"/sale\" .nav-link \"Sale\"\n  button .btn \"Close\"\n");
    let first_tab = insert("        li\n          a .nav-link href=\"/new\" \"New\"\n");
    let first_field = insert("        input name=\"coupon\" .field\n");
    let first_row = insert(
        "        tr data-order=\"c\"\n          td \"C\"\n          td\n            button .remove title=\"Remove\" \"x\"\n",
    );
    let text = format!(
        "{banner}header #top
    nav
      ul .menu
{first_tab}        li
          home@a .nav-link {home} href=\"/\" \"Home\"
        li
          about@a .nav-link {about} href=\"/about\" \"About\"
        li
          cart@a .nav-link .nav-cart aria-label=\"Cart, {count} items\" href=\"/cart\" \"Cart\"
main
    form #checkout action=\"/pay\"
{first_field}        mail@input #{r1} .field .{css1} name=\"email\" type=\"email\" placeholder=\"E-mail\"
        card@input #{r2} .field .{css1} name=\"card\" type=\"text\"
        agree@input .field name=\"agree\" type=\"checkbox\"
        pay@button .btn .{css2} type=\"submit\" \"Pay\"
    form #newsletter action=\"/subscribe\"
        news@input .field name=\"email\" type=\"email\"
        join@button .btn .{css2} type=\"submit\" \"Join\"
    table .orders
      tbody
{first_row}        tr data-order=\"a\"
          td \"A\"
          td
            first@button .remove title=\"Remove\" \"x\"
        tr data-order=\"b\"
          td \"B\"
          td
            second@button .remove title=\"Remove\" \"x\"
    x-rating
      >>open
        star@button data-testid=\"star\"
footer
    imprint@a href=\"/imprint\" \"Imprint\"
    lang@select #{r1}-lang name=\"lang\""
    );
    if changes.wrapped {
        let inner: String = text.lines().map(|line| format!("  {line}\n")).collect();
        return page(&format!("div #root\n{inner}"));
    }
    page(&text)
}

/// The names of elements whose recommended selector no longer matches only them in the later version.
fn unstable_names(changes: Changes, strategies: impl Fn(Strategy) -> bool) -> Vec<String> {
    let first = shop(Changes::default());
    let then = shop(changes);
    let mut names = PageNames::new(&first.dom);
    let mut unstable_names = Vec::new();
    for (name, id) in first.all() {
        let selectors = names.selectors(id, StabilityFilter::Any, 10);
        let Some(best) = selectors.iter().find(|one| strategies(one.strategy)) else {
            continue;
        };
        let css = best.css().unwrap();
        let hits: Vec<ElementId> = css::hits(&then.dom, &css);
        if hits != [then.named(name)] {
            let hit = hits.first().map(|id| then.name(id.index()));
            unstable_names.push(format!("{name}: {css} hits {} {hit:?}", hits.len()));
        }
    }
    unstable_names
}

/// One kind of change, or `all`.
fn changes(kind: &str) -> Changes {
    let has = |name: &str| kind == name || kind == "all";
    Changes {
        regenerated_ids: has("ids"),
        inserted: has("neighbours"),
        state: has("state"),
        wrapped: has("box"),
    }
}

#[test]
fn recommended_selectors_survive_page_changes() {
    for kind in ["ids", "neighbours", "state", "box", "all"] {
        assert_eq!(unstable_names(changes(kind), |_| true), [""; 0], "{kind}");
    }
}

#[test]
fn low_stability_selectors_break() {
    // Sanity check: positions do not survive a new sibling.
    let by = |kind, strategy| unstable_names(changes(kind), |own| own == strategy).len();
    assert!(by("neighbours", Strategy::Position) >= 3);
    assert_eq!(by("ids", Strategy::Id), 3);
}

#[test]
fn generated_ids_are_not_recommended() {
    let first = shop(Changes::default());
    let mut names = PageNames::new(&first.dom);
    for name in ["mail", "card", "lang"] {
        let selectors = names.selectors(first.named(name), StabilityFilter::Any, 10);
        assert_ne!(selectors[0].strategy, Strategy::Id, "{name}");
        let id = selectors.iter().find(|one| one.strategy == Strategy::Id);
        assert!(id.is_some_and(|id| id.stability <= 40), "{name}");
    }
}

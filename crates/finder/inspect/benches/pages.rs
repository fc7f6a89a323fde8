//! Measures one `inspect` of a generated page: `cargo bench -p inspect` prints the best of several runs with its target.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dom::{Dom, DomBuilder, ElementSpec, Facts, Viewport};
use inspect::selectors::{PageNames, StabilityFilter};
use inspect::{Request, Subject, find};
use uitree::Rect;

const THINGS: [&str; 7] = [
    "Invoice", "Report", "Order", "Ticket", "Project", "Delivery", "Contract",
];
const DESCRIPTIONS: [&str; 5] = [
    "the Ticket 17 link",
    "archive the invoice 21",
    "the button right of Report 8",
    "the third order in the list",
    "how much is the delivery 5",
];

fn main() {
    println!("{:<60} {:>9}    {:>9}", "", "time", "target");
    for (elements, target) in [(1_500, "< 40 ms"), (10_000, "< 250 ms")] {
        let page = page(elements);
        println!("{elements} elements");
        row("  read the page", best(|| Subject::from_dom(&page)), "");
        for description in DESCRIPTIONS {
            let time = best(|| inspect(&page, description));
            row(&format!("  inspect \"{description}\""), time, target);
        }
    }
}

/// Reads the page, finds the element and names it.
fn inspect(page: &Dom, description: &str) -> usize {
    let subject = Subject::from_dom(page);
    let Ok(found) = find::find(&subject, &Request::described(description)) else {
        return 0;
    };
    let mut names = PageNames::new(page);
    let ids = found.ranked.iter().filter_map(|hit| page.get(hit.place));
    ids.map(|id| names.selectors(id, StabilityFilter::Any, 3).len())
        .sum()
}

/// A page of sections of cards, each with a heading, a price, a checkbox, a link and two buttons.
fn page(elements: usize) -> Dom {
    const IN_CARD: usize = 7;
    const IN_SECTION: usize = 2 + 8 * IN_CARD;
    let viewport = Viewport {
        width: 1280,
        height: 800,
        scale: 1.0,
    };
    let mut builder = DomBuilder::new(viewport, "https://shop.example/", "Shop");
    builder.open(spec("html", "", "", [0, 0, 1280, 100_000]));
    builder.open(spec("body", "", "", [0, 0, 1280, 100_000]));
    for section in 0..elements / IN_SECTION {
        let top = section as i32 * 500;
        builder.open(spec("section", "", "list", [0, top, 1280, top + 500]));
        let heading = format!("Section {section}");
        leaf(
            &mut builder,
            spec("h2", &heading, "", [0, top, 400, top + 30]),
        );
        for card in 0..8 {
            let number = section * 8 + card;
            add_card(&mut builder, number, top + 40 + card as i32 * 55);
        }
        builder.close();
    }
    builder.finish()
}

fn add_card(builder: &mut DomBuilder, number: usize, top: i32) {
    let thing = THINGS[number % THINGS.len()];
    let name = format!("{thing} {number}");
    let cell = |left: i32| [left, top, left + 120, top + 50];
    builder.open(spec("div", "", "card", [0, top, 1280, top + 50]));
    leaf(builder, spec("h3", &name, "card-title", cell(0)));
    let price = format!("${}.{}0", number * 3 + 7, number % 10);
    leaf(builder, spec("span", &price, "price", cell(150)));
    leaf(builder, control("input", "checkbox", "", cell(300)));
    leaf(builder, control("a", "link", &name, cell(450)));
    leaf(builder, control("button", "button", "Archive", cell(600)));
    leaf(builder, control("button", "button", "Share", cell(750)));
    builder.close();
}

fn leaf(builder: &mut DomBuilder, spec: ElementSpec) {
    builder.open(spec);
    builder.close();
}

fn spec(tag: &str, text: &str, class: &str, [left, top, right, bottom]: [i32; 4]) -> ElementSpec {
    ElementSpec {
        tag: tag.into(),
        text: text.into(),
        attributes: [("class".into(), class.into())].into_iter().collect(),
        bounds: Some(Rect::new(left, top, right, bottom)),
        facts: Facts::VISIBLE,
        ..ElementSpec::default()
    }
}

fn control(tag: &str, role: &str, name: &str, bounds: [i32; 4]) -> ElementSpec {
    ElementSpec {
        role: role.into(),
        name: name.into(),
        facts: Facts::VISIBLE | Facts::FOCUSABLE,
        ..spec(tag, name, "control", bounds)
    }
}

fn row(what: &str, took: Duration, target: &str) {
    println!(
        "{what:<60} {:>6.1} ms    {target:>9}",
        took.as_secs_f64() * 1e3
    );
}

/// The shortest of several runs, the least disturbed one.
fn best<T>(mut run: impl FnMut() -> T) -> Duration {
    const RUNS: usize = 9;
    let times = (0..RUNS).map(|_| {
        let begin = Instant::now();
        black_box(run());
        begin.elapsed()
    });
    times.min().unwrap_or_default()
}

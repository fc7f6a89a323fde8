//! The cases of our own pages, and the product's answers.

use bench::browser::Chrome;
use bench::inspect::questions::{Ids, PageNames, open};
use bench::inspect::run::{Options, run};
use bench::pages::Pages;
use bench::suite::{Expect, Suite};
use bench::tab::Tab;

#[tokio::test]
async fn own_pages_yield_cases_of_every_suite() {
    let chrome = Chrome::start("questions").await.unwrap();
    let connection = chrome.connect().await.unwrap();
    let mut tab = Tab::open(&connection).await.unwrap();
    let (pages, instructions) = Pages::own().unwrap();
    // Names of some pages give every page cases of things that it lacks.
    let some = pages.files().iter().take(8).map(|page| (&pages, page));
    let overview = PageNames::read(&mut tab, some).await.unwrap();
    let mut cases = Vec::new();
    // Half of the pages have cases of every suite.
    let half = pages.files().iter().enumerate();
    let half = half.filter(|(place, page)| place % 2 == 0 || page.path.ends_with("settings.html"));
    for (place, page) in half {
        let masked = (place % 8 == 0).then_some(Ids::Removed);
        for ids in std::iter::once(Ids::Kept).chain(masked) {
            let open = open(&mut tab, &pages, page, ids, &overview, &instructions).await;
            let open = open.unwrap();
            assert_eq!(open.skipped, Vec::<String>::new());
            cases.extend(open.cases);
        }
    }
    for suite in Suite::ALL {
        let some = cases.iter().any(|case| case.suite == suite);
        let elsewhere = matches!(suite, Suite::MiniWob | Suite::Expressions);
        assert_eq!(some, !elsewhere, "{}", suite.as_str());
    }
    let under: Vec<&str> = cases
        .iter()
        .filter(|case| case.suite == Suite::Under && case.page == "settings.html")
        .map(|case| &*case.query)
        .collect();
    assert!(
        under.contains(&"Edit link under Billing address"),
        "{under:?}"
    );
    for case in &cases {
        let right = match &case.expect {
            Expect::Element(nodes) => !nodes.is_empty(),
            Expect::Ambiguous(nodes) => nodes.len() > 1,
            Expect::Nothing => true,
        };
        assert!(right, "{case:?}");
    }
    chrome.close().await.unwrap();
}

#[tokio::test]
async fn run_queries_product_and_reports_results() {
    let chrome = Chrome::start("run").await.unwrap();
    let connection = chrome.connect().await.unwrap();
    let options = Options {
        suites: vec![Suite::Name],
        ..Options::default()
    };
    let report = run(&options, &connection).await.unwrap();
    chrome.close().await.unwrap();
    assert!(report.lines.len() > 30, "{}", report.lines.len());
    // Verbatim names must all be answered correctly.
    let wrong: Vec<&str> = report
        .lines
        .iter()
        .filter(|line| !line.outcome.third || line.outcome.unique == Some(false))
        .map(|line| &*line.case.query)
        .collect();
    assert_eq!(wrong, Vec::<&str>::new());
    assert!(report.lines.iter().all(|line| line.tokens > Some(0)));
}

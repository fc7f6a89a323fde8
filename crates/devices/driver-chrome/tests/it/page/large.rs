//! Endless pages.

use std::fmt::Write;

use driver::DriverError;
use driver_chrome::page::PageObservation;

use super::observer::{PageServer, cx, named};

/// A page with this many interactive elements.
fn page(rows: usize) -> String {
    let mut html = String::from("<!doctype html><title>Large</title><table>");
    for row in 0..rows {
        let _ = write!(
            html,
            "<tr><td>{row}<td><a href='/{row}'>Row {row}</a><td><span><b>part</b> of it</span><td><input value={row}>"
        );
    }
    html.push_str("</table><button>At the end</button>");
    html
}

#[tokio::test]
async fn page_of_fifty_thousand_elements_is_observed() {
    let room = PageServer::open(&[]).await;
    let mut observed_page = room.show("/large.html", &page(5_600)).await;
    let seen = observed_page.observe().await;
    assert!(
        seen.dom.elements().len() > 50_000,
        "{}",
        seen.dom.elements().len()
    );
    let tree = &seen.observation.tree;
    let (end, _) = named(&seen, "At the end");
    assert_eq!(&*tree.node(seen.node_of(end).unwrap()).text, "At the end");
    let link = |id: &dom::ElementId| &*seen.dom.element(*id).text == "Row 5599";
    let row = seen.dom.ids().find(link).unwrap();
    let element = seen.dom.element(row);
    assert!(element.is(dom::Facts::VISIBLE));
    let node = seen.node_of(row).unwrap();
    assert!(!tree.is_on_screen(node));
    let texts = tree
        .nodes()
        .iter()
        .filter(|node| &*node.text == "part of it");
    assert_eq!(texts.count(), 5_600);
}

#[tokio::test]
async fn deeply_nested_document_is_observed() {
    let room = PageServer::open(&[]).await;
    let script = "let at = document.body; for (let i = 0; i < 700; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'At the bottom'";
    let html = format!("<!doctype html><title>Deep</title><body><script>{script}</script>");
    let mut observed_page = room.show("/deep.html", &html).await;
    let seen = observed_page.observe().await;
    let (bottom, _) = named(&seen, "At the bottom");
    assert!(seen.dom.ancestors(bottom).count() > 700);
    assert!(seen.node_of(bottom).is_some());
}

#[tokio::test]
async fn page_of_sixty_thousand_elements_is_refused_until_it_shows_less() {
    let room = PageServer::open(&[]).await;
    let frame = "<!doctype html><title>Frame</title><body>";
    room.web.page("/frame.html", frame);
    let small = "<!doctype html><title>Table</title><body><iframe src=/frame.html></iframe>";
    let grow = "frames[0].document.body.innerHTML = '<p>row</p>'.repeat(60000)";
    let mut grown = room.show("/small.html", small).await;
    grown.run(&format!("{{ {grow} }}")).await;
    let error = grown.observer.observe(&cx(), &[]).await.unwrap_err();
    let DriverError::TooLarge { elements, most } = error else {
        panic!("{error}");
    };
    assert!(elements > 60_000 && most < elements, "{elements} {most}");
    grown
        .run("{ frames[0].document.body.innerHTML = '<p>few</p>' }")
        .await;
    let few = |seen: &PageObservation| seen.dom.elements().iter().any(|it| &*it.text == "few");
    grown.until(few).await;
}

//! Roles, names, descriptions, values and states are computed from documents and their layout. These tests
//! compare them with the browser's own accessibility tree, element by element.
//!
//! An element that may differ has the reason in `data-differs`. An element with that attribute that does not
//! differ fails the test as well.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use dom::{Dom, Element, Facts, Handle};

use super::observer::PageServer;

/// The compared data: whether the element is ignored, its role, name, description and value.
fn compared_data(element: &Element) -> String {
    if element.is(Facts::IGNORED) {
        return "left out".to_owned();
    }
    let Element {
        role,
        name,
        description,
        value,
        ..
    } = element;
    let facts = element.facts;
    format!("{role} {name:?} {description:?} {value:?} {facts:?}")
}

/// The elements that differ without `data-differs`, and those with it that do not.
fn differences(own: &Dom, from_browser: &Dom) -> Vec<String> {
    let from_browser: HashMap<Handle, &Element> = from_browser
        .elements()
        .iter()
        .map(|element| (element.handle, element))
        .collect();
    let mut all = Vec::new();
    for element in own.elements() {
        let (Some(other), Element { tag, .. }) = (from_browser.get(&element.handle), element)
        else {
            all.push(format!("{element:?} is not there for the browser"));
            continue;
        };
        let (own, browser) = (compared_data(element), compared_data(other));
        let excused = element.attribute("data-differs").is_some();
        if (own != browser) != excused {
            let attributes = &element.attributes;
            all.push(format!(
                "<{tag}> {attributes:?}\n  is {own}\n  browser {browser}"
            ));
        }
    }
    all
}

async fn hold(folder: &str, least: usize) {
    let room = PageServer::open(&[]).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".html"))
        .collect();
    names.sort();
    assert!(names.len() >= least, "{names:?}");
    for name in names {
        let html = fs::read_to_string(folder.join(&name)).unwrap();
        let mut observed_page = room.show(&format!("/{name}"), &html).await;
        let own = observed_page.observe().await;
        observed_page.observer.use_browser_accessibility();
        let from_browser = observed_page.observe().await;
        let exposed = own.dom.elements().iter();
        let exposed = exposed
            .filter(|element| !element.is(Facts::IGNORED))
            .count();
        assert!(exposed >= 4, "{name}: nearly everything is left out");
        let differences = differences(&own.dom, &from_browser.dom);
        assert!(
            differences.is_empty(),
            "{name}: {} of {} elements differ\n{}",
            differences.len(),
            own.dom.elements().len(),
            differences.join("\n")
        );
    }
}

#[tokio::test]
async fn computed_accessibility_matches_browser_in_hard_cases() {
    hold("testdata/accessibility", 7).await;
}

#[tokio::test]
async fn computed_accessibility_matches_browser_on_pages() {
    hold("testdata/pages", 8).await;
}

#[tokio::test]
async fn scripted_roles_are_updated() {
    let room = PageServer::open(&[]).await;
    let html = "<!doctype html><x-late>Later</x-late><x-switch></x-switch><script>
        customElements.define('x-switch', class extends HTMLElement {
            constructor() {
                super();
                window.own = this.attachInternals();
                Object.assign(own, { role: 'switch', ariaLabel: 'Wireless', ariaChecked: 'false' });
            }
        });
        window.late = () => void customElements.define('x-late', class extends HTMLElement {
            constructor() {
                super();
                this.attachInternals().role = 'button';
                this.attachShadow({ mode: 'closed' }).innerHTML = '<slot></slot>';
            }
        });
        </script>";
    let mut observed_page = room.show("/", html).await;
    let from_browser = |seen: &driver_chrome::page::PageObservation, tag: &str| {
        let mut elements = seen.dom.elements().iter();
        let element = elements.find(|element| &*element.tag == tag).unwrap();
        let on = element.is(Facts::CHECKED);
        format!("{} {:?} {on}", element.role, element.name)
    };
    let seen = observed_page.observe().await;
    assert_eq!(from_browser(&seen, "x-switch"), "switch \"Wireless\" false");
    assert_eq!(from_browser(&seen, "x-late"), " \"\" false");
    // This does not change the document.
    observed_page.run("own.ariaChecked = 'true'").await;
    let seen = observed_page.observe().await;
    assert_eq!(from_browser(&seen, "x-switch"), "switch \"Wireless\" true");
    observed_page.run("late()").await;
    let seen = observed_page.observe().await;
    assert_eq!(from_browser(&seen, "x-late"), "button \"Later\" false");
}

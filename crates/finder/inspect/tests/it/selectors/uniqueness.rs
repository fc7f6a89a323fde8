//! Every selector of every element of random pages matches only that element, according to an independent
//! matcher.

use dom::{Dom, DomBuilder, ElementSpec, Facts, ScopeKind, Viewport};
use inspect::selectors::{PageNames, StabilityFilter};

use crate::support::{css, random::Random};

const TAGS: &[&str] = &[
    "div", "a", "button", "input", "li", "ul", "form", "span", "x-card", "svg",
];
const CLASSES: &[&str] = &[
    "btn", "nav-link", "md:flex", "1st", "a.b", "ü", "active", "card", "-x", "--",
];
const IDS: &[&str] = &[
    "a", "go", ":r1:", "1", "a b", "tab-1", "tab-2", "tab-3", "x\"y", "]", "登", "-",
];
const VALUES: &str = "|go|say \"hi\"|a\\b|two\nlines|/p?q=12345|x]|'|javascript:x";
const NAMES: &str = "name href title aria-label data-testid type role data-kind placeholder";

fn page(random: &mut Random, elements: usize) -> Dom {
    let mut page = DomBuilder::new(Viewport::default(), "http://a.test/", "A");
    let spec = |tag: &str| ElementSpec {
        tag: tag.into(),
        facts: Facts::VISIBLE,
        ..ElementSpec::default()
    };
    page.open(spec("html"));
    page.open(spec("body"));
    // The open elements, and whether each is the only root of a frame.
    let mut open: Vec<bool> = Vec::new();
    for _ in 0..elements {
        let mut choose = spec(random.choose(TAGS));
        if random.below(4) == 0 {
            choose
                .attributes
                .push(("id".into(), random.choose(IDS).into()));
        }
        let classes: Vec<&str> = (0..random.below(4))
            .map(|_| random.choose(CLASSES))
            .collect();
        if !classes.is_empty() {
            choose
                .attributes
                .push(("class".into(), classes.join(" ").into()));
        }
        for name in NAMES.split(' ') {
            if random.below(6) == 0 {
                choose.attributes.push((
                    name.into(),
                    random.choose(&VALUES.split('|').collect::<Vec<_>>()).into(),
                ));
            }
        }
        page.open(choose);
        match random.below(10) {
            0 => {
                let kinds = [
                    ScopeKind::Document,
                    ScopeKind::OpenShadow,
                    ScopeKind::ClosedShadow,
                ];
                let kind = kinds[random.below(3)];
                page.enter(kind, "", "");
                open.push(false);
                if kind == ScopeKind::Document {
                    page.open(spec("html"));
                    open.push(true);
                }
            }
            1..=4 => open.push(false),
            _ => page.close(),
        }
        while !open.is_empty() && random.below(4) == 0 {
            page.close();
            if open.pop() == Some(true) {
                // The frame ends with its document.
                page.close();
                open.pop();
            }
        }
    }
    page.finish()
}

#[test]
fn every_selector_is_unique() {
    let mut random = Random(7);
    let (mut checked, mut chained) = (0, 0);
    for _ in 0..60 {
        let elements = 5 + random.below(60);
        let dom = page(&mut random, elements);
        let mut names = PageNames::new(&dom);
        for id in dom.ids() {
            let selectors = names.selectors(id, StabilityFilter::Any, 20);
            assert!(!selectors.is_empty(), "{id:?}");
            let mut last = 100;
            let mut seen: Vec<String> = Vec::new();
            for choose in selectors {
                let css = choose.css().unwrap();
                assert_eq!(choose.matches, 1);
                assert!(choose.stability <= last, "{css}");
                last = choose.stability;
                assert_eq!(css::hits(&dom, &css), [id], "{css}");
                assert!(!seen.contains(&css), "{css} twice");
                chained += usize::from(css.contains(">>>"));
                checked += 1;
                seen.push(css);
            }
        }
    }
    assert!(checked > 4_000 && chained > 300, "{checked} {chained}");
}

#[test]
fn strict_selectors_are_ids_or_test_ids() {
    let mut random = Random(11);
    let mut found = 0;
    for _ in 0..20 {
        let dom = page(&mut random, 40);
        let mut names = PageNames::new(&dom);
        for id in dom.ids() {
            for choose in names.selectors(id, StabilityFilter::Strict, 20) {
                assert!(choose.is_strict() && choose.stability > 40);
                let css = choose.css().unwrap();
                let last = css.rsplit(" >>> ").next().unwrap();
                assert!(
                    last.starts_with('#') || last.starts_with("[data-testid="),
                    "{css}"
                );
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn selectors_are_deterministic() {
    let dom = page(&mut Random(3), 80);
    let all = |dom: &Dom| {
        let mut names = PageNames::new(dom);
        dom.ids()
            .map(|id| names.selectors(id, StabilityFilter::Any, 20))
            .collect::<Vec<_>>()
    };
    let first = all(&dom);
    assert_eq!(all(&dom), first);
    // The result does not depend on earlier calls.
    let mut names = PageNames::new(&dom);
    for id in dom.ids().rev() {
        assert_eq!(
            names.selectors(id, StabilityFilter::Any, 20),
            first[id.index()]
        );
    }
}

//! Properties that hold for every screen and description.

use std::collections::BTreeSet;

use dom::{DomBuilder, ElementSpec, Facts, Viewport};
use inspect::{
    Request, Subject, Verdict,
    find::{self, Near, Reference},
};
use uitree::{Rect, UiTree};

use crate::support::page::page;

/// Texts that break careless string handling, separated by `¦`.
const ODD: &str = "¦ ¦\"¦“”¦'¦\u{0}¦\u{202e}abc¦👩‍👩‍👧‍👦 family¦İstanbul¦ﬁle¦e\u{301}te\u{301}¦ﷺ¦한국어 버튼¦登录按钮¦𝕊𝕚𝕘𝕟 𝕚𝕟¦\
    next to¦the first¦in in in in¦first second third last¦click¦enter¦under under under¦\
    'a' \"b\" «c» `d`¦*¦a-b_c.d/e\\f¦99999999999999999999999th button¦0th item¦-1¦top left bottom right";

#[test]
fn unusual_text_neither_panics_nor_varies() {
    let lines: Vec<String> = ODD
        .split('¦')
        .filter(|words| !words.contains('"'))
        .map(|words| format!("  button \"{words}\"\n"))
        .collect();
    let page = page(&format!("main\n{}", lines.concat()));
    for words in ODD.split('¦') {
        for description in [
            words.to_owned(),
            format!("click the {words} button"),
            format!("{words} next to {words}"),
            format!("the second {words} in the row of {words}"),
            format!("enter {words} in {words}"),
        ] {
            let request = Request {
                description: Some(description.clone()),
                text_contains: Some(words.to_owned()),
                limit: Some(5),
                ..Request::default()
            };
            assert_eq!(page.ask(&request), page.ask(&request), "{description}");
            let near = Request {
                near: Some(Near {
                    reference: Reference::Text(words.to_owned()),
                    direction: None,
                }),
                ..Request::described(description)
            };
            let _ = find::find(&page.subject, &near);
        }
    }
}

#[test]
fn empty_screen_finds_nothing() {
    let empty = DomBuilder::new(Viewport::default(), "", "").finish();
    let phone = UiTree::parse_notation("").unwrap();
    for subject in [Subject::from_dom(&empty), Subject::from_tree(&phone)] {
        let found = find::find(&subject, &Request::described("the login button")).unwrap();
        assert_eq!(
            found.verdict,
            Verdict::NotFound {
                nearest: Vec::new()
            }
        );
    }
}

#[test]
fn ranked_positions_are_valid_and_unique() {
    let page = page("main\n  a href=\"/x\" \"Same\"\n  button \"Same\"\n  h2 \"Same\"\n");
    let request = Request {
        limit: Some(100),
        ..Request::described("same")
    };
    let found = page.ask(&request);
    let places: BTreeSet<usize> = found.ranked.iter().map(|hit| hit.place).collect();
    assert_eq!(places.len(), found.ranked.len());
    assert!(places.iter().all(|place| page.dom.get(*place).is_some()));
}

/// A visible element; without a role its words are no name.
fn spec(tag: &str, role: &str, words: &str, top: i32) -> ElementSpec {
    ElementSpec {
        tag: tag.into(),
        role: role.into(),
        text: words.into(),
        name: if role.is_empty() { "" } else { words }.into(),
        bounds: Some(Rect::new(0, top, 100, top + 10)),
        facts: Facts::VISIBLE,
        ..ElementSpec::default()
    }
}

/// A page of `count` entries, each in its own box.
fn large(count: i32) -> Subject {
    let viewport = Viewport {
        width: 1000,
        height: 800,
        scale: 1.0,
    };
    let mut builder = DomBuilder::new(viewport, "http://a.test/", "A");
    builder.open(spec("html", "", "", 0));
    for at in 0..count {
        builder.open(spec("div", "", "", at * 10));
        builder.open(spec("button", "button", &format!("Entry {at}"), at * 10));
        builder.close();
        builder.close();
    }
    Subject::from_dom(&builder.finish())
}

#[test]
fn huge_page_is_answered_with_bounded_contexts() {
    let subject = large(25_000);
    let found = find::find(&subject, &Request::described("Entry 24999 button")).unwrap();
    assert_eq!(found.verdict, Verdict::Certain);
    assert_eq!(
        subject.at(found.ranked[0].place).unwrap().name(),
        "Entry 24999"
    );
    // The data per element does not grow with the page.
    for candidate in subject.candidates().iter().step_by(997) {
        assert!(candidate.context.len() <= 12 && candidate.names.len() <= 16);
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let mut builder = DomBuilder::new(Viewport::default(), "", "");
    for _ in 0..20_000 {
        builder.open(spec("div", "", "", 0));
    }
    builder.open(spec("button", "button", "Deep", 0));
    let subject = Subject::from_dom(&builder.finish());
    let found = find::find(&subject, &Request::described("deep")).unwrap();
    assert_eq!(found.verdict, Verdict::Certain);
}

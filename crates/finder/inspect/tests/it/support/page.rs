//! A page as a few lines of text, laid out from top to bottom, and the results of descriptions on it.
//!
//! `>>open`, `>>closed` and `>>frame` begin a shadow tree or the document of a frame in the element around them. Two
//! apostrophes in a value are a quotation mark.
//!
//! One line is one element, its content is indented by two spaces: `save@button .primary type="submit"
//! "Save"`. The word before `@` is its name in the test; `[left,top,right,bottom]` are its bounds, by default
//! one line each; `hidden`, `transparent`, `listens`, `pointer`, `disabled`, `checked` and `expanded` are facts, and
//! `raised` elements are painted above the others. Roles follow from the tag and the attribute `role`; names from `aria-label`, from `label` for fields, from `alt` and
//! from the text inside. A line that is only `"text"` is text between the elements of the line around it.

use std::collections::HashMap;

use dom::{Dom, DomBuilder, ElementId, ElementSpec, Facts, Handle, Run, ScopeKind, Viewport};
use inspect::{
    Subject, Verdict,
    find::{self, FindResult, Request},
};
use uitree::Rect;

const SCREEN: Viewport = Viewport {
    width: 1000,
    height: 800,
    scale: 1.0,
};
const LINE: i32 = 30;

/// A page, its candidates, and the elements with test names.
pub(crate) struct Page {
    pub(crate) dom: Dom,
    pub(crate) subject: Subject,
    names: HashMap<ElementId, String>,
}

/// Reads a page.
pub(crate) fn page(text: &str) -> Page {
    let mut lines: Vec<Line> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(Line::read)
        .collect();
    let mut top = 0;
    // The content of a line is the following lines with more indentation.
    let ends: Vec<usize> = (0..lines.len())
        .map(|at| {
            let inside = lines[at + 1..].iter();
            at + 1
                + inside
                    .take_while(|line| line.indent > lines[at].indent)
                    .count()
        })
        .collect();
    for at in 0..lines.len() {
        if ends[at] == at + 1 && lines[at].bounds.is_none() {
            let left = lines[at].indent as i32 * 10;
            lines[at].bounds = Some(Rect::new(left, top, left + 200, top + LINE - 10));
            top += LINE;
        }
    }
    for at in (0..lines.len()).rev() {
        if lines[at].bounds.is_none() {
            let inside = lines[at + 1..ends[at]]
                .iter()
                .filter_map(|line| line.bounds);
            lines[at].bounds = inside.reduce(Rect::union);
        }
        let inside = lines[at + 1..ends[at]].iter();
        let children = inside.filter(|line| line.indent == lines[at].indent + 2);
        let mut after = 0;
        let mut runs = Vec::new();
        for child in children {
            if child.tag.is_empty() {
                runs.push(Run {
                    after,
                    in_shadow: false,
                    text: child.words.as_str().into(),
                    bounds: child.bounds,
                });
            } else {
                after += 1;
            }
        }
        if !runs.is_empty() {
            let texts: Vec<&str> = runs.iter().map(|run| &*run.text).collect();
            lines[at].words = texts.join(" ");
            lines[at].runs = Some(runs.into());
        }
        if lines[at].is_named_by_content() {
            let words: Vec<&str> = lines[at..ends[at]]
                .iter()
                .map(|line| line.words.as_str())
                .filter(|words| !words.is_empty())
                .collect();
            lines[at].name = words.join(" ");
        }
    }
    let mut builder = DomBuilder::new(SCREEN, "http://a.test/", "A");
    let mut names = HashMap::new();
    for tag in ["html", "body"] {
        builder.open(ElementSpec {
            tag: tag.into(),
            bounds: Some(Rect::new(0, 0, 1000, top.max(800))),
            facts: Facts::VISIBLE,
            ..ElementSpec::default()
        });
    }
    // The indentation of open lines, and whether each is a scope.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        if line.tag.is_empty() {
            continue;
        }
        while let Some((_, scope)) = open.pop_if(|(indent, _)| *indent >= line.indent) {
            if scope {
                builder.leave();
            } else {
                builder.close();
            }
        }
        let scope = line.scope();
        open.push((line.indent, scope.is_some()));
        if let Some(scope) = scope {
            builder.enter(scope, "", "");
            continue;
        }
        let key = line.key.clone();
        let id = builder.open(ElementSpec {
            handle: Handle {
                session: 0,
                node: number as i64 + 1,
            },
            ..line.spec()
        });
        if let Some(key) = key {
            names.insert(id, key);
        }
    }
    let dom = builder.finish();
    Page {
        subject: Subject::from_dom(&dom),
        dom,
        names,
    }
}

struct Line {
    indent: usize,
    key: Option<String>,
    tag: String,
    attributes: Vec<(String, String)>,
    words: String,
    runs: Option<Box<[Run]>>,
    name: String,
    bounds: Option<Rect>,
    facts: Facts,
    paint: u32,
}

impl Line {
    fn read(text: &str) -> Self {
        let indent = text.len() - text.trim_start().len();
        let mut parts: Vec<String> = vec![String::new()];
        let mut quoted = false;
        for c in text.trim().chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => {
                    parts.push(String::new());
                    continue;
                }
                _ => {}
            }
            parts.last_mut().unwrap().push(c);
        }
        let first = match parts.first() {
            Some(text) if text.starts_with('"') => String::new(),
            _ => parts.remove(0),
        };
        let (key, tag) = match first.split_once('@') {
            Some((key, tag)) => (Some(key.to_owned()), tag.to_owned()),
            None => (None, first),
        };
        let mut line = Self {
            indent,
            key,
            tag,
            attributes: Vec::new(),
            words: String::new(),
            runs: None,
            name: String::new(),
            bounds: None,
            facts: Facts::VISIBLE,
            paint: 0,
        };
        let mut classes: Vec<String> = Vec::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let bare = part.trim_matches('"').to_owned();
            match part.as_str() {
                "hidden" => line.facts.remove(Facts::VISIBLE),
                "transparent" => {
                    line.facts.remove(Facts::VISIBLE);
                    line.facts.insert(Facts::TRANSPARENT);
                }
                "raised" => line.paint = 1,
                "listens" => line.facts.insert(Facts::LISTENS),
                "pointer" => line.facts.insert(Facts::POINTER),
                "disabled" => line.facts.insert(Facts::DISABLED),
                "checked" => line.facts.insert(Facts::CHECKED),
                "expanded" => line.facts.insert(Facts::EXPANDED),
                _ if part.starts_with('"') => line.words = bare,
                _ if part.starts_with('#') => line.attributes.push(("id".into(), part[1..].into())),
                _ if part.starts_with('.') => classes.push(part[1..].into()),
                _ if part.starts_with('[') => {
                    let edges: Vec<i32> = part
                        .trim_matches(['[', ']'])
                        .split(',')
                        .map(|edge| edge.parse().unwrap())
                        .collect();
                    line.bounds = Some(Rect::new(edges[0], edges[1], edges[2], edges[3]));
                }
                _ => {
                    let (key, value) = part.split_once('=').unwrap_or_else(|| panic!("{part}"));
                    let value = value.trim_matches('"').replace("''", "\"");
                    match key {
                        "label" => line.name = value,
                        "aria-label" | "alt" => {
                            line.name.clone_from(&value);
                            line.attributes.push((key.to_owned(), value));
                        }
                        _ => line.attributes.push((key.to_owned(), value)),
                    }
                }
            }
        }
        if !classes.is_empty() {
            line.attributes.push(("class".into(), classes.join(" ")));
        }
        line
    }

    /// The kind of scope that the line begins.
    fn scope(&self) -> Option<ScopeKind> {
        Some(match self.tag.strip_prefix(">>")? {
            "open" => ScopeKind::OpenShadow,
            "closed" => ScopeKind::ClosedShadow,
            "frame" => ScopeKind::Document,
            other => panic!("{other}"),
        })
    }

    fn attribute(&self, name: &str) -> &str {
        let mut found = self.attributes.iter().filter(|(key, _)| key == name);
        found.next().map_or("", |(_, value)| value)
    }

    fn role(&self) -> &str {
        let role = self.attribute("role");
        if !role.is_empty() {
            return role;
        }
        const ROLES: &str = "button button|a link|select combobox|textarea textbox|h1 heading|h2 heading|h3 heading|h4 heading|\
            img image|nav navigation|header banner|footer contentinfo|aside complementary|main main|dialog dialog|td cell|\
            th cell|tr row|table table|li listitem|ul list";
        match (self.tag.as_str(), self.attribute("type")) {
            ("input", "checkbox") => "checkbox",
            ("input", "radio") => "radio",
            ("input", "submit" | "button") => "button",
            ("input", "search") => "searchbox",
            ("input", "range") => "slider",
            ("input", _) => "textbox",
            (tag, _) => {
                let mut roles = ROLES.split('|').filter_map(|row| row.split_once(' '));
                roles
                    .find(|(own, _)| *own == tag)
                    .map_or("", |(_, role)| role)
            }
        }
    }

    fn is_named_by_content(&self) -> bool {
        let role = self.role();
        self.name.is_empty()
            && matches!(
                role,
                "button" | "link" | "heading" | "tab" | "menuitem" | "option" | "switch" | "cell"
            )
    }

    fn spec(self) -> ElementSpec {
        let mut facts = self.facts;
        let role = self.role().to_owned();
        facts.set(
            Facts::EDITABLE,
            matches!(role.as_str(), "textbox" | "searchbox"),
        );
        facts.set(
            Facts::CHECKABLE,
            matches!(role.as_str(), "checkbox" | "radio" | "switch"),
        );
        facts.set(Facts::PASSWORD, self.attribute("type") == "password");
        facts.set(Facts::IGNORED, role.is_empty());
        ElementSpec {
            tag: self.tag.into(),
            attributes: self
                .attributes
                .into_iter()
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
            text: self.words.into(),
            runs: self.runs,
            role: role.into(),
            name: self.name.into(),
            bounds: self.bounds,
            facts,
            paint: self.paint,
            ..ElementSpec::default()
        }
    }
}

impl Page {
    /// The answer to a request.
    pub(crate) fn ask(&self, request: &Request) -> FindResult {
        find::find(&self.subject, request).unwrap()
    }

    /// The answer to a description.
    pub(crate) fn describe(&self, description: &str) -> FindResult {
        self.ask(&Request::described(description))
    }

    /// The test name of the element at `index`.
    pub(crate) fn name(&self, index: usize) -> &str {
        let id = self.dom.get(index);
        id.and_then(|id| self.names.get(&id))
            .map_or("?", String::as_str)
    }

    /// The element with this name.
    pub(crate) fn named(&self, name: &str) -> ElementId {
        let mut all = self.all().into_iter();
        all.find(|(own, _)| *own == name).unwrap().1
    }

    /// The names and their elements, in document order.
    pub(crate) fn all(&self) -> Vec<(&str, ElementId)> {
        let names = self.names.iter().map(|(id, name)| (name.as_str(), *id));
        let mut all: Vec<(&str, ElementId)> = names.collect();
        all.sort_by_key(|(_, id)| *id);
        all
    }

    /// The test names of the ranked elements, or of the nearest ones if nothing matches.
    pub(crate) fn ranked(&self, found: &FindResult) -> Vec<&str> {
        let hits = match &found.verdict {
            Verdict::NotFound { nearest } => nearest,
            Verdict::Certain | Verdict::Unsure { .. } | Verdict::Ambiguous { .. } => &found.ranked,
        };
        hits.iter().map(|hit| self.name(hit.place)).collect()
    }

    /// Asserts that each description finds this element with certainty.
    #[track_caller]
    pub(crate) fn finds(&self, expected: &[(&str, &str)]) {
        for (description, name) in expected {
            let found = self.describe(description);
            assert_eq!(
                (found.verdict.as_str(), self.ranked(&found).first().copied()),
                ("certain", Some(*name)),
                "{description}: {found:#?}"
            );
        }
    }
}

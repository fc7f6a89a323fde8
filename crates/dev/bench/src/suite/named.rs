//! Queries derived from a page: its accessible names, verbatim and slightly wrong.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{hash, plain, role_word, words};
use super::{Case, Expect, Suite, perturb};

/// The number of names of a page in each suite of unique names.
const MAX_UNIQUE: usize = 12;
/// The number of queries for equal names by heading.
const MAX_UNDER: usize = 6;
/// The number of queries for ambiguous names.
const MAX_AMBIGUOUS: usize = 4;
/// The longest name in words: users do not type the whole text of an article.
const MAX_WORDS: usize = 9;
const MAX_HEADING_WORDS: usize = 12;

/// An interactive element of the browser's accessibility tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedElement {
    pub node: i64,
    pub role: String,
    pub name: String,
    /// The last heading before it; empty if there is none.
    pub heading: String,
    /// Its link target; empty if it is not a link.
    pub target: String,
}

impl NamedElement {
    fn key(&self) -> (String, &str) {
        (plain(&self.name), &self.role)
    }

    /// Whether a user could refer to it by its name.
    fn is_queryable(&self) -> bool {
        let words = words(&self.name);
        let spelt = words
            .iter()
            .any(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2);
        (1..=MAX_WORDS).contains(&words.len()) && spelt && role_word(&self.role).is_some()
    }
}

/// The cases of a page from the names of its visible elements, in document order.
pub fn cases(page: &str, named: &[NamedElement]) -> Vec<Case> {
    let mut cases = Vec::new();
    let unique = unique(page, named);
    for (index, name) in &unique {
        let element = &named[*index];
        cases.push(case(Suite::Name, page, name.clone(), element));
    }
    for element in unique_with_role(page, named) {
        let role = role_word(&element.role).unwrap_or_default();
        let query = format!("{} {role}", element.name);
        cases.push(case(Suite::NameRole, page, query, element));
    }
    for (index, name) in &unique {
        wrong(page, named, *index, name, &mut cases);
    }
    cases.extend(under(page, named));
    cases.extend(ambiguous(page, named));
    cases
}

/// Only the suite of unique names, for a page without ids.
pub fn masked(page: &str, named: &[NamedElement]) -> Vec<Case> {
    unique(page, named)
        .into_iter()
        .map(|(index, name)| case(Suite::Masked, page, name, &named[index]))
        .collect()
}

/// Unique names, regardless of role: indexes in `named`, each with the name.
pub fn unique(page: &str, named: &[NamedElement]) -> Vec<(usize, String)> {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for element in named {
        *count.entry(plain(&element.name)).or_default() += 1;
    }
    let mut found: Vec<usize> = (0..named.len())
        .filter(|at| named[*at].is_queryable() && count.get(&plain(&named[*at].name)) == Some(&1))
        .collect();
    found.sort_by_key(|at| hash(&[page, "name", &plain(&named[*at].name)]));
    found.truncate(MAX_UNIQUE);
    found
        .into_iter()
        .map(|at| (at, named[at].name.clone()))
        .collect()
}

fn unique_with_role<'a>(page: &str, named: &'a [NamedElement]) -> Vec<&'a NamedElement> {
    let mut count: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for element in named {
        *count.entry(element.key()).or_default() += 1;
    }
    let mut found: Vec<&NamedElement> = named
        .iter()
        .filter(|element| element.is_queryable() && count.get(&element.key()) == Some(&1))
        .collect();
    found.sort_by_key(|element| hash(&[page, "role", &plain(&element.name), &element.role]));
    found.truncate(MAX_UNIQUE);
    found
}

/// The four variants of a wrong name, where each still identifies only this element.
fn wrong(page: &str, named: &[NamedElement], index: usize, name: &str, cases: &mut Vec<Case>) {
    let chance = hash(&[page, "wrong", &plain(name)]);
    let element = &named[index];
    let meant_elsewhere = |query: &str| {
        let query_words = words(query);
        named.iter().enumerate().any(|(other, candidate)| {
            let has = words(&candidate.name);
            other != index && query_words.iter().all(|word| has.contains(word))
        })
    };
    let ways: [(Suite, Option<String>); 4] = [
        (Suite::Dropped, perturb::dropped(name, chance)),
        (Suite::Joined, perturb::joined(name, chance)),
        (Suite::Inflected, perturb::inflected(name, chance)),
        (Suite::Swapped, perturb::swapped(name, chance)),
    ];
    for (suite, query) in ways {
        let Some(query) = query else { continue };
        // The rest of a name must have a meaningful word.
        let has_long_word = words(&query).iter().any(|word| word.chars().count() > 3);
        if has_long_word && !meant_elsewhere(&query) {
            cases.push(case(suite, page, query, element));
        }
    }
}

/// Groups of elements with the same name and role.
fn groups(named: &[NamedElement]) -> BTreeMap<(String, &str), Vec<&NamedElement>> {
    let mut groups: BTreeMap<(String, &str), Vec<&NamedElement>> = BTreeMap::new();
    for element in named.iter().filter(|element| element.is_queryable()) {
        groups.entry(element.key()).or_default().push(element);
    }
    groups.retain(|_, group| group.len() > 1);
    groups
}

fn under(page: &str, named: &[NamedElement]) -> Vec<Case> {
    let mut found: Vec<(u64, &NamedElement)> = Vec::new();
    for ((name, role), group) in groups(named) {
        for element in &group {
            let heading = plain(&element.heading);
            let alone = group
                .iter()
                .filter(|other| plain(&other.heading) == heading)
                .count()
                == 1;
            let short = (1..=MAX_HEADING_WORDS).contains(&words(&heading).len());
            // The heading must be unique, too.
            let sections: BTreeSet<&str> = named
                .iter()
                .filter(|other| plain(&other.heading) == heading)
                .map(|other| &*other.heading)
                .collect();
            if alone && short && heading != name && sections.len() == 1 {
                found.push((hash(&[page, "under", &name, role, &heading]), element));
            }
        }
    }
    found.sort_by_key(|(order, _)| *order);
    found.truncate(MAX_UNDER);
    found
        .into_iter()
        .map(|(_, element)| {
            let role = role_word(&element.role).unwrap_or_default();
            let query = format!("{} {role} under {}", element.name, element.heading);
            case(Suite::Under, page, query, element)
        })
        .collect()
}

fn ambiguous(page: &str, named: &[NamedElement]) -> Vec<Case> {
    let mut found: Vec<(u64, Vec<&NamedElement>)> = Vec::new();
    for ((name, role), group) in groups(named) {
        let everybody = named
            .iter()
            .filter(|element| plain(&element.name) == name)
            .count();
        // Links to the same target are equivalent for users: either is right.
        let places: BTreeSet<&str> = group.iter().map(|element| &*element.target).collect();
        let differ = places.len() > 1 || places.contains("");
        if everybody == group.len() && differ {
            found.push((hash(&[page, "ambiguous", &name, role]), group));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    found.truncate(MAX_AMBIGUOUS);
    found
        .into_iter()
        .filter_map(|(_, group)| {
            let query = group.first()?.name.clone();
            Some(Case {
                suite: Suite::Ambiguous,
                author: String::new(),
                page: page.to_owned(),
                query,
                expect: Expect::Ambiguous(group.iter().map(|element| element.node).collect()),
            })
        })
        .collect()
}

fn case(suite: Suite, page: &str, query: String, element: &NamedElement) -> Case {
    Case {
        suite,
        author: String::new(),
        page: page.to_owned(),
        query,
        expect: Expect::Element(vec![element.node]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(node: i64, role: &str, name: &str, heading: &str, target: &str) -> NamedElement {
        NamedElement {
            node,
            role: role.to_owned(),
            name: name.to_owned(),
            heading: heading.to_owned(),
            target: target.to_owned(),
        }
    }

    fn page() -> Vec<NamedElement> {
        vec![
            named(
                1,
                "link",
                "Download the annual report",
                "Reports",
                "/annual",
            ),
            named(2, "button", "Search", "Reports", ""),
            named(3, "textbox", "Search", "Reports", ""),
            named(4, "link", "Edit", "Billing", "/billing"),
            named(5, "link", "Edit", "Shipping", "/shipping"),
            named(6, "link", "Home", "Billing", "/"),
            named(7, "link", "Home", "Billing", "/"),
            named(8, "heading", "Billing", "Billing", ""),
        ]
    }

    fn of(suite: Suite) -> Vec<(String, Vec<i64>)> {
        let mut found: Vec<_> = cases("p", &page())
            .into_iter()
            .filter(|case| case.suite == suite)
            .map(|case| (case.query, case.expect.nodes().to_vec()))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn unique_names_become_cases() {
        assert_eq!(
            of(Suite::Name),
            [("Download the annual report".to_owned(), vec![1])]
        );
        assert_eq!(
            of(Suite::NameRole),
            [
                ("Download the annual report link".to_owned(), vec![1]),
                ("Search button".to_owned(), vec![2]),
                ("Search text box".to_owned(), vec![3]),
            ]
        );
        assert_eq!(of(Suite::Joined).len(), 1);
        assert_eq!(of(Suite::Swapped).len(), 1);
    }

    #[test]
    fn equal_names_use_headings_or_are_ambiguous() {
        assert_eq!(
            of(Suite::Under),
            [
                ("Edit link under Billing".to_owned(), vec![4]),
                ("Edit link under Shipping".to_owned(), vec![5]),
            ]
        );
        // The two home links have the same target, and the two called Search have different roles.
        assert_eq!(of(Suite::Ambiguous), [("Edit".to_owned(), vec![4, 5])]);
    }

    #[test]
    fn perturbed_name_of_another_element_is_skipped() {
        let page = vec![
            named(1, "link", "New private window", "", "/a"),
            named(2, "link", "Window private mode new", "", "/b"),
        ];
        let dropped: Vec<Case> = cases("p", &page)
            .into_iter()
            .filter(|case| case.suite == Suite::Dropped && case.expect.nodes() == [1])
            .collect();
        assert_eq!(dropped, []);
    }

    #[test]
    fn cases_are_deterministic() {
        assert_eq!(cases("p", &page()), cases("p", &page()));
    }
}

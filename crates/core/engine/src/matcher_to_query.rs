//! Converts a matcher into the query that the tree compares with its nodes.

use contract::{NodeMatcher, PrintedElement, PrintedName};
use uitree::{Mark, NodeId, Query, UiTree, WrittenElement, WrittenName};

/// The tree query of a matcher.
pub(crate) fn matcher_query(matcher: &NodeMatcher) -> Query {
    // The element was marked when the screen was observed.
    if let Some(reference) = &matcher.reference {
        return Query::new().css(reference_mark(reference));
    }
    if let Some(line) = &matcher.line {
        return Query::new().css(line_mark(line));
    }
    Query {
        css: matcher.css.clone(),
        ..query_without_css(matcher)
    }
}

/// The query whose near misses are those of a matcher: of a printed element, its role and first text.
pub(crate) fn near_query(matcher: &NodeMatcher) -> Query {
    let Some(printed) = matcher.printed() else {
        return matcher_query(matcher);
    };
    Query {
        id: printed.id.map(|id| format!("#{id}")),
        role: printed.role,
        text: printed.names.into_iter().next().map(|name| name.text),
        ..Query::default()
    }
}

/// The visible nodes that match without the CSS selector; `None` if the matcher has nothing else.
pub fn matches_without_css(tree: &UiTree, matcher: &NodeMatcher) -> Option<Vec<NodeId>> {
    if let Some(printed) = matcher.printed() {
        let found = tree.find_written(&written(printed)).into_iter();
        return Some(found.filter(|id| tree.is_on_screen(*id)).collect());
    }
    let query = query_without_css(matcher);
    (!query.is_empty()).then(|| tree.find_all(&query))
}

fn query_without_css(matcher: &NodeMatcher) -> Query {
    Query {
        id: matcher.resource_id.clone(),
        role: matcher.role.clone(),
        text: matcher.text_equals.clone(),
        text_contains: matcher.text_contains.clone(),
        label: matcher.content_desc_equals.clone(),
        label_contains: matcher.content_desc_contains.clone(),
        ..Query::default()
    }
}

/// The mark of a reference's element on a screen. It is no CSS selector.
pub(crate) fn reference_mark(reference: &str) -> String {
    format!("@{reference}")
}

/// The mark of the element that a stale reference may stand for.
pub(crate) fn similar_mark(reference: &str) -> String {
    format!("@similar to {reference}")
}

/// The mark of the elements that a text view prints so; `None` for other matchers.
pub(crate) fn printed_mark(tree: &UiTree, matcher: &NodeMatcher) -> Option<Mark> {
    let element = written(matcher.printed()?);
    Some(Mark {
        selector: line_mark(matcher.line.as_deref()?).into(),
        nodes: tree.find_written(&element),
    })
}

fn line_mark(line: &str) -> String {
    format!("@ {line}")
}

fn written(printed: PrintedElement) -> WrittenElement {
    let name = |name: PrintedName| WrittenName {
        text: name.text,
        is_cut: name.is_cut,
    };
    WrittenElement {
        role: printed.role,
        names: printed.names.into_iter().map(name).collect(),
        owner: printed.owner.map(name),
        id: printed.id.map(|id| format!("#{id}")),
    }
}

#[cfg(test)]
mod tests {
    use contract::NodeMatcher;
    use serde_json::Value;
    use uitree::{RefTable, Role, TextView};

    use super::*;

    fn screens() -> Vec<(String, UiTree)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../uitree/testdata/screens");
        let files = std::fs::read_dir(folder).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let files = files.filter(|file| file.extension().is_some_and(|end| end == "xml"));
        let screen = |file: std::path::PathBuf| {
            let dump = std::fs::read(&file).unwrap();
            let tree = UiTree::parse_hierarchy_xml(&dump, None).unwrap();
            (file.display().to_string(), tree)
        };
        files.map(screen).collect()
    }

    /// The elements of a line: each ends at its reference or before the next role, and has the role of the first one if it has none.
    fn elements(line: &str) -> Vec<(String, Option<String>)> {
        let (mut all, mut own, mut role) = (Vec::new(), String::new(), String::new());
        let mut is_quoted = false;
        let mut words = vec![String::new()];
        for (at, c) in line.trim().char_indices() {
            let is_escaped =
                line.trim()[..at].ends_with('\\') && !line.trim()[..at].ends_with("\\\\");
            is_quoted ^= c == '"' && !is_escaped;
            match c {
                ' ' if !is_quoted => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        let is_ref = |word: &str| {
            let number = word.strip_prefix('e').unwrap_or_default();
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        };
        for word in words {
            if is_ref(&word) {
                all.push((std::mem::take(&mut own), Some(word)));
                continue;
            }
            if Role::parse(&word).is_some() && own.contains('"') {
                all.push((std::mem::take(&mut own), None));
            }
            if own.is_empty() {
                if Role::parse(&word).is_some() {
                    role.clone_from(&word);
                } else if !all.is_empty() {
                    own.push_str(&role);
                }
            }
            if !own.is_empty() {
                own.push(' ');
            }
            own.push_str(&word);
        }
        if !own.is_empty() {
            all.push((own, None));
        }
        all
    }

    #[test]
    fn every_printed_element_is_found_by_what_is_printed() {
        let (mut unique, mut several) = (0, 0);
        for (name, tree) in screens() {
            let refs = RefTable::default().assign(&tree);
            for only_actionable in [false, true] {
                let view = TextView {
                    only_actionable,
                    ..TextView::default()
                };
                let text = tree.text_view_with(view, &refs).text;
                for (printed, reference) in text.lines().flat_map(elements) {
                    let is_one = !printed.contains('×') && !printed.contains("same:");
                    if !is_one || !printed.contains('"') || reference.is_none() {
                        continue;
                    }
                    let matcher = NodeMatcher::from_value(&Value::from(&*printed));
                    let matcher =
                        matcher.unwrap_or_else(|why| panic!("{name}: {printed}: {why:?}"));
                    let found = matches_without_css(&tree, &matcher).unwrap_or_default();
                    let own = tree.ids().find(|id| refs.get(*id) == reference).unwrap();
                    assert!(found.contains(&own), "{name}: {printed}: {found:?}");
                    match found.as_slice() {
                        [_] => unique += 1,
                        _ => several += 1,
                    }
                }
            }
        }
        println!("{unique} unique, {several} with others");
        assert!(unique > 500 && several * 4 < unique, "{unique} {several}");
    }
}

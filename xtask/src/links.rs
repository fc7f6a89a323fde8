//! Links of Markdown pages: checks their targets, and adapts them when a page is published elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Every relative link whose target does not exist.
pub(crate) fn check(root: &Path, files: &[String]) -> Vec<String> {
    let mut pages = BTreeMap::new();
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| is_page(file)) {
        match std::fs::read_to_string(root.join(file)) {
            Ok(text) => {
                pages.insert(file.as_str(), text);
            }
            Err(error) => problems.push(format!("links: {file}: {error}")),
        }
    }
    for (page, text) in &pages {
        for place in targets(text) {
            let Some((path, anchor)) = text.get(place.clone()).and_then(split) else {
                continue;
            };
            let file = match path {
                "" => (*page).to_owned(),
                path => resolve(folder(page), path),
            };
            let line = text.get(..place.start).unwrap_or_default().lines().count();
            let known = match (pages.get(file.as_str()), anchor) {
                (Some(to), Some(anchor)) => anchors(to).contains(anchor),
                (None, Some(_)) => false,
                (_, None) => root.join(&file).exists(),
            };
            if !known {
                let target = text.get(place).unwrap_or_default();
                problems.push(format!("links: {page}:{line}: {target} does not exist"));
            }
        }
    }
    problems
}

/// The text of the page `from` with its relative links adapted to the location `to`. `moved` lists the new locations of other
/// published pages.
pub(crate) fn moved(text: &str, from: &str, to: &str, moved: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut done = 0;
    for place in targets(text) {
        let Some((path, anchor)) = text.get(place.clone()).and_then(split) else {
            continue;
        };
        if path.is_empty() {
            continue;
        }
        let file = resolve(folder(from), path);
        let published = moved.iter().find(|(source, _)| *source == file);
        let file = published.map_or(file, |(_, page)| page.clone());
        page += text.get(done..place.start).unwrap_or_default();
        page += &relative(folder(to), &file);
        if let Some(anchor) = anchor {
            page = page + "#" + anchor;
        }
        done = place.end;
    }
    page + text.get(done..).unwrap_or_default()
}

/// Whether a file is a Markdown page outside of test data.
fn is_page(file: &str) -> bool {
    file.ends_with(".md") && !file.split('/').any(|part| part == "testdata")
}

/// Path and anchor of a link; `None` if it leaves the repository.
fn split(target: &str) -> Option<(&str, Option<&str>)> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    Some(match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    })
}

/// The byte ranges of link targets outside of code.
fn targets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (line, is_prose) in lines(text) {
        let code = code(line);
        for (at, _) in line.match_indices("](").filter(|_| is_prose) {
            let begin = at + 2;
            let end = line.get(begin..).and_then(|rest| rest.find(')'));
            if let Some(end) = end
                && !code.iter().any(|code| code.contains(&at))
            {
                found.push(start + begin..start + begin + end);
            }
        }
        start += line.len();
    }
    found
}

/// The lines with their line ends, and whether each is outside of code blocks.
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut fence = false;
    text.split_inclusive('\n').map(move |line| {
        let edge = line.trim_start().starts_with("```");
        fence ^= edge;
        (line, !fence && !edge)
    })
}

/// The byte ranges of inline code.
fn code(line: &str) -> Vec<Range<usize>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let pairs = ticks.chunks_exact(2);
    pairs
        .filter_map(|pair| Some(*pair.first()?..*pair.last()?))
        .collect()
}

/// The anchors of the headings of a page, by the rules of GitHub.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let headings = lines(text)
        .filter(|(line, is_prose)| *is_prose && line.starts_with('#'))
        .map(|(line, _)| line.trim_start_matches('#').trim());
    for heading in headings {
        let plain: String = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let mut anchor = plain.clone();
        let mut again = 0;
        while !anchors.insert(anchor) {
            again += 1;
            anchor = format!("{plain}-{again}");
        }
    }
    anchors
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves `path` relative to `folder`, from the root of the repository.
fn resolve(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The relative path from `folder` to `file`.
fn relative(folder: &str, file: &str) -> String {
    let folder: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = file.split('/').collect();
    let shared = folder.iter().zip(&parts).take_while(|(a, b)| a == b);
    let shared = shared.count();
    let up = std::iter::repeat_n("..", folder.len() - shared);
    let down = parts.into_iter().skip(shared);
    up.chain(down).collect::<Vec<&str>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_and_adapted() {
        let text = "[a](b.md#c) `[no](code.md)`\n```\n[no](fence.md)\n```\n[up](../x/y.json), [out](https://a.b/c)\n";
        let found: Vec<&str> = targets(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["b.md#c", "../x/y.json", "https://a.b/c"]);
        let published = [("crates/apps/b.md", "docs/keys.md".to_owned())];
        let page = moved(text, "crates/apps/a.md", "docs/format.md", &published);
        assert!(page.starts_with("[a](keys.md#c) `[no](code.md)`"), "{page}");
        assert!(page.ends_with("[up](../crates/x/y.json), [out](https://a.b/c)\n"));
    }

    #[test]
    fn headings_have_the_anchors_of_repository_pages() {
        let found = anchors("# A `b`: c, d\n## Twice\n```\n# no\n```\n## Twice\n");
        assert!(found.iter().eq(["a-b-c-d", "twice", "twice-1"]));
    }
}

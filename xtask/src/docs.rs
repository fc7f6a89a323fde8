//! Generates docs/reference from the code; a stale page is an error.

use std::path::Path;

use crate::links;

/// Pages that are copies of files beside the built-in apps.
const APP_PAGES: [(&str, &str); 2] = [
    (
        "app-format.md",
        "crates/simphone/sim-format/assets/apps/README.md",
    ),
    (
        "app-keys.md",
        "crates/simphone/sim-format/assets/apps/REFERENCE.md",
    ),
];

/// The pages with their expected text.
fn pages(root: &Path) -> Vec<(&'static str, String)> {
    let mut pages = contract::reference::all();
    let place = |page: &str| format!("docs/reference/{page}");
    let published = APP_PAGES.map(|(page, source)| (source, place(page)));
    for (page, source) in APP_PAGES {
        // A missing source makes the page empty, and thus stale.
        let text = std::fs::read_to_string(root.join(source)).unwrap_or_default();
        let text = links::moved(
            &text.replace("\r\n", "\n"),
            source,
            &place(page),
            &published,
        );
        pages.push((page, text));
    }
    pages
}

/// Writes every page; returns the errors.
pub(crate) fn write(root: &Path) -> Vec<String> {
    let folder = root.join("docs/reference");
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return vec![format!("docs: {}: {error}", folder.display())];
    }
    pages(root)
        .into_iter()
        .filter_map(|(name, text)| {
            let path = folder.join(name);
            std::fs::write(&path, text)
                .err()
                .map(|error| format!("docs: {}: {error}", path.display()))
        })
        .collect()
}

/// The stale pages.
pub(crate) fn check(root: &Path) -> Vec<String> {
    pages(root)
        .into_iter()
        .filter_map(|(name, text)| {
            let path = root.join("docs/reference").join(name);
            match std::fs::read_to_string(&path) {
                Ok(found) if found.replace("\r\n", "\n") == text => None,
                Ok(_) => Some(format!(
                    "docs: docs/reference/{name} is stale; run cargo xtask docs"
                )),
                Err(error) => Some(format!(
                    "docs: docs/reference/{name}: {error}; run cargo xtask docs"
                )),
            }
        })
        .collect()
}

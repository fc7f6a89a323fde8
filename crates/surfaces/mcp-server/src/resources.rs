//! Resources: the reference pages of the contract.

use contract::{ActionKind, reference};
use rmcp::model::{Resource, ResourceTemplate};

/// Prefix of resource URIs.
const SCHEME: &str = "clawperator://";

/// The pages with a fixed URI.
pub(crate) fn listed() -> Vec<Resource> {
    let pages = [
        ("actions", "All actions with their params"),
        ("selectors", "The keys of matchers"),
        ("errors", "Every error code and how to fix it"),
        ("limits", "Limits of plans"),
    ];
    pages
        .into_iter()
        .map(|(name, about)| {
            Resource::new(format!("{SCHEME}{name}"), name)
                .with_description(about)
                .with_mime_type(MARKDOWN)
        })
        .collect()
}

/// The template of the action pages.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SCHEME}actions/{{type}}"), "action")
            .with_description("One action: its params and an example")
            .with_mime_type(MARKDOWN),
    ]
}

/// The MIME type of the pages.
pub(crate) const MARKDOWN: &str = "text/markdown";

/// The page of a URI.
pub(crate) fn read(uri: &str) -> Option<String> {
    let name = uri.strip_prefix(SCHEME)?;
    if let Some(kind) = name.strip_prefix("actions/") {
        return Some(reference::action(ActionKind::parse(kind)?));
    }
    let file = format!("{name}.md");
    let mut pages = reference::all().into_iter();
    pages.find(|(page, _)| *page == file).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_resource_is_readable() {
        for page in listed() {
            let text = read(&page.uri).unwrap();
            assert!(text.starts_with("# "), "{}", page.uri);
        }
        for kind in ActionKind::ALL {
            let text = read(&format!("clawperator://actions/{kind}")).unwrap();
            assert!(
                text.contains(kind.as_str()) && text.contains("```json"),
                "{text}"
            );
        }
        for nothing in [
            "",
            "clawperator://",
            "clawperator://nothing",
            "file:///etc/passwd",
            "clawperator://actions/fly",
        ] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}

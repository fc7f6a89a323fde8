//! Detects work in progress on a screen: progress indicators, and texts such as `Loading…`.

use std::collections::{HashMap, HashSet};

use uitree::{Node, NodeId, Role, State, UiTree};

/// First words of texts that stand in for content that is being loaded.
const LOADING_PREFIXES: [&str; 12] = [
    "loading",
    "please wait",
    "fetching",
    "wird geladen",
    "lädt",
    "chargement",
    "cargando",
    "carregando",
    "caricamento",
    "загрузка",
    "加载",
    "読み込み",
];

/// Maximum length of such a text, in characters.
const MAX_TEXT_LENGTH: usize = 40;

/// Maximum number of new texts that count as progress. If there are more, they are truncated texts.
const MAX_TEXTS: usize = 2;

/// The number of progress indicators on a screen without a value.
pub(crate) fn indeterminate_count(tree: &UiTree) -> usize {
    let is_indeterminate = |(_, node): &(NodeId, &Node)| match node.role {
        Role::Progress => {
            let has_number = node.text.contains(|letter: char| letter.is_ascii_digit());
            !has_number && node.range().is_none()
        }
        Role::TextField => false,
        _ => is_loading_text(&node.text),
    };
    visible_nodes(tree).filter(is_indeterminate).count()
}

/// Whether a screen shows that work is in progress, whenever it began.
pub(crate) fn is_at_work(tree: &UiTree) -> bool {
    // The dots of a text that is no button may say that there is more.
    let is_of_button = |id: NodeId| {
        let mut around = std::iter::once(id).chain(tree.ancestors(id));
        around.any(|id| tree.node(id).role == Role::Button)
    };
    let says_so = |(id, node): (NodeId, &Node)| {
        may_report_progress(node.text.trim()) && is_of_button(id) && !is_opener_or_field(tree, id)
    };
    indeterminate_count(tree) > 0 || visible_nodes(tree).any(says_so)
}

/// Whether a new text says that work is in progress: `Checking coupon…`, `Uploading 0%`. Texts of another page or app do not
/// count.
pub(crate) fn has_new_progress_text(before: &UiTree, tree: &UiTree) -> bool {
    let page_of = |tree: &UiTree| {
        let root = tree.ids().next().map(|id| tree.node(id));
        root.map(|root| {
            let path = root.attribute("path").unwrap_or_default().to_owned();
            (root.owner.clone(), path)
        })
    };
    let known: HashSet<&str> = before.ids().map(|id| before.node(id).text.trim()).collect();
    let texts = visible_nodes(tree).filter(|(id, node)| {
        let text = node.text.trim();
        may_report_progress(text) && !known.contains(text) && !is_opener_or_field(tree, *id)
    });
    (1..=MAX_TEXTS).contains(&texts.count()) && page_of(before) == page_of(tree)
}

/// Whether a percentage on a screen is higher than on the screen before.
pub(crate) fn percentage_rises(before: &UiTree, after: &UiTree) -> bool {
    let old: HashMap<String, u32> = visible_nodes(before)
        .filter_map(|(_, node)| percent(&node.text))
        .collect();
    let mut new = visible_nodes(after).filter_map(|(_, node)| percent(&node.text));
    new.any(|(words, now)| now < 100 && old.get(&words).is_some_and(|before| *before < now))
}

fn visible_nodes(tree: &UiTree) -> impl Iterator<Item = (NodeId, &Node)> {
    let ids = tree.ids().filter(|id| tree.is_on_screen(*id));
    ids.map(|id| (id, tree.node(id)))
}

/// Whether a text ends with dots and is short enough to report work in progress.
fn ends_with_dots(text: &str) -> bool {
    (text.ends_with('…') || text.ends_with("...")) && text.chars().count() <= MAX_TEXT_LENGTH
}

/// Whether a text says that something is being loaded: `Loading orders…`.
fn is_loading_text(text: &str) -> bool {
    let text = text.trim();
    ends_with_dots(text) && {
        let text = text.to_lowercase();
        LOADING_PREFIXES.iter().any(|word| text.starts_with(word))
    }
}

/// Whether a text may report work in progress: it has words, and ends with dots or is at 0%.
fn may_report_progress(text: &str) -> bool {
    let starts = || percent(text).is_some_and(|(_, percent)| percent == 0);
    text.contains(char::is_alphabetic) && (ends_with_dots(text) || starts())
}

/// The percentage in a text, and the text without it.
fn percent(text: &str) -> Option<(String, u32)> {
    let (before, after) = text.split_once('%')?;
    let before = before.trim_end();
    let words = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = before.get(words.len()..)?.parse().ok()?;
    // Not the end of `1.0%`.
    let is_whole = !words.ends_with(['.', ',']);
    is_whole.then(|| (format!("{words}%{after}"), number))
}

/// Whether the dots of an element mean that it opens something (`Save as…`) or is a field. The dots of a control that was just
/// pressed, or is disabled, mean that it is at work (`Saving…`).
fn is_opener_or_field(tree: &UiTree, id: NodeId) -> bool {
    let is_field = |id: &NodeId| {
        let node = tree.node(*id);
        node.role == Role::TextField || node.is(State::EDITABLE)
    };
    let self_and_ancestors = || std::iter::once(id).chain(tree.ancestors(id));
    let control = self_and_ancestors().find(|id| tree.node(*id).is(State::CLICKABLE));
    let is_at_work = |id: NodeId| {
        let node = tree.node(id);
        node.is(State::FOCUSED) || !node.is(State::ENABLED)
    };
    self_and_ancestors().any(|id| is_field(&id))
        || control.is_some_and(|control| !is_at_work(control))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, content: &str) -> UiTree {
        let page = format!(
            "screen 100x100\nwindow application active\n  webview @path=\"{path}\" [0,0][100,100]\n{content}"
        );
        UiTree::parse_notation(&page).unwrap()
    }

    #[test]
    fn loading_texts_are_recognised() {
        for text in ["Loading…", " Loading orders... ", "Chargement…"] {
            assert!(is_loading_text(text), "{text}");
        }
        for text in [
            "Bitte warten",
            "Loading dock",
            "Loading ",
            "Unloading…",
            "Loading the ship took them all of the day and more…",
        ] {
            assert!(!is_loading_text(text), "{text}");
        }
    }

    #[test]
    fn new_text_that_ends_with_dots_reports_progress() {
        let before = page(
            "/shop",
            "    text \"idle\" [0,0][9,9]\n    text \"More…\" [0,0][9,9]\n    button \"Save\" clickable [0,0][9,9]\n",
        );
        for (content, is_progress) in [
            ("text \"Checking coupon…\"", true),
            ("text \"Saving...\"", true),
            ("text \"Uploading 0%\"", true),
            ("button \"Saving…\" clickable focused", true),
            ("button \"Saving…\" clickable disabled", true),
            ("text \"Discount 20%\"", false),
            ("text \"Interest 1.0%\"", false),
            ("text \"0%\"", false),
            ("text \"…\"", false),
            ("text \"More…\"", false),
            ("button \"Save as…\" clickable", false),
            ("textfield \"Search…\" editable", false),
            (
                "text \"The beginning of a message that was cut at so…\"",
                false,
            ),
        ] {
            let after = page("/shop", &format!("    {content} [0,0][9,9]\n"));
            assert_eq!(
                has_new_progress_text(&before, &after),
                is_progress,
                "{content}"
            );
        }
        let row = |name: &str| format!("    text \"{name} and…\" [0,0][9,9]\n");
        let cut = ["Ann", "Bob", "Cid"].map(row).concat();
        assert!(!has_new_progress_text(&before, &page("/shop", &cut)));
        assert!(!has_new_progress_text(&before, &page("/pay", &row("Ann"))));
    }

    #[test]
    fn percentage_rises_below_100_only() {
        let at = |text: &str| page("/", &format!("    text \"{text}\" [0,0][9,9]\n"));
        for (before, after, is_rising) in [
            ("Uploading 0%", "Uploading 20%", true),
            ("20 % done", "40 % done", true),
            ("Uploading 80%", "Uploading 100%", false),
            ("Uploading 80%", "Uploading 20%", false),
            ("Discount 10%", "Interest 20%", false),
        ] {
            assert_eq!(
                percentage_rises(&at(before), &at(after)),
                is_rising,
                "{before} {after}"
            );
        }
    }
}

//! What a screen shows of work that is going on: progress, and texts that say so.

use std::collections::{HashMap, HashSet};

use uitree::{Node, NodeId, Role, State, UiTree};

/// The beginnings of texts that stand where something is being loaded, on any screen.
const LOADING: [&str; 12] = [
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

/// The most characters of such a text.
const MAX_LENGTH: usize = 40;

/// The most new texts that say that something is going on. More of them are texts that were cut.
const MAX_TEXTS: usize = 2;

/// The progress that a screen shows without telling how far it has come.
pub(crate) fn endless(tree: &UiTree) -> usize {
    let is_endless = |(_, node): &(NodeId, &Node)| match node.role {
        Role::Progress => {
            let says_how_far = node.text.contains(|letter: char| letter.is_ascii_digit());
            !says_how_far && node.range().is_none()
        }
        Role::TextField => false,
        _ => says_loading(&node.text),
    };
    shown(tree).filter(is_endless).count()
}

/// Whether a screen says by a text that was not on the screen before that something is going on: `Checking coupon…`,
/// `Uploading 0%`. What another page or app says of itself is no news.
pub(crate) fn says_news(before: &UiTree, tree: &UiTree) -> bool {
    let place = |tree: &UiTree| {
        let root = tree.ids().next().map(|id| tree.node(id));
        root.map(|root| {
            let path = root.attribute("path").unwrap_or_default().to_owned();
            (root.owner.clone(), path)
        })
    };
    let known: HashSet<&str> = before.ids().map(|id| before.node(id).text.trim()).collect();
    let texts = shown(tree).filter(|(id, node)| {
        let text = node.text.trim();
        says_open_end(text) && !known.contains(text) && !opens_something(tree, *id)
    });
    (1..=MAX_TEXTS).contains(&texts.count()) && place(before) == place(tree)
}

/// Whether a percentage on a screen is higher than on the screen before.
pub(crate) fn rises(before: &UiTree, after: &UiTree) -> bool {
    let old: HashMap<String, u32> = shown(before)
        .filter_map(|(_, node)| percent(&node.text))
        .collect();
    let mut new = shown(after).filter_map(|(_, node)| percent(&node.text));
    new.any(|(words, now)| now < 100 && old.get(&words).is_some_and(|before| *before < now))
}

/// The nodes that a screen shows.
fn shown(tree: &UiTree) -> impl Iterator<Item = (NodeId, &Node)> {
    let ids = tree.ids().filter(|id| tree.is_on_screen(*id));
    ids.map(|id| (id, tree.node(id)))
}

/// Whether a text ends with dots and is no longer than what tells of something that is going on.
fn has_open_end(text: &str) -> bool {
    (text.ends_with('…') || text.ends_with("...")) && text.chars().count() <= MAX_LENGTH
}

/// Whether a text says that something is being loaded: `Loading orders…`.
fn says_loading(text: &str) -> bool {
    let text = text.trim();
    has_open_end(text) && {
        let text = text.to_lowercase();
        LOADING.iter().any(|word| text.starts_with(word))
    }
}

/// Whether a text may say that something is going on: it has words and an open end, or is at 0%.
fn says_open_end(text: &str) -> bool {
    let starts = || percent(text).is_some_and(|(_, percent)| percent == 0);
    text.contains(char::is_alphabetic) && (has_open_end(text) || starts())
}

/// The percentage in a text, and the words around it.
fn percent(text: &str) -> Option<(String, u32)> {
    let (before, after) = text.split_once('%')?;
    let before = before.trim_end();
    let words = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = before.get(words.len()..)?.parse().ok()?;
    // Not the end of `1.0%`.
    let is_whole = !words.ends_with(['.', ',']);
    is_whole.then(|| (format!("{words}%{after}"), number))
}

/// Whether the dots of an element say that it opens something (`Save as…`), or that text goes into it. A control that was just
/// pressed, or is disabled, tells of itself (`Saving…`).
fn opens_something(tree: &UiTree, id: NodeId) -> bool {
    let is_field = |id: &NodeId| {
        let node = tree.node(*id);
        node.role == Role::TextField || node.is(State::EDITABLE)
    };
    let around = || std::iter::once(id).chain(tree.ancestors(id));
    let control = around().find(|id| tree.node(*id).is(State::CLICKABLE));
    let is_at_work = |id: NodeId| {
        let node = tree.node(id);
        node.is(State::FOCUSED) || !node.is(State::ENABLED)
    };
    around().any(|id| is_field(&id)) || control.is_some_and(|control| !is_at_work(control))
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
    fn texts_that_stand_for_what_is_loading() {
        for text in ["Loading…", " Loading orders... ", "Chargement…"] {
            assert!(says_loading(text), "{text}");
        }
        for text in [
            "Bitte warten",
            "Loading dock",
            "Loading ",
            "Unloading…",
            "Loading the ship took them all of the day and more…",
        ] {
            assert!(!says_loading(text), "{text}");
        }
    }

    #[test]
    fn new_text_with_an_open_end_tells_of_something_that_is_going_on() {
        let before = page(
            "/shop",
            "    text \"idle\" [0,0][9,9]\n    text \"More…\" [0,0][9,9]\n    button \"Save\" clickable [0,0][9,9]\n",
        );
        for (content, is_news) in [
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
            assert_eq!(says_news(&before, &after), is_news, "{content}");
        }
        let row = |name: &str| format!("    text \"{name} and…\" [0,0][9,9]\n");
        let cut = ["Ann", "Bob", "Cid"].map(row).concat();
        assert!(!says_news(&before, &page("/shop", &cut)));
        assert!(!says_news(&before, &page("/pay", &row("Ann"))));
    }

    #[test]
    fn percentage_rises_until_it_is_whole() {
        let at = |text: &str| page("/", &format!("    text \"{text}\" [0,0][9,9]\n"));
        for (before, after, is_rising) in [
            ("Uploading 0%", "Uploading 20%", true),
            ("20 % done", "40 % done", true),
            ("Uploading 80%", "Uploading 100%", false),
            ("Uploading 80%", "Uploading 20%", false),
            ("Discount 10%", "Interest 20%", false),
        ] {
            assert_eq!(
                rises(&at(before), &at(after)),
                is_rising,
                "{before} {after}"
            );
        }
    }
}

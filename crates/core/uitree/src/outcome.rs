//! What an action changed on the screen, in a few words.

use std::collections::{HashMap, HashSet};

use escape::Quoted;

use crate::diff::diff_with_beyond;
use crate::{Change, Difference, Node, NodeId, Role, State, UiTree, describe};

/// The rank from which a change is incidental.
const INCIDENTAL: u8 = 5;

/// How noticeable a change is, and among those that are equally noticeable; smaller is more.
type Rank = (u8, u8);

/// Evidence for scrolling.
const MOVED: &str = "the content moved";

/// The longest quoted text, in characters.
const MAX: usize = 32;

/// What an action changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The most noticeable change.
    pub words: String,
    /// It comes with any press or scrolling: the focus of a control that takes no text, or content that moved. More may follow.
    pub is_incidental: bool,
    /// Nothing but that the content moved.
    pub is_movement: bool,
}

impl Outcome {
    fn of(words: String) -> Self {
        Self {
            words,
            is_incidental: false,
            is_movement: false,
        }
    }
}

/// The most noticeable change from one screen to the next: another app, page or screen, a dialog, what a field holds, whether
/// a switch is on, any other text. `None` if nothing changed that a user sees.
#[must_use]
pub fn outcome(before: &UiTree, after: &UiTree) -> Option<Outcome> {
    new_app(before, after)
        .or_else(|| opened_dialog(before, after))
        .or_else(|| page(before, after))
        .or_else(|| closed_dialog(before, after))
        .or_else(|| title(before, after))
        .map(Outcome::of)
        .or_else(|| control(before, after))
}

/// The app in front, if it is another one.
fn new_app(before: &UiTree, after: &UiTree) -> Option<String> {
    let owner = |tree: &UiTree| {
        let window = tree.windows().iter().find(|window| window.active);
        let root = window.or(tree.windows().first())?.root;
        (tree.node(root).role != Role::WebView).then(|| tree.node(root).owner.to_string())
    };
    let (old, new) = (owner(before)?, owner(after)?);
    (old != new && !new.is_empty()).then(|| format!("app {new}"))
}

/// The dialogs on a screen, by name.
fn dialogs(tree: &UiTree) -> Vec<String> {
    let visible = tree.ids().filter(|id| tree.is_on_screen(*id));
    let dialogs = visible.filter(|id| tree.node(*id).role == Role::Dialog);
    dialogs.map(|id| name_of_dialog(tree, id)).collect()
}

fn name_of_dialog(tree: &UiTree, id: NodeId) -> String {
    let text = |id: NodeId| {
        let node = tree.node(id);
        let names = [&node.label, &node.text];
        let name = names.into_iter().find(|name| !name.trim().is_empty());
        name.map(|name| quoted(name))
    };
    let title = tree
        .subtree(id)
        .find(|inner| matches!(tree.node(*inner).role, Role::Title | Role::Heading));
    // The title of a page is not that of a dialog in it.
    let window = tree.window_of(id);
    let is_page = tree.node(window.root).role == Role::WebView;
    let window = Some(&*window.title).filter(|title| !(title.is_empty() || is_page));
    let own = text(id).or_else(|| title.and_then(text));
    own.or_else(|| window.map(quoted))
        .or_else(|| tree.subtree(id).find_map(text))
        .unwrap_or_default()
}

fn opened_dialog(before: &UiTree, after: &UiTree) -> Option<String> {
    let old = dialogs(before);
    let opened = dialogs(after).into_iter().find(|name| !old.contains(name));
    opened.map(|name| dialog_is(&name, "opened"))
}

fn closed_dialog(before: &UiTree, after: &UiTree) -> Option<String> {
    let new = dialogs(after);
    let closed = dialogs(before).into_iter().find(|name| !new.contains(name));
    closed.map(|name| dialog_is(&name, "closed"))
}

fn dialog_is(name: &str, verb: &str) -> String {
    match name.is_empty() {
        true => format!("dialog {verb}"),
        false => format!("dialog {name} {verb}"),
    }
}

/// The first node of a role that the screen shows.
fn first_visible(tree: &UiTree, role: Role) -> Option<NodeId> {
    let mut ids = tree.ids();
    ids.find(|id| tree.node(*id).role == role && tree.is_on_screen(*id))
}

/// The page, if it is another one.
fn page(before: &UiTree, after: &UiTree) -> Option<String> {
    let address = |tree: &UiTree| {
        let page = tree.node(first_visible(tree, Role::WebView)?);
        let path = page.attribute("path").unwrap_or_default().to_owned();
        Some((page.owner.to_string(), path))
    };
    let ((old_host, old_path), (host, path)) = (address(before)?, address(after)?);
    if host != old_host {
        return Some(format!("page {host}{path}"));
    }
    (path != old_path).then(|| format!("page {path}"))
}

/// The title of the screen, if it is another one.
fn title(before: &UiTree, after: &UiTree) -> Option<String> {
    let title = |tree: &UiTree| {
        let title = first_visible(tree, Role::Title);
        title.map(|id| tree.node(id).text.to_string())
    };
    let new = title(after).filter(|title| !title.trim().is_empty())?;
    (title(before).as_ref() != Some(&new)).then(|| format!("screen {}", quoted(&new)))
}

/// How often screens have the words of elements.
struct Words<'t>([HashMap<&'t str, u32>; 2]);

impl<'t> Words<'t> {
    fn of(before: &'t UiTree, after: &'t UiTree) -> Self {
        Self([before, after].map(|tree| {
            let mut counts = HashMap::new();
            for id in tree.ids() {
                *counts.entry(words(tree.node(id))).or_default() += 1;
            }
            counts
        }))
    }

    fn count(&self, words: &str) -> [u32; 2] {
        let count = |counts: &HashMap<&str, u32>| counts.get(words).copied().unwrap_or(0);
        self.0.each_ref().map(count)
    }

    /// Whether words are on the later screen more often.
    fn has_more(&self, words: &str) -> bool {
        let [before, after] = self.count(words);
        after > before
    }

    /// Whether words are on the later screen less often.
    fn has_less(&self, words: &str) -> bool {
        let [before, after] = self.count(words);
        after < before
    }
}

/// The words of an element: its text, else its label.
fn words(node: &Node) -> &str {
    let names = [&node.text, &node.label];
    let name = names.into_iter().find(|name| !name.trim().is_empty());
    name.map_or("", |name| name.trim())
}

/// The most noticeable change of an element. What only came into view, or left it, by scrolling is none.
fn control(before: &UiTree, after: &UiTree) -> Option<Outcome> {
    let found = diff_with_beyond(before, after);
    let mut best: Option<(Rank, String)> = None;
    let mut count = 0;
    let known_fields = fields(before);
    let mut moved = found.offset != (0, 0);
    let counts = Words::of(before, after);
    for change in &found.on_screen {
        let (rank, words) = match change {
            Change::Changed {
                before: old,
                after: new,
                differences,
                ..
            } => match changed((before, *old), (after, *new), differences, &counts) {
                // Of radio buttons, the one that was chosen.
                Some((rank, words)) => (
                    (rank, u8::from(!after.node(*new).is(State::CHECKED))),
                    words,
                ),
                None => {
                    moved |= differences.iter().any(|difference| match difference {
                        Difference::Moved { .. } => true,
                        Difference::Text { after, .. } => !after.is_empty(),
                        _ => false,
                    });
                    continue;
                }
            },
            Change::Appeared { after: new, .. } => {
                let node = after.node(*new);
                if !has_words(node) {
                    continue;
                }
                if known_fields.contains(&field_words(node)) && node.is(State::EDITABLE) {
                    ((0, 0), holds(after, *new))
                } else if !counts.has_more(words(node)) {
                    moved = true;
                    continue;
                } else {
                    let rank = (3, appearance_rank(node));
                    (rank, format!("{} appeared", describe(after, *new)))
                }
            }
            Change::Disappeared { before: old, .. } => {
                if !has_words(before.node(*old)) {
                    continue;
                }
                if !counts.has_less(words(before.node(*old))) {
                    moved = true;
                    continue;
                }
                ((4, 0), format!("{} gone", describe(before, *old)))
            }
        };
        count += 1;
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, words));
        }
    }
    let is_noticed = best
        .as_ref()
        .is_some_and(|((rank, _), _)| *rank < INCIDENTAL);
    if !is_noticed
        && found.offset == (0, 0)
        && let Some(words) = out_of_view((before, after), &found.beyond, &counts)
    {
        return Some(Outcome::of(words));
    }
    let Some(((rank, _), words)) = best else {
        return moved.then(|| Outcome {
            words: MOVED.to_owned(),
            is_incidental: true,
            is_movement: true,
        });
    };
    // What is behind a field or a switch follows from it.
    let words = match count {
        0 | 1 => words,
        _ if rank < 2 => words,
        2 => format!("{words} (+1 change)"),
        more => format!("{words} (+{} changes)", more - 1),
    };
    Some(Outcome {
        words,
        is_incidental: rank >= INCIDENTAL,
        is_movement: false,
    })
}

/// How many changes there are outside of what a screen shows, and where the first one is.
fn out_of_view(
    (before, after): (&UiTree, &UiTree),
    changes: &[Change],
    counts: &Words<'_>,
) -> Option<String> {
    let mut changes = changes.iter().filter_map(|change| match change {
        Change::Changed {
            before: old,
            after: new,
            differences,
            ..
        } => {
            let change = changed((before, *old), (after, *new), differences, counts);
            change
                .filter(|(rank, _)| *rank < INCIDENTAL)
                .map(|_| (after, *new))
        }
        Change::Appeared { after: new, .. } => {
            let words = words(after.node(*new));
            (!words.is_empty() && counts.has_more(words)).then_some((after, *new))
        }
        Change::Disappeared { before: old, .. } => {
            let words = words(before.node(*old));
            (!words.is_empty() && counts.has_less(words)).then_some((before, *old))
        }
    });
    let (tree, first) = changes.next()?;
    let screen = tree.node(tree.window_of(first).root).bounds;
    let place = match (tree.node(first).bounds, screen) {
        (Some(node), Some(screen)) if node.top >= screen.bottom => "below",
        (Some(node), Some(screen)) if node.bottom <= screen.top => "above",
        _ => "out of view",
    };
    Some(match 1 + changes.count() {
        1 => format!("1 change {place}"),
        count => format!("{count} changes {place}"),
    })
}

/// What a field holds.
fn holds(tree: &UiTree, id: NodeId) -> String {
    let node = tree.node(id);
    let what = describe(tree, id);
    if node.is(State::PASSWORD) {
        format!("{what} holds text")
    } else if node.text.is_empty() || node.is(State::SHOWING_HINT) {
        format!("{what} is empty")
    } else {
        format!("{what} holds {}", quoted(&node.text))
    }
}

/// How noticeable it is that an element appeared: a heading, words, a word, a symbol; smaller is more.
fn appearance_rank(node: &Node) -> u8 {
    let name = words(node);
    if node.role == Role::Heading {
        0
    } else if !name.contains(char::is_alphanumeric) {
        3
    } else if name.contains(char::is_whitespace) {
        1
    } else {
        2
    }
}

/// What tells a field from others: label and id.
type FieldWords<'t> = (&'t str, &'t str);

fn field_words(node: &Node) -> FieldWords<'_> {
    (&node.label, &node.id)
}

/// The fields of a screen and of what it does not show.
fn fields(tree: &UiTree) -> HashSet<FieldWords<'_>> {
    let nodes = tree.ids().map(|id| tree.node(id));
    nodes
        .filter(|node| node.is(State::EDITABLE))
        .map(field_words)
        .filter(|words| *words != ("", ""))
        .collect()
}

fn has_words(node: &Node) -> bool {
    !words(node).is_empty()
}

/// The words of the nearest part around an element that has any.
fn words_around(tree: &UiTree, id: NodeId) -> Vec<&str> {
    let words_of = |around: NodeId| -> Vec<&str> {
        let nodes = tree.subtree(around).map(|id| tree.node(id));
        let words = nodes.flat_map(|node| [&*node.text, &*node.label]);
        words.filter(|words| !words.trim().is_empty()).collect()
    };
    let mut around = tree.ancestors(id).map(words_of);
    around.find(|words| !words.is_empty()).unwrap_or_default()
}

/// What changed of an element, other than its place.
fn changed(
    (before, old): (&UiTree, NodeId),
    (after, new): (&UiTree, NodeId),
    differences: &[Difference],
    counts: &Words<'_>,
) -> Option<(u8, String)> {
    let node = after.node(new);
    let is_same = has_words(node) || !node.id.is_empty() || {
        // An element without a name is that of its row: rows may have been sorted.
        words_around(before, old) == words_around(after, new)
    };
    let mut found: Option<(u8, String)> = None;
    for difference in differences {
        let next = match difference {
            Difference::Text { .. } if node.is(State::EDITABLE) => (0, holds(after, new)),
            Difference::Text {
                before: old_text,
                after: text,
            } if !text.is_empty() => {
                if !(counts.has_more(text.trim()) || counts.has_less(old_text.trim())) {
                    // Both were there: elements of a screen that scrolled or was sorted.
                    continue;
                }
                let was = match old_text.is_empty() {
                    true => node.role.as_str().to_owned(),
                    false => quoted(old_text),
                };
                (2, format!("{was} now {}", quoted(text)))
            }
            Difference::Gained(state) | Difference::Lost(state)
                if state.intersects(State::CHECKED.union(State::SELECTED)) && !is_same =>
            {
                continue;
            }
            Difference::Gained(state) if state.contains(State::CHECKED) => {
                (1, format!("{} is on", describe(after, new)))
            }
            Difference::Lost(state) if state.contains(State::CHECKED) => {
                (1, format!("{} is off", describe(after, new)))
            }
            Difference::Gained(state) if state.contains(State::SELECTED) => {
                (2, format!("{} is selected", describe(after, new)))
            }
            Difference::Gained(state) if state.contains(State::FOCUSED) => {
                let rank = if node.is(State::EDITABLE) {
                    4
                } else {
                    INCIDENTAL
                };
                (rank, format!("{} has the focus", describe(after, new)))
            }
            Difference::Gained(state) | Difference::Lost(state)
                if state.contains(State::ENABLED) =>
            {
                let is = if node.is(State::ENABLED) {
                    "enabled"
                } else {
                    "disabled"
                };
                (3, format!("{} is {is}", describe(after, new)))
            }
            Difference::Drawing => (3, format!("icon of {} changed", describe(after, new))),
            _ => continue,
        };
        if found.as_ref().is_none_or(|(rank, _)| next.0 < *rank) {
            found = Some(next);
        }
    }
    found
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", Quoted(&short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drawing, NodeSpec, Rect, Size, TreeBuilder, WindowKind};

    fn evidence(before: &str, after: &str) -> String {
        let tree = |text: &str| {
            let window =
                format!("screen 100x100\nwindow application active owner=com.shop\n{text}");
            UiTree::parse_notation(&window).unwrap()
        };
        let found = outcome(&tree(before), &tree(after));
        found.map_or_else(|| "nothing".to_owned(), |found| found.words)
    }

    #[test]
    fn switch_without_a_name_is_that_of_its_row() {
        let rows = |rows: &[(&str, &str)]| {
            let rows = rows.iter().enumerate().map(|(at, (name, state))| {
                let (top, bottom) = (at * 10, at * 10 + 10);
                format!("    row [0,{top}][100,{bottom}]\n      checkbox checkable clickable {state} [0,{top}][10,{bottom}]\n      text \"{name}\" [20,{top}][90,{bottom}]\n")
            });
            format!("  column [0,0][100,100]\n{}", rows.collect::<String>())
        };
        let before = rows(&[("Zed", "checked"), ("Amy", "")]);
        let sorted = rows(&[("Amy", ""), ("Zed", "checked")]);
        let found = evidence(&before, &sorted);
        assert!(!found.contains("checkbox"), "{found}");
        let pressed = rows(&[("Zed", "checked"), ("Amy", "checked")]);
        assert_eq!(evidence(&before, &pressed), "checkbox \"Amy\" is on");
    }

    #[test]
    fn most_noticeable_change_is_named() {
        let form = "  column [0,0][100,100]
    title \"Basket\" [0,0][100,10]
    textfield hint=\"Name\" editable #name [0,10][100,20]
    switch \"Gift\" checkable clickable #gift [0,20][100,30]
    text \"Open\" #status [0,30][100,40]
";
        assert_eq!(evidence(form, form), "nothing");
        let typed = form.replace("hint=\"Name\"", "\"Ada\" hint=\"Name\"");
        assert_eq!(evidence(form, &typed), "textfield \"Name\" holds \"Ada\"");
        let secret = typed.replace("editable", "editable password");
        assert_eq!(evidence(form, &secret), "textfield \"Name\" holds text");
        let on = form.replace("checkable", "checkable checked");
        assert_eq!(evidence(form, &on), "switch \"Gift\" is on");
        assert_eq!(evidence(&on, form), "switch \"Gift\" is off");
        let paid = form.replace("Open", "Paid");
        assert_eq!(evidence(form, &paid), "\"Open\" now \"Paid\"");
        let title = form.replace("Basket", "Order");
        assert_eq!(evidence(form, &title), "screen \"Order\"");
        let asked = format!("{form}    dialog label=\"Delete?\" [0,50][100,90]\n");
        assert_eq!(evidence(form, &asked), "dialog \"Delete?\" opened");
        assert_eq!(evidence(&asked, form), "dialog \"Delete?\" closed");
        let more = format!("{form}    button \"Undo\" clickable [0,50][100,60]\n");
        assert_eq!(evidence(form, &more), "button \"Undo\" appeared");
    }

    #[test]
    fn words_that_appear_are_named_before_symbols() {
        let page = "  column [0,0][100,100]\n    text \"Cards\" [0,0][100,10]\n";
        let toast = format!(
            "{page}    text \"check_circle\" [0,20][9,30]\n    button \"×\" clickable [90,20][99,30]
    text \"Category changed to Groceries\" [10,20][90,30]\n"
        );
        let words = "text \"Category changed to Groceries\" appeared (+2 changes)";
        assert_eq!(evidence(page, &toast), words);
        let headed = format!("{toast}    heading \"Offers\" [0,40][100,50]\n");
        let words = "heading \"Offers\" appeared (+3 changes)";
        assert_eq!(evidence(page, &headed), words);
    }

    #[test]
    fn switch_that_came_into_view_and_turned_is_named() {
        let form = |first: &str, second: &str| {
            format!(
                "  list scrollable [0,0][100,100]\n    text \"Top\" {first}\n    switch checkable clickable #sync {second}\n"
            )
        };
        let before = form("[0,0][100,10]", "[0,180][100,200]");
        let after = |state: &str| form("[0,-90][100,-80]", &format!("{state} [0,90][100,100]"));
        assert_eq!(
            evidence(&before, &after("checked")),
            "switch \"sync\" is on"
        );
        assert_eq!(evidence(&before, &after("")), "the content moved");
    }

    #[test]
    fn switch_is_named_by_the_text_beside_it_and_radio_button_by_the_choice() {
        let form = |crypto: &str, first: &str, second: &str| {
            format!(
                "  column [0,0][100,100]\n    text \"Crypto alerts\" [0,0][60,10]\n    switch checkable clickable #notif-crypto {crypto} [80,0][90,10]\n    \
                 radio \"All\" checkable clickable {first} [0,20][90,30]\n    radio \"None\" checkable clickable {second} [0,30][90,40]\n"
            )
        };
        let before = form("", "checked", "");
        assert_eq!(
            evidence(&before, &form("checked", "checked", "")),
            "switch \"Crypto alerts\" is on"
        );
        assert_eq!(
            evidence(&before, &form("", "", "checked")),
            "radio \"None\" is on"
        );
    }

    #[test]
    fn field_that_came_into_view_holds_its_text() {
        let form = |name: &str, mail: &str| {
            format!(
                "  list scrollable [0,0][100,100]\n    textfield label=\"Name\" editable #name {name}\n    \
                 textfield {mail} label=\"Mail\" editable #mail\n"
            )
        };
        let before = form(
            "[0,80][100,100]",
            "hint=\"you@example.org\" [0,180][100,200]",
        );
        let after = form("[0,0][100,10]", "\"ada@example.org\" [0,80][100,100]");
        let words = "textfield \"Mail\" holds \"ada@example.org\"";
        assert_eq!(evidence(&before, &after), words);
    }

    #[test]
    fn icon_that_is_drawn_otherwise_is_named() {
        let tree = |drawing: u32| {
            let mut builder = TreeBuilder::new(Size::new(9, 9), 0);
            builder.window(WindowKind::Application, 0, true, "");
            builder.open(NodeSpec {
                role: Some(Role::Button),
                label: "Save".into(),
                bounds: Some(Rect::new(0, 0, 9, 9)),
                state: State::VISIBLE | State::ENABLED | State::CLICKABLE,
                drawing: Drawing(drawing),
                ..NodeSpec::default()
            });
            builder.close();
            builder.finish()
        };
        let words = |before, after| Some(outcome(&tree(before), &tree(after))?.words);
        let expected = "icon of button \"Save\" changed";
        assert_eq!(words(1, 2).as_deref(), Some(expected));
        assert_eq!((words(1, 1), words(0, 2)), (None, None));
    }

    #[test]
    fn focus_of_a_button_is_incidental() {
        let tree = |control: &str| {
            let text = format!(
                "screen 9x9\nwindow application active\n  webview [0,0][9,9]\n    {control} [0,0][9,9]"
            );
            UiTree::parse_notation(&text).unwrap()
        };
        let is_incidental = |control: &str| {
            let focused = tree(&format!("{control} focused"));
            outcome(&tree(control), &focused).unwrap().is_incidental
        };
        assert!(is_incidental("button \"Save\" clickable"));
        assert!(!is_incidental("textfield \"Name\" editable"));
    }

    #[test]
    fn changes_out_of_view_are_counted() {
        let page = |top: i32, far: &str, focus: &str| {
            let (end, text) = (top + 10, top + 20);
            format!(
                "  webview [0,0][100,100]\n    button \"Save\" clickable {focus} [0,0][100,10]\n    text \"Far\" [0,{top}][100,{end}]\n    text \"{far}\" [0,{end}][100,{text}]\n"
            )
        };
        let before = page(300, "ok", "");
        assert_eq!(
            evidence(&before, &page(300, "wrong", "focused")),
            "1 change below"
        );
        assert_eq!(evidence(&before, &page(300, "wrong", "")), "1 change below");
        let above = page(-300, "ok", "");
        assert_eq!(evidence(&above, &page(-300, "wrong", "")), "1 change above");
        let focused = "button \"Save\" has the focus";
        assert_eq!(evidence(&before, &page(300, "ok", "focused")), focused);
    }

    #[test]
    fn what_scrolling_brings_in_is_not_new() {
        let page = |from: i32, news: &str| {
            let (heading, row) = (from + 10, from + 20);
            format!(
                "  webview [0,0][100,100]\n    heading \"Keys\" [0,{from}][100,{heading}]\n    text \"First\" [0,{heading}][100,{row}]\n{news}"
            )
        };
        assert_eq!(evidence(&page(120, ""), &page(40, "")), "the content moved");
        assert_eq!(evidence(&page(40, ""), &page(120, "")), "the content moved");
        let news = "    heading \"Create key\" [0,60][100,70]\n";
        assert_eq!(
            evidence(&page(120, ""), &page(40, news)),
            "heading \"Create key\" appeared"
        );
    }

    #[test]
    fn change_that_scrolls_is_told_of_its_own_element() {
        let page = |from: i32, likes: [&str; 3]| {
            let rows = likes.iter().enumerate().map(|(at, likes)| {
                let top = from + 60 * i32::try_from(at).unwrap();
                let (end, button) = (top + 10, top + 20);
                format!(
                    "    text \"Post {at}\" [0,{top}][100,{end}]\n    button \"{likes}\" clickable [0,{end}][100,{button}]\n"
                )
            });
            let rows: String = rows.collect();
            format!("  webview [0,0][100,100]\n{rows}")
        };
        let before = page(0, ["7", "534", "412"]);
        let expected = "\"412\" now \"413\"";
        assert_eq!(evidence(&before, &page(-90, ["7", "534", "413"])), expected);
        // The element scrolled out of view while its text changed.
        let expected = "\"7\" now \"8\"";
        assert_eq!(evidence(&before, &page(-90, ["8", "534", "412"])), expected);
    }

    #[test]
    fn words_that_were_there_do_not_appear() {
        let before = "  column [0,0][100,100]\n    text \"Hover me\" [0,0][100,10]\n";
        let after = "  column [0,0][100,100]\n    card [0,0][100,30]\n      label \"Hover me\" [0,0][100,10]\n      button \"Tip\" clickable [0,10][100,30]\n";
        assert_eq!(evidence(before, after), "button \"Tip\" appeared");
    }

    #[test]
    fn rows_that_scrolled_are_not_renamed() {
        let page = |first: i32, status: &str| {
            let rows = (0..60).map(|row| {
                let top = (row - first) * 20;
                let bottom = top + 20;
                format!("    text \"Row {row}\" [0,{top}][50,{bottom}]\n    button \"Delete\" clickable [50,{top}][100,{bottom}]\n")
            });
            let rows: String = rows.collect();
            format!("  webview [0,0][100,100]\n    text \"{status}\" [0,0][100,10]\n{rows}")
        };
        let found = evidence(&page(0, "none"), &page(50, "deleted 51"));
        assert_eq!(found, "\"none\" now \"deleted 51\"");
    }

    #[test]
    fn dialog_of_a_page_has_no_title_of_the_page() {
        let page = "screen 9x9\nwindow application active \"Shop\"\n  webview [0,0][9,9]\n";
        let dialog = format!("{page}    dialog [0,0][9,9]\n      text \"Leave?\" [0,0][9,9]\n");
        let [before, after] = [page, &dialog].map(|text| UiTree::parse_notation(text).unwrap());
        let found = outcome(&before, &after).unwrap();
        assert_eq!(found.words, "dialog \"Leave?\" opened");
    }

    #[test]
    fn page_that_another_dialog_was_above_is_named() {
        let dialog = "  webview @path=\"/tasks\" [0,0][100,100]\n    dialog label=\"New task\" [0,0][100,50]\n";
        let rows = "  webview @path=\"/rows\" [0,0][100,100]\n    text \"Rows\" [0,0][100,50]\n";
        assert_eq!(evidence(dialog, rows), "page /rows");
    }

    #[test]
    fn another_app_is_named() {
        let tree = |owner: &str| {
            let text = format!("window application active owner={owner}\n  text \"x\" [0,0][9,9]");
            UiTree::parse_notation(&text).unwrap()
        };
        let found = outcome(&tree("com.shop"), &tree("com.bank"));
        assert_eq!(found, Some(Outcome::of("app com.bank".to_owned())));
    }
}

//! The words of a line: what of a node's text, id and states is written.

use std::fmt;

use escape::Quoted;

use super::budget::fitting;
use crate::notation::UnquotedValue;
use crate::{Node, NodeId, Role, State, UiTree};

/// How much of a text is written. Characters of some scripts cost several times as much as Latin letters, and say as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) characters: usize,
    pub(super) tokens: usize,
}

/// Longest text before it is cut.
const MAX: Limit = Limit {
    characters: 160,
    tokens: 48,
};

/// The fewest characters left out whose number is written.
const MIN_COUNTED: usize = 300;

/// Longest text of a row, which opens the rest.
pub(super) const ROW_TEXT_LIMIT: Limit = Limit {
    characters: 48,
    tokens: 14,
};

impl Limit {
    /// The least that is cut: less is not longer than the number that would stand for it. The end of a longer text often says
    /// how things stand, and costs less than to ask for it.
    const fn least_cut(self) -> Self {
        Self {
            characters: self.characters / 4,
            tokens: self.tokens / 3,
        }
    }
}

/// The text, name and placeholder of a node.
pub(super) fn names(node: &Node) -> String {
    let all = [&*node.text, &*node.label, &*node.hint];
    let said: Vec<&str> = all
        .into_iter()
        .filter(|name| !name.trim().is_empty())
        .collect();
    said.join(" ")
}

/// A text with single spaces.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Whether a text has nothing to read: pictures of an icon font.
pub(super) fn is_pictures(text: &str) -> bool {
    holds_only(text, |letter| ('\u{e000}'..='\u{f8ff}').contains(&letter))
}

/// Whether a text only separates others, such as a bullet.
pub(super) fn is_separator(text: &str) -> bool {
    holds_only(text, |letter| "•·∙●|,›»".contains(letter))
}

/// Whether a text has letters, and only these.
fn holds_only(text: &str, is_one: fn(char) -> bool) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_whitespace() || is_one(letter))
}

/// Whether a text contains these words, as whole words.
pub(super) fn holds_words(text: &str, words: &str) -> bool {
    match words.split_whitespace().next() {
        None => return true,
        Some(first) if !text.contains(first) => return false,
        Some(_) if text == words => return true,
        Some(_) => {}
    }
    let (text, words) = (plain(text), plain(words));
    let is_edge = |next: Option<char>| !next.is_some_and(char::is_alphanumeric);
    text.match_indices(&words).any(|(at, found)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
    })
}

/// The words in ids that say what kind of element it is, which its line says, too.
const KIND_WORDS: &[&str] = &[
    "action",
    "area",
    "bar",
    "box",
    "btn",
    "button",
    "card",
    "cell",
    "chip",
    "container",
    "content",
    "edit",
    "entry",
    "et",
    "field",
    "fl",
    "frame",
    "group",
    "header",
    "holder",
    "icon",
    "id",
    "image",
    "img",
    "input",
    "item",
    "iv",
    "label",
    "layout",
    "link",
    "ll",
    "main",
    "menu",
    "name",
    "option",
    "panel",
    "rl",
    "root",
    "row",
    "switch",
    "tab",
    "text",
    "title",
    "tv",
    "txt",
    "view",
    "widget",
    "wrapper",
];

/// Whether an id tells more than the names of its element.
pub(super) fn id_tells_more(id: &str, names: &str) -> bool {
    let names = names.to_lowercase();
    let mut word = String::new();
    let mut tells = false;
    let mut end = |word: &mut String| {
        tells |= !word.is_empty() && !KIND_WORDS.contains(&&**word) && !names.contains(&**word);
        word.clear();
    };
    let mut before = ' ';
    for letter in id.chars() {
        if !letter.is_alphabetic() || (before.is_lowercase() && letter.is_uppercase()) {
            end(&mut word);
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    end(&mut word);
    tells
}

/// The text of a label without the marks around it.
pub(super) fn label_text(text: &str) -> &str {
    text.trim().trim_end_matches([':', '*']).trim_end()
}

/// The attribute of a text that is the name of an icon, which its font draws.
pub(super) const PICTURE: &str = "picture";

/// What is before a name.
pub(super) const LABEL: &str = "label=";

/// What is before the name that the code of a page has for a control.
pub(super) const CODE: &str = "code=";

/// What is before a placeholder.
pub(super) const HINT: &str = "hint=";

/// The state of what can be clicked.
pub(super) const CLICKABLE: &str = "clickable";

/// A text of a line, with what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// `label=`, `hint=`, nothing for a text, or `…` for one that is elsewhere.
    pub(super) key: &'static str,
    pub(super) text: String,
    /// How many characters of it are written.
    pub(super) most: usize,
    /// Whether what is not written is elsewhere: on the line around it, or in the view of everything.
    pub(super) is_known: bool,
}

impl Word {
    /// A text.
    pub(super) fn text(text: &str) -> Self {
        let mut word = Self {
            key: "",
            text: text.to_owned(),
            most: usize::MAX,
            is_known: false,
        };
        word.limit(MAX);
        word
    }

    /// A text that is on another line.
    pub(super) fn elsewhere() -> Self {
        Self {
            key: "…",
            text: String::new(),
            most: 0,
            is_known: true,
        }
    }

    /// What the code of a page calls a control without a name.
    pub(super) fn code(name: &str) -> Self {
        Self {
            key: CODE,
            ..Self::text(name)
        }
    }

    /// A name.
    pub(super) fn label(label: &str) -> Self {
        Self {
            key: LABEL,
            ..Self::text(label)
        }
    }

    /// A placeholder.
    pub(super) fn hint(hint: &str) -> Self {
        Self {
            key: HINT,
            ..Self::text(hint)
        }
    }

    /// Writes no more of it than this.
    pub(super) fn limit(&mut self, limit: Limit) {
        // No character costs more than a token.
        if self.text.len() <= limit.tokens {
            return;
        }
        let least = limit.least_cut();
        let most = limit.characters + least.characters;
        let all = self.text.chars().take(most + 1).count();
        if all <= most && fitting(&self.text, limit.tokens + least.tokens) >= all {
            return;
        }
        let most = fitting(&self.text, limit.tokens).min(limit.characters);
        let most = up_to_word(&self.text, most);
        if most < self.most {
            self.most = most;
            self.is_known = false;
        }
    }

    /// How many characters of it are written.
    pub(super) fn length(&self) -> usize {
        self.text.chars().take(self.most).count()
    }
}

/// The most of the first `most` characters of a longer text that ends with a word, if that is not much less.
fn up_to_word(text: &str, most: usize) -> usize {
    let end = text
        .char_indices()
        .nth(most)
        .map_or(text.len(), |(at, _)| at);
    let (start, rest) = text.split_at(end);
    let is_within = |next: char| !next.is_whitespace();
    let words = match rest.starts_with(is_within) {
        true => start
            .rfind(char::is_whitespace)
            .map_or(start, |space| &start[..space]),
        false => start,
    };
    let words = words.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let length = words.chars().count();
    match length * 4 >= most * 3 {
        true => length,
        false => most,
    }
}

/// Quoted, cut if it is long; the number of characters left out follows, unless they are known.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)?;
        if self.text.is_empty() && self.most == 0 {
            return Ok(());
        }
        if self.most == 0 {
            return write!(f, "…(+{})", grouped(self.text.chars().count()));
        }
        match self.text.char_indices().nth(self.most) {
            Some((at, _)) => {
                let (shown, rest) = self.text.split_at(at);
                write!(f, "{}…", Quoted(shown))?;
                let rest = rest.chars().count();
                match self.is_known || rest < MIN_COUNTED {
                    true => Ok(()),
                    false => write!(f, "(+{})", grouped(rest)),
                }
            }
            None => Quoted(&self.text).fmt(f),
        }
    }
}

/// A number with its thousands apart: `1,240`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a role is that of a row of a list or a table.
pub(super) fn is_row(role: Role) -> bool {
    matches!(
        role,
        Role::ListItem | Role::Row | Role::Card | Role::MenuItem
    )
}

/// Whether a node is a table row.
pub(super) fn is_table_row(tree: &UiTree, id: NodeId) -> bool {
    let is_grid = |id: NodeId| tree.node(id).role == Role::Grid;
    let is_plain = |id: &NodeId| tree.node(*id).role == Role::Container;
    // Tables whose body scrolls have containers around their rows.
    let in_grid = || {
        let mut around = tree.ancestors(id).take(4).skip_while(is_plain);
        tree.ancestors(id).take(2).any(is_grid) || around.next().is_some_and(is_grid)
    };
    tree.node(id).role == Role::Row && tree.children(id).nth(1).is_some() && in_grid()
}

/// Whether the node is a cell of a table.
pub(super) fn is_cell(tree: &UiTree, id: NodeId) -> bool {
    let row = tree.node(id).parent;
    row.is_some_and(|row| is_table_row(tree, row))
}

/// Whether the line shows the id: for nodes with an action.
pub(super) fn shows_id(node: &Node) -> bool {
    !node.id.is_empty() && (node.can_act() || node.is(State::SCROLLABLE))
}

/// Whether the node has an id of its app.
pub(super) fn has_app_id(node: &Node) -> bool {
    !node.id.is_empty() && !node.id.starts_with("android:id/")
}

/// Whether the node explains its content, also without a name.
pub(super) fn frames(node: &Node) -> bool {
    node.is(State::SCROLLABLE)
        || matches!(
            node.role,
            Role::Dialog | Role::WebView | Role::Slider | Role::Progress
        )
}

/// Whether users expect the role to be clickable.
pub(super) fn is_tappable(role: Role) -> bool {
    matches!(
        role,
        Role::ListItem
            | Role::Tab
            | Role::Button
            | Role::TextField
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::Chip
            | Role::MenuItem
            | Role::Link
            | Role::Slider
            | Role::Dropdown
    )
}

/// Whether a node is one of the choices of a list of which at most one is chosen, which is said to be checked.
pub(super) fn is_one_of_several(tree: &UiTree, id: NodeId) -> bool {
    let class = &tree.node(id).class;
    if !class.ends_with("CheckedTextView") {
        return false;
    }
    let is_list = |around: &NodeId| tree.node(*around).role == Role::List;
    let Some(list) = tree.ancestors(id).find(is_list) else {
        return false;
    };
    let inside = tree.subtree(list).map(|id| tree.node(id));
    let (mut all, mut checked) = (0, 0);
    for choice in inside.filter(|choice| choice.class == *class) {
        all += 1;
        checked += u32::from(choice.is(State::CHECKED));
    }
    all > 1 && checked <= 1
}

/// Where a slider or a progress is between its ends, if its text does not say it.
pub(super) fn range_words(node: &Node) -> Option<String> {
    match node.role {
        Role::Slider => node.range().map(|range| range.to_string()),
        Role::Progress if node.text.is_empty() => node.range().map(|range| range.to_string()),
        Role::Progress if !node.text.is_empty() => {
            let highest = node.attribute("value-max")?;
            (highest != "100").then(|| format!("of {}", UnquotedValue(highest)))
        }
        _ => None,
    }
}

/// What an app says is wrong with the content of a field.
pub(super) fn error_words(node: &Node) -> Option<String> {
    let error = node.attribute("error").filter(|error| !error.is_empty())?;
    Some(format!("error={}", Quoted(error)))
}

/// The state of what can be checked and is not.
pub(super) const UNCHECKED: &str = "unchecked";

/// States that the role does not imply.
pub(super) fn state_words(node: &Node) -> impl Iterator<Item = &'static str> {
    let word = |word: &'static str, has_text: bool| has_text.then_some(word);
    let [opened, invalid, mixed, marked] = node.conditions();
    let is_off = node.is(State::CHECKABLE) && !node.is(State::CHECKED);
    [
        word(
            CLICKABLE,
            node.is(State::CLICKABLE) && !is_tappable(node.role),
        ),
        word(
            "scrollable",
            node.is(State::SCROLLABLE) && node.role != Role::TextField,
        ),
        word("checked", node.is(State::CHECKED)),
        mixed.or_else(|| word(UNCHECKED, is_off)),
        word("selected", node.is(State::SELECTED)),
        opened,
        invalid,
        marked,
        word("unread", node.attribute("unread").is_some()),
        word("focused", node.is(State::FOCUSED)),
        word("password", node.is(State::PASSWORD)),
        word("disabled", !node.is(State::ENABLED)),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn conditions_are_written_where_they_tell_something() {
        let tree = UiTree::parse_notation(
            "column [0,0][100,100]
               button \"Filters\" clickable [0,0][50,10] @expanded=\"false\"
               button \"Sort\" clickable [0,10][50,20] @expanded=\"true\"
               dropdown \"Red\" clickable [0,20][50,30] @expanded=\"false\"
               checkbox \"All\" clickable checkable [0,30][50,40] @checked-state=\"mixed\"
               textfield \"x\" editable [0,40][50,50] @invalid=\"true\"
               progress \"50\" [0,50][50,60] @value-max=\"200\"
               progress \"50\" [0,60][50,70] @value-max=\"100\"
               progress [0,70][50,80] @range-min=\"0\" @range-max=\"100\" @range-value=\"40\"
               textfield \"a@\" editable [0,80][50,90] @content-invalid=\"true\" @error=\"No address\"
            ",
        );
        let view = tree.unwrap().to_compact();
        for line in [
            "button \"Filters\" collapsed",
            "button \"Sort\" expanded",
            "dropdown \"Red\"\n",
            "checkbox \"All\" mixed",
            "textfield \"x\" invalid",
            "progress \"50\" of 200",
            "progress \"50\"\n",
            "progress 40 of 100",
            "textfield \"a@\" invalid error=\"No address\"",
        ] {
            assert!(
                format!("{view}\n").contains(line),
                "{line} is not in\n{view}"
            );
        }
        assert!(!view.contains("unchecked"), "{view}");
    }
}

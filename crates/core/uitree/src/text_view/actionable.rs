//! The view of what can be acted on.

use std::collections::{HashMap, HashSet};

use super::cards;
use super::line::{Line, Rank};
use super::words::{Limit, Word};
use crate::{NodeId, ScreenRefs, UiTree};

/// Longest text that tells which row a control belongs to.
const MAX_OWNER: Limit = Limit {
    characters: 24,
    tokens: 7,
};

/// The lines of what can be acted on, shortened, each inside of the ones that are left.
pub(super) fn of(mut lines: Vec<Line>, tree: &UiTree) -> Vec<Line> {
    add_owners(&mut lines, tree);
    // The depths of the lines around the next one, and whether they are left.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut left = Vec::with_capacity(lines.len());
    for mut line in lines {
        open.retain(|(depth, _)| *depth < line.depth);
        let around = open.iter().filter(|(_, is_left)| *is_left).count();
        let is_left = line.rank.is_actionable();
        open.push((line.depth, is_left));
        if is_left {
            line.depth = around;
            line.shorten();
            left.push(line);
        }
    }
    let is_empty = |at: usize| {
        let next = left
            .get(at + 1)
            .map_or(Rank::Window, |next: &Line| next.rank);
        left[at].is_system_window() && next == Rank::Window
    };
    let is_left: Vec<bool> = (0..left.len()).map(|at| !is_empty(at)).collect();
    // A screen without controls shows its windows.
    if is_left.contains(&true) {
        let mut is_left = is_left.into_iter();
        left.retain(|_| is_left.next().unwrap_or(true));
    }
    left
}

/// Adds to controls that look like others the text of their row that tells them apart, to the first one of each row.
fn add_owners(lines: &mut [Line], tree: &UiTree) {
    let names: Vec<String> = lines.iter().map(name_of).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    let is_only = |at: usize| counts.get(&*names[at]) == Some(&1);
    // The lines are in the order of the document; that of a window is before what is in it.
    let mut last = NodeId(0);
    let places = lines.iter().map(|line| {
        last = line.id().unwrap_or(last).max(last);
        last
    });
    let places: Vec<NodeId> = places.collect();
    let mut owners: Vec<(usize, usize)> = Vec::new();
    let mut used: HashSet<usize> = HashSet::new();
    for at in 0..lines.len() {
        if !names[at].is_empty() && !is_only(at) {
            let owner = owner_of(lines, &places, at, tree, &names, &is_only);
            owners.extend(
                owner
                    .filter(|owner| used.insert(*owner))
                    .map(|owner| (at, owner)),
            );
        }
    }
    for (at, owner) in owners {
        let words = lines[owner]
            .parts
            .first()
            .and_then(|part| part.words.first());
        let word = words.map(|word| owner_word(&word.text));
        if let Some(part) = lines[at].parts.first_mut() {
            part.owner = word;
        }
    }
}

/// The text that a control belongs to, shortened.
pub(super) fn owner_word(text: &str) -> Word {
    let mut word = Word::text(text);
    word.limit(MAX_OWNER);
    word.is_known = true;
    word
}

/// What is written of a control, without its place and the state that tells others apart, too; nothing for other lines.
fn name_of(line: &Line) -> String {
    let is_control = matches!(line.rank, Rank::Control | Rank::NamelessControl);
    let [part] = line.parts.as_slice() else {
        return String::new();
    };
    match is_control && part.id.is_some() {
        true => {
            let mut own = line.clone();
            own.parts[0].place = None;
            own.parts[0].states.clear();
            own.render(&ScreenRefs::default())
        }
        false => String::new(),
    }
}

/// The line of the first text in the smallest part of the screen around a control that has one and no control of the same name;
/// without such a part, of the text before the control at its height. `None` if another control there tells them apart.
fn owner_of(
    lines: &[Line],
    places: &[NodeId],
    at: usize,
    tree: &UiTree,
    names: &[String],
    is_only: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let id = lines[at].id()?;
    let is_text = |at: &usize| {
        let line = &lines[*at];
        let words = line
            .parts
            .first()
            .is_some_and(|part| !part.words.is_empty());
        words && matches!(line.rank, Rank::Text | Rank::Heading)
    };
    if let Some(card) = tree.cards.of_node(id) {
        let begin = places.partition_point(|place| place.0 < card.nodes.start);
        let end = places.partition_point(|place| place.0 < card.nodes.end);
        let mut inside = begin..end;
        let is_alone = inside
            .clone()
            .all(|other| other == at || names[other] != names[at]);
        let name = inside.find(|other| cards::is_name(&lines[*other]));
        if is_alone && name.is_some() {
            return name;
        }
    }
    for around in tree.ancestors(id) {
        let begin = places.partition_point(|place| *place < around);
        let end = places.partition_point(|place| place.0 < tree.node(around).end.0);
        let inside: Vec<usize> = (begin..end).filter(|other| *other != at).collect();
        if inside.iter().any(|other| names[*other] == names[at]) {
            break;
        }
        if inside
            .iter()
            .any(|other| !names[*other].is_empty() && is_only(*other))
        {
            return None;
        }
        if let Some(text) = inside.into_iter().find(is_text) {
            return Some(text);
        }
    }
    let before = (0..at)
        .rev()
        .take_while(|before| names[*before] != names[at]);
    let row = tree.visible_bounds(id)?;
    let is_beside = |before: &usize| {
        let bounds = lines[*before].id().and_then(|id| tree.visible_bounds(id));
        bounds.is_some_and(|text| text.shares_row(&row))
    };
    before.filter(is_text).filter(is_beside).last()
}

#[cfg(test)]
pub(super) mod tests {
    use crate::{RefTable, TextView, UiTree};

    /// The actionable view of a screen, with references.
    pub(in crate::text_view) fn actionable(screen: &str) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        let refs = RefTable::default().assign(&tree);
        let view = TextView {
            only_actionable: true,
            ..TextView::default()
        };
        tree.text_view_with(view, &refs).text
    }

    #[test]
    fn controls_that_look_alike_say_whose_they_are() {
        expect_test::expect![[r#"
            application
             button "Edit" of "Ann" e1 "Delete" e2 "Edit" of "Ben" e3 "Delete" e4
             link "Cleo" e5
             button "Edit" e6 "Message" of "Dan" e7 "Message" of "Eve" e8 "Message" e9
             checkbox @5,125 e10 text "Tea"
             checkbox checked @5,145 e11 text "Milk"
        "#]]
        .assert_eq(&actionable(
            "
            screen 200x200
            window application active
              webview [0,0][200,200]
                column [0,0][200,20]
                  text \"Ann\" [0,0][50,10]
                  button \"Edit\" clickable [60,0][80,10]
                  button \"Delete\" clickable [80,0][99,10]
                column [0,20][200,40]
                  text \"Ben\" [0,20][50,30]
                  button \"Edit\" clickable [60,20][80,30]
                  button \"Delete\" clickable [80,20][99,30]
                column [0,40][200,60]
                  link \"Cleo\" clickable [0,40][50,50]
                  button \"Edit\" clickable [60,40][80,50]
                text \"Dan\" [0,60][50,70]
                button \"Message\" clickable [60,60][80,70]
                text \"Eve\" [0,80][50,90]
                button \"Message\" clickable [60,80][80,90]
                button \"Message\" clickable [60,100][80,110]
                row [0,120][200,140]
                  checkbox checkable clickable [0,120][10,130]
                  text \"Tea\" [12,120][30,130]
                  text \"3 €\" [52,120][70,130]
                row [0,140][200,160]
                  checkbox checkable checked clickable [0,140][10,150]
                  text \"Milk\" [12,140][30,150]
                  text \"1 €\" [52,140][70,150]
        ",
        ));
    }
}

//! Selects the lines of controls.

use std::collections::{HashMap, HashSet};

use crate::text_view::join::cards;
use crate::text_view::line::text::LabeledText;
use crate::text_view::line::{Line, Rank};
use crate::{NodeId, ScreenRefs, UiTree};

/// The lines of controls and scroll containers, shortened.
pub(crate) fn select(mut lines: Vec<Line>, tree: &UiTree) -> Vec<Line> {
    add_owners(&mut lines, tree);
    // The depths of the lines that contain the next one, and whether they are kept.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut kept = Vec::with_capacity(lines.len());
    for mut line in lines {
        open.retain(|(depth, _)| *depth < line.depth);
        let around = open.iter().filter(|(_, is_kept)| *is_kept).count();
        let is_kept = line.rank.is_actionable();
        open.push((line.depth, is_kept));
        if is_kept {
            line.depth = around;
            line.shorten();
            kept.push(line);
        }
    }
    let is_empty = |at: usize| {
        let next = kept
            .get(at + 1)
            .map_or(Rank::Window, |next: &Line| next.rank);
        kept[at].is_system_window() && next == Rank::Window
    };
    let is_kept: Vec<bool> = (0..kept.len()).map(|at| !is_empty(at)).collect();
    // A screen without controls shows its windows.
    if is_kept.contains(&true) {
        let mut is_kept = is_kept.into_iter();
        kept.retain(|_| is_kept.next().unwrap_or(true));
    }
    kept
}

/// Adds the [distinguishing text](distinguishing_text) to controls with equal names, once for each text.
fn add_owners(lines: &mut [Line], tree: &UiTree) {
    let names: Vec<String> = lines.iter().map(name_of).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    let is_only = |at: usize| counts.get(&*names[at]) == Some(&1);
    // The lines are in document order; a window comes before its content.
    let mut last = NodeId(0);
    let last_ids = lines.iter().map(|line| {
        last = line.id().unwrap_or(last).max(last);
        last
    });
    let last_ids: Vec<NodeId> = last_ids.collect();
    let mut owners: Vec<(usize, usize)> = Vec::new();
    let mut used: HashSet<usize> = HashSet::new();
    for at in 0..lines.len() {
        if !names[at].is_empty() && !is_only(at) {
            let owner = distinguishing_text(lines, &last_ids, at, tree, &names, &is_only);
            if let Some(owner) = owner.filter(|owner| used.insert(*owner)) {
                owners.push((at, owner));
            }
        }
    }
    for (at, owner) in owners {
        let first = lines[owner].parts.first();
        let text = first.and_then(|part| part.texts.first());
        let text = text.map(|text| LabeledText::owner(&text.text));
        if let Some(part) = lines[at].parts.first_mut() {
            part.owner = text;
        }
    }
}

/// The line of a control without center and states; empty for other lines.
fn name_of(line: &Line) -> String {
    let is_control = matches!(line.rank, Rank::Control | Rank::NamelessControl);
    let [part] = line.parts.as_slice() else {
        return String::new();
    };
    if !is_control || part.id.is_none() {
        return String::new();
    }
    let mut own = line.clone();
    own.parts[0].center = None;
    own.parts[0].states.clear();
    own.render(&ScreenRefs::default())
}

/// Finds the text that distinguishes a control from equal ones: in its card, in the nearest ancestor without another equal
/// control, or before it at its height. `None` if another unique control in the ancestor distinguishes it.
fn distinguishing_text(
    lines: &[Line],
    last_ids: &[NodeId],
    at: usize,
    tree: &UiTree,
    names: &[String],
    is_only: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let id = lines[at].id()?;
    let is_text = |at: &usize| {
        let line = &lines[*at];
        let has_text = (line.parts.first()).is_some_and(|part| !part.texts.is_empty());
        has_text && matches!(line.rank, Rank::Text | Rank::Heading)
    };
    if let Some(card) = tree.cards.of_node(id) {
        let begin = last_ids.partition_point(|last| last.0 < card.nodes.start);
        let end = last_ids.partition_point(|last| last.0 < card.nodes.end);
        let mut inside = begin..end;
        let is_different = |other: usize| other == at || names[other] != names[at];
        let is_alone = inside.clone().all(is_different);
        let name = inside.find(|other| cards::is_name(&lines[*other]));
        if is_alone && name.is_some() {
            return name;
        }
    }
    for around in tree.ancestors(id) {
        let begin = last_ids.partition_point(|last| *last < around);
        let end = last_ids.partition_point(|last| last.0 < tree.node(around).end.0);
        let inside: Vec<usize> = (begin..end).filter(|other| *other != at).collect();
        if inside.iter().any(|other| names[*other] == names[at]) {
            break;
        }
        let is_unique = |other: &usize| !names[*other].is_empty() && is_only(*other);
        if inside.iter().any(is_unique) {
            return None;
        }
        if let Some(text) = inside.into_iter().find(is_text) {
            return Some(text);
        }
    }
    let before = (0..at).rev();
    let before = before.take_while(|before| names[*before] != names[at]);
    let row = tree.visible_bounds(id)?;
    let is_beside = |before: &usize| {
        let bounds = lines[*before].id().and_then(|id| tree.visible_bounds(id));
        bounds.is_some_and(|text| text.shares_row(&row))
    };
    before.filter(is_text).filter(is_beside).last()
}

#[cfg(test)]
mod tests {
    use crate::text_view::actionable_view;

    #[test]
    fn equal_controls_are_distinguished_by_a_text() {
        expect_test::expect![[r#"
            application
             button "Edit" of "Ann" e1 "Delete" e2 "Edit" of "Ben" e3 "Delete" e4
             link "Cleo" e5
             button "Edit" e6 "Message" of "Dan" e7 "Message" of "Eve" e8 "Message" e9
             checkbox @5,125 e10 text "Tea"
             checkbox checked @5,145 e11 text "Milk"
        "#]]
        .assert_eq(&actionable_view(
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

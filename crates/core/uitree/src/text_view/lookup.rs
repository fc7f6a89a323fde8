//! Looks up elements by what a text view writes of them.

use std::collections::{HashMap, HashSet};

use super::TextView;
use super::join::texts;
use super::line::Part;
use super::line::text::{LabeledText, collapse_spaces};
use crate::query::matches::is_id;
use crate::{NodeId, RefTable, UiTree};

/// What a text view writes of an element: `button "Edit" of "Ann" #edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenElement {
    /// Its role.
    pub role: Option<String>,
    /// Its texts, in any order.
    pub names: Vec<WrittenName>,
    /// The text that distinguishes it from equal elements.
    pub owner: Option<WrittenName>,
    /// Its id, after `#`.
    pub id: Option<String>,
}

/// A written text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenName {
    /// The text.
    pub text: String,
    /// Whether only its start is written.
    pub is_cut: bool,
}

impl WrittenName {
    fn is_written_of(&self, text: &str) -> bool {
        let (own, text) = (collapse_spaces(&self.text), collapse_spaces(text));
        let cut = own.strip_suffix('…').or(self.is_cut.then_some(&*own));
        own == text || cut.is_some_and(|start| text.starts_with(start.trim_end()))
    }
}

impl UiTree {
    /// The elements that text views write so, in document order; without any, the nodes that have these texts themselves.
    ///
    /// An element with exactly these texts comes before those with others, too. Hidden nodes with these texts are always included.
    pub fn find_written(&self, written: &WrittenElement) -> Vec<NodeId> {
        let mut found = self.find_in_views(written);
        let is_own = |id: &NodeId| {
            let node = self.node(*id);
            let has = |name: &WrittenName| {
                let own = [&node.text, &node.label, &node.hint];
                own.into_iter().any(|own| name.is_written_of(own))
            };
            written.owner.is_none()
                && written.id.as_deref().is_none_or(|id| is_id(id, &node.id))
                && (written.role.as_deref()).is_none_or(|role| role == node.role.as_str())
                && written.names.iter().all(has)
        };
        let is_in_views = !found.is_empty();
        let own = self.ids().filter(is_own);
        found.extend(own.filter(|id| !(is_in_views && self.is_on_screen(*id))));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn find_in_views(&self, written: &WrittenElement) -> Vec<NodeId> {
        let refs = RefTable::default().assign(self);
        let whole = texts::join(self.view_lines(), self);
        let whole = whole.into_iter().flat_map(|line| line.parts);
        // What an element has before lines are joined, which may omit some of it.
        let whole: HashMap<NodeId, Part> = whole
            .filter_map(|part| part.id.map(|id| (id, part)))
            .collect();
        let (mut exact, mut others) = (HashSet::new(), HashSet::new());
        for only_actionable in [false, true] {
            let view = TextView {
                only_actionable,
                ..TextView::default()
            };
            let lines = self.arranged_lines(view, &refs);
            for part in lines.iter().flat_map(|line| &line.parts) {
                let omitted = part.same_as_above.iter();
                let omitted = omitted.filter_map(|id| whole.get_key_value(id));
                let own = part.id.map(|id| (id, part));
                let unjoined = part.id.and_then(|id| whole.get_key_value(&id));
                let all = omitted.chain(unjoined).map(|(id, part)| (*id, part));
                for (id, part) in own.into_iter().chain(all) {
                    if self.is_written_so(id, part, written) {
                        let is_exact = part.texts.len() == written.names.len();
                        if is_exact { &mut exact } else { &mut others }.insert(id);
                    }
                }
            }
        }
        let found = if exact.is_empty() { others } else { exact };
        found.into_iter().collect()
    }

    fn is_written_so(&self, id: NodeId, part: &Part, written: &WrittenElement) -> bool {
        let node = self.node(id);
        let is_role = |role: &str| role == part.role || role == node.role.as_str();
        let has = |name: &WrittenName| {
            let mut texts = part.texts.iter();
            texts.any(|text| name.is_written_of(&text.text))
        };
        let is_of = |name: &WrittenName| {
            let owner: Option<&LabeledText> = part.owner.as_ref();
            owner.is_some_and(|owner| name.is_written_of(&owner.text))
        };
        written.id.as_deref().is_none_or(|id| is_id(id, &node.id))
            && written.role.as_deref().is_none_or(is_role)
            && written.names.iter().all(has)
            && written.owner.as_ref().is_none_or(is_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_view::actionable_view;

    const TEAM: &str = "
        screen 100x100
        window application active owner=com.team
          column [0,0][100,100]
            row [0,0][100,20]
              text \"Ann\" [0,0][50,20]
              button \"Edit\" #com.team:id/edit clickable [50,0][100,20]
            row [0,20][100,40]
              text \"Ben\" [0,20][50,40]
              button \"Edit\" clickable [50,20][100,40]
            listitem clickable [0,40][100,60]
              text \"Wi-Fi\" [0,40][50,60]
            listitem clickable [0,60][100,80]
              text \"Wi-Fi\" [0,60][50,80]
              text \"Guest\u{202f}net\" [50,60][100,80]
    ";

    fn found(role: &str, names: &[&str], owner: Option<&str>) -> Vec<u32> {
        let name = |text: &&str| WrittenName {
            text: (*text).to_owned(),
            is_cut: false,
        };
        let written = WrittenElement {
            role: Some(role.to_owned()),
            names: names.iter().map(name).collect(),
            owner: owner.as_ref().map(name),
            id: None,
        };
        let tree = UiTree::parse_notation(TEAM).unwrap();
        let found = tree.find_written(&written).into_iter();
        found.map(|id| id.0).collect()
    }

    #[test]
    fn elements_are_found_by_what_is_written_of_them() {
        let view = actionable_view(TEAM);
        assert!(
            view.contains("button \"Edit\" of \"Ann\" e1 \"Edit\" of \"Ben\" e2"),
            "{view}"
        );
        assert_eq!(found("button", &["Edit"], None), [3, 6]);
        assert_eq!(found("button", &["Edit"], Some("Ben")), [6]);
        assert_eq!(found("listitem", &["Wi-Fi"], None), [7]);
        assert_eq!(found("listitem", &["Wi-Fi", "Guest net"], None), [9]);
        assert_eq!(found("listitem", &["Gu…"], None), [9]);
        // A text that the views write as that of its row.
        assert_eq!(found("text", &["Guest net"], None), [11]);
        assert_eq!(found("link", &["Edit"], None), [0; 0]);
    }
}

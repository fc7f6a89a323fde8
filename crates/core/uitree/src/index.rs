//! Search index of the visible nodes, stored in columns.
//!
//! A query reads a few bytes per node from adjacent arrays: exact values by a 32-bit hash, substrings by one search
//! through all folded values.

use crate::query::matches::CompiledQuery;
use crate::{Mark, Node, NodeId, Rect, Role, Window, chars, marks, window};
use memchr::memmem;

/// Columns with one entry for each visible node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Nodes, windows from the topmost layer down, in document order within a window.
    order: Vec<NodeId>,
    /// Entry range of each window, in document order.
    windows: Vec<(u32, u32)>,
    roles: Vec<Role>,
    ids: Vec<u32>,
    texts: Vec<u32>,
    labels: Vec<u32>,
    text: FoldedColumn,
    label: FoldedColumn,
}

/// Values of one column, folded and joined.
#[derive(Clone, Debug, Default)]
struct FoldedColumn {
    /// Non-empty values, each followed by [`SEPARATOR`].
    bytes: Vec<u8>,
    /// Entry and end of each non-empty value.
    ends: Vec<(u32, u32)>,
}

/// A byte that is invalid in UTF-8, so that no match spans two values.
const SEPARATOR: u8 = 0xFF;

impl FoldedColumn {
    fn push(&mut self, entry: u32, value: &str) {
        if value.is_empty() {
            return;
        }
        if value.is_ascii() {
            self.bytes
                .extend(value.bytes().map(|byte| byte.to_ascii_lowercase()));
        } else {
            self.bytes.extend_from_slice(chars::fold(value).as_bytes());
        }
        self.bytes.push(SEPARATOR);
        self.ends.push((entry, self.bytes.len() as u32));
    }

    /// Entries in `from..to` whose value contains the needle, in order.
    fn find<'a>(
        &'a self,
        finder: &'a memmem::Finder<'_>,
        (from, to): (u32, u32),
    ) -> impl Iterator<Item = u32> + 'a {
        let mut value = self.ends.partition_point(|(entry, _)| *entry < from);
        let last = self.ends.partition_point(|(entry, _)| *entry < to);
        let start = |value: usize| match value {
            0 => 0,
            value => self.ends[value - 1].1 as usize,
        };
        let end = start(last);
        std::iter::from_fn(move || {
            let begin = start(value);
            let found = begin + finder.find(self.bytes.get(begin..end)?)?;
            value += self.ends[value..last].partition_point(|(_, end)| *end as usize <= found);
            let (entry, _) = *self.ends.get(value)?;
            value += 1;
            Some(entry)
        })
    }
}

/// A fast hash. Only the empty value has hash 0.
fn hash(value: &str) -> u32 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let bytes = value.as_bytes();
    if bytes.is_empty() {
        return 0;
    }
    let mut sum = (bytes.len() as u64).wrapping_mul(STEP);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        sum = (sum ^ u64::from_le_bytes(*word))
            .wrapping_mul(STEP)
            .rotate_left(23);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    sum = (sum ^ u64::from_le_bytes(last)).wrapping_mul(STEP);
    ((sum >> 32) as u32).max(1)
}

impl Index {
    pub(crate) fn build(nodes: &[Node], windows: &[Window], visible: &[Option<Rect>]) -> Self {
        let mut index = Self {
            windows: vec![(0, 0); windows.len()],
            ..Self::default()
        };
        let seen = visible.iter().filter(|bounds| bounds.is_some()).count();
        index.order.reserve(seen);
        index.roles.reserve(seen);
        index.ids.reserve(seen);
        index.texts.reserve(seen);
        index.labels.reserve(seen);
        let mut stack: Vec<usize> = (0..windows.len()).collect();
        stack.sort_by_key(|window| std::cmp::Reverse(windows[*window].layer));
        for at in stack {
            let begin = index.order.len() as u32;
            for place in windows[at].root.0..window::end_of(windows, at, nodes.len()) {
                if visible[place as usize].is_some() {
                    index.push(&nodes[place as usize], NodeId(place));
                }
            }
            index.windows[at] = (begin, index.order.len() as u32);
        }
        index
    }

    fn push(&mut self, node: &Node, id: NodeId) {
        let entry = self.order.len() as u32;
        self.order.push(id);
        self.roles.push(node.role);
        self.ids.push(hash(&node.id));
        self.texts.push(hash(&chars::plain_spaces(&node.text)));
        self.labels.push(hash(&chars::plain_spaces(&node.label)));
        self.text.push(entry, &node.text);
        self.label.push(entry, &node.label);
    }

    /// Visible nodes in search order.
    pub(crate) fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// All entries.
    pub(crate) fn everything(&self) -> (u32, u32) {
        (0, self.order.len() as u32)
    }

    /// Entries of the subtree of `scope`.
    pub(crate) fn scope(&self, nodes: &[Node], windows: &[Window], scope: NodeId) -> (u32, u32) {
        let window = windows.partition_point(|window| window.root <= scope);
        let Some((begin, end)) = window.checked_sub(1).and_then(|at| self.windows.get(at)) else {
            return (0, 0);
        };
        let entries = &self.order[*begin as usize..*end as usize];
        let past = nodes[scope.index()].end;
        (
            begin + entries.partition_point(|id| *id < scope) as u32,
            begin + entries.partition_point(|id| *id < past) as u32,
        )
    }

    /// Nodes in the entries `range` that match `query`, in search order.
    pub(crate) fn find<'a>(
        &'a self,
        nodes: &'a [Node],
        marks: &'a [Mark],
        query: &'a CompiledQuery<'a>,
        range: (u32, u32),
    ) -> Box<dyn Iterator<Item = NodeId> + 'a> {
        let slice = range.0 as usize..range.1 as usize;
        let by_hash = |column: &'a [u32], value: &str| {
            let wanted = hash(value);
            let values = column[slice.clone()].iter().zip(range.0..);
            values
                .filter(move |(value, _)| **value == wanted)
                .map(|(_, entry)| entry)
        };
        let candidates: Box<dyn Iterator<Item = u32> + 'a> = match query {
            CompiledQuery { css: Some(css), .. } => {
                let hits = marks::hits(marks, css);
                let hit = move |entry: &u32| hits.binary_search(&self.order[*entry as usize]);
                Box::new((range.0..range.1).filter(move |entry| hit(entry).is_ok()))
            }
            CompiledQuery { id: Some(id), .. } if !id.starts_with('#') => {
                Box::new(by_hash(&self.ids, id))
            }
            CompiledQuery {
                text: Some(text), ..
            } => Box::new(by_hash(&self.texts, text)),
            CompiledQuery {
                label: Some(label), ..
            } => Box::new(by_hash(&self.labels, label)),
            CompiledQuery {
                text_part: Some(part),
                ..
            } if !part.0.needle().is_empty() => Box::new(self.text.find(&part.0, range)),
            CompiledQuery {
                label_part: Some(part),
                ..
            } if !part.0.needle().is_empty() => Box::new(self.label.find(&part.0, range)),
            CompiledQuery {
                role: Some(role), ..
            } => {
                let role = *role;
                let roles = self.roles[slice].iter().zip(range.0..);
                Box::new(
                    roles
                        .filter(move |(value, _)| **value == role)
                        .map(|(_, entry)| entry),
                )
            }
            _ => Box::new(range.0..range.1),
        };
        Box::new(
            candidates
                .map(|entry| self.order[entry as usize])
                .filter(|id| query.matches(&nodes[id.index()])),
        )
    }
}

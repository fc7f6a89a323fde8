//! Bounded edit distance.

use crate::Role;

/// Maximum number of characters of a compared value.
const MAX: usize = 80;

/// Letter counts of a value, in 64 buckets.
pub(super) struct Letters {
    counts: [u8; 64],
    len: usize,
}

impl Letters {
    pub(super) fn of(value: &str) -> Self {
        let mut counts = [0u8; 64];
        let mut len = 0;
        for c in value.chars() {
            let counter = &mut counts[u32::from(c) as usize % 64];
            *counter = counter.saturating_add(1);
            len += 1;
        }
        Self { counts, len }
    }

    /// Number of typos between `value`, with these letters, and `other`; `None` if too many for the length. At most
    /// two in eight letters.
    pub(super) fn typo(&self, value: &str, other: &str) -> Option<u32> {
        let limit = match self.len {
            0..3 => return None,
            3..5 => 1,
            5..9 => 2,
            len => (len / 4).min(8),
        };
        if self.len > MAX || other.len() > 4 * MAX {
            return None;
        }
        let letters = Letters::of(other);
        if letters.len.abs_diff(self.len) > limit {
            return None;
        }
        // One edit changes at most two counters by one.
        let apart: u32 = self
            .counts
            .iter()
            .zip(&letters.counts)
            .map(|(a, b)| u32::from(a.abs_diff(*b)))
            .sum();
        if apart as usize > 2 * limit {
            return None;
        }
        let edits = edits(value, other, limit)?;
        // In a short value a replaced letter makes another word.
        (edits * 4 <= self.len.max(4)).then_some(edits as u32)
    }
}

/// Edit distance with swaps of neighbors, if at most `limit`.
fn edits(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let far = limit + 1;
    // Only cells near the diagonal can be on a cheap path.
    let mut before_last = vec![far; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).map(|column| column.min(far)).collect();
    let mut row = vec![far; b.len() + 1];
    for (i, letter) in a.iter().enumerate() {
        row.fill(far);
        if i < limit {
            row[0] = i + 1;
        }
        let from = i.saturating_sub(limit);
        let to = (i + limit + 1).min(b.len());
        for j in from..to {
            let replaced = last[j] + usize::from(*letter != b[j]);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before_last[j - 1] + 1);
            }
            row[j + 1] = least.min(far);
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last.last().copied().filter(|edits| *edits <= limit)
}

/// The role that `name` may mean: a typo or a synonym.
pub(super) fn nearest_role(name: &str) -> Option<Role> {
    const OTHER_NAMES: [(&str, Role); 20] = [
        ("textview", Role::Text),
        ("statictext", Role::Text),
        ("paragraph", Role::Text),
        ("edittext", Role::TextField),
        ("textbox", Role::TextField),
        ("input", Role::TextField),
        ("field", Role::TextField),
        ("searchbox", Role::TextField),
        ("imageview", Role::Image),
        ("img", Role::Image),
        ("picture", Role::Image),
        ("imagebutton", Role::Button),
        ("btn", Role::Button),
        ("combobox", Role::Dropdown),
        ("spinner", Role::Dropdown),
        ("select", Role::Dropdown),
        ("progressbar", Role::Progress),
        ("seekbar", Role::Slider),
        ("header", Role::Heading),
        ("a", Role::Link),
    ];
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(MAX)
        .collect();
    if let Some((_, role)) = OTHER_NAMES.iter().find(|(other, _)| *other == plain) {
        return Some(*role);
    }
    let letters = Letters::of(&plain);
    Role::ALL
        .iter()
        .filter(|role| **role != Role::Unknown)
        .filter_map(|role| {
            let typo = if *role.as_str() == *plain {
                Some(0)
            } else {
                letters.typo(&plain, role.as_str())
            };
            Some((typo?, *role))
        })
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, role)| role)
}

//! What the reader asked for while it read: the other side of the comparison with the table.

use std::collections::{BTreeMap, BTreeSet};

use super::Topic;

/// Keys that were asked for, and the words that their values were compared with.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) keys: BTreeSet<(Topic, &'static str)>,
    pub(crate) words: BTreeMap<(Topic, &'static str), BTreeSet<String>>,
}

impl Notes {
    /// The keys of one mapping were asked for.
    pub(crate) fn asked(&mut self, topic: Topic, keys: &[&'static str]) {
        self.keys.extend(keys.iter().map(|key| (topic, *key)));
    }

    /// The value of a key was compared with these words.
    pub(crate) fn words<'a>(
        &mut self,
        key: Option<(Topic, &'static str)>,
        words: impl Iterator<Item = &'a str>,
    ) {
        if let Some(key) = key {
            self.words
                .entry(key)
                .or_default()
                .extend(words.map(str::to_owned));
        }
    }
}

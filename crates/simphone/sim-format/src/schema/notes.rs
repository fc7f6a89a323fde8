//! The keys and words that the reader used, for the comparison with the table.

use std::collections::{BTreeMap, BTreeSet};

use super::Topic;

/// Keys that were read, and the words that were accepted as their values.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) keys: BTreeSet<(Topic, &'static str)>,
    pub(crate) words: BTreeMap<(Topic, &'static str), BTreeSet<String>>,
}

impl Notes {
    pub(crate) fn asked(&mut self, topic: Topic, keys: &[&'static str]) {
        self.keys.extend(keys.iter().map(|key| (topic, *key)));
    }

    /// Records the words that were accepted as the value of a key.
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

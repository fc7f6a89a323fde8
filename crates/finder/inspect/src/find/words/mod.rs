//! Words and their meaning: splitting, stems, similarity, synonyms and word lists.

pub(crate) mod lexicon;
pub(crate) mod similarity;
pub(crate) mod stem;
pub(crate) mod synonyms;
pub(crate) mod tokens;
pub(crate) mod verbs;

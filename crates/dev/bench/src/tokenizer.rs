//! Counts tokens of texts.

/// The number of tokens of a text (o200k).
pub(crate) fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

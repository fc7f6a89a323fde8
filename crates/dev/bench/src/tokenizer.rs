//! Counts tokens of texts with the tokenizer of the `gpt-tokenizer` package.

use std::path::Path;

use serde_json::Value;

use crate::node::{NodeProcess, require_package};

/// The script that counts tokens.
const SCRIPT: &str = include_str!("../peers/tokens.cjs");

/// Counts tokens of the o200k family.
pub struct Tokenizer(NodeProcess);

impl Tokenizer {
    /// The tokenizer of the packages in `folder`.
    /// `crates/dev/bench/fetch peers` downloads it.
    pub fn start(folder: &Path) -> Result<Self, String> {
        require_package(folder, "gpt-tokenizer")?;
        Ok(Self(NodeProcess::start(folder, SCRIPT)?))
    }

    /// The number of tokens of a text.
    pub async fn count(&mut self, text: &str) -> Result<u32, String> {
        let count = self.0.request(&Value::from(text)).await?;
        let count = count.as_u64().and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| "the tokenizer returned no number".to_owned())
    }

    /// Stops the process.
    pub async fn stop(self) -> Result<(), String> {
        self.0.stop().await
    }
}

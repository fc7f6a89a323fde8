//! Scenarios: Markdown files with a description, inputs and the expected result.
//!
//! A file is a title (`# …`), prose, and fenced blocks whose info string is a language and a name: `yaml app`
//! (any number), `json setup`, `text faults` (one per line, and `seed N`), `json actions`, `json options`,
//! `json result`, `text journal` (the journal, if there are faults or the block exists).
//! `UPDATE_EXPECT=1` rewrites the results.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub path: PathBuf,
    /// Its first line.
    pub title: String,
    text: String,
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
struct Block {
    name: String,
    /// The offset of its content in the text.
    start: usize,
    end: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// It differs; a line-by-line comparison.
    Different(String),
    Updated,
}

/// Every scenario of a folder, sorted by name.
pub fn folder(folder: &Path) -> Result<Vec<Scenario>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry
            .map_err(|error| format!("{}: {error}", folder.display()))?
            .path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.into_iter().map(Scenario::read).collect()
}

/// Parts of an app or plan that make a scenario depend on timing in real time.
const TIMED_PARTS: &[&str] = &[
    "after:",
    "every:",
    "delay",
    "fetch",
    "animat",
    "Delay",
    // The length of a fling depends on timing.
    "\"type\": \"scroll",
];

impl Scenario {
    pub fn read(path: PathBuf) -> Result<Self, String> {
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?
            .replace("\r\n", "\n");
        let title = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .ok_or_else(|| format!("{}: the first line is not a title", path.display()))?
            .to_owned();
        let mut blocks = Vec::new();
        let mut open: Option<(String, usize)> = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let next = at + line.len();
            if let Some(info) = line.trim_end().strip_prefix("```") {
                open = match open.take() {
                    Some((name, start)) => {
                        blocks.push(Block {
                            name,
                            start,
                            end: at,
                        });
                        None
                    }
                    None => Some((info.to_owned(), next)),
                };
            }
            at = next;
        }
        if open.is_some() {
            return Err(format!("{}: a block is not closed", path.display()));
        }
        Ok(Self {
            path,
            title,
            text,
            blocks,
        })
    }

    /// The name of its file, without `.md`.
    pub fn name(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    pub fn blocks(&self, name: &str) -> impl Iterator<Item = &str> {
        self.blocks
            .iter()
            .filter(move |block| block.name == name)
            .map(|block| &self.text[block.start..block.end])
    }

    /// Whether it depends on timing on a phone in real time: faults, or timed parts of its app or plan.
    pub fn is_timed(&self) -> bool {
        let contents =
            ["yaml app", "json actions"].map(|name| self.blocks(name).collect::<String>());
        self.blocks("text faults").next().is_some()
            || TIMED_PARTS
                .iter()
                .any(|word| contents.iter().any(|text| text.contains(word)))
    }

    /// The JSON of the only block with this name; `None` if there is none.
    pub fn json(&self, name: &str) -> Result<Option<Value>, String> {
        let Some(text) = self.blocks(name).next() else {
            return Ok(None);
        };
        serde_json::from_str(text)
            .map(Some)
            .map_err(|error| format!("{}: {name}: {error}", self.path.display()))
    }

    /// Compares `found` with the block of this name, or writes it there if `UPDATE_EXPECT` is set.
    pub fn expect(&self, name: &str, found: &str) -> Result<Verdict, String> {
        let found = format!("{}\n", found.trim_end());
        let expected = self.blocks(name).next().unwrap_or_default();
        if expected == found {
            return Ok(Verdict::Same);
        }
        if std::env::var_os("UPDATE_EXPECT").is_none() {
            return Ok(Verdict::Different(difference(expected, &found)));
        }
        let text = match self.blocks.iter().find(|block| block.name == name) {
            Some(block) => format!(
                "{}{found}{}",
                &self.text[..block.start],
                &self.text[block.end..]
            ),
            None => format!("{}\n\n```{name}\n{found}```\n", self.text.trim_end()),
        };
        fs::write(&self.path, text).map_err(|error| format!("{}: {error}", self.path.display()))?;
        Ok(Verdict::Updated)
    }
}

/// A line of a text view without references, which only processes that stay give, and with its end.
fn without_refs(line: &str) -> String {
    let is_ref = |word: &str| {
        let number = word.strip_prefix('e').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut line = line;
    while let Some((before, last)) = line.rsplit_once(' ')
        && is_ref(last)
    {
        line = before;
    }
    format!("{line}\n")
}

/// An envelope or error with long and machine-dependent parts shortened: a tree to its size, a recording to
/// its name.
pub fn shortened(mut result: Value) -> Value {
    let steps = match result.get_mut("stepResults") {
        Some(steps) => Some(steps),
        None => result.pointer_mut("/details/stepResults"),
    };
    for step in steps.and_then(Value::as_array_mut).into_iter().flatten() {
        if step["actionType"] == "snapshot_ui"
            && let Some(text) = step.pointer("/data/text").and_then(Value::as_str)
        {
            let short = if text.contains("<hierarchy") {
                let nodes = text.matches("<node ").count();
                format!("<hierarchy …{nodes} nodes… </hierarchy>")
            } else {
                text.lines().map(without_refs).collect()
            };
            step["data"]["text"] = short.into();
        }
        if let Some(path) = step.pointer("/data/filePath").and_then(Value::as_str) {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            step["data"]["filePath"] = format!("…/{name}").into();
        }
    }
    result
}

/// The lines in which two texts differ, without the common beginning and end.
pub fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let mut lines = vec![format!("from line {} of the block:", head + 1)];
    lines.extend(
        old[head..old.len() - tail]
            .iter()
            .map(|line| format!("- {line}")),
    );
    lines.extend(
        new[head..new.len() - tail]
            .iter()
            .map(|line| format!("+ {line}")),
    );
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_shows_changed_lines() {
        assert_eq!(
            difference("a\nb\nc\n", "a\nx\ny\nc\n"),
            "from line 2 of the block:\n- b\n+ x\n+ y"
        );
    }
}

//! Hand-written instructions with their right elements, one line of JSON each.
//!
//! `{"page": "shop.html", "query": "open the cart", "gold": ["#cart"]}`: any match of these selectors is
//! right; an empty list means that the page has no such element. `"ambiguous"` instead of `"gold"` means that
//! several elements match equally well.

use cdp::Session;
use serde_json::Value;

use super::select::select;
use crate::suite::{Case, Expect, Suite};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub author: String,
    pub page: String,
    pub query: String,
    /// Selectors of the right elements.
    gold: Vec<String>,
    several: SeveralMatches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeveralMatches {
    AnyIsRight,
    AreMeant,
}

/// Reads a file of instructions by `author`.
pub fn read(text: &str, author: &str) -> Result<Vec<Instruction>, String> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            parse_line(line, author).map_err(|error| format!("line {}: {error}", at + 1))
        })
        .collect()
}

fn parse_line(line: &str, author: &str) -> Result<Instruction, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = |key: &str| match value.get(key).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(format!("\"{key}\" has to be a text")),
    };
    let (gold, several) = match (value.get("gold"), value.get("ambiguous")) {
        (Some(gold), None) => (gold, SeveralMatches::AnyIsRight),
        (None, Some(gold)) => (gold, SeveralMatches::AreMeant),
        _ => return Err("either \"gold\" or \"ambiguous\" has to be there".to_owned()),
    };
    let selectors: Option<Vec<String>> = gold.as_array().and_then(|all| {
        let texts = all
            .iter()
            .map(|parse_line| parse_line.as_str().map(str::to_owned));
        texts.collect()
    });
    Ok(Instruction {
        author: author.to_owned(),
        page: text("page")?,
        query: text("query")?,
        gold: selectors.ok_or("the selectors have to be a list of texts")?,
        several,
    })
}

impl Instruction {
    /// The instruction as a case for the page that is open in `session`.
    /// A selector that matches nothing is an error: the instruction was written for another page.
    pub async fn case(&self, session: &Session) -> Result<Case, String> {
        let mut nodes = Vec::new();
        for selector in &self.gold {
            let hits = select(session, selector)
                .await
                .map_err(|error| format!("{}: {selector}: {error}", self.page))?;
            if hits.is_empty() {
                return Err(format!("{}: {selector} hits nothing", self.page));
            }
            nodes.extend(hits);
        }
        Ok(Case {
            suite: Suite::Instructions,
            author: self.author.clone(),
            page: self.page.clone(),
            query: self.query.clone(),
            expect: match self.several {
                SeveralMatches::AreMeant => Expect::Ambiguous(nodes),
                SeveralMatches::AnyIsRight if nodes.is_empty() => Expect::Nothing,
                SeveralMatches::AnyIsRight => Expect::Element(nodes),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instruction_file_is_parsed_strictly() {
        let good = read(
            "\n{\"page\":\"a.html\",\"query\":\"buy\",\"gold\":[\"#b\"]}\n",
            "a",
        )
        .unwrap();
        assert_eq!(good.len(), 1);
        assert_eq!(good[0].query, "buy");
        for (line, complaint) in [
            ("{", "line 1: "),
            ("{\"page\":\"a\",\"query\":\"\",\"gold\":[]}", "\"query\""),
            ("{\"page\":\"a\",\"query\":\"q\"}", "either"),
            (
                "{\"page\":\"a\",\"query\":\"q\",\"gold\":[],\"ambiguous\":[]}",
                "either",
            ),
            ("{\"page\":\"a\",\"query\":\"q\",\"gold\":\"#b\"}", "list"),
        ] {
            let error = read(line, "a").unwrap_err();
            assert!(error.contains(complaint), "{line}: {error}");
        }
    }
}

//! Compares figures of several tools, and checks the targets.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::numbers::{median, tenths, tenths_json};

named! {
    pub enum Row {
        /// A click on a known button, until the call returns.
        Click = "click",
        /// A click on a button by selector, including the lookup.
        ClickBySelector = "click by selector",
        /// From nothing to a page of a running browser.
        Attach = "attach",
        /// From nothing to a loaded page in a new browser.
        FirstPage = "first page",
        /// A click that adds a part to the page, until that part can be read.
        Settle = "settle",
        /// The page as text for an agent, 1,500 elements.
        Tree = "tree, 1,500 elements",
        /// An element found by description, with a selector, 1,500 elements.
        Inspect1500 = "inspect, 1,500 elements",
        /// The same with 3,000 elements.
        Inspect3000 = "inspect, 3,000 elements",
        /// The same with 10,000 elements.
        Inspect10000 = "inspect, 10,000 elements",
    }
}

named! {
    pub enum Tool {
        /// The bare protocol: box, move, press and release over one socket.
        Raw = "raw protocol",
        /// The same, waiting for each answer before the next call.
        RawInTurn = "raw, in turn",
        InProcess = "clawperator",
        OursMcp = "clawperator (mcp)",
        /// clawperator on its command line, with a persistent browser.
        OursCli = "clawperator (cli)",
        Playwright = "playwright-core",
        AgentBrowserMcp = "agent-browser (mcp)",
        /// agent-browser on its command line, with its background process.
        AgentBrowser = "agent-browser (cli)",
    }
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    times: BTreeMap<(Row, Tool), Vec<f64>>,
    tokens: BTreeMap<Tool, usize>,
    pub skipped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Target {
    pub promise: String,
    /// Whether it holds; `None` if its figures were not measured.
    pub holds: Option<bool>,
    pub figure: String,
}

impl Table {
    /// Adds a measurement in milliseconds.
    pub fn add(&mut self, row: Row, tool: Tool, took: f64) {
        self.times.entry((row, tool)).or_default().push(took);
    }

    /// Adds the number of tokens of a tree.
    pub fn add_tokens(&mut self, tool: Tool, tokens: usize) {
        self.tokens.insert(tool, tokens);
    }

    pub fn median(&self, row: Row, tool: Tool) -> Option<f64> {
        median(self.times.get(&(row, tool))?)
    }

    pub fn targets(&self) -> Vec<Target> {
        let ours = |row| self.median(row, Tool::InProcess);
        let ratio = |row, who| Some(ours(row)? / self.median(row, who)?);
        let mut targets = Vec::new();
        for (row, what, raw, how) in [
            (Row::Click, "a click", Tool::RawInTurn, ", in turn"),
            (Row::Click, "a click", Tool::Raw, ""),
            (Row::ClickBySelector, "a click by selector", Tool::Raw, ""),
            (Row::FirstPage, "the first page", Tool::Raw, ""),
        ] {
            let raw = ratio(row, raw);
            targets.push(Target {
                promise: format!("{what} costs at most 1.1 times the raw protocol's{how}"),
                holds: raw.map(|raw| raw <= 1.1),
                figure: raw.map_or_else(|| "–".to_owned(), |raw| format!("{raw:.2} times")),
            });
        }
        for (own, peer) in [
            (Tool::InProcess, Tool::Playwright),
            (Tool::OursMcp, Tool::AgentBrowserMcp),
            (Tool::OursCli, Tool::AgentBrowser),
        ] {
            let median_of = |who| self.median(Row::ClickBySelector, who);
            let both = (median_of(own), median_of(peer));
            let (own, peer) = (own.as_str(), peer.as_str());
            targets.push(Target {
                promise: format!("a click by selector of {own} is faster than {peer}"),
                holds: both.0.zip(both.1).map(|(own, peer)| own < peer),
                figure: format!("{} and {} ms", tenths(both.0), tenths(both.1)),
            });
        }
        for (row, tool, most) in [
            (Row::Inspect1500, Tool::InProcess, 60.0),
            (Row::Inspect3000, Tool::InProcess, 200.0),
            (Row::Inspect1500, Tool::OursMcp, 40.0),
            (Row::Inspect10000, Tool::OursMcp, 250.0),
            (Row::Tree, Tool::InProcess, 90.0),
            (Row::Attach, Tool::InProcess, 30.0),
            (Row::FirstPage, Tool::InProcess, 550.0),
        ] {
            let value = self.median(row, tool);
            let (what, tool) = (row.as_str(), tool.as_str());
            targets.push(Target {
                promise: format!("{what}: {tool} takes at most {most} ms"),
                holds: value.map(|value| value <= most),
                figure: format!("{} ms", tenths(value)),
            });
        }
        targets
    }

    /// The figures as text: medians in milliseconds, with their ratio to ours.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in Row::ALL {
            let ours = self.median(row, Tool::InProcess);
            for who in Tool::ALL {
                let Some(values) = self.times.get(&(row, who)) else {
                    continue;
                };
                let value = median(values);
                let ratio = match (value, ours) {
                    (Some(value), Some(ours)) if who != Tool::InProcess => {
                        format!("{:>7.2} ×", value / ours)
                    }
                    _ => " ".repeat(9),
                };
                let tokens = match (row, self.tokens.get(&who)) {
                    (Row::Tree, Some(tokens)) => format!("{tokens:>8} tokens"),
                    _ => String::new(),
                };
                text.push_str(&format!(
                    "{:<24} {:<20} {:>9} ms {ratio} {tokens}\n",
                    row.as_str(),
                    who.as_str(),
                    tenths(value)
                ));
            }
        }
        text.push('\n');
        for target in self.targets() {
            let holds = match target.holds {
                Some(true) => "holds  ",
                Some(false) => "BROKEN ",
                None => "unknown",
            };
            text.push_str(&format!("{holds}  {}: {}\n", target.promise, target.figure));
        }
        for reason in &self.skipped {
            text.push_str(&format!("left out: {reason}\n"));
        }
        let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    }

    /// The figures as JSON, with every measurement.
    pub fn json(&self) -> Value {
        let rows = self.times.iter().map(|((row, who), values)| {
            let all = values.iter().map(|value| tenths_json(Some(*value)));
            json!({
                "what": row.as_str(),
                "who": who.as_str(),
                "median": tenths_json(median(values)),
                "all": all.collect::<Vec<_>>(),
                "tokens": (*row == Row::Tree).then(|| self.tokens.get(who)).flatten(),
            })
        });
        let rows: Vec<Value> = rows.collect();
        json!({ "rows": rows, "targets": self.targets(), "skipped": self.skipped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_use_medians_of_one_run() {
        let mut table = Table::default();
        for value in [16.0, 17.0, 90.0] {
            table.add(Row::Click, Tool::Raw, value);
        }
        for value in [18.0, 18.5, 19.0] {
            table.add(Row::Click, Tool::InProcess, value);
        }
        table.add(Row::ClickBySelector, Tool::InProcess, 30.0);
        table.add(Row::ClickBySelector, Tool::Playwright, 40.0);
        table.add(Row::Inspect1500, Tool::InProcess, 61.0);
        let targets = table.targets();
        let holds: Vec<Option<bool>> = targets.iter().map(|target| target.holds).collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(holds[..7], [None, yes, None, None, yes, None, None]);
        assert_eq!(holds[7..], [no, None, None, None, None, None, None]);
        assert_eq!(targets[1].figure, "1.09 times");
        assert!(table.text().contains("BROKEN"));
        assert_eq!(table.json()["targets"][7]["holds"], Value::Bool(false));
    }
}

//! The results of a run, as a table and as JSON.

use serde_json::{Value, json};

use super::judge::{Answer, Outcome};
use crate::numbers::{median, ms, quantile, share, tenths, tenths_json};
use crate::suite::{Case, Expect, Suite};

/// A case, its answer and the outcome.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The case.
    pub case: Case,
    /// The answer.
    pub answer: Answer,
    /// The outcome.
    pub outcome: Outcome,
    /// The outcome of the plain ranker; `None` on phones.
    pub plain: Option<Outcome>,
    /// The number of tokens in the answer's text; `None` if not counted.
    pub tokens: Option<u32>,
    /// Short descriptions of the right elements, for failures.
    pub right: String,
    /// A short description of the first element of the answer, for failures.
    pub answered: String,
}

/// A page that was loaded several times.
#[derive(Clone, Debug)]
pub struct PageLoads {
    /// The page.
    pub page: String,
    /// The queries whose answers differed.
    pub differing: Vec<String>,
    /// The number of queries per load.
    pub queries: usize,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every case.
    pub lines: Vec<CaseResult>,
    /// Every page that was loaded several times.
    pub loads: Vec<PageLoads>,
    /// Skipped cases with the reasons.
    pub skipped: Vec<String>,
}

/// The figures of one suite by one author.
struct Figures<'r> {
    suite: Suite,
    author: &'r str,
    /// Its cases.
    lines: Vec<&'r CaseResult>,
    count: usize,
    first: Option<f64>,
    third: Option<f64>,
    /// The first two figures of the plain ranker.
    plain: [Option<f64>; 2],
    misled: Option<f64>,
    /// Of the questions without an answer, those with a certain one.
    absent: Option<f64>,
    undecided: Option<f64>,
    unique: Option<f64>,
    tokens: Option<f64>,
    middle: Option<f64>,
    late: Option<f64>,
}

impl Report {
    /// Authors in the order of their first question.
    fn authors(&self) -> Vec<&str> {
        let mut authors: Vec<&str> = Vec::new();
        for line in &self.lines {
            if !authors.contains(&&*line.case.author) {
                authors.push(&line.case.author);
            }
        }
        authors
    }

    fn figures(&self) -> Vec<Figures<'_>> {
        let of = |(suite, author)| {
            let lines: Vec<&CaseResult> = self
                .lines
                .iter()
                .filter(|line| line.case.suite == suite && line.case.author == author)
                .collect();
            let one = |expect: &Expect| matches!(expect, Expect::Element(_));
            let took: Vec<f64> = lines.iter().map(|line| ms(line.answer.took)).collect();
            let tokens: Vec<f64> = lines
                .iter()
                .filter_map(|line| line.tokens.map(f64::from))
                .collect();
            Figures {
                suite,
                author,
                count: lines.len(),
                first: share(lines.iter().map(|line| line.outcome.first)),
                third: share(lines.iter().map(|line| line.outcome.third)),
                plain: [
                    share(
                        lines
                            .iter()
                            .filter_map(|line| line.plain)
                            .map(|plain| plain.first),
                    ),
                    share(
                        lines
                            .iter()
                            .filter_map(|line| line.plain)
                            .map(|plain| plain.third),
                    ),
                ],
                misled: share(lines.iter().map(|line| line.outcome.misled)),
                absent: share(
                    lines
                        .iter()
                        .filter(|line| line.case.expect == Expect::Nothing)
                        .map(|line| line.outcome.misled),
                ),
                undecided: share(
                    lines
                        .iter()
                        .filter(|line| one(&line.case.expect))
                        .map(|line| line.outcome.undecided),
                ),
                unique: share(lines.iter().filter_map(|line| line.outcome.unique)),
                tokens: median(&tokens),
                middle: median(&took),
                late: quantile(&took, 0.95),
                lines,
            }
        };
        let authors = self.authors();
        let by_author = |suite| authors.iter().map(move |author| (suite, *author));
        Suite::ALL
            .into_iter()
            .flat_map(by_author)
            .map(of)
            .filter(|figures| figures.count > 0)
            .collect()
    }

    /// The number of answers that were the same on every load, and of all answers.
    fn repeated(&self) -> (usize, usize) {
        let queries = self.loads.iter().map(|loads| loads.queries).sum();
        let differing: usize = self.loads.iter().map(|loads| loads.differing.len()).sum();
        (queries - differing, queries)
    }

    /// The figures as a table. Rates are in percent, times in milliseconds.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<12} {:<10} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>10} {:>7} {:>7} {:>8} {:>8}\n",
            "suite",
            "author",
            "n",
            "top-1",
            "top-3",
            "plain-1",
            "plain-3",
            "misled",
            "absent",
            "undecided",
            "unique",
            "tokens",
            "ms p50",
            "ms p95"
        );
        for row in self.figures() {
            table.push_str(&format!(
                "{:<12} {:<10} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>10} {:>7} {:>7} {:>8} {:>8}\n",
                row.suite.as_str(),
                row.author,
                row.count,
                tenths(row.first),
                tenths(row.third),
                tenths(row.plain[0]),
                tenths(row.plain[1]),
                tenths(row.misled),
                tenths(row.absent),
                tenths(row.undecided),
                tenths(row.unique),
                row.tokens
                    .map_or_else(|| "–".to_owned(), |tokens| format!("{tokens:.0}")),
                tenths(row.middle),
                tenths(row.late)
            ));
        }
        table.push_str(&self.calibration());
        let (same, queries) = self.repeated();
        if queries > 0 {
            table.push_str(&format!(
                "\n{same} of {queries} answers are byte-identical on five loads\n"
            ));
        }
        for loads in &self.loads {
            for query in &loads.differing {
                table.push_str(&format!("  {}: {query:?} differs\n", loads.page));
            }
        }
        for reason in &self.skipped {
            table.push_str(&format!("left out: {reason}\n"));
        }
        table
    }

    /// For the scores of instructions in tens, how many answers had one and how many of these were right.
    fn calibration(&self) -> String {
        let mut text = String::new();
        for figures in self.figures() {
            if !matches!(figures.suite, Suite::Instructions | Suite::Expressions) {
                continue;
            }
            text.push_str(&format!("\nscores of {}\n", figures.author));
            for from in (0..100_u8).step_by(10) {
                let within = |line: &&&CaseResult| {
                    line.answer.score >= from && line.answer.score < from + 10
                };
                let said: Vec<&&CaseResult> = figures.lines.iter().filter(within).collect();
                let right = said.iter().filter(|line| line.outcome.first).count();
                if !said.is_empty() {
                    text.push_str(&format!(
                        "  said {from:>2} to {:>2}: {right:>4} of {:>4} right, {:>5} %\n",
                        from + 9,
                        said.len(),
                        tenths(share(said.iter().map(|line| line.outcome.first)))
                    ));
                }
            }
        }
        text
    }

    /// All wrong answers, one paragraph each.
    pub fn failures(&self) -> String {
        let mut text = String::new();
        for line in self.lines.iter().filter(|line| !line.outcome.first) {
            text.push_str(&format!(
                "{} {} {:?}\n  right: {}\n  said:  {}{}\n",
                line.case.suite.as_str(),
                line.case.page,
                line.case.query,
                line.right,
                line.answer.verdict.as_str(),
                if line.answered.is_empty() {
                    String::new()
                } else {
                    format!(", {}", line.answered)
                }
            ));
        }
        text
    }

    /// The figures and all failures as JSON.
    pub fn json(&self) -> Value {
        let suites: Vec<Value> = self
            .figures()
            .iter()
            .map(|row| {
                json!({
                    "suite": row.suite.as_str(),
                    "author": row.author,
                    "n": row.count,
                    "top1": tenths_json(row.first),
                    "top3": tenths_json(row.third),
                    "plainTop1": tenths_json(row.plain[0]),
                    "plainTop3": tenths_json(row.plain[1]),
                    "misled": tenths_json(row.misled),
                    "absentCertain": tenths_json(row.absent),
                    "undecided": tenths_json(row.undecided),
                    "unique": tenths_json(row.unique),
                    "tokens": tenths_json(row.tokens),
                    "msMedian": tenths_json(row.middle),
                    "msP95": tenths_json(row.late),
                })
            })
            .collect();
        let failures: Vec<Value> = self
            .lines
            .iter()
            .filter(|line| !line.outcome.first)
            .map(|line| {
                json!({
                    "suite": line.case.suite.as_str(),
                    "author": line.case.author,
                    "page": line.case.page,
                    "query": line.case.query,
                    "right": line.right,
                    "verdict": line.answer.verdict.as_str(),
                    "said": line.answered,
                })
            })
            .collect();
        let (same, queries) = self.repeated();
        json!({
            "suites": suites,
            "repeated": { "same": same, "asked": queries },
            "skipped": self.skipped,
            "failures": failures,
        })
    }
}

//! The results of a run, as a table and as JSON.

use serde_json::{Value, json};

use super::judge::{Answer, Outcome};
use crate::numbers::{median, ms, quantile, share, tenths, tenths_json};
use crate::suite::{Case, Expect, Suite};

/// A case, its answer and the outcome.
#[derive(Clone, Debug)]
pub struct CaseResult {
    pub case: Case,
    pub answer: Answer,
    pub outcome: Outcome,
    /// The outcome of the plain ranker; `None` on phones.
    pub plain: Option<Outcome>,
    /// The number of tokens in the answer's text; `None` on phones.
    pub tokens: Option<usize>,
    /// Short descriptions of the right elements, for failures.
    pub right: String,
    /// A short description of the first element of the answer, for failures.
    pub answered: String,
}

/// A page that was loaded several times.
#[derive(Clone, Debug)]
pub struct PageLoads {
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
    lines: Vec<&'r CaseResult>,
}

/// A column: its heading, its key in JSON, its width, its digits behind the point and its value.
type Column = (
    &'static str,
    &'static str,
    usize,
    usize,
    fn(&Figures<'_>) -> Option<f64>,
);

/// Rates are in percent, times in milliseconds.
const COLUMNS: [Column; 11] = [
    ("top-1", "top1", 7, 1, |of| {
        of.share(|line| Some(line.outcome.first))
    }),
    ("top-3", "top3", 7, 1, |of| {
        of.share(|line| Some(line.outcome.third))
    }),
    ("plain-1", "plainTop1", 7, 1, |of| {
        of.share(|line| Some(line.plain?.first))
    }),
    ("plain-3", "plainTop3", 7, 1, |of| {
        of.share(|line| Some(line.plain?.third))
    }),
    ("misled", "misled", 7, 1, |of| {
        of.share(|line| Some(line.outcome.misled))
    }),
    ("absent", "absentCertain", 7, 1, |of| {
        of.share(|line| (line.case.expect == Expect::Nothing).then_some(line.outcome.misled))
    }),
    ("undecided", "undecided", 10, 1, |of| {
        let one = |line: &CaseResult| matches!(line.case.expect, Expect::Element(_));
        of.share(|line| one(line).then_some(line.outcome.undecided))
    }),
    ("unique", "unique", 7, 1, |of| {
        of.share(|line| line.outcome.unique)
    }),
    ("tokens", "tokens", 7, 0, |of| {
        let tokens = of.lines.iter().filter_map(|line| line.tokens);
        median(&tokens.map(|count| count as f64).collect::<Vec<_>>())
    }),
    ("ms p50", "msMedian", 8, 1, |of| median(&of.times())),
    ("ms p95", "msP95", 8, 1, |of| quantile(&of.times(), 0.95)),
];

impl Figures<'_> {
    fn share(&self, of: impl Fn(&CaseResult) -> Option<bool>) -> Option<f64> {
        share(self.lines.iter().filter_map(|line| of(line)))
    }

    fn times(&self) -> Vec<f64> {
        self.lines.iter().map(|line| ms(line.answer.took)).collect()
    }
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
        let authors = self.authors();
        let by_author = |suite| authors.iter().map(move |author| (suite, *author));
        let of = |(suite, author)| Figures {
            suite,
            author,
            lines: self
                .lines
                .iter()
                .filter(|line| line.case.suite == suite && line.case.author == author)
                .collect(),
        };
        Suite::ALL
            .into_iter()
            .flat_map(by_author)
            .map(of)
            .filter(|figures| !figures.lines.is_empty())
            .collect()
    }

    /// The number of answers that were the same on every load, and of all answers.
    fn repeated(&self) -> (usize, usize) {
        let queries = self.loads.iter().map(|loads| loads.queries).sum();
        let differing: usize = self.loads.iter().map(|loads| loads.differing.len()).sum();
        (queries - differing, queries)
    }

    /// The figures as a table.
    pub fn table(&self) -> String {
        let mut table = format!("{:<12} {:<10} {:>5}", "suite", "author", "n");
        for (heading, _, width, ..) in COLUMNS {
            table.push_str(&format!(" {heading:>width$}"));
        }
        for row in self.figures() {
            let (suite, author, count) = (row.suite.as_str(), row.author, row.lines.len());
            table.push_str(&format!("\n{suite:<12} {author:<10} {count:>5}"));
            for (_, _, width, digits, value) in COLUMNS {
                let value = value(&row).map(|value| format!("{value:.digits$}"));
                let value = value.as_deref().unwrap_or("–");
                table.push_str(&format!(" {value:>width$}"));
            }
        }
        table.push('\n');
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
                let results: Vec<&&CaseResult> = figures.lines.iter().filter(within).collect();
                let right = results.iter().filter(|line| line.outcome.first).count();
                if !results.is_empty() {
                    text.push_str(&format!(
                        "  said {from:>2} to {:>2}: {right:>4} of {:>4} right, {:>5} %\n",
                        from + 9,
                        results.len(),
                        tenths(share(results.iter().map(|line| line.outcome.first)))
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
        let suites = self.figures().into_iter().map(|row| {
            let mut suite =
                json!({ "suite": row.suite.as_str(), "author": row.author, "n": row.lines.len() });
            for (_, key, _, _, value) in COLUMNS {
                suite[key] = tenths_json(value(&row));
            }
            suite
        });
        let suites: Vec<Value> = suites.collect();
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
